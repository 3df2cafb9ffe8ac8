// The table of examples/backtest.mjs agrees to the lamport with the sandbox that the same run leaves behind.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { audit } from "launchpad-desk/launchpad";
import { backtest } from "../../examples/backtest/bot.mjs";
import { figuresOf, sol, table } from "../../examples/backtest/figures.mjs";
import { capture, root } from "../../scripts/program.mjs";

const [TRADES, SEED] = [6_000, 11];
const run = await backtest({ trades: TRADES, seed: SEED });
const { sandbox, books, points } = run;
const printed = await capture(process.execPath, [join(root, "examples/backtest.mjs"), "--trades", `${TRADES}`, "--seed", `${SEED}`]);

/** A row of what was printed, as text. */
const row = (name) => new RegExp(`^ *${name} +(\\S.*)$`, "m").exec(printed)[1];
const count = (name) => Number(row(name).replaceAll(",", ""));
const lamports = (name) => BigInt(row(name).replace(".", ""));

test("the same seed gives the same table, in this process and in another, and another seed does not", async () => {
  assert.equal(`${table(figuresOf(run))}\n`, printed);
  assert.notEqual(table(figuresOf(await backtest({ trades: 1_000, seed: 12 }))), table(figuresOf(await backtest({ trades: 1_000, seed: 13 }))));
});

test("trades, landed and failed are the sandbox's own, and some are of each kind", () => {
  assert.ok(count("market trades") >= TRADES && sandbox.marketTrades.at(-1).number >= count("market trades"));
  assert.equal(count("own trades"), sandbox.account.transactions);
  assert.deepEqual([count("landed"), count("failed")], ["landed", "failed"].map((actual) => sandbox.calls.filter((call) => call.actual === actual).length));
  assert.equal(count("landed") + count("failed"), count("own trades"));
  assert.ok(count("landed") > 10 && count("failed") > 0, printed);
});

test("what was paid and received is what the wallet has more or less now, to the lamport", () => {
  const [{ lamports: now, tokenAccounts }] = sandbox.wallets;
  const pnl = now - points[0].equity;
  assert.equal(lamports("PnL, SOL"), pnl);
  assert.equal(lamports("sold for, SOL") - lamports("bought for, SOL") - lamports("network fees, SOL") - lamports("rent not back yet, SOL"), pnl);
  assert.equal(lamports("network fees, SOL"), sandbox.account.networkFeesLamports);
  assert.equal(lamports("rent not back yet, SOL"), tokenAccounts.reduce((sum, account) => sum + account.lamports, 0n));
  assert.equal(count("tokens left unsold"), tokenAccounts.length);
  const fees = sandbox.trades.flatMap(({ legs }) => legs).reduce((sum, leg) => sum + leg.protocolFeeLamports + leg.creatorFeeLamports, 0n);
  assert.ok(fees > 0n && fees === lamports("curve fees in both"));
});

test("its books are right, and a wrong entry is reported", () => {
  assert.equal(row("books right / wrong"), `${books.length} / 0`);
  const untrue = books.map((entry, index) => (index === 3 ? { ...entry, outcome: entry.outcome === "landed" ? "failed" : "landed" } : entry));
  assert.equal(audit(untrue, sandbox.calls).findings.length, 1);
});

test("the deepest fall is the deepest between any two points", () => {
  let deepest = 0n;
  points.forEach(({ equity }, index) => points.slice(index).forEach((later) => (deepest = equity - later.equity > deepest ? equity - later.equity : deepest)));
  assert.equal(lamports("deepest fall, SOL"), deepest);
  assert.equal(points.at(-1).equity - points[0].equity, lamports("PnL, SOL"));
});

test("SOL is said to the lamport, with its sign", () => assert.deepEqual([0n, 5n, -5n, 1_000_000_000n, -12_345_678_901n].map(sol), ["0.000000000", "0.000000005", "-0.000000005", "1.000000000", "-12.345678901"]));
