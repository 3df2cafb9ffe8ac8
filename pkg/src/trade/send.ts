// Sends one trade. The core's state machine decides each step; this file carries the step out and reports what happened. See
// src/trade/flow for the order of the steps, and pkg/wasm/src/flow.rs for the other side.

import type { ClientCore, DriftTimer, SettlingFlow, TradeFlow } from "build:trade";
import type { Body } from "../body.js";
import { within } from "../bound.js";
import { type Flat, failure, flat, callArgs, secondCallArgs, result } from "../crossing.js";
import { type FailureFields, callOf, errorOf, isTradeError, thrownAt } from "../errors.js";
import type {
  Drift,
  Found,
  IntentOutcome,
  IntentState,
  Operation,
  OtherTrade,
  SettlingStep,
  Trade,
  Warning,
} from "../generated.js";
import { MARKET_RESTS_MS, NOTE_WITHIN_MS, SIDES } from "../generated.js";
import { MAY_SEND, QUOTE, SAYS } from "../symbols.js";
import {
  type BoughtPosition,
  type BoughtTrade,
  type ClientMarket,
  type EndedTrade,
  type GivenOptions,
  type Hooks,
  type IntentDetails,
  type Journal,
  type Logger,
  type PricedPlan,
  type SettledTrade,
  type Settlement,
  type Suspension,
  type TradeIntent,
  type UnsettledTrade,
  callOptions,
  planOptions,
  plannedOptions,
} from "./options.js";
import { type Plan, frozen } from "./plan.js";
import { Recovery } from "./recovery.js";
import { type Lost, bodyOf } from "../reply.js";
import {
  type Fetch,
  type FetchInit,
  type FetchReply,
  bodyFor,
  codeOf,
  fetchFor,
  isPage,
  isUnsent,
  newId,
  now,
  read,
  sayInTests,
  textOf,
  uncached,
  withOwn,
} from "../runtime.js";
import { type Open, SettleTimer } from "./settle-timer.js";
import { ABORT, Watch } from "./watch.js";

const LEVELS = ["debug", "info", "warn", "error"] as const;
const [DEBUG, INFO, WARN, ERROR] = [0, 1, 2, 3];

/** What the core says of `no_market`, which no market can say. */
const NO_MARKET = "The client has no market that shows transactions: what the trade cost is in no reply.";

/** The caller's own functions, which a client holds because the core cannot. */
export interface OwnFunctions {
  /** Asks for the key, if the key is not text. */
  readonly askKey: (() => unknown) | undefined;
  readonly fetch: Fetch | undefined;
  readonly hooks: Hooks | undefined;
  readonly logger: Logger | undefined;
  readonly market: ClientMarket | undefined;
}

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

/** The options of a call, as they are read. */
type OwnOptions = ReturnType<typeof callOptions>;

/** Makes the core begin a flow. */
type Begin = (own: GivenOptions | undefined) => unknown;

/** What a client is asked to carry out: `caller` is where the stacks of its errors begin. */
interface Asked {
  readonly begin: Begin;
  readonly own: OwnOptions | undefined;
  readonly caller: Function;
  /** Of a trade that is sent without a plan. */
  readonly operation?: Operation;
  readonly plan?: Plan;
  /** Whether it may have been sent before, and its outcome is waited for. */
  readonly isWaiting?: boolean;
}

/** A function that knows prices: the caller's own, called with the request, or the sandbox's, called with the body. */
type Ask = (operation: Operation, about: unknown) => unknown;

