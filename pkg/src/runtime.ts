// Differences between runtimes.

import { UNSENT } from "./marks.js";
import type { ClientOptions } from "./options.js";

/** The function that sends trades. */
export type Fetch = NonNullable<ClientOptions["fetch"]>;

/** The clients' default transport, if an entry sets a better one than the runtime's own `fetch`. */
let transport: Fetch | undefined;

/** Sets the default transport; called by the entry of a runtime. */
export function sendBy(fetch: Fetch): void {
  transport = fetch;
}

/** The transport of a client that was given this `fetch`, or none. */
export const fetchFor = (given: Fetch | undefined): Fetch | undefined => given ?? transport ?? globalThis.fetch;

/** Gives the object an own field, even if somebody changed the prototypes: a `get` on them would count for the descriptor, too. */
export function withOwn<T extends object>(object: T, name: string, value: unknown): T {
  if (name in object) Object.defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true } as PropertyDescriptor);
  else (object as Record<string, unknown>)[name] = value;
  return object;
}

/** A property of a foreign value; `undefined` where it throws. */
export function read(value: unknown, name: PropertyKey): unknown {
  try {
    return (value as { [name: PropertyKey]: unknown } | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

/** Text as it is; empty for anything else. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Whether a transport's error says that nothing was sent. */
export const isUnsent = (thrown: unknown): boolean => read(thrown, UNSENT) === true;

/** The `code` of an error or of its cause, if it looks like one. */
export const codeOf = (thrown: unknown): string =>
  [read(read(thrown, "cause"), "code"), read(thrown, "code")].find((code): code is string => typeof code === "string" && /^\w{1,64}$/.test(code)) ?? "";

/** Whether this is a page or a page's worker, where visitors can read everything. All browsers have this in their user agent. */
export const isPage = (): boolean => /^Mozilla\//.test(globalThis.navigator?.userAgent);

/** A body for a fetch. Deno's own would resend text if a connection closes without an answer; it can read a blob only once. */
export const bodyFor = (fetch: Fetch, text: string): string | Blob => ("Deno" in globalThis && fetch === globalThis.fetch ? new Blob([text]) : text);

/** An id that no other trade has. */
export function newId(): string {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.randomUUID) return crypto.randomUUID();
  // A page without TLS has no randomUUID.
  const bytes = new Uint8Array(16);
  if (crypto?.getRandomValues) crypto.getRandomValues(bytes);
  else for (const at of bytes.keys()) bytes[at] = Math.random() * 256;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
