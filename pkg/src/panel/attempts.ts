// What was sent from here, refused attempts too: kept in IndexedDB before the request goes out, so that a reload forgets nothing.

import type { Plan } from "launchpad-desk";
import type { CurveQuote, Found, Operation, Side, TradeReceipt, View } from "../generated.js";

export type Fate = View["status"];

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
  /** What was shown when it was sent. */
  readonly price: Plan["price"];
  /** The same of a single trade, as its receipt needs it; null where the curve is not known. */
  readonly quoted: CurveQuote | null;
  readonly settledAtMs: number | null;
  readonly fate: "sending" | Fate;
  readonly answer: Answer | null;
  /** What was found out about an unknown one later, and by what. */
  readonly found: { readonly what: Found; readonly by: "balances" | "journal" | "hand"; readonly atMs: number } | null;
}

/** Whether it may still move money, for all that is known: nothing else is sent from its wallets for its mint. */
export const isOpen = ({ fate, found }: Attempt): boolean => !found && (fate === "sending" || fate === "unknown");

const STORE = "attempts";

const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const opened = new Map<string, Promise<Attempts>>();

/** All attempts in one world, shared by the panels of a page. */
export class Attempts {
  readonly #database: IDBDatabase;
  readonly #listeners = new Set<() => void>();
  /** Tells the other pages of this origin. */
  readonly #channel: BroadcastChannel;
  /** The newest first. */
  #all: readonly Attempt[] = [];

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Another page wants to delete it, so close it.
    database.onversionchange = () => database.close();
    this.#channel = new BroadcastChannel(database.name);
    this.#channel.onmessage = () => void this.read();
  }

  /** The attempts of a world; those that were in flight when a page ended are of unknown outcome. */
  static open(world: string): Promise<Attempts> {
    const known = opened.get(world);
    if (known) return known;
    const opening = Attempts.#open(world);
    opened.set(world, opening);
    opening.catch(() => opened.delete(world));
    return opening;
  }

  static async #open(world: string): Promise<Attempts> {
    const request = indexedDB.open(`launchpad-desk panel ${world}`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "intentId" });
    const attempts = new Attempts(await result(request));
    await attempts.read();
    for (const attempt of attempts.#all) if (attempt.fate === "sending") await attempts.put({ ...attempt, fate: "unknown" });
    return attempts;
  }

  get all(): readonly Attempt[] {
    return this.#all;
  }

  /** The attempt that keeps this wallet from trading this mint. */
  lock(mint: string, wallets: readonly string[]): Attempt | undefined {
    return this.#all.find((attempt) => isOpen(attempt) && attempt.mint === mint && attempt.wallets.some((wallet) => wallets.includes(wallet)));
  }

  /** Keeps an attempt as it is now; resolves once it is on the disk. */
  async put(attempt: Attempt): Promise<void> {
    const transaction = this.#database.transaction(STORE, "readwrite", { durability: "strict" });
    const kept = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("the browser did not keep the trade"));
    });
    transaction.objectStore(STORE).put(attempt);
    await kept;
    this.#all = [attempt, ...this.#all.filter(({ intentId }) => intentId !== attempt.intentId)].sort((a, b) => b.startedAtMs - a.startedAtMs);
    this.#channel.postMessage(attempt.intentId);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads what any page of this origin has kept. */
  async read(): Promise<void> {
    const all = await result<Attempt[]>(this.#database.transaction(STORE).objectStore(STORE).getAll());
    this.#all = all.sort((a, b) => b.startedAtMs - a.startedAtMs);
    this.#tell();
  }
}
