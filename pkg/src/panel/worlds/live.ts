// A launchpad behind a gateway, a real one unless the gateway says that it simulates. Prices and balances it has if the gateway has a node;
// otherwise it knows only what the page set and what replies said.

import { isTradeError, view } from "launchpad-desk";
import type { Trade, WalletBalances } from "launchpad-desk";
import type { Curve, ExitLook, Holding, Look, Market } from "launchpad-desk/market";
import {
  PATHS,
  SIDES,
  type Candle,
  type Operation,
  type RequestOf,
  type SandboxWalletConfig,
  type TradeQuote,
} from "../../generated.js";
import { signatureOf } from "../../body.js";
import { Since } from "../../since.js";
import { short } from "../figures.js";
import { type Assumed, LiveMarket } from "./live-market.js";
import { hasLocks } from "../attempts/locks.js";
import { messages } from "../messages.js";
import { type Order, walletsOf } from "../order/order.js";
import { ENOUGH, toldUnits } from "../attempts/receipts.js";
import { shownName, shownNames } from "./token-view.js";
import type {
  AsOf,
  Asked,
  GatewayIntent,
  Maths,
  MarketMove,
  Offers,
  OwnTrade,
  TokenAccountView,
  TokenPast,
  TokenView,
  WalletView,
  World,
} from "./world.js";

const accountOf = ({ wallet, lamports, isFrozen, closeAuthority }: Holding): TokenAccountView => ({
  lamports,
  isFrozen,
  staysOpen: closeAuthority !== null && closeAuthority !== wallet,
});

/** How often the gateway's health is checked, and how often while it is not well. */
const CHECK_MS = 30_000;
const CHECK_AGAIN_MS = 3_000;
/** How long that answer may take. */
const PATIENCE_MS = 5_000;
/** How long after the press a gateway may accept a trade, and the part of it for which its readiness is waited for. */
const MOMENT_MS = 5_000;
const [LEAST_MOMENT_MS, MOST_MOMENT_MS] = [1_000, 60_000];
const READY_PART = 0.4;
/** For how long a browser remembers what it may send there: as the gateway says, with a margin. */
const WARM_MS = 300_000;
/** How long a browser may take to report a request that the page's policy refused. */
const TELLS_WITHIN_MS = 500;
/** How long it counts what a wallet held, while the looks have other wallets. */
const REMEMBERED_MS = 300_000;
/** How long after the send a transaction may still land, with a margin for the service's own delay. */
const LANDS_WITHIN_MS = 120_000;

/** A gateway, and what the page says of trading through it. */
interface Gateway extends Assumed {
  readonly baseURL: string;
  readonly token: string | undefined;
  readonly offers: Offers;
  readonly momentMs: number | undefined;
}

