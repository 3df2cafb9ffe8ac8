// Every export of launchpad-desk/market and launchpad-desk/sandbox does what it says: against the sandbox, against each other, and to the last
// field as declared.

import assert from "node:assert/strict";
import test from "node:test";
import * as maths from "launchpad-desk/market";
import * as simulator from "launchpad-desk/sandbox";
import { TradeClient, isTradeError } from "launchpad-desk";

const { Amounts, Curve, Position, REFUSED, RefusalError, Trader } = maths;
const { Sandbox } = simulator;
const SOL = 1_000_000_000n;

const thrown = (work) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail("nothing was thrown");
};
const refusal = (work) => {
  const error = thrown(work);
  assert.ok(error instanceof RefusalError && error instanceof Error && error.name === "RefusalError", String(error));
  assert.ok(!isTradeError(error));
  assert.deepEqual(JSON.parse(JSON.stringify(error)).code, error.code);
  return error.code;
};
const rowOf = ({ virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves }) => ({
  virtualTokenReserves,
  virtualSolReserves,
  realTokenReserves,
  realSolReserves,
});
const curveOf = (row) => new Curve({ curve: rowOf(row), supply: row.supply, hasCreator: row.hasCreator });

test("the exports are these", () => {
  assert.deepEqual(Object.keys(maths).sort(), [
    ...[
      "AccountError",
      "Amounts",
      "Curve",
      "Exits",
      "FEE_CONFIG",
      "FEE_PROGRAM",
      "GLOBAL",
      "LAUNCHPAD_PROGRAM",
      "Managed",
      "Market",
      "MarketError",
      "OpenExits",
      "Position",
    ],
    ...[
      "REFUSED",
      "RefusalError",
      "TOKEN_2022_PROGRAM",
      "TOKEN_PROGRAM",
      "Trader",
      "attribution",
      "capacities",
      "curveAddress",
      "defaultLaunchpad",
      "equalSpends",
    ],
    ...[
      "jitteredSpends",
      "launchpadRules",
      "quoteAt",
      "readCurve",
      "readCurves",
      "readFeeTiers",
      "readGlobal",
      "readHolding",
      "readMint",
      "receipt",
    ],
    ...["splitBundle", "toBundleRequest", "toRequest", "tokenAccountAddress", "volumeAccountAddress", "weightedSpends"],
  ]);
  assert.deepEqual(Object.keys(simulator).sort(), [
    ...[
      "LocalChain",
      "OUTCOME_HEADER",
      "OUTCOME_PREFIX",
      "Sandbox",
      "SandboxMarket",
      "audit",
      "backtest",
      "backtestReport",
      "quote",
      "recording",
      "reportHtml",
      "reportText",
    ],
    ...["sandboxOutcomes", "sweep"],
  ]);
  assert.equal(REFUSED, 2n ** 64n - 1n);
});

test("the prototype has the public members and nothing else", () => {
  const names = Object.getOwnPropertyNames(Curve.prototype);
  assert.deepEqual(
    names.filter((name) => name.endsWith("Of")),
    [],
  );
  for (const name of ["buyExactIn", "quoteBuyExactIn", "equalTokens", "quoteBundle"])
    assert.ok(names.includes(name), name);
});

