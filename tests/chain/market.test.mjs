// A market of recorded accounts: a look of one slot, quotes with it, lag and age, and a client that uses it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import test, { mock } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import {
  AccountError,
  Curve,
  Exits,
  FEE_CONFIG,
  FEE_PROGRAM,
  GLOBAL,
  LAUNCHPAD_PROGRAM,
  Market,
  MarketError,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  Trader,
  curveAddress,
  quoteAt,
  tokenAccountAddress,
  volumeAccountAddress,
} from "launchpad-desk/market";
import { LocalChain, Sandbox, quote } from "launchpad-desk/sandbox";
import { rpcOf } from "./node.mjs";
import { VOLUME_ACCOUNT_RENT } from "../rents.mjs";

const vectors = (name) => JSON.parse(readFileSync(new URL(`../vectors/chain/${name}.json`, import.meta.url), "utf8"));
const [curves, configs] = ["curve-accounts", "config-accounts"].map(vectors);
const curveCase =
  curves.cases.find(({ id, mint }) => mint && id === "0.5.0/sell_v3") ?? curves.cases.find(({ mint }) => mint);
const { mint } = curveCase;
const wallet = "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM";
const SYSTEM = "11111111111111111111111111111111";
const request = { mint, fromWallet: wallet, amountInLamports: 50_000_000 };
const clientOf = (options) => new TradeClient({ baseURL: "https://service.example", ...options });

const padded = ({ dataBase64, padZerosTo }) => {
  const data = Buffer.from(dataBase64, "base64");
  return Buffer.concat([data, Buffer.alloc(Math.max(0, (padZerosTo ?? 0) - data.length))]).toString("base64");
};
const given = (owner, lamports, data) => ({
  owner,
  lamports,
  data: [data, "base64"],
  executable: false,
  space: 1,
  rentEpoch: 18446744073709551615n.toString(),
});
function mintData(supply, decimals = 6) {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = 1;
  return data.toString("base64");
}
function tokenData(owner, tokens, { isFrozen = false, closer } = {}) {
  const [digits, data] = ["123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", Buffer.alloc(165)];
  const bytes = (address) => {
    let number = 0n;
    for (const digit of address) number = number * 58n + BigInt(digits.indexOf(digit));
    return Buffer.from(number.toString(16).padStart(64, "0"), "hex");
  };
  bytes(mint).copy(data, 0);
  bytes(owner).copy(data, 32);
  data.writeBigUInt64LE(tokens, 64);
  data[108] = isFrozen ? 2 : 1;
  if (closer) {
    data[129] = 1;
    bytes(closer).copy(data, 133);
  }
  return data.toString("base64");
}

/** The chain at a slot, by address. */
function world({ program = TOKEN_PROGRAM, tokens = 5_000_000n, supply = 10n ** 15n } = {}) {
  const accounts = new Map([
    [curveAddress(mint), given(LAUNCHPAD_PROGRAM, 1_000, curveCase.dataBase64.before)],
    [
      FEE_CONFIG,
      given(FEE_PROGRAM, 1, padded(configs.feeConfigs.find(({ decoded }) => decoded.feeTiers.length === 1))),
    ],
    [GLOBAL, given(LAUNCHPAD_PROGRAM, 1, padded(configs.globals.at(-1)))],
    [mint, given(program, 1, mintData(supply))],
    [wallet, given(SYSTEM, 3_000_000_000, "")],
  ]);
  if (tokens !== null)
    accounts.set(tokenAccountAddress(wallet, program, mint), given(program, 2_039_280, tokenData(wallet, tokens)));
  return accounts;
}
/** What a node answers to a call for accounts. */
const told = (accounts, addresses, slot = 700) => ({
  context: { slot },
  value: addresses.map((address) => accounts.get(address) ?? null),
});
const source = (accounts, slots = [700]) => {
  const asked = [];
  return {
    asked,
    accounts: async (addresses) => (
      asked.push(addresses),
      told(accounts, addresses, slots.length > 1 ? slots.shift() : slots[0])
    ),
  };
};
/** A new slot at each call. */
const risingSlots = () => Array.from({ length: 99 }, (_, slot) => 700 + slot);
/** Serves what `answer` does while `work` runs, which gets the address. */
async function served(answer, work) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const never = () => new Promise(() => {});
const codeOf = async (work, type) => {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof type, String(error.stack));
    return error.code;
  }
  return assert.fail("nothing was thrown");
};

const ANSWER = '{"result":{"transactionResult":{"success":true}}}';
const replyOf = (body) => ({ status: 200, headers: new Map(), body: null, arrayBuffer: async () => Buffer.from(body) });
/** A service that answers each trade with the next of these: a signature, or nothing at all. */
const serviceOf =
  (...answers) =>
  async () => {
    const signature = answers.shift();
    if (signature === undefined) throw new Error("the connection was lost");
    return replyOf(JSON.stringify({ result: { signature, transactionResult: { success: true } } }));
  };

