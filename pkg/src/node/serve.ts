// A sandbox behind a port: over node:http it gives the same answers as its `fetch`, byte for byte.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import openapi from "build:openapi";
import type { Sandbox } from "launchpad-desk/launchpad";
import type { Answer, Reply } from "../launchpad/fetch-shape.js";
import { SANDBOX } from "../marks.js";
import { builtin } from "./builtin.js";
import { ownOptions } from "./options.js";

/**
 * Options of {@link serve}.
 *
 * @example
 * ```ts
 * import type { ServeOptions } from "launchpad-desk/node";
 *
 * const options: ServeOptions = { port: 8787, signal: AbortSignal.timeout(60_000) };
 * ```
 */
export interface ServeOptions {
  /** The port; 0 picks a free one. Default: 0. */
  port?: number;
  /** The name or address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  host?: string;
  /** Closes it when aborted. */
  signal?: AbortSignal;
  /**
   * The longest request body that is read, in bytes. Default: 67108864, enough for the state of `/_sandbox/state`. For trades, the
   * sandbox's own `maxBodyBytes` applies.
   */
  maxBodyBytes?: number;
}

/**
 * A sandbox that is served.
 *
 * @example
 * ```ts
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { serve, type Served } from "launchpad-desk/node";
 *
 * const served: Served = await serve(new Sandbox());
 * console.log(served.url);
 * await served.close();
 * ```
 */
export interface Served {
  /** Its address, without a trailing slash: `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Its port. */
  readonly port: number;
  /** Stops listening, lets requests in progress finish (for five seconds at most), and frees the port. */
  close(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How long a request may still take when the server is closed. */
const GRACE_MS = 5_000;

/** The function that answers a sandbox's requests; its `fetch` carries it. */
function answerOf(sandbox: Pick<Sandbox, "fetch">): Answer {
  const answer: unknown = (sandbox?.fetch as { [SANDBOX]?: unknown } | undefined)?.[SANDBOX];
  if (typeof answer !== "function") throw new TypeError("serve takes a sandbox");
  return answer as Answer;
}

const DEFAULTS = { port: 0, host: "127.0.0.1", maxBodyBytes: 1 << 26 };

function settings(options: ServeOptions): typeof DEFAULTS & Pick<ServeOptions, "signal"> {
  const given = { ...DEFAULTS, ...ownOptions("serve", options, ["port", "host", "signal", "maxBodyBytes"]) };
  const { port, host, maxBodyBytes } = given;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new TypeError("serve: port must be a whole number from 0 to 65535");
  if (typeof host !== "string" || !host) throw new TypeError("serve: host must be a name or an address");
  if (!Number.isInteger(maxBodyBytes) || maxBodyBytes < 1 || maxBodyBytes > 2 ** 31 - 1) throw new TypeError("serve: maxBodyBytes must be a whole number from 1 to 2147483647");
  return given;
}

/** The body of a request; `undefined` if it is too long. It is still read to its end, because many clients read no answer before that. */
const bodyOf = (request: IncomingMessage, most: number): Promise<Uint8Array | undefined> =>
  new Promise((resolve, reject) => {
    let pieces: Uint8Array[] = [];
    let size = 0;
    request.on("data", (piece: Uint8Array) => {
      size += piece.length;
      if (size <= most) pieces.push(piece);
      else pieces = [];
    });
    request.on("end", () => resolve(size > most ? undefined : pieces.length === 1 ? pieces[0] : Buffer.concat(pieces)));
    request.on("error", reject);
    request.on("close", () => request.complete || reject(new Error("the request ended in the middle of its body")));
  });

/** An answer of the server itself, in the sandbox's form. */
function reply(status: number, type: string, body: string): Reply {
  const headers: [string, string][] = [
    ["content-type", type],
    ["cache-control", "no-store"],
    ["x-simulated", "true"],
  ];
  return { status, headers, carried: "whole", latencyMs: 0, bodyMs: 0, body: Buffer.from(body) };
}

const problem = (status: number, title: string, detail: string): Reply =>
  reply(status, "application/problem+json", JSON.stringify({ type: "about:blank", title, status, detail, message: detail, fields: [] }));

function replyTo({ method = "", url = "", rawHeaders }: IncomingMessage, body: Uint8Array | undefined, answer: Answer, most: number): Reply {
  if (!body) return problem(413, "Content Too Large", `the body is over ${most} bytes`);
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.push([rawHeaders[at] as string, rawHeaders[at + 1] as string]);
  const path = pathOf(url);
  if (path === "/openapi.json" && method === "GET") return reply(200, "application/json", openapi);
  try {
    return answer(method, path, headers, body);
  } catch (error) {
    // The owner's store or clock has thrown: nothing has changed.
    return problem(500, "Internal Server Error", `nothing was executed: ${(error as Error)?.message ?? "the sandbox's store or clock failed"}`);
  }
}

/** The path of a request's target, as `fetch` would read it. */
function pathOf(target: string): string {
  try {
    return new URL(target.startsWith("/") ? `http://sandbox${target}` : target).pathname;
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

/** Sends a reply in the way it asks for: whole, slowly, in part or not at all. */
async function deliver({ status, headers, carried, latencyMs, bodyMs, body }: Reply, response: ServerResponse, isLast: boolean): Promise<void> {
  if (latencyMs) await wait(latencyMs, response);
  // An accepted connection can no longer be refused. Ending it is the closest.
  if (carried === "refused" || carried === "nothing") return void response.socket?.destroy();
  const isWhole = carried === "whole";
  for (const [name, value] of headers) response.setHeader(name, value);
  if (isWhole) response.setHeader("content-length", body.length);
  if (isLast) response.setHeader("connection", "close");
  response.writeHead(status);
  if (isWhole && !bodyMs) return void response.end(body);
  const middle = body.length >> 1;
  response.write(body.subarray(0, middle));
  if (bodyMs) await wait(bodyMs, response);
  if (isWhole) response.end(body.subarray(middle));
  else response.write(body.subarray(middle), () => response.socket?.destroy());
}

/**
 * Serves a sandbox over HTTP, on Node, Bun and Deno: the six endpoints, and `/_sandbox/` if its `control` is on. The answers have
 * the same status, headers and bytes as those of its `fetch`, and a fault that ends a connection really ends it. If the store of
 * `onChanges` throws, the answer is a 500, and nothing was executed. For pages of another origin, give the sandbox a `corsOrigin`.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { serve } from "launchpad-desk/node";
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
  const { port, host, signal, maxBodyBytes } = settings(options);
  const answer = answerOf(sandbox);
  signal?.throwIfAborted();
  let closing: Promise<void> | undefined;
  const server = builtin("node:http").createServer((request, response) => {
    bodyOf(request, maxBodyBytes)
      .then((body) => deliver(replyTo(request, body, answer, maxBodyBytes), response, closing !== undefined))
      .catch(() => response.destroy());
  });
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
      server.closeIdleConnections();
    }));
  signal?.addEventListener("abort", close);
  if (signal?.aborted) await close();
  signal?.throwIfAborted();
  const taken = (server.address() as AddressInfo).port;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${taken}`;
  return { url, port: taken, close, [Symbol.asyncDispose]: close };
}
