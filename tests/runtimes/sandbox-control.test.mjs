// What a test can do to a sandbox while it runs, the log that a store can keep of it, and how each call really ended.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { Curve } from "launchpad-desk/market";
import { OUTCOME_PREFIX, Sandbox, audit, recording } from "launchpad-desk/sandbox";
import { thrown } from "../odd.mjs";
import { resultMisfits } from "./declared.mjs";
import { ADA, MINT, rejection, requests } from "./service.mjs";

const { buy } = requests();
const clientOf = (sandbox, options) => new TradeClient({ fetch: sandbox.fetch, ...options });
const fits = (value, path) => assert.deepEqual(resultMisfits(value, path), []);

/** The error of a call, as its code and the messages of its fields. */
const refused = (work) => {
  const { code, fields } = thrown(work);
  return [code, ...fields.map(({ message }) => message)];
};
const refuses = (work, ...said) => assert.deepEqual(refused(work), said);

/** A sandbox that hands its rows to a log. */
function logged(config) {
  const sandbox = new Sandbox(config);
  const log = [];
  sandbox.onChanges((changes) => log.push(...changes.map(({ row }) => row)));
  return { sandbox, log };
}

test("an invalid time, interval or token is refused, and nothing moves", () => {
  const { sandbox, log } = logged({ market: { alive: true } });
  refuses(() => sandbox.advance(-1), "invalid_request", "ms must be a decimal number, zero or above");
  refuses(() => sandbox.advance(), "invalid_request", "ms is missing");
  assert.match(refused(() => sandbox.advance(1e15))[1], /^ms must be at most \d+/);
  refuses(
    () => sandbox.candles("none", 0),
    "invalid_request",
    "mint is not a token of this sandbox",
    "intervalMs must be from 1 to 9007199254740991",
  );
  refuses(
    () => sandbox.newestTrades("none", 0),
    "invalid_request",
    "mint is not a token of this sandbox",
    "most must be from 1 to 9007199254740991",
  );
  assert.deepEqual(log, []);
});

test("every change goes to the store, whose log makes the same sandbox again", async () => {
  const config = { market: { alive: true }, maxCalls: 100 };
  const { sandbox, log } = logged(config);
  sandbox.useClock(() => 1_700_000_000_000);
  sandbox.advance(20_000);
  sandbox.fund("eve", 5_000_000_000n);
  sandbox.launch({ mint: "NEW" });
  sandbox.setFaults({ script: [{ kind: "none" }, { kind: "noAnswer" }] });
  const client = clientOf(sandbox);
  await client.buy({ ...buy, mint: "NEW", fromWallet: "eve", slippage: { percent: 90 } });
  await rejection(client.buy({ ...buy, mint: "NEW", slippage: { percent: 90 } }));
  const again = new Sandbox(config);
  again.apply(log);
  assert.equal(again.snapshot(), sandbox.snapshot());
  assert.deepEqual(again.calls, sandbox.calls);
  const short = new Sandbox(config);
  short.apply(sandbox.rows());
  assert.equal(short.snapshot(), sandbox.snapshot());
  sandbox.reset();
  assert.equal(sandbox.snapshot(), new Sandbox(config).snapshot());
  again.apply(log.slice(-sandbox.rows().length));
  assert.equal(again.snapshot(), sandbox.snapshot());
});

test("a log that is damaged is refused, and nothing of it is applied", async () => {
  const { sandbox, log } = logged();
  await clientOf(sandbox).buy(buy);
  const again = new Sandbox();
  const before = again.snapshot();
  const torn = (at, text) => log.map((row, index) => (index === at ? text : row));
  assert.match(refused(() => again.apply(torn(1, log[1].slice(0, -5))))[1], /^rows\[1\]: the change is not JSON/);
  assert.match(refused(() => again.apply(torn(0, '{"kind":"walet"}')))[1], /^rows\[0\]: kind must be/);
  assert.equal(refused(() => again.apply(log.filter((row) => !row.includes('"kind":"token"'))))[0], "invalid_options");
  for (const rows of [undefined, null, 5, "[]", {}, [5], [null]])
    refuses(() => again.apply(rows), "invalid_request", "rows must be a list of strings");
  assert.match(refused(() => again.apply([""]))[1], /^rows\[0\]/);
  again.apply([]);
  assert.equal(again.snapshot(), before);
});

