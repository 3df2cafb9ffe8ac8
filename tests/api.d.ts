// browser.d.ts
export { ClosableJournal, DeskJournal, StateInIndexedDB, indexedDBJournal, keepStateInIndexedDB, memoryJournal } from './shared.js';
// gateway.d.ts
type GatewayRow = { key: string; row: string | null; };
interface GatewayReply { status: number; headers: [name: string, value: string][]; body: string | null; }
interface GatewayRequest {
    method: string;
    path: string;
    headers: Iterable<[name: string, value: string]>;
    body: Uint8Array | null;
    rows?: Iterable<string>;
    look?: GatewayForwardResult;
}
type ReadRows = (from: string, until: string) => Iterable<{ key: string; row: string; }>;
interface GatewayRows { rows: GatewayRow[]; alarmAtMs: number | null; }
type GatewayAnswer = GatewayRows & { kind: "answer"; reply: GatewayReply; };
type GatewayNothing = GatewayRows & { kind: "nothing"; };
type GatewayForward = GatewayRows & {
    kind: "forward";
    id: string;
    url: string;
    headers: [name: string, value: string][];
    body: string;
    timeoutMs: number;
    maxReplyBytes: number;
};
type GatewayStep = GatewayAnswer | GatewayForward | GatewayNothing
 | (GatewayRows & { kind: "read"; from: string; until: string; })
 | (GatewayRows & { kind: "look"; call: GatewayChainCall; })
 | (GatewayRows & { kind: "wait"; id: string; waitMs: number; reply: GatewayReply; });
type GatewayAlarmStep = GatewayNothing
 | (GatewayRows & { kind: "check"; from: string; until: string; })
 | (GatewayRows & { kind: "inquire"; id: string; keys: string[]; })
 | (GatewayRows & { kind: "ask"; number: number; call: GatewayChainCall; });
type GatewayForwardResult = { status: number; headers: Iterable<[name: string, value: string]>; body: Uint8Array; isShared?: boolean; }
 | { failure: "timeout" | "broken" | "tooLarge" | "unsent"; };
type GatewayRoute = { desk: string; chain?: undefined; market?: undefined; page?: undefined; reply?: undefined; }
 | { chain: true; desk?: undefined; market?: undefined; page?: undefined; reply?: undefined; }
 | { market: string; desk?: undefined; chain?: undefined; page?: undefined; reply?: undefined; }
 | { page: true; desk?: undefined; chain?: undefined; market?: undefined; reply?: undefined; }
 | { reply: GatewayReply; desk?: undefined; chain?: undefined; market?: undefined; page?: undefined; };
type GatewayChainCall = { url: string; body: string; timeoutMs: number; maxReplyBytes: number; };
interface AuditVerdict {
    whole: boolean;
    rows: number;
    last: { number: number; hash: string; } | null;
    bad: { line: number; reason: string; } | null;
}
declare function verifyAuditLog(lines: Iterable<string> | AsyncIterable<string>, head?: { number: number; hash: string; }): Promise<AuditVerdict>;
declare class GatewayFront {
    #private;
    private constructor();
    static of(settings: string | undefined, upstreamKey?: string | undefined, rpc?: string | undefined): GatewayFront;
    get problems(): string[];
    get maxBodyBytes(): number;
    route(request: Omit<GatewayRequest, "body">): GatewayRoute;
    chainCall(request: GatewayRequest): { call: GatewayChainCall; reply?: undefined; } | { call?: undefined; reply: GatewayReply; };
    chainAnswer(request: Omit<GatewayRequest, "body">, answer: GatewayForwardResult): GatewayReply;
    marketAnswer(request: Omit<GatewayRequest, "body">, status: number, contentType: string | null): GatewayReply;
    incomplete(request: Omit<GatewayRequest, "body">): GatewayReply;
    interrupted(request: Omit<GatewayRequest, "body">): GatewayReply;
    free(): void;
    [Symbol.dispose]: () => void;
}
declare class Gateway {
    #private;
    constructor(config: {
        settings: string;
        desk: string;
        upstreamKey?: string | undefined;
        rpc?: string | undefined;
    }, rows: ReadRows, nowMs: number);
    get start(): GatewayRows;
    get maxBodyBytes(): number;
    request(nowMs: number, entropy: Uint8Array, request: GatewayRequest): GatewayStep;
    maySend(id: string): boolean;
    forwarded(nowMs: number, id: string, forwarded: GatewayForwardResult): GatewayAnswer | GatewayNothing;
    alarm(nowMs: number): GatewayAlarmStep;
    inquire(nowMs: number, id: string, rows: Iterable<string>): GatewayAlarmStep;
    checked(nowMs: number, rows: Iterable<{ key: string; row: string; }>): GatewayAlarmStep;
    replied(nowMs: number, number: number, answer: GatewayForwardResult): GatewayAlarmStep;
    free(): void;
    [Symbol.dispose]: () => void;
}
export { Gateway, GatewayFront, verifyAuditLog };
export type { AuditVerdict, GatewayAlarmStep, GatewayForwardResult, GatewayReply, GatewayRequest, GatewayRows, GatewayStep };
// index.d.ts
export { AnyTradeError, BuiltCall, BundleBuyElement, BundleBuyRequest, BundleSellByPercentageElement, BundleSellByPercentageRequest,
  BundleSellElement, BundleSellRequest, BundleTrade, BuyRequest, BuyTrade, CallOptions, CheckOptions, CheckResult, ClientMarket, ClientOptions, Code,
  Counted, Drift, EndedTrade, ExitPosition, FetchInit, FetchReply, FieldError, Found, GuardOptions, GuardState, Hooks, IntentDetails, IntentOutcome,
  IntentState, Journal, LegQuote, Logger, Moved, Operation, Outcome, Plan, PlanOptions, PositionError, QuoteWarning, Recalled, Reconciled, RequestOf,
  SellByPercentageRequest, SellRequest, SellTrade, SendOptions, SettledTrade, Settlement, Side, SlippageInput, Suspension, TokenInput, Trade,
  TradeClient, TradeError, TradeFailedError, TradeIntent, TradeMethods, TradeNotSentError, TradeOf, TradeOutcomeUnknownError, TradePromise,
  TradeQuote, TradeRejectedError, TypedAmount, TypedMultiple, TypedPercentage, TypedTable, View, WalletBalances, Warning, fromBaseUnits,
  isTradeError, isValid, lamportsToSol, operationAt, readCall, readError, readReply, readTypedAmount, readTypedMultiple, readTypedPercentage,
  readTypedSlippage, readTypedTable, reconcile, redact, renderHtml, renderText, shownText, solToLamports, toBaseUnits, typedText, validate, view }
  from './shared.js';
// market.d.ts
export { AccountError, AccountUpdate, Amount, BundleLeg, BundleOrder, ChainAccount, ChainCurve, Completion, Curve, CurveBundleQuote, CurveColumns,
  CurveConfig, CurveOptions, CurveQuote, CurveReserves, CurveToken, ExitClient, ExitEvent, ExitLook, ExitMarket, ExitOrder, ExitPlan, ExitReason,
  ExitState, Exits, FEE_CONFIG, FEE_PROGRAM, FeeTierConfig, GLOBAL, Global, Holding, LAUNCHPAD_PROGRAM, LaunchpadConfig, Look, LookCurve,
  ManageOptions, Managed, Market, MarketError, MarketOptions, MarketQuote, MarketWatchOptions, Mint, OpenExits, OrderedExit, Position, PositionState,
  QuoteNumber, REFUSED, RefusalCode, RefusalError, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, TradeOrder, TradeReceipt, Trader, TraderOptions, WalletState,
  WatchOptions, attribution, capacities, curveAddress, defaultLaunchpad, equalSpends, jitteredSpends, launchpadRules, lookWith, quoteAt, readCurve,
  readCurves, readFeeTiers, readGlobal, readHolding, readMint, receipt, splitBundle, toBundleRequest, toRequest, tokenAccountAddress,
  volumeAccountAddress, weightedSpends } from './shared.js';
// node.d.ts
export { FileRecord, KeptState, NodeFetch, NodeFetchOptions, ServeOptions, Served, fileJournal, fileRecord, keepState, nodeFetch, serve } from
  './shared.js';
// panel.d.ts
import { Plan } from './index.js';
import { SandboxConfig } from './sandbox.js';
interface DeskEvents {
    "desk-plan": { readonly plan: Plan; };
    "desk-sent": { readonly intentId: string; };
    "desk-outcome": {
        readonly intentId: string;
        readonly status: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown" | "awaiting_approval" | "in_flight";
        readonly found: "landed" | "did_not_land" | null;
        readonly result: unknown;
    };
    "desk-unprotected": { readonly mint: string; readonly wallet: string; readonly what: "completed" | "gone"; readonly reason: string; };
}
type DeskEventMap = { [E in keyof DeskEvents]: CustomEvent<DeskEvents[E]>; };
type DeskHandlers<Prefix extends string> = { readonly [E in keyof DeskEventMap as `${Prefix}${E}`]?: (event: DeskEventMap[E]) => void; };
interface LiveToken { mint: string; symbol?: string; name?: string; decimals?: number; }
interface LiveWallet { wallet: string; label?: string; }
type DeskProperties = Partial<Omit<LaunchpadDesk, keyof HTMLElement>>;
declare global { interface HTMLElementTagNameMap { "launchpad-desk": LaunchpadDesk; } interface HTMLElementEventMap extends DeskEventMap { } }
interface LaunchpadDesk extends HTMLElement {
    name: string;
    mode: "simulated" | "live" | null;
    baseUrl: string | null;
    mint: string | null;
    wallet: string | null;
    amount: string | null;
    fixed: string | null;
    token: string | undefined;
    tokens: readonly LiveToken[];
    wallets: readonly LiveWallet[];
    walletsShared: boolean;
    sendWithinMs: number | null;
    solPriceUsd: string | undefined;
    words: Readonly<Record<string, string>> | undefined;
    sandbox: SandboxConfig | undefined;
}
declare const LaunchpadDesk: new () => LaunchpadDesk;
export { LaunchpadDesk };
export type { DeskEvents, DeskHandlers, DeskProperties, LiveToken, LiveWallet };
// record.d.ts
export { DeskRecord, RecordCheck, RecordProblem, RecordSource, RecordStore, RecordVerdict, checkText, recordSandbox, recordTape, verifyRecord }
  from './shared.js';
// sandbox.d.ts
export { Audit, BacktestAction, BacktestDistribution, BacktestEntry, BacktestNow, BacktestOptions, BacktestOrder, BacktestPosition, BacktestReport,
  BacktestReportOptions, BacktestRun, BacktestSignal, BacktestSweep, BookEntry, CallRow, Candle, ChainFaults, ExitGrid, Fault, FaultConfig,
  FaultKind, LocalChain, MarketConfig, MarketEvent, MarketTrade, OUTCOME_HEADER, OUTCOME_PREFIX, RecordedTrade, RecordingColumns, Replay, Sandbox,
  SandboxConfig, SandboxLook, SandboxMarket, SandboxMarketOptions, SandboxOutcome, SandboxToken, SandboxTokenAccount, SandboxTokenConfig,
  SandboxWallet, SandboxWalletConfig, SweptPlan, TapeColumns, TradeRow, audit, backtest, backtestReport, quote, recording, reportHtml, reportText,
  sandboxOutcomes, sweep } from './shared.js';
