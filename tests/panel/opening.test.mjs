// How a panel opens: everything has its place at once, and nothing moves when the market comes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { DESKTOP, PHONE } from "./panel.mjs";

await inEachBrowser((at) => {
  test("the ticket can be filled in before the rest is loaded, and goes on with what was entered", async () => {
    const { panel } = at;
    let load;
    const loads = new Promise((resolve) => (load = resolve));
    await panel.page.setRequestInterception(true);
    panel.page.on("request", async (request) => {
      if (request.url().includes("panel-desk")) await loads;
      await request.continue();
    });
    await panel.page.goto(`${panel.url}#${encodeURIComponent("{}")}`, { waitUntil: "domcontentloaded" });
    await panel.until("the ticket", () => panel.$(".ticket [name=amount]"));
    await panel.press(".sides .sell");
    await panel.press(".sides .buy");
    assert.equal(await panel.text(".quote"), "Enter an amount for a quote.");
    await panel.write("amount", "0.25");
    assert.equal(await panel.text(".quote"), "The desk is opening…");
    assert.deepEqual(
      [
        await panel.text(".send"),
        await panel.attribute(".send", "aria-disabled"),
        await panel.attribute(".desk", "aria-busy"),
      ],
      ["Opening…", "true", "true"],
    );
    const top = () => panel.inside((root) => root.querySelector(".ticket .send").getBoundingClientRect().top);
    const before = await top();
    load();
    await panel.untilText(".ticket .send", "Simulate: buy 0.25 SOL");
    assert.deepEqual(
      [await panel.value("amount"), await panel.inside((root) => root.activeElement?.name)],
      ["0.25", "amount"],
    );
    await panel.untilOpen();
    assert.ok(Math.abs((await top()) - before) <= 1, `the button came from ${before} to ${await top()}`);
  });

  for (const [width, height] of [DESKTOP, PHONE]) {
    test(`has places for its parts at once, and nothing moves when they come, at ${width}×${height}`, async () => {
      const { page } = at.panel;
      await page.setViewport({ width, height });
      // What is there in each frame, and where the chart and the ticket begin.
      await page.evaluateOnNewDocument(() => {
        globalThis.opened = [];
        const look = () => {
          const root = document.querySelector("launchpad-desk")?.shadowRoot;
          const tops = [".market .chart", ".side .place, .ticket"].map(
            (part) => root?.querySelector(part)?.getBoundingClientRect().top,
          );
          if (tops.every((top) => top !== undefined))
            globalThis.opened.push({
              tops,
              places: root.querySelectorAll(".place").length,
              hasToken: root.querySelector("#token-name") !== null,
            });
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await at.open();
      const frames = await at.panel.until("a frame of the whole", () =>
        page.evaluate(() => (globalThis.opened.at(-1)?.places === 0 ? globalThis.opened : undefined)),
      );
      assert.equal(frames[0].hasToken, false, "places come first");
      assert.ok(
        frames.some(({ places, hasToken }) => places && hasToken),
        "the token comes before the rest",
      );
      const [first, ...later] = frames.filter(({ hasToken }) => hasToken);
      for (const { tops } of later)
        for (const [index, top] of tops.entries())
          assert.ok(Math.abs(top - first.tops[index]) <= 1, `${first.tops} came to ${tops}`);
    });
  }
});
