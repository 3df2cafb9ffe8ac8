// `launchpad-desk/browser` in real browsers: what IndexedDB keeps across reloads and between pages.

import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { openProfile } from "../browsers.mjs";
import { servePages } from "./pages.mjs";

const { inPage } = await servePages({
  "page.js": `import { TradeClient } from "./index.js";
   import { indexedDBJournal } from "./browser.js";
   const landed = '{"result":{"transactionResult":{"success":true}}}';
   globalThis.desk = {
     indexedDBJournal,
     intent: (intentId, more) => ({ intentId, operation: "buy", body: '{"mint":"M"}', startedAtMs: Date.now(), ...more }),
     ids: (intents) => intents.map(({ intentId }) => intentId),
     // Of a service where each trade lands, or whose connections break.
     clientOf: (journal, { breaks = false, ...more } = {}) => {
       const fetch = async () => (breaks ? Promise.reject(new Error("it broke")) : new Response(landed));
       return new TradeClient({ baseURL: "https://service.example", fetch, journal, ...more });
     },
     // How a trade, or what is said of all trading, ends.
     endOf: (call) => call.then((trade) => trade?.status ?? "done", ({ code }) => code),
     endsOf: async (acts) => {
       const ends = [];
       for (const act of acts) ends.push(await desk.endOf(act()));
       return ends;
     },
     done: (request) =>
       new Promise((resolve, reject) => {
         request.onsuccess = () => resolve(request.result);
         request.onerror = () => reject(request.error);
       }),
   };`,
});
const BUY = { mint: "M", fromWallet: "W", amountInLamports: 1 };

