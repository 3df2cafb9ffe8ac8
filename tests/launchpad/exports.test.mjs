// The maths in JavaScript: quotes, receipts and columns cross as they are, and agree with the sandbox. What they compute is tested in tests/rust/launchpad_*.rs.

import assert from "node:assert/strict";
import test from "node:test";
import * as maths from "launchpad-desk/market";
import * as simulator from "launchpad-desk/sandbox";
import { TradeClient, isTradeError } from "launchpad-desk";
import { thrown } from "../odd.mjs";
import { TOKEN_ACCOUNT_RENT } from "../rents.mjs";

const { Curve, Position, REFUSED, RefusalError, Trader } = maths;
const { Sandbox } = simulator;
const SOL = 1_000_000_000n;

test("the prototype has the public members and nothing else", () => {
  const names = Object.getOwnPropertyNames(Curve.prototype);
  assert.ok(!names.some((name) => name.endsWith("Of")));
  for (const name of ["buyExactIn", "quoteBuyExactIn", "equalTokens", "quoteBundle"])
    assert.ok(names.includes(name), name);
});

test("a curve reports its state, and moves only on request", () => {
  const curve = new Curve();
  const start = curve.reserves;
  assert.deepEqual({ ...start }, { ...maths.defaultLaunchpad().start });
  assert.deepEqual([curve.supply, curve.hasCreator, curve.complete], [10n ** 15n, true, false]);
  assert.deepEqual(
    [curve.spotPrice, curve.marketCapLamports, curve.feeRates],
    ["27.958993476", 27_958_993_476n, { protocolBps: 95, creatorBps: 30 }],
  );
  assert.equal(curve.tokenAccountRentLamports, TOKEN_ACCOUNT_RENT);
  assert.deepEqual(curve.launchpad, maths.defaultLaunchpad());
  const rules = maths.launchpadRules();
  const { asOf, ...settings } = curve.launchpad;
  assert.deepEqual([...new Set(rules.map(({ setting }) => setting))], Object.keys(settings));
  const newest = new Map(rules.map((rule) => [rule.setting, rule.asOf]));
  assert.equal(asOf, [...newest.values()].sort()[0], "the date of the oldest rule in force");
  // Each rule holds from its day on, and the one before it until then.
  const rents = rules.filter(({ setting }) => setting === "rentLamportsPerByte").map((rule) => Date.parse(rule.asOf));
  const rentAt = (atMs) => maths.defaultLaunchpad(atMs).rentLamportsPerByte;
  assert.deepEqual([rentAt(rents.at(-1)), rentAt(rents.at(-1) - 1)], [rentAt(), rentAt(rents.at(-2))]);
  assert.notEqual(rentAt(rents[0]), rentAt());
  const other = curve.clone();
  assert.equal(other.moveByBuy(5n * SOL), curve.buyExactIn(5n * SOL));
  assert.deepEqual(curve.reserves, start);
  assert.equal(other.moveBySell(10n ** 12n) > 0n, true);
  assert.notDeepEqual(other.reserves, start);
  other.moveTo(start);
  assert.deepEqual(other.reserves, start);
  assert.equal(new Curve({ launchpad: curve.launchpad }).buyExactIn(SOL), curve.buyExactIn(SOL));
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
  assert.equal(thrown(() => maths.receipt(quote, { ...trade({}), operation: "sell" })).code, "invalid_options");
  // A quote that has no rates proves no fees.
  const { ratesFixed, ...older } = quote;
  assert.equal(ratesFixed, true);
  assert.ok(maths.receipt(older, trade({ buyAmount: quote.tokenAmount })).estimated.includes("fees"));
  assert.equal(thrown(() => maths.receipt({}, trade({}))).code, "invalid_options");
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
  for (const [side, way] of ["buy ExactIn", "buy ExactOut", "sell ExactIn"].map((method) => method.split(" "))) {
    const rows = BigUint64Array.from(amounts, (amount) => one(() => curve[side + way](amount)));
    assert.deepEqual(curve[`${side}s${way}`](amounts), rows);
  }
  const moving = curve.clone();
  const spends = BigUint64Array.from({ length: 200 }, (_, row) => BigInt(row) * 7_919_003n);
  const inTurn = BigUint64Array.from(spends, (spend) => one(() => moving.moveByBuy(spend)));
  assert.deepEqual(curve.buysInSequence(spends), inTurn);
  for (const many of ["buysExactIn", "buysExactOut", "sellsExactIn", "buysInSequence"])
    assert.deepEqual(curve[many](new BigUint64Array(0)), new BigUint64Array(0));
});

