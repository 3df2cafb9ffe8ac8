// `launchpad-desk/node`: the transport over node:http. tests/faults shows how it handles every fault; here is its own
// behaviour: connections kept and opened ahead, proofs, and the shape of its replies.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { connect, createServer as createTcpServer } from "node:net";
import test, { after, mock } from "node:test";
import { gzipSync } from "node:zlib";
import { TradeClient } from "launchpad-desk";
import { nodeFetch } from "launchpad-desk/node";
import { LANDED, rejection, requests } from "./service.mjs";

const UNSENT = Symbol.for("launchpad-desk.unsent");
const closing = [];
after(() => Promise.all(closing.map((close) => close())));

const listening = (server) =>
  new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
  });

/** A service that answers so, and counts. */
async function serve(answer = (_request, response) => response.end(LANDED)) {
  const seen = { connections: 0, requests: [] };
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece) => (body += piece));
    request.on("end", () => {
      seen.requests.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(request, response);
    });
  });
  server.on("connection", () => seen.connections++);
  const url = await listening(server);
  closing.push(() => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))));
  return { url, seen, server };
}

/** TLS that never begins: the TCP connection is there, and nothing of the request may go over it. Gives the bytes that came. */
async function mute() {
  const bytes = [];
  const server = createTcpServer((socket) => socket.on("error", () => {}).on("data", (piece) => bytes.push(piece)));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: (await listening(server)).replace("http", "https"), bytes };
}

/** A fetch that is closed after the tests. */
function fetchFor(options) {
  const fetch = nodeFetch(options);
  closing.push(async () => fetch.close());
  return fetch;
}

const post = (fetch, url, init) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}", ...init });

