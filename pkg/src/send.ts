// The way of one trade. It waits here, in one promise; the core makes each decision:
//
//   begin ─ admit ─ journal.begin ─ apiKey() ─ hooks.beforeSend ─ recheck ─ fetch ─ classify ─ journal.settle ─ hooks.afterSettle
//   └─────────────── nothing has left this machine ────────────────────┘ └─ money may have moved ─┘

import type { ClientCore } from "build:desk";
import { failure, given, result } from "./crossing.js";
import { type TradeError, callOf, isTradeError, isTradeFailedError, thrownAt } from "./errors.js";
import type { Found, Operation, Outcome, Trade, TradeStatus, Warning } from "./generated.js";
import { type FetchReply, type Hooks, type IntentState, type Journal, type Logger, type Settlement, type TradeIntent, callOptions } from "./options.js";
import { Recovery } from "./recovery.js";
import { SendFailure, bodyOf } from "./reply.js";
import { type Fetch, bodyFor, codeOf, fetchFor, isPage, isUnsent, newId, read, textOf, withOwn } from "./runtime.js";
import { ABORT, Watch } from "./watch.js";
import { withJson } from "./json.js";

/** How long to wait before trying a proven unsent trade again, doubled each time. */
const RETRY_MS = 100;

const LEVELS = ["debug", "info", "warn", "error"] as const;
const [DEBUG, INFO, WARN, ERROR] = [0, 1, 2, 3];

/** Where a client sends, and what each of its trades says of itself. */
export interface Endpoint {
  readonly baseURL: string;
  readonly apiKey: unknown;
  readonly keyHeader: string;
  readonly keyScheme: string;
  readonly intentHeader: string | null;
  readonly fetch: Fetch | undefined;
}

/** How a client sends. */
export interface Sending {
  readonly timeoutMs: number;
  readonly maxReplyBytes: number;
  readonly retryNotSent: number;
  readonly dryRun: boolean;
  readonly logLevel: number;
  readonly headers: Record<string, string>;
  readonly hooks: Hooks | undefined;
  readonly logger: Logger | undefined;
}

/**
 * The promise of a trade, with access to its response.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const { trade, response } = await client.buy(request).withResponse();
 * console.log(trade.status, response.status); // landed 200
 * ```
 */
export interface TradePromise<T> extends Promise<T> {
  /** The trade and the response as `fetch` gave it, its body read. */
  withResponse(): Promise<{ trade: T; response: FetchReply }>;
}

/** Sends trades for a client. Its options were checked; `core` decides. */
export class Sender {
  /** Only this class makes one: no object pretends to be it, and none is asked. */
  readonly #isSender = true;
  readonly core: ClientCore;
  readonly endpoint: Endpoint;
  readonly sending: Sending;
  readonly journal: Journal | undefined;
  readonly recovery: Recovery | undefined;

  constructor(core: ClientCore, endpoint: Endpoint, sending: Sending, journal: Journal | undefined, recovery = journal && new Recovery(core, journal)) {
    this.core = core;
    this.endpoint = endpoint;
    this.sending = sending;
    this.journal = journal;
    this.recovery = recovery;
  }

  /** Whether a value, which may be anything, is one. */
  static is(value: unknown): value is Sender {
    return typeof value === "object" && value !== null && #isSender in value;
  }

  /** The same, sending in other ways. */
  with(sending: Sending): Sender {
    return new Sender(this.core, this.endpoint, sending, this.journal, this.recovery);
  }

  /** Sends a trade. The stacks of its errors begin where `caller` was called. */
  trade(operation: Operation, request: unknown, options: unknown, caller: Function): TradePromise<Trade> {
    const flight = new Flight(this, caller);
    const promise = flight.run(operation, request, options);
    // Bound, since V8 collects what a closure holds late.
    return withOwn(promise, "withResponse", flight.withResponse.bind(flight, promise)) as TradePromise<Trade>;
  }

