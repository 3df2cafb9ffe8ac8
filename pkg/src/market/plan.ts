// Splits a budget over wallets, and a bundle over transactions.

import * as core from "build:market";
import { callArgs, result, writable } from "../crossing.js";
import type { LegKind, Portion, Side, TransactionFit } from "../generated.js";
import { type Amount, amount, column, count } from "../argument.js";

/** How much fits into one transaction, if each leg has its own wallet. Use it for warnings: the service may know better. */
export type Capacities = {
  /** Where the numbers come from. */
  origin: string;
  /** How many legs of one kind fit into one transaction. */
  legs: {
    kind: LegKind;
    /** With every address written out, if one of the wallets pays the network fee. */
    legs: number;
    /** The same with an address lookup table. */
    legsWithLookupTable: number;
    /** With every address written out, if the fee payer does not trade: it signs as well. */
    legsBesidePayer: number;
    /** The same with an address lookup table. */
    legsBesidePayerWithLookupTable: number;
  }[];
};

/** The parts of a bundle's quote that a split needs. `quoteBundle` returns them. */
export type SplittableBundle = {
  /** Id of the wallet that pays the network fee: it signs each transaction. */
  feePayer: string;
  /** The trades, in order. */
  legs: readonly {
    /** Id of the wallet that trades. */
    wallet: string;
    side: Side;
    /** What happens to its token account; `unknown` is assumed to open or close. */
    tokenAccount: "opens" | "closes" | "stays" | "unknown";
  }[];
};

/** One transaction of a bundle that was split. */
export type BundlePart = {
  /** The indexes of its legs in the bundle, from 0, in order. */
  legs: number[];
  /** How many sign it. */
  signatures: number;
};

/** Spends that bring each wallet the same tokens. In JSON, lamports and base units are text. */
export type EqualTokens = {
  /** What every wallet gets at the least, in base units. */
  tokens: bigint;
  /** What each wallet spends, in order, in lamports. */
  spendsLamports: BigUint64Array;
};

/**
 * Splits a budget of lamports into equal spends that add up to it exactly. If it does not divide evenly, the first ones are one
 * lamport larger.
 *
 * @throws {TradeNotSentError} `invalid_options`, for no wallets and for more than 10,000.
 *
 * @example
 * ```js
 * import { equalSpends } from "launchpad-desk/market";
 *
 * console.log(...equalSpends(11n, 3)); // 4n 4n 3n
 * ```
 */
export function equalSpends(budgetLamports: Amount, wallets: number): BigUint64Array {
  return result(
    core.equalSpends(amount("budgetLamports", budgetLamports, equalSpends), count("wallets", wallets, equalSpends)),
    equalSpends,
  );
}

/**
 * Splits a budget of lamports by weight into spends that add up to it exactly. Each share is rounded down; the lamports left over
 * go, one each, to the largest remainders.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the sum of the weights is zero or over 64 bits, and for more than 10,000 weights.
 *
 * @example
 * ```js
 * import { weightedSpends } from "launchpad-desk/market";
 *
 * console.log(...weightedSpends(100n, BigUint64Array.of(1n, 2n, 3n))); // 17n 33n 50n
 * ```
 */
export function weightedSpends(budgetLamports: Amount, weights: BigUint64Array): BigUint64Array {
  const budget = amount("budgetLamports", budgetLamports, weightedSpends);
  return result(
    core.weightedSpends(budget, column(weights, { name: "weights", copies: 2 }, weightedSpends)),
    weightedSpends,
  );
}

/**
 * Splits a budget of lamports into spends that differ at random and add up to it exactly: the weight of each is between
 * `1 − jitter` and `1 + jitter`. The same seed gives the same spends.
 *
 * @throws {TradeNotSentError} `invalid_options`, for no wallets, for more than 10,000, and for a jitter over 100 %.
 *
 * @example
 * ```js
 * import { jitteredSpends } from "launchpad-desk/market";
 *
 * console.log(...jitteredSpends(1_000n, 3, { percent: 20 }, 7n)); // 327n 276n 397n
 * ```
 */
export function jitteredSpends(budgetLamports: Amount, wallets: number, jitter: Portion, seed: Amount): BigUint64Array {
  return result(core.jitteredSpends(callArgs({ budgetLamports, wallets, jitter, seed })), jitteredSpends);
}

/**
 * How much fits into one transaction, and where the numbers come from.
 *
 * @example
 * ```js
 * import { capacities } from "launchpad-desk/market";
 *
 * const [{ kind, legs, legsWithLookupTable }] = capacities().legs;
 * console.log(kind, legs, legsWithLookupTable); // buy 3 5
 * ```
 */
export function capacities(): Capacities {
  return result(core.capacities(), capacities);
}

/**
 * Splits a bundle, in its order, into as few transactions as it fits into. The fee payer signs each of them.
 *
 * Legs of several kinds count as those that need the most room, and a wallet that trades twice as two. Only size counts here, not
 * compute units or price moves between the transactions. A part can land without the others: the bundle is no longer all or nothing.
 *
 * @param addresses - `plain` (the default) writes out every address; `with_lookup_table` is for a service that has the shared
 * addresses in a lookup table.
 * @throws {TradeNotSentError} `invalid_options`, if it is not such a quote.
 *
 * @example
 * ```js
 * import { Curve, splitBundle } from "launchpad-desk/market";
 *
 * const names = ["ada", "bob", "cyd", "dan"];
 * const bundle = {
 *   wallets: names.map((wallet) => ({ wallet, lamports: 5_000_000_000n })),
 *   legs: names.map((fromWallet) => ({ fromWallet, buyExactIn: 1_000_000_000n })),
 *   feePayer: "ada",
 * };
 * const parts = splitBundle(new Curve().quoteBundle(bundle));
 * const bundles = parts.map(({ legs }) => ({ ...bundle, legs: legs.map((leg) => bundle.legs[leg]) }));
 * console.log(bundles.length); // 2
 * ```
 */
export function splitBundle(quote: SplittableBundle, addresses?: Exclude<TransactionFit, "no">): BundlePart[] {
  return result(core.splitBundle(callArgs({ quote, addresses })), splitBundle);
}

/** `equalTokens` of a curve. */
export function equalTokens(curve: core.Curve, budgetLamports: bigint, wallets: number, caller: Function): EqualTokens {
  const { tokens, spendsLamports } = result<{ tokens: bigint; spendsLamports: bigint[] }>(
    curve.equalTokens(budgetLamports, wallets),
    caller,
  );
  return writable({ tokens, spendsLamports: BigUint64Array.from(spendsLamports) });
}
