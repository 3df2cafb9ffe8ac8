// What has its place at every width: nothing to scroll sideways, nothing over another part, and the button in the window.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { DESKTOP, HALF, PHONE, SMALL, TABLET } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;

  test("with a position nothing scrolls sideways from 320 to 1280 pixels, and the header keeps clear of the ticket", async () => {
    const panel = await at.open({
      tokens: [{ mint: "SimTinTrumpet111111111111111111111111111111", symbol: "TRUMPET", name: "Tin Trumpet" }],
    });
    await panel.trade("1", "Landed");
    await panel.set({ solPriceUsd: "142.37" });
    await panel.untilText(".header .usd", "≈ $");
    const found = [];
    for (let width = 320; width <= 1280; width += 40) {
      await panel.page.setViewport({ width, height: 768 });
      await pause(60);
      const wrong = await panel.inside((root) => {
        const rect = (selector) => root.querySelector(selector).getBoundingClientRect();
        const [header, ticket] = [rect(".header"), rect(".ticket")];
        const seen = [...root.querySelectorAll(".header :is(.symbol, .under button, .large, .change, .usd, dt, dd)")]
          .filter((part) => part.checkVisibility())
          .map((part) => [part.innerText.trim(), part.getBoundingClientRect()]);
        const runsOut = seen.filter(
          ([, { left, right, top, bottom }]) =>
            left < header.left - 1 || right > header.right + 1 || top < header.top - 1 || bottom > header.bottom + 1,
        );
        const onTicket = seen.filter(
          ([, { left, right, top, bottom }]) =>
            right > ticket.left + 1 && left < ticket.right - 1 && bottom > ticket.top + 1 && top < ticket.bottom - 1,
        );
        // The icon and a word that waits for its place would make a second line of any of these.
        const broken = [...root.querySelectorAll(".header .under button, .header dd")].filter(
          (part) => part.innerText && part.getClientRects().length && part.scrollHeight > 50,
        );
        const wide = document.documentElement.scrollWidth;
        return [
          ...(wide > innerWidth ? [`scrolls to ${wide}`] : []),
          ...[...runsOut, ...onTicket].map(([text]) => `out of its place: ${text}`),
          ...broken.map((part) => `of several lines: ${part.innerText}`),
        ];
      });
      // What stands below has the room beside the ticket in a wide window, and all of it in a narrow one.
      for (const tab of ["trades", "bundle", "positions"]) {
        await panel.press(`#tab-${tab}`);
        await panel.until(tab, () => panel.$(`.below [role=tabpanel][aria-labelledby=tab-${tab}]`));
        const cut = await panel.inside((root) => {
          const panel = root.querySelector(".below [role=tabpanel]").getBoundingClientRect();
          const outside = [
            ...root.querySelectorAll("[role=tabpanel] :is(.scroll, .scroll *, .control, button)"),
          ].filter(
            (part) =>
              part.checkVisibility() &&
              !part.closest(".spoken, thead") &&
              part.getBoundingClientRect().right > panel.right + 1,
          );
          return outside.map((part) => part.innerText || part.id || part.className);
        });
        if (cut.length) wrong.push(`out of ${tab}: ${cut.join(", ")}`);
      }
      if (wrong.length) found.push(`${width}: ${[...new Set(wrong)].join("; ")}`);
    }
    assert.deepEqual(found, []);
  });

  inChromium("in a frame of 280 pixels no button of the chart is cut off", async () => {
    const panel = await at.open();
    await panel.page.setViewport({ width: 280, height: 640 });
    await panel.painted();
    const cut = await panel.inside((root) => {
      const { right } = root.querySelector(".chart").getBoundingClientRect();
      const buttons = [...root.querySelectorAll(".chart button")];
      // Those that have no room beside each other can be scrolled to.
      for (const one of root.querySelectorAll(".chart .switch")) one.scrollLeft = one.scrollWidth;
      return buttons.filter((one) => one.getBoundingClientRect().right > right).map((one) => one.innerText);
    });
    assert.deepEqual(cut, []);
  });

  test("on a phone on its side the button is in the window, with a quote and where the amount is typed", async () => {
    const { panel } = at;
    await panel.page.setViewport({ width: 844, height: 390 });
    await at.open();
    await panel.write("amount", "1");
    await panel.untilText(".quote", "≈");
    await pause(200);
    const [{ top, bottom }, field] = [await panel.box(".send"), (await panel.box('[name="amount"]')).bottom];
    assert.ok(top >= 0 && bottom <= 390, `in the window: ${top} to ${bottom}`);
    assert.ok(field > 0 && field <= 390, `the amount is seen, too: ${field}`);
  });

  test("the name of a token is never cut: a longer one is smaller", async () => {
    const panel = await at.open({
      tokens: [{ mint: "SimTinTrumpet111111111111111111111111111111", symbol: "TRUMPET", name: "Tin Trumpet" }],
    });
    for (const [width, height] of [DESKTOP, PHONE, SMALL]) {
      await panel.page.setViewport({ width, height });
      for (const amount of ["0.5", "1", "3.3"]) {
        await panel.write("amount", amount);
        await panel.untilText(".quote", "TRUMPET");
        const cut = await panel.inside((root) =>
          [...root.querySelectorAll(".quote .headline, .quote .least")]
            .filter((part) => part.scrollWidth > part.clientWidth + 1)
            .map((part) => `${part.innerText}: ${part.scrollWidth} in ${part.clientWidth}`),
        );
        assert.deepEqual(cut, [], `${width} with ${amount}`);
      }
    }
  });

  test("a long symbol is whole in the quote, and keeps clear of the price", async () => {
    const panel = await at.open({
      tokens: [
        {
          mint: "SimLongName111111111111111111111111111111111",
          symbol: "SUPERCALIFRAGILISTIC",
          name: "The Token with the Longest Name in the Whole Launchpad",
        },
      ],
    });
    await panel.write("amount", "1");
    await panel.untilText(".quote", "SUPERCALI");
    for (const [width, height] of [DESKTOP, TABLET, HALF, PHONE, SMALL]) {
      await panel.page.setViewport({ width, height });
      await pause(100);
      const wrong = await panel.inside((root) => {
        const headline = root.querySelector(".quote .headline");
        const price = root.querySelector(".price .large").getBoundingClientRect();
        const texts = [...root.querySelectorAll("#token-name span")].filter((part) => {
          // What has no room in it is cut.
          const { left, right, top, bottom } = part.getBoundingClientRect();
          return right > price.left + 1 && left < price.right - 1 && bottom > price.top + 1 && top < price.bottom - 1;
        });
        const cut =
          headline.scrollWidth > headline.clientWidth + 1 || headline.scrollHeight > headline.clientHeight + 1;
        return [...(cut ? ["the quote is cut"] : []), ...texts.map((part) => `on the price: ${part.innerText}`)];
      });
      assert.deepEqual(wrong, [], `${width}`);
    }
  });
});
