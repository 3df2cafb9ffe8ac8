// What a fresh machine lacks: rustfmt and clippy, the wasm32 target, the npm packages, wasm-bindgen.
// Each part looks first and does nothing when it finds its work done.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture, findProgram, root, run } from "./program.mjs";

export const WASM_TARGET = "wasm32-unknown-unknown";

let rustupIsIdle = Promise.resolve();

/** Runs rustup, once it has ended what it was told before: it does not guard a toolchain against itself. */
function rustup(...args) {
  const order = () => run("rustup", args);
  return (rustupIsIdle = rustupIsIdle.then(order, order));
}

/** Makes sure that rustc can compile for wasm32. */
export async function ensureWasmTarget() {
  const sysroot = (await capture("rustc", ["--print", "sysroot"])).trim();
  if (existsSync(join(sysroot, "lib/rustlib", WASM_TARGET))) return;
  if (!findProgram(["rustup"])) {
    throw new Error(`rustc has no ${WASM_TARGET} target, and there is no rustup to add it: install that target of your Rust`);
  }
  await rustup("target", "add", WASM_TARGET);
}

/** Makes sure that cargo has the subcommand of this name, which a minimal Rust leaves out. */
export async function ensureSubcommand(name, component) {
  const runs = () => capture("cargo", [name, "--version"]).then(() => true, () => false);
  if (await runs()) return;
  if (findProgram(["rustup"])) await rustup("component", "add", component);
  if (!(await runs())) throw new Error(`cargo ${name} does not run: install the component ${component} of your Rust`);
}

/** Makes sure that a folder's node_modules holds what its package-lock.json says. */
export async function ensurePackages(folder = root) {
  const locked = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex");
  const stamp = join(folder, "node_modules/.lock-sha256");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === locked) return;
  // Said out loud, since NODE_ENV=production or a setting of the machine would leave them out.
  await run("npm", ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: folder });
  writeFileSync(stamp, locked);
}

/** Where cargo builds, which the environment or a configuration may have moved. */
export async function cargoTargetFolder() {
  return JSON.parse(await capture("cargo", ["metadata", "--format-version=1", "--no-deps", "--offline"])).target_directory;
}

/** Makes sure that the programs of tools/ are built, and resolves to their folder. */
export async function ensureRustTools() {
  const folder = join(await cargoTargetFolder(), "tools");
  if (!existsSync(join(folder, "wasm-bindgen"))) console.log("compiling wasm-bindgen, once");
  // Two crates below the CLI draw a notice of future Rust versions, which is their makers' concern.
  const quiet = ["--quiet", "--config=future-incompat-report.frequency='never'"];
  await run("cargo", ["build", ...quiet, "--locked", "--profile=tools", "--package=launchpad-desk-tools", "--bins"]);
  return folder;
}
