// Where a simulated world is kept: its settings in the browser's storage, and what moves in a database of the package's own.

import { type StateInIndexedDB, keepStateInIndexedDB } from "launchpad-desk/journal";

/** What is kept beside the sandbox's state: how its market began, and what the drawer set. */
export interface WorldSettings {
  /** Tells this world from the one that "start over" replaces. */
  id: string;
  /** What the page gave for its sandbox, as text: with another, another world begins. */
  config: string;
  /** The market's time at its start. */
  startMs: number;
  /** Market time that passes, as a multiple of real time; 0 while it stands still. */
  speed: number;
  /** How many trades rivals slip in between a quote and its execution. */
  rivals: number;
  fault: string;
  /** Whether the fault strikes the next trade only. */
  once: boolean;
}

/** What of a sandbox is needed to keep it. */
export type Keepable = Parameters<typeof keepStateInIndexedDB>[0];

/** How long another page of this browser may take to let go of a world: one that is being reloaded does so at once, on a busy machine too. */
const LETTING_GO_MS = 1_000;
/** How many worlds are tried: one a tab. */
const MOST_WORLDS = 8;

/** Takes the lock of a name until the page ends; false where another page has it. */
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

/** The first name of a row that no other page has: two tabs have two worlds, and each finds its own after a reload. */
async function nameOfOurs(name: string): Promise<string> {
  for (let number = 1; number <= MOST_WORLDS; number++) {
    const tried = number === 1 ? name : `${name} ${number}`;
    if (await lock(tried)) return tried;
  }
  throw new Error(`${MOST_WORLDS} pages have a simulated launchpad open`);
}

/** The place of one world, which this page alone has. */
export class Place {
  readonly name: string;
  #kept: StateInIndexedDB | undefined;
  #database = "";

  private constructor(name: string) {
    this.name = name;
  }

  /** Opens the place of a name; rejects where the browser keeps nothing. */
  static async open(name: string): Promise<Place> {
    return new Place(await nameOfOurs(name));
  }

  /** The settings of the world that is kept here. */
  read(): WorldSettings | undefined {
    const text = localStorage.getItem(this.name);
    return text === null ? undefined : (JSON.parse(text) as WorldSettings);
  }

  write(settings: WorldSettings): void {
    localStorage.setItem(this.name, JSON.stringify(settings));
  }

  /** Keeps a world from now on: it goes on where it was kept, or begins with what it has. The one kept before is dropped. */
  async keep(sandbox: Keepable, settings: WorldSettings): Promise<StateInIndexedDB> {
    const [before, database] = [this.#database, `${this.name} ${settings.id}`];
    await this.#kept?.close();
    this.#kept = await keepStateInIndexedDB(sandbox, database);
    this.#database = database;
    // Only now is there something to find.
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
