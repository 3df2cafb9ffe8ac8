// A Rust program for wasm32 that is not ours may turn on any feature of the crate, as it would be published: it builds beside an allocator
// of its own, and imports nothing that only our npm package could provide.

import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { root, run } from "../../scripts/program.mjs";
import { WASM_TARGET, cargoTargetFolder, ensureRustTools, ensureWasmTarget } from "../../scripts/setup.mjs";
import { CRATES, FEATURES } from "../../scripts/steps.mjs";

const REQUEST = {
  mint: "mint",
  fromWallet: "wallet",
  amountInLamports: 5,
  feePayer: null,
  slippage: null,
  priorityUnitLimit: null,
  priorityUnitPrice: null,
};

/** What the program does with each feature. Those of native programs do nothing here. */
const USED = { chain: 1, client: 0, gateway: 1, gloo: 1, record: 1, reqwest: 0, serde: JSON.stringify(REQUEST).length };

await ensureWasmTarget();
const targetFolder = await cargoTargetFolder();

/** The folder of the program, beside the crate as crates.io would give it. */
const folder = await mkdtemp(join(tmpdir(), "stranger-"));
after(() => rm(folder, { recursive: true }));
const manifest = await readFile(join(root, "tests/stranger/Cargo.toml"), "utf8");
const [, version] = /^version = "(.+)"$/m.exec(await readFile(join(root, "Cargo.toml"), "utf8"));
const packages = CRATES.map((name) => `--package=${name}`);
await run("cargo", ["package", "--quiet", "--locked", "--allow-dirty", "--no-verify", ...packages]);
for (const name of CRATES)
  await run("tar", ["-xzf", join(targetFolder, `package/${name}-${version}.crate`), "-C", folder]);
// They find each other here, and not at crates.io.
const patches = CRATES.map((name) => `${name} = { path = "${name}-${version}" }\n`);
// With the profile of the workspace, what else is compiled is shared with it.
const profile = '\n[profile.dev]\ndebug = "line-tables-only"\n';
await writeFile(
  join(folder, "Cargo.toml"),
  manifest.replace('path = "../.."', `version = "=${version}"`) + `\n[patch.crates-io]\n${patches.join("")}` + profile,
);
for (const [from, to] of [
  ["tests/stranger/stranger.rs", "stranger.rs"],
  ["Cargo.lock", "Cargo.lock"],
])
  await copyFile(join(root, from), join(folder, to));

async function build(features) {
  const options = ["--quiet", `--target=${WASM_TARGET}`, `--target-dir=${targetFolder}`];
  let said = "";
  await run("cargo", ["build", ...options, ...features.map((feature) => `--features=${feature}`)], {
    cwd: folder,
    log: (chunk) => (said += chunk),
  }).catch(({ message }) => assert.fail(`${message}\n${said}`));
  assert.equal(said, "", "the crate compiles without a warning");
  return join(targetFolder, WASM_TARGET, "debug/stranger.wasm");
}

function assertTrades({ allocations, trade, used }, feature) {
  assert.equal(trade(), 34_199_203, "tokens for a SOL");
  assert.ok(allocations() > 100, `the program's own allocator was asked ${allocations()} times`);
  assert.equal(used(), USED[feature] ?? 0);
}

test("the program uses the crate that is packed", () =>
  assert.ok(!manifest.includes("[workspace]") && manifest.includes('path = "../.."')));

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
