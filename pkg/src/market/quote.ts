// A quote, read from the numbers that the core writes: pkg/wasm/src/launchpad/quote.rs is the other side. All of it crosses at once, and
// nothing is parsed.

import * as core from "build:market";
import { refreshViews, result, words, writable } from "../crossing.js";
import type { Completion, LegQuote, QuoteWarning } from "../generated.js";

/**
 * What one trade on a curve would do: what a trade of a request has, and more. Plain data: you can keep it, and make a
 * receipt from it later. See {@link Curve.quoteBuyExactIn}.
 */
export interface CurveQuote extends Omit<LegQuote, "wallet"> {
  /** Rate of the fee to the protocol, in basis points of the lamports that reach or leave the curve. */
  protocolFeeBps: number;
  /** Rate of the fee to the token's creator, in basis points of the same lamports. */
  creatorFeeBps: number;
  /** Whether the launchpad charges these rates at every market cap. If not, a trade that executes later may be charged different rates. */
  ratesFixed: boolean;
  /** Whether the launchpad refuses a buy past the end of the curve or fills a part of it. */
  completion: Completion;
  /** Average price of this fill, trading fees included. */
  averagePriceWithFees: string | null;
  /** Market cap after, in lamports. */
  marketCapAfterLamports: bigint;
  /** The bound of a buy that spends this many lamports, as forecast: the fewest tokens to accept. */
  minTokens: bigint | null;
  /** The bound of a buy of this many tokens, as forecast: the most lamports to pay, trading fees included. */
  maxLamports: bigint | null;
  /** The bound of a sell, as forecast: the fewest lamports to accept, after trading fees. */
  minLamports: bigint | null;
  /** What the wallet held before, in base units; `null` if the wallet is unknown. */
  heldTokens: bigint | null;
  /** The network's fee, no matter who pays it; charged even if the transaction fails. */
  networkFeeLamports: bigint;
  /** The part that the trading wallet pays: all or nothing. */
  ownNetworkFeeLamports: bigint;
  /** Lamports the trading wallet gains (negative: spends): trade, fees, rent or refund. */
  netLamports: bigint;
  /** The same at the bound, as forecast. */
  worstNetLamports: bigint;
  /** Fraction digits of a whole token. */
  tokenDecimals: number;
}

const { asIntN } = BigInt;

/** The memory as 64-bit numbers. An empty one is refreshed: the memory has grown. */
let wide = new BigUint64Array();
let signed = new BigInt64Array();

const ACCOUNTS = ["unknown", "stays", "opens", "closes"] as const;
const PRICE_DECIMALS = 9;
const PERCENT_DECIMALS = 4;
const SCALES = Array.from({ length: 16 }, (_, decimals) => 10 ** decimals);

let warningNames: QuoteWarning[] | undefined;

/** The warnings, four bits each. */
function warnings(low: number, high: number): QuoteWarning[] {
  const found: QuoteWarning[] = [];
  if (low === 0) return found;
  warningNames ??= result<QuoteWarning[]>(core.quoteWarnings());
  for (let left = low >>> 0; left; left >>>= 4) found.push(warningNames[(left & 15) - 1] as QuoteWarning);
  for (let left = high >>> 0; left; left >>>= 4) found.push(warningNames[(left & 15) - 1] as QuoteWarning);
  return found;
}

/** Digits before and after the point, without zeros at the end. */
function exact(units: bigint, decimals: number): string {
  const digits = `${units}`.padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, "");
  return fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point);
}

/** The unsigned number of two words, of which most have only one. */
const double = (at: number): bigint => {
  const low = wide[at] as bigint;
  return words[2 * at + 2] || words[2 * at + 3] ? ((wide[at + 1] as bigint) << 64n) | low : low;
};

/** The same with a sign. */
const signedDouble = (at: number): bigint => {
  const sign = (words[2 * at + 1] as number) >> 31;
  return words[2 * at + 2] === sign && words[2 * at + 3] === sign
    ? (signed[at] as bigint)
    : asIntN(128, ((wide[at + 1] as bigint) << 64n) | (wide[at] as bigint));
};

