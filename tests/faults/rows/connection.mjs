// Connections that fail: refused, silent, closed, reset, cut at every byte, closed under a second request, slow.

import { constants, gunzipSync } from "node:zlib";
import { between, either, landed, notSent, rejected, unknown } from "../outcomes.mjs";
import {
  CHUNKED,
  GZIP,
  KEPT,
  LAST_CHUNK,
  SMALL,
  UNTIL_CLOSED,
  answers,
  chunk,
  gzipped,
  head,
  inChunks,
  plays,
  reply,
  trade,
  tradeOf,
} from "../replies.mjs";

const brokenOff = unknown("network_error");
const lost = unknown(either("network_error", "unreadable_reply"));
const lostBody = unknown(either("network_error", "unreadable_reply"), { status: 200 });

// What runtimes did by themselves with a POST whose answer never began.

/** Chromium resends on each open connection, then once on a new one. It holds six to a host. */
const upToAllConnections = (least) => between(least, 7);
/** Deno resends if it has kept the body, even on a new connection; Chromium does on those opened ahead for a page. */
const SENT_AGAIN_WHEN_NEW = {
  "deno, body kept": { posts: 2 },
  "chromium, its own origin": { posts: upToAllConnections(1) },
};
/** Browsers resend on a connection that has already served a request. */
const SENT_AGAIN_WHEN_KEPT = {
  ...Object.fromEntries(["deno, body kept", "chromium", "firefox"].map((family) => [family, { posts: [1, 2] }])),
  "chromium, its own origin": { posts: [1, upToAllConnections(2)] },
};

const unsent = [
  {
    name: "refuses the connection",
    refuses: true,
    expect: brokenOff,
    posts: 0,
    // The package's own transports prove it.
    on: { "node:http of node": { expect: notSent("connect_failed") }, reqwest: { expect: notSent("connect_failed") } },
  },
  // Node 20 connects again and again, until its deadline: it has sent nothing yet.
  {
    name: "closes the connection before it reads",
    onConnection: (socket) => socket.destroy(),
    options: { timeoutMs: 3_000 },
    expect: unknown(either("network_error", "timeout")),
    posts: 0,
  },
  {
    name: "resets the connection before it reads",
    onConnection: (socket) => socket.resetAndDestroy(),
    expect: brokenOff,
    posts: 0,
    on: Object.fromEntries(
      ["node:http of node", "reqwest"].map((family) => [
        family,
        { expect: { outcome: either("not_sent", "unknown") } },
      ]),
    ),
  },
  // Late enough for the connection to be open, or nodeFetch would rightly report that nothing was sent.
  {
    name: "accepts and never reads",
    onConnection: () => {},
    options: { timeoutMs: 2_000 },
    expect: unknown("timeout"),
    posts: 0,
  },
];

const ownOriginToo = (rows) => rows.map((row) => ({ ...row, ownOrigin: true }));

const unanswered = ownOriginToo([
  plays("reads and never answers", () => {}, unknown("timeout"), { options: { timeoutMs: 8_000 } }),
  plays("never answers, and the call has a deadline of its own", () => {}, unknown("timeout"), {
    call: { timeoutMs: 8_000 },
  }),
  plays("closes before the headers", (exchange) => exchange.end(), brokenOff, { on: SENT_AGAIN_WHEN_NEW }),
  plays("resets before the headers", (exchange) => exchange.reset(), brokenOff, { on: SENT_AGAIN_WHEN_NEW }),
  plays(
    "executes, waits, and closes before the headers",
    async (exchange) => (await exchange.wait(100), exchange.end()),
    brokenOff,
    { on: SENT_AGAIN_WHEN_NEW },
  ),
  answers("closes after the status line", "HTTP/1.1 200 OK\r\n", lost, { on: SENT_AGAIN_WHEN_NEW }),
  answers("closes among the headers", "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\naccess-con", lost, {
    on: SENT_AGAIN_WHEN_NEW,
  }),
]);

const refused = rejected("rejected_by_service", { status: 400 });

