// Backtests: a strategy over recorded trades.

import * as core from "build:sandbox";
import { callArgs, result } from "../crossing.js";
import type { BacktestRun, ExitPlan, RecordedTrade, Side, SlippageInput } from "../generated.js";
import { type Amount, amount, column } from "../argument.js";
import { isA, notA } from "../handle.js";
import { Curve, type CurveOptions, Exits } from "launchpad-desk/market";
import { type RecordingColumns, recordingText } from "./recording.js";

/**
 * Trades of one token in columns of the same length, which cross fastest. Its mint is `token`.
 *
 * @example
 * ```js
 * import { backtest } from "launchpad-desk/sandbox";
 *
 * const tape = { atMs: BigUint64Array.of(0n, 500n, 900n), orders: Uint8Array.of(0, 0, 1), amounts: BigUint64Array.of(1_000_000_000n, 2_000_000_000n, 5_000_000n) };
 * console.log(backtest({ tape, entry: { lamports: 100_000_000n } }).replayed); // 3
 * ```
 */
export interface TapeColumns {
  /** When each was made, in milliseconds, never before the one before it. */
  atMs: BigUint64Array;
  /** 0 buys for lamports, 1 sells tokens, 2 buys tokens. */
  orders: Uint8Array;
  /** Lamports with fees, or base units. */
  amounts: BigUint64Array;
}

/** When to buy each token of the tape. See {@link BacktestOptions}. */
export interface BacktestEntry {
  /** What to spend, fees included, in lamports. */
  lamports: Amount;
  /** How long after the token's first trade on the tape, in milliseconds. Default: 0. */
  afterMs?: number;
  /** Buys again this many milliseconds after the position was left, or after a buy that came to nothing, then at least a second later. Default:
   * never. */
  everyMs?: number;
}

/** A buy at a time that was known beforehand, such as a signal that was recorded live. See {@link BacktestOptions}. */
export interface BacktestSignal {
  mint: string;
  /** When, in milliseconds of the tape. */
  atMs: number;
  /** What to spend, fees included, in lamports. */
  lamports: Amount;
}

/** What a strategy asks for: a buy, or a sell of base units or of a percentage of what is held. See {@link BacktestOptions}. */
export type BacktestAction =
  | {
      /** Lamports to spend, fees included. */
      buy: Amount;
      /** Mint address. Default: that of the trade which was seen. */
      mint?: string;
      /** How far the price may move until it arrives. Default: that of the backtest. */
      slippage?: SlippageInput;
      /** When to leave what it buys. Default: when the strategy sells. */
      exits?: ExitPlan | Exits;
    }
  | {
      /** Base units, or a percentage such as `"100%"`. A position that has exits is sold as a whole. */
      sell: Amount | `${number}%`;
      /** Mint address. Default: that of the trade which was seen. */
      mint?: string;
      /** How far the price may move until it arrives. Default: that of the position's exits, or of the backtest. */
      slippage?: SlippageInput;
    };

/**
 * What is known at a time of a backtest: a trade of the tape, and what is ours. Nothing later can be reached from it. See {@link BacktestOptions}.
 */
export interface BacktestNow {
  /** The time, in milliseconds of the tape. */
  atMs: number;
  /** Mint address of the token that was traded. */
  mint: string;
  /** The trade that was seen, as it went on the curve that our own trades have moved; zero if the launchpad refused it there. */
  trade: { side: Side; lamports: bigint; tokens: bigint };
  /** A copy of the token's curve now. */
  readonly curve: Curve;
  /** What the wallet has, in lamports. */
  lamports: bigint;
  /** Our position in this token: base units, what was paid and received so far, and since when. Null without one. */
  position: { tokens: bigint; paidLamports: bigint; receivedLamports: bigint; openedAtMs: number } | null;
  /** Whether an order of this token is on its way. Until it arrives, further orders of the token are not sent. */
  isInFlight: boolean;
  /** An object for the strategy's own notes, new for each run. */
  notes: Record<string, unknown>;
}

/**
 * What a backtest runs, and over what.
 *
 * @example
 * ```ts
 * import { type BacktestOptions, backtest } from "launchpad-desk/sandbox";
 *
 * // Buys after a large buy of somebody else, and sells by rules.
 * const options: BacktestOptions = {
 *   tape: "atMs,side,mint,lamports,tokens\n0,buy,M,3000000000,\n900,buy,M,500000000,\n5000,sell,M,,9000000000000",
 *   latencyMs: [350, 420, 900],
 *   seed: 7,
 *   strategy: ({ trade, position, isInFlight }) =>
 *     trade.lamports > 2_000_000_000n && !position && !isInFlight ? { buy: 100_000_000n, exits: { stopLoss: "0.8x" } } : undefined,
 * };
 * console.log(backtest(options).orders[0]?.arrivedAtMs); // 420
 * ```
 */
