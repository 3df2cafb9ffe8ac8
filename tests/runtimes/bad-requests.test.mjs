// A bad request gets a TradeNotSentError with every bad field, quickly, and nothing is sent.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeNotSentError, readCall, validate } from "launchpad-desk";
import { hostile, revoked, thrown, throws } from "../odd.mjs";
import { LANDED, OPERATIONS, clientBy, fetchOf, rejection, requests, simulated } from "./service.mjs";

/** Far above what any case takes, and far below a hang. */
const BOUND_MS = 60_000;

const HUGE = "9".repeat(10_000_000);
const cycle = () => {
  const object = { deeper: {} };
  object.deeper.deeper = object;
  return object;
};
const describe = (value) => {
  if (typeof value === "string") return value.length > 20 ? `a string of ${value.length}` : JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`.slice(0, 30);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return "an object that cannot be printed";
  }
};

/** Sends it with a counting client, and returns `field code` of each bad field. */
async function refused(operation, request) {
  const fetch = fetchOf(LANDED);
  const client = clientBy(fetch);
  const began = performance.now();
  const error = await rejection(client[operation](request));
  const built = thrown(client.build, operation, request);
  const { errors } = validate(operation, request);
  const took = performance.now() - began;
  assert.ok(error instanceof TradeNotSentError, String(error));
  assert.deepEqual([error.outcome, error.code, fetch.calls.length], ["not_sent", "invalid_request", 0]);
  assert.equal(error.field, error.fields[0].field);
  assert.deepEqual(built.fields, error.fields, "build refuses the same");
  assert.deepEqual(errors, error.fields, "validate finds the same");
  for (const { message } of error.fields) assert.ok(message.length > 5 && message.length < 400, message);
  assert.ok(error.message.length < 1_500, `a message of ${error.message.length}`);
  assert.ok(took < BOUND_MS, `${took} ms`);
  return error.fields.map(({ field, code }) => `${field} ${code}`);
}

// What each kind of field refuses, and with which code. `() => value` is called for each case.
/** Values by the code that refuses them, as pairs of a value and its code. */
const cases = (byCode) => Object.entries(byCode).flatMap(([code, values]) => values.map((value) => [value, code]));
const FOREIGN = cases({
  unreadable: [Symbol("s"), () => () => {}, () => hostile(), () => revoked(), () => new Proxy([], { get: throws })],
});
const IDENTIFIER = [
  ...FOREIGN,
  ...cases({
    empty: [""],
    white_space: [
      " ",
      "a b",
      "a\n",
      "a\0",
      "a\u00a0",
      "a\u2028",
      "\ufeffa",
      "a\ud800",
      "Sim\u202eTrader",
      "a\u200b",
      "\u{e0041}a",
    ],
    too_long: ["x".repeat(129)],
    unreadable: [HUGE],
    wrong_type: [5, NaN, 5n, true, () => ({}), () => [], () => cycle(), () => new String("mint")],
  }),
];
const NUMBER = [
  ...FOREIGN,
  ...cases({
    not_a_number: [NaN, Infinity, -Infinity],
    wrong_type: [true, () => ({}), () => [5], () => new Number(5), () => new Date()],
    unreadable: [HUGE],
  }),
];
const AMOUNT = [
  ...NUMBER,
  ...cases({
    not_positive: [0, -0, -1, -1.5, 0n, -1n, "0", "0.000", "-5"],
    unreadable: [2n ** 200n],
    empty: [""],
    not_a_number: [" 1", "1 ", "abc", "0x10", "1e9", "1_000", "1,000", "NaN", "Infinity", "١"],
  }),
];
const WHOLE = cases({
  not_an_integer: [1.5, "1.5"],
  "not_an_integer|out_of_range": [Number.MIN_VALUE],
  not_exact: [2 ** 53],
  "out_of_range|not_exact": [1e21],
  out_of_range: [1.7976931348623157e308, 2n ** 64n, "18446744073709551616"],
});
const NOT_NEGATIVE = AMOUNT.filter(([value]) => !/^0(\.0+)?$/.test(String(value)));
const AMOUNT_IN_TOKEN = [
  ...AMOUNT.filter(([value]) => typeof value !== "bigint"),
  ...cases({
    wrong_type: [
      5n,
      -1n,
      () => ({ tokens: 1, baseUnits: 1n }),
      () => ({ lamports: 1n }),
      () => ({ tokens: { tokens: 1 } }),
    ],
    empty: [() => ({ tokens: "" }), () => ({ baseUnits: "" })],
    not_an_integer: [() => ({ tokens: "0.0000001" }), () => ({ tokens: 0.1 + 0.2 }), () => ({ baseUnits: 1.5 })],
    not_positive: [() => ({ tokens: 0n }), () => ({ baseUnits: 0n }), () => ({ baseUnits: -1n })],
    not_exact: [() => ({ baseUnits: 2 ** 53 })],
    out_of_range: [() => ({ baseUnits: 2n ** 64n })],
  }),
];
const KINDS = {
  identifier: IDENTIFIER,
  lamports: [...AMOUNT, ...WHOLE],
  tokens: AMOUNT_IN_TOKEN,
  percentage: [...AMOUNT, ...cases({ out_of_range: [100.0000001, "100.0000001", 101, 101n, 1e300] })],
  slippage: [
    ...NOT_NEGATIVE.filter(([value]) => typeof value !== "function"),
    ...cases({
      wrong_type: [() => ({}), () => [], () => ({ percent: 1, bps: 2 }), () => ({ pct: 1 })],
      empty: [() => ({ percent: "" })],
      not_a_number: [() => ({ percent: "1%" }), () => ({ bps: NaN })],
      not_positive: [() => ({ percent: -1 })],
    }),
  ],
  units: [...NOT_NEGATIVE, ...WHOLE],
  elements: [
    ...FOREIGN,
    ...cases({
      empty: [() => []],
      wrong_type: [() => ({}), () => ({ length: 1, 0: {} }), "x", 5],
      unreadable: [() => new Array(200_000).fill(0), () => new Array(4_294_967_295)],
    }),
  ],
};
const ABSENT = [undefined, null];

const OPTIONAL = [
  ["slippage", "slippage"],
  ["priorityUnitLimit", "units"],
  ["priorityUnitPrice", "units"],
];
const single = (amount, kind) => ({
  required: [
    ["mint", "identifier"],
    ["fromWallet", "identifier"],
    [amount, kind],
  ],
  optional: [["feePayer", "identifier"], ...OPTIONAL],
});
const bundle = (list, amount, kind) => ({
  required: [
    ["mint", "identifier"],
    ["feePayer", "identifier"],
    [list, "elements"],
    [`${list}[1].fromWallet`, "identifier"],
    [`${list}[1].${amount}`, kind],
  ],
  optional: [...OPTIONAL, [`${list}[1].slippage`, "slippage"]],
});
const FIELDS = {
  buy: single("amountInLamports", "lamports"),
  sell: single("amountInToken", "tokens"),
  sellByPercentage: single("percentage", "percentage"),
  bundleBuy: bundle("buys", "amountInLamports", "lamports"),
  bundleSell: bundle("sells", "amountInToken", "tokens"),
  bundleSellByPercentage: bundle("sells", "percentage", "percentage"),
};

/** The operation's good request with one field changed. */
function withField(operation, path, value) {
  const request = requests()[operation];
  const [, list, index, name] = /^(?:(\w+)\[(\d)\]\.)?(\w+)$/.exec(path);
  (list ? request[list][index] : request)[name] = typeof value === "function" ? value() : value;
  return request;
}

test("the good requests are good", () => {
  for (const operation of OPERATIONS)
    assert.deepEqual(validate(operation, requests()[operation]), { errors: [], warnings: [] });
});

for (const operation of OPERATIONS) {
  const { required, optional } = FIELDS[operation];
  for (const [path, kind] of [...required, ...optional]) {
    test(`${operation}: ${path} refuses invalid values (${kind})`, async () => {
      for (const [value, codes] of KINDS[kind]) {
        const found = await refused(operation, withField(operation, path, value));
        assert.equal(found.length, 1, `${describe(value)}: ${found}`);
        assert.ok(
          codes.split("|").some((code) => found[0] === `${path} ${code}`),
          `${describe(value)}: ${found}, not ${codes}`,
        );
      }
      const isRequired = required.some(([name]) => name === path);
      for (const value of isRequired ? ABSENT : [])
        assert.deepEqual(await refused(operation, withField(operation, path, value)), [`${path} required`]);
      for (const value of isRequired ? [] : ABSENT)
        assert.deepEqual(validate(operation, withField(operation, path, value)).errors, []);
    });
  }

  test(`${operation}: every bad field at once, in the table's order`, async () => {
    const found = await refused(operation, { slipage: 1 });
    const top = required.filter(([path]) => !path.includes("["));
    assert.equal(found[0], "slipage unknown_field");
    assert.deepEqual(found.slice(1).sort(), top.map(([path]) => `${path} required`).sort());
  });

  test(`${operation}: anything but an object`, async () => {
    for (const [value, code] of cases({
      required: [undefined, null],
      wrong_type: [5, NaN, "x", 5n, true, []],
      unreadable: [HUGE, Symbol("s"), () => {}, hostile(), revoked(), new Proxy([], { get: throws })],
    })) {
      assert.deepEqual(await refused(operation, value), [` ${code}`], describe(value));
    }
  });

  test(`${operation}: malicious objects`, async () => {
    const good = () => requests()[operation];
    const deep = () => {
      let nested = {};
      for (let level = 0; level < 100_000; level++) nested = { nested };
      return nested;
    };
    const many = Object.fromEntries(Array.from({ length: 120_000 }, (_, index) => [`f${index}`, index]));
    const own = (name, value) => Object.defineProperty(good(), name, { value, enumerable: true });
    assert.deepEqual(await refused(operation, own("extra", cycle())), ["extra unknown_field"]);
    assert.deepEqual(await refused(operation, own("extra", deep())), ["extra unknown_field"]);
    assert.deepEqual(await refused(operation, own("__proto__", { mint: "M" })), ["__proto__ unknown_field"]);
    assert.deepEqual(await refused(operation, own("toJSON", throws)), ["toJSON unknown_field"]);
    assert.deepEqual(await refused(operation, own("<b>\u202e\n", 1)).then((found) => found.length), 1);
    assert.deepEqual(
      await refused(operation, Object.defineProperty(good(), "mint", { get: throws, enumerable: true })),
      ["mint unreadable"],
    );
    assert.deepEqual(await refused(operation, many), [" unreadable"]);
  });
}

