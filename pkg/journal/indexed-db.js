// A journal in the browser: a record for each intent that is in doubt or has landed, and a transaction for each change.
// Pages and workers of one origin that open the same name share it.

import { meaningOf, recordOf, refusal } from "./state.js";

const STORE = "intents";
/** What is in doubt, or has landed, by the time it began. */
const INDEX = "by fate";
const IN_DOUBT = 0;
const LANDED = 1;
/** How long an intent that landed is remembered, at least: more than any day of UTC. */
const KEPT_MS = 2 * 86_400_000;

const range = (fate, from, to) => IDBKeyRange.bound([fate, from], [fate, to]);
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
    transaction.onabort = () => reject(transaction.error ?? new Error("the journal's transaction was given up"));
  });

async function openDatabase(name) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "intentId" }).createIndex(INDEX, ["fate", "startedAtMs"]);
  return result(opening);
}

/** A journal in the IndexedDB database of that name. See index.d.ts. */
export function indexedDBJournal(name = "launchpad-desk") {
  let opened;
  /** Opens it when first asked, and anew where that failed or the browser has closed it. */
  const database = () =>
    (opened ??= openDatabase(name).then(
      (database) => {
        const forget = () => (opened = undefined);
        database.onclose = forget;
        // Another page wants to delete it: it is let go of.
        database.onversionchange = () => (forget(), database.close());
        return database;
      },
      (error) => {
        opened = undefined;
        throw error;
      },
    ));

  /** Runs `work` over the records in one transaction, and resolves to what it gives when that is complete. */
  async function change(work) {
    const transaction = (await database()).transaction(STORE, "readwrite", { durability: "strict" });
    const end = completed(transaction);
    try {
      const given = await work(transaction.objectStore(STORE));
      await end;
      return given;
    } catch (error) {
      end.catch(() => {});
      try {
        transaction.abort();
      } catch {
        // It is over already.
      }
      throw error;
    }
  }

  async function find(fate, sinceMs) {
    const store = (await database()).transaction(STORE).objectStore(STORE);
    return intentsOf(await result(store.index(INDEX).getAll(range(fate, sinceMs, Infinity))));
  }

  return {
    async begin(intent) {
      const record = recordOf(intent);
      await change(async (store) => {
        const known = await result(store.get(record.intentId));
        if (known) throw refusal(record.intentId, known.fate === LANDED);
        await result(store.add({ ...record, fate: IN_DOUBT }));
      });
    },

    async settle({ intentId }, { outcome }) {
      const meaning = meaningOf(outcome);
      if (meaning === "doubt") return;
      await change(async (store) => {
        const known = await result(store.get(intentId));
        if (known?.fate !== IN_DOUBT) return;
        await result(meaning === "landed" ? store.put({ ...known, fate: LANDED }) : store.delete(intentId));
      });
    },

    async pending() {
      // The first that a client asks for, and so the time to forget what landed long ago.
      await change(async (store) => {
        const old = await result(store.index(INDEX).getAllKeys(range(LANDED, -Infinity, Date.now() - KEPT_MS)));
        await Promise.all(old.map((intentId) => result(store.delete(intentId))));
      });
      return find(IN_DOUBT, -Infinity);
    },

    landed: (sinceMs) => find(LANDED, sinceMs),

    async close() {
      const closing = opened;
      opened = undefined;
      (await closing)?.close();
    },
  };
}
