// One process at a time: a lock file beside the locked one, which says who holds it. Journals and sandboxes share it, and programs in
// Rust (crates/client/src/journal/lock.rs) know the same form.
//
// It is released at a normal exit. A killed process leaves its lock behind. The lock is taken over if its process is known to have
// ended. If that cannot be known, as for a process on another machine, a person has to remove it, with the command `doctor FILE`.

import { randomUUID } from "node:crypto";
import { fstatSync, statSync, unlinkSync } from "node:fs";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { onceFree } from "./busy.js";
import { codeOf, ifMissing, readIfThere, readIfThereNow } from "./code.js";

export interface Holder {
  host: string;
  pid: number;
  /** When its process was started, if the system says. */
  start: string | undefined;
}

/** What is known of the process that holds a lock. `perhaps`: another process may have got its id since. */
export type Running = "no" | "perhaps" | "yes" | "on another host";

/** A lock that this process has taken. */
export interface Lock {
  /** Whether this process still holds it: another may have taken it over. */
  isHeld(): Promise<boolean>;
  /** The same, synchronously. */
  isHeldNow(): boolean;
  release(): Promise<void>;
}

/** Refuses a file that has other names, under which another program would not see this one's lock. It may not exist yet. */
export function onlyName(file: string, what: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && found.isFile() && found.nlink > 1)
    throw new Error(
      `the ${what} ${file} has ${found.nlink} names (hard links), and programs that use different ones would not see each other: remove the others`,
    );
}

/**
 * Refuses a file that is not at its path any more, has another name, or was written by others. It is asked before a line is written and again
 * once it is on the disk: whoever opens the file elsewhere after that has the line.
 */
export function stillOurs(file: string, what: string, fd: number, bytes: number): void {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  const refused = (how: string): Error => new Error(`the ${what} ${file} ${how}`);
  const unused = "This program does not use it any more:";
  if (!found)
    throw refused(
      `is not where it was: it was renamed, moved or deleted while this program had it open. ${unused} end it, put the file back, and start it again`,
    );
  const own = fstatSync(fd, { bigint: true });
  if (own.dev !== found.dev || own.ino !== found.ino)
    throw refused(
      `is another file now: the one that this program has open was renamed, replaced or deleted. ${unused} end it, put the right file there, and start it again`,
    );
  onlyName(file, what);
  if (own.size !== BigInt(bytes))
    throw refused(
      `was changed by another program while this one had it open. ${unused} end both, find out which trades were made, and start again`,
    );
}

export const lockOf = (file: string): string => `${file}.lock`;

/** The state of a process and when it was started, if the system says (Linux). The start shows whether a process id has been reused. */
async function statOf(pid: number): Promise<{ state?: string; start?: string }> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The name in it may contain anything, even brackets and spaces. The first field after it is the state, the 20th is the start.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  return start ? { ...(state && { state }), start } : {};
}

export async function isRunning({ host, pid, start }: Holder): Promise<Running> {
  if (host !== hostname()) return "on another host";
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === "ESRCH") return "no";
  }
  const now = await statOf(pid);
  // A zombie has ended; its parent has not collected its status yet.
  if (now.state === "Z" || now.state === "X") return "no";
  if (now.start === undefined || start === undefined) return "perhaps";
  return now.start === start ? "yes" : "no";
}

/** Who holds a lock with this text; undefined if it is none. */
function holderOf(text: string): Holder | undefined {
  try {
    const { host, pid, start } = JSON.parse(text);
    if (typeof host === "string" && Number.isSafeInteger(pid))
      return { host, pid, start: typeof start === "string" ? start : undefined };
  } catch {
    // Something else has that name.
  }
  return undefined;
}

/** Who holds the lock of a file, and its text; undefined if there is none. */
export async function holderAt(file: string): Promise<{ text: string; holder: Holder | undefined } | undefined> {
  const text = await readIfThere(lockOf(file));
  return text === undefined ? undefined : { text, holder: holderOf(text) };
}

