// A backtest of exits on what others have traded of a token, as the package's own report.

import type { ExitPlan } from "../../generated.js";
import type { Holding } from "../positions/holdings.js";
import { loadSandbox } from "../later/kit.js";
import type { World } from "../worlds/world.js";

/** How long after the end of a position the next one is bought. */
const PAUSE_MS = 5_000;
const LATENCY_MS = 500;
/** How often the panel's exits look. */
const LOOK_MS = 1_000;

/** The report as an HTML page, and of how many trades it is; undefined if too few are remembered. */
export async function rehearse(
  world: World,
  { token, wallet, cost }: Holding,
  plan: ExitPlan,
  title: string,
): Promise<{ readonly page: string; readonly trades: number } | undefined> {
  const past = world.past?.(token.mint);
  if (!past) return undefined;
  const { backtestReport, reportHtml } = await loadSandbox();
  const start = new world.maths.Curve(past.start);
  try {
    const lamports = (world.wallets().find((known) => known.wallet === wallet)?.lamports ?? 0n) + cost;
    const { slippage, priorityUnitLimit, priorityUnitPrice } = plan;
    const report = backtestReport({
      title,
      tape: past.trades,
      start,
      lamports,
      entry: { lamports: cost, everyMs: PAUSE_MS },
      exits: plan,
      latencyMs: LATENCY_MS,
      lookEveryMs: LOOK_MS,
      // Its buys pay what its sells do.
      fees: { ...(priorityUnitLimit && { priorityUnitLimit }), ...(priorityUnitPrice && { priorityUnitPrice }) },
      ...(slippage && { slippage }),
    });
    return { page: reportHtml(report), trades: past.trades.length };
  } finally {
    start.free();
  }
}