test("results become JSON with their bigints as text, and stored ones are read back", async () => {
  const sandbox = new Sandbox();
  const [{ mint }, { wallet }] = [sandbox.tokens[0], sandbox.wallets[0]];
  const trader = new Trader({ wallet: { lamports: 100n * SOL } });
  const curve = sandbox.curve(mint);
  const quote = curve.quoteBuyExactIn(SOL, trader);
  const legs = [{ fromWallet: wallet, buyExactIn: SOL }];
  const bundle = curve.quoteBundle({ wallets: [{ wallet, lamports: 5n * SOL }], legs, feePayer: wallet });
  const client = new TradeClient({ fetch: sandbox.fetch });
  const request = { mint, fromWallet: wallet, amountInLamports: SOL };
  const [trade, bundled] = [await client.buy(request), { operation: "bundleBuy", status: "landed" }];
  const done = maths.receipt(quote, trade);
  const position = new Position();
  position.add(done);
  const holder = new Trader({ wallet: { lamports: SOL, tokenAccount: { tokens: done.tokens } } });
  const parts = maths.attribution(bundle, bundled);
  const profit = position.profitOf(done);
  const exit = sandbox.curve(mint).breakEven(SOL, holder);
  const dry = sandbox.quote("buy", request);
  const sell = maths.toRequest(mint, { fromWallet: wallet, sellExactIn: 5n });
  const { tokens, wallets, trades, account } = sandbox;
  const { reserves, launchpad } = curve;
  const { state } = position;
  const ofMaths = { quote, bundle, done, reserves, launchpad, state, parts, profit, exit, sell };
  const returned = { ...ofMaths, dry, tokens, wallets, trades, account };
  const asText = (name, value) => (typeof value === "bigint" ? `${value}` : value);
  for (const [name, value] of Object.entries(returned)) {
    const copy = structuredClone(value); // which has no method
    assert.throws(() => JSON.stringify(copy), TypeError, name);
    assert.equal(JSON.stringify(value), JSON.stringify(copy, asText), name);
    assert.deepEqual(value, copy, name);
  }

  const stored = (value) => JSON.parse(JSON.stringify(value));
  assert.deepEqual(maths.receipt(stored(quote), trade), done);
  assert.deepEqual(maths.attribution(stored(bundle), bundled), parts);
  assert.deepEqual(new Position(stored(state)).state, state);
  assert.deepEqual(position.profitOf(stored(done)), profit);
  const equal = curve.equalTokens(SOL, 2);
  assert.deepEqual(stored(equal), {
    tokens: `${equal.tokens}`,
    spendsLamports: Array.from(equal.spendsLamports, String),
  });
  const moved = new Curve();
  moved.moveTo(stored(curve.reserves));
  assert.deepEqual(moved.reserves, curve.reserves);
  const bodyOf = (request) => client.build("sell", request).body;
  assert.equal(bodyOf(stored(sell.request)), bodyOf(sell.request));
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
  const error = thrown(() => curve.buyExactOut(2n ** 62n + 2n ** 59n));
  assert.ok(error instanceof RefusalError && error instanceof Error && error.name === "RefusalError", String(error));
  assert.ok(!isTradeError(error));
  assert.deepEqual([error.code, JSON.parse(JSON.stringify(error)).code], ["overflow", "overflow"]);
});
