// The maths and the sandbox in workerd, which compiles nothing at run time.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { root } from "../../scripts/program.mjs";
import { BUY } from "./gateway.mjs";
import { firstDifference, nativeQuotes } from "../launchpad/native-quotes.mjs";

const QUOTES = `
  import * as maths from "./market-edge.js";
  import { answers } from "./quotes.js";
  export default { fetch: async (request) => new Response(answers(maths, (await request.text()).split("\\n"))) };
`;

const SANDBOX = `
  import { Sandbox } from "./sandbox-edge.js";
  const sandbox = new Sandbox({ corsOrigin: "*" });
  export default sandbox;
`;

/** What both take of the package. */
const BUILT = [
  ...["shared.js", "market-edge.js", "sandbox-edge.js"].map((name) => [name, "ESModule", name]),
  ...["market_bg.wasm", "sandbox_bg.wasm"].map((name) => [name, "CompiledWasm", `${name}?module`]),
];

/** Runs a worker, with further modules beside it, and resolves to its address and a way to end it. */
async function startWorker(contents, further = []) {
  const { Miniflare } = await import("miniflare");
  const dist = (name) => readFile(join(root, "pkg/dist", name));
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.js", contents },
      ...(await Promise.all(BUILT.map(async ([name, type, path]) => ({ type, path, contents: await dist(name) })))),
      ...further,
    ],
    compatibilityDate: "2025-01-01",
    host: "127.0.0.1",
    cf: false,
  });
  return { url: await miniflare.ready, close: () => miniflare.dispose() };
}

test("random quotes in workerd are the bytes of native Rust", async () => {
  const quotes = {
    type: "ESModule",
    path: "quotes.js",
    contents: await readFile(join(root, "tests/launchpad/quotes.mjs")),
  };
  const { url, close } = await startWorker(QUOTES, [quotes]);
  try {
    const { asked, answered } = await nativeQuotes(13);
    const response = await fetch(url, { method: "POST", body: asked.join("\n") });
    assert.equal(firstDifference(await response.text(), answered, asked), undefined);
  } finally {
    await close();
  }
});

test("a sandbox that is a worker's default export is a worker", async () => {
  const { url, close } = await startWorker(SANDBOX);
  try {
    const client = new TradeClient({ baseURL: url.href });
    assert.equal((await client.buy(BUY)).exact.buyAmount, "34199203.120618");
    const sold = await client.sellByPercentage({ mint: BUY.mint, fromWallet: BUY.fromWallet, percentage: 100 });
    assert.deepEqual([sold.exact.sellAmount, sold.result.tokenAccountClosed], ["34199203.120618", true]);
    const preflight = await fetch(new URL("/v1/trade/buy", url), {
      method: "OPTIONS",
      headers: { origin: "http://page.example" },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  } finally {
    await close();
  }
});
