// A bot that manages exits is killed in the middle of them, again and again, and a third of the answers to its sells are lost. No rung
// is sold twice, none is lost, and the bot's journal says what the sandbox's books say. What became of a lost exit it learns from the
// service's own truth, or has to find out itself, by the chain around the sandbox.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { TradeClient } from "launchpad-desk";
import { fileJournal } from "launchpad-desk/node";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { post } from "../chain/node.mjs";
import { draws, seedOr } from "../seed.mjs";
import { TOKEN_ACCOUNT_RENT } from "../rents.mjs";

const KILLS = Number(process.env.KILLS ?? (process.env.PROVE_SEED ? 100 : 5));
/** The chain takes its time: an exit that did not land is proven once its blockhash has expired. */
const KILLS_OVER_A_CHAIN = Math.ceil(KILLS * 0.4);
const PROGRAM = fileURLToPath(new URL("exits-program.mjs", import.meta.url));
const SOL = 1_000_000_000n;
const [BOT, RIVAL] = new Sandbox().wallets.map(({ wallet }) => wallet);
/** Longer than a block takes to be final. */
const FINAL_MS = 20_000;
const PLAN = {
  takeProfit: Array.from({ length: 8 }, (_, rung) => ({ at: `${(0.99 + rung / 20).toFixed(2)}x`, sell: "11%" })),
  stopLoss: "0.6x",
  trailing: { by: "35%", from: "1.1x" },
  timeMs: 60_000,
  slippage: { percent: 50 },
};

test(`killed ${KILLS} times in the middle of exits, it sells each rung once`, { timeout: 3_600_000 }, (context) =>
  killed(context, KILLS, "service"),
);

test(
  `killed ${KILLS_OVER_A_CHAIN} times, it sells each rung once by what the chain proves`,
  { timeout: 3_600_000 },
  (context) => killed(context, KILLS_OVER_A_CHAIN, "chain"),
);

