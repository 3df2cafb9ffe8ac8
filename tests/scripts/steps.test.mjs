// The sums of `npm test` are only as true as these readings of other programs' output.

import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { capture, root } from "../../scripts/program.mjs";
import { WASM_TARGET } from "../../scripts/setup.mjs";
import { CRATES, RUNS, STEPS, counts, leftBy, reasons, stepsOf } from "../../scripts/steps.mjs";
import { LOADING, PASSED, hasPassed, stateOfLoading } from "../../scripts/whole.mjs";

const CARGO = `
     Running unittests src/lib.rs (target/debug/deps/launchpad_desk-0)
running 3 tests
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
     Running tests/flows.rs (target/debug/deps/flows-0)
test result: FAILED. 40 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
`;

const NODE = "✔ one\n✖ two\nℹ tests 5\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\n";

for (const [what, output, isGood, passed, failed] of [
  ["cargo: the counts of all binaries are summed", CARGO, false, 43, 2],
  ["cargo: code that does not compile is one failure", "error: could not compile `launchpad-desk`", false, 0, 1],
  [
    "cargo: a binary that crashed after others passed",
    CARGO.replace("40 passed; 2 failed", "42 passed; 0 failed"),
    false,
    45,
    1,
  ],
  ["cargo: a run without a test does not pass", "test result: ok. 0 passed; 0 failed; 0 ignored;", true, 0, 0],
  ["node: cancelled tests are failures, skipped ones are nothing", NODE, false, 2, 2],
  ["node: a run that ends badly without a failing test", "ℹ pass 2\nℹ fail 0\nℹ cancelled 0\n", false, 2, 1],
  ["a check that passes is one test", "", true, 1, 0],
  ["a check that fails is one test", "", false, 0, 1],
])
  test(what, () => assert.deepEqual(counts(output, isGood), { passed, failed }));

test("why a step failed is what it says of its failed tests, or its last lines", () => {
  const cargo = (tests) =>
    `running 2 tests\ntest a ... FAILED\n\nfailures:\n\n---- ${tests} stdout ----\npanicked\n\nfailures:\n    ${tests}\n\ntest result: FAILED. 1 passed; 1 failed;\n`;
  const told = reasons(
    `${cargo("one")}running 1 test\ntest result: ok. 1 passed; 0 failed;\n${cargo("two")}error: 2 targets failed`,
  );
  assert.deepEqual(told.match(/---- .* stdout/g), ["---- one stdout", "---- two stdout"]);
  assert.doesNotMatch(told, /running|targets/);
  assert.equal(
    reasons(`${NODE}\n✖ failing tests:\n\ntest at a.mjs:1:1\n✖ two\n  Error: no\n`),
    "✖ failing tests:\n\ntest at a.mjs:1:1\n✖ two\n  Error: no",
  );
  assert.equal(reasons("error: could not compile\n"), "error: could not compile");
  assert.equal(reasons(`${"line\n".repeat(1_000)}the last`).split("\n").length, 80);
});

test("a step comes after those that it needs, in every run that has it", () => {
  for (const run of Object.keys(RUNS)) {
    const names = stepsOf(run).map(({ name }) => name);
    for (const [index, { name, needs = [] }] of stepsOf(run).entries())
      for (const need of needs) assert.ok(names.slice(0, index).includes(need), `${run}: ${name} needs ${need}`);
  }
});

/** What of a step's program is its own. */
const whatRuns = ({ args, env }) => JSON.stringify([args, env]);

test("a run says of every step that it does not take, or takes a part of, what it leaves to the next", () => {
  for (const [run, next] of Object.entries({ short: "ci", ci: "all" })) {
    const taken = new Map(stepsOf(run).map((step) => [step.name, step]));
    for (const step of stepsOf(next)) {
      const { name } = step;
      const part = taken.get(name);
      const told = part ? part.leaves : name.startsWith("clippy") ? "clippy" : name;
      assert.ok((part && whatRuns(part) === whatRuns(step)) || leftBy(run).includes(told), `${run}: ${name}`);
    }
    for (const name of taken.keys())
      assert.ok(
        stepsOf(next).some((step) => step.name === name),
        `${run}: ${name} is in ${next}`,
      );
  }
});

test("what each run has", () => {
  const names = (run) => stepsOf(run).map(({ name }) => name);
  const short = ["build", "format", "format-js", "lint-js", "programs", "rust", "panel", "node", "faults", "edge"];
  assert.deepEqual(names("short"), short);
  const ci = `${short.join(" ")} panel-live hosts panel-firefox clippy-tests doctests rustdoc faults-browser
    browser package openapi stranger stress program scripts`;
  assert.deepEqual(names("ci").sort(), ci.split(/\s+/).sort());
  assert.deepEqual(
    names("all"),
    STEPS.map(({ name }) => name),
  );
});

test("CI runs everything after a change of how the package is loaded, or of a lock file", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "whole-"));
  t.after(() => rm(folder, { recursive: true }));
  await cp(join(root, "pkg/entry"), join(folder, "pkg/entry"), { recursive: true });
  for (const file of LOADING) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  const before = await stateOfLoading(folder);
  assert.match(before, /^[0-9a-f]{64}$/);
  assert.equal(before, await stateOfLoading(), "it depends on nothing else");
  assert.equal(await hasPassed(before, folder), false, "nothing has passed yet");
  await mkdir(join(folder, "tests"), { recursive: true });
  await writeFile(join(folder, PASSED), `${before}\n`);
  assert.equal(await hasPassed(before, folder), true);
  for (const file of [...LOADING, "pkg/entry/node.js"]) {
    const text = await readFile(join(folder, file), "utf8");
    await writeFile(join(folder, file), `${text} `);
    assert.equal(await hasPassed(await stateOfLoading(folder), folder), false, file);
    await writeFile(join(folder, file), text);
  }
  await writeFile(join(folder, "pkg/entry/another.js"), "");
  assert.equal(await hasPassed(await stateOfLoading(folder), folder), false, "a further entry");
});

test("every crate and every feature of them and of the bindings is checked", async () => {
  const { packages } = JSON.parse(await capture("cargo", ["metadata", "--locked", "--format-version=1", "--no-deps"]));
  const featuresOf = (wanted) =>
    Object.keys(packages.find(({ name }) => name === wanted).features)
      .filter((feature) => feature !== "default")
      .sort();
  const published = packages.filter(({ publish }) => publish === null).map(({ name }) => name);
  assert.deepEqual(Object.keys(CRATES), published.sort());
  // tests/stranger tries each of them, too.
  for (const name of published) assert.deepEqual(CRATES[name], featuresOf(name), name);
  const { args } = STEPS.find(({ name }) => name === "clippy-bindings");
  const checked = args
    .find((arg) => arg.startsWith("--features="))
    .slice("--features=".length)
    .split(",");
  for (const feature of featuresOf("launchpad-desk-wasm")) assert.ok(checked.includes(feature), feature);
});

test("a Rust program that asks for no features gets the crate and its interface alone, on wasm32 too", async () => {
  const ofTarget = (target) =>
    capture("cargo", [
      "tree",
      "--locked",
      "--package=launchpad-desk",
      "--edges=normal",
      "--prefix=none",
      "--format={lib}",
      ...target,
    ]);
  for (const target of [[], [`--target=${WASM_TARGET}`]])
    assert.equal((await ofTarget(target)).trim(), "launchpad_desk\nlaunchpad_desk_api");
});
