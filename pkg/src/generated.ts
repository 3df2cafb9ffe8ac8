// Generated from the tables in `src/` and `crates/`: `UPDATE=1 cargo test --locked --test rust generated::` writes it.

/** The names that cross by their places here. */
export const NAMES: readonly string[] = ["buys", "sells", "mint", "fromWallet", "amountInLamports", "amountInToken", "percentage", "feePayer", "slippage", "priorityUnitLimit", "priorityUnitPrice", "perSecond", "burst", "maxQueueMs", "unknowns", "stopsSells", "operation", "request", "options", "field", "code", "message", "status", "simulated", "result", "explorer", "launchpad", "exact", "warnings", "raw", "intentId", "wallet", "buyAmount", "sellAmount", "preTokenBalance", "postTokenBalance", "signature", "transactionResult", "success", "results", "tokenAccount", "tokenAccountClosed", "tx", "buy", "sell", "sellByPercentage", "bundleBuy", "bundleSell", "bundleSellByPercentage", "landed", "unconfirmed", "failed"];

/** Why an account is refused, by its place in a column. */
export const ACCOUNT_REFUSAL_CODES: readonly AccountRefusalCode[] = ["missing", "owner", "address", "length", "discriminator", "bool", "quote", "range", "encoding", "wallet", "mint"];

// How long and how often drivers wait and ask, and how much they keep and read: the core's numbers.

/** How long a market has to say what is noted before a trade. */
export const NOTE_WITHIN_MS = 2000;

/** How long a market that did not say so in time is left alone. */
export const MARKET_RESTS_MS = 30000;

/** How often a caller who waits asks the chain about trades. */
export const SETTLE_EVERY_MS = 2000;

/** How long a position's buy is waited for. */
export const SHOWN_WITHIN_MS = 15000;

/** How often a market is asked whether it shows a buy. */
export const SHOWN_EVERY_MS = 500;

/** How long a look waits until it shows the own trades. */
export const OWN_WITHIN_MS = 10000;

/** How often it is read again meanwhile. */
export const OWN_EVERY_MS = 400;

/** How many requests of one settler may be in flight. */
export const MOST_AT_ONCE = 4;

/** Milliseconds of a day. */
export const DAY_MS = 86400000;

/** Slots after which a trade makes no transaction any more. */
export const DAY_SLOTS = 216000;

/** How many of the latest trades are remembered. */
export const REMEMBERED = 10000;

/** For how many days a journal keeps sums. */
export const SUMS_OF_DAYS = 400;

/** Priority units that are paid for each trade, where a request sets no limit. */
export const DEFAULT_UNITS = 200000;

/** The most characters of the id of a mint or a wallet. */
export const MOST_OF_ID = 128;

/** The longest line of a file, in bytes. */
export const MAX_LINE = 16777216;

/** By how many bytes a journal has grown when it is shortened. */
export const JOURNAL_GROWTH = 8388608;

/** How old a look may be, by default. */
export const MAX_AGE_MS = 10000;

/** How long a node may take, by default. */
export const NODE_TIMEOUT_MS = 10000;

/** How often a node is asked for a look, by default. */
export const LOOK_EVERY_MS = 2000;

/** The most bytes of a node's reply, by default. */
export const MOST_NODE_BYTES = 67108864;

/** The most bytes of a refusal that are read. */
export const MOST_REFUSAL_BYTES = 65536;

/** How many empty pieces of a body may come in a row. */
export const MOST_EMPTY = 1000;

/** How long connecting may take, by default. */
export const CONNECT_TIMEOUT_MS = 10000;

/** How long a trade may be asked for again under its id: a gateway that has forgotten it would make a new one. */
export const REMEMBERED_MS = 43200000;

/** How long an idle connection is kept, by default. */
export const KEEP_ALIVE_MS = 4000;

/** The path of each operation, below the base URL. */
export const PATHS: Readonly<Record<Operation, string>> = { buy: "/v1/trade/buy", sell: "/v1/trade/sell", sellByPercentage: "/v1/trade/sell-by-percentage", bundleBuy: "/v1/trade/bundle/buy", bundleSell: "/v1/trade/bundle/sell", bundleSellByPercentage: "/v1/trade/bundle/sell/by-percentage" };

/** The side of each operation. */
export const SIDES: Readonly<Record<Operation, Side>> = { buy: "buy", sell: "sell", sellByPercentage: "sell", bundleBuy: "buy", bundleSell: "sell", bundleSellByPercentage: "sell" };

// Codes

/**
 * One of the six operations of the service.
 *
 * @see {@link TradeClient.build}
 */
export type Operation =
  /** Spend lamports on a token. */
  | "buy"
  /** Sell an amount of token. */
  | "sell"
  /** Sell a percentage of a wallet's holdings. */
  | "sellByPercentage"
  /** Several buys of one token from several wallets, in one transaction. */
  | "bundleBuy"
  /** Several sells of one token from several wallets, in one transaction. */
  | "bundleSell"
  /** Several sells by percentage, in one transaction. */
  | "bundleSellByPercentage";

/**
 * Whether money may have moved.
 *
 * @see {@link TradeError}
 */
export type Outcome =
  /** Nothing left this machine. */
  | "not_sent"
  /** The service refused the trade. */
  | "rejected"
  /** The transaction ran and failed: nothing moved but the network fee. */
  | "failed"
  /** The trade may have been made. Never send it again: settle it. */
  | "unknown";

/**
 * Why a trade did not land, or why that is unknown. Append-only.
 *
 * @see {@link TradeError}
 */
export type Code =
  /** Fields of the request are wrong; `error.fields` names each. */
  | "invalid_request"
  /** Options that cannot be used; `error.fields` names each. */
  | "invalid_options"
  /** The signal was aborted before anything was sent. */
  | "aborted_before_send"
  /** Nothing was sent, and the transport proves it: on Node the default one, or `nodeFetch`. */
  | "connect_failed"
  /** The runtime lacks `fetch`, `AbortController` or timers. */
  | "unsupported_runtime"
  /** The service says that the request is wrong (400, 404, 405, 413, 415, 422). */
  | "rejected_by_service"
  /** The service does not accept the key (401, 403). Or a proxy or a firewall refuses the request: then the message has its page's title. */
  | "unauthorized"
  /** Too many requests (429); `error.retryAfterMs` where the service says how long to wait. */
  | "rate_limited"
  /** The transaction ran and failed, as the chain's own error in the reply says; `error.trade` has the reply. */
  | "transaction_failed"
  /** The connection broke, or could not be opened and the transport cannot prove it. */
  | "network_error"
  /** No complete answer within `timeoutMs`. */
  | "timeout"
  /** The signal was aborted after the request went out. */
  | "aborted"
  /** The service answered with a redirect, which is never followed: it would forward the key. */
  | "redirected"
  /** The service had an error of its own (5xx). */
  | "service_error"
  /** A status that does not say whether the trade was made. */
  | "unexpected_status"
  /** A success or a refusal whose body cannot be read; `error.evidence` has the start of the body. */
  | "unreadable_reply"
  /** The reply is longer than `maxReplyBytes`; also used by `readReply`. */
  | "reply_too_large"
  /** A render function was given an error that is not from a trade. */
  | "unexpected_error"
  /** The client is halted until trading is resumed. */
  | "halted"
  /** The client allows only sells until trading is resumed. */
  | "reducing"
  /** A trade with this intent id is in flight. */
  | "intent_in_flight"
  /** A trade with this intent id may have landed: check, then `acknowledge` it. */
  | "intent_unknown"
  /** A trade with this intent id has already landed or been accepted. */
  | "intent_landed"
  /** Too many unknown outcomes in a row: check and `acknowledge` each, or resume trading. */
  | "breaker_open"
  /** The mint is not in `allowMints`. */
  | "mint_not_allowed"
  /** A wallet, or the fee payer, is not in `allowWallets`. */
  | "wallet_not_allowed"
  /** The request may take more than `maxLamportsPerTrade`: by all its buys, with the accounts that they may open and the network's fees, or, for a sell, for priority. */
  | "over_trade_limit"
  /** A slippage is over `maxSlippage`; a leg without one counts as the service's 0.5 %. */
  | "over_slippage_limit"
  /** A wallet has as many trades in flight as `inFlightPerWallet` allows. */
  | "wallet_busy"
  /** The request may take more than `maxLamportsPerDay` leaves of this day (UTC). */
  | "over_day_limit"
  /** More trades than `rateLimit` allows; `error.retryAfterMs` says how long to wait for a turn. */
  | "over_rate_limit"
  /** The deadline passed before anything was sent. */
  | "timeout_before_send"
  /** The journal could not record the trade, so it was not sent; or it could not record `halt`, `reduce` or `resume`, which then holds only until a restart. Of a file journal the message says which file, and which process has it; of a journal of yours only the `logger` gets the reason. */
  | "journal_failed"
  /** The hook before sending threw, or returned balances that cannot be used. Only the `logger` gets what it threw. */
  | "hook_failed"
  /** The function for the API key threw, or returned no usable key. */
  | "api_key_unavailable"
  /** `dryRun`: every check passed, and the trade was not sent. */
  | "dry_run"
  /** A reply that contradicts the request or itself: a different mint or wallet, a `sellAmount` in answer to a buy, a `success` or an `error` that its `transactionResult` denies, two signatures, a success with the chain's error, with words that its end is not known, or with an amount of zero, a failure of which a part succeeded or whose balances moved, the signature of another trade. Missing fields contradict nothing. Or a refusal whose body tells of a trade: a signature, a transaction result, a field of `result`, that it succeeded, or that nobody knows how it ended. `error.evidence` has the start of the reply. */
  | "contradictory_reply"
  /** The plan has expired, or its timestamp is in the future (the client's clock was set back): make a new one. */
  | "plan_expired"
  /** The plan was sent before, or its intent id is known from another trade. If it may have landed, find that out before you make a new one. */
  | "plan_used"
  /** The plan was changed after it was made, or is not a plan. */
  | "plan_altered"
  /** The plan was made for another base URL or unit of slippage, or for a sandbox although this client sends to a service, or the other way round. */
  | "plan_for_another_service"
  /** A gateway waits for a person's approval; the trade may be made later. Wait for the answer with `waitFor`. */
  | "awaiting_approval"
  /** A gateway refuses the trade: its policy does not allow it, it was not approved, or the gateway had no connection to the service. `error.serviceMessage` says why. */
  | "refused_by_gateway"
  /** `waitFor`: the gateway has no such intent. It never arrived, was sent with another token, or has been forgotten. */
  | "intent_not_found"
  /** `maxImpactBps` or `maxPriceAgeMs` is set, and the buy has no price that says this: give the client a market, or send a plan that has a price. */
  | "no_price"
  /** The price of the buy's plan is older than `maxPriceAgeMs`: make a new plan. */
  | "price_too_old"
  /** The buy would move the price by more than `maxImpactBps`. */
  | "over_impact_limit"
  /** The service says that the transaction failed, but its reply does not have the chain's own error. Services also say that when a confirmation took too long, and the transaction may still land. `trustsFailure` takes the service's word as proof. `error.signature` has the transaction to look for, if the reply names one. */
  | "unproven_failure"
  /** The package's WebAssembly module failed: no memory was left, or it has a bug. Or the runtime failed in the middle of a call. Nothing was sent. What was made with that module is lost: make it again. A new client works, and its journal knows the rest. */
  | "module_failed"
  /** The same after the request went out. */
  | "module_failed_after_send"
  /** An amount to sell is in base units, and the market says that the token has other decimals than `tokenDecimals`: it would sell another amount. Set `tokenDecimals` to the token's own, or name whole tokens. */
  | "other_token_decimals"
  /** An amount to sell is in base units, and the market has not said how many decimals the token has: try again, or name whole tokens. `build` asks no market: plan the sell first, which does. */
  | "token_decimals_unknown";

/** What is wrong with one field. Append-only. */
export type FieldCode =
  /** Required, but absent or null. */
  | "required"
  /** No such field; the message names the nearest one. */
  | "unknown_field"
  /** Not the interface's type. */
  | "wrong_type"
  /** NaN, an infinity, or text that is not a plain decimal number. */
  | "not_a_number"
  /** A fraction where a whole number is needed; also tokens finer than a base unit. */
  | "not_an_integer"
  /** A JS number too large to be exact: pass a bigint or a string. */
  | "not_exact"
  /** Zero or below. */
  | "not_positive"
  /** Outside the allowed range. */
  | "out_of_range"
  /** Empty text, as forms send it, or an empty list. */
  | "empty"
  /** White space, a control character, an invisible one or broken text in an identifier. */
  | "white_space"
  /** Longer than allowed. */
  | "too_long"
  /** Not 32 bytes in base58. */
  | "not_base58"
  /** More elements than `maxBundleSize`. */
  | "too_many"
  /** The value cannot be read: a getter that throws, a cycle, too much nesting or length. */
  | "unreadable"
  /** A value that contradicts another field. */
  | "conflict"
  /** Not on the allow-list. */
  | "not_allowed"
  /** Typed or pasted text that may mean two things, such as `1.000`: it is never guessed. */
  | "ambiguous";

/** A warning about a request that is sent anyway. Append-only. */
export type WarningCode =
  /** A slippage over 100 %, or a bare one over 100 while `slippageUnit` is `percent`: it may have been meant as basis points. */
  | "slippage_unit"
  /** A percentage below 1: it may have been meant as a part of the whole. */
  | "percentage_unit";

/** What a readable reply says about its transaction. */
export type TradeStatus =
  /** `transactionResult.success` is true. */
  | "landed"
  /** The reply does not say. */
  | "unconfirmed"
  /** `transactionResult.success` is false: nothing moved but the network fee. */
  | "failed";

/** What may be sent. Of two modes, the greater one stops more. */
export type GuardMode =
  /** Everything. */
  | "active"
  /** Only sells. */
  | "reducing"
  /** Nothing. */
  | "halted";

/**
 * How far an intent is at a gateway. There are no others: whoever matches one decides about each.
 *
 * @see {@link TradeClient.waitFor}
 */
export type IntentState =
  /** It is a plan that has not been sent. */
  | "planned"
  /** A person must approve it; nothing was sent yet. */
  | "awaiting_approval"
  /** It was forwarded and has no answer yet. */
  | "in_flight"
  /** It was forwarded, and its outcome is unknown. An operator must settle it, unless the chain proves it. */
  | "in_doubt"
  /** It has its final answer: the service's, or the gateway's own refusal with status 403. */
  | "ended"
  /** The gateway has no such intent. The request that it answered with this moves nothing; an earlier one may still be on its way. */
  | "not_recorded";

/**
 * How an intent ended. There are no others: whoever matches one decides about each.
 *
 * @see {@link Hooks}
 */
