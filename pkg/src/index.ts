// `launchpad-desk`: check, price, build, send and render trades; what people type and paste.

export { isValid, operationAt, readCall, readReply, reconcile, redact, validate } from "./check.js";
export type { Observed, SentCall } from "./check.js";
export type { Reconciled, WalletFinding } from "./reconciled.js";
export { TradeClient } from "./client.js";
export type { FormOnly, FormRecord, ManagesExits, TradeMethods } from "./client.js";
export {
  PositionError,
  TradeError,
  TradeFailedError,
  TradeNotSentError,
  TradeOutcomeUnknownError,
  TradeRejectedError,
  type AnyTradeError,
  isTradeError,
  isTradeFailedError,
  isTradeNotSentError,
  isTradeOutcomeUnknownError,
  isTradeRejectedError,
} from "./errors.js";
export type {
  AnyTrade, BuiltCall, BundleBuyElement, BundleBuyRequest, BundleSellByPercentageElement, BundleSellByPercentageRequest,
  BundleSellElement, BundleSellRequest, BundleTrade, BuyRequest, BuyTrade, Certainty, CheckResult, Code, Drift, DriftCause, ExactBalances,
  ExactResults, ExitPosition, ExplorerLinks, FieldCode, FieldError, Found, GuardMode, IntentOutcome, IntentState, LegQuote, Line, Link,
  Moved, NoPosition, Operation, OtherTrade, Outcome, Portion, QuoteRefusal, QuoteWarning, RequestOf, Seen, SellByPercentageRequest,
  SellRequest, SellTrade, Settled, Shown, Side, SingleResult, SlippageInput, TableProblem, TokenInput, Trade, TradeQuote, TradeStatus,
  TransactionOf, TypedRow, TypedTable, UnknownReason, View, WalletDrift, WalletMoved, WalletQuote, Warning, WarningCode,
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
  BoughtPosition,
  BoughtTrade,
  ClientMarket,
  NamedTrade,
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
export * from "./typed.js";
export { fromBaseUnits, lamportsToSol, solToLamports, toBaseUnits } from "./units.js";
