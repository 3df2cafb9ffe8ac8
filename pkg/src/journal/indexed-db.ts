// A journal in the browser: a record for each intent that is unresolved or has landed, and a transaction for each change.
// Pages and workers of one origin share it if they open the same name.

import type { Suspension, TradeIntent } from "launchpad-desk";
import type { ClosableJournal } from "./journal.js";
import { inTransaction, result } from "./promises.js";
import { DAYS, REMEMBERED, addSuspension, countSuspension, dayOf, lamportsOf, meaningOf, recordOf, refusal, saysAnything, suspensionOf, withoutBreaker } from "./state.js";

const STORE = "intents";
/** What was spent on each day: { day, lamports }. */
const SUMS = "days";
/** What stops trading: one record. */
const SUSPENSION = "suspension";
const ONE = "all";
/** The second version has sums; in the first, a day's intents were counted. The third has what stops trading. */
const VERSION = 3;
/** Intents that are unresolved or have landed, by the time they began. */
const INDEX = "by fate";
const UNRESOLVED = 0;
const LANDED = 1;
/** How many may land in one page before old ones are removed. */
const BETWEEN_CLEARINGS = 1_000;

type Fate = typeof UNRESOLVED | typeof LANDED;
/** Without an end it is in flight, or its page was closed first. */
type Kept = TradeIntent & { fate: Fate; hasEnd?: boolean };
type Sum = { day: number; lamports: bigint };

const range = (fate: Fate, from = -Infinity): IDBKeyRange => IDBKeyRange.bound([fate, from], [fate, Infinity]);
const intentsOf = (records: Kept[]): TradeIntent[] => records.map(recordOf);

async function openDatabase(name: string): Promise<IDBDatabase> {
  const opening = indexedDB.open(name, VERSION);
  opening.onupgradeneeded = ({ oldVersion }) => {
    const { result: database, transaction } = opening;
    const intents = oldVersion ? (transaction as IDBTransaction).objectStore(STORE) : database.createObjectStore(STORE, { keyPath: "intentId" });
    if (!oldVersion) intents.createIndex(INDEX, ["fate", "startedAtMs"]);
    database.createObjectStore(SUSPENSION);
    if (oldVersion === 2) return;
    const sums = database.createObjectStore(SUMS, { keyPath: "day" });
    const landed = intents.index(INDEX).getAll(range(LANDED));
    landed.onsuccess = () => {
      const days = new Map<number, bigint>();
      for (const intent of landed.result as Kept[]) {
        const day = dayOf(intent.startedAtMs);
        days.set(day, (days.get(day) ?? 0n) + lamportsOf(intent));
      }
      for (const [day, lamports] of days) sums.put({ day, lamports });
    };
  };
  return result(opening);
}

/** Deletes all but the latest `kept` records. */
async function clear(source: IDBIndex | IDBObjectStore, range: IDBKeyRange | undefined, kept: number): Promise<void> {
  const surplus = (await result(source.count(range))) - kept;
  if (surplus <= 0) return;
  await new Promise<void>((resolve, reject) => {
    let left = surplus;
    const cursor = source.openCursor(range);
    cursor.onerror = () => reject(cursor.error);
    cursor.onsuccess = () => {
      // There are at least as many as were counted, because only this transaction changes them.
      const at = cursor.result as IDBCursorWithValue;
      at.delete();
      if (--left) at.continue();
      else resolve();
    };
  });
}

/**
 * Makes a journal in the browser's IndexedDB database `name` (default `launchpad-desk`). It survives the page, a crash and, if the
 * browser honours the durability `strict`, a power cut. Works in pages and in workers.
 *
 * Pages of one origin that use the same name see each other's intents. An intent in flight in one page is unresolved for a page that
 * opens at that time. Browsers may clear a site's storage, unless `navigator.storage.persist()` was granted.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { indexedDBJournal } from "launchpad-desk/journal";
 *
 * const client = new TradeClient({ baseURL: "https://desk.example", journal: indexedDBJournal() });
 * ```
 */
