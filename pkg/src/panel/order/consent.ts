// What stands between the quote and the button: what the trade costs, or the risks that the trader has to accept before it is
// sent. Its height never changes, so that the button stays where it is.

import { type TemplateResult, html, nothing } from "lit";
import type { TradeQuote } from "../../generated.js";
import { type Attempt, hasLanded, stateOf } from "../attempts/attempt.js";
import type { Desk } from "../desk.js";
import { facts, openOf } from "../attempts/machine.js";
import { messages } from "../messages.js";
import { valueOf } from "../options.js";
import { costView } from "./quote.js";
import { lineOf, stateLineOf } from "../attempts/sentences.js";
import { isLockedPart, stopView } from "./send-button.js";
import type { OrderForm } from "./order-form.js";

const say = messages.notice;

/** `id` begins the ids of its fields, since a panel has several forms; `quote` is that of all that a press sends. */
export function consentView(desk: Desk, form: OrderForm, id: string, quote = form.quote): TemplateResult {
  const { attempt: sent } = form;
  let tone: string = sent ? stateOf(sent) : form.risk.level;
  if (form.lock || form.obstacle === "stopped") tone = "unknown";
  if (form.isSending) tone = "calm";
  return html`<div class="consent ${tone}" part="consent">${content(desk, form, id, sent, quote)}</div>`;
}

/** The row of a trade that has landed says the rest. Of any other, the row may be out of sight on a phone. */
const resultOf = (sent: Attempt, { nameOf }: Desk): string =>
  hasLanded(sent) ? stateLineOf(sent) : lineOf(sent, nameOf);

function content(
  desk: Desk,
  form: OrderForm,
  id: string,
  sent: Attempt | undefined,
  quote: TradeQuote | undefined,
): TemplateResult | typeof nothing {
  const { lock, risk, stage, obstacle } = form;
  const { complaint, note: noted, ticked = false, typed = "" } = facts(stage);
  if (form.isSending)
    return html`${quote ? costView(quote) : nothing}${form.canStop ? stopView(() => form.stop()) : nothing}`;
  if (complaint) return html`<p class="problem">${complaint}</p>`;
  if (lock) {
    if (isLockedPart(form)) return html`<p>${say.lockedPart}</p>`;
    const state = openOf(lock.fate) ?? "unknown";
    const text = html`<p>${say.lockedBy[state]}</p>`;
    return state !== "unknown" ? text : html`${text}${lookView(() => desk.visit(lock.intentId))}`;
  }
  if (desk.world.trouble) return html`<p>${desk.world.trouble}</p>`;
  if (obstacle === "stopped") return html`<p>${say.stopped}</p>${lookView(() => desk.visitUnknown())}`;
  if (stage.is === "sent") return html`<p class="result" tabindex="-1">${sent ? resultOf(sent, desk) : ""}</p>`;
  // The quote has changed since it was shown, or the consent is too old.
  let note = form.isUncertain ? `${messages.risk[form.isPart ? "waitingBuy" : "unsettledBuy"]} ` : "";
  if (noted) note = `${noted === "moved" && !form.quote ? messages.header.old(undefined) : say[noted]} `;
  const reasons = html`${note}${risk.reasons.map((reason) => html`<span class="reason">${reason}</span> `)}`;
  if (risk.level === "tick")
    return html`<label class="check accept">
      <input type="checkbox" name="${id}-accept" .checked=${ticked} @change=${(event: Event) => form.tick((event.target as HTMLInputElement).checked)} />
      <span>${reasons}<strong>${messages.risk.accept}</strong></span>
    </label>`;
  if (risk.level === "type")
    return html`<label class="check accept" for="${id}-figure"><span>${reasons}</span></label>
      <input class="control" id="${id}-figure" name="${id}-accept" inputmode="decimal" autocomplete="off" placeholder=${messages.risk.typedIn[risk.inSol ? "sol" : "percent"]} .value=${typed} @input=${(event: Event) => form.type(valueOf(event))} />`;
  if (note || risk.reasons.length)
    return html`<p>${note}${risk.reasons[0] ?? ""}</p>${risk.isWithinLimit ? html`<button type="button" class="small" @click=${() => form.forgetLimit()}>${messages.risk.askAgain}</button>` : nothing}`;
  return quote && !quote.refused && !form.problems.length ? costView(quote) : nothing;
}

const lookView = (visit: () => void): TemplateResult =>
  html`<button type="button" class="small" @click=${visit}>${say.look}</button>`;