/** Who knows the price of this body: the market, or the sandbox. */
const askOf = ({ market, fetch }: OwnFunctions, { countsBps }: ClientCore, body: string): Ask | undefined =>
  market ? (of) => market.quoteBody(of, body, countsBps ? "bps" : "percent") : (read(fetch, QUOTE) as Ask | undefined);

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
    if (this.recovery) this.recovery.restored = () => this.hasAnswered && this.lookUps?.start();
  }

  #newSettleTimer(): SettleTimer | undefined {
    const settles = this.core.settleTimer();
    return settles && new SettleTimer(settles, () => this.#settledByItself());
  }

  #newLookUps(): SettleTimer | undefined {
    return this.held.market && new SettleTimer(this.core.lookUpTimer(), () => this.#lookedUpByItself());
  }

  /** Whether a value, which may be anything, is a sender. */
  static is(value: unknown): value is Sender {
    return typeof value === "object" && value !== null && #isSender in value;
  }

  /** The same sender with other sending options. */
  with(core: ClientCore, held: OwnFunctions): Sender {
    return new Sender(core, held, this.journal, this);
  }

  /** Sends a trade. The stacks of its errors begin where `caller` was called. */
  trade(operation: Operation, request: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const begin = (own?: GivenOptions) => this.core.begin(callArgs({ operation, request, ...own, newId: newId() }));
    return this.#promised({ begin, own: options === undefined ? undefined : callOptions(options), caller, operation });
  }

  /** Sends a plan. The stacks of its errors begin where `caller` was called. */
  send(plan: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const begin = (own?: GivenOptions) => this.core.beginPlan(callArgs({ plan, ...own }));
    const own = options === undefined ? undefined : plannedOptions(options);
    return this.#promised({ begin, own, caller, plan: plan as Plan });
  }

  /** Waits for what a gateway decides. The stacks of its errors begin where `caller` was called. */
  waitFor(intentId: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const begin = (own?: GivenOptions) => this.core.waitFor(callArgs({ intentId, ...own }));
    const own = options === undefined ? undefined : plannedOptions(options);
    return this.#promised({ begin, own, caller, isWaiting: true });
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
    const own = options === undefined ? undefined : planOptions(options);
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

  /** Opens a connection ahead of the first trade; resolves to whether one was opened. */
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
    const kept = this.#keep(this.core[act]() as Suspension, callOf(caller));
    kept.catch(() => {});
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
      throw thrownAt(call, failure(this.core.suspensionNotKept(callArgs({ ...change }))));
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

  /** How far an intent is; `null` if only a journal could know, and there is none. */
  async intentState(intentId: string, caller: Function): Promise<IntentState | null> {
    await this.#recovered(callOf(caller));
    const state = this.core.intentState(textOf(intentId)) as IntentState;
    return state === "not_recorded" && !this.recovery ? null : state;
  }

  /** How a trade ended, if that is known and it was sent. */
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

  /** Asks the market how each unresolved trade ended, and records what is proven. */
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
    try {
      await this.#lookedUp(this.held.market as ClientMarket, this.core.answered(now(), false), callOf(Sender));
    } catch (thrown) {
      this.logFailure("answered trades were not looked up", thrown);
    }
    const dueInMs = this.core.answeredNextMs(now());
    return [dueInMs !== undefined, dueInMs];
  }

  async #tellSettled(intentId: string, settled: SettledTrade): Promise<void> {
    const { outcome, signature, contradicts } = settled;
    if (contradicts)
      this.log(ERROR, `the chain contradicts the service: it said ${contradicts}, and the trade is ${outcome}`, {
        intentId,
        signature,
      });
    else this.log(INFO, `settled: ${outcome}`, { intentId, signature });
    try {
      await this.held.hooks?.settled?.(intentId, settled);
    } catch (thrown) {
      this.logFailure("the hook for a settled trade threw", thrown, { intentId });
    }
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
    if (typeof market?.drift !== "function") throw new TypeError("drift needs the option market, one that has drift");
    const { intentId } = plan;
    let drift = await market.drift(plan, textOf(signature));
    if (this.core.isOfOther(intentId, textOf(signature)))
      drift = { ...drift, causes: [...drift.causes, "other_trade"], explained: false };
    const { causes, explained } = drift;
    const why = explained ? "for known reasons" : "and no known rule explains it";
    const line = causes.length === 0 ? "as quoted" : `not as quoted, ${why}`;
    this.log(explained ? INFO : ERROR, line, { intentId, signature: drift.signature, causes });
    try {
      await hooks?.drift?.(intentId, drift);
    } catch (thrown) {
      this.logFailure("the hook for drift threw", thrown, { intentId });
    }
    return drift;
  }

  async #unresolved(call: object): Promise<IntentDetails[]> {
    await this.#recovered(call);
    return this.core.unresolved(now()) as IntentDetails[];
  }

  /** The journal's trades are restored. */
  async #recovered(call: object): Promise<void> {
    const { recovery } = this;
    if (recovery) await this.#orFail(() => recovery.done(), call);
  }

  async #orFail(work: () => unknown, call: object): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.logFailure("journal_failed", thrown);
      throw thrownAt(
        call,
        errorOf(withReason((this.core.journalFailed() as { fields: FailureFields }).fields, thrown)),
      );
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

