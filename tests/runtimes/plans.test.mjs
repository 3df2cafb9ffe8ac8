// Plans: exactly what is shown is sent, once, in time, and to the right service.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, TradeNotSentError } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Curve } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";
import { fieldsOf, misfits } from "./declared.mjs";
import { ADA, LANDED, OPERATIONS, fetchBy, fetchOf, rejection, requests, service, simulated } from "./service.mjs";

const { buy } = requests();
const copies = {
  "as it is": (plan) => plan,
  JSON: (plan) => JSON.parse(JSON.stringify(plan)),
  "structured clone": (plan) => structuredClone(plan),
};
const code = async (promise) => (await rejection(promise)).code;

/** A client whose service gives these answers, one after the other; then every trade lands. */
function clientOf(answers, options) {
  const fetch = fetchBy(() => (answers.shift() ?? (() => new Response(LANDED)))());
  return { fetch, client: new TradeClient({ ...service, fetch, ...options }) };
}

for (const [how, copy] of Object.entries(copies)) {
  test(`every operation's plan, ${how}: frozen data, whose very bytes are sent, with its id and its price`, async () => {
    const sandbox = new Sandbox();
    const sent = [];
    const fetch = Object.defineProperties(
      (url, init) => (sent.push([url, init.body]), sandbox.fetch(url, init)),
      Object.getOwnPropertyDescriptors(sandbox.fetch),
    );
    const client = new TradeClient({ fetch });
    for (const operation of OPERATIONS) {
      if (operation === "bundleSell") await client.buy(buy);
      const request = requests()[operation];
      sent.length = 0;
      const plan = await client.plan(operation, request, { intentId: `plan/${operation}` });
      assert.deepEqual(
        Object.keys(plan),
        fieldsOf("Plan").filter((name) => name !== "tokenDecimals"),
        "only base units have decimals",
      );
      assert.ok(Object.isFrozen(plan) && Object.isFrozen(plan.price.legs[0]) && Object.isFrozen(plan.warnings));
      assert.deepEqual(copy(plan), plan);
      assert.deepEqual([sent, client.guards.inFlight, plan.simulated, plan.refused], [[], [], true, null]);
      const { url, body } = client.build(operation, request);
      assert.deepEqual([plan.url, plan.body, plan.expiresAtMs - plan.createdAtMs], [url, body, 60_000]);
      const { legs } = sandbox.quote(operation, request);
      assert.deepEqual(
        plan.price.legs.map((leg) => BigInt(leg.walletLamports)),
        legs.map((leg) => leg.walletLamports),
      );
      const trade = await client.send(copy(plan));
      assert.deepEqual([trade.status, trade.operation, trade.intentId], ["landed", operation, `plan/${operation}`]);
      assert.deepEqual(sent, [[url, body]]);
      assert.equal(await code(client.send(copy(plan))), "plan_used");
      assert.equal(sent.length, 1);
    }
  });
}

test("two sends of one plan at once are one trade", async () => {
  const { fetch, client } = clientOf([], { inFlightPerWallet: 9 });
  const plan = await client.plan("buy", buy);
  const ends = await Promise.all(
    Array.from({ length: 5 }, () =>
      client.send(plan).then(
        ({ status }) => status,
        ({ code }) => code,
      ),
    ),
  );
  assert.deepEqual(ends.sort(), ["landed", ...Array(4).fill("plan_used")]);
  assert.equal(fetch.calls.length, 1);
});

test("a plan is sent once, however that ends, unless it is proven unsent", async () => {
  const unsent = () => Promise.reject(Object.assign(new Error("no"), { [Symbol.for("launchpad-desk.unsent")]: true }));
  const status = (status) => () => new Response('{"result":{}}', { status });
  for (const [answer, first, then] of [
    [status(200), "unconfirmed", "plan_used"],
    [status(400), "rejected_by_service", "plan_used"],
    [status(503), "service_error", "plan_used"],
    [() => Promise.reject(new TypeError("no")), "network_error", "plan_used"],
    [unsent, "connect_failed", "landed"],
  ]) {
    const { client } = clientOf([answer]);
    const plan = await client.plan("buy", buy, { intentId: "a" });
    const end = (promise) =>
      promise.then(
        ({ status }) => status,
        ({ code }) => code,
      );
    assert.equal(await end(client.send(plan)), first);
    if (first === "network_error") await client.acknowledge("a", "did_not_land");
    assert.equal(await end(client.withOptions({ timeoutMs: 5_000 }).send(plan)), then);
    assert.equal(await end(client.send(plan)), "plan_used");
  }
});

