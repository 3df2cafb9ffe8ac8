// How a goal can be reached.

import type { CurveReserves } from "../generated.js";

/**
 * How to get back what a position cost.
 *
 * @example
 * ```js
 * import { toBaseUnits } from "launchpad-desk";
 * import { Curve, Trader } from "launchpad-desk/market";
 *
 * const curve = new Curve();
 * curve.moveByBuy(5_000_000_000n);
 * const trader = new Trader({ wallet: { lamports: 10_000_000n, tokenAccount: { tokens: toBaseUnits(1_000_000) } } });
 * const exit = curve.breakEven(10_000_000n, trader);
 * if (exit.reached) console.log(curve.quoteSellExactIn(exit.tokens, trader).tokenAmount); // 267253.935114
 * else console.log("wait for", exit.spotPrice, "lamports a token");
 * ```
 */
export type BreakEven =
  | {
      /** Selling now is enough. */
      reached: true;
      /** The fewest base units to sell. */
      tokens: bigint;
    }
  | {
      /** Possible only after others have bought, by selling everything. */
      reached: false;
      /** The fewest lamports that others must bring to the curve, before their fees. */
      inflowLamports: bigint;
      /** The price to wait for, in lamports per whole token; `null` if it is over 128 bits. */
      spotPrice: string | null;
      /** The curve's reserves at that point. */
      reserves: CurveReserves;
    };
