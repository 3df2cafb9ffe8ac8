// The gateway in workerd: what it answers itself, what it forwards and how often, and what it never reveals.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { TradeClient } from "launchpad-desk";
import { capture, root } from "../../scripts/program.mjs";
import { LOCAL } from "../../scripts/edge.mjs";
import { ADA, BUY, JSON_TYPE, KEY, LANDED, RABBIT, gatewayFor, settingsOf, tokenOf } from "./gateway.mjs";
import { spelled } from "./spelled.mjs";
import { json, startUpstream } from "./upstream.mjs";

const upstream = await startUpstream(json(200, LANDED));
const [inSandbox, forwarding] = await Promise.all([
  gatewayFor(),
  gatewayFor({ settings: settingsOf({ upstream: `${upstream.url}/base/`, apiKeyHeader: "x-desk-key" }) }),
]);

/** Sets the service's answer, posts a buy, and returns the reply and what the service got. */
async function forwardTo(answer, request = BUY, init = {}) {
  upstream.requests.length = 0;
  upstream.answer = answer;
  const response = await forwarding.post("/v1/trade/buy", request, init);
  return { response, text: await response.text(), requests: [...upstream.requests] };
}

test("what is deployed is under 600 lines, and imports the package as a stranger would", async () => {
  const files = (await readdir(join(root, "edge"))).filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(files.map((file) => readFile(join(root, "edge", file), "utf8")));
  const lines = texts.join("").trimEnd().split("\n").length;
  assert.ok(lines < 600, `${lines} lines`);
  const imported = new Set(
    texts.flatMap((text) => [...text.matchAll(/ from "([^."][^"]*)"/g)].map(([, name]) => name)),
  );
  assert.deepEqual([...imported].sort(), [
    "cloudflare:sockets",
    "cloudflare:workers",
    "launchpad-desk/gateway",
    "launchpad-desk/sandbox",
  ]);
});

test("a client of the package trades through it, by its base URL and a token alone", async () => {
  const client = new TradeClient({ baseURL: inSandbox.url, apiKey: tokenOf("ada"), authorization: "bearer" });
  const trade = await client.bundleBuy({
    mint: RABBIT,
    feePayer: ADA,
    buys: [{ fromWallet: ADA, amountInLamports: 5_000_000 }],
  });
  assert.equal(trade.status, "landed");
  await assert.rejects(client.buy({ ...BUY, mint: "NoSuchMint" }), { outcome: "rejected", status: 400 });
});

test("the curl line of its page buys", async () => {
  const readme = await readFile(join(root, "edge/README.md"), "utf8");
  const [line] = /^curl .*\/v1\/trade\/buy.*8787.*$|^curl .*8787\/v1\/trade\/buy.*$/m.exec(readme) ?? [];
  assert.ok(line, "the page has the line");
  const gateway = await gatewayFor({ settings: LOCAL.settings });
  const printed = await capture("sh", ["-c", line.replace("http://127.0.0.1:8787/", gateway.url)]);
  assert.equal(JSON.parse(printed).result.transactionResult.success, true);
});

test("a trade is forwarded once, with the key, the exact amounts and nothing of the caller's", async () => {
  const body = `{"mint":"${RABBIT}","fromWallet":"${ADA}","amountInLamports":18446744073709551615,"slippage":0.5}`;
  const headers = {
    ...JSON_TYPE,
    cookie: "session=1",
    "x-desk-key": "the caller's own",
    "x-forwarded-for": "10.0.0.1",
  };
  const { response, text, requests } = await forwardTo(json(200, LANDED), body, { headers });
  assert.equal(requests.length, 1);
  const [{ method, url, headers: sent, body: forwarded }] = requests;
  assert.deepEqual([method, url], ["POST", "/base/v1/trade/buy"]);
  assert.equal(
    forwarded,
    `{"mint":"${RABBIT}","fromWallet":"${ADA}","amountInLamports":18446744073709551615,"feePayer":null,"slippage":0.5,"priorityUnitLimit":null,"priorityUnitPrice":null}`,
  );
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
});

