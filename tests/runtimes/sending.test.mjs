// How a client sends, besides the trade itself: keys, headers, hooks, logs, retries, dry runs, warm connections.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import test from "node:test";
import { TradeClient, isTradeError } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { serving } from "../hosts/command.mjs";
import { throws } from "../odd.mjs";
import { LANDED, clientBy, fetchBy, fetchOf, rejection, requests, service, simulated } from "./service.mjs";

const { buy } = requests();
const later = (value, ms = 1) => new Promise((resolve) => setTimeout(resolve, ms, value));

test("a key that a function gives is asked for at each trade, and kept out of everything", async () => {
  const keys = ["sk-rotating-1", "sk-rotating-2"];
  const fetch = fetchBy(() => new Response(`{"message":"bad key ${keys[fetch.calls.length - 1]}"}`, { status: 401 }));
  const client = clientBy(fetch, { apiKey: async () => later(keys[fetch.calls.length]) });
  for (const key of keys) {
    const error = await rejection(client.buy(buy));
    assert.equal(error.code, "unauthorized");
    assert.equal(fetch.calls.at(-1).init.headers["x-api-key"], key);
    assert.equal(error.serviceMessage, "bad key [redacted]");
  }
});

test("a trade by the name of no operation is not sent, and its stack begins at the call", async () => {
  const fetch = fetchOf(LANDED);
  const error = await rejection(clientBy(fetch).trade("bid", buy));
  assert.match(error.message, /^not sent: operation must be one of buy, sell, /);
  assert.match(error.stack.split("\n")[1], /sending\.test\.mjs/);
  assert.equal(fetch.calls.length, 0);
});

for (const [title, apiKey] of [
  [
    "throws",
    () => {
      throw new Error("vault sealed: sk-secret-1");
    },
  ],
  ["rejects", () => Promise.reject(new Error("vault sealed"))],
  ["gives nothing", () => undefined],
  ["gives what is no key", () => "two words"],
  ["gives a short one", () => "short"],
  ["gives an object", () => ({ toString: () => "sk-secret-12" })],
]) {
  test(`a function for the key that ${title}: not sent`, async () => {
    const fetch = fetchOf(LANDED);
    const error = await rejection(clientBy(fetch, { apiKey }).buy(buy));
    assert.deepEqual([error.outcome, error.code], ["not_sent", "api_key_unavailable"]);
    assert.ok(!JSON.stringify(error).includes("sk-secret"));
    assert.equal(fetch.calls.length, 0);
  });
}

test("default headers go along, and none replaces the client's own", async () => {
  const fetch = fetchOf(LANDED);
  const client = clientBy(fetch, { apiKey: "sk-default-1", defaultHeaders: { "x-desk": "eleven", "x-trace": "a b" } });
  await client.buy(buy);
  const { headers } = fetch.calls[0].init;
  assert.deepEqual(
    { ...headers },
    {
      "x-desk": "eleven",
      "x-trace": "a b",
      "content-type": "application/json",
      accept: "application/json",
      "x-api-key": "sk-default-1",
    },
  );
});

test("hooks are called around a trade", async () => {
  const said = [];
  const fetch = fetchBy(() => (said.push("fetch"), new Response(LANDED)));
  const hooks = {
    beforeSend: async ({ operation }) => void said.push(`before ${operation}`),
    afterSettle: async (_intent, { outcome, status }) => void said.push(`after ${outcome} ${status}`),
  };
  await clientBy(fetch, { hooks }).buy(buy);
  assert.deepEqual(said.splice(0), ["before buy", "fetch", "after landed 200"]);
  // A check in it is the last word: nothing is waited for after it.
  const market = {
    quoteBody() {},
    settleTrade() {},
    confirm() {},
    before: async () => (said.push("market"), [{ wallet: buy.fromWallet, tokens: 1n }]),
  };
  await clientBy(fetch, { hooks, market }).buy(buy);
  assert.deepEqual(said, ["market", "before buy", "fetch", "after landed 200"]);
});

