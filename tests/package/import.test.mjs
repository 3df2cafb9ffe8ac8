// How the package is loaded: every condition finds its file, every file exports the same names, one
// process has one set of classes, and nobody calls an init function.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import { exportedValues } from "../../scripts/types.mjs";
import { installAsStranger, runScript } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
const names = exportedValues(await readFile(join(installed, "dist/index.d.ts"), "utf8"));

/** The package's bundle, made by a bundler that resolves under `conditions`. */
async function bundle(conditions, { source = 'export * from "launchpad-desk";', format = "esm", ...options } = {}) {
  const esbuild = await import("esbuild");
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    write: false,
    metafile: true,
    outfile: join(folder, "bundle.js"),
    absWorkingDir: folder,
    platform: "neutral",
    conditions,
    format,
    logLevel: "silent",
    ...options,
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path.includes("launchpad-desk/"));
  return { text: outputFiles[0].text, inputs: inputs.map((path) => path.replace(/^.*launchpad-desk\/dist\//, "")) };
}

test("no bundle for a browser or the edge has the transport of Node in it", async () => {
  for (const conditions of [["browser"], ["workerd"], ["edge-light"], []]) {
    const { text } = await bundle(conditions, { external: ["*.wasm", "*.wasm?module"] });
    assert.doesNotMatch(text, /node:|keepAliveMs/, String(conditions));
  }
  assert.match((await bundle(["node"], { external: ["node:*"] })).text, /keepAliveMs/);
});

test("no import pays for the command line, the tools for agents or the record", async () => {
  const own = /^(?:cli|mcp|record)\b/;
  for (const conditions of [["browser"], ["workerd"], ["edge-light"], ["node"], []]) {
    const { text, inputs } = await bundle(conditions, { external: ["*.wasm", "*.wasm?module", "node:*"] });
    assert.deepEqual(inputs.filter((file) => own.test(file)), [], String(conditions));
    assert.doesNotMatch(text, /verifyRecord|--send/, String(conditions));
  }
  assert.match(await readFile(join(installed, "dist/cli.js"), "utf8"), /--send/);
  assert.match(await readFile(join(installed, "dist/record.js"), "utf8"), /verifyRecord/);
});

test("there is something to import", () => {
  assert.ok(names.length > 0);
});

test("import: every declared name is there, in Node's own order of conditions", async () => {
  const printed = await runScript(folder, "mjs", 'import * as desk from "launchpad-desk"; console.log(JSON.stringify(Object.keys(desk)));');
  assert.deepEqual(JSON.parse(printed).sort(), names);
});

test("require: every declared name is there", async () => {
  const printed = await runScript(folder, "cjs", 'console.log(JSON.stringify(Object.keys(require("launchpad-desk"))));');
  assert.deepEqual(JSON.parse(printed).sort(), names);
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
  assert.equal(printed.trim(), "<launchpad-desk> needs a page: it can be imported on a server, and made only in a browser undefined undefined", "and no page is pretended to others");
});

test("import and require share their classes", async () => {
  const source = `
    import { createRequire } from "node:module";
    import * as imported from "launchpad-desk";
    const required = createRequire(import.meta.url)("launchpad-desk");
    console.log(JSON.stringify(Object.keys(imported).filter((name) => imported[name] !== required[name])));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), []);
});

test("a default import is refused at load, not undefined at run time", async () => {
  await assert.rejects(runScript(folder, "mjs", 'import desk from "launchpad-desk"; desk;'), /does not provide an export named 'default'/);
});

for (const [conditions, file] of [
  [["workerd"], "workerd.js"],
  [["workerd", "worker", "browser"], "workerd.js"],
  [["edge-light"], "edge-light.js"],
  [["edge-light", "node"], "edge-light.js"],
  [["browser"], "index.js"],
  [["node", "import"], "node.js"],
  [["node", "module-sync", "require"], "node.js"],
  [["deno", "node"], "node.js"],
  [["bun", "node", "require"], "node.js"],
  [[], "index.js"],
]) {
  test(`conditions [${conditions}] find ${file}`, async () => {
    const { inputs } = await bundle(conditions, { external: ["*.wasm", "*.wasm?module", "node:*"] });
    assert.deepEqual(inputs, [file]);
  });
}

for (const [conditions, file] of [
  [[], "index.cjs"],
  [["browser"], "index.cjs"],
  [["node"], "node.cjs"],
]) {
  test(`require under conditions [${conditions}] finds ${file}`, async () => {
    const { inputs } = await bundle(conditions, { source: 'module.exports = require("launchpad-desk");', format: "cjs", external: ["node:*"] });
    assert.deepEqual(inputs, [file]);
  });
}

for (const file of ["index.cjs", "node.cjs"]) {
  test(`${file} by itself has every declared name, and runs`, async () => {
    const source = `
      const desk = require("./node_modules/launchpad-desk/dist/${file}");
      const { path } = desk.readCall("buy", '{"mint":"M","fromWallet":"W","amountInLamports":1}');
      console.log(JSON.stringify([Object.keys(desk), typeof path]));`;
    const [keys, type] = JSON.parse(await runScript(folder, "cjs", source));
    assert.deepEqual([keys.sort(), type], [names, "string"]);
  });
}

test("what Node takes is its own, in one file: the module is inflated by node:zlib", async () => {
  const text = await readFile(join(installed, "dist/node.js"), "utf8");
  const from = new Set([...text.matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, from]) => from));
  // Not node:http, which takes longer to load than all this: that is asked for with the first call.
  assert.deepEqual([...from].sort(), ["node:buffer", "node:module", "node:stream", "node:url", "node:zlib"]);
});

test("the module is imported as a file in workerd, and asked for with ?module at the edge", async () => {
  const workerd = await readFile(join(installed, "dist/workerd.js"), "utf8");
  const edgeLight = await readFile(join(installed, "dist/edge-light.js"), "utf8");
  assert.match(workerd, /from"\.\/launchpad_desk_bg\.wasm"/);
  assert.match(edgeLight, /from"\.\/launchpad_desk_bg\.wasm\?module"/);
  for (const text of [workerd, edgeLight]) assert.doesNotMatch(text, /atob\(/, "no module inside");
});

test("the browser's file asks nothing of Node, of its own address, or of top-level await", async () => {
  const { text } = await bundle(["browser"]);
  assert.doesNotMatch(text, /import\.meta|\bfrom\s*"node:|\brequire\(/);
  await assert.doesNotReject(bundle(["browser"], { format: "iife", target: "es2020" }), "a format without top-level await");
});

test("no file of the package gives a bundler anything to warn of", async () => {
  const esbuild = await import("esbuild");
  const entryPoints = ["index.js", "index.cjs", "node.js", "node.cjs", "web.js", "launchpad.js", "launchpad-node.js"].map((name) => join(root, "pkg/dist", name));
  const { warnings } = await esbuild.build({ entryPoints, bundle: true, write: false, outdir: folder, entryNames: "[name][ext]-[hash]", format: "esm", platform: "neutral", external: ["node:*"], logLevel: "silent" });
  assert.deepEqual(warnings.map(({ text }) => text), []);
});

test("a bundle for browsers runs by itself", async () => {
  const source = 'import * as desk from "launchpad-desk"; console.log(JSON.stringify(Object.keys(desk)));';
  const { text } = await bundle(["browser"], { source });
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", text)).sort(), names);
});

test("edge runtimes without eval or compile-from-bytes can load the workerd file", async () => {
  // The module is compiled by the host, and passed in; compiling here would be refused there.
  const source = `
    import { readFileSync } from "node:fs";
    const module = new WebAssembly.Module(readFileSync("node_modules/launchpad-desk/dist/launchpad_desk_bg.wasm"));
    globalThis.theModule = module;
    WebAssembly.Module = class { constructor() { throw new Error("compiled at run time"); } static [Symbol.hasInstance](value) { return value === module; } };
    const text = readFileSync("node_modules/launchpad-desk/dist/workerd.js", "utf8").replace(/import ([\\w$]+) from"\\.\\/launchpad_desk_bg\\.wasm";?/, "const $1 = globalThis.theModule;");
    const desk = await import("data:text/javascript;base64," + Buffer.from(text).toString("base64"));
    console.log(JSON.stringify(Object.keys(desk)));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)).sort(), names);
});

