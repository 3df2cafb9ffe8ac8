// Intents: a trade's id is sent once, recorded before it leaves, and unresolved until it is acknowledged.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, TradeNotSentError, reconcile } from "launchpad-desk";
import { ADA, BOB, LANDED, clientBy, fetchBy, fetchOf, rejection, requests } from "./service.mjs";

const { buy } = requests();
const lost = () => {
  throw new TypeError("fetch failed");
};

/** A journal in memory that records the order of calls. */
function journalOf(overrides = {}) {
  const said = [];
  const journal = {
    said,
    begin: async (intent) => void said.push(["begin", intent.intentId]),
    settle: async (intent, settlement) => void said.push(["settle", intent.intentId, settlement.outcome]),
    ...overrides,
  };
  return journal;
}

test("each trade and each error has its intent id, the caller's or one of its own", async () => {
  const client = clientBy(fetchBy(() => new Response(LANDED)));
  const ids = [];
  for (let count = 0; count < 3; count++) ids.push((await client.buy(buy)).intentId);
  assert.equal(new Set(ids).size, 3);
  assert.equal((await client.buy(buy, { intentId: "signal-1" })).intentId, "signal-1");
  const failing = clientBy(lost);
  assert.equal((await rejection(failing.buy(buy, { intentId: "signal-2" }))).intentId, "signal-2");
  assert.equal((await rejection(failing.buy(buy, { intentId: "signal-3" }))).toJSON().intentId, "signal-3");
});

test("an intent that landed, or is unresolved, is not sent again", async () => {
  const fetch = fetchBy(() => (fetch.calls.length > 1 ? lost() : new Response(LANDED)));
  const client = clientBy(fetch);
  await client.buy(buy, { intentId: "a" });
  assert.equal((await rejection(client.buy(buy, { intentId: "a" }))).code, "intent_landed");
  assert.equal((await rejection(client.buy(buy, { intentId: "b" }))).outcome, "unknown");
  const again = await rejection(client.buy(buy, { intentId: "b" }));
  assert.ok(again instanceof TradeNotSentError);
  assert.deepEqual([again.code, again.intentId], ["intent_unknown", "b"]);
  assert.equal(fetch.calls.length, 2);
  assert.equal(await client.acknowledge("b", "did_not_land"), true);
  assert.equal((await rejection(client.buy(buy, { intentId: "b" }))).outcome, "unknown");
  assert.equal(await client.acknowledge("b", "landed"), true);
  assert.equal((await rejection(client.buy(buy, { intentId: "b" }))).code, "intent_landed");
  assert.equal(await client.acknowledge("b", "landed"), false);
  assert.equal((await rejection(client.acknowledge("b", "perhaps"))).code, "invalid_request");
});

test("the intent id travels in a header, where one is named", async () => {
  const fetch = fetchOf(LANDED);
  await clientBy(fetch, { intentHeader: "Idempotency-Key" }).buy(buy, { intentId: "signal-9" });
  assert.equal(fetch.calls[0].init.headers["Idempotency-Key"], "signal-9");
});

test("a journal gets all that is sent except the key", async () => {
  const told = [];
  const journal = journalOf({
    begin: (intent) => told.push(structuredClone(intent)),
    settle: (intent, settlement) => told.push(structuredClone({ intent, settlement })),
  });
  const client = new TradeClient({
    baseURL: "https://service.example",
    apiKey: "sk-journal-77",
    fetch: fetchOf("{}", { status: 503 }),
    journal,
  });
  await rejection(client.buy(buy, { intentId: "a" }));
  const [intent, { settlement }] = told;
  assert.deepEqual(Object.keys(intent), ["intentId", "operation", "startedAtMs", "body", "counted"]);
  assert.equal(intent.body, client.build("buy", buy).body);
  assert.deepEqual(settlement, {
    outcome: "unknown",
    code: "service_error",
    status: 503,
    signature: null,
    proven: false,
  });
  assert.ok(!JSON.stringify(told).includes("sk-journal"));
});

