// What part of the market is shown, and how. None of this affects money.

import type { Desk } from "./desk.js";

/** The candle widths to choose from, in milliseconds. */
export const INTERVALS = [5_000, 15_000, 60_000, 300_000, 3_600_000, 86_400_000] as const;
export const SHAPES = ["candles", "curve", "table"] as const;
export const TABS = ["positions", "trades", "bundle", "tokens", "wallets"] as const;
export type Tab = (typeof TABS)[number];
export type Shape = (typeof SHAPES)[number];

export class Shown {
  intervalMs: number = INTERVALS[0];
  shape: Shape = "candles";
  tab: Tab = "positions";
  /** Which page of the history, from 0. */
  page = 0;
  /** The tab from which the list of tokens was opened to switch to one: a pick leads back there. */
  switchesFrom: Tab | undefined;
  drawer = false;
  /** Whether wallet, slippage and priority are unfolded, where there is little room. */
  terms = false;
  /** Whether the ticket's button is out of the window. */
  isFar = false;
  /** Which position's exits are edited: its wallet and its mint. */
  exits = "";
  /** Whether Max was pressed and is not known: why stands below the amount until something is entered. */
  noMost = false;
  /** Whether the picture that was asked for last could not be drawn. */
  isPictureMissing = false;
  keys = false;
  /** What waits for confirmation; empty if nothing does. */
  asks = "";
  /** The address that was copied last. */
  copied: string | undefined;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(changes: Partial<Omit<Shown, "set">>): void {
    Object.assign(this, changes);
    this.#changed();
  }
}

/** What a part of a panel keeps of its own while it is shown, such as what is typed in it: one for each desk. */
export function perDesk<T>(make: (desk: Desk) => T): (desk: Desk) => T {
  const all = new WeakMap<Desk, T>();
  return (desk) => {
    const one = all.get(desk) ?? make(desk);
    all.set(desk, one);
    return one;
  };
}
