// What all trades of a client share: its journal, its market, its log, and what it asks about trades that have ended. Each trade is
// sent by send.ts.

import type { ClientCore, DriftTimer, SettlingFlow, TradeFlow } from "build:trade";
import { type Flat, failure, flat, callArgs, secondCallArgs, result } from "../crossing.js";
import { type FailureFields, callOf, thrownAt } from "../errors.js";
import type {
  Drift,
  Found,
  IntentOutcome,
  IntentState,
  Operation,
  OtherTrade,
  SettlingStep,
  Trade,
} from "../generated.js";
import { type GivenOptions, callOptions, planOptions } from "./given-options.js";
import type {
  BoughtPosition,
  BoughtTrade,
  ClientMarket,
  EndedTrade,
  IntentDetails,
  Journal,
  PricedPlan,
  SettledTrade,
  Settlement,
  Suspension,
  TradeIntent,
  UnsettledTrade,
} from "./options.js";
import { type Plan, frozen } from "./plan.js";
import { Recovery } from "./recovery.js";
import { type Fetch, type FetchReply, fetchFor, isPage, newId, now, read, textOf, withOwn } from "../runtime.js";
import { type Ask, DEBUG, ERROR, Flight, INFO, type OwnFunctions, WARN, askOf, errorWith, intentOf } from "./send.js";
import { type Open, SettleTimer } from "./settle-timer.js";
import { Watch } from "./watch.js";

const LEVELS = ["debug", "info", "warn", "error"] as const;

const UNHEARD = "trading is halted: another program may have stopped it";

/** What the core says of `no_market`, which no market can say. */
const NO_MARKET = "The client has no market that shows transactions: what the trade cost is in no reply.";

/**
 * The promise of a trade, with access to its response.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const { trade, response } = await client.buy(request).withResponse();
 * console.log(trade.status, response.status); // landed 200
 * ```
 */
export interface TradePromise<T> extends Promise<T> {
  /** Resolves to the trade, and the response as `fetch` returned it, with its body read. */
  withResponse(): Promise<{ trade: T; response: FetchReply }>;
}

type Begin = (own: GivenOptions | undefined) => unknown;

/** What a client is asked to carry out: `caller` is where the stacks of its errors begin. */
interface Asked {
  readonly begin: Begin;
  readonly own: ReturnType<typeof callOptions>;
  readonly caller: Function;
  /** Of a trade that is sent without a plan. */
  readonly operation?: Operation;
  readonly plan?: Plan;
  /** Whether it may have been sent before, and its outcome is waited for. */
  readonly isWaiting?: boolean;
}

/** What came of a trade that the market was asked about. */
export type SettledIntent = SettledTrade & { intentId: string };

/** A trade, what the service has said of it, and the signature that it named. */
type AnsweredTrade = [IntentDetails, IntentOutcome, string];

/** Gives `withResponse` access to the response. */
type Sent = { flight?: Flight };

async function withResponse(
  promise: Promise<Trade>,
  { flight }: Sent,
): Promise<{ trade: Trade; response: FetchReply }> {
  return { trade: await promise, response: flight?.response as FetchReply };
}

/** Sends trades for a client. Its options are already checked; `core` makes the decisions. */
export class Sender {
  /** Only this class can set this field, so no other object passes for a sender. */
  readonly #isSender = true;
  readonly core: ClientCore;
  readonly baseURL: string;
  readonly held: OwnFunctions;
  readonly journal: Journal | undefined;
  readonly recovery: Recovery | undefined;
  /** Until when the market is not asked what wallets hold, and why not. */
  readonly rest: { untilMs: number; reason: string };
  /** Settles unknown trades by itself. */
  readonly settleTimer: SettleTimer | undefined;
  /** Looks up what the service has said of trades. */
  readonly lookUps: SettleTimer | undefined;
  /** How many landed trades wait to be compared with their quotes. */
  readonly compared: { waiting: number };
  readonly #logLevel: number;

  /** `first` is a sender of the same client with other options, with which this one shares all but those. */
  constructor(core: ClientCore, held: OwnFunctions, journal: Journal | undefined, first?: Sender) {
    this.core = core;
    this.baseURL = core.baseURL;
    this.#logLevel = core.logLevel;
    this.held = held;
    this.journal = journal;
    this.rest = first?.rest ?? { untilMs: 0, reason: "" };
    this.compared = first?.compared ?? { waiting: 0 };
    this.recovery = first ? first.recovery : journal && new Recovery(core, journal);
    this.settleTimer = first ? first.settleTimer : this.#newSettleTimer();
    this.lookUps = first ? first.lookUps : this.#newLookUps();
    if (first) return;
    // An earlier run may have left trades.
    if (journal) this.settleTimer?.start();
    if (!this.recovery) return;
    this.recovery.restored = () => this.hasAnswered && this.lookUps?.start();
    this.recovery.unheard = (why) => this.logFailure(UNHEARD, why);
  }

