// Accessibility of the market around the ticket, in both themes: what axe finds in each state; the keyboard; reduced motion.

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { servePage } from "../../scripts/serve.mjs";
import { violationsOf } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";

const server = await servePage(0, { quality: 4 });
after(() => server.close());

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

await inEachBrowser((at) => {
  beforeEach(async () => {
    at.panel.url = server.url;
    at.panel.elsewhere.push(server.url);
    await at.panel.open();
    await at.panel.chart();
  });

  // What it reads, each engine makes of the same page.
  at.inChromium("axe finds nothing in any state, in both themes", async () => {
    const { panel } = at;
    for (const [state, reach] of Object.entries(STATES)) {
      await reach(panel);
      for (const theme of ["dark", "light"]) {
        await panel.inside((root, theme) => root.host.setAttribute("theme", theme), theme);
        assert.deepEqual(await violationsOf(panel.page), [], `${state}, ${theme}`);
      }
    }
  });

  test("everything pressed is 44 pixels wide and high, at 320 pixels too, and nothing is cut off there", async () => {
    for (const width of [1280, 390, 320]) {
      await at.panel.page.setViewport({ width, height: 640 });
      assert.deepEqual(await at.panel.misfits(".head button, .chart button, .drawer button, select"), [], `${width}`);
    }
  });

  // Firefox's driver cannot ask for it.
  at.inChromium("nothing moves by itself for who asks for less motion", async () => {
    const { panel } = at;
    await panel.page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
    const price = await panel.text(".price .tick");
    await panel.until("another price", async () => (await panel.text(".price .tick")) !== price);
    assert.equal(await panel.inside((root) => root.getAnimations().length), 0);
  });
});
