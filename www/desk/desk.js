// <launchpad-desk>: a trading panel on a simulated launchpad.
//
//   keystroke ─ Ticket.request ─ check ─┬─ problems ─ fields
//                                       └─ quote ──── QuoteView
//   submit ──── TradeClient ─ sandbox.fetch ─ trade or error ─ renderHtml
//
// It is in the light DOM, so the page's stylesheet applies, and labels and descriptions find their fields.

import { TradeClient, renderHtml, view } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/launchpad";
import { check } from "./check.js";
import { CONDITIONS } from "./conditions.js";
import { el } from "./el.js";
import { holdingsView } from "./holdings-view.js";
import { QuoteView } from "./quote-view.js";
import { Ticket } from "./ticket.js";
import { tradesView } from "./trades-view.js";
import { readWorld } from "./world.js";

/** Outcomes after which the trade was certainly not made, so the ticket can stay for another try. */
const NOT_MADE = ["not_sent", "rejected", "failed"];

export class LaunchpadDesk extends HTMLElement {
  #sandbox;
  #client;
  #world;
  #ticket;
  #quote = new QuoteView();
  #outcome = el("div", { class: "outcome", "aria-live": "polite" });
  #holdings = el("div");
  #trades = el("div");
  #conditions = el(
    "select",
    { id: "conditions", change: () => this.#changeConditions() },
    ...CONDITIONS.map(({ name, label }) => el("option", { value: name }, label)),
  );
  #simulation = el(
    "fieldset",
    { class: "simulation" },
    el("div", { class: "field" }, el("label", { for: "conditions" }, "Conditions"), el("div", { class: "control" }, this.#conditions)),
    el("button", { type: "button", class: "quiet", click: () => this.#startOver() }, "Start over"),
  );
  #sending = false;

  connectedCallback() {
    if (this.#ticket) return;
    this.#use(new Sandbox());
    this.#world = readWorld(this.#sandbox);
    this.#ticket = new Ticket(this.#world, this.#quote.element, {
      edited: () => this.#edited(),
      submitted: () => this.#submit(),
    });
    this.replaceChildren(
      this.#ticket.element,
      el(
        "div",
        { class: "record" },
        card("Outcome", this.#outcome),
        card("Wallets", this.#holdings),
        card("Trades so far", this.#trades),
        card("Simulation", this.#simulation),
      ),
    );
    this.#say("Nothing sent yet.");
    this.#moved();
  }

  #use(sandbox) {
    this.#sandbox = sandbox;
    this.#client = new TradeClient({ fetch: sandbox.fetch });
  }

  get #config() {
    return CONDITIONS.find(({ name }) => name === this.#conditions.value).config;
  }

  /** Starts the simulation again under other conditions. */
  #changeConditions() {
    this.#use(Sandbox.restore(this.#sandbox.snapshot(), this.#config));
    this.#moved();
  }

  #startOver() {
    this.#use(new Sandbox(this.#config));
    this.#ticket.clearAmounts(this.#ticket.amounts);
    this.#say("The simulation starts over. Nothing sent yet.");
    this.#moved();
  }

  #say(text) {
    this.#outcome.replaceChildren(el("p", { class: "empty" }, text));
  }

  /** Checks and prices a changed ticket. Returns what is wrong with it. */
  #edited() {
    const { operation, request } = this.#ticket;
    const checked = check(this.#sandbox, operation.name, request);
    this.#ticket.show(this.#world, checked.problems);
    this.#quote.show(checked, this.#world, this.#ticket.token);
    return checked.problems;
  }

  /** Shows the changed sandbox, and what the ticket would do in it now. */
  #moved() {
    this.#world = readWorld(this.#sandbox);
    this.#holdings.replaceChildren(...holdingsView(this.#world));
    this.#trades.replaceChildren(...tradesView(this.#world));
    this.#edited();
  }

  async #submit() {
    if (this.#sending) return;
    const problems = this.#edited();
    if (problems.length) {
      this.#ticket.visit(problems);
      this.#edited();
      return;
    }
    this.#setSending(true);
    this.#say("Sending…");
    const { operation, request, amounts } = this.#ticket;
    const outcome = await this.#send(operation.name, request);
    this.#setSending(false);
    this.#outcome.innerHTML = renderHtml(outcome);
    if (!NOT_MADE.includes(view(outcome).status)) this.#ticket.clearAmounts(amounts);
    this.#moved();
    this.#outcome.scrollIntoView({ block: "nearest" });
  }

  /** Resolves to the trade or to what was thrown; a foreign error is shown as an unknown outcome. */
  async #send(operation, request) {
    try {
      return await this.#client[operation](request);
    } catch (error) {
      return error;
    }
  }

  /** One trade at a time, and no other simulation under one that is in flight. */
  #setSending(sending) {
    this.#sending = sending;
    this.#ticket.sending = sending;
    this.#simulation.disabled = sending;
  }
}

const card = (title, ...content) => el("section", { class: "card" }, el("h2", {}, title), ...content);
