// The way of one trade. It waits here, in one promise; the desk, in Rust, makes each decision:
//
//   begin ─ admit ─ journal.begin ─ apiKey() ─ hooks.beforeSend ─ recheck ─ fetch ─ classify ─ journal.settle ─ hooks.afterSettle
//   └─────────────── nothing has left this machine ────────────────────┘ └─ money may have moved ─┘

import { isTradeError } from "./errors.js";
import { Lost, bodyOf } from "./reply.js";
import { bodyFor, codeOf, fetchFor, isPage, isUnsent, newId, read, withOwn } from "./runtime.js";
import { ABORT, Watch } from "./watch.js";

/** How long to wait before trying a proven unsent trade again, doubled each time. */
const RETRY_MS = 100;

/** What a limit for a day counts: days of UTC. */
const DAY_MS = 86_400_000;

/** What an outcome is to the guards; 0 is unknown. */
const ENDS = { landed: 1, unconfirmed: 1, not_sent: 2, rejected: 3, failed: 3 };

const LEVELS = ["debug", "info", "warn", "error"];
const [DEBUG, INFO, WARN, ERROR] = LEVELS.keys();

/** Restores a journal's unresolved trades, once for all clients that share it. */
class Recovery {
  constructor(desk, journal) {
    this.desk = desk;
    this.journal = journal;
    this.last = Promise.resolve();
  }

  /** One at a time, so that journal and desk agree if an intent is acknowledged twice. */
  inTurn(work) {
    const turn = this.last.then(work);
    this.last = turn.catch(() => {});
    return turn;
  }

  done() {
    return (this.promise ??= this.run().catch((error) => {
      this.promise = undefined;
      throw error;
    }));
  }

  async run() {
    const { desk, journal } = this;
    const now = Date.now();
    const midnight = now - (now % DAY_MS);
    if (!journal.recall) {
      for (const intent of (await journal.pending?.()) ?? []) desk.restore(intent, now);
      for (const intent of (await journal.landed?.(midnight)) ?? []) desk.restoreLanded(intent, now);
      return;
    }
    const { pending, landed, lamports } = await journal.recall(midnight);
    for (const intent of pending) desk.restore(intent, now);
    for (const intentId of landed) desk.restoreLandedId(intentId);
    // Last, so that it is restored once, even if the others had to be tried again.
    if (!desk.restoreSpent(String(lamports), now)) throw new TypeError("the journal's lamports are not a whole number");
  }
}

/** Sends trades for a client. `endpoint` and `settings` were checked; `desk` decides. */
export class Carrier {
  // Each is declared, so that nothing comes from a prototype that somebody added to.
  apiKey;
  fetch;
  keyHeader;
  keyScheme;
  intentHeader;
  headers;
  hooks;
  logger;
  dryRun = false;
  timeoutMs = 30_000;
  maxReplyBytes = 1 << 20;
  retryNotSent = 0;
  logLevel = 1;
  baseURL;
  desk;
  journal;
  endpoint;
  settings;
  recovery;

  constructor(desk, journal, endpoint, settings, recovery = new Recovery(desk, journal)) {
    Object.assign(this, endpoint, settings);
    Object.assign(this, { desk, journal, endpoint, settings, recovery });
  }

  withSettings(settings) {
    return new Carrier(this.desk, this.journal, this.endpoint, { ...this.settings, ...settings }, this.recovery);
  }

  /** Sends a trade; the promise also has `withResponse`. */
  trade(operation, request, options) {
    const trade = new Trade(this);
    const promise = trade.run(operation, request, options);
    // Bound, since V8 collects what a closure holds late. An accessor in `init` below would cost as much again.
    return withOwn(promise, "withResponse", trade.withResponse.bind(trade, promise));
  }

