// What was sent from here, refused attempts too: kept in IndexedDB before the request goes out, so that a reload forgets nothing.
//
// Of all pages of an origin, one at a time is at work on an attempt: the one that sends it, then whichever asks what became of it. It
// holds a lock of the browser meanwhile, so no other takes a trade in flight for one whose page has ended. That no two attempts of the
// same wallet and mint are open at once, the transaction sees to that begins them.

import type { Plan } from "launchpad-desk";
import type { CurveQuote, Found, Operation, PositionState, Side, TradeReceipt, View } from "../generated.js";
import { indexedDBJournal, memoryJournal } from "launchpad-desk/journal";
import { inTransaction, result } from "../journal/promises.js";
import { whileHeld, whileHeldHere } from "./locks.js";
import { messages } from "./messages.js";
import { type Past, dropOldest } from "./past.js";

/** How far an attempt is, as far as anybody knows. */
export type Fate = "sending" | "waiting" | View["status"];

/** What is known of a trade that has ended. Plain data. */
export interface Answer {
  /** The outcome in a few words. */
  readonly title: string;
  readonly signature: string | null;
  /** Whole tokens bought or sold, exact; null where the reply does not say. */
  readonly tokens: string | null;
  /** How the trading wallets' lamports moved in all; null where nobody saw. */
  readonly lamportsMoved: bigint | null;
  /** What a single trade did, against its quote; null where it had none. */
  readonly receipt: TradeReceipt | null;
  /** Why it did not land, as the service or the core put it. */
  readonly reason: string | null;
  readonly code: string | null;
  readonly lines: readonly { readonly label: string; readonly value: string }[];
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/** Who found out what became of an unknown trade. */
export type Finder = "balances" | "journal" | "gateway" | "hand";

/** One press of a send button. Plain data. */
export interface Attempt {
  readonly intentId: string;
  readonly operation: Operation;
  readonly side: Side;
  readonly mint: string;
  readonly symbol: string;
  readonly decimals: number;
  /** The wallets that trade. */
  readonly wallets: readonly string[];
  readonly simulated: boolean;
  readonly startedAtMs: number;
  /** The same in the market's time, for the chart. */
  readonly marketMs: number;
  /** The exact body that went out. */
  readonly body: string;
  /** What a gateway is asked again with: the same intent, the same bytes. Null in a simulated world, where nobody is asked. */
  readonly plan: Plan | null;
  /** What was shown when it was sent. */
  readonly price: Plan["price"];
  /** The same of a single trade, as its receipt needs it; null where the curve is not known. */
  readonly quoted: CurveQuote | null;
  /** When it ended, or came to be unknown; null before that. */
  readonly settledAtMs: number | null;
  readonly fate: Fate;
  readonly answer: Answer | null;
  /** What was found out about an unknown one later, and by what. */
  readonly found: { readonly what: Found; readonly by: Finder; readonly atMs: number } | null;
}

/** How far an attempt is by all that is known: by its answer, or by what was found out later. It is what every part of the panel says. */
export type State = Fate | Found;

export const stateOf = ({ fate, found }: Attempt): State => found?.what ?? fate;

/** Whether it may still move money, for all that is known: nothing else is sent from its wallets for its mint. */
export const isOpen = (attempt: Attempt): boolean => ["sending", "waiting", "unknown"].includes(stateOf(attempt));

/** Whether it landed, or was taken as if it had. */
export const hasLanded = (attempt: Attempt): boolean => ["landed", "unconfirmed"].includes(stateOf(attempt));

const sharesWallet = (one: Attempt, mint: string, wallets: readonly string[]): boolean => one.mint === mint && one.wallets.some((wallet) => wallets.includes(wallet));

/** Attempts by their intent id. Each is in one of two indexes, by when it began: the open ones are read without the others. */
const STORE = "attempts";
export const OPEN = "open";
export const SETTLED = "settled";
/** What is left of those that were dropped. */
const PAST = "past";
const VERSION = 2;

/** An attempt as it is kept: with when it began, under the name of its index. */
type Kept = Attempt & { [OPEN]?: number; [SETTLED]?: number };

function keptOf(attempt: Attempt): Kept {
  const { [OPEN]: _open, [SETTLED]: _settled, ...bare } = attempt as Kept;
  return { ...bare, [isOpen(attempt) ? OPEN : SETTLED]: attempt.startedAtMs };
}

async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    const { result: database, transaction } = request;
    const attempts = oldVersion ? (transaction as IDBTransaction).objectStore(STORE) : database.createObjectStore(STORE, { keyPath: "intentId" });
    for (const index of [OPEN, SETTLED]) attempts.createIndex(index, index);
    database.createObjectStore(PAST);
    // The first version had no indexes, and no plans.
    const all = attempts.getAll();
    all.onsuccess = () => {
      for (const attempt of all.result as Attempt[]) attempts.put(keptOf({ ...attempt, plan: null }));
    };
  };
  return result(request);
}

