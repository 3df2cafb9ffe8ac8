// The panel as a trader meets it: its labels, its text, its keys. All of it is in the element's shadow root.

import { setTimeout as pause } from "node:timers/promises";
import { serveBuilt } from "../../scripts/serve.mjs";

/** Tokens and wallets of a sandbox. */
export const RABBIT = "SimMoonRabbit111111111111111111111111111111";
export const BOAT = "SimPaperBoat1111111111111111111111111111111";
export const ADA = "SimTraderAda1111111111111111111111111111111";
export const BOB = "SimTraderBob1111111111111111111111111111111";
export const CYD = "SimTraderCyd1111111111111111111111111111111";

/** Windows: a desktop, one of half its width, phones, and one of them on its side. */
export const DESKTOP = [1280, 800];
export const TABLET = [1024, 768];
export const HALF = [640, 900];
export const PHONE = [390, 844];
export const SMALL = [320, 640];
export const SIDE = [844, 390];

/** A sandbox's config, as far as it has two tokens. */
export const TWO_TOKENS = {
  tokens: ["one", "two"].map((name) => ({ mint: `mint-${name}`, symbol: name.toUpperCase() })),
};

/** A sandbox's config with rivals, who trade as time passes: in the first minute the price rises by 15 % or more. */
export const CROWDED = {
  tokens: [
    { mint: "SimMoonRabbit111111111111111111111111111111", symbol: "RABBIT", character: "breakout", soldBps: 3_000 },
  ],
  market: { alive: true, seed: 8, launchEveryMs: 0, inFlightMs: 0 },
};

/** How long anything may take. Only a failure waits so long. */
const PATIENCE_MS = 120_000;

/** Runs in a page: resolves once it has painted what is in it. A page behind another one paints nothing; a busy machine paints late. */
export const frames = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
    setTimeout(resolve, 10_000);
  });

/** Serves a page with a panel on it. */
export const serveSite = () =>
  serveBuilt({
    entryPoints: ["tests/panel/site/*"],
    outdir: ".cache/panel-site",
    target: "es2022",
    loader: { ".html": "copy" },
  });

export class Panel {
  /** What a page must never do: complaints, errors, requests to anywhere else. */
  faults = [];
  /** Where else requests may go. */
  elsewhere = [];

