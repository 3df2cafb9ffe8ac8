// The slippage that fits a market: what its price moves in a few seconds, as its candles show it.

import { barsOf } from "../chart/bars.js";
import type { World } from "./world.js";

/** The usual slippages, in percent. The first is the service's own default. */
export const SLIPPAGES = ["0.5", "1", "2", "5"] as const;

/** About the time from a look at the quote to the trade. */
const LOOK_MS = 5_000;
/** How many of them are looked at: a minute. */
const NEWEST = 12;

export interface MarketSlippage {
  /** The smallest usual slippage that the market has kept within, in percent. */
  readonly slippage: string;
  /** How much the price moved within those seconds at most, in percent; null if no market is known, or it stands still. */
  readonly moved: number | null;
}

export function marketSlippageOf(world: World, mint: string): MarketSlippage {
  const swings = barsOf(world.candles(mint, LOOK_MS), LOOK_MS, world.now())
    .slice(-NEWEST)
    .map(({ high, low }) => (high / low - 1) * 100);
  const moved = Math.max(0, ...swings.filter(Number.isFinite));
  return {
    slippage: SLIPPAGES.find((each) => Number(each) >= moved) ?? SLIPPAGES.at(-1) ?? SLIPPAGES[0],
    moved: moved || null,
  };
}
