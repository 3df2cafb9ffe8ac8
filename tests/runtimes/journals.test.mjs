// What a client asks of a journal, and what it makes of one that is slow, refuses or remembers.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { LANDED, fetchBy, fetchOf, rejection, requests } from "./service.mjs";

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A journal that writes down what it is asked; `own` stands in for some of it. */
function journalOf(own = {}) {
  const asked = [];
  const journal = {
    begin: async ({ intentId }) => void asked.push(`begin ${intentId}`),
    settle: async ({ intentId }, { outcome }) => void asked.push(`settle ${intentId} ${outcome}`),
    ...own,
  };
  return Object.assign(journal, { asked });
}

test("a trade that waits for its turn is sent once the turn has come", async () => {
  const fetch = fetchOf(LANDED);
  const client = new TradeClient({ fetch, rateLimit: { perSecond: 20, burst: 1, maxQueueMs: 10_000 }, inFlightPerWallet: 9 });
  const began = performance.now();
  const trades = await Promise.all([1, 2, 3].map(() => client.buy(requests().buy)));
  assert.deepEqual(trades.map(({ status }) => status), ["landed", "landed", "landed"]);
  assert.ok(performance.now() - began > 90, "two of them waited, 50 ms and 100 ms");
  assert.equal(fetch.calls.length, 3);
});

test("a journal knows of a trade before it is sent, and how it ended", async () => {
  const journal = journalOf();
  const fetch = fetchBy(() => (journal.asked.push("fetch"), new Response(LANDED)));
  await new TradeClient({ fetch, journal }).buy(requests().buy, { intentId: "a" });
  assert.deepEqual(journal.asked, ["begin a", "fetch", "settle a landed"]);
});

test("what a journal refuses is not sent, and not settled: it may be another trade's", async () => {
  for (const begin of [() => Promise.reject(new Error("no")), () => { throw new Error("no"); }]) {
    const fetch = fetchOf(LANDED);
    const journal = journalOf({ begin });
    const error = await rejection(new TradeClient({ fetch, journal }).buy(requests().buy, { intentId: "a" }));
    assert.deepEqual([error.outcome, error.code], ["not_sent", "journal_failed"]);
    assert.deepEqual([fetch.calls.length, journal.asked], [0, []]);
  }
});

test("a journal that is past the deadline is told, once it has begun, that nothing was sent", async () => {
  let release;
  const journal = journalOf({ begin: () => new Promise((resolve) => (release = resolve)) });
  const fetch = fetchOf(LANDED);
  const error = await rejection(new TradeClient({ fetch, journal, timeoutMs: 20 }).buy(requests().buy, { intentId: "a" }));
  assert.equal(error.outcome, "not_sent");
  assert.deepEqual([fetch.calls.length, journal.asked], [0, []]);
  release();
  while (!journal.asked.length) await later(5);
  assert.deepEqual(journal.asked, ["settle a not_sent"]);
});

test("what a journal remembers holds: in doubt and landed are not sent again, and count for the day", async () => {
  const of = (intentId, lamports) => {
    const { operation, body } = new TradeClient().build("buy", { ...requests().buy, amountInLamports: lamports });
    return { intentId, operation, body, startedAtMs: Date.now() };
  };
  let since;
  const journal = journalOf({ pending: async () => [of("doubtful", 400)], landed: async (sinceMs) => ((since = sinceMs), [of("landed", 500)]) });
  const fetch = fetchOf(LANDED);
  const client = new TradeClient({ fetch, journal, maxLamportsPerDay: 1_000 });
  const codes = [];
  for (const [intentId, lamports] of [["doubtful", 1], ["landed", 1], ["new", 101]]) {
    const error = await rejection(client.buy({ ...requests().buy, amountInLamports: lamports }, { intentId }));
    codes.push(error.code);
  }
  assert.deepEqual(codes, ["intent_unknown", "intent_landed", "over_day_limit"]);
  assert.deepEqual([fetch.calls.length, journal.asked], [0, []]);
  assert.ok(since % 86_400_000 === 0 && since <= Date.now(), "asked for what landed today");
  assert.equal(client.guards.lamportsToday, 900n);
  assert.equal(await client.acknowledge("doubtful", "did_not_land"), true);
  assert.deepEqual(journal.asked, ["settle doubtful did_not_land"]);
  await client.buy({ ...requests().buy, amountInLamports: 500 }, { intentId: "new" });
  assert.equal(fetch.calls.length, 1);
});

test("a fetch with a way to open connections is warmed by that", async () => {
  const asked = [];
  const fetch = Object.assign(fetchOf(LANDED), { warm: async (url) => void asked.push(url) });
  assert.equal(await new TradeClient({ fetch, baseURL: "https://service.example/base" }).warm(), true);
  assert.deepEqual([asked, fetch.calls.length], [["https://service.example/base"], 0]);
  fetch.warm = () => Promise.reject(new Error("no"));
  assert.equal(await new TradeClient({ fetch, baseURL: "https://service.example/base" }).warm(), false);
});