async function until(holds, what) {
  for (let tries = 0; !holds(); tries++) {
    assert.ok(tries < 2_000, `${what} never came about`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a client trades through it, on a connection for each trade, or on one that is kept", async () => {
  const { url, seen } = await serve((_request, response) =>
    response.end(LANDED.replaceAll("5igna7ure", `5igna7ure${seen.requests.length}`)),
  );
  const trade = async (options) => {
    const client = new TradeClient({ baseURL: url, apiKey: "key-8901", fetch: fetchFor(options) });
    const before = seen.connections;
    for (let trade = 0; trade < 3; trade++) assert.equal((await client.buy(requests().buy)).status, "landed");
    return seen.connections - before;
  };
  assert.deepEqual(
    [await trade(), await trade({ connectionPerTrade: true }), await trade({ connectionPerTrade: false })],
    [3, 3, 1],
  );
  const [{ method, url: path, headers, body }] = seen.requests;
  assert.deepEqual(
    [method, path, headers["x-api-key"], headers["content-type"]],
    ["POST", "/v1/trade/buy", "key-8901", "application/json"],
  );
  assert.equal(body, new TradeClient({ baseURL: url }).build("buy", requests().buy).body);
});

test("the key goes where the options say", async () => {
  const { url, seen } = await serve();
  for (const options of [{ apiKeyHeader: "X-Desk" }, { authorization: "bearer" }])
    await new TradeClient({ baseURL: url, apiKey: "key-8901", ...options }).buy(requests().buy);
  const keys = seen.requests.map(({ headers }) => [headers["x-desk"], headers.authorization, headers["x-api-key"]]);
  assert.deepEqual(keys, [
    ["key-8901", undefined, undefined],
    [undefined, "Bearer key-8901", undefined],
  ]);
});

test("a refused connection is proof that nothing was sent, to the transport that is there by default, and none to the runtime's fetch", async () => {
  for (const [options, outcome, code] of [
    [{}, "not_sent", "connect_failed"],
    [{ fetch: globalThis.fetch }, "unknown", "network_error"],
  ]) {
    const closed = await serve();
    await new Promise((resolve) => closed.server.close(resolve));
    const error = await rejection(new TradeClient({ baseURL: closed.url, ...options }).buy(requests().buy));
    assert.deepEqual([error.outcome, error.code], [outcome, code]);
    assert.match(error.message, /ECONNREFUSED/);
  }
});

test("a fetch that replaced the runtime's is not used unless a client gets it as an option", async (t) => {
  const { url, seen } = await serve();
  const asked = t.mock.method(globalThis, "fetch", async () => {
    throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
  });
  assert.equal((await new TradeClient({ baseURL: url }).buy(requests().buy)).status, "landed");
  assert.deepEqual([seen.requests.length, asked.mock.callCount()], [1, 0]);
  const error = await rejection(new TradeClient({ baseURL: url, fetch: globalThis.fetch }).buy(requests().buy));
  assert.deepEqual(
    [error.outcome, asked.mock.calls.map(({ arguments: [to] }) => to)],
    ["unknown", [`${url}/v1/trade/buy`]],
  );
});

test("a name that does not resolve is proof that nothing was sent", async () => {
  const error = await rejection(
    new TradeClient({ baseURL: "https://service.invalid", timeoutMs: 10_000 }).buy(requests().buy),
  );
  // A resolver may take longer than the deadline.
  assert.ok(["connect_failed", "timeout_before_send"].includes(error.code), error.code);
  assert.equal(error.outcome, "not_sent");
});

test("at once, each request has a connection of its own, and afterwards one that was kept is taken again", async () => {
  const { url, seen } = await serve();
  const fetch = fetchFor({ connectionPerTrade: false });
  await Promise.all(Array.from({ length: 5 }, async () => (await post(fetch, url)).text()));
  assert.equal(seen.connections, 5);
  await (await post(fetch, url)).text();
  assert.equal(seen.connections, 5);
});

test("warm() opens a connection ahead, once, and the next request takes it", async () => {
  const { url, seen } = await serve();
  const fetch = fetchFor();
  await fetch.warm(url);
  await fetch.warm(`${url}/elsewhere`);
  await until(() => seen.connections === 1, "the connection");
  assert.deepEqual([seen.connections, seen.requests.length], [1, 0]);
  assert.equal((await post(fetch, url)).status, 200);
  assert.equal(seen.connections, 1);
});

test("warm() opens none where one is kept, and one for the next call where none is", async () => {
  for (const [connectionPerTrade, connections] of [
    [false, 1],
    [true, 3],
  ]) {
    const { url, seen } = await serve();
    const fetch = fetchFor({ connectionPerTrade });
    for (let call = 0; call < 3; call++) {
      await fetch.warm(url);
      assert.equal(await (await post(fetch, url)).text(), LANDED);
    }
    assert.equal(seen.connections, connections);
  }
});

test("a warm connection that the service has closed, or spoken on, is not used", async () => {
  const sockets = [];
  const { url, seen, server } = await serve();
  server.on("connection", (socket) => sockets.push(socket));
  const fetch = fetchFor();
  await fetch.warm(url);
  await until(() => sockets.length === 1, "the connection");
  sockets[0].destroy();
  await until(() => sockets[0].closed, "its end");
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal((await post(fetch, url)).status, 200);
  assert.equal(seen.connections, 2);

  let connections = 0;
  const talker = createTcpServer((socket) => {
    connections++;
    socket.on("error", () => {}).write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nno");
  });
  const where = await listening(talker);
  closing.push(() => new Promise((resolve) => talker.close(resolve)));
  const careful = fetchFor();
  await careful.warm(where);
  await until(() => connections === 1, "the connection");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await post(careful, where).then(
    (reply) => reply.text(),
    () => {},
  );
  assert.equal(connections, 2, "the one with an answer that nobody had asked for was dropped");
});

test("a connection that is left idle is closed, and no program waits for it", async () => {
  const { url, seen } = await serve();
  for (const connectionPerTrade of [false, true]) {
    const fetch = fetchFor({ connectionPerTrade, keepAliveMs: 50 });
    const before = seen.connections;
    if (!connectionPerTrade) await (await post(fetch, url)).text();
    await fetch.warm(url);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await (await post(fetch, url)).text();
    assert.equal(seen.connections - before, 2);
  }
});

test("what fails before there is a connection proves that nothing was sent", async () => {
  const proofs = {
    "nobody listens": {},
    "aborted before": { signal: AbortSignal.abort() },
    "a header that none can be": { headers: { "x-one": "a\nb" } },
  };
  for (const [what, init] of Object.entries(proofs)) {
    const error = await rejection(post(fetchFor(), "http://127.0.0.1:1/", init));
    assert.equal(error[UNSENT], true, what);
    assert.deepEqual(Object.keys(error).includes("unsent"), false);
  }
});

test("a connection that does not open in time, or that is aborted while it opens, proves it too", async () => {
  const { url, bytes } = await mute();
  const late = await rejection(post(fetchFor({ connectTimeoutMs: 100 }), url));
  assert.deepEqual([late.code, late[UNSENT]], ["ETIMEDOUT", true]);
  const aborted = await rejection(
    post(fetchFor({ connectTimeoutMs: 60_000 }), url, { signal: AbortSignal.timeout(100) }),
  );
  assert.deepEqual([aborted.code, aborted[UNSENT]], ["ABORT_ERR", true]);
  assert.ok(!Buffer.concat(bytes).includes("POST"), "no request went out");
});

test("a program that is busy while its connection opens is not told that this took too long", async () => {
  const { url, seen } = await serve();
  const fetch = fetchFor({ connectTimeoutMs: 20 });
  const sent = post(fetch, url);
  // Its connection opens, but this program cannot notice before the timer has run out.
  await new Promise((resolve) => setImmediate(resolve));
  for (const end = performance.now() + 200; performance.now() < end;);
  assert.equal((await sent).status, 200);
  assert.equal(seen.requests.length, 1);
});

test("a client that gives up while the connection opens knows that nothing was sent", async () => {
  const { url, bytes } = await mute();
  const transport = fetchFor({ connectTimeoutMs: 60_000 });
  for (const fetch of [transport, async (url, init) => await transport(url, init)]) {
    const client = new TradeClient({ baseURL: url, fetch });
    const late = await rejection(client.buy(requests().buy, { timeoutMs: 100 }));
    assert.deepEqual([late.outcome, late.code], ["not_sent", "timeout_before_send"]);
    const aborted = await rejection(client.buy(requests().buy, { signal: AbortSignal.timeout(100) }));
    assert.deepEqual([aborted.outcome, aborted.code], ["not_sent", "aborted_before_send"]);
  }
  assert.ok(!Buffer.concat(bytes).includes("POST"), "no request went out");
});

test("a client that gives up once the request was handed over knows nothing, whether anybody reads it or not", async () => {
  const silent = await serve(() => {});
  const unread = createTcpServer((socket) => socket.on("error", () => {}).pause());
  const url = await listening(unread);
  closing.push(() => new Promise((resolve) => unread.close(resolve)));
  const giveUp = async (baseURL) => {
    const client = new TradeClient({ baseURL, fetch: fetchFor(), breaker: { unknowns: 100 } });
    // Once on a connection of its own, once on one that was opened ahead; late enough for either to be open.
    for (const prepare of [async () => {}, () => client.warm()]) {
      await prepare();
      const aborted = await rejection(client.buy(requests().buy, { signal: AbortSignal.timeout(1_500) }));
      assert.deepEqual([aborted.outcome, aborted.code], ["unknown", "aborted"]);
      const late = await rejection(client.buy(requests().buy, { timeoutMs: 1_500 }));
      assert.deepEqual([late.outcome, late.code], ["unknown", "timeout"]);
    }
  };
  await Promise.all([silent.url, url].map(giveUp));
  assert.equal(silent.seen.requests.length, 4);
});

test("a reply reads as a Response does", async () => {
  const text = '\ufeff{"a":"ü"}';
  const answer = (_request, response) =>
    response.writeHead(201, "Made", { "X-One": "1", "retry-after": ["1", "2"] }).end(text);
  const { url } = await serve(answer);
  const fetch = fetchFor();
  const reply = await post(fetch, url);
  assert.deepEqual(
    [reply.status, reply.statusText, reply.ok, reply.redirected, reply.url, reply.bodyUsed],
    [201, "Made", true, false, url, false],
  );
  assert.deepEqual(
    ["x-one", "X-ONE", "retry-after", "none"].map((name) => reply.headers.get(name)),
    ["1", "1", "1, 2", null],
  );
  assert.deepEqual([reply.headers.has("x-one"), reply.headers.has("none")], [true, false]);
  assert.equal(await reply.text(), '{"a":"ü"}');
  assert.equal(reply.bodyUsed, true);
  await assert.rejects(reply.text(), TypeError);
  assert.deepEqual(await (await post(fetch, url)).json(), { a: "ü" });
  assert.equal(Buffer.from(await (await post(fetch, url)).arrayBuffer()).toString(), text);
  assert.equal(Buffer.from(await (await post(fetch, url)).bytes()).toString(), text);
});

test("a body comes piece by piece, waits for its reader, and ends or breaks as it does", async () => {
  const piece = Buffer.alloc(64 * 1024, "x");
  const { url } = await serve(async (request, response) => {
    for (let sent = 0; sent < 64; sent++)
      if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
    if (request.url === "/whole") response.end();
    else request.socket.destroy();
  });
  const read = async (path) => {
    const reader = (await post(fetchFor(), url + path)).body.getReader();
    await new Promise((resolve) => setTimeout(resolve, 50));
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) length += next.value.length;
    return length;
  };
  assert.equal(await read("/whole"), 64 * piece.length);
  await assert.rejects(read("/cut"), { code: "ECONNRESET" });
});

