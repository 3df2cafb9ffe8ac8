// What a trade risks, by its quote and its slippage, and what has to be done before it may be sent.

import type { TradeQuote } from "../generated.js";
import { lamportsToSol } from "launchpad-desk";
import { percent, share, sol } from "./figures.js";
import { messages } from "./messages.js";
import type { Order } from "./slip.js";

const say = messages.risk;

/** Nothing; a word of caution; a tick; a figure that has to be typed. */
export type Level = "calm" | "caution" | "tick" | "type";

export interface Risk {
  readonly level: Level;
  /** The gravest first: all that take consent, or else the words of caution. */
  readonly reasons: readonly string[];
  /** What has to be typed at the level `type`. */
  readonly toType: string | null;
  /** Whether that is an amount of SOL; otherwise it is a percentage. */
  readonly inSol?: boolean;
}

const RANKS: readonly Level[] = ["calm", "caution", "tick", "type"];
/** Basis points of impact from which on it is cautioned, ticked, typed. */
const IMPACT = { caution: 300, tick: 500, type: 1_500 };
/** Percent of slippage over which it is cautioned, ticked. */
const SLIPPAGE = { caution: 10, tick: 20 };
/** Lamports of priority up to which nothing is said; and over which it has to be ticked, however much is traded. */
const PRIORITY = { cheap: 10_000_000n, dear: 100_000_000n };

interface Found {
  readonly level: Level;
  readonly reason: string;
  /** What has to be typed, and how that is asked for. */
  readonly typed?: { readonly figure: string; readonly ask: string; readonly inSol?: boolean };
}

export function riskOf(order: Order, quote: TradeQuote | undefined): Risk {
  const found: Found[] = [];
  const slippage = slippageOf(order);
  const traded = tradedOf(order, quote);
  const priority = priorityOf(order);
  // What is certain to be paid comes before what may be lost.
  if (priority > PRIORITY.cheap) {
    const figure = lamportsToSol(priority);
    const reason = say.priority(sol(priority), traded ? share(Number(priority) / Number(traded)) : null);
    if (priority * 2n >= traded) found.push({ level: "type", reason, typed: { figure, ask: say.type(figure), inSol: true } });
    else if (priority * 10n > traded || priority > PRIORITY.dear) found.push({ level: "tick", reason });
  }
  if (!quote) found.push({ level: "type", reason: say.unknownImpact, typed: { figure: String(slippage), ask: say.typeSlippage(slippage) } });
  else if (quote.refused) found.push({ level: "tick", reason: say.fails(quote.refused.message) });
  else {
    const impact = impactOf(quote);
    const figure = String(Math.round(impact / 100));
    if (impact >= IMPACT.type) found.push({ level: "type", reason: say.muchImpact(percent(impact)), typed: { figure, ask: say.type(figure) } });
    else if (impact >= IMPACT.tick) found.push({ level: "tick", reason: say.impact(percent(impact)) });
    else if (impact >= IMPACT.caution) found.push({ level: "caution", reason: say.impact(percent(impact)) });
    const warnings = new Set([...quote.legs, ...quote.wallets].flatMap((part) => part.warnings));
    for (const code of CAUTIONED) if (warnings.has(code)) found.push({ level: "caution", reason: messages.warnings[code] });
  }
  if (slippage > SLIPPAGE.tick) found.push({ level: "tick", reason: say.slippage(slippage) });
  else if (slippage > SLIPPAGE.caution) found.push({ level: "caution", reason: say.slippage(slippage) });
  return riskOfAll(found);
}

/** What the gravest asks for, and all that ask for anything. */
function riskOfAll(found: Found[]): Risk {
  const rank = ({ level }: Found) => RANKS.indexOf(level);
  found.sort((a, b) => rank(b) - rank(a));
  const [first] = found;
  if (!first) return { level: "calm", reasons: [], toType: null };
  const { level, typed } = first;
  const grave = found.filter((each) => level === "caution" || rank(each) >= RANKS.indexOf("tick"));
  const reasons = grave.map(({ reason }, at) => (at === 0 && typed ? `${reason} ${typed.ask}` : reason));
  return { level, reasons, toType: typed?.figure ?? null, ...(typed?.inSol && { inSol: true }) };
}

/** What is paid for priority, in lamports, whether it lands or not. */
function priorityOf({ request }: Order): bigint {
  const { priorityUnitLimit = 0n, priorityUnitPrice = 0n } = request as { priorityUnitLimit?: bigint; priorityUnitPrice?: bigint };
  return (priorityUnitLimit * priorityUnitPrice + 999_999n) / 1_000_000n;
}

/** How many lamports are traded; none where nobody knows it, as with a sell that nobody quotes. */
function tradedOf({ request }: Order, quote: TradeQuote | undefined): bigint {
  if (quote?.legs.length) return quote.legs.reduce((sum, leg) => sum + leg.walletLamports, 0n);
  const spends: readonly object[] = "buys" in request ? request.buys : [request];
  return spends.reduce((sum: bigint, spend) => sum + BigInt((spend as { amountInLamports?: bigint }).amountInLamports ?? 0n), 0n);
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
