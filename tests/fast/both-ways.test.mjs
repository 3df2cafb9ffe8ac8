// The package's fast ways against its plain ones, by requests and replies at random: whatever is given, what comes out is
// what the plain way alone makes of it.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isValid, readReply, validate } from "launchpad-desk";
import { OPERATIONS, drawer, replyOf, requestOf, show } from "./random.js";

const CASES = 5_000;

/** What a call comes to: its value, or what it throws, as text. */
function outcome(work) {
  try {
    return show(work());
  } catch (error) {
    return show({ ...error, trade: error.trade ?? null, message: error.message });
  }
}

/** The same request with a prototype of its own, which is for the plain way alone. */
function plainly(request) {
  if (typeof request !== "object" || request === null || Array.isArray(request)) return request;
  const prototype = Object.getPrototypeOf(request);
  return prototype === Object.prototype ? Object.create({}, Object.getOwnPropertyDescriptors(request)) : request;
}

test("requests at random", () => {
  const clients = new Map();
  const clientOf = (rules) => {
    const key = JSON.stringify(rules);
    if (!clients.has(key)) clients.set(key, new TradeClient(rules));
    return clients.get(key);
  };
  let good = 0;
  let bad = 0;
  for (let seed = 0; seed < CASES; seed++) {
    // Each time anew: a getter may say another thing the next time.
    const { operation, rules } = requestOf(seed);
    const given = () => requestOf(seed).request;
    const checked = outcome(() => validate(operation, plainly(given()), rules));
    assert.equal(outcome(() => validate(operation, steady(given()), rules)), outcome(() => validate(operation, plainly(steady(given())), rules)), `seed ${seed}`);
    const client = clientOf(rules);
    assert.equal(outcome(() => client.build(operation, steady(given()))), outcome(() => client.build(operation, plainly(steady(given())))), `seed ${seed}`);
    if (checked === '{"errors":[],"warnings":[]}') good++;
    const valid = isValid(operation, steady(given()), rules);
    assert.equal(valid, validate(operation, plainly(steady(given())), rules).errors.length === 0, `seed ${seed}`);
    if (!valid) bad++;
  }
  assert.ok(good > CASES / 4, `only ${good} were good`);
  assert.ok(bad > CASES / 8, `only ${bad} were bad`);
});

/** The request with what its getters say the first time, since one that is not for the fast way is read again. */
function steady(request) {
  if (typeof request !== "object" || request === null) return request;
  const read = (object, name) => {
    const field = Object.getOwnPropertyDescriptor(object, name);
    if (!field?.get || !field.configurable) return;
    try {
      Object.defineProperty(object, name, { value: object[name], enumerable: field.enumerable, configurable: true, writable: true });
    } catch {
      // One that throws goes on to throw.
    }
  };
  for (const name of Object.getOwnPropertyNames(request)) {
    read(request, name);
    const list = Object.getOwnPropertyDescriptor(request, name)?.value;
    if (Array.isArray(list)) for (const element of list) if (typeof element === "object" && element !== null) Object.getOwnPropertyNames(element).forEach((each) => read(element, each));
  }
  return request;
}

test("replies at random", () => {
  let read = 0;
  for (let seed = 0; seed < CASES; seed++) {
    const { operation, reply, names } = replyOf(seed);
    // So long a reply is for the plain way alone.
    const long = reply + " ".repeat(40_000);
    const both = [reply, long].map((body) => {
      try {
        const trade = readReply(operation, 200, body, { replyNames: names });
        read++;
        assert.equal(trade.raw, body);
        return show({ ...trade, raw: "" });
      } catch (error) {
        return `${error.name} ${error.code} ${show({ ...error.trade, raw: "" })}`;
      }
    });
    assert.equal(both[0], both[1], `seed ${seed}: ${reply}`);
  }
  assert.ok(read > CASES / 4, `only ${read} were read`);
});

