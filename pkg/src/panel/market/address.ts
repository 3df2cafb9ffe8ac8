// An address, shortened, as a button that copies all of it.

import { type TemplateResult, html } from "lit";
import type { Desk } from "../desk.js";
import { short } from "../figures.js";

/** `label` says what it is, after the address; `said` is said once it is copied. */
export const addressView = (desk: Desk, address: string, label: string, said: string): TemplateResult =>
  html`<button type="button" class="plain mono copy" aria-label="${short(address)}: ${label}" title=${address} @click=${() => desk.copy(address, said)}>${short(address)} <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d=${desk.shown.copied === address ? "M3 8.5 6.5 12 13 4.5" : "M6 6h7v7H6zM10 6V3H3v7h3"} /></svg></button>`;