export class LiveWorld implements World {
  readonly kind = "gateway";
  readonly simulated: boolean;
  readonly maths: Maths;
  readonly id: string;
  readonly connection: {
    readonly baseURL: string;
    readonly gateway: true;
    readonly apiKey?: string;
    buysMayExceed?: "slippage";
    market?: Market;
  };
  #tokens: readonly TokenView[] = [];
  #wallets: readonly { wallet: string; label: string }[] = [];
  #chosen = "";
  /** Base units by wallet and mint, as the last reply reported them. */
  readonly #held = new Map<string, Map<string, bigint>>();
  /** The same, kept over buys of which nothing more is known: they add to it, if anything. */
  readonly #least = new Map<string, bigint>();
  /** When a look or a reply last told what a wallet holds, as `mint wallet`. */
  readonly #known = new Map<string, Since>();
  readonly #listeners = new Map<() => void, () => boolean>();
  /** Lamports by wallet, as the last look had them. */
  readonly #lamports = new Map<string, bigint>();
  /** The wallets whose next buy also opens their volume account, as the last look had them. */
  readonly #opening = new Set<string>();
  /** The token accounts as the last look had them, as `mint wallet`. */
  readonly #accounts = new Map<string, TokenAccountView>();
  /** The wallets and tokens whose last trade no look has shown, as `mint wallet`, and whether its transaction is known: a look waits for it then. */
  readonly #due = new Map<string, boolean>();
  #market: LiveMarket | undefined;
  #isMarketMissing = false;
  readonly momentMs: number;
  /** When the browser was last told what it may send, by operation. */
  readonly #warmed = new Map<Operation, Since>();
  #trouble: Trouble | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(maths: Maths, simulated: boolean, { baseURL, token, offers, momentMs = MOMENT_MS }: Gateway) {
    this.maths = maths;
    this.momentMs = momentMs;
    this.simulated = simulated;
    this.id = `${simulated ? "simulated" : "live"} ${baseURL}`;
    // The gateway forwards each intent once, so a lost answer may be asked for again.
    this.connection = { baseURL, gateway: true, ...(token !== undefined && { apiKey: token }) };
    this.#list(offers);
  }

  /** Opens a gateway that answers its health check, and throws for one that does not: there is no other world instead. */
  static async open(gateway: Gateway): Promise<LiveWorld> {
    const { offers, momentMs = MOMENT_MS } = gateway;
    if (!(momentMs >= LEAST_MOMENT_MS && momentMs <= MOST_MOMENT_MS)) throw new Error(messages.live.badMoment);
    // Without locks, another tab's trade in flight looks like one whose tab was closed.
    if (!hasLocks()) throw new Error(messages.live.noLocks);
    if (!offers.tokens.length || !offers.wallets.length) throw new Error(messages.live.incomplete);
    const baseURL = gateway.baseURL.replace(/\/+$/, "");
    const [health, maths] = await Promise.all([healthOf(baseURL), import("launchpad-desk/market")]);
    if (health.trouble) throw new Error(navigator.onLine ? health.trouble() : messages.live.offline);
    const world = new LiveWorld(maths, health.simulated, { ...gateway, baseURL, momentMs });
    if (health.mayExceed) world.connection.buysMayExceed = "slippage";
    // Its file may be missing; trading needs no price.
    if (health.hasChain) await world.#openMarket(gateway).catch(() => (world.#isMarketMissing = true));
    return world;
  }

  async #openMarket(assumed: Assumed): Promise<void> {
    const market = await LiveMarket.open(`${this.connection.baseURL}/v1/chain`, this.#bearer, {
      mints: () => this.#tokens.map(({ mint }) => mint),
      wallets: () => this.#wallets.map(({ wallet }) => wallet),
      maths: this.maths,
      named: (view) => ({ ...view, ...this.#nameOf(view.mint) }),
      looked: (mint, look) => this.#looked(mint, look),
      urgent: (mint) => [...new Set([this.#chosen, ...this.#dueOf(mint)])],
      sinceTold: (look, wallets) => this.#sinceTold(look, wallets),
      assumed,
    });
    this.#market = market;
    this.connection.market = market.market;
  }

  /** Takes the lists, with what a page may leave out. */
  #list({ tokens, wallets }: Offers): void {
    this.#tokens = tokens.map(({ mint, symbol = short(mint), name = symbol, decimals = 6 }) => ({
      ...{ mint, ...shownNames(symbol, name), decimals },
      ...{ spotPrice: null, marketCapLamports: null, progressBps: null, complete: false },
    }));
    this.#wallets = wallets.map(({ wallet, label = short(wallet) }) => ({ wallet, label: shownName(label) }));
  }

  offer(offers: Offers): void {
    this.#list(offers);
    // No look comes that could show the trades of a token that is gone.
    for (const key of this.#due.keys())
      if (!this.#tokens.some(({ mint }) => key.startsWith(`${mint} `))) this.#due.delete(key);
    this.#market?.offered();
  }

  get hasMarket(): boolean {
    return this.#market !== undefined;
  }

  #nameOf(mint: string): Partial<ReturnType<typeof shownNames>> {
    const token = this.#tokens.find((token) => token.mint === mint);
    return token ? { symbol: token.symbol, name: token.name, title: token.title } : {};
  }

  /** What the wallets hold of a token, as of a look. It shows each own trade that has ended: the market waits for that. */
  #looked(mint: string, look: Look | undefined): void {
    for (const { wallet, lamports, holding, opensVolumeAccount } of look?.wallets ?? []) {
      const key = `${mint} ${wallet}`;
      this.#due.delete(key);
      // A look at another token may still be from before the wallet's trade.
      if (![...this.#due].some(([due, isNamed]) => !isNamed && due.endsWith(` ${wallet}`)))
        this.#lamports.set(wallet, lamports ?? 0n);
      if (opensVolumeAccount) this.#opening.add(wallet);
      else this.#opening.delete(wallet);
      if (holding) this.#accounts.set(key, accountOf(holding));
      else this.#accounts.delete(key);
      this.#hold(wallet, mint, holding?.tokens);
      this.#least.set(key, holding?.tokens ?? 0n);
      this.#known.set(key, new Since());
    }
    this.moved();
  }

  /** Whether nobody knows what a wallet holds: its last trade's reply did not say, and no look has shown it. */
  #isUnknown(wallet: string, mint: string): boolean {
    return this.#due.has(`${mint} ${wallet}`) && !this.#held.get(wallet)?.has(mint);
  }

  /** The wallets whose last trade of a token no look has shown. */
  #dueOf(mint: string): string[] {
    return [...this.#due.keys()].filter((key) => key.startsWith(`${mint} `)).map((key) => key.slice(mint.length + 1));
  }

  /**
   * A look with what is known of these wallets now, from replies and other looks: its quotes are of what is held now. Undefined if nothing
   * is known of one of them. Wallets that the page does not offer are left out: a quote refuses them.
   */
  #sinceTold({ sandbox, ...look }: Look, wallets: readonly string[]): Look | undefined {
    const lookedAt = (wallet: string): SandboxWalletConfig | undefined =>
      sandbox.wallets?.find((looked) => looked.wallet === wallet);
    const offered = wallets.filter((wallet) => lookedAt(wallet) || this.#wallets.some((one) => one.wallet === wallet));
    const known = offered.map((wallet) => this.#knownOf(wallet, look.mint, lookedAt(wallet)));
    return known.includes(undefined)
      ? undefined
      : { ...look, sandbox: { ...sandbox, wallets: known as SandboxWalletConfig[] } };
  }

  /** A wallet as a quote needs it. What it can afford is not known right after a trade. */
  #knownOf(wallet: string, mint: string, looked: SandboxWalletConfig | undefined): SandboxWalletConfig | undefined {
    const key = `${mint} ${wallet}`;
    if (!looked && (this.#known.get(key)?.ageMs ?? Infinity) > REMEMBERED_MS) return undefined;
    const [tokens, isDue] = [this.#held.get(wallet)?.get(mint), this.#due.has(key)];
    const lamports = this.#lamports.get(wallet) ?? ENOUGH;
    if (looked && !(isDue && tokens !== undefined)) return { ...looked, lamports };
    // A sale of everything closes the account, if the wallet may.
    const account = this.#accounts.get(key);
    const isOpen = tokens !== undefined && !(isDue && tokens === 0n && !account?.staysOpen);
    const holdings = isOpen ? [{ ...account, ...looked?.holdings?.[0], mint, tokens }] : [];
    return { wallet, opensVolumeAccount: this.#opening.has(wallet), ...looked, lamports, holdings };
  }

  get trouble(): string | undefined {
    return navigator.onLine ? this.#trouble?.() : messages.live.offline;
  }

  async #check(): Promise<void> {
    const { trouble, simulated } = await healthOf(this.connection.baseURL);
    this.#is(trouble ?? this.#changed(simulated));
    for (const operation of this.#warmed.keys()) this.warm(operation);
    this.#checkLater();
  }

  #checkLater(): void {
    clearTimeout(this.#timer);
    if (this.#listeners.size)
      this.#timer = setTimeout(() => void this.#check(), this.#trouble ? CHECK_AGAIN_MS : CHECK_MS);
  }

  /** Notifies even if nothing changed: some of what is shown expires. */
  #is(trouble: Trouble | undefined): void {
    this.#trouble = trouble;
    this.moved();
  }

  readonly #networkChanged = (): void => {
    this.moved();
    void this.#check();
  };

  /** What is wrong if the gateway has gone live since it was opened, or the reverse: all that is shown says otherwise. */
  #changed(simulated: boolean): Trouble | undefined {
    if (simulated === this.simulated) return undefined;
    return () => messages.live[simulated ? "nowSimulated" : "nowLive"];
  }

  get #bearer(): Record<string, string> {
    const { apiKey } = this.connection;
    return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  }

  async #ask(
    path: string,
    patienceMs: number,
    method = "GET",
  ): Promise<{ readonly status: number; readonly said: Said }> {
    const reply = await get(this.connection.baseURL + path, patienceMs, { method, headers: this.#bearer });
    return { status: reply.status, said: (await reply.json()) as Said };
  }

  async intent(intentId: string): Promise<GatewayIntent | undefined> {
    try {
      const { status, said } = await this.#ask(`/v1/intents/${encodeURIComponent(intentId)}`, PATIENCE_MS);
      const { code, intentId: known, state, outcome = null } = said;
      if (status === 404 && code === "intent_not_found")
        return { state: "not_recorded", outcome: null, asked: askedOf(said) };
      // Only the gateway's answer about this very intent counts.
      return status === 200 && known === intentId && state ? { state, outcome, asked: null } : undefined;
    } catch {
      return undefined;
    }
  }

  async withdraw(intentId: string): Promise<boolean | undefined> {
    const path = `/v1/intents/${encodeURIComponent(intentId)}/withdraw`;
    const answer = await this.#ask(path, PATIENCE_MS, "POST").catch(() => undefined);
    if (answer?.status === 200 && answer.said.intentId === intentId) return answer.said.outcome === "not_sent";
    return answer?.status === 422 ? false : undefined;
  }

  /** A browser asks before the first request to a path whether it may send that. Here it does so before the press. */
  warm(operation: Operation): void {
    if ((this.#warmed.get(operation)?.ageMs ?? WARM_MS) < WARM_MS) return;
    this.#warmed.set(operation, new Since());
    const [headers, { baseURL }] = [{ ...this.#bearer, "not-after": "0" }, this.connection];
    const asked = [
      get(baseURL + PATHS[operation], PATIENCE_MS, { method: "HEAD", headers }),
      this.#ask("/v1/ready", PATIENCE_MS),
    ];
    for (const answer of asked) answer.catch(() => this.#warmed.delete(operation));
  }

  async ready(trade: { body: string }): Promise<Asked> {
    if (!navigator.onLine) throw new Error(messages.live.offline);
    this.#market?.note(trade);
    const answer = await this.#ask("/v1/ready", this.momentMs * READY_PART).catch(() => undefined);
    const asked = answer?.status === 200 ? askedOf(answer.said) : null;
    const changed = asked ? this.#changed(asked.simulated) : undefined;
    if (asked && !changed) return asked;
    if (answer?.status === 401) throw new Error(messages.live.noCaller);
    const trouble = changed ?? (answer ? unwell : silent);
    this.#is(trouble);
    this.#checkLater();
    throw new Error(trouble());
  }

  surelyHeld(wallet: string, mint: string): bigint | undefined {
    return this.#least.get(`${mint} ${wallet}`);
  }

  tokens(): readonly TokenView[] {
    return this.#tokens.map((token) => this.#market?.view(token.mint) ?? token);
  }

  wallets(): readonly WalletView[] {
    return this.#wallets.map(({ wallet, label }) => ({
      wallet,
      label,
      lamports: this.#lamports.get(wallet) ?? null,
      opensVolumeAccount: this.#opening.has(wallet),
      tokens: this.#held.get(wallet) ?? new Map(),
      accounts: new Map(this.#tokens.map(({ mint }) => [mint, this.#accounts.get(`${mint} ${wallet}`)])),
    }));
  }

  curve(mint: string): Curve | undefined {
    return this.#market?.curve(mint);
  }

  quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote | undefined {
    // What a part of an unknown balance brings is not known either.
    if (
      SIDES[operation] === "sell" &&
      walletsOf({ operation, request } as Order).some((wallet) => this.#isUnknown(wallet, request.mint))
    )
      return undefined;
    return this.#market?.quote(operation, request);
  }

  exitLook(mint: string, wallet: string): Promise<ExitLook> | undefined {
    return this.#market?.market.look(mint, [wallet]);
  }

  /** A look says nothing of the moment: its client notes what the wallets hold right before a trade. */
  balances(): WalletBalances[] | undefined {
    return undefined;
  }

  canStillLand(startedAtMs: number): boolean {
    return Date.now() < startedAtMs + LANDS_WITHIN_MS;
  }

  candles(mint: string): readonly Candle[] {
    return this.#market?.candles(mint) ?? [];
  }

  trades(mint: string, most: number): readonly MarketMove[] {
    return this.#market?.moves(mint, most) ?? [];
  }

  past(mint: string): TokenPast | undefined {
    return this.#market?.past(mint);
  }

  show(mint: string, wallet: string): void {
    this.#chosen = wallet;
    this.#market?.show(mint);
  }

  asOf(mint: string): AsOf | undefined {
    return this.#market?.asOf(mint);
  }

  priceTrouble(mint: string): string | undefined {
    return this.#isMarketMissing ? messages.live.marketMissing : this.#market?.trouble(mint);
  }

  isMissing(mint: string): boolean {
    return this.#market?.isMissing(mint) ?? false;
  }

  now(): number {
    return Date.now();
  }

  onTick(listener: () => void, isAwaited: () => boolean): () => void {
    this.#listeners.set(listener, isAwaited);
    if (this.#listeners.size === 1) {
      for (const change of NETWORK_CHANGES) addEventListener(change, this.#networkChanged);
      document.addEventListener("visibilitychange", this.#watchMarket);
    }
    this.#checkLater();
    this.#watchMarket();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size) return;
      clearTimeout(this.#timer);
      this.#watchMarket();
      document.removeEventListener("visibilitychange", this.#watchMarket);
      for (const change of NETWORK_CHANGES) removeEventListener(change, this.#networkChanged);
    };
  }

  /** Nobody pays for looks that nobody sees or waits for. */
  readonly #watchMarket = (): void => {
    const awaited = [...this.#listeners.values()];
    this.#market?.watch(
      document.visibilityState === "hidden" ? awaited.some((isAwaited) => isAwaited()) : awaited.length > 0,
    );
  };

  moved(): void {
    for (const listener of [...this.#listeners.keys()]) listener();
    this.#watchMarket();
  }

  applyTrade(result: unknown, trade: OwnTrade, signature?: string | null): void {
    const { side, mint, wallets } = trade;
    const { status } = view(result);
    if (status === "rejected" || status === "not_sent" || status === "failed") return;
    // Nothing was sent yet.
    if (isTradeError(result) && result.code === "awaiting_approval") return;
    const held = this.#heldIn(result, mint);
    for (const wallet of wallets) {
      const units = held?.wallet === wallet ? held.units : undefined;
      this.#due.set(
        `${mint} ${wallet}`,
        Boolean(signature ?? signatureOf((result as Partial<Trade> | undefined)?.result)),
      );
      this.#hold(wallet, mint, units);
      if (units !== undefined) this.#known.set(`${mint} ${wallet}`, new Since());
      // A reply says nothing of its SOL: what it was before the trade is not what it is.
      this.#lamports.delete(wallet);
      if (side === "sell" && units === undefined) this.#least.delete(`${mint} ${wallet}`);
    }
    this.#market?.traded(trade, status === "landed" ? (result as { exact: object }) : undefined);
  }

  applyOther(trade: OwnTrade, signature: string | null): void {
    this.#market?.market.traded(trade, signature);
    this.applyTrade(undefined, trade, signature);
  }

  /** What a reply says that its wallet holds now. */
  #heldIn(result: unknown, mint: string): { readonly wallet: string; readonly units: bigint } | undefined {
    const trade = (result ?? {}) as {
      result?: { wallet?: string | null; mint?: string | null };
      exact?: { postTokenBalance?: string | null };
    };
    const decimals = this.#decimalsOf(mint);
    if (
      decimals === undefined ||
      trade.result?.mint !== mint ||
      !trade.result.wallet ||
      typeof trade.exact?.postTokenBalance !== "string"
    )
      return undefined;
    const units = toldUnits(trade.exact.postTokenBalance, decimals);
    return units === null ? undefined : { wallet: trade.result.wallet, units };
  }

  /** Fraction digits of a whole token: the chain's own, or the page's where there is no chain. Undefined before the first look. */
  #decimalsOf(mint: string): number | undefined {
    return (this.#market ? this.#market.view(mint) : this.#tokens.find((token) => token.mint === mint))?.decimals;
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

/** Why nothing can be sent, as a sentence that is made when it is shown. */
type Trouble = () => string;
const silent: Trouble = () => messages.live.silent;
const unwell: Trouble = () => messages.live.unwell;

const NETWORK_CHANGES = ["online", "offline"] as const;

/** What a gateway may say of an intent, or of who asks. */
type Said = Partial<GatewayIntent & Asked & { code: unknown; intentId: unknown }>;

const askedOf = ({ desk, caller, nowMs, simulated }: Said): Asked | null =>
  typeof desk === "string" && typeof caller === "string" && typeof nowMs === "number" && typeof simulated === "boolean"
    ? { desk, caller, nowMs, simulated }
    : null;

/** No gateway's answer is kept by a cache. Said here, too, a browser would ask each time whether it may send the request. */
function get(url: string, patienceMs: number, init: RequestInit = {}): Promise<Response> {
  const signal = AbortSignal.timeout(patienceMs);
  return fetch(url, { redirect: "manual", credentials: "omit", signal, ...init });
}

/** Whether a gateway is well, whether it says that no money moves there, and whether it has a node. */
async function healthOf(
  base: string,
): Promise<{
  readonly trouble: Trouble | undefined;
  readonly simulated: boolean;
  readonly hasChain?: boolean;
  readonly mayExceed?: boolean;
}> {
  const url = `${base}/health`;
  const stop = new AbortController();
  const isForbidden = forbidden(new URL(url, location.href).origin, stop.signal);
  try {
    const reply = await get(url, PATIENCE_MS).catch((error: Error) => error);
    if (reply instanceof Error) {
      const trouble = reply.name === "TimeoutError" ? silent : await refusal(url, isForbidden);
      return { trouble, simulated: false };
    }
    const { status, simulated, chain, buysMayExceed } = (await reply.json().catch(() => ({}))) as Record<
      string,
      unknown
    >;
    return {
      trouble: reply.ok && status === "ok" ? undefined : unwell,
      simulated: simulated === true,
      hasChain: chain === true,
      mayExceed: buysMayExceed === "slippage",
    };
  } finally {
    stop.abort();
  }
}

/** Resolves once the page's policy has forbidden a request to this origin. */
function forbidden(origin: string, signal: AbortSignal): Promise<true> {
  return new Promise((resolve) => {
    const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
      if (effectiveDirective === "connect-src" && blockedURI.startsWith(origin)) resolve(true);
    };
    document.addEventListener("securitypolicyviolation", onViolation, { signal });
  });
}

/** Why a page gets no answer: its own policy, the gateway's origins, or nobody is there. The error of a request does not say which. */
async function refusal(url: string, isForbidden: Promise<true>): Promise<Trouble> {
  // An answer that the page may not read is an answer.
  const answers = await fetch(url, {
    mode: "no-cors",
    cache: "no-store",
    credentials: "omit",
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
  if (answers) return () => messages.live.originRefused(location.origin);
  // A browser reports its policy after it has refused the request.
  const isPolicy = await Promise.race([
    isForbidden,
    new Promise<false>((resolve) => setTimeout(() => resolve(false), TELLS_WITHIN_MS)),
  ]);
  return isPolicy ? () => messages.live.policyRefused(new URL(url, location.href).origin) : silent;
}
