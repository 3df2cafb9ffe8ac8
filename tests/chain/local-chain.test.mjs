// The chain around a sandbox, over its `fetch` and behind a port: the sandbox's trades are transactions, and its node misbehaves on demand.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { TOKEN_PROGRAM, curveAddress, readCurve, readHolding, tokenAccountAddress } from "launchpad-desk/market";
import { serve } from "launchpad-desk/node";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { post } from "./node.mjs";

const NOW = 1_800_000_000_000;

/** A sandbox, its chain, and a client of the node. */
function world(faults, config) {
  const clock = { now: NOW };
  const sandbox = new Sandbox(config);
  sandbox.useClock(() => clock.now);
  const chain = new LocalChain(sandbox, faults);
  const ask = async (method, ...params) =>
    (await post(chain, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }))).json();
  return { sandbox, chain, clock, ask, mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet };
}

test("a trade of the sandbox is a transaction of the chain, once it is finalized", async () => {
  const { sandbox, chain, clock, ask, mint, wallet } = world();
  const client = new TradeClient({ fetch: chain.fetch });
  const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 });
  assert.equal(trade.simulated, true);
  const account = tokenAccountAddress(wallet, TOKEN_PROGRAM, mint);
  const listed = async () => (await ask("getSignaturesForAddress", account)).result;
  assert.deepEqual(await listed(), [], "not yet finalized");
  clock.now += 33 * 400;
  const [entry] = await listed();
  assert.equal(entry.signature, trade.result.signature);
  assert.deepEqual([entry.err, entry.confirmationStatus], [null, "finalized"]);
  const { result } = await ask("getTransaction", entry.signature, {
    encoding: "json",
    maxSupportedTransactionVersion: 0,
  });
  const [balance] = result.meta.postTokenBalances;
  assert.deepEqual([balance.mint, balance.owner], [mint, wallet]);
  assert.equal(BigInt(balance.uiTokenAmount.amount), sandbox.wallets[0].tokenAccounts[0].tokens);
  const addresses = [curveAddress(mint), account];
  const read = await ask("getMultipleAccounts", addresses, { encoding: "base64" });
  const [curve, holding] = read.result.value.map((value, index) => ({ address: addresses[index], ...value }));
  assert.equal(readCurve(mint, curve).reserves.realSolReserves, sandbox.tokens[0].realSolReserves);
  assert.equal(readHolding(account, holding).tokens, sandbox.wallets[0].tokenAccounts[0].tokens);
});

test("a transaction is only told to a call that supports its version", async () => {
  const { chain, clock, ask, mint, wallet } = world({ transactionVersion: 1 });
  const { result } = await new TradeClient({ fetch: chain.fetch }).buy({
    mint,
    fromWallet: wallet,
    amountInLamports: 1_000_000_000,
  });
  clock.now += 33 * 400;
  const told = async (most) => {
    const reply = await ask("getTransaction", result.signature, {
      encoding: "json",
      ...(most !== undefined && { maxSupportedTransactionVersion: most }),
    });
    return reply.error ?? reply.result.version;
  };
  const refused = (version) => ({
    code: -32015,
    message: `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  });
  assert.deepEqual([await told(1), await told(2), await told(0), await told()], [1, 1, refused(1), refused(1)]);
  chain.setFaults({ transactionVersion: 0 });
  assert.deepEqual([await told(1), await told(0), await told()], [0, 0, refused(0)]);
  chain.setFaults({});
  assert.deepEqual([await told(1), await told()], ["legacy", "legacy"]);
  assert.throws(() => chain.setFaults({ transactionVersion: 2 }), { code: "invalid_options" });
});

test("what the sandbox holds when the chain is made is finalized", async () => {
  const { ask, wallet } = world();
  assert.equal(
    (await ask("getAccountInfo", wallet, { encoding: "base64", commitment: "finalized" })).result.value.lamports,
    100_000_000_000,
  );
});

test("the chain follows whatever changes the sandbox, until it is stopped", async () => {
  const { sandbox, chain, clock, ask, wallet } = world();
  const lamports = async () =>
    (await ask("getAccountInfo", wallet, { encoding: "base64", commitment: "processed" })).result.value?.lamports;
  assert.equal(await lamports(), 100_000_000_000);
  sandbox.fund(wallet, 5n);
  assert.equal(await lamports(), 100_000_000_005);
  clock.now += 400;
  sandbox.reset();
  assert.equal(await lamports(), 100_000_000_000);
  chain.stop();
  sandbox.fund(wallet, 5n);
  assert.equal(await lamports(), 100_000_000_000);
});

test("pages of other origins may not ask, unless the sandbox lets them", async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"getHealth"}';
  const from = async (config) =>
    (await post(world({}, config).chain, body, { headers: { origin: "https://page.example" } })).status;
  assert.equal(await from({}), 403);
  assert.equal(await from({ corsOrigin: "https://page.example" }), 200);
});

test("served, it answers behind the same port as the service", async () => {
  const { chain } = world();
  const { url, close } = await serve(chain);
  const node = { fetch };
  try {
    const batch = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "getHealth" }));
    const response = await post(node, JSON.stringify(batch), { url: `${url}/rpc` });
    assert.equal(response.headers.get("x-simulated"), "true");
    assert.deepEqual(
      (await response.json()).map(({ result }) => result),
      ["ok", "ok"],
    );
    assert.equal((await fetch(`${url}/rpc`)).status, 405);
    assert.equal((await post(node, "{}", { url: `${url}/v1/trade/buy` })).status, 400);
  } finally {
    await close();
  }
});