test("launchpad-desk/web exports the same and its two init functions", async () => {
  const printed = await runScript(folder, "mjs", 'import * as web from "launchpad-desk/web"; console.log(JSON.stringify(Object.keys(web)));');
  assert.deepEqual(JSON.parse(printed).sort(), [...names, "init", "initSync"].sort());
});

for (const [title, how] of [
  ["init takes bytes", "await web.init(bytes);"],
  ["init takes a module", "await web.init(new WebAssembly.Module(bytes));"],
  ["init takes a response, as a stream", 'await web.init(new Response(bytes, { headers: { "content-type": "application/wasm" } }));'],
  ["init takes a response in flight", 'await web.init(Promise.resolve(new Response(bytes, { headers: { "content-type": "application/wasm" } })));'],
  ["init may be called twice at once", "await Promise.all([web.init(bytes), web.init(bytes)]);"],
  ["init may be tried again after a failure", 'await web.init(new Response("", { status: 404 })).then(() => { throw new Error("loaded nothing"); }, () => {}); await web.init(bytes);'],
  ["initSync takes bytes", "web.initSync(bytes);"],
  ["initSync takes a module", "web.initSync(new WebAssembly.Module(bytes));"],
  ["initSync may follow initSync", "web.initSync(bytes); web.initSync(bytes);"],
]) {
  test(`launchpad-desk/web: ${title}`, async () => {
    const source = `
      import { readFileSync } from "node:fs";
      import * as web from "launchpad-desk/web";
      const bytes = readFileSync("node_modules/launchpad-desk/dist/launchpad_desk_bg.wasm");
      ${how}
      const client = new web.TradeClient({ baseURL: "https://service.example" });
      console.log(client instanceof web.TradeClient);`;
    assert.equal(await runScript(folder, "mjs", source), "true\n");
  });
}

