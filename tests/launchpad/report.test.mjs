// The report of a backtest: the same facts as data, as text and as a page, each exact, and nothing in the page but the page.

import assert from "node:assert/strict";
import test from "node:test";
import { lamportsToSol } from "launchpad-desk";
import { Sandbox, backtest, backtestReport, reportHtml, reportText, sweep } from "launchpad-desk/sandbox";

const tape = (seed) => {
  const sandbox = new Sandbox({ market: { alive: true, seed } });
  sandbox.advance(600_000);
  return sandbox.marketTrades;
};
const plain = {
  entry: { lamports: 100_000_000n, afterMs: 10_000 },
  exits: { takeProfit: [{ at: "1.3x", sell: "50%" }], stopLoss: "0.8x", timeMs: 60_000, slippage: { percent: 20 } },
  latencyMs: [300, 900],
  slippage: { percent: 5 },
  fees: { priorityUnitPrice: 50_000n },
};
const grid = { stopLoss: ["0.6x", "0.8x"], timeMs: [20_000, 60_000, 90_000] };
const told = [];
const report = backtestReport({
  ...plain,
  tape,
  seed: 3,
  seeds: 6,
  grid,
  title: 'A <b>rule</b> & "more"',
  onProgress: (...step) => told.push(step.join("/")),
});

test("its run, seeds and grid are those of the functions alone", () => {
  assert.deepEqual(report.run, backtest({ ...plain, tape: tape(3), seed: 3 }));
  const profits = [3, 4, 5, 6, 7, 8].map((seed) => backtest({ ...plain, tape: tape(seed), seed }).profitLamports);
  const sorted = profits.sort((one, other) => Number(one - other));
  const { profitsLamports, gained, leastLamports, medianLamports, mostLamports } = report.seeds;
  assert.deepEqual([...profitsLamports], sorted);
  assert.equal(gained, sorted.filter((profit) => profit > 0n).length);
  assert.deepEqual([leastLamports, medianLamports, mostLamports], [sorted[0], sorted[2], sorted[5]]);
  assert.deepEqual(report.sweep, sweep({ ...plain, tape: tape(3), seed: 3, grid }));
  assert.deepEqual(told, ["1/13", "2/13", "3/13", "4/13", "5/13", "6/13", "7/13", "13/13"]);
});

test("bots without an idea are beside it, the same for the same seed", () => {
  const { profitsLamports } = report.withoutIdea;
  assert.equal(profitsLamports.length, 100);
  assert.equal(report.beaten, profitsLamports.filter((profit) => profit < report.run.profitLamports).length);
  const again = backtestReport({ ...plain, tape: tape(3), seed: 3 });
  assert.deepEqual(again.withoutIdea, report.withoutIdea);
  assert.deepEqual([again.seeds, again.sweep], [null, null]);
  const none = backtestReport({ tape: tape(3) });
  assert.deepEqual([none.withoutIdea, none.beaten, none.positionsWithoutIdea], [null, null, 0]);
});

test("a run that leaves no room for others is compared with none, and one that leaves little says how often they bought", () => {
  const trade = { mint: "M", side: "buy", lamports: 100_000_000n };
  const trades = Array.from({ length: 600 }, (_, second) => ({ atMs: second * 1_000, ...trade }));
  const entry = { lamports: 10_000_000n, everyMs: 1_000 };
  // In the market for all but a second of each minute, at the same times: of other times, most are taken by another buy.
  const packed = backtestReport({ tape: trades, entry, exits: { timeMs: 59_000, slippage: { percent: 50 } } });
  assert.deepEqual([packed.run.positions.length, packed.beaten], [10, null]);
  assert.ok(packed.positionsWithoutIdea > 5 && packed.positionsWithoutIdea < 9);
  const few = /^Bots without an idea found times for only [5-8](\.\d)? of its 10 buys, on average: too few to compare/m;
  assert.match(reportText(packed), few);
  const { length } = report.run.positions;
  const text = reportText({ ...report, beaten: 7, positionsWithoutIdea: length - 0.75 });
  assert.ok(text.includes(`\nIt beats 7 of 100 bots without an idea, which bought ${length - 0.8} times on average,`));
});

