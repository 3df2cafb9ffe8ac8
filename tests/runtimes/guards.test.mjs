// The guards from a bot's point of view: each refuses before anything is sent, and gives back what it reserved.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, TradeNotSentError } from "launchpad-desk";
import { ADA, BOB, MINT, OPENS, SIGNS, fetchBy, fetchOf, rejection, requests, service, simulated } from "./service.mjs";

/** A reply without names, so it fits every call. */
const LANDED = '{"result":{"transactionResult":{"success":true}}}';

const { buy, sell, bundleBuy } = requests();
const buyOf = (lamports, wallet = ADA) => ({ ...buy, fromWallet: wallet, amountInLamports: lamports });
const answers = (...statuses) =>
  fetchBy(() => {
    const status = statuses.shift() ?? 200;
    if (status === "lost") throw new TypeError("fetch failed");
    return new Response(status === 200 ? LANDED : "{}", { status });
  });

/** Refused by a guard: not sent, with this code, and nothing went out. */
async function refused(promise, code, field) {
  const error = await rejection(promise);
  assert.ok(error instanceof TradeNotSentError, `${error}`);
  assert.deepEqual([error.outcome, error.code, error.field], ["not_sent", code, field]);
  return error;
}

test("lamports of one trade, a bundle's in all", async () => {
  const fetch = fetchOf(LANDED);
  const client = new TradeClient({ ...service, fetch, maxLamportsPerTrade: 100_000_000 + OPENS });
  await refused(client.buy(buyOf(100_000_001n)), "over_trade_limit", "amountInLamports");
  await refused(client.bundleBuy(bundleBuy), "over_trade_limit", "buys");
  assert.equal(fetch.calls.length, 0);
  assert.equal((await client.buy(buyOf(100_000_000n))).status, "landed");
  assert.equal((await client.sell(sell)).status, "landed");
});

test("lamports of one day: kept by what landed or may have, given back by what did not", async () => {
  const fetch = answers(400, "lost", 200);
  const client = new TradeClient({ ...service, fetch, maxLamportsPerDay: 1_000 + 2 * OPENS });
  await rejection(client.buy(buyOf(1_000)));
  assert.equal(client.guards.lamportsToday, 0n, "a rejected buy spent nothing");
  const lost = await rejection(client.buy(buyOf(600)));
  assert.equal(lost.outcome, "unknown");
  await refused(client.buy(buyOf(401)), "over_day_limit", "amountInLamports");
  assert.equal((await client.buy(buyOf(400))).status, "landed");
  assert.deepEqual(
    [client.guards.lamportsToday, client.guards.maxLamportsPerDay],
    [1_000n + 2n * BigInt(OPENS), 1_000n + 2n * BigInt(OPENS)],
  );
  assert.equal(await client.acknowledge(lost.intentId, "did_not_land"), true);
  assert.equal(client.guards.lamportsToday, 400n + BigInt(OPENS));
  assert.equal(fetch.calls.length, 3);
});

test("the day's limit holds for trades at once, and for clients made withOptions", async () => {
  const fetch = fetchBy(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new Response(LANDED);
  });
  const client = new TradeClient({ ...service, fetch, maxLamportsPerDay: 1_000 + 3 * OPENS, inFlightPerWallet: 50 });
  const patient = client.withOptions({ timeoutMs: 60_000 });
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? client : patient).buy(buyOf(300))),
  );
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 3);
  assert.equal(fetch.calls.length, 3);
  for (const { reason } of settled.filter(({ reason }) => reason)) assert.equal(reason.code, "over_day_limit");
});

test("small buys of new tokens do not pass below the limits: the accounts that they open count", async () => {
  const fetch = fetchBy(
    (_url, { body }) =>
      new Response(
        `{"result":{"mint":"${JSON.parse(body).mint}","signature":"5igna7ure","transactionResult":{"success":true}}}`,
      ),
  );
  const client = new TradeClient({ ...service, fetch, maxLamportsPerTrade: 3_000_000, maxLamportsPerDay: 5_000_000 });
  const codes = [];
  for (let n = 0; n < 30; n++)
    codes.push(
      await client.buy({ mint: `New${n}`, fromWallet: ADA, amountInLamports: 100 }).then(
        () => "landed",
        ({ code }) => code,
      ),
    );
  // 2,865,140 for the first; its account at the launchpad is open after it: 1,518,940 for the next.
  assert.deepEqual(
    [codes.slice(0, 3), new Set(codes.slice(2)), fetch.calls.length],
    [["landed", "landed", "over_day_limit"], new Set(["over_day_limit"]), 2],
  );
  assert.equal(client.guards.lamportsToday, 4_384_080n);
  assert.equal(
    (await client.buy({ mint: "New0", fromWallet: ADA, amountInLamports: 100 })).status,
    "landed",
    "its token account is open",
  );
  assert.equal(client.guards.lamportsToday, 4_384_180n + BigInt(SIGNS));
  const strict = new TradeClient({ ...service, fetch, maxLamportsPerTrade: 1_000_000 });
  const error = await refused(
    strict.buy({ mint: "New0", fromWallet: ADA, amountInLamports: 100 }),
    "over_trade_limit",
    "amountInLamports",
  );
  assert.equal(
    error.message,
    "not sent: amountInLamports spends up to 2865140 lamports: 5000 for signatures, 2860040 for accounts that it may open; over maxLamportsPerTrade (1000000)",
  );
});

