// The state of a sandbox in a file: a snapshot of many rows to a line, then a line of rows for each call, on the disk before the call is
// answered. Requests that come at the same time share a sync.
//
// If a call's rows cannot be stored, the call is refused and what was written of it is removed. When the file is opened, and when it
// has grown, a new file with a snapshot replaces it.

import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Sandbox } from "launchpad-desk/sandbox";
import type { Pieces, StoredPieces } from "../sandbox/world.js";
import { PIECES } from "../symbols.js";
import { onceFree } from "./busy.js";
import { ifMissing } from "./code.js";
import { type Lock, lock, onlyName, stillOurs } from "./lock.js";
import { type Line, lineOf, readLog } from "./log.js";
import { fileAt, syncFolderOfNow } from "./place.js";

/** The version of the file format. */
const FORMAT = 2;

/** A snapshot is taken once the file has doubled since the last one and grown by this many bytes. */
const GROWTH = 1 << 20;

/** How many rows are applied at once: those of a snapshot come so many to a line, those of a call are few. */
const PIECE = 1_000;

/** The parts of a sandbox that are needed to keep its state. */
type Stateful = Pick<Sandbox, "onChanges" | "origin"> & { readonly [PIECES]: Pieces };

/** The sandbox that a log belongs to. */
interface Origin {
  format: number;
  /** The settings that decide the results of calls. */
  settings: Record<string, string>;
}

/** The content of a line. */
interface LineContent {
  /** In the first line. */
  log?: Origin;
  /** The rows as text: as JS numbers, their integers would lose digits. */
  rows: string[];
}

/** The state of a sandbox that is kept in a file: what {@link keepState} gives. */
export interface KeptState {
  /** Closes the file. From then on the sandbox refuses every change, and another program may open the file. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Warns a person of what is not an error. */
const warn = (message: string): void => process.emitWarning(message, { type: "StateWarning" });

const rowsText = (rows: readonly string[]): string => `"rows":${JSON.stringify(rows)}`;

/** Writes all bytes from this position: the system may write only a part at a time. */
function writeAll(fd: number, bytes: Uint8Array, from: number): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done, from + done);
}

/** An error of the system, with the file's name: that of a full disk has none. */
function naming(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return /^E[A-Z]+$/.test(code ?? "") && !message.includes(file)
    ? new Error(`the log ${file} cannot be kept: ${message}`, { cause: error })
    : error;
}

/** Throws if a log does not belong to this sandbox. */
function checkOrigin(file: string, { format, settings }: Origin, origin: Origin): void {
  const own = origin.settings;
  if (format !== FORMAT || settings["version"] !== own["version"])
    throw new Error(
      `the log ${file} was written by another version of this package: use that version, or another file`,
    );
  const differing = Object.keys({ ...settings, ...own }).filter((name) => settings[name] !== own[name]);
  if (differing.length)
    throw new Error(
      `the log ${file} is of a sandbox with other settings (${differing.join(", ")}): use those, or another file`,
    );
}

/** Applies the rows of a log; resolves to whether there is a file. `warned` says of a torn last line. */
async function applyRowsIn(file: string, origin: Origin, stored: StoredPieces, warned = warn): Promise<boolean> {
  const found = await stat(file).catch(ifMissing);
  if (!found) return false;
  if (found.isDirectory()) throw new Error(`${file} is a folder: name a file in it`);
  if (found.size === 0) throw new Error(`${file} is empty, and not the log of a sandbox: remove it to start again`);
  let rows: string[] = [];
  const apply = () => {
    stored.apply(rows);
    rows = [];
  };
  const torn = await readLog(file, (says) => {
    const { log, rows: more } = says as LineContent;
    if (log) checkOrigin(file, log, origin);
    for (const row of more) rows.push(row);
    if (rows.length >= PIECE) apply();
  });
  apply();
  if (torn)
    warned(`the last line of the log ${file}, line ${torn}, was torn and is dropped: its call was never answered`);
  return true;
}

