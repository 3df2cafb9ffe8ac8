// Anyone may read a sandbox's market, and nobody can change it there: pages, one stream of events, and what watches them.

import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { serve } from "launchpad-desk/node";
import { Sandbox, SandboxMarket } from "launchpad-desk/sandbox";

const living = (seed = 7) => new Sandbox({ apiKey: "k", market: { alive: true, seed } });
const BASE = "http://sandbox.localhost";
/** The market of a sandbox, as a reader of its pages has it. */
const watching = ({ fetch }) => new SandboxMarket({ baseURL: BASE, fetch });
const read = async (sandbox, path, headers = {}) => {
  const response = await sandbox.fetch(`${BASE}/_market/${path}`, { headers });
  return { status: response.status, body: await response.json() };
};
async function first(events, count) {
  const found = [];
  for await (const event of events) {
    found.push(event);
    if (found.length === count) return found;
  }
  return found;
}

test("the pages have what the sandbox has, exactly, without the key", async () => {
  const sandbox = living();
  sandbox.advance(30_000);
  const [token] = sandbox.tokens;
  const [wallet] = sandbox.wallets;
  const plain = (value) => JSON.parse(JSON.stringify(value, (_, one) => (typeof one === "bigint" ? `${one}` : one)));
  const tokens = await read(sandbox, "tokens");
  assert.equal(tokens.status, 200);
  assert.deepEqual(tokens.body, { nowMs: 30_000, tokens: plain(sandbox.tokens), next: null });
  assert.deepEqual((await read(sandbox, `tokens/${token.mint}`)).body, plain(token));
  assert.deepEqual((await read(sandbox, `wallets/${wallet.wallet}`)).body, plain(wallet));
  assert.deepEqual((await read(sandbox, "wallets")).body, {
    nowMs: 30_000,
    wallets: plain(sandbox.wallets),
    next: null,
  });
  const { trades, more, missed, restarted } = (await read(sandbox, "trades?after=0&limit=1000")).body;
  assert.deepEqual(trades, plain(sandbox.marketTrades));
  assert.deepEqual([more, missed, restarted], [false, 0, false]);
});

test("pages are bounded, and follow one another without a gap", async () => {
  const sandbox = living();
  sandbox.advance(60_000);
  const market = watching(sandbox);
  const numbers = [];
  let page = await market.trades({ after: 0, limit: 7 });
  for (; page.more; page = await market.trades({ after: page.next, limit: 7 }))
    numbers.push(...page.trades.map(({ number }) => number));
  numbers.push(...page.trades.map(({ number }) => number));
  assert.deepEqual(
    numbers,
    sandbox.marketTrades.map(({ number }) => number),
  );
  assert.deepEqual((await market.trades({ after: page.next })).trades, []);
  assert.equal((await market.trades({ limit: 3 })).trades[2].number, numbers.at(-1), "without after, the newest");
  const [{ mint }] = sandbox.tokens;
  assert.ok((await market.trades({ mint, after: 0 })).trades.every((trade) => trade.mint === mint));

  const mints = [];
  let after;
  do {
    const { tokens, next } = await market.tokens({ limit: 2, ...(after && { after }) });
    mints.push(...tokens.map((token) => token.mint));
    after = next;
  } while (after);
  assert.deepEqual(
    mints,
    sandbox.tokens.map((token) => token.mint),
  );
  assert.equal((await market.wallets({ limit: 1 })).next, sandbox.wallets[0].wallet);
});

