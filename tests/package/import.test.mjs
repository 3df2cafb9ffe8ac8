// How the package is loaded: every condition finds its file, every file exports the same names, one
// process has one set of classes, and nobody calls an init function.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import { exportedValues } from "../types.mjs";
import { bundleIn, installAsStranger, runScript } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
const names = await exportedValues(join(installed, "dist"), "index.d.ts");

/** The package's bundle, made by a bundler that resolves under `conditions`. */
const bundle = (conditions, { source = 'export * from "launchpad-desk";', ...options } = {}) =>
  bundleIn(folder, source, conditions, { external: [], ...options });

test("no import pays for the command line, the tools for agents or the record", async () => {
  const own = /^(?:cli|mcp|record)\b/;
  for (const conditions of [["browser"], ["workerd"], ["edge-light"], ["node"], []]) {
    const { text, inputs } = await bundle(conditions, { external: ["*.wasm?module", "node:*"] });
    assert.deepEqual(
      inputs.filter((file) => own.test(file)),
      [],
      String(conditions),
    );
    assert.doesNotMatch(text, /verifyRecord|--send/, String(conditions));
  }
  assert.match(await readFile(join(installed, "dist/cli.js"), "utf8"), /--send/);
  assert.match(await readFile(join(installed, "dist/record.js"), "utf8"), /verifyRecord/);
});

test("the panel is imported where there is no page, as frameworks that render on a server do, and says what it needs once it is made", async () => {
  const source = `
    const { LaunchpadDesk } = await import("launchpad-desk/panel");
    let said;
    try {
      new LaunchpadDesk();
    } catch ({ message }) {
      said = message;
    }
    console.log(said, typeof HTMLElement, typeof document);`;
  const printed = await runScript(folder, "mjs", source);
  assert.equal(
    printed.trim(),
    "<launchpad-desk> needs a page: it can be imported on a server, and made only in a browser undefined undefined",
    "and no page is pretended to others",
  );
});

test("a default import is refused at load, not undefined at run time", async () => {
  await assert.rejects(
    runScript(folder, "mjs", 'import desk from "launchpad-desk"; desk;'),
    /does not provide an export named 'default'/,
  );
});

const IMPORTED = {};
const REQUIRED = { source: 'module.exports = require("launchpad-desk");', format: "cjs" };
for (const [how, conditions, ...files] of [
  [IMPORTED, ["workerd"], "index-edge.js", "shared.js"],
  [IMPORTED, ["workerd", "worker", "browser"], "index-edge.js", "shared.js"],
  [IMPORTED, ["edge-light"], "index-edge.js", "shared.js"],
  [IMPORTED, ["edge-light", "node"], "index-edge.js", "shared.js"],
  [IMPORTED, ["browser"], "index.js", "shared.js"],
  [IMPORTED, ["node", "import"], "index-node.js", "index.js", "shared.js"],
  [IMPORTED, ["node", "module-sync", "require"], "index-node.js", "index.js", "shared.js"],
  [IMPORTED, ["deno", "node"], "index-node.js", "index.js", "shared.js"],
  [IMPORTED, ["bun", "node", "require"], "index-node.js", "index.js", "shared.js"],
  [IMPORTED, [], "index.js", "shared.js"],
  [REQUIRED, [], "index.js", "shared.js"],
  [REQUIRED, ["browser"], "index.js", "shared.js"],
  [REQUIRED, ["node"], "index-node.js", "index.js", "shared.js"],
])
  test(`${how === REQUIRED ? "require under " : ""}conditions [${conditions}] find ${files.join(" and ")}`, async () => {
    const { inputs, text } = await bundle(conditions, { ...how, external: ["*.wasm?module", "node:*"] });
    assert.deepEqual(inputs, files);
    // No browser and no edge gets the transport of Node.
    for (const word of ["node:", "keepAliveMs"])
      assert.equal(text.includes(word), files.includes("index-node.js"), word);
  });

test("what Node takes is the one-file import and a transport of its own", async () => {
  const text = await readFile(join(installed, "dist/index-node.js"), "utf8");
  const from = new Set([...text.matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, from]) => from));
  // Not node:http, which takes longer to load than all this: that is asked for with the first call.
  assert.deepEqual([...from].sort(), ["./index.js", "node:module", "node:stream", "node:url", "node:zlib"]);
});

test("the browser's file asks nothing of Node, of its own address, or of top-level await", async () => {
  const { text } = await bundle(["browser"]);
  assert.doesNotMatch(text, /import\.meta|\bfrom\s*"node:|\brequire\(/);
  await assert.doesNotReject(
    bundle(["browser"], { format: "iife", target: "es2020" }),
    "a format without top-level await",
  );
});

test("no file of the package gives a bundler anything to warn of", async () => {
  const esbuild = await import("esbuild");
  const entryPoints = ["index.js", "index-node.js", "market.js", "sandbox.js", "node.js"].map((name) =>
    join(root, "pkg/dist", name),
  );
  const { warnings } = await esbuild.build({
    entryPoints,
    bundle: true,
    write: false,
    outdir: folder,
    entryNames: "[name][ext]-[hash]",
    format: "esm",
    platform: "neutral",
    external: ["node:*"],
    logLevel: "silent",
  });
  assert.deepEqual(
    warnings.map(({ text }) => text),
    [],
  );
});

test("edge runtimes without eval or compile-from-bytes can load their file", async () => {
  // The module is compiled by the host, and passed in; compiling here would be refused there.
  const source = `
    import { readFileSync } from "node:fs";
    const module = new WebAssembly.Module(readFileSync("node_modules/launchpad-desk/dist/trade_bg.wasm"));
    globalThis.theModule = module;
    WebAssembly.Module = class { constructor() { throw new Error("compiled at run time"); } static [Symbol.hasInstance](value) { return value === module; } };
    const text = readFileSync("node_modules/launchpad-desk/dist/index-edge.js", "utf8").replace(/import ([\\w$]+) from"\\.\\/trade_bg\\.wasm\\?module";?/, "const $1 = globalThis.theModule;");
    const shared = "data:text/javascript;base64," + readFileSync("node_modules/launchpad-desk/dist/shared.js", "base64");
    const desk = await import("data:text/javascript;base64," + Buffer.from(text.replaceAll('"./shared.js"', JSON.stringify(shared))).toString("base64"));
    console.log(JSON.stringify(Object.keys(desk)));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)).sort(), names);
});

test("the repository's own link is the package as installed, whatever happened to it in another project", async () => {
  const linked = await readFile(join(root, "node_modules/launchpad-desk/dist/index.js"));
  assert.deepEqual(await readFile(join(installed, "dist/index.js")), linked);
  const other = await installAsStranger();
  await writeFile(join(other.installed, "dist/index.js"), "changed");
  const later = await installAsStranger();
  for (const { installed: where } of [{ installed }, later])
    assert.deepEqual(await readFile(join(where, "dist/index.js")), linked);
});
