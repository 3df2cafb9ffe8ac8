// One process at a time: a lock file that says who holds it.
//
// A killed process leaves its lock behind. The lock is taken over if its process is known to have ended. If that cannot be known, as
// for a process on another machine, a person has to remove it.

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { link, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { onceFree } from "./busy.js";
import { codeOf, ifMissing } from "./code.js";

/** Who holds a lock. */
interface Holder {
  host: string;
  pid: number;
  /** When its process was started, if the system tells. */
  start: string | undefined;
}

/** A lock that this process has taken. */
export interface Lock {
  /** Whether this process still holds it: another may have taken it over. */
  isHeld(): Promise<boolean>;
  /** The same, synchronously. */
  isHeldNow(): boolean;
  release(): Promise<void>;
}

/** When a process was started, if the system tells (Linux). It shows whether a process id has been reused. */
async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "");
  // The name in it may contain anything, even brackets and spaces. The 20th field after it is the start.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

async function isGone({ host, pid, start }: Holder): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
  const now = await startOf(pid);
  return now !== undefined && start !== undefined && now !== start;
}

const read = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(ifMissing);

function readNow(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return ifMissing(error);
  }
}

function holderOf(text: string, path: string, what: string): Holder {
  try {
    const { host, pid, start } = JSON.parse(text);
    return { host, pid, start };
  } catch {
    throw new Error(`${path} is no lock of this ${what}: remove it if no other program uses it`);
  }
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

/**
 * Takes the lock at `path`. `what` names the locked thing in messages.
 *
 * @throws if another process holds it, or may hold it
 */
export async function lock(path: string, what: string): Promise<Lock> {
  const token = randomUUID();
  const own = JSON.stringify({ pid: process.pid, host: hostname(), start: await startOf(process.pid), token });
  const draft = `${path}.${token}`;
  await writeFile(draft, own);
  try {
    while (!(await put(draft, path, own))) await removeStale(path, token, what);
  } finally {
    // A leftover draft is not a lock, and no reason to fail after the lock was taken.
    await unlink(draft).catch(() => {});
  }
  const isHeld = async () => (await read(path)) === own;
  return {
    isHeld,
    isHeldNow: () => readNow(path) === own,
    async release() {
      if (await isHeld()) await onceFree(() => unlink(path));
    },
  };
}

/** Removes the lock of a process that has ended; throws for any other. */
async function removeStale(path: string, token: string, what: string): Promise<void> {
  const found = await read(path);
  if (found === undefined) return;
  const holder = holderOf(found, path, what);
  if (!(await isGone(holder))) {
    throw new Error(`the ${what} is in use by process ${holder.pid} on ${holder.host}; if that is gone for good, remove ${path}`);
  }
  // Another process may have done the same and already have put its own lock there. Then it gets that back; until then it does not
  // hold the lock, and begins nothing.
  const taken = `${path}.${token}.stale`;
  await onceFree(() => rename(path, taken)).catch(ifMissing);
  const moved = await read(taken);
  if (moved !== undefined && moved !== found) await put(taken, path, moved).catch(() => {});
  if (moved !== undefined) await onceFree(() => unlink(taken));
}