  constructor(page, url) {
    this.page = page;
    this.url = url;
    page.on("console", (message) => this.faults.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.faults.push(`page error: ${error.message}`));
    page.on("request", (request) => {
      if (![url, "data:", ...this.elsewhere].some((place) => request.url().startsWith(place)))
        this.faults.push(`request to ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.faults.push(`${response.status()} of ${response.url()}`);
    });
  }

  async open() {
    await this.page.goto(this.url);
    await this.until("the panel", () => this.$('.desk[aria-busy="false"]'));
  }

  async reload() {
    await this.page.reload();
    await this.until("the panel", () => this.$('.desk[aria-busy="false"]'));
  }

  /** Enters an order and sends it, once its quote stands there; waits for what becomes of it, if that is given. */
  async trade(amount, fate) {
    await this.write("amount", amount);
    await this.untilText(".quote", "≈");
    await this.send(fate);
  }

  /** Presses the ticket's button. */
  async send(fate) {
    await this.click(".ticket .send");
    if (fate) await this.untilText(".attempt", fate);
  }

  /** Opens a live panel with these attributes. */
  async openLive(attributes, site = "live.html") {
    await this.page.goto(`${this.url}${site}?${new URLSearchParams(attributes)}`);
    await this.until("the ticket", () => this.$('.desk[aria-busy="false"]'));
  }

  /** Buys for an amount: types what is asked of a trade whose price nobody knows. */
  async buyUnseen(amount, fate) {
    await this.write("amount", amount);
    const asked = /^Type (\S+) to accept/.exec(await this.text(".send"))?.[1];
    if (asked) await this.write("ticket-accept", asked);
    await this.untilText(".send", `Buy ${amount} SOL`);
    await this.send(fate);
  }

  /** Shows another token, by its symbol. */
  async switchTo(symbol) {
    const find = (root, symbol, isPressed) => {
      const all = [...root.querySelectorAll(".market-list .pick")];
      const found = all.find((one) => one.querySelector("strong").textContent === symbol);
      if (isPressed) found.click();
      return found !== undefined;
    };
    await this.press(".header .others");
    await this.until(symbol, () => this.inside(find, symbol, false));
    await this.inside(find, symbol, true);
  }

  /** Opens the drawer, or closes it. */
  async toggleDrawer() {
    await this.press(".world [aria-controls=drawer]");
  }

  /** Sets a list of the open drawer. */
  async choose(id, value) {
    await this.until("the drawer", () => this.$(`#${id}`));
    await this.inside(
      (root, id, value) => {
        const select = root.querySelector(`#${id}`);
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      },
      id,
      value,
    );
  }

  /** Stops the market. */
  async standStill() {
    await this.toggleDrawer();
    await this.press(".drawer .switch button");
    await this.toggleDrawer();
  }

  /** Runs `look(root, ...args)` in the page, with the panel's shadow root. */
  inside(look, ...args) {
    return this.page.evaluate(
      (look, args) => (0, eval)(`(${look})`)(document.querySelector("launchpad-desk").shadowRoot, ...args),
      look.toString(),
      args,
    );
  }

  /** The element there, for puppeteer. */
  $(selector) {
    return this.page.$(`launchpad-desk >>> ${selector}`);
  }

  /** Presses what a person sees there: what is not painted yet cannot be seen. */
  async click(selector) {
    await this.painted();
    await this.page.click(`launchpad-desk >>> ${selector}`);
  }

  /**
   * Presses what may be out of sight there, once it is painted: before that a press means nothing. Of several, the one at this place, or
   * the one with this text.
   */
  async press(selector, which = 0) {
    const find = (root, selector, which, isPressed) => {
      const all = [...root.querySelectorAll(selector)];
      const found = typeof which === "number" ? all.at(which) : all.find((each) => each.textContent.trim() === which);
      if (isPressed) found.click();
      return found !== undefined;
    };
    await this.until(`${selector} ${which}`, () => this.inside(find, selector, which, false));
    await this.painted();
    await this.inside(find, selector, which, true);
  }

  /** Presses a key of the keyboard, as one who sees what is painted. */
  async key(name) {
    await this.painted();
    await this.page.keyboard.press(name);
  }

  painted() {
    return this.page.evaluate(frames);
  }

  /** Waits until `what` is so, and resolves to what `look` found. */
  async until(what, look, patienceMs = PATIENCE_MS) {
    const end = Date.now() + patienceMs;
    for (;;) {
      const found = await look();
      if (found) return found;
      if (Date.now() > end)
        throw new Error(`waited in vain for ${what}; the panel says:\n${await this.text(".desk, .opening")}`);
      await pause(30);
    }
  }

  /** Points at the still picture of the candles, and waits for the chart in its place. */
  async chart() {
    await this.until("the picture", () => this.$(".canvas :is(svg, canvas)"));
    await this.inside((root) => root.querySelector(".canvas").dispatchEvent(new Event("pointerenter")));
    await this.until("the chart", () => this.$(".canvas canvas"));
  }

  /** What is shown there, or null where there is nothing. */
  text(selector) {
    return this.inside(
      (root, selector) => root.querySelector(selector)?.innerText.replace(/\s+/g, " ").trim() ?? null,
      selector,
    );
  }

  async untilText(selector, wanted) {
    await this.until(`"${wanted}" in ${selector}`, async () => (await this.text(selector))?.includes(wanted));
  }

  attribute(selector, name) {
    return this.inside((root, selector, name) => root.querySelector(selector)?.getAttribute(name), selector, name);
  }

  value(name) {
    return this.inside((root, name) => root.querySelector(`[name="${name}"]`).value, name);
  }

  pick(name, value) {
    return this.inside(
      (root, name, value) => {
        const select = root.querySelector(`select[name="${name}"]`);
        select.value = value;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      },
      name,
      value,
    );
  }

  async write(name, text) {
    await this.until(name, () => this.$(`[name="${name}"]`));
    await this.inside(async (root, name) => {
      const field = root.querySelector(`[name="${name}"]`);
      // On a phone it may be folded away.
      if (!field.checkVisibility() && field.closest(".terms")) root.querySelector(".fold").click();
      await root.host.updateComplete;
      field.focus();
      field.select();
    }, name);
    await this.page.keyboard.press("Backspace");
    await this.page.keyboard.type(text);
  }

  /** What of these is less than so many pixels wide or high, and whether the page scrolls sideways. */
  async misfits(selector, least = 44) {
    await this.painted();
    const look = (root, selector, least) => {
      const small = [...root.querySelectorAll(selector)]
        .filter((part) => part.checkVisibility())
        .map((part) => [part.ariaLabel || part.innerText || part.id, part.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < least - 0.1 || height < least - 0.1)
        .map(([text, { width, height }]) => `${text}: ${width} × ${height}`);
      return document.documentElement.scrollWidth > innerWidth ? [...small, "it scrolls sideways"] : small;
    };
    return this.inside(look, selector, least);
  }

  /** The rows of what was sent, the newest first. */
  attempts() {
    return this.inside((root) =>
      [...root.querySelectorAll(".attempt")].map((row) => row.innerText.replace(/\s+/g, " ").trim()),
    );
  }
}
