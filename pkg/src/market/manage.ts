// Carries out the exits of a position: looks at the market, sends what is ordered, and finds out what became of it. It decides nothing.

import * as core from "build:market";
import { result } from "../crossing.js";
import { within } from "../bound.js";
import { callOf, isTradeError, thrownAt } from "../errors.js";
import type { ExitHappening, ExitOrder, ExitPosition, ExitState, Found, IntentOutcome, IntentState, Moved, Operation, SellRequest } from "../generated.js";
import { isA } from "../handle.js";
import { LEARNS, type Learning } from "../marks.js";
import { ASK_EVERY_MS } from "../watching.js";
import { Curve, type CurveOptions, curveCore } from "./curve.js";
import { type OpenExits, exitsCore } from "./open-exits.js";

/**
 * Where the exits of a position see their price: a `Sandbox`, a `Market` of `launchpad-desk/market`, or any object with these methods.
 *
 * @example
 * ```js
 * import { Curve } from "launchpad-desk/market";
 *
 * const mine = { look: async () => ({ curve: new Curve(), atMs: Date.now() }) };
 * console.log((await mine.look()).curve.complete); // false
 * ```
 */
export interface ExitMarket {
  /** The token's curve now, and what the wallet holds, if that is known. */
  look(mint: string, wallets: readonly string[]): ExitLook | Promise<ExitLook>;
  /** What is proven of an exit of unknown outcome; `null` if nothing is. Without it, the client's own market is asked (`client.settle`), and
   * without that such an exit waits for `client.acknowledge`. */
  foundOf?(intent: ManagedIntent): Promise<Found | null>;
  /** Whether the transaction of an exit that the service did not confirm is final. Without it, or without a signature, such an exit has
   * landed once the wallet holds so many tokens less. */
  // Its type has a name, `Seen`, that in this module belongs to what a receipt takes.
  confirm?(signature: string): Promise<"finalized" | "failed" | "not_seen">;
  /** What the transaction of a sell that has ended has moved; `null` if it is not shown yet. Without it, events do not say what was received. */
  moved?(trade: EndedSell & { readonly signature: string }): Promise<Moved | null>;
}

/**
 * A trade that has ended, as a client has it.
 *
 * @see {@link Managed}
 */
export interface EndedSell {
  /** What was asked for. */
  readonly operation: Operation;
  /** The exact body. */
  readonly body: string;
  /** When it was admitted, in milliseconds since 1970. */
  readonly startedAtMs: number;
  /** The finalized slot at which its wallets were read before it was sent, if they were. */
  readonly beforeSlot?: bigint | null;
}

/**
 * A look at a token.
 *
 * @see {@link ExitMarket}
 */
export interface ExitLook {
  /** Its curve, or what `new Curve(…)` takes. */
  curve: Curve | CurveOptions;
  /** What the wallet holds: `holding` is `null` if it has no account of the token. */
  wallets?: readonly { wallet: string; holding: { tokens: bigint } | null }[];
  /** When it was taken, in milliseconds since 1970. Default: now. */
  atMs?: number;
  /** Whether its source stands still, so that the price may be an old one. Then nothing is decided (`no_look`); what the wallet holds still
   * counts for an exit in doubt. Default: false. */
  stale?: boolean;
}

/**
 * An intent, as clients and journals have it.
 *
 * @see {@link ExitMarket}
 */
export interface ManagedIntent {
  /** The trade's id. */
  readonly intentId: string;
  /** What is asked for. */
  readonly operation: Operation;
  /** The exact body. */
  readonly body: string;
  /** When it was admitted, in milliseconds since 1970. */
  readonly startedAtMs: number;
}

/**
 * What exits need of their client.
 *
 * @see {@link Managed}
 */
