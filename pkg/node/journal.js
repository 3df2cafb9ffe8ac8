// A journal in a file: a line for what begins, on the disk before begin() resolves, and one for how it ends.
//
//   {"begin":{"intentId":"…","operation":"buy","startedAtMs":1767225600000,"body":"{…}"}}
//   {"settle":"…","outcome":"landed"}
//
// A kill or a power cut leaves at most a torn last line, and no begin() of it has resolved: nothing was sent for it.
// A lost last settle leaves its intent in doubt, which is true. So only what begins waits for the disk.
//
// When it is opened, and when it has grown, a fresh file with what is still needed takes its place: what was spent on each
// day, then the latest that landed, whose lamports are in those sums, then what is in doubt.
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

/** It is shortened once it has twice the bytes that it began with, and these. */
const GROWTH = 8 << 20;

/** The longest intent, in bytes: another name before it makes no line that cannot be read again. */
const MAX_INTENT = MAX_LINE / 2;

const lineOf = (record) => `${JSON.stringify(record)}\n`;
const beginLine = (intent) => lineOf({ begin: intent });
const settleLine = (intentId, outcome) => lineOf({ settle: intentId, outcome });

/** A journal in the file at `path`. See index.d.ts. */
export function fileJournal(path) {
  let opened;
  /** Opens it when first asked; where that fails, the next to ask tries again. */
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

/** The file that a path leads to, be it there yet or not: a link would be replaced, and not what it leads to. */
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

/** Says what is no error, and yet for a person to know. */
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
  // A power cut may leave the last line in pieces, its end among them; any other was whole once, and is needed.
  if (unreadable) warn(`line ${count} of the journal ${file}, its last, was torn and is dropped: nothing was sent for a begin that is torn, and an end that is leaves its trade in doubt`);
  return intents;
}

/** Takes up what one line says. */
function take({ begin, settle, outcome, landed, day, lamports }, intents) {
  if (begin) intents.begin(recordOf(begin));
  else if (landed) intents.land(recordOf(landed));
  else if (day === undefined) intents.settle(settle, outcome);
  else if (Number.isSafeInteger(day) && /^\d+$/.test(lamports)) intents.spend(day, BigInt(lamports));
  else throw new TypeError("no day and its lamports");
}

/** What a disk says that has no such thing as a folder's sync, as one on the network may. */
const NO_SYNC = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** The folder's own entry for a file is on the disk only when the folder is. */
async function syncFolder(folder) {
  // Windows opens no folder, and keeps its entries by itself.
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

/** A journal that is locked. Lines that come together are written, and waited for, together. */
class OpenJournal {
  #file;
  #held;
  /** Open once it was shortened for the first time. */
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
      // What is in the file now, nobody knows: a line after half a line would be lost. Opening it anew clears that up.
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

  /** Whether it could be shortened; else the file is as it was. */
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

  /** Writes down what is still needed into a fresh file, and puts that in the place of the old one. */
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

/** The lines of a fresh file. What they say is settled now, and written out piece by piece. */
function stillNeeded(intents) {
  const [days, landed, pending] = [intents.days(), intents.landed(-Infinity), intents.pending()];
  return (function* () {
    for (const [day, lamports] of days) yield lineOf({ day, lamports: `${lamports}` });
    for (const intent of landed) yield lineOf({ landed: intent });
    for (const intent of pending) yield beginLine(intent);
  })();
}
