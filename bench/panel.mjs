// What a trader waits for, and how large the panel is: measured in the open demo page, with goals but no peers.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { BROWSERS } from "../scripts/engines/side.mjs";
import { launchBrowser, openPage } from "../scripts/browsers.mjs";
import { root } from "../scripts/program.mjs";
import { servePage } from "../scripts/serve.mjs";
import { Panel } from "../tests/panel/panel.mjs";

/** No comparisons. */
export default [];

const KEYSTROKES = 300;
const TRADES = 300;
/** Ten minutes of the market at sixteen times its speed. */
const MARKET_MS = 600_000 / 16;

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
const milliseconds = (ms) => `${ms.toFixed(1)} ms`;
const p95 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)];

/** Types amounts into a field, one character at a time; measures the time to the quote in the DOM, and to the frame after it. */
async function type(panel, count, name = "[name=amount]") {
  const [quotes, frames] = await panel.inside(
    async (root, count, name) => {
      const field = root.querySelector(name);
      const [quotes, frames] = [[], []];
      for (let index = 0; index < count; index++) {
        field.value = `0.${100 + index}`;
        const from = performance.now();
        field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
        await root.host.updateComplete;
        quotes.push(performance.now() - from);
        await new Promise((done) => requestAnimationFrame(() => done()));
        frames.push(performance.now() - from);
      }
      return [quotes, frames];
    },
    count,
    name,
  );
  return { quote: p95(quotes), frame: p95(frames) };
}

/** How many wallets trade in a bundle. */
const WALLETS = 10;

/** Opens a bundle of ten wallets, each with an amount, in its own world. */
async function openBundle(panel) {
  await panel.page.evaluate((count) => {
    const [first] = document.querySelectorAll("launchpad-desk");
    const desk = document.createElement("launchpad-desk");
    desk.name = "ten";
    const wallets = Array.from({ length: count }, (_, at) => ({
      wallet: `wallet-${at}`,
      label: `Wallet ${at}`,
      lamports: 100_000_000_000,
    }));
    desk.sandbox = { wallets, tokens: [{ mint: "M", symbol: "M", soldBps: 3_000 }], market: { alive: true, seed: 3 } };
    first.replaceWith(desk);
  }, WALLETS);
  await panel.until("the other panel", () => panel.$("#tab-bundle"));
  await panel.inside((root) => root.querySelector("#tab-bundle").click());
  await panel.until("the bundle", () => panel.$(".bundle .add"));
  await panel.inside(async (root) => {
    [...root.querySelectorAll(".bundle .row-of-buttons .button")]
      .find((button) => button.innerText === "Add all")
      .click();
    await root.host.updateComplete;
    for (const field of root.querySelectorAll(".leg [name$=amount]")) {
      field.value = "0.1";
      field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    }
  });
  await panel.until("its quote", async () => /≈/.test(await panel.text(".bundle .quote")));
}

/** Trades made in one call of the page, because a browser's driver waits only minutes for a call. */
const AT_ONCE = 50;

/** Buys this many times, one after the other. */
async function trade(panel, count) {
  for (let made = 0; made < count; made += AT_ONCE) await tradeAtOnce(panel, Math.min(AT_ONCE, count - made));
}

const tradeAtOnce = (panel, count) =>
  panel.inside(async (root, count) => {
    const enter = (name, text) => {
      const field = root.querySelector(`[name=${name}]`);
      field.value = text;
      field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
    };
    const until = async (look) => {
      while (!look()) await new Promise((done) => setTimeout(done, 2));
    };
    enter("slippage", "20");
    for (let index = 0; index < count; index++) {
      const before = root.querySelector(".attempt")?.dataset.intent;
      enter("amount", `0.000${100 + (index % 100)}`);
      await root.host.updateComplete;
      await until(() => {
        const newest = root.querySelector(".attempt");
        if (newest && newest.dataset.intent !== before) return !root.querySelector(".attempt.in_flight");
        // If the price has moved, the new quote is shown first: press again.
        root.querySelector('.ticket .send[aria-disabled="false"]')?.click();
        return false;
      });
    }
  }, count);

