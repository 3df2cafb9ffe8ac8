// A request whose getters call back into the package: what is sent is what was asked for, whatever happens meanwhile.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isValid, readReply, validate } from "launchpad-desk";

const ADDRESS = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM";

const quietly = (work) => {
  try {
    work();
  } catch {
    // Only what it leaves behind counts.
  }
};

/** Has the module's memory grow, and its views looked up anew. */
const grow = () => {
  quietly(() => readReply("bundleBuy", 200, `[${"1,".repeat(400_000)}1]`));
  quietly(() => readReply("bundleBuy", 200, "{}"));
};

/** A client that is refused, and the bodies it sent. */
function recording(options) {
  const bodies = [];
  const fetch = async (_, { body }) => {
    bodies.push(body);
    return new Response("{}", { status: 500 });
  };
  return { bodies, client: new TradeClient({ baseURL: "https://service.example", fetch, ...options }) };
}

test("a memory that grows while a bundle is read does not bring back an earlier one's amounts", async () => {
  const buys = [{ fromWallet: ADDRESS, amountInLamports: 1000, slippage: 1 }];
  const places = [
    { object: () => buys[0], name: "fromWallet" },
    { object: () => buys[0], name: "amountInLamports" },
    { object: () => buys[0], name: "slippage" },
  ];
  for (const { object, name } of places) {
    const { bodies, client } = recording();
    client.build("bundleBuy", { mint: ADDRESS, feePayer: ADDRESS, slippage: 99, buys: [{ fromWallet: ADDRESS, amountInLamports: 999e9, slippage: 50 }] });
    const row = { ...object() };
    const value = row[name];
    Object.defineProperty(row, name, { enumerable: true, get: () => (grow(), value) });
    const slippage = { get percent() { grow(); return 7; } };
    await assert.rejects(client.bundleBuy({ mint: ADDRESS, feePayer: ADDRESS, buys: [row], slippage }));
    assert.deepEqual(bodies.map(JSON.parse), [{ buys, mint: ADDRESS, feePayer: ADDRESS, slippage: 7, priorityUnitLimit: null, priorityUnitPrice: null }], name);
  }
});

test("a memory that grows while a single trade is read changes nothing of it", async () => {
  const { bodies, client } = recording();
  client.build("buy", { mint: ADDRESS, fromWallet: ADDRESS, amountInLamports: 999e9, slippage: 50 });
  await assert.rejects(client.buy({ mint: ADDRESS, get fromWallet() { grow(); return "W"; }, amountInLamports: 5, slippage: { get percent() { grow(); return 7; } } }));
  assert.deepEqual(bodies.map(JSON.parse), [{ mint: ADDRESS, fromWallet: "W", amountInLamports: 5, feePayer: null, slippage: 7, priorityUnitLimit: null, priorityUnitPrice: null }]);
});

for (const operation of ["bundleBuy", "buy", "nonsense"]) {
  test(`a reply of ${operation} that is read by a getter does not change what is asked for`, async () => {
    const withMint = (mint) => ({ get mint() { quietly(() => readReply(operation, 200, '{"a":1}')); return mint; }, fromWallet: ADDRESS, amountInLamports: 1000 });
    const base58 = { identifiers: "base58" };
    assert.equal(isValid("buy", withMint(ADDRESS), base58), true);
    assert.equal(isValid("buy", withMint("not an address"), base58), false);
    assert.equal(validate("buy", withMint("not an address"), base58).errors.length, 1);
    const { bodies, client } = recording(base58);
    assert.throws(() => client.build("buy", withMint("not an address")), { code: "invalid_request" });
    await assert.rejects(client.buy(withMint(ADDRESS)), { outcome: "unknown" });
    assert.deepEqual(bodies.map((body) => JSON.parse(body).mint), [ADDRESS]);
  });
}

test("a reply whose bytes were handed to another is an unknown outcome", () => {
  const bytes = new TextEncoder().encode('{"result":{"transactionResult":{"success":true}}}');
  structuredClone(bytes, { transfer: [bytes.buffer] });
  assert.throws(() => readReply("buy", 200, bytes), { name: "TradeOutcomeUnknownError" });
});

test("a frozen client builds, and one that was freed says so", () => {
  const request = { mint: ADDRESS, fromWallet: ADDRESS, amountInLamports: 1 };
  assert.equal(Object.freeze(new TradeClient()).build("buy", request).path, "/v1/trade/buy");
  const client = new TradeClient();
  client.build("buy", request);
  client.free();
  assert.throws(() => client.build("buy", request), ReferenceError);
});
