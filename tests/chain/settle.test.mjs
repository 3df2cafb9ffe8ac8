// How a client's trades ended whose answers were lost, by the chain around a sandbox: landed, failed, never and open, with the polling.
// What it says is what the sandbox did.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { mock } from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Market } from "launchpad-desk/market";
import { fileJournal } from "launchpad-desk/node";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { NEVER, boughtBy, post, rpcOf, serviceOf, turns } from "./node.mjs";

const NOW = 1_800_000_000_000;
mock.timers.enable({ apis: ["Date"], now: NOW });
const wait = (ms) => mock.timers.setTime(Date.now() + ms);

/** The reply of a service that does not say how a trade ended. */
const accepted = (signature) => new Response(JSON.stringify({ result: { signature } }), { status: 202 });

/** A service that trades in a sandbox and says only what it is told to, the chain around it, and clients of both. */
function world({ faults, config, ...options } = {}) {
  const sandbox = new Sandbox(config);
  sandbox.useClock(() => Date.now());
  const chain = new LocalChain(sandbox, faults);
  wait(60_000);
  const service = { fate: "answered", perRequestMs: 1 };
  const fetch = async (url, init) => {
    if (service.fate === "request lost") throw new Error("the connection was lost");
    if (service.fate === "dropped") return accepted(NEVER);
    const reply = await serviceOf(sandbox)(url, init);
    if (service.fate === "reply lost") throw new Error("the connection was lost");
    if (service.fate === "misnamed") return new Response(JSON.stringify(boughtBy(mint, wallets[0], NEVER)));
    if (service.fate === "accepted") return accepted((await reply.json()).result.transactionResult.signature);
    return reply;
  };
  const rpc = async (body) => {
    wait(service.perRequestMs);
    const reply = await post(chain, body);
    if (!reply.ok) throw new Error("too many requests");
    return reply.text();
  };
  const journal = memoryJournal();
  const market = (more) => new Market({ rpc, walletsShared: false, serviceHoldsMs: 10_000, ...options, ...more });
  const client = (more, own) =>
    new TradeClient({
      baseURL: "https://service.example",
      fetch,
      journal,
      breaker: { unknowns: 99 },
      market: market(more),
      ...own,
    });
  const mint = sandbox.tokens[0]?.mint;
  const wallets = sandbox.wallets.map(({ wallet }) => wallet);
  /** Makes a trade; returns the row of it in the sandbox, if it came that far. */
  async function make(trader, fate, work) {
    service.fate = fate;
    const before = sandbox.trades.length;
    const end = await work(trader).catch((error) => error);
    return { end, row: sandbox.trades[before] };
  }
  return { sandbox, chain, service, fetch, journal, market, client, mint, wallets, make };
}

const ends = (settled) => settled.map(({ intentId, outcome, reason }) => [intentId, outcome, reason]);
const buy =
  ({ mint, wallets }, intentId, wallet, amountInLamports) =>
  (client) =>
    client.buy({ mint, fromWallet: wallets[wallet], amountInLamports }, { intentId });

