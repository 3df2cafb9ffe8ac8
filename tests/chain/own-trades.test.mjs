// What was looked at before an own trade decides nothing after it: looks and quotes wait for a node that lags, or say that they are not known yet.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Exits, Market, lookWith, quoteAt } from "launchpad-desk/market";
import { DeskRecord } from "launchpad-desk/record";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { NEVER, rpcOf, serviceOf, turns, whats } from "./node.mjs";

mock.timers.enable({ apis: ["Date", "setTimeout"], now: 1_800_000_000_000 });

/** A service that trades in a sandbox, and a market of a node that is so many slots behind. */
async function world(lagSlots, options) {
  const sandbox = new Sandbox();
  sandbox.useClock(() => Date.now());
  const chain = new LocalChain(sandbox, { lagSlots });
  mock.timers.setTime(Date.now() + 60_000);
  const [{ mint }] = sandbox.tokens;
  const [{ wallet }] = sandbox.wallets;
  const state = { isLost: false, asked: 0 };
  const fetch = async (url, init) => {
    const reply = await serviceOf(sandbox)(url, init);
    if (state.isLost) throw new Error("the connection was lost");
    return reply;
  };
  const rpc = rpcOf(chain, () => state.asked++);
  const market = new Market({ rpc, maxAgeMs: 60_000, ...options });
  const client = new TradeClient({ baseURL: "https://service.example", fetch, market, checkDrift: false });
  const buy = (amountInLamports) => client.buy({ mint, fromWallet: wallet, amountInLamports });
  await buy(500_000_000);
  // The first one is shown.
  mock.timers.setTime(Date.now() + 60_000);
  await passing(market.look(mint, [wallet]));
  const held = () => sandbox.wallets[0].tokenAccounts[0].tokens;
  return { sandbox, market, client, mint, wallet, buy, held, state };
}

/** What comes of the work, while time passes. */
async function passing(work) {
  let end;
  work.then(
    (value) => (end = { value }),
    (error) => (end = { error }),
  );
  for (let step = 0; step < 2_000 && !end; step++) {
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    if (!end) mock.timers.tick(100);
  }
  if (!end) throw new Error("it never ended");
  if (end.error) throw end.error;
  return end.value;
}

for (const [name, lagSlots] of Object.entries({ "18 slots": 18, "3 s": 8 })) {
  test(`a node ${name} behind: looks, quotes and plans after an own trade show it`, async () => {
    const at = await world(lagSlots);
    const { market, client, mint, wallet } = at;
    const before = at.held();
    assert.equal((await passing(market.look(mint, [wallet]))).wallets[0].holding.tokens, before);
    await at.buy(9_000_000_000);
    assert.ok(at.held() > before);
    const look = await passing(market.look(mint, [wallet]));
    assert.equal(look.wallets[0].holding.tokens, at.held());
    await at.buy(1_000_000_000);
    const quote = await passing(market.quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }));
    assert.equal(quote.legs[0].tokens, at.held());
    await at.buy(1_000_000_000);
    const plan = await passing(client.plan("sellByPercentage", { mint, fromWallet: wallet, percentage: 50 }));
    assert.equal(BigInt(plan.price.legs[0].tokens), at.held() / 2n);
    // A look that the caller has kept is from before.
    await at.buy(1_000_000_000);
    await assert.rejects(market.quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }, look), {
      code: "not_shown",
      message: `the node does not show your last trade yet: what it says, of slot ${look.slot}, is from before that trade`,
    });
    const count = at.state.asked;
    await passing(market.look(mint, [wallet]));
    await passing(market.look(mint, [wallet]));
    assert.ok(at.state.asked > count);
  });
}

/** What comes of the work while no time passes. */
async function atOnce(work) {
  const waits = Symbol();
  const end = await Promise.race([work, turns().then(() => waits)]);
  assert.notEqual(end, waits, "it waits");
  return end;
}

