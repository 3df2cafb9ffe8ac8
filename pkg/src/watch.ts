// One call's deadline and its caller's signal.

import { read } from "./runtime.js";

/** What stopped a call; 0 while nothing has. */
export const DEADLINE = 1;
export const ABORT = 2;

/** How many turns of the promise queue a transport has to report what it did at its signal. It may be wrapped by functions,
 * each of which takes some turns. */
const TURNS = 16;

type Timer = ReturnType<typeof setTimeout>;

/** Watches both. `giveUp` ends what is still running, `release` stops watching. */
export class Watch {
  stop = 0;
  readonly #timer: Timer;
  #rest: Timer | undefined;
  #caller: AbortSignal | undefined;
  #aborted: (() => void) | undefined;
  #controller: AbortController | undefined;
  #wake: ((value?: undefined) => void) | undefined;

  constructor(ms: number, caller: AbortSignal | undefined) {
    this.#timer = setTimeout(() => this.#end(DEADLINE), ms);
    if (!caller) return;
    this.#caller = caller;
    this.#aborted = () => void this.#end(ABORT);
    // A listener would not be called.
    if (read(caller, "aborted")) this.stop = ABORT;
    try {
      caller.addEventListener("abort", this.#aborted);
    } catch {
      // Without a listener, only the deadline stops the call.
    }
  }

  /** Stops the call. A transport that reacts to its signal at once is heard first: it may prove that nothing was sent. */
  async #end(why: number): Promise<void> {
    this.stop ||= why;
    this.#controller?.abort();
    for (let turn = 0; turn < TURNS; turn++) await undefined;
    this.#wake?.();
  }

  /** Made when first needed: a trade that is refused before it is sent does not need it. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.stop) this.#controller.abort();
    return this.#controller.signal;
  }

  /** The promise or the stop, whichever comes first, since a fetch may ignore its signal. Waits for one at a time. */
  first<T>(promise: T | PromiseLike<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      if (this.stop) resolve(undefined);
      Promise.resolve(promise).then(resolve, reject);
    });
  }

  /** Whether something that does not throw is over before the stop; after the stop, whether it is so in a few turns. */
  async isInTime(work: unknown): Promise<boolean> {
    let isOver = false;
    const noted = Promise.resolve(work).then(() => (isOver = true));
    await this.first(noted);
    for (let turn = 0; turn < TURNS && !isOver; turn++) await undefined;
    return isOver;
  }

  /** Waits this many milliseconds; forever once it was released. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => (this.#rest = setTimeout(resolve, ms)));
  }

  release(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
    try {
      if (this.#aborted) this.#caller?.removeEventListener("abort", this.#aborted);
    } catch {
      // Then there is nothing to release.
    }
  }

  giveUp(): void {
    clearTimeout(this.#rest);
    this.#controller?.abort();
  }
}
