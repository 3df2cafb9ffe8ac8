// `launchpad-desk/browser` in real browsers: what IndexedDB keeps across reloads and between pages.

import assert from "node:assert/strict";
import test from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { openProfile } from "../browsers.mjs";
import { servePages } from "./pages.mjs";

const { inPage } = await servePages({
  "page.js": `import { TradeClient } from "./index.js";
   import { indexedDBJournal } from "./browser.js";
   globalThis.desk = { TradeClient, indexedDBJournal };`,
});

for (const name of ["chromium", "firefox"]) {
  test(`IndexedDB in ${name} keeps what is unresolved, over reloads and for every page`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    const first = await inPage(page, async () => {
      const journal = globalThis.desk.indexedDBJournal("one");
      const now = Date.now();
      const intent = (intentId, startedAtMs = now) => ({
        intentId,
        operation: "buy",
        body: '{"mint":"M"}',
        startedAtMs,
        apiKey: "sk-secret-9",
      });
      await Promise.all(["a", "b", "c", "d"].map((id) => journal.begin(intent(id))));
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
      const journal = globalThis.desk.indexedDBJournal("one");
      const ids = (intents) => intents.map(({ intentId }) => intentId);
      const found = { pending: ids(await journal.pending()), landed: ids(await journal.landed(0)) };
      await journal.begin({ intentId: "again", operation: "sell", body: "{}", startedAtMs: 1 });
      await journal.settle({ intentId: "again" }, { outcome: "not_sent" });
      await journal.close();
      await journal.settle({ intentId: "d" }, { outcome: "did_not_land" });
      return { ...found, elsewhere: (await globalThis.desk.indexedDBJournal("two").pending()).length };
    };
    assert.deepEqual(await inPage(page, look), { pending: ["c", "d"], landed: ["a"], elsewhere: 0 });
    assert.deepEqual(await inPage(await openPage(profile), look), { pending: ["c"], landed: ["a"], elsewhere: 0 });
  });

  test(`IndexedDB in ${name} keeps how trades ended and their signatures, over reloads`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    await inPage(page, async () => {
      const journal = globalThis.desk.indexedDBJournal("ended");
      const ends = [
        ["a", "landed", "S1"],
        ["b", "failed", "S2", true],
        ["c", "did_not_land"],
        ["d", "did_not_land", null, true],
        ["e", "rejected"],
        ["b", "failed", "S3"],
      ];
      for (const [place, [intentId, outcome, signature, proven]] of ends.entries()) {
        await journal.begin({
          intentId,
          operation: "buy",
          body: '{"mint":"M"}',
          startedAtMs: Date.now() - 1_000 + place,
        });
        await journal.settle({ intentId }, { outcome, signature, proven });
      }
    });
    const ended = await inPage(page, async () => {
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
    await inPage(page, async () => {
      const journal = globalThis.desk.indexedDBJournal("named");
      const begin = (intentId) =>
        journal.begin({ intentId, operation: "buy", body: '{"mint":"M"}', startedAtMs: Date.now() });
      for (const [intentId, signature] of [
        ["a", "S"],
        ["b", null],
        ["c", "T"],
      ]) {
        await begin(intentId);
        await journal.settle({ intentId }, { outcome: "unknown", signature });
      }
      await journal.settle({ intentId: "c" }, { outcome: "did_not_land" });
    });
    const kept = await inPage(page, async () => {
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
      const told = await inPage(
        page,
        async (said, is) => {
          const journal = globalThis.desk.indexedDBJournal(`${said} ${is}`);
          const body = '{"mint":"M","amountInLamports":100,"priorityUnitLimit":1000000,"priorityUnitPrice":1}';
          await journal.begin({ intentId: "a", operation: "buy", body, startedAtMs: Date.now() });
          await journal.settle({ intentId: "a" }, { outcome: said, signature: "S" });
          await journal.settle({ intentId: "a" }, { outcome: is });
          await journal.settle({ intentId: "a" }, { outcome: is, proven: true });
          await journal.settle({ intentId: "a" }, { outcome: said, proven: true });
        },
        said,
        is,
      ).then(() =>
        inPage(
          page,
          async (said, is) => {
            const { landed, ended, lamports } = await globalThis.desk.indexedDBJournal(`${said} ${is}`).recall(0);
            return [landed, ended.map(({ outcome, proven }) => [outcome, proven === true]), String(lamports)];
          },
          said,
          is,
        ),
      );
      assert.deepEqual(told, [is === "landed" ? ["a"] : [], [[is, true]], lamports], `${said}, and ${is}`);
    }
  });

  test(`IndexedDB in ${name} keeps what stops trading, over reloads`, async (t) => {
    const profile = await openProfile(name, t);
    const page = await openPage(profile);
    const buy = { mint: "M", fromWallet: "W", amountInLamports: 1 };
    /** Makes a trade in a fresh page, after a preparation. */
    const next = (breaks, act) =>
      inPage(
        page,
        async ([breaks, act, buy]) => {
          const landed = JSON.stringify({ result: { transactionResult: { success: true } } });
          const fetch = async () => (breaks ? Promise.reject(new Error("it broke")) : new Response(landed));
          const client = new globalThis.desk.TradeClient({
            baseURL: "https://service.example",
            fetch,
            journal: globalThis.desk.indexedDBJournal("stops"),
          });
          if (act === "settle")
            for (const { intentId } of await client.pending()) await client.acknowledge(intentId, "did_not_land");
          else if (act) await client[act]();
          return client.buy(buy).then(
            ({ status }) => status,
            ({ code }) => code,
          );
        },
        [breaks, act, buy],
      );
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
    await inPage(
      page,
      async (body) => {
        const journal = globalThis.desk.indexedDBJournal("stops");
        for (const intentId of ["x", "y", "z"])
          await journal.begin({ intentId, operation: "buy", startedAtMs: Date.now(), body });
      },
      JSON.stringify(buy),
    );
    assert.deepEqual(
      [await next(false), await next(false, "resume"), await next(false)],
      ["breaker_open", "landed", "landed"],
    );
    // A stop of another page that this one has not heard is not taken back.
    const heard = await inPage(
      page,
      async (buy) => {
        const landed = JSON.stringify({ result: { transactionResult: { success: true } } });
        const [mine, others] = [0, 1].map(() => globalThis.desk.indexedDBJournal("both"));
        const [one, other, second] = [mine, others, others].map(
          (journal) =>
            new globalThis.desk.TradeClient({
              baseURL: "https://service.example",
              fetch: async () => new Response(landed),
              journal,
            }),
        );
        const twice = () => Promise.allSettled([other.resume(), other.resume()]);
        const told = [];
        for (const act of [
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
        ])
          told.push(
            await act().then(
              (trade) => trade?.status ?? "done",
              ({ code }) => code,
            ),
          );
        return told;
      },
      buy,
    );
    assert.deepEqual(heard.slice(0, 6), ["landed", "done", "journal_failed", "halted", "done", "landed"]);
    assert.deepEqual(heard.slice(6), ["done", "rejected,rejected", "halted", "done", "done", "halted", "halted"]);
  });

  test(`a stop that IndexedDB in ${name} could not keep still holds in its page`, async (t) => {
    const buy = { mint: "M", fromWallet: "W", amountInLamports: 1 };
    const profile = await openProfile(name, t);
    const told = await inPage(
      await openPage(profile),
      async (buy) => {
        const landed = JSON.stringify({ result: { transactionResult: { success: true } } });
        const client = new globalThis.desk.TradeClient({
          baseURL: "https://service.example",
          fetch: async () => new Response(landed),
          journal: globalThis.desk.indexedDBJournal("full"),
        });
        const { put } = IDBObjectStore.prototype;
        // As a disk without room does.
        const fails = function (value, ...key) {
          const request = put.call(this, value, ...key);
          if (value.mode === "reducing") this.transaction.abort();
          return request;
        };
        const told = [];
        for (const act of [
          () => client.buy(buy),
          () => ((IDBObjectStore.prototype.put = fails), client.reduce()),
          () => ((IDBObjectStore.prototype.put = put), client.buy(buy)),
          () => client.sell({ mint: "M", fromWallet: "W", amountInToken: 1 }),
          () => client.buy(buy),
          () => client.resume(),
          () => client.buy(buy),
        ])
          told.push(
            await act().then(
              (trade) => trade?.status ?? "done",
              ({ code }) => code,
            ),
          );
        return told;
      },
      buy,
    );
    assert.deepEqual(told, ["landed", "journal_failed", "reducing", "landed", "reducing", "done", "landed"]);
  });

  test(`IndexedDB in ${name} counts a day's lamports apart from the ids`, async (t) => {
    const profile = await openProfile(name, t);
    const seen = await inPage(await openPage(profile), async () => {
      const DAY_MS = 86_400_000;
      const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const of = (intentId, lamports, startedAtMs = today + 5) => ({
        intentId,
        operation: "buy",
        body: `{"mint":"M","fromWallet":"W","amountInLamports":${lamports}}`,
        startedAtMs,
      });
      const done = (request) =>
        new Promise(
          (resolve, reject) => (
            (request.onsuccess = () => resolve(request.result)),
            (request.onerror = () => reject(request.error))
          ),
        );
      // More than are kept.
      const made = globalThis.desk.indexedDBJournal("sums");
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

      const open = () => globalThis.desk.indexedDBJournal("sums");
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
          pending.map(({ intentId }) => intentId),
          pending[0].before,
          pending[0].throughGateway,
          landed.length,
          (await journal.landed(0)).length,
          `${lamports}`,
          `${all}`,
        ]);
        await journal.close();
      }
      const client = new globalThis.desk.TradeClient({
        baseURL: "https://service.example",
        fetch: () => Promise.reject(new Error("no")),
        journal: open(),
        maxLamportsPerDay: 12_000_021,
      });
      const { code } = await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 1 }).catch((error) => error);
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
    const seen = await inPage(await openPage(profile), async () => {
      const done = (request) =>
        new Promise(
          (resolve, reject) => (
            (request.onsuccess = () => resolve(request.result)),
            (request.onerror = () => reject(request.error))
          ),
        );
      const opening = indexedDB.open("old", 3);
      opening.onupgradeneeded = () =>
        opening.result.createObjectStore("intents", { keyPath: "intentId" }).put({ intentId: "a" });
      (await done(opening)).close();
      const journal = globalThis.desk.indexedDBJournal("old");
      const why = [];
      for (let time = 0; time < 2; time++)
        why.push(
          await journal.pending().then(
            () => "read",
            ({ message }) => message,
          ),
        );
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
    const request = { mint: "M", fromWallet: "W", amountInLamports: 5 };
    const page = await openPage(profile);
    const seen = await inPage(
      page,
      async (request) => {
        const journal = globalThis.desk.indexedDBJournal();
        let seen;
        const fetch = async () => {
          seen = (await globalThis.desk.indexedDBJournal().pending()).map(({ intentId }) => intentId);
          globalThis.sent = true;
          return new Promise(() => {});
        };
        const client = new globalThis.desk.TradeClient({ baseURL: "https://service.example", fetch, journal });
        client.buy(request, { intentId: "a" }).catch(() => {});
        while (!globalThis.sent) await new Promise((resolve) => setTimeout(resolve, 5));
        return seen;
      },
      request,
    );
    assert.deepEqual(seen, ["a"]);
    await page.close();
    const after = await inPage(
      await openPage(profile),
      async (request) => {
        const client = new globalThis.desk.TradeClient({
          baseURL: "https://service.example",
          fetch: () => Promise.reject(new Error("no")),
          journal: globalThis.desk.indexedDBJournal(),
        });
        const pending = (await client.pending()).map(({ intentId }) => intentId);
        const { code } = await client.buy(request, { intentId: "a" }).catch((error) => error);
        return { pending, code };
      },
      request,
    );
    assert.deepEqual(after, { pending: ["a"], code: "intent_unknown" });
  });
}
