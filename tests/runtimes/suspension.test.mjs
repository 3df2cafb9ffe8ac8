// What stops trading survives a restart: `halt`, `reduce` and the breaker, in each journal of the package.

import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { crc32 } from "node:zlib";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { fileJournal, nodeFetch } from "launchpad-desk/node";
import { DeskRecord, verifyRecord } from "launchpad-desk/record";
import { serving } from "../hosts/command.mjs";
import { LANDED, clientBy, endOf, fetchBy, rejection, requests, service } from "./service.mjs";

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
      return await work(clientBy(fetch, { journal }), journal);
    } finally {
      await journal.close?.();
    }
  };
  const { buy, sell } = requests();
  const once = (request = buy, operation = "buy") => run((client) => endOf(client[operation](request)));
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
    assert.deepEqual(
      [await lose(), await lose(), await lose(), await buy()],
      ["network_error", "network_error", "network_error", "breaker_open"],
    );
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
    const intent = (intentId) => ({
      intentId,
      operation: "buy",
      startedAtMs: Date.now(),
      body: JSON.stringify(requests().buy),
    });
    for (const id of ["a", "b", "c"]) await run((_client, journal) => journal.begin(intent(id)));
    assert.equal(await buy(), "breaker_open");
    await run((client) => client.resume());
    assert.equal(await buy(), "landed");
    assert.equal(fetch.calls.length, 1);
  });

  test(`a journal (${name}) takes only what it knows`, async () => {
    const { run } = programs(make());
    await run(async (_client, journal) => {
      for (const bad of [{ mode: "paused" }, { breakerOpen: 1 }, { unknownsInARow: -1 }, { unknownsInARow: 1.5 }])
        await assert.rejects(journal.keepSuspension(bad), TypeError);
      await journal.keepSuspension({ mode: "reducing", apiKey: "sk-secret-9" });
      assert.deepEqual((await journal.recall(0)).suspension, { mode: "reducing" });
      // Ends that are recorded in another order than they came in do not lower the count.
      for (const unknownsInARow of [2, 1])
        await journal.settle({ intentId: "nobody" }, { outcome: "unknown" }, { unknownsInARow });
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
  const paused = '"suspension":{"mode":"paused"}}';
  await appendFile(path, `{"crc32":"${crc32(paused).toString(16).padStart(8, "0")}",${paused}\n`);
  await assert.rejects(fileJournal(path).pending(), {
    message: `line 2 of the journal ${path} cannot be read (paused is not a mode; use one of active, reducing, halted): check it before you trade again`,
  });
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
    const client = clientBy(serviceOf(), { journal, logger });
    for (const [act, mode] of Object.entries({ halt: "halted", reduce: "reducing", resume: "active" })) {
      const recorded = client[act]();
      assert.equal(client.guards.mode, mode);
      const error = await rejection(recorded);
      assert.deepEqual(
        [error.name, error.code, error.outcome, error.message],
        [
          "TradeNotSentError",
          "journal_failed",
          "not_sent",
          `not recorded: the client is ${mode}, but a restart may undo that`,
        ],
      );
    }
    // Nobody waits for this one.
    client.halt();
    assert.equal((await rejection(client.buy(requests().buy))).code, "halted");
  }
  assert.deepEqual(lines[0], [
    "the journal did not record what stops trading",
    { mode: "halted", reason: "the disk is full" },
  ]);
  assert.equal(lines[4][1].reason, "the journal has no keepSuspension");
  // Without a journal there is nothing to record.
  await new TradeClient({ ...service }).halt();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  assert.deepEqual(seen, []);
});

test("with a journal that keeps no count, each unresolved trade counts", async () => {
  const begun = Array.from({ length: 3 }, (_, n) => ({
    intentId: `${n}`,
    operation: "buy",
    startedAtMs: Date.now(),
    body: JSON.stringify(requests().buy),
  }));
  const journal = { begin: () => {}, settle: () => {} };
  for (const more of [{ pending: () => begun }, { recall: () => ({ pending: begun, landed: [], lamports: 0n }) }]) {
    const client = clientBy(serviceOf(), { journal: { ...journal, ...more } });
    assert.equal((await rejection(client.buy(requests().buy))).code, "breaker_open");
    assert.equal(client.guards.unknownsInARow, 3);
  }
  const client = clientBy(serviceOf(), {
    journal: { ...journal, recall: () => ({ pending: [], landed: [], lamports: 0n, suspension: { mode: "paused" } }) },
  });
  assert.equal((await rejection(client.buy(requests().buy))).code, "journal_failed");
});

/** Says something in the stop file of a journal, as `launchpad-desk halt` does while a program has the journal. */
let words = 0;
const say = (path, mode) =>
  writeFileSync(`${path}.stop`, mode === "" ? "" : `${JSON.stringify({ mode, id: `words-${++words}` })}\n`);

/** A trade's status, or the outcome and the code of its error. */
const outcomeOf = (trade) =>
  trade.then(
    ({ status }) => status,
    ({ outcome, code }) => `${outcome} ${code}`,
  );

/** A service that counts. */
let answers = 0;
function counting() {
  const fetch = async () => {
    fetch.calls++;
    return new Response(`{"result":{"signature":"s-${++answers}","transactionResult":{"success":true}}}`);
  };
  fetch.calls = 0;
  return fetch;
}

/** A program with a journal: what becomes of its trades, how often it then called the service, and what another program says. */
function running(path = fresh(), more = {}) {
  const fetch = counting();
  const journal = fileJournal(path);
  const client = clientBy(fetch, { journal, ...more });
  const tried = async (operation) => {
    const before = fetch.calls;
    return [await outcomeOf(client[operation](requests()[operation])), fetch.calls - before];
  };
  const said = () => JSON.parse(readFileSync(`${path}.stop`, "utf8")).mode;
  const others = (mode) => say(path, mode);
  return { client, journal, buys: () => tried("buy"), sells: () => tried("sell"), said, path, others };
}
const GOES = ["landed", 1];
const HALTS = ["not_sent halted", 0];

test("what another program says reaches a running one right before its next send, at any step, and survives a restart", async () => {
  let during = () => {};
  const asks = {
    apiKey: async () => (during("key"), "a-key-of-the-desk"),
    hooks: { beforeSend: () => during("hook") },
  };
  const first = running(fresh(), asks);
  const { path, others } = first;
  assert.deepEqual(await first.buys(), GOES);
  for (const step of ["key", "hook"]) {
    during = (at) => at === step && others("halted");
    assert.deepEqual(await first.buys(), HALTS, step);
    during = () => {};
    assert.equal(first.client.guards.mode, "halted");
    others("reducing");
    assert.deepEqual(await first.buys(), ["not_sent reducing", 0]);
    assert.deepEqual(await first.sells(), GOES);
    others("active");
    assert.deepEqual(await first.buys(), GOES);
  }
  // Any shell can make an empty file, and to remove it is not to resume.
  others("");
  assert.deepEqual(await first.buys(), HALTS);
  rmSync(`${path}.stop`);
  assert.deepEqual(await first.buys(), HALTS);
  await first.journal.close();
  const second = running(path);
  assert.deepEqual(await second.buys(), HALTS);
  await second.client.resume();
  assert.deepEqual(await second.buys(), GOES);
  await second.journal.close();
  // Said while no program had the journal.
  others("halted");
  const third = running(path);
  assert.deepEqual(await third.buys(), HALTS);
  await third.journal.close();
});

test("what the program itself says comes after what it has heard, and never takes back a stop that it has not", async () => {
  const { client, journal, buys, said, others } = running();
  assert.deepEqual(await buys(), GOES);
  others("halted");
  assert.equal(client.guards.mode, "halted");
  const resumed = client.resume();
  assert.equal(client.guards.mode, "active");
  await resumed;
  assert.deepEqual(await buys(), GOES);
  await client.halt();
  assert.equal(said(), "halted");
  // A person halts again while the program resumes.
  const late = client.resume();
  others("halted");
  assert.match((await rejection(late)).message, /^not recorded: the client is halted, /);
  assert.deepEqual(await buys(), HALTS);
  await journal.close();
});

test("a stop that comes while the connection opens stops the trade, and so does one that comes while the record is written", async (t) => {
  const path = fresh();
  let posts = 0;
  const { url: baseURL, server } = await serving((_request, response) => response.end(LANDED), t);
  server.on("request", () => posts++); // at its head: a body that is cut off is a trade that was begun
  const send = nodeFetch();
  for (const kind of ["connection", "record"]) {
    const journal = fileJournal(path);
    let log = "";
    const record = new DeskRecord({
      head: async () => "",
      append: async (lines) => {
        log += lines;
        if (kind === "record" && lines.includes('"act":"send"')) say(path, "halted");
      },
    });
    const fetch = (url, init) => {
      const sent = send(url, init);
      if (kind === "connection") say(path, "halted");
      return sent;
    };
    const client = new TradeClient(record.around({ baseURL, fetch, journal }));
    assert.deepEqual([await outcomeOf(client.buy(requests().buy)), posts], ["not_sent halted", 0], kind);
    await record.written();
    assert.match(log, /"act":"suspend","intent":"","detail":"halted","data":\{"mode":"halted","outside":true\}/);
    const { verified, problems } = await verifyRecord(log);
    assert.deepEqual([verified, problems], [true, []]);
    await client.resume();
    await journal.close();
  }
  send.close();
});

test("what the program says last holds, however fast it says it", async () => {
  const { client, journal, buys, said } = running();
  assert.deepEqual(await buys(), GOES);
  for (let round = 0; round < 40; round++) {
    let isOver = false;
    const both = Promise.allSettled([client.resume(), client.halt()]).then(() => (isOver = true));
    for (; !isOver; await new Promise(setImmediate)) assert.equal(client.guards.mode, "halted", `${round}`);
    await both;
    assert.deepEqual([client.guards.mode, said()], ["halted", "halted"], `${round}`);
  }
  assert.deepEqual(await buys(), HALTS);
  await journal.close();
});

test("a stop that crosses what the program says is not taken back", async () => {
  const { client, journal, buys, said, others } = running();
  const ends = async (all) => (await Promise.allSettled(all)).map(({ status }) => status);
  assert.deepEqual(await buys(), GOES);
  await client.halt();
  // It is heard while the program resumes.
  const resumed = client.resume();
  await new Promise(setImmediate);
  others("halted");
  assert.equal(client.guards.mode, "halted");
  await resumed.catch(() => {});
  assert.deepEqual([client.guards.mode, said()], ["halted", "halted"]);
  await client.resume();
  // Nobody has heard it, and the program resumes twice at once.
  others("halted");
  assert.deepEqual(await ends([client.resume(), client.resume()]), ["rejected", "rejected"]);
  assert.deepEqual(await buys(), HALTS);
  await client.resume();
  assert.deepEqual(await buys(), GOES);
  // The program's own halt replaces it.
  const both = ends([client.halt(), client.resume()]);
  others("halted");
  assert.deepEqual(await both, ["fulfilled", "rejected"]);
  assert.deepEqual(await buys(), HALTS);
  await client.resume();
  assert.deepEqual(await buys(), GOES);
  await journal.close();
});

test("a journal that is closed has written what its program said of all trading", async () => {
  const { client, journal, said, path } = running();
  await client.halt();
  const both = Promise.all([client.resume(), client.reduce()]);
  await journal.close();
  assert.equal(said(), "reducing");
  assert.match(readFileSync(path, "utf8"), /"mode":"reducing"/);
  await both;
});

test("a journal whose word on all trading nobody understands halts it, and the log says why", async () => {
  const asked = "outsideMode must say active, reducing or halted";
  const said = { mode: "paused" };
  const words = {
    [asked]: [() => said, () => ({}), () => "halted", async () => ({ mode: "halted" })],
    "no disk": [() => assert.fail("no disk")],
  };
  for (const [reason, ways] of Object.entries(words))
    for (const outsideMode of ways) {
      const lines = [];
      const logger = { error: (...line) => lines.push(line) };
      const journal = { begin() {}, settle() {}, keepSuspension() {}, outsideMode };
      const client = clientBy(serviceOf(), { journal, logger });
      for (let time = 0; time < 2; time++) assert.equal(await endOf(client.buy(requests().buy)), "halted");
      const line = "trading is halted: another program may have stopped it";
      assert.deepEqual(lines, [[line, { reason }]]);
      await client.resume();
      assert.equal(await endOf(client.buy(requests().buy)), "halted", "as long as the journal says so");
    }
  for (const silent of [undefined, null]) {
    const journal = { begin() {}, settle() {}, outsideMode: () => silent };
    assert.equal(await endOf(clientBy(serviceOf(), { journal }).buy(requests().buy)), "landed");
  }
});

test("a program's own halt stands, whatever a journal still says", async () => {
  const outside = { mode: "reducing" };
  const journal = { begin() {}, settle() {}, keepSuspension() {}, outsideMode: () => outside };
  const client = clientBy(serviceOf(), { journal });
  assert.equal(await endOf(client.buy(requests().buy)), "reducing");
  await client.resume();
  await client.halt();
  assert.equal(await endOf(client.sell(requests().sell)), "halted");
});

test("the same words are heard again once the program has said something else", async () => {
  const first = running();
  const { path } = first;
  const writes = (text) => writeFileSync(`${path}.stop`, text);
  assert.deepEqual(await first.buys(), GOES);
  for (const text of ["", '{"mode":"halted"}', "", ""]) {
    writes(text);
    assert.deepEqual(await first.buys(), HALTS, text);
    await first.client.resume();
    writes(text);
    assert.deepEqual(await first.buys(), HALTS, `${text} again`);
    await first.client.resume();
    assert.deepEqual(await first.buys(), GOES);
  }
  // What the file said at the start counts, too.
  writes("");
  await first.journal.close();
  const next = running(path);
  assert.deepEqual(await next.buys(), HALTS);
  await next.client.resume();
  writes("");
  assert.deepEqual(await next.buys(), HALTS);
  next.others("active");
  assert.deepEqual(await next.buys(), GOES);
  writes("");
  assert.deepEqual(await next.buys(), HALTS);
  await next.journal.close();
  // Another program resumes what the file said at the start.
  const last = running(path);
  assert.deepEqual(await last.buys(), HALTS);
  last.others("active");
  assert.deepEqual(await last.buys(), GOES);
  writes("");
  assert.deepEqual(await last.buys(), HALTS);
  await last.journal.close();
});
