// The entries as plain files in real browsers: no bundler. What is made by one is known to the others.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { root } from "../../scripts/program.mjs";
import { openProfile } from "../browsers.mjs";
import { known } from "../together.mjs";
import { pageWith, resultOf, servePages } from "./pages.mjs";

/** The entries for pages. */
const TOGETHER = ["index", "market", "sandbox", "record", "gateway", "browser"];
/** What a client reports about a key: the codes of the refused options. */
const REFUSED = `(more) => {
  try {
    new TradeClient({ baseURL: "https://service.example", ...more }).free();
    return [];
  } catch ({ fields }) {
    return fields.map(({ field, code }) => field + " " + code);
  }
}`;
const { folder, url } = await servePages({
  "together.js": await readFile(join(root, "tests/together.mjs")),
  "worker.js": `import { TradeClient } from "./index.js";
   const refused = ${REFUSED};
   postMessage(refused({ apiKey: "key-8901" }));`,
  "page.js": `import { TradeClient } from "./index.js";
   import { Sandbox } from "./sandbox.js";
   const fetched = [];
   const observer = new PerformanceObserver((list) => fetched.push(...list.getEntries().map(({ name }) => name)));
   observer.observe({ type: "resource", buffered: true });
   const sandbox = new Sandbox();
   const [[{ mint }], [{ wallet: fromWallet }]] = [sandbox.tokens, sandbox.wallets];
   const result = { trade: (await new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: 1_000_000 })).status };
   const refused = ${REFUSED};
   result.key = {
     page: refused({ apiKey: "key-8901" }),
     worker: await new Promise((resolve) => (new Worker("worker.js", { type: "module" }).onmessage = ({ data }) => resolve(data))),
     function: refused({ apiKey: () => "key-8901" }),
     allowed: refused({ apiKey: "key-8901", dangerouslyAllowBrowser: true }),
     none: refused({}),
   };
   await new Promise((resolve) => setTimeout(resolve, 100));
   result.fetched = fetched.map((name) => new URL(name).pathname);
   const { knownToEachOther } = await import("./together.js");
   const entries = await Promise.all(${JSON.stringify(TOGETHER)}.map(async (name) => [name, await import("./" + name + ".js")]));
   result.together = await knownToEachOther(Object.fromEntries(entries));
   globalThis.result = result;`,
  "loads.js": `const end = (loading) => loading.then(() => "loaded", ({ code, name }) => code || name);
   globalThis.loads = await end(import("./index.js"));`,
});

for (const name of ["chromium", "firefox"]) {
  test(`plain files in ${name}`, async (t) => {
    const result = await resultOf(await openProfile(name, t), `${url}page.html`);
    assert.equal(result.trade, "landed");
    const conflict = ["apiKey conflict"];
    assert.deepEqual(result.key, { page: conflict, worker: conflict, function: conflict, allowed: [], none: [] });
    const own = ["/page.js", "/worker.js"];
    assert.deepEqual([...new Set(result.fetched.filter((path) => !own.includes(path)))].sort(), [
      "/index.js",
      "/market.js",
      "/sandbox.js",
      "/shared.js",
    ]);
    assert.deepEqual(result.together, known(...TOGETHER));
  });
}

for (const name of ["chromium", "firefox"]) {
  for (const [allowed, policy] of [
    [false, "script-src 'self'"],
    [true, "script-src 'self' 'wasm-unsafe-eval'"],
  ]) {
    test(`a policy of ${policy} ${allowed ? "lets" : "does not let"} ${name} load the package`, async (t) => {
      await writeFile(
        join(folder, "strict.html"),
        pageWith(
          '<script type="module" src="loads.js"></script>',
          `<meta http-equiv="content-security-policy" content="${policy}">`,
        ),
      );
      const page = await openPage(await openProfile(name, t));
      await page.goto(`${url}strict.html`);
      await page.waitForFunction(() => globalThis.loads !== undefined);
      assert.equal(await page.evaluate(() => globalThis.loads), allowed ? "loaded" : "no_webassembly");
    });
  }
}
