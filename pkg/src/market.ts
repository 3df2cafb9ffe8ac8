// `launchpad-desk/market`: the launchpad's maths, what the chain's accounts say, orders and exits.

export { RefusalError } from "./errors.js";
export type {
  ChainCurve,
  Completion,
  CurveBundleQuote,
  CurveConfig,
  CurveReserves,
  ExitOrder,
  ExitPlan,
  ExitReason,
  ExitState,
  FeeTierConfig,
  Global,
  Holding,
  LaunchpadConfig,
  Mint,
  PositionState,
  RefusalCode,
  TradeReceipt,
} from "./generated.js";
export type { Amount } from "./argument.js";
export {
  AccountError,
  type ChainAccount,
  readCurve,
  readFeeTiers,
  readGlobal,
  readHolding,
  readMint,
} from "./market/accounts.js";
export * from "./market/addresses.js";
export type * from "./market/bundle.js";
export {
  Curve,
  type CurveOptions,
  type CurveToken,
  REFUSED,
  defaultLaunchpad,
  launchpadRules,
} from "./market/curve.js";
export type { CurveQuote, QuoteNumber } from "./market/quote.js";
export { type CurveColumns, readCurves } from "./market/curves.js";
export { Exits } from "./market/exits.js";
export {
  type ExitClient,
  type ExitEvent,
  type ExitLook,
  type ExitMarket,
  type ManageOptions,
  Managed,
} from "./market/manage.js";
export { type Look, type LookCurve, type MarketQuote, lookWith, quoteAt } from "./market/look.js";
export { Market, type MarketOptions, type MarketWatchOptions } from "./market/market.js";
export { MarketError } from "./market/market-error.js";
export { OpenExits, type OrderedExit } from "./market/open-exits.js";
export { capacities, equalSpends, jitteredSpends, splitBundle, weightedSpends } from "./market/plan.js";
export { Position } from "./market/position.js";
export { attribution, receipt } from "./market/receipt.js";
export { type TradeOrder, toBundleRequest, toRequest } from "./market/request.js";
export type { AccountUpdate } from "./market/stream.js";
export { Trader, type TraderOptions, type WalletState } from "./market/trader.js";
export type { WatchOptions } from "./watching.js";
