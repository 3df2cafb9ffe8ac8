// Runs tests in each browser, each test in a fresh profile, which must end without errors.

import assert from "node:assert/strict";
import { after, afterEach, beforeEach, describe } from "node:test";
import { launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { Panel, serveSite } from "./panel.mjs";

/** Both, or those that the environment names. */
const BROWSERS = process.env.BROWSERS?.split(",") ?? ["chromium", "firefox"];

/**
 * @param {(at: { panel: Panel, open: (sandbox?: object) => Promise<void>, browser: string }) => void} tests each test gets a new
 * `at.panel`; `open` opens it with the settings of a sandbox whose market stands still
 */
export async function inEachBrowser(tests) {
  const server = await serveSite();
  after(() => server.close());
  for (const name of BROWSERS) {
    describe(name, async () => {
      const browser = await launchBrowser(name);
      const at = {
        browser: name,
        async open(sandbox = {}, path = "") {
          at.panel.url = `${server.url}${path}#${encodeURIComponent(JSON.stringify(sandbox))}`;
          await at.panel.open();
          at.panel.url = server.url;
        },
      };
      after(() => browser.close());
      beforeEach(async () => {
        const context = await browser.createBrowserContext();
        at.panel = new Panel(await openPage(context), server.url);
        await at.panel.page.setViewport({ width: 1280, height: 800 });
      });
      afterEach(async () => {
        const { faults, page } = at.panel;
        await page.browserContext().close();
        assert.deepEqual(faults, []);
      });
      tests(at);
    });
  }
}