/** The fields of an error with what the package's own journal says of its failure: which file, and which process has it. Another's text may contain anything. */
function withReason(fields: FailureFields, thrown: unknown): FailureFields {
  const says = fields.code === "journal_failed" ? textOf(read(thrown, SAYS)) : "";
  return says ? { ...fields, message: `${fields.message} (${says})` } : fields;
}

/** The steps before a send. Once one has ended, what another program has said decides whether the next comes. */
const BEFORE_SEND: ReadonlySet<string> = new Set(["recover", "wait", "journalBegin", "askKey", "beforeSend"]);

/** The step that the core asks for next. src/trade/flow/step.rs explains the names. */
type Step =
  | { step: "nothing" | "recover" | "askKey" | "cancel" | "hurry" }
  | Wait
  | { step: "journalBegin" | "beforeSend"; intent: TradeIntent }
  | JournalSettle
  | AfterSettle
  | Post
  | Get
  | { step: "read"; most: number }
  | Done;

/** Wait for the trade's turn, or before another attempt. */
type Wait = { step: "wait"; ms: number; why: string | null; code: string | null };

/** How the trade ended, for the journal. */
type JournalSettle = { step: "journalSettle"; intent: TradeIntent; settlement: Settlement; suspension: Suspension };

/** The same for the hook. */
type AfterSettle = { step: "afterSettle"; intent: TradeIntent; settlement: Settlement };

/** The one POST. */
type Post = { step: "send"; path: string; headers: Record<string, string>; body: string };

/** A GET, which asks and makes no trade. */
type Get = { step: "get"; path: string; headers: Record<string, string> };

/** The result: a trade, or the fields of an error. */
type Done = {
  step: "done";
  intent?: TradeIntent;
  settlement: Settlement;
  warnings: Warning[];
  trade: Trade | null;
  error: FailureFields | null;
};

/** What happened, with the names of src/trade/flow/step.rs. */
type Event =
  | [
      event:
        | "begin"
        | "recovered"
        | "journaled"
        | "journalFailed"
        | "woken"
        | "keyFailed"
        | "hookPassed"
        | "hookFailed"
        | "hookEnded",
    ]
  | [event: "deadline" | "abort" | "momentOver"]
  | [event: "key" | "unsent" | "unsupported", detail: string]
  | [
      event: "answered",
      status: number,
      retryAfter: string | undefined,
      isSimulated: boolean,
      intentState: string | undefined,
    ]
  | [event: "body", bytes: Uint8Array]
  | Lost;

/** A trade as the journal and the hooks get it: everything that is sent except the key. */
function intentOf({
  intentId,
  operation,
  body,
  startedAtMs,
  before,
  throughGateway,
  counted,
  namedSignature,
}: Omit<TradeIntent, "before"> & { before?: TradeIntent["before"] | null }): TradeIntent {
  return {
    intentId,
    operation,
    body,
    startedAtMs,
    ...(before && { before }),
    ...(throughGateway && { throughGateway }),
    ...(counted && { counted }),
    ...(namedSignature && { namedSignature }),
  };
}

/** One trade in flight: carries out its steps. */
class Flight {
  readonly #sender: Sender;
  readonly #operation: Operation;
  readonly #flow: TradeFlow;
  readonly #intentId: string;
  /** What the journal has thrown. */
  #journalThrew: unknown;
  readonly #watch = new Watch();
  #isStopReported = false;
  /** Whether a request may have gone out, now or, of a trade that is waited for, before. */
  #maySend: boolean;
  /** What it was quoted, if a market has. */
  #quoted: PricedPlan | undefined;
  /** How many still report events to the flow: the caller's wait, and a journal that has not begun the trade. */
  #users = 1;
  /** The trade that was about to be sent. A flow that still works at its end says which it was. */
  #sent: TradeIntent | undefined;
  response: FetchReply | undefined;

