// A transport over node:http and node:https in the shape of fetch. It knows whether it has sent anything.
//
// Until a request has its connection, nothing was sent; after that, it may have been. Nothing is sent twice, because neither
// node:http nor this transport retries. A redirect is an ordinary reply. A reply that arrives before its request was written does
// not count.

import type { ClientRequest, IncomingMessage, RequestOptions, request } from "node:http";
import { urlToHttpOptions } from "node:url";
import { offAbort, onAbort } from "../abort.js";
import { CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS } from "../generated.js";
import { MAY_SEND } from "../symbols.js";
import { builtin } from "./builtin.js";
import { agents, type WarmAgent } from "./connections.js";
import { MOST, checkWhole, ownOptions } from "./options.js";
import { type NodeReply, reply } from "./reply.js";
import { isNode } from "./runtime.js";
import { failure, unsent } from "./unsent.js";

/** Options of {@link nodeFetch}. Unknown names are refused. */
export interface NodeFetchOptions {
  /**
   * Whether each call has a connection of its own. Default `true`. If `false`, a connection is kept for the next call. That saves a
   * handshake, but HTTP/1.1 does not say which request a reply answers: if the service sends a second reply to one trade after the
   * next was written, the next trade gets it. A trade that was made may then be called `rejected`.
   */
  connectionPerTrade?: boolean;
  /**
   * How long an open connection waits for a call, in milliseconds: one that `warm` opened, or one that was kept. Default 4000. If the
   * service closes a connection at the moment it is used, the outcome is unknown, so stay below the service's own limit.
   */
  keepAliveMs?: number;
  /** How long a connection may take to open, TLS included, in milliseconds; then nothing was sent. Default 10000. */
  connectTimeoutMs?: number;
  /** Certificates to trust instead of the well-known ones, in PEM. */
  ca?: string | Uint8Array | readonly (string | Uint8Array)[];
}

/** The parts of a call that {@link nodeFetch} reads. */
export type NodeFetchInit = {
  /** The method. Default `GET`. */
  method?: string;
  headers?: Record<string, string> | { entries(): Iterable<[string, string]> };
  body?: string | Uint8Array | null;
  /** Ignored: a redirect is never followed. */
  redirect?: string;
  /** Aborts the call. */
  signal?: AbortSignal | null;
};

/** A `fetch` over node:http and node:https: what {@link nodeFetch} gives. */
export interface NodeFetch {
  /** Sends a request, once. */
  (url: string | URL, init?: NodeFetchInit): Promise<NodeReply>;
  /** Opens a connection ahead of the next call (name, TCP and TLS), unless one is ready. */
  warm(url: string | URL): Promise<void>;
  /** Closes every connection. */
  close(): void;
}

/** Without `accept-encoding`, a service may encode a reply in any way. */
const OWN_HEADERS = { "accept-encoding": "identity", "user-agent": "launchpad-desk" };
/** A client has six addresses; beyond this many, they are parsed each time. */
const MAX_TARGETS = 64;

const DEFAULTS = { connectionPerTrade: true, keepAliveMs: KEEP_ALIVE_MS, connectTimeoutMs: CONNECT_TIMEOUT_MS };

export type Settings = Required<Pick<NodeFetchOptions, keyof typeof DEFAULTS>> & Pick<NodeFetchOptions, "ca">;

function settings(options: NodeFetchOptions): Settings {
  const given: Settings = {
    ca: undefined,
    ...DEFAULTS,
    ...ownOptions("nodeFetch", options, ["ca", "connectionPerTrade", "keepAliveMs", "connectTimeoutMs"]),
  };
  if (typeof given.connectionPerTrade !== "boolean")
    throw new TypeError("nodeFetch: connectionPerTrade must be true or false");
  checkWhole("nodeFetch", given, { keepAliveMs: [1, MOST], connectTimeoutMs: [1, MOST] });
  return given;
}

type Headers = NonNullable<NodeFetchInit["headers"]>;

const isList = (headers: Headers): headers is { entries(): Iterable<[string, string]> } =>
  typeof headers.entries === "function";
const plain = (headers: Headers | undefined): Record<string, string> | undefined =>
  headers && isList(headers) ? Object.fromEntries(headers.entries()) : headers;

/** An address in the form that node:http needs. */
interface Target {
  request: typeof request;
  options: RequestOptions & { agent: WarmAgent };
}

/** What a call has besides: each POST of a client has a function of its own. */
type Init = NodeFetchInit & { readonly [MAY_SEND]?: () => boolean };

/**
 * The signals and the functions of calls that got a connection. A wrapper around this function may try again with either of them; then a
 * later failure proves nothing about the earlier try.
 */
const connected = new WeakSet<object>();

/** The error of a call that got no connection, with the proof of that. */
const unconnected = (error: unknown, { signal, [MAY_SEND]: maySend }: Init) =>
  [signal, maySend].some((mark) => mark && connected.has(mark)) ? error : unsent(error);

/** Resolves once the event loop has read what has already arrived: an immediate runs after a poll, or in the middle of one. */
const everythingRead = () => new Promise<void>((resolve) => void setImmediate(() => setImmediate(resolve)));