test("a curve reports its state, and moves only on request", () => {
  const curve = new Curve();
  const start = curve.reserves;
  assert.deepEqual(start, rowOf(maths.defaultLaunchpad().start));
  assert.deepEqual([curve.supply, curve.hasCreator, curve.complete], [10n ** 15n, true, false]);
  assert.deepEqual(
    [curve.spotPrice, curve.marketCapLamports, curve.feeRates],
    ["27.958993476", 27_958_993_476n, { protocolBps: 95, creatorBps: 30 }],
  );
  assert.equal(curve.tokenAccountRentLamports, 1_488_440n);
  assert.deepEqual(curve.launchpad, maths.defaultLaunchpad());
  const rules = maths.launchpadRules();
  const { asOf, ...settings } = curve.launchpad;
  assert.deepEqual(
    rules.map(({ setting }) => setting),
    Object.keys(settings),
  );
  assert.equal(asOf, rules.map((rule) => rule.asOf).sort()[0], "the oldest rule's date");
  const other = curve.clone();
  assert.equal(other.moveByBuy(5n * SOL), curve.buyExactIn(5n * SOL));
  assert.deepEqual(curve.reserves, start);
  assert.equal(other.moveBySell(10n ** 12n) > 0n, true);
  assert.notDeepEqual(other.reserves, start);
  other.moveTo(start);
  assert.deepEqual(other.reserves, start);
  assert.equal(new Curve({ launchpad: curve.launchpad }).buyExactIn(SOL), curve.buyExactIn(SOL));
});

test("single prices are those of the whole quote, both ways", () => {
  const curve = new Curve();
  curve.moveByBuy(20n * SOL);
  assert.equal(curve.buyExactIn(SOL), curve.quoteBuyExactIn(SOL).tokens);
  assert.equal(curve.buyExactOut(10n ** 12n), curve.quoteBuyExactOut(10n ** 12n).walletLamports);
  assert.equal(curve.sellExactIn(10n ** 12n), curve.quoteSellExactIn(10n ** 12n).walletLamports);
  for (const amount of [SOL, Number(SOL), String(SOL)]) assert.equal(curve.buyExactIn(amount), curve.buyExactIn(SOL));
});

test("an order bound one way only has that bound only", () => {
  const curve = new Curve();
  curve.moveByBuy(20n * SOL);
  const bounds = ({ minTokens, maxLamports, minLamports }) =>
    [minTokens, maxLamports, minLamports].map((bound) => bound !== null);
  assert.deepEqual(bounds(curve.quoteBuyExactIn(SOL)), [true, false, false]);
  assert.deepEqual(bounds(curve.quoteBuyExactOut(10n ** 12n)), [false, true, false]);
  assert.deepEqual(bounds(curve.quoteSellExactIn(10n ** 12n)), [false, false, true]);
});

test("a sandbox's own quote and trade come to the same numbers", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [{ mint }] = sandbox.tokens;
  const [{ wallet, lamports }] = sandbox.wallets;
  const trader = new Trader({ wallet: { lamports }, slippage: { percent: 1 } });
  const request = { mint, fromWallet: wallet, amountInLamports: SOL, slippage: { percent: 1 } };
  const theirs = sandbox.quote("buy", request);
  const ours = curveOf(sandbox.tokens[0]).quoteBuyExactIn(SOL, trader);
  const [leg] = theirs.legs;
  for (const [name, value] of Object.entries(leg)) if (name !== "wallet") assert.deepEqual(ours[name], value, name);
  assert.deepEqual(
    [ours.networkFeeLamports, ours.netLamports, ours.worstNetLamports],
    [theirs.networkFeeLamports, theirs.wallets[0].netLamports, theirs.wallets[0].worstNetLamports],
  );
  const bought = await client.buy(request);
  assert.equal(bought.exact.buyAmount, ours.tokenAmount);
  const after = sandbox.wallets[0].lamports;
  const receipt = maths.receipt(ours, bought, { walletLamportsMoved: after - lamports });
  assert.deepEqual(
    [receipt.tokens, receipt.lamports, receipt.slippageUsedPpm, receipt.netLamports],
    [ours.tokens, SOL, 0n, after - lamports],
  );
  assert.deepEqual(receipt.findings, []);

  const position = new Position();
  position.add(receipt);
  const { tokenAccounts } = sandbox.wallets[0];
  const holder = new Trader({
    wallet: { lamports: after, tokenAccount: { tokens: tokenAccounts[0].tokens, lamports: tokenAccounts[0].lamports } },
  });
  const curve = curveOf(sandbox.tokens[0]);
  const exit = curve.quoteSellPercentage(100, holder);
  assert.equal(exit.tokenAccount, "closes");
  assert.equal(position.unrealisedLamports(curve), exit.walletLamports - position.state.costLamports);
  const sold = await client.sellByPercentage({ mint, fromWallet: wallet, percentage: 100 });
  const end = sandbox.wallets[0].lamports;
  const receiptOfExit = maths.receipt(exit, sold, { walletLamportsMoved: end - after });
  assert.deepEqual([receiptOfExit.findings, receiptOfExit.lamports], [[], exit.walletLamports]);
  const profit = position.profitOf(receiptOfExit);
  position.add(receiptOfExit);
  const { tokens, costLamports, realisedLamports, receipts } = position.state;
  assert.deepEqual([tokens, costLamports, receipts, realisedLamports], [0n, 0n, 2n, end - lamports]);
  assert.equal(profit.lamports, realisedLamports);
  assert.deepEqual(new Position(position.state).state, position.state);
  assert.equal(position.averageCost(curve), null);
});

