// A module that fails, and a runtime that fails, in the middle of a call: the call has its honest outcome, what was made with the module
// throws one error, and what is made after that works.

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { memoryJournal } from "launchpad-desk/browser";
import { anotherCopy } from "../copies.mjs";
import { end, serving } from "../hosts/command.mjs";
import { throws } from "../odd.mjs";

const BUY = { mint: "M", fromWallet: "W", amountInLamports: 1_000 };
const landed = (more = "") =>
  new TextEncoder().encode(
    `{"result":{"mint":"M","wallet":"W","buyAmount":"1","transactionResult":{"success":true}}${more}}`,
  );
const replying = (bytes) => async () => ({
  status: 200,
  headers: { get: () => null },
  arrayBuffer: async () => bytes.buffer,
});
const options = { baseURL: "https://service.invalid", maxReplyBytes: 1 << 24, inFlightPerWallet: 100 };
const MADE_AGAIN = "not sent: the WebAssembly module failed, and what was made with it is lost: make it again";

function leb(bytes, at) {
  let [value, shift] = [0, 0];
  for (; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}
function toLeb(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value & 127) | 128);
  return [...bytes, value];
}

/** The same module with so many pages of memory at most, beyond those that it begins with. */
function withMemory(bytes, pages) {
  for (let at = 8; at < bytes.length;) {
    const [length, from] = leb(bytes, at + 1);
    if (bytes[at] === 5) {
      const [least] = leb(bytes, from + 2);
      const section = [1, 1, ...toLeb(least), ...toLeb(least + pages)];
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from([5, ...toLeb(section.length), ...section]),
        bytes.subarray(from + length),
      ]);
    }
    at = from + length;
  }
  throw new Error("no memory");
}

/** Makes exports of later instances trap, as long as `traps` says so of their name. */
async function trapping(work) {
  const { Instance } = WebAssembly;
  const state = { traps: () => false };
  WebAssembly.Instance = function (module, imports) {
    const { exports } = new Instance(module, imports);
    const own = {};
    for (const [name, value] of Object.entries(exports)) {
      const call = (...given) => {
        if (state.traps(name)) throw new WebAssembly.RuntimeError("unreachable");
        return value(...given);
      };
      own[name] = typeof value === "function" ? call : value;
    }
    return { exports: own };
  };
  try {
    return await work(state);
  } finally {
    WebAssembly.Instance = Instance;
  }
}

const failure = (promise) =>
  promise.then(
    () => assert.fail("it did not fail"),
    (error) => error,
  );
const told = ({ name, code, outcome, message }) => [name, code, outcome, message];
const NOT_SENT = ["TradeNotSentError", "module_failed", "not_sent", MADE_AGAIN];
const AFTER = [
  "TradeOutcomeUnknownError",
  "module_failed_after_send",
  "unknown",
  "outcome unknown: the WebAssembly module failed after the request went out",
];

/** That a client is over, in every way that it can be used, and that a new one is not. */
async function isOver({ TradeClient, TradeError }, client, fetch) {
  for (const use of [
    () => client.buy(BUY),
    () => client.pending(),
    () => client.settle(),
    () => client.acknowledge("a", "landed"),
    () => client.intentState("a"),
    () => client.plan("buy", BUY),
  ]) {
    const error = await failure((async () => use())());
    if (error instanceof TypeError) continue; // settle without a market
    assert.deepEqual(told(error), NOT_SENT, String(use));
    assert.ok(error instanceof TradeError);
  }
  for (const use of [() => client.guards, () => client.build("buy", BUY), () => client.tokenDecimals])
    assert.throws(use, { code: "module_failed" });
  client.free();
  const next = new TradeClient({ ...options, fetch });
  assert.equal((await next.buy(BUY)).status, "landed");
  assert.deepEqual(await next.pending(), []);
}

