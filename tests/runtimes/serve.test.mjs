// A sandbox behind a port: it gives the same answers as its `fetch`, whatever it is asked, and stops when it is told to.

import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { OUTCOME_HEADER, Sandbox } from "launchpad-desk/launchpad";
import { serve } from "launchpad-desk/node";
import { OPERATIONS, rejection, requests } from "./service.mjs";

const { buy } = requests();
const JSON_TYPE = { "content-type": "application/json" };
/** What node:http adds by itself. */
const OF_THE_SERVER = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

/** What came of a request: its status, its headers and its bytes, or the code of what went wrong. */
function ask(base, path, { method = "POST", headers = JSON_TYPE, body = "" } = {}) {
  return new Promise((resolve) => {
    const asked = httpRequest(base + path, { method, headers, agent: false }, (response) => {
      const pieces = [];
      const { statusCode: status, headers: told, trailers } = response;
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => resolve({ status, headers: told, bytes: Buffer.concat(pieces).toString("hex"), trailers }));
      response.on("error", ({ code }) => resolve({ status, code, bytes: Buffer.concat(pieces).toString("hex") }));
    });
    asked.on("error", ({ code }) => resolve({ code }));
    asked.end(body);
  });
}

/** The same by `fetch` of a sandbox. */
async function asked(sandbox, path, { method = "POST", headers = JSON_TYPE, body = "" } = {}) {
  const reply = await sandbox.fetch(new Request(`http://sandbox${path}`, { method, headers, ...(["GET", "HEAD"].includes(method) ? {} : { body }) }));
  return { status: reply.status, headers: Object.fromEntries(reply.headers), bytes: Buffer.from(await reply.arrayBuffer()).toString("hex") };
}

/** A sandbox that is served as long as a test runs. */
async function serving(context, sandbox, options) {
  const served = await serve(sandbox, options);
  context.after(() => served[Symbol.asyncDispose]());
  return served;
}

const json = (value) => ({ body: JSON.stringify(value) });

test("it answers byte for byte what the sandbox's fetch answers", async (context) => {
  const config = { apiKey: "k", control: true, corsOrigin: "*", maxBodyBytes: 2_000, rateLimit: { requests: 40, perMs: 60_000 }, market: { alive: true } };
  const [here, there] = [new Sandbox(config), new Sandbox(config)];
  for (const sandbox of [here, there]) sandbox.useClock(() => 1_700_000_000_000);
  const { url } = await serving(context, there);
  const headers = { ...JSON_TYPE, "x-api-key": "k" };
  const path = (operation) => new TradeClient({ fetch: here.fetch }).build(operation, requests()[operation]).path;
  const calls = [
    ...OPERATIONS.map((operation) => [path(operation), { headers, ...json(requests()[operation]) }]),
    ...OPERATIONS.map((operation) => [path(operation), { headers, ...json({ ...requests()[operation], feePayer: null, slippage: null }) }]),
    ["/v1/trade/buy", { headers, ...json({}) }],
    ["/v1/trade/buy", { headers, body: "{" }],
    ["/v1/trade/buy", { headers, body: `{"mint":"ü\u0000"}` }],
    ["/v1/trade/buy", json(buy)],
    ["/v1/trade/buy", { headers: { "x-api-key": "k", "content-type": "text/plain" }, ...json(buy) }],
    ["/v1/trade/buy", { headers: { "x-api-key": "k" }, ...json(buy) }],
    ["/v1/trade/buy", { headers: { ...headers, "content-encoding": "gzip" }, ...json(buy) }],
    ["/v1/trade/buy", { headers, body: " ".repeat(2_001) }],
    ["/v1/trade/buy?x=1", { headers, ...json(buy) }],
    ["/v1/trade/../trade/buy", { headers, ...json(buy) }],
    ["/v1/trade/b%75y", { headers, ...json(buy) }],
    ["//v1/trade/buy", { headers, ...json(buy) }],
    ["/v1/trade/buy", { method: "GET", headers }],
    ["/v1/trade/buy", { method: "OPTIONS", headers: { origin: "http://page.example", "access-control-request-headers": "content-type" } }],
    ["/nowhere", { headers }],
    ...["outcomes", "state", "time", "faults", "wallets", "tokens", "trades", "calls", "tape"].map((control) => [`/_sandbox/${control}`, { method: "GET", headers }]),
    ["/_sandbox/time", { headers, ...json({ advanceMs: 5_000 }) }],
    ...Array.from({ length: 45 }, () => ["/v1/trade/buy", { headers, ...json(buy) }]),
  ];
  const statuses = new Set();
  for (const [path, init] of calls) {
    const [expected, got] = [await asked(here, path, init), await ask(url, path, init)];
    const told = Object.fromEntries(Object.entries(got.headers).filter(([name]) => !OF_THE_SERVER.includes(name)));
    const { "content-length": _, ...due } = expected.headers;
    assert.deepEqual([got.status, told, got.bytes], [expected.status, due, expected.bytes], `${init.method ?? "POST"} ${path}`);
    assert.equal(got.headers["content-length"], `${expected.bytes.length / 2}`);
    statuses.add(got.status);
  }
  assert.deepEqual([...statuses].sort(), [200, 400, 401, 404, 405, 413, 415, 429]);
  const state = { method: "PUT", headers, body: here.snapshot() };
  assert.ok(state.body.length > 10_000);
  assert.deepEqual((await ask(url, "/_sandbox/state", state)).status, (await asked(here, "/_sandbox/state", state)).status);
  assert.equal(there.snapshot(), here.snapshot());
});

