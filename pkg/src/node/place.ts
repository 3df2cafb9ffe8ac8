// Where a file is: the target of its path, and the folder that contains it; and how another takes its place.

import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import { open, readlink, realpath, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { onceFree } from "./busy.js";
import { codeOf, ifMissing } from "./code.js";

/** The file that a path leads to, existing or not. Without this, a link would be replaced instead of its target. */
export async function fileAt(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    ifMissing(error);
  }
  const folder = await realpath(dirname(path));
  const leadsTo = await readlink(path).catch(ifMissing);
  return leadsTo === undefined ? join(folder, basename(path)) : fileAt(resolve(folder, leadsTo));
}

/** The errors of a disk that cannot sync a folder, such as some network disks. */
const NO_SYNC = ["EINVAL", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"];

const unlessNoSync = (error: unknown): void => {
  if (!NO_SYNC.includes(codeOf(error))) throw error;
};

/** Windows cannot open a folder, and stores its entries without a sync. */
const KEEPS_ENTRIES = process.platform === "win32";

/** A file's entry is on the disk only once its folder was synced. */
export async function syncFolderOf(file: string): Promise<void> {
  if (KEEPS_ENTRIES) return;
  const handle = await open(dirname(file), "r");
  try {
    await handle.sync().catch(unlessNoSync);
  } finally {
    await handle.close();
  }
}

/** The same, synchronously. */
export function syncFolderOfNow(file: string): void {
  if (KEEPS_ENTRIES) return;
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } catch (error) {
    unlessNoSync(error);
  } finally {
    closeSync(folder);
  }
}

/** Replaces a file, so that there is always a whole one; it is on the disk then. `replace` may throw instead of it. */
export async function replaceFile(
  path: string,
  text: string,
  replace = (fresh: string): void => renameSync(fresh, path),
): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  try {
    const handle = await open(fresh, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await onceFree(async () => replace(fresh));
  } catch (error) {
    await unlink(fresh).catch(() => {});
    throw error;
  }
  await syncFolderOf(path);
}