for (const isRecorded of [false, true]) {
  test(`decimals never change: a first sell in base units waits for no own trade${isRecorded ? ", recorded too" : ""}`, async () => {
    const at = await world(50);
    const { market, mint, wallet, sandbox } = at;
    const options = { baseURL: "https://service.example", fetch: serviceOf(sandbox), market, checkDrift: false };
    const record = new DeskRecord({ head: async () => "", append: async () => {} });
    const clientOf = () =>
      new TradeClient(isRecorded ? record.around({ ...options, journal: memoryJournal() }) : options);
    const amountInToken = { baseUnits: 5_000n };
    for (const [operation, request] of [
      ["sell", { mint, fromWallet: wallet, amountInToken }],
      ["bundleSell", { mint, feePayer: wallet, sells: [{ fromWallet: wallet, amountInToken }] }],
    ]) {
      await at.buy(9_000_000_000);
      assert.equal((await atOnce(clientOf()[operation](request))).status, "landed");
    }
    // What decides on prices waits.
    await assert.rejects(passing(market.quote("sell", { mint, fromWallet: wallet, amountInToken })), {
      code: "not_shown",
    });
  });
}

test("a node that answers for an older slot than before says the decimals all the same, and by a market of accounts they are known, too", async () => {
  const at = await world(0);
  const { mint, wallet, sandbox } = at;
  const behind = new LocalChain(sandbox, { jumpBackEvery: 2, jumpBackSlots: 9 });
  mock.timers.setTime(Date.now() + 60_000);
  const asked = rpcOf(behind);
  const market = new Market({ rpc: asked, maxAgeMs: 60_000 });
  const codes = [];
  for (let time = 0; time < 4; time++) {
    codes.push((await market.look(mint).catch((error) => error)).code);
    assert.equal(await market.decimalsOf(mint), 6);
    await asked("{}");
  }
  assert.ok(codes.includes("went_back"), `${codes}`);
  const accounts = async (addresses) => {
    const params = [addresses, { encoding: "base64" }];
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getMultipleAccounts", params });
    return JSON.parse(await asked(body)).result;
  };
  assert.equal(await new Market({ accounts }).decimalsOf(mint), 6);
  await assert.rejects(market.decimalsOf(wallet), { code: "missing" });
});

test("a node that is further behind than anybody waits: not known yet, by a code", async () => {
  const at = await world(50);
  await at.buy(9_000_000_000);
  await assert.rejects(passing(at.market.look(at.mint, [at.wallet])), { code: "not_shown" });
  mock.timers.setTime(Date.now() + 30_000);
  const look = await passing(at.market.look(at.mint, [at.wallet]));
  assert.equal(look.wallets[0].holding.tokens, at.held());
});

test("after a trade of unknown outcome, too", async () => {
  const at = await world(18);
  at.state.isLost = true;
  await assert.rejects(at.buy(9_000_000_000), { outcome: "unknown" });
  const end = await passing(at.market.look(at.mint, [at.wallet])).catch((error) => error);
  if (end.code !== undefined) assert.equal(end.code, "not_shown");
  else assert.equal(end.wallets[0].holding.tokens, at.held());
  mock.timers.setTime(Date.now() + 13_000);
  assert.equal((await passing(at.market.look(at.mint, [at.wallet]))).wallets[0].holding.tokens, at.held());
});

test("of two looks in flight the older one decides nothing after the trade that the newer one has shown", async () => {
  const at = await world(0);
  const { mint, wallet, sandbox } = at;
  const chain = new LocalChain(sandbox);
  mock.timers.setTime(Date.now() + 60_000);
  let [release, isFirst] = [undefined, true];
  const market = new Market({
    maxAgeMs: 60_000,
    rpc: async (body) => {
      const reply = await rpcOf(chain)(body);
      const holds = isFirst;
      isFirst = false;
      if (holds) await new Promise((resolve) => (release = resolve));
      return reply;
    },
  });
  const older = market.look(mint, [wallet]);
  await turns(20);
  const options = { baseURL: "https://service.example", fetch: serviceOf(sandbox), market, checkDrift: false };
  await new TradeClient(options).buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 });
  mock.timers.setTime(Date.now() + 2_000);
  assert.equal((await passing(market.look(mint, [wallet]))).wallets[0].holding.tokens, at.held());
  release();
  assert.equal((await passing(older)).wallets[0].holding.tokens, at.held());
});