  constructor(
    sender: Sender,
    operation: Operation,
    flow: TradeFlow,
    { quoted, maySend }: { quoted: PricedPlan | undefined; maySend: boolean },
  ) {
    this.#quoted = quoted;
    this.#maySend = maySend;
    this.#sender = sender;
    this.#operation = operation;
    this.#flow = flow;
    this.#intentId = flow.intentId;
  }

  /** Runs the trade to its end. `call` is the stack of the caller. */
  async run(signal: AbortSignal | undefined, call: object): Promise<Trade> {
    const {
      trade,
      error,
      settlement,
      warnings,
      intent = this.#sent,
    } = await this.#done(signal).catch((thrown: unknown) => this.#failed(thrown));
    const made = trade ?? thrownAt(call, errorOf(withReason(error as FailureFields, this.#journalThrew)));
    // The trade of a failed one is in its error.
    for (const settled of isTradeError(made) && made.outcome === "failed" ? [made, made.trade] : [made]) {
      withOwn(settled, "intentId", this.#intentId);
      if (warnings.length) withOwn(settled, "warnings", warnings);
    }
    const ofError = settlement.outcome === "unknown" ? ERROR : WARN;
    const level = trade ? INFO : ofError;
    this.#log(level, `${this.#operation}: ${settlement.outcome}`, settlement);
    try {
      if (!trade) this.#watch.giveUp();
      this.#watch.release();
      this.#releaseFlow();
      if (settlement.outcome === "unknown") this.#sender.settleTimer?.start();
      // Of one that is waited for, and that this client does not know, only the id is known.
      if (intent?.body && HAS_TRADED.includes(settlement.outcome) && settlement.code !== "awaiting_approval")
        this.#sender.tellMarket(intent, settlement.signature);
      if (settlement.signature) this.#sender.lookUps?.start();
      if (trade?.status === "landed" && this.#quoted)
        this.#sender.driftLater(this.#intentId, this.#quoted, trade.result.signature);
    } catch (thrown) {
      // Whatever fails now, the trade has its outcome.
      this.#sender.logFailure("what follows a trade failed", thrown, { intentId: this.#intentId });
    }
    if (!trade) throw made;
    return trade;
  }

  /**
   * The result after the module or the runtime failed in the middle. If the flow still works, it ends as after an abort, with what it knows
   * by then. Otherwise what was sent decides; a journal that began the trade has it as unresolved.
   */
  #failed(thrown: unknown): Done {
    this.#sender.logFailure("the module or the runtime failed in the middle of a trade", thrown, {
      intentId: this.#intentId,
    });
    const ended = this.#ended();
    if (ended && !STOPPED.includes(textOf(ended.error?.["code"]))) return ended;
    const what = textOf(read(thrown, "code")) === "module_failed" ? "the WebAssembly module" : "the runtime";
    const [outcome, code, message] = this.#maySend
      ? (["unknown", "module_failed_after_send", `outcome unknown: ${what} failed after the request went out`] as const)
      : (["not_sent", "module_failed", `not sent: ${what} failed`] as const);
    const error = { ...ended?.error, message, code, outcome };
    return {
      step: "done",
      trade: null,
      error,
      warnings: ended?.warnings ?? [],
      settlement: { outcome, code, status: null, signature: null, proven: false },
    };
  }

  /** The end of the flow, if it still works. */
  #ended(): Done | undefined {
    try {
      let step = this.#report(["abort"]);
      for (let left = MOST_STEPS; step.step !== "done" && left > 0; left--) step = this.#report(["momentOver"]);
      return step.step === "done" ? step : undefined;
    } catch {
      return undefined;
    }
  }

  /** Carries out one step after another until the last. */
  async #done(signal: AbortSignal | undefined): Promise<Done> {
    let step: Step;
    try {
      this.#watch.begin(this.#flow.timeoutMs, signal);
      // Wait one turn, in which the caller may still abort or halt.
      await undefined;
      if (!this.#watch.stop) await this.#price();
      step = this.#watch.stop ? this.#reportStop() : this.#report(["begin"]);
    } catch {
      step = this.#report(["unsupported", LACKING]);
    }
    while (step.step !== "done") step = await this.#until(step);
    return step;
  }

  /** Asks the market for what a guard wants: the price of a buy, or the decimals of a token. Without it the guard refuses the trade. */
  async #price(): Promise<void> {
    const body = this.#flow.unpricedBody(now());
    if (body === undefined) return;
    const isBuy = SIDES[this.#operation] === "buy";
    try {
      const price = await this.#watch.first(this.#priceOf(body, isBuy));
      if (price === undefined || this.#watch.stop) return;
      this.#flow.priced(now(), callArgs({ price }));
      if (isBuy) this.#quoted = { operation: this.#operation, body, price };
    } catch (thrown) {
      this.#sender.logFailure("the market gave no price", thrown, { intentId: this.#intentId });
    }
  }

  /** Of a sell only its token's decimals, which no trade changes. */
  async #priceOf(body: string, isBuy: boolean): Promise<unknown> {
    const { held, core } = this.#sender;
    if (isBuy || !held.market?.decimalsOf) return askOf(held, core, body)?.(this.#operation, body);
    return { curve: { launchpad: { tokenDecimals: await held.market.decimalsOf((JSON.parse(body) as Body).mint) } } };
  }

  #report([event, detail = "", retryAfter, isSimulated = false, intentState]: Event): Step {
    const [flow, nowMs] = [this.#flow, now()];
    if (event === "answered")
      return flow.answered(nowMs, detail as number, retryAfter, isSimulated, intentState) as Step;
    if (event === "body") return flow.body(nowMs, detail as Uint8Array) as Step;
    return flow.next(nowMs, event, detail as string) as Step;
  }

  #reportStop(): Step {
    this.#isStopReported = true;
    return this.#report([this.#watch.stop === ABORT ? "abort" : "deadline"]);
  }

  /** Waits for a step's event, or for the stop. After the stop the step has a few turns left to report. */
  async #until(step: Step): Promise<Step> {
    const watch = this.#watch;
    const work = this.#carryOut(step);
    let event = this.#isStopReported ? undefined : await watch.first(work);
    if (BEFORE_SEND.has(step.step)) this.#sender.recovery?.obeyStop();
    if (watch.stop && !this.#isStopReported) {
      const next = this.#reportStop();
      if (next.step !== "cancel" && next.step !== "hurry") {
        if (step.step === "journalBegin") this.#awaitLate(work);
        return next;
      }
    }
    event ??= await watch.moment(work);
    if (!event) this.#logNotEnded(step);
    return this.#report(event ?? ["momentOver"]);
  }

