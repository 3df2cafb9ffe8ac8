// `client.positionOf` makes of a buy the position that it opened, to the lamport, after a restart too; where something is missing for that,
// it says what. The cases are those of `tests/rust/client/position.rs`.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { PositionError, TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Exits, Market } from "launchpad-desk/market";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { NEVER, boughtBy, rpcOf, turns, whats } from "./node.mjs";
import { TOKEN_ACCOUNT_RENT, VOLUME_ACCOUNT_RENT } from "../rents.mjs";

const SOL = 1_000_000_000n;

/** A service around a sandbox, the chain around that, and a client of both; `stepMs` pass with each call of the node. */
function world({ journal = memoryJournal(), stepMs = 2_000, ...options } = {}) {
  let now = Date.now();
  const sandbox = new Sandbox();
  sandbox.useClock(() => now);
  const chain = new LocalChain(sandbox);
  const rpc = rpcOf(chain, () => (now += stepMs));
  const service = { fate: "answered" };
  const fetch = async (url, init) => {
    const { mint, fromWallet: wallet } = JSON.parse(init.body);
    const named = { invented: NEVER, copied: sandbox.trades[0]?.signature }[service.fate];
    if (named) return Response.json(boughtBy(mint, wallet, named));
    if (service.fate === "request lost") throw new TypeError("lost");
    const reply = await chain.fetch(url, init);
    if (service.fate === "reply lost") throw new TypeError("lost");
    if (service.fate !== "lied") return reply;
    return Response.json(boughtBy(mint, wallet, sandbox.trades.at(-1).signature));
  };
  const market = new Market({ rpc, commitment: "processed", walletsShared: false, serviceHoldsMs: 10_000 });
  const opened = (kept = journal) =>
    new TradeClient({
      baseURL: "https://service.example",
      fetch,
      market,
      journal: kept,
      breaker: { unknowns: 99 },
      ...options,
    });
  const [{ mint }] = sandbox.tokens;
  const wallets = sandbox.wallets.map(({ wallet }) => wallet);
  return { sandbox, client: opened(), opened, service, mint, wallets, wait: (ms) => (now += ms) };
}

const missingOf = (client, id, options = { withinMs: 0 }) =>
  client.positionOf(id, options).then(
    (position) => assert.fail(`a position: ${position.tokens}`),
    (error) => {
      assert.ok(error instanceof PositionError, String(error));
      assert.deepEqual([error.name, error.intentId], ["PositionError", id]);
      return error.code;
    },
  );

test("a buy is a position to the lamport by its transaction", async () => {
  const { sandbox, client, mint, wallets } = world();
  const bought = async (id, request) => {
    const before = sandbox.wallets[0].lamports;
    await client.buy({ mint, fromWallet: wallets[0], amountInLamports: SOL, ...request }, { intentId: id });
    const position = await client.positionOf(id);
    assert.equal(position.costLamports + position.rentLockedLamports, before - sandbox.wallets[0].lamports, id);
    assert.deepEqual(
      [position.id, position.mint, position.wallet, position.tokens],
      [id, mint, wallets[0], sandbox.trades.at(-1).legs[0].tokens],
    );
    return position;
  };
  const first = await bought("first", {});
  assert.deepEqual(
    [first.costLamports, first.rentLockedLamports, first.feePayer],
    [1_000_005_000n, TOKEN_ACCOUNT_RENT, null],
  );
  assert.ok(Math.abs(first.openedAtMs - Date.now()) < 60_000);
  const again = await bought("again", { priorityUnitLimit: 200_000, priorityUnitPrice: 1_000_000 });
  assert.deepEqual([again.costLamports, again.rentLockedLamports], [1_000_205_000n, 0n]);
  const paid = await bought("paid", { feePayer: wallets[1] });
  assert.deepEqual([paid.costLamports, paid.feePayer], [SOL, wallets[1]]);

  const buys = [1, 2, 1].map((at) => ({ fromWallet: wallets[at], amountInLamports: SOL / 10n }));
  await client.bundleBuy({ mint, feePayer: wallets[2], buys }, { intentId: "bundle" });
  assert.deepEqual(
    [await missingOf(client, "bundle"), await missingOf(client, "bundle", { wallet: wallets[0] })],
    ["several_wallets", "other_wallet"],
  );
  const second = await client.positionOf("bundle", { wallet: wallets[1] });
  const { legs } = sandbox.trades.at(-1);
  assert.deepEqual(
    [second.id, second.tokens, second.costLamports, second.feePayer],
    [`bundle/${wallets[1]}`, legs[0].tokens + legs[2].tokens, SOL / 5n, wallets[2]],
  );
});