export interface ExitClient {
  sell(request: SellRequest, options: { intentId: string }): Promise<{ status: string }>;
  pending(): Promise<readonly unknown[]>;
  acknowledge(intentId: string, found: Found): Promise<boolean>;
  intentState(intentId: string): Promise<IntentState | null>;
  /** Whether `settle` has a market to ask. Default: true. */
  readonly hasMarket?: boolean;
  /** By how many decimals it counts a token. Exits of a token with others are not ordered. Default: those of the token. */
  readonly tokenDecimals?: number;
  /** Finds out what became of the client's trades in doubt, and records it. It is called while an exit is in doubt, every two seconds at
   * most, if the market of the exits has no `foundOf`. */
  settle?(): Promise<unknown>;
  /** What the client's limits say of an exit, before the first look. Without it, a plan that they never let through is noticed at its
   * first order. */
  plan?(operation: "sell", request: SellRequest): Promise<{ readonly refused: { readonly code: string; readonly message: string } | null; readonly warnings?: readonly { readonly code: string; readonly message: string }[] }>;
  /** How an exit ended, and its body. Without it, one that was accepted counts as landed after a restart. What is `proven` counts instead of
   * what the service had said: also of the trade with the position's id, which bought it. */
  endedTrade?(intentId: string): Promise<({ readonly outcome: IntentOutcome; readonly signature?: string; readonly proven?: boolean } & Partial<EndedSell>) | null>;
}

/**
 * How exits are carried out.
 *
 * @see {@link Managed}
 */
export interface ManageOptions {
  /** Keeps the state: it is called, and waited for, before each order is sent and whenever the state has changed otherwise. If it throws
   * before an order is sent, the order is not sent. It is not called again before it has ended. */
  save?: (state: ExitState) => void | Promise<void>;
  /** The state of this position that was kept, if there is one; it must have this plan. Default: what the journal says of this position's exits. */
  kept?: ExitState | null;
  /** Replaces the plan of the kept state by this one; what has acted, or is in doubt, stays as it was. Default: another plan is refused. */
  replacePlan?: boolean;
  /** How long the iterator waits between two looks, in milliseconds. Default: 1000. */
  everyMs?: number;
  /** How long a look may take, in milliseconds: then nothing is decided (`no_look`), and the next tick looks again. Default: 10000. */
  timeoutMs?: number;
}

/**
 * What happened to an exit, which {@link ExitHappening} says.
 *
 * @see {@link Managed}
 */
export interface ExitEvent {
  /** What happened. */
  what: ExitHappening;
  /** The order; `null` if it is about none. */
  order: ExitOrder | null;
  /** What the client or the market threw, or why the exits protect the position no longer; `null` if it is neither. */
  error: unknown;
  /** Base units that the order has sold, by its transaction or, until that is shown, by the reply; of `over`, all that were sold. `null` where
   * it is not known. */
  soldTokens: bigint | null;
  /** Lamports that the order has brought, by its transaction: after every fee that the wallet paid, without rent; below zero for one that failed
   * and paid its network fee. A reply has none, so it is `null` until the market shows it: then `received` says it. Of `over`, all that was
   * received: less the position's `costLamports`, it is the profit. `null` if it is not known of all. */
  receivedLamports: bigint | null;
}

/** Makes an event. */
const event = (what: ExitHappening, order: ExitOrder | null = null, error: unknown = null, soldTokens: bigint | null = null): ExitEvent => ({ what, order, error, soldTokens, receivedLamports: null });


/** The errors of this file: their stack may begin at the caller's line. */
const refusals = new WeakSet<object>();

/** Why exits cannot be carried out. */
function refused(message: string, options?: { cause: unknown }): TypeError {
  const error = new TypeError(message, options);
  refusals.add(error);
  return error;
}

/** How long the client may take to say whether its limits would ever let the exits through. */
const CHECK_MS = 2_000;

/** The outcome and code of what a client throws. */
interface Thrown {
  outcome?: string;
  code?: string;
}

const happening = (outcome: IntentOutcome): ExitHappening => core.exitHappening(outcome) as ExitHappening;

/** For how long the market is asked what sells have brought once nothing is left to sell. So long, it is not told that it is over. */
const RECEIVED_WITHIN_MS = 60_000;

/** How long a look may wait for that while the position has to be protected. */
const RECEIVED_SOON_MS = 250;

/** A sell that has ended, and of which the market does not show yet what it brought. */
interface Unshown {
  readonly order: ExitOrder;
  /** How often it was asked about, and when last. */
  asked: number;
  askedMs: number;
  /** Since when nothing is left to sell. */
  overMs?: number;
}

/** The decimals of a token whose client does not say by how many it counts. */
const DECIMALS = 6;

/** Makes the class's objects, which only the package does. */
export let managed: (client: ExitClient, exits: OpenExits, market: ExitMarket, options?: ManageOptions) => Managed;

