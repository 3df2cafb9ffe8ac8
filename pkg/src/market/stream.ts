// A stream of accounts, one update at a time.

import { linked } from "../abort.js";
import { pause } from "../watching.js";
import type { ChainAccount } from "./accounts.js";

/** What a stream of accounts says: an account as of a slot, or only that a slot has begun. See {@link MarketWatchOptions}. */
export interface AccountUpdate {
  slot: number;
  /** Which account it is. Without it, the update says that this slot has begun, and nothing more. */
  address?: string;
  /** The account as a node tells of it, with the encoding `base64`; `null` if it is gone. */
  account?: Omit<ChainAccount, "address"> | null;
}

/** A stream of accounts, of which one update at a time is awaited. It begins when this is made. */
export class AccountStream {
  readonly #updates: AsyncIterator<AccountUpdate>;
  #next: Promise<AccountUpdate | "ended">;

  constructor(updates: AsyncIterable<AccountUpdate>) {
    this.#updates = updates[Symbol.asyncIterator]();
    this.#next = this.#asked();
  }

  async #asked(): Promise<AccountUpdate | "ended"> {
    try {
      const { done, value } = await this.#updates.next();
      return done ? "ended" : value;
    } catch {
      // Not the reason: a URL of a node often has a key in it.
      return "ended";
    }
  }

  /** The next update, unless it takes longer. */
  async next(withinMs: number | undefined, signal: AbortSignal): Promise<AccountUpdate | "ended" | "silent"> {
    const wait = linked(signal);
    const isOver = pause(withinMs ?? Infinity, wait.signal).then(() => "silent" as const);
    const first = await Promise.race([this.#next, isOver]);
    wait.end();
    if (first !== "silent" && first !== "ended") this.#next = this.#asked();
    return first;
  }

  end(): void {
    // It may be a generator that waits for its source: it ends by its signal, and nobody waits for that.
    void this.#updates.return?.().catch(() => {});
  }
}
