// The report of a backtest: what it brought, what luck had to do with it, and what a bot without an idea would have made.

import type { BacktestRun } from "../generated.js";
import { type BacktestOptions, runOf, tapeOf } from "./backtest.js";
import { type BacktestSweep, type ExitGrid, plansIn, sweep } from "./sweep.js";

/** Profits of many runs. See {@link backtestReport}. */
export interface BacktestDistribution {
  /** Every profit, the smallest first, in lamports. */
  profitsLamports: bigint[];
  leastLamports: bigint;
  /** A quarter of the runs are at this or below, in lamports. */
  quarterLamports: bigint;
  /** Half of them are. */
  medianLamports: bigint;
  /** Three quarters are. */
  threeQuartersLamports: bigint;
  mostLamports: bigint;
  /** How many runs gained. */
  gained: number;
}

/** What a person should see of a backtest. `reportText` and `reportHtml` show it. See {@link backtestReport}. */
export interface BacktestReport {
  /** What it is of. */
  title: string;
  /** The run with the seed that was given. */
  run: BacktestRun;
  /** Profits over several seeds, this one first among them; null for a single one. */
  seeds: BacktestDistribution | null;
  /** Whether more seeds were asked for that would have been this run again: with one tape and one latency a seed changes nothing. */
  isOneRun: boolean;
  /**
   * Profits of bots without an idea: as many buys for the same amounts, held as long, each at a random trade of the tape. A buy that finds no time
   * between the others of its token is left out. Null if the run had no position.
   */
  withoutIdea: BacktestDistribution | null;
  /** How many positions those had, on average. */
  positionsWithoutIdea: number;
  /** How many of those the run beats. Null without any, and if they had less than nine tenths of its positions. */
  beaten: number | null;
  /** The grid of exit plans, if there was one. */
  sweep: BacktestSweep | null;
}

/** What `backtestReport` takes besides the options of a backtest. See {@link backtestReport}. */
export interface BacktestReportOptions extends Omit<BacktestOptions, "tape" | "seed"> {
  /** The tape, or a function of the seed that gives one: then every seed is another market. */
  tape: BacktestOptions["tape"] | ((seed: number) => BacktestOptions["tape"]);
  /** The first seed. Default: 0. */
  seed?: number;
  /** How many seeds to run, one after the other: once, if a seed changes nothing. Default: 1. */
  seeds?: number;
  /** How many bots without an idea to compare with. Default: 100. */
  withoutIdea?: number;
  /** Exit plans to try, as for `sweep`, on the first tape. */
  grid?: ExitGrid;
  /** Default: Backtest. */
  title?: string;
  /** Told how many steps are done, and how many there are: each seed, the bots without an idea, and each plan of the grid. */
  onProgress?: (done: number, all: number) => void;
}

/** The order of amounts; as numbers they would be rounded. */
export const ascending = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other);

function distributionOf(profits: Iterable<bigint>): BacktestDistribution {
  const profitsLamports = [...profits].sort(ascending);
  // The nearest rank: always one of the runs.
  const at = (quarters: number): bigint =>
    profitsLamports[Math.max(0, Math.ceil((profitsLamports.length * quarters) / 4) - 1)] ?? 0n;
  return {
    profitsLamports,
    leastLamports: at(0),
    quarterLamports: at(1),
    medianLamports: at(2),
    threeQuartersLamports: at(3),
    mostLamports: at(4),
    gained: profitsLamports.filter((profit) => profit > 0n).length,
  };
}

function least(name: string, value: number, from: number): number {
  if (!Number.isSafeInteger(value) || value < from || value > 100_000)
    throw new RangeError(`${name} must be a whole number from ${from} to 100000`);
  return value;
}

/**
 * Runs a backtest with everything that helps to judge it: many seeds, bots without an idea beside it, and a grid of exit plans.
 *
 * @throws {TradeNotSentError} as `backtest` does; a RangeError for counts that are not whole numbers.
 *
 * @example
 * ```js
 * import { Sandbox, backtestReport, reportText } from "launchpad-desk/sandbox";
 *
 * const report = backtestReport({
 *   tape: (seed) => {
 *     const sandbox = new Sandbox({ tokens: [], market: { alive: true, seed } });
 *     sandbox.advance(120_000);
 *     return sandbox.marketTrades;
 *   },
 *   seeds: 5,
 *   entry: { lamports: 100_000_000n, afterMs: 5_000 },
 *   exits: { stopLoss: "0.7x", timeMs: 30_000, slippage: { percent: 20 } },
 *   latencyMs: [350, 420, 900],
 * });
 * console.log(report.seeds?.gained, report.beaten);
 * console.log(reportText(report));
 * ```
 */
export function backtestReport(options: BacktestReportOptions): BacktestReport {
  const {
    tape,
    grid,
    onProgress,
    title = "Backtest",
    seed: firstSeed,
    seeds: manySeeds,
    withoutIdea: manyBots,
    ...terms
  } = options;
  const seed = least("seed", firstSeed ?? 0, 0);
  const asked = least("seeds", manySeeds ?? 1, 1);
  const latencies = new Set([terms.latencyMs].flat());
  const isOneRun = asked > 1 && typeof tape !== "function" && latencies.size < 2;
  const seeds = isOneRun ? 1 : asked;
  const bots = least("withoutIdea", manyBots ?? 100, 0);
  const all = seeds + 1 + (grid ? plansIn(grid) : 0);
  const of = (seed: number): BacktestOptions["tape"] => (typeof tape === "function" ? tape(seed) : tape);
  const profits: bigint[] = [];
  let first: { run: BacktestRun; tape: BacktestOptions["tape"]; bots: bigint[] } | undefined;
  for (let more = 0; more < seeds; more++) {
    const given = of(seed + more);
    const { made, start } = tapeOf({ ...options, tape: given }, backtestReport);
    try {
      const { core, run } = runOf(made, start, { ...terms, tape: given, seed: seed + more }, backtestReport);
      try {
        profits.push(run.profitLamports);
        onProgress?.(more + 1, all);
        first ??= { run, tape: given, bots: run.positions.length ? [...core.withoutIdea(BigInt(seed), bots)] : [] };
      } finally {
        core.free();
      }
    } finally {
      made.free();
    }
  }
  const { run, tape: firstTape, bots: pairs } = first as NonNullable<typeof first>;
  // Each has a profit and a number of positions.
  const withoutIdea = pairs.filter((_, at) => at % 2 === 0);
  const bought = pairs.reduce((sum, pair, at) => sum + (at % 2 ? Number(pair) : 0), 0);
  const isAlike = bought > 0 && bought * 10 >= withoutIdea.length * run.positions.length * 9;
  onProgress?.(seeds + 1, all);
  const swept = grid
    ? sweep({
        ...terms,
        tape: firstTape,
        seed,
        grid,
        onProgress: onProgress && ((done) => onProgress(seeds + 1 + done, all)),
      })
    : null;
  return {
    title,
    run,
    seeds: seeds > 1 ? distributionOf(profits) : null,
    isOneRun,
    withoutIdea: withoutIdea.length ? distributionOf(withoutIdea) : null,
    positionsWithoutIdea: bought / (withoutIdea.length || 1),
    beaten: isAlike ? withoutIdea.filter((profit) => profit < run.profitLamports).length : null,
    sweep: swept,
  };
}