export type IntentOutcome =
  /** It landed. */
  | "landed"
  /** It was answered with a success that does not say whether it landed. */
  | "unconfirmed"
  /** Nothing was sent. */
  | "not_sent"
  /** The service or a gateway refused it. */
  | "rejected"
  /** Its transaction ran and failed: nothing moved but the network fee. */
  | "failed"
  /** It is unknown: it may have landed. */
  | "unknown"
  /** Its outcome was unknown, and it was found that it did not land. */
  | "did_not_land";

/**
 * What may be acknowledged of an unresolved intent: the two of `IntentOutcome` that end it.
 *
 * @see {@link TradeClient.acknowledge}
 */
export type Found =
  /** It landed: its lamports are spent, and its id is used up. */
  | "landed"
  /** It did not land and never will: its lamports are free, and so is its id. */
  | "did_not_land";

/** How sure an answer is. */
export type Certainty =
  /** The balances allow nothing else, if the caller described them correctly. */
  | "proven"
  /** They fit this answer, but would also fit another. */
  | "likely"
  /** They do not decide it. */
  | "unknown";

/** What one wallet's balances show of the trade. */
export type Shown =
  /** Exactly the trade's move. Only something else that the wallet signed could have made it, too. */
  | "trade"
  /** A move in the trade's direction that may have another cause. */
  | "move"
  /** No move: its tokens are unchanged, and its lamports do not contradict that. */
  | "nothing"
  /** A move that does not fit, whether the trade landed or not. */
  | "other"
  /** Its tokens were not read. */
  | "unread"
  /** No move, but the trade might not have made one: its share may round to zero, or the wallet held too few tokens. */
  | "silent";

/**
 * Why the launchpad's program, or the network under it, refuses a trade. Append-only.
 *
 * @see {@link RefusalError}
 */
export type RefusalCode =
  /** The amount is zero. */
  | "zero_amount"
  /** The curve has no virtual reserves, so it has no price. */
  | "empty_curve"
  /** The curve is complete: it trades no longer. All its tokens are sold. */
  | "curve_complete"
  /** The curve has fewer tokens left than this buys. */
  | "not_enough_tokens_on_curve"
  /** The spend is used up by its own fees. */
  | "spend_does_not_cover_fees"
  /** Fewer tokens than the minimum: the price moved past the slippage. A buy that brings none is one, too. */
  | "below_minimum_tokens"
  /** Costs more than the maximum: the price moved past the slippage. */
  | "above_maximum_cost"
  /** The wallet holds fewer tokens than this sells. */
  | "not_enough_tokens_held"
  /** The fees exceed the sale, or the sale exceeds the curve's lamports. */
  | "fees_or_reserves_exceeded"
  /** Fewer lamports than the minimum: the price moved past the slippage. */
  | "below_minimum_lamports"
  /** This percentage of the holdings is less than one base unit. */
  | "percentage_sells_nothing"
  /** A number is over 64 bits. */
  | "overflow"
  /** The wallet has too few lamports for this trade. */
  | "insufficient_lamports"
  /** The wallet has too few lamports for its token account's rent. */
  | "insufficient_lamports_for_rent"
  /** The fee payer has too few lamports for the network fee. The transaction is never processed. */
  | "insufficient_lamports_for_network_fee"
  /** The wallet's token account is not open. Nor is that of a wallet that is not known. */
  | "token_account_not_open"
  /** The token account still holds tokens. */
  | "token_account_not_empty"
  /** The wallet is not part of this transaction. */
  | "unknown_wallet"
  /** The launchpad has no fee tier. So its fees are not known. */
  | "no_fee_tier"
  /** No amount reaches this. */
  | "out_of_reach"
  /** A plan is made for at most 10,000 wallets. */
  | "too_many_wallets"
  /** A wallet would be left with less than an empty account's rent, but not with zero. That rent is 128 × `rentLamportsPerByte`. */
  | "below_rent_minimum"
  /** The curve has fewer tokens left than this buys; the rest would come from the future pool, which cannot be priced yet. */
  | "filled_from_pool"
  /** The wallet's token account is frozen: it can neither sell nor buy. */
  | "token_account_frozen"
  /** How much this sells is not known, because the wallet's id is no address: the market's walletAddresses can give it one. It is no refusal of the launchpad: there is no price, and the trade may land. */
  | "holdings_unknown"
  /** Only somebody else may close the token account. */
  | "token_account_stays_open";

/**
 * What a trader should know before sending a trade. Append-only.
 *
 * @see {@link Curve.quoteBuyExactIn}
 */
export type QuoteWarning =
  /** The average price of the fill, before fees, is more than 5 % (or `warnAbove`) away from the spot price before it. The spot price itself moves about twice as far: `spotMoveBps`. Rounding to whole lamports and base units does not cause it. */
  | "high_impact"
  /** The slippage is over 10 % (or `warnAbove`). */
  | "slippage_over_bounds"
  /** At 100 % slippage and over, no bound is left. */
  | "no_bound_left"
  /** The trade is worth less than the fee of a signature: perhaps the amount was meant in another unit. */
  | "unit_suspicion"
  /** The sell leaves tokens that are worth less than the fee of a signature. */
  | "dust_left"
  /** The sell leaves tokens that are worth less than the rent they keep locked. */
  | "account_cannot_close"
  /** The sell brings no lamports. */
  | "no_proceeds"
  /** The curve has less than was ordered; the buy takes the remainder. */
  | "partial_fill"
  /** The buy takes the curve's last token: after it, trading stops. */
  | "completes_curve"
  /** At worst the wallet has too few lamports for this. */
  | "insufficient_lamports"
  /** The wallet is unknown: holdings are unchecked, rent is not counted. */
  | "wallet_unknown"
  /** The wallet may be left with less than an empty account's rent, but not with zero: then the transaction fails. */
  | "below_rent_minimum";

/**
 * Which way the lamports go.
 *
 * @see {@link Curve.quoteBuyExactIn}
 */
export type Side =
  /** From the wallet to the curve. */
  | "buy"
  /** From the curve to the wallet. */
  | "sell";

/**
 * What a buy past the end of the curve does.
 *
 * @see {@link Curve.complete}
 */
export type Completion =
  /** It is refused. */
  | "reject"
  /** It buys the remainder. */
  | "partial"
  /** It is filled from the future pool, which cannot be priced yet: it is refused by that name. */
  | "pool";

/** A disagreement between what was quoted and what was reported, or within the report itself. Append-only. */
export type ReceiptFinding =
  /** A buy brought fewer tokens than its bound, or a sell sold a different number of tokens than ordered. */
  | "tokens_past_bound"
  /** The balances do not differ by the tokens traded. */
  | "balances_disagree"
  /** The balance before is not the one that the quote assumed. */
  | "balance_before_differs"
  /** A failed transaction moved tokens. */
  | "failed_but_moved"
  /** The account is said to be closed with tokens in it. */
  | "closed_with_tokens"
  /** The account is said to be open although nothing is left in it. */
  | "left_open_empty"
  /** The wallet's lamports moved further than the bound allows, fees and rent included. */
  | "lamports_past_bound"
  /** The reply to a landed trade leaves out the tokens. */
  | "tokens_unreported"
  /** The wallet's lamports did not move by the sum of trade, rent and network fee. */
  | "lamports_disagree"
  /** A buy took more than its amount, its network fee and the rent of all accounts that it may open: the service may buy a number of tokens for at most the amount and its slippage (`buysMayExceed`). */
  | "over_amount";

/** A figure of a receipt that may be an estimate. */
export type ReceiptFigure =
  /** The tokens bought or sold. */
  | "tokens"
  /** The lamports paid or received for them. */
  | "lamports"
  /** The price of the fill. */
  | "price"
  /** How much worse than quoted it was. */
  | "slippageUsedPpm"
  /** Both trading fees. */
  | "fees"
  /** What happened to the token account, and its rent. */
  | "tokenAccount"
  /** The rent paid for opening the wallet's volume account. */
  | "volumeRentLamports"
  /** What the trading wallet paid of the network fee. */
  | "networkFeeLamports"
  /** What the trading wallet gained or spent in all. */
  | "netLamports";

/** A leg of a bundle, by what it adds to the transaction. */
export type LegKind =
  /** A buy into an open token account. */
  | "buy"
  /** A buy that opens its token account first. */
  | "open_and_buy"
  /** A sell. */
  | "sell"
  /** A sell that closes its token account. */
  | "sell_and_close";

/** Whether legs fit one transaction. */
export type TransactionFit =
  /** With every address written out. */
  | "plain"
  /** Only with an address lookup table. */
  | "with_lookup_table"
  /** Not at all. */
  | "no";

/**
 * What goes wrong with one request.
 *
 * @see {@link Sandbox.setFaults}
 */
export type FaultKind =
  /** Nothing but the delays. */
  | "none"
  /** The connection is refused. Nothing is executed. */
  | "refused"
  /** 429 with `retry-after` (`retryAfterMs`). Nothing is executed. */
  | "rateLimited"
  /** An error (`status`). Nothing is executed. */
  | "errorBefore"
  /** An error (`status`), although the trade was executed. */
  | "errorAfter"
  /** The trade is executed, and the connection ends without an answer. */
  | "noAnswer"
  /** The trade is executed, and the connection ends in the middle of the body. */
  | "truncated"
  /** The trade is executed, and the body has a byte that is not UTF-8. */
  | "garbled"
  /** The transaction fails (`refusal`): the network fee is charged. */
  | "transactionFails"
  /** The connection ends without an answer. Nothing is executed. */
  | "dropped";

/**
 * The outcomes that a request to the sandbox may ask for. Append-only.
 *
 * @see {@link sandboxOutcomes}
 */
export type SandboxOutcome =
  /** The launchpad decides: there is no other fault, and no rival moves the price in flight. */
  | "landed"
  /** The transaction fails: the amount is zero. */
  | "failed-zero-amount"
  /** The transaction fails: the curve has no price. */
  | "failed-empty-curve"
  /** The transaction fails: all tokens of the curve are sold. */
  | "failed-curve-complete"
  /** The transaction fails: the curve has fewer tokens left than this buys. */
  | "failed-not-enough-tokens-on-curve"
  /** The transaction fails: the spend is used up by its own fees. */
  | "failed-spend-does-not-cover-fees"
  /** The transaction fails: the price of a buy moved past its slippage. */
  | "failed-below-minimum-tokens"
  /** The transaction fails: the buy costs more than its maximum. */
  | "failed-above-maximum-cost"
  /** The transaction fails: the wallet holds fewer tokens than this sells. */
  | "failed-not-enough-tokens-held"
  /** The transaction fails: the fees exceed the sale, or the sale exceeds the curve's lamports. */
  | "failed-fees-or-reserves-exceeded"
  /** The transaction fails: the price of a sell moved past its slippage. */
  | "failed-below-minimum-lamports"
  /** The transaction fails: the percentage is less than one base unit. */
  | "failed-percentage-sells-nothing"
  /** The transaction fails: a number does not fit into 64 bits. */
  | "failed-overflow"
  /** The transaction fails: the wallet has too few lamports for this trade. */
  | "failed-insufficient-lamports"
  /** The transaction fails: the wallet has too few lamports for its token account's rent. */
  | "failed-insufficient-lamports-for-rent"
  /** The transaction is never processed, and no network fee is charged: the fee payer cannot pay it. */
  | "failed-insufficient-lamports-for-network-fee"
  /** The transaction fails: the wallet's token account is not open. */
  | "failed-token-account-not-open"
  /** The transaction fails: the token account still holds tokens. */
  | "failed-token-account-not-empty"
  /** The transaction fails: the wallet is not part of it. */
  | "failed-unknown-wallet"
  /** The transaction fails: the launchpad has no fee tier. */
  | "failed-no-fee-tier"
  /** The transaction fails: a wallet would be left with less than an empty account's rent. */
  | "failed-below-rent-minimum"
  /** The transaction fails: the wallet's token account is frozen. */
  | "failed-token-account-frozen"
  /** The service answers 400. Nothing is executed. */
  | "rejected-400"
  /** The service answers 401. Nothing is executed. */
  | "rejected-401"
  /** The service answers 403. Nothing is executed. */
  | "rejected-403"
  /** The service answers 404. Nothing is executed. */
  | "rejected-404"
  /** The service answers 405. Nothing is executed. */
  | "rejected-405"
  /** The service answers 413. Nothing is executed. */
  | "rejected-413"
  /** The service answers 415. Nothing is executed. */
  | "rejected-415"
  /** The service answers 422. Nothing is executed. */
  | "rejected-422"
  /** The service answers 429 with `retry-after: 1`. Nothing is executed. */
  | "rejected-429"
  /** The service answers 500, although the trade was executed. */
  | "executed-500"
  /** The service answers 502, although the trade was executed. */
  | "executed-502"
  /** The service answers 503, although the trade was executed. */
  | "executed-503"
  /** The service answers 504, although the trade was executed. */
  | "executed-504"
  /** The service answers 500. Nothing is executed. */
  | "not-executed-500"
  /** The service answers 502. Nothing is executed. */
  | "not-executed-502"
  /** The service answers 503. Nothing is executed. */
  | "not-executed-503"
  /** The service answers 504. Nothing is executed. */
  | "not-executed-504"
  /** The trade is executed, and the connection ends without an answer. */
  | "executed-no-answer"
  /** The connection ends without an answer, and nothing is executed. */
  | "not-executed-no-answer"
  /** The connection is refused: the service never saw the request. */
  | "connection-refused"
  /** The trade is executed, and the body of the answer has a byte that is not UTF-8. */
  | "garbled"
  /** The trade is executed, and the connection ends in the middle of the answer's body. */
  | "truncated"
  /** The trade is executed, and its answer begins after `slowMs`. */
  | "slow"
  /** The trade is executed, and the body of its answer takes `slowMs` from its first byte to its last. */
  | "slow-body";

/** How the rivals around a token behave. Append-only. */
export type Character =
  /** Hardly anyone notices the launch. */
  | "unnoticed"
  /** Insiders buy together with the launch, and leave one by one. */
  | "bundled"
  /** Insiders buy together with the launch, and leave all at once. */
  | "rug"
  /** Many buy, and fewer and fewer come: it dies slowly. */
  | "fading"
  /** Many trade it for some minutes: its price goes far, up or down. */
  | "runner"
  /** Crowds trade it for long: until its curve is complete, or all have left. */
  | "breakout";

/** Who made a trade of the market. Append-only. */
export type TraderKind =
  /** A wallet of the sandbox. */
  | "own"
  /** A trader of a recording. */
  | "recorded"
  /** Buys in the first moments of a token, and leaves within minutes. */
  | "sniper"
  /** Buys when others just bought. */
  | "momentum"
  /** Buys and sells for no reason. */
  | "noise"
  /** Bought early, and waits: a creator, above all. */
  | "holder"
  /** A wallet that the creator paid for: buys together with the launch, and leaves. */
  | "insider"
  /** Buys and sells again soon. */
  | "scalper";