test("a look is one request and one slot, and prices as the maths do", async () => {
  const { asked, accounts } = source(world());
  const market = new Market({ accounts });
  const look = await market.look(mint, [wallet]);
  assert.equal(asked.length, 1);
  assert.equal(asked[0].length, 4 + 4);
  assert.deepEqual(
    [look.slot, look.commitment, look.wallets[0].lamports, look.wallets[0].holding.tokens],
    [700, "confirmed", 3_000_000_000n, 5_000_000n],
  );
  assert.equal(look.curve.launchpad.tokenAccountBytes, 165n);
  const priced = await market.quote("buy", request);
  assert.deepEqual([priced.slot, priced.commitment], [700, "confirmed"]);
  const { slot, atMs, commitment, curve, ...same } = priced;
  assert.deepEqual(curve, look.curve);
  assert.deepEqual(same, quote("buy", request, look.sandbox));
  if (!look.curve.complete) {
    assert.equal(priced.legs[0].tokens, new Curve(look.curve).buyExactIn(50_000_000n));
    const sandbox = new Sandbox(look.sandbox);
    assert.equal(sandbox.curve(mint).buyExactIn(50_000_000n), priced.legs[0].tokens);
  }
});

test("a first buy also opens the volume account, and what can be spent is less by its rent", async () => {
  const accounts = world({ tokens: null });
  const spendable = async () => {
    const market = new Market({ accounts: source(accounts).accounts });
    const look = await market.look(mint, [wallet]);
    const [{ lamports, opensVolumeAccount }] = look.wallets;
    const priced = await market.quote("buy", request, look);
    const trader = new Trader({ wallet: { lamports, opensVolumeAccount } });
    const curve = new Curve(look.curve);
    const { volumeRentLamports, netLamports } = curve.quoteBuyExactIn(50_000_000n, trader);
    assert.deepEqual(
      [priced.legs[0].volumeRentLamports, priced.wallets[0].netLamports],
      [volumeRentLamports, netLamports],
    );
    return [opensVolumeAccount, volumeRentLamports, curve.largestBuyWithinBalance(trader)];
  };
  const rent = VOLUME_ACCOUNT_RENT;
  const [opens, first, most] = await spendable();
  assert.deepEqual([opens, first], [true, rent]);
  // Lamports that somebody sent there are no account of the launchpad.
  accounts.set(volumeAccountAddress(wallet), given(SYSTEM, 1, ""));
  assert.equal((await spendable())[0], true);
  accounts.set(volumeAccountAddress(wallet), given(LAUNCHPAD_PROGRAM, 1_844_400, Buffer.alloc(137).toString("base64")));
  assert.deepEqual(await spendable(), [false, 0n, most + rent]);
});

test("a plan is priced with the slippage of its body, in the unit of the client's service", async () => {
  const market = new Market({ accounts: source(world(), risingSlots()).accounts });
  const bounded = { ...request, slippage: { bps: 50 } };
  const priced = async (slippageUnit) => {
    const client = clientOf({ market, slippageUnit });
    const { body, price } = await client.plan("buy", bounded);
    return [JSON.parse(body).slippage, price.legs[0].slippagePercent, price.legs[0].worstTokens];
  };
  const [inPercent, inBps] = [await priced("percent"), await priced("bps")];
  assert.deepEqual(inPercent.slice(0, 2), [0.5, "0.5"]);
  assert.deepEqual(inBps, [50, "0.5", inPercent[2]]);
  const { legs } = await market.quoteBody("buy", JSON.stringify({ ...request, slippage: 50 }), "bps");
  assert.equal(legs[0].slippagePercent, "0.5");
});

test("a sandbox is a market of its own trades", async () => {
  const sandbox = new Sandbox();
  const [{ mint }, [one]] = [sandbox.tokens[0], sandbox.wallets];
  const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox, journal: memoryJournal() });
  assert.ok(client.hasMarket);
  const request = { mint, fromWallet: one.wallet, amountInLamports: 1_000_000_000 };
  const plan = await client.plan("buy", request);
  assert.equal(plan.price.legs[0].tokenAmount, "34199203.120618");
  const trade = await client.send(plan);
  assert.deepEqual([await client.confirm(trade), await sandbox.confirm("S")], ["finalized", "not_seen"]);
  const [held, ...more] = await sandbox.before(plan);
  assert.deepEqual(
    [held, more],
    [{ wallet: one.wallet, tokens: 34_199_203_120_618n, lamports: sandbox.wallets[0].lamports, slot: 1 }, []],
  );
  sandbox.setFaults({ script: [{ kind: "noAnswer" }] });
  const lost = await client.buy(request).catch((error) => error);
  const [{ before }] = await client.pending();
  assert.deepEqual(
    [lost.outcome, before.map(({ tokens, slot }) => [BigInt(tokens), Number(slot)])],
    ["unknown", [[34_199_203_120_618n, 1]]],
  );
  await assert.rejects(client.settle(), /a sandbox keeps no evidence/);
});

