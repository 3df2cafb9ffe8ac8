// What stands between the quote and the button: what a trader should know before it goes out, and has to accept. Its place has
// always the same height, so that the button stays where it is.

import { type TemplateResult, html, nothing } from "lit";
import type { Desk } from "./desk.js";
import { messages } from "./messages.js";
import { sentenceOf } from "./sentences.js";
import type { Slip } from "./slip.js";

const say = messages.notice;

/** @param id what its fields' ids begin with: one slip of a panel has others than the next */
export function consentView(desk: Desk, slip: Slip, id: string): TemplateResult {
  return html`<div class="consent ${slip.lock ? "tick" : slip.risk.level}" part="consent">${content(desk, slip, id)}</div>`;
}

/** What became of the trade that was sent from here. */
function result({ attempts }: Desk, intentId: string): string {
  const attempt = attempts.all.find((attempt) => attempt.intentId === intentId);
  return attempt ? `${messages.outcome[attempt.fate]}. ${sentenceOf(attempt)}` : "";
}

function content(desk: Desk, slip: Slip, id: string): TemplateResult | typeof nothing {
  const { lock, risk, spent, sending, moved } = slip;
  if (sending) return nothing;
  if (lock) {
    if (lock.fate === "sending") return html`<p>${say.lockedInFlight}</p>`;
    return html`<p>${say.locked}</p><button type="button" class="small" @click=${() => desk.visit(lock.intentId)}>${say.look}</button>`;
  }
  if (desk.world.trouble) return html`<p>${desk.world.trouble}</p>`;
  if (spent) return html`<p class="result" tabindex="-1">${result(desk, spent)}</p><button type="button" class="small again" @click=${() => slip.again()}>${say.again}</button>`;
  const text = moved ? say.moved : risk.reasons[0];
  if (risk.level === "tick")
    return html`<label class="accept">
      <input type="checkbox" name="${id}-accept" .checked=${slip.ticked} @change=${(event: Event) => slip.tick((event.target as HTMLInputElement).checked)} />
      <span>${moved ? html`${say.moved} ` : nothing}${risk.reasons[0]} <strong>${messages.risk.accept}</strong></span>
    </label>`;
  if (risk.level === "type")
    return html`<label class="accept" for="${id}-figure"><span>${moved ? html`${say.moved} ` : nothing}${risk.reasons[0]}</span></label>
      <input id="${id}-figure" name="${id}-accept" inputmode="decimal" autocomplete="off" placeholder=${messages.risk.acceptTyped} .value=${slip.typed} @input=${(event: Event) => slip.type((event.target as HTMLInputElement).value)} />`;
  return text ? html`<p>${text}</p>` : nothing;
}
