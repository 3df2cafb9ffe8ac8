// What a trader keeps in the browser's storage for a world on this page, and may change in several tabs.

import type { World } from "./worlds/world.js";

const MOST_LENGTH = 1_000_000;

/** Where it is kept: what is kept for one gateway is not for another, and simulations have theirs in common. */
export const placeOf = (what: string, { kind, id }: World): string =>
  `launchpad-desk ${what} ${kind === "gateway" ? id : kind} ${location.pathname}`;

/** Something that another tab may change, too: it is read again before each change. */
export class Kept<T> {
  readonly #name: string;
  readonly #read: (value: unknown) => T;
  #now: T;
  /** Whether the last change could not be stored: then what is stored is from before it. */
  #isAhead = false;

  constructor(name: string, read: (value: unknown) => T) {
    [this.#name, this.#read] = [name, read];
    this.#now = this.#stored() ?? read(undefined);
  }

  get now(): T {
    return this.#now;
  }

  change(change: (now: T) => T): void {
    this.#now = change((this.#isAhead ? undefined : this.#stored()) ?? this.#now);
    try {
      localStorage.setItem(this.#name, JSON.stringify(this.#now));
      this.#isAhead = false;
    } catch {
      this.#isAhead = true;
      // Where the browser stores nothing, it lasts as long as the panel.
    }
  }

  #stored(): T | undefined {
    try {
      const text = localStorage.getItem(this.#name);
      return text === null || text.length > MOST_LENGTH ? undefined : this.#read(JSON.parse(text));
    } catch {
      return undefined;
    }
  }
}
