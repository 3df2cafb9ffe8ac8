// What opening the demo page costs a phone: Lighthouse's figures, when one can trade, and the page's bytes. It has goals but no peers.

import { loadavg } from "node:os";
import { basename } from "node:path";
import { launchBrowser, openPage } from "../scripts/browsers.mjs";
import { packedPage, servePage } from "../scripts/serve.mjs";

/** No comparisons. */
export default [];

const LOADS = 5;

/** A phone of the middle class, in a network of 9 Mbit/s of which nine tenths are reached, and whose answers take 165 ms. */
const PHONE = {
  screen: { width: 412, height: 823, isMobile: true, hasTouch: true, deviceScaleFactor: 1.75 },
  slowdown: 4,
  latencyMs: 165,
  bitsPerSecond: 0.9 * 9e6,
};

/** What is typed as soon as there is a field for it, so that there is a quote to wait for. */
const AMOUNT = "0.5";
/** What is waited for while the page opens: its name, where it is seen, and the most milliseconds that it should take. The browser tells the first. */
const STEPS = [
  { name: "the largest paint", goal: 1000 },
  { name: "the ticket can be filled in", seen: "[name=amount]", goal: 1000 },
  { name: "token and price", seen: "#token-name" },
  { name: "the first quote of what was typed at once", seen: ".ticket .quote .headline" },
  { name: "all of it", seen: '.desk[aria-busy="false"]' },
  { name: "the candles", seen: ".canvas :is(svg, canvas)" },
];

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
const milliseconds = (ms) => `${ms.toFixed(0)} ms`;

/** A line of a table: the median of these figures, with the least and the most. */
function line(figures, told, goal = "") {
  const sorted = figures.filter(Number.isFinite).sort((a, b) => a - b);
  if (!sorted.length) return { median: "not measured", min: "", max: "", goal };
  return { median: told(sorted[sorted.length >> 1]), min: told(sorted[0]), max: told(sorted.at(-1)), goal };
}

/** Runs in a context of its own, so that each load is a first one. */
async function inFreshPage(browser, work) {
  const context = await browser.createBrowserContext();
  try {
    return await work(await openPage(context));
  } finally {
    await context.close();
  }
}

/** Opens the page as on that phone, and types an amount; resolves to when each step was seen, and which files were loaded. */
const load = (browser, url) =>
  inFreshPage(browser, async (page) => {
    await page.setViewport(PHONE.screen);
    const session = await page.createCDPSession();
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: PHONE.latencyMs,
      downloadThroughput: PHONE.bitsPerSecond / 8,
      uploadThroughput: PHONE.bitsPerSecond / 8 / 6,
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: PHONE.slowdown });
    const paths = new Set();
    page.on("requestfinished", (request) => paths.add(new URL(request.url()).pathname));
    await page.evaluateOnNewDocument(
      (steps, amount) => {
        globalThis.seenAtMs = {};
        new PerformanceObserver((paints) => {
          globalThis.seenAtMs[steps[0].name] = paints.getEntries().at(-1).startTime;
        }).observe({ type: "largest-contentful-paint", buffered: true });
        let typed = false;
        const look = () => {
          const root = document.querySelector("launchpad-desk")?.shadowRoot;
          for (const { name, seen } of steps)
            if (seen && root?.querySelector(seen)) globalThis.seenAtMs[name] ??= performance.now();
          const field = root?.querySelector("[name=amount]");
          if (field && !typed) {
            typed = true;
            field.value = amount;
            field.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
          }
          if (Object.keys(globalThis.seenAtMs).length < steps.length) requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      STEPS,
      AMOUNT,
    );
    await page.goto(url);
    await page.waitForFunction((count) => Object.keys(globalThis.seenAtMs).length === count, {}, STEPS.length);
    return { seenAtMs: await page.evaluate(() => globalThis.seenAtMs), paths };
  });

