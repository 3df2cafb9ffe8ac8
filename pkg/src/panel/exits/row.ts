// Where a position's exits are opened, and the row that shows those that run, or the editor once its file is there.

import { type TemplateResult, html, nothing } from "lit";
import type { Desk } from "../desk.js";
import type { Holding } from "../positions/holdings.js";
import { laterView } from "../later/load.js";
import { messages } from "../messages.js";
import { keyOf } from "../attempts/past.js";
import { runningView } from "./running.js";

const say = messages.exits;

/** Opens or closes the row. Only what was bought here has a cost, so only that has exits. */
export function exitsButton(
  { exits, shown }: Desk,
  { wallet, label, token, averageCost }: Holding,
): TemplateResult | typeof nothing {
  const key = keyOf(wallet, token.mint);
  if (averageCost === null && !exits.of(wallet, token.mint)) return nothing;
  const isOpen = shown.exits === key;
  return html`<button type="button" class="button exits-button" aria-expanded=${isOpen} aria-label=${say.of(token.symbol, label)} @click=${() => shown.set({ exits: isOpen ? "" : key })}>${say.title}</button>`;
}

export function exitsRow(desk: Desk, holding: Holding): TemplateResult | typeof nothing {
  const { exits, shown } = desk;
  const { wallet, token } = holding;
  const watched = exits.of(wallet, token.mint);
  if (!watched && shown.exits !== keyOf(wallet, token.mint)) return nothing;
  const editor = () =>
    exits.isMine
      ? laterView(desk, ({ exitsView }) => exitsView(desk, holding))
      : html`<p>${exits.notice || say.elsewhere}</p>`;
  return html`<tr class="exits">
    <td colspan="7" class="wide"><div class="plan-of">${watched ? runningView(desk, watched, holding) : editor()}</div></td>
  </tr>`;
}

/** Why exits that were started are not carried out, and those of tokens that the page offers no longer: they go on, and have no row. */
export const exitsNotice = (desk: Desk): TemplateResult => {
  const { notice, unlisted } = desk.exits;
  return html`${notice ? html`<p class="small problem" role="status">${notice}</p>` : nothing}
  ${unlisted.map((watched) => {
    const { position, tokens } = watched.managed.exits.state;
    return html`<div class="exits"><div class="plan-of"><p class="small mono">${position.mint}, ${position.wallet}</p>${runningView(desk, watched, { token: { symbol: "", decimals: 0 }, tokens: BigInt(tokens) })}</div></div>`;
  })}`;
};
