// The options of a select.

import { type TemplateResult, html } from "lit";
import { live } from "lit/directives/live.js";

/** Options of which one is picked: the model's, whatever the user has picked meanwhile, or the browser has kept of an earlier page. */
export const options = (all: readonly { readonly value: string | number; readonly label: string }[], picked: string | number): TemplateResult[] =>
  all.map(({ value, label }) => html`<option value=${value} .selected=${live(value === picked)}>${label}</option>`);
