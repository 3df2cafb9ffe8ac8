// The steps of `npm test`, in this order. Each step is a program. `needs` names a step that must succeed first.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildIfChanged } from "./build.mjs";
import { ensureBrowsers } from "./browsers.mjs";
import { MODULES } from "./modules.mjs";
import { root } from "./program.mjs";
import { WASM_TARGET, ensurePackages, ensurePython, ensureSubcommand, ensureToolchain, ensureWasmTarget } from "./setup.mjs";

/** Runs `work` at the first call, and returns the same result to every caller. */
const once = (work) => {
  let answer;
  return () => (answer ??= work());
};
const wasmTarget = once(ensureWasmTarget);
const rustfmt = once(() => ensureSubcommand("fmt", "rustfmt"));
const clippy = once(() => ensureSubcommand("clippy", "clippy"));
const browsers = once(ensureBrowsers);
const runtimes = once(() => ensurePackages(join(root, "tests/faults")));
const hosts = once(() => ensurePackages(join(root, "tests/hosts")));
const python = once(ensurePython);
// Needed only in a run of chosen steps; in a whole run the step "build" comes first.
const builtPackage = once(buildIfChanged);

const cargo = (name, args, { env, ready = [] } = {}) => ({ name, ready, program: "cargo", args, env });

/** A Node program that tests the package. */
const ofPackage = (name, args, ...ready) => ({ name, needs: "build", ready: [builtPackage, ...ready], program: process.execPath, args });

const FOLDERS = readdirSync(join(root, "tests"), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const testsIn = (folder) => readdirSync(join(root, "tests", folder)).filter((file) => file.endsWith(".test.mjs")).map((file) => `tests/${folder}/${file}`);
const node = (name, folders, ...ready) => ofPackage(name, ["--test", "--test-reporter=spec", "--test-timeout=600000", ...folders.flatMap(testsIn)], ...ready);

/** The tests of a folder of tests/ that is a step of its own. */
const folder = (name, ...ready) => node(name, [name], ...ready);
const OF_THEIR_OWN = ["package", "openapi", "edge", "browser", "panel", "stress", "hosts"];

/** The rows of tests/faults on the runtimes whose names have this prefix. */
const faults = (name, runtimes, ready) => ofPackage(name, ["tests/faults/run.mjs", ...runtimes.map((runtime) => `--runtime=${runtime}`)], ready);

const STRICT = ["--", "-D", "warnings"];

/** The crate's features for any target, those for native programs only, and that for browsers. */
const ANYWHERE = ["chain", "gateway", "serde"];
const NATIVE = ["client", "reqwest"];
const IN_BROWSERS = ["gloo"];

/** The crate's features. */
export const FEATURES = [...ANYWHERE, ...NATIVE, ...IN_BROWSERS].sort();

/** A library compiles without a warning with each of these sets of features. */
const clippies = (name, sets, { library = "launchpad-desk", target } = {}) =>
  sets.map((set) => {
    const options = [`--package=${library}`, ...(set.length ? [`--features=${set}`] : []), ...(target ? [`--target=${target}`] : [])];
    return cargo([name, ...set].join("-"), ["clippy", "--locked", "--lib", ...options, ...STRICT], { ready: [clippy, ...(target ? [wasmTarget] : [])] });
  });

/** Each of these features without the others. */
const alone = (features) => features.map((feature) => [feature]);

/** Tests and documentation cover all features. */
export const WITH_ALL = `--features=${[...ANYWHERE, ...NATIVE]}`;

/** The oldest Rust that the crate says it compiles with. */
const [, OLDEST_RUST] = /^rust-version = "([\d.]+)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));

/** The build comes first, because most steps wait for it. Long steps come early, so that none ends long after the others. */
export const STEPS = [
  // Then the build finds the target, and does not call rustup at the same time.
  { name: "build", ready: [wasmTarget], program: process.execPath, args: ["scripts/build.mjs"] },
  cargo("format", ["fmt", "--all", "--check", "--", "--color=never"], { ready: [rustfmt] }),
  ...clippies("clippy", [[], ...alone([...ANYWHERE, ...NATIVE])]),
  ...clippies("clippy-wasm", [[], ...alone(IN_BROWSERS)], { target: WASM_TARGET }),
  ...clippies("clippy-bindings", alone(MODULES.map(({ feature }) => feature)), { library: "launchpad-desk-wasm", target: WASM_TARGET }),
  cargo("clippy-tests", ["clippy", "--locked", "--workspace", "--all-targets", WITH_ALL, ...STRICT], { ready: [clippy] }),
  cargo("rust", ["test", "--locked", "--no-fail-fast", "--lib", "--tests", "--examples", WITH_ALL]),
  cargo("oldest-rust", [`+${OLDEST_RUST}`, "check", "--locked", "--lib", WITH_ALL, "--target-dir=target/oldest-rust"], { ready: [() => ensureToolchain(OLDEST_RUST)] }),
  cargo("doctests", ["test", "--locked", "--doc", WITH_ALL]),
  cargo("rustdoc", ["doc", "--locked", "--no-deps", WITH_ALL], { env: { RUSTDOCFLAGS: "-D warnings" } }),
  node("node", FOLDERS.filter((name) => !OF_THEIR_OWN.includes(name))),
  faults("faults", ["node", "bun", "deno", "workerd", "rust"], runtimes),
  faults("faults-browser", ["chromium", "firefox"], browsers),
  folder("panel", browsers),
  folder("browser", browsers),
  folder("hosts", runtimes, hosts, python),
  folder("package"),
  folder("openapi", python),
  folder("stress", runtimes),
  folder("edge"),
];

/**
 * How many tests passed and failed, from the output of `cargo test` and `node --test`. A program without such output counts as one
 * test. A failure other than a failed test (it did not compile, it crashed) counts as one failure.
 */
export function counts(output, succeeded) {
  const sum = (pattern) => [...output.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  const failed = sum(/^(?:test result: \w+\. \d+ passed;|ℹ (?:fail|cancelled)) (\d+)/gm);
  const isCheck = !/^(?:test result: |ℹ pass )/m.test(output);
  return { passed: isCheck ? Number(succeeded) : sum(/^(?:test result: \w+\.|ℹ pass) (\d+)/gm), failed: succeeded || failed ? failed : 1 };
}
