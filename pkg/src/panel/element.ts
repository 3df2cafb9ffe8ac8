// <launchpad-desk>: the element, its attributes, its events and the order of its parts.

import { type CSSResultGroup, LitElement, type PropertyDeclarations, type TemplateResult, html } from "lit";
import { chartStyles, chartView } from "./chart.js";
import { curveStyles } from "./curve-view.js";
import { Desk, type DeskEvents } from "./desk.js";
import type { SandboxConfig } from "../generated.js";
import { badgeView, drawerStyles, drawerView } from "./drawer.js";
import { copyExact } from "./figures.js";
import { headerStyles, headerView } from "./header.js";
import { messages } from "./messages.js";
import { outcomesView } from "./outcome.js";
import { SimulatedWorld } from "./simulated.js";
import { layoutStyles } from "./styles/layout.js";
import { ticketStyles } from "./styles/ticket.js";
import { tapeStyles, tapeView } from "./tape.js";
import { tokenStyles } from "./styles/tokens.js";
import { ticketView } from "./ticket.js";

export class LaunchpadDesk extends LitElement {
  static override properties: PropertyDeclarations = { name: { type: String }, sandbox: { attribute: false }, mint: { type: String }, wallet: { type: String } };
  static override styles: CSSResultGroup = [tokenStyles, layoutStyles, headerStyles, chartStyles, curveStyles, tapeStyles, drawerStyles, ticketStyles];

  /** Under which the panel's simulated market is kept. */
  declare name: string;
  /** What its sandbox begins with; taken when the element is put into a page. Default: a market that moves by itself. */
  declare sandbox: SandboxConfig | undefined;
  declare mint: string | null;
  declare wallet: string | null;
  #desk: Desk | undefined;
  #broken: string | undefined;

  constructor() {
    super();
    this.name = "desk";
    this.mint = this.wallet = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#desk?.close();
    this.#desk = undefined;
  }

  async #open(): Promise<void> {
    try {
      const host = { changed: () => this.requestUpdate(), replaced: () => this.#reopen(), tell: <E extends keyof DeskEvents>(event: E, detail: DeskEvents[E]) => this.#tell(event, detail) };
      const desk = await Desk.open(host, await SimulatedWorld.open(this.name, this.sandbox));
      if (!this.isConnected || this.#desk) return desk.close();
      this.#desk = desk;
      desk.enter({ ...(this.mint && { mint: this.mint }), ...(this.wallet && { wallet: this.wallet }) });
    } catch (error) {
      this.#broken = error instanceof Error ? error.message : String(error);
    }
    this.requestUpdate();
  }

  /** After "start over": the same page, another world. */
  #reopen(): void {
    this.#desk?.close();
    this.#desk = undefined;
    void this.#open();
  }

  #tell(event: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true }));
  }

  protected override render(): TemplateResult {
    const desk = this.#desk;
    if (!desk) return html`<p class="opening" role="status">${this.#broken ? messages.panel.broken(this.#broken) : messages.panel.opening}</p>`;
    // One line a part.
    return html`
      <div class="desk" @copy=${copyExact}>
        <div class="head">
          <div class="world">${badgeView(desk)}</div>
          ${drawerView(desk)} ${headerView(desk)}
        </div>
        <div class="market">${chartView(desk)} ${tapeView(desk)}</div>
        <div class="side">${ticketView(desk)}</div>
        <div class="below">${outcomesView(desk)}</div>
      </div>
    `;
  }
}