test("seeds that change nothing are not counted as many", () => {
  const one = { ...plain, tape: tape(3), seeds: 20, withoutIdea: 0 };
  for (const latencyMs of [undefined, 400, [400], [400, 400]]) {
    const steps = [];
    const alone = backtestReport({ ...one, latencyMs, onProgress: (...step) => steps.push(step.join("/")) });
    assert.deepEqual([alone.seeds, alone.isOneRun, steps], [null, true, ["1/2", "2/2"]]);
    const text = reportText(alone);
    assert.match(text, /^With one tape and one latency every seed is the same run, so there is only this one\.$/m);
    assert.doesNotMatch(text, /seeds? gain/);
  }
  const { seeds, isOneRun } = backtestReport({ ...one, latencyMs: [400, 900] });
  assert.deepEqual([seeds.profitsLamports.length, isOneRun], [20, false]);
  assert.doesNotMatch(reportText(backtestReport({ ...one, latencyMs: 400, seeds: 1 })), /the same run/);
});

/** The SOL of a line of the text, in lamports. */
const lamports = (text, name) => {
  const [, digits] = new RegExp(`^ *${name} +([+-]?[\\d.]+) SOL$`, "m").exec(text);
  const [whole, part = ""] = digits.replace(/[+-]/, "").split(".");
  const amount = BigInt(whole + part.padEnd(9, "0"));
  return digits.startsWith("-") ? -amount : amount;
};

test("the text adds up to the lamport", () => {
  const text = reportText(report);
  const parts = "prices alone,protocol fees,creator fees,network fees,priority,rent paid,rent returned".split(",");
  const sum = parts.reduce((sum, name) => sum + lamports(text, name), 0n);
  assert.equal(sum, report.run.profitLamports);
  assert.equal(lamports(text, "profit"), report.run.profitLamports);
  assert.match(text, /^A <b>rule<\/b> & "more": [+-]?[\d.]+ SOL\n/);
  assert.match(
    text,
    /^It beats \d+ of 100 bots without an idea, which bought (as often|25\.\d times on average), for the same amounts and times, at random moments\.$/m,
  );
  assert.match(
    text,
    /^The best of 6 plans is stopLoss \S+, timeMs \d+, with [+-]?[\d.]+ SOL; \d of its [23] neighbours gain\./m,
  );
  for (const { reason, positions, wins, profitLamports } of report.run.reasons)
    assert.ok(
      text.includes(`${positions}, ${wins} gained`) && text.includes(`${lamportsToSol(profitLamports)} SOL`),
      reason,
    );
});

test("nearly all is not called all", () => {
  const text = reportText({ ...report, run: { ...report.run, wins: 1_999, winRate: "99.95%", exposure: "5%" } });
  assert.match(text, /^ +gained +1999, 99\.9 %$/m);
  assert.match(text, /^ +exposed, on average +5\.0 % of the wallet$/m);
});

test("a backtest without a position says so, and few positions are called luck", () => {
  assert.match(reportText(backtestReport({ tape: tape(3) })), /^Nothing was bought, so there is nothing to judge\.$/m);
  assert.match(
    reportText(backtestReport({ tape: tape(3).slice(0, 200), entry: { lamports: 1_000_000n } })),
    /^With \d+ positions?, most of this is luck\.$/m,
  );
});

test("a best plan whose neighbours lose is called lonely, and another is not", () => {
  const swept = (profits) => ({
    ...report.sweep,
    neighbours: profits.map((profitLamports) => ({ ...report.sweep.best, profitLamports })),
  });
  const said = (isLonely, profits) => reportText({ ...report, sweep: { ...swept(profits), isLonely } });
  const lonely = /1 of its 3 neighbours gain\. It stands alone, so it may only be the luckiest\.$/m;
  assert.match(said(true, [-1n, -2n, 3n]), lonely);
  assert.doesNotMatch(said(false, [1n, 2n]), /luckiest/);
});

test("the page has every fact of the text, and nothing from elsewhere", () => {
  const html = reportHtml(report);
  assert.ok(html.startsWith('<!doctype html>\n<html lang="en">'));
  assert.doesNotMatch(html, /<script|https?:|\bsrc=|<link|@import|url\(|\bon[a-z]+=|<b>rule|NaN|undefined|Infinity/i);
  assert.ok(html.includes("A &lt;b&gt;rule&lt;/b&gt; &amp; &quot;more&quot;"));
  const facts = [...reportText(report).matchAll(/[+-]?\d+\.\d{4,} SOL/g)].map(([fact]) => fact);
  assert.ok(facts.length > 20);
  const shown = html.replaceAll("</td>", " SOL</td>");
  for (const fact of facts) assert.ok(shown.includes(fact), fact);
});

test("counts that are none are refused", () => {
  for (const wrong of [{ seeds: 0 }, { seeds: 1.5 }, { seed: -1 }, { withoutIdea: 100_001 }])
    assert.throws(() => backtestReport({ tape: [], ...wrong }), {
      name: "RangeError",
      message: new RegExp(`^${Object.keys(wrong)} must be a whole number from [01] to 100000$`),
    });
});
