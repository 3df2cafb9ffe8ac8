// The page that examples/backtest.mjs writes, in a real browser: light or dark as asked for, and readable on a narrow screen.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { capture, root } from "../../scripts/program.mjs";

const folder = await mkdtemp(join(tmpdir(), "report-"));
after(() => rm(folder, { recursive: true }));
const file = join(folder, "report.html");
await capture(process.execPath, [join(root, "examples/backtest.mjs"), file]);
const browser = await launchBrowser("chromium");
after(() => browser.close());

/** What a page of this width and scheme shows of it. */
async function shown(width, scheme) {
  const page = await openPage(browser);
  await page.setViewport({ width, height: 800 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const all = await page.evaluate(() => ({
    back: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth,
    small: [...document.querySelectorAll("td, th, p, li, span, b, small")].map((one) => parseFloat(getComputedStyle(one).fontSize)).reduce((least, px) => Math.min(least, px)),
    outside: [...document.querySelectorAll("section, table:not(.grid), .headline, li")].filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5).length,
    charts: [...document.querySelectorAll("svg")].filter((svg) => svg.getBoundingClientRect().height < 4).length,
    headings: [...document.querySelectorAll("h2")].map((one) => one.textContent),
  }));
  await page.close();
  return { ...all, requests: requests.length };
}

test("it is light or dark as its reader likes it, and asks for nothing but itself", async () => {
  const [light, dark] = [await shown(900, "light"), await shown(900, "dark")];
  assert.deepEqual([light.back, dark.back], ["rgb(255, 255, 255)", "rgb(17, 19, 24)"]);
  assert.deepEqual([light.requests, dark.requests], [1, 1]);
  for (const heading of ["Equity", "Results", "From the prices to the profit", "Positions, by the reason they ended for", "Luck", "16 exit plans", "The tape"]) assert.ok(light.headings.includes(heading), heading);
});

for (const width of [320, 900]) {
  test(`at ${width} px nothing is cut off, and every text is large enough`, async () => {
    const { wide, small, outside, charts } = await shown(width, "light");
    assert.ok(wide <= width, `${wide} px`);
    assert.ok(small >= 12, `${small} px`);
    assert.deepEqual([outside, charts], [0, 0]);
  });
}