test("a logger gets each step from its level on, and no secret", async () => {
  const lines = [];
  const logger = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [level, (...line) => lines.push([level, ...line])]),
  );
  const replies = [
    [LANDED, 200],
    ["{}", 400],
    ["{}", 503],
  ];
  const make = (options) =>
    clientBy(
      fetchBy(() => {
        const [body, status] = replies[lines.filter(([level]) => level !== "debug").length % 3];
        return new Response(body, { status });
      }),
      { apiKey: "sk-logged-01", defaultHeaders: { "x-secret": "header-secret" }, logger, ...options },
    );
  const client = make({ logLevel: "debug" });
  for (let count = 0; count < 3; count++) await client.buy(buy, { intentId: `i${count}` }).catch(() => {});
  assert.deepEqual(
    lines.map(([level, line, { intentId }]) => `${level} ${line} ${intentId}`),
    [
      "debug buy: sending i0",
      "info buy: landed i0",
      "debug buy: sending i1",
      "warn buy: rejected i1",
      "debug buy: sending i2",
      "error buy: unknown i2",
    ],
  );
  for (const secret of ["sk-logged", "header-secret", buy.mint])
    assert.ok(!JSON.stringify(lines).includes(secret), secret);
  lines.length = 0;
  await make({ logLevel: "warn" }).buy(buy);
  assert.deepEqual(lines, []);
  const broken = clientBy(fetchOf(LANDED), {
    logger: {
      info: () => {
        throw new Error("no");
      },
    },
  });
  assert.equal((await broken.buy(buy)).status, "landed");
});

test("the logger gets the reason why a journal or a hook failed, but nobody gets the reason why a key is missing", async () => {
  const lines = [];
  const logger = { error: (...line) => lines.push(line) };
  const fails = () => {
    throw new Error("in use by process 7");
  };
  const fetch = fetchOf(LANDED);
  await rejection(clientBy(fetch, { logger, hooks: { beforeSend: fails } }).buy(buy, { intentId: "h" }));
  await rejection(clientBy(fetch, { logger, journal: { begin: fails, settle() {} } }).buy(buy, { intentId: "j" }));
  await rejection(clientBy(fetch, { logger, apiKey: fails }).buy(buy, { intentId: "k" }));
  const reason = "in use by process 7";
  assert.deepEqual(lines.splice(0), [
    ["hook_failed", { intentId: "h", reason }],
    ["journal_failed", { intentId: "j", reason }],
  ]);

  const forgets = clientBy(fetch, { logger, journal: { begin() {}, settle: fails }, hooks: { afterSettle: fails } });
  assert.equal((await forgets.buy(buy, { intentId: "s" })).status, "landed");
  const landed = {
    intentId: "s",
    outcome: "landed",
    code: null,
    status: 200,
    signature: "5igna7ure",
    proven: false,
    reason,
  };
  assert.deepEqual(lines.splice(0), [
    ["the journal did not record how a trade ended", landed],
    ["the hook after a trade threw", { intentId: "s", reason }],
  ]);

  const shut = clientBy(fetch, { logger, journal: { begin() {}, settle() {}, pending: fails } });
  for (const ask of [() => shut.pending(), () => shut.acknowledge("i", "landed")]) {
    const error = await rejection(ask());
    assert.deepEqual([error.code, lines.splice(0)], ["journal_failed", [["journal_failed", { reason }]]]);
    assert.ok(!JSON.stringify(error).includes(reason) && !`${error.message} ${error.stack}`.includes(reason));
  }
});

test("a dry run checks everything, and sends nothing", async () => {
  const fetch = fetchOf(LANDED);
  const client = clientBy(fetch, { dryRun: true, maxLamportsPerDay: 10n ** 10n });
  const error = await rejection(client.buy(buy));
  assert.deepEqual([error.outcome, error.code], ["not_sent", "dry_run"]);
  assert.equal((await rejection(client.buy({ ...buy, amountInLamports: 0 }))).code, "invalid_request");
  assert.equal((await rejection(client.buy({ ...buy, amountInLamports: 10n ** 11n }))).code, "over_day_limit");
  assert.equal(client.guards.lamportsToday, 0n);
  assert.equal((await client.withOptions({ dryRun: false }).buy(buy)).status, "landed");
  assert.equal(fetch.calls.length, 1);
});

