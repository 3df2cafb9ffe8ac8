// Attempts: every trade that was sent from this panel, and those that were refused. Each is written to IndexedDB before its
// request goes out, so a reload loses none.
//
// Only one page of an origin works on an attempt at a time: first the page that sends it, later a page that asks for its
// outcome. That page holds a browser lock, so no other page treats a trade in flight as one whose page was closed. The
// transaction in `begin` makes sure that none is stored that another one keeps from being sent.

import type { PositionState } from "../../generated.js";
import { indexedDBJournal, memoryJournal } from "launchpad-desk/browser";
import { Database, inTransaction, result } from "../../browser/promises.js";
import { newId } from "../../runtime.js";
import { type Attempt, type Trading, blocks, isOpen } from "./attempt.js";
import { whileHeld, whileHeldHere } from "./locks.js";
import { messages } from "../messages.js";
import { type Past, dropOldest, uncountedIn } from "./past.js";
import type { Maths } from "../worlds/world.js";

/** Attempts by their intent id. Each is in one of two indexes, ordered by start time, so that the open ones are read alone. */
const STORE = "attempts";
export const OPEN = "open";
export const SETTLED = "settled";
/** The count and the positions of attempts that were dropped, and the list's own id. */
const PAST = "past";
/** The key of that id. It has no space in it, as those of the positions have. */
const LIST = "list";
const VERSION = 4;

/** An attempt as it is stored: its start time is under the name of its index. */
type Kept = Attempt & { [OPEN]?: number; [SETTLED]?: number };

function keptOf(attempt: Attempt): Kept {
  const { [OPEN]: _open, [SETTLED]: _settled, ...bare } = attempt as Kept;
  return { ...bare, [isOpen(attempt) ? OPEN : SETTLED]: attempt.startedAtMs };
}

async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = () => {
    const { result: database } = request;
    // Versions before 4 were never published.
    for (const store of [...database.objectStoreNames]) database.deleteObjectStore(store);
    const attempts = database.createObjectStore(STORE, { keyPath: "intentId" });
    for (const index of [OPEN, SETTLED]) attempts.createIndex(index, index);
    database.createObjectStore(PAST).put(newId(), LIST);
  };
  return result(request);
}

const opened = new Map<string, Promise<Attempts>>();

type Journal = ReturnType<typeof indexedDBJournal>;

/** All attempts in one world, shared by the panels of a page. */
export class Attempts {
  /** Undefined where the browser stores nothing: then a simulated world's attempts last as long as the page. */
  readonly #database: Database | undefined;
  readonly #name: string;
  /** The journal of such a page, shared by its clients. */
  readonly #memory: Journal = Object.assign(memoryJournal(), { close: async () => {} });
  readonly #listeners = new Set<() => void>();
  /** Tells the other pages of this origin which attempt has changed. */
  readonly #channel: BroadcastChannel | undefined;
  readonly #maths: Maths;
  /** Newest first. */
  #all: readonly Attempt[] = [];
  #past: Past = { dropped: 0, positions: new Map(), uncounted: new Set() };
  #list = newId();

  private constructor(name: string, database: Database | undefined, maths: Maths) {
    this.#maths = maths;
    this.#name = name;
    this.#database = database;
    if (!database) return;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => void this.#reread(data as string);
  }

  /**
   * Opens the attempts of a world. Where the browser stores nothing, those of a simulated world last as long as the page. A live
   * world is refused there: after a reload nobody would know what is in flight.
   */
  static open(world: string, simulated: boolean, maths: Maths): Promise<Attempts> {
    const known = opened.get(world);
    if (known) return known;
    const opening = Attempts.#open(world, simulated, maths);
    opened.set(world, opening);
    opening.catch(() => opened.delete(world));
    return opening;
  }