test("a frozen account is refused by name in every price of the look, in a plan and in a sandbox of it", async () => {
  const accounts = world();
  accounts.set(
    tokenAccountAddress(wallet, TOKEN_PROGRAM, mint),
    given(TOKEN_PROGRAM, 2_039_280, tokenData(wallet, 5_000_000n, { isFrozen: true })),
  );
  const market = new Market({ accounts: source(accounts).accounts });
  const look = await market.look(mint, [wallet]);
  assert.equal(look.wallets[0].holding.isFrozen, true);
  const [sell, code] = [{ mint, fromWallet: wallet, percentage: 100 }, "token_account_frozen"];
  const { refused } = await market.quote("sellByPercentage", sell, look);
  const message = "the wallet's token account is frozen: it can neither sell nor buy";
  assert.deepEqual([refused.code, refused.message], [code, message]);
  const plan = await clientOf({ fetch: serviceOf(), market }).plan("buy", request);
  assert.equal(plan.price.refused.code, code);
  // The same by the maths alone, with what the look says.
  const { lamports, holding } = look.wallets[0];
  const trader = new Trader({ wallet: { lamports, tokenAccount: { tokens: holding.tokens, isFrozen: true } } });
  assert.throws(() => new Curve(look.curve).quoteSellPercentage(100, trader), { code });
  // A sandbox of the look holds it as frozen, and so does the chain around that.
  const sandbox = new Sandbox(look.sandbox);
  assert.equal(sandbox.wallets[0].tokenAccounts[0].isFrozen, true);
  const failed = await new TradeClient({ fetch: sandbox.fetch }).sellByPercentage(sell).catch((error) => error);
  assert.equal(failed.outcome, "failed");
  assert.match(sandbox.trades[0].results, /token_account_frozen/);
  const rpc = rpcOf(new LocalChain(sandbox));
  const local = await new Market({ rpc, commitment: "processed" }).look(mint, [wallet]);
  assert.equal(local.wallets[0].holding.isFrozen, true);
});

test("an account that only somebody else may close refunds nothing, and stays open", async () => {
  const sold = async (closer) => {
    const accounts = world();
    const data = tokenData(wallet, 5_000_000n, { closer });
    accounts.set(tokenAccountAddress(wallet, TOKEN_PROGRAM, mint), given(TOKEN_PROGRAM, 2_039_280, data));
    const market = new Market({ accounts: source(accounts).accounts });
    const look = await market.look(mint, [wallet]);
    const { legs } = await market.quote("sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }, look);
    const sandbox = new Sandbox(look.sandbox);
    await new TradeClient({ fetch: sandbox.fetch }).sellByPercentage({ mint, fromWallet: wallet, percentage: 100 });
    const curve = new Curve(look.curve);
    const { tokens, lamports } = look.wallets[0].holding;
    const { staysOpen } = look.sandbox.wallets[0].holdings[0];
    const own = curve.quoteSellPercentage(
      100,
      new Trader({ wallet: { lamports: 10n ** 9n, tokenAccount: { tokens, lamports, staysOpen } } }),
    );
    assert.deepEqual([own.tokenAccount, own.rentLamports], [legs[0].tokenAccount, legs[0].rentLamports]);
    return [legs[0].tokenAccount, legs[0].rentLamports, sandbox.wallets[0].tokenAccounts];
  };
  for (const own of [undefined, wallet]) assert.deepEqual(await sold(own), ["closes", 2_039_280n, []]);
  const [tokenAccount, rentLamports, [left]] = await sold(FEE_PROGRAM);
  assert.deepEqual([tokenAccount, rentLamports], ["stays", 0n]);
  assert.deepEqual([left.tokens, left.lamports, left.staysOpen], [0n, 2_039_280n, true]);
});

test("what the chain has is never an option that the caller gave", async () => {
  const accounts = world();
  const { data, ...fees } = accounts.get(FEE_CONFIG);
  const bytes = Buffer.from(data[0], "base64");
  bytes.writeUInt32LE(0, 65);
  accounts.set(FEE_CONFIG, { ...fees, data: [bytes.toString("base64"), "base64"] });
  const market = new Market(source(accounts));
  const plan = await new TradeClient({ fetch: new Sandbox().fetch, market }).plan("buy", request);
  const look = await market.look(mint, [wallet]);
  for (const { refused } of [plan.price, quoteAt(look, "buy", request), quote("buy", request, look.sandbox)])
    assert.equal(refused.code, "no_fee_tier");
  accounts.set(mint, given(TOKEN_PROGRAM, 1, mintData(10n ** 15n, 19)));
  assert.equal(await codeOf(market.quote("buy", request), AccountError), "range");
});

test("a token of the newer program has larger accounts, and a wallet without one holds nothing", async () => {
  const market = new Market({ accounts: source(world({ program: TOKEN_2022_PROGRAM, tokens: null })).accounts });
  const { curve, wallets } = await market.look(mint, [wallet, GLOBAL]);
  assert.equal(curve.launchpad.tokenAccountBytes, 170n);
  assert.equal(wallets[0].tokenAccount, tokenAccountAddress(wallet, TOKEN_2022_PROGRAM, mint));
  assert.equal(wallets[0].holding, null);
});

/** A stream that the test feeds, and what is asked of it. */
function fed() {
  const [waiting, come] = [[], []];
  const told = { addresses: null, isEnded: false };
  const give = (came) => (waiting.length ? waiting.shift()(came) : come.push(came));
  const follow = (addresses, signal) => {
    told.addresses = addresses;
    signal.addEventListener("abort", () => (told.isEnded = true));
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => (come.length ? Promise.resolve(come.shift()) : new Promise((resolve) => waiting.push(resolve))),
      }),
    };
  };
  return {
    told,
    follow,
    push: (value) => give({ value, done: false }),
    close: () => give({ value: undefined, done: true }),
    breaks: (why) => give(Promise.reject(new Error(why))),
  };
}

