// A bot's books compared with what its wallet really holds, when a reply is lost and `reconcile` proves what became of its trade.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, reconcile } from "launchpad-desk";
import { Curve, Position, Trader, receipt } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";

const SOL = 1_000_000_000n;

test("after a lost reply, a position holds what the wallet holds, and nothing is sold twice", async () => {
  const sandbox = new Sandbox({ faults: { script: ["none", "noAnswer", "none"].map((kind) => ({ kind })) } });
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [{ mint }] = sandbox.tokens;
  const held = () => {
    const [{ wallet, lamports, tokenAccounts }] = sandbox.wallets;
    const account = tokenAccounts.find((account) => account.mint === mint);
    const tokenAccount = account ? { tokens: account.tokens, lamports: account.lamports } : null;
    return { balances: { wallet, lamports, tokens: account?.tokens ?? 0n }, trader: { lamports, tokenAccount } };
  };
  const first = held().balances;
  const position = new Position();
  /** Sends a trade, and enters it in the books: one whose reply was lost by what the wallet holds. */
  const send = async (operation, amount, quoted) => {
    const quote = quoted(sandbox.curve(mint), new Trader({ wallet: held().trader }));
    const request = { mint, fromWallet: first.wallet, ...amount };
    const known = await client[operation](request, { before: [held().balances] }).catch(async ({ outcome }) => {
      assert.equal(outcome, "unknown");
      const [intent] = await client.pending();
      const now = [held().balances];
      const reconciled = reconcile(intent, { now, canStillLand: false, walletsShared: false });
      await client.acknowledge(intent.intentId, reconciled.found);
      return reconciled;
    });
    position.add(receipt(quote, known));
    const { lamports, tokens } = held().balances;
    const { state } = position;
    assert.deepEqual([state.tokens, position.check(tokens)], [tokens, null]);
    const booked = state.realisedLamports - state.costLamports - state.rentLockedLamports;
    assert.equal(booked, lamports - first.lamports);
  };
  await send("buy", { amountInLamports: SOL }, (curve, trader) => curve.quoteBuyExactIn(SOL, trader));
  const bought = position.state.tokens;
  for (const baseUnits of [bought / 2n, bought - bought / 2n])
    await send("sell", { amountInToken: { baseUnits } }, (curve, trader) => curve.quoteSellExactIn(baseUnits, trader));
  assert.equal(position.state.tokens, 0n);
  assert.equal(sandbox.trades.length, 3);
  assert.deepEqual(position.check(5n), { walletHolds: "more", tokens: 5n });
  assert.deepEqual(new Position({ ...position.state, tokens: 7n }).check(5), { walletHolds: "fewer", tokens: 2n });
});

test("receipts of a trade of which the balances do not tell are refused, and the wrong kind's too", () => {
  const quote = new Sandbox().curve(new Sandbox().tokens[0].mint).quoteBuyExactIn(SOL);
  const finding = {
    wallet: "W",
    shows: "trade",
    certainty: "proven",
    tokensBefore: 0n,
    tokensAfter: 34_199_203_120_618n,
    tokensMoved: 34_199_203_120_618n,
    lamportsMoved: -SOL - 1_493_440n,
  };
  const reconciled = { operation: "buy", certainty: "proven", landed: true, findings: [finding] };
  const done = receipt(quote, reconciled);
  assert.deepEqual(
    [done.wallet, done.status, done.tokens, done.netLamports, done.estimated.includes("tokens")],
    ["W", "landed", 34_199_203_120_618n, -SOL - 1_493_440n, false],
  );
  const stored = (value) => JSON.parse(JSON.stringify(value, (_, of) => (typeof of === "bigint" ? `${of}` : of)));
  assert.deepEqual(receipt(stored(quote), stored(reconciled)), done, "from JSON, too");
  const likely = receipt(quote, { ...reconciled, certainty: "likely" });
  assert.deepEqual([likely.status, likely.estimated.includes("tokens")], ["unconfirmed", true]);
  const refused = (changes, message) =>
    assert.throws(() => receipt(quote, { ...reconciled, ...changes }), { code: "invalid_options", message });
  refused({ landed: null, certainty: "unknown" }, /trade is not proven to have landed/);
  refused({ landed: false, certainty: "likely" }, /trade is not proven to have landed/);
  refused({ operation: "sell" }, /operation does not match the quote/);
  refused({ operation: "bundleBuy" }, /operation does not match the quote/);
});

test("a quote stays as it was, and the next one is right, when the module's memory grows or the curve is freed", () => {
  const curve = new Curve();
  const trader = new Trader({ slippage: { percent: 99 } });
  const quote = curve.quoteBuyExactIn(SOL, trader);
  const kept = structuredClone({ ...quote });
  for (let n = 1; n <= 8; n++) {
    curve.buysExactIn(new BigUint64Array(n << 18));
    assert.deepEqual({ ...curve.quoteBuyExactIn(SOL, trader) }, kept, "warnings, too");
  }
  assert.ok(kept.warnings.length > 1);
  assert.throws(() => curve.quoteBuyExactIn(0n, trader), { name: "RefusalError", code: "spend_does_not_cover_fees" });
  assert.throws(() => curve.quoteSellPercentage(101, trader), { code: "invalid_options" });
  assert.deepEqual({ ...curve.quoteBuyExactIn(SOL, trader) }, kept, "after one that was refused");
  curve.free();
  assert.deepEqual({ ...quote }, kept);
  assert.throws(() => curve.quoteBuyExactIn(SOL, trader), ReferenceError);
});
