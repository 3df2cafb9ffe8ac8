// Where a simulated world is stored: its settings in the browser's local storage, its state in a database of this package.

import { type StateInIndexedDB, keepStateInIndexedDB } from "launchpad-desk/browser";
import { messages } from "../messages.js";

/** What is stored besides the sandbox's state: how its market began, and what the drawer set. */
export interface WorldSettings {
  /** Differs after "start over", which replaces the world. */
  id: string;
  /** The page's sandbox config as text: another config starts another world. */
  config: string;
  /** What is added to the times of its market, which began in 1970 if it came with the panel. */
  offsetMs: number;
  /** Speed of the market's time, as a multiple of real time; 0 stops it. */
  speed: number;
  fault: string;
  /** Whether the fault hits only the next trade. */
  once: boolean;
}

/** The part of a sandbox that is needed to store it. */
export type Keepable = Parameters<typeof keepStateInIndexedDB>[0];

/** How long another page may take to release a world: one that is being reloaded does so at once, even if the machine is busy. */
const LETTING_GO_MS = 1_000;
/** How many worlds are tried, one for each tab. */
const MOST_WORLDS = 8;

/** Takes the lock of a name until the page is closed; false if another page has it. */
function lock(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(LETTING_GO_MS);
    navigator.locks
      .request(name, { signal }, () => {
        resolve(true);
        return new Promise<never>(() => {});
      })
      .catch((error: unknown) => (signal.aborted ? resolve(false) : reject(error)));
  });
}

const nameOf = (name: string, number: number): string => (number === 1 ? name : `${name} ${number}`);

/** The number of a world that no other page has: two tabs have two worlds, and each finds its own after a reload, the first that is free otherwise. */
async function numberOfOurs(name: string): Promise<number> {
  const before = Number(sessionStorage.getItem(name)) || 1;
  for (const number of new Set([before, ...Array.from({ length: MOST_WORLDS }, (_, at) => at + 1)])) {
    if (!(await lock(nameOf(name, number)))) continue;
    sessionStorage.setItem(name, String(number));
    return number;
  }
  throw new Error(messages.live.tooManyPages(MOST_WORLDS));
}

export class Place {
  readonly name: string;
  /** From 1: which of the worlds of this name it is. */
  readonly number: number;
  #kept: StateInIndexedDB | undefined;
  #database = "";

  private constructor(name: string, number: number) {
    this.name = nameOf(name, number);
    this.number = number;
  }

  /** Opens the storage of a name; rejects where the browser stores nothing. */
  static async open(name: string): Promise<Place> {
    return new Place(name, await numberOfOurs(name));
  }

  /** The settings of the world that is stored here. */
  read(): WorldSettings | undefined {
    const text = localStorage.getItem(this.name);
    return text === null ? undefined : (JSON.parse(text) as WorldSettings);
  }

  write(settings: WorldSettings): void {
    localStorage.setItem(this.name, JSON.stringify(settings));
  }

  /** Stores a world from now on: it continues from what is stored, or starts with what it has. The world stored before is dropped. */
  async keep(sandbox: Keepable, settings: WorldSettings): Promise<StateInIndexedDB> {
    const [before, database] = [this.#database, `${this.name} ${settings.id}`];
    await this.#kept?.close();
    this.#kept = await keepStateInIndexedDB(sandbox, database);
    this.#database = database;
    // Written last: before this there is nothing to find.
    this.write(settings);
    if (before && before !== database) indexedDB.deleteDatabase(before);
    return this.#kept;
  }

  /** Drops a world that cannot be read. */
  drop({ id }: WorldSettings): void {
    localStorage.removeItem(this.name);
    indexedDB.deleteDatabase(`${this.name} ${id}`);
  }
}
