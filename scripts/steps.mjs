// The steps of the tests, in this order. Each step is a program. `needs` names steps that must succeed first; `lock` what only one step may
// hold; `early` is what of `ready` begins at once; `gives` is what those that need a step find in their environment. `npm run test:all` takes
// all steps as they stand. `npm run test:ci` leaves out those whose `ci` is null, and `npm test` takes those with a `short`: what is
// different then, and what that `leaves` to the next.

import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { buildIfChanged } from "./build.mjs";
import { ensureBrowsers } from "./browsers.mjs";
import { MODULES } from "./modules.mjs";
import { once, root } from "./program.mjs";
import {
  SEMVER_CHECKS_PROGRAM,
  WASM_TARGET,
  ensurePackages,
  ensureProgram,
  ensurePython,
  ensureSemverChecks,
  ensureSubcommand,
  ensureToolchain,
  ensureWasmTarget,
} from "./setup.mjs";

const wasmTarget = once(ensureWasmTarget);
const packages = once(() => ensurePackages());
const rustfmt = once(() => ensureSubcommand("fmt", "rustfmt"));
const clippy = once(() => ensureSubcommand("clippy", "clippy"));
const browsers = once(ensureBrowsers);
const chromium = once(() => ensureBrowsers(["chromium"]));
const chromedriver = once(() => ensureBrowsers(["chromedriver"]));
const runtimes = once(() => ensurePackages(join(root, "tests/faults")));
const hosts = once(() => ensurePackages(join(root, "tests/hosts")));
const program = once(ensureProgram);
const python = once(ensurePython);
// Needed only in a run of chosen steps; in a whole run the step "build" comes first.
const builtPackage = once(() => buildIfChanged("release"));
const quickPackage = once(() => buildIfChanged("quick"));

/** In every run, as it stands. */
const ALWAYS = { short: {} };
/** Only in the run of everything, which CI does after a change of how the package is loaded, or of what it depends on: scripts/whole.mjs. */
const ONLY_IN_ALL = { ci: null };

const tool = (name) => join(root, `node_modules/${name}/bin/${name}`);

/** Cargo locks the folder that it builds in. */
const cargo = (name, args, { env, ready = [], ...tiers } = {}) => ({
  name,
  lock: "cargo",
  ready,
  program: "cargo",
  args,
  env,
  ...tiers,
});

/** A Node program that tests the package. The short run takes one that is not optimized. */
const ofPackage = (name, args, ready, { short, ...more } = {}) => ({
  ...{ name, needs: ["build"], ready: [builtPackage, ...ready], program: process.execPath, args },
  ...(short && { short: { ready: [quickPackage, ...ready], ...short } }),
  ...more,
});

