// Trades and errors that cross JSON, a structured clone or a worker's messages: the same outcome comes out, or none.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import * as desk from "launchpad-desk";
import { revoked, throws } from "../odd.mjs";
import { LANDED, clientBy, fetchBy, requests, service } from "./service.mjs";

const { TradeClient, TradeError, readError, readReply, renderHtml, renderText, view } = desk;

const KEY = "sk-canary-4711";
const { replies, refused } = JSON.parse(readFileSync(new URL("../vectors/plain.json", import.meta.url)));

const inJson = (value) => JSON.parse(JSON.stringify(value));
const WAYS = { JSON: inJson, "a structured clone": (value) => structuredClone(value.toJSON?.() ?? value) };

/** All that a program can see of an error. */
const seen = (error) => ({
  ...error,
  name: error.name,
  message: error.message,
  retryable: error.retryable,
  trade: error.trade && { ...error.trade, raw: "" },
});

/** The result of one call with a client that has a key. */
const settled = (answer, request = requests().buy) =>
  clientBy(fetchBy(answer), { apiKey: KEY })
    .buy(request, { intentId: "signal-1" })
    .catch((error) => error);

const FAILED = LANDED.replace("true", "false").replace(
  '"ok"',
  '{"err":{"InstructionError":[0,{"Custom":6002}]},"logs":["slippage",1.5,[null]]}',
);
const reply = (status, body, headers) => () => new Response(body, { status, headers });

/** A trade or an error of every kind. */
const RESULTS = {
  landed: () => settled(reply(200, LANDED)),
  unconfirmed: () => settled(reply(202, '{"result":{}}')),
  failed: () => settled(reply(200, FAILED)),
  "failed, with a warning": () => settled(reply(200, FAILED), { ...requests().buy, slippage: 500 }),
  rejected: () => settled(reply(429, `{"message":"slow down, ${KEY}"}`, { "retry-after": "2" })),
  unauthorized: () => settled(reply(401, "")),
  "unknown, lost": () => settled(() => Promise.reject(Object.assign(new TypeError("x"), { code: "ECONNRESET" }))),
  "unknown, unreadable": () => settled(reply(200, `{"${KEY}`)),
  "not sent, many fields": () => settled(reply(200, LANDED), { mint: " ", amountInLamports: -1, slipage: 5 }),
  "not sent, unproven": () =>
    settled(() => Promise.reject(Object.assign(new Error("x"), { [Symbol.for("launchpad-desk.unsent")]: true }))),
};

for (const [what, result] of Object.entries(RESULTS)) {
  for (const [way, cross] of Object.entries(WAYS)) {
    test(`${what}: the same after ${way}`, async () => {
      const before = await result();
      const data = cross(before);
      assert.ok(!JSON.stringify(data).includes(KEY) && !("evidence" in data));
      for (const render of [renderText, renderHtml, (value) => inJson(view(value))])
        assert.deepEqual(render(data), render(before));
      if (!(before instanceof TradeError)) return assert.deepEqual(data, before);
      const after = readError(data);
      assert.equal(Object.getPrototypeOf(after), Object.getPrototypeOf(before));
      assert.ok(desk.isTradeError(after) && after instanceof desk[before.name]);
      const { evidence, ...whole } = seen(before);
      assert.deepEqual(seen(after), whole);
      assert.deepEqual(after.toJSON(), before.toJSON());
      assert.deepEqual(inJson(after), inJson(before));
      assert.deepEqual(seen(readError(before)), whole, "an error itself is read, too");
    });
  }
}

test("the JSON is the one that Rust writes, and Rust's is read", () => {
  assert.ok(replies.length > 8 && refused.length > 20);
  for (const { operation, status, body, plain } of replies) {
    let result;
    try {
      result = readReply(operation, status, body);
    } catch (error) {
      result = error;
    }
    assert.deepEqual(inJson(result), plain, body);
    assert.deepEqual(view(plain), view(result));
    if (result instanceof TradeError) assert.deepEqual(inJson(readError(plain)), plain);
  }
});

test("invalid data is refused in the same words as in Rust, and never becomes an outcome", () => {
  for (const { plain, problem } of refused) {
    assert.throws(
      () => readError(plain),
      (error) =>
        error instanceof TypeError &&
        !desk.isTradeError(error) &&
        !("outcome" in error) &&
        error.message === `not the JSON of a trade's error: ${problem}`,
      `${JSON.stringify(plain)}: ${problem}`,
    );
    assert.equal(view(plain).status, "unknown", JSON.stringify(plain));
  }
});

test("what an error is after postMessage without toJSON is refused", async () => {
  for (const result of [RESULTS.failed, RESULTS.unauthorized, RESULTS["not sent, unproven"]]) {
    const lost = structuredClone(await result());
    assert.throws(() => readError(lost), /^TypeError: not the JSON of a trade's error: its outcome is missing$/);
    assert.equal(view(lost).status, "unknown");
  }
});

test("hostile data is refused, soon", async () => {
  const plain = inJson(await RESULTS.failed());
  const throwsAt = (name) => Object.defineProperty({ ...plain }, name, { get: throws });
  const endless = { ...plain };
  endless.fields = [endless];
  for (const hostile of [
    undefined,
    5n,
    Symbol("s"),
    () => {},
    new Map(),
    revoked(),
    throwsAt("outcome"),
    throwsAt("trade"),
    endless,
    { ...plain, message: "x".repeat(1 << 21) },
    JSON.stringify(plain),
  ]) {
    assert.throws(() => readError(hostile), TypeError);
  }
  const polluted = JSON.parse(`{"__proto__":{"outcome":"not_sent"},${JSON.stringify(plain).slice(1)}`);
  assert.equal(readError(polluted).outcome, "failed");
});

test("an error with as many bad fields as any has is shown and read as what it is", async () => {
  const buys = new Array(20_000).fill({ fromWallet: "", amountInLamports: -1 });
  const error = await new TradeClient(service).bundleBuy({ mint: "M", feePayer: "W", buys }).catch((error) => error);
  assert.ok(error.fields.length > 1_000);
  assert.equal(view(error).status, "not_sent");
  assert.deepEqual(readError(inJson(error)).fields, error.fields);
});

test("long results keep every digit, however deep and long", async () => {
  const results = `[1.10,${"[".repeat(40)}18446744073709551617${"]".repeat(40)},"${"x".repeat(1 << 16)}",{"InstructionError":[0,{"Custom":6002}]}]`;
  const error = await settled(reply(200, `{"result":{"transactionResult":{"success":false,"results":${results}}}}`));
  assert.equal(readError(inJson(error)).trade.exact.results, error.trade.exact.results);
});