test("a connection ends as it was asked to end", async (context) => {
  const sandbox = new Sandbox({ slowMs: 40 });
  const served = await serving(context, sandbox);
  const asking = (outcome) => ask(served.url, "/v1/trade/buy", { headers: { ...JSON_TYPE, [OUTCOME_HEADER]: outcome }, ...json(buy) });
  for (const outcome of ["executed-no-answer", "not-executed-no-answer", "connection-refused"]) assert.deepEqual(await asking(outcome), { code: "ECONNRESET" }, outcome);
  assert.equal(sandbox.trades.length, 1);
  const whole = await asking("landed");
  const part = await asking("truncated");
  assert.deepEqual([part.status, part.code], [200, "ECONNRESET"]);
  assert.ok(part.bytes.length > 0 && part.bytes.length < whole.bytes.length);
  for (const outcome of ["slow", "slow-body"]) {
    const start = performance.now();
    const slow = await asking(outcome);
    assert.ok(performance.now() - start >= 35, outcome);
    assert.ok(JSON.parse(Buffer.from(slow.bytes, "hex")).result.transactionResult.success, outcome);
  }
  assert.match((await asking("garbled")).bytes, /ff/);
});

test("a client of the package trades through it, and its outcomes are honest", async (context) => {
  const sandbox = new Sandbox({ maxCalls: 10 });
  const served = await serving(context, sandbox);
  const client = new TradeClient({ baseURL: served.url });
  assert.equal((await client.buy(buy)).status, "landed");
  sandbox.setFaults({ script: [{ kind: "truncated" }] });
  assert.equal((await rejection(client.buy(buy))).outcome, "unknown");
  assert.deepEqual(sandbox.calls.map(({ truth }) => truth), ["landed", "landed"]);
});