test("a receipt names its estimates, and where quote and reply disagree", async () => {
  const curve = new Curve();
  const quote = curve.quoteBuyExactIn(SOL, new Trader({ wallet: { lamports: 5n * SOL } }));
  const trade = (fields) => ({
    operation: "buy",
    status: "landed",
    result: {},
    exact: { buyAmount: null, preTokenBalance: null, postTokenBalance: null, ...fields },
  });
  const blind = maths.receipt(quote, trade({}));
  assert.deepEqual([blind.tokens, blind.findings], [quote.tokens, ["tokens_unreported"]]);
  assert.ok(["tokens", "lamports", "netLamports"].every((figure) => blind.estimated.includes(figure)));
  const short = maths.receipt(quote, trade({ buyAmount: "1", preTokenBalance: "0", postTokenBalance: "2" }));
  assert.deepEqual(short.findings, ["tokens_past_bound", "balances_disagree"]);
  const failed = maths.receipt(quote, { ...trade({}), status: "failed" });
  assert.deepEqual([failed.tokens, failed.lamports, failed.netLamports, failed.price], [0n, 0n, -5_000n, null]);
  assert.deepEqual(failed.estimated, ["networkFeeLamports", "netLamports"]);
  // Kept as text, and read back.
  const kept = JSON.parse(JSON.stringify(quote, (_, value) => (typeof value === "bigint" ? String(value) : value)));
  assert.deepEqual(
    maths.receipt(kept, trade({ buyAmount: quote.tokenAmount })),
    maths.receipt(quote, trade({ buyAmount: quote.tokenAmount })),
  );
  assert.equal(thrown(() => maths.receipt(quote, { ...trade({}), operation: "sell" })).code, "invalid_options");
  // A quote that has no rates proves no fees.
  const { ratesFixed, ...older } = quote;
  assert.equal(ratesFixed, true);
  assert.ok(maths.receipt(older, trade({ buyAmount: quote.tokenAmount })).estimated.includes("fees"));
  assert.equal(thrown(() => maths.receipt({}, trade({}))).code, "invalid_options");
});

