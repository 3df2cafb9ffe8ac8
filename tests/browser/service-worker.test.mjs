// A sandbox in a service worker: pages of its origin trade in it as with any service, with relative paths.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { build } from "esbuild";
import { openPage } from "../../scripts/browsers.mjs";
import { root } from "../../scripts/program.mjs";
import { openProfile } from "../browsers.mjs";
import { pageWith, servePages } from "./pages.mjs";

const { folder, url } = await servePages({ "page.html": pageWith('<script src="page.js"></script>') });
/** In one classic script: not every browser takes modules for service workers. */
const bundled = (contents, file) =>
  build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "iife",
    outfile: join(folder, file),
    logLevel: "error",
  });
await bundled(
  `import { Sandbox } from "launchpad-desk/sandbox";
   const sandbox = new Sandbox();
   addEventListener("install", () => skipWaiting());
   addEventListener("activate", (event) => event.waitUntil(clients.claim()));
   addEventListener("fetch", (event) => {
     if (new URL(event.request.url).pathname.startsWith("/v1/trade/")) event.respondWith(sandbox.fetch(event.request));
   });`,
  "worker.js",
);
await bundled('import { TradeClient } from "launchpad-desk"; globalThis.TradeClient = TradeClient;', "page.js");

for (const name of ["chromium", "firefox"]) {
  test(`in ${name}, a page trades with the sandbox in its service worker`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    await page.goto(`${url}page.html`);
    const seen = await page.evaluate(async () => {
      const controlled = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener("controllerchange", resolve),
      );
      await navigator.serviceWorker.register("worker.js");
      await controlled;
      const client = new globalThis.TradeClient({ baseURL: location.origin });
      const trade = {
        mint: "SimMoonRabbit111111111111111111111111111111",
        fromWallet: "SimTraderAda1111111111111111111111111111111",
      };
      const bought = await client.buy({ ...trade, amountInLamports: 1_000_000_000 });
      const sold = await client.sellByPercentage({ ...trade, percentage: 100 });
      const refused = await client.buy({ ...trade, mint: "unknown", amountInLamports: 5 }).catch((error) => error);
      return [
        bought.exact.buyAmount,
        bought.simulated,
        sold.result.tokenAccountClosed,
        refused.code,
        refused.simulated,
      ];
    });
    assert.deepEqual(seen, ["34199203.120618", true, true, "rejected_by_service", true]);
  });
}
