// The service sees each intent once, whoever asks, however often, and however badly connections break.

import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import test from "node:test";
import {
  ADA,
  BUY,
  JSON_TYPE,
  LANDED,
  OPENS,
  folder,
  gatewayFor,
  landed,
  openGateway,
  settingsOf,
  tokenOf,
} from "./gateway.mjs";
import { json, startUpstream } from "./upstream.mjs";

const upstream = await startUpstream(json(200, LANDED));
const slowly = (milliseconds, answer) => async (noted, response) => (
  await sleep(milliseconds),
  answer(noted, response)
);
const echo = (noted, response) => json(200, landed(JSON.parse(noted.body)))(noted, response);
const gateway = await gatewayFor({ settings: settingsOf({ upstream: upstream.url, waitMs: 20_000 }) });

/** Sets the service's answer, and clears what it saw. */
function serve(answer) {
  upstream.requests.length = 0;
  upstream.answer = answer;
}
const whole = async (response) => [response.status, response.headers.get("content-type"), await response.text()];
const state = (response) => response.headers.get("intent-state");

test("two hundred clients with one intent at once: one forward, two hundred equal answers", async () => {
  serve(slowly(300, echo));
  const agent = new Agent({ maxSockets: 200 });
  const body = JSON.stringify(BUY);
  const ask = () =>
    new Promise((resolve, reject) => {
      const headers = { ...JSON_TYPE, authorization: `Bearer ${tokenOf("ada")}`, "idempotency-key": "two-hundred" };
      const asked = request(
        new URL("/v1/trade/buy", gateway.url),
        { method: "POST", agent, headers },
        async (response) => {
          let text = "";
          for await (const piece of response.setEncoding("utf8")) text += piece;
          resolve({
            answer: [response.statusCode, response.headers["content-type"], text],
            replayed: response.headers["idempotent-replayed"] ?? "no",
            state: response.headers["intent-state"],
          });
        },
      );
      asked.on("error", reject).end(body);
    });
  const answers = await Promise.all(Array.from({ length: 200 }, ask));
  agent.destroy();
  assert.equal(upstream.requests.length, 1);
  for (const { answer, state } of answers)
    assert.deepEqual([answer, state], [[200, "application/json", JSON.stringify(LANDED)], "ended"]);
  assert.equal(answers.filter(({ replayed }) => replayed === "no").length, 1, "all but one say that they are replays");
});

test("while it is in flight, whoever will not wait longer gets a 409", async () => {
  const impatient = await gatewayFor({ settings: settingsOf({ upstream: upstream.url, waitMs: 100 }) });
  serve(slowly(1_500, echo));
  const first = impatient.post("/v1/trade/buy", BUY, { intent: "slow" });
  while (!upstream.requests.length) await sleep(5);
  const second = await impatient.post("/v1/trade/buy", BUY, { intent: "slow" });
  assert.deepEqual(
    [second.status, second.headers.get("retry-after"), state(second), (await second.json()).outcome],
    [409, "1", "in_flight", "unknown"],
  );
  assert.equal((await first).status, 200);
  assert.equal(
    (await impatient.post("/v1/trade/buy", BUY, { intent: "slow" })).headers.get("idempotent-replayed"),
    "true",
  );
  assert.equal(upstream.requests.length, 1);
});

test("a caller that hangs up gets the answer when it asks again", async () => {
  serve(slowly(400, echo));
  const hangUp = new AbortController();
  const cut = gateway.post("/v1/trade/buy", BUY, { intent: "cut", signal: hangUp.signal });
  while (!upstream.requests.length) await sleep(5);
  hangUp.abort();
  await assert.rejects(cut, { name: "AbortError" });
  const again = await gateway.post("/v1/trade/buy", BUY, { intent: "cut" });
  assert.deepEqual(
    [again.status, state(again), again.headers.get("idempotent-replayed"), upstream.requests.length],
    [200, "ended", "true", 1],
  );
});

for (const [title, answer] of [
  ["closes the connection", (_request, response) => response.destroy()],
  ["answers 408", json(408, "{}")],
  ["answers 421", json(421, "{}")],
  ["answers 503", json(503, { message: "later" })],
  ["answers with a redirect", json(307, "{}", { location: "/elsewhere" })],
  ["answers without end", json(200, " ".repeat((1 << 20) + 1))],
]) {
  test(`a service that ${title} is not asked again, and the intent is listed as in doubt until an operator settles it`, async () => {
    serve(answer);
    const intent = `doubt-${title.replaceAll(" ", "-")}`;
    const ask = () => gateway.post("/v1/trade/buy", BUY, { intent });
    const [one, two] = [await ask(), await ask()];
    assert.ok(one.status >= 500 && one.status < 600, `${one.status}`);
    assert.deepEqual(await whole(two), await whole(one));
    assert.equal(upstream.requests.length, 1);
    assert.ok(
      (await gateway.desk()).inDoubt.some(({ intentId }) => intentId === intent),
      JSON.stringify(await gateway.desk()),
    );
    assert.equal((await gateway.order("settle", { caller: "ada", intentId: intent, found: "landed" })).status, 200);
    const settled = await ask();
    assert.deepEqual(
      [settled.status, state(settled), (await settled.json()).result.transactionResult.success],
      [200, "ended", true],
    );
    assert.ok(!(await gateway.desk()).inDoubt.some(({ intentId }) => intentId === intent));
    assert.equal(upstream.requests.length, 1);
  });
}

test("killed in flight, it is unknown and never resent, until an operator settles it", async () => {
  const persist = await folder();
  const settings = settingsOf({
    upstream: upstream.url,
    desks: [{ name: "alpha", limits: { maxLamportsPerDay: 2 * (BUY.amountInLamports + OPENS) } }],
  });
  serve(() => {});
  const killed = await openGateway({ settings, persist });
  const lost = killed.post("/v1/trade/buy", BUY, { intent: "killed" }).catch((error) => error);
  while (!upstream.requests.length) await sleep(5);
  await killed.kill();
  assert.ok((await lost) instanceof TypeError);
  const gateway = await gatewayFor({ settings, persist });
  serve(echo);
  const ask = () => gateway.post("/v1/trade/buy", BUY, { intent: "killed" });
  const unknown = await ask();
  assert.deepEqual([unknown.status, state(unknown), (await unknown.json()).outcome], [502, "in_doubt", "unknown"]);
  assert.deepEqual(
    (await gateway.desk()).inDoubt.map(({ intentId }) => intentId),
    ["killed"],
  );
  // Possible spends count: a second and a third do not both fit.
  assert.equal((await gateway.post("/v1/trade/buy", BUY, { intent: "second" })).status, 200);
  const over = await gateway.post("/v1/trade/buy", BUY, { intent: "third" });
  assert.deepEqual([over.status, (await over.json()).code], [403, "over_day_limit"]);
  assert.equal(
    (await gateway.order("settle", { caller: "ada", intentId: "killed", found: "did_not_land" })).status,
    200,
  );
  const settled = await ask();
  assert.deepEqual([settled.status, (await settled.json()).code], [403, "did_not_land"]);
  assert.equal(
    (await gateway.post("/v1/trade/buy", BUY, { intent: "fourth" })).status,
    200,
    "what was not spent is free again",
  );
  assert.deepEqual(
    upstream.requests.map(({ body }) => JSON.parse(body).fromWallet),
    [ADA, ADA],
  );
});
