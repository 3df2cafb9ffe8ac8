// How a goal can be reached.

import type { CurveReserves } from "../generated.js";

/** How to get back what a position cost. */
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
