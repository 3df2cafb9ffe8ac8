// What a call takes of the runtime: a deadline, the caller's signal, and what a failure proves.

const own = globalThis.fetch;

/**
 * Whether an error code of the runtime's own fetch proves that nothing was sent: only Node and Bun tell why a
 * connection was not made, and only as long as nobody put a fetch or a dispatcher there that may try twice.
 */
export function provesUnsent() {
  const dispatcher = globalThis[Symbol.for("undici.globalDispatcher.1")];
  return (
    typeof globalThis.process?.versions?.node === "string" &&
    globalThis.Deno === undefined &&
    globalThis.fetch === own &&
    (dispatcher === undefined || dispatcher?.constructor?.name === "Agent")
  );
}

/** What stopped a call. */
const DEADLINE = 1;
const ABORT = 2;

/** Watches one call's deadline and its caller's signal. `release` lets go of both and of what is still under way. */
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
