// What a service has said of a trade, looked up on the chain around a sandbox: what the chain contradicts is corrected everywhere, and loud.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Exits, Market } from "launchpad-desk/market";
import { DeskRecord, verifyRecord } from "launchpad-desk/record";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { recordStore } from "../runtimes/service.mjs";
import { NEVER, boughtBy, rpcOf, serviceOf, turns, whats } from "./node.mjs";

const NOW = 1_800_000_000_000;
mock.timers.enable({ apis: ["Date", "setTimeout"], now: NOW });
const wait = (ms) => mock.timers.setTime(Date.now() + ms);

/** A service that trades in a sandbox and answers what `says` makes of the true reply, the chain around it, and a client of both. */
function world({ faults, journal = memoryJournal(), rpc, ...options } = {}) {
  const sandbox = new Sandbox();
  sandbox.useClock(() => Date.now());
  const chain = new LocalChain(sandbox, faults);
  wait(60_000);
  const at = { sandbox, chain, journal, says: (reply) => reply, isLost: false, asked: [], told: [], errors: [] };
  const fetch = async (url, init) => {
    const reply = at.isLost ? undefined : await (await serviceOf(sandbox)(url, init)).json();
    return Response.json(at.says(reply));
  };
  const asked = rpcOf(chain, (body) => at.asked.push(body));
  const hooks = {
    settled: (intentId, { outcome, contradicts, signature }) =>
      at.told.push([intentId, contradicts, outcome, signature]),
  };
  const logger = {
    error: (message, { intentId }) => at.errors.push([intentId, message]),
    warn: (message, { intentId }) => message.startsWith("buy: ") || at.errors.push([intentId, message]),
  };
  at.options = {
    baseURL: "https://service.example",
    fetch,
    journal,
    hooks,
    logger,
    maxLamportsPerDay: 9_000_000_000_000_000,
    checkDrift: false,
  };
  at.market = (more) => new Market({ rpc: rpc ?? asked, serviceHoldsMs: 10_000, ...options, ...more });
  at.client = (more) => new TradeClient({ ...at.options, market: at.market(), ...more });
  at.mint = sandbox.tokens[0].mint;
  at.wallets = sandbox.wallets.map(({ wallet }) => wallet);
  at.buy = (client, intentId, wallet = 0, amountInLamports = 1_000_000_000) =>
    client.buy({ mint: at.mint, fromWallet: at.wallets[wallet], amountInLamports }, { intentId });
  return at;
}

const ERROR = '{"InstructionError":[3,{"Custom":6002}]}';
/** The same trade as this reply has it, said to have ended otherwise. */
const saying = (reply, transactionResult, result = {}) => ({
  ...reply,
  result: {
    ...reply.result,
    ...result,
    transactionResult: { ...reply.result.transactionResult, ...transactionResult },
  },
});
/** A reply of a landed buy that never happened. */
const invented = ({ mint, wallets }, wallet, signature) => boughtBy(mint, wallets[wallet], signature);
/** A reply that says that a buy which failed has landed. */
const asLanded = (reply) =>
  saying(reply, { success: true, results: "ok" }, { buyAmount: 5_000, preTokenBalance: 0, postTokenBalance: 5_000 });

const stateOf = async (at, client, intentId) => {
  const ended = await client.endedTrade(intentId);
  return [ended?.outcome ?? null, ended?.proven ?? false, await client.intentState(intentId)];
};

/** What limits count for a trade that ended so. */
async function spentBy({ journal }, intentId, outcome) {
  const { counted } = [...(await journal.recall(0)).ended].find((ended) => ended.intentId === intentId);
  return outcome === "landed" ? BigInt(counted.lamports) : outcome === "failed" ? BigInt(counted.fees) : 0n;
}

/** What the service says, what happened, and what must come of it. */
const LIES = [
  { name: "landed, and it failed", lamports: 900_000_000_000n, says: () => asLanded, said: "landed", is: "failed" },
  {
    name: "landed, and it never reached the chain",
    lamports: 1_000_000_000n,
    isLost: true,
    says: (at) => () => invented(at, 0, NEVER),
    said: "landed",
    is: "did_not_land",
  },
  {
    name: "failed by the chain's own error, and it landed",
    lamports: 1_000_000_000n,
    says: () => (reply) => saying(reply, { success: false, results: ERROR }),
    said: "failed",
    is: "landed",
  },
  {
    name: "failed, by a transaction that never was, and it landed by another one",
    lamports: 1_000_000_000n,
    says: () => (reply) => saying(reply, { success: false, results: ERROR, signature: NEVER }, { signature: NEVER }),
    said: "failed",
    is: "landed",
    options: { walletsShared: false },
  },
];

