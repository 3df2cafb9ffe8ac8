// The sums of `npm test` are only as true as these readings of other programs' output.

import assert from "node:assert/strict";
import test from "node:test";
import { capture } from "../../scripts/program.mjs";
import { WASM_TARGET } from "../../scripts/setup.mjs";
import { FEATURES, STEPS, counts } from "../../scripts/steps.mjs";

const CARGO = `
     Running unittests src/lib.rs (target/debug/deps/launchpad_desk-0)
running 3 tests
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
     Running tests/flows.rs (target/debug/deps/flows-0)
test result: FAILED. 40 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s
`;

test("cargo: the counts of all binaries are summed", () => {
  assert.deepEqual(counts(CARGO, false), { passed: 43, failed: 2 });
});

test("cargo: code that does not compile is one failure", () => {
  assert.deepEqual(counts("error: could not compile `launchpad-desk`", false), { passed: 0, failed: 1 });
});

test("cargo: a binary that crashed after others passed is a failure", () => {
  assert.deepEqual(counts(CARGO.replace("40 passed; 2 failed", "42 passed; 0 failed"), false), { passed: 45, failed: 1 });
});

test("cargo: no test at all is no pass", () => {
  assert.deepEqual(counts("test result: ok. 0 passed; 0 failed; 0 ignored;", true), { passed: 0, failed: 0 });
});

const NODE = "✔ one\n✖ two\nℹ tests 5\nℹ suites 0\nℹ pass 2\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\n";

test("node: cancelled tests are failures, skipped ones are nothing", () => {
  assert.deepEqual(counts(NODE, false), { passed: 2, failed: 2 });
});

test("node: a run that ends badly without a failing test is a failure", () => {
  assert.deepEqual(counts("ℹ pass 2\nℹ fail 0\nℹ cancelled 0\n", false), { passed: 2, failed: 1 });
});

test("a check is one test", () => {
  assert.deepEqual(counts("", true), { passed: 1, failed: 0 });
  assert.deepEqual(counts("", false), { passed: 0, failed: 1 });
});

test("a step comes after the one that it needs", () => {
  const names = STEPS.map(({ name }) => name);
  for (const [index, { name, needs }] of STEPS.entries()) assert.ok(needs === undefined || names.slice(0, index).includes(needs), name);
});

test("every feature of the crate is checked, and every set of the package's modules on the machine and for wasm32", async () => {
  const { packages } = JSON.parse(await capture("cargo", ["metadata", "--locked", "--format-version=1", "--no-deps"]));
  const { features } = packages.find(({ name }) => name === "launchpad-desk");
  assert.deepEqual(FEATURES, Object.keys(features).filter((feature) => feature !== "default").sort());
  const named = (start) => STEPS.map(({ name }) => name).filter((name) => name.startsWith(start));
  for (const feature of FEATURES) assert.ok(named("clippy").some((name) => name.split("-").includes(feature)), feature);
  const modules = ["", "-desk", "-launchpad", "-desk-launchpad"];
  for (const set of modules.flatMap((set) => [`clippy${set}`, `clippy-wasm${set}`])) assert.ok(named(set).includes(set), set);
});

test("a Rust program that asks for no features gets the crate alone, on wasm32 too", async () => {
  const ofTarget = (target) => capture("cargo", ["tree", "--locked", "--edges=normal", "--prefix=none", "--format={lib}", ...target]);
  for (const target of [[], [`--target=${WASM_TARGET}`]]) assert.equal((await ofTarget(target)).trim(), "launchpad_desk");
});
