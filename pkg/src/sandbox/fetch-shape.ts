// The Fetch API's shape around the sandbox: a Request comes in, a Response goes out, and the faults that were asked for happen on
// the way.

import type { Feed } from "./feed.js";
import { BODY_LIMIT, PLAIN, QUOTE, SANDBOX } from "../symbols.js";
import { pause } from "../watching.js";

/** How a request is answered, and how the answer travels. */
export interface Reply {
  status: number;
  headers: [string, string][];
  /** How much of it arrives: all of it; nothing, because the connection is refused; nothing, for any other reason; part of the body. */
  cut: "none" | "no connection" | "before reply" | "within body";
  /** Milliseconds before the answer begins. */
  latencyMs: number;
  /** Milliseconds that the body takes from its first byte to its last. */
  bodyMs: number;
  body: Uint8Array;
  /** What follows the body, for a stream of events: it does not end by itself. */
  feed?: Feed;
}

/** Answers a request from its method, path with query, header pairs and bytes; later if its changes are stored later. */
export type Answer = (
  method: string,
  path: string,
  headers: [string, string][],
  body: Uint8Array,
) => Reply | Promise<Reply>;

/** The most bytes of the body that the answer to a request needs; `undefined` if it needs none, because its head decides. */
export type BodyLimit = (method: string, path: string, headers: [string, string][]) => number | undefined;

/** A sandbox's `fetch`. */
export type SandboxFetch = (input: Request | URL | string, init?: unknown, context?: unknown) => Promise<Response>;

interface Asked {
  method: string;
  url: string;
  headers: Iterable<[string, string]>;
  signal?: AbortSignal | null;
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

interface PlainInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | null;
}

const isPlain = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

const isRequest = (input: unknown): input is Request => {
  const { arrayBuffer, url } = (input ?? {}) as Partial<Request>;
  return typeof arrayBuffer === "function" && typeof url === "string";
};

/**
 * The request that `fetch` was called with. A server also passes its handler something of its own, such as an environment or a
 * connection. So beside a request, only a plain object as the second and last argument is an init.
 */
function requestOf(input: Request | URL | string, init: unknown, context: unknown): Asked {
  if (!isRequest(input))
    return globalThis.Request
      ? (new Request(input, init as RequestInit) as Asked)
      : plainRequest(input, init as PlainInit);
  return context === undefined && isPlain(init) ? (new Request(input, init as RequestInit) as Asked) : (input as Asked);
}

/** The request of a client, or of anyone where there is no `Request`, as in Jest with jsdom. */
const plainRequest = (
  input: URL | string,
  { method = "GET", headers = {}, body = "", signal }: PlainInit = {},
): Asked => ({
  method,
  url: `${input}`,
  headers: Object.entries(headers),
  signal,
  arrayBuffer: async () => new TextEncoder().encode(body),
});

function plainResponse({ status, headers, body, bodyMs, cut }: Reply, signal: AbortSignal | undefined): Response {
  const values = new Map(headers);
  const response = {
    status,
    headers: { get: (name: string) => values.get(name.toLowerCase()) ?? null },
    async arrayBuffer() {
      if (bodyMs) await wait(bodyMs, signal);
      if (cut === "within body") throw connectionFailed("ECONNRESET");
      return body;
    },
  };
  return response as unknown as Response;
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(ms, signal);
  if (signal?.aborted) throw signal.reason;
}

const connectionFailed = (code: string): TypeError =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });

/** The body in two halves, `bodyMs` apart; it breaks off at the end if only a part arrives. */
function slowly({ body, bodyMs, cut }: Reply, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const middle = body.length >> 1;
  return new ReadableStream({
    async start(stream) {
      try {
        stream.enqueue(body.subarray(0, middle));
        if (bodyMs) await wait(bodyMs, signal);
        stream.enqueue(body.subarray(middle));
        if (cut === "within body") throw connectionFailed("ECONNRESET");
        stream.close();
      } catch (reason) {
        stream.error(reason);
      }
    },
  });
}

/** The most events that wait for a reader. One that is slower has to come again, from where it stopped. */
const MOST_WAITING = 10_000;

/** A body that goes on with what happens, until nobody reads it any more. */
function endless(body: Uint8Array, feed: Feed, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const start = (stream: ReadableStreamDefaultController<Uint8Array>): void => {
    stream.enqueue(body);
    feed.readBy((text) => {
      stream.enqueue(encoder.encode(text));
      if ((stream.desiredSize ?? 0) > 0) return;
      feed.stop();
      stream.close();
    });
    const abort = (): void => {
      feed.stop();
      stream.error(signal?.reason);
    };
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
  };
  return new ReadableStream({ start, cancel: () => feed.stop() }, { highWaterMark: MOST_WAITING });
}

/** Makes a `fetch` from `answer`. A client that uses it gets the prices of its plans from `quote`, and a server what to read from `bodyLimit`. */
export function fetchShape(answer: Answer, bodyLimit: BodyLimit, quote: Function): SandboxFetch {
  const replied = async (request: Asked, signal: AbortSignal | undefined): Promise<Reply> => {
    if (signal?.aborted) throw signal.reason;
    const bytes = new Uint8Array(await request.arrayBuffer());
    const { host, pathname, search } = new URL(request.url);
    // By its host, a page's own origin is recognised. A server's request has one already, and the first counts.
    const reply = await answer(request.method, pathname + search, [...request.headers, ["host", host]], bytes);
    if (reply.latencyMs) await wait(reply.latencyMs, signal);
    if (reply.cut === "no connection") throw connectionFailed("ECONNREFUSED");
    if (reply.cut === "before reply") throw connectionFailed("ECONNRESET");
    return reply;
  };
  const fetch = async (input: Request | URL | string, init?: unknown, context?: unknown): Promise<Response> => {
    const request = requestOf(input, init, context);
    const signal = request.signal ?? undefined;
    const reply = await replied(request, signal);
    if (!globalThis.Response) {
      reply.feed?.stop();
      return plainResponse(reply, signal);
    }
    if (reply.feed)
      return new Response(endless(reply.body, reply.feed, signal), { status: reply.status, headers: reply.headers });
    const whole = reply.cut === "none" && !reply.bodyMs;
    return new Response(whole ? (reply.body as Uint8Array<ArrayBuffer>) : slowly(reply, signal), {
      status: reply.status,
      headers: reply.headers,
    });
  };
  const plain = async (url: string, init: PlainInit): Promise<Response> => {
    const signal = init.signal ?? undefined;
    const reply = await replied(plainRequest(url, init), signal);
    reply.feed?.stop();
    return plainResponse(reply, signal);
  };
  return Object.defineProperties(fetch, {
    [SANDBOX]: { value: answer },
    [PLAIN]: { value: [fetch, plain] },
    [BODY_LIMIT]: { value: bodyLimit },
    [QUOTE]: { value: quote },
  });
}
