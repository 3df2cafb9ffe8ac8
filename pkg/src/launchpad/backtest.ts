// A whole list of trades in one crossing.

import type * as core from "build:launchpad";
import { result, writable } from "../crossing.js";
import type { CurveReserves } from "../generated.js";
import { read } from "../runtime.js";
import { column } from "./argument.js";

/**
 * What a row of a backtest does: the numbers for the column `kinds`.
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
  /** The trader buys: the amount is lamports, the limit base units. */
  readonly buy: 0;
  /** The trader sells: the amount is base units, the limit lamports. */
  readonly sell: 1;
  /** The trader sells a share: the amount is parts per million of the holding, the limit lamports. */
  readonly sellShare: 2;
  /** Somebody else buys; units as for `buy`. */
  readonly rivalBuy: 3;
  /** Somebody else sells; units as for `sell`. */
  readonly rivalSell: 4;
} = Object.freeze({ buy: 0, sell: 1, sellShare: 2, rivalBuy: 3, rivalSell: 4 });

/**
 * The trades of a backtest, in order, as three columns of the same length.
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
  /** Numbers from `TRADE_KINDS`; a row with any other number is refused. */
  kinds: Uint8Array;
  /** Lamports, base units or parts per million, depending on the kind. */
  amounts: BigUint64Array;
  /** The fewest base units or lamports to accept; zero for any. */
  limits: BigUint64Array;
}

/**
 * How each trade ended, and what they add up to. In JSON, lamports and base units are text.
 *
 * @see {@link Curve.backtest}
 */
export interface BacktestResult {
  /** Base units bought or sold; `REFUSED` for a refused trade. */
  tokens: BigUint64Array;
  /** Lamports paid or received, trading fees included; `REFUSED` for a refused trade. */
  lamports: BigUint64Array;
  /**
   * What the wallet is worth after each row: its lamports, plus what selling everything would bring, with the account's refund. The
   * network fee of that sell is not counted.
   */
  equityLamports: BigUint64Array;
  /** How many rows were run. */
  rows: number;
  /** How many of the trader's trades went through. */
  ownTrades: bigint;
  /** How many of the trader's trades were refused. They still cost the network fee. */
  ownRefused: bigint;
  /** How many of the others' trades were refused. */
  rivalRefused: bigint;
  /** Sum of the protocol fees of the trader's trades. */
  protocolFeesLamports: bigint;
  /** Sum of the creator fees of the trader's trades. */
  creatorFeesLamports: bigint;
  /** Sum of the network fees of the trader's trades. */
  networkFeesLamports: bigint;
  /** The wallet at the end. */
  wallet: { lamports: bigint; tokenAccount: { tokens: bigint; lamports: bigint } | null };
  /** The curve's reserves at the end. */
  reserves: CurveReserves;
}

/** How many columns the core holds at the same time: three that come in, and three that go out. */
const COPIES = 6;

/** Runs trades on a curve as it is now. */
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