/** What really happened to a call, as only the sandbox can know it. What a client or a gateway recorded is an `IntentOutcome`. Append-only. */
export type ActualOutcome =
  /** Nothing was executed: the service refused it, or never saw it whole. */
  | "not_executed"
  /** The transaction landed. */
  | "landed"
  /** The transaction failed: nothing moved but the network fee. */
  | "failed"
  /** No such call reached the service. */
  | "never_arrived"
  /** Nobody can say: the log has no such call, and no longer has its oldest ones. */
  | "not_logged";

/** How a bot's books are wrong about a trade. Append-only. */
export type Mismatch =
  /** The books say that nothing was traded, but the transaction landed. */
  | "landed_unknown"
  /** The books say that it landed, but it did not. */
  | "did_not_land"
  /** The books say that nothing was executed, but a transaction failed, and its network fee was charged. */
  | "fee_unknown"
  /** The books say that a transaction failed, but none was executed, and no fee was charged. */
  | "not_executed"
  /** A transaction was executed for which the books have no entry. */
  | "no_entry";

/** The accounts that are read. */
export type AccountKind =
  /** A token's bonding curve. */
  | "curve"
  /** The launchpad's settings. */
  | "global"
  /** The launchpad's fee rates. */
  | "fee_config"
  /** A token. */
  | "mint"
  /** What a wallet holds of a token. */
  | "token_account";

/** Why an account is not read. Append-only. */
export type AccountRefusalCode =
  /** It does not exist, or it has no lamports and so is closed. */
  | "missing"
  /** Another program owns it, so its bytes mean something else. */
  | "owner"
  /** It is not at its expected address. */
  | "address"
  /** Its length is invalid: it was cut off. */
  | "length"
  /** It is another kind of account. */
  | "discriminator"
  /** A flag is neither 0 nor 1. */
  | "bool"
  /** The token is not traded for SOL. */
  | "quote"
  /** A number is out of its range. */
  | "range"
  /** Its data is not valid base64. */
  | "encoding"
  /** It is another wallet's, who was given it. */
  | "wallet"
  /** It is of another token. */
  | "mint";

/** Why a market gives no answer. Append-only. */
export type MarketErrorCode =
  /** The source gave no reply. */
  | "unreachable"
  /** The node refused the call: it does not know the method, or allows no more calls for now (an HTTP status from 400 to 499). */
  | "node_refused"
  /** The reply cannot be read, or is longer than `maxReplyBytes`. */
  | "unreadable_reply"
  /** The reply is from an older slot than one that was known when it was asked for: the source lags, or two nodes answer in turn. */
  | "went_back"
  /** The look is older than `maxAgeMs`, or its node has had no newer slot for that long: it stands still. */
  | "stale"
  /** The source has accounts, but no transactions. */
  | "no_history"
  /** The node knows no landed transaction of this signature: it failed, is not confirmed yet, or is forgotten. */
  | "no_transaction"
  /** The source does not show an own trade yet: what it says is from before that trade, and decides nothing after it. */
  | "not_shown"
  /** The id of a wallet is no address, and `walletAddresses` has none for it: the chain cannot be asked about it. */
  | "no_address";

/** How sure a node is of what it says. */
export type Commitment =
  /** Its newest block, which a fork may take back. */
  | "processed"
  /** A block that most of the network has voted for. */
  | "confirmed"
  /** A block that no fork can take back. */
  | "finalized";

/** What a node has of a transaction. */
export type Seen =
  /** It is final, and succeeded. */
  | "finalized"
  /** It is final, and failed. */
  | "failed"
  /** It was not seen, or may still be taken back. It may still become final. */
  | "not_seen";

/** Why the evidence does not decide how a trade ended. Append-only. */
export type UnknownReason =
  /** The balances before the send were not read, or not those of every wallet. */
  | "no_before"
  /** The node lags: its newest block, a list or a balance is older than what it is compared with. */
  | "behind"
  /** A list of transactions is missing, or does not reach back to the send. */
  | "history_incomplete"
  /** A transaction can still be taken back by a fork. */
  | "not_final"
  /** A transaction that is listed was not read. */
  | "transaction_unread"
  /** Two readings contradict each other: an outcome, a slot, or a transaction that one list has and another lacks. */
  | "contradiction"
  /** The present balances were not read, or not those of every wallet. */
  | "no_balances"
  /** The transactions do not add up to the balances. */
  | "books_differ"
  /** The trade may still land. */
  | "alive"
  /** It is not known by when the service took its blockhash, so it may send the trade at any time. It can still be seen to land; that it failed or did not land is proven only with the market's `serviceHoldsMs`. */
  | "no_expiry"
  /** More than one transaction fits. */
  | "several_fit"
  /** A transaction may be the trade, but did not do what was asked. */
  | "misfit"
  /** The transaction that fits may be another trade of the client. */
  | "rival"
  /** The transaction that fits may be another program's. */
  | "shared_wallets"
  /** The node did not answer: it allows no more calls for now, cannot be reached, or refused. */
  | "unanswered"
  /** The id of a wallet is no address, and the market's `walletAddresses` has none for it. `problem` names the wallet. */
  | "no_address";

/**
 * What a driver does next about a trade that the chain is asked about.
 *
 * @see {@link TradeClient.settle}
 */
export type SettlingStep =
  /** Ask the market about the trade alone. */
  | "ask"
  /** Ask the market about it beside the other trades of the client. */
  | "ask_beside_others"
  /** Let the journal record what is proven, and say so. */
  | "journal"
  /** The end: there is nothing to tell. */
  | "agreed"
  /** The end: who settles gets what the market says, which changed nothing. */
  | "unchanged"
  /** The end: the market has said nothing of a trade that was only accepted. Who settles gets it, as unknown. */
  | "unanswered"
  /** The end: the market has said nothing of a trade in doubt. Who settles gets the market's error. */
  | "failed"
  /** The end: it is recorded, and news. Tell who listens and who settles. */
  | "settled"
  /** The same, and the opposite of what the service had said. */
  | "contradicted"
  /** The chain has not shown an answered trade for too long. Say so, and tell the machine. */
  | "not_shown";

/** Why a trade did something else than its quote said. Append-only. */
export type DriftCause =
  /** Others traded between the quote's slot and the trade's: the curve stood elsewhere. */
  | "curve"
  /** The curve had moved to another fee tier. */
  | "tier"
  /** A fee rate was charged that the quote's rules do not have: `chargedBps` is the sum of both rates. */
  | "rate"
  /** An account's rent was different, or an account was opened that the quote did not count. */
  | "rent"
  /** The network fee was different: the service set another priority, or signed more often. */
  | "network_fee"
  /** A different amount was sold than quoted, because the wallet held a different amount. */
  | "holding"
  /** By a lamport or two, and by the tokens that these buy. */
  | "rounding"
  /** No known rule explains it. */
  | "unexplained"
  /** The signature is that of another trade of this client: the reply that told it was not this trade's own. */
  | "other_trade"
  /** A buy has spent more than its amount: the service may buy a number of tokens for at most the amount and its slippage (`buysMayExceed`). */
  | "over_amount"
  /** The creator's fee went to the wallet's own account with the launchpad, as it does for a cashback coin. What the trade took is as quoted. */
  | "cashback"
  /** Somebody has sent tokens to the curve, which do not count there: it stands where its trades have brought it. */
  | "gift";

/** Why the position of a buy is not known. Append-only. */
export type NoPosition =
  /** Neither this client nor its journal knows a trade of this id that was sent. */
  | "not_recorded"
  /** The trade is still on its way: it is in flight, or waits for an approval. */
  | "in_flight"
  /** Whether the trade landed is unknown, and the market has not proven it: settle it first. */
  | "in_doubt"
  /** The trade bought nothing: it was refused, failed or did not land. */
  | "did_not_land"
  /** The trade is a sell. */
  | "not_a_buy"
  /** The trade bought for several wallets: name one of them. */
  | "several_wallets"
  /** The trade did not buy for the named wallet. */
  | "other_wallet"
  /** The trade counts as landed, but its signature is missing: the service named none, or the trade is no longer remembered. */
  | "no_signature"
  /** The client has no market that shows transactions: what the trade cost is in no reply. */
  | "no_market"
  /** The market does not show the transaction of the trade yet, or has forgotten it. */
  | "not_shown"
  /** The transaction that was named for the trade is not its own: it does something else, or is older. */
  | "other_transaction"
  /** The position's id, with which the ids of its exits begin, would be longer than 100 characters. */
  | "id_too_long";

/**
 * Why a position is sold. If several rules fire at one tick, the first in this order gives the order.
 *
 * @see {@link OpenExits}
 */
export type ExitReason =
  /** A person asked for it. */
  | "close_now"
  /** The curve is about to complete. */
  | "graduation"
  /** It fell to its stop. */
  | "stop_loss"
  /** It fell back to what was paid. */
  | "break_even"
  /** It fell from its best. */
  | "trailing"
  /** Its time is over. */
  | "time"
  /** It gained enough. */
  | "take_profit";

/** What happened to an exit. */
export type ExitHappening =
  /** It is about to be sent. */
  | "ordered"
  /** It was sold. */
  | "landed"
  /** Nothing was sent; it is tried again under the same id. */
  | "not_sent"
  /** It is proven not sold; it is tried again under a new id. */
  | "did_not_land"
  /** Its outcome is unknown; nothing else is ordered until it is settled. */
  | "in_doubt"
  /** The market said nothing in time, or stands still, so nothing was decided. */
  | "no_look"
  /** Nothing is left to sell: all of it is sold, or the wallet does not hold it any more, which its error says. */
  | "over"
  /** The curve is complete: no rule sells any more. A person's wish to close is tried once. */
  | "completed"
  /** The wallet does not hold a part of the position any more, so that is not sold. It is again once the wallet holds as much as before. */
  | "gone"
  /** The market shows what a sell has brought that had ended before: its event says how much. */
  | "received";

/** Why an order of a backtest was made. */
export type BacktestReason =
  /** The entry of the backtest: its time was reached, or a signal came. */
  | "entry"
  /** The strategy asked for it. */
  | "strategy"
  /** The strategy closed a position that has exits. */
  | "close_now"
  /** The curve was about to complete. */
  | "graduation"
  /** It fell to its stop. */
  | "stop_loss"
  /** It fell back to what was paid. */
  | "break_even"
  /** It fell from its best. */
  | "trailing"
  /** Its time was over. */
  | "time"
  /** It gained enough. */
  | "take_profit"
  /** The tape ended: it was sold at the last price. */
  | "end"
  /** The tape ended, and it could not be sold: it counts as worth nothing. */
  | "unsold";

/** What became of an order of a backtest. */
export type BacktestOutcome =
  /** It was filled. */
  | "landed"
  /** It was refused when it arrived. It cost its network fee. */
  | "failed"
  /** It was not sent, because it had no price, its token was not launched yet, something else of the token was in flight, or the tape would be over before it arrives. It cost nothing. */
  | "not_sent";

/** What a line of a desk's record says, in its `act`. Append-only. A gateway's audit log has other acts, too, without `data`. */
export type RecordAct =
  /** A client begins to work with the record: its settings, without a key. */
  | "start"
  /** A plan was made or is about to be sent: the plan, and the market that its price is of, if that is known. */
  | "plan"
  /** A plan waits for a person. */
  | "ask"
  /** A person approved exactly this plan. */
  | "approve"
  /** The limits let a trade through: the trade as the journal has it. */
  | "begin"
  /** These bytes are sent now. */
  | "send"
  /** No complete answer came. */
  | "lost"
  /** The answer: its status, some of its headers, its body. */
  | "answer"
  /** How the trade ended. */
  | "settle"
  /** What the chain, or a sandbox's own log, says about a trade of unknown outcome. */
  | "evidence"
  /** What the trade did to each wallet, by its plan and its answer. */
  | "receipt"
  /** An exit of a position: the order that a rule gave. */
  | "exit"
  /** What stops trading has changed. */
  | "suspend"
  /** A gateway has forwarded a trade, once: what it sent, what came back, and how it ended. */
  | "trade"
  /** The clock was set back since the line before: by how many milliseconds. */
  | "clock";

/** What a record says about the price at which a trade landed. Append-only. */
export type RecordPrice =
  /** Exactly the one that the rules give in the market of its plan. */
  | "exact"
  /** Another one, within the bound of its plan: the market had moved. */
  | "within"
  /** One beyond the bound of its plan. */
  | "past"
  /** Neither plan, answer nor evidence says it. */
  | "unknown";

/** What is wrong with a line of a record. Append-only. */
export type RecordProblemCode =
  /** It is not a line of a record. */
  | "unreadable"
  /** It was changed after it was written. */
  | "changed"
  /** Lines before it are missing. */
  | "missing"
  /** It belongs further up, or is there twice. */
  | "moved"
  /** The record does not end where its head says. */
  | "cut_off"
  /** The plan is not as it was made, or its body is not what the core writes for its request. */
  | "plan_altered"
  /** The price of the plan is not the one that the rules give in its market. */
  | "price_differs"
  /** Other bytes were sent than planned or approved. */
  | "not_as_approved"
  /** It was sent although it waited for a person who has not approved it. */
  | "not_approved"
  /** The limits of the client would have refused it. */
  | "over_limits"
  /** It was sent after its plan had expired. */
  | "sent_late"
  /** It was sent a second time, although it was not proven unsent. */
  | "sent_twice"
  /** It was sent before it was begun. */
  | "not_begun"
  /** The recorded end is not what the answer says. */
  | "answer_differs"
  /** The recorded end counts as proven, and no evidence says so. */
  | "unproven"
  /** It landed at a price beyond the bound of its plan. */
  | "past_bound"
  /** The receipt is not the one that plan and answer give. */
  | "receipt_differs"
  /** It counts as made by the transaction of another trade. */
  | "shared_signature"
  /** It has an answer or an end that only a sent trade has, and no line says that it was sent. */
  | "never_sent"
  /** Its lines cannot have come in this order. */
  | "out_of_order"
  /** It was begun or has ended a second time. */
  | "ended_twice"
  /** Plan and answer give a receipt, and there is none. */
  | "receipt_missing"
  /** Its plan is of a sandbox, and its answer does not say that it is. */
  | "mode_differs"
  /** Evidence shows that a buy took more lamports than were counted for it. */
  | "over_amount";

// Requests

/** A part of a whole, in the unit that its name says: a number, a bigint or text of digits. */
export type Portion = { percent: number | bigint | string } | { bps: number | bigint | string };

