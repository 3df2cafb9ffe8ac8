/// <reference lib="esnext.disposable" />

/** A token's curve, and the launchpad it is on. Unknown names are refused. */
export interface CurveOptions {
    /** The launchpad's rules. Default: the launchpad's as it is without settings. */
    launchpad?: LaunchpadConfig;
    /** Where the curve stands. Default: the launchpad's start. */
    curve?: CurveConfig;
    /** Base units of the token in all. Default: the launchpad's. */
    supply?: Amount;
    /** Whether someone earns the creator's fee. Default: true. */
    hasCreator?: boolean;
}

/** Lamports or base units: a bigint, a safe integer, or digits in a string. */
export type Amount = bigint | number | string;

/** What stands for a refused trade in an array: 2^64 - 1, which no amount is. */
export const REFUSED: bigint;

/** Why the launchpad refuses a trade. Append-only. */
export type RefusalCode = string;

/** The launchpad would refuse this trade, or no trade reaches what is asked for. */
export class RefusalError extends Error {
    /** The stable code: `not_enough_tokens_on_curve`, `out_of_reach`, … */
    readonly code: RefusalCode;
    /** Which leg of a bundle is refused, from 0; absent where it is the trade or the bundle as a whole. */
    readonly leg?: number;
    /** The error as plain data. */
    toJSON(): object;
    protected constructor();
}

/**
 * A launchpad's own rules. Tokens in base units.
 */
export interface LaunchpadConfig {
    /**
     * The date these numbers were read, `YYYY-MM-DD`.
     */
    asOf?: string;
    /**
     * The fee tiers by market cap, at least one. Default: one, 95 and 30 bps.
     */
    feeTiers?: FeeTierConfig[];
    /**
     * The curve of a new token.
     */
    start?: CurveConfig;
    /**
     * Base units of a new token in all. Default: 10^15.
     */
    tokenSupply?: number | bigint | string;
    /**
     * Fraction digits of a whole token, at most 18. Default: 6.
     */
    tokenDecimals?: number;
    /**
     * Whether a buy past the end of the curve is refused or takes what is left. Default: `reject`.
     */
    completion?: "reject" | "partial";
    /**
     * Lamports of rent for each byte of an account. Default: 5080.
     */
    rentLamportsPerByte?: number | bigint | string;
    /**
     * Bytes of a token account's data. Default: 165.
     */
    tokenAccountBytes?: number | bigint | string;
    /**
     * What the network charges for a signature. Default: 5000.
     */
    lamportsPerSignature?: number | bigint | string;
    /**
     * Priority units paid for each trade where a request sets no limit. Default: 200000.
     */
    defaultUnitsPerTrade?: number | bigint | string;
}

/**
 * The fee rates from a market cap upwards.
 */
export interface FeeTierConfig {
    /**
     * The market cap from which they hold, in lamports.
     */
    marketCapThresholdLamports: number | bigint | string;
    /**
     * The protocol's rate, in basis points, at most 10000.
     */
    protocolBps: number;
    /**
     * The creator's rate, in basis points, at most 10000.
     */
    creatorBps: number;
}

/**
 * Where a curve stands. Tokens in base units.
 */
export interface CurveConfig {
    /**
     * Tokens the price is made of.
     */
    virtualTokenReserves: number | bigint | string;
    /**
     * Lamports the price is made of.
     */
    virtualSolReserves: number | bigint | string;
    /**
     * Tokens left to buy.
     */
    realTokenReserves: number | bigint | string;
    /**
     * Lamports left to pay sellers with.
     */
    realSolReserves: number | bigint | string;
}

/**
 * One token's bonding curve. It lives in the module's memory: only the amount crosses for each price.
 *
 * ```js
 * const curve = new Curve({ curve: { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves } });
 * const tokens = curve.buyExactIn(1_000_000_000n);
 * ```
 *
 * Lamports and base units go in as bigints, safe integers or digits in a string, and come out as bigints. Bigints are
 * fastest. What is no whole number of at most 64 bits throws a `TradeNotSentError` with `invalid_options`.
 */
export class Curve {
    free(): void;
    [Symbol.dispose](): void;
    /**
     * The tokens that a spend brings, fees included in the spend.
     *
     * @throws {RefusalError} where the launchpad refuses the buy.
     */
    buyExactIn(lamports: Amount): bigint;
    /**
     * Makes a curve; without options, that of a token that has just been created.
     *
     * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
     */
    constructor(options?: CurveOptions);
}
