// A sandbox behind a client's `fetch`: its answers, its changes for a store, and what it shows as JSON.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, renderText } from "launchpad-desk";
import { Curve, Position, receipt } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";
import { ADA, MINT, rejection, requests } from "./service.mjs";

const { buy } = requests();
const clientOf = (sandbox) => new TradeClient({ fetch: sandbox.fetch });

test("it serves a client, and what it fails at is a failed trade", async () => {
  const sandbox = new Sandbox();
  const bought = await clientOf(sandbox).buy(buy);
  assert.deepEqual([bought.exact.buyAmount, bought.result.buyAmount], ["34199203.120618", 34199203.120618]);
  assert.match(bought.result.signature, /^SIM/);
  assert.equal(sandbox.account.level, 1);
  const poor = sandbox.wallets.find(({ lamports }) => lamports < 5_000_000_000n);
  const error = await rejection(
    clientOf(sandbox).buy({ ...buy, fromWallet: poor.wallet, amountInLamports: 5_000_000_000 }),
  );
  assert.deepEqual([error.outcome, error.trade.status], ["failed", "failed"]);
  assert.match(renderText(error), /insufficient_lamports/);
});

test("a snapshot that is restored is the same sandbox", async () => {
  const sandbox = new Sandbox();
  await clientOf(sandbox).buy(buy);
  const restored = Sandbox.restore(sandbox.snapshot());
  assert.equal(restored.snapshot(), sandbox.snapshot());
  const all = { mint: MINT, fromWallet: ADA, percentage: 100 };
  const [here, there] = [await clientOf(sandbox).sellByPercentage(all), await clientOf(restored).sellByPercentage(all)];
  assert.equal(there.exact.sellAmount, here.exact.sellAmount);
});

test("a store is synchronous, and gets what has moved", () => {
  const sandbox = new Sandbox();
  const before = sandbox.snapshot();
  sandbox.onChanges(async () => {});
  const fund = () => sandbox.fund(sandbox.wallets[0].wallet, 5n);
  assert.throws(fund, /synchronous/);
  assert.equal(sandbox.snapshot(), before);
  const rows = [];
  sandbox.onChanges((changes) => rows.push(...changes.map(({ row }) => row)));
  fund();
  assert.ok(rows.length > 0);
  assert.notEqual(sandbox.snapshot(), before);
});

test("a curve of what it shows of a token quotes at that token's rates", async () => {
  for (const creatorBps of [0, 300]) {
    const sandbox = new Sandbox({ tokens: [{ mint: MINT, creatorBps }] });
    const [token] = sandbox.tokens;
    assert.equal(token.creatorBps, creatorBps || null);
    for (const shown of [token, JSON.parse(JSON.stringify(token))])
      assert.equal(
        new Curve(shown).quoteBuyExactIn(buy.amountInLamports).tokens,
        sandbox.curve(MINT).quoteBuyExactIn(buy.amountInLamports).tokens,
      );
  }
});

test("what it shows, and a position's state, can be written as JSON: bigints become text", async () => {
  const sandbox = new Sandbox();
  const quote = sandbox.curve(MINT).quoteBuyExactIn(buy.amountInLamports);
  const trade = await clientOf(sandbox).buy(buy);
  const written = (value) => JSON.parse(JSON.stringify(value));
  const ada = sandbox.wallets.find(({ wallet }) => wallet === ADA);
  assert.equal(
    written(sandbox.wallets).find(({ wallet }) => wallet === ADA).tokenAccounts[0].tokens,
    `${ada.tokenAccounts[0].tokens}`,
  );
  assert.equal(written(sandbox.tokens)[0].supply, `${sandbox.tokens[0].supply}`);
  assert.equal(written(sandbox.trades)[0].networkFeeLamports, "5000");
  assert.equal(written(sandbox.account).networkFeesLamports, "5000");
  assert.deepEqual(Object.keys(ada), Object.keys({ ...ada }), "no field of its own was added");
  const position = new Position();
  position.add(receipt(quote, trade));
  assert.deepEqual(new Position(written(position.state)).state, position.state);
});
