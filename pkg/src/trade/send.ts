// Sends one trade. The core's state machine decides each step; this file carries the step out and reports what happened. See
// src/trade/flow for the order of the steps, and pkg/wasm/src/flow.rs for the other side.

import type { ClientCore, TradeFlow } from "build:trade";
import type { Body } from "../body.js";
import { within } from "../bound.js";
import { callArgs } from "../crossing.js";
import { type FailureFields, errorOf, isTradeError, thrownAt } from "../errors.js";
import type { IntentOutcome, Operation, Trade, Warning } from "../generated.js";
import { MARKET_RESTS_MS, NOTE_WITHIN_MS, SIDES } from "../generated.js";
import { MAY_SEND, QUOTE, SAYS } from "../symbols.js";
import type { ClientMarket, Hooks, Logger, PricedPlan, Settlement, Suspension, TradeIntent } from "./options.js";
import { type Lost, bodyOf } from "../reply.js";
import {
  type Fetch,
  type FetchInit,
  type FetchReply,
  bodyFor,
  codeOf,
  fetchFor,
  isUnsent,
  now,
  read,
  sayInTests,
  textOf,
  uncached,
  withOwn,
} from "../runtime.js";
import type { Sender } from "./sender.js";
import { ABORT, Watch } from "./watch.js";

/** The levels of the log, by their places in the core. */
export const [DEBUG, INFO, WARN, ERROR] = [0, 1, 2, 3];

/** The caller's own functions, which a client holds because the core cannot. */
export interface OwnFunctions {
  /** Asks for the key, if the key is not text. */
  readonly askKey: (() => unknown) | undefined;
  readonly fetch: Fetch | undefined;
  readonly hooks: Hooks | undefined;
  readonly logger: Logger | undefined;
  readonly market: ClientMarket | undefined;
}

/** A function that knows prices: the caller's own, called with the request, or the sandbox's, called with the body. */
export type Ask = (operation: Operation, about: unknown) => unknown;

/** Who knows the price of this body: the market, or the sandbox. */
export const askOf = ({ market, fetch }: OwnFunctions, { countsBps }: ClientCore, body: string): Ask | undefined =>
  market ? (of) => market.quoteBody(of, body, countsBps ? "bps" : "percent") : (read(fetch, QUOTE) as Ask | undefined);

/** An error with what the package's own journal says of its failure: which file, and which process has it. Another's text may contain anything. */
export function errorWith(fields: FailureFields, thrown: unknown): Error {
  const says = fields.code === "journal_failed" ? textOf(read(thrown, SAYS)) : "";
  return errorOf(says ? { ...fields, message: `${fields.message} (${says})` } : fields);
}

/** The steps before a send. Once one has ended, what another program has said decides whether the next comes. */
const BEFORE_SEND: ReadonlySet<string> = new Set(["recover", "wait", "journalBegin", "askKey", "beforeSend"]);

/** The step that the core asks for next. src/trade/flow/step.rs explains the names. */
type Step =
  | { step: "nothing" | "recover" | "askKey" | "cancel" | "hurry" }
  // Wait for the trade's turn, or before another attempt.
  | { step: "wait"; ms: number; why: string | null; code: string | null }
  | { step: "journalBegin" | "beforeSend"; intent: TradeIntent }
  | { step: "journalSettle"; intent: TradeIntent; settlement: Settlement; suspension: Suspension }
  | { step: "afterSettle"; intent: TradeIntent; settlement: Settlement }
  // The one POST.
  | { step: "send"; path: string; headers: Record<string, string>; body: string }
  // A GET, which asks and makes no trade.
  | { step: "get"; path: string; headers: Record<string, string> }
  | { step: "read"; most: number }
  | Done;

