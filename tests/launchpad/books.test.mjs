// A bot's books compared with what its wallets really hold: replies are lost, whether the trade landed, failed or never arrived, and
// what `reconcile` proves is entered in their place. Single trades and bundles.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isTradeError, reconcile } from "launchpad-desk";
import { Curve, Position, Trader, receipt } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";

const SOL = 1_000_000_000n;

/** A sandbox, a client, and the books of the sandbox's first two wallets. */
function desk(script) {
  const sandbox = new Sandbox({ faults: { script: script.map((kind) => ({ kind })) } });
  const client = new TradeClient({ fetch: sandbox.fetch, breaker: { unknowns: 1_000 } });
  const [{ mint }] = sandbox.tokens;
  const look = () =>
    sandbox.wallets.slice(0, 2).map(({ wallet, lamports, tokenAccounts }) => {
      const account = tokenAccounts.find((account) => account.mint === mint);
      return {
        wallet,
        lamports,
        tokens: account ? account.tokens : 0n,
        tokenAccount: account ? { tokens: account.tokens, lamports: account.lamports } : null,
      };
    });
  const held = () => look().map(({ wallet, lamports, tokens }) => ({ wallet, lamports, tokens }));
  const first = look();
  const books = new Map(first.map(({ wallet }) => [wallet, new Position()]));
  const enter = (receipts) => {
    for (const entry of receipts) books.get(entry.wallet).add(entry);
  };
  /** Sends a trade; `receiptsOf` turns its outcome into receipts. */
  const send = async (operation, request, receiptsOf) => {
    const before = held().filter(({ wallet }) =>
      JSON.stringify(request, (_key, value) => (typeof value === "bigint" ? `${value}` : value)).includes(wallet),
    );
    try {
      enter(receiptsOf(await client[operation](request, { before })));
    } catch (error) {
      if (!isTradeError(error)) throw error;
      if (error.outcome === "failed") enter(receiptsOf(error.trade));
    }
    for (const intent of await client.pending()) {
      const now = held().filter(({ wallet }) => intent.wallets.includes(wallet));
      const reconciled = reconcile(intent, { now, canStillLand: false, walletsShared: false });
      // A failed sell looks like one that brought less than its fee. A person looks it up.
      const found = reconciled.found ?? "did_not_land";
      assert.ok(
        reconciled.found || (reconciled.certainty === "likely" && reconciled.landed === false),
        JSON.stringify(intent),
      );
      enter(receiptsOf(reconciled.found ? reconciled : { ...reconciled, certainty: "proven" }));
      await client.acknowledge(intent.intentId, found);
    }
  };
  /** The books are what really happened. */
  const audit = (why) => {
    for (const [at, { wallet, tokens, lamports }] of look().entries()) {
      const { state } = books.get(wallet);
      assert.equal(state.tokens, tokens, `${why}: tokens of ${wallet}`);
      assert.equal(books.get(wallet).check(tokens), null);
      assert.equal(
        state.realisedLamports - state.costLamports - state.rentLockedLamports,
        lamports - first[at].lamports,
        `${why}: lamports of ${wallet}`,
      );
    }
  };
  return { sandbox, mint, look, books, send, audit };
}

test("after a lost reply, a position holds what the wallet holds, and nothing is sold twice", async () => {
  const { sandbox, mint, look, books, send, audit } = desk(["none", "noAnswer", "none"]);
  const [{ wallet }] = look();
  const position = books.get(wallet);
  const trader = () => new Trader({ wallet: { lamports: look()[0].lamports, tokenAccount: look()[0].tokenAccount } });
  const quote = sandbox.curve(mint).quoteBuyExactIn(SOL, trader());
  await send("buy", { mint, fromWallet: wallet, amountInLamports: SOL }, (trade) => [receipt(quote, trade)]);
  const bought = position.state.tokens;
  for (const amount of [bought / 2n, bought - bought / 2n]) {
    const exit = sandbox.curve(mint).quoteSellExactIn(amount, trader());
    await send("sell", { mint, fromWallet: wallet, amountInToken: { baseUnits: amount } }, (trade) => [
      receipt(exit, trade),
    ]);
    audit("sell");
  }
  assert.equal(position.state.tokens, 0n);
  const sold = position.check(5n);
  assert.deepEqual(sold, { walletHolds: "more", tokens: 5n });
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
  assert.deepEqual(
    receipt(JSON.parse(JSON.stringify(quote, text)), JSON.parse(JSON.stringify(reconciled, text))),
    done,
    "from JSON, too",
  );
  const likely = receipt(quote, { ...reconciled, certainty: "likely" });
  assert.deepEqual([likely.status, likely.estimated.includes("tokens")], ["unconfirmed", true]);
  for (const open of [
    { landed: null, certainty: "unknown" },
    { landed: false, certainty: "likely" },
  ]) {
    assert.throws(() => receipt(quote, { ...reconciled, ...open }), {
      code: "invalid_options",
      message: /trade is not proven to have landed/,
    });
  }
  for (const operation of ["sell", "bundleBuy"])
    assert.throws(() => receipt(quote, { ...reconciled, operation }), {
      code: "invalid_options",
      message: /operation does not match the quote/,
    });
});

const text = (_key, value) => (typeof value === "bigint" ? `${value}` : value);

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