test("a stream of accounts is watched: a look when its slot is over, and no update is lost", async () => {
  const accounts = world();
  const { follow, told, push, close } = fed();
  const stop = new AbortController();
  // An update that comes while the first look is on its way.
  const first = source(accounts);
  const market = new Market({
    accounts: async (addresses) => (
      push({ slot: 702, address: wallet, account: { ...accounts.get(wallet), lamports: 2_000_000_000 } }),
      first.accounts(addresses)
    ),
  });
  const looks = market.watch(mint, { wallets: [wallet], follow, signal: stop.signal });
  const next = async () => (await looks.next()).value;
  const begun = await next();
  assert.deepEqual([begun.slot, begun.wallets[0].lamports, first.asked.length], [700, 3_000_000_000n, 1]);
  assert.deepEqual(told.addresses, first.asked[0]);
  // The account as bytes, and one that is gone; updates of an older slot than what is known change nothing.
  const data = Uint8Array.from(Buffer.from(tokenData(wallet, 9n), "base64"));
  push({
    slot: 702,
    address: tokenAccountAddress(wallet, TOKEN_PROGRAM, mint),
    account: { owner: TOKEN_PROGRAM, lamports: 2_039_280, data },
  });
  push({ slot: 699, address: wallet, account: null });
  push({ slot: 703 });
  const second = await next();
  assert.deepEqual(
    [second.slot, second.wallets[0].lamports, second.wallets[0].holding.tokens, second.commitment],
    [702, 2_000_000_000n, 9n, "confirmed"],
  );
  assert.equal((await market.quote("buy", request, second)).slot, 702);
  push({ slot: 704, address: curveAddress(mint), account: null });
  push({ slot: 705 });
  assert.equal((await next()).slot, 703);
  const gone = await next();
  assert.deepEqual([gone instanceof AccountError, gone.account, gone.code], [true, "curve", "missing"]);
  push({ slot: -1 });
  assert.equal((await next()).code, "invalid_options", "what is no update says so");
  push({ slot: 706, address: curveAddress(mint), account: accounts.get(curveAddress(mint)) });
  push({ slot: 707 });
  assert.equal((await next()).code, "missing", "the slot before it");
  assert.equal((await next()).slot, 706);
  close();
  assert.deepEqual(
    [(await next()).code, await looks.next(), told.isEnded],
    ["unreachable", { value: undefined, done: true }, true],
  );
  assert.equal(first.asked.length, 1, "one request in all");
});

test("a stream that stands still, goes back or breaks says so; without a first look it is asked for again", async () => {
  const accounts = world();
  const stream = fed();
  const looked = [];
  let isDown = true;
  const market = new Market({
    maxAgeMs: 40,
    accounts: async (addresses) =>
      isDown ? Promise.reject(new Error("offline")) : source(accounts).accounts(addresses),
  });
  let told;
  const until = async (isThere) => {
    while (!looked.some(isThere)) await new Promise((resolve) => (told = resolve));
    return looked.splice(0);
  };
  const stop = market.watch(mint, (look) => (looked.push(look), told?.()), { follow: stream.follow, everyMs: 1 });
  assert.ok((await until((look) => look.code === "unreachable")).every(({ code }) => code === "unreachable"));
  isDown = false;
  assert.equal((await until((look) => look.slot === 700)).at(-1).slot, 700);
  // Slots that do not rise do not make it fresh.
  stream.push({ slot: 650 });
  const [stale] = await until((look) => look instanceof Error);
  assert.deepEqual([stale.name, stale.code], ["MarketError", "stale"]);
  // Said once, until a slot rises again.
  stream.push({ slot: 650 });
  await new Promise((resolve) => setTimeout(resolve, 120));
  assert.deepEqual(looked, []);
  stream.push({ slot: 701 });
  stream.push({ slot: 702 });
  assert.equal((await until((look) => look.slot === 701)).at(-1).slot, 701);
  stream.breaks("wss://node.example/?key=secret-key-1");
  const broken = (await until((look) => look.code === "unreachable")).at(-1);
  assert.ok(!broken.message.includes("secret"));
  stop();
  assert.equal(stream.told.isEnded, true);
});

