// `client.manage` carries out the exits of a position: each rung once, whatever is lost, refused or restarted. What the core decides is tested in
// tests/rust, by its model and over the client in Rust: here is what JavaScript carries out and hands over.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { mock } from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { Exits } from "launchpad-desk/market";
import { fileJournal } from "launchpad-desk/node";
import { Sandbox } from "launchpad-desk/sandbox";
import { TOKEN_ACCOUNT_RENT } from "../rents.mjs";

const SOL = 1_000_000_000n;
const LADDER = {
  takeProfit: [
    { at: "1.5x", sell: "50%" },
    { at: "2x", sell: "25%" },
  ],
  trailing: { by: "40%", from: "1.5x" },
  slippage: { percent: 20 },
};

/** A sandbox with an opened position; `lost` says of each call whether its answer is lost, and before or after it was executed. */
async function opened({ lost = () => undefined, ...options } = {}) {
  const sandbox = new Sandbox({
    wallets: [
      { wallet: "bot", lamports: 10n * SOL },
      { wallet: "rival", lamports: 500n * SOL },
    ],
  });
  const [{ mint }] = sandbox.tokens;
  const sent = [];
  const fetch = async (url, init) => {
    const how = lost(sent.length);
    sent.push(JSON.parse(init.body));
    if (how === "before") throw new TypeError("lost");
    const reply = await sandbox.fetch(url, init);
    if (how === "after") throw new TypeError("lost");
    return how ?? reply;
  };
  const rival = new TradeClient({ fetch: sandbox.fetch });
  await rival.buy({ mint, fromWallet: "bot", amountInLamports: SOL });
  const { tokens } = sandbox.wallets[0].tokenAccounts[0];
  const position = {
    id: "signal-1",
    mint,
    wallet: "bot",
    tokens,
    costLamports: SOL + 5_000n,
    rentLockedLamports: TOKEN_ACCOUNT_RENT,
    openedAtMs: 0,
  };
  const client = new TradeClient({ baseURL: "http://127.0.0.1:9", fetch, ...options });
  const others = {
    buy: (lamports) => rival.buy({ mint, fromWallet: "rival", amountInLamports: lamports }),
    sellAll: () => rival.sellByPercentage({ mint, fromWallet: "rival", percentage: 100, slippage: { percent: 50 } }),
  };
  const held = () => sandbox.wallets[0].tokenAccounts[0]?.tokens ?? 0n;
  return { sandbox, client, position, others, sent, held };
}

/** Replies of a service that accepts a trade, and does not say whether it landed. */
const accepted = (result = {}) => new Response(JSON.stringify({ result }));

const said = (events) => events.map(({ what, order }) => (order ? `${what} ${order.intentId}` : what));

test("a client that counts the token by other decimals sells nothing of it", async () => {
  const { sandbox, client, position, sent } = await opened({ tokenDecimals: 9 });
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), sandbox);
  for (let look = 0; look < 2; look++)
    await assert.rejects(managed.tick(), {
      name: "TypeError",
      message: "tokenDecimals of the client is 9, and the token has 6: an exit would sell another amount",
    });
  assert.deepEqual(sent, []);
});

test("one call at a time saves the state, and the last one the latest", async () => {
  const { sandbox, client, position } = await opened();
  const kept = [];
  let [inside, most] = [0, 0];
  const save = async (state) => {
    most = Math.max(most, ++inside);
    await new Promise((resolve) => setTimeout(resolve, kept.length ? 1 : 20));
    kept.push(JSON.stringify(state));
    inside--;
  };
  const managed = client.manage(position, new Exits({ stopLoss: "0.1x" }), sandbox, { save });
  const first = managed.tick();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all([first, managed.pause(), managed.resume(), managed.pause()]);
  assert.equal(most, 1);
  assert.deepEqual(JSON.parse(kept.at(-1)), JSON.parse(JSON.stringify(managed.exits.state)));
  assert.equal(managed.exits.state.paused, true);
});

test("a look that never comes ends its tick, and the next one looks again", { timeout: 20_000 }, async () => {
  const { sandbox, client, position } = await opened();
  let hangs = true;
  const market = { look: (mint, wallets) => (hangs ? new Promise(() => {}) : sandbox.look(mint, wallets)) };
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), market, { timeoutMs: 20 });
  const [{ what, error }, ...more] = await managed.tick();
  assert.deepEqual([what, error.message, more], ["no_look", "the market has not answered within 20 ms", []]);
  hangs = false;
  assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "landed signal-1/all", "over"]);
});