test("an expired plan is not sent: not after a wait for its turn either", async (t) => {
  const { fetch, client } = clientOf([], { rateLimit: { perSecond: 10, burst: 1, maxQueueMs: 5_000 } });
  const short = await client.plan("buy", buy, { validForMs: 60 });
  assert.equal(short.expiresAtMs - short.createdAtMs, 60);
  await client.buy(buy);
  const error = await rejection(client.send(short));
  assert.deepEqual([error.code, error.outcome, error.intentId], ["plan_expired", "not_sent", short.intentId]);
  assert.equal(error.message, "not sent: the plan has expired; make a new one");
  const plan = await client.plan("buy", buy, { validForMs: 5_000 });
  t.mock.timers.enable({ apis: ["Date"], now: plan.expiresAtMs });
  assert.equal(await code(client.send(plan)), "plan_expired");
  t.mock.timers.setTime(plan.expiresAtMs - 1);
  assert.equal((await client.send(plan)).status, "landed");
  assert.equal(fetch.calls.length, 2);
});

test("the guards' verdict is in the plan, and they are asked again", async () => {
  const sold = () => new Response('{"result":{"transactionResult":{"success":true}}}');
  const { fetch, client } = clientOf([() => new Response(LANDED), sold], { maxLamportsPerDay: 1_500_000_000 });
  const [first, second] = [await client.plan("buy", buy), await client.plan("buy", buy)];
  assert.deepEqual([first.refused, second.refused, client.guards.lamportsToday], [null, null, 0n]);
  await client.send(first);
  assert.equal(await code(client.send(second)), "over_day_limit");
  const { refused } = await client.plan("buy", buy);
  assert.deepEqual([refused.code, refused.fields[0].field], ["over_day_limit", "amountInLamports"]);
  assert.deepEqual(misfits(refused, "PlanRefusal"), []);
  client.halt();
  const halted = await client.plan("sell", requests().sell);
  assert.equal(halted.refused.code, "halted");
  assert.equal(await code(client.send(halted)), "halted");
  client.resume();
  assert.equal((await client.send(halted)).status, "landed");
  assert.equal(fetch.calls.length, 2);
});

test("a plan that a crash may have sent is used after the restart, and its verdict counts what the journal has", async () => {
  const journal = memoryJournal();
  const before = clientOf([() => new Promise(() => {})], { journal });
  const plan = await before.client.plan("buy", buy);
  const dies = before.client.send(plan).catch(() => {});
  while (!before.fetch.calls.length) await new Promise(setImmediate);
  const after = clientOf([], { journal, maxLamportsPerDay: 1_500_000_000 });
  const next = await after.client.plan("buy", buy);
  assert.equal(next.refused.code, "over_day_limit");
  const kept = JSON.parse(JSON.stringify(plan));
  const error = await rejection(after.client.send(kept));
  assert.deepEqual(
    [error.code, error.message],
    ["plan_used", "not sent: the plan was used: this intent may have landed; check, then acknowledge it"],
  );
  assert.equal(await after.client.acknowledge(plan.intentId, "landed"), true);
  assert.equal(await code(after.client.send(kept)), "plan_used");
  assert.equal(after.fetch.calls.length, 0);
  void dies;
  const broken = clientOf([], {
    journal: { ...journal, begin() {}, settle() {}, recall: () => Promise.reject(new Error("no")) },
  });
  assert.equal(await code(broken.client.plan("buy", buy)), "journal_failed");
});