test("what was lost is settled as landed, failed or never, once that is proven", async () => {
  const at = world();
  const client = at.client();
  const landed = await at.make(client, "reply lost", buy(at, "landed", 0, 1_000_000_000));
  const failed = await at.make(client, "reply lost", buy(at, "failed", 1, 900_000_000_000_000));
  const never = await at.make(client, "request lost", buy(at, "never", 2, 1_000_000_000));
  for (const { end } of [landed, failed, never]) assert.equal(end.outcome, "unknown", String(end.stack));
  assert.ok(
    (await client.settle()).every(({ outcome }) => outcome === "unknown"),
    "nothing is final yet",
  );
  wait(20_000);
  const first = await client.settle();
  assert.deepEqual(ends(first), [
    ["landed", "landed", null],
    ["failed", "unknown", "alive"],
    ["never", "unknown", "alive"],
  ]);
  assert.equal(first[0].signature, landed.row.signature);
  assert.equal(first[0].reconciled.findings[0].tokensMoved, landed.row.legs[0].tokens);
  assert.equal((await client.pending()).length, 2);

  // Asked again and again, while each answer takes some seconds of the chain's time.
  at.service.perRequestMs = 5_000;
  const begun = Date.now();
  const rest = await client.settle({ withinMs: 600_000, everyMs: 1 });
  assert.deepEqual(ends(rest), [
    ["failed", "failed", null],
    ["never", "did_not_land", null],
  ]);
  assert.deepEqual([rest[0].signature, rest[0].feeLamports], [failed.row.signature, failed.row.networkFeeLamports]);
  assert.ok(Date.now() - begun > 60_000, "no blockhash was alive any more");
  assert.deepEqual(await client.pending(), []);
  at.service.fate = "answered";
  await assert.rejects(
    client.buy({ mint: at.mint, fromWallet: at.wallets[0], amountInLamports: 1_000_000 }, { intentId: "landed" }),
    { code: "intent_landed" },
  );
});

for (const [fate, outcome] of Object.entries({ accepted: "landed", dropped: "did_not_land" })) {
  test(`what was only accepted is pending until the chain shows or denies it, and holds up nothing: ${fate}`, async () => {
    const at = world();
    const client = at.client();
    const { end } = await at.make(client, fate, buy(at, "taken", 0, 1_000_000));
    assert.equal(end.status, "unconfirmed", String(end.stack));
    for (const one of [client, at.client()]) {
      const pending = await one.pending();
      assert.deepEqual(
        pending.map(({ intentId, answered }) => [intentId, answered]),
        [["taken", { outcome: "unconfirmed", signature: end.result.signature }]],
      );
      assert.deepEqual(
        [one.guards.unresolved, await one.intentState("taken"), await one.acknowledge("taken", "did_not_land")],
        [[], "ended", false],
      );
      // The market takes it as it is listed.
      assert.equal((await at.market().settleTrade(pending[0])).outcome, "unknown");
    }
    assert.equal((await at.make(client, "answered", buy(at, "other", 0, 1_000_000))).end.status, "landed");
    const [{ intentId, outcome: open }, ...others] = await client.settle();
    assert.deepEqual([intentId, open, others], ["taken", "unknown", []]);
    // However old it is.
    wait(7_200_000);
    assert.equal((await at.client().pending()).length, 1);
    wait(-6_960_000);
    const restarted = at.client();
    assert.deepEqual(ends(await restarted.settle()), [["taken", outcome, null]]);
    assert.deepEqual([await restarted.pending(), await at.client().pending()], [[], []]);
  });
}

for (const [silent, reason] of [
  [1, "unanswered"],
  [2, "shared_wallets"],
]) {
  test(`an accepted trade is in the answer of settle, also if question ${silent} about it fails`, async () => {
    const at = world();
    const market = at.market();
    const { settleTrade } = market;
    let asked = 0;
    market.settleTrade = async (...about) => {
      if (++asked === silent) throw new Error("offline");
      return { ...(await settleTrade.apply(market, about)), outcome: "unknown", reason: "shared_wallets" };
    };
    const client = at.client({}, { market });
    await at.make(client, "accepted", buy(at, "taken", 0, 1_000_000));
    wait(20_000);
    assert.deepEqual([ends(await client.settle()), asked], [[["taken", "unknown", reason]], silent]);
  });
}

test("of a client without a market what was accepted is not pending: nobody asks", async () => {
  const at = world();
  const client = at.client({}, { market: undefined });
  assert.equal((await at.make(client, "accepted", buy(at, "taken", 0, 1_000_000))).end.status, "unconfirmed");
  assert.deepEqual(await client.pending(), []);
});

