// A folder inside the repository, so that what is written there finds the package as any file here does.

import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/program.mjs";

/** Makes one, which ends with this process. */
export async function folderInside(name) {
  await mkdir(join(root, ".cache"), { recursive: true });
  const folder = await mkdtemp(join(root, `.cache/${name}-`));
  // Not in an `after` hook: that may run before the last tests of a file that awaits between them.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
