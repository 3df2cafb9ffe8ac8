// One call's deadline and its caller's signal.

/** What stopped a call. */
export const DEADLINE = 1;
export const ABORT = 2;

/** Watches both. `release` lets go of them, `drop` also of what is still under way. */
export class Watch {
  constructor(ms, caller) {
    this.stop = 0;
    this.timer = setTimeout(() => this.end(DEADLINE), ms);
    if (!caller) return;
    this.caller = caller;
    this.aborted = () => this.end(ABORT);
    try {
      caller.addEventListener("abort", this.aborted);
    } catch {
      // A signal that cannot be listened to is watched by the deadline alone.
    }
  }

  end(why) {
    this.stop ||= why;
    this.controller?.abort();
    this.wake?.();
  }

  /** Made when somebody asks for it: a signal costs more than all else here. */
  get signal() {
    this.controller ??= new AbortController();
    if (this.stop) this.controller.abort();
    return this.controller.signal;
  }

  /** The promise, or the stop, whichever comes first: a fetch may not heed its signal. One is waited for at a time. */
  first(promise) {
    return new Promise((resolve, reject) => {
      this.wake = resolve;
      if (this.stop) resolve();
      Promise.resolve(promise).then(resolve, reject);
    });
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
  }

  drop() {
    this.release();
    this.controller?.abort();
  }
}
