// Backtests through the package: the same as the same steps one by one, and what is wrong is named.

import assert from "node:assert/strict";
import test from "node:test";
import { Curve, defaultLaunchpad, launchpadRules } from "launchpad-desk/market";
import { Sandbox, backtest, backtestReport, recording, sweep } from "launchpad-desk/sandbox";
import { thrown, throws } from "../odd.mjs";

const SOL = 1_000_000_000n;

const lived = new Sandbox({ market: { alive: true, seed: 7 } });
lived.advance(600_000);
const tape = lived.marketTrades;
const entry = { lamports: SOL / 10n, afterMs: 10_000 };
const exits = {
  takeProfit: [{ at: "1.2x", sell: "50%" }],
  stopLoss: "0.7x",
  timeMs: 60_000,
  slippage: { percent: 50 },
};

const invalid = (options, field, message) => {
  const error = thrown(() => backtest(options));
  assert.equal(error.code, "invalid_options", error.message);
  assert.deepEqual(error.fields[0], { field, code: error.fields[0].code, message });
};

test("a tape from before the day of a rule has the rule before it", () => {
  const fell = launchpadRules().findLast(({ setting }) => setting === "rentLamportsPerByte");
  const day = Date.parse(fell.asOf);
  const rentOf = (startMs, start) => {
    const times = Array.from({ length: 9 }, (_, at) => startMs + at * 1_000);
    const rows = times.map((atMs) => ({ atMs, mint: "M", side: "buy", lamports: SOL }));
    return backtest({ tape: rows, start, entry: { lamports: SOL } }).costs.rentPaidLamports;
  };
  const rentAt = (atMs) => BigInt(new Curve({ launchpad: defaultLaunchpad(atMs) }).tokenAccountRentLamports);
  assert.notEqual(rentAt(day - 1), rentAt(day));
  for (const start of [undefined, new Curve()]) {
    assert.deepEqual(
      [rentOf(day - 60_000, start), rentOf(day, start), rentOf(0, start)],
      [rentAt(day - 1), rentAt(day), rentAt()],
    );
  }
  const own = new Curve({ launchpad: { rentLamportsPerByte: 7 } });
  assert.equal(rentOf(day - 60_000, own), own.tokenAccountRentLamports);
});

test("a list, its text as JSON and as CSV, and columns are one tape", () => {
  const one = tape.filter(({ mint }) => mint === tape[0].mint);
  const json = JSON.stringify(one, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  const csv = [
    "atMs,mint,side,lamports,tokens",
    ...one.map(({ atMs, mint, side, lamports, tokens }) => `${atMs},${mint},${side},${lamports},${tokens}`),
  ].join("\n");
  const columns = {
    atMs: BigUint64Array.from(one, ({ atMs }) => BigInt(atMs)),
    orders: Uint8Array.from(one, ({ side }) => (side === "buy" ? 0 : 1)),
    amounts: BigUint64Array.from(one, ({ side, lamports, tokens }) => (side === "buy" ? lamports : tokens)),
  };
  const profits = (tapes) => new Set(tapes.map((tape) => backtest({ tape, entry, exits }).profitLamports));
  assert.ok(one.length > 20);
  assert.equal(profits([one, recording(csv), json, csv]).size, 1);
  // A column has one amount of each: here what a buy spends.
  const spent = one.map(({ tokens, side, ...trade }) =>
    side === "buy" ? { ...trade, side } : { ...trade, side, tokens },
  );
  assert.equal(profits([spent, columns]).size, 1);
});

test("more trades than cross at a time are all there, and a bad one is named by its own number", () => {
  // As wide as a sandbox's own trades, and wider.
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, column) => [`column${column}`, column]));
  const many = Array.from({ length: 25_000 }, (_, row) => ({
    atMs: row,
    mint: "M",
    side: "buy",
    lamports: 1_000_000n,
    ...wide,
  }));
  const { replayed, tapeMs } = backtest({ tape: many });
  assert.deepEqual([replayed, tapeMs], [25_000, 24_999]);
  many[20_007] = { atMs: 20_007, mint: "M", side: "sell" };
  invalid({ tape: many }, "tape[20007].tokens", "tape[20007].tokens is missing");
  many[20_007] = { atMs: 3, mint: "M", side: "buy", lamports: 1n };
  invalid({ tape: many }, "tape[20007]", "tape[20007] is earlier than the trade before it");
});

test("what is wrong is named", () => {
  const none = [];
  invalid({ tape: none, latencyMs: [5, -1] }, "latencyMs[1]", "latencyMs[1] must be a decimal number, zero or above");
  invalid(
    { tape: none, exits: { stopLoss: 30 } },
    "exits.stopLoss",
    'exits.stopLoss must be a multiple of what was paid, as text such as "2x", not a number',
  );
  invalid({ tape: none, entry: {} }, "entry.lamports", "entry.lamports is missing");
  invalid(
    { tape: none, signals: [{ mint: "X", atMs: 0, lamports: 1 }] },
    "signals[0].mint",
    "signals[0].mint is not on the tape",
  );
  invalid({ tape: 7 }, "tape", "tape must be trades, or text of at most 16777216 characters");
  invalid(
    { tape: { atMs: new BigUint64Array(1), orders: new Uint8Array(2), amounts: new BigUint64Array(1) } },
    "tape.atMs, orders and amounts",
    "tape.atMs, orders and amounts must have the same length",
  );
  invalid(
    { tape: { atMs: new BigUint64Array(1), orders: Uint8Array.of(9), amounts: new BigUint64Array(1) } },
    "tape[0]",
    "tape[0] must be a buy, a sell or a buy of tokens",
  );
  assert.throws(
    () => backtest({ tape, strategy: () => ({ hold: 1 }) }),
    /a strategy returns \{ buy \} or \{ sell \}, a list of them, or nothing/,
  );
  assert.throws(
    () => backtest({ tape, strategy: () => ({ buy: 1n, mint: "X" }) }),
    /the strategy's mint X is not on the tape/,
  );
  assert.throws(() => backtest({ tape, strategy: throws }), /^Error: no$/);
  assert.equal(
    thrown(() => backtest({ tape, strategy: () => ({ sell: "0%" }) })).fields[0].message,
    'sell must be a percentage, such as "50%": above 0%, at most 100%, to four places',
  );
});