for (const name of ["chromium", "firefox"]) {
  test(`IndexedDB in ${name} keeps what is unresolved, over reloads and for every page`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    const first = await inPage(page, [], async () => {
      const { indexedDBJournal, intent } = globalThis.desk;
      const journal = indexedDBJournal("one");
      await Promise.all(["a", "b", "c", "d"].map((id) => journal.begin(intent(id, { apiKey: "sk-secret-9" }))));
      await journal.settle({ intentId: "a" }, { outcome: "landed" });
      await journal.settle({ intentId: "b" }, { outcome: "rejected" });
      await journal.settle({ intentId: "c" }, { outcome: "unknown" });
      const refused = [];
      for (const id of ["a", "c"]) await journal.begin(intent(id)).catch((error) => refused.push(error.message));
      await journal.settle({ intentId: "c" }, { outcome: "perhaps" }).catch((error) => refused.push(error.name));
      await journal.begin({ intentId: "e" }).catch((error) => refused.push(error.name));
      return { refused, fields: Object.keys((await journal.pending())[0]).sort() };
    });
    assert.deepEqual(first.refused, [
      "intent a has already landed",
      "intent c was begun earlier and is unresolved",
      "TypeError",
      "TypeError",
    ]);
    assert.deepEqual(first.fields, ["body", "intentId", "operation", "startedAtMs"]);

    const look = async () => {
      const { indexedDBJournal, ids } = globalThis.desk;
      const journal = indexedDBJournal("one");
      const found = { pending: ids(await journal.pending()), landed: ids(await journal.landed(0)) };
      await journal.begin({ intentId: "again", operation: "sell", body: "{}", startedAtMs: 1 });
      await journal.settle({ intentId: "again" }, { outcome: "not_sent" });
      await journal.close();
      await journal.settle({ intentId: "d" }, { outcome: "did_not_land" });
      return { ...found, elsewhere: (await indexedDBJournal("two").pending()).length };
    };
    assert.deepEqual(await inPage(page, [], look), { pending: ["c", "d"], landed: ["a"], elsewhere: 0 });
    assert.deepEqual(await inPage(await openPage(profile), [], look), { pending: ["c"], landed: ["a"], elsewhere: 0 });
  });

  test(`IndexedDB in ${name} keeps how trades ended and their signatures, over reloads`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    await inPage(page, [], async () => {
      const { indexedDBJournal, intent } = globalThis.desk;
      const journal = indexedDBJournal("ended");
      const ends = [
        ["a", "landed", "S1"],
        ["b", "failed", "S2", true],
        ["c", "did_not_land"],
        ["d", "did_not_land", null, true],
        ["e", "rejected"],
        ["b", "failed", "S3"],
      ];
      for (const [place, [intentId, outcome, signature, proven]] of ends.entries()) {
        await journal.begin(intent(intentId, { startedAtMs: Date.now() - 1_000 + place }));
        await journal.settle({ intentId }, { outcome, signature, proven });
      }
    });
    const ended = await inPage(page, [], async () => {
      const { ended } = await globalThis.desk.indexedDBJournal("ended").recall(Date.now());
      return ended.map(({ intentId, outcome, signature, proven }) => [
        intentId,
        outcome,
        signature ?? null,
        proven === true,
      ]);
    });
    assert.deepEqual(ended, [
      ["a", "landed", "S1", false],
      ["b", "failed", "S2", true],
      ["c", "did_not_land", null, false],
      ["d", "did_not_land", null, true],
      ["e", "rejected", null, false],
      ["b", "failed", "S3", false],
    ]);
  });

  test(`IndexedDB in ${name} keeps the signature of a trade that stays unknown, over reloads`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    await inPage(page, [], async () => {
      const { indexedDBJournal, intent } = globalThis.desk;
      const journal = indexedDBJournal("named");
      for (const [intentId, signature] of [
        ["a", "S"],
        ["b", null],
        ["c", "T"],
      ]) {
        await journal.begin(intent(intentId));
        await journal.settle({ intentId }, { outcome: "unknown", signature });
      }
      await journal.settle({ intentId: "c" }, { outcome: "did_not_land" });
    });
    const kept = await inPage(page, [], async () => {
      const { pending, ended } = await globalThis.desk.indexedDBJournal("named").recall(Date.now());
      return [pending, ended].map((trades) =>
        trades.map(({ intentId, namedSignature, signature }) => [intentId, namedSignature ?? null, signature ?? null]),
      );
    });
    assert.deepEqual(kept, [
      [
        ["a", "S", null],
        ["b", null, null],
      ],
      [["c", "T", null]],
    ]);
  });

  test(`IndexedDB in ${name} replaces an end that nothing proved by one that is proven, over reloads`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    for (const [said, is, lamports] of [
      ["landed", "failed", "1"],
      ["landed", "did_not_land", "0"],
      ["failed", "landed", "101"],
    ]) {
      await inPage(page, [said, is], async (said, is) => {
        const { indexedDBJournal, intent } = globalThis.desk;
        const journal = indexedDBJournal(`${said} ${is}`);
        const body = '{"mint":"M","amountInLamports":100,"priorityUnitLimit":1000000,"priorityUnitPrice":1}';
        await journal.begin(intent("a", { body }));
        await journal.settle({ intentId: "a" }, { outcome: said, signature: "S" });
        await journal.settle({ intentId: "a" }, { outcome: is });
        await journal.settle({ intentId: "a" }, { outcome: is, proven: true });
        await journal.settle({ intentId: "a" }, { outcome: said, proven: true });
      });
      const told = await inPage(page, [said, is], async (said, is) => {
        const { landed, ended, lamports } = await globalThis.desk.indexedDBJournal(`${said} ${is}`).recall(0);
        return [landed, ended.map(({ outcome, proven }) => [outcome, proven === true]), String(lamports)];
      });
      assert.deepEqual(told, [is === "landed" ? ["a"] : [], [[is, true]], lamports], `${said}, and ${is}`);
    }
  });

  test(`IndexedDB in ${name} keeps what stops trading, over reloads`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    /** Makes a trade in a fresh page, after a preparation. */
    const next = (breaks, act) =>
      inPage(page, [breaks, act, BUY], async (breaks, act, buy) => {
        const { indexedDBJournal, clientOf, endOf } = globalThis.desk;
        const client = clientOf(indexedDBJournal("stops"), { breaks });
        if (act === "settle")
          for (const { intentId } of await client.pending()) await client.acknowledge(intentId, "did_not_land");
        else if (act) await client[act]();
        return endOf(client.buy(buy));
      });
    assert.deepEqual(
      [await next(false, "halt"), await next(false), await next(false, "resume"), await next(false)],
      ["halted", "halted", "landed", "landed"],
    );
    const seen = [];
    for (let reload = 0; reload < 4; reload++) seen.push(await next(true));
    assert.deepEqual(seen, ["network_error", "network_error", "network_error", "breaker_open"]);
    assert.deepEqual(
      [await next(false, "resume"), await next(true), await next(true), await next(true, "settle"), await next(false)],
      ["landed", "network_error", "network_error", "network_error", "landed"],
    );
    // Of a page that was closed while a trade was in flight, only the begin is left.
    await inPage(page, [JSON.stringify(BUY)], async (body) => {
      const { indexedDBJournal, intent } = globalThis.desk;
      for (const id of ["x", "y", "z"]) await indexedDBJournal("stops").begin(intent(id, { body }));
    });
    assert.deepEqual(
      [await next(false), await next(false, "resume"), await next(false)],
      ["breaker_open", "landed", "landed"],
    );
    // A stop of another page that this one has not heard is not taken back.
    const heard = await inPage(page, [BUY], async (buy) => {
      const { indexedDBJournal, clientOf, endsOf } = globalThis.desk;
      const [mine, others] = [indexedDBJournal("both"), indexedDBJournal("both")];
      const [one, other, second] = [mine, others, others].map((journal) => clientOf(journal));
      const twice = () => Promise.allSettled([other.resume(), other.resume()]);
      return endsOf([
        () => other.buy(buy),
        () => one.halt(),
        () => other.resume(),
        () => other.buy(buy),
        () => other.resume(),
        () => other.buy(buy),
        () => one.halt(),
        async () => ({ status: (await twice()).map(({ status }) => status).join() }),
        () => other.buy(buy),
        () => other.resume(),
        () => one.halt(),
        // A second client of the same journal hears it first.
        () => second.buy(buy),
        () => other.buy(buy),
      ]);
    });
    assert.deepEqual(heard.slice(0, 6), ["landed", "done", "journal_failed", "halted", "done", "landed"]);
    assert.deepEqual(heard.slice(6), ["done", "rejected,rejected", "halted", "done", "done", "halted", "halted"]);
  });

  test(`a stop that IndexedDB in ${name} could not keep still holds in its page`, async (t) => {
    const profile = await openProfile(name, t);
    const told = await inPage(await openPage(profile), [BUY], async (buy) => {
      const { indexedDBJournal, clientOf, endsOf } = globalThis.desk;
      const client = clientOf(indexedDBJournal("full"));
      const { put } = IDBObjectStore.prototype;
      // As a disk without room does.
      const fails = function (value, ...key) {
        const request = put.call(this, value, ...key);
        if (value.mode === "reducing") this.transaction.abort();
        return request;
      };
      return endsOf([
        () => client.buy(buy),
        () => ((IDBObjectStore.prototype.put = fails), client.reduce()),
        () => ((IDBObjectStore.prototype.put = put), client.buy(buy)),
        () => client.sell({ mint: "M", fromWallet: "W", amountInToken: 1 }),
        () => client.buy(buy),
        () => client.resume(),
        () => client.buy(buy),
      ]);
    });
    assert.deepEqual(told, ["landed", "journal_failed", "reducing", "landed", "reducing", "done", "landed"]);
  });

  test(`IndexedDB in ${name} counts a day's lamports apart from the ids`, async (t) => {
    const profile = await openProfile(name, t);
    const seen = await inPage(await openPage(profile), [], async () => {
      const DAY_MS = 86_400_000;
      const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const { indexedDBJournal, intent, ids, clientOf, endOf, done } = globalThis.desk;
      const of = (intentId, lamports, startedAtMs = today + 5) =>
        intent(intentId, { body: `{"mint":"M","fromWallet":"W","amountInLamports":${lamports}}`, startedAtMs });
      // More than are kept.
      const made = indexedDBJournal("sums");
      await made.pending();
      await made.close();
      const database = await done(indexedDB.open("sums"));
      const transaction = database.transaction(["intents", "days"], "readwrite");
      const put = (intent, fate) =>
        transaction.objectStore("intents").put({ ...intent, fate, ...(fate && { outcome: "landed" }) });
      const day = today / DAY_MS;
      transaction.objectStore("days").put({ day, lamports: 12_000_000n });
      transaction.objectStore("days").put({ day: day - 1, lamports: 18_446_744_073_709_551_615n });
      for (let n = 0; n < 12_000; n++) put(of(`${n}`, "1000", today + n), 1);
      put(of("yesterday", "18446744073709551615", today - 1), 1);
      put(of("doubtful", "7"), 0);
      await new Promise((resolve) => (transaction.oncomplete = resolve));
      database.close();

      const open = () => indexedDBJournal("sums");
      let journal = open();
      const before = [{ wallet: "W", tokens: "5", lamports: "6" }];
      // Each bids two lamports for priority: one that failed has paid them.
      const bids = (intent) => ({
        ...intent,
        body: intent.body.replace("}", ',"priorityUnitLimit":null,"priorityUnitPrice":10}'),
      });
      for (const [id, outcome] of [
        ["a", "landed"],
        ["b", "rejected"],
        ["c", "unknown"],
        ["d", "unconfirmed"],
        ["e", "failed"],
      ]) {
        await journal.begin({ ...bids(of(id, "3")), before, throughGateway: true });
        await journal.settle({ intentId: id }, { outcome });
        await journal.settle({ intentId: id }, { outcome });
      }
      await journal.close();
      const found = [];
      for (let restart = 0; restart < 2; restart++) {
        journal = open();
        const { pending, landed, lamports } = await journal.recall(today);
        const all = (await journal.recall(today - 1)).lamports;
        found.push([
          ids(pending),
          pending[0].before,
          pending[0].throughGateway,
          landed.length,
          (await journal.landed(0)).length,
          `${lamports}`,
          `${all}`,
        ]);
        await journal.close();
      }
      const client = clientOf(open(), { maxLamportsPerDay: 12_000_021 });
      const code = await endOf(client.buy({ mint: "M", fromWallet: "W", amountInLamports: 1 }));
      return { found, code, today: `${client.guards.lamportsToday}` };
    });
    const each = [
      ["c", "doubtful"],
      [{ wallet: "W", tokens: "5", lamports: "6" }],
      true,
      10_000,
      10_000,
      "12000012",
      "18446744073721551627",
    ];
    // Those two count with all that they may take: a signature, and the accounts that a buy may open.
    const open = 5 + 7 + 2 * (5_000 + 2_860_040);
    assert.deepEqual(seen, { found: [each, each], code: "over_day_limit", today: `${12_000_012 + open}` });
  });

  test(`IndexedDB in ${name} refuses a journal of an earlier form, and leaves it as it is`, async (t) => {
    const profile = await openProfile(name, t);
    const seen = await inPage(await openPage(profile), [], async () => {
      const { indexedDBJournal, done } = globalThis.desk;
      const opening = indexedDB.open("old", 3);
      opening.onupgradeneeded = () =>
        opening.result.createObjectStore("intents", { keyPath: "intentId" }).put({ intentId: "a" });
      (await done(opening)).close();
      const journal = indexedDBJournal("old");
      const why = [];
      for (let time = 0; time < 2; time++) why.push(await journal.pending().catch(({ message }) => message));
      const left = await done(indexedDB.open("old"));
      return {
        why,
        version: left.version,
        ids: await done(left.transaction("intents").objectStore("intents").getAllKeys()),
      };
    });
    const why = "the journal old is of an earlier version and cannot be read: check its trades before you trade again";
    assert.deepEqual(seen, { why: [why, why], version: 3, ids: ["a"] });
  });

  test(`a client in ${name} journals before it sends, and finds its doubt after a crash of the page`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    const seen = await inPage(page, [BUY], async (request) => {
      const { indexedDBJournal, clientOf, ids } = globalThis.desk;
      return new Promise((resolve) => {
        const fetch = async () => {
          resolve(ids(await indexedDBJournal().pending()));
          return new Promise(() => {});
        };
        void clientOf(indexedDBJournal(), { fetch }).buy(request, { intentId: "a" });
      });
    });
    assert.deepEqual(seen, ["a"]);
    await page.close();
    const after = await inPage(await openPage(profile), [BUY], async (request) => {
      const { indexedDBJournal, clientOf, endOf, ids } = globalThis.desk;
      const client = clientOf(indexedDBJournal());
      return { pending: ids(await client.pending()), code: await endOf(client.buy(request, { intentId: "a" })) };
    });
    assert.deepEqual(after, { pending: ["a"], code: "intent_unknown" });
  });
}