/** A number below 2^53. */
const small = (at: number): number => ((words[2 * at] as number) >>> 0) + (words[2 * at + 1] as number) * 2 ** 32;

/** The number of one word as decimal text; the number of two, if `isDouble`. */
function decimal(at: number, decimals: number, isDouble: boolean): string {
  const high = words[2 * at + 1] as number;
  // Below 2^53 the remainder and the rest are exact.
  if (high >>> 21 || decimals >= SCALES.length || (isDouble && (words[2 * at + 2] || words[2 * at + 3])))
    return exact(isDouble ? double(at) : (wide[at] as bigint), decimals);
  const units = small(at);
  const scale = SCALES[decimals] as number;
  const fraction = units % scale;
  const whole = (units - fraction) / scale;
  if (fraction === 0) return `${whole}`;
  // A one in front keeps its zeros.
  const digits = `${fraction + scale}`;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return `${whole}.${digits.slice(1, end)}`;
}

/** What becomes of a buy that the curve cannot fill, from a quote's flags. */
function completionOf(flags: number): Completion {
  if (flags & 4) return "partial";
  return flags & 4096 ? "pool" : "reject";
}

/**
 * The numbers of a quote that move when the trade is made: what a bot asks {@link Curve.quoteBuyExactIn} for on every tick.
 * {@link CurveQuote} says what each is.
 */
export type QuoteNumber = keyof typeof PLACES | "netLamports" | "worstNetLamports" | keyof typeof BOUNDS;

/** Where the numbers of one word are. */
const PLACES = {
  tokens: 8,
  walletLamports: 9,
  curveLamports: 10,
  protocolFeeLamports: 11,
  creatorFeeLamports: 12,
  worstTokens: 14,
  worstWalletLamports: 15,
  rentLamports: 16,
  networkFeeLamports: 18,
  ownNetworkFeeLamports: 19,
  volumeRentLamports: 36,
} as const;

/** The kinds of bounds, which are all at one place. */
const BOUNDS = { minTokens: 1, maxLamports: 2, minLamports: 3 } as const;
const BOUND = 13;

type Numbers = { [name in QuoteNumber]?: bigint | null };

/** Makes an object of numbers. By its prototype `JSON.stringify` can write them: an own property of each would take longer than they do. */
const Numbers = function () {} as unknown as new () => Numbers;
Numbers.prototype = Object.defineProperty(writable({}), "constructor", { value: Object });

const boundAt = (at: number, kind: number): bigint | null =>
  (((words[2 * at] as number) >> 5) & 3) === kind ? (wide[at + BOUND] as bigint) : null;

/** Puts one number of those at this place. Each has a line of its own: by it an engine knows where the field lies in the object. */
function put(numbers: Numbers, name: QuoteNumber, at: number): unknown {
  switch (name) {
    case "tokens":
      return (numbers.tokens = wide[at + PLACES.tokens]!);
    case "walletLamports":
      return (numbers.walletLamports = wide[at + PLACES.walletLamports]!);
    case "minTokens":
      return (numbers.minTokens = boundAt(at, BOUNDS.minTokens));
    case "maxLamports":
      return (numbers.maxLamports = boundAt(at, BOUNDS.maxLamports));
    case "minLamports":
      return (numbers.minLamports = boundAt(at, BOUNDS.minLamports));
    case "protocolFeeLamports":
      return (numbers.protocolFeeLamports = wide[at + PLACES.protocolFeeLamports]!);
    case "creatorFeeLamports":
      return (numbers.creatorFeeLamports = wide[at + PLACES.creatorFeeLamports]!);
    case "netLamports":
      return (numbers.netLamports = signedDouble(at + 24));
    case "worstNetLamports":
      return (numbers.worstNetLamports = signedDouble(at + 26));
    default: {
      const place: unknown = PLACES[name];
      if (typeof place === "number") return (numbers[name] = wide[at + place]!);
      throw new TypeError(`a quote has no number ${JSON.stringify(name)}: its numbers are ${namesOfNumbers()}`);
    }
  }
}

