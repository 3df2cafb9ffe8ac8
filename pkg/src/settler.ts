// Settles unknown trades by itself, some time after they were left without an outcome.

/** The least and the most milliseconds until the market is asked again. In between it is a sixteenth of how long it has been. */
const LEAST_PAUSE_MS = 5_000;
const MOST_PAUSE_MS = 3_600_000;

/** Asks once a trade has ended without a known outcome, and again while waiting may settle one. It keeps no process alive. */
export class Settler {
  readonly #afterMs: number;
  readonly #settle: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
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
    if (this.#isAsking || this.#timer || this.#isStopped) return;
    this.#sinceMs = Date.now();
    this.#wait(this.#afterMs);
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
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
    else if (this.#isWanted) this.later();
  }
}