// shared.d.ts
type Operation = "buy" | "sell" | "sellByPercentage" | "bundleBuy" | "bundleSell" | "bundleSellByPercentage";
type Outcome = "not_sent" | "rejected" | "failed" | "unknown";
type Code = "invalid_request"
 | "invalid_options"
 | "aborted_before_send"
 | "connect_failed"
 | "unsupported_runtime"
 | "rejected_by_service"
 | "unauthorized"
 | "rate_limited"
 | "transaction_failed"
 | "network_error"
 | "timeout"
 | "aborted"
 | "redirected"
 | "service_error"
 | "unexpected_status"
 | "unreadable_reply"
 | "reply_too_large"
 | "unexpected_error"
 | "halted"
 | "reducing"
 | "intent_in_flight"
 | "intent_unknown"
 | "intent_landed"
 | "breaker_open"
 | "mint_not_allowed"
 | "wallet_not_allowed"
 | "over_trade_limit"
 | "over_slippage_limit"
 | "wallet_busy"
 | "over_day_limit"
 | "over_rate_limit"
 | "timeout_before_send"
 | "journal_failed"
 | "hook_failed"
 | "api_key_unavailable"
 | "dry_run"
 | "contradictory_reply"
 | "plan_expired"
 | "plan_used"
 | "plan_altered"
 | "plan_for_another_service"
 | "awaiting_approval"
 | "refused_by_gateway"
 | "intent_not_found"
 | "no_price"
 | "price_too_old"
 | "over_impact_limit"
 | "unproven_failure"
 | "module_failed"
 | "module_failed_after_send"
 | "other_token_decimals"
 | "token_decimals_unknown";
type FieldCode = "required"
 | "unknown_field"
 | "wrong_type"
 | "not_a_number"
 | "not_an_integer"
 | "not_exact"
 | "not_positive"
 | "out_of_range"
 | "empty"
 | "white_space"
 | "too_long"
 | "not_base58"
 | "too_many"
 | "unreadable"
 | "conflict"
 | "not_allowed"
 | "ambiguous";
type WarningCode = "slippage_unit" | "percentage_unit";
type TradeStatus = "landed" | "unconfirmed" | "failed";
type GuardMode = "active" | "reducing" | "halted";
type IntentState = "planned" | "awaiting_approval" | "in_flight" | "in_doubt" | "ended" | "not_recorded";
type IntentOutcome = "landed" | "unconfirmed" | "not_sent" | "rejected" | "failed" | "unknown" | "did_not_land";
type Found = "landed" | "did_not_land";
type Certainty = "proven" | "likely" | "unknown";
type Shown = "trade" | "move" | "nothing" | "other" | "unread" | "silent";
type RefusalCode = "zero_amount"
 | "empty_curve"
 | "curve_complete"
 | "not_enough_tokens_on_curve"
 | "spend_does_not_cover_fees"
 | "below_minimum_tokens"
 | "above_maximum_cost"
 | "not_enough_tokens_held"
 | "fees_or_reserves_exceeded"
 | "below_minimum_lamports"
 | "percentage_sells_nothing"
 | "overflow"
 | "insufficient_lamports"
 | "insufficient_lamports_for_rent"
 | "insufficient_lamports_for_network_fee"
 | "token_account_not_open"
 | "token_account_not_empty"
 | "unknown_wallet"
 | "no_fee_tier"
 | "out_of_reach"
 | "too_many_wallets"
 | "below_rent_minimum"
 | "filled_from_pool"
 | "token_account_frozen"
 | "holdings_unknown"
 | "token_account_stays_open";
type QuoteWarning = "high_impact"
 | "slippage_over_bounds"
 | "no_bound_left"
 | "unit_suspicion"
 | "dust_left"
 | "account_cannot_close"
 | "no_proceeds"
 | "partial_fill"
 | "completes_curve"
 | "insufficient_lamports"
 | "wallet_unknown"
 | "below_rent_minimum";
type Side = "buy" | "sell";
type Completion = "reject" | "partial" | "pool";
type ReceiptFinding = "tokens_past_bound"
 | "balances_disagree"
 | "balance_before_differs"
 | "failed_but_moved"
 | "closed_with_tokens"
 | "left_open_empty"
 | "lamports_past_bound"
 | "tokens_unreported"
 | "lamports_disagree"
 | "over_amount";
type ReceiptFigure = "tokens"
 | "lamports"
 | "price"
 | "slippageUsedPpm"
 | "fees"
 | "tokenAccount"
 | "volumeRentLamports"
 | "networkFeeLamports"
 | "netLamports";
type LegKind = "buy" | "open_and_buy" | "sell" | "sell_and_close";
type TransactionFit = "plain" | "with_lookup_table" | "no";
type FaultKind = "none"
 | "refused"
 | "rateLimited"
 | "errorBefore"
 | "errorAfter"
 | "noAnswer"
 | "truncated"
 | "garbled"
 | "transactionFails"
 | "dropped";
type SandboxOutcome = "landed"
 | "failed-zero-amount"
 | "failed-empty-curve"
 | "failed-curve-complete"
 | "failed-not-enough-tokens-on-curve"
 | "failed-spend-does-not-cover-fees"
 | "failed-below-minimum-tokens"
 | "failed-above-maximum-cost"
 | "failed-not-enough-tokens-held"
 | "failed-fees-or-reserves-exceeded"
 | "failed-below-minimum-lamports"
 | "failed-percentage-sells-nothing"
 | "failed-overflow"
 | "failed-insufficient-lamports"
 | "failed-insufficient-lamports-for-rent"
 | "failed-insufficient-lamports-for-network-fee"
 | "failed-token-account-not-open"
 | "failed-token-account-not-empty"
 | "failed-unknown-wallet"
 | "failed-no-fee-tier"
 | "failed-below-rent-minimum"
 | "failed-token-account-frozen"
 | "rejected-400"
 | "rejected-401"
 | "rejected-403"
 | "rejected-404"
 | "rejected-405"
 | "rejected-413"
 | "rejected-415"
 | "rejected-422"
 | "rejected-429"
 | "executed-500"
 | "executed-502"
 | "executed-503"
 | "executed-504"
 | "not-executed-500"
 | "not-executed-502"
 | "not-executed-503"
 | "not-executed-504"
 | "executed-no-answer"
 | "not-executed-no-answer"
 | "connection-refused"
 | "garbled"
 | "truncated"
 | "slow"
 | "slow-body";
type Character = "unnoticed" | "bundled" | "rug" | "fading" | "runner" | "breakout";
type TraderKind = "own" | "recorded" | "sniper" | "momentum" | "noise" | "holder" | "insider" | "scalper";
type ActualOutcome = "not_executed" | "landed" | "failed" | "never_arrived" | "not_logged";
type Mismatch = "landed_unknown" | "did_not_land" | "fee_unknown" | "not_executed" | "no_entry";
type AccountKind = "curve" | "global" | "fee_config" | "mint" | "token_account";
type AccountRefusalCode = "missing" | "owner" | "address" | "length" | "discriminator" | "bool" | "quote" | "range" | "encoding" | "wallet" | "mint";
type MarketErrorCode = "unreachable"
 | "node_refused"
 | "unreadable_reply"
 | "went_back"
 | "stale"
 | "no_history"
 | "no_transaction"
 | "not_shown"
 | "no_address";
type Commitment = "processed" | "confirmed" | "finalized";
type Seen = "finalized" | "failed" | "not_seen";
type UnknownReason = "no_before"
 | "behind"
 | "history_incomplete"
 | "not_final"
 | "transaction_unread"
 | "contradiction"
 | "no_balances"
 | "books_differ"
 | "alive"
 | "no_expiry"
 | "several_fit"
 | "misfit"
 | "rival"
 | "shared_wallets"
 | "unanswered"
 | "no_address";
type DriftCause = "curve"
 | "tier"
 | "rate"
 | "rent"
 | "network_fee"
 | "holding"
 | "rounding"
 | "unexplained"
 | "other_trade"
 | "over_amount"
 | "cashback"
 | "gift";
type NoPosition = "not_recorded"
 | "in_flight"
 | "in_doubt"
 | "did_not_land"
 | "not_a_buy"
 | "several_wallets"
 | "other_wallet"
 | "no_signature"
 | "no_market"
 | "not_shown"
 | "other_transaction"
 | "id_too_long";
type ExitReason = "close_now" | "graduation" | "stop_loss" | "break_even" | "trailing" | "time" | "take_profit";
type ExitHappening = "ordered" | "landed" | "not_sent" | "did_not_land" | "in_doubt" | "no_look" | "over" | "completed" | "gone" | "received";
type BacktestReason = "entry"
 | "strategy"
 | "close_now"
 | "graduation"
 | "stop_loss"
 | "break_even"
 | "trailing"
 | "time"
 | "take_profit"
 | "end"
 | "unsold";
type BacktestOutcome = "landed" | "failed" | "not_sent";
type RecordPrice = "exact" | "within" | "past" | "unknown";
type RecordProblemCode = "unreadable"
 | "changed"
 | "missing"
 | "moved"
 | "cut_off"
 | "plan_altered"
 | "price_differs"
 | "not_as_approved"
 | "not_approved"
 | "over_limits"
 | "sent_late"
 | "sent_twice"
 | "not_begun"
 | "answer_differs"
 | "unproven"
 | "past_bound"
 | "receipt_differs"
 | "shared_signature"
 | "never_sent"
 | "out_of_order"
 | "ended_twice"
 | "receipt_missing"
 | "mode_differs"
 | "over_amount";
