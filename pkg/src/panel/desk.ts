// The model behind a panel: the world it trades in, what was entered and what was sent. The parts show it and call it.

import {
  type ClientOptions,
  type Plan,
  type Reconciled,
  type SettledTrade,
  TradeClient,
  isTradeError,
  reconcile,
  view,
} from "launchpad-desk";
import type { CurveQuote } from "launchpad-desk/market";
import type { CSSResult } from "lit";
import { REMEMBERED_MS, SIDES, type Certainty, type Found, type TradeQuote } from "../generated.js";
import { type Answer, type Attempt, hasLanded, isOpen, stateOf } from "./attempts/attempt.js";
import { Attempts } from "./attempts/attempts.js";
import { Alerts } from "./alerts/alerts.js";
import { BundleForm } from "./bundle/form.js";
import { Choices } from "./choices.js";
import { Dollars } from "./market/dollars.js";
import { Entry } from "./order/entry.js";
import { DeskExits } from "./exits/exits.js";
import { Holdings } from "./positions/holdings.js";
import { Reconciler, acknowledge, journalOf, momentHeader, pendingIn } from "./attempts/reconciler.js";
import { type MarketSlippage, SLIPPAGES, marketSlippageOf } from "./worlds/market-slippage.js";
import { Limit } from "./order/limit.js";
import {
  type Finder,
  SENT,
  answered,
  answeredOf,
  foundOf,
  foundOut,
  atGateway,
  meaningOf,
} from "./attempts/machine.js";
import { messages } from "./messages.js";
import { type Order, walletsOf } from "./order/order.js";
import { curveQuoteOf, receiptOf, traderOf } from "./attempts/receipts.js";
import type { DeskEvents } from "./events.js";
import { Moved, type Sending } from "./order/sending.js";
import { Shown } from "./shown.js";
import { type Prepared, OrderForm } from "./order/order-form.js";
import { Speech } from "./speech.js";
import type { GatewayIntent, Maths, Offers, TokenView, WalletView, World } from "./worlds/world.js";

export interface DeskHost {
  changed(): void;
  /** Another world has replaced this one: what was read from it is out of date. */
  replaced(): void;
  tell<E extends keyof DeskEvents>(event: E, detail: DeskEvents[E]): void;
  dress(styles: CSSResult): void;
  /** Moves the focus there, once the change is shown. */
  focus(selector: string): void;
  /** Returns what moves the focus later, unless the trader has moved it by then. */
  focusLater(): (selector: string) => void;
}

export interface Fixed {
  readonly mint: boolean;
  readonly amount: boolean;
}

type Typed = "side" | "mint" | "wallet" | "slippage" | "priority" | "prioritySol" | "feePayer";
export type Entered = Partial<Pick<Entry, Typed> & { amount: string }>;

/** The most trades of a wallet that a client may be told to have in flight: no limit of its own. */
const MOST_IN_FLIGHT = 4_294_967_295;
/** For how long a node that lags may not show a trade. */
const LAGS_MS = 60_000;

export type WhyUnresolved = Certainty | "unseen" | "silent" | GatewayIntent["state"];

export class Desk {
  readonly world: World;
  readonly attempts: Attempts;
  readonly client: TradeClient;
  readonly entry = new Entry();
  /** What slippage fits the market of the chosen token. */
  marketSlippage: MarketSlippage = { slippage: SLIPPAGES[0], moved: null };
  readonly limit: Limit;
  readonly choices: Choices;
  readonly ticket: OrderForm;
  readonly speech: Speech;
  readonly alerts: Alerts;
  /** The fields that show their errors: those that the user has left, or all after a try to send. */
  readonly visited = new Set<string>();
  /** What the page has fixed: the trader cannot change it. */
  readonly fixed: Fixed;
  /** Why a check could not settle a trade, by intent id: according to the balances or the gateway. */
  readonly whyUnresolved = new Map<string, WhyUnresolved>();
  /** Why what was pressed last in the row of an attempt came to nothing, by intent id. */
  readonly troubles = new Map<string, string>();
  readonly shown = new Shown(() => this.changed());
  readonly dollars = new Dollars(() => this.changed());
  readonly bundle: BundleForm;
  readonly exits: DeskExits;
  readonly holdings = new Holdings(this);
  readonly #reconciler = new Reconciler(this);
  /** What is being sent, by intent id. */
  readonly #sending = new Map<string, Sending>();
  /** Whether too many trades in a row had no known outcome: then nothing is bought before each is settled. */
  buysStopped = false;
  /** The trades that the world has heard of. */
  readonly #applied = new Set<string>();
  /** Counts changes other than typing and the market's own moves; and those. */
  changes = 0;
  ticks = 0;
  readonly #host: DeskHost;
  readonly tell: DeskHost["tell"];
  readonly dress: DeskHost["dress"];
  readonly focus: DeskHost["focus"];
  readonly focusLater: DeskHost["focusLater"];
  /** The world's name when the attempts were opened. */
  readonly #id: string;
  readonly #close: (() => void)[];

