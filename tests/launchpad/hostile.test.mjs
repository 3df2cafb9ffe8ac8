// Whatever is passed in, the answer is an error that says what is wrong: never an overflow, a trap or a hang.

import assert from "node:assert/strict";
import test from "node:test";
import { runInNewContext } from "node:vm";
import * as maths from "launchpad-desk/market";
import * as simulator from "launchpad-desk/sandbox";
import { isTradeError } from "launchpad-desk";
import { revoked } from "../odd.mjs";

const { Curve, Position, Trader } = maths;
const SOL = 1_000_000_000n;

const cycle = {};
cycle.self = cycle;

const TOO_LARGE = [2n ** 64n, 2n ** 64n + 5n, 2n ** 128n + 5n, 2n ** 100_000n, 2 ** 53, Infinity];
const NEGATIVE = [-1n, -(2n ** 64n), -1];
const TEXTS = ["", "1.5", "-1", "0x10", "1e400", " 1"];
const OBJECTS = [{}, [], [1n], cycle, revoked(), () => 1n, { valueOf: () => 1n }, new Proxy([], {}), new Date()];
const NO_AMOUNTS = [...TOO_LARGE, ...NEGATIVE, 1.5, NaN, ...TEXTS, null, undefined, true, Symbol("1"), ...OBJECTS];
const invalid = (work, what) => {
  const isSaid = (error) => {
    assert.ok(isTradeError(error), `${what}: ${error?.stack}`);
    assert.deepEqual([error.code, error.outcome, error.name], ["invalid_options", "not_sent", "TradeNotSentError"]);
    return error.fields.length > 0 && error.message.length > 10;
  };
  assert.throws(work, isSaid, String(what));
};
const shown = (value) => {
  try {
    return typeof value === "bigint" && value > 2n ** 128n ? "a large bigint" : String(value?.toString?.() ?? value);
  } catch {
    return typeof value;
  }
};

test("no invalid amount passes, and none wraps", () => {
  const curve = new Curve();
  const trader = new Trader({ wallet: { lamports: SOL, tokenAccount: { tokens: SOL } } });
  const methods =
    "buyExactIn buyExactOut sellExactIn quoteBuyExactIn quoteBuyExactOut quoteSellExactIn moveByBuy moveBySell " +
    "smallestBuyFor smallestSellFor smallestSellBringing breakEven";
  const takers = {
    ...Object.fromEntries(methods.split(" ").map((name) => [name, (amount) => curve[name](amount, trader)])),
    equalTokens: (amount) => curve.equalTokens(amount, 3),
    equalSpends: (amount) => maths.equalSpends(amount, 3),
    seed: (amount) => maths.jitteredSpends(SOL, 3, { percent: 1 }, amount),
    lamports: (amount) => new Trader({ wallet: { lamports: amount } }),
    supply: (amount) =>
      new Curve({
        curve: { virtualTokenReserves: amount, virtualSolReserves: 1, realTokenReserves: 1, realSolReserves: 1 },
      }),
  };
  for (const [name, take] of Object.entries(takers))
    for (const amount of NO_AMOUNTS) invalid(() => take(amount), `${name}(${shown(amount)})`);
});

test("no invalid count passes", () => {
  const curve = new Curve();
  const bad = [...NO_AMOUNTS.filter((value) => typeof value !== "bigint" || value < 0n || value >= 2n ** 64n), 2 ** 32];
  for (const count of bad) {
    invalid(() => curve.largestBuyWithinImpact(count), `largestBuyWithinImpact(${shown(count)})`);
    invalid(() => maths.equalSpends(SOL, count), `equalSpends(${shown(count)})`);
  }
  for (const wallets of [0, 10_001]) invalid(() => maths.equalSpends(SOL, wallets), wallets);
  for (const percent of [0, -1, 100.1, "", "x", null, {}, NaN])
    invalid(() => curve.quoteSellPercentage(percent, new Trader()), `percent ${shown(percent)}`);
});

test("a value that is not a column is refused as such", () => {
  const curve = new Curve();
  const detached = BigUint64Array.of(1n);
  structuredClone(detached, { transfer: [detached.buffer] });
  const arrays = [[], [1n], new BigInt64Array(1), new Uint8Array(8), new Float64Array(1), new ArrayBuffer(8)];
  const likeOne = [{ length: 3 }, new Proxy(new BigUint64Array(1), {}), Object.create(BigUint64Array.prototype)];
  for (const column of [undefined, null, ...arrays, ...likeOne, revoked()]) {
    for (const many of ["buysExactIn", "buysExactOut", "sellsExactIn", "buysInSequence"])
      invalid(() => curve[many](column), `${many}(${Object.prototype.toString.call([column])})`);
    invalid(() => maths.weightedSpends(SOL, column), "weights");
  }
  assert.equal(curve.buysExactIn(detached).length, 0, "a detached column has no rows");
  const foreign = runInNewContext("BigUint64Array.of(1000000000n)");
  assert.deepEqual(curve.buysExactIn(foreign), BigUint64Array.of(34_199_203_120_618n), "one of another realm is one");
  invalid(() => maths.weightedSpends(SOL, new BigUint64Array(2)), "weights of zero");
  invalid(() => maths.weightedSpends(SOL, BigUint64Array.of(2n ** 64n - 1n, 1n)), "weights past 64 bits");
  invalid(() => maths.weightedSpends(SOL, new BigUint64Array(0)), "no weights");
});

