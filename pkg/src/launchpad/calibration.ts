// A backtest against what really happened.

import { callArgs, result } from "../crossing.js";
import type { ActualTrade, Calibration, CalibrationCause } from "../generated.js";
import { type BacktestOptions, tapeOf, termsOf } from "./backtest.js";
import { curveCore } from "./curve.js";
import { gained } from "./report-lines.js";
import { table } from "./report-text.js";

/**
 * A trade as a journal has it, in `ended` or `pending` of what it recalls: its request is the text of a body, and what it moved is not known.
 *
 * @see {@link calibrate}
 */
export interface JournaledTrade extends Omit<ActualTrade, "request"> {
  /** The exact body. */
  body: string;
}

/**
 * The trades that were really made, and the backtest to compare them with.
 *
 * @see {@link calibrate}
 */
export interface CalibrationOptions extends Pick<BacktestOptions, "tape" | "start" | "lamports" | "latencyMs" | "slippage" | "slippageUnit" | "seed"> {
  /** The trades, as `recordTrades` of `launchpad-desk/record` reads them from a record; or of a journal, `ended` and `pending` of what
   * `journal.recall(0)` gives. */
  trades: readonly (ActualTrade | JournaledTrade)[];
  /** Whose trades are compared. Its own rows on the tape, which have its name in `wallet`, say when a trade was made and what it moved.
   * Default: the wallet of the first trade. */
  wallet?: string;
  /** When the time of the tape was zero, on the clock of the trades: 0, if both count from 1970. Default: a trade whose own row is on the
   * tape is there when it was answered, and gives the time for those beside it without one. */
  tapeBeganMs?: number;
  /** Fraction digits of a whole token. Default: 6. */
  tokenDecimals?: number;
}

function walletOf([first]: CalibrationOptions["trades"]): string {
  if (!first) return "";
  const { request, body } = first as Partial<ActualTrade & JournaledTrade>;
  try {
    const { fromWallet } = (body === undefined ? (request ?? {}) : JSON.parse(body)) as { fromWallet?: unknown };
    return typeof fromWallet === "string" ? fromWallet : "";
  } catch {
    // The core says what is wrong with it.
    return "";
  }
}

/**
 * Compares a backtest with what really happened: it makes the trades of a journal or a record again on the same tape, each when it was
 * decided, and says of each how what it really moved differs, and why. So it shows how far a backtest with this latency can be believed.
 *
 * @throws {TradeNotSentError} `invalid_options`, with every bad option, trade or request in `fields`.
 *
 * @example
 * ```js
 * import { calibrate } from "launchpad-desk/launchpad";
 *
 * const { trades, walletLamports } = calibrate({
 *   tape: "atMs,side,mint,lamports,tokens,wallet\n0,buy,M,1000000000,,\n900,buy,M,500000000,,\n1000,buy,M,100000000,3197829119371,W",
 *   trades: [{ intentId: "signal-1", operation: "buy", request: { mint: "M", fromWallet: "W", amountInLamports: 100_000_000, slippage: 5 }, startedAtMs: 500, endedAtMs: 1_000, outcome: "landed" }],
 * });
 * console.log(trades[0].cause, trades[0].walletTokens, walletLamports); // latency -102570483196n 0n
 * ```
 */
export function calibrate(options: CalibrationOptions): Calibration {
  const { trades, wallet = walletOf(trades), tapeBeganMs, tokenDecimals, ...terms } = options;
  const { made: tape, start } = tapeOf(options, calibrate, wallet);
  try {
    return result(tape.calibrate(curveCore(start), callArgs({ terms: termsOf(terms), trades, tapeBeganMs, tokenDecimals })), calibrate);
  } finally {
    tape.free();
  }
}

/** Causes in a trader's words. */
const CAUSES: Record<CalibrationCause, string> = {
  same: "as in the backtest",
  latency: "others traded between the two arrivals",
  earlier_trade: "an earlier trade went differently",
  bound: "slippage stopped one of the two",
  fault: "did not land, whatever the price",
  in_flight: "another order was in flight in the backtest",
  not_held: "the backtest did not hold it",
  unresolved: "not known what became of it",
  unreported: "not known what it brought",
  unexplained: "not explained by this tape and these rules",
};

/** The most trades that the text lists. */
const LISTED = 1_000;

/**
 * A calibration as text for a terminal: what each trade moved, and why it differs.
 *
 * @example
 * ```js
 * import { calibrate, calibrationText } from "launchpad-desk/launchpad";
 *
 * const calibration = calibrate({
 *   tape: "atMs,side,mint,lamports\n0,buy,M,1000000000",
 *   trades: [{ intentId: "signal-1", operation: "buy", request: { mint: "M", fromWallet: "W", amountInLamports: 5_000_000 }, startedAtMs: 0, outcome: "rejected" }],
 * });
 * console.log(calibrationText(calibration).split("\n")[0]); // 1 trade of W: +0.005 SOL against the backtest
 * ```
 */
export function calibrationText({ wallet, trades, causes, walletLamports, leftOut, latenciesMs }: Calibration): string {
  const counted = (count: number): string => `${count} ${count === 1 ? "trade" : "trades"}`;
  const known = (lamports: bigint | null): string => (lamports === null ? "unknown" : gained(lamports));
  const sorted = [...latenciesMs].sort((one, other) => one - other);
  const at = (part: number): string => `${sorted[Math.floor((sorted.length - 1) * part)]} ms`;
  const unexplained = causes.find(({ cause }) => cause === "unexplained");
  return [
    [
      `${counted(trades.length)} of ${wallet || "no wallet"}: ${gained(walletLamports)} against the backtest`,
      ...(unexplained ? [`${counted(unexplained.trades)} not explained: the tape lacks trades, or it starts from another curve.`] : []),
    ].join("\n"),
    ...(causes.length ? [table("Why they differ", causes.map(({ cause, trades, walletLamports }) => [`${CAUSES[cause]}: ${trades}`, gained(walletLamports)]))] : []),
    ...(sorted.length ? [table("From the decision to the answer", [["shortest", at(0)], ["median", at(0.5)], ["longest", at(1)]])] : []),
    ...(leftOut.length ? [table("Not compared", leftOut.map(({ reason, trades }) => [reason.replaceAll("_", " "), `${trades}`]))] : []),
    ...(trades.length ? [table("The trades", trades.slice(0, LISTED).map(({ intentId, side, walletLamports, cause }) => [`${intentId}: ${side}, ${CAUSES[cause]}`, known(walletLamports)]))] : []),
  ].join("\n\n") + "\n";
}
