// Whether every test has passed with the files that say how the package is loaded and what it depends on. `npm run test:ci` leaves out
// what only they change; after a change of one of them it runs everything.

import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./program.mjs";

/** They say how the package is loaded, and on what it depends; so does each file in this folder. */
export const LOADING = [
  ...[
    "package.json",
    "package-lock.json",
    "pkg/package.json",
    "tests/faults/package-lock.json",
    "tests/hosts/package-lock.json",
  ],
  ...["Cargo.toml", "Cargo.lock", "pkg/wasm/Cargo.toml", "tests/Cargo.toml", "scripts/bundle.mjs", "scripts/embed.mjs"],
  ...["api", "client", "gateway", "record", "sandbox"].map((name) => `crates/${name}/Cargo.toml`),
];
const ENTRIES = "pkg/entry";

/** The file with the state of those files when everything passed last. `npm run test:all` writes it. */
export const PASSED = "tests/everything-passed.txt";

/** The state of those files, as a hash. */
export async function stateOfLoading(folder = root) {
  const entries = (await readdir(join(folder, ENTRIES))).sort().map((name) => `${ENTRIES}/${name}`);
  const hash = createHash("sha256");
  for (const file of [...LOADING, ...entries]) hash.update(`${file}\n`).update(await readFile(join(folder, file)));
  return hash.digest("hex");
}

/** Whether everything has passed in this state. */
export async function hasPassed(state, folder = root) {
  try {
    return (await readFile(join(folder, PASSED), "utf8")).trim() === state;
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}
