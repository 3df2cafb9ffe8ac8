// The button that says what it would do, or what keeps it from it.

import { type TemplateResult, html } from "lit";
import type { Desk } from "./desk.js";
import { messages } from "./messages.js";
import type { Slip } from "./slip.js";

const say = messages.send;

export function sendView(desk: Desk, slip: Slip): TemplateResult {
  return html`<button type="button" class="send" part="send" aria-disabled=${!slip.canSend} @click=${() => slip.send()}>${label(desk, slip)}</button>`;
}

function label({ entry, token, world }: Desk, slip: Slip): string {
  if (slip.sending) return say.sending;
  if (!slip.order) return messages.ticket.amountMissing;
  const amount = entry.amount[entry.side].trim();
  const prefix = say.prefix(world.simulated);
  return prefix + (entry.side === "buy" ? say.buy(`${amount} SOL`) : say.sell(amount.endsWith("%") ? amount : `${amount} ${token?.symbol}`));
}
