// The chart: a still picture until the ticket rests; then it is zoomed, and says what is below the pointer.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const middle = async () => {
    const { x, y, width, height } = await at.panel.box(".canvas");
    return [x + width / 2, y + height / 2];
  };

  test("a still picture stands in its place until the ticket rests, and its file is not asked for before", async () => {
    const { panel } = at;
    const asked = [];
    panel.page.on("request", (request) => asked.push(request.url()));
    const isAsked = () => asked.some((url) => url.includes("panel-chart"));
    // Below the ticket nobody sees it.
    await panel.page.setViewport({ width: 390, height: 600 });
    await at.open(null);
    await panel.until("the candles", () => panel.$(".canvas svg .body[d^=M]"));
    await new Promise((done) => setTimeout(done, 3_000));
    assert.equal(isAsked(), false, "out of sight");
    const before = await panel.box(".canvas");
    // Typed by the page's own clock, so that a slow machine makes no pause.
    const typing = panel.inside(async (root) => {
      const field = root.querySelector('[name="amount"]');
      for (let typed = 0; typed < 50; typed++) {
        field.value = `0.${1 + (typed % 9)}`;
        field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        await new Promise((done) => setTimeout(done, 100));
      }
      const isAsked = performance.getEntriesByType("resource").some(({ name }) => name.includes("panel-chart"));
      return { isAsked, still: root.querySelector(".canvas svg").getBoundingClientRect().toJSON() };
    });
    await panel.page.setViewport({ width: 1280, height: 800 });
    const typed = await typing;
    assert.equal(typed.isAsked, false, "while something is typed");
    await panel.until("the chart", () => panel.$(".canvas canvas"));
    await panel.until("no still picture", async () => !(await panel.$(".canvas svg.still")));
    assert.equal(isAsked(), true);
    const { width, height } = await panel.box(".canvas");
    assert.deepEqual([typed.still.width, typed.still.height].map(Math.round), [width, height].map(Math.round));
    assert.ok(before.height > 100);
  });

  inChromium("candles of 5 seconds to a day begin with the clock's own, and each day has its date", async () => {
    const panel = await at.open(null);
    const names = await panel.texts(".chart-bar .switch:last-child button");
    assert.deepEqual(names, ["5s", "15s", "1m", "5m", "1h", "1d"]);
    const rows = async (interval) => {
      await panel.press(".chart-bar .switch:last-child button", interval);
      await panel.press(".chart-bar .switch button", "Table");
      await panel.painted();
      return panel.texts(".chart tbody th");
    };
    for (const time of await rows("5m")) assert.match(time, /:[0-5][05]:00$/);
    for (const time of await rows("1h")) assert.match(time, /^\d\d-\d\d, \d\d:00:00$/);
    for (const time of await rows("1d")) assert.match(time, /^\d\d-\d\d, /);
  });

  inChromium(
    "the bar below the pointer is told in figures; the wheel zooms where the pointer has moved, and else scrolls",
    async () => {
      const { panel } = at;
      await panel.page.setViewport({ width: 1280, height: 500 });
      await at.open(null);
      await panel.standStill();
      await panel.chart();
      const told = () => panel.inside((root) => root.querySelector(".under-pointer").textContent);
      assert.equal(await told(), "");
      const { mouse } = panel.page;
      const scrolled = () => panel.page.evaluate(() => scrollY);
      // The pointer is there because the page moved below it.
      const [x, y] = await middle();
      await mouse.move(x, 20);
      await mouse.wheel({ deltaY: y - 200 });
      await panel.until("the page to scroll", async () => (await scrolled()) > 0);
      const at1 = await scrolled();
      await mouse.wheel({ deltaY: 40 });
      await panel.until("it to scroll on", async () => (await scrolled()) > at1);
      const [left, top] = await middle();
      await mouse.move(left - 3, top);
      await mouse.move(left, top);
      await panel.until("the figures", async () =>
        /^O 0\.0₇\d{4} H \S+ L \S+ C \S+( [+−][\d.]+ %)? · [\d.]+ SOL$/.test(await told()),
      );
      const place = await scrolled();
      const bars = new Set();
      const count = async () => {
        bars.clear();
        for (let step = -40; step <= 40; step += 2) {
          await mouse.move(left + step, top);
          bars.add(await told());
        }
        return bars.size;
      };
      const before = await count();
      for (let turn = 0; turn < 5; turn++) await mouse.wheel({ deltaY: -200 });
      await panel.painted();
      const after = await count();
      assert.equal(await scrolled(), place);
      assert.ok(after < before, `${before} bars in 80 pixels, and then ${after}`);
      await mouse.move(2, 2);
      await panel.until("nothing", async () => (await told()) === "");
    },
  );
});
