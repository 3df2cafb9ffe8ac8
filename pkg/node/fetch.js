// A keep-alive transport over node:http and node:https in the shape of fetch: for a fraction of its CPU, and it knows
// whether it has sent anything.
//
// Before a request has its connection, nothing was sent; after, only a connection that has not taken a byte since is
// proof. Nothing is sent twice: node:http tries nothing again, and neither does this. A redirect is a reply.

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { urlToHttpOptions } from "node:url";
import { agents } from "./connections.js";
import { reply } from "./reply.js";
import { isNode } from "./runtime.js";
import { failure, unsent } from "./unsent.js";

const REQUEST = { "http:": httpRequest, "https:": httpsRequest };
/** Without a word on it, a service may encode a reply as it likes. */
const OWN_HEADERS = { "accept-encoding": "identity", "user-agent": "launchpad-desk" };
/** A client has six addresses; who has more pays for each anew. */
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

/** A `fetch` for `new TradeClient({ fetch })`. See index.d.ts. */
export function nodeFetch(options = {}) {
  const pools = agents(settings(options));
  const targets = new Map();

  /** What node:http wants to know of an address. */
  function targetOf(url) {
    const text = String(url);
    let target = targets.get(text);
    if (!target) {
      const address = new URL(text);
      const agent = pools[address.protocol];
      if (!agent) throw new TypeError(`nodeFetch: ${address.protocol} is not http: or https:`);
      const { protocol, hostname, port, path, auth } = urlToHttpOptions(address);
      target = { protocol, hostname, port, path, auth, agent };
      if (targets.size >= MAX_TARGETS) targets.clear();
      targets.set(text, target);
    }
    return target;
  }

  function fetch(url, { method = "GET", headers, body, signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(unsent(failure("ABORT_ERR", "aborted before it was sent")));
      let request;
      try {
        const target = targetOf(url);
        request = REQUEST[target.protocol]({ ...target, method, headers: { ...OWN_HEADERS, ...plain(headers) } });
      } catch (error) {
        return reject(unsent(error));
      }
      let connection;
      let taken;
      let isAnswered = false;
      // The bytes of a request are counted when they are handed over, be they on the wire or not.
      const sentNothing = () => isNode && (connection === undefined || connection.bytesWritten === taken);
      const fail = (error) => reject(sentNothing() ? unsent(error) : error);
      const abort = () => {
        const error = failure("ABORT_ERR", "aborted");
        // A request that waits for its connection tells nobody of its end before that has come.
        fail(error);
        request.destroy(error);
      };
      signal?.addEventListener("abort", abort);
      request.on("socket", (socket) => {
        connection = socket;
        taken = socket.bytesWritten;
      });
      request.on("response", (message) => {
        isAnswered = true;
        // Without a body there is nothing to read, and so nobody who would give the connection back.
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
    const target = targetOf(url);
    await target.agent.warm(target);
  };
  fetch.close = () => Object.values(pools).forEach((pool) => pool.destroy());
  return fetch;
}
