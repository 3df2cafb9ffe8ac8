// Pages that open and close at the same time, as those of the fault matrix do.

import assert from "node:assert/strict";
import test from "node:test";
import { Pages } from "../faults/browsers.mjs";

const PAGE = "data:text/html,<p>here";

for (const name of ["chromium", "firefox"]) {
  test(`${name} opens a page while the one before it is closed`, async () => {
    const pages = await Pages.in(name);
    try {
      let page = await pages.open(PAGE);
      for (let round = 0; round < 20; round++) {
        const [next] = await Promise.all([pages.open(PAGE), pages.closePage(page)]);
        page = next;
      }
      assert.equal(await page.evaluate(() => document.body.innerText), "here");
    } finally {
      await pages.close();
    }
  });
}
