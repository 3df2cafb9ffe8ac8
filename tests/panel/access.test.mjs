// Accessibility of the market around the ticket, in both themes: what axe finds in each state; the keyboard; reduced motion.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { openPage } from "../../scripts/browsers.mjs";
import { servePage } from "../../scripts/serve.mjs";
import { openProfile } from "../browsers.mjs";
import { BROWSERS } from "./each-browser.mjs";
import { Panel } from "./panel.mjs";

const server = await servePage(0, { quality: 4 });
after(() => server.close());
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const press = (panel, selector, nth = 1) => panel.press(selector, nth - 1);

/** Each state, and how one gets there from the one before. */
const STATES = {
  "as it opens": async () => {},
  "the curve": (panel) => press(panel, ".chart .switch button", 2),
  "the table": (panel) => press(panel, ".chart .switch button", 3),
  "a quote": (panel) => panel.write("amount", "1"),
  "the market's tokens": async (panel) => {
    await press(panel, ".others");
    await panel.until("the list", () => panel.$(".market-list"));
  },
  "the wallets": async (panel) => {
    await press(panel, "#tab-wallets");
    await panel.until("the list", () => panel.$(".wallet-list"));
  },
  "the drawer, before it starts over": async (panel) => {
    await panel.toggleDrawer();
    await panel.press(".drawer button", "Start over");
  },
};

for (const name of BROWSERS) {
  describe(name, () => {
    let panel;
    beforeEach(async () => {
      const context = await openProfile(name);
      panel = new Panel(await openPage(context), server.url);
      await panel.page.setViewport({ width: 1280, height: 800 });
      await panel.open();
      await panel.chart();
    });
    afterEach(async () => {
      const { faults, page } = panel;
      await page.browserContext().close();
      assert.deepEqual(faults, []);
    });

    /** What axe finds wrong, in a word each. */
    const violations = async () => {
      await panel.page.evaluate(axe);
      const { violations } = await panel.page.evaluate(() => globalThis.axe.run());
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, any, all, none }) => `${html.slice(0, 160)} (${[...any, ...all, ...none].map(({ message }) => message).join("; ")})`).join(", ")}`,
      );
    };

    // What it reads, each engine makes of the same page.
    if (name === "chromium") {
      test("axe finds nothing in any state, in both themes", async () => {
        for (const [state, reach] of Object.entries(STATES)) {
          await reach(panel);
          for (const theme of ["dark", "light"]) {
            await panel.page.evaluate(
              (theme) => document.querySelector("launchpad-desk").setAttribute("theme", theme),
              theme,
            );
            assert.deepEqual(await violations(), [], `${state}, ${theme}`);
          }
        }
      });
    }

    test("everything pressed is 44 pixels wide and high, at 320 pixels too, and nothing is cut off there", async () => {
      for (const width of [1280, 390, 320]) {
        await panel.page.setViewport({ width, height: 640 });
        assert.deepEqual(await panel.misfits(".head button, .chart button, .drawer button, select"), [], `${width}`);
      }
    });

    // Firefox's driver cannot ask for it.
    if (name === "chromium") {
      test("nothing moves by itself for who asks for less motion", async () => {
        await panel.page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
        const price = await panel.text(".price .tick");
        await panel.until("another price", async () => (await panel.text(".price .tick")) !== price);
        assert.equal(await panel.inside((root) => root.getAnimations().length), 0);
      });
    }
  });
}
