// `launchpad-desk/market`: the launchpad's maths, what the chain's accounts say, orders and exits.

export { RefusalError } from "./errors.js";
export type {
  AccountKind,
  AccountRefusalCode,
  ChainCurve,
  Commitment,
  Completion,
  CurveBundleQuote,
  CurveConfig,
  CurveQuote,
  CurveReserves,
  ExitAnswered,
  ExitGone,
  ExitHappening,
  ExitMissing,
  ExitOrder,
  ExitPlan,
  ExitReason,
  ExitSold,
  ExitState,
  ExitTries,
  FeeTierConfig,
  Global,
  Holding,
  Holds,
  LaunchpadConfig,
  LaunchpadRule,
  LegKind,
  MarketErrorCode,
  Mint,
  OnGraduation,
  PositionDifference,
  PositionState,
  ReceiptFigure,
  ReceiptFinding,
  RefusalCode,
  TakeProfit,
  TradeReceipt,
  Trailing,
  TransactionFit,
  WalletLook,
} from "./generated.js";
export type { Amount } from "./argument.js";
export { type ChainAccount, readCurve, readFeeTiers, readGlobal, readHolding, readMint } from "./market/accounts.js";
export * from "./market/addresses.js";
export { Amounts, REFUSED } from "./market/batch.js";
export type * from "./market/bundle.js";
export { Curve, type CurveOptions, type CurveToken, defaultLaunchpad, launchpadRules } from "./market/curve.js";
export { type CurveColumns, readCurves } from "./market/curves.js";
export { Exits } from "./market/exits.js";
export type * from "./market/goal.js";
export {
  type EndedSell,
  type ExitClient,
  type ExitEvent,
  type ExitLook,
  type ExitMarket,
  type ManageOptions,
  Managed,
  type ManagedIntent,
} from "./market/manage.js";
export * from "./market/market.js";
export { OpenExits, type OrderedExit, type TickOptions } from "./market/open-exits.js";
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
} from "./market/plan.js";
export { Position } from "./market/position.js";
export * from "./market/receipt.js";
export * from "./market/request.js";
export { type WarningThresholds, Trader, type TraderOptions, type WalletState } from "./market/trader.js";
export { AccountError } from "./market/unreadable.js";
export type { WatchOptions } from "./watching.js";
