// Whether the built package still matches its sources. Decided by content, never by time stamps.

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { capture, root } from "./program.mjs";

/** Everything the package is made from. */
const FOLDERS = ["crates", "src", "tools", "pkg/entry", "pkg/src", "pkg/wasm", "scripts", "docs", "edge"];
const FILES = [
  "pkg/package.json",
  "pkg/tsconfig.json",
  "Cargo.toml",
  "Cargo.lock",
  "package-lock.json",
  "README.md",
  "pkg/AGENTS.md",
  "pkg/llms.txt",
  "pkg/.agents/skills/launchpad-desk/SKILL.md",
  "LICENSE",
  "LICENSE-MIT",
  "LICENSE-APACHE",
];
const STAMP = join(root, ".cache/build-stamp");

/** The paths of all files in a folder; none if there is no such folder. */
async function filesIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function digest(folders, files = []) {
  const hash = createHash("sha256");
  for (const file of [...files, ...(await Promise.all(folders.map(filesIn))).flat()].sort()) {
    const content = await readFile(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** The current sources and compiler. */
export const sourceStamp = async () =>
  `${(await capture("rustc", ["--version"])).trim()} ${await digest(FOLDERS, FILES)}`;

/** Of the panel's sources: its files fit only those of the same build. */
export const panelStamp = async () => (await digest(["pkg/src/panel"])).slice(0, 16);

/** All that npm packs of the package, and some more. */
export const packageStamp = () => digest(["pkg"]);

/** How the package can be built, the least first: the demo panel, every page of `npm start`, all of it, all of it and optimized. */
export const KINDS = ["panel", "pages", "quick", "release"];

/** The stamp's content if pkg/dist was built from these sources as this kind and not touched since. */
const whole = async (sources, kind) => `${sources}\n${kind}\n${await digest(["pkg/dist"])}`;

/** Whether pkg/dist was built from the sources of this stamp, as this kind or more, and is unchanged. */
export async function isBuilt(sources, kind) {
  const stamp = await readFile(STAMP, "utf8").catch(() => "");
  const [, found] = stamp.split("\n");
  return KINDS.indexOf(found) >= KINDS.indexOf(kind) && stamp === (await whole(sources, found));
}

/** Records that pkg/dist was built from the sources of this stamp as this kind. */
export async function noteBuilt(sources, kind) {
  await mkdir(dirname(STAMP), { recursive: true });
  await writeFile(STAMP, await whole(sources, kind));
}
