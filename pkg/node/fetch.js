// A keep-alive transport over node:http and node:https in the shape of fetch. It takes a fraction of fetch's CPU, and knows
// whether it has sent anything.
//
// Until a request has its connection, nothing was sent; after that, it may have been. Nothing is sent twice: neither
// node:http nor this retries. A redirect is a reply.

import { urlToHttpOptions } from "node:url";
import { builtin } from "./builtin.js";
import { agents } from "./connections.js";
import { reply } from "./reply.js";
import { isNode } from "./runtime.js";
import { failure, unsent } from "./unsent.js";

/** Without this header, a service may encode a reply as it likes. */
const OWN_HEADERS = { "accept-encoding": "identity", "user-agent": "launchpad-desk" };
/** A client has six addresses; beyond this many, they are parsed each time. */
const MAX_TARGETS = 64;

const MILLISECONDS = { keepAliveMs: 4_000, connectTimeoutMs: 10_000 };

function settings(options) {
  for (const name of Object.keys(options)) {
    if (name !== "ca" && !(name in MILLISECONDS)) throw new TypeError(`nodeFetch has no option ${name}; it has ca, keepAliveMs, connectTimeoutMs`);
  }
  const { ca } = options;
  const given = { ...MILLISECONDS, ca };
  for (const name of Object.keys(MILLISECONDS)) {
    const ms = (given[name] = options[name] ?? given[name]);
    const least = name === "keepAliveMs" ? 0 : 1;
    if (!Number.isInteger(ms) || ms < least || ms > 2 ** 31 - 1) throw new TypeError(`nodeFetch: ${name} must be a whole number from ${least} to 2147483647`);
  }
  return given;
}

const plain = (headers) => (typeof headers?.entries === "function" ? Object.fromEntries(headers.entries()) : headers);

/**
 * The signals of calls that were given a connection. A function around this one may try again, with the same signal: then
 * a later failure proves nothing of the earlier try.
 */
const connected = new WeakSet();

/** A `fetch` for `new TradeClient({ fetch })`. See index.d.ts. */
export function nodeFetch(options = {}) {
  const checked = settings(options);
  let opened;
  /** The agent of each protocol. */
  const pools = () => (opened ??= agents(checked));
  const targets = new Map();

  /** What node:http wants to know of an address. */
  function targetOf(url) {
    const text = String(url);
    let target = targets.get(text);
    if (!target) {
      const address = new URL(text);
      const agent = pools()[address.protocol];
      if (!agent) throw new TypeError(`nodeFetch: ${address.protocol} is not http: or https:`);
      const { protocol, hostname, port, path, auth } = urlToHttpOptions(address);
      const { request } = builtin(`node:${protocol.slice(0, -1)}`);
      target = { request, options: { protocol, hostname, port, path, auth, agent } };
      if (targets.size >= MAX_TARGETS) targets.clear();
      targets.set(text, target);
    }
    return target;
  }

  function fetch(url, { method = "GET", headers, body, signal } = {}) {
    return new Promise((resolve, reject) => {
      let request;
      // If somebody replaced Node's request or agent, theirs prove nothing.
      let isOurs = isNode;
      let isConnected = false;
      const fail = (error) => reject(isOurs && !isConnected && !connected.has(signal) ? unsent(error) : error);
      if (signal?.aborted) return fail(failure("ABORT_ERR", "aborted before sending"));
      try {
        const target = targetOf(url);
        request = target.request({ ...target.options, method, headers: { ...OWN_HEADERS, ...plain(headers) } });
        isOurs &&= request.agent === target.options.agent;
      } catch (error) {
        return fail(error);
      }
      let isAnswered = false;
      const abort = () => {
        const error = failure("ABORT_ERR", "aborted");
        // A request that waits for its connection reports its end only once it has one.
        fail(error);
        request.destroy(error);
      };
      signal?.addEventListener("abort", abort);
      request.on("socket", () => {
        isConnected = true;
        if (signal) connected.add(signal);
      });
      request.on("response", (message) => {
        isAnswered = true;
        // Without a body nobody reads, so nobody would release the connection.
        if (method === "HEAD") message.resume();
        resolve(reply(message, String(url)));
      });
      request.on("error", fail);
      request.on("close", () => {
        signal?.removeEventListener("abort", abort);
        if (!isAnswered) fail(failure("ECONNRESET", "the connection closed without an answer"));
      });
      request.end(body);
    });
  }

  fetch.warm = async (url) => {
    const { options } = targetOf(url);
    await options.agent.warm(options);
  };
  fetch.close = () => Object.values(opened ?? {}).forEach((pool) => pool.destroy());
  return fetch;
}