for (const { name, lamports, isLost = false, says, said, is, options: own } of LIES) {
  test(`the service says ${name}: corrected everywhere, and loud`, async () => {
    const at = world(own);
    const store = recordStore();
    const record = new DeskRecord(store);
    const options = { ...at.options, market: at.market() };
    const client = new TradeClient(record.around(options));
    Object.assign(at, { isLost, says: says(at) });
    const end = await at.buy(client, "lie", 0, lamports).catch((error) => error);
    assert.equal(end.outcome ?? end.status, said, String(end.stack ?? ""));
    assert.deepEqual(await stateOf(at, client, "lie"), [said, false, said === "landed" ? "ended" : "not_recorded"]);
    assert.equal(client.guards.lamportsToday, await spentBy(at, "lie", said));
    assert.deepEqual(await client.settle(), [], "nothing is final yet");
    assert.deepEqual(at.told, []);
    wait(240_000);
    const settled = await client.settle();
    const signature = is === "did_not_land" ? null : at.sandbox.trades.at(-1).signature;
    assert.deepEqual(
      settled.map(({ intentId, outcome, contradicts, signature }) => [intentId, contradicts, outcome, signature]),
      [["lie", said, is, signature]],
    );
    assert.deepEqual(at.told, [["lie", said, is, signature]]);
    assert.deepEqual(at.errors, [
      ["lie", `the chain contradicts the service: it said ${said}, and the trade is ${is}`],
    ]);
    if (is === "landed")
      assert.equal(settled[0].reconciled.findings[0].tokensMoved, at.sandbox.trades.at(-1).legs[0].tokens);
    const [now, spent] = [[is, true, is === "landed" ? "ended" : "not_recorded"], await spentBy(at, "lie", is)];
    assert.deepEqual(await stateOf(at, client, "lie"), now);
    assert.equal(client.guards.lamportsToday, spent);
    assert.deepEqual(await client.settle(), [], "once");
    // A program that begins with the same journal knows it.
    const next = at.client();
    await next.pending();
    assert.deepEqual(await stateOf(at, next, "lie"), now);
    assert.deepEqual([next.guards.lamportsToday, (await at.journal.recall(NOW)).lamports], [spent, spent]);
    // The record has it, with its evidence, and is verified.
    await record.written();
    const trades = [];
    const { verified, problems } = await verifyRecord(store.log, {
      head: store.last,
      onTrade: (one) => trades.push(one),
    });
    assert.deepEqual(problems, []);
    assert.ok(verified);
    const last = trades.filter(({ intentId }) => intentId === "lie").at(-1);
    assert.deepEqual([last.outcome, last.proven], [is, true]);
  });
}

test("what the chain confirms is proven, and nobody hears of it", async () => {
  const at = world();
  const client = at.client();
  const { status } = await at.buy(client, "true");
  assert.equal(status, "landed");
  await assert.rejects(at.buy(client, "failed", 1, 900_000_000_000), { outcome: "failed" });
  wait(20_000);
  assert.deepEqual(await client.settle(), []);
  assert.deepEqual(await stateOf(at, client, "true"), ["landed", true, "ended"]);
  assert.equal((await client.endedTrade("failed")).proven, true);
  const count = at.asked.length;
  assert.deepEqual(await client.settle(), []);
  assert.equal(at.asked.length, count, "each is looked up once");
  assert.deepEqual([at.told, at.errors], [[], []]);
});

test("a node that lags contradicts nothing, and a caller can wait for certainty", async () => {
  const at = world({ faults: { lagSlots: 200 } });
  const client = at.client();
  await at.buy(client, "true");
  wait(60_000);
  assert.deepEqual(await client.settle(), []);
  assert.deepEqual(await stateOf(at, client, "true"), ["landed", false, "ended"]);
  const certain = client.settle({ withinMs: 600_000, everyMs: 5_000 });
  for (let step = 0; step < 60; step++) {
    await turns(20);
    mock.timers.tick(5_000);
  }
  assert.deepEqual(await certain, []);
  assert.equal((await client.endedTrade("true")).proven, true);
  assert.deepEqual([at.told, at.errors], [[], []]);
});

test("the signature of another transaction proves nothing: an older one of the same request, and another wallet's", async () => {
  const at = world();
  const client = at.client();
  const older = await at.buy(client, "older");
  const strangers = await at.buy(client, "strangers", 1);
  wait(60_000);
  await client.settle();
  at.isLost = true;
  for (const [intentId, { result }] of [
    ["replayed", older],
    ["mixed-up", strangers],
  ]) {
    const other = at.client({ journal: memoryJournal() });
    at.says = () => invented(at, 0, result.signature);
    await at.buy(other, intentId);
    wait(240_000);
    const [{ outcome, contradicts }, ...others] = await other.settle();
    assert.deepEqual([contradicts, outcome, others], ["landed", "did_not_land", []], intentId);
  }
});

