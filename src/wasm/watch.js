// One call's deadline and its caller's signal.

/** What stopped a call. */
export const DEADLINE = 1;
export const ABORT = 2;

/** Watches both. `release` lets go of them and of what is still under way. */
export class Watch {
  constructor(ms, caller) {
    this.stop = 0;
    this.controller = new AbortController();
    this.stopped = new Promise((resolve) => {
      this.end = (why) => {
        this.stop ||= why;
        this.controller.abort();
        resolve();
      };
    });
    this.timer = setTimeout(this.end, ms, DEADLINE);
    this.aborted = () => this.end(ABORT);
    this.caller = caller;
    try {
      caller?.addEventListener("abort", this.aborted);
    } catch {
      // A signal that cannot be listened to is watched by the deadline alone.
    }
  }

  get signal() {
    return this.controller.signal;
  }

  /** The promise, or the stop, whichever comes first: a fetch may not heed its signal. */
  first(promise) {
    return Promise.race([promise, this.stopped]);
  }

  /** So many milliseconds, or the stop. */
  async pause(ms) {
    let timer;
    await this.first(new Promise((resolve) => (timer = setTimeout(resolve, ms))));
    clearTimeout(timer);
  }

  release() {
    clearTimeout(this.timer);
    try {
      this.caller?.removeEventListener("abort", this.aborted);
    } catch {
      // Then there is nothing to let go of.
    }
    this.controller.abort();
  }
}
