// The drift alarm of a client: one call, one hook, one line of the log, for a trade as quoted, for one whose curve others moved, and for
// one that no rule explains.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { TradeClient } from "launchpad-desk";
import { Market, MarketError } from "launchpad-desk/market";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { post, turns } from "./node.mjs";

function world(options = { checkDrift: false }) {
  let now = 1_800_000_000_000;
  const sandbox = new Sandbox();
  sandbox.useClock(() => now);
  const chain = new LocalChain(sandbox);
  const node = { told: (text) => text, asked: [] };
  const rpc = async (body) => {
    now += 20_000;
    node.asked.push(JSON.parse(body).method);
    const reply = await post(chain, body);
    return node.told(await reply.text());
  };
  const lines = [];
  const logger = Object.fromEntries(
    ["info", "warn", "error"].map((level) => [
      level,
      (message, { causes }) => causes && lines.push([level, message, causes]),
    ]),
  );
  const heard = [];
  const hooks = { drift: (intentId, { explained }) => heard.push([intentId, explained]) };
  const client = new TradeClient({
    fetch: chain.fetch,
    market: new Market({ rpc, commitment: "processed" }),
    logger,
    logLevel: "info",
    hooks,
    ...options,
  });
  const [{ mint }] = sandbox.tokens;
  const wallets = sandbox.wallets.map(({ wallet }) => wallet);
  return { client, mint, wallets, lines, heard, node };
}

test("a trade is compared with its plan: one call, one hook, one line", async () => {
  const { client, mint, wallets, lines, heard, node } = world();
  const buy = (wallet, amountInLamports) => ({ mint, fromWallet: wallets[wallet], amountInLamports });
  const plan = await client.plan("buy", buy(0, 1_000_000_000), { intentId: "a" });
  const moved = await client.plan("buy", buy(1, 500_000_000), { intentId: "b" });
  const trades = [await client.send(plan), await client.send(moved)];
  const [first, second] = trades.map(({ result }) => result.signature);
  const own = await client.drift(JSON.parse(JSON.stringify(plan)), first);
  assert.deepEqual(
    [own.causes, own.explained, own.signature, own.wallets[0].tokens],
    [[], true, first, 34_199_203_120_618n],
  );
  const others = await client.drift(moved, second);
  assert.deepEqual([others.causes, others.explained], [["curve"], true]);

  // The first trade's signature, as a reply from a cache has it for the second.
  const shared = await client.drift(moved, first);
  assert.deepEqual([shared.causes.at(-1), shared.explained, shared.signature], ["other_trade", false, first]);
  for (const told of [heard, lines]) told.pop();

  // A node that says the wallet paid a hundred lamports more than the quote's rules take.
  node.told = (text) => {
    const reply = JSON.parse(text);
    reply.result.meta.postBalances[0] -= 100;
    return JSON.stringify(reply);
  };
  const paid = await client.drift(plan, first);
  assert.deepEqual(
    [paid.causes, paid.explained, paid.wallets[0].unexplainedLamports],
    [["unexplained", "over_amount"], false, -100n],
  );
  assert.deepEqual(heard, [
    ["a", true],
    ["b", true],
    ["a", false],
  ]);
  assert.deepEqual(lines, [
    ["info", "as quoted", []],
    ["info", "not as quoted, for known reasons", ["curve"]],
    ["error", "not as quoted, and no known rule explains it", ["unexplained", "over_amount"]],
  ]);
});

test("each landed trade that was quoted is compared by itself, after it is over and with few requests", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const at = world({ maxImpactBps: 9_999 });
    const compares = () => at.node.asked.filter((method) => method === "getTransaction").length;
    const buy = (wallet) => ({ mint: at.mint, fromWallet: at.wallets[wallet], amountInLamports: 1_000_000_000 });
    const plan = await at.client.plan("buy", buy(0), { intentId: "planned" });
    assert.equal((await at.client.send(plan)).status, "landed");
    assert.equal((await at.client.buy(buy(1), { intentId: "limited" })).status, "landed");
    // A sell needs no quote, so there is nothing to compare.
    const sell = { mint: at.mint, fromWallet: at.wallets[0], percentage: 50 };
    assert.equal((await at.client.sellByPercentage(sell, { intentId: "sold" })).status, "landed");
    await turns();
    assert.deepEqual([at.heard, compares()], [[], 0], "their results waited for nothing");
    mock.timers.tick(2_000);
    await turns();
    assert.deepEqual(Object.fromEntries(at.heard), { planned: true, limited: true });
    assert.deepEqual([at.heard.length, at.lines.length, compares()], [2, 2, 2]);
    // A node that never has the transaction is asked four times.
    const late = await at.client.plan("buy", { ...buy(2), amountInLamports: 1_000_000 });
    at.node.told = (text) => JSON.stringify({ ...JSON.parse(text), result: null });
    assert.equal((await at.client.send(late)).status, "landed");
    at.node.asked.length = 0;
    for (let seconds = 0; seconds < 60; seconds += 2) {
      mock.timers.tick(2_000);
      await turns();
    }
    assert.deepEqual([at.heard.length, at.lines.length, compares()], [2, 2, 4]);
    // Who hears of nothing is spared the requests.
    const deaf = world({ hooks: undefined, logger: undefined });
    await deaf.client.send(
      await deaf.client.plan("buy", { mint: deaf.mint, fromWallet: deaf.wallets[0], amountInLamports: 1_000_000 }),
    );
    mock.timers.tick(2_000);
    await turns();
    assert.ok(!deaf.node.asked.includes("getTransaction"));
    assert.throws(() => world({ checkDrift: true, market: undefined }), { code: "invalid_options" });
  } finally {
    mock.timers.reset();
  }
});

test("a transaction that the node does not show yet is waited for, within a time and until an abort", async () => {
  const { client, mint, wallets, node } = world();
  const plan = await client.plan("buy", { mint, fromWallet: wallets[0], amountInLamports: 1_000_000_000 });
  const { signature } = (await client.send(plan)).result;
  let hidden = 2;
  node.told = (text) => (hidden-- > 0 ? JSON.stringify({ ...JSON.parse(text), result: null }) : text);
  await assert.rejects(client.drift(plan, signature), { code: "no_transaction" });
  assert.deepEqual((await client.drift(plan, signature, { withinMs: 40_000 })).causes, []);
  hidden = Infinity;
  const stop = new AbortController();
  const waiting = client.drift(plan, signature, { withinMs: 3_600_000, signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await assert.rejects(waiting, { code: "no_transaction" });
});

test("what cannot be compared says so", async () => {
  const { client, mint, wallets } = world();
  const request = { mint, fromWallet: wallets[0], amountInLamports: 1_000_000_000 };
  const plan = await client.plan("buy", request);
  const missing = await client.drift(plan, "5".repeat(64)).catch((error) => error);
  assert.ok(missing instanceof MarketError);
  assert.equal(missing.code, "no_transaction");
  const { result } = await client.send(plan);
  const unpriced = await client.drift({ ...plan, price: { legs: [] } }, result.signature).catch((error) => error);
  assert.deepEqual(
    [unpriced.code, unpriced.fields.map(({ field }) => field)],
    ["invalid_options", ["curve", "slot", "wallets", "networkFeeLamports"]],
  );
  await assert.rejects(new TradeClient({ baseURL: "https://service.example" }).drift(plan, "s"), TypeError);
});
