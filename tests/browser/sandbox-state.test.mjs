// `keepStateInIndexedDB` in real browsers: what a sandbox has after reloads and kills under load, and that nothing is lost silently.

import assert from "node:assert/strict";
import test from "node:test";
import { Sandbox } from "launchpad-desk/sandbox";
import { openPage } from "../../scripts/browsers.mjs";
import { openProfile } from "../browsers.mjs";
import { servePages } from "./pages.mjs";

const CONFIG = {
  maxCalls: 2_000,
  tokens: [{ mint: "M" }, { mint: "N", soldBps: 3_000 }],
  wallets: ["ada", "bob", "cleo"].map((wallet) => ({ wallet, lamports: 90_000_000_000 })),
  market: { alive: true, seed: 7 },
};

const { inPage } = await servePages({
  "page.js": `import { TradeClient } from "./index.js";
   import { keepStateInIndexedDB } from "./browser.js";
   import { Sandbox } from "./sandbox.js";
   globalThis.desk = { TradeClient, keepStateInIndexedDB, Sandbox, CONFIG: ${JSON.stringify(CONFIG)} };`,
});

/** What a page has kept under a name: its snapshot and its calls. */
const look = (name) =>
  (async () => {
    const { CONFIG, Sandbox, keepStateInIndexedDB } = globalThis.desk;
    const sandbox = new Sandbox(CONFIG);
    const kept = await keepStateInIndexedDB(sandbox, name);
    await kept.close();
    return { snapshot: sandbox.snapshot(), calls: sandbox.callsNdjson() };
  })();

/** Trades from several sides at once, without end. Answers are reported; what was sent can be derived from its id. */
const load = (name) =>
  (async () => {
    const { CONFIG, Sandbox, keepStateInIndexedDB } = globalThis.desk;
    const sandbox = new Sandbox(CONFIG);
    const kept = await keepStateInIndexedDB(sandbox, name);
    let number = sandbox.calls.length;
    const bodies = [
      ["buy", { mint: "M", fromWallet: "ada", amountInLamports: 10_000_000, slippage: 50 }],
      ["sell-by-percentage", { mint: "M", fromWallet: "ada", percentage: 10 }],
      [
        "bundle/buy",
        {
          mint: "N",
          feePayer: "cleo",
          buys: [
            { fromWallet: "bob", amountInLamports: 5_000_000 },
            { fromWallet: "cleo", amountInLamports: 7_000_000 },
          ],
        },
      ],
      ["buy", { mint: "N", fromWallet: "bob" }],
    ];
    const side = async () => {
      for (;;) {
        const id = `${globalThis.run}-${++number}`;
        const [operation, body] = bodies[number % bodies.length];
        const init = {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": id },
          body: JSON.stringify(body),
        };
        await globalThis.sent(id, operation, init.body);
        const reply = await kept.fetch(`http://sandbox/v1/trade/${operation}`, init);
        await globalThis.answered(id, reply.status, await reply.text());
      }
    };
    for (let count = 0; count < 6; count++) side().catch((error) => globalThis.answered("", 0, String(error)));
  })();

