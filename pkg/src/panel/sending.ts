// A press of a send button, until its request goes out.

/** When the button was pressed. */
export class Press {
  readonly #at = [performance.now(), Date.now()] as const;

  /** Milliseconds since then. One clock may stand still while the machine sleeps, the other may be set back: the longer time counts. */
  get ageMs(): number {
    return Math.max(performance.now() - this.#at[0], Date.now() - this.#at[1]);
  }
}

/** What a press has begun. */
export interface Sending {
  readonly press: Press;
  /** Stops it: before its request goes out nothing is sent, after that nobody waits for the answer. Its reason is shown. */
  readonly stop: AbortController;
  /** Whether the order would still bring what was promised, on the current market. */
  isKept(): boolean;
  /** Called once it is an attempt, before its request goes out. */
  begun(): void;
}

/** The order would no longer bring what was promised. Nothing was stored or sent. */
export class Moved extends Error {}
