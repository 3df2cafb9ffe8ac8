// `launchpad-desk`: check, price, build, send and render trades.

export { isValid, operationAt, readCall, readReply, reconcile, redact, validate } from "./check.js";
export type { Observed, SentCall } from "./check.js";
export type { Reconciled, WalletFinding } from "./reconciled.js";
export { TradeClient } from "./client.js";
export type { FormOnly, FormRecord } from "./client.js";
export {
  TradeError,
  TradeFailedError,
  TradeNotSentError,
  TradeOutcomeUnknownError,
  TradeRejectedError,
  isTradeError,
  isTradeFailedError,
  isTradeNotSentError,
  isTradeOutcomeUnknownError,
  isTradeRejectedError,
} from "./errors.js";
export type {
  AnyTrade,
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
  Certainty,
  CheckResult,
  Code,
  ExactBalances,
  ExactResults,
  ExplorerLinks,
  FieldCode,
  FieldError,
  Found,
  GuardMode,
  IntentOutcome,
  IntentState,
  Line,
  Link,
  Operation,
  OtherTrade,
  Outcome,
  Portion,
  RequestOf,
  Seen,
  SellByPercentageRequest,
  SellRequest,
  SellTrade,
  Shown,
  SingleResult,
  SlippageInput,
  TokenInput,
  Trade,
  TradeStatus,
  TransactionOf,
  View,
  Warning,
  WarningCode,
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
  PricedPlan,
  SettledTrade,
  UnsettledTrade,
  WalletBalances,
} from "./options.js";
export { readError } from "./plain.js";
export type { Plan, PlanOptions, PlanRefusal, TextFigures, TradeOf } from "./plan.js";
export { renderHtml, renderText, view } from "./render.js";
export type { FetchInit, FetchReply } from "./runtime.js";
export type { TradePromise } from "./send.js";
export { fromBaseUnits, lamportsToSol, solToLamports, toBaseUnits } from "./units.js";
