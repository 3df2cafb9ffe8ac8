// What a trade risks, by its quote and its slippage, and what the trader has to do before sending it.

import { SIDES, type TradeQuote } from "../../generated.js";
import { lamportsToSol } from "launchpad-desk";
import { priceOfUnits } from "../../browser/state.js";
import { percent, share, sol } from "../figures.js";
import { messages } from "../messages.js";
import { type Order, legsOf } from "./order.js";

const say = messages.risk;

/** Nothing; a warning; a tick; a figure that has to be typed. */
export type Level = "calm" | "caution" | "tick" | "type";

export interface Risk {
  readonly level: Level;
  /** Gravest first: all that need consent, otherwise all warnings. */
  readonly reasons: readonly string[];
  /** What has to be typed at the level `type`. */
  readonly toType: string | null;
  /** Whether that is an amount of SOL; otherwise it is a percentage. */
  readonly inSol?: boolean;
  /** The lamports that become the session's limit with it. */
  readonly limit?: bigint;
  /** Whether it is let through by that limit. */
  readonly isWithinLimit?: boolean;
}

const RANKS: readonly Level[] = ["calm", "caution", "tick", "type"];
/** Basis points of price impact from which typing, a tick, or a warning is needed. */
const IMPACT = [
  ["type", 1_500],
  ["tick", 500],
  ["caution", 300],
] as const;
export const impactLevel = (bps: number): Level => IMPACT.find(([, least]) => bps >= least)?.[0] ?? "calm";
/** Percent of slippage above which a warning or a tick is needed. */
export const SLIPPAGE = { caution: 10, tick: 20 };
/** Lamports of priority up to which nothing is shown, and above which a tick is needed however much is traded. */
export const PRIORITY = { cheap: 10_000_000n, dear: 100_000_000n };

interface Concern {
  readonly level: Level;
  readonly reason: string;
  /** What has to be typed, and the text that asks for it. */
  readonly typed?: { readonly figure: string; readonly ask: string; readonly inSol?: boolean; readonly limit?: bigint };
  readonly isWithinLimit?: boolean;
}

/** What a trade without a quote may risk: the most lamports that need no question, null if there is no limit; and whether accepting one trade sets it. */
export interface Allowed {
  readonly lamports: bigint | null;
  readonly instant: unknown;
  /** Whether the service may spend the slippage of a buy beside its amount. */
  readonly mayExceed?: boolean;
}

/** What an order risks; the `priority` is that of all transactions it is sent in. */
export function riskOf(
  order: Order,
  quote: TradeQuote | undefined,
  allowed: Allowed,
  priority: bigint = priorityIn(order),
): Risk {
  const concerns: Concern[] = [];
  const slippage = slippageOf(order);
  const traded = tradedOf(order, quote);
  // A certain cost comes before a possible loss.
  if (priority > PRIORITY.cheap) {
    const figure = lamportsToSol(priority);
    const reason = say.priority(sol(priority), traded ? share(Number(priority) / Number(traded)) : null);
    if (priority * 2n >= traded)
      concerns.push({ level: "type", reason, typed: { figure, ask: say.type(figure), inSol: true } });
    else if (priority * 10n > traded || priority > PRIORITY.dear) concerns.push({ level: "tick", reason });
  }
  if (!quote) concerns.push(unseen(order, mostOf(order, allowed) + priority, allowed));
  else if (quote.refused) concerns.push({ level: "caution", reason: say.fails(quote.refused.message) });
  else {
    const impact = impactOf(quote);
    const [level, figure] = [impactLevel(impact), String(Math.round(impact / 100))];
    if (level === "type")
      concerns.push({ level, reason: say.muchImpact(percent(impact)), typed: { figure, ask: say.type(figure) } });
    else if (level !== "calm") concerns.push({ level, reason: say.impact(percent(impact)) });
    const warnings = new Set([...quote.legs, ...quote.wallets].flatMap((part) => part.warnings));
    for (const code of CAUTIONED)
      if (warnings.has(code)) concerns.push({ level: "caution", reason: messages.warnings[code] });
  }
  if (slippage > SLIPPAGE.tick) concerns.push({ level: "tick", reason: say.slippage(slippage) });
  else if (slippage > SLIPPAGE.caution) concerns.push({ level: "caution", reason: say.slippage(slippage) });
  return riskOfAll(concerns);
}

