// The edge worker in workerd: what it answers itself, what it forwards and how often, what it keeps to itself.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test, { after } from "node:test";
import { gzipSync } from "node:zlib";
import { TradeClient } from "launchpad-desk";
import { capture, root } from "../../scripts/program.mjs";
import { startWorker } from "../../scripts/worker.mjs";
import { json, startUpstream } from "./upstream.mjs";

const KEY = 'sk-edge/7f3a"9c\\';
const RABBIT = "SimMoonRabbit111111111111111111111111111111";
const ADA = "SimTraderAda1111111111111111111111111111111";
const BUY = { mint: RABBIT, fromWallet: ADA, amountInLamports: 1_000_000_000 };
const LANDED = { result: { mint: RABBIT, wallet: ADA, transactionResult: { success: true } }, explorer: {}, launchpad: {} };

const upstream = await startUpstream(json(200, LANDED));
const [inSandbox, forwarding] = await Promise.all([
  startWorker(),
  startWorker({ bindings: { UPSTREAM: `${upstream.url}/base/`, API_KEY: KEY, API_KEY_HEADER: "x-desk-key" } }),
]);
after(() => Promise.all([inSandbox.close(), forwarding.close()]));

const JSON_TYPE = { "content-type": "application/json" };
const post = (worker, path, body, { headers = JSON_TYPE, ...init } = {}) =>
  fetch(new URL(path, worker.url), { method: "POST", headers, body: typeof body === "string" ? body : JSON.stringify(body), redirect: "manual", ...init });
const page = async (worker) => (await fetch(worker.url)).text();

/** Has the service answer so, posts a buy, and gives what came back and what the service got. */
async function forwardTo(answer, request = BUY, init = {}) {
  upstream.requests.length = 0;
  upstream.answer = answer;
  const response = await post(forwarding, "/v1/trade/buy", request, init);
  return { response, text: await response.text(), requests: [...upstream.requests] };
}

test("the worker is under 80 lines", async () => {
  const lines = (await readFile(join(root, "edge/worker.js"), "utf8")).trimEnd().split("\n");
  assert.ok(lines.length < 80, `${lines.length} lines`);
});

test("without an upstream, trades go to the sandbox and the page shows the last", async () => {
  assert.match(await page(inSandbox), /No trade yet/);
  const bought = await post(inSandbox, "/v1/trade/buy", BUY);
  assert.equal(bought.status, 200);
  const { result } = await bought.json();
  assert.equal(result.postTokenBalance, result.buyAmount);
  assert.match(result.signature, /^SIM/);
  assert.match(await page(inSandbox), /<h3>Buy landed<\/h3>/);
  const sold = await (await post(inSandbox, "/v1/trade/sell-by-percentage", { mint: RABBIT, fromWallet: ADA, percentage: 100 })).json();
  assert.deepEqual([sold.result.sellAmount, sold.result.postTokenBalance, sold.result.tokenAccountClosed], [result.buyAmount, 0, true]);
  assert.match(await page(inSandbox), /<h3>Sell by percentage landed<\/h3>/);
});

test("a client of the package trades through it", async () => {
  const client = new TradeClient({ baseURL: inSandbox.url });
  const trade = await client.bundleBuy({ mint: RABBIT, feePayer: ADA, buys: [{ fromWallet: ADA, amountInLamports: 5_000_000 }] });
  assert.equal(trade.status, "landed");
  await assert.rejects(client.buy({ ...BUY, mint: "NoSuchMint" }), { outcome: "rejected", status: 400 });
});

test("the README's curl line buys", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [line] = /^curl .*\/v1\/trade\/buy.*$/m.exec(readme) ?? [];
  assert.ok(line, "the README has the line");
  assert.match(line, /http:\/\/127\.0\.0\.1:8787\//);
  const printed = await capture("sh", ["-c", line.replace("http://127.0.0.1:8787/", inSandbox.url)]);
  assert.equal(JSON.parse(printed).result.transactionResult.success, true);
});