/**
 * The exits of a position, carried out by a client. Iterate it, or call `tick` in your own loop.
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
 * const managed = client.manage(position, new Exits({ stopLoss: "0.99x", slippage: { percent: 5 } }), sandbox);
 * for await (const { what, order, receivedLamports } of managed) {
 *   console.log(what, order?.reason); // landed stop_loss
 *   if (what === "over" && receivedLamports !== null) console.log(receivedLamports - position.costLamports); // -24701361n
 * }
 * console.log(sandbox.wallets[0].tokenAccounts.length); // 0
 * ```
 */
export class Managed implements AsyncIterable<ExitEvent> {
  /** The exits, to be read. */
  readonly exits: OpenExits;
  readonly #client: ExitClient;
  readonly #market: ExitMarket;
  readonly #options: ManageOptions;
  readonly #position: Pick<ExitPosition, "mint" | "wallet">;
  #recalled: Promise<void> | undefined;
  #running: Promise<ExitEvent[]> | undefined;
  /** Whether the last save did not fail. */
  #isKept = false;
  /** The last save. */
  #saving: Promise<void> = Promise.resolve();
  /** The intent that this client has last known to be in doubt. */
  #doubted: string | undefined;
  /** When the last look was. */
  #atMs: number | undefined;
  /** Ends the wait for the next look. */
  #wake: (() => void) | undefined;
  /** What comes of asking the client's market; resolves to what it threw. */
  #asking: Promise<unknown> | undefined;
  /** When it was last asked. */
  #askedMs: number | undefined;
  readonly #unshown: Unshown[] = [];
  /** What all sells have brought; undefined if that is not known of all. */
  #received: { soldTokens: bigint; receivedLamports: bigint } | undefined;

  /** Only `Exits.manage` makes these. */
  private constructor(client: ExitClient, exits: OpenExits, market: ExitMarket, options: ManageOptions) {
    this.exits = exits;
    this.#position = exits.state.position;
    [this.#client, this.#market, this.#options] = [client, market, options];
    if (typeof market?.look !== "function") throw refused("market must have look: a Sandbox, a Market, or an object of yours");
    for (const name of ["everyMs", "timeoutMs"] as const) {
      const ms: unknown = options[name] ?? 1;
      if (typeof ms !== "number" || !(ms > 0 && ms < 2 ** 31)) throw refused(`options.${name} must be above 0 and below 2147483648: milliseconds`);
    }
    if (typeof (options.save ?? refused) !== "function") throw refused("options.save must be a function that keeps a state");
  }

  static {
    managed = (client, exits, market, options = {}) => new Managed(client, exits, market, options);
  }

  /**
   * Takes one look at the market, sends what it asks for, and resolves to what happened, once all of that has ended. Calls while one is
   * running get its result.
   *
   * @throws what `save` throws, and `journal_failed`; `invalid_options`, if the position's `openedAtMs` cannot be of the clock of the looks;
   * `TypeError` at the first look, if the client's limits would refuse every order, by
   * slippage, priority fee, mint or wallet, if a bare slippage is over 100 %, or if it counts the token by other decimals than it has;
   * `invalid_options`, if what the position holds or cost cannot be in base units and lamports by the price of the first look.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
   * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
   * console.log((await managed.tick()).length); // 0
   * ```
   */
  tick(): Promise<ExitEvent[]> {
    if (this.#running) return this.#running;
    const call = callOf(this.tick);
    const own = (error: unknown): never => {
      throw isTradeError(error) || (error instanceof TypeError && refusals.has(error)) ? thrownAt(call, error) : error;
    };
    return (this.#running = this.#tick().catch(own).finally(() => (this.#running = undefined)));
  }

  async #tick(): Promise<ExitEvent[]> {
    const events: ExitEvent[] = [];
    const { exits } = this;
    await (this.#recalled ??= this.#recall().catch((error) => {
      this.#recalled = undefined;
      throw error;
    }));
    await this.#correct(events);
    // What the wallet does not hold any more may come back.
    if (exitsCore(exits).isDone()) return this.#told(events);
    let look: ExitLook;
    try {
      look = await within(this.#timeoutMs, this.#market.look(this.#position.mint, [this.#position.wallet]), () => {
        throw new Error(`the market has not answered within ${this.#timeoutMs} ms`);
      });
    } catch (error) {
      events.push(event("no_look", null, error));
      await this.#settle(events, undefined, this.#atMs);
      return this.#told(events);
    }
    const holding = look.wallets?.find(({ wallet }) => wallet === this.#position.wallet);
    const walletTokens = holding && (holding.holding?.tokens ?? 0n);
    const atMs = look.atMs ?? Date.now();
    this.#atMs = atMs;
    await this.#settle(events, walletTokens, atMs);
    if (look.stale) events.push(event("no_look", null, new Error("the market stands still: it has had no new slot for too long")));
    else await this.#decide(look, walletTokens, events, atMs);
    return this.#told(events);
  }

