// Runs tests in each browser, each test in a fresh profile, which must end without errors.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { build } from "esbuild";
import { openPage } from "../../scripts/browsers.mjs";
import { root } from "../../scripts/program.mjs";
import { openProfile } from "../browsers.mjs";
import { Panel, serveSite } from "./panel.mjs";

/** Both, or those that the environment names. */
const BROWSERS = process.env.BROWSERS?.split(",") ?? ["chromium", "firefox"];

// One server for all files of a run.
let site;
after(() => site?.then((server) => server.close()));

/** A test of what no browser changes: of files, or of code that Node runs. A run in several steps has it once, beside Chromium. */
export const withoutBrowser = BROWSERS.includes("chromium") ? test : () => {};

/** Imports what these lines export, of the panel's own sources, as a page has them; resolves to that and its text. */
export async function importedFromPanel(contents, options = {}) {
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: join(root, "pkg/src/panel") }, bundle: true, format: "esm", write: false },
    ...{ charset: "utf8", tsconfigRaw: {}, ...options },
  });
  const { text } = outputFiles[0];
  return { text, exported: await import(`data:text/javascript,${encodeURIComponent(text)}`) };
}

/**
 * @typedef {object} At
 * @property {Panel} panel a new one for each test
 * @property {string} browser
 * @property {(sandbox?: object | null, path?: string) => Promise<Panel>} open opens the panel with the settings of a sandbox whose market
 * stands still; with null, of one that moves
 * @property {typeof test} inChromium a test of what is the same code in each engine
 */

/** @param {(at: At) => void} tests */
export async function inEachBrowser(tests) {
  const server = await (site ??= serveSite());
  for (const name of BROWSERS) {
    describe(name, () => {
      const at = {
        browser: name,
        inChromium: name === "chromium" ? test : () => {},
        async open(sandbox = {}, path = "") {
          at.panel.url = `${server.url}${path}#${encodeURIComponent(JSON.stringify(sandbox))}`;
          await at.panel.open();
          at.panel.url = server.url;
          return at.panel;
        },
      };
      beforeEach(async () => {
        at.panel = new Panel(await openPage(await openProfile(name)), server.url);
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
