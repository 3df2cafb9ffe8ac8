// How launchpad-desk/curve is loaded, from the tarball, in an outside project; and that it has no sandbox in it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { exportedValues } from "../../scripts/types.mjs";
import { installAsStranger, runScript } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
const dist = (name, encoding = "utf8") => readFile(join(installed, "dist", name), encoding);
const names = exportedValues(await dist("curve.d.ts"));
/** What simulates a launchpad, tries a strategy, or carries out what was ordered. */
const MORE = ["Exits", "Managed", "OUTCOME_HEADER", "OUTCOME_PREFIX", "OpenExits", "Sandbox", "SandboxMarket", "audit", "backtest", "backtestReport", "quote", "recording", "reportHtml", "reportText", "sandboxOutcomes", "sweep"];

test("it has every name of launchpad-desk/launchpad but those around the sandbox, exits and backtests", async () => {
  const source = `
    import { createRequire } from "node:module";
    import * as imported from "launchpad-desk/curve";
    const required = createRequire(import.meta.url)("launchpad-desk/curve");
    console.log(JSON.stringify(Object.keys(imported).filter((name) => imported[name] === required[name]).sort()));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), names);
  const whole = exportedValues(await dist("launchpad.d.ts"));
  assert.deepEqual(whole.filter((name) => !names.includes(name)), MORE);
  assert.deepEqual(names.filter((name) => !whole.includes(name)), []);
});

test("it prices at once, with no init call, as launchpad-desk/launchpad does", async () => {
  const prices = (entry) => runScript(folder, "mjs", `
    import { Curve, Trader } from "${entry}";
    const curve = new Curve();
    console.log(JSON.stringify(curve.quoteBuyExactIn(1_000_000_000n, new Trader()), (_, value) => typeof value === "bigint" ? String(value) : value));`);
  const [one, other] = await Promise.all(["launchpad-desk/curve", "launchpad-desk/launchpad"].map(prices));
  assert.match(one, /34199203120618/);
  assert.equal(one, other);
});

for (const [conditions, file] of [
  [["workerd", "worker", "browser"], "curve-edge.js"],
  [["edge-light", "node"], "curve-edge.js"],
  [["browser"], "curve.js"],
  [["deno", "node"], "curve.js"],
]) {
  test(`conditions [${conditions}] find ${file} alone`, async () => {
    const esbuild = await import("esbuild");
    const stdin = { contents: 'import { Curve } from "launchpad-desk/curve"; console.log(new Curve().spotPrice);', resolveDir: folder };
    const options = { bundle: true, write: false, metafile: true, platform: "neutral", format: "esm", logLevel: "silent" };
    const { metafile } = await esbuild.build({ ...options, stdin, conditions, absWorkingDir: folder, external: ["*.wasm?module"] });
    const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("launchpad-desk/"));
    assert.deepEqual(inputs.map((path) => path.replace(/^.*launchpad-desk\/dist\//, "")), [file]);
  });
}

test("its module has no sandbox in it", async () => {
  const exported = async (wasm) => WebAssembly.Module.exports(new WebAssembly.Module(await dist(wasm, null))).map(({ name }) => name);
  const isSandbox = (name) => /sandbox/i.test(name);
  assert.ok((await exported("launchpad_bg.wasm")).some(isSandbox), "this is how one is found");
  assert.deepEqual((await exported("curve_bg.wasm")).filter(isSandbox), []);
});