/** What the page still holds after garbage collection, with the market stopped and no flash left. */
async function held(panel) {
  const { page } = panel;
  await setSpeed(panel, 1);
  await pause(2_000);
  const session = await page.createCDPSession();
  for (let time = 0; time < 3; time++) await session.send("HeapProfiler.collectGarbage");
  await session.detach();
  const { Nodes, JSEventListeners, JSHeapUsedSize } = await page.metrics();
  return { Nodes, JSEventListeners, JSHeapUsedSize };
}

async function open(browser, url) {
  const panel = new Panel(await openPage(browser), url);
  await panel.open();
  await panel.chart();
  return panel;
}

const setSpeed = async (panel, nth) => {
  await panel.inside((root) => root.querySelector(".world [aria-controls=drawer]").click());
  // No handle to it, because that would keep the drawer's nodes.
  await panel.until("the drawer", () => panel.inside((root) => root.querySelector(".drawer .switch") !== null));
  await panel.inside((root, nth) => root.querySelectorAll(".drawer .switch button")[nth - 1].click(), nth);
  await panel.inside((root) => root.querySelector(".world [aria-controls=drawer]").click());
};

async function sizes() {
  const sizes = JSON.parse(await readFile(join(root, "pkg/dist/sizes.json"), "utf8"));
  return {
    "element with its first ticket, JS and CSS, gzip": {
      measured: kilobytes(sizes["panel.js"].gzip + sizes["panel-shared.js"].gzip),
      goal: "≤ 30 KB",
    },
    "desk, loaded after it, gzip": { measured: kilobytes(sizes["panel-desk.js"].gzip), goal: "" },
    "chart, loaded later, gzip": { measured: kilobytes(sizes["panel-chart.js"].gzip), goal: "≤ 60 KB" },
  };
}

async function speeds(name, url) {
  const browser = await launchBrowser(name);
  try {
    const panel = await open(browser, url);
    await type(panel, KEYSTROKES);
    const { quote, frame } = await type(panel, KEYSTROKES);
    await openBundle(panel);
    await type(panel, KEYSTROKES / 3, ".leg [name$=amount]");
    const bundle = await type(panel, KEYSTROKES, ".leg [name$=amount]");
    return {
      [`${name}: keystroke → quote in the DOM, p95`]: { measured: milliseconds(quote), goal: "≤ 4 ms" },
      [`${name}: the same of a bundle of ${WALLETS}, p95`]: { measured: milliseconds(bundle.quote), goal: "≤ 6 ms" },
      [`${name}: keystroke → next frame, p95`]: { measured: milliseconds(frame), goal: "≤ 50 ms" },
      [`${name}: requests to anybody else, complaints`]: { measured: panel.faults.length, goal: 0 },
    };
  } finally {
    await browser.close();
  }
}

async function growth(url) {
  const browser = await launchBrowser("chromium");
  try {
    const panel = await open(browser, url);
    await trade(panel, 20);
    const before = await held(panel);
    await setSpeed(panel, 4);
    await trade(panel, TRADES);
    await pause(MARKET_MS);
    const after = await held(panel);
    const grown = (what) => `${before[what]} → ${after[what]}`;
    return {
      [`DOM nodes after ${TRADES} trades and 10 minutes of market`]: { measured: grown("Nodes"), goal: "no growth" },
      "listeners after them": { measured: grown("JSEventListeners"), goal: "no growth" },
      "JavaScript's heap after them": {
        measured: `${kilobytes(before.JSHeapUsedSize)} → ${kilobytes(after.JSHeapUsedSize)}`,
        goal: "",
      },
    };
  } finally {
    await browser.close();
  }
}

/** Measures everything, and prints it with the goals. */
export async function report(engines) {
  const server = await servePage(0);
  try {
    let table = await sizes();
    for (const name of BROWSERS.filter((name) => engines.includes(name)))
      table = { ...table, ...(await speeds(name, server.url)) };
    if (engines.includes("chromium")) table = { ...table, ...(await growth(server.url)) };
    console.log("\nthe panel");
    console.table(table);
  } finally {
    await server.close();
  }
}
