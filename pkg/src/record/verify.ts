// The verification of a record. What is right about a line is in the core (crates/record).

import * as core from "build:record";
import { result } from "../crossing.js";
import type { RecordCheck, RecordProblem } from "../generated.js";
import { type RecordSource, bytesOf } from "./source.js";

/** How many problems a verdict lists. */
const LISTED = 1_000;

/** What {@link verifyRecord} found. */
export interface RecordVerdict {
  /** Whether every line is as it was written, and every trade as it says. */
  verified: boolean;
  /** How many lines were read. */
  lines: number;
  /** How many trades were begun. */
  trades: number;
  problemCount: number;
  /** The first 1,000 of them. */
  problems: RecordProblem[];
  /** The number and the hash of the last line; `null` without any. Keep them in another place, to pass them as `head` later. */
  head: { number: number; hash: string } | null;
}

type VerifyOptions = {
  /** The head: its text, or what an earlier verdict had. Without it, missing lines at the end are not found. */
  head?: string | RecordVerdict["head"];
  /** Gets each trade once the record ends it, or at the end. */
  onTrade?: (trade: RecordCheck) => void;
  /** Gets each problem, however many there are. */
  onProblem?: (problem: RecordProblem) => void;
};

/** A head as text. */
function headText(head: VerifyOptions["head"] = null): string {
  if (head === null) return "";
  return typeof head === "string" ? head.trim() : JSON.stringify({ number: head.number, hash: head.hash });
}

/**
 * Verifies a record, offline and in flat memory: that no line was changed, moved or removed, and of each trade that it was sent as planned and
 * approved, sent once, answered as the record says, and that it landed at the price that the rules give, or within its bound. The exact
 * core runs over it again.
 *
 * Who holds both record and head can write both anew. A head in a second place shows that.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the head is none.
 *
 * @example
 * ```js
 * import { verifyRecord } from "launchpad-desk/record";
 *
 * const line = '{"number":0,"atMs":1,"by":"desk","act":"start","intent":"","detail":"","data":{},"previous":""}\n';
 * const { verified, problems } = await verifyRecord(line.replace("desk", "disk"), { head: { number: 0, hash: "ab" } });
 * console.log(verified, problems[0].message); // false line 1 was changed
 * ```
 */
export async function verifyRecord(
  record: RecordSource,
  { head = null, onTrade, onProblem }: VerifyOptions = {},
): Promise<RecordVerdict> {
  const check = core.checkRecord();
  const problems: RecordProblem[] = [];
  const take = (bytes: Uint8Array): void => {
    const found = result<{ problems: RecordProblem[]; trades: RecordCheck[] } | undefined>(check.add(bytes, !!onTrade));
    if (!found) return;
    for (const problem of found.problems) {
      if (problems.length < LISTED) problems.push(problem);
      onProblem?.(problem);
    }
    if (onTrade) for (const trade of found.trades) onTrade(trade);
  };
  try {
    for await (const bytes of bytesOf(record)) take(bytes);
    const { problems: problemCount, ...counted } = result<
      Pick<RecordVerdict, "lines" | "trades" | "head"> & { problems: number }
    >(check.end(headText(head)), verifyRecord);
    take(new Uint8Array());
    return { verified: problemCount === 0, problemCount, problems, ...counted };
  } finally {
    check.free();
  }
}

const PRICES = {
  exact: ", at exactly the price of the rules",
  within: ", within the bound of its plan",
  past: ", BEYOND the bound of its plan",
  unknown: "",
} as const;

/**
 * What a record says about a trade, in a line for a person.
 *
 * @example
 * ```js
 * import { checkText } from "launchpad-desk/record";
 *
 * const said = { line: 1, planned: true, approved: false, sent: true, proven: false, acknowledged: false, signature: null, problems: 0 };
 * console.log(checkText({ ...said, intentId: "a", operation: "buy", outcome: "landed", price: "exact" })); // a: buy landed, at exactly the price of the rules
 * ```
 */
export function checkText({
  intentId,
  operation,
  sent,
  outcome,
  proven,
  acknowledged,
  approved,
  price,
  problems,
}: RecordCheck): string {
  const end = outcome ?? (sent ? "sent, and not ended" : "begun, and not ended");
  // By a person, or by a gateway that was asked.
  const later = acknowledged ? ", said later" : "";
  const said = proven ? ", proven" : later;
  return `${intentId}: ${operation ?? "a trade"} ${end}${said}${approved ? ", approved" : ""}${PRICES[price]}${problems ? `; ${problems} ${problems === 1 ? "problem" : "problems"}` : ""}`;
}