test("no memory is left while a reply is read", async () => {
  const { Module } = WebAssembly;
  const compiled = (bytes) => new Module(withMemory(bytes, 24));
  const entry = await replaced(
    WebAssembly,
    "Module",
    function (bytes) {
      return compiled(bytes);
    },
    () => anotherCopy("index.js"),
  );
  const journal = memoryJournal();
  const small = new entry.TradeClient({ ...options, fetch: replying(landed()), journal });
  assert.equal((await small.buy(BUY, { intentId: "before" })).status, "landed");
  const client = new entry.TradeClient({
    ...options,
    journal,
    fetch: replying(landed(`,"note":"${"x".repeat(15 << 20)}"`)),
  });
  const error = await failure(client.buy(BUY, { intentId: "big" }));
  assert.deepEqual([...told(error), error.intentId], [...AFTER, "big"]);
  await isOver(entry, client, replying(landed()));
  // Its journal knows what the client no longer does.
  const next = new entry.TradeClient({ ...options, journal, fetch: replying(landed()) });
  assert.deepEqual(
    (await next.pending()).map(({ intentId }) => intentId),
    ["big"],
  );
  assert.deepEqual(told(await failure(small.buy(BUY))), NOT_SENT, "every client of that instance");
});

test("a trap at any step: what was sent decides, and all that is in flight hears of it", async () => {
  await trapping(async (state) => {
    const entry = await anotherCopy("index.js");
    for (let at = 1; ; at++) {
      let [calls, sent, answer] = [0, 0, undefined];
      const fetch = async (...given) => (sent++, await answer, replying(landed())(...given));
      const client = new entry.TradeClient({ ...options, fetch });
      state.traps = (name) => /^(tradeflow|clientcore)_/.test(name) && ++calls === at;
      const made = await client.buy(BUY).catch((error) => error);
      state.traps = () => false;
      if (made.status === "landed" && calls < at) break;
      if (made.status !== "landed") {
        assert.equal(made.code, sent ? "module_failed_after_send" : "module_failed", `${at}: ${made.stack}`);
        assert.equal(made.outcome, sent ? "unknown" : "not_sent", `${at}`);
        assert.ok(made instanceof (sent ? entry.TradeOutcomeUnknownError : entry.TradeNotSentError));
      }
      await isOver(entry, client, replying(landed()));
    }
    // Two in flight: one fails, and the other has been sent, too.
    let answer;
    const waits = new Promise((resolve) => (answer = resolve));
    const client = new entry.TradeClient({
      ...options,
      fetch: async (...given) => (await waits, replying(landed())(...given)),
    });
    const flights = [client.buy(BUY), client.buy(BUY)].map(failure);
    await new Promise((resolve) => setTimeout(resolve, 20));
    let left = 1;
    state.traps = (name) => name === "tradeflow_body" && left-- > 0;
    answer();
    for (const error of await Promise.all(flights)) assert.deepEqual(told(error), AFTER);
    await isOver(entry, client, replying(landed()));
  });
});

test("a new instance that cannot be made is tried again", async () => {
  await trapping(async (state) => {
    const entry = await anotherCopy("index.js");
    const client = new entry.TradeClient({ ...options, fetch: replying(landed()) });
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function () {
      throw new RangeError("no memory");
    };
    state.traps = () => true;
    assert.equal((await failure(client.buy(BUY))).code, "module_failed");
    assert.throws(() => new entry.TradeClient({ ...options }), { code: "module_failed" });
    WebAssembly.Instance = Instance;
    state.traps = () => false;
    assert.throws(() => new entry.TradeClient({ ...options }), { code: "module_failed" }, "this makes the instance");
    await isOver(entry, client, replying(landed()));
  });
});

test("the other modules, too", async () => {
  await trapping(async (state) => {
    const [{ Curve, Exits }, { Sandbox }] = [await anotherCopy("market.js"), await anotherCopy("sandbox.js")];
    const [curve, sandbox] = [new Curve(), new Sandbox()];
    const price = curve.buyExactIn(1_000_000n);
    const open = new Exits({ stopLoss: "0.7x" }).open({
      id: "a",
      mint: "M",
      wallet: "W",
      tokens: 5n,
      costLamports: 1n,
      openedAtMs: 0,
    });
    state.traps = (name) => /curve/i.test(name);
    assert.throws(
      () => curve.buyExactIn(1_000_000n),
      (error) => error.name === "TradeNotSentError" && error.code === "module_failed",
    );
    state.traps = () => false;
    for (const use of [() => curve.buyExactIn(1_000_000n), () => open.isOver])
      assert.throws(use, { code: "module_failed", message: MADE_AGAIN });
    curve.free();
    assert.deepEqual(new Curve().buyExactIn(1_000_000n), price);
    assert.ok(sandbox.tokens.length > 0, "what another module has made is whole");
    state.traps = (name) => /sandbox_advance/i.test(name);
    assert.throws(() => sandbox.advance(1), { code: "module_failed" });
    state.traps = () => false;
    for (const use of [() => sandbox.tokens, () => sandbox.advance(1)])
      assert.throws(use, { code: "module_failed", message: MADE_AGAIN });
    assert.ok(new Sandbox().tokens.length > 0);
  });
});

