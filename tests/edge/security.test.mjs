// What an attacker may try: each try gets a clean 4xx, nothing is forwarded, and nothing leaks.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import {
  BUY,
  JSON_TYPE,
  KEY,
  LANDED,
  caller,
  folder,
  gatewayFor,
  landed,
  openGateway,
  operator,
  settingsOf,
  tokenOf,
} from "./gateway.mjs";
import { holds, spellings } from "./spelled.mjs";
import { json, startUpstream } from "./upstream.mjs";

const PANEL = "https://panel.example";
const upstream = await startUpstream(json(200, LANDED));
const settings = settingsOf({
  upstream: upstream.url,
  origins: [PANEL],
  desks: [{ name: "alpha" }, { name: "beta" }],
  callers: [caller("ada"), operator("olga"), caller("bea", { desk: "beta" }), operator("otto", { desk: "beta" })],
});
const gateway = await gatewayFor({ settings });
const SECRETS = [
  KEY,
  ...["ada", "olga", "bea", "otto"].map(tokenOf),
  ...settings.callers.map(({ tokenSha256 }) => tokenSha256),
];

/** Asserts that a text holds no secret; the message names the secret. */
function assertNoSecret(text, where) {
  for (const secret of SECRETS) assert.ok(!holds(text, secret), `${where} holds ${secret}`);
}

const textOf = (response) => `${JSON.stringify([...response.headers])}\n`;

/**
 * Writes bytes to a connection of its own and resolves to all that comes back. It ends its side, so workerd closes once it has answered
 * all it read: otherwise it would wait for five seconds.
 */
const raw = (bytes) =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(gateway.url);
    let text = "";
    const socket = connect(port, hostname, () => socket.end(bytes));
    socket.setTimeout(20_000, () => socket.destroy());
    socket
      .setEncoding("latin1")
      .on("data", (piece) => (text += piece))
      .on("error", () => {})
      .on("close", () => resolve(text));
  });
