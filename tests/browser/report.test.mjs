// Pages that are read, in a real browser: the one that examples/backtest.mjs writes, and the one that verifies a record. Light or dark as asked
// for, and readable on a narrow screen.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { openPage } from "../../scripts/browsers.mjs";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { DeskRecord } from "launchpad-desk/record";
import { Sandbox } from "launchpad-desk/sandbox";
import { capture, root } from "../../scripts/program.mjs";
import { servePage } from "../../scripts/serve.mjs";
import { violationsOf } from "../panel/axe.mjs";
import { openProfile } from "../browsers.mjs";
import { recordStore } from "../runtimes/service.mjs";

const folder = await mkdtemp(join(tmpdir(), "report-"));
after(() => rm(folder, { recursive: true }));
const file = join(folder, "report.html");
await capture(process.execPath, [join(root, "examples/backtest.mjs"), file]);
const profile = await openProfile("chromium");

/** What a page of this width and scheme shows of it. */
async function shown(width, scheme) {
  const page = await openPage(profile);
  await page.setViewport({ width, height: 800 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  const all = await page.evaluate(() => ({
    back: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth,
    small: [...document.querySelectorAll("td, th, p, li, span, b, small")]
      .map((one) => parseFloat(getComputedStyle(one).fontSize))
      .reduce((least, px) => Math.min(least, px)),
    outside: [...document.querySelectorAll("section, table:not(.grid), .headline, li")].filter(
      (one) => one.getBoundingClientRect().right > innerWidth + 0.5,
    ).length,
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
  for (const heading of [
    "Equity",
    "Results",
    "From the prices to the profit",
    "Positions, by the reason they ended for",
    "Luck",
    "16 exit plans",
    "The tape",
  ])
    assert.ok(light.headings.includes(heading), heading);
});

for (const width of [320, 900]) {
  test(`at ${width} px nothing is cut off, and every text is large enough`, async () => {
    const { wide, small, outside, charts } = await shown(width, "light");
    assert.ok(wide <= width, `${wide} px`);
    assert.ok(small >= 12, `${small} px`);
    assert.deepEqual([outside, charts], [0, 0]);
  });
}

/** A record of one buy in a sandbox, and its head. */
async function recorded() {
  const store = recordStore();
  const record = new DeskRecord(store);
  const sandbox = new Sandbox();
  const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
  const plan = await client.plan(
    "buy",
    { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 },
    { intentId: "trade-1" },
  );
  await record.plan(plan, sandbox);
  await client.send(plan);
  await record.written();
  return store;
}

/** Waits until `look` resolves to true; the runner ends what never does. */
async function until(look) {
  while (!(await look())) await pause(30);
}

test("a page verifies the record that is dropped on it", async (t) => {
  const site = await servePage(0);
  t.after(() => site.close());
  const { log, last } = await recorded();
  const page = await openPage(profile);
  t.after(() => page.close());
  const faults = [];
  page.on("console", (message) => faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("request", (request) => request.url().startsWith(site.url) || faults.push(request.url()));
  await page.setViewport({ width: 320, height: 640 });
  await page.goto(`${site.url}verify.html`);
  const drop = (files) =>
    page.evaluate((files) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
      document.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    }, files);
  const heading = async (wanted) => {
    await until(() =>
      page.evaluate((wanted) => document.querySelector(".verdict h2").textContent.startsWith(wanted), wanted),
    );
    return page.evaluate(() => document.querySelector(".verdict").innerText);
  };

  await drop([["desk.log", log]]);
  assert.match(
    await heading("Verified: 7 lines, 1 trade."),
    /Without its head[\s\S]*trade-1: buy landed, at exactly the price of the rules/,
  );
  await drop([["desk.log.head", last]]);
  await heading("Drop the record itself");
  await drop([
    ["desk.log", log.replace("desk", "disk")],
    ["desk.log.head", last],
  ]);
  assert.match(await heading("Not verified: 1 problem"), /line 1 was changed/);

  // A verdict is of the file that was dropped last, however long that takes.
  const changed = log.replace("desk", "disk");
  const isLeft = await page.evaluate(
    ([log, changed]) => {
      const late = new File([log], "good.log");
      const opened = new Promise((resolve) => (globalThis.letGo = resolve));
      // Its bytes come late.
      late.stream = () =>
        new ReadableStream({
          async start(controller) {
            await opened;
            controller.enqueue(new TextEncoder().encode(log));
            controller.close();
          },
        });
      for (const file of [late, new File([changed], "bad.log")]) {
        const event = new DragEvent("drop", { cancelable: true });
        Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
        document.dispatchEvent(event);
      }
      return document.querySelector(".verdict").checkVisibility();
    },
    [log, changed],
  );
  assert.equal(isLeft, false, "the verdict on another file");
  await until(() => page.evaluate(() => /The file is bad\.log\./.test(document.querySelector(".verdict").innerText)));
  await page.evaluate(() => globalThis.letGo());
  await pause(500);
  assert.match(
    await page.evaluate(() => document.querySelector(".verdict").innerText),
    /^Not verified[\s\S]*The file is bad\.log\./,
  );
  await drop([
    ["a.log", log],
    ["b.log", changed],
  ]);
  await heading("Drop one record at a time.");

  const paths = [join(folder, "desk.log"), join(folder, "desk.log.head")];
  await Promise.all([writeFile(paths[0], log), writeFile(paths[1], last)]);
  await (await page.$(".drop input")).uploadFile(...paths);
  assert.doesNotMatch(await heading("Verified"), /Without its head/);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    assert.deepEqual(await violationsOf(page), []);
  }
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  assert.deepEqual(faults, []);
});
