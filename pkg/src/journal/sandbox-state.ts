// The state of a sandbox in the browser: a snapshot, then the rows of each call, in one IndexedDB database.
//
// A sandbox moves at once, and a browser stores later. So what is promised is promised of answers: each is given once what it moved
// is on the disk. If something could not be stored, nothing moves any more, and what was stored is what all answers have said.

import type { Sandbox } from "launchpad-desk/launchpad";
import { QUOTE, SANDBOX } from "../marks.js";
import { inTransaction, result } from "./promises.js";

/** The version of the database's form. */
const FORMAT = 1;

/** Whose state it is, and which page has it. */
const ABOUT = "about";
/** Rows, by the order in which they were stored. */
const LOG = "log";

/** A snapshot is taken once the log has doubled since the last and grown by this many characters. */
const GROWTH = 1 << 20;

/** The row that drops all before it. */
const RESET = '{"kind":"reset"}';

/** What of a sandbox is needed to keep its state. */
type Stateful = Pick<Sandbox, "apply" | "fetch" | "onChanges" | "origin" | "rows">;

/** What the database says of itself. */
interface About {
  format: number;
  origin: Record<string, string>;
  /** Counts who has opened it: only the last one stores. */
  owner: number;
}

/**
 * A sandbox whose state is kept in IndexedDB.
 *
 * @see {@link keepStateInIndexedDB}
 */
export interface StateInIndexedDB {
  /** The sandbox's `fetch`, for a client: it gives each answer once what the request moved is on the disk. */
  readonly fetch: Sandbox["fetch"];
  /** Resolves once all that has moved so far is on the disk, by `advance`, `fund` and the like too. It rejects if that failed. */
  saved(): Promise<void>;
  /** Ends it, once all is on the disk: whatever would move the sandbox is refused from then on. */
  close(): Promise<void>;
}

async function openDatabase(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, FORMAT);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(ABOUT);
    opening.result.createObjectStore(LOG, { autoIncrement: true });
  };
  return result(opening);
}

const lengthOf = (rows: readonly string[]): number => rows.reduce((sum, row) => sum + row.length, 0);

/** The rows without those that a later reset has dropped. */
const fromLastReset = (rows: string[]): string[] => rows.slice(Math.max(0, rows.lastIndexOf(RESET)));

/** Why what was kept is not this sandbox's, if it is not. */
function mismatch(name: string, about: About, origin: Record<string, string>): Error | undefined {
  if (about.format !== FORMAT || about.origin["version"] !== origin["version"]) return new Error(`the state in ${name} was stored by another version of this package: use another name, or delete it`);
  const differing = Object.keys({ ...about.origin, ...origin }).filter((setting) => about.origin[setting] !== origin[setting]);
  return differing.length ? new Error(`the state in ${name} is of a sandbox with other settings (${differing.join(", ")}): use those, or another name`) : undefined;
}

/** The rows of a sandbox in a database, and what is on its way there. */
class Log {
  readonly #sandbox: Stateful;
  readonly #database: IDBDatabase;
  #owner = 0;
  /** Rows for the next transaction. */
  #waiting: string[] = [];
  #isDue = false;
  /** The last transaction; what moves meanwhile comes in the one after it. */
  #last: Promise<void> = Promise.resolve();
  #length = 0;
  #mostLength = 0;
  /** Why nothing is stored any more. */
  #broken: Error | undefined;

  constructor(sandbox: Stateful, database: IDBDatabase) {
    this.#sandbox = sandbox;
    this.#database = database;
    database.onclose = () => (this.#broken ??= new Error("the browser has closed it"));
    database.onversionchange = () => {
      this.#broken ??= new Error("it is being deleted");
      database.close();
    };
  }

  /** Takes the database over; resolves to the rows that are in it. */
  async open(): Promise<string[]> {
    const { name } = this.#database;
    const { origin } = this.#sandbox;
    let entries: string[][] = [];
    await this.#inTransaction(async (about, log) => {
      const [known, all] = await Promise.all([result<About | undefined>(about.get(ABOUT)), result<string[][]>(log.getAll())]);
      const reason = known && mismatch(name, known, origin);
      if (reason) throw reason;
      this.#owner = (known?.owner ?? 0) + 1;
      about.put({ format: FORMAT, origin, owner: this.#owner } satisfies About, ABOUT);
      entries = all;
    });
    const [snapshot = [], ...more] = entries;
    this.#has(snapshot, more.flat());
    return fromLastReset(entries.flat());
  }

  /** Begins with what the sandbox has, however much of that moves meanwhile. */
  async begin(): Promise<void> {
    for (let rows: string[] = [], next = this.#sandbox.rows(); rows.join("\n") !== next.join("\n"); next = this.#sandbox.rows()) {
      rows = next;
      await this.#asOwner((log) => this.#snapshot(log, rows));
    }
  }

  /** Takes what a call moves, or throws: then it moves nothing. */
  take(changes: readonly { row: string }[]): void {
    const broken = this.#broken;
    if (broken) throw new Error(`nothing is stored in ${this.#database.name} any more: ${broken.message}`, { cause: broken });
    for (const { row } of changes) this.#waiting.push(row);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#last = this.#last.then(() => this.#store());
    // Who waits for it hears of a failure; what moves by a timer has nobody who waits.
    this.#last.catch(() => {});
  }

  /** Once what has moved so far is stored. */
  saved(): Promise<void> {
    return this.#last;
  }

  async #store(): Promise<void> {
    const rows = this.#waiting;
    [this.#waiting, this.#isDue] = [[], false];
    // A snapshot may have had them.
    if (!rows.length) return;
    this.#length += lengthOf(rows);
    try {
      await this.#asOwner((log) => {
        if (this.#length <= this.#mostLength) return void log.add(rows);
        this.#snapshot(log, this.#sandbox.rows());
        // It has all that has moved by now.
        this.#waiting = [];
      });
    } catch (error) {
      const { name } = this.#database;
      this.#broken ??= error as Error;
      throw new Error(`it could not be stored in ${name}: ${(error as Error).message}`, { cause: error });
    }
  }

