// `launchpad-desk backtest`: exit plans over a tape that was recorded.

import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { BacktestReportOptions, ExitGrid, RecordingColumns } from "launchpad-desk/sandbox";
import { UsageError, checked, wholeOf, withExample } from "./command.js";
import { type ExitFlags, exitPlanOf, withExitPlan } from "./exit-plan.js";
import { readProfile } from "./profile.js";
import { lamportsOf, slippageOf, wholeAmount } from "./request.js";
import { coloured, print, progress } from "./show.js";
import { jsonOf, textIn } from "./text-file.js";

interface Options extends ExitFlags {
  profile?: string;
  sol: string;
  after: string;
  every?: string;
  grid?: string;
  latency?: string;
  priorityUnitPrice?: string;
  seeds: string;
  html?: string;
  columns?: string;
  json?: boolean;
}

/** The tape in a text: recorded trades, or the trades of a desk's record that landed. */
async function tapeOf(text: string): Promise<NonNullable<BacktestReportOptions["tape"]>> {
  if (!/^\{"number":\d+,"atMs":\d+,"by":/.test(text)) return text;
  const { tape, leftOut } = await (await import("launchpad-desk/record")).recordTape(text);
  if (leftOut)
    process.stderr.write(`${leftOut} of the record's trades are left out: it does not say how much they sold.\n`);
  return tape;
}

const MOST_SECONDS = 10 ** 9;
const MOST_COUNT = 100_000;

async function optionsOf(file: string, options: Options): Promise<BacktestReportOptions> {
  const columns =
    options.columns === undefined ? undefined : await jsonOf<RecordingColumns>("columns", options.columns);
  const exits = await exitPlanOf(options);
  const grid = options.grid === undefined ? undefined : await jsonOf<ExitGrid>("grid", options.grid);
  const { slippage, latency, priorityUnitPrice, every } = options;
  return {
    tape: await tapeOf(await textIn(file, "the tape")),
    ...(columns && { columns }),
    title: file,
    entry: {
      lamports: await lamportsOf("--sol", options.sol),
      afterMs: Number(wholeOf("after", options.after, MOST_SECONDS)) * 1_000,
    },
    // A grid may have all the rules, and the option --slippage alone is that of the buys.
    ...((options.exits !== undefined || grid || Object.keys(exits).some((field) => field !== "slippage")) && { exits }),
    ...(grid && { grid }),
    ...(latency !== undefined && {
      latencyMs: latency.split(",").map((ms) => Number(wholeOf("latency", ms.trim(), MOST_SECONDS))),
    }),
    ...(every !== undefined && { lookEveryMs: Number(wholeOf("every", every, MOST_SECONDS)) * 1_000 }),
    ...(slippage !== undefined && { slippage: await slippageOf(slippage) }),
    // The flags name their unit; what a file has may not.
    ...((options.exits ?? options.grid) !== undefined && {
      slippageUnit: (await readProfile(options.profile)).client["slippageUnit"] as "percent" | "bps",
    }),
    ...(priorityUnitPrice !== undefined && {
      fees: { priorityUnitPrice: await wholeAmount("--priority-unit-price", priorityUnitPrice) },
    }),
    seeds: Number(wholeOf("seeds", options.seeds, MOST_COUNT)),
    onProgress: (done, all) => void (done === all || done % 10 === 0 ? progress(`${done} of ${all} steps`) : undefined),
  };
}

/** A text as lines, without the end of its last one. */
const linesOf = (text: string): string[] => text.replace(/\n$/, "").split("\n");

async function run(file: string, options: Options): Promise<void> {
  const given = await optionsOf(file, options);
  const { backtestReport, reportHtml, reportText } = await import("launchpad-desk/sandbox");
  const report = checked(() => backtestReport(given));
  // Such as the file of an export that failed: no result of nothing.
  if (!report.run.replayed && !report.run.skipped.length) throw new UsageError(`${file} has no trades`);
  if (options.html !== undefined) await writeFile(options.html, reportHtml(report));
  const [headline = "", ...rest] = linesOf(reportText(report));
  print({ json: options.json, command: "backtest", profile: undefined, exitCode: 0 }, { mode: "simulated", report }, [
    coloured(headline, report.run.profitLamports < 0n ? 1 : 0),
    ...rest,
  ]);
}

export function addBacktest(program: Command): void {
  const begun = program
    .command("backtest")
    .summary("try exit plans on recorded trades")
    .argument("<tape>", "recorded trades: CSV, a JSON array, a JSON object on each line, or a desk's record")
    .option("--columns <mapping>", "which column of a tape of others is what: JSON, or a file of it")
    .option("--sol <sol>", "what each buy spends, fees included", "0.1")
    .option("--after <seconds>", "buys each token this long after its first trade", "10")
    .option("--every <seconds>", "how often the exits look, as in `exits run` (default: after each trade)");
  const command = withExitPlan(begun)
    .option("--grid <values>", "values to try of each field of the exit plan: JSON, or a file of it; each plan is run")
    .option(
      "--latency <ms>",
      "from a decision until its order arrives: one time, or measured ones with commas (default: 0)",
    )
    .option("--slippage <percent>", "how far the price may move until an order arrives (default: 0.5)")
    .option("--priority-unit-price <price>", "micro-lamports for each compute unit (default: none)")
    .option("--seeds <number>", "how many seeds to run, from 0 on: the latency is drawn from them", "1")
    .option(
      "--profile <name>",
      "the profile that is to carry the plan out: a slippage without a unit in --exits or --grid is in its slippageUnit",
    )
    .option("--html <file>", "writes the report as one page")
    .option("--json", "print one JSON document");
  withExample(
    command,
    "backtest trades.csv --stop-loss 0.7x --take-profit 2x:50% --hold 300 --latency 350,420,900 --html report.html",
  ).action(run);
}