test("options that cannot be used are all named", () => {
  for (const options of [
    null,
    5,
    "x",
    [],
    cycle,
    { curve: {} },
    { hasCreator: 1 },
    { launchpad: { feeTiers: [{ marketCapThresholdLamports: 0, protocolBps: 20_000, creatorBps: 0 }] } },
    { launchpad: { completion: "no" } },
    { reserves: {} },
    revoked(),
  ]) {
    invalid(() => new Curve(options), "curve options");
  }
  // The chain may have no tiers either: then it is the trade that is refused.
  assert.throws(() => new Curve({ launchpad: { feeTiers: [] } }).quoteBuyExactIn(SOL), { code: "no_fee_tier" });
  const wrong = {
    slippage: [-5, "", "5%", true, {}, { percent: 1, bps: 1 }, { percent: -1 }],
    slippageUnit: ["ppm"],
    wallet: [{}, { lamports: 1n, tokenAccount: {} }],
    feePayer: ["me"],
    warnAbove: [{ impactBps: -1 }],
    walet: [{}],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values) invalid(() => new Trader({ [name]: value }), `trader's ${name}`);
  const wallets = [{ wallet: "ada", lamports: SOL }];
  const legs = [{ fromWallet: "ada", buyExactIn: SOL }];
  for (const bundle of [
    undefined,
    null,
    {},
    { wallets, legs },
    { wallets: [], legs, feePayer: "ada" },
    { wallets, legs: [], feePayer: "ada" },
    { wallets, legs, feePayer: "bob" },
    { wallets, legs: [{ fromWallet: "ada" }], feePayer: "ada" },
    { wallets, legs: [{ fromWallet: "ada", buyExactIn: 1, sellExactIn: 1 }], feePayer: "ada" },
    { wallets, legs: [{ fromWallet: "eve", buyExactIn: 1 }], feePayer: "ada" },
  ]) {
    invalid(() => new Curve().quoteBundle(bundle), "bundle");
  }
  for (const given of [undefined, null, 5, {}, cycle]) {
    invalid(() => new Position().add(given), "receipt");
    invalid(() => maths.receipt(given, given), "quote");
    invalid(() => maths.attribution(given, given), "bundle quote");
  }
  const { state } = new Position();
  const negative = [{ tokens: -1n }, { feesLamports: -5n }, { networkFeesLamports: -5n }];
  for (const bad of [null, {}, ...negative.map((amount) => ({ ...state, ...amount }))])
    invalid(() => new Position(bad), "state");
});

test("an argument that frees its own object gives the error of a freed object", () => {
  const freeing = (object, fields) => ({
    ...fields,
    get extra() {
      return object.free();
    },
  });
  const freed = { name: "ReferenceError", message: /was freed/ };
  for (const use of [
    (curve) => curve.quoteBundle(freeing(curve)),
    (curve) => curve.moveTo(freeing(curve)),
    (curve) => curve.quoteSellPercentage(freeing(curve), new Trader()),
  ]) {
    const curve = new Curve();
    assert.throws(() => use(curve), freed, `${use}`);
  }
  for (const use of [
    (position) => position.add(freeing(position)),
    (position) => position.profitOf(freeing(position)),
  ]) {
    const position = new Position();
    assert.throws(() => use(position), freed, `${use}`);
  }
  const sandbox = new simulator.Sandbox();
  assert.throws(() => sandbox.curve(freeing(sandbox)), freed);
  const storing = new simulator.Sandbox();
  const before = storing.snapshot();
  storing.onChanges(() => storing.free());
  const fund = () => storing.fund(storing.wallets[0].wallet, 5n);
  assert.throws(fund, /the store of onChanges must not change or free its sandbox/);
  assert.equal(storing.snapshot(), before);
});

test("a freed object is an error, time and again, and harms no other", () => {
  const gone = new Curve();
  const trader = new Trader({ wallet: { lamports: SOL, tokenAccount: { tokens: SOL } } });
  const goneTrader = new Trader();
  for (const object of [gone, goneTrader]) object.free();
  const curve = new Curve();
  for (let time = 0; time < 30_000; time++) {
    assert.throws(() => gone.buyExactIn(SOL), Error);
    assert.throws(() => curve.quoteBuyExactIn(SOL, goneTrader), Error);
    assert.throws(() => curve.largestBuyWithinBalance(goneTrader), Error);
  }
  for (const use of [
    () => gone.reserves,
    () => gone.quoteBuyExactIn(SOL, trader),
    () => Curve.prototype.buyExactIn.call({}, SOL),
  ])
    assert.throws(use, Error);
  assert.equal(curve.buyExactIn(SOL), 34_199_203_120_618n);
  assert.doesNotThrow(() => curve.free());
});

test("a getter that calls back finds everything as it was", () => {
  const curve = new Curve();
  const reserves = curve.reserves;
  const sneaky = {
    get virtualTokenReserves() {
      curve.moveByBuy(SOL);
      return reserves.virtualTokenReserves;
    },
    virtualSolReserves: 1n,
    realTokenReserves: 1n,
    realSolReserves: 1n,
  };
  curve.moveTo(sneaky);
  assert.equal(curve.reserves.virtualSolReserves, 1n);
});

test("a hundred thousand refusals leave nothing behind", () => {
  const curve = new Curve();
  for (let time = 0; time < 100_000; time++) {
    try {
      curve.buyExactIn(time % 2 ? 0n : 10n ** 15n);
    } catch (error) {
      assert.equal(error.name, "RefusalError");
    }
  }
  assert.equal(curve.buyExactIn(SOL), 34_199_203_120_618n);
});

test("a complete curve refuses every question alike, though its reserves have a price", () => {
  const done = new Curve({ complete: true });
  for (const ask of [
    () => done.buyExactIn(SOL),
    () => done.sellExactIn(SOL),
    () => done.largestBuyWithinImpact(100),
    () => done.mostTokensWithinImpact(100),
    () => done.largestSellWithinImpact(100),
    () => done.smallestBuyFor(SOL),
  ])
    assert.throws(ask, { code: "curve_complete" }, ask.toString());
});