test("buys of a service that may spend their slippage, too, count with it, and the day's sum survives a restart", async () => {
  const { memoryJournal } = await import("launchpad-desk/browser");
  const [fetch, journal] = [answers(), memoryJournal()];
  const client = new TradeClient({
    ...service,
    fetch,
    journal,
    buysMayExceed: "slippage",
    maxLamportsPerDay: 2_000_000_000,
  });
  const ask = { ...buy, slippage: { percent: 30 } };
  const plan = await client.plan("buy", ask);
  assert.deepEqual([plan.counted, plan.refused], [{ lamports: `${1_300_000_000 + OPENS}`, fees: "5000" }, null]);
  assert.equal((await client.buy(ask)).status, "landed");
  await refused(client.buy(ask), "over_day_limit", "amountInLamports");
  const next = new TradeClient({ ...service, fetch, journal });
  await next.pending();
  assert.deepEqual([next.guards.lamportsToday, fetch.calls.length], [1_300_000_000n + BigInt(OPENS), 1]);
});

test("slippage, of each leg, in any form", async () => {
  const client = new TradeClient({ ...service, fetch: fetchOf(LANDED), maxSlippage: { percent: 5 } });
  await refused(client.buy({ ...buy, slippage: 6 }), "over_slippage_limit", "slippage");
  await refused(client.buy({ ...buy, slippage: { bps: 501 } }), "over_slippage_limit", "slippage");
  const legs = [bundleBuy.buys[0], { ...bundleBuy.buys[1], slippage: { percent: 50 } }];
  await refused(client.bundleBuy({ ...bundleBuy, buys: legs }), "over_slippage_limit", "buys[1].slippage");
  assert.equal((await client.buy({ ...buy, slippage: { bps: 500 } })).status, "landed");
  const tight = new TradeClient({ ...service, fetch: fetchOf(LANDED), maxSlippage: { bps: 49 } });
  await refused(tight.buy(buy), "over_slippage_limit", "slippage"); // the service's default is 0.5 %
});

test("lists of mints and wallets, fee payers among them", async () => {
  const client = new TradeClient({ ...service, fetch: fetchOf(LANDED), allowMints: [MINT], allowWallets: [ADA] });
  assert.equal((await client.buy(buy)).status, "landed");
  await refused(client.buy({ ...buy, mint: `${MINT}x` }), "mint_not_allowed", "mint");
  await refused(client.buy(buyOf(5, BOB)), "wallet_not_allowed", "fromWallet");
  await refused(client.buy({ ...buy, feePayer: BOB }), "wallet_not_allowed", "feePayer");
  await refused(client.bundleBuy(bundleBuy), "wallet_not_allowed", "buys[1].fromWallet");
});

