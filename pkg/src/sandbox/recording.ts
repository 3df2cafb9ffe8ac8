// Recorded trades, which a sandbox's market can replay.

import * as core from "build:sandbox";
import { callArgs, result } from "../crossing.js";
import type { RecordedTrade } from "../generated.js";
import { inJson } from "../json.js";

/** The most characters of a recording: some 250,000 trades as CSV. */
export const LONGEST_RECORDING = 1 << 24;

/** The name of a column, or several: the first that has a value counts. In nested rows it is a path, `trade.mint` or `outputs.0.mint`. */
type ColumnName = string | readonly string[];

/** Where a value of a trade is: in a column, or in one for buys and another for sells. */
type ColumnSource<Unit = unknown> =
  | ColumnName
  | (({ readonly column: ColumnName } | { readonly buy: ColumnName; readonly sell: ColumnName }) & Unit);

/** Words in columns, by the name of the column: any of them decides. `+` and `-` stand for a number with that sign, `""` for nothing. */
type ColumnWords = Readonly<Record<string, ColumnName>>;

/**
 * Which column of a recording of others is what, and in which unit. What is not named has its own name and the unit of a recording.
 *
 * @example
 * ```js
 * import { recording } from "launchpad-desk/sandbox";
 *
 * const csv = "time,token,is_buy,sol,amount\n1772366401,M,true,0.5,17000000.25";
 * const [first] = recording(csv, {
 *   columns: {
 *     atMs: { column: "time", unit: "s" },
 *     mint: "token",
 *     side: "is_buy",
 *     lamports: { column: "sol", unit: "sol" },
 *     tokens: { column: "amount", unit: "tokens" },
 *   },
 * });
 * console.log(first?.tokens); // 17000000250000n
 * ```
 */
export interface RecordingColumns {
  /** Where the list of trades is, in an object around it: `data.trades`. */
  readonly rows?: string;
  /** When: a number in this unit (default `ms`), or a text as in ISO 8601, in UTC if it has no zone. */
  readonly atMs?: ColumnSource<{ readonly unit?: "ms" | "s" | "us" | "ns" }>;
  /** The mint, which may be the same for all. */
  readonly mint?: ColumnSource | { readonly value: string };
  /** A column that says buy or sell, or true and false if its name says of what (`is_buy`); or the words that do. `skip` leaves rows out. */
  readonly side?: ColumnName | { readonly buy: ColumnWords; readonly sell: ColumnWords; readonly skip?: ColumnWords };
  /** Its lamports: the unit (default `lamports`), and whether those of buys have the trading fees in them (default `included`). */
  readonly lamports?: ColumnSource<{ readonly unit?: "lamports" | "sol"; readonly fees?: "included" | "excluded" }>;
  /** Its tokens: the unit (default `baseUnits`), and the decimals of whole ones (default 6). */
  readonly tokens?: ColumnSource<{ readonly unit?: "baseUnits" | "tokens"; readonly decimals?: number }>;
  /** Whose trade it is. */
  readonly wallet?: ColumnSource;
}

/** A recording as text; undefined for what is none, or is too long. */
export function recordingText(given: unknown): string | undefined {
  try {
    const text = typeof given === "object" && given ? JSON.stringify(given, inJson) : given;
    return typeof text === "string" && text.length <= LONGEST_RECORDING ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a recording: a JSON array of trades, a JSON object on each line, or CSV whose first line names the columns `atMs`, `mint`, `side`,
 * `lamports` and `tokens`, in any order, separated by commas, semicolons or tabs. Other columns are ignored in both, so `marketTrades` as JSON
 * is a recording, too. With `columns` it reads recordings of others, as text or as a list of rows; those that come the newest first are
 * turned around. No trade is left out: a recording with one that cannot be read is refused. Lamports and base units are returned as
 * bigints, or null if they are missing.
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
 * `invalid_request` for anything but rows, or text of at most 16777216 characters.
 */
export function recording(rows: string | object, options: { columns?: RecordingColumns } = {}): RecordedTrade[] {
  return result(core.recording(recordingText(rows), callArgs(options)), recording);
}
