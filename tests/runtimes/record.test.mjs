// The record of a desk: what a client writes around a sandbox and a service, and what `verifyRecord` says about it.

import assert from "node:assert/strict";
import { appendFile, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { fileRecord, nodeFetch } from "launchpad-desk/node";
import { DeskRecord, checkText, verifyRecord } from "launchpad-desk/record";
import { Sandbox } from "launchpad-desk/sandbox";
import { serving } from "../hosts/command.mjs";
import { recordStore, service } from "./service.mjs";

const KEY = "sk-canary-0123456789";

const requestOf = (sandbox, lamports = 50_000_000) => ({
  mint: sandbox.tokens[0].mint,
  fromWallet: sandbox.wallets[0].wallet,
  amountInLamports: lamports,
});

async function traded(store, sandbox = new Sandbox()) {
  const record = new DeskRecord(store);
  const client = new TradeClient(
    record.around({ fetch: sandbox.fetch, journal: memoryJournal(), maxLamportsPerTrade: 100_000_000 }),
  );
  const plan = await client.plan("buy", requestOf(sandbox), { intentId: "trade-1" });
  await record.plan(plan, sandbox);
  const trade = await client.send(plan);
  await client
    .sellByPercentage({ ...requestOf(sandbox), amountInLamports: undefined, percentage: 50 }, { intentId: "trade-2" })
    .catch((error) => error);
  await record.written();
  return { record, client, plan, trade, sandbox };
}

test("a trade in a sandbox is recorded from plan to receipt, and verified at exactly its price", async () => {
  const store = recordStore();
  const { trade, record, sandbox } = await traded(store);
  assert.equal(trade.status, "landed");
  const others = { fetch: sandbox.fetch, journal: memoryJournal(), maxLamportsPerTrade: 5 };
  assert.throws(() => record.around(others), { name: "TypeError", message: /a client with other settings/ });
  const acts = store.log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ intent }) => intent !== "trade-2")
    .map(({ act }) => act);
  assert.deepEqual(acts, ["start", "plan", "begin", "send", "answer", "settle", "receipt"]);
  const trades = [];
  const verdict = await verifyRecord(store.log, { head: store.last, onTrade: (one) => trades.push(one) });
  assert.deepEqual(verdict.problems, []);
  assert.ok(verdict.verified);
  assert.deepEqual(
    trades.map(({ intentId, outcome, price, planned, sent }) => ({ intentId, outcome, price, planned, sent }))[0],
    { intentId: "trade-1", outcome: "landed", price: "exact", planned: true, sent: true },
  );
});

test("a sandbox is kept with what its token and its accounts have of their own: the price is proven all the same", async () => {
  const [mint, wallet] = ["M", "W"];
  const held = { mint, tokens: 1_000_000_000_000 };
  const buy = ["buy", { mint, fromWallet: wallet, amountInLamports: 50_000_000 }];
  const sell = ["sellByPercentage", { mint, fromWallet: wallet, percentage: 100 }];
  for (const [token, ofWallet, [operation, request]] of [
    [{ creatorBps: 77 }, {}, buy],
    [{ hasCreator: false }, {}, buy],
    [{}, { opensVolumeAccount: true }, buy],
    [{}, { holdings: [{ ...held, staysOpen: true }] }, sell],
    [{}, { holdings: [{ ...held, isFrozen: true }] }, sell],
  ]) {
    const sandbox = new Sandbox({
      tokens: [{ mint, soldBps: 1_000, ...token }],
      wallets: [{ wallet, lamports: 5_000_000_000n, ...ofWallet }],
    });
    const store = recordStore();
    const record = new DeskRecord(store);
    const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
    const plan = await client.plan(operation, request);
    await record.plan(plan, sandbox);
    await client.send(plan).catch(() => {});
    await record.written();
    const kept = JSON.parse(store.log.split("\n")[1]).data.market;
    assert.ok(kept, JSON.stringify([token, ofWallet]));
    const trades = [];
    const { problems } = await verifyRecord(store.log, { head: store.last, onTrade: (one) => trades.push(one) });
    assert.deepEqual(problems, []);
    if (operation === "buy") assert.equal(trades[0].price, "exact", JSON.stringify([token, ofWallet]));
  }
});