test("a journal whose unresolved trades cannot be read blocks all trades until it can", async () => {
  const fetch = fetchOf(LANDED);
  let fails = true;
  const journal = journalOf({ pending: async () => (fails ? lost() : []) });
  const client = clientBy(fetch, { journal });
  assert.equal((await rejection(client.buy(buy))).code, "journal_failed");
  assert.equal((await rejection(client.pending())).code, "journal_failed");
  fails = false;
  assert.equal((await client.buy(buy)).status, "landed");
});

test("an invalid record blocks all trades", async () => {
  for (const record of [
    null,
    {},
    { intentId: "x", operation: "buy", body: "{" },
    { intentId: "x", operation: "give", body: "{}" },
  ]) {
    const fetch = fetchOf(LANDED);
    const client = clientBy(fetch, { journal: journalOf({ pending: () => [record] }) });
    assert.equal((await rejection(client.buy(buy))).code, "journal_failed", JSON.stringify(record));
    assert.equal(fetch.calls.length, 0);
  }
});

test("what was seen before is kept with the trade: for the journal, the hooks, the guards and pending()", async () => {
  const told = [];
  const take = (intent) => void told.push(structuredClone(intent));
  const client = clientBy(lost, { journal: journalOf({ begin: take }), hooks: { beforeSend: take } });
  const before = [
    { wallet: ADA, tokens: 5n, lamports: 2 ** 53 - 1 },
    { wallet: "other", tokens: "18446744073709551615" },
  ];
  const request = { ...buy, feePayer: "other" };
  await rejection(client.buy(request, { intentId: "a", before }));
  const kept = [
    { wallet: ADA, tokens: "5", lamports: "9007199254740991" },
    { wallet: "other", tokens: "18446744073709551615" },
  ];
  const [pending] = await client.pending();
  assert.deepEqual(
    [...told.map((intent) => intent.before), pending.before, client.guards.unresolved[0].before],
    [kept, kept, kept, kept],
  );
  assert.deepEqual(Object.keys(pending), [
    "intentId",
    "operation",
    "startedAtMs",
    "body",
    "mint",
    "wallets",
    "lamports",
    "before",
    "counted",
  ]);
  assert.equal(pending.body, client.build("buy", request).body);
  assert.equal(
    JSON.stringify(JSON.parse(JSON.stringify(told[0]))),
    JSON.stringify(told[0]),
    "a journal may write it as JSON",
  );
  await rejection(client.buy({ ...buy, fromWallet: "B" }, { intentId: "b" }));
  assert.ok(!("before" in (await client.pending())[1]), "nobody looked");
  for (const [bad, message] of [
    ["5", /before must be an array/],
    [[{ wallet: ADA }], /before\[0\]\.tokens is missing/],
    [[{ wallet: ADA, tokens: 0.5 }], /before\[0\]\.tokens must be a whole number/],
    [[{ wallet: ADA, tokens: 1, sol: 1 }], /before\[0\]\.sol is unknown/],
    [[before[0], before[0]], /before\[1\]\.wallet appears twice/],
    [[before[0], { wallet: "another", tokens: 1 }], /before\[1\]\.wallet is not a wallet of this trade/],
  ]) {
    const error = await rejection(client.buy(buy, { before: bad }));
    assert.deepEqual([error.outcome, error.code], ["not_sent", "invalid_options"]);
    assert.match(error.message, message);
  }
});

test("what the hook saw right before the send is in the journal before the send, and in pending()", async () => {
  const seen = [{ wallet: ADA, tokens: 5_000_000n, lamports: 7 }];
  const kept = [{ wallet: ADA, tokens: "5000000", lamports: "7" }];
  const said = [];
  const journal = {
    begin: (intent) => void said.push(["begin", intent.before, intent.startedAtMs > 0]),
    settle: (intent, { outcome }) => void said.push(["settle", outcome]),
  };
  const fetch = fetchBy(() => (said.push(["send"]), lost()));
  const client = clientBy(fetch, {
    journal,
    hooks: { beforeSend: async () => ({ before: seen }), afterSettle: ({ before }) => said.push(["after", before]) },
  });
  const before = [{ wallet: ADA, tokens: 1 }];
  assert.equal((await rejection(client.buy(buy, { intentId: "a", before }))).outcome, "unknown");
  assert.deepEqual(said, [["begin", kept, true], ["send"], ["settle", "unknown"], ["after", kept]]);
  const [pending] = await client.pending();
  assert.deepEqual(pending.before, kept, "the later reading has the last word");
  const { found } = reconcile(pending, { now: pending.before, canStillLand: false, walletsShared: false });
  assert.equal(await client.acknowledge(pending.intentId, found), true);
  const bare = clientBy(fetch, { hooks: { beforeSend: () => ({ before: seen }) } });
  await rejection(bare.buy(buy));
  assert.deepEqual((await bare.pending())[0].before, kept, "without a journal, too");
});

