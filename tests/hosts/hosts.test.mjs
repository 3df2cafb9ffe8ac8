// The package in tools and runtimes that load it in their own ways, from its tarball.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { BUN, DENO, NODE_20, NODE_22, NODE_24 } from "../faults/pinned.mjs";
import { installAsStranger, readJson } from "../package/stranger.mjs";
import { capture } from "../../scripts/program.mjs";
import { DENO_RUN, end } from "./command.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
// In this folder, so that they find the folder's packages.
const { folder, installed } = await installAsStranger({ prefix: join(here, ".stranger-") });
const tool = (path) => join(here, "node_modules", path);
const TOKENS = "34199203120618";
const { exports } = await readJson(join(installed, "package.json"));
/** What programs import, without the files that pages load as they are. */
const ENTRIES = Object.keys(exports)
  .filter((entry) => !/\.js(on)?$/.test(entry))
  .map((entry) => `launchpad-desk${entry.slice(1)}`);

const RUNTIMES = {
  "the oldest Node": { program: NODE_20() },
  "Node 22": { program: NODE_22() },
  "Node 24": { program: NODE_24() },
  Bun: { program: BUN() },
  // Its `require` reads files by itself.
  Deno: { program: DENO(), flags: DENO_RUN, forRequire: ["--allow-read"] },
};

const TRADE = `
  const sandbox = new Sandbox();
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  const { status } = await new TradeClient({ fetch: sandbox.fetch, market: sandbox }).buy({ mint, fromWallet, amountInLamports: 1_000_000 });
  console.log(status, String(new Curve().buyExactIn(1_000_000_000n)));`;

const IMPORTED = `
  import { TradeClient } from "launchpad-desk";
  import { Curve } from "launchpad-desk/market";
  import { Sandbox } from "launchpad-desk/sandbox"; ${TRADE}`;

for (const [name, { program, flags = [], forRequire = [] }] of Object.entries(RUNTIMES)) {
  test(`${name} imports it, without a permission, and trades`, async () => {
    const file = join(folder, "import.mjs");
    await writeFile(file, IMPORTED);
    assert.equal(await capture(program, [...flags, file], { cwd: folder }), `landed ${TOKENS}\n`);
  });

  // By its own means, of an ES module, and without a warning.
  test(`${name} requires it, and trades`, async () => {
    const file = join(folder, "require.cjs");
    await writeFile(
      file,
      `(async () => { const { TradeClient } = require("launchpad-desk"); const { Curve } = require("launchpad-desk/market"); const { Sandbox } = require("launchpad-desk/sandbox"); ${TRADE} })();`,
    );
    assert.deepEqual(await end(program, [...flags, ...forRequire, file], { cwd: folder }), {
      code: 0,
      out: `landed ${TOKENS}\n`,
      err: "",
    });
  });

  test(`${name} has one set of classes for both, in every entry`, async () => {
    const file = join(folder, "both.mjs");
    await writeFile(
      file,
      `import { createRequire } from "node:module";
       const require = createRequire(import.meta.url);
       for (const entry of ${JSON.stringify(ENTRIES)}) {
         const [required, imported] = [require(entry), await import(entry)];
         console.log(entry, Object.keys(imported).length > 0, Object.keys(imported).filter((name) => imported[name] !== required[name]).join());
       }`,
    );
    assert.equal(
      await capture(program, [...flags, ...forRequire, file], { cwd: folder }),
      ENTRIES.map((entry) => `${entry} true \n`).join(""),
    );
  });
}

for (const [how, flags, config] of [
  ["as ES modules", ["--experimental-vm-modules"], "modules"],
  ["compiled to CommonJS", [], "compiled"],
]) {
  test(`Jest runs it ${how}, in jsdom, whose pages have no TextEncoder`, async () => {
    await cp(join(here, "jest"), folder, { recursive: true });
    const { code, err } = await end(
      process.execPath,
      [...flags, tool("jest/bin/jest.js"), "--ci", "--no-cache", `--config=${config}.config.cjs`],
      { cwd: folder },
    );
    assert.equal(code, 0, err);
    assert.match(err, /^Tests: +2 passed, 2 total$/m);
  });
}

test("the Jest of Node 24 requires it, too", async () => {
  await cp(join(here, "jest"), folder, { recursive: true });
  await writeFile(
    join(folder, "required.spec.cjs"),
    'test("requires", () => expect(require("launchpad-desk").isValid("buy", {})).toBe(false));',
  );
  await capture(
    NODE_24(),
    [
      "--experimental-vm-modules",
      tool("jest/bin/jest.js"),
      "--ci",
      "--no-cache",
      "--config=modules.config.cjs",
      "--testMatch=**/*.spec.cjs",
    ],
    { cwd: folder },
  );
});

for (const options of [{ exportConditions: ["node"] }, { browser: true }]) {
  test(`Rollup bundles it with ${JSON.stringify(options)} and no plugin for CommonJS`, async () => {
    const input = join(folder, "rollup.mjs");
    await writeFile(input, IMPORTED);
    const { rollup } = await import(tool("rollup/dist/es/rollup.js"));
    const { nodeResolve } = await import(tool("@rollup/plugin-node-resolve/dist/es/index.js"));
    const warnings = [];
    const bundle = await rollup({
      input,
      external: /^node:/,
      plugins: [nodeResolve(options)],
      onwarn: ({ message }) => warnings.push(message),
    });
    const { output } = await bundle.generate({ format: "es" });
    await bundle.close();
    assert.deepEqual(warnings, []);
    const bundled = join(folder, "bundled.mjs");
    await writeFile(bundled, output[0].code);
    assert.equal(await capture(process.execPath, [bundled], { cwd: folder }), `landed ${TOKENS}\n`);
  });
}

const NEXT = tool("next/dist/bin/next");
const QUIET = { NEXT_TELEMETRY_DISABLED: "1" };
/** A project of its own, for want of `"type": "module"`: with that, Next's webpack loses a file of an edge route. */
const site = join(folder, "next");

/** Serves what Next has built, and resolves to its address and a way to end it. */
async function startNext() {
  const child = spawn(process.execPath, [NEXT, "start", "-H", "127.0.0.1", "-p", "0"], {
    cwd: site,
    env: { ...process.env, ...QUIET },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let [address, told] = [undefined, ""];
  for await (const line of createInterface(child.stdout)) {
    told += `${line}\n`;
    address ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (/Ready/.test(line)) break;
  }
  assert.ok(address, told);
  child.stdout.resume();
  return {
    address,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

for (const bundler of ["--webpack", "--turbopack"]) {
  test(`Next.js builds a page, a route of Node and a route of the edge with ${bundler}, and serves them`, async () => {
    await rm(site, { recursive: true, force: true });
    await cp(join(here, "next"), site, { recursive: true });
    await capture(process.execPath, [NEXT, "build", bundler], { cwd: site, env: QUIET });
    const { address, stop } = await startNext();
    try {
      const found = async (path) => (await fetch(`${address}/${path}`)).json();
      assert.deepEqual(await found("edge"), { runtime: "edge-runtime", status: "landed", tokens: TOKENS });
      assert.deepEqual(await found("node"), { runtime: "node", status: "landed", tokens: TOKENS });
      const page = await fetch(address);
      assert.equal(page.status, 200);
      await page.text();
    } finally {
      await stop();
    }
  });
}
