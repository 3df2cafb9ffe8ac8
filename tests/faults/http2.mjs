// The fault server for HTTP/2, where a connection carries many requests and a server can end a single one.

import { constants, createSecureServer } from "node:http2";
import { certificate, listen } from "./server.mjs";

export const {
  NGHTTP2_NO_ERROR: NO_ERROR,
  NGHTTP2_INTERNAL_ERROR: INTERNAL_ERROR,
  NGHTTP2_CANCEL: CANCEL,
  NGHTTP2_REFUSED_STREAM: REFUSED_STREAM,
  NGHTTP2_ENHANCE_YOUR_CALM: ENHANCE_YOUR_CALM,
  NGHTTP2_HTTP_1_1_REQUIRED: HTTP_1_1_REQUIRED,
} = constants;

const OPEN = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after" };
const PREFLIGHT = {
  ...OPEN,
  ":status": 204,
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type, accept, x-api-key, idempotency-key",
  "access-control-max-age": "7200",
};

/** One POST that reached the server, and what a script may do about it. */
class Exchange {
  constructor(stream, socket, call, time) {
    Object.assign(this, { stream, socket, call, time });
  }

  answer(status, body, headers = {}) {
    this.stream.respond({ ":status": status, "content-type": "application/json", ...OPEN, ...headers });
    this.stream.end(body);
  }

  /** Answers in part, and leaves it there. */
  begin(status, body, headers = {}) {
    this.stream.respond({ ":status": status, "content-type": "application/json", ...OPEN, ...headers });
    return new Promise((resolve) => this.stream.write(body, resolve));
  }

  /** Ends this request, and no other: RST_STREAM. */
  reset(code) {
    this.stream.close(code);
  }

  /** Names the last request that it processed, and closes: GOAWAY. */
  async goAway(code, last) {
    this.stream.session.goaway(code, last);
    await new Promise((resolve) => setTimeout(resolve, 100));
    this.close();
  }

  /** Closes the connection under all requests, without a notice. */
  close() {
    this.socket.destroy();
  }
}

/** As `openServer` of server.mjs, for a row whose script speaks HTTP/2. */
export async function openHttp2Server({ script }) {
  const posts = [];
  const requests = [];
  const mishaps = [];
  /** The socket of each session, by the port of its other end: a session does not expose it. */
  const sockets = new Map();
  const server = createSecureServer({ key: certificate("good.key"), cert: certificate("good.crt") });
  // A client that leaves, or rejects the certificate, is not an error.
  const ignore = () => {};
  server.on("connection", (socket) => {
    sockets.set(socket.remotePort, socket);
    socket.on("error", ignore);
    socket.on("close", () => sockets.delete(socket.remotePort));
  });
  server.on("session", (session) => session.on("error", ignore));
  server.on("stream", async (stream, headers) => {
    stream.on("error", ignore);
    const method = headers[":method"];
    try {
      if (method === "OPTIONS") return stream.respond(PREFLIGHT, { endStream: true });
      let body = "";
      for await (const chunk of stream.setEncoding("utf8")) body += chunk;
      requests.push({ method, headers, body });
      const call = Number(/"fromWallet":"[a-z-]*(\d+)"/.exec(body)?.[1]);
      posts[call] = (posts[call] ?? 0) + 1;
      await script(new Exchange(stream, sockets.get(stream.session.socket.remotePort), call, posts[call]));
    } catch (error) {
      if (!stream.destroyed) mishaps.push(error.stack);
    }
  });
  const port = await listen(server);
  return {
    url: `https://127.0.0.1:${port}`,
    posts,
    requests,
    asked: [],
    mishaps,
    close() {
      for (const socket of sockets.values()) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
