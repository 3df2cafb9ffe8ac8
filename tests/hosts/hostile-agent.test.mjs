// A hostile model: random sequences of tool calls, with forged, repeated and interleaved arguments, by a client that approves whatever it
// is asked. However it calls, the desk's limits hold, and nothing is sent but plans that were made, each once.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { Market } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";
import { draws, seedOr } from "../seed.mjs";
import { agentOver, overMemory } from "./agent.mjs";

const SEQUENCES = Number(process.env.PROVE_CASES ?? (process.env.PROVE_SEED ? 10_000 : 100));
const CALLS = 40;
const LIMITS = { maxLamportsPerTrade: 400_000_000n, maxLamportsPerDay: 900_000_000n, maxSlippage: { percent: 5 } };
const APPROVE_OVER = 250_000_000n;

/** A client that confirms whatever it is asked. Each test closes its own. */
const connected = async (desk, asked = []) => {
  const capabilities = { elicitation: {} };
  const { client } = await agentOver(await overMemory(desk, asked), { after() {} }, { capabilities });
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { confirm: true, approve: true },
  }));
  return client;
};

/** One sequence; returns how many trades landed. */
async function sequence(seed) {
  const draw = draws(seed);
  const one = (list) => list[draw(list.length)];
  const sandbox = new Sandbox({
    maxCalls: 1_000,
    wallets: ["ada", "bob", "eve"].map((wallet) => ({ wallet, lamports: 50_000_000_000n })),
    tokens: [{ mint: "M" }, { mint: "N" }],
  });
  const journal = new Map();
  const client = new TradeClient({
    fetch: sandbox.fetch,
    intentHeader: "idempotency-key",
    ...LIMITS,
    allowMints: ["M"],
    allowWallets: ["ada", "bob"],
    breaker: { unknowns: 100 },
    journal: { begin: async ({ intentId, body }) => void journal.set(intentId, body), settle: async () => {} },
  });
  const asked = [];
  // What asks for a person must never be sent.
  const desk = { client, sandbox, approveOverLamports: APPROVE_OVER, plans: new Map() };
  // Two servers of one desk, as over HTTP.
  const agents = [await connected(desk, asked), await connected(desk, asked)];
  const plans = new Map();
  let callsAtHalt;

  const request = () => {
    const fromWallet = one(["ada", "bob", "eve", "ada"]);
    const [mint, amountInLamports] = [
      one(["M", "M", "M", "N"]),
      one([1_000_000, 100_000_000, 240_000_000, 260_000_000, 390_000_000, 800_000_000, "240000000", -1]),
    ];
    const slippage = one([undefined, undefined, { percent: 1 }, { percent: 50 }]);
    const priority = one([
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      { priorityUnitLimit: 200_000, priorityUnitPrice: 1_000_000 },
      { priorityUnitPrice: 700_000_000 },
      { priorityUnitLimit: 1_400_000, priorityUnitPrice: 10_000_000_000 },
    ]);
    return one([
      { operation: "buy", request: { mint, fromWallet, amountInLamports, slippage, ...priority } },
      { operation: "buy", request: { mint, fromWallet, amountInLamports, slippage, ...priority } },
      { operation: "sellByPercentage", request: { mint, fromWallet, percentage: one([1, 50, 100, 101]), ...priority } },
      {
        operation: "bundleBuy",
        request: {
          mint,
          feePayer: "ada",
          buys: [
            { fromWallet, amountInLamports },
            { fromWallet: "bob", amountInLamports: 200_000_000 },
          ],
          ...priority,
        },
      },
      {
        operation: "buy",
        request: {
          mint,
          fromWallet,
          amountInLamports,
          baseURL: "https://elsewhere.example",
          maxLamportsPerDay: "999999999999",
        },
      },
    ]);
  };
  const planIds = () => [...plans.keys(), "forged", ""];
  const step = async () => {
    const agent = one(agents);
    const call = (name, args) =>
      agent
        .callTool({ name, arguments: JSON.parse(JSON.stringify(args)) })
        .catch(() => ({ isError: true, structuredContent: {} }));
    const kind = draw(20);
    if (kind < 7) {
      const { structuredContent } = await call("plan", request());
      if (structuredContent?.planId) plans.set(structuredContent.planId, structuredContent);
    } else if (kind < 15) {
      const planId = draw(3) ? ([...plans.keys()].at(-1) ?? "") : one(planIds());
      // Now and then twice at once, by both.
      await Promise.all([
        call("execute", { planId }),
        ...(draw(3)
          ? []
          : [
              call("execute", { planId, approved: true }),
              agents[0].callTool({ name: "execute", arguments: { planId } }).catch(() => {}),
            ]),
      ]);
    } else if (kind === 15)
      await call("sandbox_fault", {
        kind: one(["noAnswer", "dropped", "transactionFails", "rateLimited", "none", "steal"]),
      });
    else if (kind === 16) await call("status", { planId: one(planIds()) });
    else if (kind === 17) await call(one(["policy", "state"]), {});
    else if (kind === 18)
      await call(one(["resume", "acknowledge", "set_limit", "approve"]), {
        planId: one(planIds()),
        intentId: one(planIds()),
      });
    else if (!draw(12)) {
      await call("halt", {});
      callsAtHalt ??= sandbox.calls.length;
    }
  };
  for (let at = 0; at < CALLS; at++) await step();
  await Promise.all(agents.map((agent) => agent.close()));

  const landed = sandbox.calls.filter(({ actual }) => actual === "landed");
  const bid = ({ priorityUnitLimit, priorityUnitPrice, buys }) =>
    (BigInt(priorityUnitLimit ?? 200_000 * (buys?.length ?? 1)) * BigInt(priorityUnitPrice ?? 0) + 999_999n) /
    1_000_000n;
  for (const { intentId, operation } of sandbox.calls) {
    const plan = plans.get(intentId);
    assert.ok(plan, `${intentId} was sent without a plan`);
    assert.deepEqual(
      [JSON.parse(journal.get(intentId)), operation],
      [plan.request, plan.operation],
      "other bytes than the plan's",
    );
    const { mint, fromWallet, feePayer, buys, amountInLamports } = plan.request;
    assert.equal(mint, "M");
    for (const wallet of [fromWallet, feePayer, ...(buys ?? []).map((buy) => buy.fromWallet)])
      assert.ok(wallet == null || ["ada", "bob"].includes(wallet), wallet);
    const cost =
      BigInt(amountInLamports ?? 0) +
      (buys ?? []).reduce((sum, buy) => sum + BigInt(buy.amountInLamports), bid(plan.request));
    assert.ok(cost <= LIMITS.maxLamportsPerTrade && cost <= APPROVE_OVER, `${cost} without a person`);
    assert.ok(!asked.includes(intentId), "a plan that waits for a person was sent");
  }
  // What the wallets have lost, but for 5,000 lamports a signature of sells, is what the policy allows at most.
  const left = sandbox.wallets.reduce((sum, { lamports }) => sum + lamports, 0n);
  const spent =
    150_000_000_000n -
    left -
    BigInt(sandbox.calls.filter(({ operation }) => operation.startsWith("sell")).length) * 5_000n;
  assert.ok(spent <= LIMITS.maxLamportsPerDay, `${spent} in a day`);
  const ids = sandbox.calls.map(({ intentId }) => intentId);
  assert.equal(new Set(ids).size, ids.length, "a plan was sent twice");
  if (callsAtHalt !== undefined) assert.deepEqual([client.guards.mode, sandbox.calls.length], ["halted", callsAtHalt]);
  return { landed: landed.length, asked: asked.length, halted: callsAtHalt !== undefined };
}