/**
 * A slippage that names its unit, or a bare number in the unit of `slippageUnit`, by default percent.
 *
 * @see {@link TradeClient.buy}
 */
export type SlippageInput = number | bigint | string | Portion;

/**
 * An amount of token. A number or text of digits is whole tokens. A bigint has to name its unit: `{ baseUnits }` for what
 * the launchpad's maths answer in, `{ tokens }` for whole tokens that are exact to the base unit.
 *
 * @see {@link TradeClient.sell}
 */
export type TokenInput = number | string | { tokens: number | bigint | string } | { baseUnits: number | bigint | string };

/**
 * Spend lamports on a token: `POST /v1/trade/buy`.
 *
 * @see {@link TradeClient.buy}
 */
export interface BuyRequest {
  /** Mint address of the token. */
  mint: string;
  /** Id of the wallet that trades. */
  fromWallet: string;
  /**
   * Lamports to spend, fees included: a whole number above zero.
   *
   * A number must be a safe integer.
   */
  amountInLamports: number | bigint | string;
  /** Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays. */
  feePayer?: string | null;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
  /** Most priority (compute) units to pay for. */
  priorityUnitLimit?: number | bigint | string | null;
  /**
   * Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
   * lamport.
   */
  priorityUnitPrice?: number | bigint | string | null;
}

/**
 * Sell an amount of token: `POST /v1/trade/sell`.
 *
 * @see {@link TradeClient.sell}
 */
export interface SellRequest {
  /** Mint address of the token. */
  mint: string;
  /** Id of the wallet that trades. */
  fromWallet: string;
  /**
   * Whole tokens to sell, above zero.
   *
   * A number or a numeric string is whole tokens and sent in the form given. `{ baseUnits }` takes base units, as the
   * launchpad's maths return them; `{ tokens }` takes whole tokens no finer than a base unit. Both are converted exactly or
   * refused. A bare bigint is refused: it does not say its unit.
   */
  amountInToken: TokenInput;
  /** Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays. */
  feePayer?: string | null;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
  /** Most priority (compute) units to pay for. */
  priorityUnitLimit?: number | bigint | string | null;
  /**
   * Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
   * lamport.
   */
  priorityUnitPrice?: number | bigint | string | null;
}

/**
 * Sell a percentage of a wallet's holdings: `POST /v1/trade/sell-by-percentage`.
 *
 * @see {@link TradeClient.sellByPercentage}
 */
export interface SellByPercentageRequest {
  /** Mint address of the token. */
  mint: string;
  /** Id of the wallet that trades. */
  fromWallet: string;
  /** Percentage of the wallet's holdings to sell: 0 < p ≤ 100. 100 sells all and closes the token account. */
  percentage: number | bigint | string;
  /** Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays. */
  feePayer?: string | null;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
  /** Most priority (compute) units to pay for. */
  priorityUnitLimit?: number | bigint | string | null;
  /**
   * Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
   * lamport.
   */
  priorityUnitPrice?: number | bigint | string | null;
}

/**
 * Several buys of one token from several wallets, in one transaction: `POST /v1/trade/bundle/buy`.
 *
 * @see {@link TradeClient.bundleBuy}
 */
export interface BundleBuyRequest {
  /** The buys, in order; one or more. */
  buys: BundleBuyElement[];
  /** Mint address of the token. */
  mint: string;
  /** Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays. */
  feePayer: string;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
  /** Most priority (compute) units to pay for. */
  priorityUnitLimit?: number | bigint | string | null;
  /**
   * Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
   * lamport.
   */
  priorityUnitPrice?: number | bigint | string | null;
}

/**
 * Several sells of one token from several wallets, in one transaction: `POST /v1/trade/bundle/sell`.
 *
 * @see {@link TradeClient.bundleSell}
 */
export interface BundleSellRequest {
  /** The sells, in order; one or more. */
  sells: BundleSellElement[];
  /** Mint address of the token. */
  mint: string;
  /** Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays. */
  feePayer: string;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
  /** Most priority (compute) units to pay for. */
  priorityUnitLimit?: number | bigint | string | null;
  /**
   * Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
   * lamport.
   */
  priorityUnitPrice?: number | bigint | string | null;
}

/**
 * Several sells by percentage, in one transaction: `POST /v1/trade/bundle/sell/by-percentage`.
 *
 * @see {@link TradeClient.bundleSellByPercentage}
 */
export interface BundleSellByPercentageRequest {
  /** The sells, in order; one or more. */
  sells: BundleSellByPercentageElement[];
  /** Mint address of the token. */
  mint: string;
  /** Id of the wallet that pays for the transaction. A single trade may leave it out; then the trading wallet pays. */
  feePayer: string;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
  /** Most priority (compute) units to pay for. */
  priorityUnitLimit?: number | bigint | string | null;
  /**
   * Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport, a millionth of a
   * lamport.
   */
  priorityUnitPrice?: number | bigint | string | null;
}

/**
 * One element of a `BundleBuyRequest`.
 *
 * @see {@link TradeClient.bundleBuy}
 */
export interface BundleBuyElement {
  /** Id of the wallet that trades. */
  fromWallet: string;
  /**
   * Lamports to spend, fees included: a whole number above zero.
   *
   * A number must be a safe integer.
   */
  amountInLamports: number | bigint | string;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
}

/**
 * One element of a `BundleSellRequest`.
 *
 * @see {@link TradeClient.bundleSell}
 */
export interface BundleSellElement {
  /** Id of the wallet that trades. */
  fromWallet: string;
  /**
   * Whole tokens to sell, above zero.
   *
   * A number or a numeric string is whole tokens and sent in the form given. `{ baseUnits }` takes base units, as the
   * launchpad's maths return them; `{ tokens }` takes whole tokens no finer than a base unit. Both are converted exactly or
   * refused. A bare bigint is refused: it does not say its unit.
   */
  amountInToken: TokenInput;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
}

/**
 * One element of a `BundleSellByPercentageRequest`.
 *
 * @see {@link TradeClient.bundleSellByPercentage}
 */
export interface BundleSellByPercentageElement {
  /** Id of the wallet that trades. */
  fromWallet: string;
  /** Percentage of the wallet's holdings to sell: 0 < p ≤ 100. 100 sells all and closes the token account. */
  percentage: number | bigint | string;
  /**
   * How far the price may move against the trade. An element's slippage overrides that of its bundle, which is 0.5 % by
   * default.
   *
   * A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are converted to it.
   */
  slippage?: SlippageInput | null;
}

/**
 * Any request, by its operation.
 *
 * @see {@link TradeClient.build}
 */
export interface RequestOf {
  buy: BuyRequest;
  sell: SellRequest;
  sellByPercentage: SellByPercentageRequest;
  bundleBuy: BundleBuyRequest;
  bundleSell: BundleSellRequest;
  bundleSellByPercentage: BundleSellByPercentageRequest;
}

// Results

/**
 * Any trade; `operation` says which.
 *
 * @see {@link readReply}
 */
export type Trade = BuyTrade | SellTrade | BundleTrade;

/** What every trade has in addition to the spec's reply. */
export type AnyTrade = {
/** `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`. */
  status: TradeStatus;
  /** Whether a sandbox made it, so no money moved. */
  simulated: boolean;
  /** Warnings about the request. */
  warnings: Warning[];
  /** The reply's whole text, unknown fields included. */
  raw: string;
  /** Launchpad link. */
  launchpad: { /** The token. */ mint: string | null };
  /** The trade's id; absent if no client sent it. */
  intentId?: string;
};

/**
 * A buy that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out.
 *
 * @see {@link TradeClient.buy}
 */
export interface BuyTrade extends AnyTrade {
  operation: "buy";
  /** The spec's `result`. */
  result: SingleResult & {
    /** Whole tokens bought. */
    buyAmount: number | null;
  };
  /** The numbers of `result` as decimal text, without loss. */
  exact: ExactBalances & {
    /** Whole tokens bought. */
    buyAmount: string | null;
  };
  /** Block explorer links. */
  explorer: ExplorerLinks;
}

/**
 * A sell that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out.
 *
 * @see {@link TradeClient.sell}
 */
export interface SellTrade extends AnyTrade {
  operation: "sell" | "sellByPercentage";
  /** The spec's `result`. */
  result: SingleResult & {
    /** Whole tokens sold. */
    sellAmount: number | null;
    /** Whether the sell emptied the token account and closed it. */
    tokenAccountClosed: boolean | null;
  };
  /** The numbers of `result` as decimal text, without loss. */
  exact: ExactBalances & {
    /** Whole tokens sold. */
    sellAmount: string | null;
  };
  /** Block explorer links. */
  explorer: ExplorerLinks;
}

/**
 * A bundle that landed, or that the reply leaves unconfirmed. A field is `null` where the reply left it out.
 *
 * @see {@link TradeClient.bundleBuy}
 */
export interface BundleTrade extends AnyTrade {
  operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage";
  /** The spec's `result`. */
  result: TransactionOf;
  /** What of `result` a JS value could round. */
  exact: ExactResults;
  /** Block explorer links. */
  explorer: { /** The token. */ mint: string | null; /** The transaction. */ tx: string | null };
}

/** What `result` says of the transaction. */
export type TransactionOf = {
  /** Mint address. */
  mint: string | null;
  /** Transaction signature. */
  signature: string | null;
  /** Result of the transaction. */
  transactionResult: {
    /** Whether it succeeded; `null` where the reply does not say. */
    success: boolean | null;
    /** Transaction signature. */
    signature: string | null;
    /** Any JSON value. */
    results: unknown;
  };
};

/** What `result` of a single trade has, buy or sell. */
export type SingleResult = TransactionOf & {
  /** Id of the wallet that traded. */
  wallet: string | null;
  /** Token balance before the trade, in whole tokens. */
  preTokenBalance: number | null;
  /** Token balance after the trade, in whole tokens. */
  postTokenBalance: number | null;
  /** Token account address. */
  tokenAccount: string | null;
};

/** What JSON can say and a JS value could round. */
export type ExactResults = {
  /** `transactionResult.results` as JSON text. */
  results: string;
};

/** The balances of a single trade as decimal text, without loss. */
export type ExactBalances = ExactResults & {
  /** Token balance before the trade, in whole tokens. */
  preTokenBalance: string | null;
  /** Token balance after the trade, in whole tokens. */
  postTokenBalance: string | null;
};

/** Block explorer links of a single trade. */
export type ExplorerLinks = {
  /** The token. */
  mint: string | null;
  /** The transaction. */
  tx: string | null;
  /** The wallet. */
  wallet: string | null;
  /** The token account. The spec describes it, but its sample leaves it out. */
  tokenAccount?: string;
};

/** What reads an answer's values, one after the other. */
interface Values {
  value(): unknown;
  /** Goes into an object; returns how many fields it has. */
  open(): number;
  /** Adds the fields that an object has beside the first ones. */
  rest(fields: number, object: Record<string, unknown>, first: number): Record<string, unknown>;
}

/** Makes a trade, whose values come in the order of the core's table: `crates/api/src/plain.rs` is the other side. */
type Maker = (a: Values) => Record<string, unknown>;
const buy: Maker = (a) => ({ operation: a.value(), status: a.value(), simulated: a.value(), result: a.rest(a.open(), { mint: a.value(), wallet: a.value(), buyAmount: a.value(), preTokenBalance: a.value(), postTokenBalance: a.value(), signature: a.value(), transactionResult: a.rest(a.open(), { success: a.value(), signature: a.value(), results: a.value() }, 3), tokenAccount: a.value() }, 8), explorer: a.rest(a.open(), { mint: a.value(), wallet: a.value(), tx: a.value() }, 3), launchpad: a.rest(a.open(), { mint: a.value() }, 1), exact: a.rest(a.open(), { results: a.value(), buyAmount: a.value(), preTokenBalance: a.value(), postTokenBalance: a.value() }, 4), warnings: a.value(), raw: a.value() });
const sell: Maker = (a) => ({ operation: a.value(), status: a.value(), simulated: a.value(), result: a.rest(a.open(), { mint: a.value(), wallet: a.value(), sellAmount: a.value(), preTokenBalance: a.value(), postTokenBalance: a.value(), signature: a.value(), transactionResult: a.rest(a.open(), { success: a.value(), signature: a.value(), results: a.value() }, 3), tokenAccount: a.value(), tokenAccountClosed: a.value() }, 9), explorer: a.rest(a.open(), { mint: a.value(), wallet: a.value(), tx: a.value() }, 3), launchpad: a.rest(a.open(), { mint: a.value() }, 1), exact: a.rest(a.open(), { results: a.value(), sellAmount: a.value(), preTokenBalance: a.value(), postTokenBalance: a.value() }, 4), warnings: a.value(), raw: a.value() });
const bundleBuy: Maker = (a) => ({ operation: a.value(), status: a.value(), simulated: a.value(), result: a.rest(a.open(), { mint: a.value(), signature: a.value(), transactionResult: a.rest(a.open(), { success: a.value(), signature: a.value(), results: a.value() }, 3) }, 3), explorer: a.rest(a.open(), { mint: a.value(), tx: a.value() }, 2), launchpad: a.rest(a.open(), { mint: a.value() }, 1), exact: a.rest(a.open(), { results: a.value() }, 1), warnings: a.value(), raw: a.value() });
export const TRADES: Readonly<Record<Operation, Maker>> = { buy, sell, sellByPercentage: sell, bundleBuy, bundleSell: bundleBuy, bundleSellByPercentage: bundleBuy };

// Checks

/**
 * What is wrong with one field.
 *
 * @see {@link validate}
 */
export interface FieldError {
  /** Its path: `buys[3].amountInLamports`; empty for the request as a whole. */
  field: string;
  /** The stable code. */
  code: FieldCode;
  /** A sentence for a person. */
  message: string;
}

/**
 * A warning about a request that is sent anyway.
 *
 * @see {@link validate}
 */
export interface Warning {
  /** The path of the field. */
  field: string;
  /** The stable code. */
  code: WarningCode;
  /** A sentence for a person. */
  message: string;
}

/**
 * What a check found.
 *
 * @see {@link validate}
 */
export interface CheckResult {
  /** Every bad field; empty if the request may be sent. */
  errors: FieldError[];
  /** Warnings about a request that may be sent. */
  warnings: Warning[];
}

/**
 * A trade that is checked and written, but not sent.
 *
 * @see {@link TradeClient.build}
 */
export interface BuiltCall {
  /** What is asked for. */
  operation: Operation;
  /** Always `POST`. */
  method: "POST";
  /** The whole URL; `null` if no client wrote it. */
  url: string | null;
  /** The path below the base URL. */
  path: string;
  /** The JSON body, exactly as it would be sent. */
  body: string;
  /** Warnings about the request. */
  warnings: Warning[];
}