/** The step of this name. */
type StepOf<Name extends Step["step"]> = Extract<Step, { step: Name }>;

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
export function intentOf({
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
export class Flight {
  readonly #sender: Sender;
  readonly #operation: Operation;
  readonly #flow: TradeFlow;
  readonly #intentId: string;
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
    const made = trade ?? thrownAt(call, errorWith(error as FailureFields, this.#journalThrew));
    // The trade of a failed one is in its error.
    for (const settled of isTradeError(made) && made.outcome === "failed" ? [made, made.trade] : [made]) {
      withOwn(settled, "intentId", this.#intentId);
      if (warnings.length) withOwn(settled, "warnings", warnings);
    }
    const { outcome, signature } = settlement;
    const ofError = outcome === "unknown" ? ERROR : WARN;
    this.#log(trade ? INFO : ofError, `${this.#operation}: ${outcome}`, settlement);
    try {
      if (!trade) this.#watch.giveUp();
      this.#watch.release();
      this.#releaseFlow();
      if (outcome === "unknown") this.#sender.settleTimer?.start();
      // Of one that is waited for, and that this client does not know, only the id is known.
      if (intent?.body && HAS_TRADED.includes(outcome) && settlement.code !== "awaiting_approval")
        this.#sender.tellMarket(intent, signature);
      if (signature) this.#sender.lookUps?.start();
      if (trade?.status === "landed" && this.#quoted) this.#sender.driftLater(this.#intentId, this.#quoted, signature);
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

  #ended(): Done | undefined {
    try {
      let step = this.#report(["abort"]);
      for (let left = MOST_STEPS; step.step !== "done" && left > 0; left--) step = this.#report(["momentOver"]);
      return step.step === "done" ? step : undefined;
    } catch {
      return undefined;
    }
  }

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
      case "get":
        return this.#fetched(step);
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

  async #wait({ ms, why, code }: StepOf<"wait">): Promise<Event> {
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
      const reason = read(thrown, "message");
      this.#log(WARN, "the market did not report what the wallets hold: an unknown outcome will stay unknown", {
        reason,
      });
      return undefined;
    }
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

  /** Makes the one POST of a trade, or a GET. */
  async #fetched(step: StepOf<"send" | "get">): Promise<Event> {
    const { held, baseURL } = this.#sender;
    const fetch = fetchFor(held.fetch);
    if (typeof fetch !== "function") return ["unsupported", "this runtime has no fetch; pass one"];
    let init: FetchInit & { readonly [MAY_SEND]?: () => boolean };
    try {
      init = {
        method: "GET",
        headers: step.headers,
        redirect: "manual",
        ...uncached(fetch),
        signal: this.#watch.signal,
        ...(step.step === "send" && {
          method: "POST",
          body: bodyFor(fetch, step.body) as string,
          [MAY_SEND]: () => this.#isAllowed(),
        }),
      };
    } catch {
      return ["unsupported", LACKING];
    }
    if (step.step === "send") {
      if (!held.fetch) sayInTests();
      this.#log(DEBUG, `${this.#operation}: sending`);
    }
    let response: FetchReply;
    const maySend = this.#maySend;
    this.#maySend = true;
    try {
      // Called as a plain function, so `this` is undefined: a browser's fetch refuses any `this` but its own.
      response = await fetch(baseURL + step.path, init);
    } catch (thrown) {
      // Only the transport can prove that nothing was sent. A runtime's own fetch reports its last try, and it may have made
      // others. The proof also holds after the deadline or an abort.
      if (isUnsent(thrown)) this.#maySend = maySend;
      return [isUnsent(thrown) ? "unsent" : "broken", codeOf(thrown)];
    }
    this.response = response;
    // What stands behind a redirect says nothing of the trade. 0 is the status of a redirect that was not followed.
    const status = read(response, "redirected") === true ? 0 : read(response, "status");
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

  async #settle({ intent, settlement, suspension }: StepOf<"journalSettle">): Promise<Event> {
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

  async #afterSettle({ intent, settlement }: StepOf<"afterSettle">): Promise<Event> {
    const { held } = this.#sender;
    await this.#sender.tried("the hook after a trade threw", { intentId: this.#intentId }, () =>
      held.hooks?.afterSettle?.(intent, settlement),
    );
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
    void this.#sender.tried("a late answer of the journal was lost", { intentId: this.#intentId }, () => reported);
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

const STOPPED = ["aborted", "aborted_before_send"];

/** More steps than any trade has once it is stopped. */
const MOST_STEPS = 8;
/** After which outcomes a trade may have a transaction. */
const HAS_TRADED: readonly IntentOutcome[] = ["landed", "unconfirmed", "failed", "unknown"];

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
