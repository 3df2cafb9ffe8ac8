// What a screen reader reads: one polite status, one alert.

import { meaningOf } from "./attempts/machine.js";
import type { TradeQuote } from "../generated.js";
import type { Attempt } from "./attempts/attempt.js";
import { spokenLineOf, spokenQuote } from "./attempts/sentences.js";

/** How long after the last keystroke a quote is read out. */
const QUIET_MS = 700;

export class Speech {
  polite = "";
  urgent = "";
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Reads out a quote once the user stops typing. */
  later(quote: () => TradeQuote | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.say(spokenQuote(quote())), QUIET_MS);
  }

  say(text: string): void {
    clearTimeout(this.#timer);
    this.polite = text;
    this.#changed();
  }

  alert(text: string): void {
    this.urgent = text;
    this.#changed();
  }

  /** Reads out the outcome of a trade: as an alert, unless it landed or waits. That one has not landed after all is one, too. */
  outcome(attempt: Attempt, isTakenBack: boolean, nameOf: (wallet: string) => string): void {
    const text = spokenLineOf(attempt, nameOf);
    const isGood = !isTakenBack && meaningOf(attempt.fate).isGood;
    this.polite = isGood ? text : "";
    this.urgent = isGood ? "" : text;
    this.#changed();
  }

  /** Leaves out a quote that is not read out yet. */
  drop(): void {
    clearTimeout(this.#timer);
  }
}
