// The state of a sandbox in the browser: a snapshot, then the rows of each call, in one IndexedDB database.
//
// A sandbox changes synchronously, and a browser stores later. So the promise is about answers: each is given once its changes are on
// the disk. If something could not be stored, the sandbox refuses every further change, and the stored state agrees with all answers.

import type { Sandbox } from "launchpad-desk/sandbox";
import { BODY_LIMIT, QUOTE, SANDBOX } from "../symbols.js";
import { allOrNothing, result } from "./promises.js";

const FORMAT = 1;

/** Which sandbox the state belongs to, and which page owns it. */
const ABOUT = "about";
/** Rows, in the order in which they were stored. */
const LOG = "log";

/** A snapshot is taken once the log has doubled since the last one and grown by this many characters. */
const GROWTH = 1 << 20;

/** The row that drops all earlier rows. */
const RESET = '{"kind":"reset"}';

type Stateful = Pick<Sandbox, "apply" | "fetch" | "onChanges" | "origin" | "rows">;

interface About {
  format: number;
  origin: Record<string, string>;
  /** A number that each page that opens it increases. Only the last page stores. */
  owner: number;
}

/** A sandbox whose state is kept in IndexedDB. See {@link keepStateInIndexedDB}. */
export interface StateInIndexedDB {
  /** The sandbox's `fetch`, for a client. It gives each answer once the request's changes are on the disk. */
  readonly fetch: Sandbox["fetch"];
  /** Resolves once all changes so far are on the disk, including those of `advance`, `fund` and the like. Rejects if that failed. */
  saved(): Promise<void>;
  /** Closes the database once everything is on the disk. From then on the sandbox refuses every change. */
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

const fromLastReset = (rows: string[]): string[] => rows.slice(Math.max(0, rows.lastIndexOf(RESET)));

/** Why the stored state does not belong to this sandbox; undefined if it does. */
function mismatch(name: string, about: About, origin: Record<string, string>): Error | undefined {
  if (about.format !== FORMAT || about.origin["version"] !== origin["version"])
    return new Error(
      `the state in ${name} was stored by another version of this package: use another name, or delete it`,
    );
  const differing = Object.keys({ ...about.origin, ...origin }).filter(
    (setting) => about.origin[setting] !== origin[setting],
  );
  return differing.length
    ? new Error(
        `the state in ${name} is of a sandbox with other settings (${differing.join(", ")}): use those, or another name`,
      )
    : undefined;
}

/** The rows of a sandbox in a database, and what is on its way there. */
class Log {
  readonly #sandbox: Stateful;
  readonly #database: IDBDatabase;
  #owner = 0;
  /** Rows for the next transaction. */
  #waiting: string[] = [];
  #isDue = false;
  /** The last transaction. Changes made during it are stored in the next. */
  #last: Promise<void> = Promise.resolve();
  #length = 0;
  #mostLength = 0;
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
      const [known, all] = await Promise.all([
        result<About | undefined>(about.get(ABOUT)),
        result<string[][]>(log.getAll()),
      ]);
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

  /** Stores the sandbox's state as the beginning, again if it has changed during that. */
  async begin(): Promise<void> {
    for (
      let rows: string[] = [], next = this.#sandbox.rows();
      rows.join("\n") !== next.join("\n");
      next = this.#sandbox.rows()
    ) {
      rows = next;
      await this.#asOwner((log) => this.#snapshot(log, rows));
    }
  }

  /** Takes what a call changes. If it throws, the call changes nothing. */
  take(changes: readonly { row: string }[]): void {
    const broken = this.#broken;
    if (broken)
      throw new Error(`nothing is stored in ${this.#database.name} any more: ${broken.message}`, { cause: broken });
    for (const { row } of changes) this.#waiting.push(row);
    if (this.#isDue) return;
    this.#isDue = true;
    this.#last = this.#last.then(() => this.#store());
    // A caller that awaits it gets the error. Nobody awaits changes made by a timer, so their error must not end the page's
    // script.
    this.#last.catch(() => {});
  }

  saved(): Promise<void> {
    return this.#last;
  }

  async #store(): Promise<void> {
    const rows = this.#waiting;
    [this.#waiting, this.#isDue] = [[], false];
    // A snapshot may have contained them.
    if (!rows.length) return;
    this.#length += lengthOf(rows);
    try {
      await this.#asOwner((log) => {
        if (this.#length <= this.#mostLength) return void log.add(rows);
        this.#snapshot(log, this.#sandbox.rows());
        // The snapshot contains all changes so far.
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

  /** Does `work`, unless another page has taken over the database. */
  #asOwner(work: (log: IDBObjectStore) => void): Promise<void> {
    return this.#inTransaction(async (about, log) => {
      const known = await result<About | undefined>(about.get(ABOUT));
      if (known?.owner !== this.#owner) throw new Error("another page has taken it over");
      work(log);
    });
  }

  #inTransaction(work: (about: IDBObjectStore, log: IDBObjectStore) => Promise<void>): Promise<void> {
    const stores = [ABOUT, LOG] as const;
    return allOrNothing(this.#database.transaction(stores, "readwrite", { durability: "strict" }), stores, work);
  }

  async close(): Promise<void> {
    this.#broken ??= new Error("it was closed");
    await this.#last.catch(() => {});
    this.#database.close();
  }
}

/** A `fetch` that answers once all changes are stored. */
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
  // A client still recognises it as a sandbox's, and can ask for prices.
  return Object.defineProperties(stored, {
    [SANDBOX]: { value: served },
    [BODY_LIMIT]: { value: served },
    [QUOTE]: { value: (fetch as { [QUOTE]?: unknown })[QUOTE] },
  });
}

/**
 * Keeps the state of a sandbox in the browser's IndexedDB database `name`, in a page or a worker. If the database has a state, the
 * sandbox continues with it; otherwise the sandbox's current state is stored. An answer of `fetch` is given once its changes are on
 * the disk. So the page may be reloaded, closed or killed at any moment: it comes back with every trade that was answered, each of
 * them in full. A change without an answer is there in full or not at all.
 *
 * A browser stores after the sandbox has changed, so the sandbox itself may be ahead. If something cannot be stored, for example
 * because the site's quota is used up, the call rejects, and the sandbox refuses every further change; opened again, it has what was
 * answered.
 *
 * Concurrent calls share a transaction, and a snapshot replaces a log that has grown. The page that opened a name last owns it: in
 * earlier pages, the next change rejects, and all later ones are refused. Browsers may clear a site's storage, unless
 * `navigator.storage.persist()` was granted. This store replaces that of `onChanges`.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { keepStateInIndexedDB } from "launchpad-desk/browser";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const kept = await keepStateInIndexedDB(sandbox, "my sandbox");
 * const client = new TradeClient({ fetch: kept.fetch });
 * sandbox.fund("eve", 2_000_000_000n);
 * await kept.saved(); // now it is on the disk
 * ```
 *
 * @throws {TypeError} for anything but a sandbox. Rejects if the browser cannot store, and for a state that another version stored or
 * that belongs to other settings, which the error names. Then the sandbox is unchanged, and keeps the store that it had.
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
  // Synchronously, so that no call comes in between.
  sandbox.onChanges((changes) => log.take(changes));
  return { fetch: storing(sandbox.fetch, log), saved: () => log.saved(), close: () => log.close() };
}