  #newSettleTimer(): SettleTimer | undefined {
    const settles = this.core.settleTimer();
    return settles && new SettleTimer(settles, () => this.#settledByItself());
  }

  #newLookUps(): SettleTimer | undefined {
    return this.held.market && new SettleTimer(this.core.lookUpTimer(), () => this.#lookedUpByItself());
  }

  static is(value: unknown): value is Sender {
    return typeof value === "object" && value !== null && #isSender in value;
  }

  with(core: ClientCore, held: OwnFunctions): Sender {
    return new Sender(core, held, this.journal, this);
  }

  /** Sends a trade. The stacks of its errors begin where `caller` was called. */
  trade(operation: Operation, request: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const begin = (own?: GivenOptions) => this.core.begin(callArgs({ operation, request, ...own, newId: newId() }));
    return this.#promised({ begin, own: callOptions(options), caller, operation });
  }

  send(plan: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const begin = (own?: GivenOptions) => this.core.beginPlan(callArgs({ plan, ...own }));
    return this.#promised({ begin, own: callOptions(options, "planned"), caller, plan: plan as Plan });
  }

  waitFor(intentId: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const begin = (own?: GivenOptions) => this.core.waitFor(callArgs({ intentId, ...own }));
    return this.#promised({ begin, own: callOptions(options, "planned"), caller, isWaiting: true });
  }

