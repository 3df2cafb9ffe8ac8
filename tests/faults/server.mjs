// The fault server: HTTP/1.1 by hand on real loopback sockets, so that a row controls every byte, every pause and
// every end of a connection. One server stands for one row on one runtime; it counts the POSTs that reach it.
//
//   client ── POST ──▶ server: read to the last byte, counted ──▶ row.script(exchange): answers, waits, breaks off

import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { KEPT, reply } from "./replies.mjs";

const HEAD_END = Buffer.from("\r\n\r\n");
/** For `tls`: anyone who begins a handshake waits forever. */
const UNANSWERED = "unanswered";
export const certificate = (file) => readFileSync(new URL(`certificates/${file}`, import.meta.url));

/** Ends a script whose client has gone. */
class HungUp extends Error {}

/** One POST that reached the server, and what a script may do about it. */
class Exchange {
  /**
   * @param {import("node:net").Socket} socket
   * @param {{ method: string, headers: Record<string, string>, body: string }} request
   * @param {number} call which of the row's calls this is, from 0
   * @param {number} time how often this call has come, from 1
   * @param {string} elsewhere the URL of another server, that nobody should visit
   * @param {() => Promise<void>} deafen has the server listen no more
   */
  constructor(socket, request, call, time, elsewhere, deafen) {
    Object.assign(this, { socket, request, call, time, elsewhere, deafen });
  }

  /** Writes bytes, and leaves the connection open. */
  send(bytes) {
    if (this.socket.destroyed) throw new HungUp();
    this.socket.write(bytes);
  }

  /** Writes bytes, if given, and closes: FIN. */
  end(bytes) {
    this.socket.end(bytes);
  }

  /** Writes bytes, if given, and resets (RST), like a machine that died. */
  async reset(bytes) {
    if (bytes?.length) await new Promise((resolve) => this.socket.write(bytes, resolve));
    if (this.socket.destroyed) return;
    if (this.socket.encrypted) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  /** Stops listening: everyone who connects from now on is refused. */
  async stopListening() {
    await this.deafen();
  }

  async wait(milliseconds) {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    if (this.socket.destroyed) throw new HungUp();
  }
}

/** Cuts requests out of a socket's bytes: `feed` gives those that are complete. */
class RequestReader {
  #bytes = Buffer.alloc(0);

  feed(chunk) {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const complete = [];
    for (let request; (request = this.#next());) complete.push(request);
    return complete;
  }

  #next() {
    const end = this.#bytes.indexOf(HEAD_END);
    if (end < 0) return undefined;
    const [first, ...lines] = this.#bytes.subarray(0, end).toString("latin1").split("\r\n");
    const [method, target] = first.split(" ");
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    if (headers["transfer-encoding"]) throw new Error("a request came in chunks, which this server does not read");
    const start = end + HEAD_END.length;
    const length = Number(headers["content-length"] ?? 0);
    if (this.#bytes.length < start + length) return undefined;
    const body = this.#bytes.subarray(start, start + length).toString();
    this.#bytes = this.#bytes.subarray(start + length);
    return { method, target, headers, body };
  }
}

/** What a browser asks before it sends a key to another origin. */
const preflight = (connection) =>
  reply(204, null, {
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type, accept, authorization, x-api-key, idempotency-key",
    "access-control-max-age": "7200",
    connection,
  });

export const listen = (server) =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server.address().port));
  });

const holdPort = (localPort, elsewhere) =>
  new Promise((resolve, reject) => {
    const socket = connect(
      { host: "127.0.0.1", port: new URL(elsewhere).port, localAddress: "127.0.0.1", localPort },
      () => resolve(socket),
    );
    socket.once("error", reject);
  });

/** What a page of the server's own origin is made of. */
const page = ({ type, bytes }) => reply(200, bytes, { "content-type": type });

/**
 * Opens a server for one row and resolves to it.
 *
 * - `url` is what a client takes as its `baseURL`.
 * - `posts[n]` is how often the row's call `n` came.
 * - `requests` are the POSTs, as they came, `asked` what came before them: preflights, and calls that open a connection.
 * - `tls` of a row names its certificate, or is "unanswered": the connection opens, and its handshake never ends.
 * - `mishaps` are errors of a script itself: the row's fault, not a client's.
 *
 * @param {object} row see rows.mjs
 * @param {object} [around]
 * @param {string} [around.elsewhere] the URL of another server, that nobody should visit
 * @param {Record<string, { type: string, bytes: Buffer }>} [around.files] a page that it serves beside
 */
export async function openServer(
  { script, tls, host = "127.0.0.1", refuses = false, preflightConnection = "close", onConnection },
  { elsewhere, files = {} } = {},
) {
  const posts = [];
  const requests = [];
  const asked = [];
  const mishaps = [];
  const sockets = new Set();
  const arrivals = [];

  async function answer(socket, request) {
    if (request.method === "OPTIONS" || request.method === "HEAD") asked.push(request);
    if (request.method === "OPTIONS")
      return socket[preflightConnection === "close" ? "end" : "write"](preflight(preflightConnection));
    if (request.method === "GET" && files[request.target]) return socket.end(page(files[request.target]));
    if (request.method === "GET" && request.target.endsWith("/arrived")) {
      // The driver asks here when to abort a call that has been sent.
      if (!requests.length) await new Promise((resolve) => arrivals.push(resolve));
      return socket.end(reply(200, "{}"));
    }
    if (request.method === "HEAD") return socket.write(reply(200, null, KEPT));
    requests.push(request);
    if (request.method !== "POST") return socket.end(reply(405, ""));
    const call = Number(/"fromWallet":"[a-z-]*(\d+)"/.exec(request.body)?.[1]);
    posts[call] = (posts[call] ?? 0) + 1;
    for (const tell of arrivals.splice(0)) tell();
    return script(new Exchange(socket, request, call, posts[call], elsewhere, deafen));
  }

  function converse(socket) {
    const reader = new RequestReader();
    let busy = Promise.resolve();
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    // A client that leaves, as at its deadline, is not an error.
    socket.on("error", () => socket.destroy());
    if (onConnection) return onConnection(socket);
    socket.on("data", (chunk) => {
      busy = busy
        .then(async () => {
          for (const request of reader.feed(chunk)) await answer(socket, request);
        })
        .catch((error) => {
          if (!(error instanceof HungUp)) mishaps.push(error.stack);
          socket.destroy();
        });
    });
  }

  const speaksTls = tls && tls !== UNANSWERED;
  const server = speaksTls
    ? createTlsServer({ key: certificate(`${tls}.key`), cert: certificate(`${tls}.crt`) }, converse)
    : createServer(converse);
  // A client that rejects the certificate sends an alert.
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  const port = await listen(server);
  let held;
  /** Nobody else gets the port meanwhile: a connection goes out from it. */
  async function deafen() {
    server.close();
    held = await holdPort(port, elsewhere);
  }
  const close = () => {
    held?.destroy();
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => (server.listening ? server.close(resolve) : resolve()));
  };
  // Nobody listens there, and nobody else gets the port, while a connection goes out from it.
  if (refuses) {
    await close();
    held = await holdPort(port, elsewhere);
  }
  return { url: `${tls ? "https" : "http"}://${host}:${port}`, posts, requests, asked, mishaps, close };
}