test("a trade that nobody ever sees is not waited for without end, and other tokens are not concerned", async () => {
  const at = await world(0);
  const [, other] = at.sandbox.tokens;
  at.market.traded({ body: JSON.stringify({ mint: at.mint, fromWallet: at.wallet }) }, NEVER);
  await assert.rejects(passing(at.market.look(at.mint)), { code: "not_shown" });
  if (other) await at.market.look(other.mint);
  mock.timers.setTime(Date.now() + 31_000);
  await passing(at.market.look(at.mint));
});

test("exits of 9.5 SOL, a node 18 slots behind: no rule sells on a look from before the buy, and closing waits for none", async () => {
  const at = await world(18);
  const { market, client, mint, wallet } = at;
  await at.buy(9_000_000_000);
  const position = { id: "signal-1", mint, wallet, tokens: at.held(), costLamports: 9_500_010_000n };
  const managed = client.manage(position, new Exits({ stopLoss: "0.95x" }), market);
  const events = await passing(managed.tick());
  assert.deepEqual(events, []);
  assert.equal(managed.exits.state.shown, at.held());
  assert.match(managed.exits.state.best, /^0\.97/);

  const behind = await world(50);
  await behind.buy(9_000_000_000);
  const own = { id: "signal-2", mint: behind.mint, wallet: behind.wallet, tokens: behind.held(), costLamports: 1n };
  const closed = behind.client.manage(own, new Exits({ stopLoss: "0.7x" }), behind.market);
  assert.deepEqual(whats(await passing(closed.tick())), ["no_look"]);
  const begun = Date.now();
  // It is pressed while a look is waited for.
  const ticked = closed.tick();
  await new Promise(setImmediate);
  await closed.closeNow();
  assert.deepEqual(whats(await passing(ticked)), ["no_look", "ordered", "landed"]);
  assert.ok(Date.now() - begun < 2_000, `${Date.now() - begun} ms`);
  assert.deepEqual(behind.sandbox.wallets[0].tokenAccounts, []);
});

test("a look with an own trade is what the node shows later, and says nothing where the reply does not tell", async () => {
  const at = await world(18);
  const { market, client, mint, wallet } = at;
  const before = await passing(market.look(mint, [wallet]));
  const shown = async (operation, request) => {
    const known = await passing(market.look(mint, [wallet]));
    const plan = await passing(client.plan(operation, request));
    const trade = await client.send(plan);
    const now = lookWith(known, plan, trade);
    const later = await passing(market.look(mint, [wallet]));
    assert.deepEqual(now.curve, later.curve);
    assert.deepEqual(now.chain.reserves, later.chain.reserves);
    assert.deepEqual(now.sandbox.wallets[0].holdings, later.sandbox.wallets[0].holdings);
    assert.equal(now.wallets[0].holding?.tokens, later.wallets[0].holding?.tokens);
    // The look that shows it already stays as it is.
    assert.deepEqual(lookWith(later, plan, trade), { ...later });
    assert.equal(lookWith({ ...before, sandbox: { ...before.sandbox, wallets: [] } }, plan, trade), null);
    assert.equal(lookWith(known, plan, { exact: {} }), null);
    return now;
  };
  const bought = await shown("buy", { mint, fromWallet: wallet, amountInLamports: 9_000_000_000 });
  const all = { mint, fromWallet: wallet, percentage: 100 };
  assert.equal(quoteAt(bought, "sellByPercentage", all).legs[0].tokens, at.held());
  assert.equal(lookWith(before, { operation: "buy", body: "{}" }, { exact: {} }), null);
  await shown("sellByPercentage", all);
});