  /** Opens a connection ahead of the first trade; resolves to whether one was opened. */
  async warm(): Promise<boolean> {
    const { baseURL } = this.endpoint;
    const fetch = fetchFor(this.endpoint.fetch) as (Fetch & { warm?: unknown }) | undefined;
    if (typeof fetch !== "function") return false;
    const watch = new Watch(this.sending.timeoutMs, undefined);
    try {
      if (typeof fetch.warm === "function") {
        await watch.first(fetch.warm(baseURL));
        return watch.stop === 0;
      }
      // Without the key: this asks for nothing. Node does not use a connection again after a HEAD, and a page's OPTIONS
      // to another origin would be asked for by an OPTIONS of its browser's own.
      const method = isPage() ? "HEAD" : "OPTIONS";
      const response = await watch.first(fetch(baseURL, { method, redirect: "manual", signal: watch.signal }));
      // Read to its end, or the connection could not be used again.
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

  /** Records what became of an unresolved trade; in the journal first, since the next run may know only that. */
  async acknowledge(intentId: string, found: Found, caller: Function): Promise<boolean> {
    const call = callOf(caller);
    const said = result<Found>(this.core.found(...given({ found })), caller);
    const work = () => this.#acknowledged(intentId, said, call);
    return this.recovery ? this.recovery.inTurn(work) : work();
  }

  async #acknowledged(intentId: string, found: Found, call: object): Promise<boolean> {
    const { journal, core } = this;
    const intent = (await this.#unresolved(call)).find((intent) => intent.intentId === intentId);
    if (!intent) return false;
    if (journal) await this.#orFail(() => journal.settle(intentOf(intent), { outcome: found, code: null, status: null }), call);
    return core.acknowledge(intentId, found);
  }

  /** The unresolved trades, those of the journal too. */
  async pending(caller: Function): Promise<IntentState[]> {
    return this.#unresolved(callOf(caller));
  }

  async #unresolved(call: object): Promise<IntentState[]> {
    const { recovery } = this;
    if (recovery) await this.#orFail(() => recovery.done(), call);
    return withJson(this.core.unresolved(Date.now()) as IntentState[]);
  }

  async #orFail(work: () => unknown, call: object): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      this.logFailure("journal_failed", thrown);
      throw thrownAt(call, failure(this.core.failureOf("journal_failed", "")));
    }
  }

  /** Logs why the caller's own code failed. No error has the reason, since it may name anything. */
  logFailure(message: string, thrown: unknown, details?: object): void {
    this.log(ERROR, message, { ...details, reason: read(thrown, "message") });
  }

  log(level: number, message: string, details: object): void {
    const { logger, logLevel } = this.sending;
    const name = LEVELS[level];
    if (!logger || !name || level < logLevel) return;
    try {
      logger[name]?.(message, details);
    } catch {
      // A failing logger does not affect a trade.
    }
  }
}

/** What the core says of a trade that it has begun. */
interface Begun {
  readonly number: number;
  readonly operation: Operation;
  readonly intentId: string;
  readonly path: string;
  readonly body: string;
  readonly before: TradeIntent["before"] | null;
  readonly warnings: Warning[];
  readonly timeoutMs: number | null;
}

/** What the journal and the hooks get of a trade: everything that is sent except the key. */
function intentOf({ intentId, operation, body, startedAtMs, before }: Omit<TradeIntent, "before"> & { before?: TradeIntent["before"] | null }): TradeIntent {
  return before ? { intentId, operation, body, startedAtMs, before } : { intentId, operation, body, startedAtMs };
}

/** One trade in flight. */
class Flight {
  readonly #sender: Sender;
  readonly #caller: Function;
  /** Where it was asked for. */
  readonly #call: object;
  #begun!: Begun;
  #watch!: Watch;
  #startedAtMs = 0;
  #timeoutMs = 0;
  #key: string | undefined;
  /** The journal's answer to its beginning, where there is a journal. */
  #record: Promise<unknown> | undefined;
  #isRecorded = false;
  /** Whether it may have left this machine. */
  #isSent = false;
  #response: FetchReply | undefined;
  #status: number | undefined;
  #isRefusal = false;

