// On a phone: what is looked at most comes first, and Buy and Sell are never out of reach.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { PHONE, SMALL } from "./panel.mjs";

const SIZES = [PHONE, SMALL];

await inEachBrowser((at) => {
  const { inChromium } = at;
  const bought = async ([width, height], sandbox = {}) => {
    const { panel } = at;
    await panel.page.setViewport({ width, height });
    await at.open(sandbox);
    await panel.trade("0.5", "Landed");
  };

  for (const size of SIZES) {
    test(`at ${size.join("×")} the chart is over 180 pixels high, and all before the tabs is within 1,220`, async () => {
      const { panel } = at;
      await bought(size);
      await panel.chart();
      const { chart, tabs } = await panel.inside((root) => ({
        chart: root.querySelector(".canvas").clientHeight,
        tabs: root.querySelector(".tabs").getBoundingClientRect().top + scrollY,
      }));
      assert.ok(chart > 180, `the chart has ${chart}`);
      assert.ok(tabs < 1_220, `the tabs begin at ${tabs}`);
    });

    test(`at ${size.join("×")} Buy and Sell stay in reach, lead to the ticket, and cover nothing`, async () => {
      const { panel } = at;
      await bought(size);
      const seen = () =>
        panel.inside((root) =>
          [".ticket .send", ".reach"].filter((selector) => {
            const place = root.querySelector(selector)?.getBoundingClientRect();
            return place && place.top >= 0 && place.bottom <= innerHeight + 0.5;
          }),
        );
      for (let top = 0; top < (await panel.page.evaluate(() => document.documentElement.scrollHeight)); top += 120) {
        await panel.page.evaluate((top) => scrollTo(0, top), top);
        await panel.until(`the button or the bar at ${top}`, async () => (await seen()).length > 0);
      }
      if (!(await panel.$(".reach"))) return;
      await panel.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const { top, bottom, lowest } = await panel.inside((root) => {
        const { top, bottom } = root.querySelector(".reach").getBoundingClientRect();
        const parts = [...root.querySelectorAll(".card, .attempt")].filter((part) => part.checkVisibility());
        return { top, bottom, lowest: Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) };
      });
      assert.ok(bottom <= size[1] + 0.5, `it ends at ${bottom}`);
      assert.ok(lowest <= top + 0.5, `what is lowest ends at ${lowest}, the bar begins at ${top}`);
      // From the top, what is lower down comes to the lower edge. Where the ticket is, the bar goes.
      const covered = await panel.inside((root) => {
        const bar = root.querySelector(".reach");
        const parts = [
          ...root.querySelectorAll(
            ".desk :is(button, input, select, textarea, summary, a, [tabindex]):not(.reach *, .ticket *)",
          ),
        ];
        return parts
          .filter((part) => {
            scrollTo(0, 0);
            part.focus();
            return (
              root.activeElement === part &&
              part.clientHeight < innerHeight / 2 &&
              part.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 0.5
            );
          })
          .map((part) => part.outerHTML.slice(0, 120));
      });
      assert.deepEqual(covered, []);
      await panel.page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await panel.until("the bar", () => panel.$(".reach"));
      await panel.press(".reach .sell");
      await panel.until("the amount", () =>
        panel.inside(
          (root) => root.activeElement?.name === "amount" && root.activeElement.getBoundingClientRect().top > 0,
        ),
      );
      assert.equal(await panel.attribute(".sides .sell", "aria-pressed"), "true");
      await panel.until("no second bar", async () => !(await panel.$(".reach")));
      assert.equal((await panel.attempts()).length, 1, "nothing was sent");
    });
  }

  /** What of the ticket is hidden in a window that shows only so much: under another part, or out of sight. */
  const hidden = (selectors, height) =>
    at.panel.inside(
      (root, selectors, height) =>
        selectors.filter((selector) => {
          const part = root.querySelector(selector);
          const { left, right, top, bottom } = part.getBoundingClientRect();
          if (top < 0 || bottom > height + 0.5 || left < 0 || right > innerWidth) return true;
          return [top + 2, (top + bottom) / 2, bottom - 2].some((y) => {
            const there = root.elementFromPoint((left + right) / 2, y);
            return !(there && (part.contains(there) || there.contains(part)));
          });
        }),
      selectors,
      height,
    );

  for (const [width, height] of [[360, 740], PHONE, SMALL])
    test(`at ${width}×${height} nothing is hidden of what is typed and accepted, with a keyboard on the screen, too`, async () => {
      const { panel } = at;
      await panel.page.setViewport({ width, height });
      await at.open();
      assert.deepEqual(await hidden(["[name=amount]", ".amount label", ".ticket .send"], height), [], "when it opens");
      for (const [amount, accept] of [
        ["1", []],
        ["3", ["[name=ticket-accept]"]],
        ["40", ["[name=ticket-accept]"]],
      ]) {
        await panel.write("amount", amount);
        await panel.untilText(".quote", "≈");
        const needed = ["[name=amount]", ".quote .headline", ...accept, ".ticket .send"];
        await panel.painted();
        assert.deepEqual(await hidden(needed, height), [], `${amount} SOL`);
        // What a keyboard on the screen leaves of the window is the visual viewport, which has no part in the layout.
        const left = height - 290;
        await panel.page.evaluate((height) => {
          Object.defineProperty(visualViewport, "height", { configurable: true, get: () => height });
          visualViewport.dispatchEvent(new Event("resize"));
        }, left);
        await panel.painted();
        assert.deepEqual(await hidden(needed, left), [], `${amount} SOL and a keyboard`);
        for (const each of accept) {
          await panel.inside((root, each) => root.querySelector(each).focus(), each);
          await panel.painted();
          assert.deepEqual(await hidden(needed, left), [], `${amount} SOL, a keyboard, and the focus in ${each}`);
        }
        await panel.page.evaluate(() => {
          delete visualViewport.height;
          visualViewport.dispatchEvent(new Event("resize"));
        });
      }
    });

  test("from 320 to 360 pixels no caption runs into another text", async () => {
    const { panel } = at;
    await bought([360, 740]);
    await panel.untilText(".header .own", "Yours");
    const found = [];
    for (const tab of ["positions", "trades", "bundle", "dollars"]) {
      if (tab === "dollars") {
        await panel.set({ solPriceUsd: "142.37" });
        await panel.untilText(".header .usd", "≈ $");
      } else await panel.press(`#tab-${tab}`);
      for (let width = 320; width <= 360; width += 8) {
        // So high that no scroll bar takes any width, as on a phone.
        await panel.page.setViewport({ width, height: 3_000 });
        await panel.painted();
        const close = await panel.inside((root) => {
          const texts = [];
          for (const part of root.querySelectorAll(".desk *:not(.spoken, .spoken *, option, svg, svg *, script)")) {
            if (
              !part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
              part.closest(".canvas, .bar, .reach, thead")
            )
              continue;
            for (const node of part.childNodes) {
              if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
              const range = document.createRange();
              range.selectNodeContents(node);
              for (const rect of range.getClientRects())
                if (rect.width > 1)
                  texts.push({
                    text: node.data.trim(),
                    part,
                    rect,
                    whole: part.closest("p, button, td, th, h2") ?? part,
                  });
            }
          }
          return texts.flatMap((one, at) =>
            texts.slice(at + 1).flatMap((other) => {
              if (one.part === other.part || one.whole === other.whole) return [];
              const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
              const down = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
              return down > 4 && across > -7 ? [`${one.text} | ${other.text}`] : [];
            }),
          );
        });
        if (close.length) found.push(`${tab} at ${width}: ${[...new Set(close)].join("; ")}`);
      }
    }
    assert.deepEqual(found, []);
  });

  inChromium("in instant mode all before the tabs is within 1,220 pixels, too", async () => {
    const panel = await at.open();
    await panel.beginInstant("0.5", "2");
    await panel.inside((root) => (root.querySelector(".ticket .more").open = false));
    await panel.press(".amount .chips button", "0.5");
    await panel.untilText(".attempt", "Landed");
    await panel.page.setViewport({ width: 320, height: 640 });
    await panel.chart();
    const tabs = await panel.inside((root) => root.querySelector(".tabs").getBoundingClientRect().top + scrollY);
    assert.ok(tabs < 1_220, `the tabs begin at ${tabs}`);
  });

  test("the position and its profit stand under the price", async () => {
    const { panel } = at;
    await bought([320, 640]);
    await panel.untilText(".header .own", "Yours: 17.4M −0.0");
    const cut = await panel.inside((root) =>
      [...root.querySelectorAll(".header .facts > div")]
        .filter((fact) => fact.scrollWidth > fact.clientWidth)
        .map((fact) => fact.innerText),
    );
    assert.deepEqual(cut, [], "no figure runs into the next one");
    const boxes = [".header .own", ".header .price", ".header"].map((part) => panel.box(part));
    const [own, price, header] = await Promise.all(boxes);
    assert.ok(
      own.top >= price.bottom && own.right <= header.right && own.bottom <= header.bottom,
      JSON.stringify({ own, price, header }),
    );
  });

  test("that it is simulated is said once, besides the button that says so", async () => {
    const { panel } = at;
    await bought([390, 844]);
    for (const tab of ["positions", "trades", "bundle"]) {
      await panel.click(`#tab-${tab}`);
      const text = (await panel.texts(".desk > :not(.spoken)")).join(" ");
      assert.equal(text.match(/simulated/gi).length, 1, text);
    }
  });

  test("an open trade keeps its tab on one line on a phone, and takes no room from the others", async () => {
    const { panel } = at;
    await panel.page.setViewport({ width: 320, height: 640 });
    await at.open({ faults: { script: [{ kind: "noAnswer" }] } });
    await panel.trade("0.5");
    await panel.untilText("#tab-trades", "Trades 1 open");
    for (const width of [320, 360, 390]) {
      await panel.page.setViewport({ width, height: 740 });
      await panel.painted();
      const { bottoms, widths } = await panel.inside((root) => {
        const [tab, list, count] = ["#tab-trades", ".tablist", ".tablist .count"].map((part) =>
          root.querySelector(part),
        );
        const range = document.createRange();
        range.setStart(tab, 0);
        range.setEndBefore(count);
        const bottoms = [...range.getClientRects()].map(({ bottom }) => bottom);
        const widths = [false, true].map((isHidden) => ((count.hidden = isHidden), list.scrollWidth));
        count.hidden = false;
        return { bottoms, widths };
      });
      assert.equal(new Set(bottoms).size, 1);
      assert.equal(widths[0], widths[1], `at ${width}`);
    }
  });

  test("what is folded says what it is, and unfolds for a problem in it", async () => {
    const { panel } = at;
    await panel.page.setViewport({ width: 320, height: 640 });
    await at.open();
    assert.match(await panel.text(".fold"), /^Ada · 0\.5 % · Normal/);
    assert.equal(await panel.inside((root) => root.querySelector("[name=slippage]").checkVisibility()), false);
    await panel.write("amount", "0.5");
    await panel.write("slippage", "150");
    await panel.press(".fold");
    await panel.until("it folded", () =>
      panel.inside((root) => !root.querySelector("[name=slippage]").checkVisibility()),
    );
    await panel.press(".ticket .send");
    await panel.until("the field", () => panel.inside((root) => root.activeElement?.name === "slippage"));
  });
});