for (const browserName of ["chromium", "firefox"]) {
  test(`in ${browserName}, a page that is reloaded or closed under load has every answered trade, and no half one`, async (t) => {
    const profile = await openProfile(browserName, t);
    const model = new Sandbox(CONFIG);
    const [sent, answered] = [new Map(), new Map()];
    let [checked, enough, kills, unanswered] = [0, () => {}, 0, 0];
    /** Makes the calls that were kept, one by one, and compares. */
    const check = async (page) => {
      const { snapshot, calls } = await inPage(page, ["load"], look);
      for (const call of calls
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))) {
        if (call.number <= checked) continue;
        assert.equal(call.number, ++checked, "no call is missing");
        const { operation, body } = sent.get(call.intentId);
        model.useClock(() => call.atMs);
        const init = {
          method: "POST",
          headers: { "content-type": "application/json", "idempotency-key": call.intentId },
          body,
        };
        const reply = await model.fetch(`http://sandbox/v1/trade/${operation}`, init);
        const expected = [reply.status, await reply.text()];
        if (answered.has(call.intentId)) assert.deepEqual(answered.get(call.intentId), expected);
        else unanswered++;
        answered.delete(call.intentId);
      }
      assert.deepEqual([...answered.keys()], [], "every answered call is there");
      assert.ok(snapshot === model.snapshot(), "the state is that of the calls");
    };
    const pageWithLoad = async () => {
      const page = await openPage(profile);
      await page.exposeFunction("sent", (id, operation, body) => void sent.set(id, { operation, body }));
      await page.exposeFunction("answered", (id, status, text) => {
        assert.ok([200, 400].includes(status), text);
        answered.set(id, [status, text]);
        if (answered.size >= 20) enough();
      });
      return page;
    };
    // Only Chromium can kill a page's process on request.
    const killed = browserName === "chromium" ? ["killed", "killed"] : [];
    for (const end of ["reload", "close", "reload", "navigate", "close", "reload", ...killed]) {
      const page = await pageWithLoad();
      const isEnough = new Promise((resolve) => (enough = resolve));
      await inPage(page, [`run-${kills}`], (run) => void (globalThis.run = run));
      await page.evaluate(load, "load");
      await isEnough;
      if (end === "reload") await page.reload();
      else if (end === "navigate") await page.goto("about:blank");
      else if (end === "killed") await assert.rejects(page.goto("chrome://crash"));
      await page.close();
      kills++;
      const fresh = await openPage(profile);
      await check(fresh);
      await fresh.close();
    }
    assert.ok(checked > 20 * kills, `${checked} calls, ${unanswered} of them without an answer`);
  });

  test(`in ${browserName}, what is not this sandbox's state is refused, and so is what a page stores that has it no longer`, async (t) => {
    const profile = await openProfile(browserName, t);
    const seen = await inPage(await openPage(profile), [], async () => {
      const { CONFIG, Sandbox, TradeClient, keepStateInIndexedDB } = globalThis.desk;
      const words = (work) =>
        Promise.resolve()
          .then(work)
          .then(
            () => "done",
            (error) => error.message,
          );
      const seen = {};
      const sandbox = new Sandbox(CONFIG);
      sandbox.fund("eve", 5n);
      const kept = await keepStateInIndexedDB(sandbox, "one");
      const client = new TradeClient({ fetch: kept.fetch });
      const plan = await client.plan("buy", {
        mint: "M",
        fromWallet: "ada",
        amountInLamports: 5_000_000,
        slippage: { percent: 50 },
      });
      seen.client = [plan.simulated, plan.price.legs.length, (await client.send(plan)).simulated];
      sandbox.fund("eve", 6n);
      sandbox.advance(5_000);
      await kept.saved();
      const before = sandbox.snapshot();

      const other = new Sandbox({ ...CONFIG, market: { alive: true, seed: 8 } });
      const rows = [];
      other.onChanges((changes) => rows.push(...changes));
      seen.others = await words(() => keepStateInIndexedDB(other, "one"));
      other.fund("eve", 1n);
      seen.otherStore = rows.length > 0;
      seen.noSandbox = await words(() => keepStateInIndexedDB({}, "one"));

      // A second one takes it over.
      const second = new Sandbox(CONFIG);
      const keptBySecond = await keepStateInIndexedDB(second, "one");
      seen.same = second.snapshot() === before;
      sandbox.fund("eve", 7n);
      seen.late = await words(() => kept.saved());
      seen.later = await words(() => sandbox.fund("eve", 7n));
      seen.lateFetch = await words(() =>
        kept.fetch("http://sandbox/v1/trade/buy", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        }),
      );
      second.fund("eve", 8n);
      await keptBySecond.close();
      seen.closed = await words(() => second.fund("eve", 8n));

      // A log that grows is shortened.
      const third = new Sandbox(CONFIG);
      const keptByThird = await keepStateInIndexedDB(third, "one");
      seen.goesOn = third.snapshot() === second.snapshot();
      const label = "e".repeat(200_000);
      for (let count = 0; count < 40; count++) {
        third.fund("eve", 1n, `${label}${count}`);
        if (count % 3) await keptByThird.saved();
      }
      await keptByThird.close();
      const database = await new Promise(
        (resolve) => (indexedDB.open("one").onsuccess = ({ target }) => resolve(target.result)),
      );
      const entries = await new Promise(
        (resolve) =>
          (database.transaction("log").objectStore("log").getAll().onsuccess = ({ target }) => resolve(target.result)),
      );
      database.close();
      seen.isShort = entries.flat().reduce((sum, row) => sum + row.length, 0) < 3_000_000;
      const fourth = new Sandbox(CONFIG);
      const keptByFourth = await keepStateInIndexedDB(fourth, "one");
      seen.whole = fourth.snapshot() === third.snapshot();

      // The database was deleted: nothing is stored, and nothing changes.
      await new Promise((resolve) => (indexedDB.deleteDatabase("one").onsuccess = resolve));
      seen.deleted = await words(() => fourth.fund("eve", 1n));
      await keptByFourth.close();
      return seen;
    });
    assert.deepEqual(seen, {
      client: [true, 1, true],
      others: "the state in one is of a sandbox with other settings (market.seed): use those, or another name",
      otherStore: true,
      noSandbox: "keepStateInIndexedDB takes a sandbox",
      same: true,
      late: "it could not be stored in one: another page has taken it over",
      later: "nothing is stored in one any more: another page has taken it over",
      lateFetch: "it could not be stored in one: another page has taken it over",
      closed: "nothing is stored in one any more: it was closed",
      goesOn: true,
      isShort: true,
      whole: true,
      deleted: "nothing is stored in one any more: it is being deleted",
    });
  });
}
