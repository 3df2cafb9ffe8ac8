// Asks the chain without a call about what is open, when the core says so.

import type { Timer } from "build:trade";
import { now } from "../runtime.js";

/** What is open after the chain was asked: whether waiting may settle it, and in how many milliseconds it is due, if that is known. */
export type Open = readonly [mayPass: boolean, dueInMs?: number | undefined];

/** Carries out what the core says of when to ask. It keeps no process alive. */
export class SettleTimer {
  readonly #core: Timer;
  readonly #ask: () => Promise<Open>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** @param ask asks the chain; it never rejects */
  constructor(made: Timer, ask: () => Promise<Open>) {
    this.#core = made;
    this.#ask = ask;
  }

  /** Something may have been left open. */
  start(): void {
    this.#take((timer, nowMs) => timer.left(nowMs));
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #take(next: (timer: Timer, nowMs: number) => number | undefined, nowMs = now()): void {
    if (this.#isStopped) return;
    let step: number | undefined;
    try {
      step = next(this.#core, nowMs);
    } catch {
      // Of a module that has failed, whose calls say so: nothing is settled any more, and a timer has nobody to tell.
      this.stop();
    }
    if (step === undefined) return;
    clearTimeout(this.#timer);
    if (step === 0) return void this.#asked();
    const dueMs = nowMs + step;
    // A clock that was set back meanwhile does not make it wait again.
    this.#timer = setTimeout(() => this.#take((timer, nowMs) => timer.passed(nowMs), Math.max(now(), dueMs)), step);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  async #asked(): Promise<void> {
    const [mayPass, dueInMs] = await this.#ask();
    this.#take((timer, nowMs) => timer.asked(nowMs, mayPass, dueInMs));
  }
}