test("what is missing, lags, is old or cut says so", async () => {
  const without = (address) => {
    const accounts = world();
    accounts.delete(address);
    return new Market({ accounts: source(accounts).accounts });
  };
  for (const [address, account] of [
    [curveAddress(mint), "curve"],
    [FEE_CONFIG, "fee_config"],
    [GLOBAL, "global"],
    [mint, "mint"],
  ]) {
    const error = await without(address)
      .look(mint)
      .catch((error) => error);
    assert.ok(error instanceof AccountError, String(error));
    assert.deepEqual([error.account, error.code], [account, "missing"]);
    // A token that was just made may be there later; the launchpad's own accounts are not new.
    const isNew = /^the (token's curve|mint) does not exist, or not yet at this commitment$/.test(error.message);
    assert.equal(isNew, account === "curve" || account === "mint", error.message);
  }
  const absent = await without(wallet).look(mint, [wallet]);
  assert.equal(absent.wallets[0].lamports, null);

  const back = new Market({ accounts: source(world(), [700, 699]).accounts });
  await back.look(mint);
  assert.equal(await codeOf(back.look(mint), MarketError), "went_back");

  // A node that lags does not have a new token yet: that it lags is the reason.
  let [slot, accounts] = [700, world()];
  const lagging = new Market({ accounts: async (addresses) => told(accounts, addresses, slot) });
  await lagging.look(mint);
  accounts.delete(mint);
  slot = 699;
  assert.equal(await codeOf(lagging.look(mint), MarketError), "went_back");
  slot = 701;
  assert.equal(await codeOf(lagging.look(mint), AccountError), "missing");

  const old = new Market({ accounts: source(world()).accounts, maxAgeMs: 60_000 });
  const look = await old.look(mint, [wallet]);
  const aged = { ...look, atMs: look.atMs - 60_001 };
  assert.equal(
    await codeOf(old.quote("buy", { mint, fromWallet: wallet, amountInLamports: 1_000_000 }, aged), MarketError),
    "stale",
  );

  const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"behind"}}';
  for (const [given, code] of [
    [{ accounts: async () => ({ context: { slot: 1 }, value: [] }) }, "unreadable_reply"],
    [{ rpc: async () => "<html>" }, "unreadable_reply"],
    [{ rpc: async () => refusal }, "node_refused"],
    [{ rpc: () => Promise.reject(new Error("https://rpc.example/?key=secret")) }, "unreachable"],
    // A function that hangs is a source without a reply.
    [{ rpc: never, timeoutMs: 20 }, "unreachable"],
    [{ accounts: never, timeoutMs: 20 }, "unreachable"],
  ])
    assert.equal(await codeOf(new Market(given).look(mint), MarketError), code);
  assert.equal(
    await codeOf(back.settleTrade({ intentId: "a", operation: "buy", body: "{}", startedAtMs: 1 }), MarketError),
    "no_history",
  );
  assert.throws(() => new Market({}), /rpc or accounts/);
});

test("a reply with a status of no success says nothing, whatever its body, and a reply has a longest length", async () => {
  const accounts = world();
  const answered = (body) => {
    const { id, params } = JSON.parse(body);
    return JSON.stringify({ jsonrpc: "2.0", id, result: told(accounts, params[0]) });
  };
  let answer;
  const node = async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    await answer(response, body);
  };
  const looked = async (options, reply) => {
    answer = reply;
    const look = await new Market({ rpc, ...options }).look(mint, [wallet]).catch((error) => error);
    if (!(look instanceof Error)) return look.slot;
    assert.ok(look instanceof MarketError && !look.stack.includes("secret-key-1"), look.stack);
    return [look.code, look.status, look.message];
  };
  let rpc;
  await served(node, async (at) => {
    rpc = `http://${at}/?key=secret-key-1`;
    const says = (status, text) => (response, body) => void response.writeHead(status).end(text ?? answered(body));
    assert.equal(await looked({}, says(200)), 700);
    // A look that could be read, and the node's words, which may have a key in them.
    for (const [status, code, text] of [
      [429, "node_refused"],
      [403, "node_refused", '{"error":{"code":-1,"message":"secret-key-1 has ended"}}'],
      [500, "unreachable"],
      [502, "unreachable", "<html>"],
    ]) {
      const message = `the node answered with the HTTP status ${status}`;
      assert.deepEqual(await looked({}, says(status, text)), [code, status, message]);
    }
    let most = 0;
    await looked({}, (response, body) => void response.end(answered(body), () => (most = answered(body).length)));
    assert.equal(await looked({ maxReplyBytes: most }, says(200)), 700);
    assert.deepEqual(await looked({ maxReplyBytes: most - 1 }, says(200)), [
      "unreadable_reply",
      undefined,
      `the reply is longer than ${most - 1} bytes (maxReplyBytes)`,
    ]);
    // One that never ends is read up to the limit, and the connection is closed.
    let isClosed;
    const endless = (response) => {
      isClosed = new Promise((resolve) => response.on("close", resolve));
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    assert.deepEqual((await looked({ maxReplyBytes: 500_000 }, endless)).slice(0, 2), ["unreadable_reply", undefined]);
    await isClosed;
    // A function's reply has the same limit.
    const given = await new Market({ rpc: async (body) => answered(body), maxReplyBytes: 10 })
      .look(mint)
      .catch((error) => error);
    assert.deepEqual(
      [given.code, given.message],
      ["unreadable_reply", "the reply is longer than 10 bytes (maxReplyBytes)"],
    );
  });
});

