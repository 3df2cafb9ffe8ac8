// IndexedDB by promises: a request's result, and work that is done in one transaction or not at all.

/** A request's result. */
export const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A transaction's end; "strict" means that it is on the disk. */
const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("its transaction was aborted"));
  });

/** As many stores as there are names. */
type StoresOf<N extends readonly string[]> = { [K in keyof N]: IDBObjectStore };

/**
 * All that `work` changes in these stores, or nothing of it; resolves to what `work` gave once that is on the disk. Transactions of all
 * pages come one after the other, so what `work` has read still holds when it writes.
 */
export async function inTransaction<T, const N extends readonly string[]>(database: IDBDatabase, names: N, work: (...stores: StoresOf<N>) => Promise<T>): Promise<T> {
  const transaction = database.transaction(names, "readwrite", { durability: "strict" });
  const end = completed(transaction);
  try {
    const given = await work(...(names.map((name) => transaction.objectStore(name)) as unknown as StoresOf<N>));
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
