// The desk's policy over real sockets: nothing over a limit is forwarded, however many ask at the same time, and a trade that
// needs approval waits for a person.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { BUY, OPENS, RABBIT, caller, gatewayFor, landed, operator, settingsOf, tokenOf } from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

/** A slow service, so that many trades are in flight together. */
const slow = async (noted, response) => (await sleep(20), json(200, landed(JSON.parse(noted.body)))(noted, response));
const upstream = await startUpstream(slow);
const spent = () => upstream.requests.reduce((sum, { body }) => sum + BigInt(JSON.parse(body).amountInLamports), 0n);
const clear = () => void (upstream.requests.length = 0);
const client = (gateway, as) => new TradeClient({ baseURL: gateway.url, apiKey: tokenOf(as), gateway: true });

test("a hundred trades at once never overshoot a cap by a lamport, and fill it to the last one", async () => {
  clear();
  const gateway = await gatewayFor({
    settings: settingsOf({
      upstream: upstream.url,
      desks: [{ name: "alpha", limits: { maxLamportsPerDay: 40 * (1_000_003 + OPENS) } }],
      callers: [
        caller("ada"),
        caller("bob", { limits: { maxLamportsPerDay: 15 * (1_000_003 + OPENS) } }),
        operator("olga"),
      ],
    }),
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      gateway.post(
        "/v1/trade/buy",
        { ...BUY, fromWallet: `wallet-${at}`, amountInLamports: 1_000_003 },
        { as: at % 2 ? "ada" : "bob", intent: `race-${at}` },
      ),
    ),
  );
  const codes = await Promise.all(
    answers.map(async (answer) => (answer.status === 200 ? "landed" : (await answer.json()).code)),
  );
  assert.equal(codes.filter((code) => code === "landed").length, 40);
  assert.deepEqual(
    answers
      .filter(({ status }) => status !== 200)
      .map(({ status, headers }) => `${status} ${headers.get("intent-state")}`),
    Array(60).fill("403 not_recorded"),
  );
  assert.ok(
    codes.every((code) => ["landed", "over_day_limit"].includes(code)),
    codes.join(),
  );
  assert.ok(codes.filter((code, at) => code === "landed" && at % 2 === 0).length <= 15, "a caller's own cap");
  assert.equal(spent(), 40n * 1_000_003n);
  assert.equal(
    (await gateway.post("/v1/trade/buy", { ...BUY, amountInLamports: 1 }, { as: "ada" })).status,
    403,
    "not one lamport more",
  );
});

const strict = await gatewayFor({
  settings: settingsOf({
    upstream: upstream.url,
    desks: [{ name: "alpha", limits: { maxLamportsPerTrade: 1_000 + OPENS, maxSlippage: 5 } }],
  }),
});
const small = { ...BUY, amountInLamports: 1_000, slippage: 5 };

test("the client reads a policy's refusal by its code, and bad fields by their names", async () => {
  await assert.rejects(client(strict, "ada").buy({ ...small, amountInLamports: 1_001 }), {
    outcome: "rejected",
    status: 403,
    code: "refused_by_gateway",
  });
  const bad = await strict.post("/v1/trade/buy", { ...small, mint: "" });
  assert.deepEqual([bad.status, (await bad.json()).fields.map(({ field }) => field)], [400, ["mint"]]);
});

test("a client waits for what is decided, and gets the recorded trade or the recorded refusal; nothing is sent again", async () => {
  const gateway = await gatewayFor({
    settings: settingsOf({ upstream: upstream.url, desks: [{ name: "alpha", approval: { overLamports: 500 } }] }),
  });
  clear();
  const ada = client(gateway, "ada");
  const awaiting = async (intentId) => {
    const error = await ada.buy(BUY, { intentId }).catch((error) => error);
    assert.deepEqual([error.code, error.outcome, error.retryAfterMs], ["awaiting_approval", "unknown", 1_000]);
  };
  for (const intentId of ["yes/1", "no", "late", "left"]) await awaiting(intentId);
  const waits = [ada.waitFor("yes/1"), ada.waitFor("no").catch((error) => error)];
  await sleep(1_500);
  await gateway.order("approve", { caller: "ada", intentId: "yes/1" });
  await gateway.order("deny", { caller: "ada", intentId: "no" });
  const [trade, denied] = await Promise.all(waits);
  assert.deepEqual(
    [trade.status, trade.intentId, trade.result.mint, upstream.requests.length],
    ["landed", "yes/1", RABBIT, 1],
  );
  assert.deepEqual(
    [denied.name, denied.code, denied.outcome, denied.serviceMessage],
    ["TradeRejectedError", "refused_by_gateway", "rejected", "an operator denied the trade; nothing was sent"],
  );
  assert.deepEqual(
    (await ada.pending()).map(({ intentId }) => intentId),
    ["late", "left"],
  );
  const stranger = new TradeClient({ baseURL: gateway.url, apiKey: "token-of-nobody", gateway: true });
  const direct = new TradeClient({ baseURL: gateway.url });
  const late = { name: "TradeOutcomeUnknownError", intentId: "late" };
  const message = "not sent: gateway must be true: only a gateway remembers intents";
  for (const [ends, code, outcome, told] of [
    [() => ada.waitFor("late", { timeoutMs: 300 }), "timeout", "unknown", late],
    [() => ada.waitFor("left", { signal: AbortSignal.timeout(300) }), "aborted", "unknown"],
    [() => ada.waitFor("nobody"), "intent_not_found", "unknown"],
    [() => stranger.waitFor("late"), "unexpected_status", "unknown"],
    [() => stranger.buy(BUY), "unauthorized", "rejected"],
    [() => direct.waitFor("late"), "invalid_request", "not_sent", { message }],
  ])
    await assert.rejects(ends, { code, outcome, ...told });
  assert.equal(upstream.requests.length, 1);
});

test("what waits expires by itself, by the object's alarm", async () => {
  const gateway = await gatewayFor({
    settings: settingsOf({
      upstream: upstream.url,
      approvalMs: 1_000,
      desks: [{ name: "alpha", approval: { overLamports: 500 } }],
    }),
  });
  clear();
  const ask = () => gateway.post("/v1/trade/buy", BUY, { intent: "late" });
  assert.equal((await ask()).status, 202);
  while ((await gateway.desk()).awaitingApproval.length) await sleep(100);
  const late = await ask();
  assert.deepEqual([late.status, (await late.json()).code], [403, "approval_expired"]);
  assert.equal(upstream.requests.length, 0);
});