test("a hook that returns invalid balances stops the trade, and any other value is ignored", async () => {
  const lines = [];
  const logger = { error: (...line) => lines.push(line) };
  const of = (returned) => {
    const fetch = fetchOf(LANDED);
    return [clientBy(fetch, { logger, hooks: { beforeSend: () => returned } }), fetch];
  };
  for (const before of [
    5,
    {},
    [5],
    [{ wallet: ADA }],
    [{ wallet: ADA, tokens: -1 }],
    [
      { wallet: ADA, tokens: 1 },
      { wallet: ADA, tokens: 1 },
    ],
    [{ wallet: "another", tokens: 1 }],
  ]) {
    const [client, fetch] = of({ before });
    const error = await rejection(client.buy(buy));
    assert.deepEqual([error.outcome, error.code, fetch.calls.length], ["not_sent", "hook_failed", 0]);
    assert.match(error.message, /^not sent: the hook before the send returned something that cannot be used \(before/);
    assert.deepEqual(lines, [], "it did not throw");
  }
  for (const returned of [undefined, null, 5, "before", {}, { before: null }, { before: undefined }, []]) {
    const [client] = of(returned);
    assert.equal((await client.buy(buy)).status, "landed");
  }
});

test("reconcile accepts what pending() returns: for every operation, and from a reopened journal", async () => {
  const kept = [];
  const journal = journalOf({ begin: (intent) => void kept.push(JSON.parse(JSON.stringify(intent))) });
  const all = requests();
  const first = clientBy(lost, { journal, breaker: { unknowns: 99 }, slippageUnit: "bps" });
  const before = [ADA, BOB].map((wallet) => ({ wallet, tokens: 10n ** 13n, lamports: 10n ** 10n }));
  for (const operation of Object.keys(all)) {
    const own = before.filter(({ wallet }) => JSON.stringify(all[operation]).includes(wallet));
    await rejection(
      first[operation]({ ...all[operation], slippage: { percent: 5 } }, { intentId: operation, before: own }),
    );
  }
  // Stricter than the first: unresolved trades were checked by the rules of their time.
  const second = clientBy(lost, {
    journal: journalOf({ pending: () => kept }),
    maxBundleSize: 1,
    identifiers: "base58",
  });
  const pending = await second.pending();
  assert.deepEqual(pending, await first.pending());
  assert.deepEqual(
    pending.map(({ operation }) => operation),
    Object.keys(all),
  );
  for (const intent of pending) {
    const unmoved = reconcile(intent, { now: intent.before, canStillLand: false, walletsShared: false });
    const isBuy = intent.lamports > 0n;
    // What a sell brings to the wallet that pays for it may be exactly the fee.
    assert.deepEqual([unmoved.certainty, unmoved.landed], [isBuy ? "proven" : "likely", false], intent.operation);
    const now = before
      .filter(({ wallet }) => intent.wallets.includes(wallet))
      .map(({ wallet, tokens, lamports }) =>
        isBuy
          ? { wallet, tokens: tokens + 5n, lamports: lamports - intent.lamports }
          : { wallet, tokens: 0n, lamports },
      );
    assert.equal(reconcile(intent, { now, walletsShared: false }).landed, true, intent.operation);
    assert.equal(await second.acknowledge(intent.intentId, "did_not_land"), true);
  }
});
