// How a market is watched, whichever it is: by an iterator of looks, or by a function that gets each of them.

import { offAbort, onAbort } from "./abort.js";

/**
 * How a market is watched.
 *
 * @example
 * ```js
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox();
 * const [{ mint }] = sandbox.tokens;
 * const stop = new AbortController();
 * for await (const look of sandbox.watch(mint, { wallets: [sandbox.wallets[0].wallet], signal: stop.signal })) {
 *   console.log(look instanceof Error); // false
 *   stop.abort();
 * }
 * ```
 */
export interface WatchOptions {
  /** How long to wait between two looks, at least, in milliseconds. Default: 2000 where each look is a request to a node, and otherwise 0. */
  everyMs?: number;
  /** The wallets whose holdings each look has. Default: none. */
  wallets?: readonly string[];
  /** Ends it. */
  signal?: AbortSignal;
}

/** Passes each look to `on` until the returned function is called. What `on` throws is not caught. */
export function watchWith<L, O extends WatchOptions>(
  looks: (options: O) => AsyncIterable<L>,
  on: (look: L) => void,
  options: O = {} as O,
): () => void {
  const { signal } = options;
  const own = new AbortController();
  const stop = (): void => {
    if (signal) offAbort(signal, stop);
    own.abort();
  };
  if (signal) onAbort(signal, stop);
  if (signal?.aborted) stop();
  void (async () => {
    for await (const look of looks({ ...options, signal: own.signal })) {
      if (own.signal.aborted) return;
      on(look);
    }
  })();
  return stop;
}

/** Waits, unless the signal ends that. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, Math.max(0, ms));
    function done(): void {
      clearTimeout(timer);
      if (signal) offAbort(signal, done);
      resolve();
    }
    if (signal) onAbort(signal, done);
    if (signal?.aborted) done();
  });
}

/** A bell that one side rings and the other waits for. Rings in between are one. */
export class Bell {
  #rung = true;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves once it has been rung since the last time, or the signal ends the wait. */
  async rung(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#rung && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (signal) onAbort(signal, resolve);
      });
      if (signal && this.#wake) offAbort(signal, this.#wake);
    }
    this.#rung = false;
    this.#wake = undefined;
  }
}
