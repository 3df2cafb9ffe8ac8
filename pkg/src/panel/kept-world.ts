// Where a simulated world is kept: an IndexedDB database with a snapshot, and the rows that moved since.

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

/** A world as it was kept. */
export interface KeptState {
  settings: WorldSettings;
  snapshot: string;
  /** The rows of each call since the snapshot, in their order. */
  rows: string[];
}

const STATE = "state";
const LOG = "log";
const SETTINGS = "settings";
const SNAPSHOT = "snapshot";

/** How long another page of this browser may take to let go of a world: one that is being reloaded does so at once. */
const LETTING_GO_MS = 400;
/** How many worlds are tried: one a tab. */
const MOST_WORLDS = 8;

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the simulated launchpad could not be kept"));
  });

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
export class WorldStore {
  readonly name: string;
  #database: IDBDatabase;
  #pending: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  #entries = 0;

  private constructor(name: string, database: IDBDatabase) {
    this.name = name;
    this.#database = database;
  }

  /** Opens the place of a world; rejects where the browser keeps nothing. */
  static async open(name: string): Promise<WorldStore> {
    const ours = await nameOfOurs(name);
    const opening = indexedDB.open(ours, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(STATE);
      opening.result.createObjectStore(LOG, { autoIncrement: true });
    };
    return new WorldStore(ours, await result(opening));
  }

  /** What was kept; undefined where nothing was. */
  async read(): Promise<KeptState | undefined> {
    const transaction = this.#database.transaction([STATE, LOG]);
    const state = transaction.objectStore(STATE);
    const [settings, snapshot, log] = await Promise.all([
      result<WorldSettings | undefined>(state.get(SETTINGS)),
      result<string | undefined>(state.get(SNAPSHOT)),
      result<string[][]>(transaction.objectStore(LOG).getAll()),
    ]);
    this.#entries = log.length;
    return settings && snapshot !== undefined ? { settings, snapshot, rows: log.flat() } : undefined;
  }

  /** How many entries the log has: once it is long, a snapshot is read faster. */
  get entries(): number {
    return this.#entries;
  }

  /** Begins anew with a snapshot, in one transaction: there is always a whole world to find. */
  begin(settings: WorldSettings, snapshot: string): Promise<void> {
    this.#pending = [];
    this.#entries = 0;
    const transaction = this.#database.transaction([STATE, LOG], "readwrite");
    transaction.objectStore(STATE).put(settings, SETTINGS);
    transaction.objectStore(STATE).put(snapshot, SNAPSHOT);
    transaction.objectStore(LOG).clear();
    return (this.#writing = completed(transaction));
  }

  settings(settings: WorldSettings): Promise<void> {
    const transaction = this.#database.transaction(STATE, "readwrite");
    transaction.objectStore(STATE).put(settings, SETTINGS);
    return completed(transaction);
  }

  /** Takes the rows of a call; they are written together with those that come in the same task. */
  append(rows: string[]): void {
    if (!this.#pending.length) queueMicrotask(() => this.#write());
    this.#pending.push(...rows);
  }

  #write(): void {
    if (!this.#pending.length) return;
    const transaction = this.#database.transaction(LOG, "readwrite");
    transaction.objectStore(LOG).add(this.#pending);
    this.#pending = [];
    this.#entries++;
    this.#writing = completed(transaction);
    // Who waits for it hears of a failure; a tick of the market has nobody who waits.
    this.#writing.catch(() => {});
  }

  /** Waits until all that was appended is kept. */
  async kept(): Promise<void> {
    this.#write();
    await this.#writing;
  }
}
