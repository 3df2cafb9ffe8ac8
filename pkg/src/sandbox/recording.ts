// Recorded trades, which a sandbox's market can replay.

import * as core from "build:sandbox";
import { result } from "../crossing.js";
import type { RecordedTrade } from "../generated.js";

/** The most characters of a recording: some 250,000 trades as CSV. */
export const LONGEST_RECORDING = 1 << 24;

/**
 * Reads a recording: a JSON array of trades, a JSON object on each line, or CSV whose first line names the columns `atMs`, `mint`, `side`,
 * `lamports` and `tokens`, in any order, separated by commas, semicolons or tabs. Other columns are ignored in both, so `marketTrades` as JSON is a recording, too. No trade is left out: text
 * with one that cannot be read is refused. Lamports and base units are returned as bigints, or null if they are missing.
 *
 * @example
 * ```js
 * import { Sandbox, recording } from "launchpad-desk/sandbox";
 *
 * const trades = recording("atMs,side,mint,lamports,tokens\n0,buy,M,1000000000,\n400,sell,M,,5000");
 * const sandbox = new Sandbox({ tokens: [{ mint: "M" }], market: { replay: trades } });
 * sandbox.advance(1_000);
 * console.log(sandbox.marketTrades.length); // 2
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options`, with the first 100 bad fields in `fields` and how many more there are;
 * `invalid_request` for anything but text of at most 16777216 characters.
 */
export function recording(text: string): RecordedTrade[] {
  return result(
    core.recording(typeof text === "string" && text.length <= LONGEST_RECORDING ? text : undefined),
    recording,
  );
}
