// A client of a gateway that forwards each intent once: what it sends, and how an unknown outcome resolves itself.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isTradeError } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Gateway } from "launchpad-desk/gateway";
import { Sandbox } from "launchpad-desk/sandbox";
import { thrown } from "../odd.mjs";
import { LANDED, OPENS, fetchBy, rejection, requests } from "./service.mjs";

const { buy } = requests();
const TOKEN = "token-of-bot-1";
const SHA256_OF_ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const GATEWAY = { baseURL: "https://gateway.example", gateway: true, apiKey: TOKEN };
const answer = (status, state, body = "{}", headers = {}) =>
  new Response(body, { status, headers: { ...(state && { "intent-state": state }), ...headers } });

/** A client of a gateway with these answers, one after the other; the last one repeats. */
function clientOf(answers, options = {}) {
  let next = 0;
  const fetch = fetchBy(() => answers[Math.min(next++, answers.length - 1)]());
  return { fetch, client: new TradeClient({ ...GATEWAY, fetch, ...options }) };
}
const broken = () => Promise.reject(new TypeError("network error"));
const landed = () => answer(200, "ended", LANDED);

test("each request has the intent id, and the token as a bearer", async () => {
  const { fetch, client } = clientOf([landed]);
  const { intentId } = await client.buy(buy);
  const { headers } = fetch.calls[0].init;
  assert.deepEqual(
    [headers["idempotency-key"], headers.authorization, headers["x-api-key"]],
    [intentId, `Bearer ${TOKEN}`, undefined],
  );
  const named = clientOf([landed], { apiKeyHeader: "x-desk-token" });
  await named.client.buy(buy);
  assert.equal(named.fetch.calls[0].init.headers["x-desk-token"], TOKEN);
});

test("an unknown outcome is asked for again, with the same bytes under the same id, and resolves itself", async () => {
  const lines = [];
  const logger = { warn: (message, details) => lines.push([message, details.code]) };
  const { fetch, client } = clientOf(
    [
      broken,
      () => answer(409, "in_flight", '{"code":"intent_in_flight"}', { "retry-after": "0" }),
      () => answer(504),
      landed,
    ],
    { logger },
  );
  const trade = await client.buy(buy);
  assert.equal(trade.status, "landed");
  assert.equal(fetch.calls.length, 4);
  assert.equal(new Set(fetch.calls.map(({ init }) => init.body + init.headers["idempotency-key"])).size, 1);
  const line = "outcome unknown, asking the gateway again";
  assert.deepEqual(lines, [
    [line, "network_error"],
    [line, "unexpected_status"],
    [line, "service_error"],
  ]);
  assert.deepEqual(
    [client.guards.unresolved.length, client.guards.lamportsToday],
    [0, BigInt(buy.amountInLamports + OPENS)],
  );
});

test("an answer that breaks off is asked for again, by a signal of its own", async () => {
  const half = () =>
    new Response(
      new ReadableStream({
        start: (stream) => (
          stream.enqueue(new TextEncoder().encode(LANDED.slice(0, 20))),
          stream.error(new Error("cut"))
        ),
      }),
      { headers: { "intent-state": "ended" } },
    );
  const { fetch, client } = clientOf([half, landed]);
  assert.equal((await client.buy(buy)).status, "landed");
  assert.deepEqual(
    fetch.calls.map(({ init }) => init.signal.aborted),
    [true, false],
  );
});

test("a trade that waits for approval is asked for by the same call, and by none other; its limit is reserved once", async () => {
  let state = () => answer(202, "awaiting_approval");
  const { fetch, client } = clientOf([() => state()], {
    journal: memoryJournal(),
    maxLamportsPerDay: buy.amountInLamports + OPENS,
  });
  const waiting = await rejection(client.buy(buy, { intentId: "signal-7" }));
  assert.deepEqual([waiting.code, isTradeError(waiting)], ["awaiting_approval", true]);
  const other = await rejection(client.buy({ ...buy, amountInLamports: 1 }, { intentId: "signal-7" }));
  assert.deepEqual([other.outcome, other.code], ["not_sent", "intent_unknown"]);
  assert.equal((await rejection(client.buy(buy, { intentId: "signal-7" }))).code, "awaiting_approval");
  state = landed;
  assert.equal((await client.buy(buy, { intentId: "signal-7" })).status, "landed");
  assert.deepEqual([fetch.calls.length, (await client.pending()).length], [3, 0]);
  assert.equal((await rejection(client.buy(buy, { intentId: "signal-7" }))).code, "intent_landed");
});

for (const [how, ask] of Object.entries({
  "asked for again": (client) => client.buy(buy, { intentId: "signal-8" }),
  "waited for": (client) => client.waitFor("signal-8"),
})) {
  test(`the market is told of a trade that ends because it is ${how}: looks from before it decide nothing`, async () => {
    let state = () => answer(202, "awaiting_approval");
    const told = [];
    const traded = ({ intentId, body }, signature) => told.push([intentId, JSON.parse(body), signature]);
    const none = async () => null;
    const market = { quoteBody: none, before: async () => [], settleTrade: none, confirm: none, traded };
    const { client } = clientOf([() => state()], { market });
    assert.equal((await rejection(client.buy(buy, { intentId: "signal-8" }))).code, "awaiting_approval");
    assert.deepEqual(told, [], "nothing was sent");
    const recorded = { intentId: "signal-8", operation: "buy", answer: { status: 200, body: LANDED } };
    state = how === "waited for" ? () => answer(200, undefined, JSON.stringify(recorded)) : landed;
    const { result } = await ask(client);
    const [[intentId, { mint, fromWallet }, signature], ...more] = told;
    assert.deepEqual([intentId, mint, fromWallet, more], ["signal-8", buy.mint, buy.fromWallet, []]);
    assert.equal(signature, result.transactionResult.signature);
  });
}

