// A calibration through the package: a bot trades in a living market and keeps a record, and a backtest of the same trades is compared with it.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/journal";
import { Curve, Sandbox, calibrate, calibrationText } from "launchpad-desk/launchpad";
import { DeskRecord, recordTrades } from "launchpad-desk/record";

/** Buys the first token that was launched, lets the market go on, sells everything, and is refused once. */
async function traded() {
  const sandbox = new Sandbox({ market: { alive: true, regime: "calm", seed: 7 } });
  const start = Object.fromEntries(sandbox.tokens.map(({ mint }) => [mint, sandbox.curve(mint)]));
  sandbox.advance(60_000);
  const store = { log: "", last: "", head: async () => store.last, append: async (lines, head) => void ((store.log += lines), (store.last = head)) };
  const record = new DeskRecord(store);
  const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
  const fromWallet = sandbox.wallets[0].wallet;
  const { mint } = sandbox.marketTrades.findLast(({ trader }) => trader !== "own");
  await client.buy({ mint, fromWallet, amountInLamports: 100_000_000, slippage: 50 }, { intentId: "in" });
  sandbox.advance(20_000);
  await client.sellByPercentage({ mint, fromWallet, percentage: 100, slippage: 50 }, { intentId: "out" });
  await assert.rejects(client.sell({ mint, fromWallet, amountInToken: 5, slippage: 50 }, { intentId: "none" }));
  await record.written();
  return { sandbox, start, log: store.log, fromWallet };
}

test("what a bot did in a sandbox is explained by the sandbox's own tape, to the lamport", async () => {
  const { sandbox, start, log, fromWallet } = await traded();
  const recorded = await recordTrades(log);
  assert.deepEqual(recorded.trades.map(({ intentId, operation, outcome }) => [intentId, operation, outcome]), [["in", "buy", "landed"], ["out", "sellByPercentage", "landed"], ["none", "sell", "failed"]]);
  assert.equal(recorded.slippageUnit, "percent");
  assert.ok(recorded.trades[0].tokens > 0n && recorded.trades[0].endedAtMs >= recorded.trades[0].startedAtMs);

  const own = sandbox.marketTrades.filter(({ wallet }) => wallet === fromWallet);
  assert.equal(own.length, 2);
  const found = calibrate({ tape: sandbox.marketTrades, start, ...recorded });
  assert.equal(found.wallet, fromWallet);
  const [bought, sold, none] = found.trades;
  assert.deepEqual([bought.tokens, bought.lamports, bought.onArrival], [own[0].tokens, own[0].lamports, own[0].tokens]);
  assert.deepEqual([sold.tokens, sold.lamports, sold.onArrival], [own[1].tokens, own[1].lamports, own[1].lamports]);
  for (const { cause } of [bought, sold]) assert.ok(["same", "latency", "earlier_trade"].includes(cause), cause);
  assert.deepEqual([none.cause, none.backtest.outcome, none.walletLamports], ["same", "not_sent", 0n]);
  assert.equal(found.walletLamports, found.trades.reduce((sum, { walletLamports }) => sum + walletLamports, 0n));

  // An order that comes five seconds late meets another price.
  const late = calibrate({ tape: sandbox.marketTrades, start, ...recorded, latencyMs: 5_000 });
  assert.equal(late.trades[0].cause, "latency");
  assert.notEqual(late.trades[0].walletTokens, 0n);
  assert.equal(late.trades[0].walletTokens, own[0].tokens - late.trades[0].backtest.tokens);
});

test("the tape as text has the same own trades", async () => {
  const { sandbox, start, log } = await traded();
  const recorded = await recordTrades(log);
  const rows = sandbox.marketTrades;
  const csv = ["atMs,mint,side,lamports,tokens,wallet", ...rows.map(({ atMs, mint, side, lamports, tokens, wallet }) => [atMs, mint, side, lamports, tokens, wallet].join())].join("\n");
  assert.deepEqual(calibrate({ tape: csv, start, ...recorded }), calibrate({ tape: rows, start, ...recorded }));
});

test("the trades of a journal are taken as it has them", async () => {
  const sandbox = new Sandbox({ market: { alive: true, regime: "calm", seed: 7 } });
  const start = Object.fromEntries(sandbox.tokens.map(({ mint }) => [mint, sandbox.curve(mint)]));
  sandbox.advance(60_000);
  const journal = memoryJournal();
  let isLost = false;
  const fetch = async (url, init) => {
    const reply = await sandbox.fetch(url, init);
    if (isLost) throw new TypeError("lost");
    return reply;
  };
  const client = new TradeClient({ baseURL: "https://service.example", fetch, journal });
  const fromWallet = sandbox.wallets[0].wallet;
  const { mint } = sandbox.marketTrades.findLast(({ trader }) => trader !== "own");
  await client.buy({ mint, fromWallet, amountInLamports: 100_000_000, slippage: 50 }, { intentId: "in" });
  isLost = true;
  await assert.rejects(client.sellByPercentage({ mint, fromWallet, percentage: 100, slippage: 50 }, { intentId: "out" }));
  const { ended, pending } = await journal.recall(0);
  const found = calibrate({ tape: sandbox.marketTrades, start, trades: [...ended, ...pending] });
  const own = sandbox.marketTrades.filter(({ wallet }) => wallet === fromWallet);
  assert.equal(found.wallet, fromWallet);
  // The tape says what they moved, and that the lost one landed.
  assert.deepEqual(found.trades.map(({ intentId, outcome, tokens, cause }) => [intentId, outcome, tokens, cause]), [["in", "landed", own[0].tokens, "same"], ["out", null, own[1].tokens, "same"]]);
  assert.throws(() => calibrate({ tape: sandbox.marketTrades, start, trades: [{ ...ended[0], body: "{" }] }), (error) => error.fields[0].field === "trades[0].body");
});

