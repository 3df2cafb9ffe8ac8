// What a bad reply means: an unknown outcome with bounded evidence, never a crash, and what each status means.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, TradeFailedError, TradeOutcomeUnknownError, readReply, renderText } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { FAILED, LANDED, MINT, OPERATIONS, clientBy, fetchBy, fetchOf, rejection, requests } from "./service.mjs";

const BOUND_MS = 60_000;
const MAX_EVIDENCE = 512;

/** Buys over a `fetch` and returns the result, sent once and in time. */
async function buyOver(fetch, options = {}) {
  const client = clientBy(fetch, options);
  const began = performance.now();
  const settled = await client.buy(requests().buy).then(
    (trade) => ({ trade }),
    (error) => ({ error }),
  );
  assert.ok(performance.now() - began < BOUND_MS, "it took too long");
  assert.equal(fetch.calls.length, 1, "sent once");
  return settled;
}

async function isUnknown(fetch, code, options) {
  const { error } = await buyOver(fetch, options);
  assert.ok(error instanceof TradeOutcomeUnknownError, `${error}`);
  assert.deepEqual([error.outcome, error.code, error.retryable], ["unknown", code, false]);
  assert.match(error.message, /^outcome unknown: /);
  assert.ok(error.message.length < 500);
  assert.ok((error.evidence ?? "").length <= MAX_EVIDENCE, "evidence is bounded");
  assert.ok(JSON.stringify(error).length < 2_000, "what is logged is bounded");
  assert.ok(renderText(error).includes("never send it again: settle it"));
  return error;
}

// src/trade and crates/api have what else a body may be, and tests/faults how one may arrive.
test("a reply that cannot be read leaves the outcome unknown, with the start of it as evidence", async () => {
  for (const body of ["", "<!doctype html><h1>Bad gateway</h1>", `[${LANDED}]`, `${LANDED}${LANDED}`]) {
    const error = await isUnknown(fetchOf(body), "unreadable_reply");
    assert.deepEqual([error.status, error.evidence], [200, body.slice(0, MAX_EVIDENCE)]);
    assert.throws(() => readReply("buy", 200, body), { code: "unreadable_reply" });
  }
});

