// Where an error comes from: the first line of its stack is the caller's own.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient, isValid, readCall, readError, readReply, reconcile, redact, toBaseUnits, validate } from "launchpad-desk";
import { LANDED, fetchBy, fetchOf, rejection, requests, service } from "./service.mjs";

const { buy } = requests();
const FILE = import.meta.url;
const client = new TradeClient({ ...service, fetch: fetchOf(LANDED) });
const lost = new TradeClient({ ...service, fetch: fetchBy(() => Promise.reject(new TypeError("no"))), maxLamportsPerTrade: 2_000_000_000 });
const shut = new TradeClient({ ...service, fetch: fetchOf(LANDED), journal: { begin() {}, settle() {}, pending: () => { throw new Error("no"); } } });

for (const [what, work] of Object.entries({
  constructor: async () => new TradeClient({}),
  withOptions: async () => client.withOptions({ timeoutMs: 0 }),
  build: async () => client.build("buy", {}),
  validate: async () => validate("none", {}),
  isValid: async () => isValid("none", {}),
  readCall: async () => readCall("buy", "{"),
  readReply: async () => readReply("buy", 500, ""),
  readError: async () => readError({}),
  "an error that was read": async () => Promise.reject(readError({ name: "TradeOutcomeUnknownError", outcome: "unknown", code: "timeout", message: "m" })),
  redact: async () => redact(5, "k"),
  reconcile: async () => reconcile({}, {}),
  toBaseUnits: async () => toBaseUnits("x"),
  "a request that is none": async () => await client.buy({}),
  "a trade that a guard refuses": async () => await lost.buy({ ...buy, amountInLamports: 3_000_000_000 }),
  "a trade without an answer": async () => await lost.buy(buy),
  "a trade that was taken out": async () => {
    const { sell } = lost;
    return await sell({});
  },
  "a trade that the journal stops": async () => await shut.buy(buy),
  plan: async () => await client.plan("buy", {}),
  "a plan of a journal that fails": async () => await shut.plan("buy", buy),
  send: async () => await client.send({}),
  "a plan that a guard refuses": async () => await lost.send(await lost.plan("buy", { ...buy, amountInLamports: 3_000_000_000 })),
  pending: async () => await shut.pending(),
  acknowledge: async () => await shut.acknowledge("i", "perhaps"),
})) {
  test(`${what}: the stack begins at the call`, async () => {
    const { name, message, stack } = await rejection(work());
    const lines = stack.split("\n");
    assert.equal(lines[0], `${name}: ${message}`);
    assert.ok(lines[1]?.includes(FILE), stack);
  });
}
