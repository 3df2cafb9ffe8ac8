// What is held, what it cost and what it would bring now: from the trades sent from this panel, at average cost.

import { type TemplateResult, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { hasLanded } from "../attempts/attempt.js";
import { closedView } from "./closed-view.js";
import type { Desk } from "../desk.js";
import { brief, figure, percent, price, shortSol, shortTokens, sol, solChange, tokens } from "../figures.js";
import { exitsButton, exitsNotice, exitsRow } from "../exits/row.js";
import type { Holding } from "./holdings.js";
import { within } from "../language.js";
import { messages } from "../messages.js";
import { keyOf } from "../attempts/past.js";

const say = messages.positions;
/** What a press sells of a holding. */
const PARTS = ["25 %", "50 %", "100 %"];

export function positionsView(desk: Desk): TemplateResult {
  const holdings = desk.holdings.all();
  const open = holdings.filter(({ tokens, isInDoubt }) => tokens > 0n || isInDoubt);
  // Where there are no prices, there is nothing to say of worth, cost and profit.
  const isPriced = open.some(({ value, averageCost }) => value !== null || averageCost !== null);
  if (!open.length) {
    const why = holdings.length ? say.soldAll : say.uncounted;
    return html`${exitsNotice(desk)}<p class="nothing">${someLanded(desk) ? why : say.none}</p>${closedView(desk)}${totalsView(desk, holdings)}`;
  }
  return html`
    ${exitsNotice(desk)}
    <div class="scroll" role="region" tabindex="0" aria-label=${messages.tabs.positions}>
      <table class="sheet positions">
        <thead>
          <tr>
            ${say.columns.slice(0, isPriced ? undefined : 3).map((name, at) => html`<th scope="col" class=${at > 1 ? "number" : ""}>${name}</th>`)}
            <th scope="col">${say.sell}</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            open,
            ({ wallet, token }) => keyOf(wallet, token.mint),
            (holding) => html`${row(desk, holding, isPriced)}${exitsRow(desk, holding)}`,
          )}
        </tbody>
      </table>
    </div>
    ${closedView(desk)} ${totalsView(desk, holdings)}
  `;
}

/** Whether anything was traded from this panel. Without that no holding has a known cost, so there is none to list. */
const someLanded = ({ attempts }: Desk): boolean => attempts.all.some(hasLanded) || attempts.past.positions.size > 0;

function row(desk: Desk, holding: Holding, isPriced: boolean): TemplateResult {
  const { token, label } = holding;
  return html`
    <tr>
      <th scope="row"><strong>${token.symbol}</strong></th>
      <td>${label}</td>
      <td class="number" data-name=${say.columns[2]}>${holding.isInDoubt ? say.unknown : figure(brief(holding.tokens, token.decimals), tokens(holding.tokens, token))}</td>
      ${isPriced ? pricedCells(desk, holding) : nothing}
      <td class="sells wide" data-name=${say.sell}>
        ${
          desk.fixed.amount || (desk.fixed.mint && token.mint !== desk.entry.mint) || !desk.walletOf(holding.wallet)
            ? nothing
            : html`${PARTS.map((part) => html`<button type="button" class="button" aria-label=${say.sellOf(part, token.symbol, label)} @click=${() => sell(desk, holding, part)}>${part}</button> `)}${exitsButton(desk, holding)}`
        }
      </td>
    </tr>
  `;
}

function pricedCells(
  { dollars }: Desk,
  { token, tokens: held, bought, averageCost, value, profit, cost, estimated }: Holding,
): TemplateResult {
  const [, , , worth, average, gain] = say.columns;
  const about = estimated ? "≈ " : "";
  return html`
      <td class="number" data-name=${worth}>${value === null ? say.unknown : html`${figure(shortSol(value), sol(value))}${second(dollars.of(value))}`}</td>
      <td class="number" data-name=${average}>
        ${averageCost === null ? say.unknown : html`${about}${price(averageCost)}`}
        ${bought < held && averageCost !== null ? second(say.ofThem(shortTokens(bought, token))) : nothing}
      </td>
      <td class="number" data-name=${gain}>
        ${
          profit === null
            ? say.unknown
            : html`<span class=${profit < 0n ? "down" : "up"}>${about}${figure(solChange(profit), sol(profit))}</span>
              ${cost > 0n ? second(signed(ratio(profit, cost))) : nothing} ${second(dollars.of(profit))}`
        }
      </td>
  `;
}

/** A smaller line below a figure. */
const second = (text: string): TemplateResult | typeof nothing =>
  text ? html`<span class="second">${text}</span>` : nothing;

/** Fills the ticket with a sale of a part of the holding, and moves the focus to its button: the trader sees the plan before sending it. */
function sell(desk: Desk, { token, wallet }: Holding, part: string): void {
  desk.enter({ side: "sell", mint: token.mint, wallet });
  desk.enter({ amount: part });
  desk.focus(".ticket .send");
}

function totalsView({ world }: Desk, holdings: readonly Holding[]): TemplateResult | typeof nothing {
  const traded = holdings.filter((holding) => holding.traded);
  if (!traded.length || !world.hasMarket) return nothing;
  // A sum says nothing as long as a part of it is not known.
  const sum = (parts: readonly (bigint | null)[]): string | TemplateResult => {
    if (parts.includes(null)) return say.unknown;
    const lamports = parts.reduce((all: bigint, part) => all + (part ?? 0n), 0n);
    return html`${lamports && traded.some(({ estimated }) => estimated) ? "≈ " : ""}${figure(solChange(lamports), sol(lamports))}`;
  };
  const realised = sum(traded.map(({ realised }) => realised));
  const open = sum(traded.filter(({ tokens }) => tokens > 0n).map(({ profit }) => profit));
  return html`<p class="totals small quiet">${say.realised} ${realised} · ${say.unrealised} ${open} · ${within(messages.outcome.title)}, ${say.fees}</p>`;
}

/** In basis points, rounded down. */
const ratio = (part: bigint, whole: bigint): number => Number((part * 10_000n) / whole);

const signed = (bps: number): string => (bps > 0 ? "+" : "") + percent(bps).replace("-", "−");
