// The simulated world: a sandbox with a moving market. A timer moves it while somebody watches, and it survives a reload.

import type { Curve, ExitLook } from "launchpad-desk/market";
import type { Sandbox } from "launchpad-desk/sandbox";
import type {
  Candle,
  FaultConfig,
  MarketTrade,
  MarketTrades,
  Operation,
  RequestOf,
  SandboxConfig,
  SandboxWallet,
  TradeQuote,
} from "../../generated.js";
import type { WalletBalances } from "launchpad-desk";
import type { StateInIndexedDB } from "launchpad-desk/browser";
import { newId } from "../../runtime.js";
import { messages } from "../messages.js";
import { MARKET, PAST_MS, TOKENS } from "./first-market.js";
import { type Keepable, Place, type WorldSettings } from "./kept-world.js";
import { shownName, tokenView } from "./token-view.js";
import { atRest } from "../turns.js";
import type { Maths, TokenPast, TokenView, WalletView, World } from "./world.js";
import { type InJson, inJson } from "../../json.js";

/** How often the market moves while it is watched, in real milliseconds. */
const TICK_MS = 400;
/** What can go wrong with a trade, by the name that the drawer offers. */
export const FAULTS: Record<string, FaultConfig["oneOf"]> = {
  none: undefined,
  slippage: [{ kind: "transactionFails" }],
  busy: [{ kind: "rateLimited" }],
  lost: [{ kind: "noAnswer" }],
  dropped: [{ kind: "dropped" }],
  broken: [{ kind: "errorBefore", status: 503 }],
  garbled: [{ kind: "garbled" }],
  refused: [{ kind: "refused" }],
  slow: [{ kind: "none", latencyMs: 3_000 }],
};

/** The longest candles that it makes: of whole minutes of the clock, as its time begins with one. */
const LONGEST_MS = 60_000;
/** The most trades of a token that are asked for. */
const MOST_REMEMBERED = 6_000;

/** How fast the market's time may pass. */
export const SPEEDS = [0, 1, 4, 16] as const;

/** The class that a simulated panel alone loads. */
type Sandboxes = typeof Sandbox;

/** What stays when a world starts over. */
interface Lasting {
  readonly maths: Maths;
  readonly sandboxes: Sandboxes;
  readonly config: SandboxConfig | undefined;
  readonly place: Place | undefined;
}

/** The worlds of this page: panels of the same name share one. */
const worlds = new Map<string, Promise<SimulatedWorld>>();

