// The ticket: the form in which a trade is written.

import { type TemplateResult, html } from "lit";
import type { Desk } from "./desk.js";
import { sol, tokens } from "./figures.js";
import { messages } from "./messages.js";
import { quoteView } from "./quote.js";
import { sendView } from "./send-button.js";

const say = messages.ticket;
const valueOf = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;

export function ticketView(desk: Desk): TemplateResult {
  const { entry, ticket } = desk;
  const buys = entry.side === "buy";
  const wallet = desk.walletOf(entry.wallet);
  const token = desk.token;
  const held = !wallet ? "" : buys ? (wallet.lamports === null ? "" : sol(wallet.lamports)) : token ? tokens(wallet.tokens.get(token.mint) ?? 0n, token) : "";
  return html`
    <form class="ticket" part="ticket" novalidate @submit=${(event: Event) => event.preventDefault()} @keydown=${(event: KeyboardEvent) => keys(event, desk)}>
      <div class="sides" role="group" aria-label=${say.side}>
        ${(["buy", "sell"] as const).map(
          (side) => html`<button type="button" class=${side} aria-pressed=${side === entry.side} @click=${() => desk.enter({ side })}>${say[side]}</button>`,
        )}
      </div>
      <div class="field">
        <label for="token">${say.token}</label>
        <select id="token" name="mint" @change=${(event: Event) => desk.enter({ mint: valueOf(event) })}>
          ${desk.world.tokens().map(({ mint, symbol, name }) => html`<option value=${mint} ?selected=${mint === entry.mint}>${name} (${symbol})</option>`)}
        </select>
      </div>
      <div class="field">
        <label for="wallet">${say.wallet}</label>
        <select id="wallet" name="wallet" @change=${(event: Event) => desk.enter({ wallet: valueOf(event) })}>
          ${desk.world.wallets().map(({ wallet, label }) => html`<option value=${wallet} ?selected=${wallet === entry.wallet}>${label}</option>`)}
        </select>
      </div>
      <div class="field">
        <label for="amount">${buys ? say.spend : say.sellAmount}</label>
        <input id="amount" name="amount" inputmode="decimal" autocomplete="off" aria-describedby="holds" .value=${entry.amount[entry.side]} @input=${(event: Event) => desk.enter({ amount: valueOf(event) })} />
        <span id="holds">${held && say.holds(held)}</span>
      </div>
      <div class="field">
        <label for="slippage">${say.slippage}</label>
        <input id="slippage" name="slippage" inputmode="decimal" autocomplete="off" .value=${entry.slippage} @input=${(event: Event) => desk.enter({ slippage: valueOf(event) })} />
      </div>
      ${quoteView(ticket, token)} ${sendView(desk, ticket)}
    </form>
  `;
}

/** Enter in a field sends nothing. With Ctrl or Cmd it is a press of the button. */
function keys(event: KeyboardEvent, desk: Desk): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) void desk.ticket.send();
}