test("a strategy sees what was known, and its orders land", () => {
  const seen = [];
  const run = backtest({
    tape,
    latencyMs: [100, 900],
    seed: 3,
    slippage: { percent: 50 },
    strategy: ({ atMs, mint, trade, curve, position, isInFlight, lamports, notes }) => {
      seen.push(atMs);
      notes.first ??= mint;
      assert.ok(
        position === null || (position.tokens > 0n && position.openedAtMs <= atMs && position.paidLamports > 0n),
      );
      assert.ok(lamports > 0n && trade.tokens >= 0n);
      if (mint !== notes.first || isInFlight) return undefined;
      if (!position) return { buy: SOL / 5n };
      return curve.sellExactIn(position.tokens) > ((SOL / 5n) * 11n) / 10n ? { sell: "100%" } : [];
    },
  });
  assert.deepEqual(
    seen,
    tape.map(({ atMs }) => atMs),
  );
  const landed = run.orders.filter(({ outcome }) => outcome === "landed");
  assert.ok(landed.length >= 2 && landed.every(({ mint }) => mint === tape[0].mint));
  assert.ok(
    landed
      .filter(({ reason }) => reason === "strategy")
      .every(({ atMs, arrivedAtMs }) => [100, 900].includes(arrivedAtMs - atMs)),
  );
});

test("the same seed draws the same latencies, another draws others", () => {
  const at = (seed) =>
    backtest({ tape, entry, exits, latencyMs: [10, 20, 30, 40, 50], seed }).orders.map(
      ({ arrivedAtMs }) => arrivedAtMs,
    );
  assert.deepEqual(at(5), at(5));
  assert.notDeepEqual(at(5), at(6));
});

test("a sweep is its backtests, in one crossing or in many", () => {
  const grid = { stopLoss: ["0.6x", "0.8x", null], timeMs: [20_000, 40_000, 60_000, 90_000, 120_000, 240_000] };
  const options = { tape, entry, exits: { slippage: { percent: 50 } }, latencyMs: [100, 300], seed: 4 };
  const told = [];
  const found = sweep({ ...options, grid });
  assert.deepEqual(sweep({ ...options, grid, onProgress: (...done) => told.push(done) }), found);
  assert.deepEqual(told, [
    [16, 18],
    [18, 18],
  ]);
  assert.deepEqual([found.plans.length, found.fields], [18, ["stopLoss", "timeMs"]]);
  for (const { plan, at, profitLamports, positions, wins, drawdownLamports } of found.plans) {
    assert.deepEqual([plan.stopLoss, plan.timeMs], [grid.stopLoss[at[0]], grid.timeMs[at[1]]]);
    const run = backtest({ ...options, exits: plan });
    assert.deepEqual(
      [profitLamports, positions, wins, drawdownLamports],
      [run.profitLamports, run.positions.length, run.wins, run.drawdown.lamports],
    );
  }
  assert.ok(found.plans.every(({ profitLamports }) => profitLamports <= found.best.profitLamports));
  assert.ok(found.neighbours.length >= 2 && found.neighbours.length <= 4);
  assert.throws(
    () => sweep({ ...options, grid: { stopLoss: [] } }),
    /^TypeError: grid\.stopLoss must be a list of values$/,
  );
  assert.equal(
    thrown(() => sweep({ ...options, grid: { stopLoss: [1] } })).fields[0].message,
    'plans[0].stopLoss must be a multiple of what was paid, as text such as "2x", not a number',
  );
});

test("an option that nobody knows is refused, and not left out", () => {
  const options = { tape, entry, exits };
  const refuses = (work, given, why) =>
    assert.deepEqual(
      thrown(work, given).fields?.map(({ message }) => message),
      [why],
    );
  const late = { ...options, latency: 400 };
  const why = "latency is unknown; did you mean latencyMs?";
  const grid = { timeMs: [1_000] };
  refuses(backtest, late, why);
  refuses(sweep, { ...late, grid }, why);
  refuses(backtestReport, { ...late, grid, title: "A", seeds: 2, withoutIdea: 3, onProgress: () => {} }, why);
  const decides = (what) => ({ tape, strategy: () => what });
  refuses(backtest, decides({ buy: 1_000_000n, exit: { stopLoss: "0.8x" } }), "exit is unknown; did you mean exits?");
  refuses(backtest, decides({ sell: "50%", slipage: 5 }), "slipage is unknown; did you mean slippage?");
  assert.equal(
    backtest({ ...options, latency: undefined, start: undefined, strategy: undefined }).profitLamports,
    backtest(options).profitLamports,
  );
});