const FOLDERS = readdirSync(join(root, "tests"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const testsIn = (folder) =>
  readdirSync(join(root, "tests", folder))
    .filter((file) => file.endsWith(".test.mjs"))
    .map((file) => `tests/${folder}/${file}`);
// Two files at a time on two cores, where Node by itself takes one; a test often waits for another program.
const TEST = ["--test", "--test-reporter=spec", "--test-timeout=1800000", "--test-concurrency=2"];

/** The tests of a folder in one process, which starts each browser once. */
const inOneProcess = (name, folder, env, tiers) => ({
  ...ofPackage(name, [...TEST, "--test-timeout=3600000", "tests/one-process.mjs"], [browsers], tiers),
  env: { ...env, TESTS_OF: folder },
});

/** The tests of a folder of tests/ that is a step of its own. */
const folder = (name, ready = [], tiers) => ofPackage(name, [...TEST, ...testsIn(name)], ready, tiers);
const OF_THEIR_OWN = [
  "package",
  "openapi",
  "edge",
  "browser",
  "panel",
  "stranger",
  "stress",
  "hosts",
  "program",
  "scripts",
];

/** The tests that need nothing but Node; and half of their time, of which the short run does without. */
const IN_NODE = FOLDERS.filter((name) => !OF_THEIR_OWN.includes(name)).flatMap(testsIn);
const LONG_IN_NODE = /(examples|exits-kill|file-journal|record-long|sandbox-kill|sandbox-state)\.test\.mjs$/;
/** A third of the gateway's time, in tests that start it often, deploy it or open its page. */
const LONG_AT_THE_EDGE = /(deploy|desks|kill|operator)\.test\.mjs$/;

export const OWN_NODE = Number(process.versions.node.split(".")[0]);

/** The arguments that run the rows of tests/faults on the runtimes whose names have one of these prefixes. */
const rowsOn = (...runtimes) => ["tests/faults/run.mjs", ...runtimes.map((runtime) => `--runtime=${runtime}`)];
/** Without what runs the same code of ours on the same answers once more. */
const differing = (args) => ({
  args: [...args, "--differing"],
  leaves: "faults that every runtime takes alike, on further ones",
});

/**
 * The commit with the public items of the crates that may not break within a version. Before the first release one that breaks becomes the
 * next baseline, once CHANGELOG.md says so.
 */
const SEMVER_BASELINE = "63fa1a7a";

const TESTS_IN_RUST = ["--locked", "--no-fail-fast", "--lib", "--tests"];
/** Two thirds of the time of all tests in Rust; histories drawn at random go the same ways. */
const WITHOUT_WALKS = ["--skip=flow_machine::whatever_happens", "--skip=gateway_machine::"];
const STRICT = ["--", "-D", "warnings"];

/** The crates that are published, together, and the features of each. */
export const CRATES = {
  "launchpad-desk": ["chain", "serde"],
  "launchpad-desk-api": ["serde"],
  "launchpad-desk-client": ["gloo", "record", "reqwest", "sandbox", "serde"],
  "launchpad-desk-gateway": [],
  "launchpad-desk-record": [],
  "launchpad-desk-sandbox": [],
};

/** A library compiles without a warning with each of these sets of features, `beside` others. */
const clippies = (name, sets, { library, beside = [], target, ...tiers }) =>
  sets.map((set) => {
    const features = [...set, ...beside];
    const options = [
      `--package=${library}`,
      ...(features.length ? [`--features=${features}`] : []),
      ...(target ? [`--target=${target}`] : []),
    ];
    return cargo([name, ...set].join("-"), ["clippy", "--locked", "--lib", ...options, ...STRICT], {
      ready: [clippy, ...(target ? [wasmTarget] : [])],
      ...tiers,
    });
  });

/** The features of the bindings: a module each. */
const ALL_BINDINGS = MODULES.map(({ feature }) => feature);

/**
 * Tests and documentation cover all features for native programs: the crate of the tests asks for all others. The short run does without
 * reqwest, whose TLS takes longer to compile than everything else. With the same features everywhere, cargo compiles each crate once.
 */
export const WITH_ALL = "--features=reqwest";

/** Tests that start programs in Rust find them built, with the features of the same run, and wait for no other step of cargo. */
const PROGRAMS = { needs: ["build", "programs"] };

/** The oldest Rust that the crate says it compiles with. */
export const [, OLDEST_RUST] = /^rust-version = "([\d.]+)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));

/** The files of the panel's tests; and half of their time, which is mostly waiting. */
const PANEL_FILES = testsIn("panel").map((file) => basename(file, ".test.mjs"));
const PANEL_LIVE = ["exits", "live", "live-market"];

/** What Firefox may do otherwise than Chromium: layout, focus, keys, storage, locks, timers, the network. The rest is the same code. */
const FIREFOX = ["access", "keys", "layout", "live", "moment", "phone", "sending", "storage", "ticket-access"];

/** Builds of the package by each bundler and framework: only a change of how it is loaded changes what they find. */
const LOADED = ["frameworks", "hosts"].map((name) => `tests/hosts/${name}.test.mjs`);

/**
 * The build comes first, because most steps wait for it. Long steps come early, so that none ends long after the others; of those that
 * cargo builds for, one runs at a time, while others run.
 */
export const STEPS = [
  // Then the build finds the target, and does not call rustup at the same time.
  {
    name: "build",
    ready: [wasmTarget],
    program: process.execPath,
    args: ["scripts/build.mjs"],
    short: { args: ["scripts/build.mjs", "--if-changed", "--quick"], leaves: "the optimized build with its sizes" },
  },
  cargo("format", ["fmt", "--all", "--check", "--", "--color=never"], { ready: [rustfmt], ...ALWAYS, lock: undefined }),
  // They need the packages that the build installs.
  ...[
    ["format-js", "oxfmt", "--check"],
    ["lint-js", "oxlint", "--deny-warnings"],
  ].map(([name, program, option]) => ({
    ...{
      name,
      needs: ["build"],
      ready: [packages],
      program: process.execPath,
      args: [tool(program), option],
      ...ALWAYS,
    },
  })),
  {
    ...cargo("programs", ["build", "--locked", "--examples", WITH_ALL], {
      short: { args: ["build", "--locked", "--examples"], leaves: "programs over reqwest" },
    }),
    gives: { RUST_PROGRAMS: "built" },
  },
  cargo("rust", ["test", ...TESTS_IN_RUST, WITH_ALL], {
    ci: {
      args: ["test", ...TESTS_IN_RUST, WITH_ALL, "--", ...WITHOUT_WALKS],
      leaves: "the walks in Rust through every order of events",
    },
    short: { args: ["test", ...TESTS_IN_RUST, "--", ...WITHOUT_WALKS], leaves: "rust over reqwest" },
  }),
  inOneProcess("panel-live", "panel", { BROWSERS: "chromium", FILES: PANEL_LIVE.join() }),
  folder("hosts", [runtimes, hosts, python], {
    // Minutes of the network, while the build has the cores.
    early: () => runtimes().then(hosts),
    ci: {
      args: [...TEST, ...testsIn("hosts").filter((file) => !LOADED.includes(file))],
      leaves: "the package in bundlers and frameworks",
    },
  }),
  inOneProcess(
    "panel",
    "panel",
    { BROWSERS: "chromium", FILES: PANEL_FILES.filter((name) => !PANEL_LIVE.includes(name)).join() },
    {
      short: {
        args: [...TEST, "tests/panel/sending.test.mjs"],
        ready: [quickPackage, chromium],
        leaves: "most of the panel",
      },
    },
  ),
  inOneProcess(
    "panel-firefox",
    "panel",
    { BROWSERS: "firefox" },
    {
      ci: {
        env: { BROWSERS: "firefox", TESTS_OF: "panel", FILES: FIREFOX.join() },
        leaves: "in Firefox what the panel does alike in each browser",
      },
    },
  ),
  ofPackage("node", [...TEST, ...IN_NODE], [], {
    ...PROGRAMS,
    short: {
      args: [...TEST, ...IN_NODE.filter((file) => !LONG_IN_NODE.test(file))],
      leaves: "in Node the examples, programs that are killed, and long journals, logs and states",
    },
  }),
  // The step "stranger" compiles each crate alone, natively and for wasm32, and lets no warning pass.
  ...clippies("clippy-client", [["record"], ["sandbox"], ["serde"]], {
    library: "launchpad-desk-client",
    ...ONLY_IN_ALL,
  }),
  ...clippies("clippy-wasm", [["gloo"]], {
    library: "launchpad-desk-client",
    beside: ["record", "sandbox", "serde"],
    target: WASM_TARGET,
    ...ONLY_IN_ALL,
  }),
  // The optimized build compiles each module without a warning; this is all of them at once.
  ...clippies("clippy-bindings", [[]], {
    library: "launchpad-desk-wasm",
    beside: ALL_BINDINGS,
    target: WASM_TARGET,
    ...ONLY_IN_ALL,
  }),
  cargo("clippy-tests", ["clippy", "--locked", "--workspace", "--all-targets", WITH_ALL, ...STRICT], {
    ready: [clippy],
  }),
  // reqwest's TLS would be compiled a second time for it. tests/scripts/crate.test.mjs reads what Rust reqwest needs.
  cargo("oldest-rust", [`+${OLDEST_RUST}`, "check", "--locked", "--lib", "--target-dir=target/oldest-rust"], {
    ready: [() => ensureToolchain(OLDEST_RUST)],
    ...ONLY_IN_ALL,
  }),
  {
    ...cargo("semver", ["semver-checks", "--workspace", `--baseline-rev=${SEMVER_BASELINE}`], {
      ready: [ensureSemverChecks],
      ...ONLY_IN_ALL,
    }),
    program: SEMVER_CHECKS_PROGRAM,
  },
  cargo("doctests", ["test", "--locked", "--doc", WITH_ALL]),
  cargo("rustdoc", ["doc", "--locked", "--no-deps", WITH_ALL], { env: { RUSTDOCFLAGS: "-D warnings" } }),
  {
    name: "crate-in-browsers",
    lock: "cargo",
    ready: [wasmTarget, browsers, chromedriver],
    program: process.execPath,
    args: ["scripts/web.mjs"],
    ...ONLY_IN_ALL,
  },
  ofPackage("faults", rowsOn("node", "bun", "deno", "workerd", "rust"), [runtimes], {
    ...PROGRAMS,
    ci: differing(rowsOn("node", "bun", "deno", "workerd", "rust")),
    short: {
      args: rowsOn(...["node:http", "connections kept", "its fetch"].map((how) => `node ${OWN_NODE}, ${how}`)),
      needs: ["build"],
      leaves: "faults on other runtimes",
    },
  }),
  ofPackage("faults-browser", rowsOn("chromium", "firefox"), [browsers], {
    ci: {
      ...differing(rowsOn("chromium")),
      leaves: "faults in Firefox, and those that every runtime takes alike on further ones",
    },
  }),
  inOneProcess("browser", "browser", {}, PROGRAMS),
  folder("package", [], {
    ci: { env: { SAMPLES_IN: "the newest TypeScript" }, leaves: "the samples in TypeScript 5.2" },
  }),
  folder("openapi", [python]),
  {
    name: "stranger",
    lock: "cargo",
    ready: [wasmTarget],
    program: process.execPath,
    args: [...TEST, ...testsIn("stranger")],
  },
  folder("stress", [runtimes]),
  folder("program", [program]),
  folder("scripts"),
  folder("edge", [], {
    ...PROGRAMS,
    short: {
      args: [...TEST, ...testsIn("edge").filter((file) => !LONG_AT_THE_EDGE.test(file))],
      leaves: "the gateway deployed, killed and with many desks, and its operator's page",
    },
  }),
];

/** The runs: what each is called, and the one that it leaves the rest to. */
export const RUNS = {
  short: { name: "npm test", next: "npm run test:ci" },
  ci: { name: "npm run test:ci", next: "npm run test:all" },
  all: { name: "npm run test:all", next: "npm run prove" },
};

/** The steps of a run, one of {@link RUNS}, as they are there. */
export const stepsOf = (run) =>
  STEPS.filter((step) => (run === "short" ? step.short : step[run] !== null)).map((step) => ({
    ...step,
    ...step[run],
  }));

/** What a run leaves to the next, for people. */
export function leftBy(run) {
  if (run === "all") return ["longer random walks, each from a fresh seed"];
  const taken = new Map(stepsOf(run).map((step) => [step.name, step]));
  const next = run === "short" ? stepsOf("ci") : STEPS;
  return [
    ...new Set(
      next.flatMap(({ name }) =>
        taken.has(name)
          ? (STEPS.find((step) => step.name === name)[run]?.leaves ?? [])
          : name.replace(/^clippy.*/, "clippy"),
      ),
    ),
  ];
}

/**
 * How many tests passed and failed, from the output of `cargo test` and `node --test`. A program without such output counts as one
 * test. A failure other than a failed test (it did not compile, it crashed) counts as one failure.
 */
export function counts(output, succeeded) {
  const sum = (pattern) => [...output.matchAll(pattern)].reduce((total, [, number]) => total + Number(number), 0);
  const failed = sum(/^(?:test result: \w+\. \d+ passed;|ℹ (?:fail|cancelled)) (\d+)/gm);
  const isCheck = !/^(?:test result: |ℹ pass )/m.test(output);
  return {
    passed: isCheck ? Number(succeeded) : sum(/^(?:test result: \w+\.|ℹ pass) (\d+)/gm),
    failed: succeeded || failed ? failed : 1,
  };
}

/** The most lines that {@link reasons} has of a step. */
const MOST_LINES = 80;

/** Why a step failed, from its output: what `cargo test` and `node --test` say of failed tests, or else the last lines. */
export function reasons(output) {
  const told = output.match(/^(?:✖ failing tests|failures):\n[^]*?(?=^test result: |(?![^]))/gm);
  return (told?.join("\n") ?? output).trimEnd().split("\n").slice(-MOST_LINES).join("\n");
}
