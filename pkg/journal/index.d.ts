import type { Journal, Settlement, TradeIntent } from "launchpad-desk";

/** A journal of this package: it knows what is in doubt, and what landed. */
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
    /** The intents that landed or were accepted, of those asked for at `sinceMs` (since 1970) or later. */
    landed(sinceMs: number): Promise<TradeIntent[]>;
}

/** A journal that can be closed. */
export interface ClosableJournal extends DeskJournal {
    /** Waits for what is being written, and lets go of the store. The next call opens it again. */
    close(): Promise<void>;
}

/** A journal that lasts as long as its page or process, and remembers the latest 10,000 that landed. */
export declare function memoryJournal(): DeskJournal;

/**
 * A journal in the browser's IndexedDB database `name` (default `launchpad-desk`), which survives the page, a crash and,
 * where the browser keeps the promise of durability `strict`, a power cut. Works in pages and in workers.
 *
 * What landed is remembered for two days. Pages of one origin that use one name see each other's intents: one that is on
 * its way in another page is in doubt for a page that opens meanwhile. Browsers may clear what a site keeps, unless
 * `navigator.storage.persist()` was granted.
 */
export declare function indexedDBJournal(name?: string): ClosableJournal;
