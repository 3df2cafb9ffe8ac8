// The disk fails between two steps: what was not written was not sent; what was sent but not written is in doubt.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { root } from "../../scripts/program.mjs";
import { BUY, JSON_TYPE, KEY, LANDED, OPENS, gatewayFor, landed, settingsOf, tokenOf } from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

const PANEL = "https://panel.example";
const upstream = await startUpstream((noted, response) => json(200, landed(JSON.parse(noted.body)))(noted, response));
const settings = settingsOf({
  upstream: upstream.url,
  origins: [PANEL],
  desks: [{ name: "alpha", limits: { maxLamportsPerDay: 3 * (BUY.amountInLamports + OPENS) } }],
});
const gateway = await gatewayFor({ settings, main: join(root, "tests/edge/entries/failing.mjs") });

/** Buys under a key; the object's write of that number, counted from here, fails. */
const buy = (intent, write) =>
  gateway.post("/v1/trade/buy", BUY, {
    intent,
    headers: { ...JSON_TYPE, origin: PANEL, ...(write && { "x-fail-write": `${write}` }) },
  });

async function assertInterrupted(response) {
  const text = await response.text();
  const { code, outcome, detail, message } = JSON.parse(text);
  assert.deepEqual([response.status, code, outcome, detail], [502, "interrupted", "unknown", message]);
  assert.deepEqual(
    ["content-type", "retry-after", "intent-state", "access-control-allow-origin"].map((name) =>
      response.headers.get(name),
    ),
    ["application/problem+json", "1", null, PANEL],
  );
  assert.ok(!text.includes(KEY) && !text.includes("disk"), text);
}

test("what could not be recorded was not forwarded, and asked again it is forwarded once", async () => {
  upstream.requests.length = 0;
  // The first write of an object is that of its start.
  assert.equal((await gateway.ask("/v1/intents/none", { as: "ada" })).status, 404);
  await assertInterrupted(await buy("unrecorded", 1));
  assert.equal(upstream.requests.length, 0);
  const again = await buy("unrecorded");
  assert.deepEqual(
    [again.status, again.headers.get("idempotent-replayed"), await again.text()],
    [200, null, JSON.stringify(LANDED)],
  );
  assert.equal(upstream.requests.length, 1);
});

test("what was forwarded and whose answer could not be recorded is in doubt, and forwarded no more", async () => {
  upstream.requests.length = 0;
  await assertInterrupted(await buy("unsettled", 2));
  const again = await buy("unsettled");
  assert.deepEqual([again.status, again.headers.get("intent-state")], [502, "in_doubt"]);
  assert.deepEqual(
    (await gateway.desk()).inDoubt.map(({ intentId }) => intentId),
    ["unsettled"],
  );
  assert.equal(upstream.requests.length, 1);
  assert.equal((await buy("third")).status, 200);
  assert.equal((await buy("fourth")).status, 403, "what is in doubt counts as spent");
  assert.equal((await gateway.order("settle", { caller: "ada", intentId: "unsettled", found: "landed" })).status, 200);
  const settled = await buy("unsettled");
  assert.deepEqual([settled.status, settled.headers.get("intent-state")], [200, "ended"]);
  assert.deepEqual(await settled.json(), {
    result: {
      mint: BUY.mint,
      wallet: BUY.fromWallet,
      buyAmount: null,
      preTokenBalance: null,
      postTokenBalance: null,
      signature: null,
      transactionResult: {
        success: true,
        signature: null,
        results: "its outcome was unknown, and an operator found that it landed",
      },
      tokenAccount: null,
    },
    explorer: { mint: null, wallet: null, tx: null },
    launchpad: { mint: null },
  });
  assert.equal(upstream.requests.length, 2);
});

test("a switch that could not be written is not answered as if it were", async () => {
  const halt = await gateway.post("/desk/halt", {}, { as: "olga", headers: { ...JSON_TYPE, "x-fail-write": "1" } });
  assert.equal(halt.status, 502);
  assert.equal((await gateway.desk()).mode, "active");
});

test("a client asks again until the gateway has an answer, and trades once", async () => {
  upstream.requests.length = 0;
  let number = 0;
  const failing = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...(++number === 1 && { "x-fail-write": "1" }) },
    });
  const client = new TradeClient({ baseURL: gateway.url, apiKey: tokenOf("ada"), gateway: true, fetch: failing });
  assert.equal(
    (await client.sellByPercentage({ mint: BUY.mint, fromWallet: BUY.fromWallet, percentage: 5 })).status,
    "landed",
  );
  assert.equal(number, 2);
  assert.equal(upstream.requests.length, 1);
});

test("the log has no key", () => assert.ok(!gateway.log().includes(KEY), gateway.log()));

test("a halt between the record of a trade and its request keeps it back: it was not sent, and says so", async () => {
  const stopping = await gatewayFor({ settings, main: join(root, "tests/edge/entries/stopping.mjs") });
  upstream.requests.length = 0;
  const held = stopping.post("/v1/trade/buy", BUY, { intent: "held", headers: { ...JSON_TYPE, "x-until-halt": "1" } });
  while (!(await stopping.desk()).inFlight.length) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal((await stopping.order("halt")).status, 200);
  const answer = await held;
  const { code, outcome } = await answer.json();
  assert.deepEqual([answer.status, code, outcome, upstream.requests.length], [403, "halted", "rejected", 0]);
  assert.equal((await (await stopping.ask("/v1/intents/held", { as: "ada" })).json()).outcome, "not_sent");
  const { inFlight, inDoubt, spent } = await stopping.desk();
  assert.deepEqual([inFlight, inDoubt, spent], [[], [], []]);
  await stopping.order("resume");
  assert.equal((await stopping.post("/v1/trade/buy", BUY, { intent: "next" })).status, 200);
  assert.equal(upstream.requests.length, 1);
});
