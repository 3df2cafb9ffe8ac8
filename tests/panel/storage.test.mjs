// A browser that stores nothing, or stops storing: a simulation lasts as long as the page, and nothing is sent before it is stored.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;

  inChromium(
    "a new world is stored once the page is at rest, and until then nothing is said of that and no request goes out",
    async () => {
      const { panel } = at;
      await panel.page.evaluateOnNewDocument(() => {
        globalThis.resting = [];
        globalThis.requestIdleCallback = (go) => globalThis.resting.push(go);
      });
      await at.open();
      await panel.click(".world [aria-controls=drawer]");
      await panel.untilText(".drawer", "Start over");
      assert.doesNotMatch(await panel.text(".drawer"), /Stored in this browser|cannot store it/);
      await panel.trade("1", "Sending");
      await panel.page.evaluate(() => globalThis.resting.splice(0).forEach((go) => go()));
      await panel.untilText(".attempt", "Landed");
      await panel.untilText(".drawer", "Stored in this browser: it continues after a reload.");
    },
  );

  test("where storage is refused a simulated panel lasts as long as the page, and says so", async () => {
    const { panel } = at;
    // As in a frame without an origin of its own.
    await panel.page.evaluateOnNewDocument(() => {
      const refused = () => new DOMException("denied", "SecurityError");
      for (const name of ["indexedDB", "localStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            throw refused();
          },
        });
      }
      navigator.locks.request = () => Promise.reject(refused());
    });
    await at.open({ faults: { script: [{ kind: "none" }, { kind: "noAnswer" }] } });
    await panel.trade("1", "Landed");
    await panel.untilText(".positions", "34.2M");
    await panel.trade("0.5", "Unknown");
    assert.equal(await panel.text(".send"), "Locked: settle the earlier trade");
    await panel.click(".settle button");
    await panel.untilText(".attempt", "It landed: the wallet's balances prove it.");
    await panel.write("amount", "0.25");
    await panel.untilText(".send", "Simulate: buy 0.25 SOL");
    await panel.click(".world [aria-controls=drawer]");
    await panel.untilText(".drawer", "This browser cannot store it: a reload starts over.");
  });

  inChromium("what the drawer does, it does where nothing more can be stored, too, and then says so", async () => {
    const panel = await at.open();
    await panel.toggleDrawer();
    await panel.untilText(".drawer", "Stored in this browser");
    await panel.page.evaluate(() => {
      const full = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
      const { add } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.add = function (...row) {
        return this.name === "log" ? full() : add.apply(this, row);
      };
      Storage.prototype.setItem = full;
    });
    // Its time stands still: no other change finds it out first.
    await panel.press(".drawer .switch button");
    await panel.choose("fault", "busy");
    const [, before] = /Holds ([\d.]+) SOL/.exec(await panel.text("#wallet-note"));
    for (const pressed of [1, 2]) {
      await panel.press(".drawer .everything button");
      await panel.untilText("#wallet-note", `Holds ${Number(before) + 10 * pressed} SOL`);
    }
    await panel.untilText(".drawer", "This browser cannot store it: a reload starts over.");
    await panel.trade("1", "Rejected");
  });

  test("what the disk does not take is not sent, and it says why", async () => {
    const panel = await at.open();
    await panel.page.evaluate(() => {
      const { add } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.add = function (...row) {
        // Of the attempts alone: a sandbox whose rows were not stored takes no more trades.
        if (window.full && this.name === "attempts")
          throw new DOMException("an exception's own words", "QuotaExceededError");
        return add.apply(this, row);
      };
      window.full = true;
    });
    await panel.trade("1");
    await panel.untilText(
      ".consent",
      "It was not sent: this browser could not store it first, because its storage for this site is full.",
    );
    assert.deepEqual(await panel.attempts(), []);
    await panel.page.evaluate(() => (window.full = false));
    await panel.send("Landed");
  });

  test("a database that the browser has closed is opened again, and where it cannot be, a reload is what is asked for", async () => {
    const panel = await at.open();
    // As Safari does it: nobody is told, and each later transaction is refused.
    await panel.page.evaluate(() => {
      const [{ transaction }, { open }] = [IDBDatabase.prototype, IDBFactory.prototype];
      const isOurs = (name) => / (panel|journal) /.test(name);
      let alive = new WeakSet();
      IDBDatabase.prototype.transaction = function (...given) {
        if (isOurs(this.name) && !alive.has(this)) throw new DOMException("Connection lost", "InvalidStateError");
        return transaction.apply(this, given);
      };
      IDBFactory.prototype.open = function (...given) {
        if (window.isLost && isOurs(given[0])) throw new DOMException("Connection lost", "UnknownError");
        const opening = open.apply(this, given);
        opening.addEventListener("success", () => alive.add(opening.result));
        return opening;
      };
      window.closeAll = () => (alive = new WeakSet());
    });
    await panel.trade("0.5", "Landed");
    await panel.page.evaluate(() => {
      window.isLost = true;
      window.closeAll();
    });
    await panel.trade("0.6");
    await panel.untilText(".consent", "It was not sent: this browser could not store it first. Reload the page.");
    await panel.page.evaluate(() => (window.isLost = false));
    await panel.click(".send");
    await panel.untilText(".attempt", /Landed Buy RABBIT for 0.6 SOL/);
    assert.equal((await panel.attempts()).length, 2);
  });

  inChromium("an outcome is shown though the browser has dropped what it is to be written to", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "none", latencyMs: 2_000 }] } });
    await panel.trade("1", "Sending");
    await panel.page.evaluate(async () => {
      for (const { name } of await indexedDB.databases())
        if (name.includes(" panel "))
          await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
    });
    await panel.untilText(".consent", "Its outcome could not be stored in this browser");
    assert.match(await panel.text(".attempt"), /^✓ Landed Buy RABBIT for 1 SOL/);
  });
});
