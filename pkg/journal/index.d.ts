import type { Journal, Recalled, Settlement, TradeIntent } from "launchpad-desk";

/**
 * A journal of this package: it knows what is in doubt, what landed, and what was spent on each day.
 *
 * - In doubt: kept until it is settled, however long that takes.
 * - Landed: at least the latest 10,000 are kept, whole, and not begun again. Older ones are forgotten: an id that old
 *   would be sent again.
 * - Spent: one sum for each day of UTC, over all that landed on it, for the latest 400 days on which something did. What a
 *   clock that was ahead has dated into days to come counts for today as well, until they are over.
 */
export interface DeskJournal extends Journal {
    /**
     * Takes an intent down, so that it outlives the program.
     *
     * Rejects where it cannot, and for an id that is in doubt or has landed: that one must not be sent again.
     */
    begin(intent: TradeIntent): Promise<void>;
    /** Takes down how an intent ended. `unknown` leaves it in doubt; one that is not in doubt stays as it is. */
    settle(intent: Pick<TradeIntent, "intentId">, settlement: Pick<Settlement, "outcome">): Promise<void>;
    /** The intents that were begun and never settled, or of unknown outcome: those in doubt, the oldest first. */
    pending(): Promise<TradeIntent[]>;
    /** The intents that landed or were accepted and are kept, of those let through at `sinceMs` (since 1970) or later. */
    landed(sinceMs: number): Promise<TradeIntent[]>;
    /** What a client takes up before its first trade; the sum is of whole days, the first that of `sinceMs`. */
    recall(sinceMs: number): Promise<Recalled>;
}

/** A journal that can be closed. */
export interface ClosableJournal extends DeskJournal {
    /** Waits for what is being written, and lets go of the store. The next call opens it again. */
    close(): Promise<void>;
}

/** A journal that lasts as long as its page or process. */
export declare function memoryJournal(): DeskJournal;

/**
 * A journal in the browser's IndexedDB database `name` (default `launchpad-desk`), which survives the page, a crash and,
 * where the browser keeps the promise of durability `strict`, a power cut. Works in pages and in workers.
 *
 * Pages of one origin that use one name see each other's intents: one that is on
 * its way in another page is in doubt for a page that opens meanwhile. Browsers may clear what a site keeps, unless
 * `navigator.storage.persist()` was granted.
 */
export declare function indexedDBJournal(name?: string): ClosableJournal;
