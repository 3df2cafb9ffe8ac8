// A Rust program that is not ours may use any of the crates alone, as they would be published, natively and for wasm32: it builds beside an
// allocator of its own, and imports nothing that only our npm package could provide.

import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { root, run } from "../../scripts/program.mjs";
import { WASM_TARGET, cargoTargetFolder, ensureRustTools, ensureWasmTarget } from "../../scripts/setup.mjs";
import { CRATES } from "../../scripts/steps.mjs";

const REQUEST = {
  mint: "mint",
  fromWallet: "wallet",
  amountInLamports: 5,
  feePayer: null,
  slippage: null,
  priorityUnitLimit: null,
  priorityUnitPrice: null,
};

/**
 * What the program does with each crate alone, and with each of their features that is of use for wasm32. Those of native programs do nothing
 * here.
 */
const USED = {
  api: JSON.stringify(REQUEST).length,
  desk: 34_199_203,
  sandbox: 34_199_203,
  record: 1,
  client: 0,
  gateway: 1,
  chain: 1,
  gloo: 1,
  reqwest: 0,
  serde: JSON.stringify(REQUEST).length,
};
const names = Object.keys(CRATES);

await ensureWasmTarget();
const targetFolder = await cargoTargetFolder();

/** The folder of the program, beside the crate as crates.io would give it. */
const folder = await mkdtemp(join(tmpdir(), "stranger-"));
after(() => rm(folder, { recursive: true }));
const manifest = await readFile(join(root, "tests/stranger/Cargo.toml"), "utf8");
const [, version] = /^version = "(.+)"$/m.exec(await readFile(join(root, "Cargo.toml"), "utf8"));
// All that publishing them together does, but for the upload.
const publish = ["publish", "--workspace", "--dry-run", "--no-verify", "--allow-dirty", "--locked", "--quiet"];
await run("cargo", publish);
for (const name of names)
  await run("tar", ["-xzf", join(targetFolder, `package/tmp-crate/${name}-${version}.crate`), "-C", folder]);
// They find each other here, and not at crates.io.
const patches = names.map((name) => `${name} = { path = "${name}-${version}" }\n`);
// With the profile of the workspace, what else is compiled is shared with it.
const profile = '\n[profile.dev]\ndebug = "line-tables-only"\n';
await writeFile(
  join(folder, "Cargo.toml"),
  manifest.replaceAll("workspace = true", `version = "=${version}"`) +
    `\n[patch.crates-io]\n${patches.join("")}` +
    profile,
);
for (const [from, to] of [
  ["tests/stranger/stranger.rs", "stranger.rs"],
  ["Cargo.lock", "Cargo.lock"],
])
  await copyFile(join(root, from), join(folder, to));

/** Builds it with one feature, without a warning. */
async function build(feature, ...target) {
  const options = ["--quiet", `--target-dir=${targetFolder}`, `--features=${feature}`, ...target];
  let said = "";
  await run("cargo", ["build", ...options], { cwd: folder, log: (chunk) => (said += chunk) }).catch(({ message }) =>
    assert.fail(`${message}\n${said}`),
  );
  assert.equal(said, "", "the crate compiles without a warning");
}

async function buildForWasm(feature) {
  await build(feature, `--target=${WASM_TARGET}`);
  return join(targetFolder, WASM_TARGET, "debug/stranger.wasm");
}

function assertUses({ allocations, used }, feature) {
  assert.equal(used(), USED[feature]);
  if (USED[feature]) assert.ok(allocations() > 0, "the program's own allocator was asked");
}

test("the program uses the crates that are packed", () =>
  assert.ok(!manifest.includes("[workspace]") && manifest.includes("launchpad-desk = { workspace = true")));

test("every crate is tried", () => {
  const tried = Object.keys(USED).map((name) => (name === "desk" ? "launchpad-desk" : `launchpad-desk-${name}`));
  assert.deepEqual(
    names.filter((name) => !tried.includes(name)),
    [],
  );
});

for (const feature of Object.keys(USED).filter((name) => name !== "gloo")) {
  test(`a stranger's program with ${feature} builds for wasm32, and needs nothing from its host`, async () => {
    const module = new WebAssembly.Module(await readFile(await buildForWasm(feature)));
    assert.deepEqual(WebAssembly.Module.imports(module), []);
    assertUses(new WebAssembly.Instance(module).exports, feature);
  });
}

test("a stranger's program with gloo needs only what wasm-bindgen gives it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "stranger-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "package.json"), '{"type":"commonjs"}'); // whatever a folder above says
  const program = await buildForWasm("gloo");
  await run(join(await ensureRustTools(), "wasm-bindgen"), ["--target=nodejs", `--out-dir=${folder}`, program]);
  assertUses(createRequire(import.meta.url)(join(folder, "stranger.js")), "gloo");
});

for (const feature of ["api", "desk", "sandbox", "record", "client", "gateway"])
  test(`a stranger's native program with ${feature} builds`, () => build(feature));