/** Makes a sandbox continue where the file at `path` ends now, which another program may write. Resolves to whether there is a file. */
export async function readState(sandbox: Pick<Sandbox, "origin">, path: string): Promise<boolean> {
  const whole = sandbox as unknown as Stateful;
  const stored = whole[PIECES].stored();
  try {
    // The last line may be half written.
    const isThere = await applyRowsIn(path, { format: FORMAT, settings: whole.origin }, stored, () => {});
    if (isThere) stored.swap();
    return isThere;
  } finally {
    stored.free();
  }
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
  /** The last sync that calls wait for; it begins when the one before is done. */
  #syncing: Promise<void> = Promise.resolve();
  /** The same, as long as it has not begun. */
  #next: Promise<void> | undefined;
  #isSyncing = false;

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

  /**
   * Stores what a call changes. If it throws, the call changes nothing. With `later`, the line is only written at first: calls that come
   * while the disk is busy share the next sync.
   */
  store(changes: readonly { row: string }[], later?: (stored: Promise<void>) => void): void {
    if (this.#broken)
      throw new Error(`nothing is stored in ${this.#file} any more: ${(this.#broken as Error).message}`, {
        cause: this.#broken,
      });
    this.#mustBeHeld();
    const members = `${rowsText(changes.map(({ row }) => row))}}`;
    // While a sync runs, its file must stay open. The next sync replaces it.
    if (this.#bytes + members.length > this.#mostBytes && !this.#isSyncing) this.#tryToShorten();
    this.#append(lineOf(this.#sum, members), later !== undefined);
    later?.(this.#synced());
  }

  #mustBeHeld(): void {
    if (this.#fd !== undefined) stillOurs(this.#file, "log", this.#fd, this.#bytes);
    if (!this.#held.isHeldNow()) throw new Error(`another process has taken ${this.#file} over`);
  }

  #append({ text, sum }: Line, isSyncedLater: boolean): void {
    const fd = this.#fd as number;
    const line = Buffer.from(text);
    try {
      writeAll(fd, line, this.#bytes);
      if (!isSyncedLater) fdatasyncSync(fd);
    } catch (error) {
      this.#takeBack(fd, error);
      throw new Error(`it could not be stored in ${this.#file}: ${(error as Error).message}`, { cause: error });
    }
    this.#sum = sum;
    this.#bytes += line.length;
  }

  /** Resolves once every line so far is on the disk. */
  #synced(): Promise<void> {
    if (this.#next) return this.#next;
    this.#next = this.#syncing.then(() => {
      this.#next = undefined;
      return this.#sync();
    });
    this.#syncing = this.#next;
    return this.#next;
  }

  async #sync(): Promise<void> {
    // A snapshot is synced, and has every call so far.
    if (this.#bytes > this.#mostBytes && this.#tryToShorten()) return;
    this.#isSyncing = true;
    try {
      await new Promise<void>((resolve, reject) =>
        fdatasync(this.#fd as number, (error) => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      // The content of the disk is not known, and the calls have changed the sandbox: only what a later start reads is true.
      this.#broken = error;
      throw new Error(`it may not be stored in ${this.#file}: ${(error as Error).message}`, { cause: error });
    } finally {
      this.#isSyncing = false;
    }
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

  /** Whether it was shortened. If it cannot be, the file is unchanged. */
  #tryToShorten(): boolean {
    try {
      this.#shorten();
      return true;
    } catch (error) {
      if (this.#fd === undefined) {
        this.#broken = error;
        throw error;
      }
      // There may be no room for a second file, but still some for a line.
      this.#mostBytes = 2 * this.#bytes + GROWTH;
      warn(`the log ${this.#file} could not be shortened and keeps growing: ${(error as Error).message}`);
      return false;
    }
  }

  /** Replaces the file with a new one that begins with a snapshot. */
  #shorten(): void {
    const fresh = `${this.#file}.fresh`;
    let written: { sum: string; bytes: number };
    try {
      written = this.#writeFresh(fresh);
      this.#mustBeHeld();
      this.#replaceBy(fresh);
    } catch (error) {
      // The new file may be what fills the disk.
      rmSync(fresh, { force: true });
      throw error;
    }
    syncFolderOfNow(this.#file);
    this.#fd = openSync(this.#file, "r+");
    this.#sum = written.sum;
    this.#bytes = written.bytes;
    this.#mostBytes = 2 * this.#bytes + GROWTH;
  }

  /** Writes a snapshot, some rows to a line. */
  #writeFresh(fresh: string): { sum: string; bytes: number } {
    const fd = openSync(fresh, "w", 0o600);
    try {
      let [sum, bytes] = ["", 0];
      for (const rows of this.#sandbox[PIECES].rows()) {
        const line = lineOf(sum, `${bytes ? "" : `"log":${JSON.stringify(this.#origin)},`}${rowsText(rows)}}`);
        const text = Buffer.from(line.text);
        writeAll(fd, text, bytes);
        [sum, bytes] = [line.sum, bytes + text.length];
      }
      fsyncSync(fd);
      return { sum, bytes };
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
    // Its waiters get the error if it failed.
    await this.#syncing.catch(() => {});
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
 * ends; otherwise the file is created. The changes of each call are one line, on the disk before the call is answered; requests that
 * come at the same time wait for the disk together. So the sandbox may be killed at any moment: it comes back with every trade that was answered, each of them in full. A torn last line
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
 * import { keepState } from "launchpad-desk/node";
 * import { Sandbox } from "launchpad-desk/sandbox";
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
export async function keepState(
  sandbox: Pick<Sandbox, "apply" | "onChanges" | "origin" | "rows">,
  path: string,
): Promise<KeptState> {
  if (typeof (sandbox as unknown as Partial<Stateful> | undefined)?.[PIECES]?.rows !== "function")
    throw new TypeError("keepState takes a sandbox");
  if (typeof path !== "string" || !path) throw new TypeError("keepState takes the path of a file");
  const whole = sandbox as unknown as Stateful;
  const file = await fileAt(resolve(path));
  const held = await lock(file, "log").catch((error: unknown) => {
    throw naming(file, error);
  });
  const log = new OpenLog(whole, file, held);
  const stored = whole[PIECES].stored();
  try {
    onlyName(file, "log");
    const origin = { format: FORMAT, settings: whole.origin };
    const isThere = await applyRowsIn(file, origin, stored);
    if (isThere) stored.swap();
    try {
      await onceFree(async () => {
        log.begin(origin);
        // Synchronously, so that no call comes in between.
        whole.onChanges((changes, later) => log.store(changes, later));
      });
    } catch (error) {
      if (isThere) stored.swap();
      throw error;
    }
  } catch (error) {
    await log.close();
    throw naming(file, error);
  } finally {
    stored.free();
  }
  const close = () => log.close();
  return { close, [Symbol.asyncDispose]: close };
}