test("one trade of a wallet at a time, unless more are asked for", async () => {
  let answer;
  const fetch = fetchBy(() => new Promise((resolve) => (answer = () => resolve(new Response(LANDED)))));
  const client = new TradeClient({ ...service, fetch });
  const first = client.buy(buy);
  await refused(client.sell(sell), "wallet_busy", "fromWallet");
  await refused(client.bundleBuy(bundleBuy), "wallet_busy", "buys[0].fromWallet");
  assert.equal(client.guards.inFlight.length, 1);
  answer();
  await first;
  assert.equal(client.guards.inFlight.length, 0);
  const second = client.sell(sell);
  while (fetch.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  answer();
  assert.equal((await second).status, "landed");
});

test("a rate: refused beyond it, with the time until the next turn", async () => {
  const client = new TradeClient({ ...service, fetch: fetchOf(LANDED), rateLimit: { perSecond: 1, burst: 2 } });
  await client.buy(buy);
  await client.buy(buy);
  const error = await refused(client.buy(buy), "over_rate_limit");
  assert.ok(error.retryAfterMs > 0 && error.retryAfterMs <= 1_000, `${error.retryAfterMs}`);
});

test("a queue: what waits for its turn is sent then, and the deadline covers the wait", async () => {
  const fetch = fetchOf(LANDED);
  const client = new TradeClient({
    ...service,
    fetch,
    rateLimit: { perSecond: 50, burst: 1, maxQueueMs: 60_000 },
    inFlightPerWallet: 9,
  });
  const trades = await Promise.all([client.buy(buy), client.buy(buy), client.buy(buy)]);
  assert.deepEqual(
    trades.map(({ status }) => status),
    ["landed", "landed", "landed"],
  );
  const slow = new TradeClient({
    ...service,
    fetch,
    rateLimit: { perSecond: 1, burst: 1, maxQueueMs: 60_000 },
    inFlightPerWallet: 9,
    timeoutMs: 30,
  });
  await slow.buy(buy);
  await refused(slow.buy(buy), "timeout_before_send");
  const controller = new AbortController();
  const waiting = slow.buy(buy, { signal: controller.signal, timeoutMs: 60_000 });
  setTimeout(() => controller.abort(), 5);
  await refused(waiting, "aborted_before_send");
  assert.equal(fetch.calls.length, 4);
  assert.equal(slow.guards.inFlight.length, 0);
});

test("halted while waiting for its turn: not sent", async () => {
  const fetch = fetchOf(LANDED);
  const client = new TradeClient({
    ...service,
    fetch,
    rateLimit: { perSecond: 20, burst: 1, maxQueueMs: 60_000 },
    inFlightPerWallet: 9,
  });
  await client.buy(buy);
  const waiting = client.buy(buy);
  client.halt();
  await refused(waiting, "halted");
  assert.equal(fetch.calls.length, 1);
});

test("a breaker: unknown outcomes in a row stop everything, until each is acknowledged or trading is resumed", async () => {
  const fetch = answers("lost", 503, 200, "lost", "lost", 200);
  const client = new TradeClient({ ...service, fetch, breaker: { unknowns: 2 } });
  const unresolved = [await rejection(client.buy(buy)), await rejection(client.buy(buy))];
  assert.ok(client.guards.breakerOpen);
  await refused(client.sell(sell), "breaker_open");
  for (const { intentId } of unresolved) await client.acknowledge(intentId, "landed");
  assert.equal((await client.sell(sell)).status, "landed");
  await rejection(client.buy(buy));
  await rejection(client.buy(buy));
  await refused(client.buy(buy), "breaker_open");
  client.resume();
  assert.equal((await client.buy(buy)).status, "landed");
  assert.equal(client.guards.unresolved.length, 2, "what is unresolved stays unresolved");
});

test("halt lets nothing through, reduce lets sells, resume lets all", async () => {
  const client = simulated();
  client.halt();
  assert.equal(client.guards.mode, "halted");
  await refused(client.buy(buy), "halted");
  await refused(client.sell(sell), "halted");
  client.reduce();
  assert.equal(client.guards.mode, "reducing");
  await refused(client.buy(buy), "reducing");
  client.resume();
  assert.equal((await client.buy(buy)).status, "landed");
  client.reduce();
  assert.equal((await client.sellByPercentage(requests().sellByPercentage)).status, "landed");
});

test("the guards and what is unresolved can be written as JSON, exactly", async () => {
  const client = new TradeClient({
    ...service,
    fetch: fetchBy(() => Promise.reject(new Error("no"))),
    maxLamportsPerDay: 2n ** 64n - 1n,
    maxLamportsPerTrade: 2n ** 63n,
  });
  await rejection(client.buy({ ...requests().buy, amountInLamports: 2n ** 53n + 1n }, { intentId: "i-1" }));
  const { guards } = client;
  const [pending] = await client.pending();
  for (const [value, from] of [
    [JSON.parse(JSON.stringify(guards)), guards],
    [JSON.parse(JSON.stringify({ pending })).pending, pending],
  ]) {
    assert.deepEqual(Object.keys(value), Object.keys(from));
  }
  const {
    lamportsToday,
    maxLamportsPerDay,
    unresolved: [{ lamports, ...intent }],
  } = JSON.parse(JSON.stringify(guards));
  const all = 2n ** 53n + 1n + BigInt(OPENS);
  assert.deepEqual([lamportsToday, maxLamportsPerDay, lamports], [`${all}`, "18446744073709551615", `${all}`]);
  assert.deepEqual([guards.lamportsToday, guards.unresolved[0].lamports], [all, all]);
  assert.deepEqual({ ...intent, lamports: all }, { ...pending });
  assert.deepEqual(structuredClone(guards), guards);
});
