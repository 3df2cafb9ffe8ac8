// The edge worker holds the API key, so that no page does, and forwards each checked trade once.
//
//   UPSTREAM        base URL of the service; without it and a key, trades go to a sandbox
//   API_KEY         the key, as a secret
//   API_KEY_HEADER  the header it goes in, x-api-key by default
//
// It does not check who calls: put an access rule in front of it before you give it an upstream.
import { TradeClient, operationAt, readCall, readReply, redact, renderHtml } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/launchpad";

const MAX_BYTES = 1 << 20;
const UTF8 = String.raw`\s*(;\s*charset\s*=\s*("utf-8"|utf-8)\s*)?$`;
const JSON_TYPE = new RegExp(`^application/json${UTF8}`, "i");
// The reply headers that may be passed on: no page, no script, no text of the service.
const REPLY_TYPE = new RegExp(`^(application/(problem\\+)?json|text/plain)${UTF8}`, "i");
const RETRY_AFTER = /^(\d{1,9}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT)$/;
const HTML = { "content-type": "text/html; charset=utf-8", "content-security-policy": "default-src 'none'", "cache-control": "no-store" };
const LOST = { outcome: "unknown", code: "network_error", message: "outcome unknown: the service gave no answer that can be passed on" };
let desk, sandbox, last;

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const operation = operationAt(pathname);
    if (!operation && pathname !== "/") return refuse(404, "there is nothing at this path");
    const method = operation ? "POST" : "GET";
    if (request.method !== method) return refuse(405, `only ${method} is served here`, { allow: method });
    if (!operation) return new Response(`<!doctype html><html lang="en"><title>Last trade</title>${last ? renderHtml(last) : "No trade yet."}`, { headers: HTML });
    if (!JSON_TYPE.test(request.headers.get("content-type"))) return refuse(415, "the body must be application/json, in UTF-8");
    if (!/^(identity)?$/i.test(request.headers.get("content-encoding") ?? "")) return refuse(415, "the body must come without a content-encoding", { "accept-encoding": "identity" });
    const body = await textOf(request);
    if (body === undefined) return refuse(413, `the body is over ${MAX_BYTES} bytes`);
    try {
      // This client sends nothing: it checks the settings.
      if (env.UPSTREAM === undefined && env.API_KEY === undefined) sandbox ??= new Sandbox();
      desk ??= new TradeClient({ ...(sandbox ? { fetch: sandbox.fetch } : { baseURL: env.UPSTREAM }), ...(env.API_KEY !== undefined && { apiKey: env.API_KEY }), apiKeyHeader: env.API_KEY_HEADER });
      return await forward(readCall(operation, body), env).catch(() => Response.json((last = LOST), { status: 502 }));
    } catch (error) {
      return Response.json(error, { status: error.code === "invalid_request" ? 400 : 500 });
    }
  },
};

async function forward({ operation, path, body }, { UPSTREAM, API_KEY, API_KEY_HEADER = "x-api-key" }) {
  const sent = { "content-type": "application/json", ...(API_KEY && { [API_KEY_HEADER]: API_KEY }) };
  const [send, base] = sandbox ? [sandbox.fetch, "https://sandbox.invalid"] : [fetch, UPSTREAM.replace(/\/+$/, "")];
  const reply = await send(base + path, { method: "POST", headers: sent, body, redirect: "manual", signal: AbortSignal.timeout(30_000) });
  const text = await textOf(reply);
  // Passed on, a redirect would have the caller send the trade again, to wherever it points; and so, to browsers, would 408 and 421.
  if (text === undefined || (reply.status >= 300 && reply.status < 400) || reply.status === 408 || reply.status === 421) throw new Error("not to be passed on");
  const clean = redact(text, API_KEY);
  last = await (async () => readReply({ operation, body }, reply.status, clean))().catch((error) => error);
  // A success that cannot be read, or that contradicts what was asked, is none to pass on.
  if (reply.ok && last.outcome === "unknown") return Response.json(last, { status: 502 });
  const type = reply.headers.get("content-type") ?? "";
  const retryAfter = reply.headers.get("retry-after") ?? "";
  const safe = (value, form) => form.test(value) && redact(value, API_KEY) === value;
  const headers = { "content-type": safe(type, REPLY_TYPE) ? type : "text/plain; charset=utf-8", "x-content-type-options": "nosniff", "cache-control": "no-store" };
  if (safe(retryAfter, RETRY_AFTER)) headers["retry-after"] = retryAfter;
  return new Response(clean, { status: reply.status, headers });
}

/** The text of a request or a reply; `undefined` where it is too long. */
async function textOf({ body }) {
  let [text, size, decoder] = ["", 0, new TextDecoder()];
  for await (const chunk of body ?? []) {
    if ((size += chunk.length) > MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const refuse = (status, message, headers) => Response.json({ outcome: "not_sent", message }, { status, headers });
