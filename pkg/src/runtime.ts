// Differences between runtimes.

import { PLAIN, UNSENT } from "./symbols.js";

/**
 * What a client calls `fetch` with.
 *
 * @example
 * ```ts
 * import type { FetchInit, FetchReply } from "launchpad-desk";
 *
 * // A service that refuses every trade.
 * const fetch = async (url: string, init: FetchInit): Promise<FetchReply> => {
 *   console.log(init.method, url, init.body);
 *   return new Response('{"message":"closed today"}', { status: 400 });
 * };
 * ```
 */
export interface FetchInit {
  /** `POST` for a trade. */
  method: string;
  /** The headers of a trade, the key among them. */
  headers?: Record<string, string>;
  /** The JSON body of a trade. */
  body?: string;
  /** A redirect is never followed. */
  redirect: "manual";
  /** No reply comes from a cache. Left out where the runtime refuses the field. */
  cache?: "no-store";
  /** Aborted at the deadline, and when the caller aborts. */
  signal: AbortSignal;
}

/** The parts of a response that a client reads. A `Response` has them. See {@link FetchInit}. */
export interface FetchReply {
  readonly status: number;
  /** The headers, by name. */
  readonly headers: { get(name: string): string | null };
  /** The body as a stream; without one, `arrayBuffer` is called. */
  readonly body?: unknown;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The function that sends trades. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchReply>;

/** The clients' default transport, if an entry sets a better one than the runtime's own `fetch`. */
let transport: Fetch | undefined;

/** Sets the default transport. */
export function sendBy(fetch: Fetch): void {
  transport = fetch;
}

let isSaid = false;

/**
 * Says once in a test runner that a client without `fetch` goes past a stub of the global one: such a test may send real trades. Runners say
 * by their environment or their globals that they are there.
 */
export function sayInTests(): void {
  const {
    process: host,
    describe,
    it,
  } = globalThis as {
    process?: { env?: Record<string, string | undefined>; emitWarning?(text: string, type: string): void };
    describe?: unknown;
    it?: unknown;
  };
  if (isSaid || !transport || !host?.emitWarning) return;
  const names = ["NODE_TEST_CONTEXT", "JEST_WORKER_ID", "VITEST"];
  if (
    !names.some((name) => host.env?.[name]) &&
    host.env?.["NODE_ENV"] !== "test" &&
    !(typeof describe === "function" && typeof it === "function")
  )
    return;
  isSaid = true;
  const text =
    "A test sends a trade by Node's own HTTP, which a stub of the global fetch does not stop. Give the client a fetch, such as `new Sandbox().fetch`, or your stub.";
  host.emitWarning(text, "LaunchpadDeskWarning");
}

/** The transport of a client that was given this `fetch`, or none. */
export function fetchFor(given: Fetch | undefined): Fetch | undefined {
  const pair = read(given, PLAIN);
  return given && read(pair, 0) === given ? (read(pair, 1) as Fetch) : (given ?? transport ?? globalThis.fetch);
}

/** Gives the object an own field, even if somebody changed the prototypes. The descriptor has no prototype, because a `get` on it would count. */
export function withOwn<T extends object>(object: T, name: string, value: unknown): T {
  if (name in object)
    Object.defineProperty(object, name, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    } as PropertyDescriptor);
  else (object as Record<string, unknown>)[name] = value;
  return object;
}

/** A property of a foreign value; `undefined` if reading it throws. */
export function read(value: unknown, name: PropertyKey): unknown {
  try {
    return (value as { [name: PropertyKey]: unknown } | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** These properties of a foreign value, each read once. */
export const fieldsOf = (value: unknown, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, read(value, name)]));

/** The value if it is text, otherwise an empty text. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Whether a transport's error says that nothing was sent. */
export const isUnsent = (thrown: unknown): boolean => read(thrown, UNSENT) === true;

/** The `code` of an error or of its cause, if it looks like one. */
export const codeOf = (thrown: unknown): string =>
  [read(read(thrown, "cause"), "code"), read(thrown, "code")].find(
    (code): code is string => typeof code === "string" && /^\w{1,64}$/.test(code),
  ) ?? "";

/** Whether this is a page or a page's worker, where visitors can read everything. Every browser's user agent begins like this. */
export const isPage = (): boolean => /^Mozilla\//.test(globalThis.navigator?.userAgent);

/** A body for a fetch. Deno's own `fetch` resends text when a connection closes without an answer; a blob can be read only once. */
export const bodyFor = (fetch: Fetch, text: string): string | Blob =>
  "Deno" in globalThis && fetch === globalThis.fetch ? new Blob([text]) : text;

let noStore: { cache?: "no-store" } | undefined;

/**
 * The part of a request that keeps caches out: some frameworks answer equal posts from one. Some versions of workerd refuse the field. Our own
 * transports have no cache, and on Node it takes long to load `Request`. A browser's cache keeps no post and nothing that a gateway says, and
 * with the field it would ask again before each request whether it may send it.
 */
export function uncached(fetch: unknown): { cache?: "no-store" } {
  if (fetch === transport || read(fetch, PLAIN) || isPage()) return {};
  try {
    if (!noStore) void new Request("https://service.invalid", { cache: "no-store" });
    noStore ??= { cache: "no-store" };
  } catch {
    noStore = {};
  }
  return noStore;
}

/** The last time that a clock showed. */
let lastMs: number | undefined;

/**
 * The time, in milliseconds since 1970. If the clock fails (a program may have replaced it), the last time that it showed: a trade that is
 * under way must not lose its outcome.
 *
 * @throws if it has never shown one.
 */
export function now(): number {
  try {
    const ms: unknown = Date.now();
    if (typeof ms === "number" && ms >= 0 && ms < Infinity) return (lastMs = ms);
    throw new TypeError("Date.now gives no time");
  } catch (thrown) {
    if (lastMs === undefined) throw thrown;
    return lastMs;
  }
}

export function newId(): string {
  const bytes = new Uint8Array(16);
  try {
    const { crypto } = globalThis as { crypto?: Partial<Crypto> };
    if (crypto?.randomUUID) return crypto.randomUUID();
    // A page without TLS has no randomUUID.
    crypto?.getRandomValues?.(bytes);
  } catch {
    // A replaced one may throw.
  }
  if (bytes.every((byte) => byte === 0)) for (const at of bytes.keys()) bytes[at] = Math.random() * 256;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
