// `launchpad-desk backtest`: exit plans over a tape that was recorded.

import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { BacktestReportOptions, ExitGrid } from "launchpad-desk/launchpad";
import { UsageError, wholeOf, withExample } from "./command.js";
import { coloured, exactly, progress } from "./show.js";

interface Options {
  sol: string;
  after: string;
  every?: string;
  exits?: string;
  grid?: string;
  takeProfit?: string[];
  stopLoss?: string;
  trailing?: string;
  hold?: string;
  latency?: string;
  slippage?: string;
  priorityPrice?: string;
  wallet: string;
  seed: string;
  seeds: string;
  title?: string;
  html?: string;
  json?: boolean;
}

async function textOf(what: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`${what}: ${(error as Error).message}`);
  }
}

async function jsonOf(option: string, file: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (file === undefined) return undefined;
  const text = await textOf(`--${option}`, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`--${option}: ${file} is not JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new UsageError(`--${option}: ${file} has no JSON object`);
  return value as Record<string, unknown>;
}

/** Two halves of an option, such as 2x:50%. */
function pair(option: string, text: string): [string, string] {
  const [one, other, ...more] = text.split(":");
  if (!one || !other || more.length) throw new UsageError(`--${option} takes two values with a colon between, not ${text}`);
  return [one, other];
}

/** A tape as lines of JSON, as a service streams them, becomes a list. */
function listOf(text: string): string {
  const lines = text.trim();
  return lines.startsWith("{") ? `[${lines.split(/\r?\n/).filter((line) => line.trim()).join(",")}]` : text;
}

/** The exit plan of the file, and over it those of the flags. */
async function exitsOf(options: Options): Promise<Record<string, unknown>> {
  const { takeProfit, stopLoss, trailing, hold, slippage } = options;
  const [by, from] = trailing?.includes(":") ? pair("trailing", trailing) : [trailing, undefined];
  return {
    ...(await jsonOf("exits", options.exits)),
    ...(takeProfit && { takeProfit: takeProfit.map((rung) => pair("take-profit", rung)).map(([at, sell]) => ({ at, sell })) }),
    ...(stopLoss !== undefined && { stopLoss }),
    ...(by !== undefined && { trailing: { by, from } }),
    ...(hold !== undefined && { timeMs: Number(wholeOf("hold", hold, MOST_SECONDS)) * 1_000 }),
    ...(slippage !== undefined && { slippage: { percent: slippage } }),
  };
}

const MOST_SECONDS = 10 ** 9;
const MOST_COUNT = 100_000;

async function optionsOf(file: string, options: Options): Promise<BacktestReportOptions> {
  const { solToLamports } = await import("launchpad-desk/launchpad");
  const lamports = (option: string, text: string): bigint => {
    try {
      return solToLamports(text);
    } catch (error) {
      throw new UsageError(`--${option}: ${(error as Error).message}`);
    }
  };
  const exits = await exitsOf(options);
  const grid = await jsonOf("grid", options.grid);
  const { slippage, latency, priorityPrice, every } = options;
  return {
    tape: listOf(await textOf("the tape", file)),
    title: options.title ?? file,
    lamports: lamports("wallet", options.wallet),
    entry: { lamports: lamports("sol", options.sol), afterMs: Number(wholeOf("after", options.after, MOST_SECONDS)) * 1_000, ...(every !== undefined && { everyMs: Number(wholeOf("every", every, MOST_SECONDS)) * 1_000 }) },
    // A grid may have all the rules.
    ...((Object.keys(exits).length > 0 || grid) && { exits }),
    ...(grid && { grid: grid as ExitGrid }),
    ...(latency !== undefined && { latencyMs: latency.split(",").map((ms) => Number(wholeOf("latency", ms.trim(), MOST_SECONDS))) }),
    ...(slippage !== undefined && { slippage: { percent: slippage } }),
    ...(priorityPrice !== undefined && { fees: { priorityUnitPrice: priorityPrice } }),
    seed: Number(wholeOf("seed", options.seed, Number.MAX_SAFE_INTEGER)),
    seeds: Number(wholeOf("seeds", options.seeds, MOST_COUNT)),
    onProgress: (done, all) => void (done === all || done % 10 === 0 ? progress(`${done} of ${all} steps`) : undefined),
  };
}

async function run(file: string, options: Options): Promise<void> {
  const given = await optionsOf(file, options);
  const { backtestReport, reportHtml, reportText } = await import("launchpad-desk/launchpad");
  let report: ReturnType<typeof backtestReport>;
  try {
    report = backtestReport(given);
  } catch (error) {
    // What it was given is wrong: nothing was traded, and nothing could have been.
    throw new UsageError((error as Error).message);
  }
  if (options.html !== undefined) await writeFile(options.html, reportHtml(report));
  process.exitCode = 0;
  if (options.json) return void process.stdout.write(`${JSON.stringify({ command: "backtest", mode: "simulated", exitCode: 0, report }, exactly)}\n`);
  const [headline = "", ...rest] = reportText(report).split("\n");
  process.stdout.write([coloured(headline, report.run.profitLamports < 0n ? 1 : 0), ...rest].join("\n"));
}

/** Adds the command. */
export function addBacktest(program: Command): void {
  const command = program
    .command("backtest")
    .summary("try exit plans on recorded trades")
    .argument("<tape>", "recorded trades: CSV, a JSON array, or a JSON object on each line")
    .option("--sol <sol>", "what each buy spends, fees included", "0.1")
    .option("--after <seconds>", "buys each token this long after its first trade", "10")
    .option("--every <seconds>", "buys again this long after the position was left (default: never)")
    .option("--exits <file>", "an exit plan as JSON; the flags below go over it")
    .option("--take-profit <rung...>", "sells a part at a multiple: 2x:50%")
    .option("--stop-loss <multiple>", "sells everything at this multiple or below: 0.7x")
    .option("--trailing <by>", "sells everything this far below the best: 30%, or from a multiple on: 30%:1.5x")
    .option("--hold <seconds>", "sells everything this long after the buy")
    .option("--grid <file>", "values to try of each field of the exit plan, as JSON: each plan is run")
    .option("--latency <ms>", "from a decision until its order arrives: one time, or measured ones with commas (default: 0)")
    .option("--slippage <percent>", "how far the price may move until an order arrives (default: 0.5)")
    .option("--priority-price <price>", "micro-lamports for each compute unit (default: none)")
    .option("--wallet <sol>", "what the wallet has", "10")
    .option("--seed <number>", "what the latency is drawn from", "0")
    .option("--seeds <number>", "how many seeds to run", "1")
    .option("--title <text>", "the title of the report (default: the file)")
    .option("--html <file>", "writes the report as one page")
    .option("--json", "print one JSON document");
  withExample(command, "backtest trades.csv --stop-loss 0.7x --take-profit 2x:50% --hold 300 --latency 350,420,900 --html report.html").action(run);
}
