// The report of a backtest for a terminal.

import { type BacktestReport, ascending } from "./report.js";
import { type Facts, REASONS, costs, gained, planLine, replayed, results, spread, verdicts } from "./report-lines.js";

export function table(title: string, facts: Facts): string {
  const left = Math.max(...facts.map(([name]) => name.length));
  const right = Math.max(...facts.map(([, value]) => value.length));
  return [title, ...facts.map(([name, value]) => `  ${name.padEnd(left)}  ${value.padStart(right)}`)].join("\n");
}

const MOST_PLANS = 10;

/**
 * A report as text for a terminal, every amount exact.
 *
 * @example
 * ```js
 * import { backtestReport, reportText } from "launchpad-desk/sandbox";
 *
 * const tape = "atMs,side,mint,lamports,tokens\n0,buy,M,3000000000,\n9000,buy,M,2000000000,";
 * console.log(reportText(backtestReport({ tape, entry: { lamports: 100_000_000n } })).split("\n")[0]); // Backtest: +0.009602183 SOL
 * ```
 */
export function reportText(report: BacktestReport): string {
  const { title, run, seeds, withoutIdea, sweep } = report;
  const reasons = run.reasons.map(
    ({ reason, positions, wins, profitLamports }) =>
      [`${REASONS[reason]}: ${positions}, ${wins} gained`, gained(profitLamports)] as const,
  );
  const plans =
    sweep &&
    [...sweep.plans].sort((one, other) => ascending(other.profitLamports, one.profitLamports)).slice(0, MOST_PLANS);
  return (
    [
      [`${title}: ${gained(run.profitLamports)}`, ...verdicts(report)].join("\n"),
      table("Results", results(run)),
      table("From the prices to the profit", costs(run)),
      ...(reasons.length ? [table("Positions, by the reason they ended for", reasons)] : []),
      ...(seeds ? [table(`Over ${seeds.profitsLamports.length} seeds`, spread(seeds))] : []),
      ...(withoutIdea
        ? [table(`${withoutIdea.profitsLamports.length} bots without an idea`, spread(withoutIdea))]
        : []),
      ...(sweep && plans
        ? [
            table(
              `The best of ${sweep.plans.length} plans`,
              plans.map(({ plan, profitLamports }) => [planLine(plan, sweep.fields), gained(profitLamports)]),
            ),
          ]
        : []),
      table("The tape", replayed(run)),
    ].join("\n\n") + "\n"
  );
}