test("a trade that is being acknowledged is not asked for at the same time, and is again if the journal fails", async () => {
  const journal = memoryJournal();
  const gateOf = () => {
    const gate = {};
    gate.promise = new Promise((resolve, reject) => Object.assign(gate, { resolve, reject }));
    return gate;
  };
  let gate = gateOf();
  const slow = {
    begin: (intent) => journal.begin(intent),
    recall: (since) => journal.recall(since),
    settle: async (intent, settlement) => {
      if (settlement.outcome === "did_not_land") await gate.promise;
      await journal.settle(intent, settlement);
    },
  };
  const { fetch, client } = clientOf([() => answer(502, "in_doubt"), landed], { journal: slow });
  const asked = () => client.buy(buy, { intentId: "signal-9" });
  assert.equal((await rejection(asked())).outcome, "unknown");
  for (const fails of [true, false]) {
    const acknowledged = client.acknowledge("signal-9", "did_not_land");
    await new Promise(setImmediate);
    const error = await rejection(asked());
    assert.deepEqual(
      [error.code, error.message],
      ["intent_unknown", "not sent: this intent is being acknowledged; wait until that is done"],
    );
    assert.equal(fetch.calls.length, 1);
    if (fails) {
      gate.reject(new Error("disk full"));
      assert.equal((await rejection(acknowledged)).code, "journal_failed");
      gate = gateOf();
    } else {
      gate.resolve();
      assert.equal(await acknowledged, true);
    }
  }
  const { pending, lamports } = await journal.recall(0);
  assert.deepEqual([pending, lamports, client.guards.lamportsToday], [[], 0n, 0n]);
  // It did not land, so it is a new trade.
  assert.equal((await asked()).status, "landed");
  assert.deepEqual((await journal.recall(0)).landed, ["signal-9"]);
});

test("after a restart, what the journal has as unresolved is asked for in the same way", async () => {
  const journal = memoryJournal();
  const caller = new AbortController();
  const first = clientOf([() => (caller.abort(), broken())], { journal });
  assert.equal(
    (await rejection(first.client.buy(buy, { intentId: "signal-8", signal: caller.signal }))).outcome,
    "unknown",
  );
  const second = clientOf([landed], { journal });
  assert.equal((await second.client.buy(buy, { intentId: "signal-8" })).status, "landed");
  assert.deepEqual(await journal.pending(), []);
});

test("the bad fields that a gateway names are the error's", async () => {
  const fields = [
    { field: "slippage", code: "out_of_range", message: "slippage is over the policy's ceiling" },
    { field: "x", code: "of a later version", message: "" },
  ];
  const { client } = clientOf([() => answer(400, "ended", JSON.stringify({ detail: "1 field is wrong", fields }))]);
  const error = await rejection(client.buy(buy));
  assert.deepEqual([error.outcome, error.code, error.fields], ["rejected", "rejected_by_service", fields.slice(0, 1)]);
});

test("it contradicts a header of one's own, and a sandbox, which makes every trade that it is sent", () => {
  const problems = (options) =>
    thrown(() => new TradeClient(options)).fields.map(({ field, code }) => `${field} ${code}`);
  assert.deepEqual(problems({ ...GATEWAY, intentHeader: "x-intent" }), ["intentHeader conflict"]);
  assert.deepEqual(problems({ gateway: true, fetch: new Sandbox().fetch }), ["gateway conflict"]);
});

test("no row of an export is lost, however long it is and they all are", () => {
  const callers = [{ name: "olga", desk: "alpha", role: "operator", tokenSha256: SHA256_OF_ABC }];
  const settings = JSON.stringify({ desks: [{ name: "alpha" }], callers });
  const gateway = new Gateway({ settings, desk: "alpha" }, () => [], Date.now());
  const asked = {
    method: "GET",
    path: "/desk/audit",
    headers: [["authorization", "Bearer abc"]],
    body: new Uint8Array(),
  };
  const ask = (more) => gateway.request(Date.now(), new Uint8Array(32), { ...asked, ...more });
  assert.equal(ask({}).kind, "read");
  const rows = ["x".repeat(1 << 21), ...Array.from({ length: 8 }, (_, at) => `${at}ä`.repeat(1 << 18)), ""];
  const { kind, reply } = ask({ rows });
  assert.deepEqual([kind, reply.status], ["answer", 200]);
  assert.ok(reply.body === rows.map((row) => `${row}\n`).join(""), "each row is there, and nothing else");
});

test("a trade that was sent to a service itself is not asked for at a gateway, which would make it", async () => {
  const journal = memoryJournal();
  const direct = new TradeClient({ baseURL: "https://service.example", fetch: fetchBy(broken), journal });
  assert.equal((await rejection(direct.buy(buy, { intentId: "signal-1" }))).outcome, "unknown");
  const { fetch, client } = clientOf([landed], { journal });
  const error = await rejection(client.buy(buy, { intentId: "signal-1" }));
  assert.deepEqual([error.outcome, error.code, fetch.calls.length], ["not_sent", "intent_unknown", 0]);
});
