// The state of a sandbox in a file: a snapshot, then a line of rows for each call, on the disk before the call is answered.
//
// If a call's rows cannot be stored, the call is refused and what was written of it is removed. When the file is opened, and when it
// has grown, a new file with a snapshot replaces it.

import { closeSync, fdatasyncSync, fsyncSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Sandbox } from "launchpad-desk/launchpad";
import { onceFree } from "./busy.js";
import { ifMissing } from "./code.js";
import { type Lock, lock } from "./lock.js";
import { type Line, lineOf, readLog } from "./log.js";
import { fileAt, syncFolderOfNow } from "./place.js";

/** The version of the file format. */
const FORMAT = 2;

/** A snapshot is taken once the file has doubled since the last one and grown by this many bytes. */
const GROWTH = 1 << 20;

/** The row that drops all earlier rows. */
const RESET = '{"kind":"reset"}';

/** The parts of a sandbox that are needed to keep its state. */
type Stateful = Pick<Sandbox, "apply" | "onChanges" | "origin" | "rows">;

/** The sandbox that a log belongs to. */
interface Origin {
  format: number;
  /** The settings that decide the results of calls. */
  settings: Record<string, string>;
}

/** The content of a line. */
interface Says {
  /** In the first line. */
  log?: Origin;
  /** The rows as text: as JS numbers, their integers would lose digits. */
  rows: string[];
}

/**
 * The state of a sandbox that is kept in a file.
 *
 * @example
 * ```ts
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { keepState, type KeptState } from "launchpad-desk/node";
 *
 * const kept: KeptState = await keepState(new Sandbox(), "kept.log");
 * await kept.close();
 * ```
 */
export interface KeptState {
  /** Closes the file. From then on the sandbox refuses every change, and another program may open the file. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Warns a person of what is not an error. */
const warn = (message: string): void => process.emitWarning(message, { type: "StateWarning" });

const rowsText = (rows: readonly string[]): string => `"rows":${JSON.stringify(rows)}`;

/** Writes all bytes from this position: the system may write only a part at a time. */
function writeAll(fd: number, bytes: Uint8Array, from: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, from + done);
}

/** Throws if a log does not belong to this sandbox. */
function checkOrigin(file: string, { format, settings }: Origin, origin: Origin): void {
  const own = origin.settings;
  if (format !== FORMAT || settings["version"] !== own["version"]) throw new Error(`the log ${file} was written by another version of this package: use that version, or another file`);
  const differing = Object.keys({ ...settings, ...own }).filter((name) => settings[name] !== own[name]);
  if (differing.length) throw new Error(`the log ${file} is of a sandbox with other settings (${differing.join(", ")}): use those, or another file`);
}

/** The rows of a log, without those that a later reset has dropped; none if there is no file. */
async function rowsIn(file: string, origin: Origin): Promise<string[]> {
  const found = await stat(file).catch(ifMissing);
  if (!found) return [];
  if (found.size === 0) throw new Error(`${file} is empty, and no log of a sandbox: remove it to begin anew`);
  let rows: string[] = [];
  const torn = await readLog(file, (says) => {
    const { log, rows: more } = says as Says;
    if (log) checkOrigin(file, log, origin);
    for (const row of more) {
      if (row === RESET) rows = [];
      rows.push(row);
    }
  });
  if (torn) warn(`the last line of the log ${file}, line ${torn}, was torn and is dropped: its call was never answered`);
  return rows;
}

/** The log of a sandbox, locked. */
class OpenLog {
  #sandbox: Stateful;
  #file: string;
  #held: Lock;
  #origin: Origin | undefined;
  /** Open once a first snapshot was taken, and until it is closed. */
  #fd: number | undefined;
  /** The sum of its last line. */
  #sum = "";
  #bytes = 0;
  #mostBytes = 0;
  /** Why nothing is stored any more. */
  #broken: unknown;

  constructor(sandbox: Stateful, file: string, held: Lock) {
    this.#sandbox = sandbox;
    this.#file = file;
    this.#held = held;
  }

  /** Begins with what the sandbox has. */
  begin(origin: Origin): void {
    this.#origin = origin;
    this.#shorten();
  }

