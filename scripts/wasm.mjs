// Makes a WebAssembly module and its raw bindings: cargo, then wasm-bindgen, then wasm-opt.

import { copyFile, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { capture, root, run } from "./program.mjs";
import { WASM_TARGET, cargoTargetFolder } from "./setup.mjs";

/** What cargo calls the compiled module. */
const FILE = "launchpad_desk_wasm.wasm";

/** rustc's name of a WebAssembly feature → the flags that let wasm-opt use it. */
const OPTIMIZER_FLAGS = {
  "bulk-memory": ["--enable-bulk-memory", "--enable-bulk-memory-opt"],
  multivalue: ["--enable-multivalue"],
  "mutable-globals": ["--enable-mutable-globals"],
  "nontrapping-fptoint": ["--enable-nontrapping-float-to-int"],
  "sign-ext": ["--enable-sign-ext"],
};

/**
 * JS values cross as numbers, because references would crash Node 20 and 22: V8 up to 12 inlines calls into the module, and if it
 * drops the compiled code during such a call, it cannot restore a result that is a reference.
 */
const WITHOUT_REFERENCES = "-Ctarget-feature=-reference-types";

/** SHA-256 in a loop instead of 64 unrolled rounds: the gateway's module is 6 KB smaller, and hashes lines of its log all the same. */
const COMPACT = '--cfg=sha2_backend_soft="compact"';

async function targetFeatures() {
  const configuration = await capture("rustc", ["--print=cfg", `--target=${WASM_TARGET}`, WITHOUT_REFERENCES]);
  const names = [...configuration.matchAll(/^target_feature="(.+)"$/gm)].map(([, name]) => name);
  const unknown = names.filter((name) => !(name in OPTIMIZER_FLAGS));
  if (unknown.length)
    throw new Error(`rustc compiles for features that scripts/wasm.mjs does not know: ${unknown.join(", ")}`);
  return names;
}

/** rustc's flags for those features. The linker needs them too, or it would report to wasm-bindgen the features of Rust's own library. */
const featureFlags = (names) => [
  WITHOUT_REFERENCES,
  COMPACT,
  "-Clink-arg=--no-check-features",
  `-Clink-arg=--features=${names.join(",")}`,
];

/** rustc's flags that remove this machine's folders from panic messages: the module is the same wherever it is built. */
async function pathFlags() {
  const { packages } = JSON.parse(
    await capture("cargo", ["metadata", "--locked", "--format-version=1", `--filter-platform=${WASM_TARGET}`]),
  );
  const registries = packages
    .filter(({ source }) => source)
    .map(({ manifest_path }) => dirname(dirname(manifest_path)));
  const standardLibrary = join((await capture("rustc", ["--print", "sysroot"])).trim(), "lib/rustlib/src/rust");
  return [...new Set([root, standardLibrary, ...registries])].map((folder) => `--remap-path-prefix=${folder}=.`);
}

/** Compiles the bindings with a module's feature, by a profile of Cargo.toml. Resolves to a copy: the next module replaces the file of cargo's. */
export async function compileBindings({ feature, optLevel }, profile) {
  const level =
    optLevel && profile !== "quick" ? { [`CARGO_PROFILE_${profile.toUpperCase()}_OPT_LEVEL`]: `${optLevel}` } : {};
  await run(
    "cargo",
    [
      "build",
      "--locked",
      `--profile=${profile}`,
      "--package=launchpad-desk-wasm",
      `--features=${feature}`,
      `--target=${WASM_TARGET}`,
    ],
    {
      // Encoded, because a folder's name may contain a space. To know the folders, cargo would download every dependency of the tests.
      // A module that is packed must compile without a warning.
      env: {
        ...level,
        CARGO_ENCODED_RUSTFLAGS: [
          ...featureFlags(await targetFeatures()),
          ...(profile === "quick" ? [] : ["-Dwarnings", ...(await pathFlags())]),
        ].join("\x1f"),
      },
    },
  );
  const compiled = join(root, ".cache/compiled", feature, FILE);
  await mkdir(dirname(compiled), { recursive: true });
  await copyFile(join(await cargoTargetFolder(), WASM_TARGET, profile, FILE), compiled);
  return compiled;
}

export const bindingsOf = ({ feature }) => join(root, ".cache/bindings", feature);

/**
 * The options of wasm-opt. Flat code first and two more passes would save 0.4 %, in nearly twice the time. The lowest kilobyte of
 * memory, which is declared unused, is the end of a stack of one megabyte.
 */
const SMALLEST = ["--merge-similar-functions", "--low-memory-unused", "-Oz"];

/** Runs wasm-opt, which refuses a module that needs more than those features: one with references above all. */
export const optimize = async (module, output, options) =>
  capture(process.execPath, [
    join(root, "node_modules/binaryen/bin/wasm-opt"),
    "--mvp-features",
    ...(await targetFeatures()).flatMap((name) => OPTIMIZER_FLAGS[name]),
    ...options,
    module,
    `--output=${output}`,
  ]);

/** Writes the bindings of a compiled module, optimized unless for a quick build, into a fresh folder below `.cache/bindings`: it resolves to that. */
export async function writeBindings(tools, { feature }, compiled, { isQuick }) {
  const folder = bindingsOf({ feature });
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await run(join(tools, "wasm-bindgen"), [
    "--target=bundler",
    "--encode-into=always",
    "--out-name=launchpad_desk",
    `--out-dir=${folder}`,
    compiled,
  ]);
  const module = join(folder, "launchpad_desk_bg.wasm");
  if (!isQuick)
    await optimize(module, module, [...SMALLEST, "--strip-debug", "--strip-producers", "--strip-target-features"]);
  return folder;
}
