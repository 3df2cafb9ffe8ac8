// A WebAssembly module and its raw bindings: cargo, then wasm-bindgen, then wasm-opt, then the packer.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { decodeLzma } from "../pkg/entry/lzma.js";
import { silencePanics } from "./panics.mjs";
import { capture, root, run } from "./program.mjs";
import { WASM_TARGET, cargoTargetFolder } from "./setup.mjs";
import { shortenNames } from "./shorten.mjs";
import { splitStreams } from "./streams.mjs";

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
 * Writes the bindings of a compiled module into a fresh folder below `.cache/bindings`, with the module optimized
 * and, beside it, in streams (`.streams`) and those packed (`.streams.lzma`), and resolves to that folder.
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
  const module = join(folder, "launchpad_desk_bg.wasm");
  await silencePanics(module);
  await run(process.execPath, [
    join(root, "node_modules/binaryen/bin/wasm-opt"),
    ...optimize,
    // For the packer: alignments, which no engine heeds, are all 0, and functions of one module stand together.
    "--dealign",
    "--reorder-functions-by-name",
    ...(await optimizerFlags()),
    "--strip-debug",
    "--strip-producers",
    "--strip-target-features",
    module,
    `--output=${module}`,
  ]);
  await shortenFiles(module, join(folder, "launchpad_desk.js"));
  await packModule(tools, module);
  return folder;
}

/** Packs a module for the one-file entries, and makes sure that what they unpack is the module. */
async function packModule(tools, module) {
  const content = splitStreams(await readFile(module));
  const [streams, packed] = [`${module}.streams`, `${module}.streams.lzma`];
  await writeFile(streams, content);
  await run(join(tools, "lzma"), [streams, packed]);
  if (!content.equals(decodeLzma(await readFile(packed), content.length))) throw new Error("the module's streams do not come out as they were packed");
}

async function shortenFiles(module, glue) {
  const shorter = shortenNames(await readFile(module), await readFile(glue, "utf8"));
  await writeFile(module, shorter.module);
  await writeFile(glue, shorter.glue);
}