test("each form of a record gives the same verdict", async () => {
  const store = recordStore();
  await traded(store);
  const bytes = new TextEncoder().encode(store.log);
  const pieces = [bytes.subarray(0, 100), bytes.subarray(100)];
  for (const form of [store.log, bytes, new Blob([store.log]), pieces, new Blob([store.log]).stream()]) {
    const { verified, head } = await verifyRecord(form, { head: store.last });
    assert.ok(verified);
    assert.deepEqual(head, JSON.parse(store.last));
  }
});

test("a changed byte is found, with its line", async () => {
  const store = recordStore();
  await traded(store);
  const { verified, problems } = await verifyRecord(store.log.replace('"act":"send"', '"act":"sand"'), {
    head: store.last,
  });
  assert.deepEqual([verified, problems[0].line, problems[0].code], [false, 4, "changed"]);
});

test("an answer that is lost is recorded as unknown, and its settlement by the record's evidence", async () => {
  const store = recordStore();
  const sandbox = new Sandbox({ faults: { script: [{ kind: "noAnswer" }] } });
  const record = new DeskRecord(store);
  const client = new TradeClient(
    record.around({ fetch: sandbox.fetch, journal: memoryJournal(), intentHeader: "idempotency-key" }),
  );
  await assert.rejects(client.buy(requestOf(sandbox), { intentId: "t", timeoutMs: 2_000 }), { outcome: "unknown" });
  await record.evidence("t", { outcome: "landed", signature: sandbox.calls[0]?.signature ?? null });
  await client.acknowledge("t", "landed");
  await record.written();
  const trades = [];
  const { problems } = await verifyRecord(store.log, { head: store.last, onTrade: (one) => trades.push(one) });
  assert.deepEqual(problems, []);
  assert.deepEqual([trades[0].outcome, trades[0].proven, trades[0].acknowledged], ["landed", true, false]);
});

test("at a service no key gets into the record, and no header of the record's own is sent", async (t) => {
  const seen = [];
  const { url: baseURL } = await serving((request, response) => {
    seen.push(request.headers);
    response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ message: `bad key ${KEY}` }));
  }, t);
  const store = recordStore();
  const record = new DeskRecord(store);
  const client = new TradeClient(
    record.around({ baseURL, apiKey: async () => KEY, fetch: nodeFetch(), journal: memoryJournal() }),
  );
  await assert.rejects(client.buy({ mint: "M", fromWallet: "W", amountInLamports: 5 }), { outcome: "rejected" });
  await record.written();
  assert.equal(seen[0]["x-api-key"], KEY);
  assert.equal(seen[0]["x-record-intent"], undefined);
  assert.ok(!store.log.includes(KEY) && store.log.includes("[redacted]"));
  assert.ok((await verifyRecord(store.log, { head: store.last })).verified);
});

test("what is asked beside trades is no line: it is of no trade, and an echo of the key is in none", async () => {
  const store = recordStore();
  const record = new DeskRecord(store);
  const fetch = async (_url, { headers }) => new Response(JSON.stringify(headers), { status: 404 });
  const options = { ...service, gateway: true, apiKey: () => KEY, fetch, journal: memoryJournal() };
  const client = new TradeClient(record.around(options));
  await client.warm();
  await assert.rejects(client.waitFor("a", { timeoutMs: 60_000 }));
  await record.written();
  assert.ok(!store.log.includes(KEY), store.log);
  assert.deepEqual((await verifyRecord(store.log, { head: store.last })).problems, []);
});

test("a trade whose send cannot be recorded is not sent", async () => {
  const store = recordStore();
  const sandbox = new Sandbox();
  const record = new DeskRecord({
    ...store,
    append: async (lines) => lines.includes('"act":"send"') && Promise.reject(new Error("disk full")),
  });
  const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
  await assert.rejects(client.buy(requestOf(sandbox)), { outcome: "not_sent" });
  assert.equal(sandbox.calls.length, 0);
  await assert.rejects(record.written(), /disk full/);
});

