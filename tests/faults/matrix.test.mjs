// The matrix itself: it complains about a runtime that sends twice, leaks, follows redirects or lies.

import assert from "node:assert/strict";
import test from "node:test";
import { runMatrix } from "./matrix.mjs";
import { between, differences, either, landed, unknown } from "./outcomes.mjs";
import { reply, trade } from "./replies.mjs";
import { ROWS, rowOn } from "./rows.mjs";
import { nodesBeside, thisNode } from "./runtimes.mjs";

const ROW = { task: "calls", calls: 1, parallel: 1, posts: 1, options: {}, call: {}, on: {}, not: [], name: "a row" };
const LANDS = { ...ROW, script: (exchange) => exchange.end(reply(200, trade())), expect: landed() };

/** A runtime that handles each row by `behave(row, post)`, which resolves to the row's results. */
const runtime = (behave, log = "") => ({
  families: ["stub"],
  start: async () => ({
    async run({ rows }) {
      const reports = [];
      for (const row of rows) {
        const post = (call = 0, headers = { "x-api-key": row.key }, init = {}) =>
          fetch(`${row.url}/v1/trade/buy`, {
            method: "POST",
            headers,
            body: JSON.stringify({ fromWallet: `wallet-${call}` }),
            redirect: "manual",
            ...init,
          });
        reports.push({ id: row.id, results: await behave(row, post) });
      }
      return { reports, log: log && rows[0].key };
    },
    close: async () => {},
  }),
});

const complaintsOf = async (row, behave) => {
  const { results } = await runMatrix(runtime(behave), [row]);
  return results.flatMap(({ complaints }) => complaints).join("; ");
};
const LANDED = { settled: "trade", status: "landed" };

test("a result that matches its row is not reported", async () => {
  assert.equal(await complaintsOf(LANDS, async (_row, post) => (await post(), [LANDED])), "");
});

for (const [title, row, behave, complaint] of [
  [
    "sends twice",
    LANDS,
    async (_row, post) => (await post(), await post(), [LANDED]),
    /number of POSTs that the server saw should be 1, and is 2/,
  ],
  ["sends nothing", LANDS, async () => [LANDED], /should be 1, and is 0/],
  [
    "calls a loss a trade",
    { ...LANDS, expect: unknown("network_error") },
    async (_row, post) => (await post(), [LANDED]),
    /settled should be "error", and is "trade".*code should be "network_error", and is nothing/,
  ],
  ["makes too few calls", { ...LANDS, calls: 2 }, async (_row, post) => (await post(), [LANDED]), /1 of 2 calls/],
  [
    "tells the key",
    LANDS,
    async ({ key }, post) => (await post(), [{ ...LANDED, message: key }]),
    /the API key is in what came of it/,
  ],
  ["sends no key", LANDS, async (_row, post) => (await post(0, {}), [LANDED]), /a POST came without the API key/],
  [
    "sends the key ahead",
    LANDS,
    async ({ key, url }, post) => (
      await fetch(url, { method: "OPTIONS", headers: { "x-api-key": key } }),
      await post(),
      [LANDED]
    ),
    /the API key came with OPTIONS/,
  ],
  [
    "asks by another method",
    LANDS,
    async (_row, post) => (await post(), await post(0, {}, { method: "PUT" }), [LANDED]),
    /a PUT came/,
  ],
  [
    "follows a redirect",
    { ...ROW, script: (exchange) => exchange.end(reply(307, "", { location: exchange.elsewhere })), expect: landed() },
    async (_row, post) => (await post(0, undefined, { redirect: "follow" }).catch(() => {}), [LANDED]),
    /1 requests went elsewhere/,
  ],
  [
    "logs an error otherwise than it is",
    { ...LANDS, expect: { settled: "error" } },
    async (_row, post) => (
      await post(),
      [{ settled: "error", outcome: "unknown", code: "timeout", json: { outcome: "not_sent", code: "timeout" } }]
    ),
    /toJSON\(\)\.outcome should be "unknown", and is "not_sent"/,
  ],
  [
    "meets a script that fails",
    {
      ...ROW,
      script: () => {
        throw new Error("a bad script");
      },
      expect: landed(),
    },
    async (_row, post) => (await post().catch(() => {}), [LANDED]),
    /the row's script failed: Error: a bad script/,
  ],
]) {
  test(`a runtime that ${title} is reported`, async () => assert.match(await complaintsOf(row, behave), complaint));
}

test("a runtime that logs the key is reported", async () => {
  const { complaints } = await runMatrix(
    runtime(async (_row, post) => (await post(), [LANDED]), "key"),
    [LANDS],
  );
  assert.deepEqual(complaints, ["the API key is in what it logged"]);
});

test("the Node that runs the matrix has the name and the facts of its own version", () => {
  for (const own of [20, 22, 24, 26]) {
    const nodes = nodesBeside(own);
    assert.equal(new Set(nodes.map(({ name }) => name)).size, nodes.length);
    const of = (nodes) => [...new Set(nodes.map(({ name }) => /^node (\d+), /.exec(name)[1]))];
    assert.deepEqual(of(nodes.filter(({ program }) => program === thisNode)), [String(own)]);
    assert.deepEqual(
      of(nodes.filter(({ program }) => program !== thisNode)),
      ["20", "22", "24"].filter((major) => major !== String(own)),
    );
    for (const { name, families } of nodes)
      for (const family of families.filter((family) => /\d/.test(family)))
        assert.ok(name.startsWith(`${family}, `), `${name} has the facts of ${family}`);
  }
});

test("a row is on each runtime what that runtime makes of it", () => {
  const row = {
    ...ROW,
    expect: [1, 2],
    posts: (call) => call * 10,
    on: { one: { expect: 5 }, two: { posts: 7 } },
    not: ["three"],
    only: ["one", "two", "three", "four"],
  };
  const seen = (...families) => {
    const on = rowOn(row, families);
    return on && [on.expected(1), on.expectedPosts(1)];
  };
  assert.deepEqual(seen("four"), [2, 10]);
  assert.deepEqual(seen("one"), [5, 10]);
  assert.deepEqual(seen("one", "two"), [5, 7]);
  assert.equal(seen("one", "three"), undefined);
  assert.equal(seen("five"), undefined);
});

test("what is expected is compared field by field", () => {
  const found = (expected, seen) => differences(expected, seen).join("; ");
  assert.equal(found({ a: 1, b: { c: either(2, 3) }, d: undefined }, { a: 1, b: { c: 3, e: 4 } }), "");
  assert.equal(found({ a: undefined }, { a: null }), "a should be nothing, and is null");
  assert.equal(found({ b: { c: either(2, "x") } }, { b: { c: 4 } }), 'b.c should be 2 or "x", and is 4');
  assert.equal(found({ a: between(1, 2) }, { a: 2.5 }), "a should be 1 to 2, and is 2.5");
  assert.equal(found({ a: between(1, 2) }, {}), "a should be 1 to 2, and is nothing");
  assert.equal(found({ a: 1 }, undefined), 'it should be {"a":1}, and is nothing');
});

test("every row expects something of each of its calls", () => {
  for (const row of ROWS) {
    const { expected, expectedPosts } = rowOn({ ...row, only: undefined }, []);
    for (let call = 0; call < row.calls && row.task === "calls"; call++) {
      assert.equal(typeof expected(call), "object", `${row.name}, call ${call}`);
      assert.ok(expectedPosts(call) >= 0, `${row.name}, call ${call}`);
    }
  }
});
