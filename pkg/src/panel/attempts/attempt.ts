// One trade that was sent from this panel, or refused, and what is known of it.

import type { Plan } from "launchpad-desk";
import type { CurveQuote } from "launchpad-desk/market";
import type { Asked } from "../worlds/world.js";
import { type Operation, SIDES, type Side, type TradeReceipt } from "../../generated.js";
import { type Fate, type State, meaningOf, openOf } from "./machine.js";

/** How many settled attempts are kept: some megabytes, and more than anybody pages through. */
export const MOST_SETTLED = 1_000;

/** What is known of a trade that has ended. Plain data. */
export interface Answer {
  readonly signature: string | null;
  /** Whole tokens bought or sold, exact; null where the reply does not say. */
  readonly tokens: string | null;
  /** How much the trading wallets' lamports changed in all; null where that is not known. */
  readonly lamportsMoved: bigint | null;
  /** What a single trade did, against its quote; null where it had none. */
  readonly receipt: TradeReceipt | null;
  /** Why it did not land, as the service or the core put it. */
  readonly reason: string | null;
  readonly code: string | null;
  readonly lines: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/** One press of a send button. Plain data. */
export interface Attempt {
  readonly intentId: string;
  readonly operation: Operation;
  readonly side: Side;
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly wallets: readonly string[];
  readonly simulated: boolean;
  readonly startedAtMs: number;
  /** The same in the market's time, for the chart. */
  readonly marketMs: number;
  readonly body: string;
  /** The plan, to ask a gateway again with the same intent and bytes. Null in a simulated world, where nobody is asked. */
  readonly plan: Plan | null;
  /** Until when a gateway accepts it, by the gateway's clock, and whose it is there. Null in a simulated world. */
  readonly moment: Asked | null;
  /** What was shown when it was sent. */
  readonly price: Plan["price"];
  /** The quote of a single trade, as its receipt needs it; null where the curve is not known. */
  readonly quoted: CurveQuote | null;
  /** When it settled or became unknown; null before that. */
  readonly settledAtMs: number | null;
  readonly fate: Fate;
  readonly answer: Answer | null;
}

export const stateOf = ({ fate }: Attempt): State => fate.is;

/** Whether it may still move money. */
export const isOpen = ({ fate }: Attempt): boolean => openOf(fate) !== undefined;

export type Trading = Pick<Attempt, "operation" | "mint" | "wallets">;

/** The operations that sell amounts, and not parts of a balance. */
const AMOUNT_SELLS: readonly Operation[] = ["sell", "bundleSell"];

const isShared = (one: Attempt, { mint, wallets }: Trading): boolean =>
  one.mint === mint && one.wallets.some((wallet) => wallets.includes(wallet));

/** Whether a buy may still add to what the wallets of an order hold. However it ends, it takes no tokens away. */
export const mayAdd = (one: Attempt, order: Trading): boolean =>
  one.side === "buy" && stateOf(one) !== "in_flight" && isOpen(one) && isShared(one, order);

/**
 * Whether an attempt keeps an order from being sent: it may still trade the same token from the same wallet. A buy keeps no amount of
 * tokens from being sold, and no percentage either while it waits for a person: nothing of it was sent.
 */
export const blocks = (one: Attempt, order: Trading): boolean =>
  isOpen(one) &&
  isShared(one, order) &&
  !(
    mayAdd(one, order) &&
    SIDES[order.operation] === "sell" &&
    (stateOf(one) === "awaiting_approval" || AMOUNT_SELLS.includes(order.operation))
  );

export const hasLanded = ({ fate }: Attempt): boolean => meaningOf(fate).hasLanded;
