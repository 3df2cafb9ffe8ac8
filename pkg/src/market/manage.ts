// Carries out the exits of a position: looks at the market, sends what is ordered, and finds out what became of it. The core's state machine
// decides each step; this file carries the step out and reports what happened. See src/strategy/manage for the order of the steps, and
// pkg/wasm/src/market/manage.rs for the other side.

import { within } from "../bound.js";
import { callArgs, result } from "../crossing.js";
import { callOf, isTradeError, thrownAt } from "../errors.js";
import type {
  ExitHappening,
  ExitOrder,
  ExitPosition,
  ExitState,
  Found,
  IntentOutcome,
  IntentState,
  Moved,
  SellRequest,
} from "../generated.js";
import { isA } from "../handle.js";
import type { NamedTrade, TradeIntent } from "../trade/options.js";
import { LEARNS, type Learning } from "../symbols.js";
import { Curve, type CurveOptions, curveCore } from "./curve.js";
import { type OpenExits, exitsCore, timeOf } from "./open-exits.js";

/**
 * Where the exits of a position see their price: a `Sandbox`, a `Market` of `launchpad-desk/market`, or any object with these methods.
 *
 * @see {@link Managed}
 */
export interface ExitMarket {
  /** The token's curve now, and what the wallet holds, if that is known. */
  look(mint: string, wallets: readonly string[]): ExitLook | Promise<ExitLook>;
  /** What is proven of an exit of unknown outcome; `null` if nothing is. Without it, the client's own market is asked (`client.settle`), and
   * without that such an exit waits for `client.acknowledge`. */
  foundOf?(intent: ManagedIntent): Promise<Found | null>;
  /** Whether the transaction of an exit that the service did not confirm is final. Without it, or without a signature, such an exit has
   * landed once the wallet holds so many tokens less, if it did not hold as many besides. */
  // Its type has a name, `Seen`, that in this module belongs to what a receipt takes.
  confirm?(signature: string): Promise<"finalized" | "failed" | "not_seen">;
  /** What the transaction of a sell that has ended has moved; `null` if it is not shown yet. Without it, events do not say what was received. */
  moved?(trade: NamedTrade): Promise<Moved | null>;
}

/** A look at a token. See {@link Managed}. */
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

/** An intent, as clients and journals have it. */
export type ManagedIntent = Pick<TradeIntent, "intentId" | "operation" | "body" | "startedAtMs">;

/** What exits need of their client. See {@link Managed}. */
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
  plan?(
    operation: "sell",
    request: SellRequest,
  ): Promise<{
    readonly refused: { readonly code: string; readonly message: string } | null;
    readonly warnings?: readonly { readonly code: string; readonly message: string }[];
  }>;
  /** How an exit ended, and its body. Without it, one that was accepted counts as landed after a restart. What is `proven` counts instead of
   * what the service had said: also of the trade with the position's id, which bought it. */
  endedTrade?(
    intentId: string,
  ): Promise<
    | ({
        readonly outcome: IntentOutcome;
        readonly signature?: string;
        readonly proven?: boolean;
      } & Partial<NamedTrade>)
    | null
  >;
}

/** How exits are carried out. See {@link Managed}. */
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

/** What happened to an exit, which {@link ExitHappening} says. See {@link Managed}. */
export interface ExitEvent {
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
   * received: less the position's `costLamports`, it is the profit. `null` if it is not known of all, or if a part left the wallet otherwise. */
  receivedLamports: bigint | null;
}

/** The errors of this file: their stack may begin at the caller's line. */
const refusals = new WeakSet<object>();

function refused(message: string, options?: { cause: unknown }): TypeError {
  const error = new TypeError(message, options);
  refusals.add(error);
  return error;
}

/** What to do next, as `src/strategy/manage` decides. */
type ManageStep =
  | { step: "recall"; intentIds: string[] }
  | { step: "check"; request: SellRequest; withinMs: number }
  | { step: "ended" | "known"; intentId: string }
  | { step: "look"; withinMs: number; isCut: boolean }
  | { step: "settle" | "settleOn"; withinMs: number }
  | { step: "price" | "keep" }
  | { step: "done" }
  | { step: "send"; intentId: string; request: SellRequest }
  | { step: "confirm"; signature: string; withinMs: number }
  | { step: "find" | "receive"; intentId: string; withinMs: number }
  | { step: "acknowledge"; intentId: string; found: Found }
  | { step: "throw" }
  | { step: "refuse"; message: string; always: boolean };

type Happened = readonly [event: string, about?: Readonly<Record<string, unknown>>];

const DONE: Happened = ["done"];
const LATE: Happened = ["late"];

