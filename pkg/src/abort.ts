// Who hears that a signal was aborted: one listener for each signal, however many calls share it. Node warns from eleven on.

const waiting = new WeakMap<AbortSignal, { aborted: Set<() => void>; tell: () => void }>();

/** Calls `aborted` once if the signal is aborted later. If the signal has no `addEventListener`, nothing is called. */
export function onAbort(signal: AbortSignal, aborted: () => void): void {
  let found = waiting.get(signal);
  if (!found) {
    const all = new Set<() => void>();
    const tell = () => {
      waiting.delete(signal);
      for (const one of all) one();
    };
    try {
      signal.addEventListener("abort", tell, { once: true });
    } catch {
      return;
    }
    waiting.set(signal, (found = { aborted: all, tell }));
  }
  found.aborted.add(aborted);
}

/** Calls it no more. The last one takes the listener with it. */
export function offAbort(signal: AbortSignal, aborted: () => void): void {
  const found = waiting.get(signal);
  if (!found?.aborted.delete(aborted) || found.aborted.size > 0) return;
  waiting.delete(signal);
  try {
    signal.removeEventListener("abort", found.tell);
  } catch {
    // It stays on the signal, and calls nobody.
  }
}

/** A signal of its own, which this one aborts as well. `end` aborts it. */
export function linked(signal: AbortSignal | undefined): { readonly signal: AbortSignal; readonly end: () => void } {
  const own = new AbortController();
  const end = (): void => {
    if (signal) offAbort(signal, end);
    own.abort();
  };
  if (signal) onAbort(signal, end);
  if (signal?.aborted) end();
  return { signal: own.signal, end };
}
