// Columns of amounts: many trades in one crossing.

import * as core from "build:market";
import { result } from "../crossing.js";
import { disposable, freed, isA, notA } from "../handle.js";
import { count } from "../argument.js";

/**
 * Marks a refused trade in a column: 2^64 - 1, which is never an amount.
 *
 * @example
 * ```js
 * import { Curve, REFUSED } from "launchpad-desk/market";
 *
 * const spends = BigUint64Array.of(1n, 1_000_000_000n); // the fees use up the first
 * const landed = new Curve().buysExactIn(spends).filter((tokens) => tokens !== REFUSED);
 * console.log(landed.length); // 1
 * ```
 */
export const REFUSED: bigint = 2n ** 64n - 1n;

/** The core's side of a column, for the package's other files. Only the class can look into it: the first column that is made sets this. */
export let amountsCore: (amounts: Amounts) => core.Amounts = () => notA("Amounts");

/** View → its column, to keep the column alive: freeing it would leave the view over foreign memory. */
const columns = new WeakMap<BigUint64Array, Amounts>();

/** The module's memory. Fetched when first needed, because the module is not loaded yet when this file runs. */
let memory: WebAssembly.Memory | undefined;

/**
 * A column of amounts in the module's memory, so that a batch over it copies nothing.
 *
 * @example
 * ```js
 * import { Amounts, Curve } from "launchpad-desk/market";
 *
 * const [lamports, tokens] = [new Amounts(100_000), new Amounts(100_000)];
 * lamports.values.fill(1_000_000_000n);
 * new Curve().fillBuysExactIn(lamports, tokens);
 * console.log(tokens.values[0]); // 34199203120618n
 * ```
 */
export class Amounts {
  #core: core.Amounts | undefined;

  static #coreOf(amounts: Amounts): core.Amounts {
    return isA(amounts, Amounts) ? amounts.#amounts : notA("Amounts");
  }

  /**
   * Makes a column of this many rows, all zero.
   *
   * @throws {TradeNotSentError} `invalid_options`, for more than 2^24 rows.
   *
   * @example
   * ```js
   * import { Amounts } from "launchpad-desk/market";
   *
   * const spends = new Amounts(1_000);
   * ```
   */
  constructor(length: number) {
    this.#core = result(core.makeAmounts(count("length", length, Amounts)), Amounts);
    amountsCore = Amounts.#coreOf;
  }

  get #amounts(): core.Amounts {
    return this.#core ?? freed("Amounts");
  }

  /**
   * How many rows there are.
   *
   * @example
   * ```js
   * import { Amounts } from "launchpad-desk/market";
   *
   * console.log(new Amounts(1_000).length); // 1000
   * ```
   */
  get length(): number {
    return this.#amounts.length();
  }

  /**
   * The rows themselves, to be read and written in place. Get them again after any other call: when the module's memory grows,
   * earlier views become empty. A view keeps its column alive, but something made from the view, such as a `subarray`, does not.
   * After `free()`, or once the column is no longer referenced, a view reads and overwrites whatever the module stores there next.
   *
   * @example
   * ```js
   * import { Amounts } from "launchpad-desk/market";
   *
   * const spends = new Amounts(2);
   * spends.values.set([1_000_000_000n, 2_000_000_000n]);
   * ```
   */
  get values(): BigUint64Array {
    const amounts = this.#amounts;
    memory ??= core.memoryOfModule() as WebAssembly.Memory;
    const values = new BigUint64Array(memory.buffer, amounts.address(), amounts.length());
    columns.set(values, this);
    return values;
  }

  /**
   * Frees its memory now. Using it afterwards throws; freeing it again does nothing.
   *
   * @example
   * ```js
   * import { Amounts } from "launchpad-desk/market";
   *
   * const spends = new Amounts(1_000_000); // 8 MB
   * spends.free();
   * ```
   */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Amounts);
