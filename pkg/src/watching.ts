// How a market is watched, whichever it is: by an iterator of looks, or by a function that gets each of them.

import { linked, offAbort, onAbort } from "./abort.js";

/** How a market is watched, as by {@link Sandbox.watch}. */
export interface WatchOptions {
  /** How long to wait between two looks, at least, in milliseconds. Default: 2000 where each look is a request to a node, and otherwise 0. */
  everyMs?: number;
  /** The wallets whose holdings each look has. Default: none. */
  wallets?: readonly string[];
  /** Ends it. */
  signal?: AbortSignal;
}

/** The looks at a market, and what went wrong with some of them. */
export type Looks<L> = AsyncGenerator<L | Error, void, undefined>;

/** The ways in which each market is watched: with options, or with a function and options. */
export type WatchedBy<L, O = WatchOptions> = [first?: O | ((look: L | Error) => void), options?: O];

/** How each market has it: an iterator of `looks`, or what ends that each of them is passed to a function. What that throws is not caught. */
export function watched<L, O extends WatchOptions>(
  looks: (options: O) => Looks<L>,
  first: WatchedBy<L, O>[0] = {} as O,
  options = {} as O,
): Looks<L> | (() => void) {
  if (typeof first !== "function") return looks(first);
  const { signal, end } = linked(options.signal);
  void (async () => {
    for await (const look of looks({ ...options, signal })) {
      if (signal.aborted) return;
      first(look);
    }
  })();
  return end;
}

/** Waits, for ever if the time is infinite, unless the signal ends that. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms < Infinity ? setTimeout(done, Math.max(0, ms)) : undefined;
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
