// Prototypes that were extended or frozen: nothing is read from them, and nothing breaks by them.

import assert from "node:assert/strict";
import test from "node:test";
import { capture } from "../../scripts/program.mjs";
import { LANDED, requests } from "./service.mjs";

// In a process of its own: a test runner has prototypes, too.
const told = async (source) => {
  const script = `
    import { TradeClient, validate } from "launchpad-desk";
    const LANDED = ${JSON.stringify(LANDED)};
    const request = ${JSON.stringify(requests().buy)};
    const baseURL = "https://service.example";
    const calls = [];
    const fetchBy = (answer) => async (url, init) => (calls.push({ url, ...init }), answer());
    // Plain, and made now: how the runtime's own classes handle such prototypes is not tested.
    // Each trade has a signature of its own.
    const bytes = () => new TextEncoder().encode(LANDED.split("5igna7ure").join("5igna7ure" + calls.length)).buffer;
    const reply = (status) => ({ status, headers: { get: () => null }, body: null, arrayBuffer: async () => bytes() });
    const [landed, busy] = [reply(200), reply(503)];
    const lands = fetchBy(() => landed);
    process.stdout, process.stderr;
    const settled = (promise) => promise.then((trade) => [trade.status, trade.intentId, Object.hasOwn(trade, "intentId")], (error) => [error.name, error.outcome, error.code, error.field ?? error.message]);
    const made = (options) => { try { return new TradeClient(options); } catch (error) { return [error.name, error.code, error.fields?.map(({ field, code }) => \`\${field} \${code}\`).join()]; } };
    const tell = (value) => console.log(JSON.stringify(value));
    ${source}`;
  return JSON.parse(await capture(process.execPath, ["--input-type=module", "--eval", script]));
};

// What a trade and an error have of their own is defined on them, not set: a setter or a read-only field above would interfere.
const CLOSED = {
  "read-only": "{ value: 'theirs', configurable: true }",
  throwing: "{ get() { throw new Error('no'); }, set() { throw new Error('no'); }, configurable: true }",
};
const NAMES = [
  ...["intentId", "warnings", "status", "withResponse", "outcome", "code"],
  ...["result", "mint", "number", "call", "get", "set"],
];
for (const [how, descriptor] of Object.entries(CLOSED)) {
  test(`a ${how} name of Object.prototype: the trade is returned, and its wallet is free`, async () => {
    const seen = await told(`
      const all = [];
      for (const name of ${JSON.stringify(NAMES)}) {
        calls.length = 0;
        const client = new TradeClient({ baseURL, fetch: lands });
        Object.defineProperty(Object.prototype, name, ${descriptor});
        const first = await settled(client.buy({ ...request, slippage: 500 }, Object.assign(Object.create(null), { intentId: "i-1" })));
        const second = await settled(client.buy(request, Object.assign(Object.create(null), { intentId: "i-2" })));
        delete Object.prototype[name];
        all.push([name, [first, second, client.guards.inFlight.length, calls.length]]);
      }
      tell(all);`);
    const landed = [["landed", "i-1", true], ["landed", "i-2", true], 0, 2];
    assert.deepEqual(
      seen,
      NAMES.map((name) => [name, landed]),
    );
  });
}

test("a read-only Object.prototype.code: a failure is reported as it is", async () => {
  const seen = await told(`
    const client = new TradeClient({ baseURL, fetch: fetchBy(() => busy) });
    Object.defineProperty(Object.prototype, "code", { value: "theirs", configurable: true });
    Object.defineProperty(Object.prototype, "trade", { value: Object.freeze({}), configurable: true });
    const error = await client.buy(request).catch((error) => error);
    tell([error.outcome, error.code, error.status, client.guards.inFlight.length]);`);
  assert.deepEqual(seen, ["unknown", "service_error", 503, 0]);
});

