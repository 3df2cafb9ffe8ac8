// What a trader keeps in lists on this page: the mints that are watched, and the groups of wallets. localStorage keeps it, where anything may
// be written: what cannot be used is as if it was never kept.

import type { World } from "../world.js";

/** A group of wallets. */
export interface Group {
  readonly name: string;
  readonly wallets: readonly string[];
}

export const [MOST_WATCHED, MOST_GROUPS, MOST_IN_GROUP, MOST_OF_NAME] = [200, 20, 300, 32];
/** The longest id of a mint or a wallet. */
const MOST_OF_ID = 128;
const MOST_LENGTH = 1_000_000;

const isId = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= MOST_OF_ID;

const idsIn = (value: unknown, most: number): string[] =>
  Array.isArray(value) ? [...new Set(value.filter(isId))].slice(0, most) : [];

function groupIn(value: unknown): Group[] {
  const { name, wallets } = (value ?? {}) as Partial<Group>;
  const ids = idsIn(wallets, MOST_IN_GROUP);
  return typeof name === "string" && name.trim() && name.length <= MOST_OF_NAME && ids.length
    ? [{ name, wallets: ids }]
    : [];
}

/** A list that another tab may change, too: it is read again before each change. */
class Kept<T> {
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

/** @param kind what is traded in: tokens of a simulation are not those of real money */
export const watchedIn = (kind: World["kind"]): Kept<readonly string[]> =>
  new Kept(`launchpad-desk watched ${kind} ${location.pathname}`, (value) => idsIn(value, MOST_WATCHED));

export const groupsIn = (kind: World["kind"]): Kept<readonly Group[]> =>
  new Kept(`launchpad-desk groups ${kind} ${location.pathname}`, (value) =>
    Array.isArray(value) ? value.flatMap(groupIn).slice(0, MOST_GROUPS) : [],
  );