export function indexedDBJournal(name = "launchpad-desk"): ClosableJournal {
  let opened: Promise<IDBDatabase> | undefined;
  let landedHere = 0;
  /** Opens it when first needed, and again if that failed or the browser has closed it. */
  const database = () =>
    (opened ??= openDatabase(name).then(
      (database) => {
        const forget = () => (opened = undefined);
        database.onclose = forget;
        // Another page wants to delete the database.
        database.onversionchange = () => (forget(), database.close());
        return database;
      },
      (error: unknown) => {
        opened = undefined;
        throw error;
      },
    ));

  /** Runs `work` over all stores in one transaction; resolves to its result once that is complete. */
  const change = async <T>(work: (intents: IDBObjectStore, sums: IDBObjectStore, suspension: IDBObjectStore) => Promise<T>): Promise<T> =>
    inTransaction(await database(), [STORE, SUMS, SUSPENSION], work);

  /** Adds to what stops trading. */
  async function add(intents: IDBObjectStore, suspension: IDBObjectStore, change: Suspension): Promise<void> {
    if (!saysAnything(change)) return;
    await result(suspension.put(addSuspension((await result<Suspension | undefined>(suspension.get(ONE))) ?? {}, change), ONE));
    if (change.breakerOpen !== false) return;
    // A person has checked: unresolved trades no longer count as unknown.
    for (const kept of await result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED)))) await result(intents.put({ ...kept, hasEnd: true }));
  }

  const clearUp = () =>
    change(async (intents, sums) => {
      await clear(intents.index(INDEX), range(LANDED), REMEMBERED);
      await clear(sums, undefined, DAYS);
    });

  async function find(fate: Fate, sinceMs?: number): Promise<TradeIntent[]> {
    const store = (await database()).transaction(STORE).objectStore(STORE);
    return intentsOf(await result(store.index(INDEX).getAll(range(fate, sinceMs))));
  }

  return {
    async begin(intent) {
      const record = recordOf(intent);
      await change(async (intents) => {
        const known = await result<Kept | undefined>(intents.get(record.intentId));
        if (known) throw refusal(record.intentId, known.fate === LANDED);
        await result(intents.add({ ...record, fate: UNRESOLVED }));
      });
    },

    async settle({ intentId }, { outcome }, told = {}) {
      const [meaning, ended] = [meaningOf(outcome), suspensionOf(told)];
      const hasLanded = await change(async (intents, sums, suspension) => {
        await add(intents, suspension, ended);
        const known = await result<Kept | undefined>(intents.get(intentId));
        if (known?.fate !== UNRESOLVED) return false;
        if (meaning === "unresolved") {
          await result(intents.put({ ...known, hasEnd: true }));
          return false;
        }
        if (meaning === "landed") await result(intents.put({ ...known, fate: LANDED }));
        else await result(intents.delete(intentId));
        const kept = await result<Suspension | undefined>(suspension.get(ONE));
        const unresolved = await result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED)));
        if (kept && !unresolved.some(({ hasEnd }) => hasEnd)) await result(suspension.put(withoutBreaker(kept), ONE));
        if (meaning !== "landed") return false;
        const day = dayOf(known.startedAtMs);
        const lamports = ((await result<Sum | undefined>(sums.get(day)))?.lamports ?? 0n) + lamportsOf(known);
        await result(sums.put({ day, lamports }));
        return true;
      });
      // The intent is settled even if the clean-up fails. The next page to open the journal cleans up again.
      if (hasLanded && ++landedHere % BETWEEN_CLEARINGS === 0) await clearUp().catch(() => {});
    },

    async keepSuspension(told) {
      const stopped = suspensionOf(told);
      await change((intents, _sums, suspension) => add(intents, suspension, stopped));
    },

    pending: () => find(UNRESOLVED),

    landed: (sinceMs) => find(LANDED, sinceMs),

    async recall(sinceMs) {
      // A client asks for this first, so this is a good time to clean up.
      await clearUp();
      const transaction = (await database()).transaction([STORE, SUMS, SUSPENSION]);
      const [intents, sums, suspension] = [transaction.objectStore(STORE), transaction.objectStore(SUMS), transaction.objectStore(SUSPENSION)];
      const [pending, landed, days, kept] = await Promise.all([
        result<Kept[]>(intents.index(INDEX).getAll(range(UNRESOLVED))),
        result(intents.index(INDEX).getAllKeys(range(LANDED))),
        result<Sum[]>(sums.getAll(IDBKeyRange.lowerBound(dayOf(sinceMs)))),
        result<Suspension | undefined>(suspension.get(ONE)),
      ]);
      return {
        pending: intentsOf(pending),
        landed: landed as string[],
        lamports: days.reduce((sum, { lamports }) => sum + lamports, 0n),
        suspension: countSuspension(kept ?? {}, pending.filter(({ hasEnd }) => !hasEnd).length),
      };
    },

    async close() {
      const closing = opened;
      opened = undefined;
      (await closing)?.close();
    },
  };
}