for (const list of ["buys", "sells"]) {
  test(`invalid elements of ${list}`, async () => {
    const operation = list === "buys" ? "bundleBuy" : "bundleSell";
    for (const [elements, expected] of [
      [[null], [`${list}[0] required`]],
      [new Array(1), [`${list}[0] required`]],
      [[5], [`${list}[0] wrong_type`]],
      [[[]], [`${list}[0] wrong_type`]],
      [[() => {}], [`${list}[0] unreadable`]],
      [[hostile()], [`${list}[0] unreadable`]],
    ]) {
      assert.deepEqual(await refused(operation, { ...requests()[operation], [list]: elements }), expected);
    }
    const [good] = requests()[operation][list];
    const bad = { ...good, fromWallet: "", mint: "M" };
    const found = await refused(operation, { ...requests()[operation], [list]: [good, bad, good, bad] });
    assert.deepEqual(
      found,
      [1, 3].flatMap((index) => [`${list}[${index}].mint unknown_field`, `${list}[${index}].fromWallet empty`]),
    );
  });
}

test("each field is read once, so that what is checked is what is sent", async () => {
  const fetch = fetchOf(LANDED);
  let reads = 0;
  const request = requests().buy;
  Object.defineProperty(request, "amountInLamports", { enumerable: true, get: () => (reads++ === 0 ? 1 : 10 ** 12) });
  await clientBy(fetch).buy(request);
  assert.equal(reads, 1);
  assert.equal(JSON.parse(fetch.calls[0].init.body).amountInLamports, 1);
});