/** Removes the lock of a file; resolves to whether it was still the one with this text. */
export async function removeLock(file: string, text: string): Promise<boolean> {
  if ((await readIfThere(lockOf(file))) !== text) return false;
  await onceFree(() => unlink(lockOf(file)));
  return true;
}

/** A path in a command, quoted if a shell would take it apart. */
const quoted = (path: string): string => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

function refusal(file: string, what: string, { pid, host }: Holder, running: Running): Error {
  const holds = `the ${what} ${file} is in use by process ${pid}`;
  if (running === "yes") return new Error(`${holds} on this host: end that program first`);
  if (running === "perhaps")
    return new Error(
      `${holds} on this host: end that program first; if that process is another program, delete ${lockOf(file)}`,
    );
  return new Error(
    `${holds} on the host ${host}, which cannot be checked from here: once that program has ended, run "npx launchpad-desk doctor ${quoted(file)}", or delete ${lockOf(file)}`,
  );
}

/** The errors of a disk without links: FAT, and some network disks. Windows has other codes. */
const NO_LINKS = ["EPERM", "EACCES", "EINVAL", "EISDIR", "EMLINK", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

/** Puts the lock at `path`, unless one is there; resolves to whether it did. A link is atomic, and only one of several processes can make it. */
async function put(draft: string, path: string, text: string): Promise<boolean> {
  try {
    try {
      await link(draft, path);
    } catch (error) {
      if (!NO_LINKS.includes(codeOf(error))) throw error;
      // Here too, only one of several can succeed. A kill in between leaves a lock that a person has to remove.
      await writeFile(path, text, { flag: "wx" });
    }
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** The locks that this process holds: their paths and texts. */
const held = new Map<string, string>();

/** At a normal exit nothing asynchronous can run any more. What cannot be removed then is taken over later, like that of a kill. */
function releaseAll(): void {
  for (const [path, own] of held) {
    try {
      if (readIfThereNow(path) === own) unlinkSync(path);
    } catch {
      // It stays behind.
    }
  }
}

/** Takes the lock of a file, or throws if another process holds it, or may hold it. `what` names the locked thing in messages. */
export async function lock(file: string, what: string): Promise<Lock> {
  const [path, token] = [lockOf(file), randomUUID()];
  const own = JSON.stringify({ pid: process.pid, host: hostname(), start: (await statOf(process.pid)).start, token });
  const draft = `${path}.${token}`;
  try {
    await writeFile(draft, own);
    while (!(await put(draft, path, own))) await removeStale(file, token, what);
  } finally {
    // A leftover draft is not a lock, and no reason to fail after the lock was taken.
    await unlink(draft).catch(() => {});
  }
  if (!held.size) process.on("exit", releaseAll);
  held.set(path, own);
  const isHeld = async () => (await readIfThere(path)) === own;
  return {
    isHeld,
    isHeldNow: () => readIfThereNow(path) === own,
    async release() {
      try {
        await removeLock(file, own);
      } finally {
        held.delete(path);
        if (!held.size) process.off("exit", releaseAll);
      }
    },
  };
}

/** Removes the lock of a process that has ended; throws for any other. */
async function removeStale(file: string, token: string, what: string): Promise<void> {
  const [path, at] = [lockOf(file), await holderAt(file)];
  if (!at) return;
  const { text: found, holder } = at;
  if (!holder) throw new Error(`${path} is not a lock of the ${what} ${file}: delete it if no other program uses it`);
  const running = await isRunning(holder);
  if (running !== "no") throw refusal(file, what, holder, running);
  // Another process may have done the same and already have put its own lock there. Then it gets that back; until then it does not
  // hold the lock, and begins nothing.
  const taken = `${path}.${token}.stale`;
  await onceFree(() => rename(path, taken)).catch(ifMissing);
  const moved = await readIfThere(taken);
  if (moved !== undefined && moved !== found) await put(taken, path, moved).catch(() => {});
  if (moved !== undefined) await onceFree(() => unlink(taken));
}
