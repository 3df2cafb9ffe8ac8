// Backtests through the package: the same as the same steps one by one, and what is wrong is named.

import assert from "node:assert/strict";
import test from "node:test";
import { Curve, Exits, defaultLaunchpad, launchpadRules } from "launchpad-desk/market";
import { Sandbox, backtest, backtestReport, recording, sweep } from "launchpad-desk/sandbox";
import { thrown, throws } from "../odd.mjs";

const SOL = 1_000_000_000n;

const lived = new Sandbox({ market: { alive: true, seed: 7 } });
lived.advance(600_000);
const tape = lived.marketTrades;
const entry = { lamports: SOL / 10n, afterMs: 10_000 };
const profits = [{ at: "1.2x", sell: "50%" }];
const exits = { takeProfit: profits, stopLoss: "0.7x", timeMs: 60_000, slippage: { percent: 50 } };

const multiple = 'must be a multiple of what was paid, as text such as "2x", not a number';

const invalid = (options, field, what) => {
  const error = thrown(() => backtest(options));
  assert.equal(error.code, "invalid_options", error.message);
  assert.deepEqual(error.fields[0], { field, code: error.fields[0].code, message: `${field} ${what}` });
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

test("a run of exits over one token has these figures, to the lamport, and the same by hand", () => {
  const bought = [2n, 3n, 5n].map((sol) => ({ side: "buy", lamports: sol * SOL }));
  const sold = [60_000_000_000_000n, 40_000_000_000_000n].map((tokens) => ({ side: "sell", tokens }));
  const rows = [...bought, ...sold].map((row, at) => ({ atMs: at * 1_000, mint: "M", ...row }));
  const run = backtest({ tape: rows, entry: { lamports: SOL }, exits });
  assert.deepEqual([run.endLamports, run.profitLamports], [10_336_600_048n, 336_600_048n]);
  assert.equal(run.positions[0].profitLamports, run.profitLamports);
  const landed = ["entry", "take_profit", "end"].map((reason) => [reason, "landed"]);
  assert.deepEqual(
    run.orders.map(({ reason, outcome }) => [reason, outcome]),
    landed,
  );
  const curve = new Curve();
  const rent = curve.tokenAccountRentLamports;
  curve.moveByBuy(2n * SOL);
  const tokens = curve.moveByBuy(SOL);
  const paid = { costLamports: SOL + 5_000n, rentLockedLamports: rent };
  const open = new Exits(exits).open({ id: "p1", mint: "M", wallet: "W", tokens, ...paid, openedAtMs: 0 });
  let lamports = 9n * SOL - 5_000n - rent;
  for (const { atMs, ...row } of rows.slice(1)) {
    row.side === "buy" ? curve.moveByBuy(row.lamports) : curve.moveBySell(row.tokens);
    const order = open.next(curve, { atMs })?.order;
    if (!order) continue;
    lamports += curve.moveBySell(order.tokens) - 5_000n;
    open.settled(order.intentId, "landed", { atMs });
  }
  lamports += curve.moveBySell(open.state.tokens) - 5_000n + rent;
  assert.equal(lamports, run.endLamports);
});

test("a list, its text as JSON and as CSV, and columns are one tape", () => {
  const one = tape.filter(({ mint }) => mint === tape[0].mint);
  const json = JSON.stringify(one, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  const names = ["atMs", "mint", "side", "lamports", "tokens"];
  const csv = [names, ...one.map((trade) => names.map((name) => trade[name]))].join("\n");
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
  const trade = { mint: "M", side: "buy", lamports: 1_000_000n, ...wide };
  const many = Array.from({ length: 25_000 }, (_, atMs) => ({ atMs, ...trade }));
  const { replayed, tapeMs } = backtest({ tape: many });
  assert.deepEqual([replayed, tapeMs], [25_000, 24_999]);
  many[20_007] = { atMs: 20_007, mint: "M", side: "sell" };
  invalid({ tape: many }, "tape[20007].tokens", "is missing");
  many[20_007] = { atMs: 3, mint: "M", side: "buy", lamports: 1n };
  invalid({ tape: many }, "tape[20007]", "is earlier than the trade before it");
});

test("what is wrong is named", () => {
  const none = [];
  const column = (orders) => ({ atMs: new BigUint64Array(1), orders, amounts: new BigUint64Array(1) });
  const text = "must be trades, or text of at most 16777216 characters";
  const signals = [{ mint: "X", atMs: 0, lamports: 1 }];
  invalid({ tape: none, latencyMs: [5, -1] }, "latencyMs[1]", "must be a decimal number, zero or above");
  invalid({ tape: none, exits: { stopLoss: 30 } }, "exits.stopLoss", multiple);
  invalid({ tape: none, entry: {} }, "entry.lamports", "is missing");
  invalid({ tape: none, signals }, "signals[0].mint", "is not on the tape");
  invalid({ tape: 7 }, "tape", text);
  invalid({ tape: column(new Uint8Array(2)) }, "tape.atMs, orders and amounts", "must have the same length");
  invalid({ tape: column(Uint8Array.of(9)) }, "tape[0]", "must be a buy, a sell or a buy of tokens");
  const asks = (what) => thrown(() => backtest({ tape, strategy: () => what }));
  assert.match(asks({ hold: 1 }).message, /a strategy returns \{ buy \} or \{ sell \}, a list of them, or nothing/);
  assert.match(asks({ buy: 1n, mint: "X" }).message, /the strategy's mint X is not on the tape/);
  const share = 'sell must be a percentage, such as "50%": above 0%, at most 100%, to four places';
  assert.equal(asks({ sell: "0%" }).fields[0].message, share);
  assert.throws(() => backtest({ tape, strategy: throws }), /^Error: no$/);
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
  const times = tape.map(({ atMs }) => atMs);
  assert.deepEqual(seen, times);
  const landed = run.orders.filter(({ outcome }) => outcome === "landed");
  assert.ok(landed.length >= 2 && landed.every(({ mint }) => mint === tape[0].mint));
  const asked = landed.filter(({ reason }) => reason === "strategy");
  assert.ok(asked.every(({ atMs, arrivedAtMs }) => [100, 900].includes(arrivedAtMs - atMs)));
});

test("a strategy's sell has its own slippage, whether the position has exits or not", () => {
  const rows = ["0,buy,M,6000000000,", "1000,buy,M,1000000,", "1200,sell,M,,20000000000000", "9000,buy,M,1000000,"];
  const csv = ["atMs,side,mint,lamports,tokens", ...rows].join("\n");
  const slippage = { percent: 90 };
  for (const exits of [undefined, { stopLoss: "0.1x" }, { stopLoss: "0.1x", slippage: { percent: 1 } }]) {
    const asked = { 0: { buy: SOL / 10n, slippage, exits }, 1000: { sell: "100%", slippage } };
    const { orders } = backtest({ tape: csv, latencyMs: 500, strategy: ({ atMs }) => asked[atMs] });
    assert.equal(orders.map(({ outcome }) => outcome).join(), "landed,landed");
  }
});

test("the same seed draws the same latencies, another draws others", () => {
  const options = { tape, entry, exits, latencyMs: [10, 20, 30, 40, 50] };
  const at = (seed) => backtest({ ...options, seed }).orders.map(({ arrivedAtMs }) => arrivedAtMs);
  assert.deepEqual(at(5), at(5));
  assert.notDeepEqual(at(5), at(6));
});

test("a sweep is its backtests, in one crossing or in many", () => {
  const grid = { stopLoss: ["0.6x", "0.8x", null], timeMs: [20_000, 40_000, 60_000, 90_000, 120_000, 240_000] };
  const options = { tape, entry, exits: { slippage: { percent: 50 } }, latencyMs: [100, 300], seed: 4 };
  const told = [];
  const found = sweep({ ...options, grid });
  assert.deepEqual(sweep({ ...options, grid, onProgress: (...done) => told.push(done) }), found);
  assert.equal(told.join("; "), "16,18; 18,18");
  assert.deepEqual([found.plans.length, found.fields], [18, ["stopLoss", "timeMs"]]);
  for (const { plan, at, profitLamports, positions, wins, drawdownLamports } of found.plans) {
    assert.deepEqual([plan.stopLoss, plan.timeMs], [grid.stopLoss[at[0]], grid.timeMs[at[1]]]);
    const run = backtest({ ...options, exits: plan });
    const figures = [run.profitLamports, run.positions.length, run.wins, run.drawdown.lamports];
    assert.deepEqual([profitLamports, positions, wins, drawdownLamports], figures);
  }
  assert.ok(found.plans.every(({ profitLamports }) => profitLamports <= found.best.profitLamports));
  assert.ok(found.neighbours.length >= 2 && found.neighbours.length <= 4);
  const refusal = (stopLoss) => thrown(() => sweep({ ...options, grid: { stopLoss } }));
  assert.equal(`${refusal([])}`, "TypeError: grid.stopLoss must be a list of values");
  assert.equal(refusal([1]).fields[0].message, `plans[0].stopLoss ${multiple}`);
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