const AFTER_HEAD = head(200, { "content-length": 100, "access-control-allow-origin": "*" });
const answeredInPart = [
  // Firefox does not show the head of a reply without a body byte.
  answers("closes after the headers", AFTER_HEAD, lostBody, { on: { firefox: { expect: brokenOff } } }),
  plays("resets after the headers", (exchange) => exchange.reset(AFTER_HEAD), lost, {
    on: { "deno, body kept": { posts: either(1, 2) } },
  }),
  // The whole trade is there, but not its end. Node 20 treats the end of the connection as that.
  answers(
    "a reply in chunks without its last",
    Buffer.concat([reply(200, null, CHUNKED), chunk(trade())]),
    unknown("network_error", { status: 200 }),
    { on: { "node 20": { expect: landed() } } },
  ),
  answers(
    "a refusal in chunks without its last",
    Buffer.concat([reply(400, null, CHUNKED), chunk('{"message":"no"}')]),
    unknown("network_error"),
    { on: { "node 20": { expect: refused }, firefox: { expect: refused } } },
  ),
  plays(
    "a reply in chunks that never ends",
    (exchange) => exchange.send(Buffer.concat([reply(200, null, CHUNKED), chunk(trade())])),
    unknown("timeout"),
    { options: { timeoutMs: 6_000 } },
  ),
  answers(
    "a chunk that is shorter than it says",
    Buffer.concat([reply(200, null, CHUNKED), Buffer.from("fff\r\n"), Buffer.from(trade())]),
    lostBody,
    { on: { "node 20": { expect: landed() } } },
  ),
  answers(
    "a chunk whose length is no number",
    Buffer.concat([reply(200, null, CHUNKED), Buffer.from("zz\r\n"), Buffer.from(trade()), LAST_CHUNK]),
    lost,
  ),
  answers(
    "a reply in chunks",
    Buffer.concat([reply(200, null, CHUNKED), inChunks(trade().slice(0, 50), trade().slice(50))]),
    landed(),
  ),
  answers(
    "a reply until the connection closes",
    Buffer.concat([reply(200, null, UNTIL_CLOSED), Buffer.from(trade())]),
    landed(),
  ),
];

// Every byte: call n gets the first n bytes and then the end. Few headers, so that there are few bytes to cut at.
const FEW = { "content-type": null, "access-control-expose-headers": null };
const headLength = (bytes) => bytes.indexOf("\r\n\r\n") + 4;

/**
 * @param {number} last the last cut: after it, a reader that asks for nothing more has all that there is to read
 * @param {Record<string, (call: number) => object>} closed the other results of families of runtimes for each cut, if the
 * connection is closed
 */
const cutAtEveryByte = (name, bytes, last, closed = {}) =>
  ["closed", "reset"].map((how) => ({
    name: `${name}, ${how} at every byte`,
    calls: last + 1,
    parallel: 8,
    options: { breaker: { unknowns: last + 1 } },
    // A browser's workers share the page's network, and these rows are the longest.
    not: how === "reset" ? ["dedicated worker", "shared worker", "service worker"] : [],
    script: (exchange) => exchange[how === "closed" ? "end" : "reset"](bytes.subarray(0, exchange.call)),
    expect: () => lost,
    on: {
      // A reset may overtake the bytes before it.
      "deno, body kept": { posts: (call) => (call < headLength(bytes) ? 2 : how === "closed" ? 1 : either(1, 2)) },
      ...Object.fromEntries(
        Object.entries(how === "closed" ? closed : {}).map(([family, expect]) => [family, { expect }]),
      ),
    },
  }));

const ofKnownLength = reply(200, SMALL, FEW);
const inTwoChunks = Buffer.concat([
  reply(200, null, { ...FEW, ...CHUNKED }),
  chunk(SMALL.slice(0, 20)),
  chunk(SMALL.slice(20)),
]);
const untilClosed = Buffer.concat([reply(200, null, { ...FEW, ...UNTIL_CLOSED }), Buffer.from(SMALL)]);
const inGzip = reply(200, gzipped(SMALL), { ...FEW, ...GZIP });
const refusal = reply(400, '{"message":"no"}', FEW);
const readable = refusal.indexOf("*") + 1;
/** Whether the first `length` bytes of a gzipped reply hold the whole of it: its checksum follows. */
const tellsAll = (length) =>
  gunzipSync(inGzip.subarray(headLength(inGzip), length), { finishFlush: constants.Z_SYNC_FLUSH }).toString() === SMALL;
const lastOfGzip = [...inGzip.keys()].findLast((length) => length <= headLength(inGzip) || !tellsAll(length));

const everyByte = [
  ...cutAtEveryByte("a reply of a known length", ofKnownLength, ofKnownLength.length - 1),
  ...cutAtEveryByte("a reply in chunks", inTwoChunks, inTwoChunks.lastIndexOf("}")),
  ...cutAtEveryByte("a reply until the connection closes", untilClosed, untilClosed.length - 1),
  ...cutAtEveryByte("a gzipped reply", inGzip, lastOfGzip),
  // The missing part may tell of a trade. A page may read the status once the header that allows it is whole: from then on
  // Firefox believes the refusal, and Chromium does so until the head ends, when it knows how long the body is.
  ...cutAtEveryByte("a refusal", refusal, refusal.length - 1, {
    chromium: (call) => (call >= readable && call < headLength(refusal) ? refused : lost),
    firefox: (call) => (call >= readable ? refused : lost),
  }),
];

/** The first call lands on a connection that stays open; `script` handles the second. */
const secondCall = (name, script, expect, more = {}) => ({
  name,
  calls: 2,
  preflightConnection: "keep-alive",
  script: (exchange) => (exchange.call === 0 ? exchange.send(reply(200, tradeOf(exchange), KEPT)) : script(exchange)),
  expect: [landed(), expect],
  ...more,
});

