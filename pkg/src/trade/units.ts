// Converts between whole tokens and base units, SOL and lamports. The main import has them, and the sandbox's reports use them.

import * as core from "build:core";
import { callArgs, result } from "../crossing.js";

/**
 * Converts whole tokens to base units, exactly.
 *
 * A number is read as the decimal that JS prints for it. A bigint is refused: it counts base units already.
 *
 * @param tokens - whole tokens
 * @param decimals - fraction digits of a whole token; default 6
 * @throws {TradeNotSentError} `invalid_options`, for an amount finer than a base unit, below zero, or over 64 bits.
 *
 * @example
 * ```js
 * import { toBaseUnits } from "launchpad-desk";
 *
 * toBaseUnits("16.99"); // 16990000n
 * toBaseUnits("16.99", 2); // 1699n
 * ```
 */
export function toBaseUnits(tokens: string | number, decimals?: number): bigint {
  return result(core.toBaseUnits(callArgs({ tokens, decimals })), toBaseUnits);
}

/**
 * Converts base units to whole tokens, as exact text.
 *
 * Takes negative amounts as well, such as a quote's `netTokens`; a number must be a safe integer.
 *
 * @param baseUnits - base units of a token
 * @param decimals - fraction digits of a whole token; default 6
 * @throws {TradeNotSentError} `invalid_options`, for anything but a whole number of at most 127 bits.
 *
 * @example
 * ```js
 * import { fromBaseUnits } from "launchpad-desk";
 *
 * fromBaseUnits(16990000n); // "16.99"
 * ```
 */
export function fromBaseUnits(baseUnits: bigint | number | string, decimals?: number): string {
  return result(core.fromBaseUnits(callArgs({ baseUnits, decimals })), fromBaseUnits);
}

/**
 * Converts SOL to lamports, exactly.
 *
 * A number is read as the decimal that JS prints for it. A bigint is refused: it counts lamports already.
 *
 * @throws {TradeNotSentError} `invalid_options`, for an amount finer than a lamport, below zero, or over 64 bits.
 *
 * @example
 * ```js
 * import { solToLamports } from "launchpad-desk";
 *
 * solToLamports("1.5"); // 1500000000n
 * ```
 */
export function solToLamports(sol: string | number): bigint {
  return result(core.solToLamports(callArgs({ sol })), solToLamports);
}

/**
 * Converts lamports to SOL, as exact text.
 *
 * Takes negative amounts as well, such as a quote's `netLamports`; a number must be a safe integer.
 *
 * @throws {TradeNotSentError} `invalid_options`, for anything but a whole number of at most 127 bits.
 *
 * @example
 * ```js
 * import { lamportsToSol } from "launchpad-desk";
 *
 * lamportsToSol(1500000000n); // "1.5"
 * ```
 */
export function lamportsToSol(lamports: bigint | number | string): string {
  return result(core.lamportsToSol(callArgs({ lamports })), lamportsToSol);
}
