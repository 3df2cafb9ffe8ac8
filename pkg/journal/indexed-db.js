// A journal in the browser: a record for each intent that is unresolved or has landed, and a transaction for each change.
// Pages and workers of one origin that open the same name share it.

import { DAYS, REMEMBERED, dayOf, lamportsOf, meaningOf, recordOf, refusal } from "./state.js";

const STORE = "intents";
/** What was spent on each day: { day, lamports }. */
const SUMS = "days";
/** The second version has sums; the first counted a day's intents. */
const VERSION = 2;
/** Intents that are unresolved or have landed, by the time they began. */
const INDEX = "by fate";
const IN_DOUBT = 0;
const LANDED = 1;
/** How many may land in one page before old ones are removed. */
const BETWEEN_CLEARINGS = 1_000;

const range = (fate, from = -Infinity) => IDBKeyRange.bound([fate, from], [fate, Infinity]);
const intentsOf = (records) => records.map(recordOf);

/** A request's result. */
const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A transaction's end; "strict" means that it is on the disk. */
const completed = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("the journal's transaction was aborted"));
  });

async function openDatabase(name) {
  const opening = indexedDB.open(name, VERSION);
  opening.onupgradeneeded = ({ oldVersion }) => {
    const { result: database, transaction } = opening;
    const intents = oldVersion ? transaction.objectStore(STORE) : database.createObjectStore(STORE, { keyPath: "intentId" });
    if (!oldVersion) intents.createIndex(INDEX, ["fate", "startedAtMs"]);
    const sums = database.createObjectStore(SUMS, { keyPath: "day" });
    const landed = intents.index(INDEX).getAll(range(LANDED));
    landed.onsuccess = () => {
      const days = new Map();
      for (const intent of landed.result) {
        const day = dayOf(intent.startedAtMs);
        days.set(day, (days.get(day) ?? 0n) + lamportsOf(intent));
      }
      for (const [day, lamports] of days) sums.put({ day, lamports });
    };
  };
  return result(opening);
}

/** Forgets the oldest records beyond the latest `kept`. */
async function clear(source, range, kept) {
  const surplus = (await result(source.count(range))) - kept;
  if (surplus <= 0) return;
  await new Promise((resolve, reject) => {
    let left = surplus;
    const cursor = source.openCursor(range);
    cursor.onerror = () => reject(cursor.error);
    cursor.onsuccess = () => {
      cursor.result.delete();
      if (--left) cursor.result.continue();
      else resolve();
    };
  });
}

/** A journal in the IndexedDB database of that name. See index.d.ts. */
export function indexedDBJournal(name = "launchpad-desk") {
  let opened;
  let landedHere = 0;
  /** Opens it when first needed, and again if that failed or the browser has closed it. */
  const database = () =>
    (opened ??= openDatabase(name).then(
      (database) => {
        const forget = () => (opened = undefined);
        database.onclose = forget;
        // Another page wants to delete it, so close it.
        database.onversionchange = () => (forget(), database.close());
        return database;
      },
      (error) => {
        opened = undefined;
        throw error;
      },
    ));

  /** Runs `work` over both stores in one transaction; resolves to its result once that is complete. */
  async function change(work) {
    const transaction = (await database()).transaction([STORE, SUMS], "readwrite", { durability: "strict" });
    const end = completed(transaction);
    try {
      const given = await work(transaction.objectStore(STORE), transaction.objectStore(SUMS));
      await end;
      return given;
    } catch (error) {
      end.catch(() => {});
      try {
        transaction.abort();
      } catch {
        // It is already over.
      }
      throw error;
    }
  }

  const clearUp = () =>
    change(async (intents, sums) => {
      await clear(intents.index(INDEX), range(LANDED), REMEMBERED);
      await clear(sums, undefined, DAYS);
    });

  async function find(fate, sinceMs) {
    const store = (await database()).transaction(STORE).objectStore(STORE);
    return intentsOf(await result(store.index(INDEX).getAll(range(fate, sinceMs))));
  }

  return {
    async begin(intent) {
      const record = recordOf(intent);
      await change(async (intents) => {
        const known = await result(intents.get(record.intentId));
        if (known) throw refusal(record.intentId, known.fate === LANDED);
        await result(intents.add({ ...record, fate: IN_DOUBT }));
      });
    },

    async settle({ intentId }, { outcome }) {
      const meaning = meaningOf(outcome);
      if (meaning === "doubt") return;
      const hasLanded = await change(async (intents, sums) => {
        const known = await result(intents.get(intentId));
        if (known?.fate !== IN_DOUBT) return false;
        if (meaning !== "landed") return void (await result(intents.delete(intentId)));
        await result(intents.put({ ...known, fate: LANDED }));
        const day = dayOf(known.startedAtMs);
        const lamports = ((await result(sums.get(day)))?.lamports ?? 0n) + lamportsOf(known);
        await result(sums.put({ day, lamports }));
        return true;
      });
      // It is settled even if the clean-up fails: the next to open the journal cleans up again.
      if (hasLanded && ++landedHere % BETWEEN_CLEARINGS === 0) await clearUp().catch(() => {});
    },

    pending: () => find(IN_DOUBT),

    landed: (sinceMs) => find(LANDED, sinceMs),

    async recall(sinceMs) {
      // A client asks for this first, so this is the time to clean up.
      await clearUp();
      const transaction = (await database()).transaction([STORE, SUMS]);
      const [intents, sums] = [transaction.objectStore(STORE), transaction.objectStore(SUMS)];
      const [pending, landed, days] = await Promise.all([
        result(intents.index(INDEX).getAll(range(IN_DOUBT))),
        result(intents.index(INDEX).getAllKeys(range(LANDED))),
        result(sums.getAll(IDBKeyRange.lowerBound(dayOf(sinceMs)))),
      ]);
      return { pending: intentsOf(pending), landed, lamports: days.reduce((sum, { lamports }) => sum + lamports, 0n) };
    },

    async close() {
      const closing = opened;
      opened = undefined;
      (await closing)?.close();
    },
  };
}
