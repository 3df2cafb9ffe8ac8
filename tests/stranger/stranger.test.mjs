// A Rust program for wasm32 that is not ours may turn on any feature of the crate: it builds beside an allocator of its own, and
// imports nothing that only our npm package could provide.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { run } from "../../scripts/program.mjs";
import { WASM_TARGET, cargoTargetFolder, ensureRustTools, ensureWasmTarget } from "../../scripts/setup.mjs";
import { FEATURES } from "../../scripts/steps.mjs";

const REQUEST = { mint: "mint", fromWallet: "wallet", amountInLamports: 5, feePayer: null, slippage: null, priorityUnitLimit: null, priorityUnitPrice: null };

/** What the program does with each feature. Those of native programs do nothing here. */
const USED = { chain: 1, client: 0, gateway: 1, gloo: 1, record: 1, reqwest: 0, serde: JSON.stringify(REQUEST).length };

await ensureWasmTarget();

async function build(features) {
  await run("cargo", ["build", "--quiet", "--locked", "--package=stranger", `--target=${WASM_TARGET}`, ...features.map((feature) => `--features=${feature}`)]);
  return join(await cargoTargetFolder(), WASM_TARGET, "debug/stranger.wasm");
}

function assertTrades({ allocations, trade, used }, feature) {
  assert.equal(trade(), 34_199_203, "tokens for a SOL");
  assert.ok(allocations() > 100, `the program's own allocator was asked ${allocations()} times`);
  assert.equal(used(), USED[feature] ?? 0);
}

test("every feature is tried", () => assert.deepEqual(Object.keys(USED), FEATURES));

for (const feature of [undefined, ...FEATURES.filter((feature) => feature !== "gloo")]) {
  test(`a stranger's program with ${feature ?? "no feature"} builds for wasm32, and needs nothing from its host`, async () => {
    const module = new WebAssembly.Module(await readFile(await build(feature ? [feature] : [])));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    assertTrades(new WebAssembly.Instance(module).exports, feature);
  });
}

test("a stranger's program with gloo needs only what wasm-bindgen gives it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "stranger-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "package.json"), '{"type":"commonjs"}'); // whatever a folder above says
  const program = await build(["gloo"]);
  await run(join(await ensureRustTools(), "wasm-bindgen"), ["--target=nodejs", `--out-dir=${folder}`, program]);
  assertTrades(createRequire(import.meta.url)(join(folder, "stranger.js")), "gloo");
});