  /** Carries out a step; resolves to its event, and never rejects. */
  #carryOut(step: Step): Promise<Event> {
    const { held, journal, recovery } = this.#sender;
    switch (step.step) {
      case "recover":
        return this.#ask("journal_failed", "recovered", "journalFailed", () => recovery?.done());
      case "journalBegin":
        return this.#ask("journal_failed", "journaled", "journalFailed", () => journal?.begin(step.intent));
      case "beforeSend":
        this.#sent = step.intent;
        return this.#ask("hook_failed", "hookPassed", "hookFailed", () => this.#beforeSend(step.intent));
      case "askKey":
        return askedKey(held.askKey);
      case "wait":
        return this.#wait(step);
      case "send":
        return this.#send(step);
      case "get":
        return this.#fetched(step.path, {
          method: "GET",
          headers: step.headers,
          redirect: "manual",
          ...uncached(fetchFor(held.fetch)),
          signal: this.#watch.signal,
        });
      case "read":
        return this.#read(step.most);
      case "journalSettle":
        return this.#settle(step);
      case "afterSettle":
        return this.#afterSettle(step);
      default:
        // The other steps never come here. If one did, the deadline would end the trade.
        return new Promise(() => {});
    }
  }

  /** Runs the caller's own code. After the call was stopped, its failure is not logged. */
  async #ask(
    line: string,
    passed: "recovered" | "journaled" | "hookPassed",
    failed: "journalFailed" | "hookFailed",
    work: () => unknown,
  ): Promise<Event> {
    try {
      await work();
      return [passed];
    } catch (thrown) {
      if (!this.#watch.stop) this.#sender.logFailure(line, thrown, { intentId: this.#intentId });
      if (failed === "journalFailed") this.#journalThrew = thrown;
      return [failed];
    }
  }

  async #wait({ ms, why, code }: Wait): Promise<Event> {
    if (why !== null) this.#log(WARN, why, { code });
    await this.#watch.pause(ms);
    return ["woken"];
  }

  /**
   * Asks the market what the wallets hold, then runs the hook: a check in it is the last before the request. If it returned balances, they
   * replace those of the market.
   */
  async #beforeSend(intent: TradeIntent): Promise<void> {
    const { hooks, market } = this.#sender.held;
    const noted = market && !intent.before ? await this.#noted(market, intent) : undefined;
    // After a stop the hook is not run: nothing will be sent.
    if (this.#watch.stop) return;
    const before = read(await hooks?.beforeSend?.(intent), "before") ?? noted;
    // After a stop nothing waits for them, and the flow may be over.
    if (before !== undefined && !this.#watch.stop) this.#flow.saw(callArgs({ before }));
  }

  /**
   * What the wallets hold, by the market, which is asked twice if its first answer is an error. Without an answer the trade is sent anyway:
   * a sale must not wait for a node.
   */
  async #noted(market: ClientMarket, intent: TradeIntent): Promise<unknown> {
    const { rest } = this.#sender;
    const ms = Math.min(NOTE_WITHIN_MS, Math.ceil(this.#flow.timeoutMs / 2));
    let isLate = false;
    const asked = async (): Promise<unknown> => {
      try {
        return await market.before(intent);
      } catch (thrown) {
        if (isLate) throw thrown;
        return market.before(intent);
      }
    };
    try {
      const leftMs = rest.untilMs - now();
      // A longer rest than that means that the clock was set back: it does not count.
      if (leftMs > 0 && leftMs <= MARKET_RESTS_MS) throw new Error(rest.reason);
      return await within(ms, asked(), () => {
        isLate = true;
        rest.untilMs = now() + MARKET_RESTS_MS;
        rest.reason = `the market has not answered within ${ms} ms; it is not asked again for ${MARKET_RESTS_MS / 1_000} s`;
        throw new Error(rest.reason);
      });
    } catch (thrown) {
      this.#log(WARN, "the market did not report what the wallets hold: an unknown outcome will stay unknown", {
        reason: read(thrown, "message"),
      });
      return undefined;
    }
  }

  async #send({ path, headers, body }: Post): Promise<Event> {
    const fetch = fetchFor(this.#sender.held.fetch);
    if (typeof fetch !== "function") return ["unsupported", "this runtime has no fetch; pass one"];
    if (!this.#sender.held.fetch) sayInTests();
    let init: FetchInit & { readonly [MAY_SEND]: () => boolean };
    try {
      const [signal, kept] = [this.#watch.signal, uncached(fetch)];
      init = {
        method: "POST",
        headers,
        body: bodyFor(fetch, body) as string,
        redirect: "manual",
        ...kept,
        signal,
        [MAY_SEND]: () => this.#isAllowed(),
      };
    } catch {
      return ["unsupported", LACKING];
    }
    this.#log(DEBUG, `${this.#operation}: sending`);
    return this.#fetched(path, init);
  }

  /** Whether it may still go, since the flow let it through: trading may have been stopped, or its plan or its price may be too old. */
  #isAllowed(): boolean {
    try {
      this.#sender.recovery?.obeyStop();
      return !this.#watch.stop && this.#flow.maySend(now());
    } catch {
      // A core that has trapped allows nothing, and a transport asks this where nobody catches.
      return false;
    }
  }

  async #fetched(path: string, init: FetchInit): Promise<Event> {
    const { held, baseURL } = this.#sender;
    const fetch = fetchFor(held.fetch);
    if (typeof fetch !== "function") return ["unsupported", "this runtime has no fetch; pass one"];
    let response: FetchReply;
    const maySend = this.#maySend;
    this.#maySend = true;
    try {
      // Called as a plain function, so `this` is undefined: a browser's fetch refuses any `this` but its own.
      response = await fetch(baseURL + path, init);
    } catch (thrown) {
      // Only the transport can prove that nothing was sent. A runtime's own fetch reports its last try, and it may have made
      // others. The proof also holds after the deadline or an abort.
      if (isUnsent(thrown)) this.#maySend = maySend;
      return [isUnsent(thrown) ? "unsent" : "broken", codeOf(thrown)];
    }
    this.response = response;
    const status = read(response, "status");
    if (typeof status !== "number") return this.#lost(["broken", ""]);
    return [
      "answered",
      status,
      header(response, "retry-after"),
      header(response, "x-simulated") === "true",
      header(response, "intent-state"),
    ];
  }

  async #read(most: number): Promise<Event> {
    const event = await bodyOf(this.response as FetchReply, most, this.#watch);
    return event[0] === "body" ? event : this.#lost(event);
  }

  /** Aborts the reply: its rest is not needed. */
  #lost(lost: Lost): Lost {
    this.#watch.giveUp();
    return lost;
  }

  async #settle({ intent, settlement, suspension }: JournalSettle): Promise<Event> {
    try {
      await this.#sender.journal?.settle(intent, settlement, suspension);
      return ["journaled"];
    } catch (thrown) {
      this.#sender.logFailure("the journal did not record how a trade ended", thrown, {
        intentId: this.#intentId,
        ...settlement,
      });
      return ["journalFailed"];
    }
  }

  async #afterSettle({ intent, settlement }: AfterSettle): Promise<Event> {
    try {
      await this.#sender.held.hooks?.afterSettle?.(intent, settlement);
    } catch (thrown) {
      this.#sender.logFailure("the hook after a trade threw", thrown, { intentId: this.#intentId });
    }
    return ["hookEnded"];
  }

  /** If the journal had not begun the trade before the stop, it may do so later. The core is told then, and nothing waits for it. */
  #awaitLate(work: Promise<Event>): void {
    this.#users++;
    const reported = work.then((event) => {
      const step = this.#report(event);
      if (step.step === "journalSettle") void this.#settle(step);
      this.#releaseFlow();
    });
    reported.catch((thrown: unknown) =>
      this.#sender.logFailure("a late answer of the journal was lost", thrown, { intentId: this.#intentId }),
    );
  }

  #releaseFlow(): void {
    if (--this.#users === 0) this.#flow.free();
  }

  #logNotEnded(step: Step): void {
    const rest = "by the deadline; the caller gets the result without it";
    if (step.step === "journalSettle")
      this.#log(ERROR, `the journal has not confirmed how a trade ended ${rest}`, step.settlement);
    if (step.step === "afterSettle") this.#log(WARN, `the hook after a trade has not ended ${rest}`, step.settlement);
  }

  #log(level: number, message: string, details?: object): void {
    this.#sender.log(level, message, { intentId: this.#intentId, ...details });
  }
}

/** The codes of a trade that was stopped. */
const STOPPED = ["aborted", "aborted_before_send"];

/** More steps than any trade has once it is stopped. */
const MOST_STEPS = 8;
/** After which outcomes a trade may have a transaction. */
const HAS_TRADED: readonly IntentOutcome[] = ["landed", "unconfirmed", "failed", "unknown"];

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

/** The error of a runtime without timers or signals. */
const LACKING = "this runtime lacks what sending needs";

/** Asks for the key. The reason of a failure is not reported, because it may contain the key. */
async function askedKey(ask: OwnFunctions["askKey"]): Promise<Event> {
  try {
    const key = await ask?.();
    return typeof key === "string" ? ["key", key] : ["keyFailed"];
  } catch {
    return ["keyFailed"];
  }
}

function header(response: FetchReply, name: string): string | undefined {
  try {
    return textOf(response.headers.get(name)) || undefined;
  } catch {
    return undefined;
  }
}
