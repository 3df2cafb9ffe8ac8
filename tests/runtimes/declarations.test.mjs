// The package gives what index.d.ts and launchpad.d.ts promise: every field of every object, no more and no less.

import assert from "node:assert/strict";
import test from "node:test";
import * as desk from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { fieldsOf, interfaces, literalsOf, misfits, optionalFieldsOf, resultMisfits } from "./declared.mjs";
import { FAILED, LANDED, MINT, OPERATIONS, clientBy, fetchOf, rejection, requests, simulated } from "./service.mjs";

const { TradeClient, operationAt, readCall, readReply, renderHtml, renderText, validate, view } = desk;

const fits = (found) => assert.deepEqual(found, []);

test("the declarations are read", () => {
  assert.deepEqual(fieldsOf("Line"), ["label", "value"]);
  assert.deepEqual(misfits({ label: "a", value: 1 }, "Line"), ["Line.value is number 1, not string"]);
  assert.deepEqual(misfits({ label: "a", valu: "b" }, "Line"), [
    "Line.valu is not declared",
    "Line.value is declared, and missing",
  ]);
  assert.ok(interfaces().length > 30);
});

test("every trade of the sandbox is as declared", async () => {
  for (const config of [{}, { explorerTokenAccount: true }]) {
    const sandbox = new Sandbox(config);
    const client = new TradeClient({ fetch: sandbox.fetch });
    for (const operation of OPERATIONS) {
      if (operation === "bundleSell") await client.buy(requests().buy);
      const trade = await client.trade(operation, requests()[operation]);
      fits(resultMisfits(trade, `TradeClient.${operation}`));
      fits(misfits(trade, "Trade"));
      assert.equal(trade.operation, operation);
    }
  }
});

test("a trade with little in its reply, and one with odd results, is as declared", async () => {
  for (const body of [
    '{"result":{}}',
    '{"result":{"transactionResult":{"success":null,"results":{"deep":[1,null]}}},"explorer":null}',
  ]) {
    for (const operation of OPERATIONS) {
      const trade = await clientBy(fetchOf(body))[operation](requests()[operation]);
      fits(resultMisfits(trade, `TradeClient.${operation}`));
      fits(resultMisfits(readReply(operation, 200, body), "readReply"));
    }
  }
});

test("a trade with a warning is as declared", async () => {
  const trade = await simulated().buy({ ...requests().buy, slippage: 500 });
  assert.equal(trade.warnings.length, 1);
  fits(misfits(trade, "BuyTrade"));
});

test("what the sandbox shows of itself is as declared", async () => {
  const sandbox = new Sandbox();
  const client = simulated({ fetch: sandbox.fetch });
  const changes = [];
  sandbox.onChanges((rows) => changes.push(...rows));
  await client.buy(requests().buy);
  await client.buy({ ...requests().buy, amountInLamports: 10 ** 15 }).catch(() => {});
  for (const name of ["tokens", "wallets", "trades", "account"]) fits(resultMisfits(sandbox[name], `Sandbox.${name}`));
  assert.ok(sandbox.wallets[0].tokenAccounts.length === 1 && sandbox.trades.length === 2);
  fits(resultMisfits(sandbox.snapshot(), "Sandbox.snapshot"));
  assert.ok(changes.length > 3);
});

test("quotes are as declared, whatever they warn of", () => {
  const sandbox = new Sandbox();
  for (const operation of OPERATIONS)
    fits(resultMisfits(sandbox.quote(operation, requests()[operation]), "Sandbox.quote"));
  for (const odd of [
    { amountInLamports: 10 ** 15 },
    { amountInLamports: 99_999_999_999 },
    { amountInLamports: 1 },
    { slippage: 500 },
  ]) {
    fits(resultMisfits(sandbox.quote("buy", { ...requests().buy, ...odd }), "Sandbox.quote"));
  }
});

test("checks, built calls and views are as declared", async () => {
  const client = simulated();
  const fetching = new TradeClient({ fetch: fetchOf(LANDED), baseURL: "https://service.example" });
  for (const operation of OPERATIONS) {
    for (const one of [client, fetching])
      fits(resultMisfits(one.build(operation, requests()[operation]), "TradeClient.build"));
    const { path, body } = client.build(operation, requests()[operation]);
    assert.equal(operationAt(path), operation);
    assert.equal(readCall(operation, body).body, body);
    fits(resultMisfits(readCall(operation, body), "readCall"));
    for (const request of [requests()[operation], {}, null])
      fits(resultMisfits(validate(operation, request), "validate"));
  }
  assert.equal(operationAt("/v1/trade/none"), undefined);
  const shown = [
    await client.buy(requests().buy),
    await rejection(client.buy({})),
    await rejection(client.buy({ ...requests().buy, mint: "none" })),
    new Error("x"),
    undefined,
    "text",
    {},
  ];
  for (const one of shown) {
    fits(resultMisfits(view(one), "view"));
    for (const render of [renderText, renderHtml]) assert.equal(typeof render(one), "string");
  }
});