test("of more answered trades than the chain is asked about the oldest are dropped, and the log says so once", async () => {
  const at = world();
  const [lines, asked] = [[], new Set()];
  let count = 0;
  const fetch = async () =>
    new Response(JSON.stringify({ result: { transactionResult: { success: true, signature: `S${++count}` } } }));
  const settleTrade = async ({ intentId }) => (
    asked.add(intentId),
    { outcome: "unknown", reason: "alive", signature: null }
  );
  const market = { quoteBody: async () => null, before: async () => [], settleTrade, confirm: async () => "not_seen" };
  const client = at.client({}, { journal: undefined, fetch, market, logger: { warn: (line) => lines.push(line) } });
  for (let trade = 0; trade < 1_002; trade++) await buy(at, `${trade}`, 0, 1_000_000)(client);
  await client.settle();
  assert.deepEqual([asked.size, asked.has("1"), asked.has("2")], [1_000, false, true]);
  await buy(at, "one-more", 0, 1_000_000)(client);
  await client.settle();
  assert.deepEqual(lines, ["so many answered trades wait for the chain that the oldest are not asked about"]);
});

test("unknown trades are settled by themselves, with one event and one line each, until the client is freed", async (t) => {
  const at = world();
  const [told, lines, asked] = [[], [], []];
  let heard;
  const hooks = {
    settled: (intentId, { outcome, reconciled }) => (
      told.push([intentId, outcome, reconciled.findings[0]?.tokensMoved]),
      heard?.()
    ),
  };
  const logger = { info: (message, { intentId }) => message.startsWith("settled") && lines.push([message, intentId]) };
  const rpc = rpcOf(at.chain, (body) => asked.push(body));
  const client = at.client({ rpc }, { settleAfterMs: 20, hooks, logger, journal: undefined });
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const landed = await at.make(client, "reply lost", buy(at, "landed", 0, 1_000_000_000));
  assert.equal(timers(), before, "it keeps no process alive");
  const alive = setInterval(() => {}, 1_000); // as a program that goes on
  t.after(() => clearInterval(alive));
  // It is asked while the blockhash may be alive, and again.
  const settled = new Promise((resolve) => (heard = resolve));
  while (asked.length < 8) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(told, []);
  wait(240_000);
  await settled;
  assert.deepEqual(told, [["landed", "landed", landed.row.legs[0].tokens]]);
  assert.deepEqual(lines, [["settled: landed", "landed"]]);
  assert.deepEqual(await client.pending(), []);
  // What is settled by a call is told in the same way.
  await at.make(client, "request lost", buy(at, "never", 1, 1_000_000_000));
  wait(240_000);
  await client.settle();
  assert.deepEqual(told.slice(1), [["never", "did_not_land", null]]);
  await at.make(client, "request lost", buy(at, "later", 2, 1_000_000_000));
  client.free();
  const asksBefore = asked.length;
  wait(240_000);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.equal(asked.length, asksBefore, "a freed client asks no more");
  assert.throws(() => new TradeClient({ baseURL: "https://service.example", settleAfterMs: 1 }), {
    code: "invalid_options",
  });
});

test("a node that refuses batches is asked for each call by itself, a few at a time, and for no batch again", async () => {
  const at = world({ faults: { refuseBatches: true } });
  const [asked, flight] = [[], { now: 0, most: 0 }];
  const rpc = async (body) => {
    const call = JSON.parse(body);
    asked.push(Array.isArray(call) ? "batch" : call.method);
    flight.most = Math.max(flight.most, ++flight.now);
    await new Promise(setImmediate);
    flight.now--;
    return rpcOf(at.chain)(body);
  };
  const client = at.client({ rpc });
  const landed = await at.make(client, "reply lost", buy(at, "landed", 0, 1_000_000_000));
  await at.make(client, "request lost", buy(at, "never", 2, 1_000_000_000));
  wait(240_000);
  asked.length = 0;
  const settled = await client.settle();
  assert.deepEqual(ends(settled), [
    ["landed", "landed", null],
    ["never", "did_not_land", null],
  ]);
  assert.equal(settled[0].signature, landed.row.signature);
  assert.equal(asked.filter((method) => method === "batch").length, 1);
  assert.ok(flight.most > 1 && flight.most <= 4, `${flight.most} in flight`);
});

