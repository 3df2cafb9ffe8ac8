// The options of a select, and what was chosen or typed.

import { type TemplateResult, html } from "lit";
import { live } from "lit/directives/live.js";

/** Options with one selected: always the model's, not what the user or the browser last selected. */
export const options = (
  all: readonly { readonly value: string | number; readonly label: string }[],
  picked: string | number,
): TemplateResult[] =>
  all.map(({ value, label }) => html`<option value=${value} .selected=${live(value === picked)}>${label}</option>`);

export const valueOf = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;