  private constructor(host: DeskHost, world: World, attempts: Attempts, fixed: Fixed) {
    this.#host = host;
    ({ tell: this.tell, dress: this.dress, focus: this.focus, focusLater: this.focusLater } = host);
    this.fixed = fixed;
    this.world = world;
    this.#id = world.id;
    this.attempts = attempts;
    this.limit = new Limit(world.id, () => attempts.all, world.connection.buysMayExceed === "slippage");
    this.choices = new Choices(world.kind);
    this.speech = new Speech(() => this.typed());
    this.alerts = new Alerts(this);
    this.client = new TradeClient({
      ...(world.connection as ClientOptions),
      journal: attempts.journal(journalOf(world)),
      // Whatever has become of other trades, a position can be left.
      breaker: { stopsSells: false },
      // An attempt locks its wallets and its token, in every page; others can be traded meanwhile.
      inFlightPerWallet: MOST_IN_FLIGHT,
      hooks: {
        beforeSend: ({ intentId }: { intentId: string }) => this.#before(intentId),
        settled: (intentId, settled) => this.proven(intentId, settled),
      },
    });
    const tokens = world.tokens();
    this.entry.mint = (tokens.find(({ complete }) => !complete) ?? tokens[0])?.mint ?? "";
    this.entry.wallet = world.wallets()[0]?.wallet ?? "";
    world.show?.(this.entry.mint, this.entry.wallet);
    this.#fitSlippage();
    const { slippage, priority, prioritySol } = this.choices;
    Object.assign(this.entry, { priority, prioritySol, ...(slippage !== undefined && { slippage }) });
    this.ticket = new OrderForm(
      this,
      () => this.entry.read(this.token?.decimals ?? 6),
      ".ticket .result",
      () => ({ operation: this.entry.operation, wallets: [this.entry.wallet] }),
    );
    this.bundle = new BundleForm(this);
    this.exits = new DeskExits(this);
    this.#close = [
      world.onTick(
        () => this.#marketMoved(),
        () => this.alerts.isWaiting,
      ),
      attempts.onChange(() => this.#attemptsChanged()),
    ];
    this.#reconciler.watch();
    this.#applyOthers();
    // What stops trading may be from before a reload, and so may what the chain has still to confirm: the journal is read at once.
    // The first trade says why it cannot be; and the desk may have been closed meanwhile.
    if (attempts.all.length)
      void this.client
        .pending()
        .then(() => this.#guardsChanged())
        .catch(() => {});
  }

  static async open(host: DeskHost, world: World, fixed: Fixed = { mint: false, amount: false }): Promise<Desk> {
    return new Desk(host, world, await Attempts.open(world.id, world.kind === "sandbox", world.maths), fixed);
  }

  close(): void {
    for (const close of this.#close) close();
    this.#reconciler.close();
    this.exits.close();
    this.ticket.close();
    this.bundle.form.close();
    this.speech.drop();
    this.holdings.close();
    this.dollars.close();
    this.client.free();
  }

  changed(): void {
    this.changes++;
    this.#host.changed();
  }

  /** Something was typed, or is read out: only the parts that show that order are rendered again. */
  typed(): void {
    this.#host.changed();
  }

  /** Figures have moved: only the parts that show some are rendered again. */
  ticked(): void {
    this.ticks++;
    this.#host.changed();
  }

  /** Copies a text. The page may not be allowed to: what a button copies is in its title as well. */
  async copy(text: string, said: string): Promise<void> {
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!isCopied) return;
    this.shown.set({ copied: text });
    this.speech.say(said);
  }

  visit(intentId: string): void {
    this.focus(`[data-intent="${CSS.escape(intentId)}"]`);
  }

  visitUnknown(): void {
    const unknown = this.attempts.all.find((attempt) => stateOf(attempt) === "unknown");
    if (unknown) this.visit(unknown.intentId);
  }

  get token(): TokenView | undefined {
    return this.tokenOf(this.entry.mint);
  }

  tokenOf(mint: string): TokenView | undefined {
    return this.world.tokens().find((token) => token.mint === mint);
  }

  get wallet(): WalletView | undefined {
    return this.walletOf(this.entry.wallet);
  }

  walletOf(id: string): WalletView | undefined {
    return this.world.wallets().find(({ wallet }) => wallet === id);
  }

  /** Its name; its id, if it has none. */
  readonly nameOf = (id: string): string => this.walletOf(id)?.label ?? id;

  /** Changes the ticket's entry for the trader, who cannot change what the page has fixed. */
  enter({ mint, amount, ...changes }: Entered): void {
    this.set({
      ...changes,
      ...(mint !== undefined && !this.fixed.mint && { mint }),
      ...(amount !== undefined && !this.fixed.amount && { amount }),
    });
    const { slippage, priority, prioritySol } = this.entry;
    if ("slippage" in changes) this.choices.keepSlippage(slippage, this.marketSlippage.slippage);
    if ("priority" in changes || "prioritySol" in changes) this.choices.keepPriority(priority, prioritySol);
  }

  /** Changes the ticket's entry, for the page or the trader. */
  set({ amount, ...changes }: Entered): void {
    const isAnother = changes.mint !== undefined && changes.mint !== this.entry.mint;
    this.shown.noMost = false;
    Object.assign(this.entry, changes);
    this.world.show?.(this.entry.mint, this.entry.wallet);
    if (isAnother) {
      // What the trader has chosen stays.
      if (this.entry.slippage === this.marketSlippage.slippage) this.#fitSlippage();
      // An amount of one token means nothing for another; a percentage does.
      if (!this.entry.amount.sell.trim().endsWith("%")) this.entry.amount.sell = "";
      this.bundle.tokenChanged();
      // The priority applies to the bundle, too, so consent was given for the old one.
    } else if ("priority" in changes || "prioritySol" in changes) this.bundle.form.edited();
    if (amount !== undefined) this.entry.amount[this.entry.side] = amount;
    for (const field of ["amount", ...Object.keys(changes)]) this.visited.delete(field);
    this.ticket.edited();
    this.speech.later(() => this.ticket.quote);
  }

  /**
   * Goes on with what the trader has picked and typed at a desk that was closed, if it was of this world: the amounts only for the same
   * token and wallet. What the page has named since is not taken over. Returns whether it was of this world.
   */
  resumeFrom(last: Desk, named: ReadonlySet<string>): boolean {
    if (last.#id !== this.#id) return false;
    const { side, mint, wallet, amount, slippage, priority, prioritySol, feePayer } = last.entry;
    const isOurs = (id: string): boolean => this.walletOf(id) !== undefined;
    this.set({
      ...(!named.has("mint") && !this.fixed.mint && this.tokenOf(mint) && { mint }),
      ...(!named.has("wallet") && isOurs(wallet) && { wallet }),
    });
    if (this.entry.mint !== mint || this.entry.wallet !== wallet) return true;
    if (!this.fixed.amount) Object.assign(this.entry.amount, amount);
    this.set({
      ...(!this.fixed.amount && { side }),
      slippage,
      priority,
      prioritySol,
      ...((!feePayer || isOurs(feePayer)) && { feePayer }),
    });
    return true;
  }

  /** The page has changed what may be traded, and then enters what it names. Returns whether what is chosen is still there, by the same decimals. */
  offer(offers: Offers, enter: () => void): boolean {
    const was = this.token;
    this.world.offer?.(offers);
    enter();
    const { token, wallet } = this;
    const { feePayer } = this.entry;
    if (!token || !wallet || (feePayer && !this.walletOf(feePayer))) return false;
    if (token.mint === was?.mint && token.decimals !== was.decimals) return false;
    this.#priceAgain();
    this.changed();
    return true;
  }

  #fitSlippage(): void {
    this.marketSlippage = marketSlippageOf(this.world, this.entry.mint);
    this.entry.slippage = this.marketSlippage.slippage;
  }

  leave(field: string): void {
    this.visited.add(field);
    this.changed();
  }

  /** The most lamports that the chosen wallet can spend on the token, null if none or unknown. `keepExitFee` keeps the cost of selling again. */
  most(keepExitFee: boolean): bigint | null {
    const { mint, wallet: fromWallet, feePayer } = this.entry;
    const curve = this.world.curve(mint);
    const trader = curve && traderOf(this.world, { mint, fromWallet, feePayer, ...this.entry.priorityTerms() });
    try {
      return curve && trader ? curve.largestBuyWithinBalance(trader, { keepExitFee }) : null;
    } catch {
      return null;
    } finally {
      curve?.free();
      trader?.free();
    }
  }

  /** Why that is not known, or nothing; empty if it is known. */
  get whyNoMost(): string {
    const { noMost } = messages.ticket;
    if (this.most(true) !== null) return "";
    if (this.wallet?.lamports === null) return noMost.balance;
    const curve = this.world.curve(this.entry.mint);
    curve?.free();
    return curve ? noMost.nothing : noMost.price;
  }

  /** The plan of an order, under an id of its own or the given one: its exact bytes, and what it would do now. */
  async prepare(order: Order, intentId?: string): Promise<Prepared> {
    const quoted = curveQuoteOf(this.world, order);
    const quote = this.world.quote(order.operation, order.request as never);
    // A gateway accepts it for only a few seconds. After that the plan is used to ask for its answer.
    const asks = this.world.intent && { validForMs: REMEMBERED_MS };
    // Without a quote there is no price: a plan does not wait for a node.
    const plan: Plan = await this.client.plan(order.operation, order.request as never, {
      ...asks,
      ...(intentId !== undefined && { intentId }),
      price: () => quote as TradeQuote,
    });
    this.tell("desk-plan", { plan });
    return { plan, quote, quoted };
  }

  /** Sends a plan once, and records its outcome. The attempt is on the disk before the request goes out, and this page holds its lock meanwhile. */
  async send(order: Order, { plan, quoted }: Prepared, sending: Sending): Promise<void> {
    const { mint } = order.request;
    const wallets = walletsOf(order);
    const { press, stop } = sending;
    const asked = await unlessStopped(stop.signal, this.world.ready?.(plan));
    if (!sending.isKept()) throw new Moved();
    // The gateway's time is that of its answer or earlier, so this is no later than it says.
    const leftMs = Math.max(0, Math.floor((this.world.momentMs ?? 0) - press.ageMs));
    if (asked && !leftMs) throw new Error(messages.sentences.notSent(messages.refusals.timeout_before_send));
    const attempt: Attempt = {
      intentId: plan.intentId,
      operation: plan.operation,
      side: SIDES[plan.operation],
      mint,
      symbol: this.tokenOf(mint)?.symbol ?? "",
      decimals: this.tokenOf(mint)?.decimals ?? 6,
      wallets,
      simulated: plan.simulated || this.world.simulated,
      startedAtMs: Date.now(),
      marketMs: this.world.now(),
      body: plan.body,
      plan: this.world.intent ? plan : null,
      moment: asked ? { ...asked, nowMs: asked.nowMs + leftMs } : null,
      price: plan.price,
      quoted,
      settledAtMs: null,
      fate: SENT,
      answer: null,
    };
    const work = async (): Promise<void> => {
      this.#sending.set(plan.intentId, sending);
      await this.attempts.begin(attempt);
      sending.begun();
      this.tell("desk-sent", { intentId: plan.intentId });
      const before = this.world.balances(mint, wallets);
      this.changed();
      void this.#reconciler.stopIfLost(attempt, leftMs, stop);
      const client = this.client.withOptions({ askAgainWithinMs: leftMs, defaultHeaders: momentHeader(attempt) });
      const result: unknown = await client.send(plan, { signal: stop.signal }).catch((error: unknown) => error);
      client.free();
      this.#sending.delete(plan.intentId);
      // Nobody asks about it any more.
      stop.abort();
      const lamportsMoved = this.#hasOverlapped(attempt) ? null : moved(before, this.world.balances(mint, wallets));
      await this.ended(attempt, result, lamportsMoved);
    };
    await this.attempts.hold(plan.intentId, work, stop.signal).finally(() => this.#sending.delete(plan.intentId));
  }

  /** Whether this panel is sending a trade, or waits for its answer. */
  canStop(intentId: string): boolean {
    return this.#sending.has(intentId);
  }

  /** Stops it. Nothing is sent if its request has not gone out; otherwise its outcome is still found out, and it is not sent again. */
  stop(intentId: string): void {
    this.#sending.get(intentId)?.stop.abort();
  }

  /** Records the outcome of a trade, from the answer to its request or from one that was fetched later. */
  async ended(attempt: Attempt, result: unknown, lamportsMoved: bigint | null = null): Promise<void> {
    this.#apply(result, attempt);
    const { intentId, quoted } = attempt;
    const answer = answerOf(this.world.maths, result, quoted, lamportsMoved);
    const status = answer.code === "awaiting_approval" ? "awaiting_approval" : view(result).status;
    // A gateway may serve a sandbox: then its replies say so.
    const simulated = attempt.simulated || view(result).simulated;
    this.whyUnresolved.delete(intentId);
    // An answer is final, whatever was recorded as found before.
    await this.#record(intentId, result, ({ fate }) => ({ simulated, answer, fate: answered(fate, status) }));
    this.world.moved();
  }

  /** Records what became of a trade, and tells it once: nothing if there is nothing new. */
  async #record(
    intentId: string,
    result: unknown,
    news: (now: Attempt) => Partial<Attempt> | undefined,
  ): Promise<void> {
    let was: Attempt | undefined;
    const settled = await this.attempts.change(intentId, (now) => {
      const changes = news(now);
      was = changes && now;
      return changes ? { ...now, ...changes, settledAtMs: Date.now() } : now;
    });
    if (!settled || !was) return;
    // What somebody tried before is over with it.
    this.troubles.delete(intentId);
    // The quote that it was sent for comes no more after it; that of the next order does.
    if (this.ticket.attemptId === intentId) this.speech.drop();
    this.changed();
    this.speech.outcome(settled, hasLanded(was) && !hasLanded(settled), this.nameOf);
    this.tell("desk-outcome", { intentId, status: answeredOf(settled.fate), found: foundOf(settled.fate), result });
  }

  #apply(result: unknown, attempt: Attempt): void {
    // Nothing was sent of a trade that waits for approval: what becomes of it is heard later.
    if (!isTradeError(result) || result.code !== "awaiting_approval") this.#applied.add(attempt.intentId);
    this.world.applyTrade?.(result, attempt);
  }

