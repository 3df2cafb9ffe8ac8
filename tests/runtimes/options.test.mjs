// Options: every declared one is accepted, and an unknown name is refused with the nearest known one.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, readCall, readReply, validate } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { throws } from "../odd.mjs";
import { fieldsOf } from "./declared.mjs";
import { ADA, LANDED, MINT, clientBy, fetchOf, rejection, requests, service, simulated } from "./service.mjs";

/** What each option may be, and by code what it may not. */
const CHECK = {
  slippageUnit: { good: ["percent", "bps"], bad: { out_of_range: ["bp", ""], wrong_type: [1] } },
  buysMayExceed: { good: ["nothing", "slippage"], bad: { out_of_range: ["amount", ""], wrong_type: [1] } },
  identifiers: { good: ["any", "base58"], bad: { out_of_range: ["base64"], wrong_type: [true] } },
  maxBundleSize: {
    good: [1, 20],
    bad: { out_of_range: [0, -1], not_an_integer: [1.5], not_a_number: [NaN], wrong_type: [{}] },
  },
  statusPolicy: {
    good: [{}, { 409: "rejected", 404: "unknown" }],
    bad: { out_of_range: [{ 200: "rejected" }, { 409: "landed" }, { 409: 5 }, { x: "unknown" }], wrong_type: ["x"] },
  },
  tokenDecimals: {
    good: [0, 9, 18, "6"],
    bad: { out_of_range: [19, -1], not_an_integer: [1.5], empty: [""], wrong_type: [true] },
  },
  // At least the reply that is read here.
  maxReplyBytes: { good: [4_096, 1 << 24], bad: { out_of_range: [0, (1 << 24) + 1], not_an_integer: [0.5] } },
  trustsFailure: { good: [true, false], bad: { wrong_type: ["yes", 1] } },
  replyNames: {
    good: [{}, { explorer: "scan" }, { explorer: "scan", launchpad: "pad" }],
    bad: { wrong_type: ["scan", [], 5] },
  },
};
const SEND = {
  timeoutMs: {
    good: [1, 2_147_483_647],
    bad: { out_of_range: [0, 2_147_483_648, -5], not_an_integer: [1.5], not_a_number: [Infinity] },
  },
  maxReplyBytes: { good: [1, 1 << 24], bad: { out_of_range: [0, (1 << 24) + 1], not_an_integer: [0.5] } },
  retryNotSent: { good: [0, 10], bad: { out_of_range: [11, -1], wrong_type: [true] } },
  askAgainWithinMs: {
    good: [0, 2_147_483_647],
    bad: { out_of_range: [-1, 2_147_483_648], not_an_integer: [0.5], not_a_number: ["x"] },
  },
  dryRun: { good: [true, false], bad: { wrong_type: [1, "true"] } },
  defaultHeaders: {
    good: [{}, { "x-desk": "a b" }],
    bad: {
      out_of_range: [
        { "a b": "x" },
        { "x-desk": "a\nb" },
        { "x-desk": 5 },
        { Host: "x" },
        { Expect: "100-continue" },
        { "keep-alive": "x" },
        JSON.parse('{"__proto__":"x"}'),
        { "Content-Type": "text/plain" },
      ],
      conflict: [{ "X-API-Key": "key-8901" }, { "x-desk": "a", "X-Desk": "b" }],
      wrong_type: ["x"],
    },
  },
  hooks: { good: [{}, { beforeSend() {}, afterSettle() {} }], bad: { wrong_type: [5, "x"] } },
  logger: { good: [{}, { info() {} }], bad: { wrong_type: [5, true] } },
  logLevel: { good: ["debug", "info", "warn", "error"], bad: { out_of_range: ["off"], wrong_type: [1] } },
};
const CLIENT = {
  ...CHECK,
  ...SEND,
  maxLamportsPerTrade: {
    good: [1, 10n ** 19n, "5"],
    bad: { out_of_range: [-1], not_an_integer: [0.5], not_exact: [2 ** 53], wrong_type: [{}] },
  },
  maxLamportsPerDay: {
    good: [1, 10n ** 19n, "5"],
    bad: { out_of_range: [-1], not_an_integer: [0.5], "not_an_integer|not_exact": [2 ** 64], not_a_number: ["x"] },
  },
  maxSlippage: {
    good: [1, { percent: 5 }, { bps: 500 }],
    bad: { "out_of_range|not_positive": [-1], not_a_number: [NaN] },
  },
  maxImpactBps: { good: [0, 300], bad: { out_of_range: [-1], not_an_integer: [0.5], wrong_type: [{}] } },
  maxPriceAgeMs: { good: [0, 5_000], bad: { out_of_range: [-1], not_an_integer: [0.5], wrong_type: [{}] } },
  allowMints: { good: [[MINT]], bad: { wrong_type: ["x"] } },
  allowWallets: { good: [[ADA]], bad: { wrong_type: ["x"] } },
  rateLimit: { good: [{ perSecond: 2 }, { perSecond: 1, burst: 5, maxQueueMs: 100 }], bad: { wrong_type: [5] } },
  inFlightPerWallet: { good: [1, 50], bad: { out_of_range: [0], not_an_integer: [0.5] } },
  breaker: { good: [{}, { unknowns: 1 }, { stopsSells: false }], bad: { wrong_type: [5] } },
  checkDrift: { good: [false], bad: { wrong_type: [1], conflict: [true] } },
  settleAfterMs: { good: [], bad: { "out_of_range|conflict": [0], not_an_integer: [0.5], conflict: [90_000] } },
  journal: { good: [{ begin() {}, settle() {} }], bad: { wrong_type: [{}, { begin() {} }, 5] } },
  market: {
    good: [{ quoteBody() {}, before() {}, settleTrade() {}, confirm() {} }],
    bad: { wrong_type: [{}, { before() {} }, 5] },
  },
  intentHeader: {
    good: ["Idempotency-Key"],
    bad: { out_of_range: ["a b"], conflict: ["accept", "X-Api-Key", "upgrade"], wrong_type: [5] },
  },
  gateway: { good: [true, false], bad: { wrong_type: ["yes", 1] } },
  dangerouslyAllowBrowser: { good: [true, false], bad: { wrong_type: ["yes"] } },
  baseURL: {
    good: [
      "https://service.example",
      "https://service.example/base/",
      "http://127.0.0.1:8787",
      "http://localhost",
      "http://[::1]:1",
      "https://service.example/v1/desk",
      "https://service.example/v1x",
      "https://v1/v1s",
      "https://service.example/v1/trades",
    ],
    bad: {
      out_of_range: [
        "service.example",
        "http://service.example",
        "http://127.evil.example",
        "ftp://service.example",
        "https://a:b@service.example",
        "https://service.example?x=1",
        "https://service.example#x",
        "javascript:alert(1)",
        ...["/v1", "/v1/", "/desk/V1", "/v1/trade", "/v1/trade/", "/v1/trade/buy", "/desk/v1/trade/bundle"].map(
          (path) => `https://service.example${path}`,
        ),
      ],
      "out_of_range|empty": [""],
      wrong_type: [5, {}],
    },
  },
  apiKey: {
    good: ["key-8901", "!~!~!~!~", async () => "key-8901"],
    bad: { empty: [""], out_of_range: ["too-few"], white_space: ["a b", "a\n", "é"], wrong_type: [5] },
  },
  apiKeyHeader: {
    good: ["X-Desk"],
    bad: {
      "out_of_range|empty": [""],
      out_of_range: ["a b", "a:b", "é"],
      conflict: ["Host", "cookie", "Content-Length", "transfer-encoding", "Connection", "expect", "__proto__"],
      wrong_type: [5],
    },
  },
  authorization: { good: ["bearer"], bad: { out_of_range: ["basic"], wrong_type: [true] } },
  fetch: { good: [fetchOf(LANDED)], bad: { wrong_type: [5, {}, "fetch"] } },
};
const CALL = {
  signal: {
    good: [new AbortController().signal],
    bad: { wrong_type: [5, "x", {}, true, () => {}, { aborted: "no" }] },
  },
  timeoutMs: CLIENT.timeoutMs,
  intentId: {
    good: ["signal-2041/entry", "x".repeat(128)],
    bad: { empty: [""], white_space: ["two words", "é"], too_long: ["x".repeat(129)], wrong_type: [5] },
  },
  before: {
    good: [[], [{ wallet: ADA, tokens: 5n }], [{ wallet: ADA, tokens: "5", lamports: 0 }]],
    bad: { wrong_type: ["x", {}] },
  },
};