test("a node is reached by a user and a password, and by headers, and an error says why not", async () => {
  const seen = [];
  const node = (request, response) => {
    seen.push([request.headers.authorization, request.headers["x-token"], request.url]);
    if (request.url === "/reset") return request.socket.destroy();
    if (request.url === "/silent") return undefined;
    return response.writeHead(500, { connection: "close" }).end();
  };
  const why = async (options) => {
    const { code, message, status } = await new Market(options).look(mint).then(
      () => ({}),
      (error) => error,
    );
    assert.ok(!/secret|pa%3Ass|pa:ss/.test(message), message);
    return [code, message, status];
  };
  const gone = await served(node, async (at) => {
    await why({ rpc: `http://me:pa%3Ass@${at}/a?api-key=secret` });
    await why({ rpc: `http://${at}/b`, headers: { "x-token": "secret" } });
    await why({ rpc: `http://me@${at}/c`, headers: { authorization: "Bearer secret" } });
    assert.deepEqual(seen.splice(0), [
      [`Basic ${btoa("me:pa:ss")}`, undefined, "/a?api-key=secret"],
      [undefined, "secret", "/b"],
      ["Bearer secret", undefined, "/c"],
    ]);
    // What people paste: a `%` that begins no code, bytes that are no UTF-8, letters that are no ASCII, and a name in another spelling.
    const basic = (bytes) => `Basic ${Buffer.from(bytes).toString("base64")}`;
    for (const [pair, bytes] of [
      ["50%off:p%zz", "50%off:p%zz"],
      ["me:100%", "me:100%"],
      ["me:%", "me:%"],
      ["me:100%25", "me:100%"],
      ["me:%4", "me:%4"],
      ["m\u00fc:p\u{1f511}", "m\u00fc:p\u{1f511}"],
      ["me:%e4", [0x6d, 0x65, 0x3a, 0xe4]],
      [":only", ":only"],
    ]) {
      assert.equal((await why({ rpc: `http://${pair}@${at}/d` }))[2], 500, pair);
      assert.deepEqual(seen.splice(0), [[basic(bytes), undefined, "/d"]], pair);
    }
    await why({
      rpc: `http://me:you@${at}/e`,
      headers: { Authorization: "Bearer secret", "Content-Type": "application/json" },
    });
    assert.deepEqual(seen.splice(0), [["Bearer secret", undefined, "/e"]]);
    const message = async (options) => (await why(options))[1];
    const fails = (error) => async () => Promise.reject(Object.assign(new Error("secret"), error));
    assert.match(
      await message({ rpc: `http://${at}/reset` }),
      /^the market's source gave no reply \((UND_ERR_SOCKET|ECONNRESET)\)$/,
    );
    assert.equal(
      await message({ rpc: `http://${at}/silent`, timeoutMs: 50 }),
      "the market's source gave no reply (within 50 ms)",
    );
    const found = await message({ rpc: fails({ cause: { code: "ENOTFOUND" } }) });
    assert.equal(found, "the market's source gave no reply (ENOTFOUND)");
    assert.equal(await message({ rpc: fails({ code: "my secret" }) }), "the market's source gave no reply");
    assert.throws(() => new Market({ rpc: async () => "", headers: {} }), {
      name: "TypeError",
      message: "headers are of a URL: pass it as rpc",
    });
    return at;
  });
  assert.equal((await why({ rpc: `http://${gone}` }))[1], "the market's source gave no reply (ECONNREFUSED)");
});

test("a node that stops in the middle of its reply is unreachable in time, whatever has been collected", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const node = (_request, response) => void response.writeHead(200).write("{");
  const collecting = setInterval(gc, 20);
  await served(node, async (at) => {
    const late = new Promise((resolve) => setTimeout(resolve, 20_000, "nothing").unref());
    const look = codeOf(new Market({ rpc: `http://${at}/`, timeoutMs: 500 }).look(mint), MarketError);
    assert.equal(await Promise.race([look, late]), "unreachable");
  }).finally(() => clearInterval(collecting));
});

test("two looks whose answers come in another order than they were asked for are both good", async () => {
  const waiting = [];
  const market = new Market({
    accounts: (addresses) => new Promise((resolve) => waiting.push((slot) => resolve(told(world(), addresses, slot)))),
  });
  const looks = [market.look(mint), market.look(mint, [wallet])];
  while (waiting.length < 2) await new Promise(setImmediate);
  waiting[1](701);
  assert.equal((await looks[1]).slot, 701);
  waiting[0](700);
  assert.equal((await looks[0]).slot, 700);
  const late = market.look(mint);
  while (waiting.length < 3) await new Promise(setImmediate);
  waiting[2](700);
  assert.equal(await codeOf(late, MarketError), "went_back", "what was known when it was asked");
});

test("a node that stands still is stale: no quote, one word of a watch, no decision, until its slot rises again", async () => {
  let slot = 700;
  const accounts = world();
  const market = new Market({ maxAgeMs: 5_000, accounts: async (addresses) => told(accounts, addresses, slot) });
  const exits = new Exits({ stopLoss: "100x" });
  const position = { id: "signal-1", mint, wallet, tokens: 5_000_000n, costLamports: 1_000n, openedAtMs: 0 };
  const client = clientOf({ fetch: serviceOf("S1"), market });
  const managed = client.manage(position, exits, market);
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const looks = market.watch(mint, { everyMs: 1 });
  const next = async () => (await looks.next()).value;
  try {
    // Nobody can judge a first look, nor one that comes soon after it.
    assert.deepEqual([(await next()).slot, (await market.look(mint)).stale], [700, false]);
    mock.timers.setTime(Date.now() + 5_001);
    const look = await market.look(mint, [wallet]);
    assert.deepEqual([look.slot, look.stale, look.atMs], [700, true, Date.now()]);
    const refused = await market.quote("buy", request).catch((error) => error);
    assert.deepEqual(
      [refused.name, refused.code, refused.message],
      ["MarketError", "stale", "the node has had no slot after 700 for over 5000 ms"],
    );
    assert.equal(await codeOf(market.quote("buy", request, look), MarketError), "stale");
    assert.equal(await codeOf(client.plan("buy", request), MarketError), "stale");
    const [{ what, error }, ...more] = await managed.tick();
    assert.deepEqual(
      [what, error.message, more],
      ["no_look", "the market stands still: it has had no new slot for too long", []],
    );
    assert.equal((await next()).code, "stale");
    // What the wallets hold is noted all the same: it is of its slot.
    assert.equal((await market.before({ body: JSON.stringify(request) }))[0].slot, 700);
    slot = 701;
    assert.equal((await next()).slot, 701, "said once");
    assert.equal((await market.quote("buy", request)).slot, 701);
    assert.deepEqual(
      (await managed.tick()).map(({ what }) => what),
      ["ordered", "landed", "over"],
    );
    mock.timers.setTime(Date.now() + 5_001);
    assert.equal((await next()).code, "stale", "and again");
  } finally {
    mock.timers.reset();
    await looks.return();
  }
});

