// A launchpad behind a gateway, a real one unless the gateway says that it simulates. It knows only what the page set and what replies said: no prices and no SOL balances.

import type { WalletBalances } from "launchpad-desk";
import { toBaseUnits, view } from "launchpad-desk";
import type { Curve } from "launchpad-desk/launchpad";
import type { Side } from "../generated.js";
import { short } from "./figures.js";
import { hasLocks } from "./locks.js";
import { messages } from "./messages.js";
import type { Asked, GatewayIntent, TokenView, WalletView, World } from "./world.js";

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

/** How often the gateway's health is checked, and how often while it is not well. */
const CHECK_MS = 30_000;
const CHECK_AGAIN_MS = 3_000;
/** How long that answer may take, and the one right before a trade is sent. */
const PATIENCE_MS = 5_000;
const READY_MS = 2_000;
/** How long a browser may take to report a request that the page's policy refused. */
const TELLS_WITHIN_MS = 500;
/** How long after the send a transaction may still land, with a margin for the service's own delay. */
const LANDS_WITHIN_MS = 120_000;

export class LiveWorld implements World {
  readonly kind = "gateway";
  readonly simulated: boolean;
  readonly id: string;
  readonly connection: { readonly baseURL: string; readonly gateway: true; readonly apiKey?: string };
  readonly #tokens: readonly TokenView[];
  readonly #wallets: readonly { wallet: string; label: string }[];
  /** Base units by wallet and mint, as the last reply reported them. */
  readonly #held = new Map<string, Map<string, bigint>>();
  /** The same, kept over buys of which nothing more is known: they add to it, if anything. */
  readonly #least = new Map<string, bigint>();
  readonly #listeners = new Set<() => void>();
  #trouble: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(simulated: boolean, baseURL: string, token: string | undefined, tokens: readonly LiveToken[], wallets: readonly LiveWallet[]) {
    this.simulated = simulated;
    this.id = `${simulated ? "simulated" : "live"} ${baseURL}`;
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
    // Without locks, another tab's trade in flight looks like one whose tab was closed.
    if (!hasLocks()) throw new Error(messages.live.noLocks);
    if (!tokens.length || !wallets.length) throw new Error(messages.live.incomplete);
    const base = baseURL.replace(/\/+$/, "");
    const health = await healthOf(base);
    if (health.trouble) throw new Error(navigator.onLine ? health.trouble : messages.live.offline);
    return new LiveWorld(health.simulated, base, token, tokens, wallets);
  }

  /** Why it cannot trade now, as a sentence. */
  get trouble(): string | undefined {
    return navigator.onLine ? this.#trouble : messages.live.offline;
  }

  async #check(): Promise<void> {
    const { trouble, simulated } = await healthOf(this.connection.baseURL);
    this.#is(trouble ?? this.#changed(simulated));
    this.#checkLater();
  }

  /** As long as somebody watches. */
  #checkLater(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size) this.#timer = setTimeout(() => void this.#check(), this.#trouble ? CHECK_AGAIN_MS : CHECK_MS);
  }

  #is(trouble: string | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.moved();
  }

  /** The device has gone online or offline. */
  readonly #networkChanged = (): void => {
    this.moved();
    void this.#check();
  };

  /** What is wrong if the gateway has gone live since it was opened, or the reverse: all that is shown says otherwise. */
  #changed(simulated: boolean): string | undefined {
    if (simulated === this.simulated) return undefined;
    return simulated ? messages.live.nowSimulated : messages.live.nowLive;
  }

  async #ask(path: string, patienceMs: number): Promise<{ readonly status: number; readonly said: Said }> {
    const { apiKey } = this.connection;
    const reply = await get(this.connection.baseURL + path, patienceMs, apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` });
    return { status: reply.status, said: (await reply.json()) as Said };
  }

  async intent(intentId: string): Promise<GatewayIntent | undefined> {
    try {
      const { status, said } = await this.#ask(`/v1/intents/${encodeURIComponent(intentId)}`, PATIENCE_MS);
      const { code, intentId: known, state, outcome = null } = said;
      if (status === 404 && code === "intent_not_found") return { state: "not_recorded", outcome: null, asked: askedOf(said) };
      // Only the gateway's answer about this very intent counts.
      return status === 200 && known === intentId && state ? { state, outcome, asked: null } : undefined;
    } catch {
      return undefined;
    }
  }

  async ready(): Promise<Asked> {
    if (!navigator.onLine) throw new Error(messages.live.offline);
    const answer = await this.#ask("/v1/ready", READY_MS).catch(() => undefined);
    const asked = answer?.status === 200 ? askedOf(answer.said) : null;
    const changed = asked ? this.#changed(asked.simulated) : undefined;
    if (asked && !changed) return asked;
    if (answer?.status === 401) throw new Error(messages.live.noCaller);
    const trouble = changed ?? (answer ? messages.live.unwell : messages.live.silent);
    this.#is(trouble);
    this.#checkLater();
    throw new Error(trouble);
  }

  surelyHeld(wallet: string, mint: string): bigint | undefined {
    return this.#least.get(`${mint} ${wallet}`);
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

  trades(): [] {
    return [];
  }

  now(): number {
    return Date.now();
  }

  onTick(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) for (const change of NETWORK_CHANGES) addEventListener(change, this.#networkChanged);
    this.#checkLater();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size) return;
      clearTimeout(this.#timer);
      for (const change of NETWORK_CHANGES) removeEventListener(change, this.#networkChanged);
    };
  }

  moved(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  heard(result: unknown, { side, mint, wallets }: { readonly side: Side; readonly mint: string; readonly wallets: readonly string[] }): void {
    const { status } = view(result);
    if (status === "rejected" || status === "not_sent" || status === "failed") return;
    for (const wallet of wallets) {
      this.#hold(wallet, mint, undefined);
      if (side === "sell") this.#least.delete(`${mint} ${wallet}`);
    }
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
    else {
      held.set(mint, units);
      this.#least.set(`${mint} ${wallet}`, units);
    }
    this.#held.set(wallet, held);
  }
}

const NETWORK_CHANGES = ["online", "offline"] as const;

/** What a gateway may say of an intent, or of who asks. */
type Said = Partial<GatewayIntent & Asked & { code: unknown; intentId: unknown }>;

const askedOf = ({ desk, caller, nowMs, simulated }: Said): Asked | null =>
  typeof desk === "string" && typeof caller === "string" && typeof nowMs === "number" && typeof simulated === "boolean" ? { desk, caller, nowMs, simulated } : null;

function get(url: string, patienceMs: number, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(patienceMs) });
}

/** Whether a gateway is well, and whether it says that no money moves there. */
async function healthOf(base: string): Promise<{ readonly trouble: string | undefined; readonly simulated: boolean }> {
  const url = `${base}/health`;
  const stop = new AbortController();
  const isForbidden = forbidden(new URL(url, location.href).origin, stop.signal);
  try {
    const reply = await get(url, PATIENCE_MS).catch((error: Error) => error);
    if (reply instanceof Error) return { trouble: reply.name === "TimeoutError" ? messages.live.silent : await refusal(url, isForbidden), simulated: false };
    const { status, simulated } = (await reply.json().catch(() => ({}))) as { status?: unknown; simulated?: unknown };
    return { trouble: reply.ok && status === "ok" ? undefined : messages.live.unwell, simulated: simulated === true };
  } finally {
    stop.abort();
  }
}

/** Resolves once the page's policy has forbidden a request to this origin. */
function forbidden(origin: string, signal: AbortSignal): Promise<true> {
  return new Promise((resolve) => {
    const heard = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
      if (effectiveDirective === "connect-src" && blockedURI.startsWith(origin)) resolve(true);
    };
    document.addEventListener("securitypolicyviolation", heard, { signal });
  });
}

/** Why a page gets no answer: its own policy, the gateway's origins, or nobody is there. The error of a request does not say which. */
async function refusal(url: string, isForbidden: Promise<true>): Promise<string> {
  // An answer that the page may not read is an answer.
  const answers = await fetch(url, { mode: "no-cors", cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
  if (answers) return messages.live.originRefused(location.origin);
  // A browser reports its policy after it has refused the request.
  const told = await Promise.race([isForbidden, new Promise<false>((resolve) => setTimeout(() => resolve(false), TELLS_WITHIN_MS))]);
  return told ? messages.live.policyRefused(new URL(url, location.href).origin) : messages.live.silent;
}
