// npm run shots [-- name …]: pictures of the panel in each state, both themes, four widths, forced colours and right to left, of some states at the widths between and
// on a phone on its side, into .cache/shots; and the picture of the README.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Panel } from "../tests/panel/panel.mjs";
import { launchBrowser, openPage, ensureBrowsers } from "./browsers.mjs";
import { buildIfChanged } from "./build.mjs";
import { startLocal } from "./edge.mjs";
import { chosen, command, root } from "./program.mjs";
import { serveFolder, servePage } from "./serve.mjs";

const FOLDER = join(root, ".cache/shots");
const README_PICTURE = join(root, "www/pictures/panel.png");
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 360, height: 740 },
  { width: 320, height: 640 },
];
/** The widths at which the layout changes, and a phone on its side. */
const BETWEEN = [
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
  { width: 640, height: 900 },
  { width: 844, height: 390 },
];
const [WIDE, PHONE] = SIZES;
/** The themes at each size; forced colours and a page that is read from the right at two. */
const LOOKS = [
  { look: "dark" },
  { look: "light", scheme: "light" },
  { look: "forced", forced: "active", sizes: [WIDE, PHONE] },
  { look: "rtl", dir: "rtl", sizes: [WIDE, PHONE] },
];
async function dress(page, { scheme = "dark", forced = "none", dir = "" }) {
  const features = Object.entries({ "prefers-color-scheme": scheme, "forced-colors": forced });
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { features: features.map(([name, value]) => ({ name, value })) });
  await page.evaluate((dir) => (document.documentElement.dir = dir), dir);
}

const press = async (panel, selector, nth = 1) => {
  await panel.painted();
  await panel.inside((root, selector, nth) => root.querySelectorAll(selector)[nth - 1]?.click(), selector, nth);
};
const enter = async (panel, selector, value) => {
  await panel.until(selector, () => panel.$(selector));
  await panel.inside(
    (root, selector, value) => {
      const field = root.querySelector(selector);
      field.value = value;
      for (const type of ["input", "change"])
        field.dispatchEvent(new InputEvent(type, { bubbles: true, composed: true }));
    },
    selector,
    value,
  );
};
const openDrawer = async (panel) => {
  await panel.toggleDrawer();
  await panel.until("the drawer", () => panel.$("#fault"));
};
const fault = async (panel, name) => {
  await panel.toggleDrawer();
  await panel.choose("fault", name);
  await panel.toggleDrawer();
};
/** From now on no answer comes. */
const stall = (panel) => panel.page.evaluate(() => (globalThis.setTimeout = () => 0));
const buy = async (panel, amount) => {
  await enter(panel, "[name=slippage]", "5");
  await enter(panel, "[name=amount]", amount);
  await panel.untilText(".quote", "≈");
};
const sent = async (panel, amount, fate) => {
  await buy(panel, amount);
  const newest = await panel.attribute(".attempt", "data-intent");
  await press(panel, ".ticket .send");
  await panel.until(
    fate,
    async () =>
      (await panel.attribute(".attempt", "data-intent")) !== newest && (await panel.attempts())[0]?.includes(fate),
  );
};
/** Shows the fields that are seldom needed, also where they are folded: only there is what unfolds them. */
const openMore = async (panel) => {
  await panel.page.setViewport(SIZES.at(-1));
  await press(panel, ".fold");
  await openDetails(panel, ".ticket .more");
};
const openDetails = (panel, selector) =>
  panel.inside((root, selector) => (root.querySelector(selector).open = true), selector);
const fillBundle = async (panel, amounts) => {
  await press(panel, "#tab-bundle");
  for (const [index, amount] of amounts.entries()) {
    if (index > 1) await press(panel, ".bundle .add");
    await panel.until(`row ${index + 1}`, () => panel.$(`.leg:nth-child(${index + 1})`));
    await enter(panel, `.leg:nth-child(${index + 1}) [name$=amount]`, amount);
  }
  await enter(panel, "#bundle-slippage", "5");
};
const sentBundle = async (panel, fate) => {
  await fillBundle(panel, ["0.2", "0.25"]);
  await panel.untilText(".bundle .quote", "≈");
  await press(panel, ".bundle .send");
  await panel.untilText(".bundle .legs", fate);
};

