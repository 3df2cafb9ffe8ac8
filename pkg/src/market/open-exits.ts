// The exits of one position, kept in the core: what to sell at a look at the market, and what became of it.

import type * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type { ExitOrder, ExitState, IntentOutcome, SellRequest } from "../generated.js";
import { disposable, freed } from "../handle.js";
import { type Amount, amount } from "../argument.js";
import { type Curve, curveCore } from "./curve.js";

/** An order of an exit, and the request that sells it. See {@link OpenExits.next}. */
export interface OrderedExit {
  order: ExitOrder;
  /** What `client.sell` takes. Its intent id is the order's. */
  request: SellRequest;
}

/** When a look was taken, and what the wallet holds. */
export type TickOptions = {
  /** The time, in milliseconds since 1970. Default: now. */
  atMs?: number;
  /** Base units of the token that the wallet holds, those of other positions too. Default: unknown. No more than this is ordered. */
  walletTokens?: Amount | null;
};

/** A time as a whole number of milliseconds. */
export function timeOf(atMs: number | undefined): number {
  const time = atMs ?? Date.now();
  if (!Number.isSafeInteger(time) || time < 0) throw new TypeError("atMs must be whole milliseconds since 1970");
  return time;
}

/** Makes the class's objects, which only the package does. */
export let openExits: (made: core.OpenExits) => OpenExits;

/** What of them only a driver needs. */
export let exitsCore: (exits: OpenExits) => core.OpenExits;

/**
 * The exits of one position. `next` says what to sell at a look at the market, `settled` takes what became of it.
 *
 * `client.manage` carries them out. Use them yourself in a simulation, or where you send in your own way: keep `state` before you send,
 * send each order under its intent id, and report every end of it.
 *
 * @example
 * ```js
 * import { Curve, Exits } from "launchpad-desk/market";
 *
 * const curve = new Curve();
 * const tokens = curve.moveByBuy(1_000_000_000n);
 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens, costLamports: 1_000_005_000n };
 * const open = new Exits({ takeProfit: [{ at: "2x", sell: "50%" }] }).open(position);
 *
 * console.log(open.next(curve)); // undefined
 * curve.moveByBuy(20_000_000_000n); // others buy
 * const { order, request } = open.next(curve) ?? {};
 * console.log(order?.intentId, order?.multiple, request?.amountInToken); // signal-1/tp1 2.56…
 * open.settled("signal-1/tp1", "landed");
 * console.log(open.state.rungsSold); // 1
 * ```
 */
export class OpenExits {
  #core: core.OpenExits | undefined;

  /** Only `Exits.open` makes these. */
  private constructor(made: core.OpenExits) {
    this.#core = made;
  }

  static {
    openExits = (made) => new OpenExits(made);
    exitsCore = (exits) => exits.#open;
  }

  get #open(): core.OpenExits {
    return this.#core ?? freed("OpenExits");
  }

  /**
   * The order that this look at the market asks for, if any. Nothing else is ordered until it is `settled`.
   *
   * @throws {TradeNotSentError} `invalid_options`, if the plan has `timeMs` and the position's `openedAtMs` cannot be of the clock of the looks.
   *
   * @example
   * ```js
   * import { Curve, Exits } from "launchpad-desk/market";
   *
   * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n, openedAtMs: 0 };
   * const open = new Exits({ timeMs: 60_000 }).open(position);
   * const curve = new Curve();
   * curve.moveByBuy(1_000_000_000n);
   * console.log(open.next(curve, { atMs: 59_999 }), open.next(curve, { atMs: 60_000 })?.order.reason); // undefined time
   * ```
   */
  next(curve: Curve, { atMs, walletTokens }: TickOptions = {}): OrderedExit | undefined {
    const [time, tokens] = [
      timeOf(atMs),
      walletTokens == null ? undefined : amount("walletTokens", walletTokens, this.next),
    ];
    const answered = this.#open.next(curveCore(curve), time, tokens);
    return answered === undefined ? undefined : result<OrderedExit>(answered, this.next);
  }

  /** What selling everything that is left would bring now, compared with what was paid for it: `"1.25x"`; `null` without a price. */
  multiple(curve: Curve, { atMs, walletTokens }: TickOptions = {}): string | null {
    const [time, tokens] = [
      timeOf(atMs),
      walletTokens == null ? undefined : amount("walletTokens", walletTokens, this.multiple),
    ];
    return result(this.#open.multiple(curveCore(curve), time, tokens), this.multiple);
  }

  /**
   * Takes what became of an order. `unknown` and `unconfirmed` wait; after `not_sent` it may be ordered again under its id; after
   * `rejected`, `failed` and `did_not_land` under a new one.
   *
   * @param options - `atMs`: when, default now; `soldTokens`: base units that it sold, or would have, default those ordered.
   */
  settled(
    intentId: string,
    outcome: IntentOutcome,
    { atMs, soldTokens }: { atMs?: number; soldTokens?: Amount } = {},
  ): void {
    const [time, sold] = [
      timeOf(atMs),
      soldTokens === undefined ? undefined : amount("tokens", soldTokens, this.settled),
    ];
    result(this.#open.settled(callArgs({ intentId, outcome }), time, sold), this.settled);
  }

  /** Orders nothing until `resume`. Prices are still followed, and `closeNow` works. */
  pause(): void {
    result(this.#open.pause());
  }

  /** Orders again. */
  resume(): void {
    result(this.#open.resume());
  }

  /** Sells everything at the next look, paused or not. */
  closeNow(): void {
    result(this.#open.closeNow());
  }

  /** How far the exits are, to be kept. In JSON its bigints are text, which `Exits.open` accepts as well. */
  get state(): ExitState {
    return result(this.#open.state());
  }

  /** Whether nothing is left to sell. */
  get isOver(): boolean {
    return this.#open.isOver();
  }

  /** The order that is not settled, with its request; `null` for none. */
  get order(): OrderedExit | null {
    return result(this.#open.order());
  }

  /** Frees its memory now. Using it afterwards throws; freeing it again does nothing. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(OpenExits);
