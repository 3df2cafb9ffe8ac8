// The tools that fill the rows of a bundle: one amount for each, a total to split, a pasted table.

import { type TemplateResult, html, nothing } from "lit";
import type { Desk } from "../desk.js";
import { messages } from "../messages.js";
import type { Sheet } from "./sheet.js";

const say = messages.bundle;

export function toolsView(desk: Desk): TemplateResult {
  const { sheet } = desk;
  const { mode, complaint } = sheet;
  return html`
    <div class="tools">
      <div class="field">
        <label for="bundle-total">${say.toolAmount}</label>
        <input
          class="control"
          id="bundle-total"
          name="bundle-total"
          inputmode="decimal"
          autocomplete="off"
          aria-invalid=${complaint ? "true" : "false"}
          aria-describedby="bundle-total-note"
          .value=${sheet.total}
          @input=${(event: Event) => sheet.enter({ total: (event.target as HTMLInputElement).value })}
        />
      </div>
      <button type="button" class="button" @click=${() => sheet.same()}>${say.same}</button>
      ${mode === "percentage"
        ? nothing
        : html`<button type="button" class="button" title=${say.splitTitle} @click=${() => sheet.split()}>${say.split}</button>
            <button type="button" class="button" title=${say.scaleTitle} @click=${() => weigh(desk)}>${say.scale}</button>`}
      <p class="problem" id="bundle-total-note">${complaint}</p>
    </div>
  `;
}

/** Splits by the weights, or moves the focus to the first one missing. */
function weigh(desk: Desk): void {
  const { sheet } = desk;
  sheet.scale();
  const missing = sheet.rows.find((row) => sheet.problemOf(row, "weight"));
  if (missing) desk.focus(`#row-${missing.id}-weight`);
}

export function pasteView({ sheet }: Desk): TemplateResult {
  const { pastedProblems } = sheet;
  return html`
    <details class="paste">
      <summary>${say.paste}</summary>
      <div class="field">
        <label for="bundle-table">${say.pasteLabel[sheet.mode]}</label>
        <textarea class="control mono" id="bundle-table" name="bundle-table" rows="4" spellcheck="false"></textarea>
      </div>
      <button type="button" class="button" ?disabled=${sheet.isBusy} @click=${(event: Event) => void read(event, sheet)}>${say.pasteRead}</button>
    </details>
    ${pastedProblems.length
      ? html`<div class="pasted-problems" role="group" aria-label=${say.pasted}>
          <ul>
            ${pastedProblems.map((text) => html`<li class="problem">${text}</li>`)}
          </ul>
          <button type="button" class="button" @click=${() => sheet.dismiss()}>${say.dismiss}</button>
        </div>`
      : nothing}
  `;
}

async function read(event: Event, sheet: Sheet): Promise<void> {
  const details = (event.currentTarget as HTMLElement).closest("details");
  const field = details?.querySelector("textarea");
  if (!field || !details) return;
  await sheet.paste(field.value);
  if (!sheet.complaint) {
    field.value = "";
    details.open = false;
  }
}