  #promised(asked: Asked): TradePromise<Trade> {
    const sent: Sent = {};
    const promise = this.#sent(asked, sent);
    // `bind` instead of a closure, because V8 frees what a closure holds later.
    return withOwn(promise, "withResponse", withResponse.bind(undefined, promise, sent)) as TradePromise<Trade>;
  }

  async #sent({ begin, own, caller, operation, plan, isWaiting = false }: Asked, sent: Sent): Promise<Trade> {
    const call = callOf(caller);
    // The request is read now: later changes by the caller have no effect.
    const flow = result<TradeFlow>(begin(own?.given), caller);
    sent.flight = new Flight(this, operation ?? (flow.operation as Operation), flow, {
      quoted: plan && { operation: plan.operation, body: plan.body, price: plan.price },
      maySend: isWaiting,
    });
    return await sent.flight.run(own?.signal, call);
  }

  /** Makes a plan: its request is read now, and the guards are asked once the price and the journal are known. */
  async plan(operation: Operation, request: unknown, options: unknown, caller: Function): Promise<Plan> {
    const call = callOf(caller);
    const own = planOptions(options);
    const asked = flat({ operation, request, ...own?.given, newId: newId() });
    // The price is asked for only if the request may be sent.
    const { body } = result<Plan>(this.#made(asked, undefined, false), caller);
    const [ask, about] = own?.price ? [own.price as Ask, request] : [askOf(this.held, this.core, body), body];
    const price = await ask?.(operation, about);
    await this.#recovered(call);
    this.recovery?.obeyStop();
    return frozen(result<Plan>(this.#made(asked, price, own?.price !== undefined)));
  }

  #made(asked: Flat, price: unknown, isOwn: boolean): unknown {
    // First the price, because its getters may call back into the package.
    const priced = callArgs({ price, isOwn });
    return this.core.plan(now(), secondCallArgs(asked), priced);
  }

  async warm(): Promise<boolean> {
    const { baseURL } = this;
    const fetch = fetchFor(this.held.fetch) as (Fetch & { warm?: unknown }) | undefined;
    if (typeof fetch !== "function") return false;
    const watch = new Watch();
    try {
      watch.begin(this.core.timeoutMs);
      if (typeof fetch.warm === "function") {
        await watch.first(fetch.warm(baseURL));
        return watch.stop === 0;
      }
      // Without the key. Not a HEAD on Node, which does not reuse the connection after it; not an OPTIONS in a page, where the
      // browser first sends another OPTIONS to ask whether it may.
      const method = isPage() ? "HEAD" : "OPTIONS";
      const response = await watch.first(fetch(baseURL, { method, redirect: "manual", signal: watch.signal }));
      // Read to the end, so that the connection can be reused.
      await watch.first(response?.arrayBuffer?.());
      await watch.pause(0);
      return watch.stop === 0;
    } catch {
      return false;
    } finally {
      watch.giveUp();
      watch.release();
    }
  }

  /** Suspends or resumes trading now, and records that. If recording fails, a program that does not await it must not end. */
  stop(act: "halt" | "reduce" | "resume", caller: Function): Promise<void> {
    const change = this.core[act]() as Suspension;
    const kept = this.#keep(change, callOf(caller));
    kept.catch(() => {});
    this.recovery?.said(change);
    return kept;
  }

  async #keep(change: Suspension, call: object): Promise<void> {
    const { journal } = this;
    if (!journal) return;
    try {
      if (!journal.keepSuspension) throw new TypeError("the journal has no keepSuspension");
      await journal.keepSuspension(change);
    } catch (thrown) {
      // If it was refused because of a stop that nobody has heard yet, that is heard now.
      this.recovery?.obeyStop();
      this.logFailure("the journal did not record what stops trading", thrown, change);
      throw thrownAt(call, failure(this.core.suspensionNotKept()));
    }
  }

  /** Records the outcome of an unresolved trade; first in the journal, because the next run knows only what is there. */
  async acknowledge(intentId: string, found: Found, caller: Function): Promise<boolean> {
    const call = callOf(caller);
    const { core } = this;
    const outcome = result<Found>(core.found(callArgs({ found })), caller);
    await this.#recovered(call);
    const intent = core.unresolvedOne(textOf(intentId)) as IntentDetails | null;
    const settling = intent && core.acknowledging(intentId, outcome);
    if (!settling) return false;
    return (await this.#journaled(settling, intent, call)) === "settled";
  }

  /** Lets the journal record what is known of a trade's end. Meanwhile nothing else acknowledges it or asks a gateway about it. */
  async #journaled(settling: SettlingFlow, intent: IntentDetails, call: object): Promise<SettlingStep> {
    const { journal } = this;
    try {
      const ending = result<Settlement>(settling.settlement());
      if (journal) await this.#orFail(() => journal.settle(intentOf(intent), ending, {}), call);
    } catch (error) {
      settling.release();
      throw error;
    }
    return settling.journaled(now()) as SettlingStep;
  }

  /** The unresolved trades, including those in the journal; with a market also those that were only accepted. */
  async pending(caller: Function): Promise<IntentDetails[]> {
    const unresolved = await this.#unresolved(callOf(caller));
    const accepted = this.held.market ? result<AnsweredTrade[]>(this.core.accepted()) : [];
    return [
      ...unresolved,
      ...accepted.map(([intent, outcome, signature]) => ({ ...intent, answered: { outcome, signature } })),
    ];
  }

  async intentState(intentId: string, caller: Function): Promise<IntentState | null> {
    await this.#recovered(callOf(caller));
    const state = this.core.intentState(textOf(intentId)) as IntentState;
    return state === "not_recorded" && !this.recovery ? null : state;
  }

  async endedTrade(intentId: string, caller: Function): Promise<EndedTrade | null> {
    await this.#recovered(callOf(caller));
    const ended = this.core.ended(textOf(intentId)) as OtherTrade | null;
    if (!ended) return null;
    const { operation, body, startedAtMs, beforeSlot, outcome, signature, proven } = ended;
    return {
      intentId,
      operation,
      body,
      startedAtMs: Number(startedAtMs),
      ...(beforeSlot !== null && { beforeSlot }),
      outcome: outcome as IntentOutcome,
      ...(signature !== null && { signature }),
      ...(proven && { proven }),
    };
  }

  /** The position that a buy has opened; undefined if its outcome is unknown and nothing has asked its market yet. */
  async positionOf(intentId: string, wallet: string | undefined, caller: Function): Promise<BoughtPosition> {
    const { market } = this.held;
    const state = await this.intentState(intentId, caller);
    if (!market?.bought) return { missing: "no_market", message: NO_MARKET, mayPass: false };
    const ended = this.core.ended(textOf(intentId)) as OtherTrade | null;
    const startedAtMs = ended && { startedAtMs: Number(ended.startedAtMs) };
    return market.bought({ intentId, state, ...ended, ...startedAtMs, wallet } as BoughtTrade);
  }

  /** Asks the market how a trade ended, if it is in doubt, and records what is proven. */
  async settleOne(intentId: string, caller: Function): Promise<void> {
    const { market } = this.held;
    const call = callOf(caller);
    const intent = market && (await this.#unresolved(call)).find((one) => one.intentId === intentId);
    if (!intent) return;
    try {
      await this.#settling(market, intent, call);
    } catch (thrown) {
      // Then it stays in doubt.
      if (read(thrown, "code") !== "no_history") throw thrown;
    }
  }

  async settle(caller: Function): Promise<SettledIntent[]> {
    const { market } = this.held;
    if (!market) throw new TypeError("settle needs the option market");
    const call = callOf(caller);
    const settled: SettledIntent[] = [];
    for (const intent of await this.#unresolved(call)) settled.push(...(await this.#settling(market, intent, call)));
    settled.push(...(await this.#lookedUp(market, this.core.answered(now(), true), call)));
    return settled;
  }

  /** Asks the market how a trade ended, and records what is proven. Resolves to it, if there is anything to tell. */
  async #settling(
    market: ClientMarket,
    intent: IntentDetails,
    call: object,
    answered?: UnsettledTrade["answered"],
  ): Promise<SettledIntent[]> {
    const { intentId, startedAtMs } = intent;
    const asked = answered ? { ...intentOf(intent), answered } : intent;
    const settling = this.core.settling(intentId, startedAtMs, answered?.outcome);
    let [ended, why]: [SettledTrade | undefined, unknown] = [undefined, undefined];
    for (let step = settling.begin() as SettlingStep; ;) {
      switch (step) {
        case "ask":
        case "ask_beside_others": {
          const known = this.core.otherIds(intentId);
          const isAlone = step === "ask";
          let found: SettledTrade | undefined;
          try {
            const others = isAlone ? null : result<OtherTrade[] | null>(this.core.others(intentId));
            const areAll = () => isAlone || !this.core.hasMoreOthers(intentId, known);
            found = await market.settleTrade(asked, others, areAll);
            ended = found ?? ended;
          } catch (thrown) {
            // It knows no transactions.
            if (read(thrown, "code") === "no_history") throw thrown;
            why = thrown;
          }
          const { outcome, reason, signature } = found ?? {};
          step = settling.asked(now(), callArgs({ outcome, reason, signature })) as SettlingStep;
          break;
        }
        case "journal":
          step = await this.#journaled(settling, intent, call);
          break;
        case "not_shown":
          this.log(WARN, "the chain has not shown a trade that the service has answered", {
            intentId,
            ...answered,
            reason: read(why, "message") ?? ended?.problem ?? ended?.reason,
          });
          step = settling.noted() as SettlingStep;
          break;
        case "unanswered":
          ended = unanswered(intent.operation);
          step = "unchanged";
          break;
        case "failed":
          throw why ?? new TypeError("the market did not say how the trade ended");
        default:
          if (!ended || step === "agreed") return [];
          if (step === "contradicted" && answered) ended = { ...ended, contradicts: answered.outcome };
          if (step !== "unchanged") await this.#tellSettled(intentId, ended);
          return [{ intentId, ...ended }];
      }
    }
  }

  /** Asks the market about trades that the service has answered, and corrects what it contradicts. Resolves to what the answers did not say. */
  async #lookedUp(market: ClientMarket, answered: unknown, call: object): Promise<SettledIntent[]> {
    const settled: SettledIntent[] = [];
    if (this.core.hasDroppedAnswered())
      this.log(WARN, "so many answered trades wait for the chain that the oldest are not asked about", {});
    try {
      for (const [intent, outcome, signature] of result<AnsweredTrade[]>(answered))
        settled.push(...(await this.#settling(market, intent, call, { outcome, signature })));
    } catch (thrown) {
      if (read(thrown, "code") !== "no_history") throw thrown;
      this.core.forgetAnswered();
    }
    return settled;
  }

  /** Whether a trade that the service has answered waits until the chain shows it. */
  get hasAnswered(): boolean {
    return this.core.answeredNextMs(now()) !== undefined;
  }

  /** Looks up without a call what is due; resolves to what is left. */
  async #lookedUpByItself(): Promise<Open> {
    await this.tried("answered trades were not looked up", {}, () =>
      this.#lookedUp(this.held.market as ClientMarket, this.core.answered(now(), false), callOf(Sender)),
    );
    const dueInMs = this.core.answeredNextMs(now());
    return [dueInMs !== undefined, dueInMs];
  }

  async #tellSettled(intentId: string, settled: SettledTrade): Promise<void> {
    const { outcome, signature, contradicts } = settled;
    const said = contradicts
      ? `the chain contradicts the service: it said ${contradicts}, and the trade is ${outcome}`
      : `settled: ${outcome}`;
    this.log(contradicts ? ERROR : INFO, said, { intentId, signature });
    await this.tried("the hook for a settled trade threw", { intentId }, () =>
      this.held.hooks?.settled?.(intentId, settled),
    );
  }

  /** Settles without a call; resolves to whether waiting may settle what is left. */
  async #settledByItself(): Promise<Open> {
    try {
      const settled = await this.settle(Sender);
      return [settled.some(({ reason }) => this.core.mayPass(reason ?? ""))];
    } catch (thrown) {
      this.logFailure("unknown trades were not settled", thrown);
      return [true];
    }
  }

  /** Tells the market of a trade: what it has read before that decides nothing any more. */
  tellMarket(intent: TradeIntent, signature: string | null): void {
    try {
      this.held.market?.traded?.(intent, signature);
    } catch (thrown) {
      this.logFailure("the market was not told of a trade", thrown, { intentId: intent.intentId });
    }
  }

  /** Compares a landed trade with its quote later, if a market has made that and somebody hears of it. Nothing waits for this. */
  driftLater(intentId: string, quoted: PricedPlan, signature: string | null | undefined): void {
    const { hooks, logger } = this.held;
    if (!this.core.checksDrift || !signature || !(hooks?.drift || logger) || read(quoted.price, "curve") === undefined)
      return;
    const timer = this.core.driftTimer(this.compared.waiting);
    if (!timer) return this.log(DEBUG, "too many trades wait to be compared with their quotes", { intentId });
    this.compared.waiting++;
    void this.#driftByItself({ intentId, ...quoted }, signature, timer).finally(() => this.compared.waiting--);
  }

  async #driftByItself(plan: PricedPlan & { intentId: string }, signature: string, timer: DriftTimer): Promise<void> {
    let why: unknown;
    for (let ms = timer.next(); ms !== undefined; ms = timer.next(textOf(read(why, "code")))) {
      await new Promise((resolve) => (setTimeout(resolve, ms) as { unref?: () => void }).unref?.());
      try {
        await this.drift(plan, signature);
        return;
      } catch (thrown) {
        why = thrown;
      }
    }
    if (!timer.reports) return;
    this.log(WARN, "a landed trade was not compared with its quote", {
      intentId: plan.intentId,
      reason: read(why, "message"),
    });
  }

  /** Compares a landed trade with the price of its plan, and tells the hook and the log. */
  async drift(plan: PricedPlan & { intentId: string }, signature: string): Promise<Drift> {
    const { market, hooks } = this.held;
    if (typeof market?.drift !== "function") throw new TypeError("drift needs the option market, with drift");
    const { intentId } = plan;
    let drift = await market.drift(plan, textOf(signature));
    if (this.core.isOfOther(intentId, textOf(signature)))
      drift = { ...drift, causes: [...drift.causes, "other_trade"], explained: false };
    const { causes, explained } = drift;
    const why = explained ? "for known reasons" : "and no known rule explains it";
    const line = causes.length === 0 ? "as quoted" : `not as quoted, ${why}`;
    this.log(explained ? INFO : ERROR, line, { intentId, signature: drift.signature, causes });
    await this.tried("the hook for drift threw", { intentId }, () => hooks?.drift?.(intentId, drift));
    return drift;
  }

  async #unresolved(call: object): Promise<IntentDetails[]> {
    await this.#recovered(call);
    return this.core.unresolved(now()) as IntentDetails[];
  }

  async #recovered(call: object): Promise<void> {
    const { recovery } = this;
    if (recovery) await this.#orFail(() => recovery.done(), call);
  }

  async #orFail(work: () => unknown, call: object): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.logFailure("journal_failed", thrown);
      throw thrownAt(call, errorWith((this.core.journalFailed() as { fields: FailureFields }).fields, thrown));
    }
  }

  /** Does what must not fail what it is part of: its failure is only logged. */
  async tried(failed: string, details: object, work: () => unknown): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.logFailure(failed, thrown, details);
    }
  }

  /** Logs why the caller's own code failed. The reason is in no error, because it may contain anything. */
  logFailure(message: string, thrown: unknown, details?: object): void {
    this.log(ERROR, message, { ...details, reason: read(thrown, "message") });
  }

  log(level: number, message: string, details: object): void {
    const { logger } = this.held;
    const name = LEVELS[level];
    if (!logger || !name || level < this.#logLevel) return;
    try {
      logger[name]?.(message, details);
    } catch {
      // A failing logger does not affect a trade.
    }
  }
}

/** Of a trade that was only accepted, and of which the market has said nothing. */
const unanswered = (operation: Operation): SettledTrade => ({
  outcome: "unknown",
  reason: "unanswered",
  problem: null,
  signature: null,
  slot: null,
  time: null,
  feeLamports: null,
  reconciled: { operation, certainty: "unknown", landed: null, found: null, findings: [] },
});