  constructor(sender: Sender, caller: Function) {
    this.#sender = sender;
    this.#caller = caller;
    this.#call = callOf(caller);
  }

  async run(operation: Operation, request: unknown, options: unknown): Promise<Trade> {
    // Read now: later changes by the caller are not sent.
    const signal = this.#begin(operation, request, options);
    const sender = this.#sender;
    const begun = this.#begun;
    let trade: Trade | undefined;
    let error: TradeError | undefined;
    try {
      this.#watch = new Watch(this.#timeoutMs, signal);
      // The stop ends every wait.
      trade = (await this.#watch.first(this.#send())) ?? this.#cutShort();
    } catch (thrown) {
      this.#watch?.giveUp();
      error = this.#errorOf(thrown);
    }
    const outcome = trade ? trade.status : (error as TradeError).outcome;
    sender.core.settle(begun.number, outcome);
    this.#tell(trade ?? error);
    if (isTradeFailedError(error)) this.#tell(error.trade);
    const { hooks, logger } = sender.sending;
    if (this.#record || hooks?.afterSettle || logger) await this.#report(outcome, error);
    this.#watch?.release();
    if (error) throw error;
    return trade as Trade;
  }

  /** Has the request and the options checked; returns the caller's signal. */
  #begin(operation: Operation, request: unknown, options: unknown): AbortSignal | undefined {
    const { core, sending } = this.#sender;
    this.#startedAtMs = Date.now();
    const own = options === undefined ? undefined : callOptions(options);
    this.#begun = result<Begun>(core.begin(...given({ operation, request, ...own?.given, newId: newId() })), this.#caller);
    this.#timeoutMs = this.#begun.timeoutMs ?? sending.timeoutMs;
    return own?.signal;
  }

  /** Adds the intent id and the warnings to a trade or an error. */
  #tell(told: Trade | TradeError | undefined): void {
    if (!told) return;
    const { intentId, warnings } = this.#begun;
    withOwn(told, "intentId", intentId);
    if (warnings.length) withOwn(told, "warnings", warnings);
  }