/** The problems that `work` throws or rejects with, as `field code`. */
async function problems(work) {
  try {
    await work();
    return [];
  } catch (error) {
    assert.deepEqual(
      [error.name, error.code, error.outcome],
      ["TradeNotSentError", "invalid_options", "not_sent"],
      String(error),
    );
    return error.fields.map(({ field, code }) => `${field} ${code}`);
  }
}

const fetch = fetchOf(LANDED);
const base = (name) =>
  name === "baseURL" ? { fetch: new Sandbox().fetch } : name === "fetch" ? service : { ...service, fetch };
const USES = [
  ["ClientOptions", CLIENT, (options, name) => new TradeClient({ ...base(name), ...options })],
  ["SendOptions", SEND, (options) => clientBy(fetch).withOptions(options)],
  ["CallOptions", CALL, (options) => clientBy(fetch).buy(requests().buy, options)],
  ["CheckOptions", CHECK, (options) => validate("buy", {}, options)],
  [
    "CheckOptions",
    CHECK,
    (options) => readCall("buy", `{"mint":"${MINT}","fromWallet":"${ADA}","amountInLamports":1}`, options),
    "readCall",
  ],
  ["CheckOptions", CHECK, (options) => readReply("buy", 200, LANDED, options), "readReply"],
];

for (const [type, cases, use, title = type] of USES) {
  test(`${title}: the cases are those of the declarations`, () => {
    assert.deepEqual(Object.keys(cases).sort(), fieldsOf(type).sort());
  });

  for (const [name, { good, bad }] of Object.entries(cases)) {
    test(`${title}: ${name}`, async () => {
      const own = (value) => problems(() => use({ [name]: value }, name));
      // Base58 is then asked of the requests, too, which these tests' wallets do not have.
      for (const value of good.filter((value) => !(value === "base58" && title === "readCall")))
        assert.deepEqual(await own(value), [], String(value));
      // A base URL that got lost on the way would turn real trades into simulated ones.
      const lost = ["apiKey", "baseURL"].includes(name) ? [`${name} required`] : [];
      for (const value of [undefined, null]) assert.deepEqual(await own(value), lost, String(value));
      for (const [codes, value] of Object.entries(bad).flatMap(([codes, all]) => all.map((one) => [codes, one]))) {
        const sent = fetch.calls.length;
        const found = await own(value);
        assert.equal(fetch.calls.length, sent, `${String(value)}: nothing is sent`);
        assert.equal(found.length, 1, `${String(value)}: ${found}`);
        assert.ok(
          codes.split("|").some((code) => found[0] === `${name} ${code}`),
          `${String(value)}: ${found}, not ${codes}`,
        );
      }
    });

    test(`${title}: a typo of ${name} is refused and named`, async () => {
      const typo = name.slice(0, -1);
      const error = await rejection((async () => use({ [typo]: good[0] ?? 1 }, name))());
      assert.deepEqual(
        error.fields.map(({ field, code }) => [field, code]),
        [[typo, "unknown_field"]],
      );
      assert.ok(error.message.includes(name), error.message);
    });
  }

  test(`${title}: none at all will do, and what is no object is refused`, async () => {
    for (const options of [undefined, null, {}]) assert.deepEqual(await problems(() => use(options ?? {}, "")), []);
    for (const value of [5, "x", [], true, 5n]) {
      if (title === "ClientOptions")
        assert.equal((await problems(() => new TradeClient(value))).length, 1, String(value));
      else assert.equal((await problems(() => use(value, ""))).length, 1, String(value));
    }
  });

  test(`${title}: options that throw are refused, not trapped on`, async () => {
    const [name] = Object.keys(cases);
    const hostile = [
      new Proxy({}, { ownKeys: throws, get: throws }),
      Object.defineProperty({}, name, { enumerable: true, get: throws }),
    ];
    for (const options of hostile) {
      const make = title === "ClientOptions" ? () => new TradeClient(options) : () => use(options, "");
      assert.match((await problems(make)).join(), /unreadable|signal wrong_type/);
    }
  });
}

