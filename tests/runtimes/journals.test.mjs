// What a client asks of a journal, and how it treats one that is slow, refuses or remembers.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { fileJournal } from "launchpad-desk/node";
import { draws, seedOr } from "../seed.mjs";
import { LANDED, OPENS, SIGNS, clientBy, endOf, fetchBy, fetchOf, rejection, requests, simulated } from "./service.mjs";

const folder = await mkdtemp(join(tmpdir(), "journals-"));
after(() => rm(folder, { recursive: true }));

/** A journal that records its calls; `own` replaces some of its methods. */
function journalOf(own = {}) {
  const asked = [];
  const journal = {
    begin: async ({ intentId }) => void asked.push(`begin ${intentId}`),
    settle: async ({ intentId }, { outcome }) => void asked.push(`settle ${intentId} ${outcome}`),
    ...own,
  };
  return Object.assign(journal, { asked });
}

test("what a journal remembers holds: unresolved and landed are not sent again, and count for the day", async () => {
  const of = (intentId, lamports) => {
    const { operation, body } = simulated().build("buy", { ...requests().buy, amountInLamports: lamports });
    return { intentId, operation, body, startedAtMs: Date.now() };
  };
  let since;
  const [unresolved, settled] = [of("unresolved", 400), []];
  const journal = journalOf({
    pending: async () => [unresolved],
    landed: async (sinceMs) => ((since = sinceMs), [of("landed", 500)]),
    settle: async (intent, { outcome }) => void settled.push([intent, outcome]),
  });
  const fetch = fetchOf(LANDED);
  const client = clientBy(fetch, { journal, maxLamportsPerDay: 1_000 + 2 * OPENS });
  const codes = [];
  for (const [intentId, lamports] of Object.entries({ unresolved: 1, landed: 1, new: 101 })) {
    const error = await rejection(client.buy({ ...requests().buy, amountInLamports: lamports }, { intentId }));
    codes.push(error.code);
  }
  assert.deepEqual(codes, ["intent_unknown", "intent_landed", "over_day_limit"]);
  assert.deepEqual([fetch.calls.length, journal.asked], [0, []]);
  assert.ok(
    Math.abs(Date.now() - since - 86_400_000) < 60_000,
    "asked for what landed within a day: a plan of it may still be in time",
  );
  assert.equal(client.guards.lamportsToday, 900n + 2n * BigInt(OPENS));
  const [{ mint, wallets, lamports }] = await client.pending();
  assert.deepEqual([mint, wallets, lamports], [requests().buy.mint, [requests().buy.fromWallet], 400n + BigInt(OPENS)]);
  assert.equal(await client.acknowledge("unresolved", "did_not_land"), true);
  assert.deepEqual(settled, [[unresolved, "did_not_land"]], "the journal gets the trade whole, as it began it");
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

const DAY_MS = 86_400_000;

let files = 0;
/** Journals, each as the next run finds it. A journal that only pairs calls stands for a caller's own. */
const JOURNALS = {
  memory: () => {
    const journal = memoryJournal();
    return { journal, restart: async () => journal };
  },
  file: () => {
    const path = join(folder, `${++files}`);
    const journal = fileJournal(path);
    return { journal, restart: async (old) => (await old.close(), fileJournal(path)) };
  },
  "of a caller's own": () => {
    const [pending, landed] = [new Map(), new Map()];
    const journal = {
      begin: (intent) => void pending.set(intent.intentId, structuredClone(intent)),
      settle: ({ intentId }, { outcome }) => {
        const intent = pending.get(intentId);
        if (outcome === "unknown") return;
        pending.delete(intentId);
        if (outcome === "landed" || outcome === "unconfirmed") landed.set(intentId, intent);
      },
      pending: () => [...pending.values()],
      landed: (sinceMs) => [...landed.values()].filter(({ startedAtMs }) => startedAtMs >= sinceMs),
    };
    return { journal, restart: async () => journal };
  },
};

for (const name of ["memory", "file"]) {
  test(`a wrong clock hides no trade that the chain has not shown to be older: a journal ${name}`, async () => {
    const { journal: first, restart } = JOURNALS[name]();
    const startedAtMs = 21_000 * DAY_MS;
    const of = (intentId, slot, more) => ({
      intentId,
      operation: "buy",
      body: "{}",
      startedAtMs,
      ...(slot && { before: [{ wallet: "W", tokens: "0", slot }] }),
      ...more,
    });
    for (const intent of [
      of("old", "1000"),
      of("near", "300000"),
      of("none"),
      of("approved", "300000", { throughGateway: true }),
    ]) {
      await first.begin(intent);
      await first.settle(intent, { outcome: "landed" }, {});
    }
    const journal = await restart(first);
    const ids = async (sinceMs) => (await journal.recall(sinceMs)).ended.map(({ intentId }) => intentId);
    assert.deepEqual(await ids(startedAtMs), ["old", "near", "none", "approved"]);
    // The clock is a week ahead.
    assert.deepEqual(await ids(startedAtMs + 7 * DAY_MS), ["near"]);
    await journal.begin({ ...of("open", "2000"), startedAtMs: startedAtMs + 7 * DAY_MS });
    assert.deepEqual(await ids(startedAtMs + 7 * DAY_MS), ["old", "near"], "by the oldest that is unresolved");
    await journal.close?.();
  });

  test(`a signature belongs to one trade over restarts, also to one that stays unknown: a journal ${name}`, async () => {
    const { journal: first, restart } = JOURNALS[name]();
    const [unproven, landed] = [
      { success: false, results: "was not confirmed in 30.00 seconds" },
      { success: true },
    ].map((result) => (signature) => JSON.stringify({ result: { transactionResult: { ...result, signature } } }));
    const replies = [unproven("S"), ...Array(4).fill(landed("S")), landed("T"), landed("T")];
    const fetch = fetchBy(() => new Response(replies.shift()));
    let journal = first;
    const restarted = async () =>
      clientBy(fetch, { journal: (journal = await restart(journal)), breaker: { unknowns: 99 } });
    const end = (client, intentId) => endOf(client.buy(requests().buy, { intentId }));
    const named = async (client) => {
      const [{ intentId, namedSignature }] = await client.pending();
      return [intentId, namedSignature];
    };
    const own = await restarted();
    assert.equal(await end(own, "a"), "unproven_failure");
    assert.deepEqual(await named(own), ["a", "S"], "in the run that has sent it, too");
    for (const intentId of ["b", "c"]) {
      const client = await restarted();
      assert.deepEqual(await named(client), ["a", "S"]);
      assert.equal(await end(client, intentId), "contradictory_reply");
    }
    // A person has found out that it did not land: the reply of the other is no less a strange one.
    assert.equal(await (await restarted()).acknowledge("a", "did_not_land"), true);
    for (const intentId of ["d", "e"]) assert.equal(await end(await restarted(), intentId), "contradictory_reply");
    assert.equal(await end(await restarted(), "f"), "landed");
    // What has landed in the run before has its signature alone, too.
    assert.equal(await end(await restarted(), "g"), "contradictory_reply");
    await journal.close?.();
  });
}

for (const [name, make] of Object.entries(JOURNALS)) {
  test(`a trade counts for the day it is sent on, after a restart, too: a journal ${name}`, async (t) => {
    const midnight = 21_000 * DAY_MS; // with the newest rules
    t.mock.timers.enable({ apis: ["Date"] });
    const pass = () => t.mock.timers.setTime(midnight + 50);
    const waits = {
      "before anything": {},
      "in the queue": { rateLimit: { perSecond: 100, burst: 1, maxQueueMs: 1_000 } },
      "for its journal": { wrap: (own) => ({ ...own, begin: async (intent) => (await own.begin(intent), pass()) }) },
      "for its key": { apiKey: () => (pass(), "key-8901") },
      "for a hook": { hooks: { beforeSend: pass } },
    };
    for (const [wait, { wrap = (own) => own, ...options }] of Object.entries(waits)) {
      t.mock.timers.setTime(midnight - 100);
      const { journal, restart } = make();
      const sentAt = [];
      const fetch = fetchBy(() => (sentAt.push(Date.now()), new Response(LANDED)));
      const clientOf = (journal, options) =>
        clientBy(fetch, { journal, maxLamportsPerDay: 1_000 + 2 * OPENS, inFlightPerWallet: 9, ...options });
      const buy = (client, lamports, options) => client.buy({ ...requests().buy, amountInLamports: lamports }, options);
      const client = clientOf(wrap(journal), options);
      if (wait === "in the queue") await buy(client, 0.5e3);
      const bought = buy(client, 300, { intentId: "a" });
      if (wait === "in the queue") setTimeout(pass, 0);
      await bought;
      t.mock.timers.setTime(midnight + 60);
      const today = wait === "before anything" ? 0n : 300n + BigInt(wait === "in the queue" ? SIGNS : OPENS);
      assert.equal(sentAt.at(-1), today ? midnight + 50 : midnight - 100, wait);
      assert.equal(client.guards.lamportsToday, today, wait);
      const next = clientOf(await restart(journal));
      assert.deepEqual([await next.pending(), next.guards.lamportsToday], [[], today], `${wait}, after a restart`);
      assert.equal((await rejection(buy(next, 1, { intentId: "a" }))).code, "intent_landed");
      assert.equal((await rejection(buy(next, 1_001 + OPENS - Number(today)))).code, "over_day_limit");
    }
  });

  test(`what was spent today is the same after a restart, whatever happened: a journal ${name}`, async (t) => {
    const random = draws(seedOr(20260731));
    t.mock.timers.enable({ apis: ["Date"], now: 21_000 * DAY_MS });
    const made = make();
    let { journal } = made;
    // Possible spends by the day of the send: a separate book.
    const book = [];
    const fetch = fetchBy(() => {
      const entry = {
        day: Math.floor(Date.now() / DAY_MS),
        lamports: counted,
        fate: ["landed", "rejected", "unknown"][random(3)],
      };
      book.push(entry);
      t.mock.timers.setTime(Date.now() + (random(3) ? 0 : DAY_MS / 3));
      if (entry.fate === "unknown") throw new TypeError("fetch failed");
      return new Response(entry.fate === "landed" ? LANDED : "{}", { status: entry.fate === "landed" ? 200 : 400 });
    });
    const hooks = {
      beforeSend: (intent) =>
        void (
          (counted = BigInt(intent.counted.lamports)),
          t.mock.timers.setTime(Date.now() + (random(4) ? 0 : DAY_MS / 4))
        ),
    };
    let counted = 0n;
    const clientOf = () =>
      clientBy(fetch, {
        journal,
        hooks,
        maxLamportsPerDay: 10n ** 18n,
        breaker: { unknowns: 1_000_000 },
        timeoutMs: DAY_MS,
      });
    let client = clientOf();
    const byId = new Map();
    for (let step = 0; step < 300; step++) {
      const intentId = `${step}`;
      const before = book.length;
      await client.buy({ ...requests().buy, amountInLamports: 1 + random(1_000) }, { intentId }).catch(() => {});
      if (book.length > before) byId.set(intentId, book.at(-1));
      if (random(4) === 0) {
        const unresolved = await client.pending();
        const { intentId } = unresolved[random(unresolved.length || 1)] ?? {};
        const found = ["landed", "did_not_land"][random(2)];
        if (intentId && (await client.acknowledge(intentId, found))) byId.get(intentId).fate = found;
      }
      if (random(5) === 0) {
        journal = await made.restart(journal);
        client = clientOf();
        await client.pending();
      }
      const today = Math.floor(Date.now() / DAY_MS);
      const spent = book
        .filter(({ day, fate }) => day === today && (fate === "landed" || fate === "unknown"))
        .reduce((sum, { lamports }) => sum + lamports, 0n);
      assert.equal(client.guards.lamportsToday, spent, `step ${step}`);
    }
    await journal.close?.();
    assert.ok(book.length > 250 && new Set(book.map(({ day }) => day)).size > 20);
  });
}

/** What a service may say, what the chain shows, and what of 100 lamports and a priority fee of 1 is spent by then. */
const CORRECTIONS = [
  ["landed", "failed", 1n],
  ["unconfirmed", "did_not_land", 0n],
  ["landed", "did_not_land", 0n],
  ["failed", "landed", 101n],
  ["failed", "did_not_land", 0n],
];

for (const name of ["memory", "file"]) {
  test(`an end that nothing proved is replaced by one that is proven, once, and over restarts: a journal ${name}`, async () => {
    for (const [said, is, lamports] of CORRECTIONS) {
      let { journal, restart } = JOURNALS[name]();
      const body = JSON.stringify({
        ...requests().buy,
        amountInLamports: 100,
        priorityUnitLimit: 1_000_000,
        priorityUnitPrice: 1,
      });
      for (const intentId of ["other", "a"])
        await journal.begin({ intentId, operation: "buy", body, startedAtMs: Date.now() });
      await journal.settle({ intentId: "other" }, { outcome: "landed", signature: "sig-1" });
      await journal.settle({ intentId: "a" }, { outcome: said, signature: "sig-2" });
      const stateOf = async () => {
        const { landed, ended, lamports } = await journal.recall(0);
        return [
          [...landed].sort(),
          [...ended]
            .filter(({ intentId }) => intentId === "a")
            .map(({ outcome, proven }) => [outcome, proven === true]),
          lamports,
        ];
      };
      const before = await stateOf();
      await journal.settle({ intentId: "a" }, { outcome: is });
      assert.deepEqual(await stateOf(), before, "a word without proof changes nothing");
      await journal.settle({ intentId: "a" }, { outcome: is, proven: true });
      await journal.settle({ intentId: "a" }, { outcome: said, proven: true });
      const after = [is === "landed" ? ["a", "other"] : ["other"], [[is, true]], 101n + lamports];
      assert.deepEqual(await stateOf(), after, `${said}, and ${is}`);
      journal = await restart(journal);
      assert.deepEqual(await stateOf(), after, `${said}, and ${is}, after a restart`);
      await journal.close?.();
    }
  });
}

test("a journal with an invalid sum blocks all trades", async () => {
  for (const lamports of [undefined, -1n, 0.5, "x", 10n ** 40n]) {
    const fetch = fetchOf(LANDED);
    const client = clientBy(fetch, { journal: journalOf({ recall: () => ({ pending: [], landed: [], lamports }) }) });
    assert.equal((await rejection(client.buy(requests().buy))).code, "journal_failed", `${lamports}`);
    assert.equal(fetch.calls.length, 0);
  }
});

test("of two acknowledgements of one intent at once, client and journal record the same", async () => {
  const path = join(folder, "words");
  const journal = fileJournal(path);
  const lost = () => Promise.reject(new TypeError("fetch failed"));
  const client = clientBy(lost, { journal, maxLamportsPerDay: 10n ** 12n });
  await rejection(client.buy(requests().buy, { intentId: "a" }));
  assert.deepEqual(await Promise.all([client.acknowledge("a", "landed"), client.acknowledge("a", "did_not_land")]), [
    true,
    false,
  ]);
  assert.equal(client.guards.lamportsToday, BigInt(requests().buy.amountInLamports + OPENS));
  await journal.close();
  const next = clientBy(lost, { journal: fileJournal(path) });
  await next.pending();
  assert.equal(next.guards.lamportsToday, BigInt(requests().buy.amountInLamports + OPENS));
});
