// workerd is killed under load, again and again, in front of a service that breaks in every way. Callers ask again after each
// unknown outcome, with the same intent. The service must see each intent at most once, and at the end each intent is settled or
// listed as in doubt.

import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import { root } from "../../scripts/program.mjs";
import { reply } from "../faults/replies.mjs";
import { openServer } from "../faults/server.mjs";
import { draws, seedOr } from "../seed.mjs";
import { OPENS, RABBIT, caller, folder, landed, openGateway, operator, settingsOf } from "./gateway.mjs";

const KILLS = Number(process.env.KILLS ?? (process.env.PROVE_SEED ? 200 : 5));
/** The kills for each desk; then trading continues on the next one, whose cap is still unused. */
const KILLS_OF_A_DESK = 5;
const SIDES = 8;
const CAP = 120_000 + 120 * OPENS;
const DESKS = Array.from({ length: Math.ceil(KILLS / KILLS_OF_A_DESK) }, (_, at) => `desk-${at}`);

const random = draws(seedOr(20_261_122));

/** How the service handles a trade: → whether it was made, and its answer. */
const WAYS = [
  ...Array(8).fill((request) => ({ made: true, bytes: reply(200, JSON.stringify(landed(request))) })),
  (request) => ({ made: true, bytes: reply(200, JSON.stringify(landed(request))).subarray(0, -9) }),
  () => ({ made: false, bytes: reply(400, '{"message":"no"}') }),
  () => ({ made: true, bytes: reply(500, '{"message":"broken"}') }),
  () => ({ made: true, bytes: reply(408, "") }),
  () => ({ made: true, bytes: reply(421, "") }),
  () => ({ made: true, bytes: reply(307, "", { location: "/v1/trade/buy" }) }),
  () => ({ made: true, reset: true }),
  () => ({ made: true, bytes: undefined }),
];

