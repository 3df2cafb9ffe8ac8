// What differs from runtime to runtime.

const own = globalThis.fetch;

/** What a transport sets on an error that it throws before a byte of the request was written, and nowhere else. */
const UNSENT = Symbol.for("launchpad-desk.unsent");

/**
 * Whether an error code of the runtime's own fetch proves that nothing was sent: only Node and Bun tell why a
 * connection was not made, and only as long as nobody put a fetch or a dispatcher there that may try twice.
 */
export function tellsWhy(fetch) {
  const dispatcher = globalThis[Symbol.for("undici.globalDispatcher.1")];
  return (
    fetch === own &&
    typeof globalThis.process?.versions?.node === "string" &&
    globalThis.Deno === undefined &&
    (dispatcher === undefined || dispatcher?.constructor?.name === "Agent")
  );
}

/** A property of a foreign object; `undefined` where it throws. */
export const read = (object, name) => {
  try {
    return object?.[name];
  } catch {
    return undefined;
  }
};

/** Whether a transport says of its own error that nothing was sent. */
export const isUnsent = (thrown) => read(thrown, UNSENT) === true;

/** The `code` of an error or of its cause, if it looks like one. */
export const codeOf = (thrown) =>
  [read(read(thrown, "cause"), "code"), read(thrown, "code")].find((code) => typeof code === "string" && /^\w{1,64}$/.test(code)) ?? "";

/** Whether this is a page or a worker of one, whose visitors can read whatever it holds: all browsers call themselves so. */
export const isPage = () => /^Mozilla\//.test(globalThis.navigator?.userAgent);

/** A body for the runtime's own fetch. Deno would send a text a second time where a connection closes without an answer;
 * a blob it reads once. */
export const bodyFor = (text) => (globalThis.Deno ? new Blob([text]) : text);

/** An id that no other trade has. */
export function newId() {
  const { crypto } = globalThis;
  if (crypto?.randomUUID) return crypto.randomUUID();
  // A page without TLS has no randomUUID, and Node 18 no crypto at all.
  const bytes = new Uint8Array(16);
  if (crypto?.getRandomValues) crypto.getRandomValues(bytes);
  else for (const at of bytes.keys()) bytes[at] = Math.random() * 256;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