  /** Stores what a call changes. If it throws, the call changes nothing. */
  store(changes: readonly { row: string }[]): void {
    if (this.#broken) throw new Error(`nothing is stored in ${this.#file} any more: ${(this.#broken as Error).message}`, { cause: this.#broken });
    this.#mustBeHeld();
    const members = `${rowsText(changes.map(({ row }) => row))}}`;
    if (this.#bytes + members.length > this.#mostBytes) this.#tryToShorten();
    this.#append(lineOf(this.#sum, members));
  }

  #mustBeHeld(): void {
    if (!this.#held.isHeldNow()) throw new Error(`another process has taken ${this.#file} over`);
  }

  #append({ text, sum }: Line): void {
    const fd = this.#fd as number;
    const line = Buffer.from(text);
    try {
      writeAll(fd, line, this.#bytes);
      fdatasyncSync(fd);
    } catch (error) {
      this.#takeBack(fd, error);
      throw new Error(`it could not be stored in ${this.#file}: ${(error as Error).message}`, { cause: error });
    }
    this.#sum = sum;
    this.#bytes += line.length;
  }

  /** Removes a line that could not be stored: it must not count after a restart, nor precede the next one. */
  #takeBack(fd: number, error: unknown): void {
    try {
      ftruncateSync(fd, this.#bytes);
      fdatasyncSync(fd);
    } catch {
      this.#broken = error;
    }
  }

  /** If it cannot be shortened, the file is unchanged. */
  #tryToShorten(): void {
    try {
      this.#shorten();
    } catch (error) {
      if (this.#fd === undefined) {
        this.#broken = error;
        throw error;
      }
      // There may be no room for a second file, but still some for a line.
      this.#mostBytes = 2 * this.#bytes + GROWTH;
      warn(`the log ${this.#file} could not be shortened, and grows on: ${(error as Error).message}`);
    }
  }

  /** Replaces the file with a new one that begins with a snapshot. */
  #shorten(): void {
    const { text, sum } = lineOf("", `"log":${JSON.stringify(this.#origin)},${rowsText(this.#sandbox.rows())}}`);
    const snapshot = Buffer.from(text);
    const fresh = `${this.#file}.fresh`;
    try {
      this.#writeFresh(fresh, snapshot);
      this.#mustBeHeld();
      this.#replaceBy(fresh);
    } catch (error) {
      // The new file may be what fills the disk.
      rmSync(fresh, { force: true });
      throw error;
    }
    syncFolderOfNow(this.#file);
    this.#fd = openSync(this.#file, "r+");
    this.#sum = sum;
    this.#bytes = snapshot.length;
    this.#mostBytes = 2 * this.#bytes + GROWTH;
  }

  #writeFresh(fresh: string, snapshot: Uint8Array): void {
    const fd = openSync(fresh, "w", 0o600);
    try {
      writeAll(fd, snapshot, 0);
      fsyncSync(fd);
    } finally {
      // Some disks cannot rename an open file.
      closeSync(fd);
    }
  }

  /** Replaces the file, which is closed afterwards; if that fails, it is open again. */
  #replaceBy(fresh: string): void {
    const isOpen = this.#fd !== undefined;
    if (isOpen) closeSync(this.#fd as number);
    this.#fd = undefined;
    try {
      renameSync(fresh, this.#file);
    } catch (error) {
      if (isOpen) this.#fd = openSync(this.#file, "r+");
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#broken = new Error("it was closed");
    const fd = this.#fd;
    this.#fd = undefined;
    try {
      if (fd !== undefined) closeSync(fd);
    } finally {
      await this.#held.release();
    }
  }
}

/**
 * Keeps the state of a sandbox in the file at `path`, on Node, Bun and Deno. If the file exists, the sandbox continues where the file
 * ends; otherwise the file is created. The changes of each call are one line, on the disk before the call is answered. So the
 * sandbox may be killed at any moment: it comes back with every trade that was answered, each of them in full. A torn last line
 * belongs to a call that was never answered; it is dropped with a process warning (`StateWarning`). Any other damage is an error.
 *
 * If a call cannot be stored, for example because the disk is full, it is refused and nothing has changed. Once there is room, the
 * next one is stored.
 *
 * When the file is opened, and each time it has doubled and grown by 1 MiB, a snapshot replaces it. Only one program can have it
 * open (`path.lock`), as with a `fileJournal`. This store replaces that of `onChanges`.
 *
 * @example
 * ```ts
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { keepState } from "launchpad-desk/node";
 *
 * const sandbox = new Sandbox();
 * const kept = await keepState(sandbox, "sandbox.log");
 * sandbox.fund("eve", 2_000_000_000n);
 * await kept.close();
 *
 * const again = new Sandbox(); // after a restart
 * const keptAgain = await keepState(again, "sandbox.log");
 * console.log(again.snapshot() === sandbox.snapshot()); // true
 * await keptAgain.close();
 * ```
 *
 * @throws {TypeError} if the arguments are not a sandbox and a path. Rejects if another program has the file, or if the file is
 * damaged, is not the log of a sandbox, or belongs to another version or to other settings, which the error names. Then sandbox and
 * file are unchanged, and the sandbox keeps the store that it had.
 */
export async function keepState(sandbox: Pick<Sandbox, "apply" | "onChanges" | "origin" | "rows">, path: string): Promise<KeptState> {
  if (typeof sandbox?.rows !== "function") throw new TypeError("keepState takes a sandbox");
  if (typeof path !== "string" || !path) throw new TypeError("keepState takes the path of a file");
  const file = await fileAt(resolve(path));
  const held = await lock(file, "log");
  const log = new OpenLog(sandbox, file, held);
  try {
    const origin = { format: FORMAT, settings: sandbox.origin };
    const rows = await rowsIn(file, origin);
    const before = sandbox.rows();
    if (rows.length) sandbox.apply(rows);
    try {
      await onceFree(async () => {
        log.begin(origin);
        // Synchronously, so that no call comes in between.
        sandbox.onChanges((changes) => log.store(changes));
      });
    } catch (error) {
      sandbox.apply(before);
      throw error;
    }
  } catch (error) {
    await log.close();
    throw error;
  }
  const close = () => log.close();
  return { close, [Symbol.asyncDispose]: close };
}
