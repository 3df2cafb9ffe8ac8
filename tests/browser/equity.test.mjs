// The equity curve that examples/backtest.mjs draws, in real browsers: it parses, says what it shows, is light or dark as asked for,
// and can be read on a narrow screen.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";
import { launchBrowser, openPage } from "../../scripts/browsers.mjs";
import { capture, root } from "../../scripts/program.mjs";

const folder = await mkdtemp(join(tmpdir(), "equity-"));
after(() => rm(folder, { recursive: true }));
const file = join(folder, "equity.svg");
const printed = await capture(process.execPath, [join(root, "examples/backtest.mjs"), file, "--trades", "3000"]);
const browser = await launchBrowser("chromium");
after(() => browser.close());

/** What a page of this width and scheme shows of it. */
async function shown(width, scheme) {
  const page = await openPage(browser);
  await page.setViewport({ width, height: width });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(file).href);
  const all = await page.evaluate(() => ({
    back: getComputedStyle(document.querySelector(".back")).fill,
    texts: [...document.querySelectorAll("text")].map((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return { text: text.textContent, left, right, top, bottom, px: parseFloat(getComputedStyle(text).fontSize) * document.documentElement.getScreenCTM().a };
    }),
  }));
  await page.close();
  return all;
}

test("it is well-formed, and its title and description say what it shows", async () => {
  const page = await openPage(browser);
  const found = await page.evaluate((svg) => {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    return [parsed.querySelector("parsererror")?.textContent ?? "", parsed.documentElement.nodeName, ...["title", "desc"].map((name) => parsed.getElementById(name).textContent)];
  }, await readFile(file, "utf8"));
  const [, pnl] = /^PnL, SOL +(\S+)$/m.exec(printed);
  assert.deepEqual(found.slice(0, 2), ["", "svg"]);
  for (const text of found.slice(2)) assert.ok(text.includes(`${pnl.startsWith("-") ? "" : "+"}${pnl} SOL`), text);
});

test("it is light or dark as its reader likes it", async () => {
  assert.deepEqual(await Promise.all(["light", "dark"].map(async (scheme) => (await shown(640, scheme)).back)), ["rgb(255, 255, 255)", "rgb(17, 19, 24)"]);
});

for (const width of [320, 960]) {
  test(`at ${width} px every text is inside, large enough, and on no other`, async () => {
    const { texts } = await shown(width, "light");
    assert.ok(texts.length > 5);
    for (const { text, left, right, px } of texts) assert.ok(left >= 0 && right <= width && px >= 11, `${text}: ${left} to ${right}, ${px} px`);
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    texts.forEach((a, index) => texts.slice(index + 1).forEach((b) => assert.ok(apart(a, b), `${a.text} on ${b.text}`)));
  });
}