type Portion = { percent: number | bigint | string; } | { bps: number | bigint | string; };
type SlippageInput = number | bigint | string | Portion;
type TokenInput = number | string | { tokens: number | bigint | string; } | { baseUnits: number | bigint | string; };
interface BuyRequest {
    mint: string;
    fromWallet: string;
    amountInLamports: number | bigint | string;
    feePayer?: string | null;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
interface SellRequest {
    mint: string;
    fromWallet: string;
    amountInToken: TokenInput;
    feePayer?: string | null;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
interface SellByPercentageRequest {
    mint: string;
    fromWallet: string;
    percentage: number | bigint | string;
    feePayer?: string | null;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
interface BundleBuyRequest {
    buys: BundleBuyElement[];
    mint: string;
    feePayer: string;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
interface BundleSellRequest {
    sells: BundleSellElement[];
    mint: string;
    feePayer: string;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
interface BundleSellByPercentageRequest {
    sells: BundleSellByPercentageElement[];
    mint: string;
    feePayer: string;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
interface BundleBuyElement { fromWallet: string; amountInLamports: number | bigint | string; slippage?: SlippageInput | null; }
interface BundleSellElement { fromWallet: string; amountInToken: TokenInput; slippage?: SlippageInput | null; }
interface BundleSellByPercentageElement { fromWallet: string; percentage: number | bigint | string; slippage?: SlippageInput | null; }
interface RequestOf {
    buy: BuyRequest;
    sell: SellRequest;
    sellByPercentage: SellByPercentageRequest;
    bundleBuy: BundleBuyRequest;
    bundleSell: BundleSellRequest;
    bundleSellByPercentage: BundleSellByPercentageRequest;
}
type Trade = BuyTrade | SellTrade | BundleTrade;
type AnyTrade = {
    status: TradeStatus;
    simulated: boolean;
    warnings: Warning[];
    raw: string;
    launchpad: { mint: string | null; };
    intentId?: string;
};
interface BuyTrade extends AnyTrade {
    operation: "buy";
    result: SingleResult & { buyAmount: number | null; };
    exact: ExactBalances & { buyAmount: string | null; };
    explorer: ExplorerLinks;
}
interface SellTrade extends AnyTrade {
    operation: "sell" | "sellByPercentage";
    result: SingleResult & { sellAmount: number | null; tokenAccountClosed: boolean | null; };
    exact: ExactBalances & { sellAmount: string | null; };
    explorer: ExplorerLinks;
}
interface BundleTrade extends AnyTrade {
    operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage";
    result: TransactionOf;
    exact: ExactResults;
    explorer: { mint: string | null; tx: string | null; };
}
type TransactionOf = {
    mint: string | null;
    signature: string | null;
    transactionResult: { success: boolean | null; signature: string | null; results: unknown; };
};
type SingleResult = TransactionOf & {
    wallet: string | null;
    preTokenBalance: number | null;
    postTokenBalance: number | null;
    tokenAccount: string | null;
};
type ExactResults = { results: string; };
type ExactBalances = ExactResults & { preTokenBalance: string | null; postTokenBalance: string | null; };
type ExplorerLinks = { mint: string | null; tx: string | null; wallet: string | null; tokenAccount?: string; };
interface FieldError { field: string; code: FieldCode; message: string; }
interface Warning { field: string; code: WarningCode; message: string; }
interface CheckResult { errors: FieldError[]; warnings: Warning[]; }
interface BuiltCall { operation: Operation; method: "POST"; url: string | null; path: string; body: string; warnings: Warning[]; }
interface TypedTable { rows: TypedRow[]; problems: TableProblem[]; }
type TypedRow = { line: number; wallet: string; amount: string | null; percentage: string | null; weight: string | null; slippage: string | null; };
type TableProblem = { line: number; field: "wallet" | "amount" | "percentage" | "weight" | "slippage" | null; code: FieldCode; message: string; };
interface View {
    title: string;
    status: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown";
    simulated: boolean;
    lines: Line[];
    links: Link[];
}
type Line = { label: string; value: string; };
type Link = { label: string; href: string; };
interface LaunchpadConfig {
    asOf?: string;
    feeTiers?: FeeTierConfig[];
    start?: CurveConfig;
    tokenSupply?: number | bigint | string;
    tokenDecimals?: number;
    completion?: Completion;
    rentLamportsPerByte?: number | bigint | string;
    tokenAccountBytes?: number | bigint | string;
    volumeAccountBytes?: number | bigint | string;
    lamportsPerSignature?: number | bigint | string;
    defaultUnitsPerTrade?: number | bigint | string;
    blockhashBlocks?: number;
}
type LaunchpadRule = { setting: keyof LaunchpadConfig; asOf: string; source: string; };
interface FeeTierConfig { marketCapThresholdLamports: number | bigint | string; protocolBps: number; creatorBps: number; }
interface CurveConfig {
    virtualTokenReserves: number | bigint | string;
    virtualSolReserves: number | bigint | string;
    realTokenReserves: number | bigint | string;
    realSolReserves: number | bigint | string;
}
interface CurveReserves { virtualTokenReserves: bigint; virtualSolReserves: bigint; realTokenReserves: bigint; realSolReserves: bigint; }
interface CurveBundleQuote {
    legs: LegQuote[];
    wallets: WalletQuote[];
    feePayer: string;
    signatures: number;
    networkFeeLamports: bigint;
    fits: TransactionFit;
    reservesAfter: CurveReserves;
}
interface LegQuote {
    wallet: string;
    side: Side;
    tokens: bigint;
    tokenAmount: string;
    walletLamports: bigint;
    curveLamports: bigint;
    protocolFeeLamports: bigint;
    creatorFeeLamports: bigint;
    priceImpactBps: number;
    spotMoveBps: number;
    spotPriceBefore: string | null;
    spotPriceAfter: string | null;
    averagePrice: string | null;
    marketCapLamports: bigint;
    slippagePercent: string;
    worstTokens: bigint;
    worstTokenAmount: string;
    worstWalletLamports: bigint;
    tokenAccount: "opens" | "closes" | "stays" | "unknown";
    rentLamports: bigint;
    volumeRentLamports: bigint;
    warnings: QuoteWarning[];
}
type WalletQuote = { wallet: string; netLamports: bigint; worstNetLamports: bigint; netTokens: bigint; warnings: QuoteWarning[]; };
interface TradeQuote { operation: Operation; legs: LegQuote[]; wallets: WalletQuote[]; networkFeeLamports: bigint; refused: QuoteRefusal | null; }
type QuoteRefusal = { code: RefusalCode; message: string; field: string; };
interface TradeReceipt {
    wallet: string | null;
    status: TradeStatus;
    side: Side;
    tokens: bigint;
    lamports: bigint;
    price: string | null;
    slippageUsedPpm: bigint;
    protocolFeeLamports: bigint;
    creatorFeeLamports: bigint;
    tokenAccount: "opens" | "closes" | "stays" | "unknown";
    rentLamports: bigint;
    volumeRentLamports: bigint;
    networkFeeLamports: bigint;
    netLamports: bigint;
    estimated: ReceiptFigure[];
    findings: ReceiptFinding[];
}
type Holds = "more" | "fewer";
type PositionDifference = { walletHolds: Holds; tokens: bigint; };
interface PositionState {
    tokens: bigint;
    costLamports: bigint;
    realisedLamports: bigint;
    feesLamports: bigint;
    networkFeesLamports: bigint;
    rentLockedLamports: bigint;
    receipts: bigint;
    estimatedReceipts: bigint;
    estimatedFees: bigint;
    unmatchedTokens: bigint;
}
interface ExitPlan {
    takeProfit?: TakeProfit[];
    stopLoss?: string | null;
    trailing?: Trailing | null;
    breakEvenAfter?: string | null;
    timeMs?: number | null;
    onGraduation?: OnGraduation | null;
    slippage?: SlippageInput | null;
    priorityUnitLimit?: number | bigint | string | null;
    priorityUnitPrice?: number | bigint | string | null;
}
type TakeProfit = { at: string; sell: string; };
type Trailing = { by: string; from?: string | null; };
type OnGraduation = { from: string; };
interface ExitPosition {
    id: string;
    mint: string;
    wallet: string;
    tokens: number | bigint | string;
    costLamports: number | bigint | string;
    rentLockedLamports?: number | bigint | string;
    openedAtMs?: number | null;
    feePayer?: string | null;
}
interface ExitState {
    plan: ExitPlan;
    position: ExitPosition;
    tokens: number | bigint | string;
    costLamports: number | bigint | string;
    rungsSold: number;
    best: string;
    order: ExitOrder | null;
    doubts?: ExitOrder[];
    tries: ExitTries[];
    paused: boolean;
    closing: boolean;
    last: ExitReason | null;
    missing?: ExitMissing | null;
    shown?: number | bigint | string | null;
    gone?: ExitGone | null;
    sold?: ExitSold | null;
    counted?: string[];
    answered?: ExitAnswered[];
    unbought?: boolean;
    openedAtMs?: number | null;
    completed?: boolean;
    closeTried?: boolean;
}
interface ExitOrder {
    intentId: string;
    reason: ExitReason;
    rungs: number;
    tokens: bigint;
    expectedLamports: bigint;
    multiple: string;
    atMs: number;
    walletTokens: bigint | null;
    outcome: IntentOutcome | null;
}
type ExitMissing = { forMs: number; lastMs: number; most: number | bigint | string; };
type ExitGone = { tokens: number | bigint | string; costLamports: number | bigint | string; walletTokens: number | bigint | string | null; };
type ExitSold = { walletTokens: number | bigint | string; untilMs: number; };
type ExitAnswered = { intentId: string; landed: boolean; tokens: number | bigint | string; costLamports: number | bigint | string; rungs: number; };
type ExitTries = { failed: number; notBeforeMs: number; };
interface BacktestRun {
    seed: bigint;
    replayed: number;
    skipped: BacktestSkipped[];
    tapeMs: number;
    startLamports: bigint;
    endLamports: bigint;
    profitLamports: bigint;
    priceProfitLamports: bigint;
    costs: BacktestCosts;
    wins: number;
    winRate: string;
    reasons: BacktestReasonRow[];
    drawdown: BacktestDrawdown;
    mostExposedLamports: bigint;
    exposure: string;
    inMarketMs: number;
    inMarket: string;
    positions: BacktestPosition[];
    orders: BacktestOrder[];
    equity: BacktestPoint[];
}
interface BacktestOrder {
    atMs: number;
    arrivedAtMs: number | null;
    mint: string;
    side: Side;
    reason: BacktestReason;
    amount: bigint;
    expected: bigint;
    outcome: BacktestOutcome;
    refusal: RefusalCode | null;
    tokens: bigint;
    lamports: bigint;
    networkFeeLamports: bigint;
}
interface BacktestPosition {
    mint: string;
    openedAtMs: number;
    closedAtMs: number;
    tokens: bigint;
    spentLamports: bigint;
    paidLamports: bigint;
    receivedLamports: bigint;
    profitLamports: bigint;
    reason: BacktestReason;
    sells: number;
}
type BacktestCosts = {
    protocolFeesLamports: bigint;
    creatorFeesLamports: bigint;
    networkFeesLamports: bigint;
    priorityFeesLamports: bigint;
    rentPaidLamports: bigint;
    rentReturnedLamports: bigint;
};
type BacktestReasonRow = { reason: BacktestReason; positions: number; wins: number; profitLamports: bigint; };
type BacktestDrawdown = { lamports: bigint; part: string; fromMs: number; toMs: number; };
type BacktestSkipped = { reason: RefusalCode; trades: number; };
type BacktestPoint = { atMs: number; lamports: bigint; };
interface ChainCurve {
    reserves: CurveReserves;
    tokenTotalSupply: bigint;
    complete: boolean;
    creator: string | null;
    isMayhem: boolean | null;
    isCashback: boolean | null;
    creatorFeeBps: bigint | null;
    canEditCreatorFee: boolean | null;
    isHolderReward: boolean | null;
    creatorFeeLamports: bigint | null;
    protocolFeesLamports: bigint | null;
    depth: number | null;
    initialVirtualSolReserves: bigint | null;
    postCompleteTokensOut: bigint | null;
    postCompleteLamportsIn: bigint | null;
}
interface Global {
    initialized: boolean;
    start: CurveReserves;
    tokenTotalSupply: bigint;
    poolMigrationFeeLamports: bigint | null;
    createV2Enabled: boolean | null;
    mayhemModeEnabled: boolean | null;
    cashbackEnabled: boolean | null;
    creatorFeeConfigurable: boolean | null;
    maxConfigurableCreatorFeeBps: bigint | null;
    holderRewardEnabled: boolean | null;
    maxCurveDepth: number | null;
}
interface Mint { tokenProgram: string; supply: bigint; decimals: number; }
interface Holding {
    mint: string;
    wallet: string;
    tokens: bigint;
    lamports: bigint;
    isFrozen: boolean;
    delegate: string | null;
    delegatedTokens: bigint;
    closeAuthority: string | null;
}
type WalletLook = { wallet: string; lamports: bigint | null; tokenAccount: string; holding: Holding | null; opensVolumeAccount: boolean; };
type Settled = {
    outcome: IntentOutcome;
    reason: UnknownReason | null;
    problem: string | null;
    signature: string | null;
    slot: bigint | null;
    time: bigint | null;
    feeLamports: bigint | null;
    reconciled: object;
};
type WalletDrift = {
    wallet: string;
    quotedTokens: bigint;
    tokens: bigint;
    quotedLamports: bigint;
    lamports: bigint;
    unexplainedTokens: bigint;
    unexplainedLamports: bigint;
};
interface Drift {
    signature: string;
    quotedSlot: number;
    slot: number;
    causes: DriftCause[];
    explained: boolean;
    chargedBps: number | null;
    wallets: WalletDrift[];
}
type WalletMoved = { wallet: string; tokens: bigint; lamports: bigint; rentLamports: bigint; };
interface Moved { fits: boolean; failed: boolean; atMs: number | null; wallets: WalletMoved[]; }
interface ChainFaults {
    lagSlots?: number;
    jumpBackEvery?: number;
    jumpBackSlots?: number;
    pruneAfterSlots?: number;
    refuseMethods?: string[];
    refuseBatches?: boolean;
    transactionVersion?: 0 | 1;
    rateLimit?: RateLimit;
}
type OtherTrade = {
    operation: Operation;
    body: string;
    startedAtMs: bigint;
    throughGateway: boolean;
    beforeSlot: bigint | null;
    outcome: IntentOutcome | null;
    signature: string | null;
    proven: boolean;
};
interface RecordCheck {
    intentId: string;
    operation: Operation | null;
    line: number;
    planned: boolean;
    approved: boolean;
    sent: boolean;
    outcome: IntentOutcome | null;
    proven: boolean;
    acknowledged: boolean;
    signature: string | null;
    price: RecordPrice;
    problems: number;
}
interface RecordProblem { line: number; intentId: string | null; code: RecordProblemCode; message: string; }
interface SandboxConfig {
    tokens?: SandboxTokenConfig[];
    wallets?: SandboxWalletConfig[];
    launchpad?: LaunchpadConfig;
    slippageUnit?: "percent" | "bps";
    identifiers?: "any" | "base58";
    maxBundleSize?: number;
    defaultSlippage?: SlippageInput;
    explorerBase?: string;
    launchpadBase?: string;
    explorerTokenAccount?: boolean;
    apiKey?: string;
    apiKeyHeader?: string;
    authorization?: "bearer";
    corsOrigin?: string;
    maxBodyBytes?: number;
    rateLimit?: RateLimit;
    market?: MarketConfig;
    faults?: FaultConfig;
    slowMs?: number;
    control?: boolean;
    watchable?: boolean;
    maxCalls?: number;
    maxTrades?: number;
}
interface SandboxTokenConfig {
    mint: string;
    symbol?: string;
    name?: string;
    hasCreator?: boolean;
    creatorBps?: number;
    complete?: boolean;
    supply?: number | bigint | string;
    curve?: CurveConfig;
    character?: Character;
    soldBps?: number;
}
interface SandboxWalletConfig {
    wallet: string;
    label?: string;
    lamports: number | bigint | string;
    opensVolumeAccount?: boolean;
    holdings?: SandboxHoldingConfig[];
}
type SandboxHoldingConfig = {
    mint: string;
    tokens: number | bigint | string;
    lamports?: number | bigint | string;
    isFrozen?: boolean;
    staysOpen?: boolean;
};
type RateLimit = { requests: number; perMs?: number; };
interface MarketConfig {
    seed?: number | bigint | string;
    maxLamports?: number | bigint | string;
    alive?: boolean;
    stepMs?: number;
    inFlightMs?: number;
    launchEveryMs?: number;
    maxTokens?: number;
    startMs?: number;
    maxMarketTrades?: number;
    replay?: RecordedTrade[] | string;
}
interface RecordedTrade {
    atMs: number;
    mint: string;
    side: Side;
    lamports?: number | bigint | string | null;
    tokens?: number | bigint | string | null;
    wallet?: string | null;
}
interface Replay { made: number; skipped: SkippedTrades[]; left: number; withoutToken: TradesWithoutToken[]; }
type SkippedTrades = { reason: "no_such_token" | "above_supply" | RefusalCode; trades: number; };
type TradesWithoutToken = { mint: string; trades: number; };
interface MarketTrade {
    number: number;
    atMs: number;
    mint: string;
    side: Side;
    trader: TraderKind;
    wallet: string;
    tokens: bigint;
    lamports: bigint;
    price: string | null;
    virtualTokenReserves: bigint;
    virtualSolReserves: bigint;
    realTokenReserves: bigint;
    realSolReserves: bigint;
}
type MarketTokens = { nowMs: number; tokens: SandboxToken[]; next: string | null; };
type MarketWallets = { nowMs: number; wallets: SandboxWallet[]; next: string | null; };
type MarketTrades = { nowMs: number; trades: MarketTrade[]; next: string; more: boolean; missed: number; restarted: boolean; };
type MarketStart = { nowMs: number; last: string; missed: number; restarted: boolean; };
interface Candle { startMs: number; open: string; high: string; low: string; close: string; lamports: bigint; tokens: bigint; trades: number; }
interface CallRow {
    number: number;
    atMs: number;
    operation: Operation;
    intentId: string;
    fingerprint: string;
    actual: ActualOutcome;
    transaction: number;
    signature: string;
    status: number;
}
interface BookEntry { intentId: string; operation: Operation; body: string; outcome: IntentOutcome | null; }
interface Audit { findings: AuditFinding[]; open: OpenTrade[]; unchecked: string[]; right: number; }
type AuditFinding = {
    mismatch: Mismatch;
    intentId: string | null;
    operation: Operation;
    recorded: IntentOutcome | null;
    actual: ActualOutcome;
    call: number | null;
    signature: string | null;
};
type OpenTrade = { intentId: string; actual: ActualOutcome; signature: string | null; };
interface FaultConfig { script?: Fault[]; oneOf?: Fault[]; chanceBps?: number; seed?: number | bigint | string; }
interface Fault { kind: FaultKind; latencyMs?: number; bodyMs?: number; status?: number; refusal?: RefusalCode; retryAfterMs?: number; }
type OutcomeRow = { outcome: SandboxOutcome; feePayer: string; meaning: string; };
interface SandboxToken {
    mint: string;
    symbol: string;
    name: string;
    decimals: number;
    hasCreator: boolean;
    creatorBps: number | null;
    supply: bigint;
    virtualTokenReserves: bigint;
    virtualSolReserves: bigint;
    realTokenReserves: bigint;
    realSolReserves: bigint;
    complete: boolean;
    spotPrice: string | null;
    marketCapLamports: bigint | null;
    protocolFeesLamports: bigint;
    creatorFeesLamports: bigint;
}
interface SandboxWallet {
    wallet: string;
    label: string;
    lamports: bigint;
    level: number;
    opensVolumeAccount: boolean;
    tokenAccounts: SandboxTokenAccount[];
}
interface SandboxTokenAccount { mint: string; tokenAccount: string; tokens: bigint; lamports: bigint; isFrozen: boolean; staysOpen: boolean; }
type AccountRow = { level: number; transactions: number; networkFeesLamports: bigint; volumeRentsLamports: bigint; };
interface TradeRow {
    transaction: number;
    atMs: number;
    operation: Operation;
    mint: string;
    feePayer: string;
    signature: string;
    success: boolean;
    refusal: RefusalCode | null;
    results: string;
    networkFeeLamports: bigint;
    legs: TradeLeg[];
}
type TradeLeg = {
    wallet: string;
    tokens: bigint;
    lamports: bigint;
    protocolFeeLamports: bigint;
    creatorFeeLamports: bigint;
    rentLamports: bigint;
    refundLamports: bigint;
};
interface Reconciled { operation: Operation; certainty: Certainty; landed: boolean | null; found: Found | null; findings: WalletFinding[]; }
type WalletFinding = {
    wallet: string;
    shows: Shown;
    certainty: Certainty;
    tokensBefore: bigint | null;
    tokensAfter: bigint | null;
    tokensMoved: bigint | null;
    lamportsMoved: bigint | null;
};
interface FetchInit { method: string; headers?: Record<string, string>; body?: string; redirect: "manual"; cache?: "no-store"; signal: AbortSignal; }
interface FetchReply {
    readonly status: number;
    readonly headers: { get(name: string): string | null; };
    readonly body?: unknown;
    arrayBuffer(): Promise<ArrayBuffer>;
}
interface ClientOptions extends SendOptions, CheckOptions, GuardOptions {
    baseURL?: string;
    apiKey?: string | (() => string | Promise<string>);
    apiKeyHeader?: string;
    authorization?: "bearer";
    dangerouslyAllowBrowser?: boolean;
    gateway?: boolean;
    intentHeader?: string;
    fetch?: (url: string, init: FetchInit) => Promise<FetchReply>;
    journal?: Journal;
    market?: ClientMarket;
    settleAfterMs?: number;
    checkDrift?: boolean;
}
interface ClientMarket {
    quoteBody(operation: Operation, body: string, slippageUnit: "percent" | "bps"): Promise<object>;
    decimalsOf?(mint: string): Promise<number>;
    before(intent: { body: string; }): Promise<WalletBalances[]>;
    settleTrade(trade: UnsettledTrade, others: readonly OtherTrade[] | null, areAll: () => boolean): Promise<SettledTrade>;
    confirm(signature: string): Promise<Seen>;
    traded?(trade: { body: string; }, signature: string | null): void;
    drift?(plan: PricedPlan, signature: string): Promise<Drift>;
    moved?(trade: NamedTrade): Promise<Moved | null>;
    bought?(trade: BoughtTrade): Promise<BoughtPosition>;
}
type NamedTrade = {
    readonly operation: Operation;
    readonly body: string;
    readonly startedAtMs: number;
    readonly beforeSlot?: bigint | null;
    readonly signature: string;
};
type BoughtTrade = Partial<NamedTrade> & {
    readonly intentId: string;
    readonly state: IntentState | null;
    readonly outcome?: IntentOutcome;
    readonly wallet?: string;
};
type BoughtPosition = {
    readonly position: ExitPosition & { tokens: bigint; costLamports: bigint; rentLockedLamports: bigint; };
    readonly missing?: undefined;
} | { readonly position?: undefined; readonly missing: NoPosition; readonly message: string; readonly mayPass: boolean; };
type PricedPlan = { readonly operation: Operation; readonly body: string; readonly price: unknown; };
type UnsettledTrade = Omit<TradeIntent, "before"> & {
    readonly before?: TradeIntent["before"] | null;
    readonly answered?: { readonly outcome: IntentOutcome; readonly signature: string; };
};
interface SettledTrade extends Omit<Settled, "reconciled"> { reconciled: Reconciled; contradicts?: IntentOutcome; }
interface CheckOptions {
    slippageUnit?: "percent" | "bps";
    identifiers?: "any" | "base58";
    maxBundleSize?: number;
    replyNames?: { explorer?: string; launchpad?: string; };
    buysMayExceed?: "nothing" | "slippage";
    statusPolicy?: Record<number, "rejected" | "unknown">;
    trustsFailure?: boolean;
    tokenDecimals?: number;
    maxReplyBytes?: number;
}
interface GuardOptions {
    maxLamportsPerTrade?: number | bigint | string;
    maxLamportsPerDay?: number | bigint | string;
    maxSlippage?: SlippageInput;
    maxImpactBps?: number;
    maxPriceAgeMs?: number;
    allowMints?: string[];
    allowWallets?: string[];
    rateLimit?: { perSecond: number; burst?: number; maxQueueMs?: number; };
    inFlightPerWallet?: number;
    breaker?: { unknowns?: number; stopsSells?: boolean; };
}
interface IntentDetails extends TradeIntent {
    mint: string;
    wallets: string[];
    lamports: bigint;
    answered?: { outcome: IntentOutcome; signature: string; };
}
interface GuardState {
    mode: GuardMode;
    breakerOpen: boolean;
    unknownsInARow: number;
    lamportsToday: bigint;
    maxLamportsPerDay: bigint | null;
    burstLeft: number | null;
    inFlight: IntentDetails[];
    unresolved: IntentDetails[];
}
interface SendOptions extends Pick<CheckOptions, "maxReplyBytes"> {
    timeoutMs?: number;
    retryNotSent?: number;
    askAgainWithinMs?: number;
    dryRun?: boolean;
    defaultHeaders?: Record<string, string>;
    hooks?: Hooks;
    logger?: Logger;
    logLevel?: "debug" | "info" | "warn" | "error";
}
interface CallOptions { signal?: AbortSignal; timeoutMs?: number; intentId?: string; before?: WalletBalances[]; }
interface WalletBalances { wallet: string; tokens?: number | bigint | string; lamports?: number | bigint | string; slot?: number | bigint | string; }
interface TradeIntent {
    intentId: string;
    operation: Operation;
    body: string;
    startedAtMs: number;
    before?: { wallet: string; tokens?: string; lamports?: string; slot?: string; }[];
    throughGateway?: true;
    counted?: Counted;
    namedSignature?: string;
}
interface Counted { readonly lamports: string; readonly fees: string; }
interface Settlement { outcome: IntentOutcome; code: Code | null; status: number | null; signature: string | null; proven: boolean; }
interface EndedTrade extends TradeIntent {
    readonly beforeSlot?: bigint;
    readonly outcome: IntentOutcome;
    readonly signature?: string;
    readonly proven?: boolean;
}
interface Suspension { mode?: GuardMode; breakerOpen?: boolean; unknownsInARow?: number; }
interface Recalled {
    pending: Iterable<TradeIntent>;
    landed: Iterable<string>;
    lamports: bigint;
    suspension?: Suspension;
    ended?: Iterable<EndedTrade>;
}
interface Journal {
    begin(intent: TradeIntent): unknown;
    settle(intent: TradeIntent, settlement: Settlement, suspension: Suspension): unknown;
    keepSuspension?(change: Suspension): unknown;
    pending?(): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
    landed?(sinceMs: number): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
    recall?(sinceMs: number): Recalled | Promise<Recalled>;
    outsideMode?(): Suspension | undefined;
}
interface Hooks {
    beforeSend?(intent: TradeIntent): unknown;
    afterSettle?(intent: TradeIntent, settlement: Settlement): unknown;
    drift?(intentId: string, drift: Drift): unknown;
    settled?(intentId: string, settled: SettledTrade): unknown;
}
interface Logger {
    debug?(message: string, details: object): void;
    info?(message: string, details: object): void;
    warn?(message: string, details: object): void;
    error?(message: string, details: object): void;
}
type Observed = { now: WalletBalances[]; before?: WalletBalances[]; tokenDecimals?: number; canStillLand?: boolean; walletsShared?: boolean; };
type SentCall = { operation: Operation; body: string; };
declare function validate(operation: Operation, request: unknown, options?: CheckOptions): CheckResult;
declare function isValid<O extends Operation>(operation: O, request: unknown, options?: CheckOptions): request is RequestOf[O];
declare function operationAt(path: string): Operation | undefined;
declare function readCall(operation: Operation, body: string, options?: CheckOptions): BuiltCall;
declare function readReply(sent: SentCall | Operation, status: number, body: string | Uint8Array, options?: CheckOptions): Trade;
declare function redact(text: string, key: string | null | undefined): string;
declare function reconcile(intent: Pick<TradeIntent, "operation" | "body" | "before">, observed: Observed): Reconciled;
type InJson<T> = T extends bigint ? string : T extends object ? { readonly [K in keyof T]: InJson<T[K]>; } : T;
interface TradeOf {
    buy: BuyTrade;
    sell: SellTrade;
    sellByPercentage: SellTrade;
    bundleBuy: BundleTrade;
    bundleSell: BundleTrade;
    bundleSellByPercentage: BundleTrade;
}
type PlanRefusal = { readonly code: Code; readonly message: string; readonly fields: readonly FieldError[]; readonly retryAfterMs: number | null; };
interface Plan<O extends Operation = Operation, Q = TradeQuote> {
    readonly intentId: string;
    readonly operation: O;
    readonly simulated: boolean;
    readonly url: string;
    readonly body: string;
    readonly slippageUnit: "percent" | "bps";
    readonly before: NonNullable<TradeIntent["before"]> | null;
    readonly createdAtMs: number;
    readonly expiresAtMs: number;
    readonly warnings: readonly Warning[];
    readonly refused: PlanRefusal | null;
    readonly price: InJson<Q> | null;
    readonly counted: Counted;
    readonly tokenDecimals?: number;
    readonly checksum: string;
}
interface PlanOptions<O extends Operation = Operation, Q = TradeQuote> {
    intentId?: string;
    before?: WalletBalances[];
    validForMs?: number;
    price?: (operation: O, request: RequestOf[O]) => Q | Promise<Q>;
}
declare class TradeError extends Error {
    readonly outcome: Outcome;
    readonly code: Code;
    readonly simulated?: boolean;
    readonly field?: string;
    readonly fields?: FieldError[];
    readonly status?: number;
    readonly serviceMessage?: string;
    readonly retryAfterMs?: number;
    readonly signature?: string;
    readonly evidence?: string;
    readonly warnings?: Warning[];
    readonly intentId?: string;
    protected constructor(described: object);
    get retryable(): false;
    toJSON(): object;
}
declare class PositionError extends Error {
    readonly code: NoPosition;
    readonly intentId: string;
    protected constructor(intentId: string, code: NoPosition, why: string);
}
declare class TradeNotSentError extends TradeError {
    readonly outcome: "not_sent";
}
declare class TradeRejectedError extends TradeError {
    readonly outcome: "rejected";
}
declare class TradeFailedError extends TradeError {
    readonly outcome: "failed";
    readonly trade: Trade;
    toJSON(): object & { trade: Omit<Trade, "raw" | "warnings" | "intentId" | "simulated">; };
}
declare class TradeOutcomeUnknownError extends TradeError {
    readonly outcome: "unknown";
}
type AnyTradeError = TradeNotSentError | TradeRejectedError | TradeFailedError | TradeOutcomeUnknownError;
declare class RefusalError extends Error {
    readonly code: RefusalCode;
    readonly leg?: number;
    protected constructor(described: object);
    toJSON(): object;
}
declare function isTradeError(value: unknown): value is AnyTradeError;
interface TradePromise<T> extends Promise<T> { withResponse(): Promise<{ trade: T; response: FetchReply; }>; }
type SettledIntent = SettledTrade & { intentId: string; };
type FormRecord = { readonly [field: string]: string | object; };
type FormOnly<F extends FormRecord> = string extends keyof F ? F : never;
type TradeMethods = { [O in Operation]: (request: RequestOf[O], options?: CallOptions) => TradePromise<TradeOf[O]>; };
type ManagesExits<Market, Options, Managed> = { manage(client: TradeClient, position: ExitPosition, market: Market, options?: Options): Managed; };
declare class TradeClient implements TradeMethods {
    #private;
    constructor(options: ClientOptions);
    buy<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<BuyTrade>;
    buy(request: BuyRequest, options?: CallOptions): TradePromise<BuyTrade>;
    sell<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
    sell(request: SellRequest, options?: CallOptions): TradePromise<SellTrade>;
    sellByPercentage<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
    sellByPercentage(request: SellByPercentageRequest, options?: CallOptions): TradePromise<SellTrade>;
    bundleBuy(request: BundleBuyRequest, options?: CallOptions): TradePromise<BundleTrade>;
    bundleSell(request: BundleSellRequest, options?: CallOptions): TradePromise<BundleTrade>;
    bundleSellByPercentage(request: BundleSellByPercentageRequest, options?: CallOptions): TradePromise<BundleTrade>;
    trade<O extends Operation>(operation: O, request: RequestOf[O], options?: CallOptions): TradePromise<TradeOf[O]>;
    plan<O extends Operation, Q = TradeQuote>(operation: O, request: RequestOf[O], options?: PlanOptions<O, Q>): Promise<Plan<O, Q>>;
    send<O extends Operation>(plan: Plan<O, unknown>, options?: Pick<CallOptions, "signal" | "timeoutMs">): TradePromise<TradeOf[O]>;
    waitFor(intentId: string, options?: Pick<CallOptions, "signal" | "timeoutMs">): TradePromise<Trade>;
    build<O extends Operation>(operation: O, request: RequestOf[O]): BuiltCall;
    withOptions(options: SendOptions): TradeClient;
    warm(): Promise<boolean>;
    halt(): Promise<void>;
    reduce(): Promise<void>;
    resume(): Promise<void>;
    get guards(): GuardState;
    acknowledge(intentId: string, found: Found): Promise<boolean>;
    pending(): Promise<IntentDetails[]>;
    intentState(intentId: string): Promise<IntentState | null>;
    endedTrade(intentId: string): Promise<EndedTrade | null>;
    positionOf(intentId: string, options?: {
        wallet?: string;
        withinMs?: number;
        signal?: AbortSignal;
    }): Promise<NonNullable<BoughtPosition["position"]>>;
    manage<Market, Options, Managed>(position: ExitPosition, exits: ManagesExits<Market, Options, Managed>, market: Market, options?: Options): Managed;
    get tokenDecimals(): number;
    get hasMarket(): boolean;
    settle({ withinMs, everyMs, signal, }?: { withinMs?: number; everyMs?: number; signal?: AbortSignal; }): Promise<SettledIntent[]>;
    confirm(trade: Trade): Promise<Seen>;
    drift(plan: Plan<Operation, unknown>, signature: string, { withinMs, signal }?: { withinMs?: number; signal?: AbortSignal; }): Promise<Drift>;
    free(): void;
    [Symbol.dispose]: () => void;
}
declare function readError(data: unknown): AnyTradeError;
declare function view(tradeOrError: unknown): View;
declare function renderText(tradeOrError: unknown): string;
declare function renderHtml(tradeOrError: unknown): string;
type NotTyped = { state: "incomplete" | "wrong"; code: FieldCode; message: string; };
type TypedAmount = { state: "read"; text: string; units: bigint; } | NotTyped;
type TypedPercentage = { state: "read"; text: string; } | NotTyped;
type TableOptions = { side: "buy" | "sell"; tokenDecimals?: number; names?: readonly string[]; };
declare function readTypedAmount(text: string, decimals: number): TypedAmount;
declare function readTypedPercentage(text: string): TypedPercentage;
declare function readTypedSlippage(text: string): TypedPercentage;
type TypedMultiple = { state: "read"; text: `${string}x`; } | NotTyped;
declare function readTypedMultiple(text: string): TypedMultiple;
declare function typedText(number: string): string;
declare function shownText(text: string, most?: number): string;
declare function readTypedTable(text: string, options: TableOptions): TypedTable;
declare function toBaseUnits(tokens: string | number, decimals?: number): bigint;
declare function fromBaseUnits(baseUnits: bigint | number | string, decimals?: number): string;
declare function solToLamports(sol: string | number): bigint;
declare function lamportsToSol(lamports: bigint | number | string): string;
interface DeskJournal extends Journal {
    begin(intent: TradeIntent): Promise<void>;
    settle(intent: Pick<TradeIntent, "intentId">, settlement: Pick<Settlement, "outcome"> & Partial<Settlement>, suspension?: Suspension): Promise<void>;
    keepSuspension(change: Suspension): Promise<void>;
    pending(): Promise<TradeIntent[]>;
    landed(sinceMs: number): Promise<TradeIntent[]>;
    recall(sinceMs: number): Promise<Recalled>;
}
interface ClosableJournal extends DeskJournal { close(): Promise<void>; }
declare function indexedDBJournal(name?: string): ClosableJournal;
declare function memoryJournal(): DeskJournal;
declare const OUTCOME_HEADER = "x-sandbox-outcome";
declare const OUTCOME_PREFIX = "sandbox-outcome-";
declare function sandboxOutcomes(): OutcomeRow[];
declare function audit(entries: readonly BookEntry[], calls: readonly CallRow[] | string): Audit;
type Amount = bigint | number | string;
type Refused = { message: string; code: AccountRefusalCode; account: AccountKind; };
declare class AccountError extends Error {
    readonly code: AccountRefusalCode;
    readonly account: AccountKind;
    protected constructor({ message, code, account }: Refused);
    toJSON(): object;
}
interface ChainAccount {
    address: string;
    owner: string;
    lamports: number | bigint | string;
    data: Uint8Array | string | readonly [data: string, encoding: string];
}
declare function readCurve(mint: string, account: ChainAccount | null): ChainCurve;
declare function readFeeTiers(account: ChainAccount | null): FeeTierConfig[];
declare function readGlobal(account: ChainAccount | null): Global;
declare function readMint(mint: string, account: ChainAccount | null): Mint;
declare function readHolding(address: string, account: ChainAccount | null): Holding | null;
declare const LAUNCHPAD_PROGRAM = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
declare const FEE_PROGRAM = "pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ";
declare const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
declare const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
declare const GLOBAL = "4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf";
declare const FEE_CONFIG = "8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt";
declare function curveAddress(mint: string): string;
declare function tokenAccountAddress(wallet: string, tokenProgram: string, mint: string): string;
declare function volumeAccountAddress(wallet: string): string;
interface WalletState {
    lamports: Amount;
    tokenAccount?: { tokens: Amount; lamports?: Amount; isFrozen?: boolean; staysOpen?: boolean; } | null;
    opensVolumeAccount?: boolean;
}
type WarningThresholds = { impactBps?: number; slippage?: SlippageInput; };
interface TraderOptions {
    wallet?: WalletState;
    slippage?: SlippageInput;
    slippageUnit?: "percent" | "bps";
    feePayer?: "trader" | "other";
    priorityUnitLimit?: Amount;
    priorityUnitPrice?: Amount;
    warnAbove?: WarningThresholds;
}
declare class Trader {
    #private;
    constructor(options?: TraderOptions);
    free(): void;
    [Symbol.dispose]: () => void;
}
interface BundleOrder {
    wallets: (WalletState & { wallet: string; })[];
    legs: BundleLeg[];
    feePayer: string;
    slippage?: SlippageInput;
    slippageUnit?: "percent" | "bps";
    priorityUnitLimit?: Amount;
    priorityUnitPrice?: Amount;
    warnAbove?: WarningThresholds;
}
type BundleLeg = {
    fromWallet: string;
    slippage?: SlippageInput;
} & ({ buyExactIn: Amount; } | { buyExactOut: Amount; } | { sellExactIn: Amount; } | { sellPercentage: number | string; });
type BreakEven = { reached: true; tokens: bigint; } | { reached: false; inflowLamports: bigint; spotPrice: string | null; reserves: CurveReserves; };
type Capacities = {
    origin: string;
    legs: { kind: LegKind; legs: number; legsWithLookupTable: number; legsBesidePayer: number; legsBesidePayerWithLookupTable: number; }[];
};
type SplittableBundle = {
    feePayer: string;
    legs: readonly { wallet: string; side: Side; tokenAccount: "opens" | "closes" | "stays" | "unknown"; }[];
};
type BundlePart = { legs: number[]; signatures: number; };
type EqualTokens = { tokens: bigint; spendsLamports: BigUint64Array; };
declare function equalSpends(budgetLamports: Amount, wallets: number): BigUint64Array;
declare function weightedSpends(budgetLamports: Amount, weights: BigUint64Array): BigUint64Array;
declare function jitteredSpends(budgetLamports: Amount, wallets: number, jitter: Portion, seed: Amount): BigUint64Array;
declare function capacities(): Capacities;
declare function splitBundle(quote: SplittableBundle, addresses?: Exclude<TransactionFit, "no">): BundlePart[];
interface CurveQuote extends Omit<LegQuote, "wallet"> {
    protocolFeeBps: number;
    creatorFeeBps: number;
    ratesFixed: boolean;
    completion: Completion;
    averagePriceWithFees: string | null;
    marketCapAfterLamports: bigint;
    minTokens: bigint | null;
    maxLamports: bigint | null;
    minLamports: bigint | null;
    heldTokens: bigint | null;
    networkFeeLamports: bigint;
    ownNetworkFeeLamports: bigint;
    netLamports: bigint;
    worstNetLamports: bigint;
    tokenDecimals: number;
}
type QuoteNumber = keyof typeof PLACES | "netLamports" | "worstNetLamports" | keyof typeof BOUNDS;
declare const PLACES: {
    readonly tokens: 8;
    readonly walletLamports: 9;
    readonly curveLamports: 10;
    readonly protocolFeeLamports: 11;
    readonly creatorFeeLamports: 12;
    readonly worstTokens: 14;
    readonly worstWalletLamports: 15;
    readonly rentLamports: 16;
    readonly networkFeeLamports: 18;
    readonly ownNetworkFeeLamports: 19;
    readonly volumeRentLamports: 36;
};
declare const BOUNDS: { readonly minTokens: 1; readonly maxLamports: 2; readonly minLamports: 3; };
interface CurveOptions {
    launchpad?: LaunchpadConfig;
    curve?: CurveConfig;
    supply?: Amount;
    hasCreator?: boolean;
    creatorBps?: number | null;
    complete?: boolean;
}
interface CurveToken extends SandboxToken { launchpad?: LaunchpadConfig; }
declare const REFUSED: bigint;
declare class Curve {
    #private;
    constructor(options?: CurveOptions | CurveToken);
    buyExactIn(lamports: Amount): bigint;
    buyExactOut(tokens: Amount): bigint;
    sellExactIn(tokens: Amount): bigint;
    quoteBuyExactIn(lamports: Amount, trader?: Trader): CurveQuote;
    quoteBuyExactIn<K extends QuoteNumber>(lamports: Amount, trader: Trader | undefined, numbers: readonly K[]): Pick<CurveQuote, K>;
    quoteBuyExactOut(tokens: Amount, trader?: Trader): CurveQuote;
    quoteBuyExactOut<K extends QuoteNumber>(tokens: Amount, trader: Trader | undefined, numbers: readonly K[]): Pick<CurveQuote, K>;
    quoteSellExactIn(tokens: Amount, trader?: Trader): CurveQuote;
    quoteSellExactIn<K extends QuoteNumber>(tokens: Amount, trader: Trader | undefined, numbers: readonly K[]): Pick<CurveQuote, K>;
    quoteSellPercentage(percent: number | string, trader: Trader): CurveQuote;
    quoteSellPercentage<K extends QuoteNumber>(percent: number | string, trader: Trader, numbers: readonly K[]): Pick<CurveQuote, K>;
    quoteBundle(bundle: BundleOrder): CurveBundleQuote;
    largestBuyWithinImpact(impactBps: number): bigint;
    mostTokensWithinImpact(impactBps: number): bigint;
    largestSellWithinImpact(impactBps: number): bigint;
    smallestBuyFor(tokens: Amount): bigint;
    smallestSellFor(lamports: Amount): bigint;
    largestBuyWithinBalance(trader: Trader, options?: { keepExitFee?: boolean; }): bigint;
    smallestSellBringing(lamports: Amount, trader: Trader): bigint;
    breakEven(costLamports: Amount, trader: Trader): BreakEven;
    equalTokens(budgetLamports: Amount, wallets: number): EqualTokens;
    buysExactIn(lamports: BigUint64Array): BigUint64Array;
    buysExactOut(tokens: BigUint64Array): BigUint64Array;
    sellsExactIn(tokens: BigUint64Array): BigUint64Array;
    buysInSequence(lamports: BigUint64Array): BigUint64Array;
    moveByBuy(lamports: Amount): bigint;
    moveBySell(tokens: Amount): bigint;
    moveTo(reserves: CurveConfig): void;
    clone(): Curve;
    get reserves(): CurveReserves;
    get supply(): bigint;
    get hasCreator(): boolean;
    get complete(): boolean;
    get spotPrice(): string | null;
    get marketCapLamports(): bigint | null;
    get feeRates(): { protocolBps: number; creatorBps: number; };
    get tokenAccountRentLamports(): bigint;
    get options(): Required<CurveOptions>;
    get launchpad(): Required<LaunchpadConfig>;
    free(): void;
    [Symbol.dispose]: () => void;
}
declare function launchpadRules(): LaunchpadRule[];
declare function defaultLaunchpad(atMs?: number): Required<LaunchpadConfig>;
interface CurveColumns {
    refusals: (AccountRefusalCode | null)[];
    virtualTokenReserves: BigUint64Array;
    virtualSolReserves: BigUint64Array;
    realTokenReserves: BigUint64Array;
    realSolReserves: BigUint64Array;
    tokenTotalSupply: BigUint64Array;
    creatorFeeBps: BigUint64Array;
    complete: Uint8Array;
    hasCreator: Uint8Array;
    isMayhem: Uint8Array;
}
declare function readCurves(accounts: readonly (Pick<ChainAccount, "owner" | "lamports" | "data"> | null)[]): CurveColumns;
interface OrderedExit { order: ExitOrder; request: SellRequest; }
type TickOptions = { atMs?: number; walletTokens?: Amount | null; };
declare class OpenExits {
    #private;
    private constructor();
    next(curve: Curve, { atMs, walletTokens }?: TickOptions): OrderedExit | undefined;
    multiple(curve: Curve, { atMs, walletTokens }?: TickOptions): string | null;
    settled(intentId: string, outcome: IntentOutcome, { atMs, soldTokens }?: { atMs?: number; soldTokens?: Amount; }): void;
    pause(): void;
    resume(): void;
    closeNow(): void;
    get state(): ExitState;
    get isOver(): boolean;
    get order(): OrderedExit | null;
    free(): void;
    [Symbol.dispose]: () => void;
}
interface ExitMarket {
    look(mint: string, wallets: readonly string[]): ExitLook | Promise<ExitLook>;
    foundOf?(intent: ManagedIntent): Promise<Found | null>;
    confirm?(signature: string): Promise<"finalized" | "failed" | "not_seen">;
    moved?(trade: NamedTrade): Promise<Moved | null>;
}
interface ExitLook {
    curve: Curve | CurveOptions;
    wallets?: readonly { wallet: string; holding: { tokens: bigint; } | null; }[];
    atMs?: number;
    stale?: boolean;
}
type ManagedIntent = Pick<TradeIntent, "intentId" | "operation" | "body" | "startedAtMs">;
interface ExitClient {
    sell(request: SellRequest, options: {
        intentId: string;
    }): Promise<{ status: string; }>;
    pending(): Promise<readonly unknown[]>;
    acknowledge(intentId: string, found: Found): Promise<boolean>;
    intentState(intentId: string): Promise<IntentState | null>;
    readonly hasMarket?: boolean;
    readonly tokenDecimals?: number;
    settle?(): Promise<unknown>;
    plan?(operation: "sell", request: SellRequest): Promise<{
        readonly refused: { readonly code: string; readonly message: string; } | null;
        readonly warnings?: readonly { readonly code: string; readonly message: string; }[];
    }>;
    endedTrade?(intentId: string): Promise<({
        readonly outcome: IntentOutcome;
        readonly signature?: string;
        readonly proven?: boolean;
    } & Partial<NamedTrade>) | null>;
}
interface ManageOptions {
    save?: (state: ExitState) => void | Promise<void>;
    kept?: ExitState | null;
    replacePlan?: boolean;
    everyMs?: number;
    timeoutMs?: number;
}
interface ExitEvent { what: ExitHappening; order: ExitOrder | null; error: unknown; soldTokens: bigint | null; receivedLamports: bigint | null; }
declare class Managed implements AsyncIterable<ExitEvent> {
    #private;
    readonly exits: OpenExits;
    private constructor();
    tick(): Promise<ExitEvent[]>;
    get isOver(): boolean;
    acknowledge(found: Found): Promise<boolean>;
    pause(): Promise<void>;
    resume(): Promise<void>;
    closeNow(): Promise<void>;
    [Symbol.asyncIterator](): AsyncIterator<ExitEvent>;
}
declare class Exits {
    readonly plan: ExitPlan;
    constructor(plan: ExitPlan);
    open(position: ExitPosition, kept?: ExitState | null, { replacePlan }?: { replacePlan?: boolean; }): OpenExits;
    manage(client: ExitClient, position: ExitPosition, market: ExitMarket, options?: ManageOptions): Managed;
}
type AsOf = { slot: number; atMs: number; commitment: Commitment; };
interface LookCurve {
    launchpad: LaunchpadConfig;
    curve: CurveConfig;
    supply: bigint;
    hasCreator: boolean;
    creatorBps: number | null;
    complete: boolean;
}
interface Look extends AsOf {
    stale: boolean;
    mint: string;
    curve: LookCurve;
    chain: ChainCurve;
    tokenProgram: string;
    mintSupply: bigint;
    wallets: WalletLook[];
    unknownWallets: string[];
    sandbox: SandboxConfig;
}
type MarketQuote = TradeQuote & AsOf & { curve: LookCurve; };
declare function quoteAt<O extends Operation>(look: Look, operation: O, request: RequestOf[O]): MarketQuote;
declare function lookWith(look: Look, { operation, body, slippageUnit }: Pick<PricedPlan, "operation" | "body"> & {
    slippageUnit?: "percent" | "bps";
}, { exact }: { exact: object; }): Look | null;
interface WatchOptions { everyMs?: number; wallets?: readonly string[]; signal?: AbortSignal; }
type AccountsOfSlot = { context: { slot: number; }; value: readonly (object | null)[]; };
interface AccountUpdate { slot: number; address?: string; account?: Omit<ChainAccount, "address"> | null; }
interface MarketOptions {
    rpc?: string | ((body: string) => Promise<string>);
    headers?: Readonly<Record<string, string>>;
    accounts?: (addresses: string[]) => Promise<AccountsOfSlot>;
    commitment?: Commitment;
    rules?: LaunchpadConfig;
    maxAgeMs?: number;
    timeoutMs?: number;
    maxReplyBytes?: number;
    walletsShared?: boolean;
    serviceHoldsMs?: number;
    walletAddresses?: Readonly<Record<string, string>>;
}
interface MarketWatchOptions extends WatchOptions { follow?: (addresses: string[], signal: AbortSignal) => AsyncIterable<AccountUpdate>; }
declare class Market {
    #private;
    constructor(options: MarketOptions);
    look(mint: string, wallets?: readonly string[]): Promise<Look>;
    traded({ body }: { body: string; }, signature?: string | null): void;
    quote<O extends Operation>(operation: O, request: RequestOf[O], look?: Look): Promise<MarketQuote>;
    quoteBody(operation: Operation, body: string, slippageUnit?: "percent" | "bps"): Promise<MarketQuote>;
    decimalsOf(mint: string): Promise<number>;
    before({ body, }: {
        body: string;
    }): Promise<{ wallet: string; tokens: bigint; lamports?: bigint; slot: number; }[]>;
    watch(mint: string, options?: MarketWatchOptions): AsyncGenerator<Look | Error, void, undefined>;
    watch(mint: string, on: (look: Look | Error) => void, options?: MarketWatchOptions): () => void;
    settleTrade(trade: UnsettledTrade, others?: readonly OtherTrade[] | null, areAll?: () => boolean): Promise<SettledTrade>;
    confirm(signature: string): Promise<Seen>;
    drift({ operation, body, price }: PricedPlan, signature: string): Promise<Drift>;
    moved({ operation, body, startedAtMs, beforeSlot, signature }: NamedTrade): Promise<Moved | null>;
    bought(trade: BoughtTrade): Promise<BoughtPosition>;
}
declare class MarketError extends Error {
    readonly code: MarketErrorCode;
    readonly status?: number;
    protected constructor(code: MarketErrorCode, message: string, status?: number);
}
declare class Position {
    #private;
    constructor(state?: PositionState);
    add(receipt: TradeReceipt): void;
    check(walletTokens: Amount): PositionDifference | null;
    get state(): PositionState;
    averageCost(curve: Curve): string | null;
    unrealisedLamports(curve: Curve): bigint | null;
    breakEven(curve: Curve, trader: Trader): BreakEven;
    profitOf(receipt: TradeReceipt): { lamports: bigint; estimated: boolean; };
    free(): void;
    [Symbol.dispose]: () => void;
}
type SingleTrade = {
    operation: "buy" | "sell" | "sellByPercentage";
    status: TradeStatus;
    exact: { buyAmount?: string | null; sellAmount?: string | null; preTokenBalance: string | null; postTokenBalance: string | null; };
    result: { wallet?: string | null; tokenAccountClosed?: boolean | null; };
};
type BundledTrade = { operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage"; status: TradeStatus; };
type WalletSeen = { walletLamportsMoved?: bigint; };
declare function receipt(quote: CurveQuote, trade: SingleTrade | Omit<Reconciled, "found">, seen?: WalletSeen): TradeReceipt;
declare function attribution(quote: CurveBundleQuote, trade: BundledTrade | Omit<Reconciled, "found">): TradeReceipt[];
type TradeOrder = BundleLeg & { slippageUnit?: "percent" | "bps"; feePayer?: string; priorityUnitLimit?: Amount; priorityUnitPrice?: Amount; };
type PlacedBundle = Omit<BundleOrder, "wallets"> & Partial<Pick<BundleOrder, "wallets">>;
type PlacedRequest<O extends Operation> = O extends Operation ? { operation: O; request: RequestOf[O]; } : never;
type OperationOf<L> = L extends {
    buyExactIn: Amount;
} ? "buy" : L extends {
    sellExactIn: Amount;
} ? "sell" : L extends { sellPercentage: number | string; } ? "sellByPercentage" : never;
type BundleOperationOf<L> = `bundle${Capitalize<OperationOf<L>>}`;
declare function toRequest<L extends TradeOrder>(mint: string, order: L): PlacedRequest<OperationOf<L>>;
declare function toBundleRequest<L extends BundleLeg>(mint: string, bundle: PlacedBundle & { legs: L[]; }): PlacedRequest<BundleOperationOf<L>>;
type ColumnName = string | readonly string[];
type ColumnSource<Unit = unknown> = ColumnName | (({ readonly column: ColumnName; }
 | { readonly buy: ColumnName; readonly sell: ColumnName; }) & Unit);
type ColumnWords = Readonly<Record<string, ColumnName>>;
interface RecordingColumns {
    readonly rows?: string;
    readonly atMs?: ColumnSource<{ readonly unit?: "ms" | "s" | "us" | "ns"; }>;
    readonly mint?: ColumnSource | { readonly value: string; };
    readonly side?: ColumnName | { readonly buy: ColumnWords; readonly sell: ColumnWords; readonly skip?: ColumnWords; };
    readonly lamports?: ColumnSource<{ readonly unit?: "lamports" | "sol"; readonly fees?: "included" | "excluded"; }>;
    readonly tokens?: ColumnSource<{ readonly unit?: "baseUnits" | "tokens"; readonly decimals?: number; }>;
    readonly wallet?: ColumnSource;
}
declare function recording(rows: string | object, options?: { columns?: RecordingColumns; }): RecordedTrade[];
interface TapeColumns { atMs: BigUint64Array; orders: Uint8Array; amounts: BigUint64Array; }
interface BacktestEntry { lamports: Amount; afterMs?: number; everyMs?: number; }
interface BacktestSignal { mint: string; atMs: number; lamports: Amount; }
type BacktestAction = { buy: Amount; mint?: string; slippage?: SlippageInput; exits?: ExitPlan | Exits; }
 | { sell: Amount | `${number}%`; mint?: string; slippage?: SlippageInput; };
interface BacktestNow {
    atMs: number;
    mint: string;
    trade: { side: Side; lamports: bigint; tokens: bigint; };
    readonly curve: Curve;
    lamports: bigint;
    position: { tokens: bigint; paidLamports: bigint; receivedLamports: bigint; openedAtMs: number; } | null;
    isInFlight: boolean;
    notes: Record<string, unknown>;
}
interface BacktestOptions {
    tape: readonly RecordedTrade[] | string | TapeColumns | readonly object[];
    columns?: RecordingColumns;
    start?: Curve | Readonly<Record<string, Curve>>;
    lamports?: Amount;
    entry?: BacktestEntry;
    signals?: readonly BacktestSignal[];
    exits?: ExitPlan | Exits;
    strategy?: (now: BacktestNow) => BacktestAction | readonly BacktestAction[] | null | undefined | void;
    latencyMs?: number | readonly number[];
    lookEveryMs?: number;
    fees?: { priorityUnitLimit?: Amount; priorityUnitPrice?: Amount; };
    slippage?: SlippageInput;
    slippageUnit?: "percent" | "bps";
    seed?: Amount;
}
declare function backtest(options: BacktestOptions): BacktestRun;
type SandboxFetch = (input: Request | URL | string, init?: unknown, context?: unknown) => Promise<Response>;
declare class LocalChain {
    #private;
    constructor(sandbox: { readonly fetch: unknown; }, faults?: ChainFaults);
    get fetch(): SandboxFetch;
    setFaults(faults: ChainFaults): void;
    stop(): void;
}
interface SandboxLook {
    curve: Curve;
    wallets: { wallet: string; lamports: bigint; holding: SandboxTokenAccount | null; opensVolumeAccount: boolean; }[];
    atMs: number;
}
type ExitGrid = { [Field in keyof ExitPlan]?: readonly ExitPlan[Field][]; };
interface SweptPlan {
    plan: ExitPlan;
    at: number[];
    profitLamports: bigint;
    positions: number;
    wins: number;
    landed: number;
    failed: number;
    drawdownLamports: bigint;
}
interface BacktestSweep { fields: (keyof ExitPlan)[]; plans: SweptPlan[]; best: SweptPlan; neighbours: SweptPlan[]; isLonely: boolean; }
declare function sweep(options: BacktestOptions & { grid: ExitGrid; onProgress?: (done: number, all: number) => void; }): BacktestSweep;
interface BacktestDistribution {
    profitsLamports: bigint[];
    leastLamports: bigint;
    quarterLamports: bigint;
    medianLamports: bigint;
    threeQuartersLamports: bigint;
    mostLamports: bigint;
    gained: number;
}
interface BacktestReport {
    title: string;
    run: BacktestRun;
    seeds: BacktestDistribution | null;
    isOneRun: boolean;
    withoutIdea: BacktestDistribution | null;
    positionsWithoutIdea: number;
    beaten: number | null;
    sweep: BacktestSweep | null;
}
interface BacktestReportOptions extends Omit<BacktestOptions, "tape" | "seed"> {
    tape: BacktestOptions["tape"] | ((seed: number) => BacktestOptions["tape"]);
    seed?: number;
    seeds?: number;
    withoutIdea?: number;
    grid?: ExitGrid;
    title?: string;
    onProgress?: (done: number, all: number) => void;
}
declare function backtestReport(options: BacktestReportOptions): BacktestReport;
declare function reportHtml(report: BacktestReport): string;
declare function reportText(report: BacktestReport): string;
type Store = (changes: { key: string; row: string; }[], later?: (stored: Promise<void>) => void) => void;
declare class Sandbox {
    #private;
    constructor(config?: SandboxConfig);
    static restore(snapshot: string, config?: SandboxConfig): Sandbox;
    get fetch(): SandboxFetch;
    quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote;
    curve(mint: string): Curve;
    look(mint: string, wallets?: readonly string[]): SandboxLook;
    quoteBody(operation: Operation, body: string): Promise<TradeQuote>;
    before(trade: {
        body: string;
    }): Promise<{ wallet: string; tokens: bigint; lamports: bigint; slot: number; }[]>;
    settleTrade(): Promise<never>;
    confirm(signature: string): Promise<"finalized" | "failed" | "not_seen">;
    moved({ signature }: { signature: string; }): Promise<Moved | null>;
    bought(trade: BoughtTrade): Promise<BoughtPosition>;
    watch(mint: string, options?: WatchOptions): AsyncGenerator<SandboxLook | Error, void, undefined>;
    watch(mint: string, on: (look: SandboxLook | Error) => void, options?: WatchOptions): () => void;
    advance(ms: number): void;
    fund(wallet: string, lamports: Amount, label?: string): void;
    launch(token: SandboxTokenConfig): void;
    setFaults(faults: FaultConfig): void;
    reset(): void;
    apply(rows: readonly string[]): void;
    rows(): string[];
    get origin(): Record<string, string>;
    useClock(now: (() => number) | null): void;
    onChanges(store: Store | null): void;
    snapshot(): string;
    get account(): AccountRow;
    get wallets(): SandboxWallet[];
    get tokens(): SandboxToken[];
    get nowMs(): number;
    get marketTrades(): MarketTrade[];
    get replay(): Replay;
    newestTrades(mint: string, most: number): MarketTrade[];
    candles(mint: string, intervalMs: number): Candle[];
    get calls(): CallRow[];
    callsNdjson(): string;
    get trades(): TradeRow[];
    free(): void;
    [Symbol.dispose]: () => void;
}
declare function quote<O extends Operation>(operation: O, request: RequestOf[O], market: SandboxConfig): TradeQuote;
type MarketEvent = {
    id: string;
} & ({ type: "start"; data: InJson<MarketStart>; }
 | { type: "token"; data: InJson<SandboxToken>; }
 | { type: "trade"; data: InJson<MarketTrade>; }
 | { type: "time"; data: { nowMs: number; }; });
interface SandboxMarketOptions {
    baseURL: string;
    fetch?: (url: string, init: { headers: Record<string, string>; signal?: AbortSignal; }) => Promise<Response>;
    timeoutMs?: number;
}
declare class SandboxMarket {
    #private;
    constructor({ baseURL, fetch, timeoutMs, }: SandboxMarketOptions);
    look(mint: string, wallets?: readonly string[]): Promise<SandboxLook>;
    trades({ after, mint, limit }?: { after?: string | number; mint?: string; limit?: number; }): Promise<InJson<MarketTrades>>;
    tokens({ after, limit }?: { after?: string; limit?: number; }): Promise<InJson<MarketTokens>>;
    wallets({ after, limit }?: { after?: string; limit?: number; }): Promise<InJson<MarketWallets>>;
    events({ mint, after, signal }?: { mint?: string; after?: string; signal?: AbortSignal; }): AsyncGenerator<MarketEvent | Error, void, undefined>;
    watch(mint: string, options?: WatchOptions): AsyncGenerator<SandboxLook | Error, void, undefined>;
    watch(mint: string, on: (look: SandboxLook | Error) => void, options?: WatchOptions): () => void;
}
interface StateInIndexedDB { readonly fetch: Sandbox["fetch"]; saved(): Promise<void>; close(): Promise<void>; }
declare function keepStateInIndexedDB(sandbox: Pick<Sandbox, "apply" | "fetch" | "onChanges" | "origin" | "rows">, name?: string): Promise<StateInIndexedDB>;
type NodeReply = {
    readonly status: number;
    readonly statusText: string;
    readonly ok: boolean;
    readonly redirected: boolean;
    readonly url: string;
    readonly headers: { get(name: string): string | null; has(name: string): boolean; };
    readonly body: {
        getReader(): {
            read(): Promise<{ done: false; value: Uint8Array; } | { done: true; value: undefined; }>;
            cancel(): Promise<void>;
            releaseLock(): void;
        };
    };
    readonly bodyUsed: boolean;
    bytes(): Promise<Uint8Array>;
    arrayBuffer(): Promise<ArrayBuffer>;
    text(): Promise<string>;
    json(): Promise<unknown>;
};
interface NodeFetchOptions {
    connectionPerTrade?: boolean;
    keepAliveMs?: number;
    connectTimeoutMs?: number;
    ca?: string | Uint8Array | readonly (string | Uint8Array)[];
}
type NodeFetchInit = {
    method?: string;
    headers?: Record<string, string> | { entries(): Iterable<[string, string]>; };
    body?: string | Uint8Array | null;
    redirect?: string;
    signal?: AbortSignal | null;
};
interface NodeFetch { (url: string | URL, init?: NodeFetchInit): Promise<NodeReply>; warm(url: string | URL): Promise<void>; close(): void; }
declare function nodeFetch(options?: NodeFetchOptions): NodeFetch;
declare function fileJournal(path: string): ClosableJournal;
interface FileRecord { head(): Promise<string>; append(lines: string, head: string): Promise<void>; close(): Promise<void>; }
declare function fileRecord(path: string, { copyHead }?: { copyHead?: (head: string) => unknown; }): FileRecord;
interface ServeOptions { port?: number; host?: string; signal?: AbortSignal; allowedHosts?: string[]; maxBodyBytes?: number; bodyTimeoutMs?: number; }
interface Served { readonly url: string; readonly port: number; close(): Promise<void>; [Symbol.asyncDispose](): Promise<void>; }
declare function serve(sandbox: Pick<Sandbox, "fetch">, options?: ServeOptions): Promise<Served>;
interface KeptState { close(): Promise<void>; [Symbol.asyncDispose](): Promise<void>; }
declare function keepState(sandbox: Pick<Sandbox, "apply" | "onChanges" | "origin" | "rows">, path: string): Promise<KeptState>;
interface RecordStore { head(): Promise<string>; append(lines: string, head: string): Promise<void>; }
type AnyPlan = Pick<Plan, "intentId" | "operation" | "body" | "checksum">;
type AnySandbox = Pick<Sandbox, "fetch" | "tokens" | "wallets" | "curve">;
declare class DeskRecord {
    #private;
    constructor(store: RecordStore, { by, onError }?: { by?: string; onError?: (error: unknown) => void; });
    around<T extends ClientOptions>(options: T): T;
    plan(plan: AnyPlan, market?: AnySandbox | object): Promise<void>;
    ask({ intentId, checksum }: AnyPlan): Promise<void>;
    approve({ intentId, checksum }: AnyPlan, by: string): Promise<void>;
    evidence(intentId: string, found: {
        readonly outcome: IntentOutcome;
        readonly signature?: string | null;
        readonly reconciled?: object;
    }): Promise<void>;
    exit(intentId: string, reason: string, order: object): Promise<void>;
    written(): Promise<void>;
}
type RecordSource = string | Uint8Array | Blob | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> | ReadableStream<Uint8Array>;
type TapeOfRecord = { tape: RecordedTrade[]; leftOut: number; };
declare function recordTape(record: RecordSource): Promise<TapeOfRecord>;
declare function recordSandbox(record: RecordSource, { at }?: { at?: string; }): Promise<SandboxConfig>;
interface RecordVerdict {
    verified: boolean;
    lines: number;
    trades: number;
    problemCount: number;
    problems: RecordProblem[];
    head: { number: number; hash: string; } | null;
}
type VerifyOptions = { head?: string | RecordVerdict["head"]; onTrade?: (trade: RecordCheck) => void; onProblem?: (problem: RecordProblem) => void; };
declare function verifyRecord(record: RecordSource, { head, onTrade, onProblem }?: VerifyOptions): Promise<RecordVerdict>;
declare function checkText({ intentId, operation, sent, outcome, proven, acknowledged, approved, price, problems, }: RecordCheck): string;
