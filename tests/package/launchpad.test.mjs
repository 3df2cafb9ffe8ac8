// How launchpad-desk/launchpad is loaded, from the tarball, in an outside project.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { exportedValues } from "../../scripts/types.mjs";
import { installAsStranger, runScript } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
const names = exportedValues(await readFile(join(installed, "dist/launchpad.d.ts"), "utf8"));
const PRICE = "console.log(String(new Curve().buyExactIn(1000000000n)));";
const TOKENS = "34199203120618\n";

/** What a bundler that resolves under `conditions` takes from the package. */
async function bundle(conditions, options = {}) {
  const esbuild = await import("esbuild");
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: `import { Curve } from "launchpad-desk/launchpad"; ${PRICE}`, resolveDir: folder },
    bundle: true,
    write: false,
    metafile: true,
    outfile: join(folder, "bundle.js"),
    absWorkingDir: folder,
    platform: "neutral",
    conditions,
    format: "esm",
    logLevel: "silent",
    ...options,
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("launchpad-desk/"));
  return { text: outputFiles[0].text, inputs: inputs.map((path) => path.replace(/^.*launchpad-desk\/dist\//, "")) };
}

test("import and require have every declared name, and share their classes", async () => {
  const source = `
    import { createRequire } from "node:module";
    import * as imported from "launchpad-desk/launchpad";
    const required = createRequire(import.meta.url)("launchpad-desk/launchpad");
    console.log(JSON.stringify([Object.keys(imported).sort(), Object.keys(required).sort(), Object.keys(imported).filter((name) => imported[name] !== required[name])]));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), [names, names, []]);
  assert.ok(names.length > 10);
});

test("it prices at once, with no init call, by import and by require", async () => {
  assert.equal(await runScript(folder, "mjs", `import { Curve } from "launchpad-desk/launchpad"; ${PRICE}`), TOKENS);
  assert.equal(await runScript(folder, "cjs", `const { Curve } = require("launchpad-desk/launchpad"); ${PRICE}`), TOKENS);
});

for (const [conditions, file] of [
  [["workerd", "worker", "browser"], "launchpad-edge.js"],
  [["edge-light", "node"], "launchpad-edge.js"],
  [["browser"], "launchpad.js"],
  [["deno", "node"], "launchpad.js"],
  [["bun", "node"], "launchpad.js"],
  [[], "launchpad.js"],
]) {
  test(`conditions [${conditions}] find ${file}`, async () => {
    const { inputs } = await bundle(conditions, { external: ["*.wasm?module"] });
    assert.deepEqual(inputs, [file]);
  });
}

test("a bundle for browsers runs by itself, asks nothing of Node and takes nothing of the main import", async () => {
  const { text, inputs } = await bundle(["browser"], { format: "iife", target: "es2020" });
  assert.deepEqual(inputs, ["launchpad.js"]);
  assert.doesNotMatch(text, /import\.meta|\bfrom\s*"node:|\brequire\(/);
  assert.equal(await runScript(folder, "cjs", text), TOKENS);
});

test("hosts that compile nothing at run time import the module as a file", async () => {
  const text = await readFile(join(installed, "dist/launchpad-edge.js"), "utf8");
  assert.match(text, /from"\.\/launchpad_bg\.wasm\?module"/);
  assert.doesNotMatch(text, /new WebAssembly\.Module\(|atob\(/, "no module inside");
});

test("a sandbox serves the client of the main import, by import and by require", async () => {
  const buy = `
    const sandbox = new Sandbox();
    const [[{ mint }], [{ wallet: fromWallet }]] = [sandbox.tokens, sandbox.wallets];
    new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: 1000000000n }).then(({ status }) => console.log(status, sandbox.trades.length));`;
  assert.equal(await runScript(folder, "mjs", `import { TradeClient } from "launchpad-desk"; import { Sandbox } from "launchpad-desk/launchpad"; ${buy}`), "landed 1\n");
  assert.equal(await runScript(folder, "cjs", `const { TradeClient } = require("launchpad-desk"); const { Sandbox } = require("launchpad-desk/launchpad"); ${buy}`), "landed 1\n");
});

test("errors of one import are known to the other", async () => {
  const source = `
    import { isTradeError } from "launchpad-desk";
    import { Curve } from "launchpad-desk/launchpad";
    try { new Curve({ suply: 1n }); } catch (error) { console.log(isTradeError(error), error.name, error.code, error.field); }`;
  assert.equal(await runScript(folder, "mjs", source), "true TradeNotSentError invalid_options suply\n");
});