test("a request that changes after the call is sent as it was", async () => {
  const fetch = fetchOf(LANDED);
  const request = requests().buy;
  const sent = clientBy(fetch).buy(request);
  request.amountInLamports = 10 ** 12;
  await sent;
  assert.equal(JSON.parse(fetch.calls[0].init.body).amountInLamports, 1_000_000_000);
});

test("a getter may trade with the same client, or free it, and harms nobody", async () => {
  const fetch = fetchOf(LANDED);
  const client = clientBy(fetch, { inFlightPerWallet: 2 });
  let inner;
  const reenter = Object.defineProperty(requests().buy, "feePayer", {
    enumerable: true,
    get: () => ((inner = client.buy(requests().buy)), null),
  });
  await client.buy(reenter);
  await inner;
  assert.equal(fetch.calls.length, 2);
  // The call has begun, and continues like any other in flight.
  const freeing = Object.defineProperty(requests().buy, "feePayer", { enumerable: true, get: () => client.free() });
  assert.equal((await client.buy(freeing)).status, "landed");
  assert.throws(() => client.build("buy", requests().buy), ReferenceError);
  assert.equal((await clientBy(fetch).buy(requests().buy)).status, "landed");
});

test("a getter that builds or plans another request changes neither, whatever their texts are made of", async () => {
  const client = clientBy(fetchOf(LANDED));
  const long = "é".repeat(100);
  const build = (fields) => JSON.parse(client.build("buy", { ...requests().buy, ...fields }).body);
  let inner;
  const outer = Object.defineProperty({ ...requests().buy, mint: "é" }, "feePayer", {
    enumerable: true,
    get: () => ((inner = build({ mint: long, fromWallet: "😀" })), "€"),
  });
  const { mint, fromWallet, feePayer } = JSON.parse(client.build("buy", outer).body);
  assert.deepEqual([mint, fromWallet, feePayer], ["é", requests().buy.fromWallet, "€"]);
  assert.deepEqual([inner.mint, inner.fromWallet], [long, "😀"]);
  // Two halves of a character side by side are not a character.
  const { errors } = validate("buy", { ...requests().buy, mint: "x\ud83d", fromWallet: "\ude00x" });
  assert.deepEqual(
    errors.map(({ field, code }) => [field, code]),
    [
      ["mint", "white_space"],
      ["fromWallet", "white_space"],
    ],
  );
  // One that is longer than all before it, and one after that.
  assert.equal(validate("buy", { ...requests().buy, mint: "é".repeat(1 << 19) }).errors[0].code, "too_long");
  assert.equal(build({ mint: "after" }).mint, "after");
  // Its price is read after its request: by then another plan is being made.
  const other = [];
  const price = () =>
    Object.defineProperty({}, "paid", {
      enumerable: true,
      get: () => (other.push(client.plan("buy", { ...requests().buy, mint: "other" })), 5),
    });
  const plan = await client.plan("buy", { ...requests().buy, mint: "one" }, { price });
  assert.deepEqual([JSON.parse(plan.body).mint, plan.price.paid], ["one", 5]);
  for (const { body } of await Promise.all(other)) assert.equal(JSON.parse(body).mint, "other");
});

