// The way to a node: what its URL has to be for `fetch`, and what its refusals say.

import { MOST_REFUSAL_BYTES } from "./generated.js";
import { bodyOf } from "./reply.js";

/** Where a node's calls go, and with which headers. */
export interface NodeCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A URL with a user and a password, which `fetch` refuses, becomes one without, and the header that says them. */
export function nodeCall(rpc: string, headers: Readonly<Record<string, string>> = {}): NodeCall {
  // Two spellings of one name would be joined to one value, which no node reads.
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const all: Record<string, string> = { "content-type": "application/json", ...Object.fromEntries(given) };
  let parsed: URL;
  try {
    parsed = new URL(rpc);
  } catch {
    return { url: rpc, headers: all };
  }
  const { username, password } = parsed;
  if (!username && !password) return { url: rpc, headers: all };
  parsed.username = parsed.password = "";
  return {
    url: parsed.href,
    headers: { authorization: `Basic ${btoa(`${bytesOf(username)}:${bytesOf(password)}`)}`, ...all },
  };
}

/** The bytes that a part of a URL stands for. A `%` without two digits is one, as people paste it. */
const bytesOf = (part: string): string =>
  part.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Why there was no reply, as far as that is safe to say: the network's code, such as ECONNREFUSED. A message may have the URL, with a key in it. */
export function networkCode(thrown: unknown): string {
  const { name, code, cause } = (thrown ?? {}) as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  const found = [cause?.code, code].find((one) => typeof one === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(one));
  if (typeof found === "string") return found;
  return name === "TimeoutError" ? name : "";
}

/** What a refusal by a page says: it comes from a proxy or a firewall in between. Empty if the reply is no page. */
export async function pageIn(reply: Response): Promise<string> {
  if (!/^\s*text\/html\b/i.test(reply.headers.get("content-type") ?? "")) return "";
  const [kind, bytes] = await bodyOf(reply, MOST_REFUSAL_BYTES, { stop: 0 }).catch(() => ["lost", undefined] as const);
  const text = kind === "body" ? new TextDecoder().decode(bytes as Uint8Array) : "";
  const title = /<title[^>]*>([^<]*)/i
    .exec(text)?.[1]
    ?.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, 100);
  return `a web page came in place of its answer${title ? `: "${title}"` : ""}`;
}