test("a market that never says what became of an exit holds no tick up", { timeout: 20_000 }, async () => {
  const never = () => new Promise(() => {});
  for (const how of ["after", accepted({ signature: "sig-1" })]) {
    const { sandbox, client, position } = await opened({ lost: () => how });
    const market = { look: (mint, wallets) => sandbox.look(mint, wallets), foundOf: never, confirm: never };
    const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), market, { timeoutMs: 20 });
    assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "in_doubt signal-1/all"]);
    assert.deepEqual(said(await managed.tick()), []);
  }
});

test("what another client of the same journal has sold is not sold again, with or without the state", async () => {
  const folder = await mkdtemp(join(tmpdir(), "manage-"));
  const journal = fileJournal(join(folder, "trades.log"));
  const { sandbox, client, position, others, sent } = await opened({ journal });
  await others.buy(10n * SOL);
  const first = client.manage(position, new Exits(LADDER), sandbox);
  assert.deepEqual(said(await first.tick()), ["ordered signal-1/tp1", "landed signal-1/tp1"]);
  await journal.close();

  const again = fileJournal(join(folder, "trades.log"));
  const restarted = new TradeClient({ fetch: sandbox.fetch, journal: again });
  const second = restarted.manage(position, new Exits(LADDER), sandbox);
  assert.deepEqual(said(await second.tick()), []);
  assert.deepEqual(
    [second.exits.state.rungsSold, second.exits.state.tokens],
    [1, position.tokens - position.tokens / 2n],
  );
  // One that goes on with a state from before the sale learns it as well.
  const third = restarted.manage(position, new Exits(LADDER), sandbox, {
    kept: JSON.parse(JSON.stringify(new Exits(LADDER).open(position).state)),
  });
  assert.deepEqual(said(await third.tick()), []);
  assert.equal(sent.length, 1);
  assert.equal(sent[0].slippage, 20);
  await again.close();
  await rm(folder, { recursive: true });
});

test("an exit without an answer waits until it is settled, and only one that did not land is sent again", async () => {
  for (const [how, end] of Object.entries({ after: "landed signal-1/all", before: "did_not_land signal-1/all" })) {
    const { sandbox, client, position, sent, held } = await opened({
      lost: (call) => (call === 0 ? how : undefined),
      journal: memoryJournal(),
    });
    let isSettled = false;
    const market = {
      look: (mint, wallets) => ({ ...sandbox.look(mint, wallets), atMs: Date.now() }),
      foundOf: async () => (isSettled ? (held() ? "did_not_land" : "landed") : null),
    };
    const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), market);
    assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "in_doubt signal-1/all"]);
    await managed.closeNow();
    assert.deepEqual([said(await managed.tick()), sent.length], [[], 1]);
    isSettled = true;
    const events = said(await managed.tick());
    assert.equal(events[0], end);
    if (how === "before") {
      // Under another id, after a wait.
      let more = [];
      while (!more.length) more = said(await managed.tick());
      assert.deepEqual(more, ["ordered signal-1/all.2", "landed signal-1/all.2", "over"]);
    }
    assert.deepEqual([held(), sent.length, await client.pending()], [0n, how === "before" ? 2 : 1, []]);
  }
});

