// A served sandbox is killed under load, again and again. After each kill, a sandbox with the same settings that repeats the
// logged calls must give every answer that was received, and reach exactly the same state.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { Sandbox } from "launchpad-desk/sandbox";
import { draws, seedOr } from "../seed.mjs";

const KILLS = Number(process.env.KILLS ?? (process.env.PROVE_SEED ? 100 : 5));
const COMMAND_LINE = fileURLToPath(new URL("../../pkg/dist/cli.js", import.meta.url));
const JSON_TYPE = { "content-type": "application/json" };
const WALLETS = ["ada", "bob", "cleo", "eve"];
const CONFIG = {
  control: true,
  maxCalls: 1_000,
  tokens: [{ mint: "M" }, { mint: "N", soldBps: 3_000 }],
  wallets: WALLETS.map((wallet) => ({ wallet, lamports: 20_000_000_000 })),
  market: { alive: true, seed: 7 },
};
/** Long enough that the file is shortened under load, too. */
const LABEL = "e".repeat(150_000);

/** A trade of some kind; some of them fail, and some are refused. */
function drawn(random) {
  const [mint, fromWallet] = [["M", "N"][random(2)], WALLETS[random(3)]];
  const kinds = [
    () => ["buy", { mint, fromWallet, amountInLamports: 1 + random(300_000_000) }],
    () => ["buy", { mint, fromWallet, amountInLamports: 10_000_000, slippage: 0 }],
    () => ["sell-by-percentage", { mint, fromWallet, percentage: 1 + random(100) }],
    () => [
      "bundle/buy",
      {
        mint,
        feePayer: fromWallet,
        buys: WALLETS.slice(0, 3).map((fromWallet) => ({ fromWallet, amountInLamports: 1 + random(50_000_000) })),
      },
    ],
    () => ["sell", { mint, fromWallet, amountInToken: 1 + random(100_000) }],
    () => ["buy", { mint, fromWallet }],
  ];
  return kinds[random(kinds.length)]();
}

async function started(file, config) {
  const child = spawn(process.execPath, [COMMAND_LINE, "sandbox", "--port", "0", "--state", file, "--config", config], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  const closed = once(child, "close");
  for await (const url of createInterface(child.stdout)) return { child, url, closed };
  throw new Error(`it ended with ${(await closed)[0]}: ${said}`);
}

test(
  `killed ${KILLS} times under load, it has every answered trade, and no half one`,
  { timeout: 3_600_000 },
  async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "kill-"));
    context.after(() => rm(folder, { recursive: true }));
    const [file, config] = [join(folder, "state.log"), join(folder, "config.json")];
    await writeFile(config, JSON.stringify(CONFIG));
    const random = draws(seedOr(20_261_122));
    const model = new Sandbox(CONFIG);
    /** Sent requests by id, until they are accounted for; and the answers. */
    const [sent, answered] = [new Map(), new Map()];
    const sums = { answered: 0, unanswered: 0, executed: 0, funded: 0 };
    let [checked, asked, funds] = [0, 0, 0n];
    let running;

    /** Repeats the log of the killed one, and compares. */
    async function check(url) {
      const lines = (await (await fetch(`${url}/_sandbox/calls`)).text()).split("\n").filter(Boolean);
      for (const call of lines.map((line) => JSON.parse(line)).filter(({ number }) => number > checked)) {
        assert.equal(call.number, ++checked, "no call is missing");
        const request = sent.get(call.intentId);
        assert.ok(request, `call ${call.number} was sent, and counts once`);
        sent.delete(call.intentId);
        model.useClock(() => call.atMs);
        const reply = await model.fetch(`http://sandbox${request.path}`, request.init);
        const expected = [reply.status, await reply.text()];
        if (call.actual !== "not_executed") sums.executed++;
        if (answered.has(call.intentId)) assert.deepEqual(answered.get(call.intentId), expected);
        else sums.unanswered++;
        answered.delete(call.intentId);
      }
      assert.deepEqual([...answered.keys()], [], "every answered call is there");
      sent.clear();
      const state = await (await fetch(`${url}/_sandbox/state`)).text();
      const lamports = JSON.parse(state).wallets.find(({ wallet }) => wallet === "eve").lamports;
      const more = BigInt(lamports) - model.wallets.find(({ wallet }) => wallet === "eve").lamports;
      assert.ok(more >= funds, `${more} of at least ${funds} funds are there`);
      if (more) model.fund("eve", more, LABEL);
      funds = 0n;
      assert.ok(state === model.snapshot(), "the state is that of the logged calls");
    }

    context.after(() => running?.child.kill("SIGKILL"));

    /** Trades from several sides at once. Soon after so many answers it is killed, at any point of its work. */
    async function load({ child, url, closed }, answers) {
      let left = answers;
      const one = async () => {
        if (random(4) === 0) {
          const reply = await fetch(`${url}/_sandbox/wallets`, {
            method: "POST",
            headers: JSON_TYPE,
            body: JSON.stringify({ wallet: "eve", lamports: 1, label: LABEL }),
          });
          await reply.text();
          assert.equal(reply.status, 200);
          funds++;
          sums.funded++;
          return;
        }
        const [operation, body] = drawn(random);
        const id = `call-${++asked}`;
        const request = {
          path: `/v1/trade/${operation}`,
          init: { method: "POST", headers: { ...JSON_TYPE, "idempotency-key": id }, body: JSON.stringify(body) },
        };
        sent.set(id, request);
        const reply = await fetch(url + request.path, request.init);
        const text = await reply.text();
        assert.ok([200, 400].includes(reply.status), text);
        answered.set(id, [reply.status, text]);
        sums.answered++;
      };
      const side = async () => {
        for (;;) {
          await one();
          if (--left === 0) setTimeout(() => child.kill("SIGKILL"), random(10));
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: 8 }, side));
      child.kill("SIGKILL"); // where all have ended before that
      for (const { reason } of ends) if (reason?.code === "ERR_ASSERTION") throw reason;
      const [, signal] = await closed;
      assert.equal(signal, "SIGKILL");
    }

    for (let kill = 0; kill < KILLS; kill++) {
      running = await started(file, config);
      await check(running.url);
      await load(running, 10 + random(80));
    }
    running = await started(file, config);
    await check(running.url);
    running.child.kill("SIGTERM");
    assert.equal((await running.closed)[0], 0);
    context.diagnostic(`${KILLS} kills: ${JSON.stringify(sums)}`);
    assert.ok(sums.executed > 5 * KILLS && sums.answered > 5 * KILLS);
  },
);
