// A forward has a connection of its own, and its answer is the first reply on it: not one to another trade, and not one that only informs.

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { BUY, LANDED, gatewayFor, settingsOf } from "./gateway.mjs";

/** A service of plain bytes: `answer(socket, number)` is called for each whole request, with how many there were on its connection. */
async function service() {
  const own = { answer: undefined, connections: 0, requests: [] };
  const server = createServer((socket) => {
    own.connections++;
    let [text, number] = ["", 0];
    socket.on("error", () => {});
    socket.setEncoding("utf8").on("data", (piece) => {
      text += piece;
      const [head, body] = text.split("\r\n\r\n");
      if (body === undefined || body.length < Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)) return;
      own.requests.push(text);
      text = "";
      own.answer(socket, ++number);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => server.close());
  own.url = `http://127.0.0.1:${server.address().port}`;
  return own;
}

const body = JSON.stringify(LANDED);
const whole = (status, text, more = "") =>
  `HTTP/1.1 ${status} X\r\ncontent-length: ${Buffer.byteLength(text)}\r\n${more}\r\n${text}`;
const chunked = (...pieces) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${pieces.map((piece) => `${piece.length.toString(16)};a=b\r\n${piece}\r\n`).join("")}0\r\nx: y\r\n\r\n`;

const upstream = await service();
const gateway = await gatewayFor({
  settings: settingsOf({
    upstream: upstream.url,
    timeoutMs: 3_000,
    desks: [{ name: "alpha", limits: { maxLamportsPerDay: 1_000_000_000_000 } }],
  }),
});
let intents = 0;
async function trade() {
  const response = await gateway.post("/v1/trade/buy", BUY, { intent: `intent-${++intents}` });
  return [response.status, response.headers.get("intent-state"), await response.text()];
}

test("a second reply to one trade is not the answer to the next", async () => {
  for (const late of [0, 20]) {
    upstream.answer = (socket) => {
      socket.write(whole(200, body));
      setTimeout(() => socket.destroyed || socket.write(whole(400, "no funds")), late);
    };
    const before = upstream.connections;
    for (let count = 0; count < 20; count++) assert.deepEqual(await trade(), [200, "ended", body]);
    assert.equal(upstream.connections - before, 20, "each has its own connection");
  }
  const { spent } = await gateway.desk();
  assert.equal(
    spent.find(({ caller, wallet }) => caller === null && wallet === null).lamports,
    40 * (BUY.amountInLamports + 5_000) + 2_860_040,
    "each with its signature, and the rent of the accounts that the first may open",
  );
});

test("it says that it wants one reply, and says it in plain HTTP/1.1", async () => {
  upstream.answer = (socket) => socket.end(whole(200, body));
  upstream.requests.length = 0;
  await trade();
  const [head, sent] = upstream.requests[0].split("\r\n\r\n");
  assert.match(head, /^POST \/v1\/trade\/buy HTTP\/1\.1\r\nhost: 127\.0\.0\.1:\d+\r\nconnection: close\r\n/);
  assert.match(head, /^content-type: application\/json$/m);
  assert.deepEqual(JSON.parse(sent).amountInLamports, BUY.amountInLamports);
});

test("replies of 1xx before the answer are no doubt", async () => {
  for (const statuses of [
    ["100 Continue"],
    ["102 Processing"],
    ["103 Early Hints"],
    ["100 Continue", "103 Early Hints", "103 Early Hints"],
  ]) {
    upstream.answer = (socket) => {
      for (const status of statuses) socket.write(`HTTP/1.1 ${status}\r\nlink: </a>\r\n\r\n`);
      setTimeout(() => socket.write(whole(200, body)), 10);
    };
    assert.deepEqual(await trade(), [200, "ended", body], statuses.join());
  }
});

test("every form of a whole reply is read", async () => {
  const forms = {
    "in pieces of one byte": (socket) =>
      void (async () => {
        for (const byte of whole(200, body)) {
          socket.write(byte);
          await new Promise(setImmediate);
        }
      })(),
    "in chunks": (socket) => socket.write(chunked(body.slice(0, 9), body.slice(9))),
    "until the end of the connection": (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`),
    "of HTTP/1.0": (socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\n${body}`),
    "with line feeds alone": (socket) => socket.write(whole(200, body).replaceAll("\r\n", "\n")),
    "compressed, though nobody asked for it": (socket) => {
      const bytes = gzipSync(body);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`);
      socket.write(bytes);
    },
    "with more after it": (socket) => socket.write(whole(200, body) + "and more"),
  };
  for (const [name, answer] of Object.entries(forms)) {
    upstream.answer = answer;
    assert.deepEqual(await trade(), [200, "ended", body], name);
  }
  upstream.answer = (socket) => socket.write(whole(422, '{"message":"no"}', "retry-after: 9\r\n"));
  assert.deepEqual(await trade(), [422, "ended", '{"message":"no"}']);
});

test("a reply that is not whole, or not clear, leaves the trade in doubt", async () => {
  const forms = {
    "no reply": (socket) => socket.end(),
    "a reset": (socket) => socket.resetAndDestroy(),
    "half a head": (socket) => socket.end("HTTP/1.1 400 Bad\r\ncontent-le"),
    "half a body": (socket) => socket.end(whole(400, "no").slice(0, -1)),
    "half a chunk": (socket) => socket.end(chunked("no").slice(0, -9)),
    "two lengths": (socket) => socket.end(whole(400, "no", "content-length: 1\r\n")),
    "a length and chunks": (socket) =>
      socket.end(chunked("no").replace("\r\n\r\n", "\r\ncontent-length: 2\r\n\r\n").replace("200", "400")),
    "a line that is no header": (socket) => socket.end(whole(400, "no", "no header\r\n")),
    "a head without an end": (socket) => socket.end(`HTTP/1.1 400 Bad\r\n${"x: y\r\n".repeat(20_000)}`),
    "replies of 1xx without an end": (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(5_000)),
    "another protocol": (socket) => socket.end("SSH-2.0-x\r\n\r\n"),
    "an upgrade": (socket) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    silence: () => {},
  };
  for (const [name, answer] of Object.entries(forms)) {
    upstream.answer = answer;
    const [status, state] = await trade();
    assert.deepEqual([status, state], [502, "in_doubt"], name);
  }
});
