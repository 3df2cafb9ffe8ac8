// The tabs with lists: tokens of a market that lives, and wallets with their groups. Their file comes once one of them is opened.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { violations } from "./axe.mjs";
import { inEachBrowser } from "./each-browser.mjs";
import { openBefore } from "./gateway.mjs";
import { ADA, BOAT, BOB } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;
  const behindGateway = async () => {
    await openBefore(at);
    return at.panel;
  };
  /** Opens the list of tokens, once ages are known. */
  const openTokens = async (sandbox = null) => {
    await at.open(sandbox);
    await at.panel.click("#tab-tokens");
    await untilRows("the tokens", ([{ Age }]) => sandbox || Age !== "–");
    return at.panel;
  };
  const order = (text) => at.panel.press(".lists .switch button", text);
  /** The rows of the list of tokens. */
  const rows = () =>
    at.panel.inside((root) =>
      [...root.querySelectorAll(".market-list tbody tr")].map((row) => ({
        symbol: row.querySelector("strong").textContent,
        watched: row.querySelector(".star").ariaPressed === "true",
        isShown: row.ariaCurrent === "true",
        ...Object.fromEntries(
          [...row.querySelectorAll("[data-name]")].map((cell) => [cell.dataset.name, cell.textContent.trim()]),
        ),
      })),
    );
  const symbols = async () => (await rows()).map(({ symbol }) => symbol);
  const untilRows = (what, isSo) =>
    at.panel.until(what, async () => {
      const there = await rows();
      return there.length > 0 && isSo(there) && there;
    });
  const focused = () =>
    at.panel.inside((root) => root.activeElement?.ariaLabel ?? root.activeElement?.textContent.trim());
  /** How long ago in seconds, of "5s", "3m" or "2h". */
  const seconds = (age) => Number.parseInt(age, 10) * { s: 1, m: 60, h: 3600 }[age.at(-1)];

  test("new launches come by themselves, each with its age, curve, market cap, volume and what its creator holds", async () => {
    const panel = await at.open(null);
    const isLoaded = () =>
      panel.page.evaluate(() => performance.getEntriesByType("resource").some(({ name }) => /panel-later/.test(name)));
    assert.equal(await isLoaded(), false);
    await panel.click("#tab-tokens");
    const first = await untilRows("an age", ([{ Age }]) => Age !== "–");
    assert.equal(await isLoaded(), true);
    const ages = first.map(({ Age }) => Age).filter((age) => age !== "–");
    assert.deepEqual(
      ages.map(seconds),
      ages.map(seconds).toSorted((one, other) => one - other),
      "the newest first",
    );
    const [newest] = first;
    assert.match(newest["Curve sold"], /^\d+(\.\d+)? %$/);
    assert.match(newest["Market cap"], /^[\d.]+ SOL$/);
    assert.match(newest["Traded, 5m"], /^[\d.₀-₉]+ SOL$/);
    assert.match(newest["Creator holds"], /^\d+(\.\d+)? %$/);
    assert.equal(newest.Yours, "–");
    // One that is launched meanwhile comes first.
    const before = first.length;
    await panel.toggleDrawer();
    await panel.press(".drawer .switch button", "16×");
    await untilRows("a launch", (now) => now.length > before && now[0].symbol !== newest.symbol);
    await order("Most traded");
    const traded = await untilRows("volumes", (now) => now.every((row) => row["Traded, 5m"] !== "–"));
    assert.ok(traded.length > 1);
    await order("Completing");
    const curves = (await untilRows("curves", () => true)).map((row) => Number.parseFloat(row["Curve sold"]));
    assert.deepEqual(
      curves,
      curves.toSorted((one, other) => other - one),
    );
  });

  test("the order waits for a hand, and goes on after it", async () => {
    const panel = await openTokens();
    await panel.inside((root) => root.querySelector(".lists").scrollIntoView());
    await panel.page.hover("launchpad-desk >>> .market-list .pick");
    await panel.untilText(".lists [role=status]", "The order waits while you are at the list.");
    const held = await symbols();
    await panel.toggleDrawer();
    await panel.press(".drawer .switch button", -1);
    await pause(3_000);
    assert.deepEqual(await symbols(), held, "no row moved away");
    await panel.page.mouse.move(2, 2);
    await untilRows("another order", (now) => now.map(({ symbol }) => symbol).join() !== held.join());
  });

  inChromium("the order goes on after a finger", async () => {
    const panel = await openTokens();
    const isHeld = async () => (await panel.text(".lists [role=status]")).startsWith("The order waits");
    const point = (kind, pointerType) =>
      panel.inside(
        (root, kind, pointerType) =>
          root.querySelector(".lists .scroll").dispatchEvent(new PointerEvent(kind, { pointerType })),
        kind,
        pointerType,
      );
    await panel.inside((root) => root.querySelector(".lists").scrollIntoView());
    // The browser still says that something hovers there.
    await panel.page.hover("launchpad-desk >>> .market-list .pick");
    await point("pointerenter", "touch");
    await panel.until("the hand", isHeld);
    await point("pointerleave", "touch");
    await panel.until("no hand", async () => !(await isHeld()));
  });

  test("a star watches a token, over a reload; search and keys lead to it", async () => {
    const panel = await openTokens({});
    await order("Watched");
    await panel.untilText(".lists .nothing", "You watch no token yet");
    await order("New");
    const all = await symbols();
    assert.ok(all.length > 1 && all.length < 40);
    await panel.inside((root) => root.querySelector('[name="token-search"]').focus());
    await panel.page.keyboard.type("boat");
    await untilRows("one", (now) => now.length === 1 && now[0].symbol === "BOAT");
    await panel.key("ArrowDown");
    assert.match(await focused(), /BOAT Paper Boat$/);
    await panel.key("ArrowLeft");
    assert.equal(await focused(), "Watch BOAT");
    await panel.key(" ");
    await untilRows("a star", ([{ watched }]) => watched);
    await panel.key("ArrowRight");
    await panel.key("Enter");
    await panel.untilText("#token-name", "BOAT");
    await panel.key("/");
    assert.equal(await focused(), "Symbol, name or mint");
    await panel.key("Escape");
    await untilRows("all", (now) => now.length === all.length);
    await panel.page.keyboard.type("nowhere");
    await panel.untilText(".lists .nothing", "No token here has “nowhere” in its symbol, name or mint.");
    assert.deepEqual(await violations(panel, ".tabs"), []);
    await panel.reload();
    await panel.click("#tab-tokens");
    await order("Watched");
    assert.deepEqual(await untilRows("the watched one", () => true).then((now) => now.map(({ symbol }) => symbol)), [
      "BOAT",
    ]);
    await panel.press(".star");
    await panel.untilText(".lists .nothing", "You watch no token yet");
  });

  test("Switch token leads to the search of the list, and a pick back to where one was", async () => {
    const panel = await openTokens({});
    await panel.press("#tab-bundle");
    await panel.press(".others");
    await panel.until("the search", async () => (await focused()) === "Symbol, name or mint");
    await panel.key("Enter");
    assert.equal(await panel.text("#token-name .symbol"), "RABBIT", "nothing was searched");
    await panel.page.keyboard.type("boat");
    await untilRows("one", (now) => now.length === 1);
    await panel.key("Enter");
    await panel.untilText("#token-name", "BOAT");
    await panel.until("the bundle", () => panel.$(".legs"));
    await panel.until("the focus", async () => (await focused()) === "Switch token");
    await panel.key("Enter");
    for (const key of ["Escape", "Escape"]) await panel.key(key);
    await panel.until("the bundle again", () => panel.$(".legs"));
  });

  inChromium("what comes later is asked for again, if it did not come", async () => {
    const panel = await at.open({});
    let isLost = true;
    await panel.page.setRequestInterception(true);
    panel.page.on("request", (request) =>
      isLost && request.url().includes("panel-later") ? request.abort() : request.continue(),
    );
    await panel.click("#tab-wallets");
    await panel.untilText("#tabpanel", "It could not be loaded.");
    isLost = false;
    await panel.press("#tabpanel .button", "Try again");
    await panel.until("the wallets", () => panel.$(".wallet-list"));
    panel.faults = panel.faults.filter((fault) => !fault.includes("ERR_FAILED"));
  });

  inChromium(
    "at 320 pixels, too, what is pressed is 44 pixels high, with a mouse and much room 36, and nothing lies beside the page",
    async () => {
      const panel = await at.open(null);
      for (const width of [1280, 390, 360, 320])
        for (const list of ["tokens", "wallets"]) {
          await panel.page.setViewport({ width, height: 640 });
          await panel.press(`#tab-${list}`);
          await panel.until("the list", () => panel.$(`.lists .sheet`));
          const pressed = ".tablist button, .lists button, .lists label.check, .lists input.control";
          assert.deepEqual(await panel.misfits(pressed, width > 1_000 ? 36 : 44), [], `${list} at ${width}`);
        }
    },
  );

  inChromium("behind a gateway without a stream it says so, and the watchlist works", async () => {
    const panel = await behindGateway();
    await panel.set({ tokens: [{ mint: BOAT, symbol: "BOAT" }] });
    await panel.click("#tab-tokens");
    await panel.untilText(".lists", "This gateway passes on no stream of the market");
    assert.equal((await untilRows("both", (now) => now.length === 2))[1].symbol, "BOAT");
    assert.equal(await panel.text(".lists .switch"), "All Completing Watched");
    assert.equal((await rows())[0].Age, undefined, "nobody knows it");
    await panel.press(".star", 1);
    await order("Watched");
    assert.deepEqual(await symbols(), ["BOAT"]);
  });

  test("a group of wallets has a name, over a reload, and a bundle takes it; an address is copied whole", async () => {
    const panel = await at.open({});
    await panel.page.evaluate(() => {
      window.copied = [];
      Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => window.copied.push(text) } });
    });
    await panel.click("#tab-wallets");
    await panel.until("the wallets", () => panel.$(".wallet-list"));
    await panel.press(".wallet-list .copy");
    await panel.until("the address", () => panel.page.evaluate((wallet) => window.copied[0] === wallet, ADA));
    assert.equal(await panel.attribute(".lists .use", "disabled"), "");
    await panel.press(".wallet-list input", 0);
    await panel.press(".wallet-list input", 2);
    await panel.press(".lists .button", "Save the group");
    await panel.untilText("#group-note", "Give the group a name.");
    await panel.write("group-name", "Snipers");
    await panel.press(".lists .button", "Save the group");
    await panel.untilText(".lists .chips", "Snipers 2");
    const pressed = () => panel.attribute(".lists .chips button", "aria-pressed");
    await panel.until("the group", async () => (await pressed()) === "true");
    await panel.press(".wallet-list input", 2);
    await panel.until("no group", async () => (await pressed()) === "false");
    await panel.untilText(".lists .row-of-buttons", "Replace Snipers");
    await panel.press(".wallet-list input", 2);
    await panel.until("the group again", async () => (await pressed()) === "true");
    assert.deepEqual(await violations(panel, ".tabs"), []);
    await panel.reload();
    await panel.click("#tab-wallets");
    await panel.press(".lists .chips button");
    await panel.press(".lists .use");
    await panel.until("the bundle", () => panel.$(".leg"));
    const inBundle = () =>
      panel.inside((root) =>
        [...root.querySelectorAll(".leg select")].map(({ selectedOptions: [one] }) => one.textContent.trim()),
      );
    assert.equal((await inBundle()).length, 2);
    await panel.click("#tab-wallets");
    await panel.press(".lists .button", "Delete Snipers");
    await panel.until("no group", async () => !(await panel.$(".lists .chips")));
  });

  inChromium("what the browser takes no more of is kept as long as the panel, all of it", async () => {
    const panel = await at.open({});
    await panel.page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
      localStorage.constructor.prototype.getItem = () => "[]";
    });
    await panel.click("#tab-tokens");
    await untilRows("the tokens", () => true);
    for (const which of [0, 1]) await panel.press(".market-list .star", which);
    await untilRows("both stars", ([one, other]) => one.watched && other.watched);
  });

  inChromium("a live wallet leads to the explorer of the service's own replies, once there was one", async () => {
    const panel = await behindGateway();
    await panel.set({ wallets: [{ wallet: BOB, label: "Bo" }] });
    await panel.click("#tab-wallets");
    await panel.until("the wallets", () => panel.$(".wallet-list"));
    assert.equal(await panel.$(".wallet-list a"), null);
    await panel.buyUnseen("0.1", "Landed");
    await panel.until("the links", () => panel.$(".wallet-list a"));
    const links = await panel.inside((root) => [...root.querySelectorAll(".wallet-list a")].map(({ href }) => href));
    assert.deepEqual(
      links,
      [ADA, BOB].map((wallet) => `https://explorer.example/account/${wallet}`),
    );
  });
});
