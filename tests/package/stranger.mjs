// An outside project: the package installed from its tarball, outside of this repository.

import { rmSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture, root } from "../../scripts/program.mjs";

/**
 * Packs the package as it would be published and installs it in a new project, which is removed when
 * the process ends.
 *
 * @param {{ prefix?: string }} [options] the start of the project's path; a folder of the system's for temporary files if left out
 * @returns {Promise<{ folder: string, installed: string, tarball: string, files: string[] }>} the project,
 *   the package inside it, the tarball and the paths it holds
 */
export async function installAsStranger({ prefix = join(tmpdir(), "stranger-") } = {}) {
  const folder = await mkdtemp(prefix);
  // At the exit: a hook `after` of a file that awaits between its tests may run before the last of them.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const [{ filename, files }] = JSON.parse(await capture("npm", ["pack", join(root, "pkg"), "--json", `--pack-destination=${folder}`]));
  const tarball = join(folder, filename);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "stranger", private: true, type: "module" }));
  await capture("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
  return { folder, installed: join(folder, "node_modules/launchpad-desk"), tarball, files: files.map(({ path }) => path) };
}

let scripts = 0;

/** Runs a script in the stranger's project and resolves to what it printed; `kind` is the file's extension. */
export async function runScript(folder, kind, source, flags = []) {
  const file = join(folder, `script-${++scripts}.${kind}`);
  await writeFile(file, source);
  return capture(process.execPath, [...flags, file], { cwd: folder });
}

export const readJson = async (path) => JSON.parse(await readFile(path, "utf8"));