test("a request is the fields it has, a class's getters too, and no others", async () => {
  class Request {
    mint = requests().buy.mint;
    fromWallet = requests().buy.fromWallet;
    amountInLamports = 5;
    get slippage() {
      return 7;
    }
  }
  assert.match(simulated().build("buy", new Request()).body, /"slippage":7[,}]/);
  const required = ["mint required", "fromWallet required", "amountInLamports required"];
  for (const value of [Object.create(null), new Date()]) assert.deepEqual(await refused("buy", value), required);
  assert.deepEqual(await refused("buy", new Map([["mint", "M"]])), ["size unknown_field", ...required]);
});

test("bytes and boxed texts, one field a character, are no request", async () => {
  for (const heavy of [new Uint8Array(1e7), new String("x".repeat(1e6))])
    assert.deepEqual(await refused("buy", heavy), [" unreadable"]);
  // Five gigabytes, if each text were read.
  assert.equal(
    (await refused("buy", { ...requests().buy, mint: Array(5_000).fill("x".repeat(1 << 20)) }))[0],
    "mint wrong_type",
  );
});

test("exact amounts arrive exactly as given", async () => {
  for (const [operation, field, given, sent] of [
    ["buy", "amountInLamports", 9007199254740991, "9007199254740991"],
    ["buy", "amountInLamports", 18446744073709551615n, "18446744073709551615"],
    ["buy", "amountInLamports", "18446744073709551615", "18446744073709551615"],
    ["sell", "amountInToken", 0.1, "0.1"],
    ["sell", "amountInToken", 1e-7, "0.0000001"],
    ["sell", "amountInToken", "0.30000000000000004", '"0.30000000000000004"'],
    ["sell", "amountInToken", "123456789012345678901234567890", '"123456789012345678901234567890"'],
    ["sell", "amountInToken", { baseUnits: 16996189n }, "16.996189"],
    ["sell", "amountInToken", { baseUnits: "18446744073709551615" }, "18446744073709.551615"],
    ["sell", "amountInToken", { tokens: "16.99" }, '"16.99"'],
    ["sell", "amountInToken", { tokens: 16.99 }, "16.99"],
    ["bundleSell", "sells[0].amountInToken", { baseUnits: 16996189n }, '"16.996189"'],
    ["sellByPercentage", "percentage", 33.3, "33.3"],
    ["sellByPercentage", "percentage", "33.3", "33.3"],
    ["sellByPercentage", "percentage", 50n, "50"],
    ["buy", "slippage", 500, "500"],
    ["buy", "slippage", "500", "500"],
    ["buy", "slippage", 500n, "500"],
    ["buy", "slippage", { percent: 0.5 }, "0.5"],
    ["buy", "slippage", { percent: "0.5" }, "0.5"],
    ["buy", "slippage", { bps: "50" }, "0.5"],
    ["buy", "priorityUnitLimit", "200000", "200000"],
    ["buy", "priorityUnitPrice", "18446744073709551615", "18446744073709551615"],
    ["bundleSellByPercentage", "sells[1].percentage", "12.5", "12.5"],
    ["bundleBuy", "buys[1].slippage", "12.5", "12.5"],
    ["buy", "slippage", { bps: 50 }, "0.5"],
  ]) {
    const { body } = simulated().build(operation, withField(operation, field, given));
    assert.match(
      body,
      new RegExp(`"${field.replace(/.*\./, "")}":${sent.replaceAll(".", "\\.")}[,}]`),
      `${field} ${describe(given)} in ${body}`,
    );
  }
});

