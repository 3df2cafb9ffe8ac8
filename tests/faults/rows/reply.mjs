// Replies that arrive whole, but say something odd, or nothing readable.

import { brotliCompressSync, deflateSync } from "node:zlib";
import { either, failed, landed, unconfirmed, unknown } from "../outcomes.mjs";
import { CHUNKED, GZIP, UNTIL_CLOSED, answers, gzipped, head, inChunks, reply, trade } from "../replies.mjs";

const unreadable = unknown("unreadable_reply", { status: 200 });
const lost = unknown(either("network_error", "unreadable_reply"));

const says = (name, body, expect, more) => answers(name, reply(200, body), expect, more);
const tells = (name, change, expect, more) => says(name, trade(change), expect, more);

/** workerd returns an interim answer as the final one. */
const takenForTheAnswer = (status) => ({ workerd: { expect: unknown("unexpected_status", { status }) } });

const lengths = [
  answers("a content-length that is too short", reply(200, trade(), { "content-length": 100 }), lost),
  answers(
    "a content-length that is too long",
    reply(200, trade(), { "content-length": 10_000 }),
    unknown("network_error", { status: 200 }),
  ),
  answers("a content-length of nothing", reply(200, trade(), { "content-length": 0 }), lost),
  // Browsers read on until the connection closes.
  answers("a content-length that is no number", reply(200, trade(), { "content-length": "many" }), lost, {
    on: { browser: { expect: landed() } },
  }),
  answers("a negative content-length", reply(200, trade(), { "content-length": -5 }), lost, {
    on: { browser: { expect: landed() } },
  }),
  answers("two content-lengths that differ", reply(200, trade(), { "content-length": [trade().length, 20] }), lost),
  // Chunks go before (RFC 9112, 6.3); Node has none of it.
  answers(
    "a content-length and chunks",
    Buffer.concat([reply(200, null, { ...CHUNKED, "content-length": 5 }), inChunks(trade())]),
    landed(),
    { on: { node: { expect: lost }, "node:http": { expect: lost } } },
  ),
];

const heads = [
  // Node breaks the connection off.
  answers("100, then 200", Buffer.concat([head(100), reply(200, trade())]), landed(), {
    on: { node: { expect: unknown("network_error") }, ...takenForTheAnswer(100) },
  }),
  answers("102, then 200", Buffer.concat([head(102), reply(200, trade())]), landed(), { on: takenForTheAnswer(102) }),
  answers(
    "103 with links, then 200",
    Buffer.concat([head(103, { link: "</a.css>; rel=preload" }), reply(200, trade())]),
    landed(),
    { on: takenForTheAnswer(103) },
  ),
  answers("ten times 103, then 200", Buffer.concat([...Array(10).fill(head(103)), reply(200, trade())]), landed(), {
    on: takenForTheAnswer(103),
  }),
  answers("100, then the end", head(100), lost, { on: { "deno, body kept": { posts: 2 }, ...takenForTheAnswer(100) } }),
  answers(
    "101, which nobody asked for",
    head(101, { upgrade: "x", connection: "upgrade", "access-control-allow-origin": "*" }),
    unknown(either("network_error", "unexpected_status")),
  ),
  answers("no HTTP at all", "hello\r\n\r\n", unknown("network_error")),
  answers("another protocol", Buffer.from([0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 128]), unknown("network_error")),
  answers(
    "a status that is no number",
    "HTTP/1.1 abc Whatever\r\ncontent-length: 0\r\naccess-control-allow-origin: *\r\n\r\n",
    lost,
  ),
  answers("HTTP/1.0", Buffer.from(reply(200, trade()).toString().replace("HTTP/1.1", "HTTP/1.0")), landed()),
  answers("a header of 1 MiB", reply(200, trade(), { "x-long": "x".repeat(1 << 20) }), unknown("network_error"), {
    on: { bun: { expect: landed() } },
  }),
];

const successes = [201, 202, 203, 206, 299].map((status) =>
  answers(`${status} with a trade`, reply(status, trade()), landed()),
);

const garbage = [
  answers("204", reply(204, null), unknown("unreadable_reply", { status: 204 })),
  answers("205", reply(205, ""), unknown("unreadable_reply", { status: 205 })),
  says("no body", "", unreadable),
  says("text", "ok", unreadable),
  says("a page", "<!doctype html><title>Sign in</title>", unreadable),
  says("half of a trade", trade().slice(0, 200), unreadable),
  says("invalid UTF-8", Buffer.from(trade().replace("5igna7ure", "5igna\u00ffure"), "latin1"), unreadable),
  says("UTF-16", Buffer.from(`\ufeff${trade()}`, "utf16le"), unreadable),
  says(
    "nesting of 100,000",
    `{"result":{"transactionResult":{"success":true,"results":${"[".repeat(100_000)}${"]".repeat(100_000)}}}}`,
    unreadable,
  ),
];

