// The sandbox against the launchpad's own program: the same random trades on both. Reserves, balances, fees and rent are equal to the
// lamport, the rent of the account in which a wallet's volume is counted among them.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { TradeClient } from "launchpad-desk";
import { Market } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";
import { draws, seedOr } from "../seed.mjs";
import { Node } from "./node.mjs";
import { Program, addressOf, feeTiers } from "./program.mjs";

/** The rules of the executed program that accounts do not have. */
const RULES = { rentLamportsPerByte: 6960 };
const SEED = seedOr(20261124);
const SEQUENCES = Number(process.env.PROVE_CASES ?? 40);
const TRADES = 30;
const SOL = 1_000_000_000n;
/** What the random trades were. */
const met = new Set();
/** Of 137 bytes. */
const VOLUME_RENT = BigInt((137 + 128) * RULES.rentLamportsPerByte);

/** Wallets and tokens of one sequence, in the sandbox and in the program. */
class Pair {
  constructor(program, seed) {
    this.program = program;
    this.draw = draws(seed);
    const key = (name) => addressOf(`${seed} ${name}`);
    this.wallets = ["a", "b", "c", "payer"].map(key);
    this.creator = key("creator");
    this.mints = [];
    this.key = key;
  }

  static async of(program, seed, isNewer) {
    const own = new Pair(program, seed);
    // Whether a buy past the end of the curve buys the rest.
    own.isPartial = own.draw(2) === 1;
    // Whether its tokens are of the newer token program.
    own.isNewer = isNewer ?? own.draw(2) === 1;
    // Most have enough for many trades; some for hardly one.
    const lamports = own.wallets.map(() =>
      own.draw(5) ? BigInt(5 + own.draw(200)) * SOL + BigInt(own.draw(1e9)) : own.lamports(9) + 1_000_000n,
    );
    // The first buy of half the wallets also opens the account of their volume.
    const opens = own.wallets.map(() => own.draw(2) === 1);
    own.sandbox = new Sandbox({
      tokens: [],
      wallets: own.wallets.map((wallet, index) => ({
        wallet,
        lamports: lamports[index],
        opensVolumeAccount: opens[index],
      })),
      launchpad: {
        feeTiers,
        ...RULES,
        completion: own.isPartial ? "partial" : "reject",
        tokenAccountBytes: own.isNewer ? 170 : 165,
      },
    });
    const bank = own.key("bank");
    program.fund(bank, 1_000n * SOL);
    for (const [index, wallet] of own.wallets.entries()) {
      if (!opens[index]) assert.ok((await program.openVolumeAccount(wallet, bank)).success);
    }
    own.wallets.forEach((wallet, index) => program.fund(wallet, lamports[index]));
    // A creator's first fee must not leave less than the rent of an account.
    program.fund((await program.feeAccounts(own.creator))[2], 1_000_000n);
    await own.create();
    return own;
  }

  /** An amount that is as likely to be small as large, of at most so many digits. */
  lamports(digits) {
    const length = 1 + this.draw(digits);
    return (BigInt(this.draw(1e9)) * 10n ** BigInt(length)) / SOL;
  }

  async create() {
    const mint = this.key(`mint ${this.mints.length}`);
    const bank = this.key("bank");
    this.program.fund(bank, 1_000n * SOL);
    const created = await (this.isNewer
      ? this.program.createNewer(mint, bank, this.creator)
      : this.program.create(mint, bank, this.creator));
    assert.ok(created.success, `${created.why}\n${created.logs?.join("\n")}`);
    this.sandbox.launch({ mint, hasCreator: true });
    this.mints.push(mint);
  }

  held(wallet, mint) {
    return this.sandbox.wallets.find((own) => own.wallet === wallet).tokenAccounts.find((own) => own.mint === mint)
      ?.tokens;
  }

  /** A buy of more than a curve has, by a wallet with enough funds. */
  completing(mint) {
    const [wallet] = this.wallets;
    const gift = 200n * SOL;
    this.sandbox.fund(wallet, gift);
    this.program.fund(wallet, this.program.lamports(wallet) + gift);
    return { kind: "buy", mint, legs: [{ fromWallet: wallet, amountInLamports: gift - SOL }], isBundle: false };
  }

