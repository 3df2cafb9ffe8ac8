// Wallets that a service names by ids of its own, as custodians do: what is known of them without an address, and with a table of addresses. The
// service here knows `wallet-7`, and the chain has only the address.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Exits, Market, quoteAt } from "launchpad-desk/market";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { rpcOf, serviceOf } from "./node.mjs";

const SOL = 1_000_000_000;
const [ADA, BOB] = ["SimTraderAda1111111111111111111111111111111", "SimTraderBob1111111111111111111111111111111"];
const [SEVEN, EIGHT] = ["wallet-7", "6f1c0e9a-3b57-4c1e-9a55-0d2f4b8f7a10"];
const TABLE = { [SEVEN]: ADA, [EIGHT]: BOB, "of nobody here": "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs" };

/** A service that has wallets by its own ids, the chain around it, and clients of both. */
function world({ commitment = "processed", ...options } = {}) {
  let now = Date.now();
  const sandbox = new Sandbox();
  sandbox.useClock(() => now);
  const chain = new LocalChain(sandbox);
  now += 60_000;
  const rpc = rpcOf(chain, () => (now += 2_000));
  const service = { fate: "answered", bodies: [] };
  /** The ids of the service are addresses inside, and ids again in its answers. */
  const inside = (text) => text.replaceAll(`"${SEVEN}"`, `"${ADA}"`).replaceAll(`"${EIGHT}"`, `"${BOB}"`);
  const outside = (text) => text.replaceAll(`"${ADA}"`, `"${SEVEN}"`).replaceAll(`"${BOB}"`, `"${EIGHT}"`);
  const fetch = async (url, init) => {
    service.bodies.push(init.body);
    if (service.fate === "request lost") throw new TypeError("lost");
    const reply = await serviceOf(sandbox)(url, { ...init, body: inside(init.body) });
    if (service.fate === "reply lost") throw new TypeError("lost");
    return new Response(outside(await reply.text()), {
      status: reply.status,
      headers: { "content-type": "application/json" },
    });
  };
  const market = new Market({ rpc, commitment, walletsShared: false, serviceHoldsMs: 10_000, ...options });
  const journal = memoryJournal();
  const client = (more) =>
    new TradeClient({ baseURL: "https://service.example", fetch, market, journal, breaker: { unknowns: 99 }, ...more });
  return {
    sandbox,
    market,
    client: client(),
    opened: client,
    service,
    mint: sandbox.tokens[0].mint,
    wait: (ms) => (now += ms),
  };
}

test("without its address a wallet is quoted by the curve alone, as unknown, and the others of a bundle as ever", async () => {
  const { market, client, mint, service, sandbox } = world();
  const buy = { mint, fromWallet: SEVEN, amountInLamports: SOL };
  const known = await market.quote("buy", { ...buy, fromWallet: ADA });
  const look = await market.look(mint, [SEVEN, ADA, EIGHT]);
  assert.deepEqual([look.wallets.map(({ wallet }) => wallet), look.unknownWallets], [[ADA], [SEVEN, EIGHT]]);
  for (const quote of [
    await market.quote("buy", buy),
    await market.quote("buy", buy, look),
    quoteAt(look, "buy", buy),
  ]) {
    assert.equal(quote.refused, null);
    const [leg] = quote.legs;
    assert.deepEqual(
      [leg.wallet, leg.tokens, leg.tokenAccount, leg.rentLamports, leg.volumeRentLamports],
      [SEVEN, known.legs[0].tokens, "unknown", 0n, 0n],
    );
    assert.deepEqual(leg.warnings, ["wallet_unknown"].concat(known.legs[0].warnings).sort());
    assert.deepEqual(
      quote.wallets.map(({ wallet }) => wallet),
      [SEVEN],
    );
  }
  const sell = { mint, fromWallet: SEVEN, amountInToken: 1_000 };
  assert.equal((await market.quote("sell", sell)).refused.code, "fees_or_reserves_exceeded", "nobody has bought yet");
  const bundle = await market.quote("bundleBuy", {
    mint,
    feePayer: EIGHT,
    buys: [
      { fromWallet: ADA, amountInLamports: SOL },
      { fromWallet: SEVEN, amountInLamports: SOL },
    ],
  });
  assert.deepEqual(
    bundle.legs.map(({ wallet, tokenAccount, warnings }) => [
      wallet,
      tokenAccount,
      warnings.includes("wallet_unknown"),
    ]),
    [
      [ADA, "opens", false],
      [SEVEN, "unknown", true],
    ],
  );
  assert.deepEqual(
    bundle.wallets.map(({ wallet, warnings }) => [wallet, warnings]),
    [
      [ADA, []],
      [SEVEN, []],
      [EIGHT, ["wallet_unknown"]],
    ],
  );
  assert.equal(bundle.legs[0].tokens, known.legs[0].tokens);
  // What the chain knows of the others still refuses it.
  const poor = await market.quote("bundleBuy", {
    mint,
    feePayer: ADA,
    buys: [
      { fromWallet: SEVEN, amountInLamports: SOL },
      { fromWallet: BOB, amountInLamports: 20 * SOL },
    ],
  });
  assert.deepEqual([poor.refused.code, poor.refused.field], ["insufficient_lamports", "buys[1]"]);

  // It is sent as it is.
  assert.equal((await client.buy(buy)).status, "landed");
  assert.equal(JSON.parse(service.bodies.at(-1)).fromWallet, SEVEN);
  assert.equal(sandbox.trades.at(-1).legs[0].wallet, ADA);
  const sold = await market.quote("sell", sell);
  assert.deepEqual([sold.refused, sold.legs[0].tokens, sold.legs[0].tokenAccount], [null, 1_000_000_000n, "unknown"]);
});

