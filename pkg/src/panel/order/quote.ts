// The quote, in a place whose height never changes, and its details below the button.

import { type TemplateResult, html, nothing } from "lit";
import type { QuoteWarning, TradeQuote } from "../../generated.js";
import {
  SOL_DECIMALS,
  brief,
  figure,
  gauge,
  percent,
  price,
  shortSol,
  shortTokens,
  sol,
  tokens,
  whole,
} from "../figures.js";
import { messages } from "../messages.js";
import { impactLevel, impactOf } from "./risk.js";
import type { OrderForm } from "./order-form.js";
import type { TokenView, World } from "../worlds/world.js";

const say = messages.quote;

export const sums =
  ({ legs }: TradeQuote) =>
  (
    of:
      | "tokens"
      | "walletLamports"
      | "worstTokens"
      | "worstWalletLamports"
      | "protocolFeeLamports"
      | "creatorFeeLamports"
      | "volumeRentLamports",
  ): bigint =>
    legs.reduce((all, leg) => all + leg[of], 0n);

const buys = ({ legs }: TradeQuote): boolean => legs.every(({ side }) => side === "buy");

/** What of a form its quote is made from. */
export type Quoted = Pick<OrderForm, "quote" | "order" | "problems" | "empty" | "attemptId">;

/** Empty if nobody can quote the order: then what is asked has all the room. */
export function quoteView(form: Quoted, token: TokenView | undefined): TemplateResult {
  return html`<div class="quote" part="quote">${headline(form, token)}</div>`;
}

/** The lamports that its trades bring their wallets, or cost them. */
export const broughtLamports = (quote: TradeQuote): bigint => sums(quote)("walletLamports");

export function broughtBy(
  quote: TradeQuote,
  token: TokenView,
): Record<"brief" | "short" | "exact" | "atLeast" | "least", string> {
  const sum = sums(quote);
  if (!buys(quote)) {
    const least = sol(sum("worstWalletLamports"));
    return {
      brief: shortSol(sum("walletLamports")),
      short: shortSol(sum("walletLamports")),
      exact: sol(sum("walletLamports")),
      atLeast: least,
      least,
    };
  }
  const [units, worst] = [sum("tokens"), sum("worstTokens")];
  return {
    brief: brief(units, token.decimals),
    short: shortTokens(units, token),
    exact: tokens(units, token),
    atLeast: `${whole(worst, token.decimals)} ${token.symbol}`,
    least: tokens(worst, token),
  };
}

function headline(
  { quote, order, problems, empty, attemptId }: Quoted,
  token: TokenView | undefined,
): TemplateResult | typeof nothing {
  if (empty && attemptId) return html`<p class="none">${say.sent}</p>`;
  if (!order || problems.length || !token)
    return html`<p class="none">${empty ? say.none : problems[0]?.text}</p>${empty && token?.spotPrice ? html`<p class="rate">${say.rate(rate(token))}</p>` : nothing}`;
  if (!quote) return nothing;
  if (quote.refused) return html`<p class="fails">${say.fails}</p><p class="least">${quote.refused.message}</p>`;
  const { short, exact, atLeast, least } = broughtBy(quote, token);
  const impact = impactOf(quote);
  const level = impactLevel(impact);
  // A large impact is shown in bold, which takes the width of one more character.
  const length = short.length + (impact >= 500 ? 1 : 0);
  const size = length > 12 ? "long" : "";
  return html`
    <p class="headline ${length > 18 ? "longer" : size}">${figure(say.about(short), exact)}</p>
    <p class="least">${figure(say.least(atLeast), least)}</p>
    <p class="impact ${level}">
      <span><span class="word">${say.impact}</span> ${percent(impact)}</span> ${gauge(Math.min(impact / 2_000, 1))}
    </p>
  `;
}

/** How many tokens one SOL buys at the shown price. */
const rate = (token: TokenView): string =>
  shortTokens(BigInt(Math.round((10 ** SOL_DECIMALS / Number(token.spotPrice)) * 10 ** token.decimals)), token);

/** What a quote costs, in the place where a risk would be shown. */
export function costView(quote: TradeQuote): TemplateResult {
  const sum = sums(quote);
  const opens = quote.legs.filter(({ tokenAccount }) => tokenAccount === "opens");
  const rent = opens.reduce((all, { rentLamports }) => all + rentLamports, sum("volumeRentLamports"));
  const net = quote.wallets.reduce((all, { netLamports }) => all + netLamports, 0n);
  const rows: [string, string][] = [
    [say.fees, sol(sum("protocolFeeLamports") + sum("creatorFeeLamports"))],
    [rent ? say.networkAndRent : say.network, sol(quote.networkFeeLamports + rent)],
    [say.net, net > 0n ? `+${sol(net)}` : sol(net)],
  ];
  return html`<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The rest of a quote: folded, below the button, so that opening it moves nothing. */
export function quoteDetailsView(form: Quoted, token: TokenView | undefined, world: World): TemplateResult {
  return html`<details class="details"><summary>${say.details}</summary>${details(form, token, world)}</details>`;
}

function details({ quote, problems }: Quoted, token: TokenView | undefined, world: World): TemplateResult {
  if (!quote || problems.length || !token) return html`<p class="none">${say.none}</p>`;
  const sum = sums(quote);
  const [leg, ...others] = quote.legs;
  const fee = sum("protocolFeeLamports") + sum("creatorFeeLamports");
  const rows: [string, string][] = [];
  if (leg && !others.length) {
    const [exact, least] =
      leg.side === "buy"
        ? [tokens(leg.tokens, token), tokens(leg.worstTokens, token)]
        : [sol(leg.walletLamports), sol(leg.worstWalletLamports)];
    rows.push([say.exact, exact], [say.minimum(leg.slippagePercent), least]);
    rows.push(
      [say.average, leg.averagePrice === null ? "?" : `${price(leg.averagePrice)} SOL`],
      [say.move, percent(leg.spotMoveBps)],
    );
    rows.push([say.account, say.accounts[leg.tokenAccount](sol(leg.rentLamports))]);
  }
  if (leg) rows.push([say.fees, sol(fee)]);
  rows.push([say.network, sol(quote.networkFeeLamports)]);
  const labels = new Map(world.wallets().map(({ wallet, label }) => [wallet, label]));
  if (!quote.refused)
    for (const { wallet, netLamports } of quote.wallets)
      rows.push([
        `${say.net}: ${labels.get(wallet) ?? wallet}`,
        netLamports > 0n ? `+${sol(netLamports)}` : sol(netLamports),
      ]);
  const warnings = new Set<QuoteWarning>([...quote.legs, ...quote.wallets].flatMap((part) => part.warnings));
  return html`
      <dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${warnings.size ? html`<ul>${[...warnings].map((code) => html`<li>${messages.warnings[code]}</li>`)}</ul>` : nothing}
  `;
}
