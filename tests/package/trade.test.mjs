// A newcomer's first trades, in every way to load the package: no key, no network.

import assert from "node:assert/strict";
import test from "node:test";
import { installAsStranger, runScript } from "./stranger.mjs";

const { folder } = await installAsStranger();

const TRADES = `
async function trade({ TradeClient, TradeFailedError, TradeNotSentError, renderText }, { Sandbox }) {
  const sandbox = new Sandbox();
  const client = new TradeClient({ baseURL: "https://service.example", apiKey: "desk-key-1", fetch: sandbox.fetch });
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  const asked = { mint, fromWallet, amountInLamports: 1_000_000_000 };
  const bought = await client.buy(asked);
  const sold = await client.sellByPercentage({ mint, fromWallet, percentage: 100 });
  const refused = await client.sell({ mint, fromWallet, amountInToken: -1 }).catch((error) => error);
  const failed = await client.sell({ mint, fromWallet, amountInToken: 1 }).catch((error) => error);
  return {
    bought: [bought.status, bought.result.preTokenBalance, bought.exact.buyAmount === bought.exact.postTokenBalance],
    sold: [sold.status, sold.result.postTokenBalance, sold.result.tokenAccountClosed],
    refused: [refused instanceof TradeNotSentError, refused.name, refused.code, refused.field],
    failed: [failed instanceof TradeFailedError, failed.outcome],
    text: renderText(sold).length > 20,
  };
}
`;

const EXPECTED = {
  bought: ["landed", 0, true],
  sold: ["landed", 0, true],
  refused: [true, "TradeNotSentError", "invalid_request", "amountInToken"],
  failed: [true, "failed"],
  text: true,
};

const SHOW = "(result) => console.log(JSON.stringify(result))";
const IMPORTED = `import * as desk from "launchpad-desk";\nimport * as simulator from "launchpad-desk/sandbox";\n${TRADES}\ntrade(desk, simulator).then(${SHOW});`;

for (const [title, kind, source] of [
  ["import", "mjs", IMPORTED],
  [
    "require",
    "cjs",
    `const desk = require("launchpad-desk");\nconst simulator = require("launchpad-desk/sandbox");\n${TRADES}\ntrade(desk, simulator).then(${SHOW});`,
  ],
  [
    "import(), in CommonJS",
    "cjs",
    `${TRADES}\nPromise.all([import("launchpad-desk"), import("launchpad-desk/sandbox")]).then((both) => trade(...both)).then(${SHOW});`,
  ],
]) {
  test(`trades by ${title}`, async () => {
    assert.deepEqual(JSON.parse(await runScript(folder, kind, source)), EXPECTED);
  });
}

for (const conditions of [["browser"], ["node"]]) {
  for (const format of ["esm", "cjs", "iife"]) {
    test(`trades in a bundle for ${conditions} as ${format}, minified`, async () => {
      const esbuild = await import("esbuild");
      const { outputFiles } = await esbuild.build({
        stdin: { contents: IMPORTED, resolveDir: folder },
        bundle: true,
        minify: true,
        write: false,
        platform: conditions[0],
        format,
        logLevel: "silent",
      });
      const printed = await runScript(folder, format === "esm" ? "mjs" : "cjs", outputFiles[0].text);
      assert.deepEqual(JSON.parse(printed), EXPECTED);
    });
  }
}

test("an uncaught error shows its message, not the package", async () => {
  for (const [kind, source] of [
    ["cjs", 'new (require("launchpad-desk").TradeClient)({ baseURL: "https://service.example" }).buy({});'],
    ["mjs", 'import { TradeClient } from "launchpad-desk"; new TradeClient({ timeoutMs: "soon" });'],
  ]) {
    const { message } = await runScript(folder, kind, source).then(
      () => assert.fail("nothing was thrown"),
      (error) => error,
    );
    assert.match(message, /TradeNotSentError: /);
    assert.ok(message.length < 4_000, `${message.length} characters`);
  }
});