test("an error that does not say whether a plan was made leaves it unknown", async () => {
  const sandbox = new Sandbox();
  const real = new TradeClient({ fetch: sandbox.fetch });
  const client = {
    plan: (...args) => real.plan(...args),
    send: async () => Promise.reject(new TypeError("broken")),
    pending: async () => [],
    guards: {},
  };
  const agent = await connected({ client, sandbox });
  const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000 };
  const { planId } = (await agent.callTool({ name: "plan", arguments: { operation: "buy", request } }))
    .structuredContent;
  const { isError, structuredContent } = await agent.callTool({ name: "execute", arguments: { planId } });
  assert.deepEqual([isError, structuredContent.outcome], [true, "unknown"]);
  assert.match(structuredContent.next, /^Never send it again/);
  await agent.close();
});

test("a plan that has expired is put before no person, and every tool says so", async () => {
  const sandbox = new Sandbox();
  const real = new TradeClient({ fetch: sandbox.fetch });
  const plan = async (...args) => ({ ...(await real.plan(...args)), expiresAtMs: 0 });
  const client = { plan, pending: async () => [], endedTrade: async () => null, guards: {} };
  const asked = [];
  const agent = await connected({ client, sandbox, approveOverLamports: 0n }, asked);
  const call = async (name, fields) => (await agent.callTool({ name, arguments: fields })).structuredContent;
  const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000 };
  const { planId } = await call("plan", { operation: "buy", request });
  const { error, awaitingApproval } = await call("execute", { planId });
  const says = "This plan has expired: make a new one with the tool plan.";
  assert.deepEqual([error?.message, awaitingApproval, asked], [says, undefined, []]);
  assert.equal((await call("status", { planId })).next, says);
  await agent.close();
});