  /** A random request: its operation and its body. */
  request() {
    const { draw } = this;
    const kind = ["buy", "buy", "buy", "sell", "sellByPercentage", "sellByPercentage"][draw(6)];
    const open = this.wallets
      .slice(0, 3)
      .flatMap((wallet) =>
        this.mints.filter((mint) => this.held(wallet, mint) !== undefined).map((mint) => ({ wallet, mint })),
      );
    // Who sells mostly has an account of the token.
    const seller =
      kind !== "buy" && open.length && draw(10)
        ? open[draw(open.length)]
        : { wallet: this.wallets[draw(3)], mint: this.mints[draw(this.mints.length)] };
    const { mint } = seller;
    const legs = 1 + draw(3);
    const payer = draw(3) ? {} : { feePayer: this.wallets[3] };
    const priority = draw(4) ? {} : { priorityUnitLimit: 400_000 * legs, priorityUnitPrice: draw(2_000_000) };
    const leg = (wallet) => {
      const held = this.held(wallet, mint) ?? 0n;
      return {
        buy: {
          fromWallet: wallet,
          amountInLamports: draw(6) ? BigInt(1 + draw(4000)) * 1_000_000n + BigInt(draw(1e6)) : this.lamports(11) + 1n,
        },
        sell: {
          fromWallet: wallet,
          amountInToken: {
            baseUnits: draw(8) ? (held * BigInt(1 + draw(1000))) / 1000n + BigInt(draw(2)) || 1n : held + 1n,
          },
        },
        sellByPercentage: { fromWallet: wallet, percentage: draw(3) ? 1 + draw(99) : 100 },
      };
    };
    if (draw(3)) return { kind, mint, legs: [leg(seller.wallet)[kind]], isBundle: false, ...payer, ...priority };
    const holders = open.filter((own) => own.mint === mint).map((own) => own.wallet);
    const traders =
      kind === "buy" || !draw(10) ? this.wallets.slice(0, legs) : holders.length ? holders : [seller.wallet];
    const elements = traders.map((wallet) => leg(wallet)[kind]);
    return { kind, mint, legs: elements, isBundle: true, feePayer: payer.feePayer ?? traders[0], ...priority };
  }
}

const PATHS = {
  buy: ["buy", "bundle/buy"],
  sell: ["sell", "bundle/sell"],
  sellByPercentage: ["sell-by-percentage", "bundle/sell/by-percentage"],
};

/** Sends a request to the sandbox over its service: whether it landed, and why not. */
async function sendToSandbox(pair, { kind, mint, legs, isBundle, ...rest }) {
  const wire = legs.map((leg) => ({
    ...leg,
    ...(leg.amountInLamports !== undefined && { amountInLamports: Number(leg.amountInLamports) }),
    ...(leg.amountInToken !== undefined && { amountInToken: decimal(leg.amountInToken.baseUnits) }),
    ...(isBundle ? { slippage: 100 } : {}),
  }));
  const path = PATHS[kind][Number(isBundle)];
  const body = isBundle
    ? { mint, [kind === "buy" ? "buys" : "sells"]: wire, ...rest }
    : { mint, ...wire[0], slippage: 100, ...rest };
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await pair.sandbox.fetch(`https://sandbox.example/v1/trade/${path}`, init);
  const told = await response.text();
  assert.equal(response.status, 200, `${path} ${init.body}: ${told}`);
  const { transactionResult } = JSON.parse(told).result;
  return { success: transactionResult.success, why: transactionResult.results.message };
}