test("a bare bigint of tokens is refused in words that name the right forms", async () => {
  const error = await rejection(simulated().sell({ ...requests().sell, amountInToken: 16996189n }));
  assert.equal(
    error.message,
    'not sent: amountInToken must not be a bare bigint: { baseUnits: 16990000n } for base units, { tokens: "16.99" } or "16.99" for whole tokens',
  );
});

test("an unknown operation is named, and does not trap", () => {
  for (const name of ["bUy", "", "__proto__", "toString", 5, null, undefined, {}, Symbol("buy")]) {
    for (const work of [() => validate(name, {}), () => readCall(name, "{}"), () => simulated().build(name, {})]) {
      assert.throws(work, { name: "TradeNotSentError", field: "operation" });
    }
  }
});

test("a body that a gateway reads is refused alike", () => {
  for (const [body, expected] of [
    ["", " unreadable"],
    ["{", " unreadable"],
    ["[]", " wrong_type"],
    ["null", " required"],
    ['{"mint":"M","mint":"N"}', " unreadable"],
    [`${"[".repeat(10_000)}${"]".repeat(10_000)}`, " unreadable"],
    ['{"mint":"M","fromWallet":"W","amountInLamports":1e400}', "amountInLamports out_of_range"],
    ['{"mint":"M","fromWallet":"W","amountInLamports":1.5}', "amountInLamports not_an_integer"],
  ]) {
    const [{ field, code }] = thrown(readCall, "buy", body).fields;
    assert.equal(`${field} ${code}`, expected, body.slice(0, 80));
  }
  for (const amount of ["1e3", "1.0"])
    assert.ok(readCall("buy", `{"mint":"M","fromWallet":"W","amountInLamports":${amount}}`), amount);
});
