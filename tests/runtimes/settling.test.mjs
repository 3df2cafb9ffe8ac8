// A trade reaches its caller by its deadline, whatever a journal or a hook does afterwards.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { LANDED, clientBy, fetchBy, fetchOf, rejection, requests } from "./service.mjs";

// A deadline is a timer here: by a clock that goes on, a busy machine could be late before it sends.
mock.timers.enable({ apis: ["Date"], now: Date.now() });

const { buy } = requests();
const never = () => new Promise(() => {});
const journalOf = (more) => ({ begin() {}, settle() {}, ...more });
const NOT_CONFIRMED =
  "the journal has not confirmed how a trade ended by the deadline; the caller gets the result without it";
const NOT_ENDED = "the hook after a trade has not ended by the deadline; the caller gets the result without it";

/** A client, and what its logger got from `warn` on. */
function clientOf(options) {
  const lines = [];
  const note =
    (level) =>
    (line, { intentId, outcome }) =>
      lines.push([level, line, intentId, outcome]);
  const client = clientBy(fetchOf(LANDED), {
    timeoutMs: 1_000,
    logger: { warn: note("warn"), error: note("error") },
    ...options,
  });
  return { client, lines };
}

for (const [title, options, line] of [
  ["a journal that never takes down the end", { journal: journalOf({ settle: never }) }, ["error", NOT_CONFIRMED]],
  ["a hook that never ends", { hooks: { afterSettle: never } }, ["warn", NOT_ENDED]],
]) {
  test(
    `${title}: a landed trade is returned at its deadline, and the logger says so`,
    { timeout: 20_000 },
    async () => {
      const { client, lines } = clientOf(options);
      const trade = await client.buy(buy, { intentId: "i" });
      assert.deepEqual([trade.status, trade.intentId], ["landed", "i"]);
      assert.deepEqual(lines, [[...line, "i", "landed"]]);
      assert.equal(client.guards.inFlight.length, 0);
    },
  );

  test(`${title}: a caller that gives up is given the landed trade at once`, { timeout: 20_000 }, async () => {
    const { client } = clientOf({ ...options, timeoutMs: 2_147_483_647 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    assert.equal((await client.buy(buy, { signal: controller.signal })).status, "landed");
  });

  test(`${title}: a failure is given at its deadline, too`, { timeout: 20_000 }, async () => {
    for (const [fetch, outcome, code] of [
      [fetchOf("{}", { status: 400 }), "rejected", "rejected_by_service"],
      [fetchBy(never), "unknown", "timeout"],
    ]) {
      const { client, lines } = clientOf({ ...options, fetch });
      const error = await rejection(client.buy(buy, { intentId: "i" }));
      assert.deepEqual([error.outcome, error.code], [outcome, code]);
      assert.ok(
        lines.some(([, text]) => text === line[1]),
        JSON.stringify(lines),
      );
    }
  });
}

test("a journal that takes its time is waited for, and so is a hook, in this order", async () => {
  const said = [];
  const slowly = (word) => async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    said.push(word);
  };
  const { client, lines } = clientOf({
    timeoutMs: 60_000,
    journal: journalOf({ settle: slowly("journal") }),
    hooks: { afterSettle: slowly("hook") },
  });
  await client.buy(buy);
  assert.deepEqual([said, lines], [["journal", "hook"], []]);
});

test("a journal that answers at once is confirmed after a deadline, too", async () => {
  const settled = [];
  const { client, lines } = clientOf({
    fetch: fetchBy(never),
    journal: journalOf({ settle: async (_intent, { outcome }) => void settled.push(outcome) }),
  });
  assert.equal((await rejection(client.buy(buy))).code, "timeout");
  assert.deepEqual(settled, ["unknown"]);
  assert.ok(!lines.some(([, text]) => text === NOT_CONFIRMED));
});
