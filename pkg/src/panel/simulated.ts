// The simulated world: a sandbox whose market lives, moved by a timer while somebody watches, and kept over a reload.

import { type Curve, Sandbox } from "launchpad-desk/launchpad";
import type {
  Candle,
  FaultConfig,
  MarketTrade,
  Operation,
  RequestOf,
  SandboxConfig,
  SandboxToken,
  SandboxTokenConfig,
  SandboxWallet,
  TradeQuote,
} from "../generated.js";
import type { WalletBalances } from "launchpad-desk";
import type { StateInIndexedDB } from "launchpad-desk/journal";
import { newId } from "../runtime.js";
import { type Keepable, Place, type WorldSettings } from "./kept-world.js";
import { turn } from "./turns.js";
import type { TokenView, WalletView, World } from "./world.js";

/** How often the market moves while it is watched, in real milliseconds. */
const TICK_MS = 400;
/** A market in which none of its first tokens is complete within the hour. */
const SEED = 3;
/** Its first tokens, each at another stage of its curve. */
const TOKENS: SandboxTokenConfig[] = [
  { mint: "SimMoonRabbit111111111111111111111111111111", symbol: "RABBIT", name: "Moon Rabbit", character: "lively", soldBps: 3_000 },
  { mint: "SimPaperBoat1111111111111111111111111111111", symbol: "BOAT", name: "Paper Boat", character: "hyped" },
  { mint: "SimGrassHeron111111111111111111111111111111", symbol: "HERON", name: "Grass Heron", character: "lively", soldBps: 7_000 },
  { mint: "SimTinTrumpet111111111111111111111111111111", symbol: "TRUMPET", name: "Tin Trumpet", character: "doomed", soldBps: 5_000 },
  { mint: "SimWinterBear111111111111111111111111111111", symbol: "BEAR", name: "Winter Bear", character: "sleepy", soldBps: 1_200 },
];
/** How much of the market's time has passed when a world begins: its charts have a past. */
const WARM_UP_MS = 4 * 60_000;
/** How much of that passes at once: between two such slices the page can paint and answer. */
const SLICE_MS = 5_000;
/** How many trades the market remembers: at a chart's width, hours. */
const REMEMBERED = 6_000;

/** What can go wrong with a trade, by name: what the drawer offers. */
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

/** How fast the market's time may pass. */
export const SPEEDS = [0, 1, 4, 16] as const;
/** How many trades rivals may slip in. */
export const RIVALS = [0, 3, 12] as const;

/** The worlds of this page: panels of one name share one. */
const worlds = new Map<string, Promise<SimulatedWorld>>();

export class SimulatedWorld implements World {
  readonly simulated = true;
  #sandbox: Sandbox;
  #settings: WorldSettings;
  readonly #config: SandboxConfig | undefined;
  readonly #place: Place | undefined;
  #kept: StateInIndexedDB | undefined;
  #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Once it is kept, where it can be. */
  #keeping: Promise<boolean> | undefined;
  /** Requests under way: meanwhile no other sandbox may take this one's place. */
  #busy = 0;
  #idle: (() => void)[] = [];
  /** What was read from the sandbox since it last moved. */
  #read: { tokens?: TokenView[]; wallets?: WalletView[]; candles: Map<string, Candle[]>; tapes: Map<string, MarketTrade[]> } = { candles: new Map(), tapes: new Map() };
  /** Base units that a new token's curve has to sell. */
  #toSell = 0n;
  /** Where its changes are kept. */
  #store: ((changes: { key: string; row: string }[]) => void) | null = null;

