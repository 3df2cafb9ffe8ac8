// What a trade risks, by its quote and its slippage, and what has to be done before it may be sent.

import type { TradeQuote } from "../generated.js";
import { percent } from "./figures.js";
import { messages } from "./messages.js";
import type { Order } from "./slip.js";

const say = messages.risk;

/** Nothing; a word of caution; a tick; a figure that has to be typed. */
export type Level = "calm" | "caution" | "tick" | "type";

export interface Risk {
  readonly level: Level;
  /** The gravest first. */
  readonly reasons: readonly string[];
  /** What has to be typed at the level `type`. */
  readonly toType: string | null;
}

const RANKS: readonly Level[] = ["calm", "caution", "tick", "type"];
/** Basis points of impact from which on it is cautioned, ticked, typed. */
const IMPACT = { caution: 300, tick: 500, type: 1_500 };
/** Percent of slippage over which it is cautioned, ticked. */
const SLIPPAGE = { caution: 10, tick: 20 };
/** Priority of over this many lamports, and of over a tenth of what is traded, has to be ticked. */
const DEAR_LAMPORTS = 10_000_000n;

export function riskOf(order: Order, quote: TradeQuote | undefined): Risk {
  const found: { level: Level; reason: string; toType?: string }[] = [];
  const slippage = slippageOf(order);
  if (slippage > SLIPPAGE.tick) found.push({ level: "tick", reason: say.slippage(slippage) });
  else if (slippage > SLIPPAGE.caution) found.push({ level: "caution", reason: say.slippage(slippage) });
  if (!quote) found.push({ level: "type", reason: say.unknownImpact(slippage), toType: String(slippage) });
  else if (quote.refused) found.push({ level: "tick", reason: say.fails(quote.refused.message) });
  else {
    const impact = impactOf(quote);
    const typed = String(Math.round(impact / 100));
    if (impact >= IMPACT.type) found.push({ level: "type", reason: say.impactTyped(percent(impact), typed), toType: typed });
    else if (impact >= IMPACT.tick) found.push({ level: "tick", reason: say.impact(percent(impact)) });
    else if (impact >= IMPACT.caution) found.push({ level: "caution", reason: say.impact(percent(impact)) });
    const traded = quote.legs.reduce((sum, leg) => sum + leg.walletLamports, 0n);
    if (quote.networkFeeLamports > DEAR_LAMPORTS && quote.networkFeeLamports * 10n > traded) found.push({ level: "tick", reason: say.dear });
    const warnings = new Set([...quote.legs, ...quote.wallets].flatMap((part) => part.warnings));
    for (const code of CAUTIONED) if (warnings.has(code)) found.push({ level: "caution", reason: messages.warnings[code] });
  }
  found.sort((a, b) => RANKS.indexOf(b.level) - RANKS.indexOf(a.level));
  return { level: found[0]?.level ?? "calm", reasons: found.map(({ reason }) => reason), toType: found.find(({ toType }) => toType)?.toType ?? null };
}

/** Warnings of a quote that are worth a word before the send; the others stand under the details. */
const CAUTIONED = ["insufficient_lamports", "below_rent_minimum", "completes_curve", "partial_fill", "no_proceeds", "unit_suspicion"] as const;

/** Basis points between the average price of all trades and the price before the first. */
export function impactOf({ legs }: TradeQuote): number {
  const worst = Math.max(0, ...legs.map(({ priceImpactBps }) => priceImpactBps));
  const before = Number(legs[0]?.spotPriceBefore ?? 0);
  if (legs.length < 2 || !before) return worst;
  const tokens = legs.reduce((sum, { tokenAmount }) => sum + Number(tokenAmount), 0);
  const lamports = legs.reduce((sum, { curveLamports }) => sum + Number(curveLamports), 0);
  return Math.max(worst, Math.ceil(Math.abs(lamports / tokens / before - 1) * 10_000));
}

/** The widest slippage of an order, in percent. */
function slippageOf({ request }: Order): number {
  const legs: readonly object[] = "buys" in request ? request.buys : "sells" in request ? request.sells : [];
  return Math.max(...[request, ...legs].map((part) => Number((part as { slippage?: { percent?: string } }).slippage?.percent ?? 0)));
}
