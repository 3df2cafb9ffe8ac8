// Many exit plans over one tape.

import { callArgs, result } from "../crossing.js";
import type { ExitPlan } from "../generated.js";
import { type BacktestOptions, tapeOf, termsOf } from "./backtest.js";
import { Exits } from "launchpad-desk/market";

/** Values to try of each field of an exit plan, in their order: for {@link sweep}. */
export type ExitGrid = { [Field in keyof ExitPlan]?: readonly ExitPlan[Field][] };

/** What one plan of a sweep came to. See {@link sweep}. */
export interface SweptPlan {
  plan: ExitPlan;
  /** The number of its value in each list of the grid. */
  at: number[];
  /** What the wallet has more at the end, in lamports. */
  profitLamports: bigint;
  positions: number;
  /** How many of them gained. */
  wins: number;
  /** Orders that landed. */
  landed: number;
  /** Orders that failed. */
  failed: number;
  /** The deepest fall of the equity, in lamports. */
  drawdownLamports: bigint;
}

/** A grid of exit plans over one tape. See {@link sweep}. */
export interface BacktestSweep {
  fields: (keyof ExitPlan)[];
  /** Every plan, the last field changing first. */
  plans: SweptPlan[];
  /** The plan with the largest profit. */
  best: SweptPlan;
  /** The plans one step beside the best in one field. */
  neighbours: SweptPlan[];
  /** Whether the best gains while fewer than half of its neighbours do: then it may be the luckiest, not the best. */
  isLonely: boolean;
}

const MOST_PLANS = 10_000;
/** Plans in one crossing, if somebody wants to know how far it is. */
const BLOCK = 16;

/** Every combination of a grid, and its places. */
function combined(
  grid: ExitGrid,
  base: ExitPlan,
): { fields: (keyof ExitPlan)[]; plans: { plan: ExitPlan; at: number[] }[] } {
  const fields = Object.keys(grid).filter((field) => grid[field as keyof ExitPlan] !== undefined) as (keyof ExitPlan)[];
  let plans = [{ plan: base, at: [] as number[] }];
  for (const field of fields) {
    const values = grid[field] as readonly unknown[];
    if (!Array.isArray(values) || !values.length) throw new TypeError(`grid.${field} must be a list of values`);
    if (plans.length * values.length > MOST_PLANS) throw new RangeError(`a grid has at most ${MOST_PLANS} plans`);
    plans = plans.flatMap(({ plan, at }) =>
      values.map((value, place) => ({ plan: { ...plan, [field]: value } as ExitPlan, at: [...at, place] })),
    );
  }
  return { fields, plans };
}

export const plansIn = (grid: ExitGrid): number => combined(grid, {}).plans.length;

/**
 * Runs every plan of a grid over the same tape with the same seed, in one crossing. What the grid does not name comes from
 * `options.exits`. A strategy function is not called.
 *
 * @param options - as of `backtest`, with `grid`, and with `onProgress`, which is called with how many plans are done and how many
 * there are: then it crosses once for every 16 plans.
 *
 * @throws {TradeNotSentError} `invalid_options`, as of `backtest`.
 *
 * @example
 * ```js
 * import { Sandbox, sweep } from "launchpad-desk/sandbox";
 *
 * const sandbox = new Sandbox({ tokens: [], market: { alive: true, seed: 7 } });
 * sandbox.advance(300_000);
 * const { best, neighbours, isLonely } = sweep({
 *   tape: sandbox.marketTrades,
 *   entry: { lamports: 100_000_000n, afterMs: 10_000 },
 *   exits: { slippage: { percent: 20 } },
 *   grid: { stopLoss: ["0.6x", "0.7x", "0.8x"], timeMs: [30_000, 60_000, 120_000] },
 * });
 * console.log(best.plan.stopLoss, neighbours.length, isLonely);
 * ```
 */
export function sweep(
  options: BacktestOptions & { grid: ExitGrid; onProgress?: (done: number, all: number) => void },
): BacktestSweep {
  const { exits, grid, onProgress, ...terms } = options;
  const { fields, plans } = combined(grid, (exits instanceof Exits ? exits.plan : exits) ?? {});
  const { made: tape, start } = tapeOf(options, sweep);
  const swept: SweptPlan[] = [];
  try {
    const block = onProgress ? BLOCK : plans.length;
    for (let from = 0; from < plans.length; from += block) {
      const some = plans.slice(from, from + block);
      const args = callArgs({ terms: termsOf(terms), start: start.options, plans: some.map(({ plan }) => plan) });
      const words = result<BigInt64Array>(tape.sweepExits(args), sweep);
      some.forEach(({ plan, at }, index) => {
        const [profitLamports = 0n, positions, wins, landed, failed, drawdownLamports = 0n] = words.subarray(
          index * 6,
          index * 6 + 6,
        );
        swept.push({
          plan,
          at,
          profitLamports,
          positions: Number(positions),
          wins: Number(wins),
          landed: Number(landed),
          failed: Number(failed),
          drawdownLamports,
        });
      });
      onProgress?.(swept.length, plans.length);
    }
  } finally {
    tape.free();
  }
  const best = swept.reduce((best, one) => (one.profitLamports > best.profitLamports ? one : best));
  const steps = (one: SweptPlan) =>
    one.at.reduce((sum, place, field) => sum + Math.abs(place - (best.at[field] ?? 0)), 0);
  const neighbours = swept.filter((one) => steps(one) === 1);
  const gaining = neighbours.filter(({ profitLamports }) => profitLamports > 0n).length;
  return {
    fields,
    plans: swept,
    best,
    neighbours,
    isLonely: best.profitLamports > 0n && gaining * 2 < neighbours.length,
  };
}