  private constructor(sandbox: Sandbox, settings: WorldSettings, config: SandboxConfig | undefined, place: Place | undefined) {
    this.#sandbox = sandbox;
    this.#settings = settings;
    this.#config = config;
    this.#place = place;
    this.#adopt(sandbox);
    document.addEventListener("visibilitychange", () => this.#watch());
  }

  /** Opens the world of this name: the one that was kept, or a new one; `config` is what its sandbox begins with. Panels of one page that name the same have the same. */
  static open(name: string, config?: SandboxConfig): Promise<SimulatedWorld> {
    const there = worlds.get(name);
    if (there) return there;
    const opened = SimulatedWorld.#open(`launchpad-desk world ${name}`, config);
    worlds.set(name, opened);
    opened.catch(() => worlds.delete(name));
    return opened;
  }

  static async #open(name: string, config: SandboxConfig | undefined): Promise<SimulatedWorld> {
    // A browser may keep nothing, as some do in private windows and in frames of other sites: then the world lasts as long as the page.
    const place = await Place.open(name).catch(() => undefined);
    const known = settingsIn(place);
    if (known?.config === textOf(config)) {
      const world = new SimulatedWorld(new Sandbox(configOf(known, config)), known, config, place);
      if (await world.#keep()) return world;
    }
    // Kept by another version, or of other settings.
    if (known) place?.drop(known);
    const settings = newSettings(config);
    const world = new SimulatedWorld(await begun(settings, config), settings, config, place);
    world.#keepSoon();
    return world;
  }

  /** Tells this world from the one that was there before "start over". */
  get id(): string {
    return `simulated ${this.#settings.id}`;
  }

  /** The name it is kept under; undefined where the browser keeps nothing. */
  get keptAs(): string | undefined {
    return this.#kept && this.#place?.name;
  }

  get settings(): Readonly<WorldSettings> {
    return this.#settings;
  }

  /** The sandbox's `fetch`, whichever sandbox there is then. What a request moved is kept before its answer is given. */
  readonly connection = {
    fetch: marked(async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
      this.#busy++;
      try {
        await this.#keeping;
        return await (this.#kept ?? this.#sandbox).fetch(input, init);
      } finally {
        // What was to go wrong once has.
        if (this.#settings.once && this.#settings.fault !== "none") this.#set({ fault: "none" });
        if (!--this.#busy) for (const go of this.#idle.splice(0)) go();
        this.#tell();
      }
    }, () => this.#sandbox.fetch),
  };

  now(): number {
    return this.#sandbox.nowMs;
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

  balances(mint: string, wallets: readonly string[]): WalletBalances[] {
    const asked = this.wallets().filter(({ wallet }) => wallets.includes(wallet));
    return asked.map(({ wallet, lamports, tokens }) => ({ wallet, tokens: tokens.get(mint) ?? 0n, lamports: lamports ?? 0n }));
  }

  /** A sandbox executes what it gets at once. */
  canStillLand(): boolean {
    return false;
  }

  /** Its candles, oldest first. */
  candles(mint: string, intervalMs: number): Candle[] {
    return this.#once(this.#read.candles, `${intervalMs} ${mint}`, () => (this.#has(mint) ? this.#sandbox.candles(mint, intervalMs) : []));
  }

  /** Its newest trades, anybody's, the newest last. */
  tape(mint: string, most: number): MarketTrade[] {
    return this.#once(this.#read.tapes, `${most} ${mint}`, () => (this.#has(mint) ? this.#sandbox.newestTrades(mint, most) : []));
  }

  /** What is read once until the market moves. */
  #once<T>(there: Map<string, T>, key: string, read: () => T): T {
    const known = there.get(key) ?? read();
    there.set(key, known);
    return known;
  }

  #has(mint: string): boolean {
    return this.tokens().some((token) => token.mint === mint);
  }

  /** Calls the listener whenever the market has moved. The market moves by itself only while somebody listens and the page is seen. */
  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#watch();
    return () => {
      this.#listeners.delete(listener);
      this.#watch();
    };
  }

  moved(): void {
    this.#tell();
  }

  /** How fast the market's time passes. */
  setSpeed(speed: number): void {
    this.#set({ speed });
    this.#watch();
  }

  /** What goes wrong, by a name of `FAULTS`. */
  setFault(fault: string, once: boolean): void {
    this.#sandbox.setFaults(faultsOf(fault, once));
    this.#set({ fault, once });
  }

  /** How many trades rivals slip in between a quote and its execution. */
  async setRivals(rivals: number): Promise<void> {
    await this.#whenIdle();
    this.#set({ rivals });
    // A market's settings hold for a sandbox's life; the state goes on in another.
    const sandbox = new Sandbox(configOf(this.#settings, this.#config));
    sandbox.apply(this.#sandbox.rows());
    this.#adopt(sandbox);
    this.#tell();
  }

  /** Has rivals trade this many times now. */
  rivals(trades: number): void {
    this.#sandbox.rivals(trades);
    this.#tell();
  }

  /** Gives lamports to a wallet. */
  fund(wallet: string, lamports: bigint): void {
    this.#sandbox.fund(wallet, lamports);
    this.#tell();
  }

  /** Lets the market's time pass at once. */
  advance(ms: number): void {
    this.#sandbox.advance(ms);
    this.#tell();
  }

  /** Begins a new world in the place of this one; who trades in the old one is waited for. */
  async startOver(): Promise<void> {
    const settings = newSettings(this.#config);
    const sandbox = await begun(settings, this.#config);
    await this.#whenIdle();
    this.#settings = settings;
    this.#store = null;
    this.#adopt(sandbox);
    this.#keepSoon();
    this.#watch();
    this.#tell();
    await this.#keeping;
  }

  async #whenIdle(): Promise<void> {
    await this.#keeping;
    if (this.#busy) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Puts a sandbox in the place of the one there was. */
  #adopt(sandbox: Sandbox): void {
    if (sandbox !== this.#sandbox) this.#sandbox.free();
    this.#sandbox = sandbox;
    // Faults are no part of what a sandbox keeps.
    const { fault, once } = this.#settings;
    if (fault !== "none") sandbox.setFaults(faultsOf(fault, once));
    this.#toSell = startOf(sandbox);
    this.#forget();
    sandbox.onChanges((changes) => {
      this.#store?.(changes);
      this.#forget();
    });
  }

  /** Keeps a world that has begun: it is seen before that, and what is asked of it waits for that. */
  #keepSoon(): void {
    this.#keeping = this.#keep().finally(() => this.#tell());
  }

  /** Keeps this world, or goes on with what is kept of it; false where that cannot be. */
  async #keep(): Promise<boolean> {
    const world = this;
    // Whichever sandbox there is then: rivals are a setting of the drawer's, not of what is kept.
    const sandbox: Keepable = {
      apply: (rows) => world.#sandbox.apply(rows),
      rows: () => world.#sandbox.rows(),
      fetch: (...request) => world.#sandbox.fetch(...request),
      onChanges: (store) => void (world.#store = store),
      get origin() {
        const { ["market.tradesInFlight"]: _rivals, ...origin } = world.#sandbox.origin;
        return origin;
      },
    };
    try {
      this.#kept = await this.#place?.keep(sandbox, this.#settings);
      this.#forget();
      return this.#kept !== undefined;
    } catch {
      this.#kept = undefined;
      return false;
    }
  }

  #forget(): void {
    this.#read = { candles: new Map(), tapes: new Map() };
  }

  #set(settings: Partial<WorldSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    if (this.#kept) this.#place?.write(this.#settings);
  }

  #watch(): void {
    const watched = this.#listeners.size > 0 && this.#settings.speed > 0 && document.visibilityState !== "hidden";
    if (watched) this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    else {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #tick(): void {
    try {
      this.#sandbox.advance(TICK_MS * this.#settings.speed);
    } catch {
      // What moves cannot be kept any more: the site's storage is full, or was cleared. From now on it lasts as long as the page.
      this.#store = null;
      this.#kept = undefined;
    }
    this.#tell();
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** What is kept in a place; undefined where nothing is that can be read. */
function settingsIn(place: Place | undefined): WorldSettings | undefined {
  try {
    return place?.read();
  } catch {
    return undefined;
  }
}

function newSettings(config: SandboxConfig | undefined): WorldSettings {
  const startMs = Math.max(0, Date.now() - WARM_UP_MS);
  return { id: newId(), config: textOf(config), startMs, speed: 1, rivals: 0, fault: "none", once: false };
}

/** A config as text, by which one is told from another. */
const textOf = (config: SandboxConfig | undefined): string => JSON.stringify(config ?? null, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value));

/** What a sandbox is made with: what the page gave, or a market that lives. */
function configOf({ startMs, rivals }: WorldSettings, config: SandboxConfig | undefined): SandboxConfig {
  const market = config ? config.market : { alive: true, seed: SEED, startMs, maxMarketTrades: REMEMBERED, maxTokens: 60 };
  return { ...(config ?? { tokens: TOKENS }), ...((market || rivals) && { market: { ...market, ...(rivals && { tradesInFlight: rivals }) } }) };
}

async function begun(settings: WorldSettings, config: SandboxConfig | undefined): Promise<Sandbox> {
  const sandbox = new Sandbox(configOf(settings, config));
  if (config) return sandbox;
  for (let passedMs = 0; passedMs < WARM_UP_MS; passedMs += SLICE_MS) {
    await turn();
    sandbox.advance(SLICE_MS);
  }
  return sandbox;
}

function faultsOf(fault: string, once: boolean): FaultConfig {
  const oneOf = FAULTS[fault];
  if (!oneOf) return {};
  return once ? { script: oneOf } : { oneOf };
}

/** Base units that the curve of a new token has to sell. */
function startOf(sandbox: Sandbox): bigint {
  const [token] = sandbox.tokens;
  if (!token) return 0n;
  const curve = sandbox.curve(token.mint);
  const { start } = curve.launchpad;
  curve.free();
  return BigInt(start.realTokenReserves);
}

function tokenView({ mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, realTokenReserves }: SandboxToken, toSell: bigint): TokenView {
  const left = realTokenReserves < toSell ? realTokenReserves : toSell;
  const progressBps = toSell > 0n ? Number(((toSell - left) * 10_000n) / toSell) : null;
  return { mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, progressBps };
}

const walletView = ({ wallet, label, lamports, tokenAccounts }: SandboxWallet): WalletView => ({
  wallet,
  label,
  lamports,
  tokens: new Map(tokenAccounts.map(({ mint, tokens }) => [mint, tokens])),
});

/** Whether a `fetch` is a sandbox's, and what its plans would do, a client sees by marks on it: `send` gets those of the sandbox there is then. */
function marked(send: typeof fetch, now: () => Function): typeof fetch {
  for (const name of ["launchpad-desk.sandbox", "launchpad-desk.quote"]) {
    const mark = Symbol.for(name);
    Object.defineProperty(send, mark, { value: (...asked: unknown[]) => (now() as unknown as Record<symbol, Function>)[mark]?.(...asked) });
  }
  return send;
}
