// What of the market is shown, and how. Nothing of this is about money.

/** The widths that a candle may have, in milliseconds. */
export const INTERVALS = [5_000, 15_000, 60_000, 300_000] as const;
export const SHAPES = ["candles", "curve", "table"] as const;
export type Shape = (typeof SHAPES)[number];

export class Shown {
  intervalMs: number = INTERVALS[1];
  shape: Shape = "candles";
  /** Whether the list of tokens is open. */
  list = false;
  /** Whether the sandbox's drawer is open. */
  drawer = false;
  /** Whether "start over" waits for an answer. */
  asks = false;
  /** The mint that was copied last. */
  copied: string | undefined;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(changes: Partial<Pick<Shown, "intervalMs" | "shape" | "list" | "drawer" | "asks" | "copied">>): void {
    Object.assign(this, changes);
    this.#changed();
  }
}