test("a store that fails, or that calls its sandbox, leaves it as it was", () => {
  const sandbox = new Sandbox({ market: { alive: true } });
  const before = sandbox.snapshot();
  const moves = [
    () => sandbox.advance(5_000),
    () => sandbox.fund("eve", 5),
    () => sandbox.launch({ mint: "NEW" }),
    () => sandbox.setFaults({ script: [{ kind: "none" }] }),
    () => sandbox.reset(),
  ];
  sandbox.onChanges(() => {
    throw new Error("disk full");
  });
  for (const move of moves) assert.throws(move, /disk full/);
  for (const nested of [...moves, () => sandbox.apply([])]) {
    sandbox.onChanges(nested);
    assert.throws(() => sandbox.fund("eve", 5), /the store of onChanges must not change or free its sandbox/);
  }
  assert.equal(sandbox.snapshot(), before);
});

test("a store is synchronous, and gets what has moved", () => {
  const sandbox = new Sandbox();
  const before = sandbox.snapshot();
  sandbox.onChanges(async () => {});
  const fund = () => sandbox.fund(sandbox.wallets[0].wallet, 5n);
  assert.throws(fund, /synchronous/);
  assert.equal(sandbox.snapshot(), before);
  const rows = [];
  sandbox.onChanges((changes) => rows.push(...changes.map(({ row }) => row)));
  fund();
  assert.ok(rows.length > 0);
  assert.notEqual(sandbox.snapshot(), before);
});

test("a curve of what it shows of a token quotes at that token's rates", async () => {
  for (const creatorBps of [0, 300]) {
    const sandbox = new Sandbox({ tokens: [{ mint: MINT, creatorBps }] });
    const [token] = sandbox.tokens;
    assert.equal(token.creatorBps, creatorBps || null);
    for (const shown of [token, JSON.parse(JSON.stringify(token))])
      assert.equal(
        new Curve(shown).quoteBuyExactIn(buy.amountInLamports).tokens,
        sandbox.curve(MINT).quoteBuyExactIn(buy.amountInLamports).tokens,
      );
  }
});