test("an exit in doubt is settled by the client's own market, which is asked every two seconds at most", async () => {
  mock.timers.enable({ apis: ["Date"], now: Date.now() });
  try {
    for (const [how, end, outcome] of [
      ["after", "landed signal-1/all", "landed"],
      ["before", "did_not_land signal-1/all", "did_not_land"],
    ]) {
      let asked = 0;
      let answer = async () => ({ outcome: "unknown", reason: "alive", signature: null });
      const settleTrade = async (trade) => (asked++, answer(trade));
      const none = async () => [];
      const { sandbox, client, position, sent } = await opened({
        lost: (call) => (call === 0 ? how : undefined),
        market: { settleTrade, before: none, quoteBody: none, confirm: none },
      });
      let hangs = false;
      const market = {
        look: (...about) => (hangs ? Promise.reject(new Error("the node is down")) : sandbox.look(...about)),
      };
      const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), market, { timeoutMs: 50 });
      assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "in_doubt signal-1/all"]);
      for (let more = 0; more < 3; more++) assert.deepEqual([said(await managed.tick()), asked], [[], 1]);
      // What the market throws is said.
      answer = () => Promise.reject(new Error("the node is down"));
      mock.timers.setTime(Date.now() + 2_000);
      const [{ what, order, error }, ...none_] = await managed.tick();
      assert.deepEqual(
        [what, order.intentId, error.message, none_, asked],
        ["in_doubt", "signal-1/all", "the node is down", [], 2],
      );
      // One that hangs ends no tick and is not asked beside itself; a look that fails does not keep it from being asked.
      let ends;
      answer = () => new Promise((resolve) => (ends = resolve));
      mock.timers.setTime(Date.now() + 2_000);
      assert.deepEqual(said(await managed.tick()), []);
      mock.timers.setTime(Date.now() + 2_000);
      hangs = true;
      assert.deepEqual([said(await managed.tick()), asked], [["no_look"], 3]);
      ends({ outcome, reason: null, signature: null });
      assert.deepEqual(said(await managed.tick()), ["no_look", end, ...(how === "after" ? ["over"] : [])]);
      assert.deepEqual([sent.length, asked, await client.pending()], [1, 3, []]);
    }
  } finally {
    mock.timers.reset();
  }
});

test("without a market that settles, it waits for a person, with a journal or without", async () => {
  for (const isKept of [true, false])
    for (const [how, found, events] of [
      ["after", "landed", ["landed signal-1/all", "over"]],
      ["before", "did_not_land", ["did_not_land signal-1/all"]],
    ]) {
      const options = { lost: () => how, ...(isKept && { journal: memoryJournal() }) };
      const { sandbox, client, position, sent } = await opened(options);
      const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), sandbox);
      await managed.tick();
      assert.deepEqual(said(await managed.tick()), []);
      await client.acknowledge("signal-1/all", found);
      assert.deepEqual([said(await managed.tick()), sent.length], [events, 1]);
    }
});

test("an exit in doubt that turns out to be accepted is not sold yet", async () => {
  const { sandbox, client, position, sent, held } = await opened({
    gateway: true,
    askAgainWithinMs: 0,
    lost: (call) => (call === 0 ? "before" : accepted()),
  });
  let holds = held();
  const market = {
    look: (mint, wallets) => ({
      ...sandbox.look(mint, wallets),
      wallets: [{ wallet: "bot", holding: { tokens: holds } }],
    }),
  };
  const managed = client.manage(position, new Exits({ stopLoss: "0.9999x" }), market);
  await managed.pause();
  assert.deepEqual(said(await managed.tick()), []);
  await managed.resume();
  // What the wallet held at the order decides, not what the plan has left.
  holds /= 2n;
  assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "in_doubt signal-1/all"]);
  assert.equal((await client.sell(sent[0], { intentId: "signal-1/all" })).status, "unconfirmed");
  assert.deepEqual(said(await managed.tick()), ["in_doubt signal-1/all"]);
  assert.deepEqual([said(await managed.tick()), sent.length], [[], 2]);
  holds = 0n;
  assert.deepEqual(said(await managed.tick()), ["landed signal-1/all"]);
});

test("a success that was not confirmed is settled by its transaction, which is asked for by its signature", async () => {
  const { sandbox, client, position, sent } = await opened({ lost: () => accepted({ signature: "sig-1" }) });
  let seen = "not_seen";
  const asked = [];
  const before = await sandbox.look(position.mint, [position.wallet]);
  let look = before;
  const market = { look: async () => look, confirm: async (signature) => (asked.push(signature), seen) };
  const managed = client.manage(position, new Exits({ stopLoss: "0.9999x" }), market);
  assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "in_doubt signal-1/all"]);
  assert.deepEqual([said(await managed.tick()), sent.length], [[], 1], "its transaction is not final");
  seen = "failed";
  look = await sandbox.look(position.mint, [position.wallet]);
  assert.deepEqual(said(await managed.tick()), [], "the service may have sold it by another");
  look = before;
  assert.deepEqual(said(await managed.tick()), ["did_not_land signal-1/all"]);
  assert.deepEqual([asked[0], sent.length], ["sig-1", 1]);
});