// What people paste

/**
 * A pasted table.
 *
 * @see {@link readTypedTable}
 */
export interface TypedTable {
  /** Every row in order, including those with problems, but not the header or blank rows. */
  rows: TypedRow[];
  /** What is wrong, by line. Do not send a table that has problems. */
  problems: TableProblem[];
}

/** A row of a pasted table. A number is exact plain text, `"0.5"` for `0,5`; one with a problem stays as it was pasted. */
export type TypedRow = {
  /** Its line in the text, from 1. */
  line: number;
  /** The wallet. */
  wallet: string;
  /** SOL to spend, or whole tokens to sell. */
  amount: string | null;
  /** The share of what the wallet holds to sell, in percent. */
  percentage: string | null;
  /** Its part of a total that is split by weights, in proportion to those of the other rows. */
  weight: string | null;
  /** Its own slippage, in percent. */
  slippage: string | null;
};

/** What is wrong in a pasted table. */
export type TableProblem = {
  /** The line in the text, from 1. */
  line: number;
  /** The field of the row that it is about; `null` for the row as a whole. */
  field: "wallet" | "amount" | "percentage" | "weight" | "slippage" | null;
  /** The stable code. */
  code: FieldCode;
  /** A sentence for a person, which names the line. */
  message: string;
};

// What a person sees

/**
 * What a person sees of a trade or an error.
 *
 * @see {@link view}
 */
export interface View {
  /** The outcome in a few words. */
  title: string;
  /** `landed`, `unconfirmed`, `failed`, `rejected`, `not_sent` or `unknown`. */
  status: "landed" | "unconfirmed" | "failed" | "rejected" | "not_sent" | "unknown";
  /** Whether it says that it was traded in a sandbox, where no money moves; the title says so too. */
  simulated: boolean;
  /** What is known, one fact per line. */
  lines: Line[];
  /** Where to look further; each http or https. */
  links: Link[];
}

/** One fact. */
export type Line = {
  /** What it is: "Bought", "Signature". */
  label: string;
  /** The fact. */
  value: string;
};

/** Where to look further. */
export type Link = {
  /** What it leads to. */
  label: string;
  /** An http or https URL. */
  href: string;
};

// The launchpad's maths

/**
 * A launchpad's rules. Tokens in base units.
 *
 * @see {@link defaultLaunchpad}
 */
export interface LaunchpadConfig {
  /** The date these numbers were read, `YYYY-MM-DD`. */
  asOf?: string;
  /** The fee tiers by market cap, at least one. Default: those of the day. */
  feeTiers?: FeeTierConfig[];
  /** The curve of a new token. */
  start?: CurveConfig;
  /** Total supply of a new token, in base units. Default: 10^15. */
  tokenSupply?: number | bigint | string;
  /** Fraction digits of a whole token, at most 18. Default: 6. */
  tokenDecimals?: number;
  /**
   * Whether a buy past the end of the curve is refused, takes what is left, or is filled from the future pool, which is
   * refused by a name of its own. Default: `reject`.
   */
  completion?: Completion;
  /** Lamports of rent for each byte of an account. Default: that of the day. */
  rentLamportsPerByte?: number | bigint | string;
  /** Bytes of a token account's data. Default: 165; an account of a token of the newer token program has 170. */
  tokenAccountBytes?: number | bigint | string;
  /** Bytes of the account in which the launchpad counts what a wallet trades. Default: 137. */
  volumeAccountBytes?: number | bigint | string;
  /** What the network charges for a signature. Default: that of the day. */
  lamportsPerSignature?: number | bigint | string;
  /** Priority units paid for each trade if a request sets no limit. Default: 200000. */
  defaultUnitsPerTrade?: number | bigint | string;
  /**
   * Blocks for which a transaction may use a blockhash, at least 150. Until they are over, a trade of unknown outcome may still
   * land. Default: 150.
   */
  blockhashBlocks?: number;
}

/** A rule of the launchpad or of the network: from when it holds, and where it comes from. */
export type LaunchpadRule = {
  /** The setting of a launchpad that has it. */
  setting: keyof LaunchpadConfig;
  /**
   * The day from which it holds, at 00:00 UTC, `YYYY-MM-DD`. The first rule of a setting is known as of that day, and holds before
   * it, too.
   */
  asOf: string;
  /** Where it comes from. */
  source: string;
};

/**
 * The fee rates from a market cap upwards.
 *
 * @see {@link defaultLaunchpad}
 */
export interface FeeTierConfig {
  /** The market cap from which they apply, in lamports. */
  marketCapThresholdLamports: number | bigint | string;
  /** The protocol's rate, in basis points, at most 10000. */
  protocolBps: number;
  /** The creator's rate, in basis points, at most 10000. */
  creatorBps: number;
}

/**
 * A curve's reserves. Tokens in base units.
 *
 * @see {@link CurveOptions}
 */
export interface CurveConfig {
  /** Virtual tokens, which set the price. */
  virtualTokenReserves: number | bigint | string;
  /** Virtual lamports, which set the price. */
  virtualSolReserves: number | bigint | string;
  /** Tokens left to buy. */
  realTokenReserves: number | bigint | string;
  /** Lamports available to pay sellers. */
  realSolReserves: number | bigint | string;
}

/**
 * A curve's reserves. Tokens in base units.
 *
 * @see {@link Curve.reserves}
 */
export interface CurveReserves {
  /** Virtual tokens, which set the price. */
  virtualTokenReserves: bigint;
  /** Virtual lamports, which set the price. */
  virtualSolReserves: bigint;
  /** Tokens left to buy. */
  realTokenReserves: bigint;
  /** Lamports available to pay sellers. */
  realSolReserves: bigint;
}

/**
 * What a bundle would do: all its trades, or none.
 *
 * @see {@link Curve.quoteBundle}
 */
export interface CurveBundleQuote {
  /** Each trade, in order, on the curve that those before it leave. */
  legs: LegQuote[];
  /** The net result for each wallet, in their order; the fee payer's includes the network fee. */
  wallets: WalletQuote[];
  /** Id of the wallet that pays the network fee. */
  feePayer: string;
  /** How many sign: each trading wallet and the fee payer, once. */
  signatures: number;
  /** Paid by the fee payer, even when the bundle fails. */
  networkFeeLamports: bigint;
  /**
   * Whether the legs fit one transaction, by the table of `capacities`: with every address written out, only with an address
   * lookup table, or not at all. The service decides. `splitBundle` splits one that does not fit.
   */
  fits: TransactionFit;
  /** The curve's reserves afterwards. */
  reservesAfter: CurveReserves;
}

/**
 * What one trade of a request would do.
 *
 * @see {@link quote}
 */
export interface LegQuote {
  /** Id of the wallet that trades. */
  wallet: string;
  /** `buy` or `sell`. */
  side: Side;
  /** Tokens bought or sold, in base units. */
  tokens: bigint;
  /** The same in whole tokens, exact. */
  tokenAmount: string;
  /** What the wallet pays (a buy) or receives (a sell) in all, trading fees included. */
  walletLamports: bigint;
  /** What reaches or leaves the curve, before fees. */
  curveLamports: bigint;
  /** Fee to the protocol. */
  protocolFeeLamports: bigint;
  /** Fee to the token's creator. */
  creatorFeeLamports: bigint;
  /**
   * How far the fill's average price is from the spot price before it, before fees, in basis points, rounded up; 2^53 -
   * 1 for anything larger.
   */
  priceImpactBps: number;
  /**
   * How far the trade moves the spot price, up by a buy and down by a sell, in basis points, rounded up; 2^53 - 1 for
   * anything larger.
   */
  spotMoveBps: number;
  /** Spot price before, in lamports per whole token, to nine places; `null` past 128 bits, as the others. */
  spotPriceBefore: string | null;
  /** Spot price after. */
  spotPriceAfter: string | null;
  /** Average price of this fill before fees. */
  averagePrice: string | null;
  /** Market cap before, in lamports. */
  marketCapLamports: bigint;
  /**
   * Slippage that the bounds below were made with, in percent. They are forecasts: the service makes its own bound
   * from its own, later quote.
   */
  slippagePercent: string;
  /** At worst, as forecast: the fewest tokens bought, or all that are sold; in base units. */
  worstTokens: bigint;
  /** The same in whole tokens, exact. */
  worstTokenAmount: string;
  /** At worst, as forecast: the most paid or the least received, trading fees included. */
  worstWalletLamports: bigint;
  /** What happens to the wallet's token account. */
  tokenAccount: "opens" | "closes" | "stays" | "unknown";
  /** Rent paid for opening the token account, or refunded by closing it. */
  rentLamports: bigint;
  /** Rent paid for opening the wallet's volume account too, which its first buy does. No trade gives it back. */
  volumeRentLamports: bigint;
  /** What to know before sending, as stable codes. */
  warnings: QuoteWarning[];
}

/** What a request does to one wallet; the fee payer's part includes the network fee. */
export type WalletQuote = {
  /** Its id. */
  wallet: string;
  /** Lamports gained (negative: spent): trades, fees, rent, refunds. */
  netLamports: bigint;
  /** The same with every trade at its bound, as forecast. */
  worstNetLamports: bigint;
  /** Base units gained (negative: sold). */
  netTokens: bigint;
  /** What to know about this wallet before sending, as stable codes: warnings that belong to no single trade. */
  warnings: QuoteWarning[];
};

/**
 * What a request would do if it were sent now.
 *
 * @see {@link quote}
 */
export interface TradeQuote {
  /** The operation quoted. */
  operation: Operation;
  /**
   * Each trade, in order, on the curve that those before it leave: one for a single operation, none if one of them has
   * no price.
   */
  legs: LegQuote[];
  /** The net result for each wallet of the request. */
  wallets: WalletQuote[];
  /** Paid by the fee payer, even if the transaction fails. */
  networkFeeLamports: bigint;
  /** Why the transaction would fail, or has no price (`holdings_unknown`); `null` if it would land. */
  refused: QuoteRefusal | null;
}

/** Why a transaction would fail, or has no price. */
export type QuoteRefusal = {
  /** The launchpad's reason, as a stable code. */
  code: RefusalCode;
  /** The reason as a sentence. */
  message: string;
  /** The element of a bundle that fails: `buys[2]`; empty for a single trade or if the request as a whole fails. */
  field: string;
};

/**
 * What a trade did to one wallet. Plain data: you can keep it, and add it to a position later.
 *
 * @see {@link receipt}
 */
export interface TradeReceipt {
  /** Id of that wallet; `null` if the reply does not say. */
  wallet: string | null;
  /** `landed`, `failed`, or `unconfirmed` if the service does not say. */
  status: TradeStatus;
  /** `buy` or `sell`. */
  side: Side;
  /** Base units bought or sold; zero if it failed. */
  tokens: bigint;
  /** Lamports paid (a buy) or received (a sell) for them, trading fees included; zero if it failed. */
  lamports: bigint;
  /**
   * The price of the fill, trading fees included, in lamports per whole token; `null` if nothing was traded, and in a
   * bundle.
   */
  price: string | null;
  /**
   * How much worse than quoted, in parts per million of the quote; negative if better. For a buy in tokens, for a sell
   * in lamports.
   */
  slippageUsedPpm: bigint;
  /** Fee to the protocol within `lamports`. */
  protocolFeeLamports: bigint;
  /** Fee to the token's creator within `lamports`. */
  creatorFeeLamports: bigint;
  /** What happened to the wallet's token account. */
  tokenAccount: "opens" | "closes" | "stays" | "unknown";
  /** Rent paid for opening it, or refunded by closing it. */
  rentLamports: bigint;
  /** Rent paid for opening the wallet's volume account, as quoted. No trade gives it back. */
  volumeRentLamports: bigint;
  /** What the trading wallet paid of the network fee. A transaction that failed may not have been charged it. */
  networkFeeLamports: bigint;
  /** Lamports the trading wallet gained (negative: spent) in total. */
  netLamports: bigint;
  /** The figures that come from the quote, because they were not observed or reported and do not follow from those that were. */
  estimated: ReceiptFigure[];
  /** Every disagreement, as stable codes. */
  findings: ReceiptFinding[];
}

/** How what a wallet holds differs from its position. */
export type Holds =
  /** The wallet holds more than the position: tokens came in that were not added. */
  | "more"
  /** It holds fewer: tokens went out that were not added. */
  | "fewer";

/** By how much a wallet differs from its position. */
export type PositionDifference = {
  /** Whether the wallet holds more or fewer tokens than the position. */
  walletHolds: Holds;
  /** How many, in base units. */
  tokens: bigint;
};

/**
 * The state of a wallet's position in one token. Plain data: a position can continue from it.
 *
 * @see {@link Position.state}
 */
export interface PositionState {
  /** Base units held. */
  tokens: bigint;
  /** What they cost, in lamports, including every fee. Rent is not a cost, because it comes back. */
  costLamports: bigint;
  /** Lamports gained (negative: lost) on tokens sold and on failed transactions. */
  realisedLamports: bigint;
  /** Protocol and creator fees paid so far, as the receipts have them. */
  feesLamports: bigint;
  /** Network fees paid so far. */
  networkFeesLamports: bigint;
  /** Rent the open account holds. */
  rentLockedLamports: bigint;
  /** Receipts added. */
  receipts: bigint;
  /**
   * How many of them were unconfirmed or had an estimated figure that counts here. If there are any, the sums are
   * estimates too. Estimated trading fees alone do not count: they are included in the lamports.
   */
  estimatedReceipts: bigint;
  /** How many of them had estimated trading fees. If there are any, `feesLamports` is an estimate. */
  estimatedFees: bigint;
  /** Base units sold that were never bought here; they count as free of cost. */
  unmatchedTokens: bigint;
}

// Exits

/**
 * When a position is sold, and how much of it. A multiple such as `"2x"` compares what selling everything that is left would
 * bring now, after every fee and with the account's refund, with what was paid for it, fees and rent included.
 *
 * @see {@link Exits}
 */
export interface ExitPlan {
  /** Parts to sell as the position gains, in rising order. */
  takeProfit?: TakeProfit[];
  /** Sells everything at this multiple or below. */
  stopLoss?: string | null;
  /** Sells everything once it has fallen this far from its best. */
  trailing?: Trailing | null;
  /** Once the position has had this multiple, above `"1x"`, it sells everything at `"1x"` or below. */
  breakEvenAfter?: string | null;
  /** Sells everything this many milliseconds after the position was opened. The time of that must be by the clock of the looks. */
  timeMs?: number | null;
  /** Sells everything before the curve completes: a complete curve takes no sells. Without it, what is left then stays. */
  onGraduation?: OnGraduation | null;
  /** The slippage of each sell. Default: the service's. */
  slippage?: SlippageInput | null;
  /** Priority units that each sell pays for. Default: the service's. */
  priorityUnitLimit?: number | bigint | string | null;
  /** Micro-lamports for each of them. Default: the service's. */
  priorityUnitPrice?: number | bigint | string | null;
}

