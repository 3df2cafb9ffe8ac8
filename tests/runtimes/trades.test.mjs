// The packed package, installed in an outside project: trades in a sandbox, by import and by require, with no init call.

import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { installAsStranger, runScript } from "../package/stranger.mjs";
import { requests } from "./service.mjs";

const { folder, installed } = await installAsStranger();
const LOADS = {
  mjs: 'import { TradeClient } from "launchpad-desk"; import { Sandbox } from "launchpad-desk/sandbox";',
  cjs: 'const { TradeClient } = require("launchpad-desk"); const { Sandbox } = require("launchpad-desk/sandbox");',
};

const BUY_AND_SELL = `
(async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [{ wallet }] = sandbox.wallets;
  const [{ mint }] = sandbox.tokens;
  const bought = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 });
  const held = sandbox.wallets[0].tokenAccounts.length;
  const sold = await client.sellByPercentage({ mint, fromWallet: wallet, percentage: 100 });
  console.log(JSON.stringify({
    bought: bought.exact.buyAmount,
    held,
    sold: sold.exact.sellAmount,
    left: sold.exact.postTokenBalance,
    closed: sold.result.tokenAccountClosed,
    accounts: sandbox.wallets[0].tokenAccounts.length,
    level: sandbox.account.level,
  }));
})();`;

for (const [kind, load] of Object.entries(LOADS)) {
  test(`a ${kind} script buys and sells 100 % in a sandbox`, async () => {
    const { bought, ...rest } = JSON.parse(await runScript(folder, kind, load + BUY_AND_SELL));
    assert.match(bought, /^\d+\.\d{1,6}$/);
    assert.deepEqual(rest, { held: 1, sold: bought, left: "0", closed: true, accounts: 0, level: 1 });
  });

  test(`a ${kind} script sends all six operations, by method and by name, and a server around sandbox.fetch gives the same bytes`, async () => {
    const source = `${load}
    (async () => {
      const requests = ${JSON.stringify(requests())};
      const sandbox = new Sandbox();
      const behind = new Sandbox();
      const clients = [new TradeClient({ fetch: sandbox.fetch }), new TradeClient({ baseURL: "https://service.example", fetch: (url, init) => behind.fetch(new Request(url, init)) })];
      const seen = [];
      for (const [operation, request] of Object.entries(requests)) {
        if (operation === "bundleSell") for (const client of clients) await client.buy(requests.buy);
        const [own, fetched] = [await clients[0][operation](request), await clients[1].trade(operation, request)];
        seen.push({ operation: own.operation, status: own.status, same: own.raw === fetched.raw });
      }
      const state = (sandbox) => JSON.stringify(sandbox.wallets, (_, value) => (typeof value === "bigint" ? String(value) : value));
      console.log(JSON.stringify({ seen, sameState: state(sandbox) === state(behind) }));
    })();`;
    const { seen, sameState } = JSON.parse(await runScript(folder, kind, source));
    assert.deepEqual(
      seen,
      Object.keys(requests()).map((operation) => ({ operation, status: "landed", same: true })),
    );
    assert.ok(sameState);
  });
}

test("nothing of a finished call keeps the process alive", async () => {
  const began = performance.now();
  const source = `${LOADS.mjs} await new TradeClient({ fetch: new Sandbox().fetch, timeoutMs: 60_000 }).buy(${JSON.stringify(requests().buy)});`;
  await runScript(folder, "mjs", source);
  assert.ok(performance.now() - began < 30_000, "it waited for its deadline's timer");
});

test("isTradeError knows the errors of another copy and of another realm", async () => {
  await cp(installed, join(folder, "node_modules/another-copy"), { recursive: true });
  const source = `
    import vm from "node:vm";
    import * as one from "launchpad-desk";
    import * as other from "another-copy";
    const thrown = (make) => { try { make(); } catch (error) { return error; } };
    const theirs = thrown(() => new other.TradeClient({ apiKey: "k" }));
    console.log(JSON.stringify({
      copies: one.TradeError !== other.TradeError,
      ofAnotherCopy: [theirs instanceof one.TradeError, one.isTradeError(theirs), theirs.outcome],
      own: one.isTradeError(thrown(() => new one.TradeClient({ apiKey: "k" }))),
      ofAnotherRealm: one.isTradeError(vm.runInNewContext('const e = new Error(); e[Symbol.for("launchpad-desk.TradeError")] = true; e')),
      others: [new Error("x"), {}, null, undefined, 1, "x", { name: "TradeError" }].map(one.isTradeError),
      rendered: one.renderText(theirs).split("\\n")[0],
    }));`;
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), {
    copies: true,
    ofAnotherCopy: [false, true, "not_sent"],
    own: true,
    ofAnotherRealm: true,
    others: [false, false, false, false, false, false, false],
    rendered: "Not sent: nothing moved",
  });
});
