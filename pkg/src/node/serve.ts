// A sandbox behind a port: over node:http it gives the same answers as its `fetch`, byte for byte.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import openapi from "build:openapi";
import type { Sandbox } from "launchpad-desk/sandbox";
import type { Feed } from "../sandbox/feed.js";
import type { Answer, BodyLimit, Reply } from "../sandbox/fetch-shape.js";
import { BODY_LIMIT, SANDBOX } from "../symbols.js";
import { builtin } from "./builtin.js";
import { MOST, checkWhole, ownOptions } from "./options.js";

/** Options of {@link serve}. */
export interface ServeOptions {
  /** The port; 0 picks a free one. Default: 0. */
  port?: number;
  /** The name or address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  host?: string;
  /** Closes it when aborted. */
  signal?: AbortSignal;
  /**
   * The host names under which it may be reached, besides `host` and those of this machine (`localhost`, 127.0.0.1, `[::1]`),
   * without a port. Any other name is refused, because a web page can let its own host name resolve to this machine. Default:
   * none.
   */
  allowedHosts?: string[];
  /**
   * The longest request body that is read, in bytes. Default: 67108864, enough for the state of `/_sandbox/state`. For trades, the
   * sandbox's own `maxBodyBytes` applies. All bodies that are being read take twice as much memory at most, or 16 MiB.
   */
  maxBodyBytes?: number;
  /** How long a request's body may take, in milliseconds. Default: 30000. */
  bodyTimeoutMs?: number;
}

