// One call's deadline and its caller's signal.

import { offAbort, onAbort } from "../abort.js";
import { read } from "../runtime.js";

/** What stopped a call; 0 while nothing has. */
export const DEADLINE = 1;
export const ABORT = 2;

/** How many turns of the promise queue `moment` waits, so that a transport can report what it did when its signal fired. Functions
 * that wrap it take some turns each. */
const TURNS = 16;

type Timer = ReturnType<typeof setTimeout>;

/** Watches the deadline and the caller's signal. `giveUp` aborts what is still running, `release` stops watching. */
export class Watch {
  stop = 0;
  #timer: Timer | undefined;
  #rest: Timer | undefined;
  #caller: AbortSignal | undefined;
  #aborted: (() => void) | undefined;
  #controller: AbortController | undefined;
  #wake: ((value?: undefined) => void) | undefined;

  /** Begins to watch. Throws where the runtime has no timers. */
  begin(ms: number, caller?: AbortSignal): void {
    this.#timer = setTimeout(() => this.#end(DEADLINE), ms);
    if (!caller) return;
    this.#caller = caller;
    this.#aborted = () => this.#end(ABORT);
    // An aborted signal does not call new listeners.
    if (read(caller, "aborted")) this.stop = ABORT;
    // Without a listener, only the deadline stops the call.
    onAbort(caller, this.#aborted);
  }

  #end(why: number): void {
    this.stop ||= why;
    this.#controller?.abort();
    this.#wake?.();
  }

  /** Made when first needed: a trade that is refused before it is sent does not need one. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.stop) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Waits for the promise or the stop, whichever is first, because a fetch may ignore its signal. One wait at a time. */
  first<T>(promise: T | PromiseLike<T>): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      if (this.stop) resolve(undefined);
      Promise.resolve(promise).then(resolve, reject);
    });
  }

  /** The value of a promise if it resolves within a few turns. The promise must not reject. */
  async moment<T>(promise: Promise<T>): Promise<T | undefined> {
    let found: T | undefined;
    void promise.then((value) => (found = value));
    for (let turn = 0; turn < TURNS && found === undefined; turn++) await undefined;
    return found;
  }

  /** Waits this many milliseconds; forever after `release`. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => (this.#rest = setTimeout(resolve, ms)));
  }

  release(): void {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    clearTimeout(this.#rest);
    if (this.#caller && this.#aborted) offAbort(this.#caller, this.#aborted);
  }

  giveUp(): void {
    clearTimeout(this.#rest);
    this.#controller?.abort();
    // A later request, such as asking a gateway again, gets a new signal.
    this.#controller = undefined;
  }
}
