// The exports besides the client, given values that their types forbid: they answer or throw their own error, never trap.

import assert from "node:assert/strict";
import test from "node:test";
import {
  TradeClient,
  isTradeError,
  operationAt,
  readCall,
  readReply,
  renderHtml,
  renderText,
  view,
} from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { hostile, revoked, throws } from "../odd.mjs";
import { requests, simulated } from "./service.mjs";

const cyclic = () => {
  const trade = { operation: "buy", result: {} };
  trade.result.transactionResult = { results: trade };
  return trade;
};
const huge = () => ({
  operation: "buy",
  result: {
    mint: "x".repeat(5_000_000),
    transactionResult: { results: Array.from({ length: 200_000 }, (_, index) => index) },
  },
  exact: {},
  explorer: {},
  launchpad: {},
});

const NOT_TEXT = () => [
  5,
  NaN,
  null,
  undefined,
  {},
  [],
  true,
  5n,
  Symbol("s"),
  () => {},
  Promise.resolve("{}"),
  hostile(),
  revoked(),
  Buffer.from("{}"),
  new String("{}"),
];

/** The module still works: a trap would have broken it. */
const stillTrades = async () => assert.equal((await simulated().buy(requests().buy)).status, "landed");

test("only text is a path, a body, a reply or a snapshot", async () => {
  for (const value of NOT_TEXT()) {
    assert.equal(operationAt(value), undefined);
    assert.throws(() => readCall("buy", value), { name: "TradeNotSentError", code: "invalid_request" });
    assert.throws(() => readReply("buy", 200, value), { name: "TradeOutcomeUnknownError", code: "unreadable_reply" });
    assert.throws(() => Sandbox.restore(value), { name: "TradeNotSentError", code: "invalid_options" });
  }
  await stillTrades();
});

test("what a sandbox cannot use is refused by an error of the package's, and nothing moves", async () => {
  const sandbox = new Sandbox();
  const before = sandbox.snapshot();
  const refuses = (call, code, field) => assert.throws(call, { name: "TradeNotSentError", code, field });
  for (const value of NOT_TEXT()
    .filter((value) => value != null && typeof value !== "function")
    .concat("text")) {
    refuses(() => sandbox.useClock(value), "invalid_options", "useClock");
    refuses(() => sandbox.onChanges(value), "invalid_options", "onChanges");
  }
  for (const operation of NOT_TEXT())
    refuses(() => sandbox.quote(operation, requests().buy), "invalid_request", "operation");
  assert.equal(sandbox.snapshot(), before);
  sandbox.fund(sandbox.wallets[0].wallet, 5n);
  assert.notEqual(sandbox.snapshot(), before);
  await stillTrades();
});

