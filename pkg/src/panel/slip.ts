// An order on its way to be sent: what it asks for, its quote, and what keeps it from being sent. The ticket is one, a bundle
// another.

import { type Plan, isTradeError, validate } from "launchpad-desk";
import type { Operation, RequestOf, TradeQuote } from "../generated.js";
import type { Attempt } from "./attempts.js";
import type { Desk } from "./desk.js";

export type Order = { [O in Operation]: { readonly operation: O; readonly request: RequestOf[O] } }[Operation];

/** Something wrong with what was entered. */
export interface Problem {
  /** The request's field, or the name of an entry field that is not one. */
  readonly field: string;
  readonly text: string;
}

/** What was entered: an order, or why it is none. */
export type Draft = { readonly order: Order; readonly problems?: undefined } | { readonly order?: undefined; readonly problems: readonly Problem[]; readonly empty: boolean };

/** The wallets that trade in an order, in its order. */
export function walletsOf({ request }: Order): string[] {
  if ("fromWallet" in request) return [request.fromWallet];
  const legs = "buys" in request ? request.buys : request.sells;
  return legs.map(({ fromWallet }) => fromWallet);
}

export class Slip {
  /** What is wrong with the order; empty where it may be quoted. */
  problems: readonly Problem[] = [];
  order: Order | undefined;
  quote: TradeQuote | undefined;
  /** Whether nothing was entered yet: then nothing is wrong either. */
  empty = true;
  /** The attempt that this very entry became: it is sent again only after an edit, or when asked to. */
  spent: string | undefined;
  sending = false;
  readonly #desk: Desk;
  readonly #draft: () => Draft;

  constructor(desk: Desk, draft: () => Draft) {
    this.#desk = desk;
    this.#draft = draft;
  }

  /** What was entered has changed. */
  edited(): void {
    if (!this.sending) this.spent = undefined;
    this.requote();
    this.#desk.changed();
  }

  /** Asks to send the same once more. */
  again(): void {
    this.edited();
  }

  /** Reads, checks and prices what was entered, as the market stands. */
  requote(): void {
    const draft = this.#draft();
    this.order = draft.order;
    this.quote = undefined;
    this.problems = draft.problems ?? [];
    this.empty = !draft.order && draft.empty;
    if (!draft.order) return;
    const { operation, request } = draft.order;
    const { errors } = validate(operation, request);
    if (errors.length) this.problems = errors.map(({ field, message }) => ({ field, text: message }));
    else {
      try {
        this.quote = this.#desk.world.quote(operation, request as never);
      } catch (error) {
        // Well formed, but not possible here: an amount finer than a base unit, for example.
        if (!isTradeError(error) || !error.fields) throw error;
        this.problems = error.fields.map(({ field, message }) => ({ field, text: message }));
      }
    }
  }

  /** The attempt of unknown outcome that keeps this order from being sent. */
  get lock(): Attempt | undefined {
    return this.order && this.#desk.attempts.lock(this.order.request.mint, walletsOf(this.order));
  }

  get canSend(): boolean {
    return !this.sending && !this.spent && !!this.order && !this.problems.length && !this.lock;
  }

  /** Sends what is shown, once. */
  async send(): Promise<void> {
    if (!this.canSend || !this.order) return;
    const { order } = this;
    this.sending = true;
    this.#desk.changed();
    try {
      const plan: Plan = await this.#desk.plan(order);
      this.spent = plan.intentId;
      await this.#desk.send(order, plan);
    } finally {
      this.sending = false;
      this.requote();
      this.#desk.changed();
    }
  }
}
