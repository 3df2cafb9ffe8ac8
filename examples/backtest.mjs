// Tries a rule on a living market: buy what others buy, sell what falls. It prints a table of the results, and draws its equity as SVG:
//
//   node examples/backtest.mjs equity.svg --trades 100000 --seed 7
//
// The same seed gives the same result. The rivals come from the seed, and do not know the news or you: a gain here shows that a
// rule runs, not that it is good.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { backtest } from "./backtest/bot.mjs";
import { chart } from "./backtest/chart.mjs";
import { figuresOf, table } from "./backtest/figures.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { trades: { type: "string" }, seed: { type: "string" } } });
const [trades, seed] = [Number(values.trades ?? 100_000), Number(values.seed ?? 7)];

/** A bar on a terminal, elsewhere a line for each tenth. It goes to standard error, so that it is not part of the result. */
let tenths = 0;
const onProgress = (/** @type {number} */ made) => {
  const done = Math.min(1, made / trades);
  const said = `${made.toLocaleString("en")} of ${trades.toLocaleString("en")} market trades`;
  const bar = "█".repeat(Math.round(done * 30)).padEnd(30, "░");
  if (process.stderr.isTTY) process.stderr.write(`\r${bar} ${said} ${done < 1 ? "" : "\n"}`);
  else if (Math.floor(done * 10) > tenths) console.error(`${(tenths = Math.floor(done * 10))}0 %: ${said}`);
};

const result = await backtest({ trades, seed, onProgress });
const figures = figuresOf(result);
console.log(table(figures));
const [file] = positionals;
if (file) writeFileSync(file, chart(result.points, figures));