/** Each state, and how one gets there. */
const STATES = {
  open: async () => {},
  quote: (panel) => buy(panel, "1"),
  details: async (panel) => {
    await buy(panel, "1");
    await openDetails(panel, ".ticket .details");
    await openMore(panel);
  },
  wrong: async (panel) => {
    await enter(panel, "[name=amount]", "1.000,5");
    await enter(panel, "[name=slippage]", "150");
    await press(panel, ".ticket .send");
  },
  curve: async (panel) => {
    await buy(panel, "4");
    await press(panel, ".chart .switch button", 2);
  },
  table: (panel) => press(panel, ".chart .switch button", 3),
  cap: async (panel) => {
    await press(panel, ".chart .axis");
    await sent(panel, "1", "Landed");
    await buy(panel, "0.5");
  },
  drawer: openDrawer,
  over: async (panel) => {
    await openDrawer(panel);
    await panel.inside((root) => [...root.querySelectorAll(".drawer .button")].at(-1).click());
  },
  caution: (panel) => buy(panel, "1.5"),
  tick: (panel) => buy(panel, "3"),
  type: (panel) => buy(panel, "40"),
  flight: async (panel) => {
    await fault(panel, "slow");
    await buy(panel, "1");
    await stall(panel);
    await press(panel, ".ticket .send");
    await panel.until("the trade", () => panel.$(".attempt.in_flight"));
  },
  instant: async (panel) => {
    await openDetails(panel, ".ticket .more");
    await enter(panel, "[name=instant-perTrade]", "0.5");
    await enter(panel, "[name=instant-session]", "2");
    await press(panel, ".instant-limits .begin");
    await panel.untilText(".instant", "left");
    await panel.inside((root) => (root.querySelector(".ticket .more").open = false));
    await press(panel, ".amount .chips button", 2);
    await panel.untilText(".attempt", "Landed");
    await panel.untilText(".instant", "1.5 SOL of 2");
  },
  instantLimits: async (panel) => {
    await openMore(panel);
    await press(panel, ".instant-limits .begin");
    await panel.untilText("#instant-note", "missing");
  },
  landed: (panel) => sent(panel, "1", "Landed"),
  technical: async (panel) => {
    await sent(panel, "1", "Landed");
    await openDetails(panel, ".attempt details");
  },
  sell: async (panel) => {
    await sent(panel, "1", "Landed");
    await press(panel, ".sides .sell");
    await enter(panel, "[name=amount]", "50 %");
    await panel.untilText(".quote", "≈");
  },
  positions: async (panel) => {
    await sent(panel, "1", "Landed");
    await panel.switchTo("BOAT");
    await sent(panel, "0.25", "Landed");
    await press(panel, "#tab-positions");
  },
  dollars: async (panel) => {
    await panel.inside((root) => void (root.host.solPriceUsd = "142.37"));
    await sent(panel, "1", "Landed");
    await buy(panel, "0.5");
  },
  closed: async (panel) => {
    await sent(panel, "1", "Landed");
    await press(panel, ".sides .sell");
    await enter(panel, "[name=amount]", "100 %");
    await panel.untilText(".ticket .send", "Simulate: sell");
    await press(panel, ".ticket .send");
    await press(panel, "#tab-positions");
    await panel.until("the closed position", () => panel.$(".closed li"));
  },
  exits: async (panel) => {
    await sent(panel, "1", "Landed");
    await press(panel, ".exits-button");
  },
  alerts: async (panel) => {
    await press(panel, ".alerts-button");
    await enter(panel, "[name=alert]", "mc 60");
    await press(panel, ".alerts [type=submit]");
    await panel.untilText(".alerts-button", "Alerts 1");
  },
  exitsRunning: async (panel) => {
    await STATES.exits(panel);
    await press(panel, ".exits .start");
    await panel.until("them running", async () => /now at \d/.test(await panel.text(".exits")));
  },
  exitsPaused: async (panel) => {
    await STATES.exitsRunning(panel);
    await press(panel, ".exits .row-of-buttons button");
    await panel.until("them paused", async () => /^Paused/.test(await panel.text(".exits")));
  },
  exitsClosing: async (panel) => {
    await STATES.exitsRunning(panel);
    await fault(panel, "busy");
    await press(panel, ".exits .row-of-buttons button", 2);
    await panel.untilText(".exits", "Sells all as soon as it can");
  },
  // The answer to the sell is lost, and nothing more is sold before it is settled.
  exitsInDoubt: async (panel) => {
    await sent(panel, "1", "Landed");
    await fault(panel, "lost");
    await press(panel, ".exits-button");
    await enter(panel, "[name=exits-takeProfit]", "0.5x 50%");
    await enter(panel, "[name=exits-stopLoss]", "");
    await press(panel, ".exits .start");
    // It sells at once, so it is asked about first.
    await panel.untilText(".exits .start", "Start all the same");
    await pause(600);
    await press(panel, ".exits .start");
    await panel.untilText(".exits", "An exit is not settled");
    await panel.until("the unknown sell", () => panel.$(".attempt.unknown"));
  },
  exitsTried: async (panel) => {
    await STATES.exits(panel);
    await press(panel, ".exits .try");
    await panel.until("the report", () =>
      panel.inside((root) => Boolean(root.querySelector(".report .page")?.shadowRoot?.querySelector("h1"))),
    );
  },
  keys: (panel) => press(panel, ".keys-button"),
  terms: async (panel) => {
    await buy(panel, "1");
    await press(panel, ".ticket .fold");
  },
  trades: async (panel) => {
    await sent(panel, "1", "Landed");
    await fault(panel, "slippage");
    await sent(panel, "0.5", "Failed");
    await fault(panel, "lost");
    await sent(panel, "0.25", "nknown");
    await press(panel, "#tab-trades");
  },
  settled: async (panel) => {
    await STATES.unknown(panel);
    await press(panel, ".settle button");
    await panel.until("what was found", async () => /It landed/.test(await panel.text(".attempt .sentence")));
  },
  // Three trades in a row without an answer: no more buys.
  stopped: async (panel) => {
    await fault(panel, "lost");
    for (const symbol of ["RABBIT", "BOAT", "HERON"]) {
      await panel.switchTo(symbol);
      await sent(panel, "0.25", "nknown");
    }
    await panel.switchTo("TRUMPET");
    await enter(panel, "[name=amount]", "0.5");
    await panel.untilText(".ticket .send", "No buys");
    await press(panel, "#tab-trades");
  },
  // The list of what was sent is gone, as after its site's data were deleted: the wallets still have the tokens.
  notKnown: async (panel) => {
    await sent(panel, "1", "Landed");
    await panel.page.evaluate(async () => {
      for (const { name } of await indexedDB.databases())
        if (/ (panel|journal) /.test(name))
          await new Promise((done) => (indexedDB.deleteDatabase(name).onsuccess = done));
    });
    await panel.open();
    await press(panel, ".sides .sell");
    await sent(panel, "1000000", "Landed");
    await press(panel, "#tab-positions");
    await panel.untilText(".totals", "not known");
  },
  // By hand: another trade has moved the same wallet.
  settling: async (panel) => {
    await STATES.unknown(panel);
    await fault(panel, "none");
    await panel.switchTo("BOAT");
    await sent(panel, "0.25", "Landed");
    await press(panel, ".settle button");
    await panel.until("the choice", () => panel.$(".settle .did_not_land"));
    await press(panel, ".settle .did_not_land");
  },
  market: async (panel) => {
    await sent(panel, "1", "Landed");
    await press(panel, ".others");
    await panel.until("the ages", () =>
      panel.inside((root) =>
        /\d[sm]$/.test(root.querySelector('.market-list [data-name="Age"]')?.textContent.trim() ?? ""),
      ),
    );
    await press(panel, ".star");
  },
  wallets: async (panel) => {
    await press(panel, "#tab-wallets");
    for (const nth of [1, 3]) {
      await panel.until("the wallets", () => panel.$(".wallet-list input"));
      await press(panel, ".wallet-list input", nth);
    }
    await enter(panel, "[name=group-name]", "Snipers");
    await press(panel, ".lists .button");
  },
  bundle: (panel) => fillBundle(panel, ["0.2", "0.75", "0.1"]),
  bundled: (panel) => sentBundle(panel, "Landed"),
  bundleHalf: async (panel) => {
    await fault(panel, "slow");
    await fillBundle(panel, ["0.2", "0.25", "0.1"]);
    await press(panel, "[name=bundle-plain]");
    await panel.untilText(".bundle .send", "send all 3");
    await press(panel, ".bundle .send");
    await panel.untilText(".bundle .notice", "Sending 2 of 2");
    await stall(panel);
  },
  bundleFailed: async (panel) => {
    await fault(panel, "slippage");
    await sentBundle(panel, "Failed");
  },
  long: async (panel) => {
    await panel.page.evaluate(() => {
      const tokens = [
        {
          mint: "SimLongName111111111111111111111111111111111",
          symbol: "SUPERCALIFRAGILISTIC",
          name: "The Token with the Longest Name in the Whole Launchpad",
        },
      ];
      Object.assign(document.querySelector("launchpad-desk"), { mint: null, sandbox: { tokens }, name: "long" });
    });
    await panel.until(
      "its panel",
      async () =>
        (await panel.$('.desk[aria-busy="false"]')) && (await panel.text("#token-name"))?.includes("SUPERCALI"),
    );
    await sent(panel, "1", "Landed");
    await buy(panel, "0.75");
  },
  failed: async (panel) => {
    await fault(panel, "slippage");
    await sent(panel, "1", "Failed");
  },
  unknown: async (panel) => {
    await fault(panel, "lost");
    await sent(panel, "1", "nknown");
  },
  rejected: async (panel) => {
    await fault(panel, "busy");
    await sent(panel, "1", "Rejected");
  },
  offline: async (panel) => {
    await panel.page.evaluate(() => {
      const desk = document.querySelector("launchpad-desk");
      for (const name of ["mint", "wallet"]) desk.setAttribute(name, `of${name}`);
      desk.setAttribute("base-url", `${location.origin}/nowhere`);
    });
    await panel.until("the refusal", () => panel.$(".opening [role=alert]"));
  },
};

