// What stops trading survives a restart: `halt`, `reduce` and the breaker, in each journal of the package.

import assert from "node:assert/strict";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/journal";
import { fileJournal } from "launchpad-desk/node";
import { LANDED, fetchBy, rejection, requests, service } from "./service.mjs";

const folder = await mkdtemp(join(tmpdir(), "suspension-"));
after(() => rm(folder, { recursive: true }));

let files = 0;
const fresh = () => join(folder, `${++files}.journal`);

/** A service that answers, or breaks the connection if set to. */
function serviceOf() {
  const fetch = fetchBy(async () => {
    if (fetch.breaks) throw new Error("the connection broke");
    return new Response(LANDED);
  });
  return fetch;
}

/** Runs `work` with a client of the next program: the journal is opened for it, and closed. */
function programs(open) {
  const fetch = serviceOf();
  const run = async (work) => {
    const journal = open();
    try {
      return await work(new TradeClient({ ...service, fetch, journal }), journal);
    } finally {
      await journal.close?.();
    }
  };
  const { buy, sell } = requests();
  const codeOf = (promise) => promise.then(({ status }) => status, ({ code }) => code);
  const once = (request = buy, operation = "buy") => run((client) => codeOf(client[operation](request)));
  const lose = async () => {
    fetch.breaks = true;
    try {
      return await once();
    } finally {
      fetch.breaks = false;
    }
  };
  return { fetch, run, buy: () => once(), sell: () => once(sell, "sell"), lose };
}

const JOURNALS = {
  file: () => {
    const path = fresh();
    return () => fileJournal(path);
  },
  memory: () => {
    const journal = memoryJournal();
    return () => journal;
  },
};

for (const [name, make] of Object.entries(JOURNALS)) {
  test(`a journal (${name}) keeps what halt, reduce and resume say`, async () => {
    const { run, buy, sell, fetch } = programs(make());
    await run((client) => client.halt());
    for (let restart = 0; restart < 2; restart++) assert.deepEqual([await buy(), await sell()], ["halted", "halted"]);
    await run((client) => client.reduce());
    assert.equal(await buy(), "reducing");
    // This program's change is newer than the journal's, although it is made before the journal is read.
    await run(async (client) => {
      const resumed = client.resume();
      assert.equal((await client.buy(requests().buy)).status, "landed");
      await resumed;
    });
    assert.equal(await buy(), "landed");
    await run(async (client) => {
      await client.halt();
      await client.pending();
      assert.equal(client.guards.mode, "halted");
    });
    assert.equal(fetch.calls.length, 2);
  });

  test(`a journal (${name}) keeps the breaker: restarts allow no further doubtful trade`, async () => {
    const { run, buy, lose, fetch } = programs(make());
    for (let restart = 0; restart < 3; restart++) assert.equal(await lose(), "network_error");
    for (let restart = 0; restart < 3; restart++) assert.equal(await lose(), "breaker_open");
    assert.equal(fetch.calls.length, 3);
    // resume() closes it, and that is kept, too. The trades stay unresolved.
    await run((client) => client.resume());
    assert.equal(await run(async (client) => (await client.pending()).length), 3);
    assert.deepEqual([await lose(), await lose(), await buy()], ["network_error", "network_error", "landed"]);
    // An answer ends the row.
    assert.deepEqual([await lose(), await lose(), await lose(), await buy()], ["network_error", "network_error", "network_error", "breaker_open"]);
    // An open breaker stays open until each trade is settled.
    const [last, ...others] = await run((client) => client.pending());
    await run(async (client) => {
      for (const { intentId } of others) assert.ok(await client.acknowledge(intentId, "did_not_land"));
    });
    assert.equal(await buy(), "breaker_open");
    await run((client) => client.acknowledge(last.intentId, "did_not_land"));
    assert.deepEqual([await buy(), await lose(), await buy()], ["landed", "network_error", "landed"]);
  });

  test(`a journal (${name}) counts trades that were in flight when their program ended`, async () => {
    const { run, buy, fetch } = programs(make());
    const intent = (intentId) => ({ intentId, operation: "buy", startedAtMs: Date.now(), body: JSON.stringify(requests().buy) });
    for (const id of ["a", "b", "c"]) await run((_client, journal) => journal.begin(intent(id)));
    assert.equal(await buy(), "breaker_open");
    await run((client) => client.resume());
    assert.equal(await buy(), "landed");
    assert.equal(fetch.calls.length, 1);
  });

  test(`a journal (${name}) takes only what it knows`, async () => {
    const { run } = programs(make());
    await run(async (_client, journal) => {
      for (const bad of [{ mode: "paused" }, { breakerOpen: 1 }, { unknownsInARow: -1 }, { unknownsInARow: 1.5 }]) await assert.rejects(journal.keepSuspension(bad), TypeError);
      await journal.keepSuspension({ mode: "reducing", apiKey: "sk-secret-9" });
      assert.deepEqual((await journal.recall(0)).suspension, { mode: "reducing" });
      // Ends that are recorded in another order than they came in do not lower the count.
      for (const unknownsInARow of [2, 1]) await journal.settle({ intentId: "nobody" }, { outcome: "unknown" }, { unknownsInARow });
      assert.equal((await journal.recall(0)).suspension.unknownsInARow, 2);
    });
  });
}

