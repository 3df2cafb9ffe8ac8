// The ticket: the form in which a trade is written.

import { el } from "./el.js";
import { field, showProblem, showReading } from "./field.js";
import { bundleLegs, singleLeg, walletField } from "./legs.js";
import { OPERATIONS } from "./operations.js";
import { reading } from "./readings.js";
import { controlsOf, readRequest } from "./request.js";

export class Ticket {
  element;
  /** Tells anyone who reads the ticket that it has changed. */
  edited;
  /** The sandbox's state as last shown. */
  world;
  #legs = el("div", { class: "legs" });
  #optionalPayer = el("div");
  #more;
  #moreTitle = el("summary");
  #unplaced = el("p", { class: "problem" });
  #send = el("button", { class: "send" });
  /** Controls that the trader has visited: only these show problems. */
  #visited = new WeakSet();

  /**
   * @param {object} world
   * @param {HTMLElement} quote what stands between the fields and the button
   * @param {{ edited: () => void, submitted: () => void }} on
   */
  constructor(world, quote, { edited, submitted }) {
    this.world = world;
    this.edited = edited;
    this.#more = el(
      "details",
      {},
      this.#moreTitle,
      this.#optionalPayer,
      field({ name: "priorityUnitLimit", label: "Priority unit limit", reads: "units", unit: "units", placeholder: "200000 a trade" }),
      field({ name: "priorityUnitPrice", label: "Priority unit price", reads: "units", unit: "micro-lamports", placeholder: "0" }),
    );
    this.element = el(
      "form",
      {
        class: "ticket card",
        // The core checks, with the same words everywhere, instead of the browser.
        novalidate: "",
        input: (event) => this.#changed(event.target),
        submit: (event) => {
          event.preventDefault();
          submitted();
        },
      },
      el("h2", {}, "Trade"),
      el("fieldset", { class: "operations" }, el("legend", {}, "Operation"), ...OPERATIONS.map(operationChoice)),
      field({ name: "mint", label: "Token", reads: "text", options: world.tokens.map(({ mint, symbol, name }) => [mint, `${name} (${symbol})`]) }),
      this.#legs,
      field({ name: "slippage", label: "Slippage", reads: "slippage", unit: "%", placeholder: "0.5" }),
      this.#more,
      this.#unplaced,
      quote,
      this.#send,
    );
    this.#writeLegs();
  }

  get operation() {
    return OPERATIONS.find(({ name }) => name === this.element.elements.operation.value);
  }

  get request() {
    return readRequest(this.element);
  }

  /** The token that is picked. */
  get token() {
    return this.world.token(this.element.elements.mint.value);
  }

  /** Shows the world as it is now, and what is wrong with the request. */
  show(world, problems) {
    this.world = world;
    const controls = controlsOf(this.element);
    for (const control of controls) {
      showReading(control, reading(control, this));
      showProblem(control, this.#visited.has(control) ? problems.find(({ field }) => field === control.name) : undefined);
    }
    for (const unit of this.#legs.querySelectorAll(".amount .unit")) unit.textContent = this.operation.amount.unit(this.token);
    const unplaced = problems.filter(({ field }) => !controls.some(({ name }) => name === field));
    this.#unplaced.textContent = unplaced.map(({ message }) => message).join("; ");
  }

  /** Makes every bad field show its problem from now on, and focuses the first. */
  visit(problems) {
    const controls = controlsOf(this.element);
    for (const control of controls) this.#visited.add(control);
    const first = controls.find(({ name }) => problems.some(({ field }) => field === name));
    if (this.#more.contains(first)) this.#more.open = true;
    first?.focus();
  }

  /** While a trade is in flight the button says so; it keeps the focus, so it is not disabled outright. */
  set sending(sending) {
    this.#send.setAttribute("aria-disabled", String(sending));
    this.#labelSend();
  }

  /** The current amounts: control → text. */
  get amounts() {
    return new Map([...this.#legs.querySelectorAll(".amount input")].map((control) => [control, control.value]));
  }

  /** Clears these amounts, so that a second press does not send the same trade again; later edits stay. */
  clearAmounts(amounts) {
    for (const [control, text] of amounts) {
      if (control.value !== text) continue;
      control.value = "";
      this.#visited.delete(control);
    }
  }

  #changed(control) {
    this.#visited.add(control);
    if (control.name === "operation") this.#writeLegs();
    this.edited();
  }

  #writeLegs() {
    const { list, side } = this.operation;
    this.#legs.replaceChildren(...(list ? bundleLegs(this) : singleLeg(this)));
    // A bundle must name its payer, so the field is always visible there.
    const payer = list ? [] : [walletField("feePayer", "Fee payer", this.world.wallets, [["", "The trading wallet"]])];
    this.#optionalPayer.replaceChildren(...payer);
    this.#moreTitle.textContent = list ? "Priority" : "Fee payer and priority";
    this.element.dataset.side = side;
    this.#labelSend();
  }

  #labelSend() {
    this.#send.textContent = this.#send.ariaDisabled === "true" ? "Sending…" : this.operation.label;
  }
}

const operationChoice = ({ name, label }, index) =>
  el(
    "label",
    { class: "operation" },
    el("input", { type: "radio", name: "operation", value: name, checked: index === 0 ? "" : undefined }),
    el("span", {}, label),
  );
