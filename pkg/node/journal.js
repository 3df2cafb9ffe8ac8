// A journal in a file: a line for what begins, on the disk before begin() resolves, and one for how it ends.
//
//   {"begin":{"intentId":"…","operation":"buy","startedAtMs":1767225600000,"body":"{…}"}}
//   {"settle":"…","outcome":"landed"}
//
// A kill or a power cut leaves at most a torn last line, and no begin() of it has resolved: nothing was sent for it.
// A lost last settle leaves its intent in doubt, which is true. So only what begins waits for the disk.

import { open, readFile, realpath, rename } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Intents, recordOf } from "../journal/state.js";
import { onceFree } from "./busy.js";
import { lock } from "./lock.js";

const beginLine = (intent) => `${JSON.stringify({ begin: intent })}\n`;
const settleLine = (intentId, outcome) => `${JSON.stringify({ settle: intentId, outcome })}\n`;

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
    async close() {
      const closing = opened;
      opened = undefined;
      await (await closing)?.close();
    },
  };
}

async function openJournal(path) {
  // A link to the file would be replaced, and not what it leads to.
  const file = await realpath(path).catch((error) => (error.code === "ENOENT" ? path : Promise.reject(error)));
  const held = await lock(`${file}.lock`);
  try {
    const intents = read(await readFile(file, "utf8").catch((error) => (error.code === "ENOENT" ? "" : Promise.reject(error))), file);
    return new OpenJournal(intents, await rewrite(file, intents), held);
  } catch (error) {
    await held.release();
    throw error;
  }
}

/** What the lines of a journal say. */
function read(text, file) {
  const intents = new Intents();
  // What follows the last line's end is a line that was never whole.
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    try {
      const { begin, settle, outcome } = JSON.parse(line);
      if (begin) intents.begin(recordOf(begin));
      else intents.settle(settle, outcome);
    } catch (error) {
      // A power cut may leave the last line in pieces, its end among them; any other was whole once, and is needed.
      if (index < lines.length - 1) throw new Error(`line ${index + 1} of the journal ${file} cannot be read (${error.message}): look into it before you trade on`);
    }
  }
  return intents;
}

/** Writes down what is still needed into a fresh file, and puts that in the place of the old one. */
async function rewrite(file, intents) {
  const fresh = `${file}.fresh`;
  const landed = intents.landed(0).map((intent) => beginLine(intent) + settleLine(intent.intentId, "landed"));
  const handle = await open(fresh, "w", 0o600);
  try {
    await handle.writeFile([...landed, ...intents.pending().map(beginLine)].join(""));
    await handle.sync();
  } finally {
    // Not every disk renames what is open.
    await handle.close();
  }
  await onceFree(() => rename(fresh, file));
  await syncFolder(dirname(file));
  return open(file, "a");
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

/** A journal whose file is open and locked. Lines that come together are written, and waited for, together. */
class OpenJournal {
  #handle;
  #held;
  #lines = [];
  #writing = Promise.resolve();
  #broken;

  constructor(intents, handle, held) {
    this.intents = intents;
    this.#handle = handle;
    this.#held = held;
  }

  async begin(intent) {
    if (this.#broken) throw this.#broken;
    this.intents.begin(intent);
    try {
      await this.#append(beginLine(intent), "sync");
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
    const lines = this.#lines;
    this.#lines = [];
    try {
      if (this.#broken) throw this.#broken;
      if (!(await this.#held.isHeld())) throw new Error("another process has taken the journal over");
      await this.#handle.appendFile(lines.map(({ line }) => line).join(""));
      if (lines.some(({ sync }) => sync)) await this.#handle.sync();
      for (const { resolve } of lines) resolve();
    } catch (error) {
      // What is in the file now, nobody knows: a line after half a line would be lost. Opening it anew clears that up.
      this.#broken = error;
      for (const { reject } of lines) reject(error);
    }
  }

  async close() {
    await this.#writing;
    await this.#handle.close();
    await this.#held.release();
  }
}
