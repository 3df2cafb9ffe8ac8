// How launchpad-desk/typed is loaded, from the tarball, in an outside project; and that the main import does without it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { PANEL } from "../../scripts/modules.mjs";
import { exportedValues } from "../../scripts/types.mjs";
import { installAsStranger, runScript } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
const dist = (name, encoding = "utf8") => readFile(join(installed, "dist", name), encoding);
const NAMES = ["readTypedAmount", "readTypedPercentage", "readTypedSlippage", "readTypedTable"];
const READ = 'console.log(readTypedAmount("0,05", 9).units);';

test("its types declare the functions, and those of the main import do not", async () => {
  assert.deepEqual(exportedValues(await dist("typed.d.ts")), NAMES);
  assert.doesNotMatch(await dist("index.d.ts"), /\b(read)?Typed[A-Z]/);
});

test("import and require have them at once, with no init call, and share them", async () => {
  const source = `
    import { createRequire } from "node:module";
    import * as imported from "launchpad-desk/typed";
    const required = createRequire(import.meta.url)("launchpad-desk/typed");
    console.log(JSON.stringify(Object.keys(imported).filter((name) => imported[name] === required[name]).sort()));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), NAMES);
  assert.equal(await runScript(folder, "mjs", `import { readTypedAmount } from "launchpad-desk/typed"; ${READ}`), "50000000n\n");
  assert.equal(await runScript(folder, "cjs", `const { readTypedAmount } = require("launchpad-desk/typed"); ${READ}`), "50000000n\n");
});

for (const [conditions, file] of [
  [["workerd", "worker", "browser"], "typed-edge.js"],
  [["edge-light", "node"], "typed-edge.js"],
  [["browser"], "typed.js"],
  [["deno", "node"], "typed.js"],
]) {
  test(`conditions [${conditions}] find ${file} alone`, async () => {
    const esbuild = await import("esbuild");
    const stdin = { contents: `import { readTypedAmount } from "launchpad-desk/typed"; ${READ}`, resolveDir: folder };
    const options = { bundle: true, write: false, metafile: true, platform: "neutral", format: "esm", logLevel: "silent" };
    const { metafile } = await esbuild.build({ ...options, stdin, conditions, absWorkingDir: folder, external: ["*.wasm?module"] });
    const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("launchpad-desk/"));
    assert.deepEqual(inputs.map((path) => path.replace(/^.*launchpad-desk\/dist\//, "")), [file]);
  });
}

/** The names of what a module exports for these functions. */
async function typedExports(wasm) {
  return WebAssembly.Module.exports(new WebAssembly.Module(await dist(wasm, null))).map(({ name }) => name).filter((name) => /typed/i.test(name)).sort();
}

test("no other module has them in it", async () => {
  assert.deepEqual(await typedExports("typed_bg.wasm"), [...NAMES].sort());
  for (const wasm of ["launchpad_desk_bg.wasm", "launchpad_bg.wasm", "gateway_bg.wasm"]) assert.deepEqual(await typedExports(wasm), [], wasm);
});

test("the panel for a script tag has one module in it, and the panel for a bundler has none", async () => {
  const modulesIn = async (file) => (await dist(file)).split("new WebAssembly.Module(").length - 1;
  assert.equal(await modulesIn("index.js"), 1, "this is how a module is loaded");
  assert.equal(await modulesIn(PANEL.tag), 1);
  assert.equal(await modulesIn("panel.js"), 0);
});