/** What one look has shown, for its later steps. What comes too late for its look is in none. */
interface Seen {
  look?: ExitLook;
  /** Why the client's limits refuse an exit. */
  refused?: { readonly message: string } | null | undefined;
}

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
  readonly #save: ManageOptions["save"];
  readonly #position: Pick<ExitPosition, "mint" | "wallet">;
  #running: Promise<ExitEvent[]> | undefined;
  /** What is being carried out. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The last save. */
  #saving: Promise<void> = Promise.resolve();
  /** Ends the wait for the next look, and a look that is waited for. */
  #wake: (() => void) | undefined;
  #skip: (() => void) | undefined;
  /** What comes of asking the client's market. */
  #asking: Promise<void> | undefined;
  /** What was thrown, and is not told yet. */
  #thrown: unknown[] = [];

  /** Only `Exits.manage` makes these. */
  private constructor(client: ExitClient, exits: OpenExits, market: ExitMarket, options: ManageOptions) {
    this.exits = exits;
    this.#position = exits.state.position;
    [this.#client, this.#market, this.#save] = [client, market, options.save];
    if (typeof market?.look !== "function")
      throw refused("market must have look: a Sandbox, a Market, or an object of yours");
    for (const name of ["everyMs", "timeoutMs"] as const) {
      const ms: unknown = options[name] ?? 1;
      if (typeof ms !== "number" || !(ms > 0 && ms < 2 ** 31))
        throw refused(`options.${name} must be above 0 and below 2147483648: milliseconds`);
    }
    if (typeof (options.save ?? refused) !== "function")
      throw refused("options.save must be a function that keeps a state");
    const [everyMs, timeoutMs] = [options.everyMs, options.timeoutMs].map((ms) => ms && Math.ceil(ms));
    const settles = Boolean(client.settle) && client.hasMarket !== false;
    result(
      exitsCore(exits).manage(
        callArgs({
          tokenDecimals: client.tokenDecimals,
          settles,
          finds: Boolean(market.foundOf),
          confirms: Boolean(market.confirm),
          everyMs,
          timeoutMs,
        }),
      ),
    );
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
   */
  tick(): Promise<ExitEvent[]> {
    if (this.#running) return this.#running;
    const call = callOf(this.tick);
    const own = (error: unknown): never => {
      throw isTradeError(error) || (error instanceof TypeError && refusals.has(error)) ? thrownAt(call, error) : error;
    };
    const ticked = this.#alone(async () => {
      await this.#carryOut(["begin"]);
      return this.#newEvents();
    });
    return (this.#running = ticked.catch(own).finally(() => (this.#running = undefined)));
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** What happened and was not told yet: after a tick that threw, that of both. */
  #newEvents(): ExitEvent[] {
    const happened = result<(Omit<ExitEvent, "error"> & { words: string | null; thrown: number | null })[]>(
      exitsCore(this.exits).happened(),
    );
    const thrown = this.#thrown;
    this.#thrown = [];
    const errorOf = (words: string | null, at: number | null): unknown =>
      at === null ? words && new Error(words) : thrown[at];
    return happened.map(({ words, thrown: at, ...event }) => ({ ...event, error: errorOf(words, at) }));
  }

  #next([event, about = {}]: Happened): ManageStep {
    const exits = exitsCore(this.exits);
    return result<ManageStep>(exits.step(Date.now(), event, callArgs(about)));
  }

  /** Carries out the steps that an event leads to. Resolves to whether there were any. */
  async #carryOut(event: Happened): Promise<boolean> {
    const seen: Seen = {};
    let step = this.#next(event);
    if (step.step === "done") return false;
    for (; step.step !== "done"; step = this.#next(event)) {
      if (step.step === "throw") throw this.#thrown.pop();
      if (step.step === "refuse")
        throw step.always
          ? refused(`${step.message}: ${seen.refused?.message}`, { cause: seen.refused })
          : refused(step.message);
      const work = this.#work(step, seen);
      try {
        event = await ("withinMs" in step ? within(step.withinMs, work, () => LATE) : work);
      } catch (thrown) {
        event = ["threw", { thrown: this.#thrown.push(thrown) - 1 }];
      }
    }
    return true;
  }

  async #work(step: Exclude<ManageStep, { step: "done" | "throw" | "refuse" }>, seen: Seen): Promise<Happened> {
    const [client, market] = [this.#client, this.#market];
    switch (step.step) {
      case "recall": {
        const known: object[] = [];
        for (const intentId of step.intentIds) {
          const one = await this.#known(intentId);
          // Most of them were never sent.
          if (one.ended || (one.state ?? "not_recorded") !== "not_recorded") known.push({ intentId, ...one });
        }
        return ["recalled", { known }];
      }
      case "check": {
        const plan = await client.plan?.("sell", step.request);
        seen.refused = plan?.refused;
        return [
          "checked",
          plan && {
            refused: plan.refused?.code,
            warnings: (plan.warnings ?? []).map(({ code, message }) => ({ code, message })),
          },
        ];
      }
      case "ended":
        return ["known", await this.#ended(step.intentId)];
      case "known":
        return ["known", await this.#known(step.intentId)];
      case "look": {
        const skipped = new Promise<undefined>((resolve) => step.isCut && (this.#skip = () => resolve(undefined)));
        const look = await Promise.race([market.look(this.#position.mint, [this.#position.wallet]), skipped]);
        if (!look) return LATE;
        seen.look = look;
        const holding = look.wallets?.find(({ wallet }) => wallet === this.#position.wallet);
        return [
          "looked",
          { atMs: timeOf(look.atMs), walletTokens: holding && (holding.holding?.tokens ?? 0n), stale: look.stale },
        ];
      }
      case "price":
        this.#see(seen.look as ExitLook);
        return ["priced"];
      case "keep":
        await this.#keep();
        return DONE;
      case "send":
        return this.#send(step.request, step.intentId);
      case "confirm":
        return ["confirmed", { seen: await market.confirm?.(step.signature) }];
      case "settle":
      case "settleOn": {
        const ask = async (): Promise<void> => void (await client.settle?.());
        await (this.#asking = (step.step === "settleOn" && this.#asking) || ask());
        return DONE;
      }
      case "find": {
        const intent = await this.#pending(step.intentId);
        return ["found", { outcome: (intent && (await market.foundOf?.(intent))) ?? undefined }];
      }
      case "acknowledge":
        await client.acknowledge(step.intentId, step.found);
        return DONE;
      case "receive":
        return ["received", await this.#received(step.intentId)];
    }
  }

  #see({ curve }: ExitLook): void {
    const given = isA(curve, Curve) ? curve : undefined;
    const shown = given ?? new Curve(curve as CurveOptions);
    try {
      (this.#client as Learning)[LEARNS]?.(this.#position.mint, shown.launchpad.tokenDecimals);
      exitsCore(this.exits).see(curveCore(shown));
    } finally {
      if (!given) shown.free();
    }
  }

  async #send(request: SellRequest, intentId: string): Promise<Happened> {
    try {
      const { status, exact }: { status: string; exact?: { sellAmount?: string | null } } = await this.#client.sell(
        request,
        { intentId },
      );
      return ["sold", { outcome: status, amount: exact?.sellAmount }];
    } catch (error) {
      const { outcome, code } = (error ?? {}) as { outcome?: string; code?: string };
      return ["sold", { outcome, code, thrown: this.#thrown.push(error) - 1 }];
    }
  }

  async #ended(intentId: string) {
    const { outcome: ended, proven, signature, body } = (await this.#client.endedTrade?.(intentId)) ?? {};
    return { ended, proven, signature, body };
  }

  async #known(intentId: string) {
    const state = await this.#client.intentState(intentId);
    const ended = await this.#ended(intentId);
    return {
      state,
      ...ended,
      body: ended.body ?? (state === "in_doubt" ? (await this.#pending(intentId))?.body : undefined),
    };
  }

  async #pending(intentId: string): Promise<ManagedIntent | undefined> {
    return ((await this.#client.pending()) as ManagedIntent[]).find((intent) => intent.intentId === intentId);
  }

  /** What its market shows of a sell that has ended. */
  async #received(intentId: string): Promise<{ tokens?: bigint; lamports?: bigint; never?: boolean }> {
    const ended = await this.#client.endedTrade?.(intentId);
    if (!ended?.signature || !this.#market.moved) return { never: true };
    try {
      const moved = await this.#market.moved(ended as NamedTrade);
      const own = moved?.wallets.find(({ wallet }) => wallet === this.#position.wallet);
      return own && moved?.fits ? { tokens: own.tokens, lamports: own.lamports } : { never: moved !== null };
    } catch (error) {
      return { never: ["no_history", "no_address"].includes((error as { code?: string } | null)?.code as string) };
    }
  }

  /** One after the other, so that two of them do not write one file at a time, and the last one has the latest state. */
  #keep(): Promise<void> {
    const kept = this.#saving.then(() => this.#save?.(this.exits.state));
    this.#saving = kept.catch(() => {});
    return kept;
  }

  /**
   * Whether nothing is left to do: nothing to sell, and no sell of which the market may still show what it brought. That is waited for at most
   * a minute.
   */
  get isOver(): boolean {
    return exitsCore(this.exits).isDone();
  }

  /**
   * Says how the order that is in doubt ended, where nothing else can prove it. An order that did not land may then be sent again, under a
   * new id. Resolves to whether an order was in doubt.
   *
   * @throws what `save` throws, and `journal_failed`.
   */
  acknowledge(found: Found): Promise<boolean> {
    return this.#alone(() => this.#carryOut(["acknowledge", { outcome: found }]));
  }

  /** Orders nothing until `resume`. Prices are still followed, what is in flight is still settled, and `closeNow` works. */
  async pause(): Promise<void> {
    this.exits.pause();
    await this.#keep();
  }

  /** Orders again. */
  async resume(): Promise<void> {
    this.exits.resume();
    await this.#keep();
  }

  /**
   * Sells everything that is left at the next look, paused or not, or without one, if none comes within a second. An iterator takes that
   * look at once.
   */
  async closeNow(): Promise<void> {
    this.exits.closeNow();
    exitsCore(this.exits).hurry();
    await this.#keep();
    this.#wake?.();
    this.#skip?.();
  }

  /** Looks at the market again and again, until nothing is left to sell. To stop, leave the loop. */
  async *[Symbol.asyncIterator](): AsyncIterator<ExitEvent> {
    for (;;) {
      for (const event of await this.tick()) yield event;
      const waitMs = exitsCore(this.exits).waitMs(Date.now());
      if (waitMs === undefined) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
