// A journal in a file: one line when an intent begins, on the disk before begin() resolves, and one for how it ends.
//
//   {"crc32":"…","begin":{"intentId":"…","operation":"buy","startedAtMs":1767225600000,"body":"{…}"}}
//   {"crc32":"…","settle":"…","outcome":"landed","signature":"…"}
//   {"crc32":"…","settle":"…","outcome":"unknown","suspension":{"breakerOpen":true,"unknownsInARow":3}}
//   {"crc32":"…","suspension":{"mode":"halted"}}
//
// A kill or a power cut leaves at most a torn last line, which has no line end. If that is a begin, its begin() has not resolved, so
// nothing was sent. A lost last settle leaves its intent unresolved, which is true. So only a begin and a halt wait for the disk. Any other line
// that cannot be read, or has no checksum or another one, is damage.
//
// When the file is opened, and when it has grown, a new file with what is still needed replaces it: the sum spent on each day, then
// the latest intents that landed, whose lamports are in those sums, the latest of the others that may have a transaction, then the
// unresolved ones and what stops trading.
//
//   {"crc32":"…","day":20454,"lamports":"1000000000"}
//   {"crc32":"…","landed":{…},"outcome":"landed","signature":"…"}
//   {"crc32":"…","ended":{…},"outcome":"failed","signature":"…"}
//   {"crc32":"…","begin":{…}}

import { type FileHandle, open, rename } from "node:fs/promises";
import { resolve } from "node:path";
import type { EndedTrade, IntentOutcome, Suspension, TradeIntent } from "launchpad-desk";
import type { ClosableJournal } from "../browser/journal.js";
import { JOURNAL_GROWTH, MAX_LINE } from "../generated.js";
import { SAYS } from "../symbols.js";
import { type Ending, Intents, endingOf, meaningOf, recordOf, saysAnything, suspensionOf } from "../browser/state.js";
import { onceFree } from "./busy.js";
import { checkedLine, readChecked, readLines, writeLines } from "./lines.js";
import { type Lock, lock, onlyName, stillOurs } from "./lock.js";
import { fileAt, syncFolderOf } from "./place.js";
import { StopFile } from "./stop.js";

/** The longest intent, in bytes. Its line can still be read with a longer name in front. */
const MAX_INTENT = MAX_LINE / 2;

/** The content of one line: one of these. */
interface Line {
  begin?: TradeIntent;
  settle?: string;
  outcome?: IntentOutcome;
  suspension?: Suspension;
  landed?: TradeIntent;
  ended?: TradeIntent;
  signature?: string;
  proven?: boolean;
  day?: number;
  lamports?: string;
}

const NAMES = {
  line: ["begin", "settle", "outcome", "suspension", "landed", "ended", "signature", "proven", "day", "lamports"],
  intent: [
    ...["intentId", "operation", "startedAtMs", "body"],
    ...["before", "throughGateway", "counted", "namedSignature"],
  ],
  before: ["wallet", "tokens", "lamports", "slot"],
  counted: ["lamports", "fees"],
  suspension: ["mode", "breakerOpen", "unknownsInARow"],
};

const lineOf = (record: Line): string => checkedLine(record);
const beginLine = (intent: TradeIntent): string => lineOf({ begin: intent });
const settleLine = (intentId: string, ending: Ending, suspension: Suspension = {}): string =>
  lineOf({ settle: intentId, ...endingOf(ending), ...(saysAnything(suspension) && { suspension }) });
const endedLine = (name: "landed" | "ended", ended: EndedTrade): string =>
  lineOf({ [name]: recordOf(ended), ...endingOf(ended) });
const suspensionLine = (suspension: Suspension): string => lineOf({ suspension });

