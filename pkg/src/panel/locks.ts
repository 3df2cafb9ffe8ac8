// Locks that hold across the pages of an origin. The browser frees those of a page that has ended, however it ended.

/** Whether this browser has them: not on a page without https, other than of this machine. */
export const hasLocks = (): boolean => navigator.locks !== undefined;

/** The turns of this page, by name, where the browser has no locks. Nothing there is another page's: see live.ts and kept-world.ts. */
const turns = new Map<string, Promise<unknown>>();

/** Runs `work` once the lock of this name is free, and holds it meanwhile. Rejects where `signal` ends the waiting. */
export function whileHeld<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return hasLocks() ? (navigator.locks.request(name, signal ? { signal } : {}, work) as Promise<T>) : whileHeldHere(name, work, signal);
}

/** The same within this page alone. */
export function whileHeldHere<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const turn = (turns.get(name) ?? Promise.resolve()).then(() => (signal?.throwIfAborted(), work()));
  const over = turn.catch(() => {}).then(() => void (turns.get(name) === over && turns.delete(name)));
  turns.set(name, over);
  return turn;
}
