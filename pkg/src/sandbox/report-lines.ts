// What a report says, in words and exact amounts: the same facts for a terminal and for a page.

import type { BacktestReason, BacktestRun, ExitPlan } from "../generated.js";
import { lamportsToSol } from "../trade/units.js";
import type { BacktestReport } from "./report.js";

/** Exact SOL, with a sign for what was gained or lost. */
export const gained = (lamports: bigint): string => `${lamports > 0n ? "+" : ""}${lamportsToSol(lamports)} SOL`;
export const sol = (lamports: bigint): string => `${lamportsToSol(lamports)} SOL`;

/** A time as people say it. */
export function time(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours) return `${hours} h ${minutes} min`;
  if (minutes) return `${minutes} min ${seconds % 60} s`;
  return ms < 1_000 ? `${ms} ms` : `${seconds} s`;
}

/** A percentage to one place, as text that names it: `"55.5555%"` is 55.5 %. Rounded down, so that nearly all is never all. */
export function percent(part: string): string {
  const [whole, fraction = "0"] = part.slice(0, -1).split(".");
  return `${whole}.${fraction[0]} %`;
}

/** Reasons in a trader's words. */
export const REASONS: Record<BacktestReason, string> = {
  entry: "entry",
  strategy: "strategy",
  close_now: "closed by the strategy",
  graduation: "before graduation",
  stop_loss: "stop-loss",
  break_even: "back at what was paid",
  trailing: "trailing stop",
  time: "time over",
  take_profit: "take-profit",
  end: "end of the tape",
  unsold: "could not be sold",
};

/** A plan's fields of a grid, in a line. */
export const planLine = (plan: ExitPlan, fields: readonly (keyof ExitPlan)[]): string =>
  fields.map((field) => `${field} ${valueLine(plan[field])}`).join(", ");

/** A value of a grid. */
export function valueLine(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value !== "object") return `${value as string}`;
  if (Array.isArray(value)) return value.map((rung) => valueLine(rung)).join(" ") || "none";
  return Object.values(value)
    .map((part) => valueLine(part))
    .join("/");
}

export type Facts = readonly (readonly [string, string])[];

export function results(run: BacktestRun): Facts {
  const count = (outcome: string): number => run.orders.filter((order) => order.outcome === outcome).length;
  const { drawdown } = run;
  const sent = count("landed") + count("failed");
  return [
    ["positions", `${run.positions.length}`],
    ["gained", run.positions.length ? `${run.wins}, ${percent(run.winRate)}` : "none"],
    ["orders that arrived", `${sent}, ${count("failed")} of them failed`],
    ["orders not sent", `${count("not_sent")}`],
    [
      "deepest fall",
      drawdown.lamports
        ? `${sol(drawdown.lamports)}, ${percent(drawdown.part)}, ${drawdown.toMs > drawdown.fromMs ? `in ${time(drawdown.toMs - drawdown.fromMs)}` : "at once"}`
        : "none",
    ],
    ["in the market", `${time(run.inMarketMs)} of ${time(run.tapeMs)}, ${percent(run.inMarket)}`],
    ["exposed, on average", `${percent(run.exposure)} of the wallet`],
    ["exposed, at most", sol(run.mostExposedLamports)],
  ];
}

/** From the prices to the profit, exactly. */
export function costs(run: BacktestRun): Facts {
  const {
    protocolFeesLamports,
    creatorFeesLamports,
    networkFeesLamports,
    priorityFeesLamports,
    rentPaidLamports,
    rentReturnedLamports,
  } = run.costs;
  return [
    ["prices alone", gained(run.priceProfitLamports)],
    ["protocol fees", gained(-protocolFeesLamports)],
    ["creator fees", gained(-creatorFeesLamports)],
    ["network fees", gained(-networkFeesLamports)],
    ["priority", gained(-priorityFeesLamports)],
    ["rent paid", gained(-rentPaidLamports)],
    ["rent returned", gained(rentReturnedLamports)],
    ["profit", gained(run.profitLamports)],
  ];
}

export const replayed = ({ replayed, skipped }: BacktestRun): Facts => [
  ["trades of others made again", `${replayed}`],
  ...skipped.map(({ reason, trades }) => [`not made: ${reason.replaceAll("_", " ")}`, `${trades}`] as const),
];

export const spread = ({
  profitsLamports,
  leastLamports,
  quarterLamports,
  medianLamports,
  threeQuartersLamports,
  mostLamports,
  gained: gains,
}: NonNullable<BacktestReport["seeds"]>): Facts => [
  ["gained", `${gains} of ${profitsLamports.length}`],
  ["worst", gained(leastLamports)],
  ["a quarter at or below", gained(quarterLamports)],
  ["median", gained(medianLamports)],
  ["three quarters at or below", gained(threeQuartersLamports)],
  ["best", gained(mostLamports)],
];

/** What to think of it, in a sentence each. */
export function verdicts(report: BacktestReport): string[] {
  const { run, withoutIdea, positionsWithoutIdea, beaten, seeds, isOneRun, sweep } = report;
  const said: string[] = [];
  if (!run.positions.length) said.push("Nothing was bought, so there is nothing to judge.");
  if (run.positions.length && run.positions.length < 30)
    said.push(`With ${run.positions.length} position${run.positions.length === 1 ? "" : "s"}, most of this is luck.`);
  const often = Math.floor(positionsWithoutIdea * 10) / 10;
  if (withoutIdea && beaten === null)
    said.push(
      `Bots without an idea found times for only ${often} of its ${run.positions.length} buys, on average: too few to compare it with.`,
    );
  else if (withoutIdea)
    said.push(
      `It beats ${beaten} of ${withoutIdea.profitsLamports.length} bots without an idea, which bought ${often < run.positions.length ? `${often} times on average` : "as often"}, for the same amounts and times, at random moments.`,
    );
  if (seeds) said.push(`${seeds.gained} of ${seeds.profitsLamports.length} seeds gain.`);
  if (isOneRun) said.push("With one tape and one latency every seed is the same run, so there is only this one.");
  if (sweep) {
    const gaining = sweep.neighbours.filter(({ profitLamports }) => profitLamports > 0n).length;
    const best = `The best of ${sweep.plans.length} plans is ${planLine(sweep.best.plan, sweep.fields)}, with ${gained(sweep.best.profitLamports)}`;
    const beside = sweep.neighbours.length ? `; ${gaining} of its ${sweep.neighbours.length} neighbours gain` : "";
    said.push(`${best}${beside}.${sweep.isLonely ? " It stands alone, so it may only be the luckiest." : ""}`);
  }
  const lost = run.skipped.reduce((sum, { trades }) => sum + trades, 0);
  if (lost * 20 > run.replayed + lost)
    said.push(
      "More than one in twenty trades of the tape could not be made again: our own trades are too large for it, or it starts from another curve.",
    );
  return said;
}