export class SimulatedWorld implements World {
  readonly kind = "sandbox";
  readonly hasMarket = true;
  readonly simulated = true;
  readonly maths: Maths;
  readonly #lasting: Lasting;
  #sandbox: Sandbox;
  #settings: WorldSettings;
  /** Null while that is not known yet. */
  #kept: StateInIndexedDB | undefined | null = null;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Resolves once it is stored, or cannot be. */
  #keeping: Promise<boolean> | undefined;
  /** Requests in flight: meanwhile the sandbox must not be replaced. */
  #busy = 0;
  #idle: (() => void)[] = [];
  /** What was read from the sandbox since it last moved. */
  #read: {
    tokens?: TokenView[];
    wallets?: WalletView[];
    candles: Map<string, Candle[]>;
    trades: Map<string, MarketTrade[]>;
  } = { candles: new Map(), trades: new Map() };
  /** How many base units a new token's curve has to sell. */
  #toSell = 0n;
  /** Where its changes are kept. */
  #store: ((changes: { key: string; row: string }[]) => void) | null = null;

  private constructor(lasting: Lasting, sandbox: Sandbox, settings: WorldSettings) {
    this.maths = lasting.maths;
    this.#lasting = lasting;
    this.#sandbox = sandbox;
    this.#settings = settings;
    this.#adopt(sandbox);
    document.addEventListener("visibilitychange", () => this.#watch());
  }

  /** Opens the world of this name: the stored one, or a new one made with `config`. Panels of one page that use the same name share it. */
  static open(name: string, config?: SandboxConfig): Promise<SimulatedWorld> {
    const there = worlds.get(name);
    if (there) return there;
    const opened = SimulatedWorld.#open(`launchpad-desk world ${name}`, config);
    worlds.set(name, opened);
    opened.catch(() => worlds.delete(name));
    return opened;
  }

  static async #open(name: string, config: SandboxConfig | undefined): Promise<SimulatedWorld> {
    // Some browsers store nothing in private windows and in frames of other sites: then the world lasts as long as the page.
    const [place, maths, { Sandbox }] = await Promise.all([
      Place.open(name).catch(() => undefined),
      import("launchpad-desk/market"),
      import("launchpad-desk/sandbox"),
    ]);
    const lasting = { maths, sandboxes: Sandbox, config, place };
    const known = settingsIn(place);
    if (known?.config === textOf(config)) {
      const world = new SimulatedWorld(lasting, new Sandbox(configOf(config)), known);
      if (await world.#keep()) return world;
    }
    // Stored by another version, or with another config.
    if (known) place?.drop(known);
    const world = new SimulatedWorld(lasting, begun(Sandbox, config), newSettings(config));
    world.#keepSoon();
    return world;
  }

  /** Differs from the world's id before "start over". */
  get id(): string {
    return `simulated ${this.#settings.id}`;
  }

  /** From 1: which of the worlds of this browser it is, one a tab; undefined where the browser stores nothing, null while it is not stored yet. */
  get keptAs(): number | undefined | null {
    return this.#kept && this.#lasting.place?.number;
  }

  get settings(): Readonly<WorldSettings> {
    return this.#settings;
  }

  /** The `fetch` of the current sandbox. What a request changed is stored before its answer is returned. */
  readonly connection = {
    fetch: marked(
      async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
        this.#busy++;
        try {
          await this.#keeping;
          return await (this.#kept ?? this.#sandbox).fetch(input, init);
        } finally {
          // A fault that was to happen once has happened.
          if (this.#settings.once && this.#settings.fault !== "none") this.#set({ fault: "none" });
          if (!--this.#busy) for (const go of this.#idle.splice(0)) go();
          this.moved();
        }
      },
      () => this.#sandbox.fetch,
    ),
  };

  now(): number {
    return this.#sandbox.nowMs + this.#settings.offsetMs;
  }

  tokens(): TokenView[] {
    return (this.#read.tokens ??= this.#sandbox.tokens.map((token) => tokenView(token, this.#toSell)));
  }

  wallets(): WalletView[] {
    return (this.#read.wallets ??= this.#sandbox.wallets.map(walletView));
  }

  curve(mint: string): Curve | undefined {
    return this.#has(mint) ? this.#sandbox.curve(mint) : undefined;
  }

  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote {
    return this.#sandbox.quote(operation, request);
  }

  exitLook(mint: string, wallet: string): ExitLook | undefined {
    return this.#has(mint) ? this.#sandbox.look(mint, [wallet]) : undefined;
  }

  past(mint: string): TokenPast | undefined {
    const token = this.#has(mint) && this.#sandbox.tokens.find((token) => token.mint === mint);
    if (!token) return undefined;
    const [first, ...trades] = this.#sandbox
      .newestTrades(mint, MOST_REMEMBERED)
      .filter(({ trader }) => trader !== "own");
    if (!first || !trades.length) return undefined;
    const curve = this.#sandbox.curve(mint);
    const { launchpad } = curve;
    curve.free();
    // Where the first of them left the curve: what was before it may be forgotten.
    const { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } = first;
    const reserves = { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves };
    return { trades, start: { ...token, ...reserves, complete: false, launchpad } };
  }

  balances(mint: string, wallets: readonly string[]): WalletBalances[] {
    const asked = this.wallets().filter(({ wallet }) => wallets.includes(wallet));
    return asked.map(({ wallet, lamports, tokens }) => ({
      wallet,
      tokens: tokens.get(mint) ?? 0n,
      lamports: lamports ?? 0n,
    }));
  }

  surelyHeld(wallet: string, mint: string): bigint {
    const known = this.wallets().find((known) => known.wallet === wallet);
    return known?.tokens.get(mint) ?? 0n;
  }

  /** A sandbox executes a trade at once. */
  canStillLand(): boolean {
    return false;
  }

  candles(mint: string, intervalMs: number): Candle[] {
    return this.#once(this.#read.candles, `${intervalMs} ${mint}`, () =>
      this.#has(mint)
        ? this.#sandbox
            .candles(mint, Math.min(intervalMs, LONGEST_MS))
            .map((candle) => ({ ...candle, startMs: candle.startMs + this.#settings.offsetMs }))
        : [],
    );
  }

  trades(mint: string, most: number): MarketTrade[] {
    return this.#once(this.#read.trades, `${most} ${mint}`, () =>
      this.#has(mint)
        ? this.#sandbox
            .newestTrades(mint, most)
            .map((trade) => ({ ...trade, atMs: trade.atMs + this.#settings.offsetMs }))
        : [],
    );
  }

  async stream(after: string | number): Promise<InJson<MarketTrades>> {
    const reply = await this.#sandbox.fetch(`http://sandbox.localhost/_market/trades?limit=1000&after=${after}`);
    if (!reply.ok) throw new Error(messages.live.answered(reply.status));
    return (await reply.json()) as InJson<MarketTrades>;
  }

  /** Reads something once, until the market moves. */
  #once<T>(there: Map<string, T>, key: string, read: () => T): T {
    const known = there.get(key) ?? read();
    there.set(key, known);
    return known;
  }

  #has(mint: string): boolean {
    return this.tokens().some((token) => token.mint === mint);
  }

  /** Calls the listener whenever the market has moved. The market moves by itself only while there are listeners and the page is visible. */
  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#watch();
    return () => {
      this.#listeners.delete(listener);
      this.#watch();
    };
  }

  moved(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  setSpeed(speed: number): void {
    this.#set({ speed });
    this.#watch();
  }

  /** Sets what goes wrong, by a name in `FAULTS`. */
  setFault(fault: string, once: boolean): void {
    this.#change((sandbox) => sandbox.setFaults(faultsOf(fault, once)));
    this.#set({ fault, once });
  }

  fund(wallet: string, lamports: bigint): void {
    this.#change((sandbox) => sandbox.fund(wallet, lamports));
  }

  advance(ms: number): void {
    this.#change((sandbox) => sandbox.advance(ms));
  }

  /** Replaces this world with a new one, after the trades in flight have ended. */
  async startOver(): Promise<void> {
    const { sandboxes, config } = this.#lasting;
    const [settings, sandbox] = [newSettings(config), begun(sandboxes, config)];
    await this.#whenIdle();
    this.#settings = settings;
    this.#store = null;
    this.#adopt(sandbox);
    this.#keepSoon();
    this.#watch();
    this.moved();
    await this.#keeping;
  }

  async #whenIdle(): Promise<void> {
    await this.#keeping;
    if (this.#busy) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #adopt(sandbox: Sandbox): void {
    if (sandbox !== this.#sandbox) this.#sandbox.free();
    this.#sandbox = sandbox;
    // Faults are not part of a sandbox's stored state.
    const { fault, once } = this.#settings;
    if (fault !== "none") sandbox.setFaults(faultsOf(fault, once));
    this.#toSell = startOf(sandbox);
    this.#forget();
    sandbox.onChanges((changes) => {
      this.#store?.(changes);
      this.#forget();
    });
  }

  /** Starts to store a new world. It is shown before that; requests wait until it is stored. */
  #keepSoon(): void {
    this.#keeping = atRest()
      .then(() => this.#keep())
      .finally(() => this.moved());
  }

  /** Stores this world, or continues from what is stored; false if that is impossible. */
  async #keep(): Promise<boolean> {
    const world = this;
    // Always the current sandbox.
    const sandbox: Keepable = {
      apply: (rows) => world.#sandbox.apply(rows),
      rows: () => world.#sandbox.rows(),
      fetch: (...request) => world.#sandbox.fetch(...request),
      onChanges: (store) => void (world.#store = store),
      get origin() {
        return world.#sandbox.origin;
      },
    };
    try {
      this.#kept = await this.#lasting.place?.keep(sandbox, this.#settings);
      // What was set meanwhile.
      this.#set({});
      this.#forget();
      return this.#kept !== undefined;
    } catch {
      this.#kept = undefined;
      return false;
    }
  }

  #forget(): void {
    this.#read = { candles: new Map(), trades: new Map() };
  }

  #set(settings: Partial<WorldSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    try {
      if (this.#kept) this.#lasting.place?.write(this.#settings);
    } catch {
      // The site's storage is full: what was set lasts as long as the page.
    }
  }

  #watch(): void {
    const watched = this.#listeners.size > 0 && this.#settings.speed > 0 && document.visibilityState !== "hidden";
    const tick = (): void => this.advance(TICK_MS * this.#settings.speed);
    if (watched) this.#timer ??= setInterval(tick, TICK_MS);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #change(work: (sandbox: Sandbox) => void): void {
    try {
      work(this.#sandbox);
    } catch (error) {
      if (!this.#store) throw error;
      // Changes can no longer be stored: the site's storage is full, or was cleared. From now on the world lasts as long as the page.
      this.#store = null;
      this.#kept = undefined;
      work(this.#sandbox);
    }
    this.moved();
  }
}

/** The stored settings; undefined if there are none that can be read. */
function settingsIn(place: Place | undefined): WorldSettings | undefined {
  try {
    return place?.read();
  } catch {
    return undefined;
  }
}

function newSettings(config: SandboxConfig | undefined): WorldSettings {
  // Whole minutes, so that candles begin with a minute of the clock.
  const offsetMs = config ? 0 : Math.max(0, Date.now() - PAST_MS - (Date.now() % 60_000));
  return { id: newId(), config: textOf(config), offsetMs, speed: 1, fault: "none", once: false };
}

const textOf = (config: SandboxConfig | undefined): string => JSON.stringify(config ?? null, inJson);

/** The config of a sandbox: what the page gave, or a moving market. */
const configOf = (config: SandboxConfig | undefined): SandboxConfig => config ?? { tokens: TOKENS, market: MARKET };

/** A new sandbox: the page's own, or a market with a past. */
function begun(Sandbox: Sandboxes, config: SandboxConfig | undefined): Sandbox {
  const sandbox = new Sandbox(configOf(config));
  if (!config) sandbox.advance(PAST_MS);
  return sandbox;
}

function faultsOf(fault: string, once: boolean): FaultConfig {
  const oneOf = FAULTS[fault];
  if (!oneOf) return {};
  return once ? { script: oneOf } : { oneOf };
}

/** How many base units the curve of a new token has to sell. */
function startOf(sandbox: Sandbox): bigint {
  const [token] = sandbox.tokens;
  if (!token) return 0n;
  const curve = sandbox.curve(token.mint);
  const { start } = curve.launchpad;
  curve.free();
  return BigInt(start.realTokenReserves);
}

const walletView = ({ wallet, label, lamports, opensVolumeAccount, tokenAccounts }: SandboxWallet): WalletView => ({
  wallet,
  label: shownName(label),
  lamports,
  opensVolumeAccount,
  tokens: new Map(tokenAccounts.map(({ mint, tokens }) => [mint, tokens])),
  accounts: new Map(
    tokenAccounts.map(({ mint, lamports, isFrozen, staysOpen }) => [mint, { lamports, isFrozen, staysOpen }]),
  ),
});

/** Marks `send` like the current sandbox's `fetch`: by these marks a client recognises a sandbox, and asks what its plans would do. */
function marked(send: typeof fetch, now: () => Function): typeof fetch {
  for (const name of ["launchpad-desk.sandbox", "launchpad-desk.quote"]) {
    const mark = Symbol.for(name);
    Object.defineProperty(send, mark, {
      value: (...asked: unknown[]) => (now() as unknown as Record<symbol, Function>)[mark]?.(...asked),
    });
  }
  return send;
}
