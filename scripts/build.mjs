// npm run build [-- --update-api]: the npm package, into pkg/dist, with its sizes.
//
//   sources ─ cargo ─ wasm-bindgen ─ wasm-opt ─ lzma ─┬─ esbuild ─ index.js, index.cjs, workerd.js, …
//                                                     └─ types ─── index.d.ts, index.d.cts, web.d.ts
//
// `--update-api` also writes the public types into tests/api.d.ts, where a change of them is a visible diff.

import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundlePackage } from "./bundle.mjs";
import { root } from "./program.mjs";
import { ensurePackages, ensureRustTools, ensureWasmTarget } from "./setup.mjs";
import { CEILING, sizeTable, sizesOf } from "./sizes.mjs";
import { isBuilt, noteBuilt, sourceStamp } from "./stamp.mjs";
import { exportedValues, publicTypes } from "./types.mjs";
import { compileCrate, writeBindings } from "./wasm.mjs";

const PACKAGE = join(root, "pkg");

/** Builds the package anew and resolves to its sizes. */
export async function build() {
  const sources = await sourceStamp();
  await ensureWasmTarget();
  // Two cargo profiles and npm: none waits for another's lock.
  const [tools] = await Promise.all([ensureRustTools(), compileCrate(), ensurePackages()]);
  const bindings = await writeBindings(tools);

  const types = publicTypes(await readFile(join(bindings, "launchpad_desk.d.ts"), "utf8"));
  const files = await bundlePackage(bindings, exportedValues(types));
  files.set("index.d.ts", types);
  files.set("index.d.cts", types);
  files.set("web.d.ts", await readFile(join(PACKAGE, "entry/web.d.ts")));
  const sizes = sizesOf(files);
  files.set("sizes.json", `${JSON.stringify(sizes, undefined, 2)}\n`);

  await replaceFolder(join(PACKAGE, "dist"), files);
  await copyFrontMatter();
  await noteBuilt(sources);
  console.log(sizeTable(sizes));
  return sizes;
}

/** Builds the package unless it lies there already, built from these very sources. */
export async function buildIfChanged() {
  await ensurePackages();
  if (!(await isBuilt(await sourceStamp()))) await build();
}

/** Writes `files` beside the folder, then puts them in its place, so that no half-built package is ever seen. */
async function replaceFolder(folder, files) {
  const fresh = join(root, ".cache/dist");
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  for (const [name, content] of files) await writeFile(join(fresh, name), content);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** A package carries its own README and licence; npm takes them from its folder only. */
async function copyFrontMatter() {
  const names = (await readdir(root)).filter((name) => /^(README\.md|LICENSE.*)$/.test(name));
  for (const name of names) await copyFile(join(root, name), join(PACKAGE, name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { "update-api": { type: "boolean", default: false } } });
  try {
    const { oneFile } = await build();
    if (values["update-api"]) await copyFile(join(PACKAGE, "dist/index.d.ts"), join(root, "tests/api.d.ts"));
    if (oneFile.gzip > CEILING) throw new Error(`the one-file import has ${oneFile.gzip} bytes gzipped, over its ceiling of ${CEILING}`);
  } catch (error) {
    console.error(`build: ${error.message}`);
    process.exitCode = 1;
  }
}