  /** What other pages have traded in the last minute, or this one before a reload, is in no look from before it either. */
  #applyOthers(): void {
    for (const attempt of this.attempts.all) {
      const { intentId, answer, fate, settledAtMs, startedAtMs } = attempt;
      // What the chain proves is final: each look since then shows it.
      if ("by" in fate && fate.by === "chain") continue;
      // One may have begun long before it settled: somebody had to approve it.
      if (Date.now() - (settledAtMs ?? startedAtMs) > LAGS_MS) continue;
      if (this.#applied.has(intentId) || isOpen(attempt) || meaningOf(attempt.fate).isNothing) continue;
      this.#applied.add(intentId);
      this.world.applyOther?.(attempt, answer?.signature ?? null);
    }
  }

  /** Takes back a trade that waits for approval: the gateway forgets that it was asked, and nothing is sent. */
  async withdraw({ intentId }: Attempt): Promise<void> {
    const isWithdrawn = await this.world.withdraw?.(intentId);
    if (!isWithdrawn) {
      // Somebody has decided meanwhile, which is asked for soon; or nobody answers.
      if (isWithdrawn === undefined) this.whyUnresolved.set(intentId, "silent");
      return this.changed();
    }
    this.whyUnresolved.delete(intentId);
    try {
      await acknowledge(this, intentId, "did_not_land");
    } finally {
      // It is withdrawn, whether or not the journal takes that.
      await this.#recordOpen(intentId, ({ fate, answer }) => ({
        answer: { ...(answer ?? NO_ANSWER), code: "withdrawn" },
        fate: answered(fate, "not_sent"),
      }));
    }
  }

  /** Records that a trade was taken, and nobody knows more: its reply is lost. */
  async unconfirmed(attempt: Attempt): Promise<void> {
    this.#apply(undefined, attempt);
    await this.#recordOpen(attempt.intentId, ({ fate }) => ({ fate: answered(fate, "unconfirmed") }));
  }

  /** The same of a trade that has no answer, unless that has come meanwhile, and was told. */
  #recordOpen(intentId: string, news: (now: Attempt) => Partial<Attempt>): Promise<void> {
    return this.#record(intentId, null, (now) => (isOpen(now) ? news(now) : undefined));
  }

  /** Shows what a gateway says of a trade that it has no answer to. */
  async gatewaySaid(attempt: Attempt, intent: GatewayIntent | undefined): Promise<void> {
    const { intentId } = attempt;
    const now = intent?.state === "awaiting_approval" ? "awaiting_approval" : "unknown";
    if (intent && now !== stateOf(attempt))
      await this.#recordOpen(intentId, ({ fate }) => ({ fate: atGateway(fate, now) }));
    if (this.whyUnresolved.has(intentId) && intent) this.whyUnresolved.set(intentId, intent.state);
    this.changed();
  }

  /** Checks the outcome of an unknown trade, by the gateway or by its wallets' balances, and settles it if there is proof. */
  async look(attempt: Attempt): Promise<void> {
    const { intentId, mint, wallets, startedAtMs } = attempt;
    if (this.world.intent) {
      const intent = await this.world.intent(intentId);
      this.whyUnresolved.set(intentId, intent?.state ?? "silent");
      return this.changed();
    }
    const intent = await pendingIn(this, intentId);
    const now = this.world.balances(mint, wallets);
    if (!intent?.before || !now) {
      this.whyUnresolved.set(intentId, "unseen");
      return this.changed();
    }
    const reconciled = reconcile(intent, {
      now,
      tokenDecimals: attempt.decimals,
      canStillLand: this.world.canStillLand(startedAtMs),
      walletsShared: this.#hasOverlapped(attempt),
    });
    const { certainty, found } = reconciled;
    if (found) await this.settle(attempt, found, "balances", { reconciled, lamportsMoved: moved(intent.before, now) });
    else this.whyUnresolved.set(intentId, certainty);
    this.changed();
  }

  /** Whether another trade of its wallets may have moved something since it began. */
  #hasOverlapped({ intentId, startedAtMs, wallets }: Attempt): boolean {
    return this.attempts.all.some(
      (other) =>
        other.intentId !== intentId &&
        !meaningOf(other.fate).isNothing &&
        (isOpen(other) || (other.settledAtMs ?? other.startedAtMs) >= startedAtMs) &&
        other.wallets.some((wallet) => wallets.includes(wallet)),
    );
  }

  /** The chain proves how a trade ended, which counts more than what its service has said. The journal has it already. */
  async proven(intentId: string, { outcome, reconciled }: SettledTrade): Promise<void> {
    const attempt = this.attempts.get(intentId);
    if (!attempt || outcome === "unknown") return;
    const moved = reconciled.findings.map(({ lamportsMoved }) => lamportsMoved);
    const lamportsMoved = moved.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);
    await this.settle(attempt, outcome === "landed" ? outcome : "did_not_land", "chain", { reconciled, lamportsMoved });
  }

  /** Settles an unknown trade, by proof or by what a person found. */
  async settle(
    attempt: Attempt,
    what: Found,
    by: Finder,
    seen?: { reconciled: Reconciled; lamportsMoved: bigint | null },
  ): Promise<void> {
    const { intentId, quoted } = attempt;
    const lamportsMoved = seen?.lamportsMoved ?? null;
    const isProven = by === "chain";
    if (by !== "journal" && !isProven) await acknowledge(this, intentId, what);
    this.whyUnresolved.delete(intentId);
    if (what === "landed" && !isProven) this.#apply(undefined, attempt);
    const receipt =
      what === "landed" ? receiptOf(this.world.maths, quoted, seen?.reconciled ?? unreported(attempt), null) : null;
    await this.#record(intentId, null, (now) => {
      const fate = foundOut(now.fate, what, by);
      const answer = { ...(now.answer ?? NO_ANSWER), receipt, ...(what === "landed" && { lamportsMoved }) };
      return fate === now.fate ? undefined : { answer, fate };
    });
    this.changed();
  }

  /** What the wallets of a trade hold right before it is sent, for the journal. Throws if it would no longer bring what was promised. */
  #before(intentId: string): { before: NonNullable<ReturnType<World["balances"]>> } | undefined {
    if (this.#sending.get(intentId)?.isKept() === false) throw new Moved();
    const attempt = this.attempts.get(intentId);
    const before = attempt && this.world.balances(attempt.mint, attempt.wallets);
    return before && { before };
  }

  #attemptsChanged(): void {
    this.#reconciler.watch();
    this.#applyOthers();
    this.#guardsChanged();
    this.#priceAgain();
    this.changed();
  }

  /** Tells this panel's client what was found out of trades, by whomever: while they are unresolved, it may refuse to buy. */
  #guardsChanged(): void {
    const { unresolved, breakerOpen } = this.client.guards;
    for (const { intentId } of unresolved) {
      const attempt = this.attempts.get(intentId);
      if (attempt && !isOpen(attempt))
        void this.client.acknowledge(intentId, hasLanded(attempt) ? "landed" : "did_not_land").then(
          (was) => was && this.#guardsChanged(),
          () => {},
        );
    }
    if (breakerOpen === this.buysStopped) return;
    this.buysStopped = breakerOpen;
    this.changed();
  }

  /** A bundle is not priced while its tab is hidden. */
  #priceAgain(): void {
    this.ticket.marketMoved();
    if (this.shown.tab === "bundle") this.bundle.form.marketMoved();
  }

  #marketMoved(): void {
    if (this.world.id !== this.#id) return this.#host.replaced();
    this.#priceAgain();
    this.alerts.look();
    this.ticked();
  }
}