/** States that are also shot as they appear in a narrow window, with the bar at its bottom. */
const AS_SEEN = ["open", "quote", "type", "unknown"];
/** States of which there are pictures at the widths between. */
const AT_ALL_WIDTHS = ["quote", "positions", "trades", "bundle", "unknown", "long", "landed"];

/** Makes the window as high as the page, so that what sticks to the bottom is in its own place. */
async function fit(page, size) {
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewport({ ...size, height: Math.max(size.height, height) });
}

/** Shoots a state of the panel of a page in each look and size, once `enter` has brought it there. */
async function shoot(browser, url, name, elsewhere, enter) {
  const context = await browser.createBrowserContext();
  try {
    const panel = new Panel(await openPage(context), url);
    const { page } = panel;
    panel.elsewhere.push(...elsewhere);
    await page.setViewport(SIZES[0]);
    await panel.open();
    await enter(panel);
    await panel.inside((root) => root.activeElement?.blur());
    await page.mouse.move(0, 0);
    for (const each of LOOKS) {
      const { look, sizes = AT_ALL_WIDTHS.includes(name) ? [...SIZES, ...BETWEEN] : SIZES } = each;
      await dress(page, each);
      for (const size of sizes) {
        const path = (kind) => join(FOLDER, `${name}${kind}-${look}-${size.width}.png`);
        await page.setViewport(size);
        await page.evaluate(() => (document.querySelector("launchpad-desk").requestUpdate(), scrollTo(0, 0)));
        await pause(500);
        if (name === "landed" && look === "dark" && size.width === 1280)
          await page.screenshot({ path: README_PICTURE });
        if (size !== WIDE && AS_SEEN.includes(name)) {
          if (name !== "open") await panel.inside((root) => root.querySelector("[name=amount]").focus());
          await pause(300);
          await page.screenshot({ path: path("-seen") });
          await panel.inside((root) => root.activeElement?.blur());
        }
        await fit(page, size);
        await pause(150);
        await page.screenshot({ path: path("") });
      }
    }
    const expected = name === "offline" ? /404/ : /^$/;
    for (const fault of panel.faults) if (!expected.test(fault)) console.log(`${name}: ${fault}`);
  } finally {
    await context.close();
  }
}