test("a request is valid or not by options of every kind", () => {
  const address = "So11111111111111111111111111111111111111112";
  const buy = { mint: address, fromWallet: "W", amountInLamports: 5 };
  assert.equal(isValid("buy", buy), true);
  assert.equal(isValid("buy", buy, {}), true);
  assert.equal(isValid("buy", buy, { identifiers: "any" }), true);
  assert.equal(isValid("buy", buy, { identifiers: "base58" }), false);
  assert.equal(isValid("buy", { ...buy, fromWallet: address }, { identifiers: "base58" }), true);
  assert.equal(isValid("buy", { ...buy, slippage: 500 }), true, "what is only warned of");
  assert.equal(isValid("buy", { ...buy, slippage: { bps: 50.5 } }, { slippageUnit: "bps" }), true);
  assert.equal(isValid("buy", { ...buy, amountInLamports: 0 }), false);
  assert.equal(isValid("buy", { ...buy, amountInLamports: "5" }), validate("buy", { ...buy, amountInLamports: "5" }).errors.length === 0);
  assert.equal(isValid("buy", { ...buy, amount: 5 }), false);
  for (const request of [null, undefined, 5, [], "buy"]) assert.equal(isValid("buy", request), false);
  for (const options of [{ identifiers: "base64" }, { identifier: "base58" }, 5, null, { identifiers: undefined, slippageUnit: "ppm" }]) {
    let expected = "none";
    try {
      validate("buy", buy, options);
    } catch (error) {
      expected = error.code;
    }
    let code = "none";
    try {
      isValid("buy", buy, options);
    } catch (error) {
      code = error.code;
    }
    assert.equal(code, expected, show(options));
  }
  assert.throws(() => isValid("swap", buy), { code: "invalid_request" });
});

test("a reply's bytes are read as its text is", () => {
  const encoder = new TextEncoder();
  const read = (...given) => outcome(() => ({ ...readReply(...given), name: "a trade" }));
  for (let seed = 0; seed < CASES; seed++) {
    const { operation, reply, names } = replyOf(seed);
    // A lone surrogate has no bytes.
    const bytes = encoder.encode(reply);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    for (const options of [undefined, { replyNames: names }]) {
      assert.equal(read(operation, 200, bytes, options), read(operation, 200, text, options), `seed ${seed}: ${reply}`);
    }
  }
  const reply = encoder.encode('{"result":{"transactionResult":{"success":true,"results":"ok?"}}}');
  assert.equal(readReply("buy", 200, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), reply])).status, "landed");
  const broken = reply.map((byte) => (byte === 0x3f ? 0xff : byte));
  assert.throws(() => readReply("buy", 200, broken), { name: "TradeOutcomeUnknownError", code: "unreadable_reply" });
  assert.throws(() => readReply("buy", 503, reply), { code: "service_error" });
});

test("what is plainly good is read once, at any place of any operation", () => {
  for (const operation of OPERATIONS) {
    for (let seed = 0; seed < 200; seed++) {
      const draw = drawer(seed);
      const leg = { buy: { amountInLamports: 5 }, sell: { amountInToken: "1.5" }, sellByPercentage: { percentage: 12.5 } };
      const single = { bundleBuy: "buy", bundleSell: "sell", bundleSellByPercentage: "sellByPercentage" }[operation];
      const element = { fromWallet: "W", ...leg[single ?? operation], slippage: draw.below(50) };
      const request = single ? { mint: "M", feePayer: "P", [single === "buy" ? "buys" : "sells"]: [element] } : { mint: "M", ...element };
      const target = draw.chance(0.5) ? element : request;
      const name = draw.of(Object.keys(target));
      const value = target[name];
      let reads = 0;
      Object.defineProperty(target, name, { enumerable: true, get: () => (reads++, value) });
      assert.deepEqual(validate(operation, request), { errors: [], warnings: [] });
      // The plain way would have to read it again.
      assert.equal(reads, target === request || single ? 1 : 0, `${operation} ${name}`);
    }
  }
});

test("a field that every object has is not taken for the request's", () => {
  const client = new TradeClient();
  const request = { mint: "M", fromWallet: "W", amountInLamports: 5 };
  const { body } = client.build("buy", request);
  for (const enumerable of [true, false]) {
    Object.defineProperty(Object.prototype, "slippage", { value: 50, enumerable, configurable: true });
    try {
      assert.equal(client.build("buy", request).body, body);
    } finally {
      delete Object.prototype.slippage;
    }
  }
});