test("inverses and goals hold, and one more or less does not", () => {
  const curve = new Curve();
  curve.moveByBuy(30n * SOL);
  const spend = curve.largestBuyWithinImpact(500);
  assert.deepEqual(
    [spend, spend + 1n].map((lamports) => curve.quoteBuyExactIn(lamports).priceImpactBps),
    [500, 501],
  );
  const most = curve.mostTokensWithinImpact(500);
  assert.deepEqual(
    [most, most + 1n].map((tokens) => curve.quoteBuyExactOut(tokens).priceImpactBps),
    [500, 501],
  );
  const sell = curve.largestSellWithinImpact(500);
  assert.deepEqual(
    [sell, sell + 1n].map((tokens) => curve.quoteSellExactIn(tokens).priceImpactBps),
    [500, 501],
  );
  const smallest = curve.smallestBuyFor(10n ** 12n);
  assert.ok(curve.buyExactIn(smallest) >= 10n ** 12n && curve.buyExactIn(smallest - 1n) < 10n ** 12n);
  const fewest = curve.smallestSellFor(SOL);
  assert.ok(curve.sellExactIn(fewest) >= SOL && curve.sellExactIn(fewest - 1n) < SOL);
  const buyer = new Trader({ wallet: { lamports: 3n * SOL } });
  const within = curve.largestBuyWithinBalance(buyer);
  assert.ok(-curve.quoteBuyExactIn(within, buyer).worstNetLamports <= 3n * SOL);
  assert.ok(curve.quoteBuyExactIn(within + 1n, buyer).warnings.includes("insufficient_lamports"));
  // It is left with nothing, which it may be; or with its rent minimum and the fee of the exit.
  assert.equal(curve.quoteBuyExactIn(within, buyer).netLamports, -3n * SOL);
  const keeping = curve.largestBuyWithinBalance(buyer, { keepExitFee: true });
  assert.equal(curve.quoteBuyExactIn(keeping, buyer).netLamports, -3n * SOL + 650_240n + 5_000n);
  assert.deepEqual(curve.largestBuyWithinBalance(buyer, {}), within);
  assert.throws(
    () => curve.largestBuyWithinBalance(buyer, { keepExitFees: true }),
    /keepExitFees is unknown; did you mean keepExitFee\?/,
  );
  const below = ["below_rent_minimum"];
  assert.deepEqual(
    curve.quoteBuyExactIn(within - 1n, buyer).warnings,
    curve.quoteBuyExactIn(keeping, buyer).warnings.concat(below),
  );
  const bundled = curve.quoteBundle({
    wallets: [
      { wallet: "a", lamports: 3n * SOL },
      { wallet: "payer", lamports: 10_001n },
    ],
    legs: [{ fromWallet: "a", buyExactIn: SOL }],
    feePayer: "payer",
  });
  assert.deepEqual(
    bundled.wallets.map(({ warnings }) => warnings),
    [[], below],
  );
  const holder = new Trader({ wallet: { lamports: SOL, tokenAccount: { tokens: 10n ** 14n } } });
  const bringing = curve.smallestSellBringing(SOL, holder);
  assert.ok(
    curve.quoteSellExactIn(bringing, holder).netLamports >= SOL &&
      curve.quoteSellExactIn(bringing - 1n, holder).netLamports < SOL,
  );
  const now = curve.breakEven(SOL, holder);
  assert.deepEqual(now, { reached: true, tokens: bringing });
  const later = curve.breakEven(20n * SOL, holder);
  assert.equal(later.reached, false);
  const then = new Curve({ curve: later.reserves });
  assert.equal(then.spotPrice, later.spotPrice);
  assert.ok(then.quoteSellPercentage(100, holder).netLamports >= 20n * SOL);
});

test("columns are their rows, copied or in place", () => {
  const curve = new Curve();
  curve.moveByBuy(10n * SOL);
  const amounts = BigUint64Array.from([0n, 1n, SOL, 123_456_789n, 10n ** 15n, 2n ** 64n - 1n]);
  const one = (work) => {
    try {
      return work();
    } catch (error) {
      assert.ok(error instanceof RefusalError);
      return REFUSED;
    }
  };
  for (const [many, fill, single] of [
    ["buysExactIn", "fillBuysExactIn", "buyExactIn"],
    ["buysExactOut", "fillBuysExactOut", "buyExactOut"],
    ["sellsExactIn", "fillSellsExactIn", "sellExactIn"],
  ]) {
    const expected = BigUint64Array.from(amounts, (amount) => one(() => curve[single](amount)));
    assert.deepEqual(curve[many](amounts), expected);
    const [from, to] = [new Amounts(amounts.length), new Amounts(amounts.length)];
    from.values.set(amounts);
    curve[fill](from, to);
    assert.deepEqual(to.values.slice(), expected);
    assert.deepEqual(from.values.slice(), amounts);
    assert.equal(to.length, amounts.length);
  }
  const moving = curve.clone();
  const spends = BigUint64Array.from({ length: 200 }, (_, row) => BigInt(row) * 7_919_003n);
  const inTurn = BigUint64Array.from(spends, (spend) => one(() => moving.moveByBuy(spend)));
  assert.deepEqual(curve.buysInSequence(spends), inTurn);
  for (const many of ["buysExactIn", "buysExactOut", "sellsExactIn", "buysInSequence"])
    assert.deepEqual(curve[many](new BigUint64Array(0)), new BigUint64Array(0));
});