test(
  "a head is on the disk before it replaces the one before: a power cut leaves one of them",
  { skip: "Bun" in globalThis || "Deno" in globalThis },
  async (t) => {
    const path = join(await mkdtemp(join(tmpdir(), "record-")), "desk.log");
    t.after(() => rm(dirname(path), { recursive: true }));
    const file = fileRecord(path);
    t.after(() => file.close());
    const handle = await open(process.execPath);
    const { sync } = Object.getPrototypeOf(handle);
    const synced = t.mock.method(Object.getPrototypeOf(handle), "sync", function () {
      return sync.call(this);
    });
    await handle.close();
    await file.head();
    // Its folder, too, so that the names are there.
    const ofFolder = process.platform === "win32" ? 0 : 1;
    assert.equal(synced.mock.callCount(), ofFolder);
    await file.append("{}\n", '{"number":0,"hash":"ab"}\n');
    assert.equal(synced.mock.callCount(), 1 + 2 * ofFolder);
    assert.equal(await readFile(`${path}.head`, "utf8"), '{"number":0,"hash":"ab"}\n');
  },
);

test("a record in a file goes on after a restart, a torn line and a head that lags", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "record-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, "desk.log");
  const heads = [];
  const once_ = async () => {
    const file = fileRecord(path, { copyHead: (head) => heads.push(head) });
    await traded(file);
    await file.close();
  };
  await once_();
  const lagging = heads.at(-2);
  // After a power cut it may be one of many lines ago.
  for (let time = 0; time < 2; time++) await once_();
  await appendFile(path, '{"number":99,"torn');
  await writeFile(`${path}.head`, lagging);
  t.mock.method(process, "emitWarning", () => {});
  await once_().catch(() => {});
  const verdict = await verifyRecord(createReadStream(path), { head: await readFile(`${path}.head`, "utf8") });
  // The same ids were traded in another sandbox: that is a second send, and the chain is whole all the same.
  assert.deepEqual([...new Set(verdict.problems.map(({ code }) => code))], ["sent_twice"]);
  await writeFile(`${path}.head`, '{"number":1,"hash":"ab"}\n');
  await assert.rejects(fileRecord(path).head(), /does not end where its head says/);
  await writeFile(`${path}.head`, "\0\0\0\0");
  await assert.rejects(fileRecord(path).head(), /has a head that cannot be read: see `launchpad-desk verify`/);
});

test("a trade that is given up while lines are being written is not sent, nor said to be if its own is not begun", async () => {
  const dueOf = {
    exit: ["start", "exit", "begin", "settle"],
    send: ["start", "exit", "begin", "send", "lost", "settle"],
  };
  for (const [held, due] of Object.entries(dueOf)) {
    const [store, sent] = [recordStore(), []];
    let write;
    const append = async (lines, head) => {
      if (lines.includes(`"act":"${held}"`)) await new Promise((resolve) => (write = resolve));
      await store.append(lines, head);
    };
    const record = new DeskRecord({ head: store.head, append });
    const hooks = { beforeSend: () => void record.exit("other", "drop", {}) };
    const fetch = async (url) => void sent.push(url);
    const client = new TradeClient(record.around({ ...service, fetch, journal: memoryJournal(), hooks }));
    const stop = new AbortController();
    const bought = client.buy(requestOf(new Sandbox()), { signal: stop.signal }).catch((error) => error);
    while (!write) await new Promise((resolve) => setTimeout(resolve));
    stop.abort();
    write();
    await bought;
    for (let time = 0; time < 2; time++) await record.written().then(() => new Promise(setImmediate));
    const acts = Array.from(store.log.matchAll(/"act":"(\w+)"/g), ([, act]) => act);
    assert.deepEqual([sent, acts], [[], due]);
    if (held === "send") assert.match(store.log, /"act":"lost".*"unsent":true/);
  }
});

test("a trade is told in a line", () => {
  const trade = {
    intentId: "a",
    operation: "buy",
    line: 1,
    planned: true,
    approved: true,
    sent: true,
    outcome: "landed",
    proven: true,
    acknowledged: false,
    signature: null,
    price: "within",
    problems: 2,
  };
  assert.equal(checkText(trade), "a: buy landed, proven, approved, within the bound of its plan; 2 problems");
  assert.equal(
    checkText({
      ...trade,
      operation: null,
      outcome: null,
      approved: false,
      proven: false,
      price: "unknown",
      problems: 0,
    }),
    "a: a trade sent, and not ended",
  );
});