test("exits that the client's limits would never let through are refused at the start, not at the stop", async () => {
  for (const [limits, plan, why] of [
    [{ maxSlippage: { percent: 5 } }, { slippage: { percent: 20 } }, "slippage is 20 %, over maxSlippage (5 %)"],
    [
      { maxLamportsPerTrade: 1_000 },
      { priorityUnitLimit: 1_000_000, priorityUnitPrice: 1_001 },
      "priorityUnitPrice spends up to 1001 lamports: 1001 for priority; over maxLamportsPerTrade (1000)",
    ],
    [{ allowWallets: ["rival"] }, {}, "fromWallet is not in allowWallets"],
  ]) {
    const { sandbox, client, position, sent } = await opened(limits);
    const managed = client.manage(position, new Exits({ timeMs: 1e15, ...plan }), sandbox);
    const message = `the client would refuse every order of these exits: not sent: ${why}`;
    for (let look = 0; look < 2; look++) await assert.rejects(managed.tick(), { name: "TypeError", message });
    assert.equal(sent.length, 0);
  }
});

test("a slippage or a cost in another unit is refused by name, and nothing is sent", async () => {
  const { sandbox, client, position, sent } = await opened();
  const bare = client.manage(position, new Exits({ stopLoss: "0.5x", slippage: 500 }), sandbox);
  await assert.rejects(bare.tick(), {
    name: "TypeError",
    message: "plan.slippage is over 100, sent as percent; if it is in bps, pass { bps } or set slippageUnit",
  });
  const cheap = { ...position, costLamports: 1n, rentLockedLamports: 0n };
  const managed = client.manage(cheap, new Exits({ stopLoss: "0.5x" }), sandbox);
  await assert.rejects(
    managed.tick(),
    ({ code, fields: [{ field }] }) => code === "invalid_options" && field === "position.costLamports",
  );
  assert.equal(sent.length, 0);
});

test("nothing is sent before it is kept, and a market that is silent decides nothing", async () => {
  const { sandbox, client, position, sent } = await opened();
  let isFull = true;
  const save = (state) => {
    if (isFull && state.order) throw new Error("the disk is full");
  };
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), sandbox, { save });
  await assert.rejects(managed.tick(), /^Error: the disk is full$/);
  assert.deepEqual([sent.length, managed.exits.order], [0, null]);
  isFull = false;
  assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "landed signal-1/all", "over"]);

  const silent = client.manage({ ...position, id: "signal-2" }, new Exits({ stopLoss: "0.99x" }), {
    look: () => Promise.reject(new Error("offline")),
  });
  const [event] = await silent.tick();
  assert.deepEqual([event.what, event.order, event.error.message], ["no_look", null, "offline"]);
});

test("what a tick that threw had not told comes with the next one", async () => {
  const { sandbox, client, position } = await opened();
  let isFull = true;
  const save = (state) => {
    if (isFull && state.last) throw new Error("the disk is full");
  };
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), sandbox, { save });
  await assert.rejects(managed.tick(), /^Error: the disk is full$/);
  isFull = false;
  assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "landed signal-1/all", "over"]);
});

test("a market that fails when it is asked what is proven ends no loop", async () => {
  const { sandbox, client, position } = await opened({ lost: () => "after" });
  let foundOf = async () => Promise.reject(new Error("the node is down"));
  const market = { look: (...of) => sandbox.look(...of), foundOf: (intent) => foundOf(intent) };
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), market);
  await managed.tick();
  const [{ what, order, error }] = await managed.tick();
  assert.deepEqual([what, order.intentId, error.message], ["in_doubt", "signal-1/all", "the node is down"]);
  foundOf = async () => "landed";
  assert.deepEqual(said(await managed.tick()), ["landed signal-1/all", "over"]);
});

test("closing while nothing is waited for takes the next look at once", { timeout: 20_000 }, async () => {
  const { sandbox, client, position } = await opened();
  const managed = client.manage(position, new Exits({ takeProfit: [{ at: "0.5x", sell: "40%" }] }), sandbox, {
    everyMs: 600_000,
  });
  const events = [];
  for await (const event of managed) {
    events.push(event);
    if (event.what === "landed" && events.length === 2) await managed.closeNow();
  }
  assert.deepEqual(said(events), [
    "ordered signal-1/tp1",
    "landed signal-1/tp1",
    "ordered signal-1/all",
    "landed signal-1/all",
    "over",
  ]);
});

