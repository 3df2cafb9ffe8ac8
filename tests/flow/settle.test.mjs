// Resolving unknown outcomes, from beginning to end: the bot of examples/settle.mjs against the fault server. It is killed while
// a trade is in flight, or its answer is lost or broken. After a restart it settles what the balances prove, and sends nothing a
// second time.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileJournal } from "launchpad-desk/node";
import { root } from "../../scripts/program.mjs";
import { reply } from "../faults/replies.mjs";
import { openServer } from "../faults/server.mjs";

const wallets = Array.from({ length: 10 }, (_, number) => ({
  wallet: `wallet-${number}`,
  tokens: "0",
  lamports: "5000000",
}));
const LANDED = '{"result":{"transactionResult":{"success":true}}}';

let bot;

const executed = ({ call }) => Object.assign(wallets[call], { tokens: "34000000", lamports: "3995000" });
const killed = () => bot.kill("SIGKILL");
const noAnswer = (exchange) => exchange.reset();
const garbled = (exchange) => exchange.end(reply(200, "<html>"));

/** How the service handles each trade, and what the next start reports. */
const FATES = [
  [[executed, killed], "landed"],
  [[killed], "did_not_land"],
  [[executed, noAnswer], "landed"],
  [[noAnswer], "did_not_land"],
  [[executed, garbled], "landed"],
  [[garbled], "did_not_land"],
  // Somebody sends the wallet tokens: they are not a trade, but hide that there was none.
  [[({ call }) => (wallets[call].tokens = "7"), killed], "unknown"],
  // It lands, and more lamports come in than it took, so its cost is hidden.
  [[executed, ({ call }) => (wallets[call].lamports = "6000000"), noAnswer], "unknown"],
  [[executed, (exchange) => exchange.end(reply(200, LANDED))], undefined],
];

test("a bot that is killed, or hears nothing, settles every trade that balances prove, and sends none again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "settle-"));
  const path = join(folder, "trades.journal");
  const files = {
    "/balances": {
      type: "application/json",
      get bytes() {
        return Buffer.from(JSON.stringify(wallets));
      },
    },
  };
  const script = async (exchange) => {
    for (const act of FATES[exchange.call][0]) await act(exchange);
  };
  const service = await openServer({ script }, { files });
  /** Starts the bot with this trade; resolves to the lines that it prints before it ends, however it does. */
  const run = async (number, ...expiry) => {
    bot = spawn(process.execPath, [join(root, "examples/settle.mjs"), path, service.url, `${number}`, ...expiry], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [chunks] = await Promise.all([bot.stdout.toArray(), once(bot, "exit")]);
    return Buffer.concat(chunks).toString().split("\n").filter(Boolean);
  };
  try {
    const open = [];
    for (const [number, [, found]] of FATES.entries()) {
      // Before its transaction has expired, a trade that shows nothing is not given up, nor sent again.
      if (number === 2)
        assert.deepEqual(await run(1), [
          "trade-1: unknown, so a person must settle it",
          "trade-1: not sent: this intent may have landed; check, then acknowledge it",
        ]);
      const told = await run(number, "1");
      const [, before] = FATES[number - 1] ?? [];
      if (before === "unknown") open.push(`trade-${number - 1}: unknown, so a person must settle it`);
      const settled = before && before !== "unknown" ? [`trade-${number - 1}: ${before}`] : [];
      const said = told.filter((line) => !line.startsWith(`trade-${number}: outcome unknown: `));
      assert.deepEqual(said.sort(), [...open, ...settled].sort(), `before trade ${number}`);
      assert.equal(
        told.length - said.length,
        [2, 3, 4, 5, 7].includes(number) ? 1 : 0,
        "what the bot itself heard of its trade",
      );
      assert.ok(found || told.length === said.length);
    }
    assert.deepEqual([service.posts, service.mishaps], [FATES.map(() => 1), []]);
    const journal = fileJournal(path);
    const ids = (intents) => intents.map(({ intentId }) => intentId).sort();
    assert.deepEqual(ids(await journal.pending()), ["trade-6", "trade-7"]);
    assert.deepEqual(ids(await journal.landed(0)), ["trade-0", "trade-2", "trade-4", "trade-8"]);
    for (const { before } of await journal.pending())
      assert.deepEqual(
        before?.map(({ tokens, lamports }) => [tokens, lamports]),
        [["0", "5000000"]],
        "what the hook saw",
      );
    await journal.close();
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
});
