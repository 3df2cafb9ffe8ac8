// npm run shots [-- name …]: pictures of the panel in each state, both themes and three widths, into .cache/shots; and the picture
// of the README.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Panel } from "../tests/panel/panel.mjs";
import { launchBrowser, openPage, ensureBrowsers } from "./browsers.mjs";
import { buildIfChanged } from "./build.mjs";
import { chosen, command, root } from "./program.mjs";
import { servePage } from "./serve.mjs";

const FOLDER = join(root, ".cache/shots");
const README_PICTURE = join(root, "www/pictures/panel.png");
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];
const THEMES = ["dark", "light"];

/** Lets the market stand still: a picture of the same moment in each size. */
const speed = (panel, which) => panel.click(`.drawer .switch button:nth-child(${which})`);
const openDrawer = async (panel) => {
  await panel.click(".world [aria-controls=drawer]");
  await panel.until("the drawer", () => panel.$("#fault"));
};
const stop = async (panel) => {
  await openDrawer(panel);
  await speed(panel, 1);
  await panel.click(".world [aria-controls=drawer]");
};
const fault = async (panel, name) => {
  await openDrawer(panel);
  await panel.inside(
    (root, name) => {
      const select = root.querySelector("#fault");
      select.value = name;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    },
    name,
  );
  await panel.click(".world [aria-controls=drawer]");
};
const press = (panel, selector, nth = 1) => panel.inside((root, selector, nth) => root.querySelectorAll(selector)[nth - 1]?.click(), selector, nth);
const buy = async (panel, amount) => {
  await panel.write("slippage", "5");
  await panel.write("amount", amount);
  await panel.until("a quote", async () => /≈/.test(await panel.text(".quote")));
};
const sent = async (panel, amount, fate) => {
  await buy(panel, amount);
  await press(panel, ".send");
  await panel.until(fate, async () => (await panel.attempts())[0]?.includes(fate));
};

/** Each state, and how one gets there. */
const STATES = {
  open: async () => {},
  curve: async (panel) => {
    await buy(panel, "4");
    await press(panel, ".chart .switch button", 2);
  },
  table: (panel) => press(panel, ".chart .switch button", 3),
  tokens: (panel) => press(panel, ".others"),
  drawer: openDrawer,
  quote: (panel) => buy(panel, "1"),
  consent: (panel) => buy(panel, "40"),
  landed: (panel) => sent(panel, "1", "Landed"),
  positions: async (panel) => {
    await sent(panel, "1", "Landed");
    await press(panel, "#tab-positions");
  },
  trades: async (panel) => {
    await sent(panel, "1", "Landed");
    await press(panel, "#tab-trades");
  },
  bundle: async (panel) => {
    await press(panel, "#tab-bundle");
    await panel.inside((root) => {
      for (const [index, field] of [...root.querySelectorAll(".leg [name$=amount]")].entries()) {
        field.value = ["2", "0.75"][index] ?? "0.1";
        field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
      }
    });
  },
  failed: async (panel) => {
    await fault(panel, "slippage");
    await sent(panel, "1", "Failed");
  },
  unknown: async (panel) => {
    await fault(panel, "lost");
    await sent(panel, "1", "nknown");
  },
  refused: async (panel) => {
    await fault(panel, "busy");
    await sent(panel, "1", "Rejected");
  },
};

async function shoot(browser, url, name, theme, size, path, fullPage) {
  const context = await browser.createBrowserContext();
  try {
    const panel = new Panel(await openPage(context), url);
    await panel.page.setViewport(size);
    await panel.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await panel.open();
    await panel.until("the chart", () => panel.$("canvas"));
    await stop(panel);
    await STATES[name](panel);
    await panel.inside((root) => root.activeElement?.blur());
    await panel.page.mouse.move(0, 0);
    await pause(1_200);
    await panel.page.screenshot({ path, fullPage });
    for (const fault of panel.faults) console.log(`${name}, ${theme}, ${size.width}: ${fault}`);
  } finally {
    await context.close();
  }
}

await command("shots", async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const names = chosen("state", Object.keys(STATES), positionals);
  await Promise.all([buildIfChanged(), ensureBrowsers()]);
  const server = await servePage(0);
  const browser = await launchBrowser("chromium");
  try {
    if (!positionals.length) await rm(FOLDER, { recursive: true, force: true });
    await mkdir(FOLDER, { recursive: true });
    for (const name of names) {
      for (const theme of THEMES) {
        for (const size of SIZES) await shoot(browser, server.url, name, theme, size, join(FOLDER, `${name}-${theme}-${size.width}.png`), true);
      }
      console.log(join(FOLDER, `${name}-*.png`));
    }
    if (!positionals.length || positionals.includes("landed")) {
      await mkdir(join(README_PICTURE, ".."), { recursive: true });
      await shoot(browser, server.url, "landed", "dark", SIZES[0], README_PICTURE, false);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
