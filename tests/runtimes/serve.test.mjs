// A sandbox behind a port: it gives the same answers as its `fetch`, whatever the request, and stops on request.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { serve } from "launchpad-desk/node";
import { OUTCOME_HEADER, Sandbox } from "launchpad-desk/sandbox";
import { OPERATIONS, requests } from "./service.mjs";

const { buy } = requests();
const codes = await readFile(new URL("../../docs/codes.md", import.meta.url), "utf8");
const JSON_TYPE = { "content-type": "application/json" };
/** What node:http adds by itself. */
const OF_THE_SERVER = ["connection", "content-length", "date", "keep-alive", "transfer-encoding"];

/** The result of a request: its status, its headers and its bytes, or the code of its error. */
function ask(base, path, { method = "POST", headers = JSON_TYPE, body = "" } = {}) {
  return new Promise((resolve) => {
    const asked = httpRequest(base + path, { method, headers, agent: false }, (response) => {
      const pieces = [];
      const { statusCode: status, headers: told, trailers } = response;
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () =>
        resolve({ status, headers: told, bytes: Buffer.concat(pieces).toString("hex"), trailers }),
      );
      response.on("error", ({ code }) => resolve({ status, code, bytes: Buffer.concat(pieces).toString("hex") }));
    });
    asked.on("error", ({ code }) => resolve({ code }));
    asked.end(body);
  });
}

/** The same by `fetch` of a sandbox. */
async function asked(sandbox, path, { method = "POST", headers = JSON_TYPE, body = "" } = {}) {
  const reply = await sandbox.fetch(
    new Request(`http://sandbox${path}`, { method, headers, ...(["GET", "HEAD"].includes(method) ? {} : { body }) }),
  );
  return {
    status: reply.status,
    headers: Object.fromEntries(reply.headers),
    bytes: Buffer.from(await reply.arrayBuffer()).toString("hex"),
  };
}

/** A sandbox that is served during a test. */
async function serving(context, sandbox, options) {
  const served = await serve(sandbox, options);
  context.after(() => served[Symbol.asyncDispose]());
  return served;
}

const json = (value) => ({ body: JSON.stringify(value) });

test("it answers byte for byte what the sandbox's fetch answers", async (context) => {
  const config = {
    apiKey: "k",
    control: true,
    corsOrigin: "*",
    maxBodyBytes: 2_000,
    rateLimit: { requests: 40, perMs: 60_000 },
    market: { alive: true },
  };
  const [here, there] = [new Sandbox(config), new Sandbox(config)];
  for (const sandbox of [here, there]) sandbox.useClock(() => 1_700_000_000_000);
  const { url } = await serving(context, there);
  const headers = { ...JSON_TYPE, "x-api-key": "k" };
  const path = (operation) => new TradeClient({ fetch: here.fetch }).build(operation, requests()[operation]).path;
  const calls = [
    ...OPERATIONS.map((operation) => [path(operation), { headers, ...json(requests()[operation]) }]),
    ...OPERATIONS.map((operation) => [
      path(operation),
      { headers, ...json({ ...requests()[operation], feePayer: null, slippage: null }) },
    ]),
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
    ["/v1/trade/buy", { headers: { ...headers, origin: "http://page.example" }, ...json(buy) }],
    ["/_sandbox/reset", { headers: { ...headers, origin: "http://page.example" } }],
    ["/_sandbox/reset", { headers: { ...headers, "sec-fetch-site": "cross-site" } }],
    [
      "/v1/trade/buy",
      {
        method: "OPTIONS",
        headers: { origin: "http://page.example", "access-control-request-headers": "content-type" },
      },
    ],
    ["/nowhere", { headers }],
    ...["outcomes", "state", "time", "faults", "wallets", "tokens", "trades", "calls", "tape"].map((control) => [
      `/_sandbox/${control}`,
      { method: "GET", headers },
    ]),
    ["/_sandbox/time", { headers, ...json({ advanceMs: 5_000 }) }],
    ...Array.from({ length: 45 }, () => ["/v1/trade/buy", { headers, ...json(buy) }]),
  ];
  const statuses = new Set();
  for (const [path, init] of calls) {
    const [expected, got] = [await asked(here, path, init), await ask(url, path, init)];
    const told = Object.fromEntries(Object.entries(got.headers).filter(([name]) => !OF_THE_SERVER.includes(name)));
    const { "content-length": _, ...due } = expected.headers;
    assert.deepEqual(
      [got.status, told, got.bytes],
      [expected.status, due, expected.bytes],
      `${init.method ?? "POST"} ${path}`,
    );
    assert.equal(got.headers["content-length"], `${expected.bytes.length / 2}`);
    statuses.add(got.status);
  }
  assert.deepEqual([...statuses].sort(), [200, 400, 401, 403, 404, 405, 413, 415, 429]);
  const state = { method: "PUT", headers, body: here.snapshot() };
  assert.ok(state.body.length > 10_000);
  assert.deepEqual(
    (await ask(url, "/_sandbox/state", state)).status,
    (await asked(here, "/_sandbox/state", state)).status,
  );
  assert.equal(there.snapshot(), here.snapshot());
});