test("a bundle is its legs in order", () => {
  const curve = new Curve();
  const quote = curve.quoteBundle({
    wallets: [
      { wallet: "ada", lamports: 5n * SOL },
      { wallet: "bob", lamports: 5n * SOL, tokenAccount: { tokens: 10n ** 13n } },
    ],
    legs: [
      { fromWallet: "ada", buyExactIn: SOL },
      { fromWallet: "bob", sellPercentage: 100, slippage: { bps: 100 } },
    ],
    slippage: { percent: 2 },
    feePayer: "bob",
  });
  const moving = curve.clone();
  assert.equal(quote.legs[0].tokens, moving.moveByBuy(SOL));
  assert.equal(quote.legs[1].walletLamports, moving.moveBySell(10n ** 13n));
  assert.deepEqual(quote.reservesAfter, moving.reserves);
  assert.deepEqual(
    quote.legs.map(({ wallet, slippagePercent, tokenAccount }) => [wallet, slippagePercent, tokenAccount]),
    [
      ["ada", "2", "opens"],
      ["bob", "1", "closes"],
    ],
  );
  assert.deepEqual(
    [quote.feePayer, quote.signatures, quote.networkFeeLamports, quote.fits],
    ["bob", 2, 10_000n, "plain"],
  );
  assert.deepEqual(maths.splitBundle(quote), [{ legs: [0, 1], signatures: 2 }]);
  const landed = maths.attribution(quote, { operation: "bundleBuy", status: "landed" });
  const ofWallets = (receipts) =>
    receipts.map(({ wallet, netLamports, side, tokens, estimated }) => [
      wallet,
      netLamports,
      side === "buy" ? tokens : -tokens,
      estimated.includes("netLamports"),
    ]);
  assert.deepEqual(
    ofWallets(landed),
    quote.wallets.map(({ wallet, netLamports, netTokens }) => [wallet, netLamports, netTokens, true]),
  );
  const failed = maths.attribution(quote, { operation: "bundleBuy", status: "failed" });
  assert.deepEqual(ofWallets(failed), [
    ["ada", 0n, 0n, false],
    ["bob", -10_000n, 0n, true],
  ]);
  const error = thrown(() =>
    curve.quoteBundle({
      wallets: [{ wallet: "ada", lamports: 1n }],
      legs: [
        { fromWallet: "ada", buyExactIn: SOL },
        { fromWallet: "ada", buyExactIn: 0n },
      ],
      feePayer: "ada",
    }),
  );
  assert.deepEqual([error.code, error.leg], ["spend_does_not_cover_fees", 1]);
});