test("every bad option at once", async () => {
  const found = await problems(
    () => new TradeClient({ baseURL: "x", apiKey: "a b", timeoutMs: 0, fetch: 5, nonsense: 1 }),
  );
  assert.deepEqual(found.sort(), [
    "apiKey white_space",
    "baseURL out_of_range",
    "fetch wrong_type",
    "nonsense unknown_field",
    "timeoutMs out_of_range",
  ]);
});

test("options that contradict each other", async () => {
  assert.deepEqual(
    await problems(() => clientBy(fetch, { apiKey: "key-8901", apiKeyHeader: "x", authorization: "bearer" })),
    ["authorization conflict"],
  );
});

test("no header has two meanings, in whatever case it is written", async () => {
  const named = { ...service, fetch, apiKey: "key-8901", apiKeyHeader: "X-Desk-Key", intentHeader: "Idempotency-Key" };
  const bearer = { ...service, fetch, apiKey: "key-8901", authorization: "bearer" };
  for (const [options, defaultHeaders] of [
    [named, { "x-desk-key": "mine" }],
    [named, { "x-one": "1", "IDEMPOTENCY-KEY": "mine" }],
    [bearer, { Authorization: "Basic mine" }],
    [{ ...service, fetch }, { "x-api-key": "mine" }],
  ]) {
    assert.deepEqual(await problems(() => new TradeClient({ ...options, defaultHeaders })), [
      "defaultHeaders conflict",
    ]);
    const client = new TradeClient(options);
    for (const one of [client, client.withOptions({ defaultHeaders: { "x-one": "1" } })]) {
      assert.deepEqual(await problems(() => one.withOptions({ defaultHeaders })), ["defaultHeaders conflict"]);
    }
  }
  assert.deepEqual(await problems(() => new TradeClient({ ...bearer, intentHeader: "AUTHORIZATION" })), [
    "intentHeader conflict",
  ]);
  assert.deepEqual(
    await problems(
      () => new TradeClient({ ...named, intentHeader: "x-desk-key", defaultHeaders: { "x-desk-key": "mine" } }),
    ),
    ["intentHeader conflict", "defaultHeaders conflict"],
  );
  // A header that is not used here may be used.
  assert.deepEqual(
    await problems(
      () => new TradeClient({ ...named, defaultHeaders: { "x-api-key": "gateway", authorization: "Basic mine" } }),
    ),
    [],
  );
  assert.deepEqual(await problems(() => clientBy(fetch, { defaultHeaders: { authorization: "Basic mine" } })), []);
});

