// A real launchpad behind a gateway. It knows only what the page set and what replies said: no prices and no SOL balances.

import type { WalletBalances } from "launchpad-desk";
import { toBaseUnits, view } from "launchpad-desk";
import type { Curve } from "launchpad-desk/launchpad";
import { short } from "./figures.js";
import { hasLocks } from "./locks.js";
import { messages } from "./messages.js";
import type { Standing, TokenView, WalletView, World } from "./world.js";

/** A token that a page lets a live panel trade. */
export interface LiveToken {
  /** Mint address. */
  mint: string;
  /** Default: the mint, shortened. */
  symbol?: string;
  /** Default: the symbol. */
  name?: string;
  /** Fraction digits of a whole token. Default: 6. */
  decimals?: number;
}

/** A wallet that a page lets a live panel trade from. */
export interface LiveWallet {
  /** The wallet's id. */
  wallet: string;
  /** Default: the id, shortened. */
  label?: string;
}

/** How often the gateway's health is checked. */
const CHECK_MS = 30_000;
/** How long that answer may take. */
const PATIENCE_MS = 5_000;
/** How long after the send a transaction may still land, with a margin for the service's own delay. */
const LANDS_WITHIN_MS = 120_000;

export class LiveWorld implements World {
  readonly simulated = false;
  readonly id: string;
  readonly connection: { readonly baseURL: string; readonly gateway: true; readonly apiKey?: string };
  /** Why it cannot trade now, as a sentence. */
  trouble: string | undefined;
  readonly #tokens: readonly TokenView[];
  readonly #wallets: readonly { wallet: string; label: string }[];
  /** Base units by wallet and mint, as the last reply reported them. */
  readonly #held = new Map<string, Map<string, bigint>>();
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(baseURL: string, token: string | undefined, tokens: readonly LiveToken[], wallets: readonly LiveWallet[]) {
    this.id = `live ${baseURL}`;
    // The gateway forwards each intent once, so a lost answer may be asked for again.
    this.connection = { baseURL, gateway: true, ...(token !== undefined && { apiKey: token }) };
    this.#tokens = tokens.map(({ mint, symbol = short(mint), name = symbol, decimals = 6 }) => ({
      ...{ mint, symbol, name, decimals },
      ...{ spotPrice: null, marketCapLamports: null, progressBps: null, complete: false },
    }));
    this.#wallets = wallets.map(({ wallet, label = short(wallet) }) => ({ wallet, label }));
  }

  /** Opens a gateway that answers its health check, and throws for one that does not: there is no other world instead. */
  static async open(baseURL: string, token: string | undefined, tokens: readonly LiveToken[], wallets: readonly LiveWallet[]): Promise<LiveWorld> {
    // Without locks a trade that another tab has in flight cannot be told from one whose tab was closed.
    if (!hasLocks()) throw new Error(messages.live.noLocks);
    if (!tokens.length || !wallets.length) throw new Error(messages.live.incomplete);
    const world = new LiveWorld(baseURL.replace(/\/+$/, ""), token, tokens, wallets);
    await world.#check();
    if (world.trouble) throw new Error(world.trouble);
    return world;
  }

  async #check(): Promise<void> {
    const before = this.trouble;
    try {
      const reply = await this.#get("/health");
      const { status } = (await reply.json()) as { status?: unknown };
      this.trouble = reply.ok && status === "ok" ? undefined : messages.live.unwell;
    } catch {
      this.trouble = messages.live.silent;
    }
    if (this.trouble !== before) this.moved();
  }

  #get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.connection.baseURL + path, { headers, redirect: "error", cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(PATIENCE_MS) });
  }

  async standing(intentId: string): Promise<Standing | undefined> {
    const { apiKey } = this.connection;
    try {
      const reply = await this.#get(`/v1/intents/${encodeURIComponent(intentId)}`, apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` });
      const { code, intentId: known, state, ending = null } = (await reply.json()) as Partial<Standing> & { code?: unknown; intentId?: unknown };
      if (reply.status === 404 && code === "intent_not_found") return { state: "not_known", ending: null };
      // Only the gateway's answer about this very intent counts.
      return reply.ok && known === intentId && state ? { state, ending } : undefined;
    } catch {
      return undefined;
    }
  }

  tokens(): readonly TokenView[] {
    return this.#tokens;
  }

  wallets(): readonly WalletView[] {
    return this.#wallets.map(({ wallet, label }) => ({ wallet, label, lamports: null, tokens: this.#held.get(wallet) ?? new Map() }));
  }

  curve(): Curve | undefined {
    return undefined;
  }

  quote(): undefined {
    return undefined;
  }

  balances(): WalletBalances[] | undefined {
    return undefined;
  }

  canStillLand(startedAtMs: number): boolean {
    return Date.now() < startedAtMs + LANDS_WITHIN_MS;
  }

  candles(): [] {
    return [];
  }

  tape(): [] {
    return [];
  }

  now(): number {
    return Date.now();
  }

  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  moved(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  heard(result: unknown, { mint, wallets }: { readonly mint: string; readonly wallets: readonly string[] }): void {
    const { status } = view(result);
    if (status === "rejected" || status === "not_sent" || status === "failed") return;
    for (const wallet of wallets) this.#hold(wallet, mint, undefined);
    const told = (result ?? {}) as { result?: { wallet?: string | null; mint?: string | null }; exact?: { postTokenBalance?: string | null } };
    const token = this.#tokens.find((token) => token.mint === mint && token.mint === told.result?.mint);
    if (!token || !told.result?.wallet || typeof told.exact?.postTokenBalance !== "string") return;
    try {
      this.#hold(told.result.wallet, mint, toBaseUnits(told.exact.postTokenBalance, token.decimals));
    } catch {
      // It is finer than the token's base units, so the decimals that the page gave are wrong.
    }
  }

  #hold(wallet: string, mint: string, units: bigint | undefined): void {
    const held = new Map(this.#held.get(wallet));
    if (units === undefined) held.delete(mint);
    else held.set(mint, units);
    this.#held.set(wallet, held);
  }
}