/**
 * Makes a journal in the file at `path`, for Node, Bun and Deno: one line of JSON for each intent that begins, on the disk before it
 * is sent, and one for its end. It survives `kill -9` and power cuts. A complete last line is used, even without its line end; a torn
 * one is dropped, with a process warning (`JournalWarning`). Each line has a checksum (CRC-32).
 *
 * The file is opened at the first call, by one process at a time (`path.lock`). A link is followed, even to a file that does
 * not exist yet. Then, and each time it has doubled and grown by 8 MiB, the file is shortened to what is still needed: the
 * unresolved intents, the latest 10,000 that landed, and a sum for each day. In between it grows by some 400 bytes per trade.
 * It is read and written in pieces, so a long file needs no more memory. A kill during shortening leaves the complete old file
 * or the complete new one, and at most a `path.fresh`, which is ignored.
 *
 * The lock is released at a normal exit. A killed program leaves it behind. It is taken over if that program is known to have ended.
 * If that cannot be known (its machine or container had another name; or, on systems other than Linux, its process id is in use
 * again), no trade is sent, and the error says what to do: see `launchpad-desk doctor FILE`.
 *
 * Calls reject if another process has the file open, or if a line is damaged, which the error names. They also reject while a line cannot be
 * written, as on a full disk: what was written of it is cut off, and the next call tries again.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { fileJournal } from "launchpad-desk/node";
 *
 * const client = new TradeClient({ baseURL: "https://service.example", journal: fileJournal("trades.journal") });
 * ```
 */
export function fileJournal(path: string): ClosableJournal {
  let opened: Promise<OpenJournal> | undefined;
  /** The same, once it is open. */
  let current: OpenJournal | undefined;
  /** Opens it when first needed; if that fails, the next call tries again. */
  const journal = () =>
    (opened ??= openJournal(resolve(path)).then(
      (journal) => (current = journal),
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    ));
  // At once if it is open: what a program says of all trading comes after what it has heard by then.
  const named = async <T>(work: (open: OpenJournal) => T | Promise<T>): Promise<T> => {
    try {
      return await work(current ?? (await journal()));
    } catch (error) {
      throw saying(resolve(path), error);
    }
  };
  return {
    begin: (intent) => named((open) => open.begin(recordOf(intent))),
    settle: ({ intentId }, ending, suspension = {}) =>
      named((open) => open.settle(intentId, ending, suspensionOf(suspension))),
    keepSuspension: (change) => named((open) => open.keepSuspension(suspensionOf(change))),
    pending: () => named((open) => open.intents.pending()),
    landed: (sinceMs) => named((open) => open.intents.landed(sinceMs).map(recordOf)),
    recall: (sinceMs) => named((open) => open.intents.recall(sinceMs)),
    outsideMode: () => current?.stop.outsideMode(),
    async close() {
      const closing = opened;
      opened = current = undefined;
      await (await closing)?.close();
    },
  };
}

/** The error with what a client may say of it: the text is this file's or the system's, and names the file. */
function saying(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || Object.hasOwn(error, SAYS)) return error;
  const { message } = error;
  return Object.defineProperty(error, SAYS, {
    value: message.includes(file) ? message : `the journal ${file}: ${message}`,
  });
}

async function openJournal(path: string): Promise<OpenJournal> {
  const file = await fileAt(path);
  const held = await lock(file, "journal");
  try {
    onlyName(file, "journal");
    const journal = new OpenJournal(file, await readIntents(file), held);
    await journal.shorten();
    return journal;
  } catch (error) {
    await held.release();
    throw error;
  }
}

const warn = (message: string): void => process.emitWarning(message, { type: "JournalWarning" });

async function readIntents(file: string): Promise<Intents> {
  const intents = new Intents();
  let [count, isTorn] = [0, false];
  await readLines(file, (line, isEnded) => {
    count++;
    let isWhole = isEnded;
    try {
      const record = readChecked(line);
      isWhole = true;
      take(record as Line, intents);
    } catch (error) {
      // A kill or a power cut may tear the last line, which then has no end. Every other line was whole once, and is needed.
      if (isWhole)
        throw new Error(
          `line ${count} of the journal ${file} cannot be read (${(error as Error).message}): check it before you trade again`,
        );
      isTorn = true;
    }
  });
  intents.interrupted();
  if (isTorn)
    warn(
      `the last line of the journal ${file}, line ${count}, was torn and is dropped: for a torn begin nothing was sent, and a torn end leaves its trade unresolved`,
    );
  return intents;
}

