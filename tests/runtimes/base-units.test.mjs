// Amounts in base units: they are counted by the token's own decimals, or nothing is sent.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, TradeNotSentError } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { ADA, BOB, MINT, clientBy, fetchOf, rejection, requests, service } from "./service.mjs";

const UNITS = { baseUnits: 5_000n };
const SELLS = {
  sell: { mint: MINT, fromWallet: ADA, amountInToken: UNITS },
  bundleSell: {
    mint: MINT,
    feePayer: ADA,
    sells: [
      { fromWallet: ADA, amountInToken: { tokens: "0.5" } },
      { fromWallet: BOB, amountInToken: UNITS },
    ],
  },
};
const FIELDS = { sell: "amountInToken", bundleSell: "sells" };

/** A sandbox whose tokens have nine decimals; Ada and Bob hold some. */
async function nine() {
  const sandbox = new Sandbox({ launchpad: { tokenDecimals: 9 } });
  const client = new TradeClient({ fetch: sandbox.fetch });
  for (const fromWallet of [ADA, BOB]) await client.buy({ ...requests().buy, fromWallet });
  const posts = [];
  const fetch = Object.assign(
    (...args) => (posts.push(args), sandbox.fetch(...args)),
    ...Object.getOwnPropertySymbols(sandbox.fetch).map((mark) => ({ [mark]: sandbox.fetch[mark] })),
  );
  return { sandbox, posts, clientOf: (options) => new TradeClient({ fetch, ...options }) };
}

for (const [operation, request] of Object.entries(SELLS)) {
  test(`${operation} in base units of a token of nine decimals is refused by a client that counts six, and nothing is sent`, async () => {
    const { sandbox, posts, clientOf } = await nine();
    const client = clientOf();
    const message = `not sent: ${FIELDS[operation]} is in base units, counted by tokenDecimals (6), and the token has 9 decimals: set tokenDecimals to the token's own, or name whole tokens, { tokens }`;
    for (let time = 0; time < 2; time++) {
      const error = await rejection(client[operation](request));
      assert.ok(error instanceof TradeNotSentError);
      assert.deepEqual([error.code, error.field, error.message], ["other_token_decimals", FIELDS[operation], message]);
    }
    const plan = await clientOf().plan(operation, request);
    assert.deepEqual([plan.refused.code, plan.tokenDecimals], ["other_token_decimals", 6]);
    assert.equal((await rejection(clientOf().send(plan))).code, "other_token_decimals");
    assert.throws(() => client.build(operation, request), { code: "other_token_decimals", outcome: "not_sent" });
    assert.equal(posts.length, 0);
    const right = clientOf({ tokenDecimals: 9, market: sandbox });
    const unknown = `not sent: ${FIELDS[operation]} is in base units, counted by tokenDecimals (9), and the market has not said how many decimals the token has: plan or send the sell once it answers, or name whole tokens, { tokens }`;
    assert.throws(() => right.build(operation, request), { code: "token_decimals_unknown", message: unknown });
    assert.equal((await right.plan(operation, request)).refused, null);
    assert.ok(right.build(operation, request).body, "as it advised");
    assert.equal((await right[operation](request)).status, "landed");
    assert.equal(posts.length, 1);
  });

  test(`${operation} in base units waits for a market that does not say the token's decimals; whole tokens do not`, async () => {
    const nothing = async () => [];
    for (const quoteBody of [
      async () => Promise.reject(new Error("the node is down")),
      async () => ({ refused: null, legs: [] }),
    ]) {
      const fetch = fetchOf('{"result":{"transactionResult":{"success":true}}}');
      const client = clientBy(fetch, {
        market: { quoteBody, before: nothing, settleTrade: nothing, confirm: nothing },
      });
      const error = await rejection(client[operation](request));
      assert.deepEqual([error.outcome, error.code], ["not_sent", "token_decimals_unknown"]);
      assert.throws(() => client.build(operation, request), { code: "token_decimals_unknown" });
      assert.equal(fetch.calls.length, 0);
      const whole = JSON.parse(
        JSON.stringify(request, (name, value) => (name === "amountInToken" ? { tokens: "0.000005" } : value)),
      );
      assert.equal((await client[operation](whole)).status, "landed");
    }
    const alone = clientBy(fetchOf('{"result":{"transactionResult":{"success":true}}}'));
    assert.equal((await alone[operation](request)).status, "landed", "without a market tokenDecimals counts");
  });
}

test("a price of the caller's own does not say how many decimals a token has: the market does", async () => {
  const fetch = fetchOf('{"result":{"transactionResult":{"success":true}}}');
  const [request, nothing] = [SELLS.sell, async () => []];
  const market = { quoteBody: nothing, before: nothing, settleTrade: nothing, confirm: nothing, decimalsOf: () => 9 };
  const client = clientBy(fetch, { market, tokenDecimals: 6 });
  const ofSix = { legs: [{ tokens: "5", tokenAmount: "0.000005" }] };
  const plan = await client.plan("buy", requests().buy, { price: () => ofSix });
  assert.deepEqual(plan.price, ofSix);
  assert.equal((await rejection(client.sell({ ...request, mint: requests().buy.mint }))).code, "other_token_decimals");
  const elsewhere = new TradeClient({ ...service, tokenDecimals: 6 });
  const sale = await elsewhere.plan("sell", request, { price: () => ofSix });
  assert.equal((await rejection(client.send(sale))).code, "other_token_decimals");
  assert.equal(fetch.calls.length, 0);
});
