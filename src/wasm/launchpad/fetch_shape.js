// The Fetch API's shape around the sandbox: a Request comes in, a Response goes out, and what was asked to
// go wrong on the way does.

const isPlain = (value) => {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

/**
 * The request that `fetch` was called with. A server calls its handler with a request and something of its own, an
 * environment or a connection: beside a request, only a plain object in second and last place is an init.
 */
function requestOf(input, init, context) {
  const isRequest = typeof input?.arrayBuffer === "function" && typeof input.url === "string";
  if (!isRequest) return globalThis.Request ? new Request(input, init) : plainRequest(input, init);
  return context === undefined && isPlain(init) ? new Request(input, init) : input;
}

/** What a client asks, where there is no class for it: Jest's pages of jsdom have none. */
const plainRequest = (input, { method = "GET", headers = {}, body = "", signal } = {}) => ({
  method,
  url: `${input}`,
  headers: Object.entries(headers),
  signal,
  arrayBuffer: async () => new TextEncoder().encode(body),
});

/** What it reads of the answer there. */
function plainResponse({ status, headers, body, bodyMs, carried }, signal) {
  const values = new Map(headers);
  return {
    status,
    headers: { get: (name) => values.get(name.toLowerCase()) ?? null },
    async arrayBuffer() {
      if (bodyMs) await wait(bodyMs, signal);
      if (carried === "part") throw connectionFailed("ECONNRESET");
      return body;
    },
  };
}

const wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });

const connectionFailed = (code) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });

/** The body in two halves, `bodyMs` apart; cut off at its end when it does not arrive whole. */
function slowly({ body, bodyMs, carried }, signal) {
  const middle = body.length >> 1;
  return new ReadableStream({
    async start(stream) {
      try {
        stream.enqueue(body.subarray(0, middle));
        if (bodyMs) await wait(bodyMs, signal);
        stream.enqueue(body.subarray(middle));
        if (carried === "part") throw connectionFailed("ECONNRESET");
        stream.close();
      } catch (reason) {
        stream.error(reason);
      }
    },
  });
}

/** What a sandbox's `fetch` has on it, so that a client needs no base URL with it. */
const SANDBOX = Symbol.for("launchpad-desk.sandbox");

/** `fetch` over `answer`, which takes a method, a path, header pairs and bytes, and gives an answer at once. */
export function fetchShape(answer) {
  const fetch = async (input, init, context) => {
    const request = requestOf(input, init, context);
    const signal = request.signal ?? undefined;
    if (signal?.aborted) throw signal.reason;
    const bytes = new Uint8Array(await request.arrayBuffer());
    const reply = answer(request.method, new URL(request.url).pathname, [...request.headers], bytes);
    if (reply.latencyMs) await wait(reply.latencyMs, signal);
    if (reply.carried === "refused") throw connectionFailed("ECONNREFUSED");
    if (reply.carried === "nothing") throw connectionFailed("ECONNRESET");
    if (!globalThis.Response) return plainResponse(reply, signal);
    const whole = reply.carried === "whole" && !reply.bodyMs;
    return new Response(whole ? reply.body : slowly(reply, signal), { status: reply.status, headers: reply.headers });
  };
  return Object.defineProperty(fetch, SANDBOX, { value: true });
}
