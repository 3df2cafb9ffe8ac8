// The guards from a bot's point of view: each refuses before anything is sent, and gives back what it reserved.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeNotSentError } from "launchpad-desk";
import { ADA, BOB, MINT, OPENS, clientBy, fetchBy, fetchOf, rejection, requests } from "./service.mjs";

/** A reply without names, so it fits every call. */
const LANDED = '{"result":{"transactionResult":{"success":true}}}';

const { buy } = requests();
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

test("each limit is handed to the core by its name, and a refusal comes back with its field", async () => {
  const over = { ...buy, slippage: { percent: 30 } };
  const limit = 1_100_000_000;
  for (const [options, request, code, field] of [
    [{ maxSlippage: { percent: 29 } }, over, "over_slippage_limit", "slippage"],
    [{ allowMints: [`${MINT}x`] }, buy, "mint_not_allowed", "mint"],
    [{ allowWallets: [BOB] }, buy, "wallet_not_allowed", "fromWallet"],
    [{ buysMayExceed: "slippage", maxLamportsPerTrade: limit }, over, "over_trade_limit", "amountInLamports"],
  ])
    await refused(clientBy(fetchOf(LANDED), options).buy(request), code, field);
  const exact = clientBy(fetchOf(LANDED), { maxLamportsPerTrade: limit });
  assert.equal((await exact.buy(over)).status, "landed");
  for (const [options, first, code] of [
    [{ rateLimit: { perSecond: 1, burst: 1 } }, 200, "over_rate_limit"],
    [{ breaker: { unknowns: 1 } }, "lost", "breaker_open"],
  ]) {
    const client = clientBy(answers(first), options);
    await client.buy(buy).catch(() => {});
    const error = await refused(client.buy(buy), code);
    assert.equal(error.retryAfterMs > 0, code === "over_rate_limit");
  }
});

test("the day's limit holds for trades at once, and for clients made withOptions", async () => {
  const fetch = fetchBy(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return new Response(LANDED);
  });
  const client = clientBy(fetch, { maxLamportsPerDay: 1_000 + 3 * OPENS, inFlightPerWallet: 50 });
  const patient = client.withOptions({ timeoutMs: 60_000 });
  const settled = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? client : patient).buy(buyOf(300))),
  );
  assert.equal(settled.filter(({ status }) => status === "fulfilled").length, 3);
  assert.equal(fetch.calls.length, 3);
  for (const { reason } of settled.filter(({ reason }) => reason)) assert.equal(reason.code, "over_day_limit");
});

test("a queue: what waits for its turn is sent then, and the deadline covers the wait", async () => {
  const fetch = fetchOf(LANDED);
  const client = clientBy(fetch, { rateLimit: { perSecond: 50, burst: 1, maxQueueMs: 60_000 }, inFlightPerWallet: 9 });
  const trades = await Promise.all([client.buy(buy), client.buy(buy), client.buy(buy)]);
  assert.deepEqual(
    trades.map(({ status }) => status),
    ["landed", "landed", "landed"],
  );
  const slow = clientBy(fetch, { rateLimit: { perSecond: 1, burst: 1, maxQueueMs: 60_000 }, inFlightPerWallet: 9 });
  await slow.buy(buy);
  await refused(slow.buy(buy, { timeoutMs: 30 }), "timeout_before_send");
  const controller = new AbortController();
  const waiting = slow.buy(buy, { signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  await refused(waiting, "aborted_before_send");
  assert.equal(fetch.calls.length, 4);
  assert.equal(slow.guards.inFlight.length, 0);
});

test("the guards and what is unresolved can be written as JSON, exactly", async () => {
  const client = clientBy(
    fetchBy(() => Promise.reject(new Error("no"))),
    { maxLamportsPerDay: 2n ** 64n - 1n, maxLamportsPerTrade: 2n ** 63n },
  );
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
