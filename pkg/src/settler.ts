// Settles unknown trades by itself, some time after they were left without an outcome.

/** The least and the most milliseconds until the market is asked again. In between it is a sixteenth of how long it has been. */
const LEAST_PAUSE_MS = 5_000;
const MOST_PAUSE_MS = 3_600_000;

/** Asks once a trade has ended without a known outcome, and again while waiting may settle one. It keeps no process alive. */
export class Settler {
  readonly #afterMs: number;
  readonly #settle: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends. */
  #dueMs = 0;
  #sinceMs = 0;
  #isAsking = false;
  #isWanted = false;
  #isStopped = false;

  /** `settle` asks, and resolves to whether waiting may settle what is left; it never rejects. */
  constructor(afterMs: number, settle: () => Promise<boolean>) {
    this.#afterMs = afterMs;
    this.#settle = settle;
  }

  /** A trade may have been left without an outcome. */
  later(): void {
    this.#isWanted = true;
    if (this.#isAsking || this.#isStopped) return;
    const now = Date.now();
    // An old trade that stays open is asked about seldom: a new one does not wait for that.
    if (this.#timer && this.#dueMs <= now + this.#afterMs) return;
    this.#sinceMs = now;
    this.#wait(this.#afterMs);
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#dueMs = Date.now() + ms;
    this.#timer = setTimeout(() => void this.#ask(), ms);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  async #ask(): Promise<void> {
    [this.#timer, this.#isAsking, this.#isWanted] = [undefined, true, false];
    const isLeft = await this.#settle();
    this.#isAsking = false;
    if (this.#isStopped) return;
    const pauseMs = Math.max((Date.now() - this.#sinceMs) / 16, Math.min(LEAST_PAUSE_MS, this.#afterMs));
    if (isLeft) this.#wait(Math.min(pauseMs, MOST_PAUSE_MS));
    if (this.#isWanted) this.later();
  }
}