  #snapshot(log: IDBObjectStore, rows: string[]): void {
    log.clear();
    log.add(rows);
    this.#has(rows, []);
  }

  #has(snapshot: readonly string[], more: readonly string[]): void {
    const length = lengthOf(snapshot);
    this.#length = length + lengthOf(more);
    this.#mostLength = 2 * length + GROWTH;
  }

  /** Does `work` unless another page has taken the database over. */
  #asOwner(work: (log: IDBObjectStore) => void): Promise<void> {
    return this.#inTransaction(async (about, log) => {
      const known = await result<About | undefined>(about.get(ABOUT));
      if (known?.owner !== this.#owner) throw new Error("another page has taken it over");
      work(log);
    });
  }

  #inTransaction(work: (about: IDBObjectStore, log: IDBObjectStore) => Promise<void>): Promise<void> {
    return inTransaction(this.#database, [ABOUT, LOG], work);
  }

  async close(): Promise<void> {
    this.#broken ??= new Error("it was closed");
    await this.#last.catch(() => {});
    this.#database.close();
  }
}

/** `fetch` that answers once all that moved is stored. */
function storing(fetch: Sandbox["fetch"], log: Log): Sandbox["fetch"] {
  const stored: Sandbox["fetch"] = async (...request) => {
    try {
      return await fetch(...request);
    } finally {
      await log.saved();
    }
  };
  const served = () => {
    throw new TypeError("its answers wait for IndexedDB: serve the sandbox itself");
  };
  // A client still sees whose it is, and asks for prices.
  return Object.defineProperties(stored, { [SANDBOX]: { value: served }, [QUOTE]: { value: (fetch as { [QUOTE]?: unknown })[QUOTE] } });
}

/**
 * Keeps the state of a sandbox in the browser's IndexedDB database `name`, in a page or a worker. If it has a state, the sandbox goes
 * on with that; if not, it begins with what the sandbox has. An answer of `fetch` is given once what it moved is on the disk:
 * reloaded, closed or killed at any moment, a page comes back with every trade that was answered, and no half trade. What came
 * without an answer is there whole or not at all.
 *
 * A browser stores later than a sandbox moves, so the sandbox itself may be ahead. If it cannot be stored, as where the site's quota is
 * used up, the call rejects, and nothing moves the sandbox any more; opened again, it has what was answered.
 *
 * Calls at the same time share a transaction, and a snapshot takes the place of a log that has grown. The page that opened a name
 * last has it: what would move the sandbox of an earlier one rejects, and is refused from then on. Browsers may clear what a site stores,
 * unless `navigator.storage.persist()` was granted. The store of `onChanges` is this one from now on.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { keepStateInIndexedDB } from "launchpad-desk/journal";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const kept = await keepStateInIndexedDB(sandbox, "my sandbox");
 * const client = new TradeClient({ fetch: kept.fetch });
 * sandbox.fund("eve", 2_000_000_000n);
 * await kept.saved(); // now it is on the disk
 * ```
 *
 * @throws {TypeError} for what is no sandbox. It rejects where the browser stores nothing, and for a state that another version
 * stored or that is of a sandbox with other settings, which it names; then the sandbox is as it was, with the store that it had.
 */
export async function keepStateInIndexedDB(
  sandbox: Pick<Sandbox, "apply" | "fetch" | "onChanges" | "origin" | "rows">,
  name = "launchpad-desk sandbox",
): Promise<StateInIndexedDB> {
  if (typeof sandbox?.rows !== "function") throw new TypeError("keepStateInIndexedDB takes a sandbox");
  const log = new Log(sandbox, await openDatabase(name));
  try {
    const rows = await log.open();
    if (rows.length) sandbox.apply(rows);
    else await log.begin();
  } catch (error) {
    await log.close();
    throw error;
  }
  // At once: no call may come between.
  sandbox.onChanges((changes) => log.take(changes));
  return { fetch: storing(sandbox.fetch, log), saved: () => log.saved(), close: () => log.close() };
}
