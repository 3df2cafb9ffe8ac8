// `launchpad-desk`: check, price, build, send and render trades; what people type and paste.

export { isValid, operationAt, readCall, readReply, reconcile, redact, validate } from "./trade/check.js";
export type { Reconciled } from "./trade/reconciled.js";
export { TradeClient } from "./trade/client.js";
export type { TradeMethods } from "./trade/client.js";
export {
  PositionError,
  TradeError,
  TradeFailedError,
  TradeNotSentError,
  TradeOutcomeUnknownError,
  TradeRejectedError,
  type AnyTradeError,
  isTradeError,
} from "./errors.js";
export type {
  BuiltCall,
  BundleBuyElement,
  BundleBuyRequest,
  BundleSellByPercentageElement,
  BundleSellByPercentageRequest,
  BundleSellElement,
  BundleSellRequest,
  BundleTrade,
  BuyRequest,
  BuyTrade,
  CheckResult,
  Code,
  Drift,
  ExitPosition,
  FieldError,
  Found,
  IntentOutcome,
  IntentState,
  LegQuote,
  Moved,
  Operation,
  Outcome,
  QuoteWarning,
  RequestOf,
  SellByPercentageRequest,
  SellRequest,
  SellTrade,
  Side,
  SlippageInput,
  TokenInput,
  Trade,
  TradeQuote,
  TypedTable,
  View,
  Warning,
} from "./generated.js";
export type {
  CallOptions,
  CheckOptions,
  ClientOptions,
  EndedTrade,
  GuardOptions,
  GuardState,
  Hooks,
  Counted,
  IntentDetails,
  Journal,
  Logger,
  Recalled,
  SendOptions,
  Settlement,
  Suspension,
  TradeIntent,
  ClientMarket,
  SettledTrade,
  WalletBalances,
} from "./trade/options.js";
export { readError } from "./trade/plain.js";
export type { Plan, PlanOptions, TradeOf } from "./trade/plan.js";
export { renderHtml, renderText, view } from "./trade/render.js";
export type { FetchInit, FetchReply } from "./runtime.js";
export type { TradePromise } from "./trade/sender.js";
export {
  type TypedAmount,
  type TypedMultiple,
  type TypedPercentage,
  readTypedAmount,
  readTypedMultiple,
  readTypedPercentage,
  readTypedSlippage,
  readTypedTable,
  shownText,
  typedText,
} from "./trade/typed.js";
export { fromBaseUnits, lamportsToSol, solToLamports, toBaseUnits } from "./trade/units.js";