test("a plan that landed before midnight is not sent after it, of a caller's own journal that is asked for its trades", async (t) => {
  const [open, landed] = [new Map(), new Map()];
  const journal = {
    begin: (intent) => void open.set(intent.intentId, intent),
    settle({ intentId }) {
      landed.set(intentId, open.get(intentId));
      open.delete(intentId);
    },
    pending: () => open.values(),
    landed: (sinceMs) => [...landed.values()].filter(({ startedAtMs }) => startedAtMs >= sinceMs),
  };
  const midnight = Date.UTC(2026, 0, 2);
  t.mock.timers.enable({ apis: ["Date"], now: midnight - 10_000 });
  const { client } = clientOf([], { journal });
  const plan = await client.plan("buy", buy, { validForMs: 86_400_000 });
  assert.equal((await client.send(plan)).status, "landed");
  t.mock.timers.setTime(plan.expiresAtMs - 1);
  const after = clientOf([], { journal });
  assert.equal(await code(after.client.send(plan)), "plan_used");
  assert.equal(after.client.guards.lamportsToday, 0n);
});

test("a plan goes where it was meant to go", async () => {
  const [live, other, sandboxed] = [clientOf([]), clientOf([], { baseURL: "https://other.example" }), simulated()];
  const plan = await live.client.plan("buy", buy);
  assert.deepEqual([plan.simulated, plan.price], [false, null]);
  for (const [client, why] of [
    [other.client, "the plan is for another base URL than this client's"],
    [sandboxed, "the plan is for a service, and this client trades in a sandbox"],
    [simulated(service), "the plan is for a service, and this client trades in a sandbox"],
    [live.client.withOptions({ timeoutMs: 9 }), undefined],
  ]) {
    const { code, message } = await client.send(plan).catch((error) => error);
    assert.deepEqual([code, message], why ? ["plan_for_another_service", `not sent: ${why}`] : [undefined, undefined]);
  }
  assert.equal(await code(live.client.send(await sandboxed.plan("buy", buy))), "plan_for_another_service");
  const bps = clientOf([], { slippageUnit: "bps" });
  assert.equal(await code(bps.client.send(await live.client.plan("buy", buy))), "plan_for_another_service");
  assert.equal(live.fetch.calls.length + other.fetch.calls.length + bps.fetch.calls.length, 1);
});

test("a plan that was changed, or is not a plan, is not sent", async () => {
  const { fetch, client } = clientOf([]);
  const plan = await client.plan("buy", { ...buy, slippage: 500 }, { before: [{ wallet: ADA, tokens: 5n }] });
  assert.deepEqual([plan.warnings[0].code, plan.before], ["slippage_unit", [{ wallet: ADA, tokens: "5" }]]);
  const throwing = {
    get intentId() {
      throw new Error("no");
    },
  };
  for (const changed of [
    { ...plan, body: plan.body.replace("1000000000", "9000000000") },
    { ...plan, operation: "sell" },
    { ...plan, intentId: "other" },
    { ...plan, expiresAtMs: plan.expiresAtMs + 1 },
    { ...plan, checksum: "0" },
    { ...plan, before: null },
    { ...plan, more: 1 },
    { ...plan, url: undefined },
    { ...plan, warnings: 5 },
    { ...plan, warnings: [] },
    { ...plan, simulated: true },
    { ...plan, price: { any: [1n] } },
    { ...plan, refused: { code: "halted", message: "no", fields: [], retryAfterMs: null } },
    undefined,
    null,
    "plan",
    5,
    [],
    {},
    () => plan,
    JSON.stringify(plan),
    Promise.resolve(plan),
    throwing,
  ]) {
    const error = await rejection(client.send(changed));
    assert.ok(error instanceof TradeNotSentError && error.code === "plan_altered", JSON.stringify(error));
  }
  assert.equal(fetch.calls.length, 0);
  const priced = await client.plan("buy", buy, {
    price: () => ({ legs: [{ tokens: 10n ** 15n, impact: 0.25, worst: -7 }] }),
  });
  assert.equal(
    await code(client.send({ ...priced, price: { legs: [{ ...priced.price.legs[0], tokens: "999999999999" }] } })),
    "plan_altered",
  );
  assert.equal(fetch.calls.length, 0);
  const trade = await client.send(JSON.parse(JSON.stringify(plan)));
  assert.deepEqual(trade.warnings, plan.warnings);
  // The rules of the client that sends it hold, too.
  const strict = clientOf([], { maxBundleSize: 1 });
  assert.equal(await code(strict.client.send(await client.plan("bundleBuy", requests().bundleBuy))), "invalid_request");
});

