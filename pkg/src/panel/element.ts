// <launchpad-desk>: the element, its attributes, its events and the order of its parts.

import { type CSSResultGroup, LitElement, type PropertyDeclarations, type PropertyValues, type TemplateResult, html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";
import type { SandboxConfig } from "../generated.js";
import { bundleStyles } from "./bundle/styles.js";
import { chartStyles, chartView } from "./chart.js";
import { curveStyles } from "./curve-view.js";
import { Desk, type DeskHost } from "./desk.js";
import type { DeskEvents } from "./events.js";
import { badgeView, drawerStyles, drawerView } from "./drawer.js";
import { copyExact } from "./figures.js";
import { headerStyles, headerView } from "./header.js";
import { historyStyles } from "./history.js";
import { type LiveToken, type LiveWallet, LiveWorld } from "./live.js";
import { messages } from "./messages.js";
import { outcomesView } from "./outcome.js";
import { SimulatedWorld } from "./simulated.js";
import { layoutStyles } from "./styles/layout.js";
import { ticketStyles } from "./styles/ticket.js";
import { tabsStyles, tabsView } from "./tabs.js";
import { tapeStyles, tapeView } from "./tape.js";
import { tokenStyles } from "./styles/tokens.js";
import { ticketView } from "./ticket.js";
import type { World } from "./world.js";

/** The properties that say which world it is, and those that say what is entered. */
const WORLDS = ["name", "mode", "baseUrl", "fixed", "token", "tokens", "wallets"];
const ENTRIES = ["mint", "wallet", "amount"] as const;

export class LaunchpadDesk extends LitElement {
  static override properties: PropertyDeclarations = {
    name: { type: String },
    mode: { type: String },
    baseUrl: { attribute: "base-url" },
    mint: { type: String },
    wallet: { type: String },
    amount: { type: String },
    fixed: { type: String },
    token: { attribute: false },
    tokens: { attribute: false },
    wallets: { attribute: false },
    sandbox: { attribute: false },
  };
  static override styles: CSSResultGroup = [tokenStyles, layoutStyles, headerStyles, chartStyles, curveStyles, tapeStyles, drawerStyles, ticketStyles, tabsStyles, historyStyles, bundleStyles];

  declare name: string;
  declare mode: "simulated" | "live" | null;
  declare baseUrl: string | null;
  declare mint: string | null;
  declare wallet: string | null;
  declare amount: string | null;
  declare fixed: string | null;
  declare token: string | undefined;
  declare tokens: readonly LiveToken[];
  declare wallets: readonly LiveWallet[];
  declare sandbox: SandboxConfig | undefined;
  #desk: Desk | undefined;
  #broken: string | undefined;
  /** Whether it was put into a page, and has not opened yet. */
  #due = false;
  /** Counts openings: one that was overtaken closes what it has opened. */
  #opening = 0;

  constructor() {
    super();
    this.name = "desk";
    this.mode = this.baseUrl = this.mint = this.wallet = this.amount = this.fixed = null;
    this.tokens = this.wallets = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#due = true;
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#close();
  }

  /** Opens once a page has said what it says at first; what it changes later opens another world, or is entered. */
  protected override updated(changed: PropertyValues): void {
    if (!this.isConnected) return;
    if (this.#due || WORLDS.some((name) => changed.has(name))) {
      this.#due = false;
      void this.#open();
    } else if (this.#desk?.fixed.mint && changed.has("mint")) void this.#open();
    else if (this.#desk) {
      const named = ENTRIES.filter((name) => changed.has(name));
      if (named.length) this.#enter(this.#desk, named);
    }
  }

  #close(): void {
    this.#opening++;
    this.#desk?.close();
    this.#desk = undefined;
  }

  async #open(): Promise<void> {
    this.#close();
    const opening = this.#opening;
    this.#broken = undefined;
    this.requestUpdate();
    try {
      const fixed = this.fixed?.split(/\s+/) ?? [];
      const desk = await Desk.open(this.#host(), await this.#world(), { mint: fixed.includes("mint"), amount: fixed.includes("amount") });
      if (opening !== this.#opening) return desk.close();
      try {
        this.#enter(desk, ENTRIES);
      } catch (error) {
        desk.close();
        throw error;
      }
      this.#desk = desk;
    } catch (error) {
      if (opening !== this.#opening) return;
      this.#broken = error instanceof Error ? error.message : String(error);
    }
    this.requestUpdate();
  }

  /** The world that the attributes name, and no other. */
  async #world(): Promise<World> {
    const { mode, baseUrl, mint, wallet } = this;
    if (mode !== null && mode !== "simulated" && mode !== "live") throw new Error(messages.live.unknownMode(mode));
    if (mode === "simulated" || (mode === null && baseUrl === null)) return SimulatedWorld.open(this.name, this.sandbox);
    if (!baseUrl) throw new Error(messages.live.noGateway);
    const tokens = mint && !this.tokens.some((token) => token.mint === mint) ? [{ mint }, ...this.tokens] : this.tokens;
    const wallets = wallet && !this.wallets.some((known) => known.wallet === wallet) ? [{ wallet }, ...this.wallets] : this.wallets;
    return LiveWorld.open(baseUrl, this.token, tokens, wallets);
  }

  /**
   * Enters what the page has named just now, where this world has it; the rest is as the trader has left it. A token that the trader
   * cannot change must be there.
   */
  #enter(desk: Desk, names: readonly (typeof ENTRIES)[number][]): void {
    const [mint, wallet, amount] = ENTRIES.map((name) => (names.includes(name) ? this[name] : null));
    if (desk.fixed.mint && mint && !desk.tokenOf(mint)) throw new Error(messages.panel.noToken(mint));
    desk.set({ ...(mint && desk.tokenOf(mint) && { mint }), ...(wallet && desk.walletOf(wallet) && { wallet }), ...(amount && { amount }) });
  }

  #host(): DeskHost {
    return {
      changed: () => this.requestUpdate(),
      replaced: () => void this.#open(),
      focus: (selector) => void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(selector)?.focus()),
      tell: <E extends keyof DeskEvents>(event: E, detail: DeskEvents[E]) => void this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true })),
    };
  }

  protected override render(): TemplateResult {
    const desk = this.#desk;
    if (!desk) return this.#closed();
    // One line a part. A keystroke changes only what shows its order.
    const { changes, entry, ticket, sheet } = desk;
    const part = (view: (desk: Desk) => unknown, edits = 0) => guard([desk, changes, entry.mint, entry.wallet, edits], () => view(desk));
    return html`
      <div class="desk" @copy=${copyExact}>
        <div class="world">${part(badgeView)}</div>
        <div class="head">${part(drawerView)} ${part(headerView)}</div>
        ${desk.world.simulated ? html`<div class="market">${part(chartView, ticket.edits)} ${part(tapeView)}</div>` : nothing}
        <div class="side"><div class="stay">${part(ticketView, ticket.edits)} ${part(outcomesView)}</div></div>
        <div class="below">${part(tabsView, sheet.slip.edits)}</div>
        <p class="spoken" role="status">${desk.speech.polite}</p>
        <p class="spoken" role="alert">${desk.speech.urgent}</p>
      </div>
    `;
  }

  #closed(): TemplateResult {
    if (!this.#broken) return html`<p class="opening" role="status">${messages.panel.opening}</p>`;
    return html`
      <div class="opening">
        <p role="alert">${messages.panel.broken(this.#broken)}</p>
        ${this.mode === "live" || this.baseUrl ? html`<button type="button" class="button" @click=${() => this.#open()}>${messages.live.again}</button>` : nothing}
      </div>
    `;
  }
}
