// Plans: exactly what is shown is sent, once, in time, and to the right service.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, TradeNotSentError } from "launchpad-desk";
import { Curve } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";
import { hostile } from "../odd.mjs";
import { fieldsOf } from "./declared.mjs";
import { LANDED, OPERATIONS, clientBy, endOf, fetchBy, fetchOf, rejection, requests, simulated } from "./service.mjs";

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
  return { fetch, client: clientBy(fetch, options) };
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
  const ends = await Promise.all(Array.from({ length: 5 }, () => endOf(client.send(plan))));
  assert.deepEqual(ends.sort(), ["landed", ...Array(4).fill("plan_used")]);
  assert.equal(fetch.calls.length, 1);
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

test("a plan that was changed, or is not a plan, is not sent", async () => {
  const { fetch, client } = clientOf([]);
  const plan = await client.plan(
    "buy",
    { ...buy, slippage: 500 },
    { before: [{ wallet: buy.fromWallet, tokens: 5n }] },
  );
  assert.deepEqual([plan.warnings[0].code, plan.before], ["slippage_unit", [{ wallet: buy.fromWallet, tokens: "5" }]]);
  // tests/rust/plans.rs changes each part.
  for (const changed of [
    { ...plan, body: plan.body.replace("1000000000", "9000000000") },
    { ...plan, operation: "sell" },
    { ...plan, before: null },
    { ...plan, more: 1 },
    { ...plan, url: undefined },
    { ...plan, warnings: 5 },
    { ...plan, warnings: [] },
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
    hostile(),
  ]) {
    const error = await rejection(client.send(changed));
    assert.ok(error instanceof TradeNotSentError && error.code === "plan_altered", JSON.stringify(error));
  }
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

test("send takes a deadline and a signal, gives the response, and works on its own", async (t) => {
  // By a clock that goes on, a busy machine could be late before it sends.
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
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
  const client = clientBy(fetchOf(LANDED), { apiKey, defaultHeaders: { "x-other": "other-canary" } });
  assert.doesNotMatch(JSON.stringify(await client.plan("buy", buy)), /canary/);
});

test("a plan that expires while the connection opens is not sent, if the transport asks", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
  const asked = [];
  const client = clientBy(async (_url, { [Symbol.for("launchpad-desk.may-send")]: maySend }) => {
    for (const ms of [499, 1]) {
      t.mock.timers.tick(ms);
      asked.push(maySend());
    }
    throw Object.assign(new Error("not sent"), { [Symbol.for("launchpad-desk.unsent")]: true });
  });
  const plan = await client.plan("buy", buy, { validForMs: 500 });
  assert.equal(await code(client.send(plan)), "plan_expired");
  assert.deepEqual(asked, [true, false]);
});