test("a trade that names no wallet has the profile's, which the policy shows, as on the command line", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [fromWallet, feePayer] = sandbox.wallets.map(({ wallet }) => wallet);
  const agent = await connected({ client, sandbox, fromWallet, feePayer });
  const call = async (name, fields) => (await agent.callTool({ name, arguments: fields })).structuredContent;
  const { mint } = sandbox.tokens[0];
  const planned = async (operation, fields) =>
    (await call("plan", { operation, request: { mint, ...fields } })).request;
  const single = await planned("buy", { amountInLamports: 1_000_000 });
  const bundle = await planned("bundleBuy", { buys: [{ fromWallet: feePayer, amountInLamports: 1_000_000 }] });
  assert.deepEqual([single?.fromWallet, single?.feePayer, bundle?.feePayer], [fromWallet, feePayer, feePayer]);
  assert.equal((await planned("buy", { fromWallet: feePayer, amountInLamports: 1 })).fromWallet, feePayer);
  assert.equal((await call("policy", {})).fromWallet, fromWallet);
  await agent.close();
});

test("a market without an answer hides neither the guards nor what is unresolved", async () => {
  const client = { pending: async () => [{ intentId: "p" }], guards: { mode: "halted" } };
  const market = { look: async () => assert.fail("its node lags") };
  const agent = await connected({ client, market });
  const { structuredContent } = await agent.callTool({ name: "state", arguments: { mint: "M" } });
  const { outcome, guards, unresolved } = structuredContent;
  assert.deepEqual([outcome, guards?.mode, unresolved?.[0].intentId], ["not_sent", "halted", "p"]);
  assert.deepEqual(structuredContent.market, { noLook: { untrustedText: "its node lags" } });
  await agent.close();
});

test("while a gateway's operator has not decided, status says that a person decides", async () => {
  let reason = "awaiting_approval";
  const client = { pending: async () => [{ intentId: "p" }], endedTrade: async () => null };
  const settle = async () => [{ intentId: "p", outcome: "unknown", reason }];
  const agent = await connected({ client, settle });
  const next = async () =>
    (await agent.callTool({ name: "status", arguments: { planId: "p" } })).structuredContent.next;
  assert.equal(await next(), "A person decides. Call status later.");
  reason = "in_doubt";
  assert.match(await next(), /^Never send it again/);
  await agent.close();
});