function take(record: Line, intents: Intents): void {
  refuseStrangers(record, NAMES.line);
  const { begin, settle, outcome, suspension, landed, ended, day, lamports } = record;
  if (begin) intents.begin(readIntent(begin));
  else if (landed)
    intents.land(
      Object.freeze({ ...readIntent(landed), ...endingOf({ ...record, outcome: checkedOutcome(outcome) }) }),
    );
  else if (ended)
    intents.end(Object.freeze({ ...readIntent(ended), ...endingOf({ ...record, outcome: checkedOutcome(outcome) }) }));
  else if (suspension && settle === undefined) intents.keepSuspension(readSuspension(suspension));
  else if (day === undefined)
    intents.settle(
      settle as string,
      { ...record, outcome: outcome as IntentOutcome },
      readSuspension(suspension ?? {}),
    );
  else if (Number.isSafeInteger(day) && lamports !== undefined && /^\d+$/.test(lamports))
    intents.spend(day, BigInt(lamports));
  else throw new TypeError("a day without lamports");
}

function readIntent(line: TradeIntent): TradeIntent {
  refuseStrangers(line, NAMES.intent);
  for (const held of line.before ?? []) refuseStrangers(held, NAMES.before);
  refuseStrangers(line.counted ?? {}, NAMES.counted);
  return recordOf(line);
}

function readSuspension(line: Suspension): Suspension {
  refuseStrangers(line, NAMES.suspension);
  return suspensionOf(line);
}

/** What a newer version has written may matter, and would be lost when the file is shortened. */
function refuseStrangers(record: object, names: readonly string[]): void {
  const stranger = Object.keys(record).find((name) => !names.includes(name));
  if (stranger !== undefined) throw new TypeError(`${stranger} does not belong in a journal`);
}

function checkedOutcome(outcome: IntentOutcome | undefined): IntentOutcome {
  meaningOf(outcome as IntentOutcome);
  return outcome as IntentOutcome;
}

/** A line to be written, and with `sync` to be on the disk. */
interface Waiting {
  line: string;
  sync: boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A locked journal. Lines that arrive together are written and synced together. */
class OpenJournal {
  readonly intents: Intents;
  readonly stop: StopFile;
  #file: string;
  #held: Lock;
  /** Open once it has been shortened for the first time. */
  #handle: FileHandle | undefined;
  #bytes = 0;
  #mostBytes = 0;
  #lines: Waiting[] = [];
  #writing = Promise.resolve();
  /** Whether the intents have more than the file, because lines could not be written. */
  #lacksLines = false;
  /** Why the journal can no longer write, if so: the file ends with half a line. */
  #broken: { error: unknown } | undefined;

  constructor(file: string, intents: Intents, held: Lock) {
    this.#file = file;
    this.intents = intents;
    this.#held = held;
    this.stop = new StopFile(file, intents.suspension(), (change) => this.#keepStop(change));
    if (this.stop.since) intents.keepSuspension(this.stop.since);
  }

  /** Another program has said what may be traded. The stop file has it, so that nothing waits for this line. */
  #keepStop(change: Suspension): void {
    // Why it cannot be written is told to the next trade.
    if (!this.#broken && this.intents.keepSuspension(change))
      this.#append(suspensionLine(change), false).catch(() => {});
  }

  async begin(intent: TradeIntent): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    const line = beginLine(intent);
    if (Buffer.byteLength(line) > MAX_INTENT) throw new RangeError(`an intent of over ${MAX_INTENT} bytes is too long`);
    this.intents.begin(intent);
    try {
      await this.#append(line, true);
    } catch (error) {
      this.intents.settle(intent.intentId, { outcome: "not_sent" }, {});
      throw error;
    }
  }

  async settle(intentId: string, ending: Ending, suspension: Suspension): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    if (this.intents.settle(intentId, ending, suspension))
      await this.#append(settleLine(intentId, ending, suspension), false);
  }