export interface BacktestOptions {
  /** Recorded trades: a list, their text in JSON or CSV, or columns; with `columns` rows of others, too. */
  tape: readonly RecordedTrade[] | string | TapeColumns | readonly object[];
  /** Which column of a tape of others is what. */
  columns?: RecordingColumns;
  /** Each token before its first trade on the tape: one curve for all, or a curve for each mint that stood elsewhere than a new token. The
   * launchpad's rules are those of the first curve. Default: tokens that have just been created. */
  start?: Curve | Readonly<Record<string, Curve>>;
  /** What the wallet has at the start, in lamports. Default: 10 SOL. */
  lamports?: Amount;
  /** Buys each token at a time. */
  entry?: BacktestEntry;
  /** Buys at the times of signals, in their order. */
  signals?: readonly BacktestSignal[];
  /** When the positions of `entry` and `signals` are left. Default: at the end. */
  exits?: ExitPlan | Exits;
  /** Decides after each trade of the tape. It is called once for each, and must not return a promise. */
  strategy?: (now: BacktestNow) => BacktestAction | readonly BacktestAction[] | null | undefined | void;
  /** Milliseconds from a decision until its order arrives: one time, or a list of measured ones to draw from. Default: 0. */
  latencyMs?: number | readonly number[];
  /**
   * How often the exits look, in milliseconds since their position was opened: what `everyMs` of `client.manage` is, 1000 by default there.
   * What the price does between two looks is not seen. Default: 0, after each trade of their token.
   */
  lookEveryMs?: number;
  /** The priority that each of our orders pays for. An exit plan may have its own. Default: none. */
  fees?: { priorityUnitLimit?: Amount; priorityUnitPrice?: Amount };
  /** How far the price may move until an order arrives. An exit plan may have its own. Default: 0.5 %. */
  slippage?: SlippageInput;
  /** The unit of a bare slippage, also of an exit plan: that of the client which is to carry the plan out. Default: `percent`. */
  slippageUnit?: "percent" | "bps";
  /** What the latency is drawn from. Default: 0. */
  seed?: Amount;
}

/** The trades of a list that cross at a time: an argument has at most 100,000 values, and a trade of a sandbox has some twenty. */
const CHUNK = 2_000;

/** A curve as data, as which it crosses. */
const optionsOf = (curve: Curve): CurveOptions => (isA(curve, Curve) ? curve.options : notA("Curve"));

/** The curve that tokens start at if they have none of their own. The caller need not free it. */
function commonStart(start: BacktestOptions["start"]): Curve {
  if (start === undefined) return new Curve();
  if (isA(start, Curve)) return start;
  const [first] = Object.values(start);
  return first ? new Curve({ launchpad: first.launchpad }) : new Curve();
}

/**
 * The core's copy of a tape, on which every trade is somebody else's, and the curve that its tokens start at unless they have one of their
 * own. The caller frees the tape.
 */
export function tapeOf(
  { tape, start, columns }: Pick<BacktestOptions, "tape" | "start" | "columns">,
  caller: Function,
): { made: core.TradeTape; start: Curve } {
  const made = core.makeTradeTape();
  try {
    if (start && !isA(start, Curve))
      for (const [mint, curve] of Object.entries(start))
        result(made.startAt(mint, callArgs({ start: optionsOf(curve) })), caller);
    if (columns !== undefined || typeof tape === "string")
      result(made.addText(recordingText(tape), callArgs({ columns })), caller);
    else if (Array.isArray(tape))
      for (let at = 0; at < tape.length; at += CHUNK)
        result(made.addTrades(callArgs({ tape: tape.slice(at, at + CHUNK) })), caller);
    else if (typeof tape === "object" && tape && ("orders" in tape || "amounts" in tape)) {
      const { atMs, orders, amounts } = tape as TapeColumns;
      const times = column(atMs, { name: "tape.atMs", copies: 3 }, caller);
      const kinds = column(orders, { name: "tape.orders", type: "Uint8Array", copies: 3 }, caller);
      result(made.addColumns(times, kinds, column(amounts, { name: "tape.amounts", copies: 3 }, caller)), caller);
    } else result(made.addText(recordingText(tape), callArgs({})), caller);
    return { made, start: commonStart(start) };
  } catch (error) {
    made.free();
    throw error;
  }
}

const planOf = (exits: ExitPlan | Exits | undefined): ExitPlan | undefined =>
  exits instanceof Exits ? exits.plan : exits;

/** What the core reads of the options: all that is not read here, because it refuses a name that it does not know. */
export const termsOf = ({ tape, columns, start, strategy, exits, ...terms }: BacktestOptions): object => ({
  ...terms,
  exits: planOf(exits),
});

/** What the core gives of a step, by its place. */
const [AT, MINT, SELLS, LAMPORTS, TOKENS, WALLET, HELD, FLYING, IS_OPEN, PAID, RECEIVED, OPENED] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
];