/** Shoots a state of the simulated panel. */
const shootSimulated = (browser, url, name) =>
  shoot(browser, url, name, [], async (panel) => {
    await panel.chart();
    // So the pictures in all sizes show the same moment.
    await panel.standStill();
    await STATES[name](panel);
  });

/** Shoots the two panels of examples/embed.html in each size. */
async function shootEmbed(browser) {
  const site = await serveFolder(root);
  const context = await browser.createBrowserContext();
  try {
    const panel = new Panel(await openPage(context), `${site.url}examples/embed.html`);
    for (const size of SIZES) {
      await panel.page.setViewport(size);
      await panel.page.goto(panel.url);
      await panel.until("both pictures of candles", () =>
        panel.page.evaluate(() =>
          [...document.querySelectorAll("launchpad-desk")].every((desk) =>
            desk.shadowRoot?.querySelector(".canvas :is(svg, canvas)"),
          ),
        ),
      );
      await fit(panel.page, size);
      await pause(500);
      await panel.page.screenshot({ path: join(FOLDER, `embed-${size.width}.png`) });
    }
  } finally {
    await context.close();
    await site.close();
  }
}

/** Each state of the live panel on the local gateway, and how one gets there. */
const LIVE_STATES = {
  live: (panel) => buy(panel, "0.5"),
  liveLanded: async (panel, { sandbox }) => {
    const [{ mint }] = sandbox.tokens;
    const [, { wallet: fromWallet }] = sandbox.wallets;
    const { TradeClient } = await import("launchpad-desk");
    await new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: 2_000_000_000 });
    await panel.untilText(".trades tbody", "Buy");
    await sent(panel, "0.5", "Landed");
    await press(panel, "#tab-positions");
    await panel.untilText(".positions", "SOL");
  },
  // On its way, until somebody stops it: the page waits for the gateway's answer.
  liveStop: async (panel, { sandbox }) => {
    sandbox.setFaults({ script: [{ kind: "none", latencyMs: 600_000 }] });
    await buy(panel, "0.5");
    await press(panel, ".ticket .send");
    await panel.untilText(".attempt", "Stop trying");
  },
  // Its answer was lost; the chain proves that it landed.
  liveSettled: async (panel, { sandbox }) => {
    sandbox.setFaults({ script: [{ kind: "noAnswer" }] });
    await sent(panel, "0.5", "Landed");
    await panel.untilText(".attempt", "It landed");
    await press(panel, "#tab-positions");
    await panel.untilText(".positions", "SOL");
  },
  liveOld: async (panel, { chain }) => {
    await enter(panel, "[name=amount]", "0.5");
    chain.setFaults({ refuseMethods: ["getMultipleAccounts"] });
    await panel.untilText(".header .old", "too old");
  },
};

