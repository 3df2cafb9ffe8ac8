// The gateway settles by the chain what it is in doubt about: a service whose answer was lost, and a worker that was killed in mid-flight.

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { verifyAuditLog } from "launchpad-desk/gateway";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { BUY, JSON_TYPE, folder, gatewayFor, openGateway, settingsOf, tokenOf } from "./gateway.mjs";
import { startUpstream } from "./upstream.mjs";

const SECRET = "kf83-secret-of-the-node";
const sandbox = new Sandbox();
// The chain's clock: it can be moved on, so that a block is final before the test has waited for it.
let ahead = 0;
sandbox.useClock(() => Date.now() + ahead);
const chain = new LocalChain(sandbox);
ahead = 60_000;

/** What a service does after it has traded. */
let fate = "lost";
let held = () => {};
const service = await startUpstream(async ({ url, body }, response) => {
  await sandbox.fetch(`https://sandbox.example${url}`, { method: "POST", headers: JSON_TYPE, body });
  if (fate === "lost") response.destroy();
  else held();
});
const node = await startUpstream(async ({ body }, response) => {
  const reply = await chain.fetch("https://node.example/rpc", { method: "POST", headers: JSON_TYPE, body });
  response.writeHead(reply.status, JSON_TYPE).end(await reply.text());
});
const settings = settingsOf({
  upstream: service.url,
  timeoutMs: 5_000,
  chain: { walletsShared: false, serviceHoldsMs: 10_000 },
});
const bindings = { RPC_URL: `${node.url}/rpc?api-key=${SECRET}` };

async function ended(gateway, intent) {
  for (;;) {
    const told = await (await gateway.ask(`/v1/intents/${intent}`, { as: "ada" })).json();
    if (told.state === "ended") return told;
    assert.equal(told.state, "in_doubt");
    await sleep(200);
  }
}

test("an answer that was lost is found on the chain, with what moved, for the caller, the operator and the log", async () => {
  const gateway = await gatewayFor({ settings, bindings });
  const lost = await gateway.post("/v1/trade/buy", BUY, { intent: "lost" });
  assert.deepEqual([lost.status, lost.headers.get("intent-state")], [502, "in_doubt"]);
  const [waiting] = (await gateway.desk()).inDoubt;
  assert.deepEqual([waiting.intentId, waiting.proven], ["lost", false]);
  ahead += 20_000;
  const { outcome, proven } = await ended(gateway, "lost");
  assert.deepEqual([outcome, proven], ["landed", true]);
  const [{ signature, legs }] = sandbox.trades;

  const client = new TradeClient({ baseURL: gateway.url, apiKey: tokenOf("ada"), gateway: true });
  const trade = await client.waitFor("lost");
  assert.deepEqual(
    [trade.status, trade.result.signature, trade.exact.buyAmount],
    ["landed", signature, `${Number(legs[0].tokens) / 1e6}`],
  );
  assert.equal(
    trade.result.transactionResult.results.message,
    "its outcome was unknown, and the chain proves that it landed",
  );
  assert.equal(service.requests.length, 1);
  const desk = await gateway.desk();
  assert.deepEqual([desk.inDoubt, desk.recent[0].outcome, desk.recent[0].proven], [[], "landed", true]);
  assert.equal(
    desk.spent.find(({ caller, wallet }) => caller === null && wallet === null).lamports,
    BUY.amountInLamports + 5_000 + 2_860_040,
    "it counts on, with its signature and the rent of the accounts that it may open",
  );

  const log = await (await gateway.ask("/desk/audit", { as: "olga" })).text();
  assert.ok(!log.includes(SECRET));
  const lines = log.trim().split("\n");
  const [{ act, by, intent, data }, settled] = lines.slice(-2).map((line) => JSON.parse(line));
  assert.deepEqual(
    [act, by, intent, data.outcome, data.signature],
    ["evidence", "gateway", "ada/lost", "landed", signature],
  );
  assert.deepEqual(
    [settled.act, settled.intent, settled.data.outcome, settled.data.proven],
    ["settle", "ada/lost", "landed", true],
  );
  assert.equal((await verifyAuditLog(lines)).whole, true);
});

test("a worker that is killed in mid-flight settles it when it is there again", async () => {
  fate = "held";
  const persist = await folder();
  const first = await openGateway({ settings, bindings, persist });
  const isHeld = new Promise((resolve) => (held = resolve));
  const asked = first.post("/v1/trade/buy", BUY, { intent: "killed" }).catch(() => {});
  await isHeld;
  await first.kill();
  await asked;
  ahead += 20_000;
  const second = await gatewayFor({ settings, bindings, persist });
  const { outcome, proven, answer } = await ended(second, "killed");
  assert.deepEqual([outcome, proven, answer.status], ["landed", true, 200]);
  assert.equal(JSON.parse(answer.body).result.signature, sandbox.trades.at(-1).signature);
});