test("a recording, JSON or CSV, is read, and replays with one's own trades woven in", async () => {
  const csv = "side,atMs,note,mint,lamports,tokens\nbuy,1000,first,M,1000000000,\nsell,1400,,M,,5000000000\n";
  const trades = recording(csv);
  fits(trades, "recording");
  assert.deepEqual(trades, [
    { atMs: 1_000, mint: "M", side: "buy", lamports: 1_000_000_000n, tokens: null, wallet: null },
    { atMs: 1_400, mint: "M", side: "sell", lamports: null, tokens: 5_000_000_000n, wallet: null },
  ]);
  const json = JSON.stringify(trades, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  assert.deepEqual(recording(json), trades);
  const run = (replay) => {
    const sandbox = new Sandbox({ tokens: [{ mint: "M" }], market: { replay, startMs: 0 } });
    sandbox.advance(1_200);
    return { sandbox, made: sandbox.marketTrades.length };
  };
  const [one, other] = [run(trades), run(csv)];
  assert.deepEqual([one.made, other.made, other.sandbox.snapshot()], [1, 1, one.sandbox.snapshot()]);
  await clientOf(one.sandbox).buy({ ...buy, mint: "M" });
  assert.equal(one.sandbox.marketTrades.length, 3, "the buy, and what fell due while it was in flight");
  assert.deepEqual(refused(() => recording("atMs,side,mint,tokens\n0,buy,,5")).slice(0, 2), [
    "invalid_options",
    "trades[0].mint is missing",
  ]);
  for (const none of [undefined, null, 5, { toJSON: () => undefined }])
    refuses(() => recording(none), "invalid_request", "text must be trades, or text of at most 16777216 characters");
  refuses(
    () => recording(" ".repeat(2 ** 24 + 1)),
    "invalid_request",
    "text must be trades, or text of at most 16777216 characters",
  );
  assert.equal(
    recording(`atMs,side,mint,lamports,tokens\n${"0,buy,M,1,\n".repeat(200_000)}`).length,
    200_000,
    "one longer than arguments may be",
  );
});

test("a recording of a hundred thousand trades is replayed", () => {
  const lines = Array.from(
    { length: 100_000 },
    (_, index) => `${index},${index % 2 ? "sell" : "buy"},M,${index % 2 ? "" : 1_000_000},${index % 2 ? 1_000 : ""}`,
  );
  const replay = `atMs,side,mint,lamports,tokens\n${lines.join("\n")}`;
  assert.ok(replay.length > 1 << 20);
  const config = { tokens: [{ mint: "M" }], market: { replay, startMs: 0, maxMarketTrades: 10 } };
  const sandbox = new Sandbox(config);
  sandbox.advance(100_000);
  assert.equal(sandbox.marketTrades.at(-1).number, 100_000);
  assert.equal(Sandbox.restore(sandbox.snapshot(), config).snapshot(), sandbox.snapshot());
  assert.match(
    refused(() => new Sandbox({ market: { replay: "x".repeat((1 << 24) + 1) } }))[1],
    /^market\.replay must be .*, not a string of over 16777216 characters$/,
  );
});

test("an audit reports what a bot has wrong, from the list of calls and from its lines", async () => {
  const sandbox = new Sandbox({ maxCalls: 100 });
  const books = new Map();
  const journal = {
    begin: async (intent) => void books.set(intent.intentId, { ...intent, outcome: null }),
    settle: async ({ intentId }, { outcome }) => void (books.get(intentId).outcome = outcome),
  };
  const client = clientOf(sandbox, { journal, inFlightPerWallet: 5, breaker: { unknowns: 50 } });
  const asking = (outcome, amountInLamports) =>
    client.buy({ ...buy, amountInLamports, feePayer: OUTCOME_PREFIX + outcome }, { intentId: outcome }).catch(() => {});
  await asking("landed", 1_000_001);
  await asking("failed-below-minimum-tokens", 1_000_002);
  await asking("executed-503", 1_000_003);
  await asking("rejected-400", 1_000_004);
  const entries = [...books.values()];
  const honest = audit(entries, sandbox.calls);
  fits(honest, "audit");
  assert.deepEqual(
    [honest.findings, honest.right, honest.open.map(({ intentId, actual }) => [intentId, actual])],
    [[], 3, [["executed-503", "landed"]]],
  );
  // A bot that treats a 5xx as a refusal.
  books.get("executed-503").outcome = "rejected";
  const wrong = audit(entries, sandbox.callsNdjson());
  assert.deepEqual(wrong, audit(entries, sandbox.calls));
  assert.deepEqual(
    wrong.findings.map(({ mismatch, intentId, recorded, actual }) => [mismatch, intentId, recorded, actual]),
    [["landed_unknown", "executed-503", "rejected", "landed"]],
  );
  assert.deepEqual(audit([], "").findings, []);
  assert.match(refused(() => audit([{ intentId: "x" }], []))[1], /^entries\[0\]\.operation/);
  for (const [entries, calls] of [
    [undefined, []],
    [[], undefined],
    [[5], []],
    [[], "{"],
    [[], 5n],
  ])
    assert.match(refused(() => audit(entries, calls))[0], /^invalid_/);
});

test("the time is the market's, and calls are kept where they are asked for", async () => {
  const sandbox = new Sandbox();
  await clientOf(sandbox).buy(buy);
  assert.deepEqual(
    [sandbox.calls, sandbox.callsNdjson(), sandbox.nowMs, sandbox.marketTrades.map(({ trader }) => trader)],
    [[], "", 0, ["own"]],
  );
  const logging = new Sandbox({ maxCalls: 5 });
  await clientOf(logging).buy(buy, { intentId: "one" });
  fits(logging.calls, "Sandbox.calls");
  assert.equal(logging.callsNdjson(), `${JSON.stringify(logging.calls[0])}\n`);
  assert.deepEqual(
    [logging.calls[0].actual, logging.calls[0].status, sandbox.trades[0].legs[0].wallet],
    ["landed", 200, ADA],
  );
  assert.equal(logging.trades[0].mint, MINT);
});
