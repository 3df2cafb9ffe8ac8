// How long ago something was, by the clocks of this process.

import { now } from "./runtime.js";

/** The clock that nobody sets, if it works; a program may have replaced it. */
function steadyMs(): number {
  try {
    return performance.now();
  } catch {
    return 0;
  }
}

export class Since {
  readonly #at = [steadyMs(), now()] as const;

  /** Milliseconds since then. One clock may stand still while the machine sleeps, the other may be set back: the longer time counts. */
  get ageMs(): number {
    return Math.max(steadyMs() - this.#at[0], now() - this.#at[1]);
  }
}
