// The addresses that programs derive, and those of the programs.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";

/** The launchpad's program, which owns curves and the global settings: see {@link readCurve}. */
export const LAUNCHPAD_PROGRAM = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
/** The program that owns the fee configuration: see {@link readFeeTiers}. */
export const FEE_PROGRAM = "pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ";
/** The first token program: see {@link tokenAccountAddress}. */
export const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
/** The newer token program, whose accounts may have extensions: see {@link tokenAccountAddress}. */
export const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
/** Where the launchpad's settings are: see {@link readGlobal}. */
export const GLOBAL = "4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf";
/** Where the fee rates are: see {@link readFeeTiers}. */
export const FEE_CONFIG = "8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt";

/**
 * Where the bonding curve of a token is. It takes some microseconds: keep it.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the mint is not an address.
 *
 * @example
 * ```js
 * import { curveAddress } from "launchpad-desk/market";
 *
 * console.log(curveAddress("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs")); // EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM
 * ```
 */
export function curveAddress(mint: string): string {
  return result(core.curveAddress(callArgs({ mint })), curveAddress);
}

/**
 * Where a wallet usually holds a token. It may have other accounts of it.
 *
 * @param tokenProgram - the program that owns the mint: `readMint` says which.
 * @throws {TradeNotSentError} `invalid_options`, if one of them is not an address.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM, tokenAccountAddress } from "launchpad-desk/market";
 *
 * const mint = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
 * const wallet = "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM";
 * console.log(tokenAccountAddress(wallet, TOKEN_PROGRAM, mint).length > 30); // true
 * ```
 */
export function tokenAccountAddress(wallet: string, tokenProgram: string, mint: string): string {
  return result(core.tokenAccountAddress(callArgs({ wallet, tokenProgram, mint })), tokenAccountAddress);
}

/**
 * Where the launchpad counts what a wallet trades. The wallet's first buy opens this account, at its own cost.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the wallet is not an address.
 *
 * @example
 * ```js
 * import { volumeAccountAddress } from "launchpad-desk/market";
 *
 * console.log(volumeAccountAddress("EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM").length > 30); // true
 * ```
 */
export function volumeAccountAddress(wallet: string): string {
  return result(core.volumeAccountAddress(callArgs({ wallet })), volumeAccountAddress);
}
