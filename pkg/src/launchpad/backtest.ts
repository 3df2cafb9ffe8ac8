// A whole list of trades in one crossing.

import type * as core from "build:launchpad";
import { result, writable } from "../crossing.js";
import type { CurveReserves } from "../generated.js";
import { read } from "../runtime.js";
import { column } from "./argument.js";

/**
 * What a row of a backtest does, as its number in the column of kinds.
 *
 * @example
 * ```js
 * import { TRADE_KINDS } from "launchpad-desk/launchpad";
 *
 * const { buy, rivalBuy, sellShare } = TRADE_KINDS;
 * const kinds = Uint8Array.of(buy, rivalBuy, sellShare);
 * ```
 */
export const TRADE_KINDS: {
  /** One's own buy: the amount is lamports, the limit base units. */
  readonly buy: 0;
  /** One's own sell: the amount is base units, the limit lamports. */
  readonly sell: 1;
  /** One's own sell of a share: the amount is parts per million of what is held, the limit lamports. */
  readonly sellShare: 2;
  /** Another's buy, as `buy`. */
  readonly rivalBuy: 3;
  /** Another's sell, as `sell`. */
  readonly rivalSell: 4;
} = Object.freeze({ buy: 0, sell: 1, sellShare: 2, rivalBuy: 3, rivalSell: 4 });

/**
 * The trades of a backtest, in order: a column for each of their parts, all of one length.
 *
 * @example
 * ```ts
 * import { TRADE_KINDS, type BacktestTrades } from "launchpad-desk/launchpad";
 *
 * // A buy of 1 SOL that takes any number of tokens.
 * const trades: BacktestTrades = {
 *   kinds: Uint8Array.of(TRADE_KINDS.buy),
 *   amounts: BigUint64Array.of(1_000_000_000n),
 *   limits: BigUint64Array.of(0n),
 * };
 * ```
 */
export interface BacktestTrades {
  /** Of `TRADE_KINDS`; a row of any other number is refused. */
  kinds: Uint8Array;
  /** Lamports, base units or parts per million: the kind says. */
  amounts: BigUint64Array;
  /** The fewest base units or lamports to accept; zero for any. */
  limits: BigUint64Array;
}

/**
 * What became of each trade, and what they add up to. In JSON, lamports and base units are text.
 *
 * @see {@link Curve.backtest}
 */
export interface BacktestResult {
  /** Base units bought or sold; `REFUSED` for a refused trade. */
  tokens: BigUint64Array;
  /** Lamports paid or received, trading fees included; `REFUSED` for a refused trade. */
  lamports: BigUint64Array;
  /**
   * What the wallet is worth after the row: its lamports, and what selling everything would bring with the account's
   * refund. The network fee of that sell is not counted.
   */
  equityLamports: BigUint64Array;
  /** How many rows were run. */
  rows: number;
  /** One's own trades that went through. */
  ownTrades: bigint;
  /** One's own trades that were refused. They cost the network fee all the same. */
  ownRefused: bigint;
  /** Others' trades that were refused. */
  rivalRefused: bigint;
  /** All protocol fees of one's own trades. */
  protocolFeesLamports: bigint;
  /** All creator fees of one's own trades. */
  creatorFeesLamports: bigint;
  /** All network fees of one's own trades. */
  networkFeesLamports: bigint;
  /** The wallet at the end. */
  wallet: { lamports: bigint; tokenAccount: { tokens: bigint; lamports: bigint } | null };
  /** Where the curve stands at the end. */
  reserves: CurveReserves;
}

/** The columns that the core has beside it: three that come in, and three that go out. */
const COPIES = 6;

/** Runs trades from where a curve stands. */
export function backtest(handles: () => [core.Curve, core.Trader], trades: BacktestTrades, caller: Function): BacktestResult {
  const kinds = column("kinds", read(trades, "kinds") as Uint8Array, "Uint8Array", COPIES, caller);
  const amounts = column("amounts", read(trades, "amounts") as BigUint64Array, "BigUint64Array", COPIES, caller);
  const limits = column("limits", read(trades, "limits") as BigUint64Array, "BigUint64Array", COPIES, caller);
  const rows = () => new BigUint64Array(kinds.length);
  const outcomes = { tokens: rows(), lamports: rows(), equityLamports: rows() };
  const [curve, trader] = handles();
  const summary = curve.backtest(trader, kinds, amounts, limits, outcomes.tokens, outcomes.lamports, outcomes.equityLamports);
  return writable(Object.assign(outcomes, result<Omit<BacktestResult, keyof typeof outcomes>>(summary, caller)));
}
