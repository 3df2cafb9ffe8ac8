// `verify`: runs the core over a record again, and says what became of each trade, or which line says otherwise.

import { createHash } from "node:crypto";
import { type ReadStream, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Command } from "commander";
import type { RecordCheck, RecordProblem, RecordVerdict } from "launchpad-desk/record";
import { LONGEST, readLines } from "../node/lines.js";
import { type RecordEnd, endOf } from "../node/record.js";
import { UsageError, withExample } from "./command.js";
import { headsOf, recordOf } from "./desk.js";
import { readProfile } from "./profile.js";
import { print } from "./show.js";

const LISTED = 1_000;

/** Far more than the longest head. */
const TAIL = 4_096;

/** A head in its line. What stands before it was torn by a crash. */
const untorn = (line: string): string => line.slice(Math.max(0, line.lastIndexOf("{")));

/** The last whole head in a file, such as that beside a record; none if there is no such file, or nothing in it. */
async function headAt(path: string): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(TAIL), position: Math.max(0, size - TAIL) });
      const text = buffer.toString("utf8", 0, bytesRead);
      if (!text.trim()) return null;
      const whole = text.includes("\n") ? text.slice(0, text.lastIndexOf("\n")) : text;
      return untorn(whole.slice(whole.lastIndexOf("\n") + 1));
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new UsageError(`the head cannot be read: ${message}`);
  }
}

/** Where a record ends that a program was just writing, or writes now: its head beside it is kept after its lines. Undefined if it does not end so. */
async function endAt(path: string, head: string): Promise<RecordEnd | undefined> {
  const file = await open(path).catch(() => undefined);
  try {
    return file && (await endOf(file, path, head).catch(() => undefined));
  } finally {
    await file?.close();
  }
}

function headIn(heads: string, text: string): { number: number; hash: string } {
  try {
    return JSON.parse(untorn(text)) as ReturnType<typeof headIn>;
  } catch {
    throw new UsageError(`${heads} has a line that is no head`);
  }
}

/** The first line of a record that is not what the heads in a second place say, if there is one. A later line does not take a head back. */
async function denied(path: string, heads: string): Promise<RecordProblem | undefined> {
  const named = new Map<number, string>();
  let [first, last] = [Infinity, -1];
  await readLines(heads, (text, isEnded) => {
    // One that was cut off does not count.
    if (!isEnded) return;
    const { number, hash } = headIn(heads, text);
    if (number <= last) return void (first = Math.min(first, number));
    named.set((last = number), hash);
  });
  let at = 0;
  await readLines(
    path,
    (text) => {
      const hash = named.get(at);
      if (hash !== undefined && hash !== createHash("sha256").update(text).digest("hex")) first = Math.min(first, at);
      at += 1;
    },
    LONGEST,
  );
  const message = `line ${first + 1} is not the one that ${heads} names`;
  return first < Infinity ? { line: first + 1, intentId: null, code: "changed", message } : undefined;
}

async function verify(
  file: string | undefined,
  { profile, json, head: headFile }: { profile?: string; json?: boolean; head?: string },
): Promise<void> {
  const chosen = file === undefined ? await readProfile(profile) : undefined;
  const path = file ?? recordOf(chosen!);
  const named = headFile ?? (chosen && headsOf(chosen));
  const keptHead = await headAt(named ?? `${path}.head`);
  if (named !== undefined && keptHead === null) throw new UsageError(`there is no head ${named}`);
  // A head in a second place shows each line that is not in it.
  const end = named === undefined && keptHead !== null ? await endAt(path, keptHead) : undefined;
  const head = end?.head ?? keptHead;
  const read = (): ReadStream => createReadStream(path, end?.bytes ? { end: end.bytes - 1 } : {});
  const { checkText, verifyRecord } = await import("launchpad-desk/record");
  const trades: RecordCheck[] = [];
  let verdict: RecordVerdict;
  try {
    verdict = await verifyRecord(read(), {
      head,
      onTrade: (trade) => void (trades.length < LISTED && trades.push(trade)),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === "ENOENT" || code === "EISDIR" || code === "EACCES"
      ? new UsageError(`the record cannot be read: ${message}`)
      : error;
  }
  const problem = named === undefined ? undefined : await denied(path, named);
  if (problem) {
    verdict.problems.unshift(problem);
    verdict.problemCount += 1;
    verdict.verified = false;
  }
  const { verified, problems, problemCount, lines, trades: count } = verdict;
  const more = problemCount - problems.length;
  const said = [
    ...trades.map(checkText),
    ...(count > trades.length ? [`… and ${count - trades.length} more trades`] : []),
    ...problems.map(({ message, intentId }) => `PROBLEM: ${message}${intentId ? ` (${intentId})` : ""}`),
    ...(more ? [`… and ${more} more problems`] : []),
    ...(head === null ? ["There is no head beside the record, so missing lines at its end would not be found."] : []),
    ...(end?.head && !keptHead!.includes((JSON.parse(end.head) as { hash: string }).hash)
      ? [
          "Its head names an earlier line, as after a kill or while a program writes. The lines after that follow from it.",
        ]
      : []),
    ...(end?.isTorn ? ["Its last line is torn, as after a kill or while a program writes, and does not count."] : []),
    verified
      ? `Verified: ${lines} lines, ${count} trades.`
      : `NOT verified: ${problemCount} ${problemCount === 1 ? "problem" : "problems"} in ${lines} lines.`,
  ];
  print(
    { json, command: "verify", profile: undefined, exitCode: verified ? 0 : 6 },
    { record: path, hasHead: head !== null, ...verdict, checks: trades },
    said,
  );
}

export function addVerify(program: Command): void {
  const command = program
    .command("verify")
    .summary("verify a record: each trade as it was sent, answered and priced")
    .description(
      "Runs the exact core over a record again, offline: that no line was changed, and that each trade was sent as planned and approved, once, answered so, and landed at the price of the rules.",
    )
    .argument("[record]", "the file of the record (default: the profile's)")
    .option(
      "--head <file>",
      "the head of the record, such as one from a second place; of several lines each counts (default: the profile's recordHeads, or the record's name with .head)",
    )
    .option("--profile <name>", "the profile whose record it is")
    .option("--json", "print one JSON document");
  withExample(command, "verify desk.log").action(verify);
}
