// <launchpad-desk>: the element, its attributes, its events and the order of its parts.

import {
  type CSSResultGroup,
  LitElement,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
  adoptStyles,
  html,
  nothing,
} from "lit";
import { guard } from "lit/directives/guard.js";
import type { SandboxConfig } from "../generated.js";
import type { Desk, DeskHost, Fixed } from "./desk.js";
import type { SolRate } from "./market/dollars.js";
import type { DeskEvents } from "./events.js";
import { type FirstEntry, firstTicketView } from "./ticket/first-ticket.js";
import { speak, table } from "./language.js";
import { messages } from "./messages.js";
import type * as Opened from "./opened.js";
import { layoutStyles } from "./styles/layout.js";
import { ticketStyles } from "./styles/ticket.js";
import { tokenStyles } from "./styles/tokens.js";
import { painted } from "./turns.js";
import type { LiveToken, LiveWallet, Offers, World } from "./worlds/world.js";

/** The steps in which a desk is first shown: what is needed to trade, then the market, then the tabs. So no step blocks the page for long. */
const STEPS = { token: 1, ticket: 2, market: 3, below: 4 };
const ALL_STEPS = STEPS.below;

/** The properties that fill in the ticket. */
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
    walletsShared: { attribute: false },
    sendWithinMs: { attribute: "send-within-ms", type: Number },
    sandbox: { attribute: false },
    words: { attribute: false },
    solPriceUsd: { attribute: false, noAccessor: true },
  };
  /** What is shown before the rest is loaded needs these. */
  static override styles: CSSResultGroup = [tokenStyles, layoutStyles, ticketStyles];

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
  declare walletsShared: boolean;
  declare sendWithinMs: number | null;
  declare sandbox: SandboxConfig | undefined;
  declare words: Readonly<Record<string, string>> | undefined;
  #rate: SolRate | undefined;
  #desk: Desk | undefined;
  /** All but the element itself, once it is loaded. */
  #opened: typeof Opened | undefined;
  /** What was entered before the desk was there. */
  #first: FirstEntry = { side: "buy", amount: "" };
  /** What the page asked for when it opened last. */
  #asked = "";
  /** What it last let the trader trade there. */
  #offered = "";
  /** The desk that was closed last. */
  #last: Desk | undefined;
  /** What the page has named for the ticket since it was entered last. */
  #named = new Set<(typeof ENTRIES)[number]>();
  #steps = 0;
  #broken: string | undefined;
  /** Whether it is in a page, but has not opened yet. */
  #due = false;
  /** The panel of the page that was used last: a key that is pressed elsewhere is for that one. */
  static #usedLast: LaunchpadDesk | undefined;
  static readonly #connected = new Set<LaunchpadDesk>();
  /** What happened in a panel. A closed shadow root around it hides that at the document. */
  static readonly #inside = new WeakSet<Event>();
  /** Counts openings: one that is overtaken by the next closes what it has opened. */
  #opening = 0;

  constructor() {
    super();
    this.name = "desk";
    this.mode = this.baseUrl = this.mint = this.wallet = this.amount = this.fixed = this.sendWithinMs = null;
    this.tokens = this.wallets = [];
    this.walletsShared = true;
    for (const event of ["keydown", "focusin", "pointerdown"]) this.addEventListener(event, this.#used);
  }

  get solPriceUsd(): string | undefined {
    return this.#rate?.usd;
  }

  /** Each time that it is set counts, with the same text, too. */
  set solPriceUsd(usd: string | null | undefined) {
    this.#rate = usd === undefined || usd === null ? undefined : { usd, atMs: Date.now() };
    this.#desk?.dollars.set(this.#rate);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    for (const event of ["resize", "scroll"]) globalThis.visualViewport?.addEventListener(event, this.#clearKeyboard);
    document.addEventListener("keydown", this.#pressed);
    LaunchpadDesk.#usedLast ??= this;
    LaunchpadDesk.#connected.add(this);
    this.#due = true;
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("keydown", this.#pressed);
    LaunchpadDesk.#connected.delete(this);
    if (LaunchpadDesk.#usedLast === this) LaunchpadDesk.#usedLast = undefined;
    for (const event of ["resize", "scroll"])
      globalThis.visualViewport?.removeEventListener(event, this.#clearKeyboard);
    this.#close();
  }

  readonly #used = (event: Event): void => {
    LaunchpadDesk.#usedLast = this;
    LaunchpadDesk.#inside.add(event);
  };

  /** Hears keys that are pressed outside of the panels: those inside have been heard there. */
  readonly #pressed = (event: KeyboardEvent): void => {
    const desk = this.#desk;
    if (desk?.choices.keysEverywhere && LaunchpadDesk.#usedLast === this && !LaunchpadDesk.#inside.has(event))
      this.#opened?.pressKeyOutside(event, desk);
  };

  /** What sticks to the lower edge stands above a keyboard on the screen, which covers a part of the window, and below what is typed. */
  readonly #clearKeyboard = (): void => {
    const [desk, view] = [this.renderRoot.querySelector<HTMLElement>(".desk"), globalThis.visualViewport];
    if (!desk || !view) return;
    const covered = innerHeight - view.height * view.scale - (view.scale === 1 ? view.offsetTop : 0);
    const keyboard = `${Math.max(0, Math.round(covered))}px`;
    if (desk.style.getPropertyValue("--_keyboard") === keyboard) return;
    desk.style.setProperty("--_keyboard", keyboard);
    this.renderRoot.querySelector(".ticket :focus")?.scrollIntoView({ block: "nearest" });
  };

  /** Opens once the page has set the first properties. A later change opens another world, or is entered into the ticket. */
  protected override updated(changed: PropertyValues): void {
    for (const name of ENTRIES) if (changed.has(name)) this.#named.add(name);
    if (!this.isConnected) return;
    if (this.#steps >= STEPS.ticket) this.#desk?.ticket.rendered();
    if (this.#steps >= STEPS.below && this.#desk?.shown.tab === "bundle") this.#desk.bundle.form.rendered();
    if (this.#steps < ALL_STEPS) void this.#showNextStep(this.#desk, this.#steps);
    const [desk, isNew] = [this.#desk, this.#offered !== contentOf(this.#offers)];
    if (this.#due || this.#asked !== this.#asks || (isNew && !desk) || (desk?.fixed.mint && changed.has("mint"))) {
      this.#due = false;
      void this.#open();
    } else if (desk && isNew) this.#offer(desk);
    else if (desk && this.#named.size) this.#enter(desk, this.#named);
  }

  /** The world that the page asks for. */
  get #asks(): string {
    const { name, mode, baseUrl, fixed, token, walletsShared, sendWithinMs } = this;
    return JSON.stringify([name, mode, baseUrl, fixed, token, walletsShared, sendWithinMs]);
  }

  get #isSimulated(): boolean {
    return this.mode === "simulated" || (this.mode === null && this.baseUrl === null);
  }

  /** What the trader may trade in a world that is not simulated. */
  get #offers(): Offers {
    if (this.#isSimulated) return { tokens: [], wallets: [] };
    const { mint, wallet } = this;
    const [tokens, wallets] = [this.tokens ?? [], this.wallets ?? []];
    return {
      tokens: mint && !tokens.some((token) => token.mint === mint) ? [{ mint }, ...tokens] : tokens,
      wallets: wallet && !wallets.some((known) => known.wallet === wallet) ? [{ wallet }, ...wallets] : wallets,
    };
  }

  /** The page has changed what the trader may trade: all the rest stays, unless what is chosen is gone. */
  #offer(desk: Desk): void {
    const offers = this.#offers;
    this.#offered = contentOf(offers);
    const isThere = desk.offer(offers, () => this.#enter(desk, this.#named));
    if (!isThere) void this.#open();
  }

  #close(): void {
    this.#opening++;
    this.#desk?.close();
    this.#last = this.#desk ?? this.#last;
    this.#desk = undefined;
  }

  async #open(): Promise<void> {
    this.#close();
    const opening = this.#opening;
    const offers = this.#offers;
    [this.#asked, this.#offered] = [this.#asks, contentOf(offers)];
    this.#broken = undefined;
    this.requestUpdate();
    try {
      const opened = await this.#load();
      const fixed = { mint: this.#isFixed("mint"), amount: this.#isFixed("amount") };
      const desk = await opened.Desk.open(this.#host(), await this.#world(opened, offers), fixed);
      if (opening !== this.#opening) return desk.close();
      try {
        const named = new Set(this.#named);
        this.#enter(desk, new Set(ENTRIES));
        if (this.#last && desk.resumeFrom(this.#last, named)) this.#enter(desk, named);
        this.#enterFirst(desk);
        desk.dollars.set(this.#rate);
      } catch (error) {
        desk.close();
        throw error;
      }
      this.#desk = desk;
      this.#steps = STEPS.token;
    } catch (error) {
      if (opening !== this.#opening) return;
      this.#broken = error instanceof Error ? error.message : String(error);
    }
    this.requestUpdate();
  }

  /** Loads the rest, once the places of its parts are painted. */
  async #load(): Promise<typeof Opened> {
    if (this.#opened) return this.#opened;
    const [opened] = await Promise.all([import("./opened.js"), painted()]);
    adoptStyles(this.renderRoot as ShadowRoot, opened.styles);
    return (this.#opened = opened);
  }

  #isFixed(what: keyof Fixed): boolean {
    return this.fixed?.split(/\s+/).includes(what) ?? false;
  }

  /** Opens the world that the attributes name; there is no fallback. */
  async #world({ LiveWorld, SimulatedWorld }: typeof Opened, offers: Offers): Promise<World> {
    const { mode, baseUrl } = this;
    if (mode !== null && mode !== "simulated" && mode !== "live") throw new Error(messages.live.unknownMode(mode));
    if (this.#isSimulated) return SimulatedWorld.open(this.name, this.sandbox);
    if (!baseUrl) throw new Error(messages.live.noGateway);
    const { token, walletsShared, sendWithinMs } = this;
    return LiveWorld.open({ baseURL: baseUrl, token, offers, walletsShared, momentMs: sendWithinMs ?? undefined });
  }

  /** Enters what the page has just set, if this world has it; the rest stays as it is. A token that the trader cannot change must exist. */
  #enter(desk: Desk, names: ReadonlySet<(typeof ENTRIES)[number]>): void {
    const [mint, wallet, amount] = ENTRIES.map((name) => (names.has(name) ? this[name] : null));
    this.#named.clear();
    if (desk.fixed.mint && mint && !desk.tokenOf(mint)) throw new Error(messages.panel.noToken(mint));
    // It is SOL to spend, whichever side the trader has chosen.
    if (amount) desk.entry.fill(amount);
    desk.set({ ...(mint && desk.tokenOf(mint) && { mint }), ...(wallet && desk.walletOf(wallet) && { wallet }) });
  }

  /** Enters what was typed while the desk was loading; the focus stays where it was. */
  #enterFirst(desk: Desk): void {
    const { side, amount } = this.#first;
    if (this.#isFixed("amount")) return;
    if (side !== "buy" || amount) desk.set({ side, ...(amount && { amount }) });
    this.#first = { side: "buy", amount: "" };
  }

  #host(): DeskHost {
    return {
      changed: () => this.requestUpdate(),
      replaced: () => void this.#open(),
      dress: (styles) => adoptStyles(this.renderRoot as ShadowRoot, [...(this.#opened?.styles ?? []), styles]),
      focus: (selector) => this.#focus(selector),
      focusLater: () => this.#focusLater(),
      tell: <E extends keyof DeskEvents>(event: E, detail: DeskEvents[E]) =>
        void this.dispatchEvent(new CustomEvent(event, { detail, bubbles: true, composed: true })),
    };
  }

  #focus(selector: string): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(selector)?.focus());
  }

  #focusLater(): (selector: string) => void {
    const focused = (): Element | null => (this.renderRoot as ShadowRoot).activeElement ?? document.activeElement;
    const before = focused();
    return (selector) => {
      const now = focused();
      // What had it may be gone: then nothing has it, which a browser calls the body.
      if (now === before || now === document.body) this.#focus(selector);
    };
  }

  /** Shows the next step, once the page has painted this one. */
  async #showNextStep(desk: Desk | undefined, steps: number): Promise<void> {
    if (!desk) return;
    await painted();
    if (desk !== this.#desk || steps !== this.#steps) return;
    // The form that was there first goes: its field has another in its place.
    const hadFocus = this.#steps + 1 === STEPS.ticket && this.renderRoot.querySelector(".ticket-place :focus") !== null;
    this.#steps++;
    this.requestUpdate();
    if (hadFocus) this.#focus('.ticket [name="amount"]');
  }

  /** The panels of a page have one language, that of the last table; what is not held is priced, and so said, anew. */
  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("words")) return;
    speak(this.words);
    for (const panel of LaunchpadDesk.#connected) {
      panel.#desk?.world.moved();
      panel.requestUpdate();
    }
  }

  protected override render(): TemplateResult {
    if (this.#broken !== undefined) return this.#refusal(this.#broken);
    const [desk, opened] = [this.#desk, this.#opened];
    const hasMarket = desk ? desk.world.hasMarket : this.mode !== "live" && !this.baseUrl;
    // A line for each part. A part that is not shown yet has a placeholder.
    const part = (step: number, name: keyof typeof Opened.parts, place: unknown = nothing) => {
      if (!desk || !opened || this.#steps < step) return place;
      const [view, of] = opened.parts[name];
      return guard([desk, desk.changes, table, ...of(desk)], () => view(desk));
    };
    return html`
      <div class="desk" translate="no" tabindex="-1" @keydown=${(event: KeyboardEvent) => desk && opened?.pressKey(event, desk)} aria-busy=${!desk || this.#steps < ALL_STEPS} @copy=${(event: ClipboardEvent) => opened?.copyExact(event)}>
        <div class="world">${part(STEPS.token, "world", html`<p class="small quiet" role="status">${messages.panel.opening}</p>`)}</div>
        <div class="head">${part(STEPS.token, "keys")} ${part(STEPS.token, "drawer")} ${part(STEPS.token, "header", placeOf("header"))}</div>
        ${hasMarket ? html`<div class="market">${part(STEPS.market, "chart", placeOf("chart"))} ${part(STEPS.market, "trades", placeOf("trades"))}</div>` : nothing}
        <div class="side"><div class="stay">${part(STEPS.ticket, "ticket", this.#ticketPlace())} ${part(STEPS.ticket, "outcomes")}</div></div>
        <div class="below">${part(STEPS.below, "tabs")}</div>
        ${part(STEPS.below, "reach")}
        <p class="spoken" role="status">${desk?.speech.polite}</p>
        <p class="spoken" role="alert">${desk?.speech.urgent}</p>
      </div>
    `;
  }

  /** The ticket's place: in it a form that can be filled in meanwhile. */
  #ticketPlace(): TemplateResult {
    const amount = this.#first.amount || (this.#first.side === "buy" ? (this.amount ?? "") : "");
    return html`<div class="place ticket-place">${firstTicketView({ ...this.#first, amount }, this.#isFixed("amount"), (first) => this.#changeFirst(first))}</div>`;
  }

  #changeFirst(first: FirstEntry): void {
    this.#first = first;
    this.requestUpdate();
  }

  #refusal(reason: string): TemplateResult {
    return html`
      <div class="opening" translate="no">
        <p role="alert">${messages.panel.broken(reason)}</p>
        ${this.mode === "live" || this.baseUrl ? html`<button type="button" class="button" @click=${() => this.#open()}>${messages.live.again}</button>` : nothing}
      </div>
    `;
  }
}

/** What is compared of them: a page may make its lists anew at each render. */
const contentOf = ({ tokens, wallets }: Offers): string =>
  JSON.stringify([
    tokens.map(({ mint, symbol, name, decimals }) => [mint, symbol, name, String(decimals)]),
    wallets.map(({ wallet, label }) => [wallet, label]),
  ]);

/** An empty card, as high as the part that will replace it. */
const placeOf = (part: string): TemplateResult => html`<div class="card place ${part}" aria-hidden="true"></div>`;