for (const name of ["memory", "file", "that loses the field"]) {
  test(`what was accepted through a gateway stays open over restarts: a journal ${name}`, async (t) => {
    const at = world();
    const folder = await mkdtemp(join(tmpdir(), "launchpad-desk-"));
    t.after(() => rm(folder, { recursive: true }));
    const journals = {
      memory: () => at.journal,
      file: () => fileJournal(join(folder, "journal")),
      "that loses the field": () => {
        const without = ({ throughGateway: _, ...trade }) => trade;
        const recall = async (sinceMs) => {
          const recalled = await at.journal.recall(sinceMs);
          return { ...recalled, ended: recalled.ended.map(without) };
        };
        return { begin: (intent) => at.journal.begin(intent), settle: (...end) => at.journal.settle(...end), recall };
      },
    };
    let journal;
    const restarted = async (gateway) => {
      await journal?.close?.();
      journal = journals[name]();
      return at.client({}, { journal, gateway, askAgainWithinMs: 0 });
    };
    const first = await restarted(true);
    assert.equal((await at.make(first, "dropped", buy(at, "taken", 0, 1_000_000))).end.status, "unconfirmed");
    wait(240_000);
    // It may have been sent a moment ago.
    for (const next of [first, true, name === "that loses the field"]) {
      const client = next === first ? first : await restarted(next);
      assert.equal((await client.pending())[0].throughGateway, true);
      assert.deepEqual(ends(await client.settle()), [["taken", "unknown", "no_expiry"]]);
    }
    // The gateway's people approve what was lost on the way to it.
    const client = await restarted(true);
    await at.make(client, "request lost", buy(at, "waits", 1, 1_000_000));
    wait(240_000);
    const taken = ["taken", "unknown", "no_expiry"];
    assert.deepEqual(ends(await client.settle()), [["waits", "unknown", "no_expiry"], taken]);
    await at.make(at.client({}, { journal: memoryJournal() }), "answered", buy(at, "approved", 1, 1_000_000));
    wait(60_000);
    assert.deepEqual(ends(await (await restarted(true)).settle()), [["waits", "landed", null], taken]);
    await journal.close?.();
  });
}

test("a trade of a wallet without lamports, whose fee another one pays, is settled like any other", async () => {
  const { sandbox } = world();
  const [{ mint }, { wallet }, { wallet: feePayer }] = [sandbox.tokens[0], ...sandbox.wallets];
  const wallets = [
    { wallet, lamports: 0, holdings: [{ mint, tokens: 5_000_000_000_000 }] },
    { wallet: feePayer, lamports: 9_000_000_000 },
  ];
  const at = world({ config: { wallets } });
  const client = at.client();
  await client.buy({ mint, fromWallet: feePayer, amountInLamports: 5_000_000_000 });
  wait(20_000); // the sell asks the node for the token's decimals, once that shows the buy
  const lost = await at.make(client, "reply lost", (client) =>
    client.sell(
      { mint, fromWallet: wallet, feePayer, amountInToken: { baseUnits: 2_000_000_000_000n } },
      { intentId: "sold" },
    ),
  );
  assert.equal(lost.row.success, true);
  wait(20_000);
  assert.deepEqual(ends(await client.settle()), [["sold", "landed", null]]);
});

test("what is found of a trade is not recorded for one that was sent since under its id", async () => {
  const at = world();
  const market = at.market();
  const settleTrade = market.settleTrade.bind(market);
  let [isFirst, answer] = [true, undefined];
  const answered = new Promise((resolve) => (answer = resolve));
  market.settleTrade = async (...args) => {
    const isLate = isFirst;
    isFirst = false;
    const settled = await settleTrade(...args);
    if (isLate) await answered;
    return settled;
  };
  const client = at.client({}, { market });
  const signal = buy(at, "signal-1", 0, 1_000_000);
  assert.equal((await at.make(client, "request lost", signal)).end.outcome, "unknown");
  wait(300_000);
  const late = client.settle();
  // Somebody else asks meanwhile, such as the client's own timer, and sends it again. Its answer is lost.
  assert.deepEqual(ends(await client.settle()), [["signal-1", "did_not_land", null]]);
  const second = await at.make(client, "reply lost", signal);
  assert.equal(second.end.outcome, "unknown");
  answer();
  await late;
  assert.equal((await client.pending()).length, 1, "nothing is known of the second one");
  assert.equal((await at.make(client, "answered", signal)).end.code, "intent_unknown");
  wait(20_000);
  const [{ outcome, signature }] = await client.settle();
  assert.deepEqual([outcome, signature], ["landed", second.row.signature]);
});

