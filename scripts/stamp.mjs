// Is the built package still the one its sources say? Decided by content, never by time stamps.

import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { capture, root } from "./program.mjs";

/** Everything the package is made from. */
const SOURCES = ["src", "tools", "pkg/entry", "pkg/node", "pkg/journal", "pkg/package.json", "scripts", "Cargo.toml", "Cargo.lock", "package-lock.json", "README.md", "docs", "LICENSE", "LICENSE-MIT", "LICENSE-APACHE"];
const STAMP = join(root, ".cache/build-stamp");

async function* filesOf(path) {
  const found = await stat(join(root, path)).catch(() => undefined);
  if (found?.isFile()) yield path;
  if (!found?.isDirectory()) return;
  for (const name of (await readdir(join(root, path))).sort()) yield* filesOf(join(path, name));
}

async function digest(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    for await (const file of filesOf(path)) {
      const content = await readFile(join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/** What the sources and the compiler are now. */
export async function sourceStamp() {
  return `${(await capture("rustc", ["--version"])).trim()} ${await digest(SOURCES)}`;
}

/** What was built, as it lies there now. */
const builtStamp = () => digest(["pkg/dist"]);

/** Whether pkg/dist holds, unharmed, what was built from the sources of this stamp. */
export async function isBuilt(sources) {
  const stamp = await readFile(STAMP, "utf8").catch(() => "");
  return stamp === `${sources}\n${await builtStamp()}`;
}

/** Notes that pkg/dist was built from the sources of this stamp. */
export async function noteBuilt(sources) {
  await mkdir(dirname(STAMP), { recursive: true });
  await writeFile(STAMP, `${sources}\n${await builtStamp()}`);
}