const POLLUTED = {
  apiKey: "'sk-polluted-01'",
  fetch: "fetchBy(() => { throw new Error('theirs'); })",
  intentHeader: "'x-theirs'",
  keyScheme: "'Theirs '",
  headers: "({ 'x-theirs': '1' })",
  defaultHeaders: "({ 'x-theirs': '1' })",
  dryRun: "true",
  baseURL: "'https://theirs.example'",
  hooks: "({ beforeSend() { throw new Error('theirs'); } })",
  journal: "({ begin() { throw new Error('theirs'); }, settle() {} })",
  timeoutMs: "1",
  signal: "AbortSignal.abort()",
  logger: "({ info() {} })",
};
test("what Object.prototype has is no option of a client: it is refused by name, or not taken", async () => {
  const seen = await told(`
    const all = [];
    for (const [name, value] of Object.entries({ ${Object.entries(POLLUTED).map(([name, value]) => `${name}: () => ${value}`)} })) {
      calls.length = 0;
      const client = new TradeClient({ baseURL, fetch: lands });
      Object.prototype[name] = value();
      const late = await settled(client.buy(request, undefined));
      const sent = calls.map(({ url, headers }) => [url, Object.keys(headers).sort()]);
      const bare = made(undefined);
      const other = made({ fetch: lands, baseURL });
      delete Object.prototype[name];
      all.push([name, [late[0], sent, bare, other instanceof TradeClient ? "made" : other]]);
    }
    tell(all);`);
  const expected = (name) => [
    "landed",
    [["https://service.example/v1/trade/buy", ["accept", "content-type"]]],
    ["TradeNotSentError", "invalid_options", "baseURL required"],
    ["keyScheme", "headers", "signal", "baseURL", "fetch"].includes(name)
      ? "made"
      : ["TradeNotSentError", "invalid_options", `${name} conflict`],
  ];
  assert.deepEqual(
    seen,
    Object.keys(POLLUTED).map((name) => [name, expected(name)]),
  );
});

test("options that are inherited are refused, each by name, and not dropped: one may have been meant as a limit", async () => {
  const seen = await told(`
    class Defaults { constructor() { Object.assign(this, { baseURL, dryRun: true }); } get timeoutMs() { return 5_000; } }
    const inherited = Object.create({ baseURL, apiKey: "key-8901", maxLamportsPerDay: 1 });
    const hidden = Object.defineProperty({ baseURL, fetch: lands }, "maxLamportsPerTrade", { value: 1 });
    const client = new TradeClient({ baseURL, fetch: lands });
    tell([
      made(inherited),
      made(hidden),
      made(Object.assign(Object.create({ retryNotSent: 1 }), { baseURL })),
      made(new Defaults()) instanceof TradeClient,
      await settled(client.buy(request, Object.create({ intentId: "x" }))),
      calls.length,
    ]);`);
  assert.deepEqual(seen, [
    ["TradeNotSentError", "invalid_options", "baseURL conflict,apiKey conflict,maxLamportsPerDay conflict"],
    ["TradeNotSentError", "invalid_options", "maxLamportsPerTrade conflict"],
    ["TradeNotSentError", "invalid_options", "retryNotSent conflict"],
    true,
    ["TradeNotSentError", "not_sent", "invalid_options", "intentId"],
    0,
  ]);
});

test("what a part of options or a request inherits is refused by name, too", async () => {
  const seen = await told(`
    const inherits = (inherited, own) => Object.assign(Object.create(inherited), own);
    const bare = Object.assign(Object.create(null), { unknowns: 1 });
    const hides = (own, ...names) => Object.defineProperties(own, Object.fromEntries(names.map((name) => [name, { value: 1 }])));
    const client = new TradeClient({ baseURL, fetch: lands });
    const checked = (given) => validate("buy", given).errors.map(({ field, code, message }) => [field, code, message]);
    tell([
      made({ baseURL, rateLimit: inherits({ maxQueueMs: 5, burst: 2 }, { perSecond: 1 }) }),
      made({ baseURL, breaker: Object.create(bare) }),
      made({ baseURL, rateLimit: hides({ perSecond: 1 }, "maxQueueMs", "burst"), breaker: hides({}, "unknowns", "stopsSells", "__ob__") }),
      made({ baseURL, breaker: inherits({ log() {} }, { unknowns: 1 }) }) instanceof TradeClient,
      made(Object.create({ baseURL, fetch: lands, hooks: {} })),
      checked(inherits({ slippage: 1 }, request)),
      [{ ...request }, inherits({ log() {} }, request)].map((given) =>
        checked(Object.defineProperties(given, { slippage: { value: 1 }, __ob__: { value: 1 } })).map(([field]) => field)),
      checked({ ...request, slippage: Object.create({ percent: 1 }) }).map(([field]) => field),
      await settled(client.buy(request, { before: [Object.create({ wallet: "W", tokens: 1 })] })),
      calls.length,
    ]);`);
  assert.deepEqual(seen, [
    ["TradeNotSentError", "invalid_options", "rateLimit.maxQueueMs conflict,rateLimit.burst conflict"],
    ["TradeNotSentError", "invalid_options", "breaker.unknowns conflict"],
    [
      "TradeNotSentError",
      "invalid_options",
      "rateLimit.maxQueueMs conflict,rateLimit.burst conflict,breaker.unknowns conflict,breaker.stopsSells conflict",
    ],
    true,
    ["TradeNotSentError", "invalid_options", "fetch conflict,baseURL conflict,hooks conflict"],
    [["slippage", "unreadable", "slippage is an inherited or hidden field"]],
    [["slippage"], ["slippage"]],
    ["slippage"],
    ["TradeNotSentError", "not_sent", "invalid_options", "before[0].wallet"],
    0,
  ]);
});
