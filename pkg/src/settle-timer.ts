// When unknown trades are settled without a call: some time after they were left without an outcome, and ever more seldom after that.

import { now } from "./runtime.js";

/** Asks once a trade has ended without a known outcome, and again while waiting may settle one. It keeps no process alive. */
export class SettleTimer {
  readonly #afterMs: number;
  readonly #pauseMs: (waitedMs: number, firstAfterMs: number) => number;
  readonly #settle: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer ends. */
  #dueMs = 0;
  #sinceMs = 0;
  #isAsking = false;
  #isWanted = false;
  #isStopped = false;

  /**
   * @param afterMs how long after a trade was left without an outcome
   * @param pauseMs how long until it asks again, by the core
   * @param settle asks, and resolves to whether waiting may settle what is left; it never rejects
   */
  constructor(
    afterMs: number,
    pauseMs: (waitedMs: number, firstAfterMs: number) => number,
    settle: () => Promise<boolean>,
  ) {
    this.#afterMs = afterMs;
    this.#pauseMs = pauseMs;
    this.#settle = settle;
  }

  /** A trade may have been left without an outcome. */
  start(): void {
    this.#isWanted = true;
    if (this.#isAsking || this.#isStopped) return;
    const nowMs = now();
    // An old trade that stays unknown is asked about seldom: a new one does not wait for that.
    if (this.#timer && this.#dueMs <= nowMs + this.#afterMs) return;
    this.#sinceMs = nowMs;
    this.#wait(this.#afterMs);
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    this.#dueMs = now() + ms;
    this.#timer = setTimeout(() => void this.#ask(), ms);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  async #ask(): Promise<void> {
    [this.#timer, this.#isAsking, this.#isWanted] = [undefined, true, false];
    const isLeft = await this.#settle();
    this.#isAsking = false;
    if (this.#isStopped) return;
    if (isLeft) this.#wait(this.#pauseMs(now() - this.#sinceMs, this.#afterMs));
    if (this.#isWanted) this.start();
  }
}