test("a halt is a line on the disk, and a mode that nobody knows is refused", async () => {
  const path = fresh();
  const journal = fileJournal(path);
  await new TradeClient({ ...service, journal }).halt();
  const text = await readFile(path, "utf8");
  assert.match(text, /^\{"crc32":"[0-9a-f]{8}","suspension":\{"mode":"halted"\}\}\n$/);
  await journal.close();
  await appendFile(path, '{"suspension":{"mode":"paused"}}\n');
  await assert.rejects(fileJournal(path).pending(), { message: `line 2 of the journal ${path} cannot be read (paused is not a mode; use one of active, reducing, halted): check it before you trade again` });
});

test("a torn halt was never confirmed, and is dropped with a warning", async () => {
  const path = fresh();
  await writeFile(path, '{"crc32":"00000000","suspension":{"mode":"hal');
  const warned = new Promise((resolve) => process.once("warning", resolve));
  const journal = fileJournal(path);
  assert.deepEqual((await journal.recall(0)).suspension, {});
  assert.match((await warned).message, /was torn and is dropped/);
  await journal.close();
});

test("halt, reduce and resume take effect at once, and say it if they could not be recorded", async () => {
  const seen = [];
  const unhandled = (error) => seen.push(error);
  process.on("unhandledRejection", unhandled);
  const begin = () => {};
  const settle = () => {};
  const failing = { begin, settle, keepSuspension: () => Promise.reject(new Error("the disk is full")) };
  const lines = [];
  const logger = { error: (message, details) => lines.push([message, details]) };
  for (const journal of [failing, { begin, settle }]) {
    const client = new TradeClient({ ...service, fetch: serviceOf(), journal, logger });
    for (const [act, mode] of [["halt", "halted"], ["reduce", "reducing"], ["resume", "active"]]) {
      const recorded = client[act]();
      assert.equal(client.guards.mode, mode);
      const error = await rejection(recorded);
      assert.deepEqual([error.name, error.code, error.outcome, error.message], ["TradeNotSentError", "journal_failed", "not_sent", `not recorded: the client is ${mode}, but a restart would undo that`]);
    }
    // Nobody waits for this one.
    client.halt();
    assert.equal((await rejection(client.buy(requests().buy))).code, "halted");
  }
  assert.deepEqual(lines[0], ["the journal did not record what stops trading", { mode: "halted", reason: "the disk is full" }]);
  assert.equal(lines[4][1].reason, "the journal has no keepSuspension");
  // Without a journal there is nothing to record.
  await new TradeClient({ ...service }).halt();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  assert.deepEqual(seen, []);
});

test("with a journal that keeps no count, each unresolved trade counts", async () => {
  const begun = Array.from({ length: 3 }, (_, n) => ({ intentId: `${n}`, operation: "buy", startedAtMs: Date.now(), body: JSON.stringify(requests().buy) }));
  const journal = { begin: () => {}, settle: () => {} };
  for (const more of [{ pending: () => begun }, { recall: () => ({ pending: begun, landed: [], lamports: 0n }) }]) {
    const client = new TradeClient({ ...service, fetch: serviceOf(), journal: { ...journal, ...more } });
    assert.equal((await rejection(client.buy(requests().buy))).code, "breaker_open");
    assert.equal(client.guards.unknownsInARow, 3);
  }
  const client = new TradeClient({ ...service, fetch: serviceOf(), journal: { ...journal, recall: () => ({ pending: [], landed: [], lamports: 0n, suspension: { mode: "paused" } }) } });
  assert.equal((await rejection(client.buy(requests().buy))).code, "journal_failed");
});