for (const [status, headers = {}] of [[400], [404], [413], [422], [429, { "retry-after": "7" }]]) {
  test(`the service's ${status} is passed on`, async () => {
    const said = { message: `no, ${status}` };
    const { response, text, requests } = await forwardTo(
      json(status, said, { ...headers, "set-cookie": "a=b", "x-internal": "1" }),
    );
    assert.deepEqual([response.status, text, requests.length], [status, JSON.stringify(said), 1]);
    assert.equal(response.headers.get("retry-after"), headers["retry-after"] ?? null);
    assert.deepEqual([response.headers.get("set-cookie"), response.headers.get("x-internal")], [null, null]);
  });
}

const packed = (text) => (_request, response) => {
  const bytes = gzipSync(text);
  response
    .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip", "content-length": bytes.length })
    .end(bytes);
};

test("a reply that comes packed is unpacked, and is held to its bound as it is then", async () => {
  const { response, text } = await forwardTo(packed(JSON.stringify(LANDED)));
  assert.deepEqual([response.status, text], [200, JSON.stringify(LANDED)]);
  const bomb = await forwardTo(packed(" ".repeat(64 << 20)));
  assert.deepEqual([bomb.response.status, JSON.parse(bomb.text).code], [502, "reply_too_large"]);
});

test("the key is in no answer, even from a service that echoes it as it is", async () => {
  const { text } = await forwardTo((_request, response) => response.writeHead(400).end(`bad key ${KEY}`));
  assert.equal(text, "bad key [redacted]");
  for (const path of ["/v1/trade/burn", "/v1/trade/buy"])
    assert.ok(!(await (await forwarding.post(path, "{")).text()).includes(KEY));
});

const soon = new Date(Date.now() + 3_600_000).toUTCString();
for (const [name, value, body, passed] of [
  ["content-type", "application/json", "{}", /^application\/json$/],
  ["content-type", "text/html", "{}", /^application\/json$/],
  ["content-type", "text/html", "<html>", /^text\/plain; charset=utf-8$/],
  ["content-type", "application/json", "<html>", /^text\/plain; charset=utf-8$/],
  ["content-type", `application/json; key=${KEY.replaceAll('"', "")}`, "{}", /^application\/json$/],
  ["content-type", `text/${encodeURIComponent(KEY)}`, "no", /^text\/plain; charset=utf-8$/],
  ["retry-after", "7", "{}", /^7$/],
  ["retry-after", soon, "{}", /^3[56]\d\d$/],
  ["retry-after", KEY, "{}", undefined],
  ["retry-after", spelled(KEY, (hex) => `%${hex}`), "{}", undefined],
  ["retry-after", "soon", "{}", undefined],
  ["retry-after", "7, 8", "{}", undefined],
]) {
  test(`the service's ${name}: ${value} with ${body} comes through as ${passed ?? "nothing"}`, async () => {
    const { response } = await forwardTo((_request, response) => response.writeHead(429, { [name]: value }).end(body));
    if (passed) assert.match(response.headers.get(name), passed);
    else assert.equal(response.headers.get(name), null);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  });
}

for (const [title, settings, bindings] of [
  ["settings with a name that there is not", settingsOf({ upstreem: "https://service.example" }), {}],
  ["a key that no header can hold", settingsOf({ upstream: upstream.url }), { API_KEY: `${KEY}\n` }],
]) {
  test(`503, and nothing sent: ${title}`, async () => {
    upstream.requests.length = 0;
    const gateway = await gatewayFor({ settings, bindings });
    const response = await gateway.post("/v1/trade/buy", BUY);
    const text = await response.text();
    assert.deepEqual([response.status, JSON.parse(text).code], [503, "not_configured"]);
    assert.ok(!text.includes(KEY) && !gateway.log().includes(KEY));
    assert.match(gateway.log(), /^SETTINGS: ./m, "the log says what is wrong");
    assert.equal(upstream.requests.length, 0);
  });
}