async function shootLive(browser, name) {
  const local = await startLocal();
  try {
    await shoot(browser, local.page, name, [local.url], async (panel) => {
      await panel.until("the price", () => panel.$(".price .large"));
      await panel.chart();
      await LIVE_STATES[name](panel, local);
    });
  } finally {
    await local.close();
  }
}

/** The page that verifies a record, with one on it: as it was written, and with a changed line. */
async function shootVerify(browser, url) {
  const [{ Sandbox }, { memoryJournal }, { TradeClient }, { DeskRecord }] = await Promise.all([
    import("launchpad-desk/sandbox"),
    import("launchpad-desk/browser"),
    import("launchpad-desk"),
    import("launchpad-desk/record"),
  ]);
  let [log, last] = ["", ""];
  const record = new DeskRecord({
    head: async () => last,
    append: async (lines, head) => void ([log, last] = [log + lines, head]),
  });
  const sandbox = new Sandbox();
  const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
  for (let number = 1; number <= 4; number++) {
    const plan = await client.plan(
      "buy",
      { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: number * 50_000_000 },
      { intentId: `signal-${number}` },
    );
    await record.plan(plan, sandbox);
    await client.send(plan);
  }
  await record.written();
  const page = await openPage(browser);
  try {
    for (const [kind, text] of [
      ["good", log],
      ["bad", log.replace('"signal-2"', '"signal-9"')],
    ]) {
      await page.goto(`${url}verify.html`);
      await page.evaluate(
        (files) => {
          const dataTransfer = new DataTransfer();
          for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
        },
        [
          ["desk.log", text],
          ["desk.log.head", last],
        ],
      );
      while (await page.evaluate(() => document.querySelector(".verdict").hidden)) await pause(50);
      for (const theme of ["dark", "light"]) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        for (const size of SIZES) {
          await page.setViewport(size);
          await page.screenshot({ path: join(FOLDER, `verify-${kind}-${theme}-${size.width}.png`), fullPage: true });
        }
      }
    }
  } finally {
    await page.close();
  }
}

await command("shots", async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const names = chosen("state", [...Object.keys(STATES), ...Object.keys(LIVE_STATES), "embed", "verify"], positionals);
  await Promise.all([buildIfChanged("release"), ensureBrowsers()]);
  const server = await servePage(0);
  const browser = await launchBrowser("chromium");
  try {
    if (!positionals.length) await rm(FOLDER, { recursive: true, force: true });
    for (const folder of [FOLDER, join(README_PICTURE, "..")]) await mkdir(folder, { recursive: true });
    for (const name of names) {
      if (name === "embed") await shootEmbed(browser);
      else if (name === "verify") await shootVerify(browser, server.url);
      else if (name in LIVE_STATES) await shootLive(browser, name);
      else await shootSimulated(browser, server.url, name);
      console.log(join(FOLDER, `${name}-*.png`));
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
