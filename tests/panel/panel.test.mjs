// The panel in real browsers: every way an order may go, by mouse and by keyboard.

import assert from "node:assert/strict";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { Panel, serveSite } from "./panel.mjs";

const server = await serveSite();
after(() => server.close());

for (const name of ["chromium", "firefox"]) {
  describe(name, async () => {
    const browser = await launchBrowser(name);
    let panel;
    after(() => browser.close());
    beforeEach(async () => {
      const context = await browser.createBrowserContext();
      panel = new Panel(await openPage(context), server.url);
      await panel.page.setViewport({ width: 1280, height: 800 });
      await panel.open();
    });
    afterEach(async () => {
      const { faults, page } = panel;
      await page.browserContext().close();
      assert.deepEqual(faults, []);
    });

    test("quotes at each keystroke, and buys what was quoted", async () => {
      await panel.write("slippage", "5");
      await panel.write("amount", "0.5");
      await panel.untilText(".quote", "≈");
      await panel.click(".send");
      await panel.untilText(".attempt", "Landed");
      assert.equal((await panel.attempts()).length, 1);
    });
  });
}
