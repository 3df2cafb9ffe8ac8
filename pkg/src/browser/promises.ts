// IndexedDB with promises: a request's result, and work that is done in one transaction or not at all.

/** A request's result. */
export const result = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A transaction's end; with "strict", it is on the disk then. */
const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error("its transaction was aborted"));
  });

/** One store for each name. */
type StoresOf<N extends readonly string[]> = { [K in keyof N]: IDBObjectStore };

/**
 * Makes all of the changes of `work` in these stores, or none; resolves to the result of `work` once they are on the disk.
 * Transactions of all pages run one after the other, so what `work` has read still holds when it writes.
 */
export async function inTransaction<T, const N extends readonly string[]>(
  database: IDBDatabase,
  names: N,
  work: (...stores: StoresOf<N>) => Promise<T>,
): Promise<T> {
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