/** Replaces a global's member while `work` runs. */
async function replaced(object, name, value, work) {
  const before = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
  try {
    return await work();
  } finally {
    if (before) Object.defineProperty(object, name, before);
    else delete object[name];
  }
}

test("a clock that fails after the send loses no outcome, and before it sends nothing", async () => {
  const { TradeClient } = await anotherCopy("index.js");
  for (const clock of [throws, () => NaN, () => "now", () => -1, () => ({})]) {
    const fetch = async (...given) => {
      Object.defineProperty(Date, "now", { value: clock, configurable: true, writable: true });
      return replying(landed())(...given);
    };
    const journal = memoryJournal();
    const client = new TradeClient({ ...options, fetch, journal });
    const trade = await replaced(Date, "now", Date.now, () => client.buy(BUY, { intentId: "a" }));
    assert.equal(trade.status, "landed");
    assert.deepEqual([await client.pending(), await client.intentState("a")], [[], "ended"]);
    await replaced(Date, "now", clock, async () => {
      assert.deepEqual(await client.pending(), []);
      assert.equal(client.guards.mode, "active");
      assert.equal((await client.buy(BUY)).status, "landed");
    });
  }
  let sent = 0;
  const unused = await anotherCopy("index.js");
  const client = new unused.TradeClient({ ...options, fetch: async () => (sent++, replying(landed())()) });
  const error = await replaced(Date, "now", throws, () => failure(client.buy(BUY)));
  assert.deepEqual([error.outcome, sent], ["not_sent", 0]);
});

test("whatever else of the runtime fails, the outcome is what was sent", async () => {
  const { TradeClient } = await anotherCopy("index.js");
  const parts = [
    [globalThis, "setTimeout"],
    [globalThis, "clearTimeout"],
    [globalThis.crypto, "randomUUID"],
    [globalThis.crypto, "getRandomValues"],
    [performance, "now"],
    [globalThis, "structuredClone"],
    [globalThis, "queueMicrotask"],
    [AbortController.prototype, "abort"],
  ];
  for (const [object, name] of parts) {
    for (const when of ["before", "after"]) {
      let sent = 0;
      const before = Object.getOwnPropertyDescriptor(object, name);
      const fail = () => Object.defineProperty(object, name, { value: throws, configurable: true, writable: true });
      const fetch = async (...given) => {
        sent++;
        if (when === "after") fail();
        return replying(landed())(...given);
      };
      const client = new TradeClient({ ...options, fetch, retryNotSent: 1 });
      let made;
      try {
        if (when === "before") fail();
        made = await client.buy(BUY).catch((error) => error);
      } finally {
        if (before) Object.defineProperty(object, name, before);
        else delete object[name];
      }
      if (made.status === "landed") assert.equal(sent, 1);
      else assert.equal(made.outcome, sent ? "unknown" : "not_sent", `${name}, ${when}: ${made.stack}`);
    }
  }
});