test("a connection ends as it was asked to end", async (context) => {
  const sandbox = new Sandbox({ slowMs: 40 });
  const served = await serving(context, sandbox);
  const asking = (outcome) =>
    ask(served.url, "/v1/trade/buy", { headers: { ...JSON_TYPE, [OUTCOME_HEADER]: outcome }, ...json(buy) });
  for (const outcome of ["executed-no-answer", "not-executed-no-answer", "connection-refused"])
    assert.deepEqual(await asking(outcome), { code: "ECONNRESET" }, outcome);
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
    [{ bodyTimeoutMs: 0 }, /bodyTimeoutMs must be a whole number from 1/],
    ...[["a:80"], ["A"], [""], ["a/b"], [5], "localhost"].map((allowedHosts) => [
      { allowedHosts },
      /serve: allowedHosts must be a list of host names in lower case, without ports/,
    ]),
    [{ prot: 1 }, /serve has no option prot; it has port, host, signal, allowedHosts, maxBodyBytes, bodyTimeoutMs/],
  ]) {
    await assert.rejects(serve(new Sandbox(), options), message);
  }
});

test("a client that leaves in the middle of its request harms nobody", async (context) => {
  const sandbox = new Sandbox();
  const served = await serving(context, sandbox);
  const socket = connect(served.port, "127.0.0.1");
  socket.write(
    "POST /v1/trade/buy HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{",
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  socket.destroy();
  assert.equal((await ask(served.url, "/v1/trade/buy", json(buy))).status, 200);
  assert.equal(sandbox.trades.length, 1);
});

const refusal = (found) => {
  const { status, code } = found.bytes ? JSON.parse(Buffer.from(found.bytes, "hex")) : found;
  assert.ok(codes.includes(`| \`${code}\` |`), `${code} is documented`);
  return [found.status, status, code];
};

/** What a server writes on a connection until `enough`, or until it closes it. The text is written as it is. */
async function raw(port, text, enough = () => false) {
  const socket = connect(port, "127.0.0.1");
  let read = "";
  socket.setEncoding("latin1").on("data", (piece) => (read += piece));
  socket.on("error", () => {});
  socket.write(text, "latin1");
  const isClosed = await new Promise((resolve) => {
    socket.on("close", () => resolve(true));
    socket.on("data", () => enough(read) && resolve(false));
  });
  return { read, status: Number(/^HTTP\/1\.1 (\d+)/.exec(read)?.[1]), isClosed, socket };
}

test("a name that is not this machine's is refused, so that no page makes one lead here", async (context) => {
  const sandbox = new Sandbox({ control: true, corsOrigin: "*" });
  const { url, port } = await serving(context, sandbox, { allowedHosts: ["sandbox.test", "[fd00::1]"] });
  const before = sandbox.snapshot();
  for (const host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
    "evil@localhost",
    "a.sandbox.test",
    "[::2]",
  ]) {
    for (const path of ["/v1/trade/buy", "/_sandbox/reset", "/openapi.json", "/nowhere"]) {
      assert.deepEqual(
        refusal(await ask(url, path, { headers: { ...JSON_TYPE, host }, ...json(buy) })),
        [403, 403, "host_not_allowed"],
        `${host} ${path}`,
      );
    }
  }
  assert.equal(sandbox.snapshot(), before);
  for (const host of [
    "localhost",
    "LOCALHOST:1",
    "localhost.",
    "a.localhost:80",
    "127.0.0.1",
    "127.8.9.10:5",
    "[::1]:8787",
    "sandbox.test:99",
    "Sandbox.Test",
    "[fd00::1]:1",
  ]) {
    assert.equal(
      (await ask(url, "/v1/trade/buy", { headers: { ...JSON_TYPE, host }, ...json(buy) })).status,
      200,
      host,
    );
  }
  const whole = await raw(
    port,
    "GET http://evil.example/openapi.json HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
  );
  assert.deepEqual([whole.status, whole.read.includes("host_not_allowed")], [403, true]);
  const named = await serving(context, new Sandbox(), { host: "127.0.0.2" });
  assert.equal((await ask(named.url, "/v1/trade/buy", json(buy))).status, 200);
});

// What pages of other origins are refused is in tests/rust/sandbox_service.rs, and comes over the port byte for byte.
test("a page of its own origin trades, behind a port and in process, and resets nothing", async (context) => {
  const sandbox = new Sandbox({ control: true });
  const { url } = await serving(context, sandbox);
  const headers = { ...JSON_TYPE, origin: url };
  assert.equal((await ask(url, "/v1/trade/buy", { headers, ...json(buy) })).status, 200);
  assert.deepEqual(refusal(await ask(url, "/_sandbox/reset", { headers })), [403, 403, "control_closed_to_pages"]);
  assert.equal((await ask(url, "/_sandbox/reset")).status, 200, "no page");
  const own = { headers: { ...JSON_TYPE, origin: "http://sandbox" }, ...json(buy) };
  assert.equal((await asked(new Sandbox(), "/v1/trade/buy", own)).status, 200);
});

