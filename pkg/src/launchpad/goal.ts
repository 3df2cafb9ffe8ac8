// What brings what is asked for.

import type { CurveReserves } from "../generated.js";

/**
 * An exit that gives back what a position cost.
 *
 * ```js
 * const exit = curve.breakEven(position.state.costLamports, trader);
 * if (exit.reached) curve.quoteSellExactIn(exit.tokens, trader);
 * else console.log(`wait for ${exit.spotPrice} lamports a token`);
 * ```
 */
export type BreakEven =
  | {
      /** It does already. */
      reached: true;
      /** The fewest base units to sell. */
      tokens: bigint;
    }
  | {
      /** Only once others have bought, and by selling everything. */
      reached: false;
      /** The fewest lamports that others must bring to the curve, before their fees. */
      inflowLamports: bigint;
      /** The price to wait for, in lamports a whole token; `null` past 128 bits. */
      spotPrice: string | null;
      /** Where the curve stands then. */
      reserves: CurveReserves;
    };
