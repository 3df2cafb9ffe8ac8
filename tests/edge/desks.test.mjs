// Many desks: each has its own object, so no desk waits for another, and none sees another.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import {
  BUY,
  OPENS,
  caller,
  folder,
  gatewayFor,
  inWaves,
  landed,
  openGateway,
  operator,
  settingsOf,
} from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

const DESKS = 50;
const names = Array.from({ length: DESKS }, (_, at) => `desk-${at}`);
const settings = (more) =>
  settingsOf({
    desks: names.map((name) => ({ name, limits: { maxLamportsPerDay: 5 * (1_000 + OPENS) } })),
    callers: names.flatMap((desk) => [
      caller(`trader-of-${desk}`, { desk }),
      operator(`operator-of-${desk}`, { desk }),
    ]),
    ...more,
  });

test(`${DESKS} desks at once: each keeps its own intents and its own cap, and a desk whose service hangs holds up no other`, async () => {
  const upstream = await startUpstream(async (noted, response) => {
    const request = JSON.parse(noted.body);
    if (request.fromWallet.startsWith("wallet-of-desk-0-")) await sleep(4_000);
    json(200, landed(request))(noted, response);
  });
  const persist = await folder();
  const gateway = await gatewayFor({ settings: settings({ upstream: upstream.url }), persist });
  const buy = (desk, at) =>
    gateway.post(
      "/v1/trade/buy",
      { ...BUY, fromWallet: `wallet-of-${desk}-${at}`, amountInLamports: 1_000 },
      { as: `trader-of-${desk}`, intent: `trade-${at}` },
    );
  const stuck = buy("desk-0", 0);
  while (!upstream.requests.length) await sleep(5);
  const all = names.slice(1).flatMap((desk) => Array.from({ length: 6 }, (_, at) => [desk, at]));
  const answers = await inWaves(all, async ([desk, at]) => [desk, (await buy(desk, at)).status]);
  for (const desk of names.slice(1)) {
    assert.deepEqual(
      answers
        .filter(([name]) => name === desk)
        .map(([, status]) => status)
        .sort(),
      [200, 200, 200, 200, 200, 403],
      desk,
    );
  }
  assert.equal(upstream.requests.length, 1 + 5 * (DESKS - 1));
  assert.equal((await stuck).status, 200);
  const objects = (await readdir(persist, { recursive: true })).filter((file) => /[0-9a-f]{64}\.sqlite$/.test(file));
  assert.equal(objects.length, DESKS, "an object for each desk");
  const own = await gateway.desk("operator-of-desk-7");
  assert.ok(JSON.stringify(own).includes("wallet-of-desk-7") || own.desk === "desk-7");
  assert.ok(!/desk-(?!7\b)\d+/.test(JSON.stringify(own)), "nothing of other desks");
});

test("in the sandbox, each desk has a world of its own, which a kill leaves as it was", async () => {
  const options = { settings: settings({ desks: names.map((name) => ({ name })) }), persist: await folder() };
  const buy = (gateway, desk, intent) => gateway.post("/v1/trade/buy", BUY, { as: `trader-of-${desk}`, intent });
  const killed = await openGateway(options);
  const told = [];
  for (const desk of ["desk-1", "desk-2"]) told.push(await (await buy(killed, desk, "one")).json());
  assert.equal(told[0].result.buyAmount, told[1].result.buyAmount, "the first buy on an untouched curve");
  await killed.kill();
  const gateway = await gatewayFor(options);
  const replay = await buy(gateway, "desk-1", "one");
  assert.deepEqual([replay.headers.get("idempotent-replayed"), await replay.json()], ["true", told[0]]);
  const next = await (await buy(gateway, "desk-1", "two")).json();
  assert.ok(next.result.buyAmount < told[0].result.buyAmount, "the curve has moved, and stayed so");
  assert.equal(next.result.preTokenBalance, told[0].result.postTokenBalance);
});