test("what the head decides is answered before any body comes", async (context) => {
  const { port } = await serving(context, new Sandbox({ apiKey: "k", control: true, maxBodyBytes: 1_000 }), {
    maxBodyBytes: 5_000,
  });
  const key = "x-api-key: k\r\n";
  const type = "content-type: application/json\r\n";
  for (const [line, headers, status] of [
    ["POST /nowhere", key + type, 404],
    ["PUT /v1/trade/buy", key + type, 405],
    ["POST /v1/trade/buy", type, 401],
    ["POST /v1/trade/buy", key, 415],
    ["POST /v1/trade/buy", `${key}${type}content-encoding: gzip\r\n`, 415],
    ["PUT /_sandbox/state", type, 401],
    ["PUT /_sandbox/state", `${key + type}origin: http://evil.example\r\n`, 403],
    ["POST /_sandbox/reset", key, 200],
  ]) {
    for (const length of ["content-length: 999", "transfer-encoding: chunked"]) {
      const found = await raw(port, `${line} HTTP/1.1\r\nhost: localhost\r\n${headers}${length}\r\n\r\n`, (read) =>
        read.includes("\r\n\r\n"),
      );
      assert.deepEqual(
        [found.status, /\r\nconnection: close\r\n/i.test(found.read)],
        [status, true],
        `${line} ${length}`,
      );
      found.socket.destroy();
    }
  }
  for (const [path, length] of Object.entries({ "/v1/trade/buy": 1_001, "/_sandbox/state": 5_001 })) {
    const found = await raw(
      port,
      `${path === "/v1/trade/buy" ? "POST" : "PUT"} ${path} HTTP/1.1\r\nhost: localhost\r\n${key + type}content-length: ${length}\r\nexpect: 100-continue\r\n\r\n`,
      (read) => read.includes("}"),
    );
    assert.deepEqual([found.status, found.read.includes(`the body is over ${length - 1} bytes`)], [413, true]);
    found.socket.destroy();
  }
  const goesOn = await raw(
    port,
    `POST /v1/trade/buy HTTP/1.1\r\nhost: localhost\r\n${key + type}content-length: 2\r\nexpect: 100-continue\r\n\r\n`,
    (read) => read.includes("\r\n\r\n"),
  );
  assert.equal(goesOn.status, 100);
  goesOn.socket.write("{}");
  await once(goesOn.socket, "data");
  goesOn.socket.destroy();
});

test("a body that grows too long while it comes is cut off, and one that is too slow is ended", async (context) => {
  const sandbox = new Sandbox({ maxBodyBytes: 100 });
  const { port } = await serving(context, sandbox, { bodyTimeoutMs: 150 });
  const head = "POST /v1/trade/buy HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
  const long = await raw(
    port,
    `${head}transfer-encoding: chunked\r\n\r\n${`40\r\n${" ".repeat(64)}\r\n`.repeat(2)}`,
    (read) => read.includes("}"),
  );
  assert.deepEqual([long.status, long.read.includes("the body is over 100 bytes")], [413, true]);
  const slow = await raw(port, `${head}content-length: 50\r\n\r\n{`);
  assert.deepEqual(
    [
      slow.status,
      slow.isClosed,
      slow.read.includes("body_too_slow"),
      slow.read.includes("the body took longer than 150 ms"),
    ],
    [408, true, true, true],
  );
  assert.equal(sandbox.trades.length, 0);
});

test("bodies that do not end take bounded memory, and trades go on", async (context) => {
  const sandbox = new Sandbox({ control: true });
  const { port, url } = await serving(context, sandbox, { maxBodyBytes: 8_000_000 });
  const head = `PUT /_sandbox/state HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 8000000\r\n\r\n`;
  const sockets = Array.from({ length: 15 }, () => connect(port, "127.0.0.1").on("error", () => {}));
  context.after(() => sockets.forEach((socket) => socket.destroy()));
  const memory = () => process.memoryUsage().rss;
  const before = memory();
  let refused = 0;
  await new Promise((resolve) => {
    for (const socket of sockets) {
      let read = "";
      socket
        .setEncoding("latin1")
        .on(
          "data",
          (piece) =>
            (read += piece).endsWith("}") &&
            /HTTP\/1\.1 429 .*"too_many_bodies"/s.test(read) &&
            ++refused === 13 &&
            resolve(),
        );
      socket.write(head + " ".repeat(7_900_000));
    }
  });
  assert.ok(memory() - before < 300_000_000, `${memory() - before}`);
  sockets.forEach((socket) => socket.destroy());
  // Once they are gone, their memory is free.
  for (let asked = { status: 0 }; asked.status !== 200;)
    asked = await ask(url, "/_sandbox/state", { method: "PUT", body: sandbox.snapshot() + " ".repeat(7_000_000) });
  assert.equal((await ask(url, "/v1/trade/buy", json(buy))).status, 200);
});