test("a trade that is sent and final before a slow node's first answer is not taken for an earlier one", async () => {
  for (const fate of ["answered", "reply lost"]) {
    const at = world();
    const market = at.market();
    let asked = 0;
    const rpc = rpcOf(at.chain, async () => {
      if (++asked > 1) return;
      await at.make(client, fate, buy(at, "second", 0, 1_000_000));
      wait(20_000);
    });
    const slow = at.market({ rpc });
    market.settleTrade = slow.settleTrade.bind(slow);
    const client = at.client({}, { market });
    await at.make(client, "request lost", buy(at, "first", 0, 1_000_000));
    wait(20_000);
    assert.deepEqual(ends(await client.settle()), [["first", "unknown", "behind"]]);
    wait(300_000);
    const [first] = await client.settle();
    if (fate === "answered") assert.deepEqual(ends([first]), [["first", "did_not_land", null]]);
    else assert.equal(first.outcome, "unknown", "it may be either");
  }
});

test("what a service refused may have landed: it is not taken for another trade's", async () => {
  const at = world();
  const client = at.client();
  const refused = at.client(
    {},
    { fetch: async (url, init) => (await at.fetch(url, init), new Response('{"error":"refused"}', { status: 400 })) },
  );
  const { end, row } = await at.make(refused, "answered", buy(at, "refused", 0, 1_000_000));
  assert.deepEqual([end.outcome, row.success], ["rejected", true]);
  // One program has both.
  await at.make(refused, "request lost", buy(at, "lost", 0, 1_000_000));
  wait(20_000);
  for (const own of [refused, client]) assert.deepEqual(ends(await own.settle()), [["lost", "unknown", "rival"]]);
});

test("a refused trade whose fee payer is no address hides nothing that is known of the other trades", async () => {
  const at = world();
  const client = at.client();
  const typo = {
    mint: at.mint,
    fromWallet: at.wallets[0],
    amountInLamports: 1_000_000,
    feePayer: "sandbox-outcome-rejected-400",
  };
  assert.equal((await at.make(client, "answered", () => client.buy(typo))).end.outcome, "rejected");
  await at.make(client, "reply lost", buy(at, "made", 0, 1_000_000));
  wait(20_000);
  assert.deepEqual(ends(await client.settle()), [["made", "landed", null]]);
  await at.make(client, "answered", buy(at, "other", 0, 1_000_000));
  await at.make(client, "request lost", buy(at, "never", 0, 1_000_000));
  wait(20_000);
  const [never] = await client.settle();
  assert.deepEqual([never.reason, never.signature], ["alive", null]);
});