test("an invalid request or option makes no plan", async () => {
  const { client } = clientOf([]);
  const field = async (promise) => {
    const { code, fields } = await rejection(promise);
    return [code, fields[0].field];
  };
  assert.deepEqual(await field(client.plan("buy", {})), ["invalid_request", "mint"]);
  assert.deepEqual(await field(client.plan("none", buy)), ["invalid_request", "operation"]);
  for (const [name, value] of Object.entries({
    validForMs: 0,
    price: {},
    intentId: "",
    before: 5,
    timeoutMs: 5,
    signal: 5,
  })) {
    assert.deepEqual(await field(client.plan("buy", buy, { [name]: value })), ["invalid_options", name]);
  }
  assert.deepEqual(await field(client.plan("buy", buy, Object.create({ price: () => 1 }))), [
    "invalid_options",
    "price",
  ]);
  const plan = await client.plan("buy", buy);
  for (const [name, value] of Object.entries({ timeoutMs: 0, signal: 5, intentId: "a", before: [], price: () => 1 })) {
    assert.deepEqual(await field(client.send(plan, { [name]: value })), ["invalid_options", name]);
  }
});

test("a plan has the price of whoever is asked for one, and fails where they do", async () => {
  const { client } = clientOf([]);
  const curve = new Curve();
  const plan = await client.plan("buy", buy, {
    price: async (_operation, { amountInLamports }) => curve.quoteBuyExactIn(amountInLamports),
  });
  assert.equal(plan.price.tokens, `${curve.buyExactIn(1_000_000_000n)}`);
  assert.deepEqual(JSON.parse(JSON.stringify(plan)), plan);
  assert.equal((await client.plan("buy", buy, { price: () => undefined })).price, null);
  assert.equal(
    (await rejection(client.plan("buy", buy, { price: () => Promise.reject(new Error("closed")) }))).message,
    "closed",
  );
  assert.equal(await code(simulated().plan("buy", { ...buy, mint: "none" })), "invalid_request");
  assert.equal(
    (await simulated().plan("buy", { ...buy, mint: "none" }, { price: () => ({ tokens: 5n }) })).price.tokens,
    "5",
  );
});

test("a sandbox prices the very bytes, whatever the client takes them to mean", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch, slippageUnit: "bps" });
  const plan = await client.plan("buy", { ...buy, amountInLamports: 1n << 57n, slippage: { percent: 0.5 } });
  assert.deepEqual([JSON.parse(plan.body).slippage, plan.price.refused.code], [50, "not_enough_tokens_on_curve"]);
  const cheap = await client.plan("buy", { ...buy, slippage: { percent: 0.5 } });
  assert.equal(
    cheap.price.legs[0].slippagePercent,
    sandbox.quote("buy", { ...buy, slippage: 50 }).legs[0].slippagePercent,
  );
});

test("send takes a deadline and a signal, gives the response, and works on its own", async () => {
  const { client } = clientOf([() => new Promise(() => {})]);
  const { plan, send } = client;
  assert.equal(await code(send(await plan("buy", buy), { timeoutMs: 5 })), "timeout");
  assert.equal(await code(send(await plan("buy", buy), { signal: AbortSignal.abort() })), "aborted_before_send");
  const { trade, response } = await send(await plan("buy", buy)).withResponse();
  assert.deepEqual([trade.status, response.status], ["landed", 200]);
  const dry = client.withOptions({ dryRun: true });
  const tried = await plan("buy", buy);
  assert.equal(await code(dry.send(tried)), "dry_run");
  assert.equal((await send(tried)).status, "landed");
});

test("no plan has a key in it", async () => {
  const apiKey = "sk-canary-0123456789";
  const client = new TradeClient({
    ...service,
    apiKey,
    defaultHeaders: { "x-other": "other-canary" },
    fetch: fetchOf(LANDED),
  });
  assert.doesNotMatch(JSON.stringify(await client.plan("buy", buy)), /canary/);
});
