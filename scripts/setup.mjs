// Installs what a fresh machine lacks: rustfmt and clippy, the wasm32 target, npm and Python packages, wasm-bindgen, a driver of Firefox.
// Each part checks first, and does nothing if its work is done.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { capture, findProgram, root, run } from "./program.mjs";

export const WASM_TARGET = "wasm32-unknown-unknown";

let rustupIsIdle = Promise.resolve();

/** Makes sure that Rust has a component: rustup adds it if `isThere` finds it missing. One at a time, because rustup does not lock a toolchain. */
async function ensureRust(kind, part, isThere, ...options) {
  if (await isThere()) return;
  const add = async () => findProgram(["rustup"]) && run("rustup", [kind, "add", part, ...options]);
  await (rustupIsIdle = rustupIsIdle.then(add, add));
  if (!(await isThere())) throw new Error(`cargo lacks ${part}: install the ${kind} ${part} of your Rust`);
}

export const ensureWasmTarget = () =>
  ensureRust("target", WASM_TARGET, async () =>
    existsSync(join((await capture("rustc", ["--print", "sysroot"])).trim(), "lib/rustlib", WASM_TARGET)),
  );

/** Whether cargo has a subcommand or a toolchain: it can be asked for its version then. */
const isInCargo = (name) =>
  capture("cargo", [name, "--version"]).then(
    () => true,
    () => false,
  );

/** Makes sure that cargo has the subcommand of this name, which a minimal Rust does not include. */
export const ensureSubcommand = (name, component) => ensureRust("component", component, () => isInCargo(name));

/** Makes sure that there is a Rust of this version beside the machine's own. */
export const ensureToolchain = (version) =>
  ensureRust("toolchain", version, () => isInCargo(`+${version}`), "--profile=minimal");

/** Makes sure that a folder's node_modules holds what its package-lock.json says. */
export const ensurePackages = (folder = root) => install(folder, "--include=dev", "everything");

/** Makes sure that node_modules holds at least what builds a page: the `dependencies` of package.json, 4 % of all bytes. */
export const ensurePagePackages = () => install(root, "--omit=dev", "pages");

async function install(folder, whichOnes, kind) {
  const locked = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex");
  const stamp = join(folder, "node_modules/.lock-sha256");
  const found = existsSync(stamp) ? readFileSync(stamp, "utf8") : "";
  if ([kind, "everything"].some((enough) => found === `${locked} ${enough}`)) return;
  // Explicit, because NODE_ENV=production or a setting of the machine would change what is omitted.
  await run("npm", ["ci", whichOnes, "--include=optional", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
  });
  writeFileSync(stamp, `${locked} ${kind}`);
}

/** Makes sure that the launchpad program's builds, and a machine that executes them, are there. */
export async function ensureProgram() {
  const folder = join(root, "tests/program");
  await ensurePackages(folder);
  await run("cargo", ["fetch", "--locked", `--manifest-path=${join(folder, "builds/Cargo.toml")}`]);
}

const PYTHON_FOLDER = join(root, ".cache/python");
/** Where the programs of {@link ensurePython} are. */
export const PYTHON_PROGRAMS = join(PYTHON_FOLDER, process.platform === "win32" ? "Scripts" : "bin");

/** Makes sure that there is a Python with the packages that tests/python/requirements.txt pins. */
export async function ensurePython() {
  const requirements = join(root, "tests/python/requirements.txt");
  const pinned = createHash("sha256").update(readFileSync(requirements)).digest("hex");
  const stamp = join(PYTHON_FOLDER, ".requirements-sha256");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === pinned) return;
  const create = () => run("python3", ["-m", "venv", "--clear", PYTHON_FOLDER]);
  // Debian's Python does not include that module.
  await create().catch(async (error) => {
    if (!(await ensureDebian(["python3", "python3-venv"])))
      throw new Error(`${error.message}; on Debian: sudo apt-get install python3 python3-venv`);
    await create();
  });
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
  await run(join(PYTHON_PROGRAMS, "python"), [...pip, `--requirement=${requirements}`]);
  writeFileSync(stamp, pinned);
}

let aptIsIdle = Promise.resolve();

/** Installs these Debian packages if allowed, and returns whether it is allowed. One call at a time, because apt locks itself. */
export async function ensureDebian(packages) {
  if (process.getuid?.() !== 0 || !findProgram(["apt-get"])) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = async () => {
    await run("apt-get", ["update", "--quiet"], { env });
    await run("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", ...packages], { env });
  };
  await (aptIsIdle = aptIsIdle.then(install, install));
  return true;
}

/** The folder in which cargo builds, which the environment or a configuration may have changed. */
export async function cargoTargetFolder() {
  return JSON.parse(await capture("cargo", ["metadata", "--format-version=1", "--no-deps", "--offline"]))
    .target_directory;
}

const lockedVersion = (name) =>
  new RegExp(`^name = "${name}"\nversion = "(.+)"$`, "m").exec(readFileSync(join(root, "Cargo.lock"), "utf8"))[1];

/** Makes sure that there is a wasm-bindgen of the crate's version, and its test runner if wanted. Resolves to their folder. */
export async function ensureRustTools({ withTestRunner = false } = {}) {
  const onPath = findProgram(["wasm-bindgen"]);
  const isComplete = onPath && (!withTestRunner || existsSync(join(dirname(onPath), "wasm-bindgen-test-runner")));
  if (
    isComplete &&
    (await capture(onPath, ["--version"]).catch(() => "")).trim() === `wasm-bindgen ${lockedVersion("wasm-bindgen")}`
  )
    return dirname(onPath);
  // Two dependencies of the test runner cause a warning about future Rust versions, which only their authors can fix.
  const quiet = ["--quiet", "--config=future-incompat-report.frequency='never'"];
  const tools = ["--package=launchpad-desk-tools", "--bins", ...(withTestRunner ? ["--features=test-runner"] : [])];
  await run("cargo", ["build", ...quiet, "--locked", "--profile=tools", ...tools]);
  return join(await cargoTargetFolder(), "tools");
}

const CARGO_FOLDER = join(root, ".cache/cargo");
const installedFile = (name) => join(CARGO_FOLDER, "bin", name);

/** Makes sure that this version of a program of a crate is there, which is compiled once, and resolves to it. */
async function ensureInstalled(name, version) {
  const installed = await readFile(join(CARGO_FOLDER, ".crates.toml"), "utf8").catch(() => "");
  if (installed.includes(`"${name} ${version} `)) return installedFile(name);
  // Compiled once, run for seconds, as the profile `tools` of Cargo.toml.
  const env = { CARGO_PROFILE_DEV_DEBUG: "false", CARGO_INCREMENTAL: "0" };
  const target = join(await cargoTargetFolder(), name);
  const into = [`--root=${CARGO_FOLDER}`, `--target-dir=${target}`];
  await run("cargo", ["install", "--quiet", "--locked", "--debug", ...into, `${name}@${version}`], { env });
  return installedFile(name);
}

/** Makes sure that there is a driver of Firefox, and resolves to it: that on PATH, or one of the crate. */
export const ensureGeckodriver = async () =>
  findProgram(["geckodriver"]) ?? (await ensureInstalled("geckodriver", "0.37.1"));

const SEMVER_CHECKS = "cargo-semver-checks";
export const SEMVER_CHECKS_PROGRAM = installedFile(SEMVER_CHECKS);

/** Makes sure that there is a program that finds breaking changes of crates. */
export const ensureSemverChecks = () => ensureInstalled(SEMVER_CHECKS, "0.51.0");
