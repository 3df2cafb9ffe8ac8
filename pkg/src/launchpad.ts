// `launchpad-desk/launchpad`: the launchpad's maths and its sandbox.

export { RefusalError } from "./errors.js";
export type { Amount } from "./launchpad/argument.js";
export { type BacktestAction, type BacktestEntry, type BacktestNow, type BacktestOptions, type BacktestSignal, type TapeColumns, backtest } from "./launchpad/backtest.js";
export { Amounts, REFUSED } from "./launchpad/batch.js";
export type * from "./launchpad/bundle.js";
export { Curve, type CurveOptions, type CurveToken, defaultLaunchpad, launchpadRules } from "./launchpad/curve.js";
export { Exits } from "./launchpad/exits.js";
export type * from "./launchpad/goal.js";
export { type ExitClient, type ExitEvent, type ExitLook, type ExitMarket, type ManageOptions, Managed, type ManagedIntent } from "./launchpad/manage.js";
export { type InJson, type MarketEvent, SandboxMarket, type SandboxMarketOptions } from "./launchpad/market.js";
export {
  type BundlePart,
  type Capacities,
  type EqualTokens,
  type SplittableBundle,
  capacities,
  equalSpends,
  jitteredSpends,
  splitBundle,
  weightedSpends,
} from "./launchpad/plan.js";
export { OpenExits, type OrderedExit, type TickOptions } from "./launchpad/open-exits.js";
export { type BacktestDistribution, type BacktestReport, type BacktestReportOptions, backtestReport } from "./launchpad/report.js";
export { reportHtml } from "./launchpad/report-html.js";
export { reportText } from "./launchpad/report-text.js";
export { type BacktestSweep, type ExitGrid, type SweptPlan, sweep } from "./launchpad/sweep.js";
export { Position } from "./launchpad/position.js";
export * from "./launchpad/receipt.js";
export * from "./launchpad/request.js";
export { recording } from "./launchpad/recording.js";
export type { SandboxLook } from "./launchpad/look.js";
export { Sandbox, quote } from "./launchpad/sandbox.js";
export { OUTCOME_HEADER, OUTCOME_PREFIX, audit, sandboxOutcomes } from "./launchpad/audit.js";
export { type WarningThresholds, Trader, type TraderOptions, type WalletState } from "./launchpad/trader.js";
export type { WatchOptions } from "./watching.js";
export { fromBaseUnits, lamportsToSol, solToLamports, toBaseUnits } from "./units.js";