test("a clock that is set back makes nothing fresh, and holds no watch up", async () => {
  let slot = 700;
  let whileAsked = () => {};
  const accounts = world();
  const market = new Market({ accounts: async (addresses) => (whileAsked(), told(accounts, addresses, slot)) });
  const stop = new AbortController();
  const [elapsed, clock] = [performance.now.bind(performance), Date.now];
  const passed = mock.method(performance, "now", elapsed);
  try {
    const look = await market.look(mint, [wallet]);
    assert.equal((await market.quote("buy", request, look)).slot, 700);
    const followed = market.watch(mint, {
      signal: stop.signal,
      follow: async function* () {
        await new Promise((resolve) => stop.signal.addEventListener("abort", resolve));
      },
    });
    assert.equal((await followed.next()).value.slot, 700);
    const watched = market.watch(mint, { everyMs: 1, signal: stop.signal });
    assert.equal((await watched.next()).value.slot, 700);
    // While the watch waits for a reply, eleven seconds pass, and the clock goes back by an hour.
    whileAsked = () => {
      passed.mock.mockImplementation(() => elapsed() + 11_000);
      Date.now = () => clock() - 3_600_000;
    };
    assert.equal((await watched.next()).value.code, "stale");
    assert.equal(await codeOf(market.quote("buy", request, look), MarketError), "stale", "a look of before");
    assert.equal(await codeOf(market.quote("buy", request, { ...look }), MarketError), "stale", "a copy of one");
    assert.equal((await market.look(mint)).stale, true, "the node stands still all the same");
    assert.equal((await followed.next()).value.code, "stale");
    slot = 701;
    assert.equal((await watched.next()).value.slot, 701);
    assert.equal((await market.quote("buy", request)).slot, 701);
  } finally {
    Date.now = clock;
    passed.mock.restore();
    stop.abort();
  }
});

test("it is watched until it is told to stop, and only newer slots are passed", async () => {
  const market = new Market({ accounts: source(world(), [1, 1, 2, 1, 3]).accounts });
  const stop = new AbortController();
  const seen = [];
  for await (const look of market.watch(mint, { everyMs: 1, signal: stop.signal })) {
    seen.push(look instanceof Error ? look.code : look.slot);
    if (seen.length === 4) stop.abort();
  }
  assert.deepEqual(seen, [1, 2, "went_back", 3]);
});

test("a client prices its plans by it, and notes what its wallets hold", async () => {
  const market = new Market({ accounts: source(world()).accounts });
  const before = [];
  const journal = { begin: (intent) => before.push(intent.before), settle: () => {} };
  const client = clientOf({ fetch: serviceOf("S1"), market, journal });
  const plan = await client.plan("buy", request);
  assert.equal(plan.price.slot, 700);
  await client.buy(request);
  assert.deepEqual(before.at(-1), [{ wallet, tokens: "5000000", lamports: "3000000000", slot: "700" }]);
  await assert.rejects(new TradeClient({ baseURL: "https://service.example" }).settle(), TypeError);
  assert.throws(() => clientOf({ market: {} }), /market must be a Market of launchpad-desk\/market, or a Sandbox/);
});

test("a market that does not answer stops no trade", async () => {
  const warned = [];
  const market = new Market({ accounts: () => Promise.reject(new Error("down")) });
  const client = clientOf({ fetch: serviceOf("S1"), market, logger: { warn: (message) => warned.push(message) } });
  const trade = await client.sell({ mint, fromWallet: wallet, amountInToken: 1 });
  assert.equal(trade.status, "landed");
  assert.deepEqual(warned, ["the market did not report what the wallets hold: an unknown outcome will stay unknown"]);
});

test("a market that hangs holds a trade up once, for two seconds or half of the trade's time, and the next ones not at all", async () => {
  const reasons = [];
  let asked = 0;
  const market = new Market({ rpc: () => (asked++, never()) });
  const client = clientOf({
    fetch: serviceOf("S1", "S2", "S3", "S5"),
    market,
    timeoutMs: 4_000,
    logger: { warn: (_line, { reason }) => reasons.push(reason) },
  });
  const sell = (options) => client.sell({ mint, fromWallet: wallet, amountInToken: 1 }, options);
  const silent = (ms) => `the market has not answered within ${ms} ms; it is not asked again for 30 s`;
  assert.equal((await sell({ timeoutMs: 3_000 })).status, "landed");
  assert.equal((await sell()).status, "landed");
  // A client with other options has the same market.
  assert.equal(
    (await client.withOptions({ retryNotSent: 1 }).sell({ mint, fromWallet: wallet, amountInToken: 1 })).status,
    "landed",
  );
  assert.deepEqual([asked, reasons], [1, [silent(1_500), silent(1_500), silent(1_500)]]);
  // A clock that is set back does not make it rest longer.
  const { now } = Date;
  try {
    Date.now = () => now() - 3_600_000;
    assert.equal((await sell({ timeoutMs: 1_000 })).status, "landed");
  } finally {
    Date.now = now;
  }
  assert.deepEqual([asked, reasons.at(-1)], [2, silent(500)]);

  const patient = clientOf({
    fetch: serviceOf("S4"),
    market: new Market({ accounts: never }),
    logger: { warn: (_line, { reason }) => reasons.push(reason) },
  });
  assert.equal((await patient.sell({ mint, fromWallet: wallet, amountInToken: 1 })).status, "landed");
  assert.equal(reasons.at(-1), silent(2_000));
});