test("a clock that fails has its request fail, and nothing moves", async () => {
  const sandbox = new Sandbox();
  const before = sandbox.snapshot();
  const body = JSON.stringify(requests().buy);
  const post = () =>
    sandbox.fetch("https://sandbox.invalid/v1/trade/buy", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
  sandbox.useClock(throws);
  await assert.rejects(post(), { message: "no" });
  for (const time of [NaN, Infinity, -1, "5", undefined, null, 5n, {}]) {
    sandbox.useClock(() => time);
    await assert.rejects(post(), { name: "TradeNotSentError", code: "invalid_options", field: "useClock" });
  }
  assert.equal(sandbox.snapshot(), before);
  sandbox.useClock(null);
  assert.equal((await post()).status, 200);
});

test("an invalid status is not treated as another", async () => {
  const body = '{"result":{"transactionResult":{"success":true}}}';
  for (const status of [NaN, -1, 0, 99, 600, 70_000, 65_536 + 200, 2 ** 32 + 200, Infinity, -Infinity]) {
    assert.throws(() => readReply("buy", status, body), { outcome: "unknown" }, String(status));
  }
  for (const status of [
    200n,
    "200",
    undefined,
    null,
    {},
    [200],
    new Number(200),
    Symbol("s"),
    hostile(),
    revoked(),
    { valueOf: throws },
  ]) {
    for (const options of [undefined, {}]) {
      assert.throws(() => readReply("buy", status, body, options), {
        name: "TradeOutcomeUnknownError",
        code: "unexpected_status",
      });
    }
  }
  assert.equal(readReply("buy", 200, body).status, "landed");
});

test("a reply of any size is bounded, and leaves the module whole", async () => {
  const items = "{},".repeat(22_000_000);
  const huge = `{"result":[${items}{}]}`;
  for (const body of [huge, Buffer.from(huge)]) {
    assert.throws(() => readReply("buy", 200, body), {
      name: "TradeOutcomeUnknownError",
      code: "reply_too_large",
      status: 200,
      message: "outcome unknown: the reply is over 1048576 bytes",
    });
    assert.throws(() => readReply("buy", 200, body, { maxReplyBytes: 1 << 24 }), { code: "reply_too_large" });
    // An unread refusal may tell of a trade.
    assert.throws(() => readReply("buy", 400, body), {
      name: "TradeOutcomeUnknownError",
      code: "reply_too_large",
      status: 400,
    });
  }
  const most = { maxReplyBytes: 1 << 24 };
  const within = `{"result":{"transactionResult":{"results":[${items.slice(0, 3 * 5_000_000)}{}]}}}`;
  assert.throws(() => readReply("buy", 200, within, most), {
    code: "unreadable_reply",
    message: /^outcome unknown: the reply has more than 4194304 values/,
  });
  const text = `{"result":{"transactionResult":{"success":true}},"note":"${"é".repeat(500_000)}"}`;
  assert.throws(
    () => readReply("buy", 200, text, { maxReplyBytes: 600_000 }),
    { code: "reply_too_large" },
    "bytes are counted, not characters",
  );
  assert.equal(readReply("buy", 200, text).status, "landed");
  assert.throws(() => readCall("buy", huge), {
    code: "invalid_request",
    message: "not sent: the body is over 16777216 characters",
  });
  await stillTrades();
});

test("what grows while it is read, or never ends, is read for as long as it was at first", async () => {
  const element = () => ({ fromWallet: "W", amountInLamports: 1 });
  const growing = [element()];
  Object.defineProperty(growing[0], "slippage", { enumerable: true, get: () => (growing.push(element()), null) });
  const grown = new Proxy([element()], {
    get: (target, name, receiver) => {
      if (name === "0") target.push(element());
      return Reflect.get(target, name, receiver);
    },
  });
  const bundle = (buys) => ({ mint: "M", feePayer: "W", buys });
  for (const buys of [growing, grown])
    assert.equal(
      readCall("bundleBuy", simulated().build("bundleBuy", bundle(buys)).body).body.match(/fromWallet/g).length,
      1,
    );
  for (const length of [2 ** 53 - 1, Infinity, 2 ** 32, -1, NaN, 0.5, "5", {}]) {
    const lying = new Proxy([], {
      get: (_target, name) => (name === "length" ? length : name === Symbol.iterator ? undefined : element()),
    });
    assert.throws(() => simulated().build("bundleBuy", bundle(lying)), { code: "invalid_request" }, String(length));
  }
  const endless = () => new Proxy({}, { getPrototypeOf: endless });
  for (const request of [endless(), { mint: "M", fromWallet: endless(), amountInLamports: 1 }, bundle([endless()])]) {
    assert.throws(() => simulated().build("buy" in request ? "buy" : "bundleBuy", request), {
      code: "invalid_request",
    });
  }
  assert.throws(() => new TradeClient(endless()), { code: "invalid_options" });
  assert.equal(view(endless()).status, "unknown");
  await stillTrades();
});

test("anything can be rendered, quickly and briefly", async () => {
  const values = [
    hostile(),
    revoked(),
    Symbol("s"),
    () => {},
    5n,
    null,
    undefined,
    "x".repeat(10_000_000),
    cyclic(),
    huge(),
    Object.defineProperty(new Error("x"), "message", { get: throws }),
    { operation: "buy", result: hostile() },
    {
      outcome: "unknown",
      code: "timeout",
      message: "m",
      fields: hostile(),
      trade: revoked(),
      status: NaN,
      retryAfterMs: -1,
    },
    {
      outcome: "failed",
      code: "transaction_failed",
      message: '"><img src=x onerror=alert(1)>&lt;b&gt;',
      trade: huge(),
      fields: new Array(200_000).fill({ field: "a", code: "empty", message: "b" }),
    },
  ];
  for (const value of values) {
    const began = performance.now();
    const { title, status, lines } = view(value);
    assert.ok(title && status && Array.isArray(lines));
    assert.ok(renderText(value).length < 20_000, "what is shown is bounded");
    assert.match(renderHtml(value), /^<section class="trade trade-\w+">((?!<img|&lt;b).)*<\/section>$/s);
    assert.ok(performance.now() - began < 60_000);
    assert.equal(isTradeError(value), false);
  }
  assert.ok(renderHtml(values.at(-1)).includes("&gt;&lt;img src=x onerror=alert(1)&gt;&amp;lt;b&amp;gt;"));
  await stillTrades();
});

test("a request of the wrong kind is the sandbox's 4xx or the caller's own TypeError", async () => {
  const { fetch } = new Sandbox();
  for (const input of [5, null, undefined, {}, "not a url", hostile(), Symbol("s")])
    await assert.rejects(
      fetch(input),
      (error) => error instanceof Error && !(error instanceof WebAssembly.RuntimeError),
      String(typeof input),
    );
  for (const [init, status] of [
    [undefined, 405],
    [{ method: "POST" }, 415],
    [{ method: "POST", body: "x" }, 415],
    [{ method: "POST", body: "x", headers: { "content-type": "application/json" } }, 400],
    [{ method: "POST", body: new Uint8Array([0xff]), headers: { "content-type": "application/json" } }, 400],
  ]) {
    assert.equal((await fetch("https://sandbox.example/v1/trade/buy", init)).status, status);
  }
  await stillTrades();
});

test("a client or a sandbox that was freed says so at every use, and what it gave out goes on", async () => {
  const sandbox = new Sandbox();
  const { fetch } = sandbox;
  const client = simulated({ fetch });
  const pending = client.buy(requests().buy);
  client.free();
  assert.equal((await pending).status, "landed");
  assert.equal(sandbox.trades.length, 1);
  sandbox.free();
  client.free();
  assert.equal((await fetch("https://sandbox.example/")).status, 404);
  for (let count = 0; count < 20_000; count++) {
    assert.throws(() => client.build("buy", {}), {
      name: "ReferenceError",
      message: "this TradeClient was freed, or is not one",
    });
    assert.throws(() => sandbox.tokens, ReferenceError);
  }
  await stillTrades();
});