test("each operation's own reply answers its call, and another's does not", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const replies = {};
  for (const operation of OPERATIONS) {
    const { body, path } = client.build(operation, requests()[operation]);
    const response = await sandbox.fetch(`https://sandbox.invalid${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    replies[operation] = await response.text();
    assert.equal(readReply({ operation, body }, 200, replies[operation]).status, "landed", operation);
    const elsewhere = { operation, body: body.replaceAll(MINT, "AnotherMint") };
    assert.throws(() => readReply(elsewhere, 200, replies[operation]), { code: "contradictory_reply" }, operation);
  }
  assert.throws(() => readReply("buy", 200, replies.sell), { code: "contradictory_reply" });
  for (const operation of ["sell", "sellByPercentage", "bundleSell"])
    assert.throws(() => readReply(operation, 200, replies.buy), { code: "contradictory_reply" });
});

test("a call that readReply cannot read is refused", () => {
  for (const call of [
    {},
    { operation: "buy" },
    { operation: "buy", body: "{" },
    { operation: "burn", body: "{}" },
    null,
    undefined,
    5,
    [],
  ]) {
    assert.throws(() => readReply(call, 200, LANDED), { name: "TradeNotSentError", code: "invalid_request" });
  }
});

test("a reply cut off at any byte leaves the outcome unknown", async () => {
  for (let length = 0; length < LANDED.length; length++)
    await isUnknown(fetchOf(LANDED.slice(0, length)), "unreadable_reply");
  assert.equal((await buyOver(fetchOf(LANDED))).trade.status, "landed");
});

test("a reply with any one byte turned is a trade or an unknown outcome, never a crash", async () => {
  const good = Buffer.from(LANDED);
  for (let at = 0; at < good.length; at++) {
    const bytes = Buffer.from(good);
    bytes[at] ^= 1 + (at % 255);
    const { trade, error } = await buyOver(fetchOf(bytes));
    assert.ok(
      trade ? ["landed", "unconfirmed"].includes(trade.status) : error.outcome === "unknown",
      `byte ${at}: ${error}`,
    );
  }
});

test("a reply of 20 MB is not read to its end", async () => {
  let given = 0;
  const megabyte = new Uint8Array(1 << 20).fill(0x20);
  const body = () =>
    new ReadableStream({ pull: (stream) => (given++ < 20 ? stream.enqueue(megabyte) : stream.close()) });
  const error = await isUnknown(
    fetchBy(() => new Response(body())),
    "reply_too_large",
  );
  assert.equal(error.status, 200);
  assert.ok(given < 5, `${given} MB were read`);
  await isUnknown(fetchOf("x".repeat(20_000_000)), "reply_too_large");
});

test("15 MB that are asked for are read", async () => {
  const options = { maxReplyBytes: 1 << 24 };
  await isUnknown(fetchOf("x".repeat(15_000_000)), "unreadable_reply", options);
  const { trade } = await buyOver(fetchOf(LANDED.replace("{", `{"padding":"${"x".repeat(15_000_000)}",`)), options);
  assert.equal(trade.status, "landed");
});

test("a reply without a transactionResult is unconfirmed, and every absent field is null", async () => {
  const { trade } = await buyOver(fetchOf('{"result":{}}'));
  assert.equal(trade.status, "unconfirmed");
  assert.deepEqual(trade.result, {
    mint: null,
    wallet: null,
    buyAmount: null,
    preTokenBalance: null,
    postTokenBalance: null,
    signature: null,
    transactionResult: { success: null, signature: null, results: null },
    tokenAccount: null,
  });
});

test("success false is a TradeFailedError that carries the reply, out of the way of loggers", async () => {
  const { error } = await buyOver(fetchOf(FAILED));
  assert.ok(error instanceof TradeFailedError);
  assert.deepEqual(
    [error.outcome, error.code, error.status, error.serviceMessage],
    ["failed", "transaction_failed", 200, "custom program error: 0x1772"],
  );
  assert.deepEqual([error.trade.status, error.trade.result.transactionResult.success], ["failed", false]);
  assert.ok(!Object.keys(error).includes("trade") && !("raw" in error.toJSON().trade));
});

test("numbers are read without loss, and the whole reply is kept", async () => {
  const body = LANDED.replace(":34199203.120618,", ":123456789012345678901.000000001,")
    .replace('"preTokenBalance":0', '"preTokenBalance":"0.50"')
    .replace("{", '{"unknown":{"deep":[1]},');
  const { trade } = await buyOver(fetchOf(body));
  assert.deepEqual(
    [trade.exact.buyAmount, trade.exact.preTokenBalance, trade.result.preTokenBalance],
    ["123456789012345678901.000000001", "0.5", 0.5],
  );
  assert.equal(trade.raw, body);
});

test("what a reply brings is plain data, whatever it is called", async () => {
  const { trade } = await buyOver(
    fetchOf(LANDED.replace('"ok"', '{"__proto__":{"polluted":true},"a":[1,2.5,null],"b":"c"}')),
  );
  const { results } = trade.result.transactionResult;
  assert.equal(results.polluted, undefined);
  assert.deepEqual(Object.keys(results), ["__proto__", "a", "b"]);
  assert.deepEqual(results.a, [1, 2.5, null]);
});

test("a trade is rendered from what is exact, however much there is beside it", () => {
  const results = `[${"[0],".repeat(60_000)}18446744073709551615]`;
  const trade = readReply(
    "buy",
    200,
    `{"result":{"transactionResult":{"success":true,"results":${results}},"tokenAccount":"T","buyAmount":"1e-7"}}`,
  );
  assert.match(renderText(trade), /^Buy landed\nBought: 0\.0000001\nToken account: T/);
});

test("a request's warnings come with its failure", async () => {
  const fetch = fetchOf(FAILED);
  const error = await rejection(clientBy(fetch).buy({ ...requests().buy, slippage: 500 }));
  assert.deepEqual(
    [error.warnings, error.trade.warnings].map(([{ code }]) => code),
    ["slippage_unit", "slippage_unit"],
  );
  assert.ok(!renderText(error).includes("Bought"), "a failed trade bought nothing, whatever its reply repeats");
});

// tests/faults has each status, over real connections.
test("readReply takes a status for what a client takes it for, and a refusal too large to read proves nothing", () => {
  const large = "x".repeat(2_000_000);
  for (const [status, body, outcome, code] of [
    [400, '{"message":"no"}', "rejected", "rejected_by_service"],
    [401, '{"message":"no"}', "rejected", "unauthorized"],
    [429, '{"message":"no"}', "rejected", "rate_limited"],
    [307, LANDED, "unknown", "redirected"],
    [503, LANDED, "unknown", "service_error"],
    [418, LANDED, "unknown", "unexpected_status"],
    [400, large, "unknown", "reply_too_large"],
    [429, large, "unknown", "reply_too_large"],
    [503, large, "unknown", "service_error"],
  ])
    assert.throws(() => readReply("buy", status, body), { outcome, code, status });
});