test("launchpad-desk/web: whatever is used before init says so, and works after it", async () => {
  const source = `
    import { readFileSync } from "node:fs";
    import * as web from "launchpad-desk/web";
    const uses = [() => new web.TradeClient({ baseURL: "https://service.example" }), () => web.readCall("buy", '{"mint":"M","fromWallet":"W","amountInLamports":1}'), () => web.validate("buy", {}), () => web.renderText(new Error("x"))];
    for (const use of uses) try { use(); console.log("used"); } catch ({ message }) { console.log(message); }
    await web.init(readFileSync("node_modules/launchpad-desk/dist/launchpad_desk_bg.wasm"));
    for (const use of uses) use();
    await web.init("nowhere.wasm");
    console.log("ready");`;
  const refusal = "launchpad-desk/web is not ready: call init() first, and wait for it\n";
  assert.equal(await runScript(folder, "mjs", source), `${refusal.repeat(4)}ready\n`);
});

test("launchpad-desk/web: init says what is wrong with its source", async () => {
  const source = `
    import * as web from "launchpad-desk/web";
    for (const source of [new Response("", { status: 404 }), new Uint8Array(8), new Response(new Uint8Array(8), { headers: { "content-type": "application/wasm" } }), 7]) {
      try { await web.init(source); console.log("loaded"); } catch (error) { console.log(error.name); }
    }
    await web.init(new Response("", { status: 404 })).catch(({ message }) => console.log(message));`;
  assert.equal(await runScript(folder, "mjs", source), "Error\nCompileError\nCompileError\nTypeError\nthe WebAssembly module was answered with status 404\n");
});

test("the repository's own link is the package as installed, whatever happened to it in another project", async () => {
  const linked = await readFile(join(root, "node_modules/launchpad-desk/dist/index.js"));
  assert.deepEqual(await readFile(join(installed, "dist/index.js")), linked);
  const other = await installAsStranger();
  await writeFile(join(other.installed, "dist/index.js"), "changed");
  const later = await installAsStranger();
  for (const { installed: where } of [{ installed }, later]) assert.deepEqual(await readFile(join(where, "dist/index.js")), linked);
});