test("a transaction of another trade of the client is never called this one's, also after a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "settle-"));
  let files = 0;
  const onDisk = () => {
    const path = join(folder, `${++files}`);
    return () => fileJournal(path);
  };
  const inMemory = () => {
    const journal = memoryJournal();
    return () => journal;
  };
  for (const journalOf of [onDisk, inMemory])
    // What becomes of the first trade and of the one after it, and how each that was lost has ended.
    for (const [first, second, ...due] of [
      ["request lost", "answered", ["a", "did_not_land", null]],
      ["reply lost", "answered", ["a", "landed", null]],
      // What the service calls it is on no list, so the one transaction may be either.
      ["request lost", "misnamed", ["a", "unknown", "rival"]],
      ["reply lost", "request lost", ["a", "unknown", "rival"], ["b", "unknown", "rival"]],
      ["reply lost", "reply lost", ["a", "unknown", "several_fit"], ["b", "unknown", "several_fit"]],
    ])
      for (const restarts of [false, true]) {
        const at = world();
        const open = journalOf();
        let journal = open();
        const client = at.client({}, { journal });
        const { row } = await at.make(client, first, buy(at, "a", 0, 1_000_000));
        await at.make(client, second, buy(at, "b", 0, 1_000_000));
        wait(300_000);
        if (restarts) await journal.close?.();
        journal = restarts ? open() : journal;
        const settled = await (restarts ? at.client({}, { journal }) : client).settle();
        const lost = settled.filter(({ intentId }) => due.some(([id]) => id === intentId));
        assert.deepEqual(ends(lost), due, `${first}, ${second}`);
        const isOneOfSeveral = due[0][2] === "several_fit";
        if (first === "reply lost") assert.equal(lost[0].signature, isOneOfSeveral ? null : row.signature);
        if (isOneOfSeveral) assert.match(lost[0].problem, /^each of these transactions may be it: \w{43,}, \w{43,}$/);
        await journal.close?.();
      }
  await rm(folder, { recursive: true });
});

test("a journal that does not say what has ended leaves open what may be another run's", async () => {
  const at = world();
  const journal = { begin() {}, settle() {}, recall: () => ({ pending: [], landed: [], lamports: 0n }) };
  const client = at.client({}, { journal });
  await at.make(client, "reply lost", buy(at, "a", 0, 1_000_000));
  wait(20_000);
  assert.deepEqual(ends(await client.settle()), [["a", "unknown", "shared_wallets"]]);
});

/** A market at a URL whose node answers as it is told, in place of what it would say. */
function nodeAt(context, at, answers) {
  const asked = [];
  context.mock.method(globalThis, "fetch", async (url, { body, method, headers }) => {
    const isBatch = body.startsWith("[");
    asked.push(isBatch ? "batch" : JSON.parse(body).method);
    return answers(isBatch, body) ?? at.chain.fetch("https://sandbox.example/rpc", { body, method, headers });
  });
  return asked;
}

test("a look names the limit of a node, or the page that came in place of its answer", async (context) => {
  const at = world();
  const page = "<html><head><title>Just a moment...</title></head></html>";
  const refused = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Too many inputs provided; max 5"}}';
  const fewer = "the node allows fewer accounts a call than the 8 that were asked for:";
  const came = 'a web page came in place of the node\'s answer: "Just a moment..."';
  for (const [status, body, code, message] of [
    [413, "Payload Too Large", "node_refused", `${fewer} HTTP status 413`],
    [200, refused, "node_refused", `${fewer} Too many inputs provided; max 5 (-32602)`],
    [403, page, "node_refused", `${came} (HTTP status 403)`],
    [503, page, "unreachable", `${came} (HTTP status 503)`],
    [200, page, "unreadable_reply", `${came} (HTTP status 200)`],
    [401, "your key abc", "node_refused", "the node answered with the HTTP status 401"],
  ]) {
    nodeAt(context, at, () => new Response(body, { status }));
    await assert.rejects(at.market({ rpc: "https://node.example" }).look(at.mint, at.wallets.slice(0, 1)), {
      name: "MarketError",
      code,
      message,
    });
    context.mock.restoreAll();
  }
});

test("a trade that its hook held back for long counts from when it is sent, also in the journal", async () => {
  const at = world();
  const hooks = { beforeSend: () => wait(150_000) };
  const client = at.client({}, { hooks, timeoutMs: 600_000 });
  await at.make(client, "request lost", buy(at, "held", 0, 1_000_000));
  const sentMs = Date.now();
  wait(5_000);
  assert.deepEqual(ends(await client.settle()), [["held", "unknown", "alive"]]);
  assert.deepEqual(
    [...(await at.journal.pending())].map(({ startedAtMs }) => startedAtMs),
    [sentMs],
  );
  wait(300_000);
  assert.deepEqual(ends(await client.settle()), [["held", "did_not_land", null]]);
});

