// A client's default transport, over a real connection.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import test, { after } from "node:test";
import { TradeClient } from "launchpad-desk";
import { LANDED, rejection, requests } from "./service.mjs";

const KEY = "sk-loopback-51";
const service = { posts: [], answer: undefined };
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  service.posts.push({
    method: request.method,
    url: request.url,
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
  });
  service.answer(request, response);
});
await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
after(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
const baseURL = `http://127.0.0.1:${server.address().port}`;

/** Buys from a service with this answer; returns the trade or the error, and what arrived there. */
async function buy(answer, options = {}) {
  service.posts.length = 0;
  service.answer = answer;
  const client = new TradeClient({ baseURL, apiKey: KEY, ...options });
  const settled = await client.buy(requests().buy).then(
    (trade) => ({ trade }),
    (error) => ({ error }),
  );
  // A second, unasked-for request would follow at once.
  await new Promise((resolve) => setTimeout(resolve, 30));
  return { ...settled, posts: [...service.posts] };
}

const says =
  (status, body, headers = {}) =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);

test("the key goes where the options say", async () => {
  const named = await buy(says(200, LANDED), { apiKeyHeader: "X-Desk" });
  assert.equal(named.posts[0].headers["x-desk"], KEY);
  const bearer = await buy(says(200, LANDED), { authorization: "bearer" });
  assert.equal(bearer.posts[0].headers.authorization, `Bearer ${KEY}`);
  for (const { posts } of [named, bearer]) assert.equal(posts[0].headers["x-api-key"], undefined);
});

test("a refused connection is proof that nothing was sent, to the transport that is there by default, and none to the runtime's fetch", async () => {
  const closed = createServer();
  await new Promise((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address();
  await new Promise((resolve) => closed.close(resolve));
  for (const [options, outcome, code] of [
    [{}, "not_sent", "connect_failed"],
    [{ fetch: globalThis.fetch }, "unknown", "network_error"],
  ]) {
    const error = await rejection(
      new TradeClient({ baseURL: `http://127.0.0.1:${port}`, ...options }).buy(requests().buy),
    );
    assert.deepEqual([error.outcome, error.code], [outcome, code]);
    assert.match(error.message, /ECONNREFUSED/);
  }
});

test("a fetch that replaced the runtime's is not used unless a client gets it as an option", async () => {
  const { fetch } = globalThis;
  const asked = [];
  globalThis.fetch = (url) => (
    asked.push(url),
    Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) }))
  );
  try {
    assert.equal((await buy(says(200, LANDED))).trade.status, "landed");
    assert.deepEqual(asked, []);
    const { error } = await buy(says(200, LANDED), { fetch: globalThis.fetch });
    assert.deepEqual([error.outcome, asked], ["unknown", [`${baseURL}/v1/trade/buy`]]);
  } finally {
    globalThis.fetch = fetch;
  }
});

test("a name that does not resolve is proof that nothing was sent", async () => {
  const error = await rejection(
    new TradeClient({ baseURL: "https://service.invalid", timeoutMs: 10_000 }).buy(requests().buy),
  );
  // A resolver may take longer than the deadline.
  assert.ok(["connect_failed", "timeout_before_send"].includes(error.code), error.code);
  assert.equal(error.outcome, "not_sent");
});