test("nobody trades in a simulation, or for real, by leaving a setting out", async () => {
  const missing =
    "client options: baseURL is missing; for a simulation pass the fetch of a Sandbox of launchpad-desk/sandbox";
  for (const options of [
    undefined,
    null,
    {},
    { baseURL: undefined },
    { baseURL: null },
    { fetch: undefined },
    { apiKey: "key-8901" },
    { dryRun: true },
  ]) {
    const error = await rejection((async () => new TradeClient(options))());
    assert.deepEqual(
      [error.name, error.code, error.field, error.message],
      ["TradeNotSentError", "invalid_options", "baseURL", missing],
    );
  }
  const lost = await rejection((async () => new TradeClient({ baseURL: undefined, fetch: new Sandbox().fetch }))());
  assert.equal(lost.message, "client options: baseURL is given without a value; leave it out to trade in a sandbox");
});

test("a base URL with the version in it is refused, with the right one in the message", async () => {
  for (const [baseURL, before] of [
    ["https://service.example/v1", "https://service.example"],
    ["https://service.example/Desk/v1/trade/buy", "https://service.example/Desk"],
  ]) {
    const error = await rejection((async () => new TradeClient({ baseURL }))());
    assert.equal(error.message, `client options: baseURL must end before /v1, which the client adds: ${before}`);
  }
});

test("a fetch without a base URL is a sandbox's own, and no other: nobody else is given the key", async () => {
  const sandbox = new Sandbox({ apiKey: "key-8901" });
  const client = new TradeClient({ fetch: sandbox.fetch, apiKey: "key-8901" });
  assert.equal((await client.buy(requests().buy)).status, "landed");
  assert.equal(sandbox.trades.length, 1);
  for (const other of [fetch, globalThis.fetch, (url, init) => sandbox.fetch(url, init)]) {
    const error = await rejection((async () => new TradeClient({ fetch: other, apiKey: "key-8901" }))());
    assert.equal(
      error.message,
      "client options: baseURL is missing; for a simulation pass the fetch of a Sandbox of launchpad-desk/sandbox",
    );
  }
  const wrapped = new TradeClient({
    baseURL: "https://sandbox.invalid",
    fetch: (url, init) => sandbox.fetch(url, init),
    apiKey: "key-8901",
  });
  assert.equal((await wrapped.buy(requests().buy)).status, "landed");
});

test("the settings of the dialect are applied", async () => {
  const body = (options) =>
    JSON.parse(simulated(options).build("buy", { ...requests().buy, slippage: { percent: 0.5 } }).body);
  assert.equal(body({ slippageUnit: "percent" }).slippage, 0.5);
  assert.equal(body({ slippageUnit: "bps" }).slippage, 50);
  const branded = LANDED.replace('"explorer"', '"scan"').replace('"launchpad"', '"pad"');
  const trade = await clientBy(fetchOf(branded), { replyNames: { explorer: "scan", launchpad: "pad" } }).buy(
    requests().buy,
  );
  assert.deepEqual(
    [trade.explorer.tx, trade.launchpad.mint],
    ["https://explorer.example/tx/S", "https://launchpad.example/coin/M"],
  );
  const small = await rejection(simulated({ maxBundleSize: 1 }).bundleBuy(requests().bundleBuy));
  assert.deepEqual(
    small.fields.map(({ field, code }) => [field, code]),
    [["buys", "too_many"]],
  );
  const failed = fetchOf('{"result":{"transactionResult":{"success":false}}}');
  for (const [trustsFailure, outcome] of [
    [true, "failed"],
    [false, "unknown"],
  ])
    assert.equal((await rejection(clientBy(failed, { trustsFailure }).buy(requests().buy))).outcome, outcome);
  const strict = await rejection(simulated({ identifiers: "base58" }).buy({ ...requests().buy, mint: "0OIl" }));
  assert.ok(strict.fields.some(({ field, code }) => field === "mint" && code === "not_base58"));
});