const opened = new Map<string, Promise<Attempts>>();

/** A journal that can be closed, as one of a client. */
type Journal = ReturnType<typeof indexedDBJournal>;

/** All attempts in one world, shared by the panels of a page. */
export class Attempts {
  /** Undefined where the browser keeps nothing: a simulated world's attempts last as long as the page then. */
  readonly #database: IDBDatabase | undefined;
  /** The journal of such a page, which its clients share. */
  readonly #memory: Journal = Object.assign(memoryJournal(), { close: async () => {} });
  readonly #listeners = new Set<() => void>();
  /** Tells the other pages of this origin which has changed. */
  readonly #channel: BroadcastChannel | undefined;
  /** The newest first. */
  #all: readonly Attempt[] = [];
  #past: Past = { dropped: 0, positions: new Map() };

  private constructor(database: IDBDatabase | undefined) {
    this.#database = database;
    if (!database) return;
    // Another page wants to delete it, or has a newer version of it: close it.
    database.onversionchange = () => database.close();
    this.#channel = new BroadcastChannel(database.name);
    this.#channel.onmessage = ({ data }) => void this.#hear(data as string);
  }

  /**
   * The attempts of a world. Where the browser keeps nothing, those of a simulated one last as long as the page; a live one is not
   * opened: after a reload nobody would know what is in flight.
   */
  static open(world: string, simulated: boolean): Promise<Attempts> {
    const known = opened.get(world);
    if (known) return known;
    const opening = Attempts.#open(world, simulated);
    opened.set(world, opening);
    opening.catch(() => opened.delete(world));
    return opening;
  }