test("what waiting cannot prove is left open at once, and what it may prove only at the end of the time", async () => {
  const shared = world({ walletsShared: true });
  await shared.make(shared.client(), "reply lost", buy(shared, "a", 0, 1_000_000_000));
  wait(20_000);
  const begun = Date.now();
  assert.deepEqual(ends(await shared.client().settle({ withinMs: 600_000, everyMs: 1 })), [
    ["a", "unknown", "shared_wallets"],
  ]);
  assert.ok(Date.now() - begun < 1_000);

  const held = world();
  held.service.perRequestMs = 1_000;
  await held.make(held.client(), "request lost", buy(held, "a", 0, 1_000_000_000));
  const from = Date.now();
  assert.deepEqual(ends(await held.client().settle({ withinMs: 30_000, everyMs: 1 })), [["a", "unknown", "alive"]]);
  assert.ok(Date.now() - from >= 25_000, `${Date.now() - from} ms`);

  // Without a bound on the service's queue nothing is proven dead, but what is still to come can be seen to land.
  const unbound = world({ serviceHoldsMs: undefined });
  unbound.service.perRequestMs = 100;
  const slow = await unbound.make(unbound.client(), "reply lost", buy(unbound, "a", 0, 1_000_000_000));
  assert.ok(slow.row.success);
  const looked = Date.now();
  assert.deepEqual(ends(await unbound.client().settle({ withinMs: 60_000, everyMs: 1 })), [["a", "landed", null]]);
  assert.ok(Date.now() - looked > 10_000, "it was not final at first");
  await unbound.make(unbound.client(), "request lost", buy(unbound, "b", 1, 1_000_000_000));
  const waited = Date.now();
  assert.deepEqual(ends(await unbound.client().settle({ withinMs: 60_000, everyMs: 1 })), [
    ["b", "unknown", "no_expiry"],
  ]);
  assert.ok(Date.now() - waited > 50_000, "it waits as long as it was told to");

  const stopped = new AbortController();
  stopped.abort();
  const cut = world();
  await cut.make(cut.client(), "request lost", buy(cut, "a", 0, 1_000_000_000));
  assert.deepEqual(
    ends(await cut.client().settle({ withinMs: 1e9, signal: stopped.signal })).map((end) => end.slice(0, 2)),
    [["a", "unknown"]],
  );
  // Between two questions it ends at once: the next would be asked after a minute.
  const later = new AbortController();
  const ended = cut.client().settle({ withinMs: 1e11, everyMs: 60_000, signal: later.signal });
  await turns();
  later.abort();
  await turns();
  assert.deepEqual(
    ends(await Promise.race([ended, []])).map((end) => end.slice(0, 2)),
    [["a", "unknown"]],
  );
  const blind = world({ faults: { refuseMethods: ["getSignaturesForAddress"] } });
  await blind.make(blind.client(), "reply lost", buy(blind, "a", 0, 1_000_000_000));
  wait(300_000);
  assert.deepEqual(ends(await blind.client().settle()), [["a", "unknown", "history_incomplete"]]);
});

test("a service's answer is checked on the chain", async () => {
  const at = world();
  const client = at.client();
  const { end: trade } = await at.make(client, "answered", buy(at, "a", 0, 1_000_000_000));
  assert.equal(await client.confirm(trade), "not_seen", "not final yet");
  wait(20_000);
  assert.equal(await client.confirm(trade), "finalized");
  const named = { ...trade, result: { ...trade.result, signature: null } };
  assert.equal(await client.confirm(named), "finalized", "only its transactionResult names it");
  const { end: error } = await at.make(client, "answered", buy(at, "b", 0, 900_000_000_000_000));
  wait(20_000);
  assert.equal(await client.confirm(error.trade), "failed");
  at.chain.setFaults({ refuseMethods: ["getSignatureStatuses"] });
  await assert.rejects(client.confirm(trade), { name: "MarketError", code: "node_refused" });
  await assert.rejects(new TradeClient({ baseURL: "https://service.example" }).confirm(trade), TypeError);
});
