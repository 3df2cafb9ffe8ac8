// From the maths to a request: orders and bundles keep their amounts, a sandbox's token is a curve, and one rule reads
// every slippage.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isTradeNotSentError } from "launchpad-desk";
import { Curve, Trader, defaultLaunchpad, equalSpends, toBundleRequest, toRequest } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";

const SOL = 1_000_000_000n;
const thrown = (work) => {
  try {
    work();
  } catch (error) {
    assert.ok(isTradeNotSentError(error) && error.code === "invalid_options", String(error));
    return error;
  }
  return assert.fail("nothing was thrown");
};

test("what the maths say to sell is what is sold, and a bare bigint is not", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  await client.buy({ mint, fromWallet, amountInLamports: SOL });
  const curve = sandbox.curve(mint);
  const tokens = curve.smallestSellFor(500n);
  const refused = await client.sell({ mint, fromWallet, amountInToken: tokens }).catch((error) => error);
  assert.deepEqual(
    [refused.outcome, refused.field, refused.fields[0].code],
    ["not_sent", "amountInToken", "wrong_type"],
  );
  const held = () => sandbox.wallets[0].tokenAccounts[0].tokens;
  const before = held();
  const { operation, request } = toRequest(mint, { fromWallet, sellExactIn: tokens });
  assert.equal((await client[operation](request)).status, "landed");
  assert.equal(held(), before - tokens);
});

test("each order is the request that does it", () => {
  const client = new TradeClient({ fetch: new Sandbox().fetch });
  const terms = {
    fromWallet: "W",
    feePayer: "P",
    slippage: { percent: "1.5" },
    priorityUnitLimit: 200_000,
    priorityUnitPrice: 7n,
  };
  const body = (placed) => JSON.parse(client.build(placed.operation, placed.request).body);
  const tail = { feePayer: "P", slippage: 1.5, priorityUnitLimit: 200_000, priorityUnitPrice: 7 };
  for (const [order, operation, field, sent] of [
    [{ buyExactIn: 5n }, "buy", "amountInLamports", 5],
    [{ sellExactIn: 16_996_189n }, "sell", "amountInToken", 16.996189],
    [{ sellPercentage: "12.5" }, "sellByPercentage", "percentage", 12.5],
  ]) {
    const placed = toRequest("M", { ...terms, ...order });
    assert.equal(placed.operation, operation);
    assert.deepEqual(body(placed), { mint: "M", fromWallet: "W", [field]: sent, ...tail });
  }
  assert.deepEqual(toRequest("M", { fromWallet: "W", buyExactIn: 2n ** 64n - 1n }), {
    operation: "buy",
    request: { mint: "M", fromWallet: "W", amountInLamports: 2n ** 64n - 1n },
  });
  const spends = equalSpends(3n * SOL, 3);
  const legs = Array.from(spends, (buyExactIn, index) => ({ fromWallet: `W${index}`, buyExactIn }));
  const wallets = legs.map(({ fromWallet }) => ({ wallet: fromWallet, lamports: 2n * SOL }));
  const bundle = { wallets, legs, feePayer: "W0", slippage: 2, warnAbove: { impactBps: 100 } };
  const { networkFeeLamports } = new Curve().quoteBundle(bundle);
  assert.equal(networkFeeLamports, 15_000n);
  const placed = toBundleRequest("M", bundle);
  assert.equal(placed.operation, "bundleBuy");
  assert.deepEqual(body(placed), {
    buys: legs.map(({ fromWallet }) => ({ fromWallet, amountInLamports: 1_000_000_000, slippage: null })),
    ...{ mint: "M", feePayer: "W0", slippage: 2, priorityUnitLimit: null, priorityUnitPrice: null },
  });
  const sells = toBundleRequest("M", {
    legs: [{ fromWallet: "W", sellExactIn: 16_996_189n, slippage: { bps: 1 } }],
    feePayer: "W",
  });
  assert.deepEqual(
    [sells.operation, body(sells).sells],
    ["bundleSell", [{ fromWallet: "W", amountInToken: "16.996189", slippage: 0.01 }]],
  );
});

