// Where an error comes from: the first line of its stack is the caller's own.

import assert from "node:assert/strict";
import test from "node:test";
import {
  TradeClient,
  isValid,
  readCall,
  readError,
  readReply,
  reconcile,
  redact,
  toBaseUnits,
  validate,
} from "launchpad-desk";
import { end } from "../hosts/command.mjs";
import { LANDED, clientBy, fetchBy, fetchOf, rejection, requests } from "./service.mjs";

const { buy } = requests();
const FILE = import.meta.url;
const client = clientBy(fetchOf(LANDED));
const lost = clientBy(
  fetchBy(() => Promise.reject(new TypeError("no"))),
  { maxLamportsPerTrade: 2_000_000_000 },
);
const shut = clientBy(fetchOf(LANDED), {
  journal: {
    begin() {},
    settle() {},
    pending: () => {
      throw new Error("no");
    },
  },
});

/** What Node prints of an error that nobody catches. */
const printed = async (source) =>
  (await end(process.execPath, ["--input-type=module", "--eval", source], { cwd: new URL("..", FILE) })).err;

test("an error that nobody catches is printed without a line of the package's minified source", async () => {
  const start = `import { TradeClient } from "launchpad-desk"; import { Exits } from "launchpad-desk/market"; import { Sandbox } from "launchpad-desk/sandbox";
    const sandbox = new Sandbox(); const [{ mint }] = sandbox.tokens; const [{ wallet }] = sandbox.wallets;
    const options = { fetch: sandbox.fetch, maxSlippage: { percent: 5 } };
    const position = { id: "a", mint, wallet, tokens: 5n, costLamports: 1n };`;
  for (const [work, says] of [
    ["await new TradeClient(options).buy({});", "TradeNotSentError: not sent: "],
    [
      "await new TradeClient(options).manage(position, new Exits({ timeMs: 1e15, slippage: { percent: 20 } }), sandbox).tick();",
      "TypeError: the client would refuse every order of these exits: ",
    ],
    [
      "for await (const event of new TradeClient(options).manage(position, new Exits({ timeMs: 1e15, slippage: { percent: 20 } }), sandbox)) void event;",
      "TypeError: the client would refuse every order of these exits: ",
    ],
    [
      "await new TradeClient({ ...options, tokenDecimals: 9 }).manage(position, new Exits({ timeMs: 1e15 }), sandbox).tick();",
      "TypeError: ",
    ],
    [
      "await new TradeClient(options).manage({ ...position, openedAtMs: 1 }, new Exits({ timeMs: 60_000 }), { look: async (...args) => ({ ...sandbox.look(...args), atMs: 1_795_848_000_000 }) }).tick();",
      "TradeNotSentError: ",
    ],
  ]) {
    const text = await printed(`${start} ${work}`);
    assert.ok(text.includes(says), text);
    const longest = text.split("\n").reduce((most, line) => Math.max(most, line.length), 0);
    assert.ok(!/^\S*dist\/\S+:\d+$/m.test(text) && longest < 700, text.slice(0, 2_000));
  }
});

for (const [what, work] of Object.entries({
  constructor: async () => new TradeClient({}),
  withOptions: async () => client.withOptions({ timeoutMs: 0 }),
  build: async () => client.build("buy", {}),
  validate: async () => validate("none", {}),
  isValid: async () => isValid("none", {}),
  readCall: async () => readCall("buy", "{"),
  readReply: async () => readReply("buy", 500, ""),
  readError: async () => readError({}),
  "an error that was read": async () =>
    Promise.reject(readError({ name: "TradeOutcomeUnknownError", outcome: "unknown", code: "timeout", message: "m" })),
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
  "a plan that a guard refuses": async () =>
    await lost.send(await lost.plan("buy", { ...buy, amountInLamports: 3_000_000_000 })),
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