test("plans spend their budget, and say what a transaction holds", () => {
  const sum = (column) => column.reduce((total, row) => total + row, 0n);
  assert.deepEqual(maths.equalSpends(11n, 3), BigUint64Array.of(4n, 4n, 3n));
  assert.deepEqual(maths.weightedSpends(100n, BigUint64Array.of(1n, 2n, 3n)), BigUint64Array.of(17n, 33n, 50n));
  const jittered = maths.jitteredSpends(SOL, 5, { percent: 20 }, 7n);
  assert.equal(sum(jittered), SOL);
  assert.deepEqual(maths.jitteredSpends(SOL, 5, { bps: 2_000 }, 7n), jittered);
  assert.notDeepEqual(maths.jitteredSpends(SOL, 5, { percent: 20 }, 8n), jittered);
  const curve = new Curve();
  const plan = curve.equalTokens(3n * SOL, 3);
  assert.ok(sum(plan.spendsLamports) <= 3n * SOL);
  assert.ok(curve.buysInSequence(plan.spendsLamports).every((tokens) => tokens >= plan.tokens));
  const { legs, origin } = maths.capacities();
  assert.deepEqual(
    legs.map(({ kind, ...most }) => [kind, ...Object.values(most)]),
    [
      ["buy", 3, 5, 2, 4],
      ["open_and_buy", 2, 4, 2, 4],
      ["sell", 4, 6, 3, 5],
      ["sell_and_close", 3, 5, 3, 5],
    ],
  );
  assert.match(origin, /measured/);
});

test("a bundle is split where a transaction has no more room", () => {
  const { splitBundle } = maths;
  const ids = Array.from({ length: 5 }, (_, place) => `wallet ${place}`);
  const bundle = {
    wallets: ids.map((wallet) => ({ wallet, lamports: 5n * SOL })),
    legs: ids.map((fromWallet) => ({ fromWallet, buyExactIn: SOL / 10n })),
    feePayer: ids[0],
  };
  const quote = new Curve().quoteBundle(bundle);
  assert.equal(quote.fits, "no");
  // The payer signs the later ones as well.
  assert.deepEqual(splitBundle(quote), [
    { legs: [0, 1], signatures: 2 },
    { legs: [2, 3], signatures: 3 },
    { legs: [4], signatures: 2 },
  ]);
  assert.deepEqual(
    splitBundle(quote, "with_lookup_table").map(({ legs }) => legs),
    [[0, 1, 2, 3], [4]],
  );
  assert.deepEqual(splitBundle({ feePayer: "ada", legs: [] }), []);
  const leg = { wallet: "ada", side: "buy", tokenAccount: "stays" };
  for (const bad of [
    undefined,
    {},
    { legs: [leg] },
    { feePayer: "ada", legs: [{ ...leg, side: "hold" }] },
    { feePayer: "ada", legs: [7] },
  ])
    assert.equal(thrown(() => splitBundle(bad)).code, "invalid_options");
  assert.equal(thrown(() => splitBundle(quote, "tables")).code, "invalid_options");
});

test("a sandbox's market is a curve's own", () => {
  const sandbox = new Sandbox({ market: { seed: 5 } });
  sandbox.rivals(100);
  for (const row of sandbox.tokens) {
    const curve = curveOf(row);
    assert.deepEqual(
      [curve.spotPrice, curve.marketCapLamports, curve.complete],
      [row.spotPrice, row.marketCapLamports, row.complete],
    );
  }
});