/** A rung of an exit plan. */
export type TakeProfit = {
  /** The multiple from which it is sold: `"2x"`. */
  at: string;
  /** How much of the position as it was opened: `"50%"`. All of them are at most `"100%"`. */
  sell: string;
};

/** A stop that follows the position up. */
export type Trailing = {
  /** How far below its best multiple: `"20%"`. */
  by: string;
  /** The multiple that its best must have had: `"1.5x"`. Default: any. */
  from?: string | null;
};

/** When a curve is about to complete. */
export type OnGraduation = {
  /** How much of the curve's tokens must be sold: `"95%"`. */
  from: string;
};

/**
 * A position to leave: what it holds, and what was paid for it.
 *
 * @see {@link Exits.open}
 */
export interface ExitPosition {
  /**
   * Its name, such as the intent id of the buy that opened it: the exits' intent ids begin with it, so no two positions may
   * have the same. At most 100 visible ASCII characters.
   */
  id: string;
  /** Mint address of the token. */
  mint: string;
  /** The wallet that holds it. */
  wallet: string;
  /** Base units to sell in all. */
  tokens: number | bigint | string;
  /** What they cost, fees and network fees included, without rent; in lamports. */
  costLamports: number | bigint | string;
  /**
   * Rent that was paid for the token account and comes back when it closes. Default: none, as in an account that was open
   * before.
   */
  rentLockedLamports?: number | bigint | string;
  /** When it was opened, in milliseconds since 1970, or of the market's own time where that has one. Default: the time of the first look. */
  openedAtMs?: number | null;
  /** Who pays the network fee of its sells. Default: the wallet. */
  feePayer?: string | null;
}

/**
 * How far the exits of a position are. It is plain JSON: keep it, and it goes on after a restart.
 *
 * @see {@link Exits.open}
 */
export interface ExitState {
  /** The plan. */
  plan: ExitPlan;
  /** The position as it was opened. */
  position: ExitPosition;
  /** Base units that are left to sell; 0 once it is over. */
  tokens: number | bigint | string;
  /** What those cost, in lamports. */
  costLamports: number | bigint | string;
  /** How many of the plan's take-profits are sold. */
  rungsSold: number;
  /** The best multiple that was seen. */
  best: string;
  /** The order that is not settled. */
  order: ExitOrder | null;
  /** Further orders of unknown outcome, which only a journal remembers. Nothing is ordered until all of them are settled. */
  doubts?: ExitOrder[];
  /** Orders that did not land: of each take-profit, and last of those that sell everything. */
  tries: ExitTries[];
  /** Whether it waits: prices are seen, nothing is ordered. */
  paused: boolean;
  /** Whether a person asked to sell everything. */
  closing: boolean;
  /** Why the last order that landed was made. */
  last: ExitReason | null;
  /** Tokens that the wallet does not have any more, as it seems. Once that is sure, they are no longer of this position. */
  missing?: ExitMissing | null;
  /** What the wallet held at the last look that showed all that was left, in base units; `null` before one has. */
  shown?: number | bigint | string | null;
  /** What the wallet does not hold any more. */
  gone?: ExitGone | null;
  /** The last sell that landed, until a look shows it. */
  sold?: ExitSold | null;
  /** The ids of sells that landed by take-profits of another plan, and are counted. */
  counted?: string[];
  /** The latest sells whose end the service has said, until the chain says the opposite. */
  answered?: ExitAnswered[];
  /** Whether the chain shows that the position was never bought. */
  unbought?: boolean;
  /** When the position was opened, by the clock of the looks; `null` before the first. */
  openedAtMs?: number | null;
  /** Whether the last look showed a complete curve, which no rule sells on. */
  completed?: boolean;
  /** Whether what a person asked to sell was sent since, and did not land. On a complete curve it is sent only once. */
  closeTried?: boolean;
}

/**
 * An order to sell, of an amount in base units: the wallet may hold other tokens of the mint.
 *
 * @see {@link OpenExits}
 */
export interface ExitOrder {
  /** Its intent id, which follows from the position's name, the rung and the attempt. */
  intentId: string;
  /** Why it is sold. */
  reason: ExitReason;
  /** How many take-profits are sold once it has landed. */
  rungs: number;
  /** Base units to sell. */
  tokens: bigint;
  /** What the sell would bring at the price that it was ordered at, after trading fees; in lamports. */
  expectedLamports: bigint;
  /** What the whole position would have brought then. */
  multiple: string;
  /** When it was ordered, in milliseconds since 1970. */
  atMs: number;
  /** Base units that the wallet held then; `null` if that was not known. */
  walletTokens: bigint | null;
  /** `unknown` or `unconfirmed`, once that is its outcome. Nothing else is ordered until it is settled. */
  outcome: IntentOutcome | null;
}

/** Looks in a row at which the wallet held fewer tokens than the position has left. */
export type ExitMissing = {
  /** The time over which they were, in milliseconds. Of a gap between two of them, 15 seconds count at most. */
  forMs: number;
  /** When the last of them was, in milliseconds since 1970. */
  lastMs: number;
  /** The most base units that the wallet held at one of them. */
  most: number | bigint | string;
};

/** Tokens of the position that the wallet does not hold any more. They are of the position again once the wallet holds as much as before. */
export type ExitGone = {
  /** How many, in base units. */
  tokens: number | bigint | string;
  /** What those cost, in lamports. */
  costLamports: number | bigint | string;
  /** What the wallet held together with them, in base units; `null` if no look has shown them. */
  walletTokens: number | bigint | string | null;
};

/** A sell that landed and that no look has shown yet. */
export type ExitSold = {
  /** What the wallet held before it, in base units. A look that shows this is older than the sell, and decides nothing. */
  walletTokens: number | bigint | string;
  /** Until when it may be, in milliseconds since 1970. */
  untilMs: number;
};

/** A sell whose end its service has said, and what of the position that counts: the chain may say the opposite. */
export type ExitAnswered = {
  /** Its intent id. */
  intentId: string;
  /** Whether it counts as landed. */
  landed: boolean;
  /** Base units that it sold, or would have. */
  tokens: number | bigint | string;
  /** What those cost, in lamports; 0 if it did not land. */
  costLamports: number | bigint | string;
  /** How many of the plan's take-profits are sold if the opposite is true. */
  rungs: number;
};

/** How often a rung's order was proven not to have landed. */
export type ExitTries = {
  /** How often. The next attempt has an intent id of its own. */
  failed: number;
  /** The earliest time of the next attempt, in milliseconds since 1970. */
  notBeforeMs: number;
};

/**
 * One run over one tape.
 *
 * @see {@link backtest}
 */
export interface BacktestRun {
  /** The seed. */
  seed: bigint;
  /** Trades of the tape that were made again. */
  replayed: number;
  /** Trades of the tape that could not be, by reason. */
  skipped: BacktestSkipped[];
  /** How long the tape is, in milliseconds. */
  tapeMs: number;
  /** What the wallet had at the start, in lamports. */
  startLamports: bigint;
  /** What it had at the end, in lamports. */
  endLamports: bigint;
  /** The difference, in lamports. */
  profitLamports: bigint;
  /** What the prices alone brought: the profit without the costs, in lamports. */
  priceProfitLamports: bigint;
  /** The costs. */
  costs: BacktestCosts;
  /** How many positions gained. */
  wins: number;
  /** The part of the positions that gained. */
  winRate: string;
  /** The positions by the reason they ended for. */
  reasons: BacktestReasonRow[];
  /** The deepest fall. */
  drawdown: BacktestDrawdown;
  /** The most that the open positions were worth together, in lamports. */
  mostExposedLamports: bigint;
  /** The part of the equity that was in open positions, over the time of the tape. */
  exposure: string;
  /** How long a position was open, in milliseconds. */
  inMarketMs: number;
  /** The part of the time that a position was open. */
  inMarket: string;
  /** Every position, in the order they ended. */
  positions: BacktestPosition[];
  /** Every order, in the order they ended. */
  orders: BacktestOrder[];
  /** At most 1,024 points of the equity, evenly apart. */
  equity: BacktestPoint[];
}

/**
 * An order of a backtest, in the order they ended.
 *
 * @see {@link backtest}
 */
export interface BacktestOrder {
  /** When it was decided. */
  atMs: number;
  /** When it arrived; null if it was not sent. */
  arrivedAtMs: number | null;
  /** Mint address of the token. */
  mint: string;
  /** Which way the lamports go. */
  side: Side;
  /** Why it was made. */
  reason: BacktestReason;
  /** What was ordered: lamports of a buy, base units of a sell. */
  amount: bigint;
  /** What it would have brought when it was decided: base units of a buy, lamports of a sell. */
  expected: bigint;
  /** What became of it. */
  outcome: BacktestOutcome;
  /** Why the launchpad refused it; null if it did not. */
  refusal: RefusalCode | null;
  /** Base units that it moved. */
  tokens: bigint;
  /** Lamports that it moved, trading fees included. */
  lamports: bigint;
  /** Its network fee, with the priority, in lamports. */
  networkFeeLamports: bigint;
}

/**
 * A position of a backtest, from its first buy until nothing was left.
 *
 * @see {@link backtest}
 */
export interface BacktestPosition {
  /** Mint address of the token. */
  mint: string;
  /** When its first buy landed. */
  openedAtMs: number;
  /** When its last sell landed, or the tape ended. */
  closedAtMs: number;
  /** Base units that were bought. */
  tokens: bigint;
  /** What its buys spent, trading fees included, in lamports. */
  spentLamports: bigint;
  /** Everything that left the wallet for it, with fees and rent; in lamports. */
  paidLamports: bigint;
  /** Everything that came back, in lamports. */
  receivedLamports: bigint;
  /** The difference, in lamports. */
  profitLamports: bigint;
  /** Why its last tokens were sold. */
  reason: BacktestReason;
  /** How many of its sells landed. */
  sells: number;
}

/** What the wallet paid besides the price, in lamports. */
export type BacktestCosts = {
  /** To the protocol. */
  protocolFeesLamports: bigint;
  /** To the tokens' creators. */
  creatorFeesLamports: bigint;
  /** To the network, without the priority. Failed orders pay it, too. */
  networkFeesLamports: bigint;
  /** For priority. Failed orders pay it, too. */
  priorityFeesLamports: bigint;
  /** Rent that was paid for token accounts. */
  rentPaidLamports: bigint;
  /** Rent that came back. */
  rentReturnedLamports: bigint;
};

/** The positions that ended for one reason. */
export type BacktestReasonRow = {
  /** The reason. */
  reason: BacktestReason;
  /** How many there are. */
  positions: number;
  /** How many of them gained. */
  wins: number;
  /** What they gained together, in lamports. */
  profitLamports: bigint;
};

/** The deepest fall of the equity from a high to a low after it. */
export type BacktestDrawdown = {
  /** How deep, in lamports. */
  lamports: bigint;
  /** The part of the high that was lost. */
  part: string;
  /** When the high was. */
  fromMs: number;
  /** When the low was. */
  toMs: number;
};

/** Recorded trades that could not be made again, for one reason. */
export type BacktestSkipped = {
  /** Why the launchpad refused them on the curve as it was then. */
  reason: RefusalCode;
  /** How many. */
  trades: number;
};

/** What the wallet was worth at a time. */
export type BacktestPoint = {
  /** When, in milliseconds of the tape. */
  atMs: number;
  /** Its lamports, and what selling everything would bring, with the rent. */
  lamports: bigint;
};

// The chain

/**
 * A curve as the chain holds it. Fields for which its account is too short are absent.
 *
 * @see {@link readCurve}
 */
export interface ChainCurve {
  /** The reserves, which set the price. After the move to a pool all four are zero. */
  reserves: CurveReserves;
  /** Supply of the token as the curve was created, in base units. Burns change the mint's supply, not this one. */
  tokenTotalSupply: bigint;
  /** Whether trading on the curve has ended. It may have tokens left. */
  complete: boolean;
  /** Who earns the creator's fee. Absent if nobody does: then no such fee is charged. */
  creator: string | null;
  /** Whether the token's virtual reserves may be reset, and its market cap counts the supply as created. */
  isMayhem: boolean | null;
  /** Whether the creator's fee goes to the trader's own account with the program. The totals of a trade are the same. */
  isCashback: boolean | null;
  /** A creator rate of the token's own in basis points, which counts if the launchpad allows it. Zero is none. */
  creatorFeeBps: bigint | null;
  /** Whether that rate can still be changed. */
  canEditCreatorFee: boolean | null;
  /** Whether the creator's fee goes to holders. The totals of a trade are the same. */
  isHolderReward: boolean | null;
  /** Creator's fees that wait to be collected, in lamports. */
  creatorFeeLamports: bigint | null;
  /** Protocol fees that wait to be collected, in lamports. */
  protocolFeesLamports: bigint | null;
  /** How many tokens this one is launched upon. */
  depth: number | null;
  /** Virtual lamports at the start of the curve. */
  initialVirtualSolReserves: bigint | null;
  /** Base units that the future pool has sold to buys past the end of the curve. */
  postCompleteTokensOut: bigint | null;
  /** Lamports that the future pool has taken for them. */
  postCompleteLamportsIn: bigint | null;
}

/**
 * The launchpad's settings that a trade depends on. Fields for which its account is too short are absent.
 *
 * The two fee rates in it are not what a trade pays: those are in the fee configuration.
 *
 * @see {@link readGlobal}
 */
export interface Global {
  /** Whether the launchpad has been set up. */
  initialized: boolean;
  /** The curve of a new token. */
  start: CurveReserves;
  /** Supply of a new token, in base units. */
  tokenTotalSupply: bigint;
  /** Lamports that the move of a complete curve to a pool costs. */
  poolMigrationFeeLamports: bigint | null;
  /** Whether new tokens belong to the newer token program. */
  createV2Enabled: boolean | null;
  /** Whether tokens may be created whose virtual reserves can be reset. */
  mayhemModeEnabled: boolean | null;
  /** Whether tokens may be created whose creator's fee goes to the trader. */
  cashbackEnabled: boolean | null;
  /** Whether a token's own creator rate counts. */
  creatorFeeConfigurable: boolean | null;
  /** The largest such rate that a creator can choose, in basis points. A rate over it still counts. */
  maxConfigurableCreatorFeeBps: bigint | null;
  /** Whether tokens may be created whose creator's fee goes to holders. */
  holderRewardEnabled: boolean | null;
  /** How many tokens deep a token may be launched upon others. */
  maxCurveDepth: number | null;
}