/** A trade whose price nobody knows: a buy may cost all that it spends. A sell costs no SOL, and its slippage bounds it. */
function unseen({ operation }: Order, lamports: bigint, { lamports: limit, instant }: Allowed): Concern {
  if (SIDES[operation] === "sell") return { level: "caution", reason: say.unseenSell };
  if (limit !== null && lamports <= limit)
    return { level: "caution", reason: say.withinLimit(sol(lamports), sol(limit)), isWithinLimit: true };
  const figure = lamportsToSol(lamports);
  // The limits of instant mode stay as they were set.
  const typed = instant ? { ask: say.type(figure) } : { ask: say.typeLimit(figure), limit: lamports };
  return { level: "type", reason: say.unseenBuy(sol(lamports)), typed: { figure, inSol: true, ...typed } };
}

/** The consent that the gravest risk needs, with the reasons of all that need any. */
function riskOfAll(concerns: Concern[]): Risk {
  const rank = ({ level }: Concern) => RANKS.indexOf(level);
  concerns.sort((a, b) => rank(b) - rank(a));
  const [first] = concerns;
  if (!first) return { level: "calm", reasons: [], toType: null };
  const { level, typed } = first;
  const grave = concerns.filter((each) => level === "caution" || rank(each) >= RANKS.indexOf("tick"));
  const reasons = grave.map(({ reason }, at) => (at === 0 && typed ? `${reason} ${typed.ask}` : reason));
  const { inSol, limit } = typed ?? {};
  return {
    level,
    reasons,
    toType: typed?.figure ?? null,
    ...(inSol && { inSol }),
    ...(limit !== undefined && { limit }),
    ...(first.isWithinLimit && { isWithinLimit: true }),
  };
}

/** The priority fee in lamports, paid whether the trade lands or not. */
export function priorityIn({ request }: Order): bigint {
  const { priorityUnitLimit = 0n, priorityUnitPrice = 0n } = request as {
    priorityUnitLimit?: bigint;
    priorityUnitPrice?: bigint;
  };
  return priceOfUnits(priorityUnitLimit, priorityUnitPrice);
}

/** How many lamports are traded; zero if that is not known, as for a sell without a quote. */
function tradedOf({ request }: Order, quote: TradeQuote | undefined): bigint {
  if (quote?.legs.length) return quote.legs.reduce((sum, leg) => sum + leg.walletLamports, 0n);
  const spends: readonly object[] = "buys" in request ? request.buys : [request];
  return spends.reduce(
    (sum: bigint, spend) => sum + BigInt((spend as { amountInLamports?: bigint }).amountInLamports ?? 0n),
    0n,
  );
}

/** The lamports that the buys of an order spend at most: at a service that may exceed their amounts, with the widest slippage, rounded up. */
function mostOf(order: Order, { mayExceed }: Allowed): bigint {
  const lamports = tradedOf(order, undefined);
  return mayExceed
    ? lamports + (lamports * BigInt(Math.ceil(slippageOf(order) * 10_000)) + 999_999n) / 1_000_000n
    : lamports;
}

/** The lamports that a buy spends at most, with its priority; those that a sell brings by its quote. */
export const atRisk = (order: Order, quote: TradeQuote, allowed: Allowed): bigint =>
  SIDES[order.operation] === "buy" ? mostOf(order, allowed) + priorityIn(order) : tradedOf(order, quote);

/** The warnings of a quote that are shown before the send; the others are under the details. */
const CAUTIONED = [
  "insufficient_lamports",
  "below_rent_minimum",
  "completes_curve",
  "partial_fill",
  "no_proceeds",
  "unit_suspicion",
] as const;

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
function slippageOf(order: Order): number {
  const { request } = order;
  return Math.max(
    ...[request, ...legsOf(order)].map((part) =>
      Number((part as { slippage?: { percent?: string } }).slippage?.percent ?? 0),
    ),
  );
}
