// `TradeClient`: one method for each operation. It checks its options and hands each trade to its sender.

import { type Again, ClientCore } from "build:trade";
import { signatureOf } from "../body.js";
import { builtCall } from "./check.js";
import { callArgs, result } from "../crossing.js";
import type {
  BuiltCall,
  BundleBuyRequest,
  BundleSellByPercentageRequest,
  BundleSellRequest,
  BundleTrade,
  BuyRequest,
  BuyTrade,
  Drift,
  ExitPosition,
  Found,
  IntentState,
  Operation,
  RequestOf,
  SellByPercentageRequest,
  SellRequest,
  SellTrade,
  Trade,
  TradeQuote,
  Seen,
} from "../generated.js";
import { SETTLE_EVERY_MS, SHOWN_EVERY_MS, SHOWN_WITHIN_MS } from "../generated.js";
import { positionError } from "../errors.js";
import { disposable, freed } from "../handle.js";
import { bindMethods } from "../methods.js";
import { LEARNS, TRANSPORT } from "../symbols.js";
import { clientOptions, sendOptions } from "./given-options.js";
import type {
  BoughtPosition,
  CallOptions,
  ClientOptions,
  EndedTrade,
  GuardState,
  IntentDetails,
  SendOptions,
} from "./options.js";
import type { Plan, PlanOptions, TradeOf } from "./plan.js";
import { now, read, sendBy } from "../runtime.js";
import { Sender, type SettledIntent, type TradePromise } from "./sender.js";
import { Watch } from "./watch.js";

/** A form's data, as from `Object.fromEntries(new FormData(form))`: text under names that are known only at run time. */
export type FormRecord = { readonly [field: string]: string | object };

/** A record whose names the compiler does not know. If it knows them, the request is checked against its own type instead. */
export type FormOnly<F extends FormRecord> = string extends keyof F ? F : never;

/** A method for each operation: a client that lacks one does not compile. See {@link TradeClient}. */
export type TradeMethods = {
  [O in Operation]: (request: RequestOf[O], options?: CallOptions) => TradePromise<TradeOf[O]>;
};

/** What carries out exits: `Exits` of `launchpad-desk/market`. */
export type ManagesExits<Market, Options, Managed> = {
  /** Carries out the exits of a position. */
  manage(client: TradeClient, position: ExitPosition, market: Market, options?: Options): Managed;
};

/**
 * Sends trades, and says for each whether money may have moved.
 *
 * Always say where it trades: at a `baseURL`, or in a sandbox, with no key, no network and no money.
 *
 * A call resolves if the trade landed (`status: "landed"`) or the reply does not say so (`"unconfirmed"`). Otherwise it rejects
 * with `TradeNotSentError`, `TradeRejectedError`, `TradeFailedError` or `TradeOutcomeUnknownError`. The client sends nothing
 * twice. A runtime's own `fetch` may do so; the default on Node, a transport over `node:http`, does not.
 *
 * Methods can be used on their own: `const { buy } = client`.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox(); // in place of the service
 * const client = new TradeClient({ fetch: sandbox.fetch }); // for the service: { baseURL: "https://…", apiKey }
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 }); // 1 SOL
 * console.log(trade.status, trade.exact.buyAmount);
 * ```
 */
export class TradeClient implements TradeMethods {
  #sender: Sender | undefined;
  readonly #isDerived: boolean;

  /**
   * Makes a client.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
   */
  constructor(options: ClientOptions) {
    this.#isDerived = Sender.is(options);
    this.#sender = Sender.is(options) ? options : senderOf(options);
  }

