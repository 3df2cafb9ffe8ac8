// A service that sends replies nobody asked for. HTTP/1.1 does not say which request a reply answers, so a stray one on a kept
// connection must not become the answer to the next trade.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import test, { after } from "node:test";
import { TradeClient } from "launchpad-desk";
import { nodeFetch } from "launchpad-desk/node";
import { draws, seedOr } from "../seed.mjs";
import { LANDED, rejection, requests } from "./service.mjs";

const closing = [];
after(() => Promise.all(closing.map((close) => close())));

const reply = (status, body) =>
  `HTTP/1.1 ${status} Said\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
let trades = 0;
/** The reply to a trade that landed, with a signature of its own. */
const good = () => reply(200, LANDED.replaceAll("5igna7ure", `5igna7ure${++trades}`));
const STRAY = reply(400, '{"message":"stray"}');

/** The request at the start of the received bytes; nothing until it is complete. */
function wholeRequest(bytes) {
  const head = bytes.indexOf("\r\n\r\n") + 4;
  if (head < 4) return undefined;
  const whole = bytes.subarray(0, head + Number(/^content-length: (\d+)/im.exec(bytes.subarray(0, head))?.[1] ?? 0));
  return whole.length <= bytes.length ? whole : undefined;
}

/** A service that executes each complete request, with given answers. */
async function serve(answer, onConnection = () => {}) {
  const seen = { executed: 0, sockets: [] };
  const server = createServer({ noDelay: true }, (socket) => {
    seen.sockets.push(socket);
    socket.on("error", () => {});
    onConnection(socket);
    let bytes = Buffer.alloc(0);
    socket.on("data", (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      for (let request = wholeRequest(bytes); request; request = wholeRequest(bytes)) {
        bytes = bytes.subarray(request.length);
        answer(socket, ++seen.executed);
      }
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of seen.sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { seen, url: `http://127.0.0.1:${server.address().port}` };
}

function clientOf(url, options) {
  const fetch = options && nodeFetch(options);
  if (fetch) closing.push(async () => fetch.close());
  return new TradeClient({ baseURL: url, ...(fetch && { fetch }), breaker: { unknowns: 1_000 } });
}

/** Writes until the system has taken it all: on loopback it has then arrived. */
const written = (socket, bytes) =>
  new Promise((resolve, reject) => socket.write(bytes, (error) => (error ? reject(error) : resolve())));
const turns = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A service whose good reply is followed by a stray one, 1 to 30 ms later. */
function strayingService(draw) {
  return serve((socket) => {
    socket.write(good());
    setTimeout(() => socket.destroyed || socket.write(STRAY), 1 + draw(30));
  });
}

test("with a connection for each trade, which is the default, no stray reply answers a trade", async () => {
  const draw = draws(seedOr(23));
  const { seen, url } = await strayingService(draw);
  for (const options of [undefined, { connectionPerTrade: true }]) {
    const client = clientOf(url, options);
    for (let trade = 0; trade < 150; trade++) {
      assert.equal((await client.buy(requests().buy)).status, "landed");
      if (draw(2)) await turns(draw(20));
    }
  }
  assert.deepEqual([seen.executed, seen.sockets.length], [300, 300]);
});

test("nor does it on connections that were opened ahead, one after another", async () => {
  const { seen, url } = await strayingService(draws(seedOr(24)));
  const client = clientOf(url, {});
  for (let trade = 0; trade < 50; trade++) {
    await client.warm();
    assert.equal((await client.buy(requests().buy)).status, "landed");
  }
  assert.deepEqual([seen.executed, seen.sockets.length], [50, 50]);
});

test("a stray reply on a kept connection that came before the next request was written is no answer to it", async () => {
  const { seen, url } = await serve((socket) => socket.write(good()));
  const client = clientOf(url, { connectionPerTrade: false });
  for (let trade = 1; trade <= 100; trade++) {
    assert.equal((await client.buy(requests().buy)).status, "landed", `trade ${trade}`);
    // It has arrived, and this program has had no time to read it.
    await written(seen.sockets.at(-1), STRAY);
  }
  assert.deepEqual([seen.executed, seen.sockets.length], [100, 100], "each connection with a stray reply was closed");
});

test("the start of a stray reply on an idle connection closes it", async () => {
  const { seen, url } = await serve((socket) => socket.write(good()));
  const client = clientOf(url, { connectionPerTrade: false });
  await client.buy(requests().buy);
  await client.buy(requests().buy);
  assert.equal(seen.sockets.length, 1, "the connection is kept");
  await written(seen.sockets[0], STRAY.slice(0, 10));
  assert.equal((await client.buy(requests().buy)).status, "landed");
  assert.deepEqual([seen.executed, seen.sockets.length], [3, 2]);
});

test("of several kept connections, only those with a stray reply are closed", async () => {
  const waiting = [];
  const { seen, url } = await serve((socket) => waiting.push(socket));
  const fetch = nodeFetch({ connectionPerTrade: false });
  closing.push(async () => fetch.close());
  const post = async () => (await fetch(url, { method: "POST", body: "{}" })).text();
  const answered = async (count) => {
    const sent = Array.from({ length: count }, post);
    while (waiting.length < count) await turns(1);
    for (const socket of waiting.splice(0)) socket.write(reply(200, LANDED));
    assert.deepEqual(await Promise.all(sent), Array(count).fill(LANDED));
  };
  await answered(4);
  for (const at of [1, 3]) await written(seen.sockets[at], STRAY);
  await answered(4);
  assert.deepEqual([seen.executed, seen.sockets.length], [8, 6]);
});

test("a stray reply on a connection that was opened ahead is no answer", async () => {
  const { seen, url } = await serve((socket) => socket.write(good()));
  for (const options of [{}, { connectionPerTrade: false }]) {
    const client = clientOf(url, options);
    const before = seen.sockets.length;
    await client.warm();
    while (seen.sockets.length === before) await turns(1);
    await written(seen.sockets.at(-1), STRAY);
    assert.equal((await client.buy(requests().buy)).status, "landed");
    assert.equal(seen.sockets.length, before + 2);
  }
});

test("a reply that comes before its request is written proves nothing", async () => {
  // The service reads nothing more, so the request cannot be written to its end.
  const { url } = await serve(
    () => {},
    (socket) => socket.once("data", () => (socket.pause(), socket.write(STRAY))),
  );
  const fetch = nodeFetch();
  closing.push(async () => fetch.close());
  const error = await rejection(fetch(url, { method: "POST", body: "x".repeat(64 << 20) }));
  assert.deepEqual(
    [error.code, error.message, error[Symbol.for("launchpad-desk.unsent")]],
    ["EPROTO", "the service answered before the request was written", undefined],
  );
});