  /** Sends it. Tries again only if it is proven that nothing was sent, and only as often as was asked for. */
  async #send(): Promise<Trade> {
    const sender = this.#sender;
    await this.#prepare();
    for (let tries = 0; ; tries++) {
      // The core may have been halted meanwhile.
      await this.#recheck();
      try {
        return await this.#once();
      } catch (thrown) {
        if (!(thrown instanceof SendFailure && thrown.code === "connect_failed" && tries < sender.sending.retryNotSent)) throw thrown;
        sender.log(WARN, "not sent, trying again", { intentId: this.#begun.intentId, code: this.#tellable(thrown.detail) });
        await this.#pause(RETRY_MS << tries);
      }
    }
  }

  /** Everything between a checked request and its dispatch. */
  async #prepare(): Promise<void> {
    const { core, journal, recovery, endpoint, sending } = this.#sender;
    const { number } = this.#begun;
    this.#check();
    if (recovery) await this.#before("journal_failed", () => recovery.done());
    // It has a turn, which may be some time ahead.
    const ms = result<number>(core.admit(number, Date.now()), this.#caller);
    if (ms) await this.#pause(ms);
    // By now it may be another day, or the core may be halted.
    if (ms || journal) this.#startedAtMs = result<number>(core.recheck(number, Date.now()), this.#caller);
    if (journal) await this.#takeDown(journal);
    await this.#takeKey(endpoint.apiKey);
    const { hooks } = sending;
    if (hooks?.beforeSend) await this.#before("hook_failed", () => hooks.beforeSend?.(this.#intent()));
    if (sending.dryRun) throw new SendFailure("dry_run");
  }

  async #takeKey(apiKey: unknown): Promise<void> {
    const key = typeof apiKey === "function" ? await this.#before("api_key_unavailable", apiKey as () => unknown) : apiKey;
    if (typeof apiKey === "function" && !(typeof key === "string" && this.#sender.core.isKey(key))) throw new SendFailure("api_key_unavailable");
    if (typeof key === "string") this.#key = key;
  }

  /** Records the trade in the journal. */
  async #takeDown(journal: Journal): Promise<void> {
    this.#isRecorded = false;
    await this.#before("journal_failed", () => (this.#record = Promise.resolve(journal.begin(this.#intent()))));
    this.#isRecorded = true;
  }

  /** Asks the guards again. A trade that waited past midnight counts for the new day, in the journal too, before it is sent. */
  async #recheck(): Promise<void> {
    const { core, journal } = this.#sender;
    for (;;) {
      const startedAtMs = result<number>(core.recheck(this.#begun.number, Date.now()), this.#caller);
      if (startedAtMs === this.#startedAtMs) return;
      this.#startedAtMs = startedAtMs;
      if (!journal) return;
      await this.#before("journal_failed", () => journal.settle(this.#intent(), { outcome: "not_sent", code: null, status: null }));
      await this.#takeDown(journal);
    }
  }

  async #once(): Promise<Trade> {
    const sender = this.#sender;
    const begun = this.#begun;
    const fetch = fetchFor(sender.endpoint.fetch);
    if (typeof fetch !== "function") throw new SendFailure("unsupported_runtime", "this runtime has no fetch; pass one");
    // It may have been aborted meanwhile.
    this.#check();
    const body = bodyFor(fetch, begun.body) as string;
    // A runtime without signals fails here, with nothing sent.
    const init = { method: "POST", headers: this.#headers(), body, redirect: "manual", signal: this.#watch.signal } as const;
    sender.log(DEBUG, `${begun.operation}: sending`, { intentId: begun.intentId });
    let response: FetchReply;
    this.#isSent = true;
    try {
      // As a plain function, so `this` is undefined: a browser's fetch refuses any `this` but its own.
      response = await fetch(sender.endpoint.baseURL + begun.path, init);
    } catch (thrown) {
      // Only its transport can prove that nothing was sent: a runtime's own fetch reports its last try, and it may have
      // made others. The proof holds at a deadline and after an abort, too.
      const failed = new SendFailure(isUnsent(thrown) ? "connect_failed" : "network_error", codeOf(thrown));
      this.#isSent = failed.code !== "connect_failed";
      this.#check();
      throw failed;
    }
    this.#check();
    this.#response = response;
    const status = read(response, "status");
    if (typeof status !== "number") throw new SendFailure("network_error");
    this.#status = status;
    this.#isRefusal = !(status >= 200 && status < 300);
    const bytes = await bodyOf(response, sender.sending.maxReplyBytes, () => this.#check()).catch((failed) => {
      // The status alone makes a refusal, whatever happens to its body.
      if (!this.#isRefusal) throw failed;
      return new Uint8Array();
    });
    return this.#classify(bytes);
  }

  #classify(bytes: Uint8Array): Trade {
    const { core } = this.#sender;
    return result(core.classify(this.#begun.number, this.#status ?? 0, this.#retryAfter(), bytes, this.#key ?? "", Date.now()), this.#caller);
  }

  /** The result at the stop, when something has not answered. */
  #cutShort(): Trade {
    if (this.#isRefusal) return this.#classify(new Uint8Array());
    throw this.#stopped();
  }

  /** Plain objects only, so that an injected fetch of any realm or library can read them. */
  #headers(): Record<string, string> {
    const { endpoint, sending } = this.#sender;
    const key = this.#key;
    return {
      ...sending.headers,
      "content-type": "application/json",
      accept: "application/json",
      ...(key && { [endpoint.keyHeader]: endpoint.keyScheme + key }),
      ...(endpoint.intentHeader && { [endpoint.intentHeader]: this.#begun.intentId }),
    };
  }

  #retryAfter(): string | undefined {
    try {
      return textOf(this.#response?.headers.get("retry-after")) || undefined;
    } catch {
      return undefined;
    }
  }

  /** A failure's detail, a plain code; empty if an injected fetch put the key into it. */
  #tellable(detail: string): string {
    return this.#key && detail.includes(this.#key) ? "" : detail;
  }

  /** The error to throw. */
  #errorOf(thrown: unknown): TradeError {
    return thrownAt(this.#call, isTradeError(thrown) ? thrown : this.#failureOf(thrown)) as TradeError;
  }

  #failureOf(thrown: unknown): Error {
    const { core } = this.#sender;
    if (thrown instanceof SendFailure) return failure(core.failureOf(thrown.code, this.#tellable(thrown.detail), this.#status));
    // An unexpected error: once it was sent, it may have been made.
    if (this.#isSent) return failure(core.failureOf("network_error", "", this.#status));
    return failure(core.failureOf("unsupported_runtime", "this runtime lacks what sending takes"));
  }

  /**
   * Reports how it ended to the journal, the hook and the logger. None of them changes the result or delays it past the
   * deadline.
   */
  async #report(outcome: TradeStatus | Outcome, error: TradeError | undefined): Promise<void> {
    const sender = this.#sender;
    const begun = this.#begun;
    const settlement: Settlement = { outcome, code: error?.code ?? null, status: this.#status ?? null };
    const details = { intentId: begun.intentId, ...settlement };
    const settled = this.#record && this.#journalEnd(settlement);
    // If the journal's begin has not resolved by the deadline, its end is not awaited.
    if (this.#isRecorded && !(await this.#isInTime(settled))) {
      sender.log(ERROR, "the journal has not confirmed how a trade ended by the deadline; the caller gets the result without it", details);
    }
    if (!(await this.#isInTime(this.#hookEnd(settlement)))) {
      sender.log(WARN, "the hook after a trade has not ended by the deadline; the caller gets the result without it", details);
    }
    const level = !error ? INFO : outcome === "unknown" ? ERROR : WARN;
    sender.log(level, `${begun.operation}: ${outcome}`, details);
  }

  async #isInTime(work: Promise<void> | undefined): Promise<boolean> {
    if (this.#watch) return this.#watch.isInTime(work);
    await work;
    return true;
  }

  async #hookEnd(settlement: Settlement): Promise<void> {
    const sender = this.#sender;
    try {
      await sender.sending.hooks?.afterSettle?.(this.#intent(), settlement);
    } catch (thrown) {
      sender.logFailure("the hook after a trade threw", thrown, { intentId: this.#begun.intentId });
    }
  }

  /** Settles the journal if it recorded the intent. An intent that it refused may be another trade's. */
  async #journalEnd(settlement: Settlement): Promise<void> {
    const sender = this.#sender;
    try {
      await this.#record;
    } catch {
      return;
    }
    try {
      await sender.journal?.settle(this.#intent(), settlement);
    } catch (thrown) {
      sender.logFailure("the journal did not record how a trade ended", thrown, { intentId: this.#begun.intentId, ...settlement });
    }
  }

  #intent(): TradeIntent {
    return intentOf({ ...this.#begun, startedAtMs: this.#startedAtMs });
  }

  /** Waits for the caller's own code. Its result after the stop is ignored. */
  async #before(code: "journal_failed" | "hook_failed" | "api_key_unavailable", work: () => unknown): Promise<unknown> {
    let said: unknown;
    try {
      said = await work();
    } catch (thrown) {
      this.#check();
      // The key function's error is not reported anywhere: it may name the key.
      if (code !== "api_key_unavailable") this.#sender.logFailure(code, thrown, { intentId: this.#begun.intentId });
      throw new SendFailure(code);
    }
    this.#check();
    return said;
  }

  async #pause(ms: number): Promise<void> {
    await this.#watch.pause(ms);
    this.#check();
  }

  /** Throws once the call was stopped. */
  #check(): void {
    if (this.#watch.stop) throw this.#stopped();
  }

  #stopped(): SendFailure {
    const code = this.#watch.stop === ABORT ? "aborted" : "timeout";
    return this.#isSent ? new SendFailure(code, `${this.#timeoutMs}`) : new SendFailure(`${code}_before_send`);
  }

  async withResponse(promise: Promise<Trade>): Promise<{ trade: Trade; response: FetchReply }> {
    return { trade: await promise, response: this.#response as FetchReply };
  }
}
