// A gateway that serves a sandbox shows its market, too: to a caller with a token, and by the same reader as a served sandbox.

import assert from "node:assert/strict";
import test from "node:test";
import { Sandbox, SandboxMarket } from "launchpad-desk/sandbox";
import { ADA, BUY, RABBIT, gatewayFor, settingsOf, tokenOf } from "./gateway.mjs";

const gateway = await gatewayFor();
const fetchAs =
  (name) =>
  (url, { headers, ...init }) =>
    fetch(url, { ...init, headers: { ...headers, authorization: `Bearer ${tokenOf(name)}` } });
const market = new SandboxMarket({ baseURL: gateway.url, fetch: fetchAs("ada") });

test("tokens, wallets, looks and trades are what the sandbox's own market shows", async () => {
  const own = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: new Sandbox().fetch });
  assert.deepEqual((await market.tokens()).tokens, (await own.tokens()).tokens);
  assert.deepEqual((await market.wallets()).wallets, (await own.wallets()).wallets);
  assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent: "first" })).status, 200);
  const { trades } = await market.trades({ mint: RABBIT });
  assert.deepEqual([trades.length, trades[0].mint], [1, RABBIT]);
  const { wallets, curve } = await market.look(RABBIT, [ADA]);
  assert.ok(wallets[0].holding.tokens > 0n && wallets[0].lamports < 100_000_000_000n && curve.spotPrice);
  await assert.rejects(market.look("M"), { message: "the market has no such token" });
});

test("a watcher sees each trade, over a stream that goes on", async () => {
  const signal = AbortSignal.timeout(60_000);
  const seen = [];
  for await (const look of market.watch(RABBIT, { wallets: [ADA], signal })) {
    assert.ok(!(look instanceof Error), look.message);
    const { tokens } = look.wallets[0].holding;
    if (tokens === seen.at(-1)) continue;
    seen.push(tokens);
    if (seen.length === 3) break;
    assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent: `watched-${seen.length}` })).status, 200);
  }
  assert.ok(seen.length === 3 && seen[0] < seen[1] && seen[1] < seen[2], `${seen}`);
});

test("it takes a trader's token, only reads, and a gateway in front of a service has none", async () => {
  assert.equal((await gateway.ask("/_market/tokens")).status, 401);
  assert.equal((await gateway.ask("/_market/tokens", { as: "olga" })).status, 403);
  assert.equal((await gateway.post("/_market/tokens", {})).status, 405);
  assert.equal((await gateway.ask("/_market/nothing", { as: "ada" })).status, 404);
  assert.equal((await gateway.ask("/_market/tokens?limit=0", { as: "ada" })).status, 400);
  const reply = await gateway.ask("/_market/tokens", { as: "ada" });
  assert.deepEqual(
    ["x-simulated", "content-type", "cache-control"].map((name) => reply.headers.get(name)),
    ["true", "application/json", "no-store"],
  );
  const live = await gatewayFor({ settings: settingsOf({ upstream: "https://service.example" }) });
  assert.equal((await live.ask("/_market/tokens", { as: "ada" })).status, 404);
});
