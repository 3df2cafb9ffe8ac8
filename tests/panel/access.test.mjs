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
const openDrawer = async (panel) => {
  await press(panel, ".world [aria-controls=drawer]");
  await panel.until("the drawer", () => panel.$("#fault"));
};

/** Each state, and how one gets there from the one before. */
const STATES = {
  "as it opens": async () => {},
  "the curve": (panel) => press(panel, ".chart .switch button", 2),
  "the table": (panel) => press(panel, ".chart .switch button", 3),
  "the list of tokens": (panel) => press(panel, ".others"),
  "a quote": async (panel) => {
    await panel.page.keyboard.press("Escape");
    await panel.write("amount", "1");
  },
  "the market's tokens": async (panel) => {
    await press(panel, "#tab-tokens");
    await panel.until("the list", () => panel.$(".market-list"));
  },
  "the wallets": async (panel) => {
    await press(panel, "#tab-wallets");
    await panel.until("the list", () => panel.$(".wallet-list"));
  },
  "the drawer, before it starts over": async (panel) => {
    await openDrawer(panel);
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
        await new Promise((resolve) => setTimeout(resolve, 200));
        const small = await panel.inside((root) =>
          [...root.querySelectorAll(".head button, .chart button, .drawer button, select")]
            .map((part) => [part.innerText || part.id, part.getBoundingClientRect()])
            .filter(([, { width, height }]) => width && (width < 43.9 || height < 43.9))
            .map(([text, { width, height }]) => `${text}: ${width} × ${height}`),
        );
        assert.deepEqual(small, [], `${width}`);
        assert.ok(
          await panel.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          `${width}: nothing to scroll sideways`,
        );
      }
    });

    test("the list of tokens opens, closes and chooses by the keyboard", async () => {
      await panel.inside((root) => root.querySelector(".others").focus());
      await panel.page.keyboard.press("Enter");
      await panel.until("the list", () => panel.$(".tokens li"));
      await panel.until("the focus on the token that is shown", () =>
        panel.inside((root) => root.activeElement.getAttribute("aria-current") === "true"),
      );
      await panel.page.keyboard.press("Escape");
      await panel.until("no list", async () => !(await panel.$(".tokens li")));
      assert.equal(await panel.inside((root) => root.activeElement.classList.contains("others")), true);
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
