// Tries exit plans on simulated markets, and writes the report as a page: what each plan brought, and what luck had to do with it.
//
//   node examples/backtest.mjs report.html

import { writeFileSync } from "node:fs";
import { Sandbox, backtestReport, reportHtml, reportText } from "launchpad-desk/sandbox";

/** A market of half an hour, another one for each seed. Of your own, `recording(text)` reads CSV and JSON. @param {number} seed */
function tapeOf(seed) {
  const sandbox = new Sandbox({ tokens: [], market: { alive: true, seed } });
  sandbox.advance(1_800_000);
  return sandbox.marketTrades;
}

const report = backtestReport({
  title: "Buy each launch after ten seconds",
  tape: tapeOf,
  seed: 11,
  seeds: 20,
  entry: { lamports: 100_000_000n, afterMs: 10_000 },
  exits: { takeProfit: [{ at: "1.5x", sell: "50%" }], stopLoss: "0.7x", timeMs: 120_000, slippage: { percent: 20 } },
  grid: { stopLoss: ["0.5x", "0.6x", "0.7x", "0.8x"], timeMs: [30_000, 60_000, 120_000, 240_000] },
  latencyMs: [350, 400, 420, 480, 900, 2_000],
  slippage: { percent: 5 },
  fees: { priorityUnitPrice: 50_000n },
  onProgress: (done, all) =>
    void (process.stderr.isTTY && process.stderr.write(`\r${done} of ${all} steps${done < all ? "" : "\n"}`)),
});

console.log(reportText(report));
const [file] = process.argv.slice(2);
if (file) writeFileSync(file, reportHtml(report));