/** Takes a strategy through a tape. */
function strategize(
  run: core.Backtest,
  mints: string[],
  strategy: NonNullable<BacktestOptions["strategy"]>,
  caller: Function,
): void {
  const notes = {};
  const word = (step: BigUint64Array, at: number): bigint => step[at] ?? 0n;
  for (let step = run.step() as BigUint64Array; step.length; step = run.step() as BigUint64Array) {
    const mint = Number(word(step, MINT));
    let curve: Curve | undefined;
    const now: BacktestNow = {
      atMs: Number(word(step, AT)),
      mint: mints[mint] ?? "",
      trade: { side: word(step, SELLS) ? "sell" : "buy", lamports: word(step, LAMPORTS), tokens: word(step, TOKENS) },
      get curve() {
        return (curve ??= new Curve(result<CurveOptions>(run.curve(mint), caller)));
      },
      lamports: word(step, WALLET),
      position: word(step, IS_OPEN)
        ? {
            tokens: word(step, HELD),
            paidLamports: word(step, PAID),
            receivedLamports: word(step, RECEIVED),
            openedAtMs: Number(word(step, OPENED)),
          }
        : null,
      isInFlight: word(step, FLYING) > 0n,
      notes,
    };
    const asked = strategy(now);
    if (!asked) continue;
    for (const action of (Array.isArray(asked) ? asked : [asked]) as BacktestAction[])
      act({ run, mints, seen: mint }, action, caller);
  }
}

/** Gives the core what a strategy asks for; without a mint it is about the one that was `seen`. */
function act(
  { run, mints, seen }: { run: core.Backtest; mints: string[]; seen: number },
  action: BacktestAction,
  caller: Function,
): void {
  const mint = action.mint === undefined ? seen : mints.indexOf(action.mint);
  if (mint < 0) throw new RangeError(`the strategy's mint ${action.mint} is not on the tape`);
  if ("buy" in action) {
    const { mint: _, buy, exits, ...order } = action;
    result(
      run.buy(mint, amount("lamports", buy, caller), callArgs({ order: { ...order, exits: planOf(exits) } })),
      caller,
    );
  } else if ("sell" in action) {
    const { mint: _, sell, ...order } = action;
    const tokens =
      typeof sell === "string" && sell.endsWith("%")
        ? result<bigint>(run.shareOf(mint, callArgs({ share: { sell } })), caller)
        : amount("tokens", sell as Amount, caller);
    result(run.sell(mint, tokens, callArgs({ order })), caller);
  } else throw new TypeError("a strategy returns { buy } or { sell }, a list of them, or nothing");
}

/** Runs once, and hands out the core's run, too: the caller frees it. */
export function runOf(
  tape: core.TradeTape,
  start: Curve,
  options: BacktestOptions,
  caller: Function,
): { core: core.Backtest; run: BacktestRun } {
  const args = callArgs({ terms: termsOf(options), start: start.options });
  const made: core.Backtest = options.strategy ? result(tape.begin(args), caller) : result(tape.runExits(args), caller);
  try {
    if (options.strategy) strategize(made, result(tape.mints(), caller), options.strategy, caller);
    return { core: made, run: result(made.finish(), caller) };
  } catch (error) {
    made.free();
    throw error;
  }
}

/**
 * Runs a strategy over recorded trades: what it would have done, and what would have become of it, to the lamport. Our own trades
 * move the curve, and the recorded orders of the others are made again on the moved curve: of the same base units or, where those are not
 * known, for the same lamports, at any price. `docs/backtest.md` says what that assumes.
 *
 * A strategy is `exits` after an `entry` or `signals`, or a function that is called after each trade of the tape, or both.
 *
 * @throws {TradeNotSentError} `invalid_options`, with every bad option, or the first 100 bad trades, in `fields`. What the strategy
 * throws is thrown.
 *
 * @example
 * ```js
 * import { Sandbox, backtest } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox({ tokens: [], market: { alive: true, seed: 7 } });
 * sandbox.advance(600_000);
 * const run = backtest({
 *   tape: sandbox.marketTrades,
 *   entry: { lamports: 100_000_000n, afterMs: 10_000 },
 *   exits: { takeProfit: [{ at: "2x", sell: "50%" }], stopLoss: "0.7x", timeMs: 300_000, slippage: { percent: 20 } },
 *   latencyMs: 400,
 * });
 * console.log(run.positions.length, run.winRate, run.profitLamports);
 * ```
 */
export function backtest(options: BacktestOptions): BacktestRun {
  const { made: tape, start } = tapeOf(options, backtest);
  try {
    const { core: made, run } = runOf(tape, start, options, backtest);
    made.free();
    return run;
  } finally {
    tape.free();
  }
}
