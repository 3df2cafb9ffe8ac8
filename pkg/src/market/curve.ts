// One token's bonding curve.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type {
  CurveBundleQuote,
  CurveConfig,
  CurveReserves,
  LaunchpadConfig,
  LaunchpadRule,
  SandboxToken,
} from "../generated.js";
import { disposable, freed, isA, notA } from "../handle.js";
import { type Amount, amount, column, count, isU64 } from "../argument.js";
import type { BundleOrder } from "./bundle.js";
import type { BreakEven } from "./goal.js";
import { type EqualTokens, equalTokens } from "./plan.js";
import { type CurveQuote, type QuoteNumber, numbersAt, quoteAt } from "./quote.js";
import { Trader, traderCore } from "./trader.js";

/**
 * A token's curve, and the launchpad it is on. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { Curve, type CurveOptions } from "launchpad-desk/market";
 *
 * const options: CurveOptions = {
 *   curve: {
 *     virtualTokenReserves: 1_006_714_285_840_449n, // base units
 *     virtualSolReserves: 31_975_308_640n, // lamports
 *     realTokenReserves: 726_814_285_840_449n,
 *     realSolReserves: 1_975_308_640n,
 *   },
 *   hasCreator: false,
 * };
 * const curve = new Curve(options);
 * ```
 */
export interface CurveOptions {
  /** The launchpad's rules. Default: those of `defaultLaunchpad()`. */
  launchpad?: LaunchpadConfig;
  /** Where the curve stands. Default: the launchpad's start. */
  curve?: CurveConfig;
  /** The total supply of the token, in base units. Default: the launchpad's. */
  supply?: Amount;
  /** Whether the token has a creator who earns a fee. Default: true. */
  hasCreator?: boolean;
  /**
   * A creator rate of the token's own in basis points, at most 10000, in place of the tier's. Default: none, as are 0, which the curve's
   * account has then, and null.
   */
  creatorBps?: number | null;
  /** Whether trading has ended, even if tokens are left. Default: false. */
  complete?: boolean;
}

/**
 * A token as a sandbox shows it (`sandbox.tokens`), and the launchpad it is on, for a {@link Curve}. If the sandbox was made with its own
 * `launchpad`, pass that too.
 */
export interface CurveToken extends SandboxToken {
  /** The launchpad's rules. Default: those of `defaultLaunchpad()`, with the token's decimals. */
  launchpad?: LaunchpadConfig;
}

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

/** The core's side of a curve, for the package's other files. Only the class can look into it: the first curve that is made sets this. */
export let curveCore: (curve: Curve) => core.Curve = () => notA("Curve");

/** The trader of quotes that name none. Made when first needed, because the module is not loaded yet when this file runs. */
let anyone: Trader | undefined;

/** The core's side of a quote's trader. */
const quotesFor = (trader: Trader = (anyone ??= new Trader())): core.Trader => traderCore(trader);

/** A whole quote, or these numbers of it. */
const quoted = (
  curve: core.Curve,
  at: number,
  numbers: readonly QuoteNumber[] | undefined,
  caller: Function,
): unknown => (numbers ? numbersAt(curve, at, numbers, caller) : quoteAt(curve, at, caller));

/**
 * One token's bonding curve. It lives in the module's memory, so only the amount crosses for each price.
 *
 * Lamports and base units are returned as bigints. Arguments may be bigints (the fastest), safe integers, or strings of digits.
 * Anything but a whole number of at most 64 bits throws a `TradeNotSentError` with the code `invalid_options`.
 *
 * @example
 * ```js
 * import { Curve } from "launchpad-desk/market";
 * import { Sandbox } from "launchpad-desk/sandbox";
 *
 * const curve = new Curve(); // of a new token
 * console.log(curve.buyExactIn(1_000_000_000n)); // 34199203120618n
 *
 * const sandbox = new Sandbox();
 * const simulated = sandbox.curve(sandbox.tokens[0].mint);
 * ```
 */
export class Curve {
  #core: core.Curve | undefined;

