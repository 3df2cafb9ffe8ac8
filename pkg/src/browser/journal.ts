// The interface of this package's journals.

import type { Journal, Recalled, Settlement, Suspension, TradeIntent } from "launchpad-desk";

/**
 * A journal of this package, such as {@link memoryJournal}: it knows what is unresolved, what landed, and what was spent on each day.
 *
 * - Unresolved: kept until it is settled, however long that takes.
 * - Landed: at least the latest 10,000 are kept in full, and refused if they are begun again. Older ones are forgotten, so such an
 *   old id would be sent again.
 * - Ended: how each ended and the signature of its transaction, for at least the latest 10,000 that landed and 10,000 that did not, so
 *   that `settle` of a client takes no transaction of one trade for another.
 * - Spent: one sum for each day (UTC) over everything that landed on it, for the latest 400 days with a landed trade. If a fast
 *   clock has dated sums into the future, they also count for today until those days are over.
 * - What stops trading: a halt, an open breaker, and how many unknown outcomes there were in a row, counting trades without an end.
 */
export interface DeskJournal extends Journal {
  /**
   * Records an intent, so that it outlives the program.
   *
   * Rejects if it cannot, and for an id that is unresolved or has landed, because that must not be sent again.
   */
  begin(intent: TradeIntent): Promise<void>;
  /** Records how an intent ended, and what that changes about what stops trading. `unknown` leaves it unresolved; an intent that is
   * already settled does not change, unless this end is `proven` and the one that is kept is not. */
  settle(
    intent: Pick<TradeIntent, "intentId">,
    settlement: Pick<Settlement, "outcome"> & Partial<Settlement>,
    suspension?: Suspension,
  ): Promise<void>;
  /** Records that trading was stopped, or may go on. Resolves once it is kept as safely as an intent. */
  keepSuspension(change: Suspension): Promise<void>;
  /** The unresolved intents, the oldest first: begun and never settled, or of unknown outcome. */
  pending(): Promise<TradeIntent[]>;
  /** The kept intents that landed or were accepted and were admitted at `sinceMs` (milliseconds since 1970) or later. */
  landed(sinceMs: number): Promise<TradeIntent[]>;
  /** What a client restores before its first trade. The sum covers whole days, from the day of `sinceMs`. */
  recall(sinceMs: number): Promise<Recalled>;
}

/** A journal that can be closed, such as {@link indexedDBJournal}. */
export interface ClosableJournal extends DeskJournal {
  /** Waits for pending writes, and closes the store. The next call opens it again. */
  close(): Promise<void>;
}
