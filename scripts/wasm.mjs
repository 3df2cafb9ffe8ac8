// A WebAssembly module and its raw bindings: cargo, then wasm-bindgen, then wasm-opt.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { capture, root, run } from "./program.mjs";
import { WASM_TARGET, cargoTargetFolder } from "./setup.mjs";

/** rustc's name of a WebAssembly feature → the flags by which wasm-opt may use it. */
const OPTIMIZER_FLAGS = {
  "bulk-memory": ["--enable-bulk-memory", "--enable-bulk-memory-opt"],
  multivalue: ["--enable-multivalue"],
  "mutable-globals": ["--enable-mutable-globals"],
  "nontrapping-fptoint": ["--enable-nontrapping-float-to-int"],
  "reference-types": ["--enable-reference-types"],
  "sign-ext": ["--enable-sign-ext"],
};

/** The flags for exactly the features that rustc compiles for: what runs the one runs the other. */
async function optimizerFlags() {
  const configuration = await capture("rustc", ["--print=cfg", `--target=${WASM_TARGET}`]);
  const features = [...configuration.matchAll(/^target_feature="(.+)"$/gm)].map(([, name]) => name);
  const unknown = features.filter((name) => !(name in OPTIMIZER_FLAGS));
  if (unknown.length) throw new Error(`rustc compiles for features that scripts/wasm.mjs does not know: ${unknown.join(", ")}`);
  return ["--mvp-features", ...features.flatMap((name) => OPTIMIZER_FLAGS[name])];
}

/**
 * rustc's flags that take this machine's folders out of panic messages: the module tells nothing of its
 * builder, and is the same wherever it is built.
 */
async function pathFlags() {
  const { packages } = JSON.parse(await capture("cargo", ["metadata", "--locked", "--format-version=1", `--filter-platform=${WASM_TARGET}`]));
  const registries = packages.filter(({ source }) => source).map(({ manifest_path }) => dirname(dirname(manifest_path)));
  const standardLibrary = join((await capture("rustc", ["--print", "sysroot"])).trim(), "lib/rustlib/src/rust");
  return [...new Set([root, standardLibrary, ...registries])].map((folder) => `--remap-path-prefix=${folder}=.`);
}

/**
 * Compiles the crate for wasm32 with a module's feature and in its profile, as a cdylib alone: beside an rlib, cargo
 * would leave out the link-time optimization, a fifth of the module.
 *
 * @param {{ feature: string, profile: string }} module a row of scripts/modules.mjs
 */
export async function compileCrate({ feature, profile }) {
  const features = ["--no-default-features", `--features=${feature}`];
  await run("cargo", ["rustc", "--locked", `--profile=${profile}`, ...features, "--lib", "--crate-type=cdylib", "--package=launchpad-desk", `--target=${WASM_TARGET}`], {
    // Encoded, since a folder's name may hold a space.
    env: { CARGO_ENCODED_RUSTFLAGS: (await pathFlags()).join("\x1f") },
  });
}

/**
 * Writes the bindings of a compiled module into a fresh folder below `.cache/bindings`, with the module optimized,
 * and resolves to that folder.
 *
 * @param {string} tools the folder of the Rust tools
 * @param {{ feature: string, profile: string, optimize: string[] }} row a row of scripts/modules.mjs
 */
export async function writeBindings(tools, { feature, profile, optimize }) {
  const folder = join(root, ".cache/bindings", feature);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const compiled = join(await cargoTargetFolder(), WASM_TARGET, profile, "launchpad_desk.wasm");
  await run(join(tools, "wasm-bindgen"), ["--target=web", "--omit-default-module-path", "--encode-into=always", `--out-dir=${folder}`, compiled]);
  const [module, glue] = ["launchpad_desk_bg.wasm", "launchpad_desk.js"].map((name) => join(folder, name));
  await writeFile(glue, withoutRepeats(await readFile(glue, "utf8")));
  await run(process.execPath, [
    join(root, "node_modules/binaryen/bin/wasm-opt"),
    ...optimize,
    ...(await optimizerFlags()),
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
    module,
    `--output=${module}`,
  ]);
  return folder;
}

/** The glue with each snippet named once: it names one for each function that comes from it, which bundlers warn of. */
function withoutRepeats(glue) {
  const seen = new Set();
  return glue.replace(/^ {8}("\.\/snippets\/[^"]+"): .*\n/gm, (line, key) => (seen.size < seen.add(key).size ? line : ""));
}