test("with its address a wallet is looked at, quoted, settled, a position, exited and compared by the service's id", async () => {
  const { market, client, opened, mint, service, sandbox, wait } = world({ walletAddresses: TABLE });
  const request = { mint, fromWallet: SEVEN, amountInLamports: SOL };
  const look = await market.look(mint, [SEVEN, EIGHT]);
  assert.deepEqual(
    [look.wallets.map(({ wallet, lamports }) => [wallet, lamports]), look.unknownWallets],
    [
      [
        [SEVEN, 100n * BigInt(SOL)],
        [EIGHT, 10n * BigInt(SOL)],
      ],
      [],
    ],
  );
  const quote = await market.quote("buy", request);
  assert.deepEqual([quote.legs[0].wallet, quote.legs[0].tokenAccount], [SEVEN, "opens"]);
  assert.equal(new Sandbox(look.sandbox).quote("buy", request).legs[0].tokens, quote.legs[0].tokens);

  const plan = await client.plan("buy", request, { intentId: "bought" });
  const trade = await client.send(plan);
  assert.equal(JSON.parse(service.bodies.at(-1)).fromWallet, SEVEN, "the request keeps the service's id");
  const drift = await client.drift(plan, trade.result.signature);
  assert.deepEqual(
    [drift.causes, drift.wallets.map(({ wallet, lamports }) => [wallet, lamports])],
    [[], [[SEVEN, quote.wallets[0].netLamports]]],
  );
  assert.equal(
    (await market.look(mint, [SEVEN])).wallets[0].holding.tokens,
    quote.legs[0].tokens,
    "the look shows the own trade",
  );

  const position = await client.positionOf("bought");
  assert.deepEqual([position.wallet, position.tokens], [SEVEN, quote.legs[0].tokens]);
  const exits = new Exits({ takeProfit: [{ at: "0.5x", sell: "100%" }] });
  const told = [];
  for await (const event of client.manage(position, exits, market, { everyMs: 1 }))
    told.push([event.what, event.order?.request?.fromWallet ?? null]);
  assert.equal(told.at(-1)[0], "over", JSON.stringify(told));
  assert.equal(sandbox.wallets[0].tokenAccounts.length, 0, "all is sold");

  // By balances, transactions and lists: each of several wallets, after a restart.
  const ends = [];
  for (const [id, fate] of Object.entries({ landed: "reply lost", never: "request lost" })) {
    service.fate = fate;
    wait(30_000);
    const buys = [
      { fromWallet: SEVEN, amountInLamports: SOL / 4 },
      { fromWallet: EIGHT, amountInLamports: SOL / 5 },
    ];
    await client.bundleBuy({ mint, feePayer: EIGHT, buys }, { intentId: id }).catch(() => {});
    ends.push(id);
  }
  service.fate = "answered";
  wait(200_000);
  const after = opened();
  const settled = await after.settle();
  const of = (id) => settled.find(({ intentId }) => intentId === id);
  assert.deepEqual(
    ends.map((id) => [id, of(id).outcome, of(id).reason]),
    [
      ["landed", "landed", null],
      ["never", "did_not_land", null],
    ],
  );
  assert.deepEqual(
    of("landed").reconciled.findings.map(({ wallet, shows }) => [wallet, shows]),
    [
      [SEVEN, "trade"],
      [EIGHT, "trade"],
    ],
  );
  const ofSeveral = after.positionOf("landed", { withinMs: 0 });
  await assert.rejects(ofSeveral, { name: "PositionError", code: "several_wallets" });
  assert.equal((await after.positionOf("landed", { wallet: EIGHT })).wallet, EIGHT);
});