  static async #open(world: string, simulated: boolean, maths: Maths): Promise<Attempts> {
    const name = `launchpad-desk panel ${world}`;
    const database = new Database(() => openDatabase(name));
    const stores = await database.opened().catch((error: unknown) => {
      // A newer version of the panel has written it: do not go on without it.
      if ((error as Error).name === "VersionError") throw error;
      if (!simulated) throw new Error(messages.live.noStorage);
      return undefined;
    });
    const attempts = new Attempts(name, stores && database, maths);
    await attempts.#readAll();
    return attempts;
  }

  /** The journal of this name; where the browser stores nothing, the page's own. */
  journal(name: string): Journal {
    return this.#database ? indexedDBJournal(name) : this.#memory;
  }

  get all(): readonly Attempt[] {
    return this.#all;
  }

  /** The id of this list: if the browser drops it, the next one has another. */
  get list(): string {
    return this.#list;
  }

  /** How many attempts were dropped, and the positions they led to. */
  get past(): Past {
    return this.#past;
  }

  get(intentId: string): Attempt | undefined {
    return this.#all.find((attempt) => attempt.intentId === intentId);
  }

  /** The attempt that keeps an order from being sent. */
  lock(order: Trading): Attempt | undefined {
    return this.#all.find((attempt) => blocks(attempt, order));
  }

  /** Runs `work` while no other page, and nothing else in this page, works on the attempt. */
  hold<T>(intentId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Without storage no other page can see the attempt; and such a page may have no locks either.
    return this.#database
      ? whileHeld(`${this.#name} ${intentId}`, work, signal)
      : whileHeldHere(intentId, work, signal);
  }

  /**
   * Stores a new attempt; resolves once it is on the disk. Throws if any page of this origin has an attempt that
   * keeps it from being sent. One transaction reads the open attempts and adds this one, so no page can begin another in between.
   */
  async begin(attempt: Attempt): Promise<void> {
    const refuse = (open: readonly Attempt[]): void => {
      if (open.some((other) => blocks(other, attempt))) throw new Error(messages.notice.elsewhere);
    };
    if (!this.#database) refuse(this.#all.filter(isOpen));
    else
      await inTransaction(this.#database, [STORE], async (attempts) => {
        refuse(await result<Kept[]>(attempts.index(OPEN).getAll()));
        attempts.add(keptOf(attempt));
      }).catch((error: unknown) => {
        throw error instanceof DOMException
          ? new Error(messages.notice.notKept(error.name === "QuotaExceededError"))
          : error;
      });
    this.#put(attempt);
    this.#tell(attempt.intentId);
  }

  /** Changes a stored attempt, as other pages have left it; resolves to the changed one, once it is on the disk. */
  async change(intentId: string, changed: (now: Attempt) => Attempt): Promise<Attempt | undefined> {
    let made: Attempt | undefined;
    try {
      if (this.#database)
        await inTransaction(this.#database, [STORE], async (attempts) => {
          const now = await result<Kept | undefined>(attempts.get(intentId));
          // The browser has dropped it.
          if (!now && this.get(intentId)) throw new DOMException("", "NotFoundError");
          if (now) attempts.put(keptOf((made = changed(now))));
        }).catch((error: unknown) => {
          made ??= this.#changedHere(intentId, changed);
          throw error instanceof DOMException ? new Error(messages.notice.outcomeNotKept) : error;
        });
      else made = this.#changedHere(intentId, changed);
    } finally {
      // The result is shown even if the disk does not take it. There it stays open, which is the safe side.
      if (made) this.#put(made);
    }
    const hasDropped = made !== undefined && !isOpen(made) && (await this.#dropOldest());
    if (hasDropped) await this.#readAll();
    this.#tell(hasDropped ? "" : intentId);
    return made;
  }

  /** The change of an attempt as this page knows it. */
  #changedHere(intentId: string, changed: (now: Attempt) => Attempt): Attempt | undefined {
    const now = this.get(intentId);
    return now && changed(now);
  }

  /** If it fails, they are kept, and the next settled attempt tries again. */
  async #dropOldest(): Promise<boolean> {
    return this.#database
      ? inTransaction(this.#database, [STORE, PAST], (attempts, past) =>
          dropOldest(this.#maths, attempts.index(SETTLED), past),
        ).catch(() => false)
      : false;
  }

  /** The attempt as it is on the disk now. */
  async read(intentId: string): Promise<Attempt | undefined> {
    if (!this.#database) return this.get(intentId);
    const attempt = await this.#database.run([STORE], "readonly", (transaction) =>
      result<Kept | undefined>(transaction.objectStore(STORE).get(intentId)),
    );
    if (attempt) this.#put(attempt);
    return attempt;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #reread(intentId: string): Promise<void> {
    if (intentId) await this.read(intentId);
    else await this.#readAll();
    this.#changed();
  }

  #put(attempt: Attempt): void {
    this.#all = [attempt, ...this.#all.filter(({ intentId }) => intentId !== attempt.intentId)].sort(
      (a, b) => b.startedAtMs - a.startedAtMs,
    );
  }

  #tell(intentId: string): void {
    this.#channel?.postMessage(intentId);
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  async #readAll(): Promise<void> {
    if (!this.#database) return;
    const [all, keys, values] = await this.#database.run([STORE, PAST], "readonly", (transaction) => {
      const carried = transaction.objectStore(PAST);
      return Promise.all([
        result<Kept[]>(transaction.objectStore(STORE).getAll()),
        result(carried.getAllKeys()),
        result<(PositionState | number | string | boolean)[]>(carried.getAll()),
      ]);
    });
    this.#all = all.sort((a, b) => b.startedAtMs - a.startedAtMs);
    this.#list = values[keys.indexOf(LIST)] as string;
    this.#past = pastOf(keys as string[], values);
  }
}

function pastOf(keys: readonly string[], values: readonly (PositionState | number | string | boolean)[]): Past {
  const positions = new Map<string, PositionState>();
  let dropped = 0;
  for (const [at, value] of values.entries()) {
    if (typeof value === "number") dropped = value;
    else if (typeof value === "object") positions.set(keys[at] as string, value);
  }
  return { dropped, positions, uncounted: uncountedIn(keys) };
}
