// A journal in a file: a line for what begins, on the disk before begin() resolves, and one for how it ends.
//
//   {"begin":{"intentId":"…","operation":"buy","startedAtMs":1767225600000,"body":"{…}"}}
//   {"settle":"…","outcome":"landed"}
//
// A kill or a power cut leaves at most a torn last line, and no begin() of it has resolved: nothing was sent for it.
// A lost last settle leaves its intent unresolved, which is true. So only a begin waits for the disk.
//
// When it is opened, and when it has grown, a fresh file with what is still needed takes its place: what was spent on each
// day, then the latest that landed, whose lamports are in those sums, then what is unresolved.
//
//   {"day":20454,"lamports":"1000000000"}
//   {"landed":{…}}
//   {"begin":{…}}

import { open, readlink, realpath, rename } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Intents, recordOf } from "../journal/state.js";
import { onceFree } from "./busy.js";
import { MAX_LINE, readLines, writeLines } from "./lines.js";
import { lock } from "./lock.js";

/** It is shortened once it has doubled and grown by these bytes. */
const GROWTH = 8 << 20;

/** The longest intent, in bytes. With a longer name before it, its line can still be read. */
const MAX_INTENT = MAX_LINE / 2;

const lineOf = (record) => `${JSON.stringify(record)}\n`;
const beginLine = (intent) => lineOf({ begin: intent });
const settleLine = (intentId, outcome) => lineOf({ settle: intentId, outcome });

/** A journal in the file at `path`. See index.d.ts. */
export function fileJournal(path) {
  let opened;
  /** Opens it when first needed; if that fails, the next call tries again. */
  const journal = () =>
    (opened ??= openJournal(resolve(path)).catch((error) => {
      opened = undefined;
      throw error;
    }));
  return {
    begin: async (intent) => (await journal()).begin(recordOf(intent)),
    settle: async ({ intentId }, { outcome }) => (await journal()).settle(intentId, outcome),
    pending: async () => (await journal()).intents.pending(),
    landed: async (sinceMs) => (await journal()).intents.landed(sinceMs),
    recall: async (sinceMs) => (await journal()).intents.recall(sinceMs),
    async close() {
      const closing = opened;
      opened = undefined;
      await (await closing)?.close();
    },
  };
}

