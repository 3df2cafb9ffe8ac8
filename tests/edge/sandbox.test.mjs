// A gateway without a service: a sandbox is behind each desk, priced as a chain is and faulty on demand, and nothing it does looks real.

import assert from "node:assert/strict";
import test from "node:test";
import { Sandbox } from "launchpad-desk/sandbox";
import { openSandbox } from "../../edge/sandbox.js";
import { ADA, BUY, RABBIT, gatewayFor, settingsOf } from "./gateway.mjs";

const json = async (response) => response.json();

test("plans and waiting trades have the sandbox's price, and an approved trade lands at it", async () => {
  const gateway = await gatewayFor({
    settings: settingsOf({ desks: [{ name: "alpha", approval: { overLamports: 1 } }] }),
  });
  const plan = await json(await gateway.post("/v1/plans", { operation: "buy", request: BUY }));
  assert.deepEqual(
    [plan.simulated, plan.priceProblem, plan.price.legs[0].tokenAmount],
    [true, null, "34199203.120618"],
  );
  assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent: "one" })).status, 202);
  const { simulated, awaitingApproval } = await gateway.desk();
  assert.deepEqual(
    [simulated, awaitingApproval[0].priceProblem, awaitingApproval[0].price.legs[0].tokenAmount],
    [true, null, "34199203.120618"],
  );
  assert.equal((await json(await gateway.order("approve", { caller: "ada", intentId: "one" }))).outcome, "landed");
  const answer = await gateway.post("/v1/trade/buy", BUY, { intent: "one" });
  assert.deepEqual([answer.status, answer.headers.get("x-simulated")], [200, "true"]);
  const { result } = await answer.json();
  assert.deepEqual([String(result.buyAmount), result.signature.slice(0, 3)], ["34199203.120618", "SIM"]);
  const all = { mint: RABBIT, fromWallet: ADA, percentage: 100 };
  const sold = await json(await gateway.post("/v1/trade/sell-by-percentage", all));
  const { sellAmount, postTokenBalance, tokenAccountClosed } = sold.result;
  assert.deepEqual([sellAmount, postTokenBalance, tokenAccountClosed], [result.buyAmount, 0, true]);
});

test("what its faults leave unknown is in doubt, and what never reached it is not sent", async () => {
  const script = ["noAnswer", "refused", "garbled"].map((kind) => ({ kind }));
  const gateway = await gatewayFor({ settings: settingsOf({ sandbox: { faults: { script } } }) });
  const buy = async (intent) => {
    const answer = await gateway.post("/v1/trade/buy", BUY, { intent });
    return [
      answer.status,
      answer.headers.get("intent-state"),
      (await answer.json()).code,
      answer.headers.get("x-simulated"),
    ];
  };
  assert.deepEqual(await buy("lost"), [502, "in_doubt", "network_error", "true"]);
  assert.deepEqual(await buy("refused"), [403, "ended", "connect_failed", "true"]);
  assert.deepEqual(await buy("garbled"), [502, "in_doubt", "unreadable_reply", "true"]);
  assert.equal((await gateway.desk()).inDoubt.length, 2);
});

test("a sandbox that cannot be made serves nothing, and the log says why", async () => {
  const gateway = await gatewayFor({ settings: settingsOf({ sandbox: { maxTrade: 1 } }) });
  const refused = await gateway.post("/v1/trade/buy", BUY);
  assert.deepEqual(
    [refused.status, (await refused.json()).code, refused.headers.get("intent-state")],
    [503, "not_configured", "not_recorded"],
  );
  assert.match(gateway.log(), /SETTINGS: sandbox: .*maxTrade is unknown; did you mean maxTrades\?/);
});

/** The store of an object, as far as a sandbox uses it. */
function store() {
  const table = [];
  const exec = (statement, ...values) => {
    if (statement.startsWith("SELECT")) return table.map((rows) => ({ rows }));
    if (statement.startsWith("DELETE")) table.length = 0;
    else if (statement.startsWith("INSERT")) table.push(...values);
    else assert.match(statement, /^CREATE TABLE IF NOT EXISTS/);
    return [];
  };
  return { table, sql: { exec }, transactionSync: (work) => work() };
}

test("its state is kept in the order of its calls, and what is kept does not grow without end", async () => {
  const storage = store();
  const settings = { sandbox: { maxTrades: 5, maxCalls: 5, market: { alive: true, maxMarketTrades: 50 } } };
  const step = (at) => ({
    url: "https://sandbox.invalid/v1/trade/buy",
    headers: [["content-type", "application/json"]],
    body: JSON.stringify({ ...BUY, amountInLamports: 1_000_000 + at }),
    timeoutMs: 5_000,
    maxReplyBytes: 1 << 16,
  });
  const trade = async (upstream, at) =>
    JSON.parse(new TextDecoder().decode((await upstream.forward(step(at), () => true)).body)).result;
  const first = openSandbox(storage, settings);
  assert.deepEqual(await first.forward(step(0), () => false), { failure: "unsent" }, "kept back");
  let last;
  let most = 0;
  let shortened = 0;
  for (let at = 0; at < 3_500; at++) {
    const before = storage.table.length;
    last = await trade(first, at);
    if (storage.table.length < before) shortened++;
    most = Math.max(most, storage.table.length);
  }
  assert.ok(shortened > 0 && most < 3_500, `${shortened} times, ${most} rows`);
  const again = await trade(openSandbox(storage, settings), 0);
  assert.equal(again.preTokenBalance, last.postTokenBalance);
  const kept = new Sandbox(settings.sandbox);
  kept.apply(storage.table.flatMap((rows) => JSON.parse(rows)));
  assert.equal(
    String(kept.wallets.find(({ wallet }) => wallet === ADA).tokenAccounts.find(({ mint }) => mint === RABBIT).tokens),
    String(again.postTokenBalance).replace(".", ""),
  );
});
