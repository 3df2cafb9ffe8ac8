// A service on loopback that records every request and answers as the test sets it.

import { createServer } from "node:http";
import { after } from "node:test";

/**
 * @param {(request: { method: string, url: string, headers: object, body: string }, response: import("node:http").ServerResponse) => void} answer
 * @returns {Promise<{ url: string, requests: { method: string, url: string, headers: object, body: string }[], answer: Function }>}
 *   `answer` may be replaced between requests
 */
export async function startUpstream(answer) {
  const upstream = { url: "", requests: [], answer };
  // It closes no idle connections: the gateway may send on one at that moment, which makes the outcome unknown.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const noted = {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    upstream.requests.push(noted);
    upstream.answer(noted, response);
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  upstream.url = `http://127.0.0.1:${server.address().port}`;
  return upstream;
}

/** An answer of so much JSON. */
export const json =
  (status, body, headers = {}) =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