/** What is waited for, unless the signal comes first: then its reason is thrown. */
async function unlessStopped<T>(signal: AbortSignal, what: Promise<T> | undefined): Promise<T | undefined> {
  signal.throwIfAborted();
  return Promise.race([
    what,
    new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  ]);
}

/** The answer of a page that was closed while its trade was in flight. */
const NO_ANSWER: Answer = {
  signature: null,
  tokens: null,
  lamportsMoved: null,
  receipt: null,
  reason: null,
  code: null,
  lines: [],
  links: [],
};

/** A trade that landed but whose reply is lost, and of which nothing else is known. */
function unreported({ operation }: Attempt): object {
  return {
    operation,
    status: "landed",
    exact: { buyAmount: null, sellAmount: null, preTokenBalance: null, postTokenBalance: null },
    result: {},
  };
}

type Balances =
  | readonly { wallet: string; tokens?: number | bigint | string; lamports?: number | bigint | string }[]
  | undefined;

/** How much the lamports of all these wallets changed. */
function moved(before: Balances, after: Balances): bigint | null {
  if (!before || !after) return null;
  const read = (held: NonNullable<Balances>) =>
    held.flatMap(({ lamports }) => (lamports === undefined ? [] : [BigInt(lamports)]));
  const [was, is] = [read(before), read(after)];
  if (was.length < before.length || is.length < after.length) return null;
  const sum = (all: bigint[]) => all.reduce((total, lamports) => total + lamports, 0n);
  return sum(is) - sum(was);
}

/** A trade or an error as plain data. */
function answerOf(maths: Maths, result: unknown, quoted: CurveQuote | null, lamportsMoved: bigint | null): Answer {
  const shown = view(result);
  const error = isTradeError(result) ? result : undefined;
  const ofError = error?.outcome === "failed" ? error.trade : undefined;
  const trade = (error ? ofError : result) as
    | {
        result?: { signature?: string | null; transactionResult?: { results?: unknown } };
        exact?: { buyAmount?: string | null; sellAmount?: string | null };
      }
    | undefined;
  const otherReason = result instanceof Error ? result.message : null;
  const results = trade?.result?.transactionResult?.results;
  return {
    signature: trade?.result?.signature ?? error?.signature ?? null,
    tokens: trade?.exact?.buyAmount ?? trade?.exact?.sellAmount ?? null,
    lamportsMoved,
    receipt: trade ? receiptOf(maths, quoted, trade, lamportsMoved) : null,
    reason: error
      ? ((typeof results === "string" ? results : null) ?? error.serviceMessage ?? error.message)
      : otherReason,
    code: error?.code ?? null,
    lines: shown.lines,
    links: shown.links,
  };
}
