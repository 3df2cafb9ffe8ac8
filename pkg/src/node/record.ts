// The record of a desk in a file, and its head in another beside it. The lines come from `launchpad-desk/record`.
//
// Lines are on the disk before the head names them. So a kill or a power cut leaves a torn last line, which is cut off again, or whole lines
// that the head does not name yet, which count. A head that names a line which is not there is never written.

import { createHash } from "node:crypto";
import { type FileHandle, open, rename, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readIfThere } from "./code.js";
import { type Lock, lock, onlyName, stillOurs } from "./lock.js";
import { onceFree } from "./busy.js";
import { fileAt, syncFolderOf } from "./place.js";

/** How much of a file's end is looked at: far more than the lines that are written together. */
const TAIL = 1 << 22;

/** The file of a record. See {@link fileRecord}. */
export interface FileRecord {
  /** The head of what is there; empty for a new record. */
  head(): Promise<string>;
  /** Appends lines, and keeps the new head. */
  append(lines: string, head: string): Promise<void>;
  /** Releases the file. The next call opens it again. */
  close(): Promise<void>;
}

const headOf = (path: string): string => `${path}.head`;

/**
 * Keeps a record in the file at `path`, and its head in `path.head`, for Node, Bun and Deno: for a `DeskRecord` of `launchpad-desk/record`.
 * Lines are on the disk before a trade is sent. One process at a time has the file open (`path.lock`).
 *
 * @param options - `copyHead` gets each new head, for a second place: then nobody who holds both files can write them anew unseen. What it
 * throws stops the record.
 *
 * @example
 * ```ts
 * import { appendFile } from "node:fs/promises";
 * import { fileRecord } from "launchpad-desk/node";
 * import { DeskRecord } from "launchpad-desk/record";
 *
 * const copyHead = (head: string) => appendFile("/mnt/other/desk.heads", head);
 * const record = new DeskRecord(fileRecord("desk.log", { copyHead }));
 * ```
 */
export function fileRecord(path: string, { copyHead }: { copyHead?: (head: string) => unknown } = {}): FileRecord {
  let opened: Promise<OpenRecord> | undefined;
  const record = (): Promise<OpenRecord> =>
    (opened ??= openRecord(resolve(path)).catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  return {
    head: async () => (await record()).head,
    async append(lines, head) {
      await (await record()).append(lines, head);
      await copyHead?.(head);
    },
    async close() {
      const closing = opened;
      opened = undefined;
      await (await closing)?.close();
    },
  };
}

type OpenRecord = Pick<FileRecord, "append" | "close"> & { readonly head: string };

async function openRecord(path: string): Promise<OpenRecord> {
  const file = await fileAt(path);
  const held: Lock = await lock(file, "record");
  let handle: FileHandle | undefined;
  try {
    onlyName(file, "record");
    // For reading and appending; it is made if it is not there.
    handle = await open(file, "a+", 0o600);
    const before = (await readIfThere(headOf(file))) ?? "";
    const own = handle;
    const { head: last, bytes, isTorn } = await endOf(own, file, before.trim());
    let head = last;
    let size = bytes;
    if (isTorn) {
      process.emitWarning(`the last line of the record ${file} was torn and is dropped: nothing was sent after it`, {
        type: "RecordWarning",
      });
      await own.truncate(bytes);
    }
    if (head !== before.trim()) await keepHead(file, `${head}\n`);
    await syncFolderOf(file);
    return {
      get head() {
        return head;
      },
      async append(lines, next) {
        stillOurs(file, "record", own.fd, size);
        if (!(await held.isHeld())) throw new Error("another process has taken over the record");
        await own.appendFile(lines);
        await own.datasync();
        size += Buffer.byteLength(lines);
        stillOurs(file, "record", own.fd, size);
        await keepHead(file, next);
        // Without its first head, a record that has gone on would be refused after a power cut.
        if (!head) await syncFolderOf(file);
        head = next;
      },
      async close() {
        try {
          await own.close();
        } finally {
          await held.release();
        }
      },
    };
  } catch (error) {
    await handle?.close();
    await held.release();
    throw error;
  }
}

/** Replaces the head, so that there is always a whole one, after a power cut, too: that or the one before, whose lines after it count. */
async function keepHead(file: string, head: string): Promise<void> {
  const fresh = `${headOf(file)}.fresh`;
  await writeFile(fresh, head, { mode: 0o600, flush: true });
  await onceFree(() => rename(fresh, headOf(file)));
}

/** A field of a line, or of a head; undefined if it has none. */
function fieldIn(text: string, name: "previous" | "hash"): unknown {
  try {
    return (JSON.parse(text) as { [field in typeof name]?: unknown })[name];
  } catch {
    return undefined;
  }
}

const hashOf = (line: string): string => createHash("sha256").update(line).digest("hex");

/** Where a record ends. */
export interface RecordEnd {
  /** The head of its last whole line. */
  readonly head: string;
  /** How long its whole lines are. */
  readonly bytes: number;
  /** Whether a torn line follows. */
  readonly isTorn: boolean;
}

/**
 * Where a file's whole lines end. Those after the one that the head names were written when the program ended, or are being written.
 *
 * @throws if it does not end where its head says.
 */
export async function endOf(handle: FileHandle, file: string, head: string): Promise<RecordEnd> {
  const { size } = await handle.stat();
  const from = Math.max(0, size - TAIL);
  const tail = Buffer.alloc(size - from);
  await handle.read(tail, 0, tail.length, from);
  const whole = tail.lastIndexOf(10) + 1;
  const end = { bytes: from + whole, isTorn: whole < tail.length };
  const text = tail.subarray(0, whole).toString();
  const lines = text.split("\n").slice(from > 0 ? 1 : 0, -1);
  const refused = (what: string): Error =>
    new Error(`the record ${file} ${what}: see \`launchpad-desk verify\`, and move both files away to begin a new one`);
  const last = lines.at(-1);
  if (last === undefined) {
    if (head) throw refused("lacks the lines that its head names");
    return { head: "", ...end };
  }
  const named = head ? fieldIn(head, "hash") : undefined;
  if (head && named === undefined) throw refused("has a head that cannot be read");
  const isBegun = head === "" && lines.length <= 16 && from === 0;
  // After a power cut the head may be an older one.
  let at = isBegun ? -1 : lines.length - 1;
  while (at >= 0 && hashOf(lines[at]!) !== named) at--;
  if (!isBegun && at < 0) throw refused("does not end where its head says");
  // What this program wrote after it last kept a head follows from it.
  let hash = isBegun ? "" : (named as string);
  for (const line of lines.slice(at + 1)) {
    if (fieldIn(line, "previous") !== hash) throw refused("has a line after its head that does not follow from it");
    hash = hashOf(line);
  }
  const { number } = JSON.parse(last) as { number: number };
  return { head: JSON.stringify({ number, hash }), ...end };
}
