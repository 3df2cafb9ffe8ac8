// From the maths to a request: what they say to sell is what is sold, and one rule reads every slippage.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { Curve, Trader, toBundleRequest, toRequest } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";

const SOL = 1_000_000_000n;

test("what the maths say to sell is what is sold, and a bare bigint is not", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  await client.buy({ mint, fromWallet, amountInLamports: SOL });
  const curve = sandbox.curve(mint);
  const tokens = curve.smallestSellFor(500n);
  const refused = await client.sell({ mint, fromWallet, amountInToken: tokens }).catch((error) => error);
  const { outcome, field, fields } = refused;
  assert.deepEqual([outcome, field, fields[0].code], ["not_sent", "amountInToken", "wrong_type"]);
  const held = () => sandbox.wallets[0].tokenAccounts[0].tokens;
  const before = held();
  const { operation, request } = toRequest(mint, { fromWallet, sellExactIn: tokens });
  assert.equal((await client[operation](request)).status, "landed");
  assert.equal(held(), before - tokens);
});

test("one rule reads every slippage, here and in a client", () => {
  const client = (slippage, slippageUnit) => {
    const request = { mint: "M", fromWallet: "W", amountInLamports: 1, slippage };
    const client = new TradeClient({ fetch: new Sandbox().fetch, slippageUnit });
    return JSON.parse(client.build("buy", request).body).slippage;
  };
  const curve = new Curve();
  const maths = (slippage, slippageUnit) =>
    Number(curve.quoteBuyExactIn(SOL, new Trader({ slippage, slippageUnit })).slippagePercent);
  const named = [{ percent: 5 }, { percent: "5" }, { percent: 5n }, { bps: 500 }, { bps: "50" }];
  for (const slippage of [5, 5n, "5", 0.5, "0.5", ...named]) {
    assert.equal(maths(slippage), client(slippage), "in percent");
    assert.equal(maths(slippage, "bps") * 100, client(slippage, "bps"), "in basis points");
  }
  const leg = { fromWallet: "W", buyExactIn: SOL, slippage: 50 };
  const bundle = { wallets: [{ wallet: "W", lamports: 2n * SOL }], legs: [leg], feePayer: "W", slippageUnit: "bps" };
  assert.equal(curve.quoteBundle(bundle).legs[0].slippagePercent, "0.5");
  assert.deepEqual(toBundleRequest("M", bundle).request.buys[0].slippage, { bps: 50 });
  for (const [slippage, named] of [
    [5, { percent: 5 }],
    [{ percent: 200 }, { percent: 200 }],
    [{ bps: "0.123456789012345678" }, { bps: "0.123456789012345678" }],
  ]) {
    assert.deepEqual(toRequest("M", { ...leg, slippage }).request.slippage, named);
  }
});
