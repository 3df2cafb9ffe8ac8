// What `npm test` runs. A lane's steps run one after another, since they share a build folder or a
// product; lanes run side by side. Each step is a program and a way to count its tests; `needs` names a
// step whose failure leaves nothing to test.

import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { buildIfChanged } from "./build.mjs";
import { ensureBrowsers } from "./browsers.mjs";
import { cargoCounts, checkCounts, nodeCounts } from "./counts.mjs";
import { root } from "./program.mjs";
import { WASM_TARGET, ensurePackages, ensureSubcommand, ensureWasmTarget } from "./setup.mjs";

/** Runs `work` when first asked to, and gives everyone who asks the same answer. */
const once = (work) => {
  let answer;
  return () => (answer ??= work());
};
const wasmTarget = once(ensureWasmTarget);
const rustfmt = once(() => ensureSubcommand("fmt", "rustfmt"));
const clippy = once(() => ensureSubcommand("clippy", "clippy"));
const browsers = once(ensureBrowsers);
const runtimes = once(() => ensurePackages(join(root, "tests/faults")));
// Work for a run of chosen steps only; in a whole run the step "build" has come first.
const builtPackage = once(buildIfChanged);

const cargo = (name, args, { counts = cargoCounts, env = {}, ready = async () => {} } = {}) => ({
  name,
  counts,
  async program() {
    await ready();
    return { program: "cargo", args, env };
  },
});

/** `node --test` over the files `*.test.mjs` that `choose` takes of those under tests/. */
const node = (name, choose, { ready = async () => {} } = {}) => ({
  name,
  needs: "build",
  counts: nodeCounts,
  async program() {
    await builtPackage();
    await ready();
    const files = (await readdir(join(root, "tests"), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith(".test.mjs"))
      .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
      .filter((file) => !file.includes("node_modules/") && choose(file))
      .sort();
    if (!files.length) throw new Error("there are no such tests");
    return { program: process.execPath, args: ["--test", "--test-reporter=spec", "--test-timeout=300000", ...files] };
  },
});

/** The rows of tests/faults on the runtimes whose names begin so. */
const faults = (name, runtimes, { ready = async () => {} } = {}) => ({
  name,
  needs: "build",
  counts: nodeCounts,
  async program() {
    await builtPackage();
    await ready();
    return { program: process.execPath, args: ["tests/faults/run.mjs", ...runtimes.map((runtime) => `--runtime=${runtime}`)] };
  },
});

const under = (folder) => (file) => file.startsWith(`tests/${folder}/`);
const FOLDERS_OF_THEIR_OWN = ["package", "edge", "browser", "page", "stress", "hosts"].map(under);

export const LANES = [
  [
    cargo("format", ["fmt", "--all", "--check", "--", "--color=never"], { counts: checkCounts, ready: rustfmt }),
    cargo("clippy", ["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"], { counts: checkCounts, ready: clippy }),
    cargo("clippy-wasm", ["clippy", "--locked", "--all-targets", `--target=${WASM_TARGET}`, "--", "-D", "warnings"], {
      counts: checkCounts,
      async ready() {
        await clippy();
        await wasmTarget();
      },
    }),
    cargo("rust", ["test", "--locked", "--no-fail-fast", "--lib", "--tests", "--examples"]),
    cargo("doctests", ["test", "--locked", "--doc"]),
    cargo("rustdoc", ["doc", "--locked", "--no-deps"], { counts: checkCounts, env: { RUSTDOCFLAGS: "-D warnings" } }),
  ],
  [
    {
      name: "build",
      counts: checkCounts,
      async program() {
        // Its own look for the target then finds it, and calls no rustup beside this one's.
        await wasmTarget();
        return { program: process.execPath, args: ["scripts/build.mjs"] };
      },
    },
    node("package", under("package")),
    node("edge", under("edge")),
    node("browser", under("browser"), { ready: browsers }),
    node("page", under("page"), { ready: browsers }),
    faults("faults", ["node", "bun", "deno", "workerd"], { ready: runtimes }),
    node("stress", under("stress"), { ready: runtimes }),
    node("hosts", under("hosts"), {
      async ready() {
        await runtimes();
        await ensurePackages(join(root, "tests/hosts"));
      },
    }),
    faults("faults-browser", ["chromium", "firefox"], { ready: browsers }),
    node("node", (file) => !FOLDERS_OF_THEIR_OWN.some((inside) => inside(file))),
  ],
];