  static async #open(world: string, simulated: boolean): Promise<Attempts> {
    const database = await openDatabase(`launchpad-desk panel ${world}`).catch((error: unknown) => {
      // What a newer version of the panel has written is there, and is not passed over.
      if ((error as Error).name === "VersionError") throw error;
      if (!simulated) throw new Error(messages.live.noStorage);
      return undefined;
    });
    const attempts = new Attempts(database);
    await attempts.#readAll();
    return attempts;
  }

  /** The journal of this name; where the browser keeps nothing, the page's own. */
  journal(name: string): Journal {
    return this.#database ? indexedDBJournal(name) : this.#memory;
  }

  get all(): readonly Attempt[] {
    return this.#all;
  }

  /** What those that were dropped have left: how many there were, and where they have brought the positions. */
  get past(): Past {
    return this.#past;
  }

  get(intentId: string): Attempt | undefined {
    return this.#all.find((attempt) => attempt.intentId === intentId);
  }

  /** The attempt that keeps this wallet from trading this mint. */
  lock(mint: string, wallets: readonly string[]): Attempt | undefined {
    return this.#all.find((attempt) => isOpen(attempt) && sharesWallet(attempt, mint, wallets));
  }

  /** Runs `work` while no other page, and nobody else in this one, is at work on the attempt. */
  hold<T>(intentId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // No other page knows of what is not kept; and such a page may have no locks, either.
    return this.#database ? whileHeld(`${this.#database.name} ${intentId}`, work, signal) : whileHeldHere(intentId, work, signal);
  }

  /**
   * Keeps a new attempt; resolves once it is on the disk. Throws where a page of this origin has one of its wallets and mint that is
   * open: only what is open is read for that, and no page can begin one in between.
   */
  async begin(attempt: Attempt): Promise<void> {
    const refuse = (open: readonly Attempt[]): void => {
      if (open.some((other) => sharesWallet(other, attempt.mint, attempt.wallets))) throw new Error(messages.notice.elsewhere);
    };
    if (!this.#database) refuse(this.#all.filter(isOpen));
    else
      await inTransaction(this.#database, [STORE], async (attempts) => {
        refuse(await result<Kept[]>(attempts.index(OPEN).getAll()));
        attempts.add(keptOf(attempt));
      }).catch((error: unknown) => {
        throw error instanceof DOMException ? new Error(messages.notice.notKept(error.name === "QuotaExceededError")) : error;
      });
    this.#put(attempt);
    this.#tell(attempt.intentId);
  }

  /** Changes what is kept of an attempt, whatever pages have made of it meanwhile; resolves to what it is now, once that is on the disk. */
  async change(intentId: string, changed: (now: Attempt) => Attempt): Promise<Attempt | undefined> {
    let made: Attempt | undefined;
    try {
      if (this.#database)
        await inTransaction(this.#database, [STORE], async (attempts) => {
          const now = await result<Kept | undefined>(attempts.get(intentId));
          if (now) attempts.put(keptOf((made = changed(now))));
        }).catch((error: unknown) => {
          throw error instanceof DOMException ? new Error(messages.notice.outcomeNotKept) : error;
        });
      else {
        const now = this.get(intentId);
        made = now && changed(now);
      }
    } finally {
      // What became of it is shown even where the disk does not take it: there it stays open, which is the safe side.
      if (made) this.#put(made);
    }
    const hasDropped = made !== undefined && !isOpen(made) && (await this.#dropOldest());
    if (hasDropped) await this.#readAll();
    this.#tell(hasDropped ? "" : intentId);
    return made;
  }

  /** Where it fails, they are kept: the next that is settled tries again. */
  async #dropOldest(): Promise<boolean> {
    return this.#database ? inTransaction(this.#database, [STORE, PAST], (attempts, past) => dropOldest(attempts.index(SETTLED), past)).catch(() => false) : false;
  }

  /** What the disk has of an attempt now. */
  async read(intentId: string): Promise<Attempt | undefined> {
    if (!this.#database) return this.get(intentId);
    const attempt = await result<Kept | undefined>(this.#database.transaction(STORE).objectStore(STORE).get(intentId));
    if (attempt) this.#put(attempt);
    return attempt;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What another page has changed: an attempt, or all of them. */
  async #hear(intentId: string): Promise<void> {
    if (intentId) await this.read(intentId);
    else await this.#readAll();
    this.#changed();
  }

  #put(attempt: Attempt): void {
    this.#all = [attempt, ...this.#all.filter(({ intentId }) => intentId !== attempt.intentId)].sort((a, b) => b.startedAtMs - a.startedAtMs);
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
    const transaction = this.#database.transaction([STORE, PAST]);
    const [attempts, carried] = [transaction.objectStore(STORE), transaction.objectStore(PAST)];
    const [all, keys, values] = await Promise.all([result<Kept[]>(attempts.getAll()), result(carried.getAllKeys()), result<(PositionState | number)[]>(carried.getAll())]);
    this.#all = all.sort((a, b) => b.startedAtMs - a.startedAtMs);
    this.#past = pastOf(keys as string[], values);
  }
}

/** The rows of what is left: how many were dropped, and the positions. */
function pastOf(keys: readonly string[], values: readonly (PositionState | number)[]): Past {
  const positions = new Map<string, PositionState>();
  let dropped = 0;
  for (const [at, value] of values.entries()) {
    if (typeof value === "number") dropped = value;
    else positions.set(keys[at] as string, value);
  }
  return { dropped, positions };
}