  /** The events of a tick, with what sells have brought. That it is over is told last. */
  async #told(events: ExitEvent[]): Promise<ExitEvent[]> {
    const { isOver } = this.exits;
    // The next look does not wait for several.
    for (const one of [...this.#unshown]) if ((await this.#receive(one, events, isOver)) && !isOver) break;
    if (isOver && this.#unshown.length) return events;
    const news = result<{ what: ExitHappening; why: string | null }[]>(exitsCore(this.exits).news());
    for (const { what, why } of news) events.push(Object.assign(event(what, null, why === null ? null : new Error(why)), what === "over" && this.#received));
    return events;
  }

  /** Says what a sell has brought, once the market shows it. Resolves to whether the market was asked. */
  async #receive(one: Unshown, events: ExitEvent[], isOver: boolean): Promise<boolean> {
    const now = Date.now();
    if (isOver) one.overMs ??= now;
    // Ever more seldom while the position is protected. A clock that was set back does not make it wait.
    if (Math.abs(now - one.askedMs) < ASK_EVERY_MS * 2 ** (isOver ? 0 : Math.min(one.asked, 4))) return false;
    [one.asked, one.askedMs] = [one.asked + 1, now];
    const received = await within(isOver ? this.#timeoutMs : Math.min(this.#timeoutMs, RECEIVED_SOON_MS), this.#receivedBy(one.order.intentId), () => undefined);
    if (received === undefined && (one.overMs === undefined || Math.abs(now - one.overMs) < RECEIVED_WITHIN_MS)) return true;
    this.#unshown.splice(this.#unshown.indexOf(one), 1);
    if (!received) {
      this.#received = undefined;
      return true;
    }
    const told = events.filter(({ what, order }) => what !== "ordered" && order?.intentId === one.order.intentId).at(-1);
    if (told) Object.assign(told, received);
    else events.push(Object.assign(event("received", one.order), received));
    const { soldTokens, receivedLamports } = this.#received ?? {};
    if (soldTokens !== undefined && receivedLamports !== undefined) this.#received = { soldTokens: soldTokens + received.soldTokens, receivedLamports: receivedLamports + received.receivedLamports };
    return true;
  }

  /** What a sell has brought; undefined if its market does not show it yet, and null if it never will. */
  async #receivedBy(intentId: string): Promise<{ soldTokens: bigint; receivedLamports: bigint } | null | undefined> {
    try {
      const ended = (await this.#client.endedTrade?.(intentId)) as (EndedSell & { signature?: string }) | null | undefined;
      if (!ended?.signature) return null;
      const moved = await this.#market.moved?.({ ...ended, signature: ended.signature });
      if (!moved) return undefined;
      const own = moved.wallets.find(({ wallet }) => wallet === this.#position.wallet);
      return own && moved.fits ? { soldTokens: -own.tokens, receivedLamports: own.lamports } : null;
    } catch (error) {
      return ["no_history", "no_address"].includes((error as Thrown)?.code as string) ? null : undefined;
    }
  }

  /** A sell has ended: what it brought is to be found out, if it has a transaction. */
  #ended(order: ExitOrder, outcome: IntentOutcome): void {
    if (outcome !== "landed" && outcome !== "failed") return;
    if (this.#market.moved && this.#client.endedTrade) this.#unshown.push({ order, asked: 0, askedMs: -Infinity });
    else this.#received = undefined;
  }

  /** Takes what the chain shows of trades whose end only the service has said. */
  async #correct(events: ExitEvent[]): Promise<void> {
    const exits = exitsCore(this.exits);
    let isCorrected = false;
    for (const intentId of result<string[]>(exits.answered())) {
      const ended = await this.#client.endedTrade?.(intentId);
      if (!ended?.proven) continue;
      const told = exits.corrected(intentId, ended.outcome, ended.body ?? "");
      if (told === undefined) continue;
      isCorrected = true;
      this.#received = undefined;
      if (told) events.push(event(happening(ended.outcome), null, new Error(told)));
    }
    if (isCorrected) await this.#save();
  }

  /** Sends what a look asks for. */
  async #decide(look: ExitLook, walletTokens: bigint | undefined, events: ExitEvent[], atMs: number): Promise<void> {
    const { exits } = this;
    const given = isA(look.curve, Curve) ? look.curve : undefined;
    const curve = given ?? new Curve(look.curve as CurveOptions);
    try {
      const { tokenDecimals } = this.#client;
      const problem = tokenDecimals === undefined ? undefined : core.exitOtherDecimals(tokenDecimals, curveCore(curve));
      if (problem) throw refused(problem);
      (this.#client as Learning)[LEARNS]?.(this.#position.mint, curve.launchpad.tokenDecimals ?? DECIMALS);
      const ordered = exits.next(curve, { atMs, walletTokens: walletTokens ?? null });
      if (ordered) await this.#send(ordered.order, ordered.request, events, atMs);
      else if (!this.#isKept || !exitsCore(exits).isKept()) await this.#save();
    } finally {
      if (!given) curve.free();
    }
  }

  /** What the journal knows of this position's exits: a state may be older than that, or missing. */
  async #recall(): Promise<void> {
    const { exits } = this;
    const ordered = exits.order?.order;
    for (const intentId of exits.intentIds) {
      if (intentId === ordered?.intentId) continue;
      const state = await this.#client.intentState(intentId);
      if (state === null) continue;
      const outcome = core.exitRecalled(state, (await this.#client.endedTrade?.(intentId))?.outcome ?? "");
      // The market may have a time of its own. Whatever it is, what was proven not sold need not wait any more.
      const time = state === "not_recorded" ? { atMs: 0 } : {};
      if (outcome) exits.settled(intentId, outcome as IntentOutcome, { ...time, ...(await this.#soldBy(intentId)) });
    }
    // It was kept before it was sent. Whether it was, only the journal knows.
    if (ordered && !ordered.outcome) exits.settled(ordered.intentId, "unknown");
    await this.#save();
    exitsCore(exits).beginNews();
    // What an earlier run has sold is not in the sum of this one.
    const { tokens, position, tries } = exits.state;
    if (!ordered && tries.every(({ failed }) => failed === 0) && BigInt(tokens) === BigInt(position.tokens)) this.#received = { soldTokens: 0n, receivedLamports: 0n };
    if (!exits.isOver) await this.#check();
  }

  /** Base units that the trade with this id is of, if the client still has its body. */
  async #soldBy(intentId: string): Promise<{ soldTokens?: bigint }> {
    const ended = await this.#client.endedTrade?.(intentId);
    const body = ended?.body ?? ((await this.#client.pending()) as ManagedIntent[]).find((intent) => intent.intentId === intentId)?.body;
    const soldTokens = body === undefined ? undefined : core.exitTokensOf(body, this.#client.tokenDecimals ?? DECIMALS);
    return soldTokens === undefined ? {} : { soldTokens };
  }

  /** Refuses exits that the client would never send: better now than when the stop is reached. */
  async #check(): Promise<void> {
    const { plan, position, tokens } = this.exits.state;
    const { slippage = null, priorityUnitLimit = null, priorityUnitPrice = null } = plan;
    const request: SellRequest = { mint: position.mint, fromWallet: position.wallet, amountInToken: { baseUnits: BigInt(tokens) }, feePayer: position.feePayer ?? null, slippage, priorityUnitLimit, priorityUnitPrice };
    // A client asks its market for a price. Without an answer the exits begin all the same.
    const asked = await within(CHECK_MS, this.#client.plan?.("sell", request).catch(() => undefined), () => undefined);
    const odd = asked?.warnings?.find(({ code }) => code === "slippage_unit");
    if (odd) throw refused(`plan.${odd.message}`);
    const cause = asked?.refused;
    if (cause && core.isLastingRefusal(cause.code)) throw refused(`the client would refuse every order of these exits: ${cause.message}`, { cause });
  }

  /** One after the other, so that two of them do not write one file at a time, and the last one has the latest state. */
  #save(): Promise<void> {
    const exits = exitsCore(this.exits);
    const saved = this.#saving.then(async () => {
      this.#isKept = false;
      await this.#options.save?.(result(exits.keeping()));
      this.#isKept = true;
    });
    this.#saving = saved.catch(() => {});
    return saved;
  }

  async #send(order: ExitOrder, request: SellRequest, events: ExitEvent[], atMs: number): Promise<void> {
    const { exits } = this;
    const { intentId } = order;
    try {
      await this.#save();
    } catch (error) {
      exits.settled(intentId, "not_sent", { atMs });
      throw error;
    }
    events.push(event("ordered", order));
    let [outcome, code, thrown, soldTokens]: [string, string, unknown, bigint | undefined] = ["unknown", "", null, undefined];
    try {
      const sold: { status: string; exact?: { sellAmount?: string | null } } = await this.#client.sell(request, { intentId });
      outcome = sold.status;
      const said = sold.exact?.sellAmount;
      if (said) soldTokens = core.exitTokensOf(JSON.stringify({ amountInToken: said }), this.#client.tokenDecimals ?? DECIMALS);
    } catch (error) {
      thrown = error;
      // What is no error of a trade proves nothing.
      ({ outcome = "unknown", code = "" } = error as Thrown);
    }
    const ended = core.exitOutcomeOfSell(outcome, code) as IntentOutcome;
    // Whoever sent an id before may have sold another amount. A journal that fails now says nothing of it, and the order counts with its own.
    const isKnown = thrown !== null && (ended === "landed" || ended === "unknown");
    exits.settled(intentId, ended, { atMs, ...(isKnown && (await this.#soldBy(intentId).catch(() => ({})))) });
    events.push(event(happening(ended), order, thrown, soldTokens ?? null));
    this.#ended(order, ended);
    await this.#save();
  }

  /**
   * Whether nothing is left to do: nothing to sell, and no sell of which the market may still show what it brought. That is waited for at most
   * a minute.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
   * console.log(client.manage(position, new Exits({ timeMs: 60_000 }), sandbox).isOver); // false
   * ```
   */
  get isOver(): boolean {
    return this.exits.isOver && this.#unshown.length === 0;
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? 10_000;
  }

  /** Asks the client's market what became of its trades in doubt. An answer that takes longer than a look counts at a later tick. */
  async #ask(order: ExitOrder, events: ExitEvent[]): Promise<void> {
    const client = this.#client;
    if (!client.settle || client.hasMarket === false) return;
    if (!this.#asking) {
      const since = Date.now() - (this.#askedMs ?? -Infinity);
      // A clock that was set back does not make it wait.
      if (since >= 0 && since < ASK_EVERY_MS) return;
      this.#askedMs = Date.now();
      const asked = async (): Promise<unknown> => {
        try {
          await client.settle?.();
          return null;
        } catch (error) {
          return error;
        }
      };
      this.#asking = asked().finally(() => (this.#asking = undefined));
    }
    const error = await within(this.#timeoutMs, this.#asking, () => null);
    if (error !== null) events.push(event("in_doubt", order, error));
  }

  /** Finds out what became of the orders that are in doubt. */
  async #settle(events: ExitEvent[], walletTokens: bigint | undefined, atMs: number | undefined): Promise<void> {
    const { exits } = this;
    for (let ordered = exits.order; ordered; ordered = exits.order) {
      const { order } = ordered;
      const found = await this.#found(order, walletTokens, events);
      if (!found || found === order.outcome) return;
      exits.settled(order.intentId, found, { atMs });
      events.push(event(happening(found), order));
      this.#ended(order, found);
      await this.#save();
    }
  }

  /** What became of an exit that the service took without saying whether it landed. */
  async #confirmed({ intentId, tokens, walletTokens: before }: ExitOrder, walletTokens: bigint | undefined): Promise<IntentOutcome | undefined> {
    const signature = (await this.#client.endedTrade?.(intentId))?.signature;
    let seen = "";
    if (signature && this.#market.confirm) {
      // A node that does not answer says nothing.
      seen = await within(this.#timeoutMs, this.#market.confirm(signature).catch(() => "not_seen" as const), () => "not_seen" as const);
    }
    // An order that only the journal remembers was made when the wallet held at least what is left.
    const held = BigInt(before ?? this.exits.state.tokens);
    return core.exitConfirmed(seen, held, BigInt(tokens), walletTokens) as IntentOutcome | undefined;
  }

  async #found(order: ExitOrder, walletTokens: bigint | undefined, events: ExitEvent[]): Promise<IntentOutcome | undefined> {
    const { intentId, outcome } = order;
    const confirmed = outcome === "unconfirmed" ? await this.#confirmed(order, walletTokens) : undefined;
    if (confirmed) return confirmed;
    let [state, ended] = await this.#known(intentId);
    if (state === "in_doubt" || ended === "unconfirmed") {
      if (state === "in_doubt") this.#doubted = intentId;
      if (!this.#market.foundOf) await this.#ask(order, events);
      [state, ended] = await this.#known(intentId);
    }
    // Not sent, refused, or acknowledged as such. Without a journal, only of an intent that was in doubt here.
    const known = core.exitFound(state ?? "", ended ?? "", this.#doubted === intentId) as IntentOutcome | undefined;
    if (known || state !== "in_doubt" || !this.#market.foundOf) return known;
    const pending = (await this.#client.pending()) as ManagedIntent[];
    const intent = pending.find((one) => one.intentId === intentId);
    const found = intent && (await within(this.#timeoutMs, this.#market.foundOf(intent), () => null));
    if (!found) return undefined;
    await this.#client.acknowledge(intentId, found);
    return found;
  }

  /** What the client knows of an order. */
  async #known(intentId: string): Promise<[IntentState | null, IntentOutcome | undefined]> {
    return [await this.#client.intentState(intentId), (await this.#client.endedTrade?.(intentId))?.outcome];
  }

  /**
   * Says how the order that is in doubt ended, where nothing else can prove it. An order that did not land may then be sent again, under a
   * new id. Resolves to whether an order was in doubt.
   *
   * @throws what `save` throws, and `journal_failed`.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
   * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
   * console.log(await managed.acknowledge("landed")); // false
   * ```
   */
  async acknowledge(found: Found): Promise<boolean> {
    await this.#running?.catch(() => {});
    const waits = this.exits.order?.order;
    if (!waits?.outcome) return false;
    if (waits.outcome === "unknown") await this.#client.acknowledge(waits.intentId, found);
    this.exits.settled(waits.intentId, found, { atMs: this.#atMs });
    await this.#save();
    return true;
  }

  /**
   * Orders nothing until `resume`. Prices are still followed, what is in flight is still settled, and `closeNow` works.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
   * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
   * await managed.pause();
   * console.log(managed.exits.state.paused); // true
   * ```
   */
  async pause(): Promise<void> {
    this.exits.pause();
    await this.#save();
  }

  /**
   * Orders again.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch });
   * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
   * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
   * await managed.pause();
   * await managed.resume();
   * console.log(managed.exits.state.paused); // false
   * ```
   */
  async resume(): Promise<void> {
    this.exits.resume();
    await this.#save();
  }

  /**
   * Sells everything that is left at the next look, paused or not. An iterator takes that look at once.
   *
   * @example
   * ```js
   * import { TradeClient } from "launchpad-desk";
   * import { Exits } from "launchpad-desk/market";
   * import { Sandbox } from "launchpad-desk/sandbox";
   *
   * const sandbox = new Sandbox();
   * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
   * const [token, owner] = [sandbox.tokens[0], sandbox.wallets[0]];
   * await client.buy({ mint: token.mint, fromWallet: owner.wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
   * const managed = client.manage(await client.positionOf("signal-1"), new Exits({ timeMs: 60_000 }), sandbox);
   * await managed.closeNow();
   * console.log((await managed.tick()).map(({ what }) => what).join(" ")); // ordered landed over
   * ```
   */
  async closeNow(): Promise<void> {
    this.exits.closeNow();
    await this.#save();
    this.#wake?.();
  }

  /** Looks at the market again and again, until nothing is left to sell. To stop, leave the loop. */
  async *[Symbol.asyncIterator](): AsyncIterator<ExitEvent> {
    const everyMs = this.#options.everyMs ?? 1_000;
    for (;;) {
      for (const event of await this.tick()) yield event;
      if (this.isOver) return;
      await new Promise<void>((resolve) => {
        // Nothing is looked at any more: only what the sells have brought is still missing.
        const timer = setTimeout(resolve, this.exits.isOver ? Math.min(everyMs, ASK_EVERY_MS) : everyMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