test("a bad query is refused by name, and what is not there is a 404", async () => {
  const sandbox = living();
  const why = async (path) => {
    const { status, body } = await read(sandbox, path);
    return `${status} ${body.detail}`;
  };
  assert.equal(await why("trades?limit=1001"), "400 limit must be from 1 to 1000");
  assert.equal(await why("trades?afer=1"), "400 afer is unknown; did you mean after?");
  assert.equal(
    await why("trades?after=x"),
    "400 after must be the number of a trade, or what `next` or an event's id was",
  );
  assert.equal(await why("trades?after=1&after=2"), "400 after is given twice");
  assert.equal(await why("tokens?after=nobody"), "400 after names nothing that is here");
  assert.equal(await why("tokens?after=%zz"), "400 query is not percent-encoded UTF-8");
  assert.equal(await why("tokens/nobody"), "404 the market has no such token");
  assert.equal(await why("wallets/nobody"), "404 the market has no such wallet");
  assert.equal(await why("nowhere"), "404 there is nothing at this path");
  const posted = await sandbox.fetch(`${BASE}/_market/tokens`, { method: "POST", body: "{}" });
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET"]);
  const closed = new Sandbox({ watchable: false });
  assert.equal((await closed.fetch(`${BASE}/_market/tokens`)).status, 404);
});