test("what is proven unsent may be tried again", async () => {
  const closed = createServer();
  await new Promise((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address();
  await new Promise((resolve) => closed.close(resolve));
  const baseURL = `http://127.0.0.1:${port}`;
  const client = new TradeClient({ baseURL, retryNotSent: 2, hooks: { beforeSend: () => {} } });
  // The service comes up between the tries.
  const posts = [];
  const server = createServer((request, response) =>
    request.resume().on("end", () => (posts.push(request.url), response.end(LANDED))),
  );
  const trade = client.buy(buy);
  setTimeout(() => server.listen(port, "127.0.0.1"), 20);
  try {
    assert.equal((await trade).status, "landed");
    assert.equal(posts.length, 1);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("a transport may say of its own error that nothing was sent", async () => {
  const unsent = (mark) =>
    fetchBy(() =>
      Promise.reject(
        Object.assign(new Error("no"), { code: "EAI_AGAIN", [Symbol.for("launchpad-desk.unsent")]: mark }),
      ),
    );
  const error = await rejection(clientBy(unsent(true)).buy(buy));
  assert.deepEqual([error.outcome, error.code], ["not_sent", "connect_failed"]);
  for (const mark of [1, "yes", false, undefined])
    assert.equal((await rejection(clientBy(unsent(mark)).buy(buy))).outcome, "unknown");
});

test("withResponse gives the response, too", async () => {
  const fetch = fetchOf(LANDED, { status: 201, headers: { "x-request-id": "r-1" } });
  const { trade, response } = await clientBy(fetch).buy(buy).withResponse();
  assert.deepEqual([trade.status, response.status, response.headers.get("x-request-id")], ["landed", 201, "r-1"]);
  assert.equal((await simulated().buy(buy).withResponse()).response.status, 200);
  const failing = clientBy(fetchOf("{}", { status: 400 }));
  assert.equal((await rejection(failing.buy(buy).withResponse())).outcome, "rejected");
});

test("a trade in a sandbox needs no Request and no Response, which Node would have to load first", async () => {
  const client = simulated();
  const used = [];
  const own = ["Request", "Response", "Headers"].map((name) => [
    name,
    Object.getOwnPropertyDescriptor(globalThis, name),
  ]);
  for (const [name, { value, get = () => value }] of own)
    Object.defineProperty(globalThis, name, { configurable: true, get: () => (used.push(name), get.call(globalThis)) });
  try {
    const { trade, response } = await client.buy(buy).withResponse();
    assert.deepEqual(
      [trade.status, response.status, response.headers.get("X-Simulated"), response.headers.get("x-none")],
      ["landed", 200, "true", null],
    );
  } finally {
    for (const [name, descriptor] of own) Object.defineProperty(globalThis, name, descriptor);
  }
  assert.deepEqual(used, []);
});

test("withOptions changes how a client sends, and nothing that guards it", async () => {
  const client = simulated();
  const other = client.withOptions({ timeoutMs: 5_000, dryRun: true });
  assert.equal((await rejection(other.buy(buy))).code, "dry_run");
  client.halt();
  assert.equal(other.guards.mode, "halted");
  for (const name of ["maxLamportsPerDay", "baseURL", "apiKey", "journal"])
    assert.throws(() => client.withOptions({ [name]: 1 }), { code: "invalid_options" });
  other.free();
  client.resume();
  assert.equal((await client.buy(buy)).status, "landed");
});

test("warm opens a connection that the first trade takes, and asks for nothing", async (t) => {
  const seen = [];
  const sockets = new Set();
  const { url: baseURL, server } = await serving((request, response) => {
    seen.push([request.method, request.url, request.headers["x-api-key"]]);
    sockets.add(request.socket);
    response.end(request.method === "POST" ? LANDED : "");
  }, t);
  const client = new TradeClient({ baseURL, apiKey: "sk-warm-0001", fetch: globalThis.fetch });
  assert.equal(await client.warm(), true);
  await client.buy(buy);
  assert.deepEqual(seen, [
    ["OPTIONS", "/", undefined],
    ["POST", "/v1/trade/buy", "sk-warm-0001"],
  ]);
  assert.equal(sockets.size, 1, "one connection for both");
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.equal(await client.warm(), false);
  assert.equal(await clientBy(throws).warm(), false);
});

test("warm runs a made-up trade to its end, of which nobody else learns", async (t) => {
  const ids = t.mock.method(globalThis.crypto, "randomUUID");
  const lines = [];
  const logger = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [level, (line) => lines.push(line)]),
  );
  const journal = memoryJournal();
  const fetch = fetchBy(() => new Response(null, { status: 204 }));
  const hooks = { beforeSend: () => lines.push("hook"), afterSettle: () => lines.push("hook") };
  const client = clientBy(fetch, {
    logger,
    logLevel: "debug",
    hooks,
    journal,
    maxLamportsPerDay: 1,
    apiKey: "sk-warm-0002",
  });
  const before = JSON.stringify(client.guards);
  assert.equal(await client.warm(), true);
  assert.equal(ids.mock.callCount(), 1, "a trade has begun");
  assert.deepEqual(
    fetch.calls.map(({ init }) => [init.method, init.headers]),
    [["OPTIONS", undefined]],
  );
  assert.deepEqual([lines, JSON.stringify(client.guards), await client.pending()], [[], before, []]);
});

test("an unknown outcome is of no class that a generic retry matches", async () => {
  const error = await rejection(clientBy(() => Promise.reject(new TypeError("fetch failed"))).buy(buy));
  assert.ok(isTradeError(error) && !(error instanceof TypeError) && !(error instanceof DOMException));
  assert.equal(error.retryable, false);
  assert.ok(!/timeout|abort|network/i.test(error.name));
});

test("methods work on their own: each goes with the client that it was taken from", async () => {
  const client = clientBy(fetchOf(LANDED));
  const other = clientBy(fetchOf("{}", { status: 400 }));
  const { buy: buyHere, sell, build, halt, reduce, resume, pending, acknowledge, warm, withOptions } = client;
  assert.equal((await buyHere(buy)).status, "landed");
  assert.equal((await buyHere.call(other, buy)).status, "landed");
  assert.equal((await rejection(sell({}))).code, "invalid_request");
  assert.equal(build("buy", buy).path, "/v1/trade/buy");
  halt();
  assert.deepEqual([client.guards.mode, other.guards.mode], ["halted", "active"]);
  reduce();
  resume();
  assert.equal(client.guards.mode, "active");
  assert.deepEqual(await pending(), []);
  assert.equal(await acknowledge("none", "landed"), false);
  assert.equal(typeof (await warm()), "boolean");
  const { buy: dry } = withOptions({ dryRun: true });
  assert.equal((await rejection(dry(buy))).code, "dry_run");
  assert.equal(client.buy, client.buy);
  assert.deepEqual([client.buy.name.endsWith("buy"), TradeClient.prototype.buy.length], [true, client.buy.length]);
});

test("a class may go further, and a test may put a method of its own there", async () => {
  const said = [];
  class Teller extends TradeClient {
    buy(...given) {
      said.push("buy");
      return super.buy(...given);
    }
  }
  const teller = new Teller({ ...service, fetch: fetchOf(LANDED) });
  for (let count = 0; count < 2; count++) assert.equal((await teller.buy(buy)).status, "landed");
  assert.deepEqual(said, ["buy", "buy"]);
  assert.equal((await TradeClient.prototype.buy.call(teller, buy)).status, "landed");
  teller.sell = () => "mine";
  assert.deepEqual([teller.sell(), new Teller(service).sell === teller.sell], ["mine", false]);
  const client = simulated();
  const { buy: late } = client;
  client.free();
  await assert.rejects(async () => late(buy), {
    name: "ReferenceError",
    message: "this TradeClient was freed, or is not one",
  });
});
