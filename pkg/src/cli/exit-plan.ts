// An exit plan as options of a command: `backtest` tries one, `exits` carries one out.

import type { Command } from "commander";
import { UsageError, wholeOf } from "./command.js";
import { slippageOf } from "./request.js";
import { jsonOf } from "./text-file.js";

export interface ExitFlags {
  exits?: string;
  takeProfit?: string[];
  stopLoss?: string;
  breakEvenAfter?: string;
  trailing?: string;
  hold?: string;
  onGraduation?: string;
  slippage?: string;
}

const MOST_SECONDS = 10 ** 9;

/** Two halves of an option, such as 2x:50%. `other` is what the second one may be. */
function pair(option: string, text: string, example: string): [string, string] {
  const [one, other, ...more] = text.split(":");
  if (!one || !other || more.length)
    throw new UsageError(
      `--${option} takes two values with a colon between, not ${text}; such as ${one && !more.length ? one : "1.5x"}:${example}`,
    );
  return [one, other];
}

/** The exit plan of the file, and over it those of the flags, which people type. The core checks it. */
export async function exitPlanOf(options: ExitFlags): Promise<Record<string, unknown>> {
  const { readTypedMultiple, readTypedPercentage } = await import("launchpad-desk");
  const multiple = (option: string, text: string): string => {
    const typed = readTypedMultiple(text);
    if (typed.state !== "read") throw new UsageError(`--${option}: ${text} ${typed.message}`);
    return typed.text;
  };
  const part = (option: string, text: string): string => {
    const typed = readTypedPercentage(text);
    // A number alone is no percentage: the core says so.
    if (!text.trim().endsWith("%")) return text;
    if (typed.state !== "read") throw new UsageError(`--${option}: ${text} ${typed.message}`);
    return `${typed.text}%`;
  };
  const { takeProfit, stopLoss, breakEvenAfter, trailing, hold, onGraduation, slippage } = options;
  const [by, from] = trailing?.includes(":") ? pair("trailing", trailing, "1.5x") : [trailing, undefined];
  return {
    ...(options.exits !== undefined && (await jsonOf("exits", options.exits))),
    ...(takeProfit && {
      takeProfit: takeProfit
        .map((rung) => pair("take-profit", rung, "50%"))
        .map(([at, sell]) => ({ at: multiple("take-profit", at), sell: part("take-profit", sell) })),
    }),
    ...(stopLoss !== undefined && { stopLoss: multiple("stop-loss", stopLoss) }),
    ...(breakEvenAfter !== undefined && { breakEvenAfter: multiple("break-even-after", breakEvenAfter) }),
    ...(by !== undefined && { trailing: { by: part("trailing", by), from: from && multiple("trailing", from) } }),
    ...(hold !== undefined && { timeMs: Number(wholeOf("hold", hold, MOST_SECONDS, 1)) * 1_000 }),
    ...(onGraduation !== undefined && { onGraduation: { from: part("on-graduation", onGraduation) } }),
    ...(slippage !== undefined && { slippage: await slippageOf(slippage) }),
  };
}

export const withExitPlan = (command: Command): Command =>
  command
    .option("--exits <plan>", "an exit plan: JSON, or a file of it; the flags below go over it")
    .option("--take-profit <rung...>", "sells a part at a multiple, 2x:50%, or at a change: +100%:50%")
    .option("--stop-loss <multiple>", "sells everything at this multiple or below: 0.7x, or -30%")
    .option("--break-even-after <multiple>", "once it had this multiple, sells everything at 1x or below: 1.4x")
    .option("--trailing <by>", "sells everything this far below the best: 30%, or from a multiple on: 30%:1.5x")
    .option("--hold <seconds>", "sells everything this long after the buy")
    .option("--on-graduation <part>", "sells everything once this part of the curve is sold: 95%");