test("pages of other origins are refused, also where they name no origin", async () => {
  const sandbox = living();
  for (const headers of [
    { origin: "http://page.example" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]) {
    for (const path of ["tokens", "events"]) {
      const response = await sandbox.fetch(new Request(`${BASE}/_market/${path}`, { headers }));
      assert.equal(response.status, 403, JSON.stringify(headers));
      assert.equal((await response.json()).code, "origin_not_allowed");
    }
  }
  const open = new Sandbox({ corsOrigin: "http://page.example" });
  const allowed = await open.fetch(
    new Request(`${BASE}/_market/tokens`, {
      headers: { origin: "http://page.example", "sec-fetch-site": "cross-site" },
    }),
  );
  assert.deepEqual([allowed.status, allowed.headers.get("access-control-allow-origin")], [200, "http://page.example"]);
});

test("a reader that comes again has lost nothing, or is told what it lost", async () => {
  const sandbox = new Sandbox({ market: { alive: true, seed: 7, maxMarketTrades: 50 } });
  sandbox.advance(5_000);
  const market = watching(sandbox);
  const before = sandbox.marketTrades.at(-1).number;
  const [start] = await first(market.events(), 1);
  assert.deepEqual([start.type, start.data.missed, start.data.restarted], ["start", 0, false]);
  assert.equal(start.id.split("-")[0], `${before}`);

  sandbox.advance(2_000);
  const made = sandbox.marketTrades.filter(({ number }) => number > before);
  assert.ok(made.length > 0 && made.length < 50);
  const again = await first(market.events({ after: start.id }), 1 + sandbox.tokens.length + made.length);
  assert.deepEqual(
    again.filter(({ type }) => type === "trade").map(({ data }) => data.number),
    made.map(({ number }) => number),
  );
  assert.equal(again[0].data.missed, 0);

  sandbox.advance(60_000);
  const [late] = await first(market.events({ after: start.id }), 1);
  assert.equal(late.data.missed, sandbox.marketTrades[0].number - before - 1);
  assert.ok(late.data.missed > 0);
  assert.equal((await market.trades({ after: start.id })).missed, late.data.missed);
});

test("another history is not taken for the one that a reader knows", async () => {
  const [one, other] = [living(1), living(2)];
  for (const sandbox of [one, other]) sandbox.advance(30_000);
  const [start] = await first(watching(one).events(), 1);
  const there = watching(other);
  assert.equal((await first(there.events({ after: start.id }), 1))[0].data.restarted, true);
  assert.equal((await there.trades({ after: start.id })).restarted, true);
  const same = living(1);
  same.advance(30_000);
  assert.equal((await watching(same).trades({ after: start.id })).restarted, false);
});

test("every call's changes are events: trades in a still market too, launches, time, and a reset", async () => {
  const sandbox = new Sandbox();
  const market = watching(sandbox);
  const events = market.events();
  const next = async (type) => {
    for (;;) {
      const { value } = await events.next();
      if (value instanceof Error) throw value;
      if (value.type === type) return value;
    }
  };
  await next("token");
  const [{ mint }] = sandbox.tokens;
  const client = new TradeClient({ fetch: sandbox.fetch });
  await client.buy({ mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
  const trade = await next("trade");
  assert.equal(trade.data.tokens, "34199203120618");
  assert.deepEqual([trade.data.trader, trade.data.number], ["own", 1]);
  sandbox.launch({ mint: "NEW" });
  while ((await next("token")).data.mint !== "NEW");
  sandbox.advance(5_000);
  assert.deepEqual((await next("time")).data, { nowMs: 5_000 });
  sandbox.reset();
  assert.equal((await next("start")).data.restarted, true);
  await events.return();
});

test("over HTTP the stream goes on, foreign hosts are refused, and closing the server ends it", async () => {
  const sandbox = living();
  const served = await serve(sandbox);
  const foreign = await new Promise((resolve) =>
    httpRequest(`${served.url}/_market/events`, { headers: { host: "page.example" } }, resolve).end(),
  );
  assert.equal(foreign.statusCode, 403);
  foreign.destroy();
  const abort = new AbortController();
  const market = new SandboxMarket({ baseURL: served.url });
  const events = market.events({ signal: abort.signal });
  assert.equal((await events.next()).value.type, "start");
  sandbox.advance(10_000);
  const trades = [];
  while (trades.length < 5) {
    const { value } = await events.next();
    if (value.type === "trade") trades.push(value.data.number);
  }
  assert.deepEqual(trades, [1, 2, 3, 4, 5]);
  const before = Date.now();
  const closed = served.close();
  for (;;) {
    const { value } = await events.next();
    if (value instanceof Error) break;
  }
  await closed;
  assert.ok(Date.now() - before < 4_000, "it did not wait for the reader");
  abort.abort();
  await events.return();
});

test("a sandbox and its market over HTTP are watched in the same way: by an iterator, and by a function", async () => {
  const sandbox = new Sandbox();
  const [{ mint }] = sandbox.tokens;
  const [{ wallet }] = sandbox.wallets;
  for (const market of [sandbox, watching(sandbox)]) {
    sandbox.reset();
    // The sandbox gives the same signature again, which a client takes for that of another trade.
    const client = new TradeClient({ fetch: sandbox.fetch });
    const looks = [];
    for await (const look of market.watch(mint, { wallets: [wallet] })) {
      assert.ok(!(look instanceof Error), String(look));
      looks.push(look);
      if (looks.length === 2) break;
      await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 });
    }
    assert.equal(looks[0].wallets[0].holding, null);
    assert.equal(looks[1].wallets[0].holding.tokens, 34_199_203_120_618n);
    assert.equal(looks[1].curve.spotPrice, sandbox.tokens[0].spotPrice);
    assert.deepEqual(looks[1].curve.quoteSellExactIn?.(5n), sandbox.curve(mint).quoteSellExactIn?.(5n));

    const seen = [];
    let isSeenTwice;
    const twice = new Promise((resolve) => (isSeenTwice = resolve));
    const again = () => client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000 });
    let bought;
    const stop = market.watch(mint, (look) => {
      seen.push(look.curve.spotPrice);
      if (seen.length === 1) bought = again();
      else isSeenTwice();
    });
    await twice;
    stop();
    await bought;
    await again();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(seen.length, 2, "nothing after it was stopped");
  }
});

test("a token that is not there is an error of the watch, which does not end it", async () => {
  const sandbox = new Sandbox();
  for (const market of [sandbox, watching(sandbox)]) {
    const [look] = await first(market.watch("LATER"), 1);
    assert.match(look.message, /no such token|is not a token of this sandbox/);
  }
});

test("a look has the wallets in the order asked for, here and over HTTP", async () => {
  const sandbox = new Sandbox();
  const [mint, all] = [sandbox.tokens[0].mint, sandbox.wallets.map(({ wallet }) => wallet)];
  const asked = [all[2], "nobody", all[0]];
  const market = watching(sandbox);
  for (const look of [sandbox.look(mint, asked), await market.look(mint, asked)])
    assert.deepEqual(
      look.wallets.map(({ wallet }) => wallet),
      [all[2], all[0]],
    );
});