test("calls that share a signal share one listener, and leave none", async () => {
  const { TradeClient } = await anotherCopy("index.js");
  const stop = new AbortController();
  const warnings = [];
  const warn = (warning) => warnings.push(warning.name);
  process.on("warning", warn);
  let answer;
  const waits = new Promise((resolve) => (answer = resolve));
  const fetch = async (...given) => (await waits, replying(landed())(...given));
  const client = new TradeClient({ ...options, fetch });
  const trades = Array.from({ length: 40 }, () => client.buy(BUY, { signal: stop.signal }));
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(getEventListeners(stop.signal, "abort").length, 1);
  answer();
  for (const trade of await Promise.all(trades)) assert.equal(trade.status, "landed");
  assert.equal(getEventListeners(stop.signal, "abort").length, 0);
  const never = new TradeClient({ ...options, fetch: () => new Promise(() => {}) });
  const lost = Array.from({ length: 20 }, () => failure(never.buy(BUY, { signal: stop.signal })));
  await new Promise((resolve) => setTimeout(resolve, 20));
  stop.abort();
  for (const error of await Promise.all(lost)) assert.equal(error.code, "aborted");
  assert.equal(getEventListeners(stop.signal, "abort").length, 0);
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warn);
  assert.deepEqual(warnings, []);
});

/** What a program prints, as JSON. */
async function said(source, more = {}) {
  const options = { cwd: new URL("..", import.meta.url), env: { ...process.env, ...more } };
  const { out, err } = await end(process.execPath, ["--input-type=module", "--eval", source], options);
  return { ...JSON.parse(out), err };
}

test("where WebAssembly is missing or not allowed, the import says so in a sentence with a code", async () => {
  for (const [take, says] of [
    [
      "delete globalThis.WebAssembly",
      /^launchpad-desk cannot start: this runtime has no WebAssembly, such as Hermes, or a browser in Lockdown Mode$/,
    ],
    ["globalThis.WebAssembly = {}", /^launchpad-desk cannot start: this runtime has no WebAssembly/],
    [
      "WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('refused by the policy') } }",
      /^launchpad-desk cannot start: this page or runtime does not let it compile WebAssembly: a content security policy has to have 'wasm-unsafe-eval'$/,
    ],
  ]) {
    for (const entry of ["launchpad-desk", "launchpad-desk/market", "launchpad-desk/sandbox", "../pkg/dist/index.js"]) {
      const { code, message } = await said(
        `${take}; const e = await import(${JSON.stringify(entry)}).catch((e) => e); console.log(JSON.stringify({ code: e.code, message: e.message }));`,
      );
      assert.equal(code, "no_webassembly", entry);
      assert.match(message, says);
    }
  }
});

test("in a test runner a client without fetch says once that a stub of the global one does not stop it", async (t) => {
  const { url: baseURL } = await serving((_request, response) => response.writeHead(400).end("{}"), t);
  const clear = { NODE_TEST_CONTEXT: undefined, JEST_WORKER_ID: undefined, VITEST: undefined, NODE_ENV: undefined };
  const trades = (
    more = "",
  ) => `import { TradeClient } from "launchpad-desk"; globalThis.fetch = () => { throw new Error("stubbed"); };
    const client = new TradeClient({ baseURL: ${JSON.stringify(baseURL)}${more} }); const buy = { mint: "M", fromWallet: "W", amountInLamports: 1 };
    const codes = []; for (let at = 0; at < 2; at++) codes.push(await client.buy(buy).catch((e) => e.code)); console.log(JSON.stringify({ codes }));`;
  const warnings = ({ err }) => [...err.matchAll(/LaunchpadDeskWarning: (.*)/g)].map(([, text]) => text);
  const text =
    "A test sends a trade by Node's own HTTP, which a stub of the global fetch does not stop. Give the client a fetch, such as `new Sandbox().fetch`, or your stub.";
  for (const env of [
    { NODE_TEST_CONTEXT: "child" },
    { JEST_WORKER_ID: "1" },
    { VITEST: "true" },
    { NODE_ENV: "test" },
  ]) {
    const ran = await said(trades(), { ...clear, ...env });
    assert.deepEqual(
      [warnings(ran), ran.codes],
      [[text], ["rejected_by_service", "rejected_by_service"]],
      Object.keys(env)[0],
    );
  }
  assert.deepEqual(warnings(await said(`globalThis.describe = globalThis.it = () => {}; ${trades()}`, clear)), [text]);
  assert.deepEqual(warnings(await said(trades(), clear)), [], "no runner");
  assert.deepEqual(
    warnings(await said(trades(", fetch: globalThis.fetch"), { ...clear, NODE_ENV: "test" })),
    [],
    "it was given one",
  );
});