const errors = async () => {
  const of = (status, body, headers) => rejection(clientBy(fetchOf(body, { status, headers })).buy(requests().buy));
  return {
    TradeNotSentError: await rejection(simulated().buy({})),
    TradeRejectedError: await of(429, '{"message":"slow down"}', { "retry-after": "2" }),
    TradeFailedError: await of(200, FAILED),
    TradeOutcomeUnknownError: await of(200, "{"),
  };
};

test("errors are of their class and as declared", async () => {
  for (const [name, error] of Object.entries(await errors())) {
    assert.ok(error instanceof desk[name] && error instanceof desk.TradeError && error instanceof Error);
    assert.ok(Object.prototype.toString.call(error) === "[object Error]" && error.stack.includes(error.message));
    assert.equal(error.name, name);
    const declared = fieldsOf(name);
    const inherited = ["name", "message", "stack", "cause", "toJSON"];
    for (const field of Object.keys(error)) assert.ok(declared.includes(field), `${name}.${field} is not declared`);
    for (const field of declared.filter((field) => !optionalFieldsOf(name).includes(field)))
      assert.ok(field in error, `${name}.${field} is declared, and missing`);
    const { name: own, message, ...rest } = error.toJSON();
    assert.deepEqual([own, message], [error.name, error.message]);
    for (const field of Object.keys(rest)) assert.ok(declared.includes(field) && !inherited.includes(field), field);
    assert.deepEqual(JSON.parse(JSON.stringify(error)), error.toJSON());
    assert.equal(error.retryable, false);
  }
});

test("evidence and trade are there, and out of every logger's way", async () => {
  const { TradeFailedError, TradeOutcomeUnknownError } = await errors();
  assert.equal(TradeOutcomeUnknownError.evidence, "{");
  fits(misfits(TradeFailedError.trade, "BuyTrade"));
  for (const error of [TradeFailedError, TradeOutcomeUnknownError]) {
    for (const name of ["evidence", "trade"]) assert.ok(!Object.keys(error).includes(name));
    assert.ok(!("evidence" in error.toJSON()));
  }
  const { operation, status, result, explorer, launchpad, exact } = TradeFailedError.trade;
  assert.deepEqual(
    TradeFailedError.toJSON().trade,
    { operation, status, result, explorer, launchpad, exact },
    "the trade without its raw reply",
  );
});

test("the codes that come are among the declared", async () => {
  for (const error of Object.values(await errors())) {
    assert.ok(literalsOf("Code").includes(error.code));
    assert.ok(literalsOf("Outcome").includes(error.outcome));
    for (const { code } of error.fields ?? []) assert.ok(literalsOf("FieldCode").includes(code));
  }
  assert.deepEqual(literalsOf("Operation"), OPERATIONS);
});

test("requests may have every field that is declared, and no other", () => {
  const names = {
    buy: "BuyRequest",
    sell: "SellRequest",
    sellByPercentage: "SellByPercentageRequest",
    bundleBuy: "BundleBuyRequest",
    bundleSell: "BundleSellRequest",
    bundleSellByPercentage: "BundleSellByPercentageRequest",
  };
  const optional = { feePayer: "W", slippage: 1, priorityUnitLimit: 200_000, priorityUnitPrice: 5 };
  for (const [operation, name] of Object.entries(names)) {
    const request = {
      ...Object.fromEntries(optionalFieldsOf(name).map((field) => [field, optional[field]])),
      ...requests()[operation],
    };
    assert.deepEqual(Object.keys(request).sort(), fieldsOf(name).sort());
    assert.deepEqual(validate(operation, request).errors, []);
    assert.deepEqual(Object.keys(JSON.parse(simulated().build(operation, request).body)).sort(), fieldsOf(name).sort());
  }
});

test("the class members that are declared are there", () => {
  const instances = { TradeClient: simulated(), Sandbox: new Sandbox() };
  for (const [name, instance] of Object.entries(instances)) {
    for (const member of fieldsOf(name).filter((member) => !/^(__@|#)/.test(member)))
      assert.ok(member in instance, `${name}.${member}`);
    if (Symbol.dispose) assert.equal(typeof instance[Symbol.dispose], "function");
  }
  assert.equal(instances.Sandbox.tokens[0].mint, MINT);
});