test("results become JSON with their bigints as text, and stored ones are read back", async () => {
  const sandbox = new Sandbox();
  const [{ mint }, { wallet }] = [sandbox.tokens[0], sandbox.wallets[0]];
  const trader = new Trader({ wallet: { lamports: 100n * SOL } });
  const curve = sandbox.curve(mint);
  const quote = curve.quoteBuyExactIn(SOL, trader);
  const bundle = curve.quoteBundle({
    wallets: [{ wallet, lamports: 5n * SOL }],
    legs: [{ fromWallet: wallet, buyExactIn: SOL }],
    feePayer: wallet,
  });
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [trade, bundled] = [
    await client.buy({ mint, fromWallet: wallet, amountInLamports: SOL }),
    { operation: "bundleBuy", status: "landed" },
  ];
  const done = maths.receipt(quote, trade);
  const position = new Position();
  position.add(done);
  const request = { mint, fromWallet: wallet, amountInLamports: SOL };
  const holder = new Trader({ wallet: { lamports: SOL, tokenAccount: { tokens: done.tokens } } });
  const returned = {
    ...{ quote, bundle, done, reserves: curve.reserves, launchpad: curve.launchpad, state: position.state },
    ...{
      parts: maths.attribution(bundle, bundled),
      profit: position.profitOf(done),
      exit: sandbox.curve(mint).breakEven(SOL, holder),
      dry: sandbox.quote("buy", request),
    },
    ...{
      sell: maths.toRequest(mint, { fromWallet: wallet, sellExactIn: 5n }),
      tokens: sandbox.tokens,
      wallets: sandbox.wallets,
      trades: sandbox.trades,
      account: sandbox.account,
    },
  };
  const asText = (name, value) => (typeof value === "bigint" ? `${value}` : value);
  for (const [name, value] of Object.entries(returned)) {
    const copy = structuredClone(value); // which has no method
    assert.throws(() => JSON.stringify(copy), TypeError, name);
    assert.equal(JSON.stringify(value), JSON.stringify(copy, asText), name);
    assert.deepEqual(value, copy, name);
  }

  const stored = (value) => JSON.parse(JSON.stringify(value));
  assert.deepEqual(maths.receipt(stored(quote), trade), done);
  assert.deepEqual(maths.attribution(stored(bundle), bundled), returned.parts);
  assert.deepEqual(new Position(stored(position.state)).state, position.state);
  assert.deepEqual(position.profitOf(stored(done)), returned.profit);
  const equal = curve.equalTokens(SOL, 2);
  assert.deepEqual(stored(equal), {
    tokens: `${equal.tokens}`,
    spendsLamports: Array.from(equal.spendsLamports, String),
  });
  const moved = new Curve();
  moved.moveTo(stored(curve.reserves));
  assert.deepEqual(moved.reserves, curve.reserves);
  assert.deepEqual(
    client.build("sell", stored(returned.sell.request)).body,
    client.build("sell", returned.sell.request).body,
  );
});

test("an amount of 2^63 and more comes back whole", () => {
  const reserves = {
    virtualTokenReserves: 2n ** 63n,
    virtualSolReserves: 2n ** 63n - 1n,
    realTokenReserves: 2n ** 63n - 1n,
    realSolReserves: 2n ** 62n,
  };
  const curve = new Curve({ curve: reserves, supply: 2n ** 63n });
  const cost = curve.buyExactOut(2n ** 62n);
  assert.ok(cost > 2n ** 63n);
  assert.equal(cost, curve.quoteBuyExactOut(2n ** 62n).walletLamports);
  assert.deepEqual(curve.buysExactOut(BigUint64Array.of(2n ** 62n)), BigUint64Array.of(cost));
  assert.equal(
    refusal(() => curve.buyExactOut(2n ** 62n + 2n ** 59n)),
    "overflow",
  );
});

test("a curve knows its own rate, its end, and the builds that fill a buy from the future pool", () => {
  const own = new Curve({ creatorBps: 100 });
  assert.deepEqual(own.feeRates, { protocolBps: 95, creatorBps: 100 });
  assert.equal(own.quoteBuyExactIn(SOL).creatorFeeBps, 100);
  const complete = new Curve({ complete: true });
  assert.equal(complete.complete, true);
  for (const trade of [
    () => complete.buyExactIn(SOL),
    () => complete.sellExactIn(1n),
    () => complete.quoteBuyExactIn(SOL),
    () => complete.buysExactIn(new BigUint64Array([SOL])),
  ]) {
    try {
      assert.deepEqual([...trade()], [REFUSED]);
    } catch (error) {
      assert.equal(error.code, "curve_complete", String(error));
    }
  }
  const pool = new Curve({ launchpad: { completion: "pool" } });
  assert.equal(pool.quoteBuyExactIn(SOL).completion, "pool");
  assert.equal(
    refusal(() => pool.buyExactIn(200n * SOL)),
    "filled_from_pool",
  );
});