test("an order without a request of the service says why", () => {
  const order = { fromWallet: "W", buyExactOut: 5n };
  assert.equal(
    thrown(() => toRequest("M", order)).message,
    "request: order buys an exact number of tokens, which the service cannot do: spend what smallestBuyFor returns",
  );
  const bundle = (...orders) =>
    thrown(() =>
      toBundleRequest("M", { legs: orders.map((one) => ({ fromWallet: "W", ...one })), feePayer: "W" }),
    ).fields.map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(bundle({ buyExactIn: 1n }, { buyExactOut: 1n }), ["legs[1] out_of_range"]);
  assert.deepEqual(bundle({ buyExactIn: 1n }, { sellExactIn: 1n }), ["legs out_of_range"]);
  assert.deepEqual(bundle({ sellPercentage: 5 }, { sellExactIn: 1n }), ["legs out_of_range"]);
  assert.deepEqual(bundle(), ["legs empty"]);
  const fields = (work) => thrown(work).fields.map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(
    fields(() => toRequest("M", { buyExactIn: 1.5, feePayr: "P" })),
    ["fromWallet required", "buyExactIn not_an_integer", "one order required", "feePayr unknown_field"],
  );
  assert.deepEqual(
    fields(() => toRequest(undefined, { fromWallet: "W", buyExactIn: 1n })),
    ["mint required"],
  );
  assert.deepEqual(
    fields(() => toBundleRequest(5, { legs: [], feePayer: "W" })),
    ["mint wrong_type"],
  );
  assert.deepEqual(
    fields(() => toBundleRequest("M", { legs: [{ fromWallet: "W", buyExactIn: 1n }] })),
    ["feePayer required"],
  );
  for (const given of [undefined, null, 5, [], "x"])
    for (const to of [toRequest, toBundleRequest]) thrown(() => to("M", given));
});

test("a sandbox's token is a curve, wherever it stands", async () => {
  const launchpad = {
    ...defaultLaunchpad(),
    feeTiers: [{ marketCapThresholdLamports: 0, protocolBps: 10, creatorBps: 20 }],
  };
  for (const config of [{}, { launchpad }, { tokens: [{ mint: "M", hasCreator: false, supply: 2n * 10n ** 15n }] }]) {
    const sandbox = new Sandbox(config);
    const trading = new TradeClient({ fetch: sandbox.fetch });
    const [{ mint }] = sandbox.tokens;
    await trading.buy({ mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: SOL });
    const [token] = sandbox.tokens;
    const curve = new Curve(config.launchpad ? { ...token, launchpad } : token);
    assert.deepEqual(
      [curve.supply, curve.hasCreator, curve.spotPrice, curve.marketCapLamports],
      [token.supply, token.hasCreator, token.spotPrice, token.marketCapLamports],
    );
    const [leg] = sandbox.quote("buy", { mint, fromWallet: sandbox.wallets[1].wallet, amountInLamports: SOL }).legs;
    assert.equal(curve.buyExactIn(SOL), leg.tokens);
    const own = sandbox.curve(mint);
    assert.deepEqual(
      [own.reserves, own.supply, own.hasCreator, own.launchpad, own.buyExactIn(SOL)],
      [curve.reserves, curve.supply, curve.hasCreator, curve.launchpad, leg.tokens],
    );
  }
});

test("a sandbox's curve stands where its token did: neither moves the other", async () => {
  const sandbox = new Sandbox();
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  const before = sandbox.snapshot();
  const curve = sandbox.curve(mint);
  curve.moveByBuy(SOL);
  assert.equal(sandbox.snapshot(), before);
  const fresh = sandbox.curve(mint);
  const price = fresh.spotPrice;
  const trade = await new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: SOL });
  assert.equal(fresh.quoteBuyExactIn(SOL).tokenAmount, trade.exact.buyAmount);
  assert.equal(fresh.spotPrice, price);
  assert.deepEqual(sandbox.curve(mint).reserves, curve.reserves);
  for (const none of ["none", "", undefined, null, 5, {}, Symbol("s")]) {
    assert.throws(() => sandbox.curve(none), { name: "TradeNotSentError", code: "invalid_request", field: "mint" });
  }
});

test("a token that contradicts its launchpad, or lacks a field, is refused", () => {
  const [token] = new Sandbox().tokens;
  const fields = (options) => thrown(() => new Curve(options)).fields.map(({ field, code }) => `${field} ${code}`);
  assert.equal(new Curve({ ...token, decimals: 9 }).launchpad.tokenDecimals, 9);
  assert.deepEqual(fields({ ...token, decimals: 9, launchpad: { tokenDecimals: 6 } }), ["decimals conflict"]);
  assert.deepEqual(fields({ ...token, decimals: 19 }), ["decimals out_of_range"]);
  assert.deepEqual(fields({ ...token, realSolReserves: undefined }), ["realSolReserves required"]);
  assert.deepEqual(fields({ ...token, curve: {} }), ["curve unknown_field"]);
  assert.deepEqual(fields({ ...token, symbl: "x" }), ["symbl unknown_field"]);
});

test("one rule reads every slippage, here and in a client", () => {
  const client = (slippage, slippageUnit) =>
    JSON.parse(
      new TradeClient({ fetch: new Sandbox().fetch, slippageUnit }).build("buy", {
        mint: "M",
        fromWallet: "W",
        amountInLamports: 1,
        slippage,
      }).body,
    ).slippage;
  const curve = new Curve();
  const maths = (slippage, slippageUnit) =>
    Number(curve.quoteBuyExactIn(SOL, new Trader({ slippage, slippageUnit })).slippagePercent);
  for (const slippage of [
    5,
    5n,
    "5",
    0.5,
    "0.5",
    { percent: 5 },
    { percent: "5" },
    { percent: 5n },
    { bps: 500 },
    { bps: "50" },
  ]) {
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
