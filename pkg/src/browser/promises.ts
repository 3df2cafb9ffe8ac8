// IndexedDB with promises: a request's result, work that is done in one transaction or not at all, and a database that is opened again.

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

/** How browsers say that they have closed a database: some tell nobody when they do. */
const CLOSED: readonly unknown[] = ["InvalidStateError", "UnknownError"];

/** A database that is opened when it is first needed, and again once the browser or another page has closed it. */
export class Database {
  readonly #open: () => Promise<IDBDatabase>;
  #opened: Promise<IDBDatabase> | undefined;

  constructor(open: () => Promise<IDBDatabase>) {
    this.#open = open;
  }

  /** Opens it, unless it is open. */
  async opened(): Promise<IDBDatabase> {
    const opened = (this.#opened ??= this.#open());
    const forget = (): void => void (this.#opened === opened && (this.#opened = undefined));
    try {
      const database = await opened;
      database.onclose = forget;
      // Another page wants to delete it, or has a newer version of it.
      database.onversionchange = () => (forget(), database.close());
      return database;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Does this in a transaction. One that could not even begin is begun once more, in a database that is opened anew. */
  async run<T>(
    names: readonly string[],
    mode: IDBTransactionMode,
    work: (transaction: IDBTransaction) => Promise<T>,
  ): Promise<T> {
    const begun = async (): Promise<{ readonly working: Promise<T> }> => {
      const transaction = (await this.opened()).transaction(names, mode, { durability: "strict" });
      return { working: work(transaction) };
    };
    const again = (error: unknown): boolean => {
      if (CLOSED.includes((error as Error | null)?.name)) this.#opened = undefined;
      return !this.#opened;
    };
    const { working } = await begun().catch((error: unknown) => {
      if (again(error)) return begun();
      throw error;
    });
    return working.catch((error: unknown) => {
      again(error);
      throw error;
    });
  }

  async close(): Promise<void> {
    const closing = this.#opened;
    this.#opened = undefined;
    (await closing)?.close();
  }
}

type StoresOf<N extends readonly string[]> = { [K in keyof N]: IDBObjectStore };

/**
 * Makes all of the changes of `work` in these stores, or none; resolves to the result of `work` once they are on the disk.
 * Transactions of all pages run one after the other, so what `work` has read still holds when it writes.
 */
export const inTransaction = <T, const N extends readonly string[]>(
  database: Database,
  names: N,
  work: (...stores: StoresOf<N>) => Promise<T>,
): Promise<T> => database.run(names, "readwrite", (transaction) => allOrNothing(transaction, names, work));

/** The same in a transaction that has begun. */
export async function allOrNothing<T, const N extends readonly string[]>(
  transaction: IDBTransaction,
  names: N,
  work: (...stores: StoresOf<N>) => Promise<T>,
): Promise<T> {
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
