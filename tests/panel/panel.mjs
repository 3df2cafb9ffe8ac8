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
  forgiven = [];
  /** Where else requests may go. */
  elsewhere = [];

  constructor(page, url) {
    this.page = page;
    this.url = url;
    page.on("console", (message) => this.complain(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.complain(`page error: ${error.message}`));
    page.on("request", (request) => {
      if (![url, "data:", ...this.elsewhere].some((place) => request.url().startsWith(place)))
        this.complain(`request to ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.complain(`${response.status()} of ${response.url()}`);
    });
  }

  async open(url = this.url) {
    await this.page.goto(url);
    await this.untilOpen();
  }

  async reload() {
    await this.page.reload();
    await this.untilOpen();
  }

  /** Waits until all of it is there. */
  untilOpen() {
    return this.until("the panel", () => this.$('.desk[aria-busy="false"]'));
  }

  complain(line) {
    if (!this.forgiven.some((fault) => fault.test(line))) this.faults.push(line);
  }

  /** Forgives what the test has brought about, also what a browser says of it later. */
  forgive(fault) {
    this.forgiven.push(fault);
    this.faults = this.faults.filter((line) => !fault.test(line));
  }

  /** Forgives whatever there was: a gateway that is away gives many complaints. */
  forgiveAll() {
    this.faults = [];
  }

  /** Sets properties of the element, as its page does. */
  set(properties) {
    return this.inside((root, properties) => void Object.assign(root.host, properties), properties);
  }

  /** Sets the page's clock forward, or back. */
  moveClock(ms) {
    return this.page.evaluate((ms) => {
      const { now } = Date;
      Date.now = () => now() + ms;
    }, ms);
  }

  /**
   * Runs `work(rows, put, tell, ...args)` in the page, with the rows that the browser keeps of what was sent: `put` keeps another one, and
   * `tell` tells all panels of it.
   */
  withKept(work, ...args) {
    const run = async (text, args) => {
      // At once: later the page's policy forbids it.
      const work = (0, eval)(`(${text})`);
      const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
      const { name } = (await indexedDB.databases()).find(({ name }) => / panel /.test(name));
      const database = await done(indexedDB.open(name));
      const attempts = database.transaction("attempts", "readwrite").objectStore("attempts");
      const [rows, told] = [await done(attempts.getAll()), []];
      const [put, tell] = [(row) => void attempts.put(row), (intentId) => void told.push(intentId)];
      const found = work(rows, put, tell, ...args);
      await new Promise((resolve) => (attempts.transaction.oncomplete = resolve));
      database.close();
      for (const intentId of told) new BroadcastChannel(name).postMessage(intentId);
      return found;
    };
    return this.page.evaluate(run, work.toString(), args);
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
  openLive(attributes) {
    return this.open(`${this.url}live.html?${new URLSearchParams(attributes)}`);
  }

  /** Buys for an amount: types what is asked of a trade whose price nobody knows. */
  async buyUnseen(amount, fate) {
    await this.write("amount", amount);
    const asked = /^Type (\S+) to accept/.exec(await this.text(".send"))?.[1];
    if (asked) await this.write("ticket-accept", asked);
    await this.untilText(".send", `Buy ${amount} SOL`);
    await this.send(fate);
  }

  /** Begins instant mode with these limits. */
  async beginInstant(perTrade, session) {
    await this.inside((root) => (root.querySelector(".ticket .more").open = true));
    await this.write("instant-perTrade", perTrade);
    await this.write("instant-session", session);
    await this.press(".instant-limits .begin");
    await this.untilText(".instant", `${session} SOL of ${session} SOL left`);
    await this.painted();
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

  /** Waits until a text, or what fits a pattern, is there. */
  async untilText(selector, wanted) {
    const isIn = (text) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
    await this.until(`"${wanted}" in ${selector}`, async () => isIn((await this.text(selector)) ?? ""));
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

  /** Types into the field of this name, or label, in place of what is there. */
  async write(name, text) {
    const selector = `[name="${name}"], [aria-label="${name}"]`;
    await this.until(name, () => this.$(`:is(${selector})`));
    await this.inside(async (root, selector) => {
      const field = root.querySelector(selector);
      // On a phone it may be folded away.
      if (!field.checkVisibility() && field.closest(".terms")) root.querySelector(".fold").click();
      await root.host.updateComplete;
      field.focus();
      field.select();
    }, selector);
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

  /** What is shown in each of these. */
  texts(selector) {
    return this.inside(
      (root, selector) => [...root.querySelectorAll(selector)].map((one) => one.innerText.replace(/\s+/g, " ").trim()),
      selector,
    );
  }

  /** The rows of what was sent, the newest first. */
  attempts() {
    return this.texts(".attempt");
  }

  /** Where it is in the window. */
  box(selector) {
    return this.inside((root, selector) => root.querySelector(selector).getBoundingClientRect().toJSON(), selector);
  }

  /** Has a minute pass in the market once the panel tells of this; the drawer is open. */
  async letMinutePassOn(type) {
    await this.untilText(".drawer", "A minute passes now");
    await this.inside((root, type) => {
      const [button] = [...root.querySelectorAll(".drawer button")].filter(
        ({ innerText }) => innerText === "A minute passes now",
      );
      document.body.addEventListener(type, () => button.click(), { once: true });
    }, type);
  }
}