const namesOfNumbers = (): string =>
  [...Object.keys(PLACES), ...Object.keys(BOUNDS), "netLamports", "worstNetLamports"].join(", ");

function refresh(): void {
  refreshViews();
  if (wide.length) return;
  wide = new BigUint64Array(words.buffer);
  signed = new BigInt64Array(words.buffer);
}

/** These numbers of the quote of `curve` at this address. Throws as `quoteAt`. */
export function numbersAt<K extends QuoteNumber>(
  curve: core.Curve,
  address: number,
  names: readonly K[],
  caller: Function,
): Pick<CurveQuote, K> {
  if (address === 0) return result(curve.whyNoQuote(), caller);
  refresh();
  const at = address >>> 3;
  const numbers = new Numbers();
  for (let index = 0; index < names.length; index++) put(numbers, names[index] as K, at);
  return numbers as Pick<CurveQuote, K>;
}

/** The quote of `curve` at this address, until the next one. At zero there is none: it throws why, with a stack from where `caller` was called. */
export function quoteAt(curve: core.Curve, address: number, caller: Function): CurveQuote {
  if (address === 0) return result(curve.whyNoQuote(), caller);
  refresh();
  const at = address >>> 3;
  const flags = words[2 * at] as number;
  const decimals = small(at + 1);
  const price = (place: number): string | null =>
    (flags >> (8 + place)) & 1 ? decimal(at + 28 + 2 * place, PRICE_DECIMALS, true) : null;
  return writable<CurveQuote>({
    side: flags & 1 ? "sell" : "buy",
    tokens: wide[at + PLACES.tokens] as bigint,
    tokenAmount: decimal(at + PLACES.tokens, decimals, false),
    walletLamports: wide[at + PLACES.walletLamports] as bigint,
    curveLamports: wide[at + PLACES.curveLamports] as bigint,
    protocolFeeLamports: wide[at + PLACES.protocolFeeLamports] as bigint,
    creatorFeeLamports: wide[at + PLACES.creatorFeeLamports] as bigint,
    protocolFeeBps: small(at + 2),
    creatorFeeBps: small(at + 3),
    ratesFixed: (flags & 2) !== 0,
    completion: completionOf(flags),
    priceImpactBps: small(at + 5),
    spotMoveBps: small(at + 6),
    spotPriceBefore: price(0),
    spotPriceAfter: price(1),
    averagePrice: price(2),
    averagePriceWithFees: price(3),
    marketCapLamports: double(at + 20),
    marketCapAfterLamports: double(at + 22),
    slippagePercent: decimal(at + 4, PERCENT_DECIMALS, false),
    minTokens: boundAt(at, BOUNDS.minTokens),
    maxLamports: boundAt(at, BOUNDS.maxLamports),
    minLamports: boundAt(at, BOUNDS.minLamports),
    worstTokens: wide[at + PLACES.worstTokens] as bigint,
    worstTokenAmount: decimal(at + PLACES.worstTokens, decimals, false),
    worstWalletLamports: wide[at + PLACES.worstWalletLamports] as bigint,
    tokenAccount: ACCOUNTS[(flags >> 3) & 3] as CurveQuote["tokenAccount"],
    rentLamports: wide[at + PLACES.rentLamports] as bigint,
    volumeRentLamports: wide[at + PLACES.volumeRentLamports] as bigint,
    heldTokens: flags & 128 ? (wide[at + 17] as bigint) : null,
    networkFeeLamports: wide[at + PLACES.networkFeeLamports] as bigint,
    ownNetworkFeeLamports: wide[at + PLACES.ownNetworkFeeLamports] as bigint,
    netLamports: signedDouble(at + 24),
    worstNetLamports: signedDouble(at + 26),
    tokenDecimals: decimals,
    warnings: warnings(words[2 * (at + 7)] as number, words[2 * (at + 7) + 1] as number),
  });
}