async function killed(context, kills, settledBy) {
  const folder = await mkdtemp(join(tmpdir(), "exits-"));
  context.after(() => rm(folder, { recursive: true }));
  const random = draws(seedOr(20_261_124));
  const sandbox = new Sandbox({
    maxCalls: 100_000,
    maxTrades: 100_000,
    wallets: [
      { wallet: BOT, lamports: 1_000n * SOL },
      { wallet: RIVAL, lamports: 5_000n * SOL },
    ],
  });
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  sandbox.useClock(now);
  const chain = new LocalChain(sandbox);
  aheadMs += FINAL_MS;
  const [{ mint }] = sandbox.tokens;
  const others = new TradeClient({ fetch: sandbox.fetch });
  const holds = (of) => sandbox.wallets.find(({ wallet }) => wallet === of).tokenAccounts[0]?.tokens ?? 0n;

  /** Others move the price, and never complete the curve. */
  async function moved() {
    const [{ virtualSolReserves }] = sandbox.tokens;
    const rises = virtualSolReserves < 45n * SOL && (holds(RIVAL) === 0n || random(2) === 0);
    if (rises)
      await others.buy({
        mint,
        fromWallet: RIVAL,
        amountInLamports: 100_000_000 + random(1_500_000_000),
        slippage: { percent: 50 },
      });
    else if (holds(RIVAL))
      await others.sellByPercentage({ mint, fromWallet: RIVAL, percentage: 5 + random(40), slippage: { percent: 90 } });
  }

  let [looks, position, opened] = [0, undefined, 0];
  /** The tokens that each intent sold, by its id; those that were said not to have landed; what each position had. */
  const [sold, dead, had] = [new Map(), new Set(), new Map()];
  const sums = { kills: 0, sells: 0, lost: 0, inDoubt: 0, positions: 0 };

  async function open() {
    assert.equal(holds(BOT), 0n, "all of the last one is sold");
    await others.buy({ mint, fromWallet: BOT, amountInLamports: SOL, slippage: { percent: 50 } });
    position = {
      id: `position-${opened++}`,
      mint,
      wallet: BOT,
      tokens: String(holds(BOT)),
      costLamports: String(SOL + 5_000n),
      rentLockedLamports: String(TOKEN_ACCOUNT_RENT),
      openedAtMs: looks * 4_000,
    };
    had.set(position.id, holds(BOT));
    aheadMs += FINAL_MS;
  }

  /** When the running bot is killed: at its sell of this number, before it is executed, before its answer, or after. */
  let plan = { at: 0, phase: 0 };
  let bot;
  const kill = () => bot.kill("SIGKILL");

  async function sell(request, response) {
    const body = await text(request);
    const intentId = request.headers["idempotency-key"];
    assert.ok(!dead.has(intentId), `${intentId} comes after it was said not to have landed`);
    const rung = (id) => id.replace(/\.\d+$/, "");
    assert.ok(![...sold.keys()].some((id) => rung(id) === rung(intentId)), `${intentId} comes after its rung was sold`);
    sums.sells++;
    const [isKilled, isLost] = [plan.at-- === 0, random(3) === 0];
    if (isKilled && plan.phase === 0) kill();
    if (isLost) sums.lost++;
    if (isLost && random(2) === 0) {
      if (isKilled) kill();
      return request.socket.destroy();
    }
    const before = holds(BOT);
    const reply = await sandbox.fetch(`http://sandbox${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": intentId },
      body,
    });
    const said = await reply.text();
    if (before !== holds(BOT)) {
      assert.ok(!sold.has(intentId), `${intentId} is sold twice`);
      sold.set(intentId, before - holds(BOT));
    }
    if (isKilled && (plan.phase === 1 || isLost)) kill();
    if (isLost) return request.socket.destroy();
    response.writeHead(reply.status, { "content-type": "application/json" }).end(said);
    if (isKilled && plan.phase === 2) setTimeout(kill, random(5));
  }

  const routes = {
    "/task": () => ({ position, plan: PLAN, nowMs: now() }),
    "/look": async () => {
      await moved();
      aheadMs += 4_000;
      return {
        nowMs: now(),
        curve: sandbox.tokens[0],
        wallets: [{ wallet: BOT, holding: { tokens: String(holds(BOT)) } }],
        atMs: ++looks * 4_000,
      };
    },
    "/settle": (id) => {
      sums.inDoubt++;
      if (!sold.has(id)) dead.add(id);
      return { found: sold.has(id) ? "landed" : "did_not_land" };
    },
    "/over": async (id) => {
      if (id === position.id) {
        sums.positions++;
        await open();
      }
      return {};
    },
  };
  const failures = [];
  const server = createServer(async (request, response) => {
    try {
      const [path, query] = request.url.split("?");
      if (path.startsWith("/v1/")) await sell(request, response);
      else if (path === "/rpc") response.end(await (await post(chain, await text(request))).text());
      else
        response.end(
          JSON.stringify(await routes[path](query), (_, value) => (typeof value === "bigint" ? String(value) : value)),
        );
    } catch (error) {
      failures.push(error);
      request.socket.destroy();
      kill();
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  context.after(() => server.close());
  context.after(() => bot?.kill("SIGKILL"));

  const start = (errors) => {
    const args = [PROGRAM, `http://127.0.0.1:${server.address().port}`, folder, settledBy];
    bot = spawn(process.execPath, args, { stdio: ["ignore", "ignore", errors] });
  };
  await open();
  while (sums.kills < kills && !failures.length) {
    plan = { at: random(3), phase: random(3) };
    start("pipe");
    let said = "";
    bot.stderr.setEncoding("utf8").on("data", (text) => (said += text));
    const [code, signal] = await once(bot, "close");
    if (!failures.length) assert.deepEqual([code, signal], [null, "SIGKILL"], said);
    sums.kills++;
  }
  if (failures.length) throw failures[0];

  // The last position is left without a kill.
  plan = { at: -1, phase: 0 };
  const last = sums.positions;
  start("inherit");
  while (sums.positions === last && !failures.length) await new Promise((resolve) => setTimeout(resolve, 20));
  bot.kill("SIGKILL");
  await once(bot, "close");
  if (failures.length) throw failures[0];

  context.diagnostic(JSON.stringify(sums));
  for (const [id, tokens] of [...had].slice(0, -1)) {
    const exits = [...sold].filter(([intentId]) => intentId.startsWith(`${id}/`));
    assert.equal(
      exits.reduce((sum, [, sold]) => sum + sold, 0n),
      tokens,
      `all of ${id} is sold, and no more`,
    );
    const rungs = exits.map(([intentId]) => intentId.replace(/\.\d+$/, ""));
    assert.equal(new Set(rungs).size, rungs.length, `no rung of ${id} is sold twice: ${rungs}`);
    const state = await readFile(join(folder, `${id}.json`), "utf8").then(JSON.parse, () => null);
    if (state) assert.deepEqual([state.tokens, state.order], ["0", null]);
  }
  const journal = fileJournal(join(folder, "trades.journal"));
  const { landed, pending } = await journal.recall(0);
  const ofPast = (id) => !id.startsWith(`${position.id}/`);
  assert.deepEqual(
    [...landed].filter(ofPast).sort(),
    [...sold.keys()].filter(ofPast).sort(),
    "the journal says what the sandbox made",
  );
  assert.deepEqual(
    pending.filter(({ intentId }) => ofPast(intentId)),
    [],
  );
  await journal.close();
  assert.ok(sums.sells > kills && sums.lost > 0, JSON.stringify(sums));
  assert.equal(sums.inDoubt > 0, settledBy === "service", "who was asked");
}