test("a buy whose answer was lost is a position after a restart, which `manage` takes", async () => {
  const at = world({ stepMs: 1 });
  at.service.fate = "reply lost";
  await assert.rejects(
    at.client.buy({ mint: at.mint, fromWallet: at.wallets[0], amountInLamports: SOL }, { intentId: "signal-1" }),
    { outcome: "unknown" },
  );
  const restarted = at.opened();
  assert.equal(await missingOf(restarted, "signal-1"), "in_doubt");
  at.wait(60_000);
  const position = await restarted.positionOf("signal-1");
  assert.deepEqual([position.costLamports, position.rentLockedLamports], [1_000_005_000n, TOKEN_ACCOUNT_RENT]);
  assert.deepEqual(await at.opened().positionOf("signal-1"), position);
  at.service.fate = "answered";
  const managed = restarted.manage(position, new Exits({ stopLoss: "0.99x", slippage: { percent: 5 } }), at.sandbox);
  assert.deepEqual(whats(await managed.tick()), ["ordered", "landed", "over"]);
});

test("what is missing is named, and nothing is guessed", async () => {
  const { client, opened, service, mint, wallets, sandbox, wait } = world();
  const buy = { mint, fromWallet: wallets[0], amountInLamports: SOL };
  const as = async (fate, id, request = buy) => {
    service.fate = fate;
    const ended = await client.buy(request, { intentId: id }).catch(({ outcome }) => outcome);
    service.fate = "answered";
    return ended;
  };
  assert.equal(await missingOf(client, "nobody"), "not_recorded");
  await client.buy(buy, { intentId: "bought" });
  await client.sellByPercentage({ mint, fromWallet: wallets[0], percentage: 50 }, { intentId: "sold" });
  assert.equal(await missingOf(client, "sold"), "not_a_buy");
  await as("invented", "invented");
  assert.equal(await missingOf(client, "invented"), "not_shown");
  await as("lied", "lied", { ...buy, amountInLamports: 900n * SOL });
  assert.equal(await missingOf(client, "lied"), "did_not_land");
  assert.equal(await as("request lost", "lost"), "unknown");
  assert.equal(await missingOf(client, "lost"), "in_doubt");
  await client.acknowledge("lost", "landed");
  assert.equal(await missingOf(client, "lost"), "no_signature");
  await as("request lost", "never");
  await client.acknowledge("never", "did_not_land");
  assert.equal(await missingOf(client, "never"), "did_not_land");
  const long = "x".repeat(101);
  await client.buy(buy, { intentId: long });
  assert.equal(await missingOf(client, long), "id_too_long");
  // A transaction from before the trade is not its own: a client that knows whose it is doubts the answer, another one the transaction.
  assert.equal(await as("copied", "copied"), "unknown");
  assert.equal(await missingOf(client, "copied"), "in_doubt");
  assert.equal((await client.positionOf("bought")).costLamports, 1_000_005_000n);
  wait(60_000);
  const stranger = opened(memoryJournal());
  service.fate = "copied";
  await stranger.buy(buy, { intentId: "stranger" });
  assert.equal(await missingOf(stranger, "stranger"), "other_transaction");

  const blind = new TradeClient({ fetch: sandbox.fetch });
  await blind.buy(buy, { intentId: "blind" });
  await assert.rejects(blind.positionOf("blind"), {
    code: "no_market",
    message:
      "the position of blind is not known: The client has no market that shows transactions: what the trade cost is in no reply.",
  });
  const accounts = new TradeClient({
    fetch: sandbox.fetch,
    market: new Market({ accounts: async () => assert.fail("asked") }),
    hooks: { beforeSend: () => {} },
  });
  await assert.rejects(accounts.positionOf("blind"), { code: "not_recorded" });
});

const NOT_SHOWN = { missing: "not_shown", message: "it is not shown", mayPass: true };
/** A sandbox as a market, but for what it says of what was bought. */
const boughtAs = (sandbox, bought) => ({
  ...Object.fromEntries(
    ["quoteBody", "before", "settleTrade", "confirm"].map((name) => [name, (...given) => sandbox[name](...given)]),
  ),
  bought,
});

test("a transaction that the node shows only later is waited for", async () => {
  const { sandbox, client, mint, wallets } = world();
  const shown = { asked: 0 };
  const market = boughtAs(sandbox, async (trade) => (shown.asked++ < 1 ? NOT_SHOWN : sandbox.bought(trade)));
  const late = new TradeClient({ fetch: sandbox.fetch, market });
  await late.buy({ mint, fromWallet: wallets[0], amountInLamports: SOL }, { intentId: "late" });
  assert.equal((await late.positionOf("late")).costLamports, 1_000_005_000n);
  assert.equal(shown.asked, 2);
  shown.asked = -1_000;
  await assert.rejects(late.positionOf("late", { signal: AbortSignal.abort() }), { code: "not_shown" });
  assert.equal(client.hasMarket, true);
});