  async keepSuspension(change: Suspension): Promise<void> {
    if (change.mode !== undefined) await this.stop.say(change.mode);
    try {
      if (this.#broken) throw this.#broken.error;
      if (this.intents.keepSuspension(change)) await this.#append(suspensionLine(change), true);
    } catch (error) {
      // The stop file has a stop, whether or not the journal can be written. It has not what the breaker is.
      if (change.mode === undefined || change.mode === "active") throw error;
    }
  }

  /** Resolves when the line is written, and with `sync` when it is on the disk. */
  #append(line: string, sync: boolean): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#lines.push({ line, sync, resolve, reject });
      if (this.#lines.length === 1) this.#writing = this.#writing.then(() => this.#write());
    });
  }

  async #write(): Promise<void> {
    let lines: Waiting[] = [];
    try {
      await this.#mustBeHeld();
      // Until the next await, the intents are the file's content plus these lines.
      [lines, this.#lines] = [this.#lines, []];
      const isDue = this.#lacksLines || this.#bytes > this.#mostBytes;
      if (!isDue || !(await this.#hasShortened())) await this.#appendAll(lines);
      for (const { resolve } of lines) resolve();
    } catch (error) {
      this.#lacksLines = true;
      for (const { reject } of [...lines, ...this.#lines.splice(0)]) reject(error);
    }
  }

  async #mustBeHeld(): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    if (this.#handle) stillOurs(this.#file, "journal", this.#handle.fd, this.#bytes);
    if (!(await this.#held.isHeld())) throw new Error("another process has taken over the journal");
  }

  async #appendAll(lines: Waiting[]): Promise<void> {
    const handle = this.#handle as FileHandle;
    const text = lines.map(({ line }) => line).join("");
    const isSynced = lines.some(({ sync }) => sync);
    try {
      await handle.appendFile(text);
      if (isSynced) await handle.sync();
    } catch (error) {
      // A line after half a line would be lost.
      await handle.truncate(this.#bytes).catch(() => (this.#broken = { error }));
      throw error;
    }
    this.#bytes += Buffer.byteLength(text);
    if (isSynced) stillOurs(this.#file, "journal", handle.fd, this.#bytes);
  }

  /** Whether it could be shortened; if not, the file is unchanged. */
  async #hasShortened(): Promise<boolean> {
    try {
      await this.shorten();
      return true;
    } catch (error) {
      if (!this.#handle) throw error;
      await this.#mustBeHeld();
      // There may be no room for a second file, but still some for a line.
      this.#mostBytes = 2 * this.#bytes;
      warn(`the journal ${this.#file} could not be shortened and keeps growing: ${(error as Error).message}`);
      return false;
    }
  }

  /** Replaces the file with a new one that has only what is still needed. */
  async shorten(): Promise<void> {
    const fresh = `${this.#file}.fresh`;
    const bytes = await writeLines(fresh, stillNeeded(this.intents));
    await this.#mustBeHeld();
    const old = this.#handle;
    this.#handle = undefined;
    await old?.close();
    try {
      await onceFree(() => rename(fresh, this.#file));
    } catch (error) {
      if (old) this.#handle = await open(this.#file, "a");
      throw error;
    }
    await syncFolderOf(this.#file);
    this.#handle = await open(this.#file, "a");
    this.#bytes = bytes;
    this.#mostBytes = 2 * bytes + JOURNAL_GROWTH;
    this.#lacksLines = false;
  }

  async close(): Promise<void> {
    await this.stop.written();
    await this.#writing;
    try {
      await this.#handle?.close();
    } finally {
      await this.#held.release();
    }
  }
}

/** The lines of a new file. Their content is fixed now, and written piece by piece. */
function stillNeeded(intents: Intents): Iterable<string> {
  const [days, landed, ended, pending] = [
    intents.days(),
    intents.landed(-Infinity),
    intents.ended(),
    intents.pending(),
  ];
  const [unknown, suspension] = [intents.unknown(), intents.suspension()];
  return (function* () {
    for (const [day, lamports] of days) yield lineOf({ day, lamports: `${lamports}` });
    for (const trade of landed) yield endedLine("landed", trade);
    for (const trade of ended) yield endedLine("ended", trade);
    for (const intent of pending) yield beginLine(intent);
    for (const intentId of unknown) yield settleLine(intentId, { outcome: "unknown" });
    if (saysAnything(suspension)) yield suspensionLine(suspension);
  })();
}