async function openJournal(path) {
  const file = await fileAt(path);
  const held = await lock(`${file}.lock`);
  try {
    const journal = new OpenJournal(file, await readIntents(file), held);
    await journal.shorten();
    return journal;
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** The file that a path leads to, existing or not. Without this, a link would be replaced instead of its target. */
async function fileAt(path) {
  try {
    return await realpath(path);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  const folder = await realpath(dirname(path));
  const leadsTo = await readlink(path).catch((error) => (error.code === "ENOENT" ? undefined : Promise.reject(error)));
  return leadsTo === undefined ? join(folder, basename(path)) : fileAt(resolve(folder, leadsTo));
}

/** Warns a person of what is not an error. */
const warn = (message) => process.emitWarning(message, { type: "JournalWarning" });

/** What the lines of a journal say. */
async function readIntents(file) {
  const intents = new Intents();
  let count = 0;
  let unreadable;
  await readLines(file, (line) => {
    if (unreadable) throw unreadable;
    count++;
    try {
      take(JSON.parse(line), intents);
    } catch (error) {
      unreadable = new Error(`line ${count} of the journal ${file} cannot be read (${error.message}): look into it before you trade on`);
    }
  });
  // A power cut may tear the last line; every other line was whole once, and is needed.
  if (unreadable) warn(`the last line of the journal ${file}, line ${count}, was torn and is dropped: for a torn begin nothing was sent, and a torn end leaves its trade unresolved`);
  return intents;
}

/** Applies what one line says. */
function take({ begin, settle, outcome, landed, day, lamports }, intents) {
  if (begin) intents.begin(recordOf(begin));
  else if (landed) intents.land(recordOf(landed));
  else if (day === undefined) intents.settle(settle, outcome);
  else if (Number.isSafeInteger(day) && /^\d+$/.test(lamports)) intents.spend(day, BigInt(lamports));
  else throw new TypeError("no day and its lamports");
}

/** The errors of a disk that cannot sync a folder, such as some network disks. */
const NO_SYNC = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** A file's entry is on the disk only once its folder was synced. */
async function syncFolder(folder) {
  // Windows cannot open a folder, and keeps its entries by itself.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    if (!NO_SYNC.includes(error.code)) throw error;
  } finally {
    await handle.close();
  }
}

/** A locked journal. Lines that arrive together are written and synced together. */
class OpenJournal {
  #file;
  #held;
  /** Open once it has been shortened for the first time. */
  #handle;
  #bytes = 0;
  #mostBytes = 0;
  #lines = [];
  #writing = Promise.resolve();
  #broken;

  constructor(file, intents, held) {
    this.#file = file;
    this.intents = intents;
    this.#held = held;
  }

  async begin(intent) {
    if (this.#broken) throw this.#broken;
    const line = beginLine(intent);
    if (Buffer.byteLength(line) > MAX_INTENT) throw new RangeError(`an intent of over ${MAX_INTENT} bytes is none`);
    this.intents.begin(intent);
    try {
      await this.#append(line, "sync");
    } catch (error) {
      this.intents.settle(intent.intentId, "not_sent");
      throw error;
    }
  }

  async settle(intentId, outcome) {
    if (this.#broken) throw this.#broken;
    if (this.intents.settle(intentId, outcome)) await this.#append(settleLine(intentId, outcome));
  }

  /** Resolves when the line is written, and with "sync" when it is on the disk. */
  #append(line, sync) {
    return new Promise((resolve, reject) => {
      this.#lines.push({ line, sync, resolve, reject });
      if (this.#lines.length === 1) this.#writing = this.#writing.then(() => this.#write());
    });
  }

  async #write() {
    let lines = [];
    try {
      await this.#mustBeHeld();
      // Until the next wait, what the intents say is what the file says, and these lines.
      [lines, this.#lines] = [this.#lines, []];
      if (this.#bytes <= this.#mostBytes || !(await this.#hasShortened())) await this.#appendAll(lines);
      for (const { resolve } of lines) resolve();
    } catch (error) {
      // The file's content is now unknown: a line after half a line would be lost. Reopening it fixes that.
      this.#broken = error;
      for (const { reject } of [...lines, ...this.#lines.splice(0)]) reject(error);
    }
  }

  async #mustBeHeld() {
    if (this.#broken) throw this.#broken;
    if (!(await this.#held.isHeld())) throw new Error("another process has taken the journal over");
  }

  async #appendAll(lines) {
    const text = lines.map(({ line }) => line).join("");
    await this.#handle.appendFile(text);
    if (lines.some(({ sync }) => sync)) await this.#handle.sync();
    this.#bytes += Buffer.byteLength(text);
  }

  /** Whether it could be shortened; if not, the file is unchanged. */
  async #hasShortened() {
    try {
      await this.shorten();
      return true;
    } catch (error) {
      if (!this.#handle) throw error;
      await this.#mustBeHeld();
      // Where there is no room for a second file, there may be some for a line.
      this.#mostBytes = 2 * this.#bytes;
      warn(`the journal ${this.#file} could not be shortened, and grows on: ${error.message}`);
      return false;
    }
  }

  /** Writes what is still needed into a fresh file, and replaces the old one with it. */
  async shorten() {
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
    await syncFolder(dirname(this.#file));
    this.#handle = await open(this.#file, "a");
    this.#bytes = bytes;
    this.#mostBytes = 2 * bytes + GROWTH;
  }

  async close() {
    await this.#writing;
    try {
      await this.#handle?.close();
    } finally {
      await this.#held.release();
    }
  }
}

/** The lines of a fresh file. Their content is fixed now, and written piece by piece. */
function stillNeeded(intents) {
  const [days, landed, pending] = [intents.days(), intents.landed(-Infinity), intents.pending()];
  return (function* () {
    for (const [day, lamports] of days) yield lineOf({ day, lamports: `${lamports}` });
    for (const intent of landed) yield lineOf({ landed: intent });
    for (const intent of pending) yield beginLine(intent);
  })();
}