test("a service that encodes unasked is understood, and one that encodes wrongly is not", async () => {
  const { url, seen } = await serve((request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(request.url === "/good" ? gzipSync(LANDED) : "no gzip"),
  );
  const fetch = fetchFor();
  assert.equal(await (await post(fetch, `${url}/good`)).text(), LANDED);
  await assert.rejects((await post(fetch, `${url}/bad`)).text(), { code: "Z_DATA_ERROR" });
  assert.equal(seen.requests[0].headers["accept-encoding"], "identity");
});

test("options that it does not know, and addresses that it cannot use, are refused", async () => {
  for (const options of [
    { keepalive: 1 },
    { toString: 1 },
    { keepAliveMs: 0 },
    { keepAliveMs: "5" },
    { connectionPerTrade: 1 },
    { connectionPerTrade: "false" },
    { connectTimeoutMs: 0 },
    { connectTimeoutMs: 2 ** 31 },
  ]) {
    assert.throws(() => nodeFetch(options), TypeError, JSON.stringify(options));
  }
  assert.throws(() => nodeFetch({ keepAliveMs: 0 }), {
    message: "nodeFetch: keepAliveMs must be a whole number from 1 to 2147483647",
  });
  assert.throws(() => nodeFetch({ connectionPerTrade: 1 }), {
    message: "nodeFetch: connectionPerTrade must be true or false",
  });
  assert.throws(() => nodeFetch({ keepalive: 1 }), {
    message: "nodeFetch has no option keepalive; it has ca, connectionPerTrade, keepAliveMs, connectTimeoutMs",
  });
  for (const name of ["ca", "connectionPerTrade", "keepAliveMs", "connectTimeoutMs"]) {
    const message = `nodeFetch: ${name} is inherited or hidden: set it on the options themselves`;
    assert.throws(() => nodeFetch(Object.create({ [name]: true })), { name: "TypeError", message });
    assert.throws(() => nodeFetch(Object.defineProperty({}, name, { value: true })), { name: "TypeError", message });
    nodeFetch(Object.create({ [name]: undefined }));
  }
  for (const url of ["ftp://service.example/", "nowhere", ""]) await assert.rejects(nodeFetch()(url), TypeError, url);
});

test("a function around it that tries again brings no proof of the earlier try", async () => {
  const gone = await serve((request) => (gone.server.close(), request.socket.destroy()));
  const inner = fetchFor();
  const again = async (...given) => inner(...given).catch(() => inner(...given));
  const error = await rejection(
    new TradeClient({ baseURL: gone.url, fetch: again, retryNotSent: 3 }).buy(requests().buy),
  );
  assert.deepEqual([error.outcome, error.code, gone.seen.requests.length], ["unknown", "network_error", 1]);
  assert.match(error.message, /ECONNREFUSED/);

  const silent = await serve(() => {});
  const twoAtOnce = async (url, init) => {
    const first = inner(url, init);
    await until(() => silent.seen.requests.length === 1, "the request");
    return Promise.race([first, inner("http://127.0.0.1:1/", init)]);
  };
  const both = await rejection(new TradeClient({ baseURL: silent.url, fetch: twoAtOnce }).buy(requests().buy));
  assert.deepEqual([both.outcome, both.code], ["unknown", "network_error"]);
});

test("a function around it that tries again writes one trade once, whatever signal it passes on", async () => {
  const inner = fetchFor();
  for (const own of [
    (init) => init,
    (init) => ({ ...init, signal: AbortSignal.any([init.signal, new AbortController().signal]) }),
  ]) {
    const broken = await serve((request) => request.socket.destroy());
    const again = async (url, init) => inner(url, own(init)).catch(() => inner(url, own(init)));
    const client = new TradeClient({ baseURL: broken.url, fetch: again, retryNotSent: 3 });
    const error = await rejection(client.buy(requests().buy));
    assert.deepEqual([error.outcome, error.code, broken.seen.requests.length], ["unknown", "network_error", 1]);
    assert.match(error.message, /EALREADY/);

    const silent = await serve(() => {});
    const elsewhere = async (url, init) => {
      void inner(url, own(init)).catch(() => {});
      await until(() => silent.seen.requests.length === 1, "the request");
      return inner("http://127.0.0.1:1/", own(init));
    };
    const lost = await rejection(new TradeClient({ baseURL: silent.url, fetch: elsewhere }).buy(requests().buy));
    assert.deepEqual([lost.outcome, lost.code], ["unknown", "network_error"]);
  }
});

test("another request or agent in the place of Node's proves nothing", async () => {
  const http = createRequire(import.meta.url)("node:http");
  const { request } = http;
  // As tools do that record or replay requests.
  http.request = (options) => request({ ...options, agent: new http.Agent() });
  try {
    const error = await rejection(post(fetchFor(), "http://127.0.0.1:1/"));
    assert.deepEqual([error.code, error[UNSENT]], ["ECONNREFUSED", undefined]);
  } finally {
    http.request = request;
  }
});

/**
 * A listener on these addresses of this machine that takes no connection before `resume`, and has no room for one that waits: as a host that
 * answers nothing, because its packets are lost.
 */
async function deaf(hosts, port = 0) {
  const program = `
    const { createServer } = require("node:net");
    const { readSync } = require("node:fs");
    const next = ([host, ...rest], port) => {
      const answer = (socket) => socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n"));
      const server = createServer(answer).listen({ host, port, backlog: 1 }, () => {
        const { port } = server.address();
        if (rest.length) return next(rest, port);
        require("node:fs").writeSync(1, String(port));
        readSync(0, Buffer.alloc(1));
      });
    };
    next(${JSON.stringify(hosts)}, ${port});`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  closing.push(async () => void child.kill());
  const own = Number(String((await once(child.stdout, "data"))[0]));
  const fill = async (host) => {
    for (let isFull = false; !isFull;) {
      const socket = connect({ host, port: own })
        .on("error", () => {})
        .unref();
      closing.push(async () => void socket.destroy());
      // One that waits longer than a round trip on this machine has found no room.
      isFull = await Promise.race([
        once(socket, "connect").then(() => false),
        new Promise((resolve) => setTimeout(resolve, 300, true)),
      ]);
    }
  };
  await Promise.all(hosts.map(fill));
  return { port: own, resume: () => child.stdin.write("x") };
}

/** What the name of a service leads to. */
const leadsTo = (...addresses) => {
  const found = addresses.map((address) => ({ address, family: 4 }));
  mock.method(dns, "lookup", (_host, { all }, done) =>
    process.nextTick(() => (all ? done(null, found) : done(null, found[0].address, 4))),
  );
  closing.push(async () => mock.restoreAll());
};
const onLinux = { skip: process.platform !== "linux" && "only there is all of 127.0.0.0/8 this machine" };

test("addresses that answer nothing leave the time to open a connection to the one that does", onLinux, async () => {
  const dead = Array.from({ length: 9 }, (_, index) => `127.0.1.${index + 1}`);
  const { port } = await deaf(dead);
  const server = createServer((_request, response) => response.end(LANDED));
  await new Promise((resolve) => server.listen(port, "127.0.2.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  leadsTo(...dead, "127.0.2.1");
  const fetch = fetchFor({ connectTimeoutMs: 2_000 });
  const url = `http://desk.localhost:${port}/`;
  assert.equal((await post(fetch, url)).status, 200);
  await fetch.warm(url);
  assert.equal((await post(fetch, url)).status, 200);
  // None is left open, and what reaches nobody is still proven unsent.
  leadsTo(...dead);
  const late = await rejection(post(fetchFor({ connectTimeoutMs: 300 }), url));
  assert.deepEqual([late.code, late[UNSENT]], ["ETIMEDOUT", true]);
  leadsTo("127.0.3.1", "127.0.3.2");
  const refused = await rejection(post(fetchFor({}), url));
  assert.deepEqual([refused.code, refused[UNSENT]], ["ECONNREFUSED", true]);
});

test("an address that is slow is not given up for one that answers nothing", onLinux, async () => {
  const slow = await deaf(["127.0.4.1"]);
  await deaf(["127.0.4.2"], slow.port);
  leadsTo("127.0.4.1", "127.0.4.2");
  const sent = post(fetchFor(), `http://desk.localhost:${slow.port}/`);
  // Longer than Node tries an address for.
  await new Promise((resolve) => setTimeout(resolve, 400));
  slow.resume();
  assert.equal((await sent).status, 200);
});
