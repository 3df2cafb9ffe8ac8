// An order: what is asked for, whether it was typed into the ticket or as the rows of a bundle.

import type { Trading } from "../attempts/attempt.js";
import type { Operation, RequestOf, TradeQuote } from "../../generated.js";

export type Order = { [O in Operation]: { readonly operation: O; readonly request: RequestOf[O] } }[Operation];

export interface Problem {
  /** A field of the request, or of the entry if the request has none like it. */
  readonly field: string;
  /** What the field is called, if its own name does not say it. */
  readonly label?: string;
  readonly text: string;
}

/** All that one press sends, as one order, and its quote. */
export interface All {
  readonly order: Order;
  readonly quote: TradeQuote | undefined;
  readonly priorityLamports: bigint;
}

/** What was entered: an order, the first of all those that one press sends, or why it is none yet. */
export type Draft =
  | { readonly order: Order; readonly all?: All; readonly problems?: undefined }
  | { readonly order?: undefined; readonly problems: readonly Problem[]; readonly empty: boolean };

/** A trade of an order, with the amount of tokens that the panel writes. */
interface Leg {
  readonly fromWallet: string;
  readonly amountInToken?: string;
}

/** The trades of an order, in its sequence. */
export function legsOf({ request }: Order): readonly Leg[] {
  if ("fromWallet" in request) return [request as Leg];
  return ("buys" in request ? request.buys : request.sells) as readonly Leg[];
}

/** The wallets that trade in an order, in its sequence. */
export const walletsOf = (order: Order): string[] => legsOf(order).map(({ fromWallet }) => fromWallet);

export const tradingOf = (order: Order): Trading => ({
  operation: order.operation,
  mint: order.request.mint,
  wallets: walletsOf(order),
});