const readable = [
  says(
    "a trade",
    trade(),
    landed({ result: { buyAmount: 34199203.120618, signature: "5igna7ure" }, exact: { buyAmount: "34199203.120618" } }),
  ),
  answers("a trade that is said to be a page", reply(200, trade(), { "content-type": "text/html" }), landed()),
  answers("a trade without a content-type", reply(200, trade(), { "content-type": null }), landed()),
  says("a trade after a byte order mark", `\ufeff${trade()}`, landed()),
  tells(
    "success false",
    ({ result }) =>
      Object.assign(result.transactionResult, { success: false, results: "custom program error: 0x1772" }),
    failed("transaction_failed", {
      status: 200,
      serviceMessage: "custom program error: 0x1772",
      trade: { status: "failed" },
    }),
  ),
  tells("success missing", ({ result }) => delete result.transactionResult.success, unconfirmed()),
];

const contradictory = unknown("contradictory_reply", { status: 200 });
/** A reply about something else than was asked, or about two things at once. */
const contradicts = (name, change) => tells(name, change, contradictory);
const contradictions = [
  tells(
    "the wallet that was asked for",
    ({ result }) => (result.wallet = "wallet-0"),
    landed({ result: { mint: "MoonRabbit", wallet: "wallet-0" } }),
  ),
  contradicts("another mint", ({ result }) => (result.mint = "SunRabbit")),
  contradicts("another wallet", ({ result }) => (result.wallet = "wallet-1")),
];

const encoded = [
  answers("gzip", reply(200, gzipped(trade()), GZIP), landed()),
  answers(
    "gzip in chunks",
    Buffer.concat([
      reply(200, null, { ...CHUNKED, ...GZIP }),
      inChunks(gzipped(trade()).subarray(0, 50), gzipped(trade()).subarray(50)),
    ]),
    landed(),
  ),
  answers("gzip, cut", reply(200, gzipped(trade()).subarray(0, -30), GZIP), lost),
  answers("gzip that is none", reply(200, trade(), GZIP), lost),
  // Nobody asked for it, and Deno and workerd do not know it.
  answers("deflate", reply(200, deflateSync(trade()), { "content-encoding": "deflate" }), landed(), {
    on: { deno: { expect: unreadable }, workerd: { expect: unreadable } },
  }),
  answers(
    "brotli, which plain http may not have",
    reply(200, brotliCompressSync(trade()), { "content-encoding": "br" }),
    landed(),
    { on: { reqwest: { expect: unreadable } } },
  ),
  answers("an encoding that nobody knows", reply(200, trade(), { "content-encoding": "secret" }), landed()),
];

/** Sends until the client has had enough. */
const endless = (first, piece) => async (exchange) => {
  exchange.send(first);
  for (;;) {
    exchange.send(piece);
    await exchange.wait(1);
  }
};
const MIB = 1 << 20;
const tooLarge = unknown("reply_too_large", { status: 200 });

const large = [
  answers(
    "a body of 2 MiB",
    reply(
      200,
      trade(({ result }) => (result.transactionResult.results = "x".repeat(2 * MIB))),
    ),
    tooLarge,
  ),
  answers("a body as large as is allowed", reply(200, trade().padEnd(MIB)), landed()),
  answers("a body a byte larger than is allowed", reply(200, trade().padEnd(MIB + 1)), tooLarge),
  answers("a body over the caller's own bound", reply(200, trade()), tooLarge, { options: { maxReplyBytes: 100 } }),
  {
    name: "a body without end",
    script: endless(reply(200, null, UNTIL_CLOSED), Buffer.alloc(MIB / 4, " ")),
    expect: tooLarge,
  },
  answers("64 MiB in a few bytes of gzip", reply(200, gzipped(Buffer.alloc(64 * MIB, " ")), GZIP), tooLarge),
  answers("a refusal of 2 MiB", reply(400, "x".repeat(2 * MIB)), unknown("reply_too_large", { status: 400 })),
];

export const rows = [
  ...readable,
  ...contradictions,
  ...successes,
  ...garbage,
  ...heads,
  ...lengths,
  ...encoded,
  ...large,
];
