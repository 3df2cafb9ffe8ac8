// What stands in the ticket's place until the desk is loaded: its fields, which can be filled in. What was entered here goes on there.

import { type TemplateResult, html } from "lit";
import { messages } from "../messages.js";
import { valueOf } from "../options.js";

const say = messages.ticket;

/** What was entered before the desk was there. */
export interface FirstEntry {
  readonly side: "buy" | "sell";
  readonly amount: string;
}

/** @param isFixed whether the page fixes the amount */
export function firstTicketView(
  entry: FirstEntry,
  isFixed: boolean,
  changed: (entry: FirstEntry) => void,
): TemplateResult {
  const { side, amount } = entry;
  return html`
    <form class="card ticket ${side}" part="ticket" novalidate @submit=${(event: Event) => event.preventDefault()}>
      <div class="sides" role="group" aria-label=${say.side}>
        ${(["buy", "sell"] as const).map((name) => html`<button type="button" class=${name} aria-pressed=${name === side} @click=${() => changed({ side: name, amount: name === side ? amount : "" })}>${say[name]}</button>`)}
      </div>
      <div class="field amount">
        <label for="amount">${side === "buy" ? say.spend : say.sellAmount}</label>
        <span class="control">
          <input id="amount" name="amount" inputmode="decimal" autocomplete="off" spellcheck="false" .value=${amount} ?readonly=${isFixed} @input=${(event: Event) => changed({ side, amount: valueOf(event) })} />
          <span class="unit">${side === "buy" ? "SOL" : ""}</span>
        </span>
        <div class="chips" aria-hidden="true"></div>
        <p class="note"></p>
      </div>
      <div class="act">
        <div class="bar" part="bar">
          <div class="well"><div class="quote"><p class="none">${amount ? messages.panel.opening : messages.quote.none}</p></div></div>
          <button type="button" class="send ${side} calm" part="send" aria-disabled="true">${messages.send.opening}</button>
        </div>
      </div>
    </form>
  `;
}