/** What of Lighthouse's report is shown: an audit's id → its name and its goal. */
const AUDITS = {
  "first-contentful-paint": { name: "first contentful paint, computed", goal: "" },
  "largest-contentful-paint": { name: "largest contentful paint, computed", goal: "≤ 1000 ms" },
  "total-blocking-time": { name: "total blocking time", goal: "" },
};

/** Lighthouse's performance score of 100, and its times on that phone, which it computes from a load without its slowness. */
const measured = (browser, url) =>
  inFreshPage(browser, async (page) => {
    const { default: lighthouse } = await import("lighthouse");
    const throttling = {
      rttMs: PHONE.latencyMs,
      throughputKbps: PHONE.bitsPerSecond / 1000,
      cpuSlowdownMultiplier: PHONE.slowdown,
    };
    // Loads that are slowed down have no score: with the market moving, such a processor is never idle for the five seconds that it asks for.
    const { lhr } = await lighthouse(
      url,
      { logLevel: "error", onlyCategories: ["performance"], throttlingMethod: "simulate", throttling },
      undefined,
      page,
    );
    const { score } = lhr.categories.performance;
    const audits = Object.keys(AUDITS).map((id) => lhr.audits[id]);
    // What is missing says why.
    const why = [lhr.runtimeError?.message, ...audits.map(({ errorMessage }) => errorMessage)].filter(Boolean);
    return {
      score: score === null ? NaN : Math.round(100 * score),
      why,
      times: Object.fromEntries(audits.map(({ id, numericValue }) => [id, numericValue])),
    };
  });

/** The page's files that were loaded, largest first, as a host sends them. */
async function sizesOf(paths) {
  const files = [...(await packedPage())]
    .filter(([path]) => paths.has(path))
    .map(([path, { br }]) => ({ name: basename(path) || "index.html", bytes: br.length }));
  files.sort((a, b) => b.bytes - a.bytes);
  const lines = files.map(({ name, bytes }) => [name, { brotli: kilobytes(bytes), goal: "" }]);
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return Object.fromEntries([...lines, ["all that the page loads", { brotli: kilobytes(all), goal: "≤ 230 KB" }]]);
}

/** Measures everything, and prints it with the goals. */
export async function report(engines) {
  if (!engines.includes("chromium")) return console.log("\nthe page: only Chromium can be slowed down as a phone is");
  const server = await servePage(0);
  const browser = await launchBrowser("chromium");
  try {
    const [loads, scores] = [[], []];
    // In turns, so that what else runs on this machine slows down both.
    for (let nth = 0; nth < LOADS; nth++) {
      loads.push(await load(browser, server.url));
      scores.push(await measured(browser, server.url));
    }
    for (const message of new Set(scores.flatMap(({ why }) => why))) console.log(`Lighthouse: ${message}`);
    console.log(
      `\nthe page on a phone: ${PHONE.slowdown} × slower, ${PHONE.bitsPerSecond / 1e6} Mbit/s, answers after ${PHONE.latencyMs} ms; ${LOADS} loads; this machine's load was ${loadavg()[0].toFixed(1)}`,
    );
    console.table({
      "Lighthouse's performance": line(
        scores.map(({ score }) => score),
        String,
        "≥ 97",
      ),
      ...Object.fromEntries(
        Object.entries(AUDITS).map(([id, { name, goal }]) => [
          name,
          line(
            scores.map(({ times }) => times[id]),
            milliseconds,
            goal,
          ),
        ]),
      ),
      ...Object.fromEntries(
        STEPS.map(({ name, goal }) => [
          name,
          line(
            loads.map(({ seenAtMs }) => seenAtMs[name]),
            milliseconds,
            goal ? `≤ ${goal} ms` : "",
          ),
        ]),
      ),
    });
    console.log("its files");
    console.table(await sizesOf(loads[0].paths));
  } finally {
    await browser.close();
    await server.close();
  }
}