/** Base units of a token with six decimals as whole tokens. */
function decimal(units) {
  const digits = String(units).padStart(7, "0");
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Sends the same to the program, as a service does: one transaction. */
async function sendToProgram(pair, { kind, mint, legs, feePayer, priorityUnitLimit, priorityUnitPrice }) {
  const { program, creator } = pair;
  const instructions = priorityUnitPrice === undefined ? [] : program.priority(priorityUnitLimit, priorityUnitPrice);
  const held = new Map();
  for (const leg of legs) {
    const { fromWallet } = leg;
    if (kind === "buy") {
      instructions.push(
        await program.open(mint, fromWallet),
        await program.buy(mint, creator, fromWallet, leg.amountInLamports, 1n, pair.isPartial),
      );
      continue;
    }
    const before = held.get(fromWallet) ?? program.tokens(await program.tokenAccountOf(fromWallet, mint)) ?? 0n;
    const tokens = kind === "sell" ? leg.amountInToken.baseUnits : (before * BigInt(leg.percentage)) / 100n;
    held.set(fromWallet, before - tokens);
    instructions.push(await program.sell(mint, creator, fromWallet, tokens, 0n));
    if (tokens === before) instructions.push(await program.close(mint, fromWallet));
  }
  return program.send(feePayer ?? legs[0].fromWallet, instructions);
}

/** Asserts that both hold the same. */
async function assertEqual(pair, mint, fees, what) {
  const { program, sandbox, creator } = pair;
  const token = sandbox.tokens.find((own) => own.mint === mint);
  const curve = await program.curve(mint);
  for (const name of ["virtualTokenReserves", "virtualSolReserves", "realTokenReserves", "realSolReserves"]) {
    assert.equal(token[name], curve[name], `${name}: ${what}`);
  }
  for (const wallet of pair.wallets) {
    const own = sandbox.wallets.find((row) => row.wallet === wallet);
    assert.equal(own.lamports, program.lamports(wallet), `lamports of ${wallet}: ${what}`);
    const account = own.tokenAccounts.find((row) => row.mint === mint);
    const key = await program.tokenAccountOf(wallet, mint);
    assert.equal(account?.tokens, program.tokens(key), `tokens of ${wallet}: ${what}`);
    assert.equal(account?.lamports ?? 0n, program.lamports(key), `rent of ${wallet}: ${what}`);
    const volume = await program.volumeAccountOf(wallet);
    assert.equal(own.opensVolumeAccount, program.account(volume) === null, `volume account of ${wallet}: ${what}`);
    if (!own.opensVolumeAccount) assert.equal(program.lamports(volume), VOLUME_RENT, `its rent: ${what}`);
  }
  const accounts = await program.feeAccounts(creator);
  const arrived = accounts.reduce((sum, key) => sum + program.lamports(key), 0n) + curve.waitingFees;
  const charged = sandbox.tokens.reduce((sum, own) => sum + own.protocolFeesLamports + own.creatorFeesLamports, 0n);
  assert.equal(charged - fees.charged, arrived - fees.arrived, `fees: ${what}`);
}

/** Plays one sequence on both. */
async function play(program, seed) {
  const pair = await Pair.of(program, seed);
  for (let trade = 0; trade < TRADES; trade++) {
    if (!pair.draw(12)) await pair.create();
    const incomplete = pair.sandbox.tokens.filter((own) => !own.complete);
    const request = !pair.draw(25) && incomplete.length ? pair.completing(incomplete[0].mint) : pair.request();
    const accounts = await program.feeAccounts(pair.creator);
    const { waitingFees } = await program.curve(request.mint);
    const fees = {
      charged: pair.sandbox.tokens.reduce((sum, own) => sum + own.protocolFeesLamports + own.creatorFeesLamports, 0n),
      arrived: accounts.reduce((sum, key) => sum + program.lamports(key), 0n) + waitingFees,
    };
    const ours = await sendToSandbox(pair, request);
    const theirs = await sendToProgram(pair, request);
    const what = `seed ${seed}, trade ${trade}: ${JSON.stringify(request, (_, value) => (typeof value === "bigint" ? `${value}` : value))}\nsandbox: ${ours.success} ${ours.why}\nprogram: ${theirs.success} ${theirs.why}\n${theirs.logs?.slice(-5).join("\n")}`;
    assert.equal(ours.success, theirs.success, what);
    await assertEqual(pair, request.mint, fees, what);
    met.add(!ours.success ? "failed" : request.isBundle ? `bundle ${request.kind}` : request.kind);
    if (ours.success && pair.isNewer) met.add("newer token program");
    if (ours.success && (await program.curve(request.mint)).complete) met.add("completed");
  }
}

test("random trades do in the sandbox what they do in the program, to the lamport", async () => {
  const program = await Program.start();
  for (let sequence = 0; sequence < SEQUENCES; sequence++) await play(program, SEED + BigInt(sequence));
  const kinds = ["buy", "sell", "sellByPercentage"].flatMap((kind) => [kind, `bundle ${kind}`]);
  const missed = [...kinds, "newer token program", "completed", "failed"].filter((kind) => !met.has(kind));
  assert.deepEqual(missed, []);
});

/** The service's reply to a trade, as the interface has it. */
async function replyOf(program, { mint, fromWallet }, before, { success, why, signature }, kind) {
  const account = await program.tokenAccountOf(fromWallet, mint);
  const after = program.tokens(account);
  const amount =
    kind === "buy"
      ? { buyAmount: decimal((after ?? 0n) - before) }
      : { sellAmount: decimal(before - (after ?? 0n)), tokenAccountClosed: after === undefined };
  const balances = { preTokenBalance: decimal(before), postTokenBalance: decimal(after ?? 0n) };
  return {
    result: {
      mint,
      wallet: fromWallet,
      ...amount,
      ...balances,
      signature,
      transactionResult: { success, signature, results: why ?? "ok" },
      tokenAccount: account,
    },
  };
}

test("what the executed program did is quoted, confirmed, compared and settled by a node's JSON-RPC", async () => {
  for (const isNewer of [false, true]) {
    const program = await Program.start();
    mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
    try {
      const wait = (ms) => mock.timers.setTime(Date.now() + ms);
      const node = new Node(program, () => Date.now());
      const pair = await Pair.of(program, SEED + 3n, isNewer);
      const [mint] = pair.mints;
      const [wallet, other] = pair.wallets;
      for (const one of [wallet, other]) program.fund(one, 50n * SOL);
      wait(60_000);
      // The service: executes a trade, or fails it by a bound that no trade reaches, and may lose the request or the reply.
      let fate = "answered";
      const fetch = async (url, { body }) => {
        if (fate === "request lost") throw new Error("the connection was lost");
        const { fromWallet, amountInLamports, percentage } = JSON.parse(body);
        const before = program.tokens(await program.tokenAccountOf(fromWallet, mint)) ?? 0n;
        const kind = percentage === undefined ? "buy" : "sellByPercentage";
        wait(1_000);
        const done =
          fate === "failed"
            ? program.send(fromWallet, [
                await program.open(mint, fromWallet),
                await program.buy(mint, pair.creator, fromWallet, amountInLamports, 10n ** 18n),
              ])
            : await sendToProgram(pair, { kind, mint, legs: [{ fromWallet, amountInLamports, percentage }] });
        wait(1_000);
        assert.equal(done.success, fate !== "failed", done.why);
        if (fate !== "answered") throw new Error("the connection was lost");
        return Response.json(await replyOf(program, { mint, fromWallet }, before, done, kind));
      };
      const market = new Market({ rpc: node.rpc, rules: RULES, walletsShared: false, serviceHoldsMs: 10_000 });
      const client = new TradeClient({
        baseURL: "https://service.example",
        fetch,
        market,
        checkDrift: false,
        breaker: { unknowns: 9 },
      });

      // Quoted by the program's accounts, to the lamport, and as quoted.
      const buy = { mint, fromWallet: wallet, amountInLamports: 3_000_000_000 };
      for (const [operation, request] of [
        ["buy", buy],
        ["sellByPercentage", { mint, fromWallet: wallet, percentage: 33 }],
        ["sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }],
      ]) {
        const plan = await client.plan(operation, request);
        const before = program.lamports(wallet);
        const trade = await client.send(plan);
        assert.equal(program.lamports(wallet) - before, BigInt(plan.price.wallets[0].netLamports), operation);
        assert.equal(await client.confirm(trade), "finalized");
        const { causes, wallets } = await client.drift(plan, trade.result.signature);
        assert.deepEqual([causes, wallets[0].unexplainedLamports], [[], 0n], operation);
      }
      // Replies that are lost: what the chain proves is what the program did.
      const lost = async (what, intentId, request) => {
        fate = what;
        const before = [
          program.lamports(request.fromWallet),
          program.tokens(await program.tokenAccountOf(request.fromWallet, mint)) ?? 0n,
        ];
        const error = await client.buy(request, { intentId }).catch((error) => error);
        assert.equal(error.outcome, "unknown", String(error.stack));
        return {
          lamports: program.lamports(request.fromWallet) - before[0],
          tokens: (program.tokens(await program.tokenAccountOf(request.fromWallet, mint)) ?? 0n) - before[1],
        };
      };
      const landed = await lost("reply lost", "landed", buy);
      wait(120_000);
      const ends = (settled) => settled.map(({ intentId, outcome, reason }) => [intentId, outcome, reason]);
      const [first] = await client.settle();
      assert.deepEqual(ends([first]), [["landed", "landed", null]]);
      const [finding] = first.reconciled.findings;
      assert.deepEqual([finding.tokensMoved, finding.lamportsMoved], [landed.tokens, landed.lamports]);
      assert.ok(landed.tokens > 0n);
      const failed = await lost("failed", "failed", { mint, fromWallet: other, amountInLamports: 1_000_000_000 });
      wait(150_000);
      const [second] = await client.settle();
      assert.deepEqual([...ends([second]), second.feeLamports], [["failed", "failed", null], -failed.lamports]);
      await lost("request lost", "never", { mint, fromWallet: other, amountInLamports: 1_000_000_000 });
      assert.deepEqual(
        ends(await client.settle()).map(([, outcome]) => outcome),
        ["unknown"],
        "its blockhash is alive",
      );
      wait(150_000);
      assert.deepEqual(ends(await client.settle()), [["never", "did_not_land", null]]);
      assert.deepEqual(await client.pending(), []);
    } finally {
      mock.timers.reset();
    }
  }
});