  /** Opens a connection ahead of the first trade; resolves to whether one was opened. */
  async warm() {
    const fetch = fetchFor(this.fetch);
    if (typeof fetch !== "function") return false;
    const watch = new Watch(this.timeoutMs);
    try {
      if (typeof fetch.warm === "function") {
        await watch.first(fetch.warm(this.baseURL));
        return watch.stop === 0;
      }
      // Without the key: this asks for nothing. Node does not use a connection again after a HEAD, and a page's OPTIONS
      // to another origin would be asked for by an OPTIONS of its browser's own.
      const method = isPage() ? "HEAD" : "OPTIONS";
      const response = await watch.first(fetch(this.baseURL, { method, redirect: "manual", signal: watch.signal }));
      // Read to its end, or the connection could not be used again.
      await watch.first(response.arrayBuffer?.());
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
  async acknowledge(intentId, found) {
    if (found !== "landed" && found !== "did_not_land") throw this.desk.badFound();
    return this.recovery.inTurn(() => this.acknowledged(intentId, found));
  }

  async acknowledged(intentId, found) {
    const intents = await this.pending();
    if (!intents.some((intent) => intent.intentId === intentId)) return false;
    if (this.journal) await this.orFail(() => this.journal.settle({ intentId }, { outcome: found, code: null, status: null }));
    return this.desk.acknowledge(intentId, found);
  }

  async pending() {
    if (this.journal) await this.orFail(() => this.recovery.done());
    return this.desk.unresolved(Date.now());
  }

  async orFail(work) {
    try {
      await work();
    } catch (thrown) {
      this.logFailure("journal_failed", thrown);
      throw this.desk.lost("journal_failed", "");
    }
  }

  /** Logs why the caller's own code failed. No error has the reason, since it may name anything. */
  logFailure(message, thrown, details) {
    this.log(ERROR, message, { ...details, reason: read(thrown, "message") });
  }

  log(level, message, details) {
    if (!this.logger || level < this.logLevel) return;
    try {
      this.logger[LEVELS[level]]?.(message, details);
    } catch {
      // A failing logger does not affect a trade.
    }
  }
}

/** One trade in flight. */
class Trade {
  sent = false;
  call;
  watch;
  key;
  begun;
  hasBegun = false;
  response;
  status;
  isRefusal = false;

  constructor(carrier) {
    this.carrier = carrier;
  }

  async run(operation, request, options) {
    // Read now: later changes by the caller are not sent.
    this.call = this.begin(operation, request, options);
    let trade;
    let error;
    try {
      this.watch = new Watch(this.call.timeoutMs, this.call.signal);
      // The stop ends every wait.
      trade = (await this.watch.first(this.send())) ?? this.cutShort();
    } catch (thrown) {
      this.watch?.giveUp();
      error = this.errorOf(thrown);
    }
    const outcome = trade?.status ?? error.outcome ?? "not_sent";
    const { carrier } = this;
    carrier.desk.settle(this.call.number, ENDS[outcome] ?? 0);
    for (const told of [trade, error, error?.outcome === "failed" ? error.trade : undefined]) this.tell(told);
    if (this.begun || carrier.hooks?.afterSettle || carrier.logger) await this.report(outcome, error);
    this.watch?.release();
    if (error) throw error;
    return trade;
  }

  begin(operation, request, options) {
    const { desk, timeoutMs } = this.carrier;
    const startedAtMs = Date.now();
    const call = desk.begin(operation, request, options, newId());
    call.timeoutMs ??= timeoutMs;
    return { ...call, startedAtMs };
  }

  /** Adds the intent id and the warnings to a trade or an error. */
  tell(told) {
    if (!told) return;
    const { intentId, warnings } = this.call;
    withOwn(told, "intentId", intentId);
    if (warnings.length) withOwn(told, "warnings", warnings);
  }

  /** Everything between a checked request and its dispatch. */
  async prepare() {
    const { carrier, call } = this;
    this.check();
    if (carrier.journal) await this.before("journal_failed", () => carrier.recovery.done());
    // It has a turn, which may be some time ahead.
    const ms = carrier.desk.admit(call.number, Date.now());
    if (ms) await this.pause(ms);
    // By now it may be another day, or the desk may be halted.
    if (ms || carrier.journal) call.startedAtMs = carrier.desk.recheck(call.number, Date.now());
    if (carrier.journal) await this.takeDown();
    this.key = carrier.apiKey;
    if (typeof this.key === "function") {
      this.key = await this.before("api_key_unavailable", this.key);
      if (!carrier.desk.isKey(this.key)) throw new Lost("api_key_unavailable");
    }
    if (carrier.hooks?.beforeSend) await this.before("hook_failed", () => carrier.hooks.beforeSend(this.intent()));
    if (carrier.dryRun) throw new Lost("dry_run");
  }

  /** Records the trade in the journal. */
  async takeDown() {
    const { carrier } = this;
    this.hasBegun = false;
    await this.before("journal_failed", () => (this.begun = Promise.resolve(carrier.journal.begin(this.intent()))));
    this.hasBegun = true;
  }

  /** Asks the guards again. A trade that waited past midnight counts for the new day, in the journal too, before it is sent. */
  async recheck() {
    const { carrier, call } = this;
    for (;;) {
      const startedAtMs = carrier.desk.recheck(call.number, Date.now());
      if (startedAtMs === call.startedAtMs) return;
      call.startedAtMs = startedAtMs;
      if (!carrier.journal) return;
      await this.before("journal_failed", () => carrier.journal.settle(this.intent(), { outcome: "not_sent", code: null, status: null }));
      await this.takeDown();
    }
  }

  async withResponse(promise) {
    return { trade: await promise, response: this.response };
  }

  /** Sends it. Tries again only if it is proven that nothing was sent, and only as often as was asked for. */
  async send() {
    const { carrier, call } = this;
    await this.prepare();
    for (let tries = 0; ; tries++) {
      // The desk may have been halted meanwhile.
      await this.recheck();
      try {
        return await this.once();
      } catch (thrown) {
        if (!(thrown instanceof Lost && thrown.code === "connect_failed" && tries < carrier.retryNotSent)) throw thrown;
        carrier.log(WARN, "not sent, trying again", { intentId: call.intentId, code: this.tellable(thrown.detail) });
        await this.pause(RETRY_MS << tries);
      }
    }
  }

  async once() {
    const { carrier, call } = this;
    const fetch = fetchFor(carrier.fetch);
    if (typeof fetch !== "function") throw new Lost("unsupported_runtime", "this runtime has no fetch; pass one");
    // It may have been aborted meanwhile.
    this.check();
    const body = bodyFor(fetch, call.body);
    // A runtime without signals fails here, with nothing sent.
    const init = { method: "POST", headers: this.headers(), body, redirect: "manual", signal: this.watch.signal };
    carrier.log(DEBUG, `${call.operation}: sending`, { intentId: call.intentId });
    let response;
    this.sent = true;
    try {
      // As a plain function, so `this` is undefined: a browser's fetch refuses any `this` but its own.
      response = await fetch(carrier.baseURL + call.path, init);
    } catch (thrown) {
      // Only its transport can prove that nothing was sent: a runtime's own fetch reports its last try, and it may have
      // made others. The proof holds at a deadline and after an abort, too.
      const lost = new Lost(isUnsent(thrown) ? "connect_failed" : "network_error", codeOf(thrown));
      this.sent = lost.code !== "connect_failed";
      this.check();
      throw lost;
    }
    this.check();
    this.response = response;
    const status = read(response, "status");
    if (typeof status !== "number") throw new Lost("network_error");
    this.status = status;
    this.isRefusal = !(status >= 200 && status < 300);
    const bytes = await bodyOf(response, carrier.maxReplyBytes, () => this.check()).catch((lost) => {
      // The status alone makes a refusal, whatever happens to its body.
      if (!this.isRefusal) throw lost;
      return new Uint8Array();
    });
    return this.classify(bytes);
  }

  classify(bytes) {
    const { carrier, call } = this;
    return carrier.desk.classify(call.number, this.status, this.retryAfter(), bytes, this.key, Date.now());
  }

  /** The result at the stop, when something has not answered. */
  cutShort() {
    return this.isRefusal ? this.classify(new Uint8Array()) : this.check();
  }

  /** Plain objects only, so that an injected fetch of any realm or library can read them. */
  headers() {
    const { carrier, call, key } = this;
    return {
      ...carrier.headers,
      "content-type": "application/json",
      accept: "application/json",
      ...(key && { [carrier.keyHeader]: carrier.keyScheme + key }),
      ...(carrier.intentHeader && { [carrier.intentHeader]: call.intentId }),
    };
  }

  retryAfter() {
    try {
      return this.response.headers.get("retry-after") ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** A failure's detail, a plain code; empty if an injected fetch put the key into it. */
  tellable(detail) {
    return this.key && detail.includes(this.key) ? "" : detail;
  }

  /** The error to throw. */
  errorOf(thrown) {
    const { carrier, call } = this;
    if (thrown instanceof Lost) {
      return carrier.desk.lost(thrown.code, this.tellable(thrown.detail), this.status);
    }
    if (isTradeError(thrown)) return thrown;
    // An unexpected error: once it was sent, it may have been made.
    return this.sent ? carrier.desk.lost("network_error", "", this.status) : carrier.desk.lost("unsupported_runtime", "this runtime lacks what sending takes");
  }

  /**
   * Reports how it ended to the journal, the hook and the logger. None of them changes the result or delays it past the
   * deadline.
   */
  async report(outcome, error) {
    const { carrier, call } = this;
    const settlement = { outcome, code: error?.code ?? null, status: this.status ?? null };
    const details = { intentId: call.intentId, ...settlement };
    const settled = this.begun && this.journalEnd(settlement);
    // If the journal's begin has not resolved by the deadline, its end is not awaited.
    if (this.hasBegun && !(await this.isInTime(settled))) {
      carrier.log(ERROR, "the journal has not confirmed how a trade ended by the deadline; the caller gets the result without it", details);
    }
    if (!(await this.isInTime(this.hookEnd(settlement)))) {
      carrier.log(WARN, "the hook after a trade has not ended by the deadline; the caller gets the result without it", details);
    }
    const level = !error ? INFO : outcome === "unknown" ? ERROR : WARN;
    carrier.log(level, `${call.operation}: ${outcome}`, details);
  }

  async isInTime(work) {
    return this.watch ? this.watch.isInTime(work) : (await work, true);
  }

  async hookEnd(settlement) {
    const { carrier, call } = this;
    try {
      await carrier.hooks?.afterSettle?.(this.intent(), settlement);
    } catch (thrown) {
      carrier.logFailure("the hook after a trade threw", thrown, { intentId: call.intentId });
    }
  }

  /** Settles the journal if it recorded the intent. An intent that it refused may be another trade's. */
  async journalEnd(settlement) {
    const { carrier, call } = this;
    try {
      await this.begun;
    } catch {
      return;
    }
    try {
      await carrier.journal.settle(this.intent(), settlement);
    } catch (thrown) {
      carrier.logFailure("the journal did not record how a trade ended", thrown, { intentId: call.intentId, ...settlement });
    }
  }

  /** What the journal and the hooks get: everything that is sent except the key. */
  intent() {
    const { intentId, operation, body, startedAtMs, before } = this.call;
    return before ? { intentId, operation, body, startedAtMs, before } : { intentId, operation, body, startedAtMs };
  }

  /** Waits for the caller's own code. Its result after the stop is ignored. */
  async before(code, work) {
    let said;
    try {
      said = await work();
    } catch (thrown) {
      this.check();
      // The key function's error is not reported anywhere: it may name the key.
      if (code !== "api_key_unavailable") this.carrier.logFailure(code, thrown, { intentId: this.call.intentId });
      throw new Lost(code);
    }
    this.check();
    return said;
  }

  async pause(ms) {
    await this.watch.pause(ms);
    this.check();
  }

  check() {
    const { stop } = this.watch;
    if (!stop) return;
    const code = stop === ABORT ? "aborted" : "timeout";
    throw this.sent ? new Lost(code, `${this.call.timeoutMs}`) : new Lost(`${code}_before_send`);
  }
}
