// Sends a trade on a connection of its own, and reads the one reply to it. The runtime's `fetch` keeps connections, and takes what a
// service has sent too much on one for the reply to the next trade; after a reply of 1xx, it waits for another one forever.

import { connect } from "cloudflare:sockets";
import { post } from "./post.js";
import { read } from "./read.js";

/** The most bytes of everything before a body. */
const MOST_HEAD = 1 << 16;
const DECODERS = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate" };

const utf8 = new TextEncoder();
const latin1 = new TextDecoder("latin1");

/** The bytes of a reply, as far as they have come. */
class Bytes {
  #reader;
  #held = new Uint8Array();
  #headLeft = MOST_HEAD;

  constructor(readable) {
    this.#reader = readable.getReader();
  }

  /** The next bytes; `undefined` at the end. */
  async next() {
    const held = this.#held;
    this.#held = new Uint8Array();
    if (held.length) return held;
    return (await this.#reader.read()).value;
  }

  /** The next line, without its end. */
  async line() {
    let line = "";
    for (;;) {
      const bytes = await this.next();
      if (!bytes) throw new Error("the reply broke off");
      const end = bytes.indexOf(10);
      const used = end < 0 ? bytes.length : end + 1;
      this.#headLeft -= used;
      if (this.#headLeft < 0) throw new Error("the head of the reply is too long");
      line += latin1.decode(bytes.subarray(0, used));
      if (end < 0) continue;
      this.#held = bytes.subarray(used);
      return line.replace(/\r?\n$/, "");
    }
  }

  /** The next `length` bytes, or all until the end, piece by piece. */
  async *pieces(length) {
    for (let left = length; left > 0;) {
      const bytes = await this.next();
      if (!bytes && left === Infinity) return;
      if (!bytes) throw new Error("the reply broke off");
      this.#held = bytes.subarray(Math.min(left, bytes.length));
      const piece = bytes.subarray(0, bytes.length - this.#held.length);
      left -= piece.length;
      yield piece;
    }
  }

  async *chunks() {
    for (;;) {
      const size = /^([0-9a-f]{1,8})[ \t]*(;.*)?$/i.exec(await this.line());
      if (!size) throw new Error("a chunk has no size");
      const length = parseInt(size[1], 16);
      if (length === 0) break;
      yield* this.pieces(length);
      if ((await this.line()) !== "") throw new Error("a chunk is longer than its size");
    }
    while ((await this.line()) !== "");
  }
}

/** The start of the final reply. Those before it, of 1xx, only inform. */
async function headOf(bytes) {
  for (;;) {
    const status = Number(/^HTTP\/1\.[01] (\d{3})( |$)/.exec(await bytes.line())?.[1] ?? NaN);
    if (Number.isNaN(status)) throw new Error("the reply is not HTTP/1.1");
    const headers = new Headers();
    for (let line; (line = await bytes.line()) !== "";) {
      const field = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line);
      if (!field) throw new Error("a line of the reply's head is not a header");
      headers.append(field[1], field[2]);
    }
    if (status >= 200 || status === 101) return { status, headers };
  }
}

/** The body's pieces. Two lengths, or a length beside chunks, contradict each other: such a reply may not be what it seems. */
function bodyOf(bytes, status, headers) {
  if (status === 101 || status === 204 || status === 304) return bytes.pieces(0);
  const [length, coding] = [headers.get("content-length"), headers.get("transfer-encoding")?.toLowerCase()];
  if (coding === "chunked" && length === null) return bytes.chunks();
  if (coding === undefined && length === null) return bytes.pieces(Infinity);
  if (coding !== undefined || !/^\d{1,15}$/.test(length)) throw new Error("the length of the reply is not clear");
  return bytes.pieces(Number(length));
}

/** Sends the request and reads the reply. */
async function exchange(socket, { host, pathname, search }, { headers, body, maxReplyBytes }) {
  const content = utf8.encode(body);
  const lines = [
    `POST ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    "connection: close",
    "accept-encoding: identity",
    `content-length: ${content.length}`,
  ];
  const head = utf8.encode([...lines, ...headers.map(([name, value]) => `${name}: ${value}`), "", ""].join("\r\n"));
  const request = new Uint8Array(head.length + content.length);
  request.set(head);
  request.set(content, head.length);
  await socket.writable.getWriter().write(request);
  const bytes = new Bytes(socket.readable);
  const reply = await headOf(bytes);
  const pieces = bodyOf(bytes, reply.status, reply.headers);
  const decoder = DECODERS[reply.headers.get("content-encoding")?.toLowerCase()];
  // Its announced length was compared with what came, so it is not announced again.
  const whole = await read(
    {
      headers: new Headers(),
      body: decoder ? ReadableStream.from(pieces).pipeThrough(new DecompressionStream(decoder)) : pieces,
    },
    maxReplyBytes,
  );
  return whole ? { ...reply, body: whole } : { failure: "tooLarge" };
}

/**
 * Forwards a trade, once, and resolves to what came of it. Where the runtime opens no connection to the service, as from
 * Cloudflare's network to a service behind it, `fetch` sends it. Trading may have been stopped while a connection opened: `maySend` is
 * asked in the turn in which the request is written.
 */
export async function forward(step, maySend) {
  const url = new URL(step.url);
  const until = Date.now() + step.timeoutMs;
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, step.timeoutMs, "late")));
  let socket;
  try {
    const isSecure = url.protocol === "https:";
    socket = connect(`${url.hostname}:${url.port || (isSecure ? 443 : 80)}`, {
      secureTransport: isSecure ? "on" : "off",
      allowHalfOpen: false,
    });
    socket.closed.catch(() => {});
    const opened = await Promise.race([
      late,
      socket.opened.then(
        () => "open",
        () => "closed",
      ),
    ]);
    if (opened === "late" || !maySend()) return { failure: "unsent" };
    if (opened === "closed")
      return { ...(await post({ ...step, timeoutMs: Math.max(1, until - Date.now()) })), isShared: true };
    const result = await Promise.race([late, exchange(socket, url, step)]);
    return result === "late" ? { failure: "timeout" } : result;
  } catch {
    return { failure: "broken" };
  } finally {
    clearTimeout(timer);
    socket?.close().catch(() => {});
  }
}