for (const [title, body, fields] of [
  ["every bad field is named", { mint: "", fromWallet: "a b", amountInLamports: -1, slipage: 1 }, ["slipage unknown_field", "mint empty", "fromWallet white_space", "amountInLamports not_positive"]],
  ["a body that is not JSON", "{", [" unreadable"]],
  ["an empty body", "", [" unreadable"]],
  ["an array", [], [" wrong_type"]],
  ["broken UTF-8", Buffer.from([...Buffer.from('{"mint":"'), 0xff, ...Buffer.from('","fromWallet":"W","amountInLamports":1}')]), ["mint white_space"]],
  ["a duplicate field", '{"mint":"M","mint":"N","fromWallet":"W","amountInLamports":1}', [" unreadable"]],
]) {
  test(`400: ${title}`, async () => {
    upstream.requests.length = 0;
    const response = await post(forwarding, "/v1/trade/buy", "", { body: Buffer.isBuffer(body) || typeof body === "string" ? body : JSON.stringify(body) });
    assert.equal(response.status, 400);
    const error = await response.json();
    assert.deepEqual([error.outcome, error.code], ["not_sent", "invalid_request"]);
    assert.deepEqual(error.fields.map(({ field, code }) => `${field} ${code}`), fields);
    for (const { message } of error.fields) assert.ok(message.length > 5);
    assert.equal(upstream.requests.length, 0);
  });
}

for (const [title, status, ask, headers = {}] of [
  ["no such path", 404, () => post(forwarding, "/v1/trade/burn", BUY)],
  ["a path with a slash too many", 404, () => post(forwarding, "/v1/trade/buy/", BUY)],
  ["a GET of a trade", 405, () => fetch(new URL("/v1/trade/buy", forwarding.url)), { allow: "POST" }],
  ["a POST of the page", 405, () => post(forwarding, "/", BUY), { allow: "GET" }],
  ["a browser's preflight", 405, () => fetch(new URL("/v1/trade/buy", forwarding.url), { method: "OPTIONS" }), { allow: "POST", "access-control-allow-origin": null }],
  ["a form's content type", 415, () => post(forwarding, "/v1/trade/buy", BUY, { headers: { "content-type": "text/plain" } })],
  ["no content type", 415, () => post(forwarding, "/v1/trade/buy", "", { headers: {}, body: Buffer.from(JSON.stringify(BUY)) })],
  ["another charset", 415, () => post(forwarding, "/v1/trade/buy", BUY, { headers: { "content-type": "application/json; charset=utf-16" } })],
  ["half a pair of quotes around the charset", 415, () => post(forwarding, "/v1/trade/buy", BUY, { headers: { "content-type": 'application/json; charset="utf-8' } })],
  ["a body in gzip", 415, () => post(forwarding, "/v1/trade/buy", "", { body: gzipSync(JSON.stringify(BUY)), headers: { ...JSON_TYPE, "content-encoding": "gzip" } }), { "accept-encoding": "identity" }],
  ["an encoding that nobody knows", 415, () => post(forwarding, "/v1/trade/buy", BUY, { headers: { ...JSON_TYPE, "content-encoding": "secret" } })],
  ["a body over its bound", 413, () => post(forwarding, "/v1/trade/buy", " ".repeat(1 << 20) + "{}")],
  ["a stream over its bound", 413, () => post(forwarding, "/v1/trade/buy", "", { body: new Blob([" ".repeat((1 << 20) + 1)]).stream(), duplex: "half" })],
]) {
  test(`${status}: ${title}`, async () => {
    upstream.requests.length = 0;
    const response = await ask();
    assert.equal(response.status, status);
    for (const [name, value] of Object.entries(headers)) assert.equal(response.headers.get(name), value, name);
    assert.equal((await response.json()).outcome, "not_sent");
    assert.equal(upstream.requests.length, 0);
  });
}

test("a trade is forwarded once, with the key, the exact amounts and nothing of the caller's", async () => {
  const body = `{"mint":"${RABBIT}","fromWallet":"${ADA}","amountInLamports":18446744073709551615,"slippage":0.5}`;
  const headers = { ...JSON_TYPE, cookie: "session=1", authorization: "Bearer caller", "x-desk-key": "the caller's own", "x-forwarded-for": "10.0.0.1" };
  const { response, text, requests } = await forwardTo(json(200, LANDED), body, { headers });
  assert.equal(requests.length, 1);
  const [{ method, url, headers: sent, body: forwarded }] = requests;
  assert.deepEqual([method, url], ["POST", "/base/v1/trade/buy"]);
  assert.equal(forwarded, `{"mint":"${RABBIT}","fromWallet":"${ADA}","amountInLamports":18446744073709551615,"feePayer":null,"slippage":0.5,"priorityUnitLimit":null,"priorityUnitPrice":null}`);
  assert.equal(sent["x-desk-key"], KEY);
  assert.equal(sent["content-type"], "application/json");
  for (const name of ["cookie", "authorization", "x-forwarded-for"]) assert.equal(sent[name], undefined, name);
  assert.equal(response.status, 200);
  assert.equal(text, JSON.stringify(LANDED));
});

