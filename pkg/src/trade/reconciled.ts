// What balances, or the chain, say of a trade.

import type { Certainty, Found, Operation, Shown } from "../generated.js";

/** How a trade ended, as far as balances can tell. See {@link reconcile}. */
export interface Reconciled {
  operation: Operation;
  /** `proven` if what you passed as `Observed` is true; `likely` if something else would fit too; `unknown` if the balances do not show it. */
  certainty: Certainty;
  /** Whether it landed; `null` if that is unknown. */
  landed: boolean | null;
  /** What to `acknowledge`: only what is proven; `null` otherwise. */
  found: Found | null;
  /** What each wallet's balances show: the trade, a change that may have another cause, no change, a different change, not
   * read, or no change where the trade might have made none. */
  findings: WalletFinding[];
}

/**
 * What the balances of one wallet show, and what moved in it between the two readings, whatever moved it. `receipt` and
 * `attribution` of `launchpad-desk/market` take these, as part of a `Reconciled`.
 */
export type WalletFinding = {
  wallet: string;
  /** What its balances show. */
  shows: Shown;
  /** How sure it is that the trade moved this, and nothing else did. */
  certainty: Certainty;
  /** Its base units before; `null`, as the next three, if they were not read twice. */
  tokensBefore: bigint | null;
  /** Its base units now. */
  tokensAfter: bigint | null;
  /** Base units gained; below zero if sold. */
  tokensMoved: bigint | null;
  /** Lamports gained, below zero if spent: the trade, its fees, rent, and the network fee if it is the payer. */
  lamportsMoved: bigint | null;
};
