// About how many dollars an amount of SOL is, by the rate that the page gives. Only shown: nothing is decided by it.

import { readTypedAmount, typedText } from "launchpad-desk";
import { SOL_DECIMALS, aboutDollars } from "../figures.js";
import { messages } from "../messages.js";

export interface SolRate {
  /** Dollars, as decimal text. */
  readonly usd: string;
  readonly atMs: number;
}

/** For how long a rate is used. */
const USABLE_MS = 120_000;
/** Fraction digits of a rate. */
const DECIMALS = 9;
/** A rate times lamports, in cents. */
const PER_CENT = 10n ** BigInt(SOL_DECIMALS + DECIMALS - 2);

export class Dollars {
  /** Billionths of a dollar for one SOL; undefined if there is no rate, or if it is too old. */
  #rate: bigint | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #untilMs = 0;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(rate: SolRate | undefined): void {
    this.close();
    this.#rate = rate && read(rate.usd);
    this.#untilMs = rate ? rate.atMs + USABLE_MS : 0;
    // It ends without a move of the market, too.
    if (this.#rate !== undefined)
      this.#timer = setTimeout(() => this.set(undefined), Math.max(0, this.#untilMs - Date.now()));
    this.#changed();
  }

  /** An amount of lamports in dollars, rounded to the nearest cent, halves away from zero: `≈ $12.30`; empty without a rate. */
  of(lamports: bigint): string {
    if (this.#rate === undefined || Date.now() >= this.#untilMs) return "";
    const size = (lamports < 0n ? -lamports : lamports) * this.#rate;
    const cents = (size + PER_CENT / 2n) / PER_CENT;
    return aboutDollars(lamports < 0n ? -cents : cents);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** A rate that cannot be read is an error of the page: it is reported there, and no dollars are shown. */
function read(usd: unknown): bigint | undefined {
  const typed = typeof usd === "string" ? readTypedAmount(typedText(usd), DECIMALS) : undefined;
  if (typed?.state === "read") return typed.units;
  const error = new TypeError(messages.panel.badRate(typed?.message ?? messages.panel.notText));
  queueMicrotask(() => {
    throw error;
  });
  return undefined;
}
