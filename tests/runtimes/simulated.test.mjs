// Whether a trade or an error comes from a sandbox: each says so, and one without a service does not.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isTradeError, readCall, readError, readReply } from "launchpad-desk";
import { serve } from "launchpad-desk/node";
import { Sandbox } from "launchpad-desk/sandbox";
import { thrown } from "../odd.mjs";
import { rejection, requests } from "./service.mjs";

const { buy } = requests();
const refused = (work) => {
  const error = thrown(work);
  assert.ok(isTradeError(error), error);
  return error;
};
/** Its class and the field `simulated`, which an error without a service lacks. */
const said = (error) => [error.outcome, "simulated" in error ? error.simulated : "neither"];

test("everything that a client of a sandbox gets is simulated, whatever the outcome", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch, maxLamportsPerTrade: 2_100_000_000 });
  assert.equal((await client.buy(buy)).simulated, true);
  const poor = sandbox.wallets.find(({ lamports }) => lamports < 2_000_000_000n).wallet;
  const failed = await rejection(client.buy({ ...buy, fromWallet: poor, amountInLamports: 2_000_000_000 }));
  assert.deepEqual([...said(failed), failed.trade.simulated], ["failed", true, true]);
  assert.deepEqual(said(await rejection(client.buy({ ...buy, mint: "unknown" }))), ["rejected", true]);
  assert.deepEqual(said(await rejection(client.buy({ ...buy, amountInLamports: 3_000_000_000 }))), ["not_sent", true]);
  assert.deepEqual(said(await rejection(client.buy({ mint: "M" }))), ["not_sent", true]);
  assert.deepEqual(said(await rejection(client.plan("buy", { mint: "M" }))), ["not_sent", true]);
  assert.deepEqual(said(refused(() => client.build("buy", {}))), ["not_sent", true]);
  sandbox.setFaults({ script: [{ kind: "noAnswer" }] });
  assert.deepEqual(said(await rejection(client.buy(buy))), ["unknown", true]);
});

test("a service reports it in its answer; until then a trade counts as real", async (context) => {
  const sandbox = new Sandbox();
  const served = await serve(sandbox);
  context.after(served.close);
  const client = new TradeClient({ baseURL: served.url, maxLamportsPerTrade: 2_000_000_000 });
  assert.equal((await client.buy(buy)).simulated, true);
  assert.deepEqual(said(await rejection(client.buy({ ...buy, mint: "unknown" }))), ["rejected", true]);
  assert.deepEqual(said(await rejection(client.buy({ ...buy, amountInLamports: 3_000_000_000 }))), ["not_sent", false]);
  sandbox.setFaults({ script: [{ kind: "noAnswer" }] });
  assert.deepEqual(said(await rejection(client.buy(buy))), ["unknown", false]);
});

const LANDED =
  '{"result":{"mint":"M","wallet":"W","buyAmount":1,"preTokenBalance":0,"postTokenBalance":1,"signature":"5sig","transactionResult":{"success":true,"signature":"5sig","results":null}},"explorer":{"mint":"https://e/m","wallet":"https://e/w","tx":"https://e/t"},"launchpad":{"mint":"https://l/m"}}';
const FAILED = LANDED.replace('"success":true', '"success":false').replace(
  '"results":null',
  '"results":"custom program error: 0x1772"',
);

test("a service that does not say it is real", async () => {
  const answering = (status, body, headers = {}) =>
    new TradeClient({ baseURL: "https://service.example", fetch: async () => new Response(body, { status, headers }) });
  const request = { mint: "M", fromWallet: "W", amountInLamports: 5 };
  assert.equal((await answering(200, LANDED).buy(request)).simulated, false);
  const failed = await rejection(answering(200, FAILED).buy(request));
  assert.deepEqual([...said(failed), failed.trade.simulated], ["failed", false, false]);
  for (const [status, outcome] of [
    [400, "rejected"],
    [503, "unknown"],
  ]) {
    for (const [value, simulated] of [
      ["true", true],
      ["false", false],
      ["1", false],
      [undefined, false],
    ]) {
      const error = await rejection(answering(status, "{}", value && { "x-simulated": value }).buy(request));
      assert.deepEqual(said(error), [outcome, simulated], `${status} ${value}`);
    }
  }
  // A gateway may pass the body on and not the header: no network's signature begins so.
  assert.equal((await answering(200, LANDED.replaceAll("5sig", "SIM5")).buy(request)).simulated, true);
});

test("without a known service neither is reported", () => {
  assert.deepEqual(said(refused(() => readCall("buy", '{"mint":"M"}'))), ["not_sent", "neither"]);
  assert.deepEqual(said(refused(() => new TradeClient({ baseURL: 5 }))), ["not_sent", "neither"]);
  assert.deepEqual(said(refused(() => new Sandbox({ tokens: 5 }))), ["not_sent", "neither"]);
  assert.deepEqual(said(refused(() => readReply("buy", 503, ""))), ["unknown", "neither"]);
  // A reply's own signature does.
  assert.deepEqual(said(refused(() => readReply("buy", 200, FAILED))), ["failed", false]);
  assert.deepEqual(said(refused(() => readReply("buy", 200, FAILED.replaceAll("5sig", "SIM5")))), ["failed", true]);
  assert.equal(readReply("buy", 200, LANDED).simulated, false);
  assert.equal(readReply("buy", 200, LANDED.replaceAll("5sig", "SIM5")).simulated, true);
});

test("it crosses JSON as it is", async () => {
  const sandbox = new Sandbox();
  const client = new TradeClient({ fetch: sandbox.fetch });
  const real = new TradeClient({ baseURL: "https://service.example", fetch: () => Promise.reject(new Error("no")) });
  const errors = [
    await rejection(client.buy({ ...buy, mint: "unknown" })),
    await rejection(real.buy(buy)),
    refused(() => readCall("buy", "{}")),
  ];
  for (const error of errors) assert.deepEqual(said(readError(JSON.parse(JSON.stringify(error)))), said(error));
  assert.equal(JSON.parse(JSON.stringify(await client.buy(buy))).simulated, true);
  const told = { ...errors[0].toJSON(), simulated: "yes" };
  assert.throws(() => readError(told), /simulated/);
});