/** Sends a request, and says of a failure whether it proves that nothing was sent. */
function send(target: Target, url: string, init: Init): Promise<NodeReply> {
  const { method = "GET", headers, body, signal, [MAY_SEND]: maySend } = init;
  return new Promise((resolve, reject) => {
    let request: ClientRequest;
    // If somebody has replaced Node's request or agent, nothing is proven.
    let isOurs = isNode;
    let isConnected = false;
    const fail = (error: unknown) => reject(isOurs && !isConnected ? unconnected(error, init) : error);
    if (signal?.aborted) return fail(failure("ABORT_ERR", "aborted before sending"));
    try {
      request = target.request({ ...target.options, method, headers: { ...OWN_HEADERS, ...plain(headers) } });
      isOurs &&= (request as { agent?: unknown }).agent === target.options.agent;
    } catch (error) {
      return fail(error);
    }
    let isAnswered = false;
    const abort = () => {
      const error = failure("ABORT_ERR", "aborted");
      // A request that is still waiting for its connection would report its end only once it has one.
      fail(error);
      request.destroy(error);
    };
    if (signal) onAbort(signal, abort);
    request.on("socket", () => {
      // Nothing is written before this event. Trading may have been stopped while the connection opened, or the plan has expired, and a
      // wrapper may try again what may have been written.
      const isAgain = maySend && connected.has(maySend);
      if (isAgain || (isOurs && maySend && !maySend())) {
        const error = isAgain
          ? failure("EALREADY", "this trade may have been sent before")
          : failure("ECANCELED", "the trade may no longer be sent");
        fail(error);
        return void request.destroy(error);
      }
      isConnected = true;
      for (const mark of [signal, maySend]) if (mark) connected.add(mark);
    });
    request.on("response", (message: IncomingMessage) => {
      if (isNode && !request.writableFinished) {
        const error = failure("EPROTO", "the service answered before the request was written");
        fail(error);
        message.on("error", () => {});
        return void request.destroy(error);
      }
      isAnswered = true;
      // A reply without a body is not read, so nothing else would release the connection.
      if (method === "HEAD") message.resume();
      resolve(reply(message, url));
    });
    request.on("error", fail);
    request.on("close", () => {
      if (signal) offAbort(signal, abort);
      if (!isAnswered) fail(failure("ECONNRESET", "the connection closed without an answer"));
    });
    request.end(body ?? undefined);
  });
}

/**
 * Makes a transport over `node:http` and `node:https`. It opens a connection for each trade, and knows more about a failure than
 * Node's own `fetch`. On Node, clients without a `fetch` share one; make your own if you need options.
 *
 * A request gets a connection only once it is open and its certificate is checked. Any failure before that rejects with an error
 * that has `error[Symbol.for("launchpad-desk.unsent")] === true`: nothing was sent, and a client reports `not_sent`. The same holds
 * if the call is aborted, or its deadline passes, before that. This is true on Node. Bun and Deno have their own `node:http`: there
 * the same failure is `unknown`, and on Deno no connection is reused, because Deno resends a request when a reused connection closes
 * without an answer.
 *
 * Nothing is ever sent twice, and no redirect is followed. A proxy that the environment names (`HTTPS_PROXY`) is used if Node is told to, by
 * `NODE_USE_ENV_PROXY=1` on Node 22.21, 24.5 or newer, as Node's `fetch` does; otherwise neither uses it. Through a proxy Node opens the
 * connection: `connectTimeoutMs` and `warm` do nothing, and more failures are `unknown`.
 *
 * If you wrap it in a function that retries, pass on all that it was called with. Then it writes one trade once: another try is refused
 * (`EALREADY`), and proves nothing. Otherwise a later failure would also count as proof for the first try.
 *
 * @throws {TypeError} for options it does not know or cannot use.
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { nodeFetch } from "launchpad-desk/node";
 *
 * const fetch = nodeFetch({ connectTimeoutMs: 3_000 });
 * const client = new TradeClient({ baseURL: "https://service.example", fetch });
 * ```
 */
export function nodeFetch(options: NodeFetchOptions = {}): NodeFetch {
  const checked = settings(options);
  let opened: ReturnType<typeof agents> | undefined;
  const pools = () => (opened ??= agents(checked));
  const targets = new Map<string, Target>();

  function targetOf(url: string | URL): Target {
    const text = String(url);
    let target = targets.get(text);
    if (!target) {
      const address = new URL(text);
      const agent = pools()[address.protocol];
      if (!agent) throw new TypeError(`nodeFetch: ${address.protocol} is not http: or https:`);
      const { protocol, hostname, port, path, auth } = urlToHttpOptions(address);
      const { request } = builtin(protocol === "https:" ? "node:https" : "node:http");
      target = { request, options: { protocol, hostname, port, path, auth, agent } as unknown as Target["options"] };
      if (targets.size >= MAX_TARGETS) targets.clear();
      targets.set(text, target);
    }
    return target;
  }

  async function fetch(url: string | URL, init: NodeFetchInit = {}): Promise<NodeReply> {
    let target: Target;
    try {
      target = targetOf(url);
    } catch (error) {
      throw isNode ? unconnected(error, init) : error;
    }
    // Bytes that have arrived on a waiting connection answer nothing that is sent now, so it is closed first.
    if (target.options.agent.isReady(target.options)) await everythingRead();
    return send(target, String(url), init);
  }

  fetch.warm = async (url: string | URL) => {
    const { options } = targetOf(url);
    await options.agent.warm(options);
  };
  fetch.close = () => Object.values(opened ?? {}).forEach((pool) => pool.destroy());
  return fetch;
}