test("an abort ends the wait at once: between two questions, and while one has no answer", async () => {
  const sandbox = new Sandbox();
  const asked = [];
  const market = boughtAs(sandbox, () => new Promise((answer) => asked.push(() => answer(NOT_SHOWN))));
  const client = new TradeClient({ fetch: sandbox.fetch, market });
  await client.buy(
    { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: SOL },
    { intentId: "a" },
  );
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    for (const questions of [1, 2]) {
      asked.length = 0;
      const stop = new AbortController();
      const ended = client.positionOf("a", { withinMs: 1e9, signal: stop.signal }).catch(({ code }) => code);
      await turns();
      asked[0]();
      await turns();
      if (questions === 2) mock.timers.tick(500);
      await turns();
      stop.abort();
      await turns();
      assert.deepEqual([await Promise.race([ended, "it waits"]), asked.length], ["not_shown", questions]);
    }
  } finally {
    mock.timers.reset();
  }
});

test("a sandbox as the market says the same, without a time: its market has one of its own", async () => {
  const sandbox = new Sandbox({ wallets: [{ wallet: "W", lamports: 9n * SOL, opensVolumeAccount: true }] });
  const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
  const [{ mint }] = sandbox.tokens;
  for (const [id, costLamports, rentLockedLamports] of [
    ["a", 1_000_005_000n + VOLUME_ACCOUNT_RENT, TOKEN_ACCOUNT_RENT],
    ["b", 1_000_005_000n, 0n],
  ]) {
    await client.buy({ mint, fromWallet: "W", amountInLamports: SOL }, { intentId: id });
    const { tokens } = sandbox.trades.at(-1).legs[0];
    assert.deepEqual(await client.positionOf(id), {
      id,
      mint,
      wallet: "W",
      tokens,
      costLamports,
      rentLockedLamports,
      openedAtMs: null,
      feePayer: null,
    });
  }
});

/** What the events of a position that is sold in two parts say; a sandbox that shows each sell only after it was asked `late` times. */
async function soldWith(late) {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
  const [{ mint }] = sandbox.tokens;
  const [{ wallet, lamports }] = sandbox.wallets;
  await client.buy({ mint, fromWallet: wallet, amountInLamports: SOL }, { intentId: "signal-1" });
  const position = await client.positionOf("signal-1");
  let asked = 0;
  const market = {
    look: (...of) => sandbox.look(...of),
    moved: async (trade) => (asked++ < late ? null : sandbox.moved(trade)),
  };
  const managed = client.manage(
    position,
    new Exits({ takeProfit: [{ at: "0.5x", sell: "40%" }], slippage: { percent: 5 } }),
    market,
    { everyMs: 1 },
  );
  const events = [];
  for await (const { what, soldTokens, receivedLamports } of managed) {
    if (what !== "ordered") events.push({ what, soldTokens, receivedLamports });
    if (what === "landed" && events.length === 1) await managed.closeNow();
  }
  return { events, position, gained: sandbox.wallets[0].lamports - lamports };
}

test("exits say what they have received, so that profit is one subtraction", async () => {
  const { events, position, gained } = await soldWith(0);
  assert.deepEqual(whats(events), ["landed", "landed", "over"]);
  const [part, rest, over] = events;
  assert.deepEqual([part.soldTokens + rest.soldTokens, over.soldTokens], [position.tokens, position.tokens]);
  assert.equal(over.receivedLamports, part.receivedLamports + rest.receivedLamports);
  assert.equal(over.receivedLamports - position.costLamports, gained, "the rent came back");

  // What the market shows only later is told then, and that it is over last.
  const late = await soldWith(2);
  assert.deepEqual(
    [late.events[0].soldTokens, late.events[0].receivedLamports],
    [part.soldTokens, null],
    "the reply has the tokens",
  );
  assert.deepEqual([late.events.at(-1), late.gained], [over, gained]);
  assert.ok(
    late.events.some(({ what, receivedLamports }) => what === "received" && receivedLamports === part.receivedLamports),
  );
});

test("no look waits for what an earlier sell has brought", { timeout: 20_000 }, async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
  const [{ mint }] = sandbox.tokens;
  await client.buy({ mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: SOL }, { intentId: "signal-1" });
  const unanswered = [];
  const market = {
    look: (...of) => sandbox.look(...of),
    moved: () => new Promise((answer) => unanswered.push(answer)),
  };
  const plan = new Exits({ takeProfit: [{ at: "0.5x", sell: "40%" }], slippage: { percent: 5 } });
  const managed = client.manage(await client.positionOf("signal-1"), plan, market, { timeoutMs: 2 ** 31 - 1 });
  assert.deepEqual(whats(await managed.tick()), ["ordered", "landed"]);
  assert.equal(unanswered.length, 1);
  managed.exits.closeNow();
  const last = managed.tick();
  // Now nothing is left to protect, and the last sell is waited for.
  while (unanswered.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(sandbox.wallets[0].tokenAccounts.length, 0);
  for (const answer of unanswered) answer(null);
  assert.deepEqual(whats(await last), ["ordered", "landed"]);
  assert.equal(managed.isOver, false);
});