test("a person who closes twice cuts no look that is short already", { timeout: 20_000 }, async () => {
  const { client, position } = await opened();
  let looks = 0;
  const market = { look: () => (looks++, new Promise(() => {})) };
  const managed = client.manage(position, new Exits({ stopLoss: "0.5x" }), market);
  const ticked = managed.tick();
  const begun = performance.now();
  for (const count of [1, 2]) {
    while (looks < count) await new Promise((resolve) => setTimeout(resolve));
    await managed.closeNow();
  }
  assert.equal((await ticked)[0].error.message, "the market has not answered within 1000 ms");
  assert.ok(performance.now() - begun > 990);
});

test("only what can have become of an order is acknowledged", async () => {
  const { sandbox, client, position } = await opened({ lost: () => "after" });
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), sandbox);
  assert.equal(await managed.acknowledge("landed"), false, "nothing waits");
  await managed.tick();
  await assert.rejects(managed.acknowledge("unknown"), {
    code: "invalid_options",
    message: /found must be landed or did_not_land/,
  });
  assert.equal(await managed.acknowledge("landed"), true);
  assert.deepEqual([managed.exits.isOver, await client.pending()], [true, []]);
});

test("two calls at once are one look, and the iterator ends when nothing is left", async () => {
  const { sandbox, client, position, sent } = await opened();
  const managed = client.manage(position, new Exits({ stopLoss: "0.99x" }), sandbox, { everyMs: 1 });
  const [one, other] = await Promise.all([managed.tick(), managed.tick()]);
  assert.equal(one, other);
  assert.equal(sent.length, 1);
  const more = await opened();
  const again = more.client.manage(more.position, new Exits({ timeMs: 1e12 }), more.sandbox, { everyMs: 600_000 });
  setTimeout(() => again.closeNow(), 20);
  const events = [];
  for await (const event of again) events.push(event);
  assert.deepEqual(said(events), ["ordered signal-1/all", "landed signal-1/all", "over"]);
});

test("another plan for a kept state is refused with both named, or replaces what has not acted", async () => {
  const { sandbox, client, position, sent } = await opened();
  const old = client.manage(position, new Exits({ stopLoss: "0.5x" }), sandbox);
  assert.deepEqual(said(await old.tick()), []);
  const kept = JSON.parse(
    JSON.stringify(old.exits.state, (_name, value) => (typeof value === "bigint" ? String(value) : value)),
  );
  const tighter = new Exits({ stopLoss: "0.99x", slippage: { percent: 20 } });
  const why =
    'plan.stopLoss of the kept exits is "0.5x", and "0.99x" is given: replacePlan replaces what has not acted yet';
  assert.throws(
    () => client.manage(position, tighter, sandbox, { kept }),
    ({ code, message }) => code === "invalid_options" && message.includes(why),
  );
  const same = client.manage(position, new Exits({ stopLoss: "0.5x" }), sandbox, { kept });
  assert.deepEqual([said(await same.tick()), sent.length], [[], 0]);
  const managed = client.manage(position, tighter, sandbox, { kept, replacePlan: true });
  assert.deepEqual(said(await managed.tick()), ["ordered signal-1/all", "landed signal-1/all", "over"]);
});

test("what cannot be used is refused by the name of its field, with its unit", async () => {
  const { sandbox, client, position } = await opened();
  const refusal = (given = {}, plan = { stopLoss: "0.9x" }, options = {}, market = sandbox) => {
    try {
      client.manage({ ...position, ...given }, plan && new Exits(plan), market, options);
    } catch (error) {
      return error.message;
    }
    return "no refusal";
  };
  // The rest of the table is in tests/rust/exits.rs.
  for (const [told, said] of [
    [
      refusal({ tokens: 1.5 }),
      "tokens must be a whole number of at most 64 bits: base units of the token, not whole tokens",
    ],
    [refusal({}, null), "exits must be Exits of launchpad-desk/market"],
    [refusal({}, undefined, {}, {}), "market must have look: a Sandbox, a Market, or an object of yours"],
    [refusal({}, undefined, { everyMs: 0 }), "options.everyMs must be above 0 and below 2147483648: milliseconds"],
    [
      refusal({}, undefined, { timeoutMs: "10s" }),
      "options.timeoutMs must be above 0 and below 2147483648: milliseconds",
    ],
    [refusal({}, undefined, { save: "kept.json" }), "options.save must be a function that keeps a state"],
  ])
    assert.ok(told === said || told.endsWith(`: ${said}`), `${told} | ${said}`);
});
