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
  for (const [many, single] of [
    ["buysExactIn", "buyExactIn"],
    ["buysExactOut", "buyExactOut"],
    ["sellsExactIn", "sellExactIn"],
  ])
    assert.deepEqual(
      curve[many](amounts),
      BigUint64Array.from(amounts, (amount) => one(() => curve[single](amount))),
    );
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
