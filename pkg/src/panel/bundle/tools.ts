// The tools that fill the rows of a bundle: one amount for each, a total to split, a pasted table.

import { type TemplateResult, html, nothing } from "lit";
import type { Desk } from "../desk.js";
import { messages } from "../messages.js";
import { valueOf } from "../options.js";
import type { BundleForm } from "./form.js";

const say = messages.bundle;

export function toolsView(desk: Desk): TemplateResult {
  const { bundle } = desk;
  const { mode, complaint } = bundle;
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
          aria-invalid=${!!complaint}
          aria-describedby="bundle-total-note"
          .value=${bundle.total}
          @input=${(event: Event) => bundle.enter({ total: valueOf(event) })}
        />
      </div>
      <button type="button" class="button" @click=${() => bundle.same()}>${say.same}</button>
      ${
        mode === "percentage"
          ? nothing
          : html`<button type="button" class="button" title=${say.splitTitle} @click=${() => bundle.split()}>${say.split}</button>
            <button type="button" class="button" title=${say.scaleTitle} @click=${() => weigh(desk)}>${say.scale}</button>`
      }
      <p class="problem" id="bundle-total-note">${complaint}</p>
    </div>
  `;
}

/** Splits by the weights, or moves the focus to the first one missing. */
function weigh(desk: Desk): void {
  const { bundle } = desk;
  bundle.scale();
  const missing = bundle.rows.find((row) => bundle.problemOf(row, "weight"));
  if (missing) desk.focus(`#row-${missing.id}-weight`);
}

export function pasteView({ bundle }: Desk): TemplateResult {
  const { pastedProblems } = bundle;
  return html`
    <details class="paste">
      <summary>${say.paste}</summary>
      <div class="field">
        <label for="bundle-table">${say.pasteLabel[bundle.mode]}</label>
        <textarea class="control mono" id="bundle-table" name="bundle-table" rows="4" spellcheck="false"></textarea>
      </div>
      <button type="button" class="button" ?disabled=${bundle.isBusy} @click=${(event: Event) => void read(event, bundle)}>${say.pasteRead}</button>
    </details>
    ${
      pastedProblems.length
        ? html`<div class="pasted-problems" role="group" aria-label=${say.pasted}>
          <ul>
            ${pastedProblems.map((text) => html`<li class="problem">${text}</li>`)}
          </ul>
          <button type="button" class="button" @click=${() => bundle.dismiss()}>${say.dismiss}</button>
        </div>`
        : nothing
    }
  `;
}

async function read(event: Event, bundle: BundleForm): Promise<void> {
  const details = (event.currentTarget as HTMLElement).closest("details");
  const field = details?.querySelector("textarea");
  if (!field || !details) return;
  await bundle.paste(field.value);
  if (!bundle.complaint) {
    field.value = "";
    details.open = false;
  }
}
