import { read } from "./read.js";

/** Asks the node, and resolves to what came of it. */
export const ask = (call, fetch) => post({ ...call, headers: [["content-type", "application/json"]] }, fetch);

/** Posts what the core says, once, and resolves to what came of it. */
export async function post({ url, headers, body, timeoutMs, maxReplyBytes }, fetch = globalThis.fetch) {
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = await read(reply, maxReplyBytes);
    return bytes ? { status: reply.status, headers: reply.headers, body: bytes } : { failure: "tooLarge" };
  } catch (error) {
    return { failure: error.name === "TimeoutError" ? "timeout" : "broken" };
  }
}