/**
 * A token.
 *
 * @see {@link readMint}
 */
export interface Mint {
  /** The token program that it belongs to. It decides how large a token account is, and where it is. */
  tokenProgram: string;
  /** Supply in base units. Burns lower it. */
  supply: bigint;
  /** Fraction digits of a whole token. */
  decimals: number;
}

/**
 * What a wallet holds of a token.
 *
 * @see {@link readHolding}
 */
export interface Holding {
  /** The token. */
  mint: string;
  /** The wallet. */
  wallet: string;
  /** Base units held. A transfer fee that is withheld is not among them. */
  tokens: bigint;
  /** Lamports that the account holds. The wallet gets all of them when it closes, unless only somebody else may close it. */
  lamports: bigint;
  /** Whether the tokens are frozen: held, but not sold. */
  isFrozen: boolean;
  /** Who may spend some of the tokens in the wallet's name. */
  delegate: string | null;
  /** Base units that the delegate may spend. */
  delegatedTokens: bigint;
  /** Who may close the account in the wallet's place. */
  closeAuthority: string | null;
}

/** What a look found of a wallet. */
export type WalletLook = {
  /** The wallet's id, as it was asked for. */
  wallet: string;
  /** Its lamports; absent if there is no such account. */
  lamports: bigint | null;
  /** Where it usually holds the token, whether or not that account exists. */
  tokenAccount: string;
  /** What it holds there; absent if there is no such account. */
  holding: Holding | null;
  /** Whether its next buy also opens the account in which the launchpad counts what it trades, at its own cost. */
  opensVolumeAccount: boolean;
};

/** How a trade ended, and how that is known. */
export type Settled = {
  /** How it ended: `landed`, `failed` or `did_not_land`, which are proven, or still `unknown`. */
  outcome: IntentOutcome;
  /** Why it is unknown; only if it is. */
  reason: UnknownReason | null;
  /** Why the node was not asked further, if it was not: the limit, the refusal or the wallet, by name. Of several that fit, their signatures. */
  problem: string | null;
  /** The signature of its transaction, if it reached the chain. Of an unknown trade, that of the transaction that is likely. */
  signature: string | null;
  /** The slot of that transaction. */
  slot: bigint | null;
  /** When its block was made, in seconds since 1970, if the node says so. */
  time: bigint | null;
  /** Lamports that the network took for it. */
  feeLamports: bigint | null;
  /** What moved in each trading wallet by this transaction alone. A receipt takes it, as it takes what `reconcile` answers. */
  reconciled: object;
};

/** What a trade did to one wallet, and what its quote said. */
export type WalletDrift = {
  /** The wallet. */
  wallet: string;
  /** Base units gained (negative: sold), as quoted. */
  quotedTokens: bigint;
  /** The same as it was. */
  tokens: bigint;
  /** Lamports gained (negative: spent) in all, as quoted. */
  quotedLamports: bigint;
  /** The same as it was. */
  lamports: bigint;
  /** Base units that no known rule explains. */
  unexplainedTokens: bigint;
  /** Lamports that no known rule explains. */
  unexplainedLamports: bigint;
};

/**
 * A landed trade against its quote.
 *
 * @see {@link Market.drift}
 */
export interface Drift {
  /** The trade's transaction. */
  signature: string;
  /** The slot of the quote. */
  quotedSlot: number;
  /** The slot of the trade. */
  slot: number;
  /** Why it did something else than quoted, each reason once. Empty if it did exactly what was quoted. */
  causes: DriftCause[];
  /** Whether all of it is explained. More than a buy's amount never is. */
  explained: boolean;
  /** The fee rates together, in basis points, if another one was charged than the quote's rules have. */
  chargedBps: number | null;
  /** Each wallet of the trade, the fee payer among them. */
  wallets: WalletDrift[];
}

/** What the transaction of a trade has moved in one wallet. */
export type WalletMoved = {
  /** The wallet. */
  wallet: string;
  /** Base units of the trade's token gained (negative: sold). */
  tokens: bigint;
  /**
   * Lamports gained (negative: spent) in all, without the rent of its token account: the trade, every fee that the wallet paid, and
   * what else the transaction took.
   */
  lamports: bigint;
  /** Rent that was locked in its token account (negative: came back), in lamports. */
  rentLamports: bigint;
};

/**
 * What the transaction of a trade has moved in the trade's wallets.
 *
 * @see {@link Market.moved}
 */
export interface Moved {
  /** Whether it can be that trade: it does what was asked for, and is not from before it. If not, nothing else here counts. */
  fits: boolean;
  /** Whether it failed: then only a network fee was paid. */
  failed: boolean;
  /** When its block was made, in milliseconds since 1970, if its source says so. */
  atMs: number | null;
  /** Each trading wallet, once. */
  wallets: WalletMoved[];
}

/**
 * What goes wrong with a node.
 *
 * @see {@link LocalChain.setFaults}
 */
export interface ChainFaults {
  /** How many slots its readings lag behind what was written. Default: 0. */
  lagSlots?: number;
  /** Every so many requests another machine answers, which is further behind: slots jump back. Default: never. */
  jumpBackEvery?: number;
  /** How many slots further behind that machine is. Default: 0. */
  jumpBackSlots?: number;
  /** After how many slots it forgets transactions. Default: never. */
  pruneAfterSlots?: number;
  /** The methods that it refuses. Default: none. */
  refuseMethods?: string[];
  /** Whether it refuses batches, as many nodes do: each call must be a request of its own. Default: false. */
  refuseBatches?: boolean;
  /**
   * The version of its transactions, 0 or 1. As a node does, it refuses them to a call that does not support this version. Default:
   * `legacy`, which every call supports.
   */
  transactionVersion?: 0 | 1;
  /** How many requests are answered in a window of time; any other is refused with the status 429. Default: no bound. */
  rateLimit?: RateLimit;
}

/** Another trade of the same client, as far as it says which transactions may be its own. */
export type OtherTrade = {
  /** What was asked for. */
  operation: Operation;
  /** The exact body. */
  body: string;
  /** When it was admitted, in milliseconds since 1970. */
  startedAtMs: bigint;
  /** Whether it went to a gateway, which may have sent it much later. */
  throughGateway: boolean;
  /** The finalized slot at which its wallets were read before it was sent. */
  beforeSlot: bigint | null;
  /** How it ended; `null` while it is in flight or unresolved. */
  outcome: IntentOutcome | null;
  /** The signature of its transaction, if it was reported. */
  signature: string | null;
  /** Whether the chain proves how it ended. */
  proven: boolean;
};

// Records

/**
 * What a record says about one trade.
 *
 * @see {@link verifyRecord}
 */
export interface RecordCheck {
  /** Its id. */
  intentId: string;
  /** What was asked for; `null` if it was not begun. */
  operation: Operation | null;
  /** The line of its plan or its begin, from one. */
  line: number;
  /** Whether its plan is in the record. */
  planned: boolean;
  /** Whether a person approved it. */
  approved: boolean;
  /** Whether it was sent. */
  sent: boolean;
  /** How it ended; `null` if the record does not say. */
  outcome: IntentOutcome | null;
  /** Whether evidence in the record proves that. */
  proven: boolean;
  /** Whether it was only said later how it ended, by a person or a gateway, without evidence. */
  acknowledged: boolean;
  /** The signature of its transaction. */
  signature: string | null;
  /** The price at which it landed. */
  price: RecordPrice;
  /** How many problems it has. */
  problems: number;
}

/**
 * What is wrong in a record, and where.
 *
 * @see {@link verifyRecord}
 */
export interface RecordProblem {
  /** The line, from one; one past the last if the end is missing. */
  line: number;
  /** The trade's id, if it is about one. */
  intentId: string | null;
  /** The stable code. */
  code: RecordProblemCode;
  /** A sentence for a person. */
  message: string;
}

// The sandbox

/**
 * The settings of a sandbox.
 *
 * @see {@link Sandbox}
 */
export interface SandboxConfig {
  /** The tokens that can be traded. Default: two; in a living market five, each at a different stage of its curve. */
  tokens?: SandboxTokenConfig[];
  /** The wallets that can trade. Default: three, with 100, 10 and 1 SOL. */
  wallets?: SandboxWalletConfig[];
  /** The launchpad's rules: those that are absent are the default rules of the market's day. */
  launchpad?: LaunchpadConfig;
  /** The unit of a bare `slippage`. Default: `percent`. */
  slippageUnit?: "percent" | "bps";
  /** What mints and wallet ids must look like. Default: `any`. */
  identifiers?: "any" | "base58";
  /** The most elements of a bundle. Default: no bound. */
  maxBundleSize?: number;
  /** The slippage of a single trade that does not set its own. Default: 0.5 %, which the spec gives for bundles. */
  defaultSlippage?: SlippageInput;
  /** What explorer links begin with. Default: `https://explorer.example`. */
  explorerBase?: string;
  /** What launchpad links begin with. Default: `https://launchpad.example`. */
  launchpadBase?: string;
  /** Whether replies have `explorer.tokenAccount`, which the spec describes but its sample lacks. Default: false. */
  explorerTokenAccount?: boolean;
  /** The key that every request must have. Default: none. */
  apiKey?: string;
  /** The header that holds the key. Default: `x-api-key`. */
  apiKeyHeader?: string;
  /** Whether the key is in `authorization: Bearer …` instead. */
  authorization?: "bearer";
  /**
   * The origin whose pages may trade here, such as `http://localhost:5173`, or `*` for every page: for development.
   * Default: none.
   */
  corsOrigin?: string;
  /** The longest request body, in bytes. Default: 1048576. */
  maxBodyBytes?: number;
  /** How many requests are answered in a window of time. Default: no bound. */
  rateLimit?: RateLimit;
  /** Rival traders who move the curves. Default: none. */
  market?: MarketConfig;
  /** Faults to simulate. Default: none. */
  faults?: FaultConfig;
  /**
   * How long the answer of the outcomes `slow` and `slow-body` takes, in milliseconds, at most 2147483647.
   * Default: 10000.
   */
  slowMs?: number;
  /** Whether the sandbox can be inspected and changed under `/_sandbox/`: for tests. Default: false. */
  control?: boolean;
  /** Whether anyone may read the market under `/_market/`, without the key. Default: true. */
  watchable?: boolean;
  /**
   * How many of the newest calls are logged with what really happened to them. Default: 10000 with `control`, otherwise
   * none.
   */
  maxCalls?: number;
  /** How many of the newest transactions are kept. Default: 1000. */
  maxTrades?: number;
}

/**
 * A token of a sandbox.
 *
 * @see {@link Sandbox}
 */
export interface SandboxTokenConfig {
  /** Its mint address. */
  mint: string;
  /** Its ticker. Default: the mint's first four characters. */
  symbol?: string;
  /** What a page shows for it. Default: the symbol. */
  name?: string;
  /** Whether the token has a creator who earns a fee. Default: true. */
  hasCreator?: boolean;
  /** A creator rate of the token's own in basis points, at most 10000, in place of the tier's. Default: 0, none. */
  creatorBps?: number;
  /** Whether trading has ended, even if tokens are left. Default: false. */
  complete?: boolean;
  /** Base units in all. Default: the launchpad's. */
  supply?: number | bigint | string;
  /** Its curve. Default: the launchpad's curve of a new token. */
  curve?: CurveConfig;
  /** How its rivals behave in a living market. Default: it follows from the market's seed. */
  character?: Character;
  /** How much of its curve's remaining tokens rivals have bought before the start, in basis points. Default: 0. */
  soldBps?: number;
}

/**
 * A wallet of a sandbox.
 *
 * @see {@link Sandbox}
 */
export interface SandboxWalletConfig {
  /** Its id. */
  wallet: string;
  /** What a page shows for it. Default: the id. */
  label?: string;
  /** Lamports it begins with. */
  lamports: number | bigint | string;
  /**
   * Whether its first buy also opens the account in which the launchpad counts what it trades, at its own cost. Default: false,
   * it is open.
   */
  opensVolumeAccount?: boolean;
  /** The tokens it begins with, each in an open token account. Default: none. */
  holdings?: SandboxHoldingConfig[];
}

/** What a wallet of a sandbox holds of a token at the start. */
export type SandboxHoldingConfig = {
  /** The token's mint address. */
  mint: string;
  /** Base units held; 0 for an account that is open and empty. */
  tokens: number | bigint | string;
  /** Lamports the account itself holds. Default: the launchpad's rent. */
  lamports?: number | bigint | string;
  /** Whether the account is frozen: it can neither sell nor buy, so such a trade fails. Default: false. */
  isFrozen?: boolean;
  /** Whether only somebody else may close the account: then it stays open when it is emptied. Default: false. */
  staysOpen?: boolean;
};

/** How many requests are answered in a window of time. */
export type RateLimit = {
  /** Requests, at least one. */
  requests: number;
  /** The window's length in milliseconds. Default: 1000. */
  perMs?: number;
};

/**
 * The rival traders of a sandbox.
 *
 * @see {@link Sandbox.advance}
 */
export interface MarketConfig {
  /** The seed of their trades: the same seed gives the same trades. Default: 1. */
  seed?: number | bigint | string;
  /** The most lamports one of them spends; a typical trade spends a hundredth of it. Default: 25000000000. */
  maxLamports?: number | bigint | string;
  /**
   * Whether the market is alive: rivals of several kinds trade as its time passes, tokens are launched, and most of them fail,
   * as on real launchpads. Default: false.
   */
  alive?: boolean;
  /** Milliseconds between two steps of a living market, 1 to 60000. Default: 400. */
  stepMs?: number;
  /**
   * Milliseconds of the market's time that pass between a request's quote and its execution: what slippage is for. Used
   * if the market is alive or replays a recording. At most 60000. Default: 400.
   */
  inFlightMs?: number;
  /** Milliseconds between two launches, on average; 0 for none. Default: 30000. */
  launchEveryMs?: number;
  /** Launches stop at this many tokens. Default: 240. */
  maxTokens?: number;
  /** The market's time at the start, in milliseconds. Default: the time of the first recorded trade, or 0. */
  startMs?: number;
  /** How many of the newest trades the market's tape keeps. Default: 10000. */
  maxMarketTrades?: number;
  /**
   * A recording to replay as the market's time passes: a list of trades in order, or a text of JSON or CSV of at most
   * 16777216 characters. For more than about 15,000 trades, give the text.
   */
  replay?: RecordedTrade[] | string;
}

/**
 * A recorded trade.
 *
 * @see {@link recording}
 */