test("a number in a reply comes through as it was written", async () => {
  const reply = '{"result":{"buyAmount":123456789012345678901234567890.000000001},"explorer":{},"launchpad":{}}';
  const { text } = await forwardTo(json(200, reply));
  assert.equal(text, reply);
  assert.match(await page(forwarding), /<dd>123456789012345678901234567890\.000000001<\/dd>/);
});

for (const [status, headers = {}] of [[400], [401], [422], [429, { "retry-after": "7" }], [500], [503]]) {
  test(`the service's ${status} is passed on`, async () => {
    const said = { message: `no, ${status}` };
    const { response, text, requests } = await forwardTo(json(status, said, { ...headers, "set-cookie": "a=b", "x-internal": "1" }));
    assert.deepEqual([response.status, text, requests.length], [status, JSON.stringify(said), 1]);
    assert.equal(response.headers.get("retry-after"), headers["retry-after"] ?? null);
    assert.deepEqual([response.headers.get("set-cookie"), response.headers.get("x-internal")], [null, null]);
    assert.match(await page(forwarding), new RegExp(`no, ${status}`));
  });
}

for (const [title, answer] of [
  ["hangs up without an answer", (_request, response) => response.destroy()],
  ["hangs up in mid-answer", (_request, response) => (response.writeHead(200, { "content-length": 100 }), response.write("{"), setTimeout(() => response.destroy(), 20))],
  ["answers with a redirect", (_request, response) => response.writeHead(307, { location: "/elsewhere" }).end()],
  ["answers without end", (_request, response) => (response.writeHead(200), response.end(" ".repeat((1 << 20) + 1)))],
]) {
  test(`a service that ${title} leaves the outcome unknown, and is not asked again`, async () => {
    const { response, text, requests } = await forwardTo(answer);
    assert.equal(response.status, 502);
    const { outcome, message } = JSON.parse(text);
    assert.equal(outcome, "unknown");
    assert.match(message, /^outcome unknown: /);
    assert.equal(requests.length, 1);
    assert.match(await page(forwarding), /the trade may have been made/);
    const client = new TradeClient({ baseURL: forwarding.url });
    await assert.rejects(client.buy(BUY), { outcome: "unknown", status: 502 });
  });
}

/** A text with each of its characters written as `spell` says. */
const spelled = (text, spell) => [...text].map((character) => spell(character.charCodeAt().toString(16).padStart(2, "0"), character)).join("");
const escaped = (text) => JSON.stringify(text).slice(1, -1);

const ECHOES = {
  "as JSON has it": escaped(KEY),
  "with its slashes escaped": escaped(KEY).replaceAll("/", "\\/"),
  "in escapes of JSON": spelled(KEY, (hex) => `\\u00${hex}`),
  "in escapes of JSON, in capitals": spelled(KEY, (hex) => `\\u00${hex.toUpperCase()}`),
  "as JSON in JSON": escaped(escaped(KEY)),
  "as JSON in JSON in JSON": escaped(escaped(escaped(KEY))),
  "in escapes of JSON in JSON": spelled(KEY, (hex) => `\\\\u00${hex}`),
  "percent-encoded": spelled(KEY, (hex) => `%${hex}`),
  "percent-encoded, in capitals": spelled(KEY, (hex) => `%${hex.toUpperCase()}`),
  "percent-encoded, in part": encodeURIComponent(KEY),
  "percent-encoded twice": encodeURIComponent(encodeURIComponent(KEY)),
  "in entities with names": escaped(KEY.replaceAll('"', "&quot;").replaceAll("/", "&sol;").replaceAll("\\", "&bsol;")),
  "in decimal entities": spelled(KEY, (_hex, character) => `&#${character.charCodeAt()};`),
  "in hexadecimal entities": spelled(KEY, (hex) => `&#x${hex};`),
  "in entities of entities": spelled(KEY, (hex) => `&amp;#X${hex};`),
  "in a mix": [...KEY].map((character, at) => [`%${character.charCodeAt().toString(16)}`, `\\u00${character.charCodeAt().toString(16)}`, `&#${character.charCodeAt()};`, escaped(character)][at % 4]).join(""),
};
for (const [how, echo] of Object.entries(ECHOES)) {
  test(`a service that echoes the key ${how} does not get it past the worker`, async () => {
    const { response, text } = await forwardTo(json(400, `{"message":"bad key ${echo} here"}`, { "x-echo": KEY }));
    assert.equal(upstream.requests[0].headers["x-desk-key"], KEY);
    assert.deepEqual(JSON.parse(text), { message: "bad key [redacted] here" });
    assert.match(await page(forwarding), /bad key \[redacted\] here/);
    assert.equal(response.headers.get("x-echo"), null);
    const plain = await forwardTo((_request, response) => response.writeHead(400).end(`bad key ${echo} here`));
    assert.equal(plain.text, "bad key [redacted] here");
  });
}