for (const walletsShared of [false, true]) {
  test(`a service that tries twice, and names the try that failed: it has not failed, shared wallets: ${walletsShared}`, async () => {
    const at = world({ walletsShared });
    const fetch = async (url, init) => {
      const tries = [];
      for (const lamports of ["900000000000000", "1000000000"]) {
        const body = init.body.replace("1000000000", lamports);
        tries.push(await (await serviceOf(at.sandbox)(url, { ...init, body })).json());
      }
      const { signature } = tries[0].result.transactionResult;
      return Response.json(saying(tries[1], { signature }, { signature }));
    };
    const client = at.client({ fetch });
    assert.equal((await at.buy(client, "twice")).status, "landed");
    assert.deepEqual(
      at.sandbox.trades.map(({ success }) => success),
      [false, true],
    );
    for (let look = 0; look < 6; look++) {
      wait(30_000);
      assert.deepEqual(await client.settle(), []);
    }
    assert.deepEqual(await stateOf(at, client, "twice"), ["landed", !walletsShared, "ended"]);
    if (!walletsShared) assert.equal((await client.endedTrade("twice")).signature, at.sandbox.trades[1].signature);
    assert.deepEqual([at.told, at.errors], [[], []]);
  });
}

test("answers are looked up by themselves, keep no process alive, and a freed client asks no more", async () => {
  const at = world();
  const client = at.client();
  at.says = asLanded;
  const trade = await at.buy(client, "lie", 0, 900_000_000_000);
  assert.equal(trade.status, "landed", "the answer does not wait for the chain");
  const asked = at.asked.length;
  await turns();
  assert.equal(at.asked.length, asked);
  // Until no other try of the service can land any more.
  for (let step = 0; step < 60 && at.told.length === 0; step++) {
    mock.timers.tick(5_000);
    await turns();
  }
  assert.deepEqual(
    at.told.map(([, said, is]) => [said, is]),
    [["landed", "failed"]],
  );
  const after = at.asked.length;
  mock.timers.tick(600_000);
  await turns();
  assert.equal(at.asked.length, after, "nothing is left to ask");
  await at.buy(client, "another", 1, 900_000_000_000);
  client.free();
  const freed = at.asked.length;
  mock.timers.tick(60_000);
  await turns();
  assert.equal(at.asked.length, freed);
});

test("a trade that is never shown and never disproven is asked about less and less, and then given up, aloud", async () => {
  const at = world({ serviceHoldsMs: undefined });
  const client = at.client();
  Object.assign(at, { isLost: true, says: () => invented(at, 0, NEVER) });
  await at.buy(client, "never-shown");
  for (let step = 0; step < 600; step++) {
    mock.timers.tick(5_000);
    await turns(10);
  }
  assert.deepEqual(at.errors, [["never-shown", "the chain has not shown a trade that the service has answered"]]);
  const asked = at.asked.length;
  assert.ok(asked < 120, `${asked} requests`);
  mock.timers.tick(3_600_000);
  await turns();
  assert.equal(at.asked.length, asked);
  assert.deepEqual(await stateOf(at, client, "never-shown"), ["landed", false, "ended"]);
});

/** What exits told: each happening, with its order's id and what its error says. */
const toldBy = (events) => events.map(({ what, order, error }) => [what, order?.intentId ?? error?.message]);

test("exits: a sell that failed by the service's word, and landed, is not made again", async () => {
  const at = world();
  const market = at.market();
  const client = at.client({ market });
  await at.buy(client, "own");
  const { tokens } = at.sandbox.wallets[0].tokenAccounts[0];
  wait(60_000);
  const half = tokens / 2n;
  const own = client.manage(
    { id: "own", mint: at.mint, wallet: at.wallets[0], tokens: half, costLamports: 500_000_000n },
    new Exits({ stopLoss: "100x", slippage: { percent: 20 } }),
    market,
  );
  at.says = (reply) => saying(reply, { success: false, results: ERROR });
  assert.deepEqual(whats(await own.tick()), ["ordered", "did_not_land"]);
  wait(240_000);
  await client.settle();
  const count = at.sandbox.trades.length;
  assert.deepEqual(toldBy(await own.tick()), [
    ["landed", "the service said that own/all failed, and the chain shows that it landed"],
    ["received", "own/all"],
    ["over", undefined],
  ]);
  assert.equal(at.sandbox.trades.length, count);
  assert.equal(at.sandbox.wallets[0].tokenAccounts[0].tokens, tokens - half);
});

test("a sandbox as the market is asked about no answer", async () => {
  const at = world();
  const client = at.client({ market: at.sandbox });
  await at.buy(client, "true");
  assert.deepEqual(await client.settle(), []);
  assert.deepEqual(at.errors, []);
});