export interface RecordedTrade {
  /** When it was made, in milliseconds of the market's time; not before the trade that precedes it. */
  atMs: number;
  /** Mint address of the token. */
  mint: string;
  /** Which way the lamports go. */
  side: Side;
  /** What a buy spends, fees included. It counts for a buy without `tokens`. */
  lamports?: number | bigint | string | null;
  /** Base units that a buy buys, or a sell sells. */
  tokens?: number | bigint | string | null;
  /** Whose trade it is. A replay does not ask. */
  wallet?: string | null;
}

/**
 * How far the replay of a recording is.
 *
 * @see {@link Sandbox.replay}
 */
export interface Replay {
  /** How many of its trades were made. */
  made: number;
  /** How many of its trades were not made, by reason. */
  skipped: SkippedTrades[];
  /** How many of its trades are not due yet. */
  left: number;
  /**
   * The mints among those that the sandbox has no token of now, in their order there. Unless one is
   * launched, their trades will be skipped.
   */
  withoutToken: TradesWithoutToken[];
}

/** Recorded trades that were not made, for one reason. */
export type SkippedTrades = {
  /**
   * Why not: the sandbox had no token of that mint, the token would have more than its supply, or the launchpad refused
   * it on the curve as it was then.
   */
  reason: "no_such_token" | "above_supply" | RefusalCode;
  /** How many trades. */
  trades: number;
};

/** Recorded trades of a mint that the sandbox has no token of. */
export type TradesWithoutToken = {
  /** The mint address. */
  mint: string;
  /** How many there are. */
  trades: number;
};

/**
 * A trade of the market, with its price.
 *
 * @see {@link Sandbox.marketTrades}
 */
export interface MarketTrade {
  /** Its sequence number in the market, from 1. */
  number: number;
  /** When it was made, in the market's time. */
  atMs: number;
  /** The token's mint address. */
  mint: string;
  /** Which way the lamports go. */
  side: Side;
  /** Who made it. */
  trader: TraderKind;
  /** The wallet; empty for a trade of a recording. */
  wallet: string;
  /** Base units traded. */
  tokens: bigint;
  /** Lamports paid or received, fees included. */
  lamports: bigint;
  /** The spot price after it, in lamports per whole token: exact text to nine places, floored; null past 128 bits. */
  price: string | null;
  /** The curve's virtual tokens after it. */
  virtualTokenReserves: bigint;
  /** The curve's virtual lamports after it. */
  virtualSolReserves: bigint;
  /** Tokens left to buy after it. */
  realTokenReserves: bigint;
  /** Lamports left to pay sellers after it. */
  realSolReserves: bigint;
}

/** A page of the tokens of a market. */
export type MarketTokens = {
  /** The market's time, in milliseconds. */
  nowMs: number;
  /** The tokens, in the order in which they were launched. */
  tokens: SandboxToken[];
  /** What `after` must be for the next page; null on the last one. */
  next: string | null;
};

/** A page of the wallets of a market. */
export type MarketWallets = {
  /** The market's time, in milliseconds. */
  nowMs: number;
  /** The wallets, in the order in which they were made. */
  wallets: SandboxWallet[];
  /** What `after` must be for the next page; null on the last one. */
  next: string | null;
};

/** A page of the trades of a market. */
export type MarketTrades = {
  /** The market's time, in milliseconds. */
  nowMs: number;
  /** The trades, oldest first. */
  trades: MarketTrade[];
  /** What `after` must be for what comes next, also if nothing is there yet. */
  next: string;
  /** Whether there is more than this page. */
  more: boolean;
  /** How many trades after `after`, of all tokens, are no longer kept. */
  missed: number;
  /** Whether the market has begun anew since `after`. Then the page begins at its start. */
  restarted: boolean;
};

/**
 * A token's curve with its rules: what `new Curve(…)` takes.
 *
 * @see {@link SandboxMarket.look}
 */
export interface MarketCurve {
  /** The launchpad's rules. */
  launchpad: LaunchpadConfig;
  /** Where the curve stands. */
  curve: CurveConfig;
  /** Base units in all. */
  supply: bigint;
  /** Whether the token has a creator who earns a fee. */
  hasCreator: boolean;
  /** A creator rate of the token's own, in basis points; null for none. */
  creatorBps: number | null;
  /** Whether trading has ended. */
  complete: boolean;
}

/**
 * What a wallet holds, at a look.
 *
 * @see {@link SandboxMarket.look}
 */
export interface MarketHolder {
  /** Its id. */
  wallet: string;
  /** Its lamports, without those in token accounts. */
  lamports: bigint;
  /** Its account of the token; null without one. */
  holding: SandboxTokenAccount | null;
  /** Whether its next buy also opens its volume account, at its own cost. */
  opensVolumeAccount: boolean;
}

/**
 * A token's curve and what some wallets hold, at one moment.
 *
 * @see {@link SandboxMarket.look}
 */
export interface MarketView {
  /** The token's mint address. */
  mint: string;
  /** Fraction digits of a whole token. */
  decimals: number;
  /** The curve and its rules. */
  curve: MarketCurve;
  /** The wallets that were asked for and are known. */
  wallets: MarketHolder[];
  /** The market's time, in milliseconds. */
  atMs: number;
}

/** Where a stream of events begins. */
export type MarketStart = {
  /** The market's time, in milliseconds. */
  nowMs: number;
  /** The cursor of the newest trade. */
  last: string;
  /** How many trades after `last-event-id`, of all tokens, are no longer kept: they are lost to this reader. */
  missed: number;
  /** Whether the market has begun anew since `last-event-id`. */
  restarted: boolean;
};

/**
 * A token's trades within an interval of time. Intervals without a trade have no candle.
 *
 * @see {@link Sandbox.candles}
 */
export interface Candle {
  /** When the interval began, in the market's time. */
  startMs: number;
  /** The spot price after the first trade, in lamports per whole token: exact text to nine places, floored. */
  open: string;
  /** The highest spot price after a trade. */
  high: string;
  /** The lowest one. */
  low: string;
  /** The spot price after the last trade. */
  close: string;
  /** Lamports paid and received, fees included. */
  lamports: bigint;
  /** Base units traded. */
  tokens: bigint;
  /** How many trades. */
  trades: number;
}

/**
 * A call of one of the six operations, and what really happened to it.
 *
 * @see {@link Sandbox.calls}
 */
export interface CallRow {
  /** Its sequence number in the log, from 1. */
  number: number;
  /** When it came, in the request's milliseconds. */
  atMs: number;
  /** What was asked for. */
  operation: Operation;
  /** The id in its `idempotency-key`; empty without one. */
  intentId: string;
  /** Identifies the operation and the exact bytes of the body. */
  fingerprint: string;
  /** What really happened to it. */
  actual: ActualOutcome;
  /** The transaction's sequence number; 0 if none was executed. */
  transaction: number;
  /** The transaction's signature; empty if none was executed. */
  signature: string;
  /** The status of the answer; 0 if there was none. */
  status: number;
}

/**
 * An entry of a bot's books: an intent of its journal, and how it was settled.
 *
 * @see {@link audit}
 */
export interface BookEntry {
  /** The intent's id. */
  intentId: string;
  /** What was asked for. */
  operation: Operation;
  /** The exact body. */
  body: string;
  /** How it ended; null if it was never settled. */
  outcome: IntentOutcome | null;
}

/**
 * What an audit found.
 *
 * @see {@link audit}
 */
export interface Audit {
  /** Every trade that the books are wrong about: first those with an entry, in order, then those without. */
  findings: AuditFinding[];
  /** What really happened to the trades that the books leave open. */
  open: OpenTrade[];
  /** The intent ids of the settled entries that cannot be checked: the log has no call of theirs, and no longer has its oldest ones. */
  unchecked: string[];
  /** How many entries are right. */
  right: number;
}

/** A trade that a bot's books are wrong about. */
export type AuditFinding = {
  /** How they are wrong. */
  mismatch: Mismatch;
  /** The entry's intent id; null if there is no entry. */
  intentId: string | null;
  /** What was asked for. */
  operation: Operation;
  /** What the books say; null if there is no entry. */
  recorded: IntentOutcome | null;
  /** What really happened to it. */
  actual: ActualOutcome;
  /** The call's number in the log; null if none arrived. */
  call: number | null;
  /** The transaction's signature; null if none was executed. */
  signature: string | null;
};

/** What really happened to a trade that a bot's books leave open. */
export type OpenTrade = {
  /** The entry's intent id. */
  intentId: string;
  /** What really happened to it. */
  actual: ActualOutcome;
  /** The transaction's signature; null if none was executed. */
  signature: string | null;
};

/**
 * The faults of a sandbox: first the script, one for each request in turn; after its end, at random.
 *
 * @see {@link Sandbox.setFaults}
 */
export interface FaultConfig {
  /** One fault for each request in turn; kind `none` for no fault. Default: none. */
  script?: Fault[];
  /** The faults to choose from at random, after the script. Default: none. */
  oneOf?: Fault[];
  /** How often a fault occurs, in basis points of the requests. Default: 10000, every request. */
  chanceBps?: number;
  /** The seed of the random choice. Default: 0. */
  seed?: number | bigint | string;
}

/**
 * What goes wrong, and how.
 *
 * @see {@link Sandbox.setFaults}
 */
export interface Fault {
  /**
   * What goes wrong. `none`: nothing but the delays. Nothing is executed: `refused` (no connection), `dropped` (it ends
   * without an answer), `rateLimited` (429 with `retry-after`), `errorBefore` (`status`). Executed: `errorAfter`
   * (`status`, although it was executed), `noAnswer` (the connection ends first), `truncated` (it ends in the middle of
   * the body), `garbled` (the body has a byte that is not UTF-8). `transactionFails`: it fails with `refusal`; the
   * network fee is charged.
   */
  kind: FaultKind;
  /** Milliseconds before the answer begins, at most 2147483647. Default: 0. */
  latencyMs?: number;
  /** Milliseconds that the body takes from its first byte to its last, at most 2147483647. Default: 0. */
  bodyMs?: number;
  /** The status of `errorBefore` and `errorAfter`, 400 to 599. Default: 503. */
  status?: number;
  /** Why the transaction of `transactionFails` fails. Default: as if the price had moved past the slippage. */
  refusal?: RefusalCode;
  /** What `rateLimited` asks to wait, in milliseconds. Default: 1000. */
  retryAfterMs?: number;
}

/** One row of the table of outcomes. */
export type OutcomeRow = {
  /** Its name, as the header takes it. */
  outcome: SandboxOutcome;
  /** The id that asks for it in `feePayer`. */
  feePayer: string;
  /** What happens to the request. */
  meaning: string;
};

/**
 * A token, its curve, and the numbers derived from it.
 *
 * @see {@link Sandbox.tokens}
 */
export interface SandboxToken {
  /** Its mint address. */
  mint: string;
  /** Its ticker. */
  symbol: string;
  /** What a page shows for it. */
  name: string;
  /** Fraction digits of a whole token. */
  decimals: number;
  /** Whether the token has a creator who earns a fee. */
  hasCreator: boolean;
  /** A creator rate of the token's own in basis points; null for that of the tier. */
  creatorBps: number | null;
  /** Base units in all. */
  supply: bigint;
  /** Virtual base units, which set the price. */
  virtualTokenReserves: bigint;
  /** Virtual lamports, which set the price. */
  virtualSolReserves: bigint;
  /** Base units left to buy. */
  realTokenReserves: bigint;
  /** Lamports available to pay sellers. */
  realSolReserves: bigint;
  /** Whether every token is sold. Then trading stops. */
  complete: boolean;
  /** Spot price in lamports per whole token, exact text to nine places, floored; null past 128 bits. */
  spotPrice: string | null;
  /** What the whole supply is worth at that price, in lamports, floored; null past 127 bits. */
  marketCapLamports: bigint | null;
  /** Lamports the protocol earned with it. */
  protocolFeesLamports: bigint;
  /** Lamports its creator earned. */
  creatorFeesLamports: bigint;
}

/**
 * A wallet and what it holds.
 *
 * @see {@link Sandbox.wallets}
 */
export interface SandboxWallet {
  /** Its id. */
  wallet: string;
  /** What a page shows for it. */
  label: string;
  /** Its lamports, without those in token accounts. */
  lamports: bigint;
  /** Rises by one for each successful buy by this wallet. */
  level: number;
  /** Whether its next buy also opens its volume account. */
  opensVolumeAccount: boolean;
  /** Its open token accounts, in the order of the tokens. */
  tokenAccounts: SandboxTokenAccount[];
}

/**
 * An open token account.
 *
 * @see {@link Sandbox.wallets}
 */
export interface SandboxTokenAccount {
  /** The token's mint address. */
  mint: string;
  /** The account's own address. */
  tokenAccount: string;
  /** Base units held. */
  tokens: bigint;
  /** Lamports the account itself holds; refunded when the wallet closes it. */
  lamports: bigint;
  /** Whether its tokens are frozen: it can neither sell nor buy. */
  isFrozen: boolean;
  /** Whether only somebody else may close it: then it stays open when it is emptied. */
  staysOpen: boolean;
}

/** The caller's account. */
export type AccountRow = {
  /** Rises by one for each successful buy, including each buy of a bundle. */
  level: number;
  /** Transactions so far, failed ones included. */
  transactions: number;
  /** All lamports paid to the network. */
  networkFeesLamports: bigint;
  /** All rent paid for the volume accounts of wallets. */
  volumeRentsLamports: bigint;
};

/**
 * A transaction, landed or failed.
 *
 * @see {@link Sandbox.trades}
 */
export interface TradeRow {
  /** Its sequence number in the sandbox, from 1. */
  transaction: number;
  /** When it was requested, in the request's milliseconds. */
  atMs: number;
  /** What was asked for. */
  operation: Operation;
  /** Mint address. */
  mint: string;
  /** Id of the wallet that paid the network fee. */
  feePayer: string;
  /** Transaction signature. */
  signature: string;
  /** Whether it landed. */
  success: boolean;
  /** Why it failed; `null` if it landed. */
  refusal: RefusalCode | null;
  /** `ok`, or why it failed, as in the reply's `transactionResult.results.message`. */
  results: string;
  /** What the fee payer was charged. */
  networkFeeLamports: bigint;
  /** Its trades, in order. All amounts are zero if it failed. */
  legs: TradeLeg[];
}

/** One wallet's part of a transaction. */
export type TradeLeg = {
  /** Id of the wallet that traded. */
  wallet: string;
  /** Base units bought or sold. */
  tokens: bigint;
  /** Lamports paid for a buy or received for a sell, fees included. */
  lamports: bigint;
  /** The protocol's fee, already included in `lamports`. */
  protocolFeeLamports: bigint;
  /** The creator's fee, already included in `lamports`. */
  creatorFeeLamports: bigint;
  /** Rent paid for what it opened: the token account, the volume account. */
  rentLamports: bigint;
  /** Lamports refunded for closing it. */
  refundLamports: bigint;
};