test("the key is in no answer, even from a service that echoes it as it is", async () => {
  const { text } = await forwardTo((_request, response) => response.writeHead(400).end(`bad key ${KEY}`));
  assert.equal(text, "bad key [redacted]");
  for (const path of ["/v1/trade/burn", "/v1/trade/buy"]) assert.ok(!(await (await post(forwarding, path, "{")).text()).includes(KEY));
});

const DATE = "Sun, 06 Nov 2033 08:49:37 GMT";
for (const [name, value, passed] of [
  ["content-type", "application/json", "application/json"],
  ["content-type", 'Application/Problem+JSON; Charset="UTF-8"', 'Application/Problem+JSON; Charset="UTF-8"'],
  ["content-type", "text/html", "text/plain; charset=utf-8"],
  ["content-type", "application/json; charset=utf-16", "text/plain; charset=utf-8"],
  ["content-type", `application/json; key=${KEY.replaceAll('"', "")}`, "text/plain; charset=utf-8"],
  ["content-type", `text/${encodeURIComponent(KEY)}`, "text/plain; charset=utf-8"],
  ["retry-after", "7", "7"],
  ["retry-after", DATE, DATE],
  ["retry-after", KEY, null],
  ["retry-after", spelled(KEY, (hex) => `%${hex}`), null],
  ["retry-after", "soon", null],
  ["retry-after", "7, 8", null],
]) {
  test(`the service's ${name}: ${value} comes through as ${passed}`, async () => {
    const { response } = await forwardTo((_request, response) => response.writeHead(429, { [name]: value }).end("{}"));
    assert.equal(response.headers.get(name), passed);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  });
}

for (const [title, body, code] of [
  ["about another mint", { result: { ...LANDED.result, mint: "AnotherMint" } }, "contradictory_reply"],
  ["about another wallet", { result: { ...LANDED.result, wallet: "AnotherWallet" } }, "contradictory_reply"],
  ["about a sell", { result: { ...LANDED.result, sellAmount: 5 } }, "contradictory_reply"],
  ["that says no and yes", { success: false, error: `no funds, ${KEY}`, ...LANDED }, "contradictory_reply"],
  ["that cannot be read", "<html>", "unreadable_reply"],
]) {
  test(`a success ${title} is passed on as an unknown outcome`, async () => {
    const { response, text } = await forwardTo(json(200, body));
    assert.equal(response.status, 502);
    const error = JSON.parse(text);
    assert.deepEqual([error.outcome, error.code, error.status], ["unknown", code, 200]);
    assert.match(error.message, /^outcome unknown: /);
    assert.ok(!text.includes(KEY) && !text.includes(escaped(KEY)));
    assert.match(await page(forwarding), /the trade may have been made/);
  });
}

test("what a service says is text on the page, never markup", async () => {
  const { response } = await forwardTo(json(200, { result: { signature: "<script>alert(1)</script>", tokenAccount: '"><img src=x onerror=alert(1)>' }, explorer: { tx: "javascript:alert(1)" }, launchpad: {} }));
  assert.equal(response.status, 200);
  const shown = await fetch(forwarding.url);
  assert.equal(shown.headers.get("content-security-policy"), "default-src 'none'");
  assert.match(shown.headers.get("content-type"), /^text\/html/);
  const html = await shown.text();
  assert.doesNotMatch(html, /<script|<img|javascript:/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
});

for (const [title, bindings] of [
  ["a key and no upstream", { API_KEY: KEY }],
  ["an upstream without TLS", { UPSTREAM: "http://service.example", API_KEY: KEY }],
  ["an upstream that is no URL", { UPSTREAM: "service.example", API_KEY: KEY }],
  ["an empty upstream", { UPSTREAM: "", API_KEY: KEY }],
  ["a key that no header can hold", { UPSTREAM: upstream.url, API_KEY: `${KEY}\n` }],
]) {
  test(`500, and nothing sent: ${title}`, async () => {
    upstream.requests.length = 0;
    const worker = await startWorker({ bindings });
    try {
      const response = await post(worker, "/v1/trade/buy", BUY);
      const text = await response.text();
      assert.equal(response.status, 500);
      assert.equal(JSON.parse(text).code, "invalid_options");
      assert.ok(!text.includes(KEY));
      assert.equal(upstream.requests.length, 0);
    } finally {
      await worker.close();
    }
  });
}
