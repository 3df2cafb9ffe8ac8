// Locks across the pages of an origin. The browser releases the locks of a page that has closed, however it closed.

/** Whether this browser has them: pages without https have none, unless they come from this machine. */
export const hasLocks = (): boolean => navigator.locks !== undefined;

/** This page's own queues, by name, for where the browser has no locks. Such a page shares nothing with others: see live.ts and kept-world.ts. */
const turns = new Map<string, Promise<unknown>>();

/** Runs `work` once the lock of this name is free, and holds the lock meanwhile. Rejects if `signal` ends the wait. */
export function whileHeld<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return hasLocks()
    ? (navigator.locks.request(name, signal ? { signal } : {}, work) as Promise<T>)
    : whileHeldHere(name, work, signal);
}

/** The same within this page alone. */
export function whileHeldHere<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const turn = (turns.get(name) ?? Promise.resolve()).then(() => (signal?.throwIfAborted(), work()));
  const over = turn.catch(() => {}).then(() => void (turns.get(name) === over && turns.delete(name)));
  turns.set(name, over);
  return turn;
}