  /** The sender, which the client gives up when it is freed. */
  get #live(): Sender {
    const sender = #sender in this ? this.#sender : undefined;
    return sender ?? freed("TradeClient");
  }

  /**
   * Buys what a form asks for. Every field may be text.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const form = new FormData(); // a page has `new FormData(element)`
   * form.set("mint", sandbox.tokens[0].mint);
   * form.set("fromWallet", sandbox.wallets[0].wallet);
   * form.set("amountInLamports", "1000000000");
   * const trade = await client.buy(Object.fromEntries(form));
   * ```
   */
  buy<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<BuyTrade>;
  /** Buys a token with one wallet. Declared last, because compilers report errors for the last overload. */
  buy(request: BuyRequest, options?: CallOptions): TradePromise<BuyTrade>;
  buy(request: unknown, options?: CallOptions): TradePromise<BuyTrade> {
    return this.#trade("buy", request, options);
  }

  /** Sells the amount that a form asks for. Every field may be text. */
  sell<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
  /**
   * Sells an amount of a token from one wallet.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const token = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet };
   * const { exact } = await client.buy({ ...token, amountInLamports: 50_000_000 });
   * if (exact.buyAmount) await client.sell({ ...token, amountInToken: { tokens: exact.buyAmount } }); // whole tokens
   * ```
   */
  sell(request: SellRequest, options?: CallOptions): TradePromise<SellTrade>;
  sell(request: unknown, options?: CallOptions): TradePromise<SellTrade> {
    return this.#trade("sell", request, options);
  }

  /** Sells the percentage that a form asks for. Every field may be text. */
  sellByPercentage<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
  /** Sells a percentage of one wallet's holdings of a token. */
  sellByPercentage(request: SellByPercentageRequest, options?: CallOptions): TradePromise<SellTrade>;
  sellByPercentage(request: unknown, options?: CallOptions): TradePromise<SellTrade> {
    return this.#trade("sellByPercentage", request, options);
  }

  /** Buys a token with several wallets in one transaction. */
  bundleBuy(request: BundleBuyRequest, options?: CallOptions): TradePromise<BundleTrade> {
    return this.#trade("bundleBuy", request, options);
  }

  /** Sells amounts of a token from several wallets in one transaction. */
  bundleSell(request: BundleSellRequest, options?: CallOptions): TradePromise<BundleTrade> {
    return this.#trade("bundleSell", request, options);
  }

  /** Sells percentages of several wallets' holdings of a token in one transaction. */
  bundleSellByPercentage(request: BundleSellByPercentageRequest, options?: CallOptions): TradePromise<BundleTrade> {
    return this.#trade("bundleSellByPercentage", request, options);
  }

  /**
   * Makes the trade of an operation that is known only at run time, as in a route, or of what `toRequest` gives. It resolves and rejects as
   * the operation's own method does.
   */
  trade<O extends Operation>(operation: O, request: RequestOf[O], options?: CallOptions): TradePromise<TradeOf[O]> {
    return this.#trade(operation, request, options, methods.trade);
  }

  #trade<T extends Trade>(operation: Operation, request: unknown, options: unknown, by = methods[operation]) {
    return this.#live.trade(operation, request, options, by) as TradePromise<Trade> as TradePromise<T>;
  }

  /**
   * Checks a request and turns it into a plan: its exact bytes, the guards' verdict, its price if a market is known, an id and
   * an expiry. Nothing is sent and nothing is reserved.
   *
   * @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`; `journal_failed`. The
   * guards' verdict does not throw: it is in the plan, as `refused`.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch, maxLamportsPerDay: 1_000_000_000 });
   * const [{ mint }] = sandbox.tokens;
   * const [{ wallet }] = sandbox.wallets;
   * const plan = await client.plan("buy", { mint, fromWallet: wallet, amountInLamports: 2_000_000_000 });
   * console.log(plan.refused?.code, plan.price?.legs[0]?.tokenAmount); // over_day_limit …
   * ```
   */
  plan<O extends Operation, Q = TradeQuote>(
    operation: O,
    request: RequestOf[O],
    options?: PlanOptions<O, Q>,
  ): Promise<Plan<O, Q>> {
    return this.#live.plan(operation, request, options, methods.plan) as unknown as Promise<Plan<O, Q>>;
  }

  /**
   * Sends exactly the bytes of a plan, once. It resolves and rejects as the operation itself does. If a plan was not sent, it may
   * be sent again until it expires.
   *
   * @throws {TradeNotSentError} `plan_expired`; `plan_used`, if it was sent before or its intent is known, in the journal too (where
   * it may have landed, the message says so: settle it with `pending`, `reconcile` and `acknowledge` before you make a new plan);
   * `plan_altered`, if it has changed since it was made; `plan_for_another_service`, if it was made for another base URL, or for a
   * sandbox while this client has none; or the guards' current verdict.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const [{ mint }] = sandbox.tokens;
   * const [{ wallet }] = sandbox.wallets;
   * const kept = JSON.stringify(await client.plan("buy", { mint, fromWallet: wallet, amountInLamports: 50_000_000 }));
   * const trade = await client.send(JSON.parse(kept)); // once somebody has approved it
   * console.log(trade.status); // landed
   * ```
   */
  send<O extends Operation>(
    plan: Plan<O, unknown>,
    options?: Pick<CallOptions, "signal" | "timeoutMs">,
  ): TradePromise<TradeOf[O]> {
    return this.#live.send(plan, options, methods.send) as TradePromise<Trade> as TradePromise<TradeOf[O]>;
  }

  /**
   * Waits until a gateway (`gateway: true`) has decided about an intent, such as one that ended as `awaiting_approval`. It reads the
   * gateway's record again and again, as often as `retryAfterMs` says, and never sends a trade. It resolves to the recorded trade or
   * rejects with the recorded error; then the trade is no longer unresolved here, unless its outcome is unknown.
   *
   * @param options - `timeoutMs`: how long to wait, 1200000 (20 minutes) by default, somewhat longer than a gateway waits for an
   *   approval by default; `signal` ends the wait.
   * @throws {TradeOutcomeUnknownError} `timeout` or `aborted`, and what the gateway said last; `intent_not_found`; or the recorded one.
   *
   * @example
   * ```js
   * import { TradeClient, isTradeError } from "launchpad-desk";
   *
   * const client = new TradeClient({ baseURL: "https://gateway.example", gateway: true, apiKey: "token-of-this-caller" });
   * async function bought() {
   *   try {
   *     return await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 5_000_000_000 }, { intentId: "signal-1" });
   *   } catch (error) {
   *     if (!isTradeError(error) || error.code !== "awaiting_approval") throw error;
   *     return await client.waitFor("signal-1");
   *   }
   * }
   * ```
   */
  waitFor(intentId: string, options?: Pick<CallOptions, "signal" | "timeoutMs">): TradePromise<Trade> {
    return this.#live.waitFor(intentId, options, methods.waitFor);
  }

  /**
   * Checks a request and writes its exact bytes. Nothing is sent.
   *
   * @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
   */
  build<O extends Operation>(operation: O, request: RequestOf[O]): BuiltCall {
    const { core, baseURL } = this.#live;
    return builtCall(operation, baseURL, result(core.build(callArgs({ operation, request })), methods.build));
  }

  /**
   * The same client with other sending options. Guards and journal are shared: a limit holds for both.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
   */
  withOptions(options: SendOptions): TradeClient {
    const sender = this.#live;
    const { holds, given } = sendOptions(options);
    const core = result<ClientCore>(sender.core.with(callArgs(given)), methods.withOptions);
    const { hooks = sender.held.hooks, logger = sender.held.logger } = holds;
    // A constructor of our own: a client is made of options or, here alone, of a sender.
    return new TradeClient(sender.with(core, { ...sender.held, hooks, logger }) as ClientOptions);
  }

  /**
   * Opens a connection ahead of the first trade, so that the trade need not wait for DNS, TCP and TLS. It sends an OPTIONS request
   * (in a page, a HEAD) for the base URL, without the key. Meanwhile a made-up trade runs from its check to its result within this
   * process, so that the first real one finds all code loaded and compiled. It is not sent, logged, counted or recorded. Resolves to
   * whether a connection was opened; never rejects.
   */
  warm(): Promise<boolean> {
    const opened = this.#live.warm();
    return rehearsed().then(() => opened);
  }

  /**
   * Stops all trades, including those that are queued: each trade not yet sent ends as `not_sent`, with the code `halted`. It takes
   * effect at once. The promise resolves when the journal has it: then it survives a restart. `client.guards` shows what a journal
   * has from before once that was read, which the first trade and `pending()` do.
   *
   * @throws {TradeNotSentError} `journal_failed`: it is halted, but a restart may undo that.
   */
  halt(): Promise<void> {
    return this.#live.stop("halt", methods.halt);
  }

  /**
   * Allows only sells: a buy ends as `not_sent`, with the code `reducing`. It takes effect and is recorded like `halt`.
   *
   * @throws {TradeNotSentError} `journal_failed`: a restart may undo it.
   */
  reduce(): Promise<void> {
    return this.#live.stop("reduce", methods.reduce);
  }

  /**
   * Allows all trades again, and closes the breaker. Unresolved intents stay unresolved. It takes effect and is recorded like `halt`.
   *
   * @throws {TradeNotSentError} `journal_failed`: a restart may undo it.
   */
  resume(): Promise<void> {
    return this.#live.stop("resume", methods.resume);
  }

  /**
   * The current state of the guards: which trades are allowed, what was spent today, what is in flight or unresolved. In JSON the
   * lamports are text, with all digits.
   */
  get guards(): GuardState {
    this.#live.recovery?.obeyStop();
    return this.#live.core.guards(now()) as GuardState;
  }

  /**
   * Records how a trade of unknown outcome ended. After `landed` its id is used up. After `did_not_land` its lamports no longer
   * count towards the limit, and it may be sent again. Resolves to whether it was unresolved. The journal gets it first.
   *
   * @throws {TradeNotSentError} `invalid_request` for any other value of `found`, `journal_failed` if the journal threw.
   *
   * @example
   * ```js
   * import { TradeClient, reconcile } from "launchpad-desk";
   *
   * const client = new TradeClient({ baseURL: "https://service.example" });
   * const before = [{ wallet: "wallet-1", tokens: 5_000_000n, lamports: 3_000_000_000n }]; // read before the trade
   * const now = [{ wallet: "wallet-1", tokens: 2_000_000n, lamports: 3_100_000_000n }]; // a finalized reading
   * const open = await client.pending();
   * for (const intent of open) {
   *   const canStillLand = Date.now() < intent.startedAtMs + 300_000; // held by the service, then its blockhash's life
   *   const { found } = reconcile(intent, { before, now, canStillLand, walletsShared: open.length > 1 });
   *   if (found) await client.acknowledge(intent.intentId, found); // only what is proven
   * }
   * ```
   */
  acknowledge(intentId: string, found: Found): Promise<boolean> {
    return this.#live.acknowledge(intentId, found, methods.acknowledge);
  }

  /**
   * Lists all unresolved trades, including those that the journal has from an earlier run. None of them is sent again
   * before it is acknowledged.
   *
   * With a market also those that the service only accepted, with a signature (`answered`), until the chain has shown or denied them. They hold
   * up nothing, their `intentState` is `ended`, and only `settle` ends them otherwise. Of over 1,000 answered trades that wait for the chain the
   * oldest are not among them, which the log says once.
   *
   * @throws {TradeNotSentError} `journal_failed`, if the journal threw.
   */
  pending(): Promise<IntentDetails[]> {
    return this.#live.pending(methods.pending);
  }

  /**
   * How far the intent with this id is: `in_flight`, `in_doubt` if it is unresolved, `ended` if it landed or was accepted, and
   * `not_recorded` if it may be sent. Without a journal it is `null` for an intent that this client has not seen.
   *
   * @throws {TradeNotSentError} `journal_failed`, if the journal threw.
   */
  intentState(intentId: string): Promise<IntentState | null> {
    return this.#live.intentState(intentId, methods.intentState);
  }

  /**
   * How the trade with this id ended, with its signature if one was reported: also one that an earlier run has sent, if the journal has it.
   * `null` if it has not ended, has no transaction (it was refused, or not sent), or is not remembered: the latest 10,000 are.
   *
   * @throws {TradeNotSentError} `journal_failed`, if the journal threw.
   */
  endedTrade(intentId: string): Promise<EndedTrade | null> {
    return this.#live.endedTrade(intentId, methods.endedTrade);
  }

  /**
   * The position that the buy with this id has opened, ready for `manage`, after a restart too: what was bought, by the journal, and what it
   * brought and cost, by its transaction. The option `market` reads that, at its own commitment: a `Market`, or a `Sandbox`. A buy in doubt
   * is settled first. `tokens` are base units, `costLamports` counts every fee, and the token account's rent is apart. What was sold since is
   * still in it: `manage` asks the journal for its own exits. Each wallet of a bundle has a position of its own.
   *
   * @param options - `wallet`: of a bundle for several wallets. `withinMs`: how long to wait until the market shows the transaction, 15000
   *   by default; `signal` ends the wait.
   * @throws {PositionError} whose `code` names what is missing; {TradeNotSentError} `journal_failed`; and what the market throws.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
   * const [{ mint }] = sandbox.tokens;
   * await client.buy({ mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
   * const { tokens, costLamports, rentLockedLamports } = await client.positionOf("signal-1");
   * console.log(tokens, costLamports, rentLockedLamports); // 34199203120618n 1000005000n 1488440n
   * ```
   */
  async positionOf(
    intentId: string,
    options: { wallet?: string; withinMs?: number; signal?: AbortSignal } = {},
  ): Promise<NonNullable<BoughtPosition["position"]>> {
    const { wallet, withinMs = SHOWN_WITHIN_MS, signal } = options;
    const sender = this.#live;
    let said: BoughtPosition | undefined;
    await this.#askedAgain({ withinMs, everyMs: SHOWN_EVERY_MS, signal }, async (_again, watch) => {
      if (!said) await sender.settleOne(intentId, methods.positionOf);
      const asked = sender.positionOf(intentId, wallet, methods.positionOf);
      said = (said ? await watch.first(asked) : await asked) ?? said;
      return !said?.position && said?.mayPass;
    });
    const found = said as unknown as BoughtPosition;
    if (!found.position) throw positionError(intentId, found.missing, found.message);
    return found.position;
  }

  /** Asks, and asks again as long as the core says so and the signal does not end the wait. `ask` resolves to whether waiting may bring more. */
  async #askedAgain(
    { withinMs, everyMs, signal }: { withinMs: number; everyMs: number; signal: AbortSignal | undefined },
    ask: (again: Again, watch: Watch) => Promise<boolean | undefined>,
  ): Promise<void> {
    const again = this.#live.core.askAgain(now(), withinMs, everyMs);
    const watch = new Watch();
    watch.begin(LONGEST_MS, signal);
    try {
      do {
        const mayPass = (await ask(again, watch)) === true;
        const ms = watch.stop ? undefined : again.next(now(), mayPass);
        if (ms === undefined) return;
        await watch.first(watch.pause(ms));
      } while (!watch.stop);
    } finally {
      watch.release();
    }
  }

  /**
   * Leaves a position by an exit plan: looks at the market, sells what the plan orders, each rung once, and finds out what became of it.
   * Iterate the result, or call its `tick`. Exits are sells, so the limits on what buys spend do not hold them up, nor does `reduce`;
   * a halt does.
   *
   * @param exits - `Exits` of `launchpad-desk/market`.
   * @param market - where it sees its price: a `Sandbox`, a `Market`, or any object that has `look`.
   * @throws {TradeNotSentError} `invalid_options`, with every bad field of the position or of the kept state in `fields`.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
   * const [{ mint }] = sandbox.tokens;
   * const [{ wallet }] = sandbox.wallets;
   * await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
   *
   * const position = await client.positionOf("signal-1");
   * const exits = new Exits({ takeProfit: [{ at: "2x", sell: "50%" }], stopLoss: "0.99x", slippage: { percent: 5 } }); // so that this sample ends: live, such as "0.7x"
   * for await (const { what, order } of client.manage(position, exits, sandbox)) console.log(what, order?.reason); // landed stop_loss
   * ```
   */
  manage<Market, Options, Managed>(
    position: ExitPosition,
    exits: ManagesExits<Market, Options, Managed>,
    market: Market,
    options?: Options,
  ): Managed {
    if (typeof exits?.manage !== "function") throw new TypeError("exits must be Exits of launchpad-desk/market");
    return exits.manage(this, position, market, options);
  }

  /** By how many decimals it counts a token: the option `tokenDecimals`. Exits of a token with others are not ordered. */
  get tokenDecimals(): number {
    return this.#live.core.tokenDecimals;
  }

  /** Whether it has the option `market`, which `settle`, `confirm` and `drift` ask. */
  get hasMarket(): boolean {
    return this.#live.held.market !== undefined;
  }

  /**
   * Finds out how the unresolved trades ended, by the option `market`: their wallets' finalized balances and slot before, and
   * every transaction since. What is proven is recorded as `acknowledge` does, and what moved is in `reconciled`, for receipts
   * and positions. Without proof a trade stays unresolved: its `outcome` is still `unknown`, and `reason` says why. Of a trade that went to a
   * gateway only that it landed is proven; the gateway itself proves the rest.
   *
   * What the service has said of the other trades is looked up, too, by their signatures. One whose end the chain shows otherwise is corrected
   * and is in the answer, with what the service had said in `contradicts`. Once `endedTrade` of a trade is `proven`, the chain agrees.
   *
   * @param options - `withinMs`: for how long to ask again while waiting can still settle or show a trade; by default it asks once.
   *   `everyMs`: how often, 2000 by default. `signal` ends the wait.
   * @throws {TypeError} without a market; {TradeNotSentError} `journal_failed`; and what the market throws.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Market } from "launchpad-desk/market";
   *
   * const market = new Market({ rpc: "https://rpc.example", walletsShared: false, serviceHoldsMs: 30_000 });
   * const client = new TradeClient({ baseURL: "https://service.example", market });
   * for (const { intentId, outcome, reason } of await client.settle({ withinMs: 120_000 })) console.log(intentId, outcome, reason);
   * ```
   */
  async settle({
    withinMs = 0,
    everyMs = SETTLE_EVERY_MS,
    signal,
  }: { withinMs?: number; everyMs?: number; signal?: AbortSignal } = {}): Promise<SettledIntent[]> {
    const ended: SettledIntent[] = [];
    let open: SettledIntent[] = [];
    await this.#askedAgain({ withinMs, everyMs, signal }, async (again) => {
      open = [];
      for (const trade of await this.#live.settle(methods.settle))
        (again.isOpen(trade.outcome, trade.reason ?? "") ? open : ended).push(trade);
      return this.#live.hasAnswered;
    });
    return [...ended, ...open];
  }

  /**
   * Checks a service's "success" on the chain, by the option `market`: `finalized`, `failed`, or `not_seen`, which may still change.
   *
   * @throws {TypeError} without a market; and what the market throws.
   */
  async confirm(trade: Trade): Promise<Seen> {
    const { market } = this.#live.held;
    if (!market) throw new TypeError("confirm needs the option market");
    const named = signatureOf(trade.result);
    return named ? market.confirm(named) : "not_seen";
  }

  /**
   * Compares a landed trade with the price of its plan, by the option `market`: what each wallet paid and got, against the quote, and
   * which rule moved in between (`causes`). What is not `explained` means that the rules in use are no longer the launchpad's. The hook
   * `drift` and the log get it, too. With one of them, the client does this by itself for each trade that was quoted (`checkDrift`).
   *
   * @param signature - of the trade: `trade.result.signature`, or that of what `settle` found.
   * @param options - `withinMs`: for how long to ask again while the market does not show it yet; by default it asks once. `signal` ends the
   *   wait between two questions.
   * @throws {TypeError} without a market; {TradeNotSentError} `invalid_options`, if the plan was not priced by it; and what the market
   * throws.
   *
   * @example
   * ```ts
   * import { type Plan, TradeClient } from "launchpad-desk";
   * import { Market } from "launchpad-desk/market";
   *
   * const client = new TradeClient({ baseURL: "https://service.example", market: new Market({ rpc: "https://rpc.example" }) });
   * async function sent(plan: Plan) {
   *   const { result } = await client.send(plan);
   *   return result.signature && client.drift(plan, result.signature, { withinMs: 15_000 });
   * }
   * ```
   */
  async drift(
    plan: Plan<Operation, unknown>,
    signature: string,
    { withinMs = 0, signal }: { withinMs?: number; signal?: AbortSignal } = {},
  ): Promise<Drift> {
    let drift: Drift | undefined;
    let why: unknown;
    await this.#askedAgain({ withinMs, everyMs: SHOWN_EVERY_MS, signal }, async () => {
      try {
        drift = await this.#live.drift(plan as Plan, signature);
      } catch (thrown) {
        why = thrown;
      }
      return !drift && read(why, "code") === "no_transaction";
    });
    if (!drift) throw why;
    return drift;
  }

  /**
   * Frees the client's memory now; calls in flight continue, and it settles no more trades by itself (`settleAfterMs`). Without this, the
   * runtime frees it at some later time.
   */
  free(): void {
    if (!(#sender in this)) return;
    if (!this.#isDerived) {
      this.#sender?.settleTimer?.stop();
      this.#sender?.lookUps?.stop();
    }
    this.#sender = undefined;
  }

  static {
    Object.defineProperty(this.prototype, LEARNS, {
      value(this: TradeClient, mint: string, decimals: number): void {
        this.#live.core.learnDecimals(mint, decimals);
      },
    });
    Object.defineProperty(this, TRANSPORT, { value: sendBy });
  }

  declare [Symbol.dispose]: () => void;
}
disposable(TradeClient);

const methods = bindMethods(TradeClient);

/** No deadline: the longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/** The whole reply to a made-up trade. */
const REHEARSAL = '{"result":{"mint":"M","wallet":"W","buyAmount":"1","transactionResult":{"success":true}}}';

/** Sends a made-up trade to a service that is this function. */
async function rehearsed(): Promise<void> {
  const fetch = async () => ({
    status: 200,
    headers: { get: () => null },
    arrayBuffer: async () => new TextEncoder().encode(REHEARSAL).buffer as ArrayBuffer,
  });
  try {
    const sender = senderOf({ baseURL: "https://rehearsal.invalid", fetch });
    await sender.trade("buy", { mint: "M", fromWallet: "W", amountInLamports: 1 }, undefined, rehearsed);
    sender.core.free();
  } catch {
    // What this runtime lacks, the first trade will report.
  }
}

/** The sender of a new client. */
function senderOf(options: ClientOptions): Sender {
  const { holds, given } = clientOptions(options);
  const core = result<ClientCore>(ClientCore.of(callArgs(given)), TradeClient);
  const { apiKey, journal, ...held } = holds;
  const askKey = typeof apiKey === "function" ? (apiKey as () => unknown) : undefined;
  return new Sender(core, { ...held, askKey }, journal);
}