test("a body longer than it reads is refused as the sandbox would, and the next is served", async (context) => {
  const served = await serving(context, new Sandbox(), { maxBodyBytes: 1_000 });
  const refused = await ask(served.url, "/v1/trade/buy", { body: " ".repeat(5_000_000) });
  const problem = JSON.parse(Buffer.from(refused.bytes, "hex"));
  assert.deepEqual([refused.status, refused.headers["content-type"], refused.headers["x-simulated"]], [413, "application/problem+json", "true"]);
  assert.deepEqual([problem.status, problem.detail, problem.message, problem.fields], [413, "the body is over 1000 bytes", "the body is over 1000 bytes", []]);
  const own = await new Sandbox({ maxBodyBytes: 1_000 }).fetch("http://sandbox/v1/trade/buy", { method: "POST", headers: JSON_TYPE, body: " ".repeat(1_001) });
  assert.deepEqual(problem, await own.json());
  assert.equal((await ask(served.url, "/v1/trade/buy", json(buy))).status, 200);
});

test("a store that throws is a 500 that says that nothing was executed", async (context) => {
  const sandbox = new Sandbox();
  sandbox.onChanges(() => {
    throw new Error("disk full");
  });
  const served = await serving(context, sandbox);
  const before = sandbox.snapshot();
  const failed = await ask(served.url, "/v1/trade/buy", json(buy));
  assert.deepEqual([failed.status, JSON.parse(Buffer.from(failed.bytes, "hex")).detail], [500, "nothing was executed: disk full"]);
  assert.equal(sandbox.snapshot(), before);
});

test("it closes when it is told to: what is under way ends, and the port is free", async () => {
  const sandbox = new Sandbox({ slowMs: 100 });
  const { url, port, close } = await serve(sandbox);
  assert.equal(url, `http://127.0.0.1:${port}`);
  const idle = connect(port, "127.0.0.1");
  await once(idle, "connect");
  const slow = ask(url, "/v1/trade/buy", { headers: { ...JSON_TYPE, [OUTCOME_HEADER]: "slow" }, ...json(buy) });
  while (sandbox.trades.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = close();
  assert.equal(close(), closed);
  assert.deepEqual([(await slow).status, (await slow).headers.connection], [200, "close"]);
  idle.destroy();
  await closed;
  assert.deepEqual(await ask(url, "/v1/trade/buy", json(buy)), { code: "ECONNREFUSED" });
  const again = await serve(sandbox, { port });
  assert.equal(again.port, port);
  await again[Symbol.asyncDispose]();
});

test("a signal closes it, and keeps it from beginning", async () => {
  const abort = new AbortController();
  const { url } = await serve(new Sandbox(), { signal: abort.signal, host: "localhost" });
  assert.match(url, /^http:\/\/localhost:\d+$/);
  assert.equal((await ask(url, "/nowhere")).status, 404);
  abort.abort(new Error("enough"));
  while ((await ask(url, "/nowhere")).code !== "ECONNREFUSED") await new Promise((resolve) => setTimeout(resolve, 5));
  await assert.rejects(serve(new Sandbox(), { signal: abort.signal }), /enough/);
});

test("what it cannot serve, and where, is said at once", async () => {
  const { port, close } = await serve(new Sandbox());
  await assert.rejects(serve(new Sandbox(), { port }), { code: "EADDRINUSE" });
  await close();
  for (const none of [undefined, null, {}, { fetch }, 5]) await assert.rejects(serve(none), /serve takes a sandbox/);
  for (const [options, message] of [
    [{ port: "80" }, /port must be a whole number from 0 to 65535/],
    [{ port: 65_536 }, /port/],
    [{ host: "" }, /host must be a name or an address/],
    [{ maxBodyBytes: 0 }, /maxBodyBytes must be a whole number from 1/],
    [{ prot: 1 }, /serve has no option prot; it has port, host, signal, maxBodyBytes/],
  ]) {
    await assert.rejects(serve(new Sandbox(), options), message);
  }
});

test("a client that leaves in the middle of its request harms nobody", async (context) => {
  const sandbox = new Sandbox();
  const served = await serving(context, sandbox);
  const socket = connect(served.port, "127.0.0.1");
  socket.write("POST /v1/trade/buy HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{");
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  assert.equal((await ask(served.url, "/v1/trade/buy", json(buy))).status, 200);
  assert.equal(sandbox.trades.length, 1);
});
