// crates/client/examples/page.rs in real browsers: a Rust program that trades with its page's own fetch, where a service breaks off. Its other
// answers, and what crosses to JS, are in tests/web.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { gzipSync } from "node:zlib";
import { openPage } from "../../scripts/browsers.mjs";
import { root, run } from "../../scripts/program.mjs";
import { WASM_TARGET, cargoTargetFolder, ensureRustTools } from "../../scripts/setup.mjs";
import { openProfile } from "../browsers.mjs";

/** What rustc compiles for, and wasm-bindgen's references to JS values. */
const FEATURES = [
  "bulk-memory",
  "bulk-memory-opt",
  "multivalue",
  "mutable-globals",
  "nontrapping-float-to-int",
  "reference-types",
  "sign-ext",
].map((name) => `--enable-${name}`);
const LANDED = '{"result":{"transactionResult":{"success":true}}}';

const site = await mkdtemp(join(tmpdir(), "rust-page-"));
await run("cargo", [
  "build",
  "--quiet",
  "--locked",
  "--release",
  "--package=launchpad-desk-client",
  "--example=page",
  "--features=gloo",
  `--target=${WASM_TARGET}`,
]);
const compiled = join(await cargoTargetFolder(), WASM_TARGET, "release/examples/page.wasm");
await run(join(await ensureRustTools(), "wasm-bindgen"), ["--target=web", `--out-dir=${site}`, compiled]);
const module = join(site, "page_bg.wasm");
await run(process.execPath, [
  join(root, "node_modules/binaryen/bin/wasm-opt"),
  "-Oz",
  ...FEATURES,
  module,
  `--output=${module}`,
]);
await writeFile(
  join(site, "index.html"),
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module">import init from "./page.js"; await init();</script>',
);

const FILES = {
  "/": ["index.html", "text/html"],
  "/page.js": ["page.js", "text/javascript"],
  "/page_bg.wasm": ["page_bg.wasm", "application/wasm"],
};

/** How a service answers each trade in turn. */
const DOES = [
  (response) => response.end(LANDED),
  (response) => response.destroy(),
  (response) => response.write(LANDED.slice(0, 9)),
];

const posts = [];
const server = createServer(async (request, response) => {
  // Each request has a connection of its own, or Chromium would resend requests that it lost on a reused one.
  response.setHeader("connection", "close");
  const [file, type] = FILES[request.url] ?? [];
  if (file) return response.writeHead(200, { "content-type": type }).end(await readFile(join(site, file)));
  let body = "";
  for await (const piece of request) body += piece;
  posts.push([request.method, request.url, request.headers["x-api-key"], JSON.parse(body).fromWallet]);
  DOES[(posts.length - 1) % DOES.length](response);
}).listen(0, "127.0.0.1");
await once(server, "listening");
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(site, { recursive: true });
});

for (const name of ["chromium", "firefox"]) {
  test(`a page in Rust trades in ${name}, and says what is unknown`, async (t) => {
    posts.length = 0;
    const profile = await openProfile(name);
    try {
      const page = await openPage(profile);
      page.on("pageerror", (error) => t.diagnostic(`the page failed: ${error.message}`));
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await page.waitForFunction("globalThis.result");
      assert.deepEqual(await page.evaluate("globalThis.result"), [
        "landed: landed",
        "unanswered: unknown network_error",
        "endless: unknown timeout",
        "unresolved: unanswered",
        "unresolved: endless",
        "not sent: api_key can be read by anyone who opens this page; use a gateway, or call dangerously_allow_browser",
      ]);
    } finally {
      await profile.close();
    }
    assert.deepEqual(posts, Array(3).fill(["POST", "/v1/trade/buy", undefined, "wallet"]));
    t.diagnostic(
      `the page: ${Math.round(gzipSync(await readFile(module)).length / 1_000)} KB of gzipped WebAssembly, the client with gloo and without the sandbox`,
    );
  });
}
