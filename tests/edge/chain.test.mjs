// Pages read the chain through the gateway: calls that only read, and never the key in the node's URL.

import assert from "node:assert/strict";
import test from "node:test";
import { Market } from "launchpad-desk/market";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { ADA, BUY, RABBIT, gatewayFor, landed, settingsOf } from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

const SECRET = "kf83-secret-of-the-node";
const BO = new Sandbox().wallets[1].wallet;
// His first buy opens the account of his volume, too.
const wallets = new Sandbox().wallets.map(({ wallet, lamports }) => ({
  wallet,
  lamports,
  opensVolumeAccount: wallet === BO,
}));
const chain = new LocalChain(new Sandbox({ wallets }));
const fromChain = async ({ body }, response) => {
  const reply = await chain.fetch("https://node.example/rpc", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  response.writeHead(reply.status, { "content-type": "text/html", "x-of-node": "yes" }).end(await reply.text());
};
const node = await startUpstream(fromChain);
const PAGE = "https://panel.example";
const gateway = await gatewayFor({
  settings: settingsOf({ origins: [PAGE] }),
  bindings: { RPC_URL: `${node.url}/rpc?api-key=${SECRET}` },
});
const call = (method, params) => ({ jsonrpc: "2.0", id: 1, method, ...(params && { params }) });
const asked = () => node.requests.splice(0).map(({ body }) => JSON.parse(body));
const reached = async (work) => {
  asked();
  await work();
  return asked();
};

test("a market reads prices and holdings through it, with the token of a trader", async () => {
  const market = new Market({
    rpc: async (body) => (await gateway.post("/v1/chain", body)).text(),
    commitment: "processed",
  });
  const look = await market.look(RABBIT, [ADA]);
  assert.equal(look.wallets[0].lamports, 100_000_000_000n);
  const health = await (await gateway.ask("/health")).json();
  assert.deepEqual(health, { status: "ok", simulated: true, chain: true });
  const [request] = node.requests;
  assert.equal(request.url, `/rpc?api-key=${SECRET}`);
  assert.deepEqual(
    Object.keys(request.headers).filter((name) => /authorization|origin|cookie/.test(name)),
    [],
  );
});

test("its answer is JSON, which a page of a named origin may read", async () => {
  const reply = await gateway.post("/v1/chain", call("getSlot"), {
    headers: { "content-type": "application/json", origin: PAGE },
  });
  const header = (name) => reply.headers.get(name);
  assert.deepEqual(
    [header("content-type"), header("access-control-allow-origin"), header("x-of-node")],
    ["application/json", PAGE, null],
  );
  assert.ok((await reply.json()).result > 0);
  assert.equal(
    (
      await gateway.post("/v1/chain", call("getSlot"), {
        headers: { "content-type": "application/json", origin: "https://evil.example" },
      })
    ).status,
    403,
  );
});

test("only calls that read are passed on, alone or among others", async () => {
  const told = await reached(async () => {
    for (const body of [
      call("sendTransaction", ["AQ=="]),
      [call("getSlot"), call("simulateTransaction")],
      call("getProgramAccounts"),
      call("getmultipleaccounts"),
    ]) {
      const reply = await gateway.post("/v1/chain", body);
      assert.deepEqual(
        [reply.status, (await reply.json()).code],
        [403, "chain_method_not_allowed"],
        JSON.stringify(body),
      );
    }
    for (const body of [
      "",
      "[]",
      "5",
      "{",
      "{}",
      '{"method":5}',
      JSON.stringify(Array.from({ length: 101 }, () => call("getSlot"))),
    ])
      assert.equal((await gateway.post("/v1/chain", body)).status, 400, body);
    assert.equal((await gateway.post("/v1/chain", `"${"x".repeat(70_000)}"`)).status, 413);
    assert.equal((await gateway.post("/v1/chain", call("getSlot"), { as: "" })).status, 401);
    assert.equal((await gateway.post("/v1/chain", call("getSlot"), { as: "olga" })).status, 403);
    assert.equal((await gateway.ask("/v1/chain", { as: "ada" })).status, 405);
  });
  assert.deepEqual(told, []);
});

test("the node gets calls that the gateway has written, and nothing else of the body", async () => {
  const told = await reached(async () => {
    await gateway.post("/v1/chain", '{"jsonrpc":"1.0","more":1,"id":7,"method":"getSlot"}');
    // Whichever of the two a reader uses, both give the same.
    await gateway.post(
      "/v1/chain",
      '{"id":8,"method":"sendTransaction","method":"getSlot","params":[{"commitment":"finalized"}]}',
    );
    await gateway.post("/v1/chain", [call("getSlot"), call("getBlockHeight")]);
  });
  assert.deepEqual(told[0], { jsonrpc: "2.0", id: 7, method: "getSlot", params: [] });
  assert.deepEqual(
    told
      .flat()
      .map(({ method }) => method)
      .filter((method) => method !== "getSlot"),
    ["getBlockHeight"],
  );
});

test("a node that fails, hangs up or tells the key gives a clean answer", async () => {
  for (const [answer, status] of [
    [json(200, { jsonrpc: "2.0", id: 1, error: { code: -32000, message: `bad key ${SECRET}` } }), 200],
    [json(500, { message: SECRET }), 503],
    [json(401, { message: SECRET }), 200],
    [json(429, { message: SECRET }), 503],
    [(_request, response) => response.writeHead(302, { location: `https://elsewhere.example/?${SECRET}` }).end(), 503],
    [(_request, response) => response.destroy(), 503],
  ]) {
    node.answer = answer;
    const reply = await gateway.post("/v1/chain", call("getSlot"));
    const text = JSON.stringify([...reply.headers]) + (await reply.text());
    assert.equal(reply.status, status, text);
    assert.ok(!text.includes(SECRET), text);
    if (status === 503) assert.match(text, /"code":"chain_unavailable"/);
  }
});

const service = await startUpstream((_request, response) => json(200, landed(BUY))(_request, response));
const desks = [{ name: "alpha", approval: { overLamports: 500 } }];
const priced = await gatewayFor({
  settings: settingsOf({ upstream: service.url, desks, chain: { commitment: "processed" } }),
  bindings: { RPC_URL: `${node.url}/rpc?api-key=${SECRET}` },
});

test("an operator sees what a waiting trade would cost or bring now, of one slot, and the same price as a market's", async () => {
  node.answer = fromChain;
  const bundle = {
    mint: RABBIT,
    buys: [
      { fromWallet: ADA, amountInLamports: 900_000_000 },
      { fromWallet: BO, amountInLamports: 100_000_000 },
    ],
    feePayer: BO,
  };
  assert.equal((await priced.post("/v1/trade/buy", BUY, { intent: "one" })).status, 202);
  assert.equal((await priced.post("/v1/trade/bundle/buy", bundle, { intent: "bundle" })).status, 202);
  assert.equal((await priced.post("/v1/trade/buy", { ...BUY, mint: "M" }, { intent: "elsewhere" })).status, 202);
  const before = Date.now();
  const [told] = await reached(async () => {
    const [one, both, elsewhere] = (await priced.desk()).awaitingApproval;
    const market = new Market({
      rpc: async (body) => (await priced.post("/v1/chain", body)).text(),
      commitment: "processed",
    });
    for (const [{ price, priceProblem }, operation, request] of [
      [one, "buy", BUY],
      [both, "bundleBuy", bundle],
    ]) {
      const { slot, atMs, curve, ...quote } = await market.quote(operation, request);
      assert.equal(priceProblem, null);
      assert.deepEqual(
        { ...price, slot: 0, atMs: 0 },
        {
          ...JSON.parse(JSON.stringify(quote, (_name, value) => (typeof value === "bigint" ? `${value}` : value))),
          slot: 0,
          atMs: 0,
        },
      );
      assert.ok(
        price.slot > 0 && price.slot <= slot && price.atMs >= before && price.atMs <= atMs,
        JSON.stringify(price),
      );
      assert.ok(curve);
    }
    assert.deepEqual(
      [elsewhere.price, elsewhere.priceProblem],
      [null, "it has no price now: its mint is not an address of the chain"],
    );
  });
  const {
    method,
    params: [addresses],
  } = told;
  assert.deepEqual(
    [method, addresses.length, new Set(addresses).size],
    ["getMultipleAccounts", 12, 12],
    "one call for all that wait",
  );
  // A plan has the same, before anybody is asked.
  const planned = await (
    await priced.post("/v1/plans", { operation: "bundleBuy", request: bundle }, { as: "ada" })
  ).json();
  const { awaitingApproval } = await priced.desk();
  const { price } = awaitingApproval.find(({ operation }) => operation === "bundleBuy");
  assert.deepEqual(
    [{ ...planned.price, slot: 0, atMs: 0 }, planned.priceProblem],
    [{ ...price, slot: 0, atMs: 0 }, null],
  );
});

test("a node that does not answer says so, tells no key, and stops no approval", async () => {
  for (const [answer, why] of [
    [json(500, { message: SECRET }), "the node refused the call"],
    [json(200, { jsonrpc: "2.0", id: null, error: { code: -1, message: SECRET } }), "the node refused the call"],
    [json(200, "<html>"), "the node's reply cannot be read"],
    // It does not say whose accounts these are.
    [
      json(200, { jsonrpc: "2.0", id: "99", result: { context: { slot: 5 }, value: [] } }),
      "the node's reply cannot be read",
    ],
    [() => {}, "the node did not answer in time"],
  ]) {
    node.answer = answer;
    const [one] = (await priced.desk()).awaitingApproval;
    assert.deepEqual([one.price, one.priceProblem], [null, `it has no price now: ${why}`]);
  }
  assert.ok(!JSON.stringify(await priced.desk()).includes(SECRET));
  assert.equal((await priced.order("approve", { caller: "ada", intentId: "one" })).status, 200);
  assert.equal(service.requests.length, 1);
  node.answer = fromChain;
});

test("without a node there is none, and a bad URL serves nothing", async () => {
  const none = await gatewayFor();
  const reply = await none.post("/v1/chain", call("getSlot"));
  assert.deepEqual([reply.status, (await reply.json()).code], [404, "no_chain"]);
  assert.deepEqual(await (await none.ask("/health")).json(), { status: "ok", simulated: true });
  const bad = await gatewayFor({ bindings: { RPC_URL: `http://rpc.example/${SECRET}` } });
  assert.equal((await bad.ask("/health")).status, 503);
  assert.match(bad.log(), /the URL of the node must be a URL with https, or with http on loopback/);
  assert.ok(!bad.log().includes(SECRET));
});

test("a service on this machine may be called a sandbox, and no other", async () => {
  const local = await gatewayFor({ settings: settingsOf({ upstream: node.url, simulated: true }) });
  assert.equal((await (await local.ask("/health")).json()).simulated, true);
  assert.equal((await local.desk()).simulated, true);
  const plan = await local.post("/v1/plans", { operation: "buy", request: BUY });
  assert.deepEqual([plan.headers.get("x-simulated"), (await plan.json()).simulated], ["true", true]);
  const far = await gatewayFor({ settings: settingsOf({ upstream: "https://service.example", simulated: true }) });
  assert.equal((await far.ask("/health")).status, 503);
  assert.match(far.log(), /simulated needs an upstream with http on loopback/);
});