test("what the wallets hold is asked for a second time if the first answer is no use", async () => {
  const noted = [];
  const journal = { begin: ({ before }) => noted.push(before?.[0].slot), settle: () => {} };
  const market = new Market({
    accounts: source(world(), [700, 690, 701, 690, 690, 702]).accounts,
    commitment: "finalized",
  });
  const client = clientOf({ fetch: serviceOf("S1", "S2"), market, journal });
  await market.look(mint);
  const sell = () => client.sell({ mint, fromWallet: wallet, amountInToken: 1 });
  assert.equal((await sell()).status, "landed");
  assert.equal((await sell()).status, "landed");
  assert.deepEqual(noted, ["701", undefined], "once more, and not a third time");
});

test("a buy is held to the age and the impact of its price, when it is planned and when it is sent, and a sell never", async () => {
  const market = new Market({ accounts: source(world(), risingSlots()).accounts });
  const sent = [];
  const answers = async (url) => (sent.push(url), replyOf(ANSWER));
  const hooks = { beforeSend: async () => waits && mock.timers.setTime(Date.now() + waits) };
  let waits = 0;
  const client = (limits) => clientOf({ fetch: answers, market, hooks, ...limits });
  const { legs } = await market.quote("buy", request);
  const impact = legs[0].priceImpactBps;
  assert.ok(impact > 0);
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  try {
    const narrow = client({ maxImpactBps: impact - 1 });
    const over = await narrow.plan("buy", request);
    assert.deepEqual(
      [over.refused.code, over.refused.message],
      ["over_impact_limit", `not sent: the price impact is ${impact} bps, over maxImpactBps (${impact - 1})`],
    );
    const refusal = { code: "over_impact_limit", outcome: "not_sent", message: over.refused.message };
    await assert.rejects(narrow.send(over), refusal);
    await assert.rejects(narrow.buy(request), refusal);
    assert.equal((await client({ maxImpactBps: impact }).buy(request)).status, "landed");
    assert.equal(sent.splice(0).length, 1, "a limit and a market work in one call");
    assert.equal((await narrow.sell({ mint, fromWallet: wallet, amountInToken: 5 })).status, "landed");

    const fresh = client({ maxImpactBps: impact, maxPriceAgeMs: 5_000 });
    const plan = await fresh.plan("buy", request);
    assert.equal(plan.refused, null);
    mock.timers.setTime(Date.now() + 5_001);
    await assert.rejects(fresh.send(plan), {
      code: "price_too_old",
      message: "not sent: the price is 5001 ms old, over maxPriceAgeMs (5000); make a new plan",
    });
    const slow = await fresh.plan("buy", request);
    waits = 5_001; // the hook takes that long
    await assert.rejects(fresh.send(slow), { code: "price_too_old" });
    waits = 0;
    assert.equal(sent.length, 1, "only the sell");
    assert.equal((await fresh.send(await fresh.plan("buy", request))).status, "landed");
    // A price that does not come: the buy is not sent, and waits no longer than it may.
    const sending = sent.length;
    const silent = (quoteBody) => client({ maxImpactBps: impact, market: { ...ofMarket, quoteBody } });
    const ofMarket = { before: async () => [], settleTrade() {}, confirm() {} };
    const message = "not sent: maxImpactBps and maxPriceAgeMs need a price, and the client has no market that gave one";
    const stop = new AbortController();
    for (const [without, due, options] of [
      [silent(async () => Promise.reject(new Error("down"))), { code: "no_price", message }],
      [client({ maxImpactBps: impact, market: undefined }), { code: "no_price", message }],
      [silent(never), { code: "timeout_before_send" }, { timeoutMs: 20 }],
      [silent(() => (stop.abort(), never())), { code: "aborted_before_send" }, { signal: stop.signal }],
    ])
      await assert.rejects(without.buy(request, options), { outcome: "not_sent", ...due });
    let asked = 0;
    const halted = silent(() => void asked++);
    await halted.halt();
    await assert.rejects(halted.buy(request), { code: "halted" });
    assert.deepEqual([asked, sent.length], [0, sending]);
    // A sandbox knows its own prices.
    const sandbox = new Sandbox();
    const inSandbox = (maxImpactBps) =>
      new TradeClient({ fetch: sandbox.fetch, maxImpactBps }).buy({
        mint: sandbox.tokens[0].mint,
        fromWallet: sandbox.wallets[0].wallet,
        amountInLamports: 1_000_000_000,
      });
    await assert.rejects(inSandbox(1), { code: "over_impact_limit" });
    assert.equal((await inSandbox(9_999)).status, "landed");
    // A leg without an impact is not one of zero.
    const own = await fresh.plan("buy", request, { price: () => ({ legs: [] }) });
    await assert.rejects(fresh.send(own), { code: "no_price" });
  } finally {
    mock.timers.reset();
  }
});