const TAPE = "atMs,side,mint,lamports,tokens\n0,buy,M,1000000000,\n900,buy,M,500000000,";
const request = { mint: "M", fromWallet: "W", amountInLamports: 100_000_000, slippage: 5 };
const trade = { intentId: "signal-1", operation: "buy", request, startedAtMs: 10_500, endedAtMs: 11_200, outcome: "landed", tokens: 3_197_829_119_371n };

test("without rows of its own a trade is where its times say, on the clock that is named", () => {
  const options = { tape: TAPE, trades: [trade], tapeBeganMs: 10_000 };
  const [found] = calibrate(options).trades;
  const curve = new Curve();
  curve.moveByBuy(1_000_000_000n);
  assert.deepEqual([found.atMs, found.arrivedAtMs, found.quoted, found.backtest.tokens], [500, 1_200, curve.buyExactIn(100_000_000n), found.quoted]);
  curve.moveByBuy(500_000_000n);
  assert.deepEqual([found.onArrival, found.tokens, found.cause], [curve.buyExactIn(100_000_000n), trade.tokens, "latency"]);
  const same = calibrate({ ...options, latencyMs: 700 });
  assert.deepEqual([same.trades[0].cause, same.trades[0].walletTokens, same.latenciesMs], ["same", 0n, [700]]);
});

test("its text says what differs and why", () => {
  const trades = [trade, { ...trade, intentId: "other", request: { ...request, fromWallet: "V" } }, { ...trade, intentId: "no", outcome: "rejected", tokens: undefined, startedAtMs: 20_000 }];
  const text = calibrationText(calibrate({ tape: TAPE, trades, tapeBeganMs: 10_000 }));
  assert.match(text, /^2 trades of W: \+0\.1 SOL against the backtest\n/);
  assert.match(text, /^ {2}others traded between the two arrivals: 1 +0 SOL$/m);
  assert.match(text, /^ {2}did not land, whatever the price: 1 +\+0\.1 SOL$/m);
  assert.match(text, /^ {2}other wallet +1$/m);
  assert.match(text, /^ {2}signal-1: buy, others traded between the two arrivals +unknown$/m);
  assert.equal(calibrationText(calibrate({ tape: TAPE, trades: [] })), "0 trades of no wallet: 0 SOL against the backtest\n");
});

test("what is wrong is named", () => {
  const refused = (options) => {
    try {
      calibrate({ tape: TAPE, trades: [trade], ...options });
    } catch (error) {
      assert.equal(error.code, "invalid_options", error.message);
      return error.fields.map(({ field }) => field);
    }
    assert.fail("it did not throw");
  };
  assert.deepEqual(refused({ trades: [{ ...trade, operation: "swap" }] }), ["trades[0].operation"]);
  assert.deepEqual(refused({ trades: [{ ...trade, request: { ...request, amountInLamports: undefined } }] }), ["trades.signal-1.request.amountInLamports"]);
  assert.deepEqual(refused({ tapeBeganMs: -1 }), ["tapeBeganMs"]);
  assert.deepEqual(refused({ slippageUnit: "parts" }), ["slippageUnit"]);
  assert.deepEqual(refused({ tokenDecimals: 19 }), ["tokenDecimals"]);
});

test("its own row on the tape may leave out an amount, and a sell that nobody reports is not called the same", () => {
  const rows = (sold) => `${TAPE}\n1200,buy,M,100000000,,W\n2400,sell,M,${sold},3197829119371,W`.replace("tokens\n", "tokens,wallet\n");
  const out = { ...trade, intentId: "out", operation: "sellByPercentage", request: { mint: "M", fromWallet: "W", percentage: 100, slippage: 5 }, startedAtMs: 12_000, endedAtMs: 12_400 };
  const found = (tape) => calibrate({ tape, trades: [trade, out], tapeBeganMs: 10_000, latencyMs: 700 });
  const [, { onArrival }] = found(rows("")).trades;
  assert.deepEqual([rows(""), rows(onArrival)].map((tape) => found(tape).trades.map(({ cause }) => cause)), [["same", "unreported"], ["same", "same"]]);
  assert.equal(found(rows("")).run.replayed, 2);
});
