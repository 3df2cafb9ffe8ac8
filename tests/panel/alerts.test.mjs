// Alerts at a price: told once, in the panel and by a notification, with a sound only if the trader wants one; kept over a reload.

import assert from "node:assert/strict";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const set = async (text) => {
    await at.panel.write("alert", text);
    await at.panel.key("Enter");
  };

  inChromium("the chart makes room for the alerts, and is as high as before", async () => {
    const panel = await at.open();
    await panel.trade("1", "Landed");
    await panel.chart();
    await panel.painted();
    const before = await panel.box(".chart");
    await panel.press(".alerts-button");
    await panel.until("the form", () => panel.$("#alert"));
    await panel.painted();
    assert.equal((await panel.box(".chart")).height, before.height);
    await panel.press(".alerts-button");
    await panel.painted();
    assert.equal((await panel.box(".chart")).height, before.height);
  });

  test("an alert is told once when its price is reached, makes no sound by itself, and sends nothing", async () => {
    const { panel } = at;
    await panel.page.evaluateOnNewDocument(() => {
      globalThis.told = [];
      globalThis.Notification = class {
        static permission = "default";
        static async requestPermission() {
          return (this.permission = "granted");
        }
        constructor(text) {
          globalThis.told.push(text);
        }
      };
      globalThis.AudioContext = class {
        constructor() {
          globalThis.told.push("sound");
          throw new Error("there is no sound here");
        }
      };
    });
    const told = () => panel.page.evaluate(() => globalThis.told);
    await at.open();
    await panel.press(".alerts-button");
    for (const [text, why] of [
      ["2x", "Alert at takes a price such as 0.00000006 SOL"],
      ["0.07", "Alert at takes a price such as 0.00000006 SOL"],
      ["mc $60k", "Alert at, market cap, "],
      ["", "Alert at takes a price"],
    ]) {
      await set(text);
      await panel.untilText(".alerts p", why);
    }
    assert.deepEqual(await violations(panel, ".chart"), []);
    // The price is 0.00000002796 SOL, the market cap 27.96 SOL.
    await set("mc 29,5");
    await set("0.0000000296");
    await set("0.00000006 SOL");
    await panel.until("three of them", () =>
      panel.inside((root) => root.querySelectorAll(".alerts .button[aria-label]").length === 3),
    );
    for (const width of [1280, 390, 320]) {
      await panel.page.setViewport({ width, height: 800 });
      assert.deepEqual(await panel.misfits(".alerts :is(button, .control), .alerts-button"), [], `${width}`);
      const canvas = await panel.inside((root) => root.querySelector(".canvas").clientHeight);
      assert.ok(canvas >= 200, `${width}: ${canvas}`);
    }
    await panel.reload();
    await panel.until("them, after a reload", async () => (await panel.text(".alerts-button"))?.includes("Alerts 3"));
    await panel.page.evaluate(() => (Notification.permission = "granted"));
    await panel.trade("1");
    await panel.untilText(".alerts p", "RABBIT is at 0.0₇2983 SOL: your alert was at 0.0₇29");
    await panel.until("one left", async () => (await panel.text(".alerts-button"))?.includes("Alerts 1"));
    assert.deepEqual(
      (await told()).map((text) => text.replace(/.*was at /, "")),
      ["0.0₇2950.", "0.0₇2960."],
    );
    await panel.untilText(".attempt", "Landed");
    assert.equal((await panel.attempts()).length, 1);
    await panel.trade("0.1");
    await panel.until("the second buy", async () => (await panel.attempts()).length === 2);
    assert.equal((await told()).length, 2, "each once");
    assert.match(await panel.attribute(".canvas", "aria-label"), /Marked: alert, 0\.0000000600\d* SOL\./);
    await panel.press(".alerts .sound input");
    for (const price of ["0.0000000302", "0.0000000303"]) await set(price);
    await panel.trade("0.5");
    await panel.until("both, though there is no sound", async () => (await told()).length === 6);
    assert.deepEqual(
      (await told()).slice(2).map((text) => text.replace(/.*was at /, "")),
      ["0.0₇3020.", "sound", "0.0₇3030.", "sound"],
    );
    await panel.until("the third buy", async () => (await panel.attempts()).length === 3);
  });

  test("what another tab sets meanwhile stays, and what cannot be an alert is none", async () => {
    const { panel } = at;
    const count = (wanted) => panel.until(wanted, async () => (await panel.text(".alerts-button"))?.includes(wanted));
    await at.open();
    await panel.press(".alerts-button");
    await set("0.00000006");
    await count("Alerts 1");
    await panel.page.evaluate(() => {
      const name = Object.keys(localStorage).find((name) => name.startsWith("launchpad-desk alerts "));
      const { waiting, sound } = JSON.parse(localStorage.getItem(name));
      const [one] = waiting;
      const others = [{ price: one.price * 2 }, { price: String(one.price * 3) }, { price: [one.price * 4] }];
      waiting.push(...others.map((other) => ({ ...one, ...other })));
      localStorage.setItem(name, JSON.stringify({ waiting, sound }));
    });
    await set("0.00000009");
    await count("Alerts 3");
  });
});