/** A sandbox that is served: what {@link serve} gives. */
export interface Served {
  /** Its address, without a trailing slash: `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets requests in progress finish (for five seconds at most), and frees the port. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long a request may still take when the server is closed. */
const GRACE_MS = 5_000;

/** How long the rest of a body that is not needed is received, so that its sender gets to read the answer. */
const LINGER_MS = 2_000;

/** The least that the memory for bodies is bounded to, in bytes. */
const LEAST_MEMORY = 1 << 24;

const EMPTY = new Uint8Array(0);

/** The functions by which a sandbox answers requests; its `fetch` carries them. */
function doorsOf(sandbox: Pick<Sandbox, "fetch">): { answer: Answer; bodyLimit: BodyLimit } {
  const { [SANDBOX]: answer, [BODY_LIMIT]: bodyLimit } = (sandbox?.fetch ?? {}) as {
    [SANDBOX]?: unknown;
    [BODY_LIMIT]?: unknown;
  };
  if (typeof answer !== "function") throw new TypeError("serve takes a sandbox");
  return { answer: answer as Answer, bodyLimit: bodyLimit as BodyLimit };
}

const DEFAULTS = {
  port: 0,
  host: "127.0.0.1",
  allowedHosts: [] as string[],
  maxBodyBytes: 1 << 26,
  bodyTimeoutMs: 30_000,
};

type Settings = typeof DEFAULTS & Pick<ServeOptions, "signal">;

function settings(options: ServeOptions): Settings {
  const given = {
    ...DEFAULTS,
    ...ownOptions("serve", options, ["port", "host", "signal", "allowedHosts", "maxBodyBytes", "bodyTimeoutMs"]),
  };
  const { host, allowedHosts } = given;
  checkWhole("serve", given, { port: [0, 65_535], maxBodyBytes: [1, MOST], bodyTimeoutMs: [1, MOST] });
  if (typeof host !== "string" || !host) throw new TypeError("serve: host must be a name or an address");
  if (!Array.isArray(allowedHosts) || !allowedHosts.every((name) => typeof name === "string" && nameIn(name) === name))
    throw new TypeError("serve: allowedHosts must be a list of host names in lower case, without ports");
  return given;
}

/** The name in a host, without its port and in lower case; `undefined` if it is no host. */
const nameIn = (host: string): string | undefined =>
  /^(\[[\da-f:.]+\]|[^\s:/?#@[\]]+?)\.?(:\d*)?$/.exec(host.toLowerCase())?.[1];

/** Whether a host is this machine, or named in `allowed`. */
function isAllowed(host: string, allowed: readonly string[]): boolean {
  const name = nameIn(host);
  return (
    name !== undefined && (allowed.includes(name) || /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name))
  );
}

/** A host as a URL has it. */
const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The hosts that a request names: in its header, and in its target if that is a whole URL. */
function hostsOf(target: string, headers: [string, string][]): string[] {
  const hosts = headers.filter(([name]) => name.toLowerCase() === "host").map(([, value]) => value);
  if (target.startsWith("/") || target === "*") return hosts;
  return [...hosts, URL.canParse(target) ? new URL(target).host : ""];
}

/** The memory of all bodies that are being read, in bytes. */
interface Memory {
  held: number;
  readonly most: number;
}

/** Why a body is not read to its end: it is longer than it may be, too slow, or one too many. */
type Unread = { longer: number } | "slow" | "many";

/** The body of a request. It is copied into one piece, because many small ones would take a multiple of their length. */
const bodyOf = (
  request: IncomingMessage,
  most: number,
  memory: Memory,
  timeoutMs: number,
): Promise<Uint8Array | Unread> =>
  new Promise((resolve, reject) => {
    let bytes = EMPTY;
    let size = 0;
    const stop = () => {
      clearTimeout(timer);
      memory.held -= bytes.length;
      bytes = EMPTY;
      for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
    };
    const unread = (why: Unread) => {
      stop();
      resolve(why);
    };
    const listeners = {
      data(piece: Uint8Array) {
        const longer = size + piece.length;
        if (longer > most) return unread({ longer });
        if (longer > bytes.length) {
          const room = Math.min(most, Math.max(longer, 2 * bytes.length));
          if (memory.held + room - bytes.length > memory.most) return unread("many");
          memory.held += room - bytes.length;
          const grown = new Uint8Array(room);
          grown.set(bytes);
          bytes = grown;
        }
        bytes.set(piece, size);
        size = longer;
      },
      end() {
        const whole = bytes.subarray(0, size);
        stop();
        resolve(whole);
      },
      close() {
        stop();
        reject(new Error("the request ended in the middle of its body"));
      },
    };
    const timer = setTimeout(() => unread("slow"), timeoutMs);
    for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
    request.on("error", reject);
  });

/** An answer of the server itself, in the sandbox's form. */
function reply(status: number, type: string, body: string): Reply {
  const headers: [string, string][] = [
    ["content-type", type],
    ["cache-control", "no-store"],
    ["x-simulated", "true"],
  ];
  return { status, headers, cut: "none", latencyMs: 0, bodyMs: 0, body: Buffer.from(body) };
}

/** The codes are those of `SandboxRefusal` in the core. */
const problem = (status: number, title: string, detail: string, code?: string): Reply =>
  reply(
    status,
    "application/problem+json",
    JSON.stringify({ type: "about:blank", title, status, code, detail, message: detail, fields: [] }),
  );

const tooLong = (most: number): Reply => problem(413, "Content Too Large", `the body is over ${most} bytes`);

const tooMany = (): Reply => {
  const refused = problem(429, "Too Many Requests", "too many request bodies are being read", "too_many_bodies");
  return { ...refused, headers: [...refused.headers, ["retry-after", "1"]] };
};

/** Answers requests; what the path, the method and the headers decide is answered before the body is read. */
class RequestHandler {
  readonly #answer: Answer;
  readonly #bodyLimit: BodyLimit;
  readonly #settings: Settings;
  readonly #hosts: readonly string[];
  readonly #memory: Memory;

  constructor(sandbox: Pick<Sandbox, "fetch">, settings: Settings) {
    const { answer, bodyLimit } = doorsOf(sandbox);
    this.#answer = answer;
    this.#bodyLimit = bodyLimit;
    this.#settings = settings;
    this.#hosts = [inUrl(settings.host).toLowerCase(), ...settings.allowedHosts];
    this.#memory = { held: 0, most: Math.max(2 * settings.maxBodyBytes, LEAST_MEMORY) };
  }

  /** The answer to a request. `sendContinue` tells a sender that waits for it to send the body. */
  async replyTo(request: IncomingMessage, sendContinue: () => void): Promise<Reply> {
    const { method = "", url = "", rawHeaders } = request;
    const headers: [string, string][] = [];
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.push([rawHeaders[at] as string, rawHeaders[at + 1] as string]);
    if (!hostsOf(url, headers).every((host) => isAllowed(host, this.#hosts))) {
      return problem(403, "Forbidden", "this host name is not allowed; add it to allowedHosts", "host_not_allowed");
    }
    const path = pathOf(url);
    const limit = this.#bodyLimit(method, path, headers);
    if (limit === undefined) {
      const answered = await this.#answered(method, path, headers, EMPTY);
      return answered.status === 404 && path.split("?", 1)[0] === "/openapi.json" && method === "GET"
        ? reply(200, "application/json", openapi)
        : answered;
    }
    const { maxBodyBytes, bodyTimeoutMs } = this.#settings;
    if (Number(request.headers["content-length"]) > maxBodyBytes) return tooLong(maxBodyBytes);
    sendContinue();
    const body = await bodyOf(request, Math.min(limit, maxBodyBytes), this.#memory, bodyTimeoutMs);
    if (body instanceof Uint8Array) return this.#answered(method, path, headers, body);
    if (body === "slow")
      return problem(408, "Request Timeout", `the body took longer than ${bodyTimeoutMs} ms`, "body_too_slow");
    if (body === "many") return tooMany();
    return limit > maxBodyBytes
      ? tooLong(maxBodyBytes)
      : this.#answered(method, path, [...headers, ["content-length", `${body.longer}`]], EMPTY);
  }

  async #answered(method: string, path: string, headers: [string, string][], body: Uint8Array): Promise<Reply> {
    let answering: Reply | Promise<Reply>;
    try {
      answering = this.#answer(method, path, headers, body);
    } catch (error) {
      // The owner's store or clock has thrown: nothing has changed.
      return failed("nothing was executed", error);
    }
    try {
      return await answering;
    } catch (error) {
      return failed("it was executed, but may be lost", error);
    }
  }
}

const failed = (what: string, error: unknown): Reply =>
  problem(
    500,
    "Internal Server Error",
    `${what}: ${(error as Error)?.message ?? "the sandbox's store or clock failed"}`,
  );

/** The path of a request's target with its query, as `fetch` would read them. */
function pathOf(target: string): string {
  try {
    const { pathname, search } = new URL(target.startsWith("/") ? `http://sandbox${target}` : target);
    return pathname + search;
  } catch {
    return target;
  }
}

/** Waits, unless the other side disconnects. */
const wait = (ms: number, response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      response.off("close", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    response.on("close", end);
  });

/** Whether nothing of a request is still to come. */
const isReceived = ({ complete, headers }: IncomingMessage): boolean =>
  complete || (!Number(headers["content-length"]) && !headers["transfer-encoding"]);

/** Ends an answer. Many clients read none before they have sent their body, so a rest that was not needed is received and dropped. */
async function end(request: IncomingMessage, response: ServerResponse, body: Uint8Array): Promise<void> {
  if (isReceived(request)) return void response.end(body);
  response.write(body);
  request.resume();
  const received = new Promise<void>((resolve) => request.once("end", resolve));
  await Promise.race([received, wait(LINGER_MS, response)]);
  response.end();
}

/** How often a stream without events sends an empty line, by which both sides notice that the other is gone, in milliseconds. */
const ALIVE_MS = 15_000;

/** The most bytes of events that wait for a reader. One that is slower has to come again, from where it stopped. */
const MOST_WAITING = 1 << 22;

/** Sends a stream of events, until either side ends it. */
function stream(
  { status, headers, body }: Reply,
  feed: Feed,
  response: ServerResponse,
  streams: Set<() => void>,
): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  response.setHeader("connection", "close");
  response.writeHead(status);
  const write = (text: string | Uint8Array): void => {
    response.write(text);
    if (response.writableLength > MOST_WAITING) response.destroy();
  };
  const end = (): void => void response.end();
  const alive = setInterval(() => write(":\n\n"), ALIVE_MS);
  streams.add(end);
  response.once("close", () => {
    clearInterval(alive);
    streams.delete(end);
    feed.stop();
  });
  write(body);
  feed.readBy(write);
}

/** Sends a reply in the way it asks for: whole, slowly, in part or not at all. */
async function deliver(
  reply: Reply,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  { isLast, streams }: { isLast: boolean; streams: Set<() => void> },
): Promise<void> {
  const { status, headers, cut, latencyMs, bodyMs, body, feed } = reply;
  if (feed && (isLast || response.destroyed)) feed.stop();
  else if (feed) return stream(reply, feed, response, streams);
  if (latencyMs) await wait(latencyMs, response);
  // An accepted connection can no longer be refused. Ending it is the closest.
  if (cut === "no connection" || cut === "before reply") return void response.socket?.destroy();
  const isWhole = cut === "none";
  for (const [name, value] of headers) response.setHeader(name, value);
  if (isWhole) response.setHeader("content-length", body.length);
  if (isLast || !isReceived(request)) response.setHeader("connection", "close");
  response.writeHead(status);
  if (isWhole && !bodyMs) return end(request, response, body);
  const middle = body.length >> 1;
  response.write(body.subarray(0, middle));
  if (bodyMs) await wait(bodyMs, response);
  if (isWhole) await end(request, response, body.subarray(middle));
  else response.write(body.subarray(middle), () => response.socket?.destroy());
}

/**
 * Serves a sandbox over HTTP, on Node, Bun and Deno: the six endpoints, and `/_sandbox/` if its `control` is on. The answers have
 * the same status, headers and bytes as those of its `fetch`, and a fault that ends a connection really ends it. If the store of
 * `onChanges` throws, the answer is a 500, and nothing was executed. If it fails later, the 500 says that it was executed.
 *
 * Anyone may read the market at `/_market/`, unless the sandbox is not `watchable`; its stream of events ends when the server is closed.
 *
 * It answers only requests to this machine's own names (`allowedHosts` adds others), and only pages of its own origin; for pages of
 * another one, give the sandbox a `corsOrigin`. No page may use `/_sandbox/`.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { serve } from "launchpad-desk/node";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const { url, close } = await serve(sandbox, { port: 0 });
 * const client = new TradeClient({ baseURL: url });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * console.log((await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 })).status); // landed
 * await close();
 * ```
 *
 * @throws {TypeError} for an option that cannot be used. Rejects if the port is taken (`EADDRINUSE`) or cannot be used, and with the
 * reason of a `signal` that is already aborted.
 */
export async function serve(sandbox: Pick<Sandbox, "fetch">, options: ServeOptions = {}): Promise<Served> {
  const chosen = settings(options);
  const { port, host, signal } = chosen;
  const handler = new RequestHandler(sandbox, chosen);
  signal?.throwIfAborted();
  let closing: Promise<void> | undefined;
  const streams = new Set<() => void>();
  const handle = (request: IncomingMessage, response: ServerResponse, sendContinue = () => {}) => {
    handler
      .replyTo(request, sendContinue)
      .then((reply) => deliver(reply, { request, response }, { isLast: closing !== undefined, streams }))
      .catch(() => response.destroy());
  };
  const server = builtin("node:http").createServer((request, response) => handle(request, response));
  server.on("checkContinue", (request, response) => handle(request, response, () => response.writeContinue()));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      signal?.removeEventListener("abort", close);
      const late = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      server.close(() => {
        clearTimeout(late);
        resolve();
      });
      for (const end of streams) end();
      server.closeIdleConnections();
    }));
  signal?.addEventListener("abort", close);
  if (signal?.aborted) await close();
  signal?.throwIfAborted();
  const taken = (server.address() as AddressInfo).port;
  const url = `http://${inUrl(host)}:${taken}`;
  return { url, port: taken, close, [Symbol.asyncDispose]: close };
}
