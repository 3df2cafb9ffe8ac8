// `launchpad-desk/sandbox`: the simulated launchpad, a chain around it, backtests and their tapes. The classes of the maths that it gives
// out are the market's.

export type {
  Audit,
  BacktestOrder,
  BacktestPosition,
  BacktestRun,
  BookEntry,
  CallRow,
  Candle,
  ChainFaults,
  Fault,
  FaultConfig,
  FaultKind,
  MarketConfig,
  MarketTrade,
  RecordedTrade,
  Replay,
  SandboxConfig,
  SandboxOutcome,
  SandboxToken,
  SandboxTokenAccount,
  SandboxTokenConfig,
  SandboxWallet,
  SandboxWalletConfig,
  TradeRow,
} from "./generated.js";
export { OUTCOME_HEADER, OUTCOME_PREFIX, audit, sandboxOutcomes } from "./sandbox/audit.js";
export {
  type BacktestAction,
  type BacktestEntry,
  type BacktestNow,
  type BacktestOptions,
  type BacktestSignal,
  type TapeColumns,
  backtest,
} from "./sandbox/backtest.js";
export { LocalChain } from "./sandbox/local-chain.js";
export type { SandboxLook } from "./sandbox/look.js";
export { type RecordingColumns, recording } from "./sandbox/recording.js";
export {
  type BacktestDistribution,
  type BacktestReport,
  type BacktestReportOptions,
  backtestReport,
} from "./sandbox/report.js";
export { reportHtml } from "./sandbox/report-html.js";
export { reportText } from "./sandbox/report-text.js";
export { Sandbox, quote } from "./sandbox/sandbox.js";
export { type MarketEvent, SandboxMarket, type SandboxMarketOptions } from "./sandbox/sandbox-market.js";
export { type BacktestSweep, type ExitGrid, type SweptPlan, sweep } from "./sandbox/sweep.js";