const statusesIn = (text) => [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

/** A request on the wire. `headers` are lines, written as they are. */
const written = ({
  method = "POST",
  path = "/v1/trade/buy",
  as = "ada",
  headers = [],
  body = JSON.stringify(BUY),
  length = Buffer.byteLength(body),
}) =>
  [
    `${method} ${path} HTTP/1.1`,
    "host: gateway",
    "connection: close",
    "content-type: application/json",
    ...(as ? [`authorization: Bearer ${tokenOf(as)}`] : []),
    ...(length === undefined ? [] : [`content-length: ${length}`]),
    ...headers,
    "",
    body,
  ].join("\r\n");

async function refused(response, statuses, title) {
  const text = await response.text();
  assert.ok(statuses.includes(response.status), `${title}: ${response.status} ${text}`);
  assertNoSecret(textOf(response) + text, title);
  return text;
}

const none = async (title, work) => {
  upstream.requests.length = 0;
  await work();
  assert.deepEqual(
    upstream.requests.map(({ url }) => url),
    [],
    `${title}: nothing is forwarded`,
  );
};

test("no token, or one that is guessed, is a 401 like any other, and wakes no object", async () => {
  const persist = await folder();
  const quiet = await gatewayFor({ settings, persist });
  const authorizations = [
    undefined,
    `Basic ${tokenOf("ada")}`,
    `Bearer ${tokenOf("ada")}x`,
    `Bearer ${tokenOf("ada").slice(0, -1)}`,
    `Bearer ${tokenOf("nobody")}`,
    `Bearer ${tokenOf("ada").toUpperCase()}`,
    `Bearer ${settings.callers[0].tokenSha256}`,
    `Bearer ${tokenOf("ada")}, Bearer ${tokenOf("olga")}`,
    `Bearer ${"x".repeat(8_000)}`,
    "Bearer \u00ff\u00fe",
    tokenOf("ada"),
  ];
  await none("guessing", async () => {
    const told = new Set();
    for (const path of ["/v1/trade/buy", "/v1/plans", "/v1/intents/x", "/desk", "/desk/halt"]) {
      for (const authorization of authorizations) {
        const response = await quiet.ask(path, {
          method: /desk$|intents/.test(path) ? "GET" : "POST",
          headers: { ...JSON_TYPE, ...(authorization !== undefined && { authorization }) },
          ...(!/desk$|intents/.test(path) && { body: JSON.stringify(BUY) }),
        });
        told.add((await refused(response, [401], `${path} ${authorization}`)).replace(/"detail":.*?"code"/, '"code"'));
      }
    }
    assert.equal(told.size, 1, [...told].join("\n"));
  });
  assert.deepEqual(
    (await readdir(persist, { recursive: true })).filter((file) => /[0-9a-f]{64}\.sqlite/.test(file)),
    [],
    "no object was made",
  );
});

test("an invalid URL, as from a whole URL in the request line, gets an answer with a code", async () => {
  const strange = await gatewayFor({ settings, main: join(root, "tests/edge/entries/strange.mjs") });
  for (const [url, status] of [
    ["http://[::1/nowhere", 404],
    ["http://gatewayhttp://gateway/health", 404],
    ["http://a b/nowhere", 404],
    ["http://[::1/health", 200],
  ]) {
    const response = await strange.ask("/", { headers: { "x-url": url } });
    const { code, status: health } = await response.json();
    assert.deepEqual([response.status, code ?? health], status === 200 ? [200, "ok"] : [404, "not_found"], url);
  }
});

test("closed when there is no token to know", async () => {
  const closed = await gatewayFor({ settings: settingsOf({ upstream: upstream.url, callers: [] }) });
  await none("closed", async () => {
    for (const as of [undefined, "ada"])
      await refused(await closed.post("/v1/trade/buy", BUY, { as }), [401], "closed");
  });
  assert.equal((await (await closed.ask("/health")).json()).status, "ok");
});

test("no caller reads another desk, or gives it orders", async () => {
  upstream.answer = (noted, response) => json(200, landed(JSON.parse(noted.body)))(noted, response);
  const secret = { ...BUY, fromWallet: "BeasOwnWallet", amountInLamports: 424_242 };
  assert.equal((await gateway.post("/v1/trade/buy", secret, { as: "bea", intent: "beas-own" })).status, 200);
  const plan = await (await gateway.post("/v1/plans", { operation: "buy", request: secret }, { as: "bea" })).json();
  const id = plan.id ?? plan.planId ?? plan.intentId;
  await none("reading", async () => {
    for (const as of ["ada", "olga"]) {
      for (const [path, method] of [
        ["/v1/intents/beas-own", "GET"],
        [`/v1/plans/${id}`, "GET"],
        [`/v1/plans/${id}/send`, "POST"],
      ]) {
        const text = await refused(
          await gateway.ask(path, { method, as, headers: JSON_TYPE, ...(method === "POST" && { body: "{}" }) }),
          [403, 404],
          `${as} ${path}`,
        );
        assert.ok(!/BeasOwnWallet|424242/.test(text), text);
      }
    }
    for (const headers of [{}, { "x-desk": "beta", desk: "beta", "x-forwarded-host": "beta" }]) {
      const text = await (await gateway.ask("/desk?desk=beta&name=beta", { as: "olga", headers })).text();
      assert.ok(!/BeasOwnWallet|424242|beas-own/.test(text), text);
    }
    for (const [path, body] of [
      ["settle", { caller: "bea", intentId: "beas-own", found: "did_not_land" }],
      ["approve", { caller: "bea", intentId: "beas-own" }],
    ]) {
      await refused(await gateway.order(path, body, "olga"), [400, 403, 404, 409], path);
    }
    await gateway.order("halt", {}, "olga");
  });
  assert.equal((await gateway.post("/v1/trade/buy", secret, { as: "bea" })).status, 200, "the other desk trades on");
  await gateway.order("resume", {}, "olga");
});

test("a trader sees and orders nothing of the desk, an operator trades nothing", async () => {
  await none("roles", async () => {
    await refused(await gateway.ask("/desk", { as: "ada" }), [403], "desk");
    for (const path of ["halt", "reduce", "resume", "settle", "approve", "deny"])
      await refused(await gateway.order(path, {}, "ada"), [403], path);
    await refused(await gateway.post("/v1/trade/buy", BUY, { as: "olga" }), [403], "an operator's trade");
  });
});

// What a server or a URL may write anew on the way; the core's tests have what is spelled otherwise.
for (const path of [
  "//v1/trade/buy",
  "/v1//trade/buy",
  "/v1/trade//buy",
  "/v1/trade/buy%2f",
  "/v1/trade/b%75y",
  "/v1%2ftrade%2fbuy",
  "/v1/trade/buy%00",
  "/v1/trade/buy%20",
  "/v1/trade/buy;x",
  "/v1/trade/bundle%2fbuy",
  "/v1/trade/%2e%2e%2f..%2fdesk",
  "/v1/trade/buy/../buy/x",
  "/v1/trade/%2e%2e/buy",
  "/v1/trade/../../v1/buy",
]) {
  test(`the path ${path} is not one of the six`, () =>
    none(path, async () => {
      const text = await raw(written({ path }));
      const [status] = statusesIn(text);
      assert.ok([400, 404].includes(status), text);
      assertNoSecret(text, path);
    }));
}

for (const method of ["GET", "HEAD", "PUT", "PATCH", "DELETE", "QUERY", "post", "Post"]) {
  test(`the method ${method} trades nothing`, () =>
    none(method, async () => {
      const text = await raw(written({ method, ...(method === "HEAD" && { body: "" }) }));
      const [status] = statusesIn(text);
      // A page asks by HEAD whether it may send here.
      assert.ok((method === "HEAD" ? [204] : [400, 405, 501]).includes(status), text);
      assertNoSecret(text, method);
    }));
}

const NO_HTTP = /^HTTP\/1\.1 (400|500) [A-Za-z ]+\r\nConnection: close\r\nContent-Length: \d+\r\n\r\n[A-Za-z ]+/;
for (const [title, request] of [
  ["two lengths", { headers: ["content-length: 5"] }],
  ["a length and chunks", { headers: ["transfer-encoding: chunked"] }],
  [
    "chunks that are no chunks",
    { length: undefined, headers: ["transfer-encoding: chunked"], body: "zz\r\n{}\r\n0\r\n\r\n" },
  ],
  [
    "an encoding behind chunks",
    { length: undefined, headers: ["transfer-encoding: chunked, identity"], body: "0\r\n\r\n" },
  ],
  ["a negative length", { length: -1 }],
  ["a length with a sign", { length: "+10" }],
  ["a length of text", { length: "ten" }],
  ["a header with white space before its colon", { headers: ["transfer-encoding : chunked"] }],
  ["a bare line feed in a header", { headers: ["x-a: b\nidempotency-key: smuggled"], body: "{}" }],
  ["a header without a name", { headers: [": x"] }],
  ["a NUL in a header", { headers: ["x-a: b\u0000c"], body: "{}" }],
  ["a second authorization", { headers: [`authorization: Bearer ${tokenOf("bea")}`] }],
  ["a body that begins another request", { body: "{}\r\nPOST /v1/trade/buy HTTP/1.1\r\nhost: x\r\n\r\n" }],
]) {
  test(`smuggling: ${title}`, () =>
    none(title, async () => {
      const text = await raw(written(request));
      // The worker never gets what workerd itself does not accept as HTTP; the edge has its own front for that.
      if (!NO_HTTP.test(text)) for (const status of statusesIn(text)) assert.ok(status >= 400 && status < 500, text);
      assertNoSecret(text, title);
    }));
}

test("a whole request hidden behind another's length is not seen as one", () =>
  none("pipelined", async () => {
    const hidden = written({});
    const text = await raw(
      written({ path: "/nowhere", body: hidden }).replace("connection: close", "connection: keep-alive") +
        "GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    );
    assert.match(statusesIn(text).join(), /^404(,200)?$/, text);
  }));

for (const [title, body] of [
  ["over its bound, with a length", Buffer.alloc(70_000, " ")],
  ["over its bound, in chunks", new Blob([Buffer.alloc(70_000, " ")]).stream()],
  ["of many megabytes, in chunks", new Blob([Buffer.alloc(20_000_000, " ")]).stream()],
]) {
  test(`413: a body ${title}`, () =>
    none(title, async () => {
      const response = await gateway.ask("/v1/trade/buy", {
        method: "POST",
        as: "ada",
        headers: JSON_TYPE,
        body,
        duplex: "half",
      });
      await refused(response, [413], title);
    }));
}

test("a body that comes in many chunks is one body", async () => {
  upstream.requests.length = 0;
  const chunks = [...JSON.stringify(BUY)].map((character) => `1\r\n${character}\r\n`).join("");
  const text = await raw(
    written({ length: undefined, headers: ["transfer-encoding: chunked"], body: `${chunks}0\r\n\r\n` }),
  );
  assert.deepEqual([statusesIn(text), upstream.requests.length], [[200], 1]);
});

const cors = (response) => [...response.headers.keys()].filter((name) => name.startsWith("access-control-"));
const preflight = (origin, path = "/v1/trade/buy", more = {}) =>
  gateway.ask(path, {
    method: "OPTIONS",
    headers: {
      ...(origin && { origin }),
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,idempotency-key",
      ...more,
    },
  });

test("CORS is open to the origins that are named, and to no other", () =>
  none("CORS", async () => {
    const open = await preflight(PANEL);
    assert.ok([200, 204].includes(open.status));
    assert.equal(open.headers.get("access-control-allow-origin"), PANEL);
    assert.match(open.headers.get("vary") ?? "", /origin/i);
    for (const name of ["authorization", "content-type", "idempotency-key"])
      assert.match(open.headers.get("access-control-allow-headers"), new RegExp(`\\b${name}\\b`, "i"));
    assert.equal(open.headers.get("access-control-allow-credentials"), null);
    for (const origin of [
      "https://evil.example",
      "null",
      `${PANEL}.evil.example`,
      "http://panel.example",
      "https://PANEL.example.",
      "https://panel.example:444",
      "*",
      "",
    ]) {
      const shut = await preflight(origin);
      assert.deepEqual([shut.status >= 400 && shut.status < 500, cors(shut)], [true, []], origin);
      const trade = await gateway.post("/v1/trade/buy", BUY, {
        headers: { ...JSON_TYPE, ...(origin && { origin }) },
        as: "nobody",
      });
      assert.deepEqual([trade.status >= 400 && trade.status < 500, cors(trade)], [true, []], origin);
    }
    const desk = await preflight(PANEL, "/desk/halt");
    assert.deepEqual(cors(desk), [], "the operator's desk is for no other origin");
  }));

test("a page of a named origin reads answers and refusals, with their headers", async () => {
  upstream.answer = json(200, LANDED);
  for (const [as, status] of Object.entries({ ada: 200, nobody: 401 })) {
    const response = await gateway.post("/v1/trade/buy", BUY, { as, headers: { ...JSON_TYPE, origin: PANEL } });
    assert.deepEqual([response.status, response.headers.get("access-control-allow-origin")], [status, PANEL]);
    if (status === 200)
      for (const name of ["intent-state", "idempotency-key", "idempotent-replayed", "retry-after"])
        assert.match(response.headers.get("access-control-expose-headers"), new RegExp(name, "i"));
  }
});

test("the key is in no storage row, no log and no answer, in no spelling, whatever the service says", async () => {
  const persist = await folder();
  const kept = await openGateway({ settings, persist });
  try {
    let n = 0;
    for (const echo of [KEY, ...Object.values(spellings(KEY))]) {
      for (const answer of [
        json(400, `{"message":"bad key ${echo} here"}`),
        json(500, `{"message":"${echo}"}`),
        (_request, response) =>
          response.writeHead(400, { "x-echo": "1", "content-type": "text/plain" }).end(`no ${echo}`),
        json(
          200,
          `{"result":{"signature":"${echo}","transactionResult":{"success":true}},"explorer":{"tx":"${echo}"},"launchpad":{}}`,
        ),
      ]) {
        upstream.answer = answer;
        const intent = `echo-${n++}`;
        for (let time = 0; time < 2; time++) {
          const response = await kept.post("/v1/trade/buy", BUY, { intent });
          assertNoSecret(textOf(response) + (await response.text()), echo);
        }
      }
    }
    assert.equal(upstream.requests.at(-1).headers["x-api-key"], KEY);
    for (const accept of ["application/json", "text/html"])
      assertNoSecret(await (await kept.ask("/desk", { as: "olga", headers: { accept } })).text(), accept);
  } finally {
    await kept.close();
  }
  assertNoSecret(kept.log(), "the log");
  let bytes = 0;
  for (const file of await readdir(persist, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const text = await readFile(join(file.parentPath, file.name), "latin1");
    bytes += text.length;
    for (const secret of [KEY, ...["ada", "olga"].map(tokenOf)])
      assert.ok(!holds(text, secret), `${file.name} holds ${secret}`);
  }
  assert.ok(bytes > 50_000, "there is something in it");
});
