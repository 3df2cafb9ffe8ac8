// An order: what is asked for, whether it was typed into the ticket or as the rows of a bundle.

import type { Operation, RequestOf } from "../generated.js";

export type Order = { [O in Operation]: { readonly operation: O; readonly request: RequestOf[O] } }[Operation];

/** Something wrong with what was entered. */
export interface Problem {
  /** A field of the request, or of the entry if the request has none like it. */
  readonly field: string;
  readonly text: string;
}

/** What was entered: an order, or why it is none yet. */
export type Draft =
  | { readonly order: Order; readonly problems?: undefined }
  | { readonly order?: undefined; readonly problems: readonly Problem[]; readonly empty: boolean };

/** The wallets that trade in an order, in its sequence. */
export function walletsOf({ request }: Order): string[] {
  if ("fromWallet" in request) return [request.fromWallet];
  const legs = "buys" in request ? request.buys : request.sells;
  return legs.map(({ fromWallet }) => fromWallet);
}
