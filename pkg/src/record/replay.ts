// A record's trades, as a tape and as a sandbox that begins where they were planned.

import * as core from "build:record";
import { result } from "../crossing.js";
import type { RecordedTrade, SandboxConfig } from "../generated.js";
import { type RecordSource, bytesOf } from "./source.js";

/** A tape of a record's trades. */
type TapeOfRecord = {
  /** The trades that landed, by the time of their answers in milliseconds since 1970: one for each wallet. */
  tape: RecordedTrade[];
  /** How many landed, but are not on it: of a sold percentage only a plan with a price says how much it was. */
  leftOut: number;
};

/**
 * The trades of a record that landed, as a tape: for `backtest` of `launchpad-desk/sandbox`, or for a sandbox's market to replay. There is
 * nobody else's trade on it. It does not verify them; {@link verifyRecord} does.
 *
 * @example
 * ```js
 * import { recordTape } from "launchpad-desk/record";
 *
 * const line = '{"number":0,"atMs":1,"by":"desk","act":"start","intent":"","detail":"","data":{},"previous":""}\n';
 * console.log(await recordTape(line)); // { tape: [], leftOut: 0 }
 * ```
 */
export async function recordTape(record: RecordSource): Promise<TapeOfRecord> {
  const reading = core.readTape();
  try {
    for await (const bytes of bytesOf(record)) reading.add(bytes, false);
    result(reading.end(""), recordTape);
    return result<TapeOfRecord>(reading.tape(), recordTape);
  } finally {
    reading.free();
  }
}

/**
 * The settings of a sandbox that begins where a record's plans were made: each token and each wallet that they name, as it was when the last of
 * those plans was made. Only plans in a sandbox, or with a look at the chain, say so. It verifies nothing.
 *
 * @param options - `at`: the intent id of a trade, to begin where that was planned.
 *
 * @throws {TypeError} if no plan in the record says anything about its market.
 *
 * @example
 * ```ts
 * import { type RecordSource, recordSandbox } from "launchpad-desk/record";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const again = async (record: RecordSource) => new Sandbox(await recordSandbox(record, { at: "signal-1" }));
 * ```
 */
export async function recordSandbox(record: RecordSource, { at = "" }: { at?: string } = {}): Promise<SandboxConfig> {
  const reading = core.readSeed(at);
  try {
    for await (const bytes of bytesOf(record)) reading.add(bytes);
    const settings = result<SandboxConfig | null>(reading.end(), recordSandbox);
    if (!settings)
      throw new TypeError(
        at
          ? `no plan of ${at} in the record says anything about its market`
          : "no plan in the record says anything about its market",
      );
    return settings;
  } finally {
    reading.free();
  }
}