  static #coreOf(curve: Curve): core.Curve {
    return isA(curve, Curve) ? curve.#curve : notA("Curve");
  }

  /**
   * Makes a curve from a sandbox's token or from options. Without arguments, it is the curve of a new token.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
   */
  constructor(options?: CurveOptions | CurveToken) {
    // Only the package itself can pass the core's curve.
    this.#core = isA(options, core.Curve) ? options : result(core.makeCurve(callArgs({ options })), Curve);
    curveCore = Curve.#coreOf;
  }

  get #curve(): core.Curve {
    return this.#core ?? freed("Curve");
  }

  // Prices. The core answers with a signed number, which crosses fastest. A negative one means refused, or at least 2^63: then a
  // second call finds out which.

  /**
   * The tokens that a spend in lamports buys, in base units. The spend includes the fees.
   *
   * @throws {RefusalError} where the launchpad refuses the buy.
   */
  buyExactIn(lamports: Amount): bigint {
    const curve = this.#core ?? freed("Curve");
    if (isU64(lamports)) {
      const tokens = curve.buyExactIn(lamports);
      if (tokens >= 0n) return tokens;
    }
    return result(curve.buyExactInOrRefusal(amount("lamports", lamports, this.buyExactIn)), this.buyExactIn);
  }

  /**
   * The cost of buying exactly this many base units, in lamports, fees included.
   *
   * @throws {RefusalError} where the launchpad refuses the buy.
   */
  buyExactOut(tokens: Amount): bigint {
    const curve = this.#core ?? freed("Curve");
    if (isU64(tokens)) {
      const lamports = curve.buyExactOut(tokens);
      if (lamports >= 0n) return lamports;
    }
    return result(curve.buyExactOutOrRefusal(amount("tokens", tokens, this.buyExactOut)), this.buyExactOut);
  }

  /**
   * The lamports that selling exactly this many base units brings, after fees.
   *
   * @throws {RefusalError} where the launchpad refuses the sell.
   */
  sellExactIn(tokens: Amount): bigint {
    const curve = this.#core ?? freed("Curve");
    if (isU64(tokens)) {
      const lamports = curve.sellExactIn(tokens);
      if (lamports >= 0n) return lamports;
    }
    return result(curve.sellExactInOrRefusal(amount("tokens", tokens, this.sellExactIn)), this.sellExactIn);
  }

  // Quotes

  /**
   * Everything about a buy that spends this many lamports, fees included; or only some of its numbers, for a loop: they come in a
   * fraction of the time, since prices, impact, market caps and warnings are not worked out.
   *
   * @param trader - who buys; by default an unknown wallet with a slippage of 0.5 %.
   * @param numbers - the names of the numbers that are wanted. All quotes of a curve take it.
   * @throws {RefusalError} where the launchpad refuses it. Too few lamports are only a warning, because no price depends on them.
   *
   * @example
   * ```js
   * import { Curve, Trader } from "launchpad-desk/market";
   *
   * const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
   * const { tokenAmount, minTokens, netLamports, warnings } = new Curve().quoteBuyExactIn(1_000_000_000n, trader);
   * console.log(tokenAmount, netLamports); // 34199203.120618 -1001493440n
   *
   * const { tokens, protocolFeeLamports } = new Curve().quoteBuyExactIn(1_000_000_000n, trader, ["tokens", "protocolFeeLamports"]);
   * console.log(tokens, protocolFeeLamports); // 34199203120618n 9382717n
   * ```
   */
  quoteBuyExactIn(lamports: Amount, trader?: Trader): CurveQuote;
  quoteBuyExactIn<K extends QuoteNumber>(
    lamports: Amount,
    trader: Trader | undefined,
    numbers: readonly K[],
  ): Pick<CurveQuote, K>;
  quoteBuyExactIn(lamports: Amount, trader?: Trader, numbers?: readonly QuoteNumber[]): unknown {
    const curve = this.#curve;
    const order = amount("lamports", lamports, this.quoteBuyExactIn);
    return quoted(curve, curve.quoteBuyExactIn(order, quotesFor(trader), !numbers), numbers, this.quoteBuyExactIn);
  }

  /**
   * Everything about a buy of exactly this many base units.
   *
   * @throws {RefusalError} as `quoteBuyExactIn`.
   */
  quoteBuyExactOut(tokens: Amount, trader?: Trader): CurveQuote;
  quoteBuyExactOut<K extends QuoteNumber>(
    tokens: Amount,
    trader: Trader | undefined,
    numbers: readonly K[],
  ): Pick<CurveQuote, K>;
  quoteBuyExactOut(tokens: Amount, trader?: Trader, numbers?: readonly QuoteNumber[]): unknown {
    const curve = this.#curve;
    const order = amount("tokens", tokens, this.quoteBuyExactOut);
    return quoted(curve, curve.quoteBuyExactOut(order, quotesFor(trader), !numbers), numbers, this.quoteBuyExactOut);
  }

  /**
   * Everything about a sell of exactly this many base units.
   *
   * @throws {RefusalError} as `quoteBuyExactIn`, and if a known wallet holds too few.
   */
  quoteSellExactIn(tokens: Amount, trader?: Trader): CurveQuote;
  quoteSellExactIn<K extends QuoteNumber>(
    tokens: Amount,
    trader: Trader | undefined,
    numbers: readonly K[],
  ): Pick<CurveQuote, K>;
  quoteSellExactIn(tokens: Amount, trader?: Trader, numbers?: readonly QuoteNumber[]): unknown {
    const curve = this.#curve;
    const order = amount("tokens", tokens, this.quoteSellExactIn);
    return quoted(curve, curve.quoteSellExactIn(order, quotesFor(trader), !numbers), numbers, this.quoteSellExactIn);
  }

  /**
   * Everything about a sell of a percentage of what the trader's wallet holds; 100 sells exactly all of it.
   *
   * @throws {RefusalError} as `quoteSellExactIn`; `token_account_not_open` if the wallet is unknown.
   */
  quoteSellPercentage(percent: number | string, trader: Trader): CurveQuote;
  quoteSellPercentage<K extends QuoteNumber>(
    percent: number | string,
    trader: Trader,
    numbers: readonly K[],
  ): Pick<CurveQuote, K>;
  quoteSellPercentage(percent: number | string, trader: Trader, numbers?: readonly QuoteNumber[]): unknown {
    const percentage = callArgs({ percentage: percent });
    const curve = this.#curve;
    const at = curve.quoteSellPercentage(traderCore(trader), !numbers, percentage);
    return quoted(curve, at, numbers, this.quoteSellPercentage);
  }

  /**
   * What a bundle would do, in one transaction: each leg trades on the curve as the legs before it leave it. This curve does not
   * move.
   *
   * @throws {RefusalError} where the launchpad refuses a leg; `leg` is its index. Too few lamports are only a warning.
   * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
   *
   * @example
   * ```js
   * import { Curve } from "launchpad-desk/market";
   *
   * const { signatures, fits } = new Curve().quoteBundle({
   *   wallets: [{ wallet: "ada", lamports: 5_000_000_000n }],
   *   legs: [{ fromWallet: "ada", buyExactIn: 1_000_000_000n }],
   *   feePayer: "ada",
   * });
   * console.log(signatures, fits); // 1 plain
   * ```
   */
  quoteBundle(bundle: BundleOrder): CurveBundleQuote {
    const order = callArgs({ bundle });
    return result(this.#curve.quoteBundle(order), this.quoteBundle);
  }

  // Goals

  /**
   * The most lamports to spend, fees included, so that the average price before fees is at most this many basis points over
   * the spot price.
   *
   * @throws {RefusalError} `out_of_reach` where even the smallest buy moves the price further.
   */
  largestBuyWithinImpact(impactBps: number): bigint {
    const caller = this.largestBuyWithinImpact;
    return result(this.#curve.largestBuyWithinImpact(count("impactBps", impactBps, caller)), caller);
  }

  /**
   * The most base units to buy so that the average price before fees is at most this many basis points over the spot price.
   *
   * @throws {RefusalError} as `largestBuyWithinImpact`.
   */
  mostTokensWithinImpact(impactBps: number): bigint {
    const caller = this.mostTokensWithinImpact;
    return result(this.#curve.mostTokensWithinImpact(count("impactBps", impactBps, caller)), caller);
  }

  /**
   * The most base units to sell so that the average price before fees is at most this many basis points under the spot
   * price, and the sale covers its fees.
   *
   * @throws {RefusalError} as `largestBuyWithinImpact`.
   */
  largestSellWithinImpact(impactBps: number): bigint {
    const caller = this.largestSellWithinImpact;
    return result(this.#curve.largestSellWithinImpact(count("impactBps", impactBps, caller)), caller);
  }

  /**
   * The fewest lamports to spend, fees included, to get at least this many base units. The launchpad's `completion` decides about
   * a buy past the end of the curve.
   *
   * @throws {RefusalError} if the curve has fewer.
   */
  smallestBuyFor(tokens: Amount): bigint {
    return result(this.#curve.smallestBuyFor(amount("tokens", tokens, this.smallestBuyFor)), this.smallestBuyFor);
  }

  /**
   * The fewest base units to sell that bring at least this many lamports, after fees.
   *
   * @throws {RefusalError} `out_of_reach` if no sell does.
   */
  smallestSellFor(lamports: Amount): bigint {
    return result(
      this.#curve.smallestSellFor(amount("lamports", lamports, this.smallestSellFor)),
      this.smallestSellFor,
    );
  }

  /**
   * The most lamports to spend so that the trader's wallet can pay for trade, rent and network fee, and is left with
   * zero or with at least its own rent minimum. A transaction that leaves less than the minimum fails.
   *
   * @param options - `keepExitFee` leaves the wallet with its rent minimum and, if it pays its own network fees, with the fee of
   * selling again. By default the wallet is left with zero if possible.
   * @throws {RefusalError} `insufficient_lamports` if it has too few even for rent and network fee; `below_rent_minimum` if it
   * has enough for those, but not for the rent minimum; `out_of_reach` if the rest buys nothing.
   */
  largestBuyWithinBalance(trader: Trader, options?: { keepExitFee?: boolean }): bigint {
    const keep = callArgs({ options });
    return result(this.#curve.largestBuyWithinBalance(traderCore(trader), keep), this.largestBuyWithinBalance);
  }

  /**
   * The fewest base units to sell so that the wallet gains at least this many lamports: after every fee, and with the
   * account's refund if it has to sell everything.
   *
   * @throws {RefusalError} `out_of_reach` if selling everything brings less.
   */
  smallestSellBringing(lamports: Amount, trader: Trader): bigint {
    const caller = this.smallestSellBringing;
    return result(this.#curve.smallestSellBringing(amount("lamports", lamports, caller), traderCore(trader)), caller);
  }

  /**
   * How to get back `costLamports`: all that was paid for what the trader's wallet holds, including fees, rent and network
   * fees. The `costLamports` of a position has no rent in it: use `position.breakEven`.
   *
   * @throws {RefusalError} `out_of_reach` if even a completed curve would bring less.
   *
   * @example
   * ```js
   * import { toBaseUnits } from "launchpad-desk";
   * import { Curve, Trader } from "launchpad-desk/market";
   *
   * const curve = new Curve();
   * curve.moveByBuy(5_000_000_000n);
   * const trader = new Trader({ wallet: { lamports: 10_000_000n, tokenAccount: { tokens: toBaseUnits(1_000_000) } } });
   * const exit = curve.breakEven(100_000_000n, trader);
   * if (!exit.reached) console.log(exit.spotPrice); // 99.939390267
   * ```
   */
  breakEven(costLamports: Amount, trader: Trader): BreakEven {
    return result(
      this.#curve.breakEven(amount("costLamports", costLamports, this.breakEven), traderCore(trader)),
      this.breakEven,
    );
  }

  /**
   * The spends that bring each wallet the same tokens when they are made in order on this curve: as many tokens as the budget pays
   * for. One base unit more for each wallet would exceed it.
   *
   * @throws {RefusalError} `out_of_reach` if the budget does not buy one base unit for each; `too_many_wallets`.
   */
  equalTokens(budgetLamports: Amount, wallets: number): EqualTokens {
    const caller = this.equalTokens;
    return equalTokens(
      this.#curve,
      amount("budgetLamports", budgetLamports, caller),
      count("wallets", wallets, caller),
      caller,
    );
  }

  // Many trades in one crossing

  /**
   * The base units that each of these spends, in lamports, would buy on the curve as it is now; `REFUSED` for a spend that would
   * buy none.
   *
   * @throws {TradeNotSentError} `invalid_options`, for anything but a `BigUint64Array` of at most 2^24 rows.
   */
  buysExactIn(lamports: BigUint64Array): BigUint64Array {
    return this.#curve.buysExactIn(column(lamports, { name: "lamports" }, this.buysExactIn));
  }

  /**
   * What each of these amounts of base units would cost, in lamports, fees included; `REFUSED` for an amount that the launchpad
   * refuses.
   *
   * @throws {TradeNotSentError} as `buysExactIn`.
   */
  buysExactOut(tokens: BigUint64Array): BigUint64Array {
    return this.#curve.buysExactOut(column(tokens, { name: "tokens" }, this.buysExactOut));
  }

  /**
   * The lamports that each of these amounts of base units would bring, after fees; `REFUSED` for an amount that the launchpad
   * refuses.
   *
   * @throws {TradeNotSentError} as `buysExactIn`.
   */
  sellsExactIn(tokens: BigUint64Array): BigUint64Array {
    return this.#curve.sellsExactIn(column(tokens, { name: "tokens" }, this.sellsExactIn));
  }

  /**
   * The base units that these spends would buy in order, each on the curve as those before it leave it. A spend that would buy none
   * is `REFUSED`, and changes nothing for the next. This curve does not move.
   *
   * @throws {TradeNotSentError} as `buysExactIn`.
   */
  buysInSequence(lamports: BigUint64Array): BigUint64Array {
    const spends = column(lamports, { name: "lamports", copies: 2 }, this.buysInSequence);
    return result(this.#curve.buysInSequence(spends), this.buysInSequence);
  }

  // The curve's state

  /**
   * Moves the curve by a buy of this many lamports, fees included, and returns the base units bought.
   *
   * @throws {RefusalError} where the launchpad refuses the buy; then nothing has moved.
   */
  moveByBuy(lamports: Amount): bigint {
    return result(this.#curve.moveByBuy(amount("lamports", lamports, this.moveByBuy)), this.moveByBuy);
  }

  /**
   * Moves the curve by a sell of this many base units, and returns the lamports it brought, after fees.
   *
   * @throws {RefusalError} where the launchpad refuses the sell; then nothing has moved.
   */
  moveBySell(tokens: Amount): bigint {
    return result(this.#curve.moveBySell(amount("tokens", tokens, this.moveBySell)), this.moveBySell);
  }

  /**
   * Sets the curve's reserves, such as those just read from the chain.
   *
   * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
   */
  moveTo(reserves: CurveConfig): void {
    const moved = callArgs({ reserves });
    result(this.#curve.moveTo(moved), this.moveTo);
  }

  /** A copy of this curve that moves independently. */
  clone(): Curve {
    return curveOf(this.#curve.clone());
  }

  /** The curve's reserves. */
  get reserves(): CurveReserves {
    return result(this.#curve.reserves());
  }

  /** The total supply of the token, in base units. */
  get supply(): bigint {
    return this.#curve.supply();
  }

  /** Whether the token has a creator who earns a fee. */
  get hasCreator(): boolean {
    return this.#curve.hasCreator();
  }

  /** Whether trading has ended: every token is sold, or the curve says so by itself. A complete curve trades no more. */
  get complete(): boolean {
    return this.#curve.complete();
  }

  /** The spot price in lamports per whole token, as exact text to nine places; `null` if there is none. */
  get spotPrice(): string | null {
    return result(this.#curve.spotPrice());
  }

  /** The value of the whole supply at the spot price, in lamports; `null` if there is no price. */
  get marketCapLamports(): bigint | null {
    return result(this.#curve.marketCapLamports());
  }

  /**
   * The fee rates of the next trade, in basis points, at the current market cap.
   *
   * @throws {RefusalError} if the curve has no price.
   */
  get feeRates(): { protocolBps: number; creatorBps: number } {
    return result(this.#curve.feeRates());
  }

  /**
   * The rent of a token account, in lamports: what opening one costs.
   *
   * @throws {RefusalError} if it is over 64 bits.
   */
  get tokenAccountRentLamports(): bigint {
    return result(this.#curve.tokenAccountRentLamports());
  }

  /** The curve as data: `new Curve(curve.options)` stands where this one does. So a curve reaches a worker, a file or another program. */
  get options(): Required<CurveOptions> {
    return result(this.#curve.options());
  }

  /** The launchpad's rules as data, with the date on which they were read. */
  get launchpad(): Required<LaunchpadConfig> {
    return result(this.#curve.launchpad());
  }

  /** Frees its memory now. Using it afterwards throws; freeing it again does nothing. */
  free(): void {
    this.#core?.free();
    this.#core = undefined;
  }

  declare [Symbol.dispose]: () => void;
}
disposable(Curve);

/** The curve for a handle that the core has made. */
export const curveOf = (made: core.Curve): Curve => new Curve(made as unknown as CurveOptions);

/**
 * Where each default rule of {@link defaultLaunchpad} comes from, and the day from which it holds. Each is a setting of a launchpad; one that
 * has changed has several rules, in the order of their days.
 *
 * @example
 * ```js
 * import { defaultLaunchpad, launchpadRules } from "launchpad-desk/market";
 *
 * for (const { setting, asOf, source } of launchpadRules()) {
 *   console.log(setting, defaultLaunchpad(Date.parse(asOf))[setting], asOf, source);
 * }
 * ```
 */
export function launchpadRules(): LaunchpadRule[] {
  return result(core.launchpadRules(), launchpadRules);
}

/**
 * The launchpad's default rules as data, with the date of the oldest of them: the newest, or those of a time, in milliseconds since 1970.
 * Rules change, so check `asOf` before you rely on them; {@link launchpadRules} has the date and the source of each.
 *
 * @example
 * ```js
 * import { defaultLaunchpad } from "launchpad-desk/market";
 *
 * const { asOf, feeTiers } = defaultLaunchpad();
 * console.log(feeTiers[0].protocolBps); // 95
 * console.log(defaultLaunchpad(Date.UTC(2026, 9, 1)).rentLamportsPerByte); // 6960n
 * ```
 */
export function defaultLaunchpad(atMs?: number): Required<LaunchpadConfig> {
  return result(core.defaultLaunchpad(atMs), defaultLaunchpad);
}