test(
  `killed ${KILLS} times under load, it forwards each intent once at most, and loses none`,
  { timeout: 3_600_000 },
  async (context) => {
    const made = new Map();
    const service = await openServer({
      script: async (exchange) => {
        const request = JSON.parse(exchange.request.body);
        const way = WAYS[random(WAYS.length)](request);
        made.set(request.fromWallet, way.made);
        await exchange.wait(random(30));
        if (way.reset) await exchange.reset();
        else exchange.end(way.bytes);
      },
    });
    context.after(service.close);
    const persist = await folder();
    const settings = settingsOf({
      upstream: service.url,
      timeoutMs: 5_000,
      waitMs: 1_000,
      desks: DESKS.map((name) => ({ name, limits: { maxLamportsPerDay: CAP } })),
      callers: DESKS.flatMap((desk) => [
        caller(`trader-of-${desk}`, { desk }),
        operator(`operator-of-${desk}`, { desk }),
      ]),
    });
    const start = () => openGateway({ settings, persist, main: join(root, "tests/edge/entries/checked.mjs") });

    /** Every intent, and what its caller knows: `state` is the last one that an answer reported. */
    const intents = [];
    const sums = { asked: 0, unanswered: 0 };
    let gateway;
    context.after(() => gateway?.close());
    const isOpen = ({ state }) => !["ended", "not_recorded", "in_doubt"].includes(state);

    /** Asks for an intent once, and records the answer. Earlier answers must still hold. */
    async function ask(intent, signal) {
      sums.asked++;
      const { desk, number, amountInLamports } = intent;
      const request = { mint: RABBIT, fromWallet: `wallet-${number}`, amountInLamports };
      const response = await gateway.post("/v1/trade/buy", request, {
        as: `trader-of-${desk}`,
        intent: `intent-${number}`,
        signal,
      });
      const text = await response.text();
      const state = response.headers.get("intent-state");
      if (response.status === 502 && !state) return assert.equal(JSON.parse(text).code, "interrupted");
      assert.ok(
        ["ended", "not_recorded", "in_doubt", "in_flight"].includes(state),
        `${response.status} ${state} ${text}`,
      );
      const told = `${response.status} ${text}`;
      if (intent.state === "ended" || intent.state === "in_doubt")
        assert.deepEqual([state, told], [intent.state, intent.told]);
      // A refused intent may be accepted when asked again: there may be room by then.
      Object.assign(intent, { state, told, status: response.status });
    }

    /** Trades from several sides at once, old intents and new ones, until the gateway is killed in the middle of it. */
    async function load(desk, answers) {
      let left = answers;
      let dead = false;
      const open = intents.filter(isOpen);
      const side = async () => {
        while (!dead) {
          const intent = open.pop() ?? { desk, number: intents.length, amountInLamports: 1 + random(2_000) };
          if (!("state" in intent)) intents.push(Object.assign(intent, { state: "new" }));
          // Some callers give up early; they ask again in a later round.
          const signal = random(10) === 0 ? AbortSignal.timeout(1 + random(20)) : undefined;
          try {
            await ask(intent, signal);
          } catch (error) {
            if (error.code === "ERR_ASSERTION") throw error;
            sums.unanswered++;
          }
          if (--left === 0) {
            await sleep(random(25));
            dead = true;
            await gateway.kill();
          }
        }
      };
      const ends = await Promise.allSettled(Array.from({ length: SIDES }, side));
      for (const { reason } of ends) if (reason) throw reason;
    }

    async function assertSound() {
      for (const desk of new Set(intents.map(({ desk }) => desk))) {
        const response = await gateway.ask(`/-check/${desk}`);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        const { sound, rows } = JSON.parse(text);
        assert.deepEqual(sound, [{ quick_check: "ok" }]);
        for (const { key, row } of rows) assert.doesNotThrow(() => JSON.parse(row), key);
      }
    }

    for (let kill = 0; kill < KILLS; kill++) {
      gateway = await start();
      await load(DESKS[Math.floor(kill / KILLS_OF_A_DESK)], 5 + random(60));
    }
    gateway = await start();
    await assertSound();
    for (const intent of intents) {
      do await ask(intent);
      while (isOpen(intent));
    }

    // The service saw each at most once, and the callers' answers agree with what it did.
    assert.deepEqual(service.mishaps, []);
    const doubted = new Map();
    for (const desk of DESKS)
      doubted.set(
        desk,
        (await gateway.desk(`operator-of-${desk}`)).inDoubt.map(({ intentId }) => intentId),
      );
    for (const { number, desk, state, status, told } of intents) {
      const posts = service.posts[number] ?? 0;
      assert.ok(posts <= 1, `intent ${number} was forwarded ${posts} times`);
      const isRefused = state === "not_recorded" || status === 403;
      if (isRefused || state === "ended") assert.equal(posts, isRefused ? 0 : 1, told);
      if (status === 200) assert.equal(made.get(`wallet-${number}`), true);
      const isListed = doubted.get(desk).includes(`intent-${number}`);
      assert.equal(
        isListed,
        status >= 500,
        `intent ${number}, ${state}, ${told}: ${isListed ? "" : "not "}listed as in doubt`,
      );
    }
    for (const desk of DESKS) {
      const spent = intents
        .filter((intent) => intent.desk === desk && made.get(`wallet-${intent.number}`))
        .reduce((sum, { amountInLamports }) => sum + amountInLamports + OPENS, 0);
      assert.ok(spent <= CAP, `${desk} spent ${spent} of ${CAP}`);
    }

    // A person settles what is in doubt by the service's records; nothing is sent again.
    const before = service.requests.length;
    for (const intent of intents.filter(({ status }) => status >= 500)) {
      const found = made.get(`wallet-${intent.number}`) ? "landed" : "did_not_land";
      assert.equal(
        (
          await gateway.order(
            "settle",
            { caller: `trader-of-${intent.desk}`, intentId: `intent-${intent.number}`, found },
            `operator-of-${intent.desk}`,
          )
        ).status,
        200,
      );
      intent.state = "settled";
      await ask(intent);
      assert.deepEqual([intent.state, intent.status], found === "landed" ? ["ended", 200] : ["ended", 403]);
    }
    assert.equal(service.requests.length, before);
    for (const desk of DESKS) assert.deepEqual((await gateway.desk(`operator-of-${desk}`)).inDoubt, []);

    Object.assign(sums, { forwarded: before, inDoubt: [...doubted.values()].flat().length });
    context.diagnostic(`${KILLS} kills: ${JSON.stringify(sums)}`);
    assert.ok(sums.forwarded > 5 * KILLS && sums.inDoubt > 0 && sums.unanswered > KILLS, "there was something to lose");
  },
);