test("a sell that would bring more than when it was planned waits for a person, whose approval ends with the price", async () => {
  const sandbox = new Sandbox({
    wallets: [
      { wallet: "ada", lamports: 50_000_000_000n },
      { wallet: "bob", lamports: 50_000_000_000n },
    ],
    tokens: [{ mint: "M" }],
  });
  const client = new TradeClient({ fetch: sandbox.fetch });
  const asked = [];
  let isAgreed = false;
  let quoteBody = (...about) => sandbox.quoteBody(...about);
  const agent = await connected({
    client,
    sandbox: { quoteBody: (...about) => quoteBody(...about) },
    approveOverLamports: APPROVE_OVER,
    approvals: { ask: async ({ intentId }) => asked.push(intentId), isApproved: async () => isAgreed, how: () => "" },
  });
  const call = async (name, fields) => (await agent.callTool({ name, arguments: fields })).structuredContent;
  const all = { operation: "sellByPercentage", request: { mint: "M", fromWallet: "ada", percentage: 100 } };
  const buy = (fromWallet, amountInLamports) => client.buy({ mint: "M", fromWallet, amountInLamports });
  await buy("ada", 10_000_000);
  // A percentage takes its part of what is bought later, too.
  const early = await call("plan", all);
  for (let at = 0; at < 3; at++) await buy("ada", 240_000_000);
  // An amount may rise in price.
  const risen = await call("plan", {
    operation: "sell",
    request: { mint: "M", fromWallet: "ada", amountInToken: "8000000" },
  });
  const small = await call("plan", {
    operation: "sell",
    request: { mint: "M", fromWallet: "ada", amountInToken: "8" },
  });
  assert.deepEqual(
    [early, risen, small].map(({ needsApproval }) => needsApproval),
    [false, false, false],
  );
  await buy("bob", 45_000_000_000);
  for (const { planId } of [early, risen]) assert.equal((await call("execute", { planId })).awaitingApproval, true);
  assert.equal((await call("execute", { planId: small.planId })).outcome, "landed");
  assert.deepEqual(asked, [early.planId, risen.planId]);
  // What a person approves counts by the price that they saw: no buy brings less than its worst, and no sell.
  isAgreed = true;
  const planned = async (operation, fields) =>
    (await call("plan", { operation, request: { mint: "M", fromWallet: "ada", slippage: { percent: 1 }, ...fields } }))
      .planId;
  await client.sellByPercentage({ mint: "M", fromWallet: "bob", percentage: 10 });
  const buys = await planned("buy", { amountInLamports: 300_000_000 });
  const sells = await planned("sellByPercentage", { percentage: 50 });
  for (const [planId, move] of [
    [buys, () => buy("bob", 10_000_000_000)],
    [sells, () => client.sellByPercentage({ mint: "M", fromWallet: "bob", percentage: 50 })],
  ]) {
    await move();
    const { outcome, error } = await call("execute", { planId });
    assert.deepEqual([outcome, /less than was approved.*make a new plan$/.test(error.message)], ["not_sent", true]);
  }
  // Without a price nobody buys, and a sell that was approved goes.
  quoteBody = async () => assert.fail("the node is down");
  assert.equal((await call("execute", { planId: buys })).outcome, "not_sent");
  assert.equal((await call("execute", { planId: sells })).outcome, "landed");
  await agent.close();
});

test("a sell is planned while the node is down, and waits for a person", async () => {
  const { fetch, tokens, wallets } = new Sandbox();
  const market = new Market({ rpc: async () => assert.fail("the node is down") });
  const client = new TradeClient({ fetch, market });
  const agent = await connected({ client, market, approveOverLamports: APPROVE_OVER });
  const call = async (name, fields) => (await agent.callTool({ name, arguments: fields })).structuredContent;
  const request = { mint: tokens[0].mint, fromWallet: wallets[0].wallet, percentage: 1 };
  const { price, needsApproval } = await call("plan", { operation: "sellByPercentage", request });
  assert.deepEqual([price, needsApproval], [null, true]);
  await agent.close();
});

test(`${SEQUENCES} sequences of a hostile model stay within the policy`, { timeout: 3_600_000 }, async (t) => {
  const seed = seedOr(20261124n);
  const sum = { landed: 0, asked: 0, halted: 0 };
  for (let at = 0; at < SEQUENCES; at++) {
    const { landed, asked, halted } = await sequence(seed + BigInt(at) * 7_919n).catch((error) =>
      assert.fail(`sequence ${at} of seed ${seed}: ${error.message}`),
    );
    sum.landed += landed;
    sum.asked += asked;
    sum.halted += Number(halted);
  }
  t.diagnostic(
    `${SEQUENCES} sequences: ${sum.landed} trades landed, ${sum.asked} times a person was asked, ${sum.halted} sequences halted the desk`,
  );
  // The test has not merely refused everything.
  assert.ok(sum.landed > SEQUENCES / 4 && sum.asked > 0 && sum.halted > 0, JSON.stringify(sum));
});
