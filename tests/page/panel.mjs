// The panel as a trader meets it: its labels, its text, its keys.

import { setTimeout as pause } from "node:timers/promises";

/** How long anything may take. Only a failure waits so long. */
const PATIENCE_MS = 240_000;

export class Panel {
  /** What a page must never do: complaints, errors, requests to anywhere else. */
  faults = [];

  constructor(page, url) {
    this.page = page;
    this.url = url;
    page.on("console", (message) => this.faults.push(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.faults.push(`page error: ${error.message}`));
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:")) this.faults.push(`request to ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.faults.push(`${response.status()} of ${response.url()}`);
    });
  }

  async open() {
    await this.page.goto(this.url);
    await this.until("the panel", () => this.page.$(".ticket"));
  }

  /** Waits until `what` is so, and resolves to what `look` found. */
  async until(what, look) {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found) return found;
      if (Date.now() > end) throw new Error(`waited in vain for ${what}; the page says:\n${await this.text("body")}`);
      await pause(50);
    }
  }

  /** What is shown there, or undefined where there is nothing. */
  text(selector) {
    return this.page.evaluate((selector) => document.querySelector(selector)?.innerText.replace(/\s+/g, " ").trim(), selector);
  }

  async untilText(selector, wanted) {
    await this.until(`"${wanted}" in ${selector}`, async () => (await this.text(selector))?.includes(wanted));
  }

  attribute(selector, name) {
    return this.page.evaluate((selector, name) => document.querySelector(selector).getAttribute(name), selector, name);
  }

  choose(operation) {
    return this.page.click(`.operation:has([value="${operation}"])`);
  }

  pick(name, value) {
    return this.page.select(`[name="${name}"]`, value);
  }

  conditions(name) {
    return this.page.select("#conditions", name);
  }

  async write(name, text) {
    await this.page.focus(`[name="${name}"]`);
    await this.page.evaluate(() => document.activeElement.select());
    await this.page.keyboard.press("Backspace");
    await this.page.keyboard.type(text);
  }

  value(name) {
    return this.page.evaluate((name) => document.querySelector(`[name="${name}"]`).value, name);
  }

  /** Presses the button and waits for an outcome of this status. */
  async send(status) {
    await this.page.click(".send");
    await this.outcome(status);
  }

  async outcome(status) {
    await this.until(`an outcome "${status}"`, () => this.page.$(`.outcome .trade-${status}`));
  }

  /** A fact of the quote by its name. */
  fact(name) {
    return this.page.evaluate((name) => {
      const terms = [...document.querySelectorAll(".quote dt")];
      return terms.find((term) => term.textContent === name)?.nextElementSibling.textContent;
    }, name);
  }

  /** What a wallet holds as the panel lists it: { level, SOL, … }. */
  wallet(label) {
    return this.page.evaluate((label) => {
      const item = [...document.querySelectorAll(".wallets > li")].find((item) => item.querySelector("h3").firstChild.data === label);
      const holdings = [...item.querySelectorAll("dt")].map((term) => [term.textContent, term.nextElementSibling.textContent]);
      return { level: item.querySelector(".level").textContent, ...Object.fromEntries(holdings) };
    }, label);
  }

  trades() {
    return this.page.evaluate(() => [...document.querySelectorAll(".trades > li")].map((item) => item.innerText.replace(/\s+/g, " ")));
  }

  /** What is wrong with a field: its text, and whether the control is marked and described by it. */
  problem(name) {
    return this.page.evaluate((name) => {
      const control = document.querySelector(`[name="${name}"]`);
      const described = control.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id));
      const shown = described.find((part) => part?.className === "problem");
      return { text: shown.textContent, visible: shown.getClientRects().length > 0, invalid: control.getAttribute("aria-invalid") };
    }, name);
  }
}
