// npm run shots [-- name …]: pictures of the panel in the states that most traders see, both themes and four widths, into .cache/shots; and
// the picture of the README, which is `landed`. tests/panel reaches every other state.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Panel } from "../tests/panel/panel.mjs";
import { ensureBrowsers, launchBrowser, openPage } from "./browsers.mjs";
import { buildIfChanged } from "./build.mjs";
import { chosen, command, root } from "./program.mjs";
import { servePage } from "./serve.mjs";

const FOLDER = join(root, ".cache/shots");
const README_PICTURE = join(root, "www/pictures/panel.png");
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
  { width: 320, height: 640 },
];

const enter = (panel, selector, value) =>
  panel.inside(
    (root, selector, value) => {
      const field = root.querySelector(selector);
      field.value = value;
      for (const type of ["input", "change"])
        field.dispatchEvent(new InputEvent(type, { bubbles: true, composed: true }));
    },
    selector,
    value,
  );
/** Changes something in the drawer of the simulated market, and closes it. */
const inDrawer = async (panel, change) => {
  await panel.press(".world [aria-controls=drawer]");
  await panel.until("the drawer", () => panel.$("#fault"));
  await change();
  await panel.press(".world [aria-controls=drawer]");
};
const fault = (panel, name) => inDrawer(panel, () => enter(panel, "#fault", name));
const buy = async (panel, amount) => {
  await enter(panel, "[name=slippage]", "5");
  await enter(panel, "[name=amount]", amount);
  await panel.untilText(".quote", "≈");
};
const sent = async (panel, amount, fate) => {
  await buy(panel, amount);
  await panel.press(".ticket .send");
  await panel.untilText(".attempt", fate);
};

/** Each state, and how one gets there. */
const STATES = {
  open: async () => {},
  quote: (panel) => buy(panel, "1"),
  landed: (panel) => sent(panel, "1", "Landed"),
  failed: (panel) => fault(panel, "slippage").then(() => sent(panel, "1", "Failed")),
  unknown: (panel) => fault(panel, "lost").then(() => sent(panel, "1", "nknown")),
  positions: (panel) => sent(panel, "1", "Landed").then(() => panel.press("#tab-positions")),
  market: (panel) => panel.press("#tab-tokens"),
  bundle: (panel) => panel.press("#tab-bundle"),
};

/** Shoots a state in both themes and each size. */
async function shoot(browser, url, name) {
  const context = await browser.createBrowserContext();
  try {
    const panel = new Panel(await openPage(context), url);
    const { page } = panel;
    await page.setViewport(SIZES[0]);
    await panel.open();
    await panel.chart();
    // The market stands still, so that the pictures in all sizes show the same moment.
    await inDrawer(panel, () => panel.press(".drawer .switch button"));
    await STATES[name](panel);
    await panel.inside((root) => root.activeElement?.blur());
    for (const theme of ["dark", "light"]) {
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      for (const size of SIZES) {
        await page.setViewport(size);
        await pause(500);
        if (name === "landed" && theme === "dark" && size === SIZES[0]) await page.screenshot({ path: README_PICTURE });
        await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${size.width}.png`), fullPage: true });
      }
    }
    for (const complaint of panel.faults) console.log(`${name}: ${complaint}`);
  } finally {
    await context.close();
  }
}

await command("shots", async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const names = chosen("state", Object.keys(STATES), positionals);
  await Promise.all([buildIfChanged("release"), ensureBrowsers(["chromium"])]);
  const server = await servePage(0);
  const browser = await launchBrowser("chromium");
  try {
    if (!positionals.length) await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    for (const name of names) {
      await shoot(browser, server.url, name);
      console.log(join(FOLDER, `${name}-*.png`));
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