// Where the page has the server's origin, no preflight comes before.
const kept = ownOriginToo([
  secondCall(
    "a second call on a kept connection",
    (exchange) => exchange.send(reply(200, tradeOf(exchange), KEPT)),
    landed(),
  ),
  secondCall("a kept connection closes under the second request", (exchange) => exchange.end(), brokenOff, {
    on: SENT_AGAIN_WHEN_KEPT,
  }),
  secondCall("a kept connection is reset under the second request", (exchange) => exchange.reset(), brokenOff, {
    on: SENT_AGAIN_WHEN_KEPT,
  }),
  secondCall(
    "a kept connection closes once the second trade was made",
    async (exchange) => (await exchange.wait(300), exchange.end()),
    brokenOff,
    { on: SENT_AGAIN_WHEN_KEPT },
  ),
  // The worst case: two trades are made, and the caller learns of one.
  secondCall(
    "a kept connection closes under the second request, and answers when it comes again",
    (exchange) => exchange.end(exchange.time > 1 ? reply(200, tradeOf(exchange)) : undefined),
    brokenOff,
    {
      on: Object.fromEntries(
        Object.keys(SENT_AGAIN_WHEN_KEPT).map((family) => [family, { posts: [1, 2], expect: landed() }]),
      ),
    },
  ),
  secondCall(
    "a kept connection closes in the second reply's headers",
    (exchange) => exchange.end("HTTP/1.1 200 OK\r\ncontent-le"),
    lost,
    { on: { "deno, body kept": { posts: [1, 2] } } },
  ),
  secondCall(
    "a kept connection closes in the second reply's body",
    (exchange) => exchange.end(reply(200, trade()).subarray(0, -20)),
    lostBody,
  ),
  secondCall(
    "a kept connection answers the second request with 408",
    (exchange) => exchange.end(reply(408, "")),
    unknown("unexpected_status", { status: 408 }),
    {
      on: { chromium: { posts: [1, 2] }, "chromium, its own origin": SENT_AGAIN_WHEN_KEPT["chromium, its own origin"] },
    },
  ),
  secondCall("a kept connection is never answered the second time", () => {}, unknown("timeout"), {
    call: [{}, { timeoutMs: 8_000 }],
  }),
  plays("a connection opened ahead closes under the first request", (exchange) => exchange.end(), brokenOff, {
    warm: true,
    preflightConnection: "keep-alive",
    on: Object.fromEntries(
      Object.entries(SENT_AGAIN_WHEN_KEPT).map(([family, { posts }]) => [family, { posts: posts[1] }]),
    ),
  }),
  answers("a connection opened ahead carries the first trade", reply(200, trade()), landed(), { warm: true }),
  plays("the connection of a preflight closes under the request", (exchange) => exchange.end(), brokenOff, {
    only: ["browser"],
    not: ["its own origin"],
    preflightConnection: "keep-alive",
    posts: 2,
  }),
  {
    name: "an idle connection closes between two calls",
    calls: 2,
    preflightConnection: "keep-alive",
    call: { pauseBefore: 500 },
    async script(exchange) {
      exchange.send(reply(200, tradeOf(exchange), KEPT));
      if (exchange.call === 0) await exchange.wait(50);
      exchange.end();
    },
    expect: landed(),
  },
]);

/** One byte at a time. */
const drip = (pause, bytes) => async (exchange) => {
  for (const byte of bytes) {
    exchange.send(Buffer.from([byte]));
    await exchange.wait(pause);
  }
  exchange.end();
};

const SMALL_HEAD = reply(200, null, { "content-length": SMALL.length });
const slow = [
  plays("answers slowly, in time", drip(1, reply(200, SMALL, FEW)), landed()),
  plays(
    "answers late, in time",
    async (exchange) => (await exchange.wait(500), exchange.end(reply(200, trade()))),
    landed(),
  ),
  plays(
    "a body that begins, pauses and lands",
    async (exchange) => (
      exchange.send(reply(200, trade()).subarray(0, -20)),
      await exchange.wait(300),
      exchange.end(reply(200, trade()).subarray(-20))
    ),
    landed(),
  ),
  plays("headers too slow for the deadline", drip(500, reply(200, SMALL, FEW)), unknown("timeout"), {
    options: { timeoutMs: 8_000 },
  }),
  plays(
    "a body too slow for the deadline",
    (exchange) => (exchange.send(SMALL_HEAD), drip(500, Buffer.from(SMALL))(exchange)),
    unknown("timeout"),
    { options: { timeoutMs: 6_000 } },
  ),
  plays("a body that stops", (exchange) => exchange.send(reply(200, trade()).subarray(0, -20)), unknown("timeout"), {
    options: { timeoutMs: 6_000 },
  }),
];

export const rows = [...unsent, ...unanswered, ...answeredInPart, ...everyByte, ...kept, ...slow];
