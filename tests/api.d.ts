/// <reference lib="esnext.disposable" />

/**
 * One of the six operations of the service.
 *
 * @see {@link TradeClient.build}
 */
export type Operation =
/** Spend lamports on a token. */
"buy"
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
"not_sent"
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
"invalid_request"
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
/** A success whose body cannot be read; `error.evidence` has the start of the body. */
 | "unreadable_reply"
/** The reply is longer than `maxReplyBytes`; also used by `readReply`. */
 | "reply_too_large"
/** A render function was given an error that is not from a trade. */
 | "unexpected_error"
/** The client is halted; `resume()` allows trades again. */
 | "halted"
/** The client allows only sells; `resume()` allows buys again. */
 | "reducing"
/** A trade with this intent id is in flight. */
 | "intent_in_flight"
/** A trade with this intent id may have landed: check, then `acknowledge` it. */
 | "intent_unknown"
/** A trade with this intent id has already landed or been accepted. */
 | "intent_landed"
/** Too many unknown outcomes in a row: check and `acknowledge` each, or call `resume()`. */
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
/** A reply that contradicts the request or itself: a different mint or wallet, a `sellAmount` in answer to a buy, a `success` or an `error` that its `transactionResult` denies, two signatures, a success with the chain's error or with an amount of zero, a failure whose balances moved, the signature of another trade. Missing fields contradict nothing. Or a refusal whose body tells of a trade: a signature, a transaction result, a field of `result`. `error.evidence` has the start of the reply. */
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
/**
 * What is wrong with one field. Append-only.
 *
 * @see {@link validate}
 */
export type FieldCode =
/** Required, but absent or null. */
"required"
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
/** White space, a control character or broken text in an identifier. */
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
/** Typed or pasted text that may mean two things, such as `1,000`: it is never guessed. */
 | "ambiguous";
/**
 * A warning about a request that is sent anyway. Append-only.
 *
 * @see {@link validate}
 */
export type WarningCode =
/** A slippage over 100 %, or a bare one over 100 while `slippageUnit` is `percent`: it may have been meant as basis points. */
"slippage_unit"
/** A percentage below 1: it may have been meant as a part of the whole. */
 | "percentage_unit";
/**
 * What a readable reply says about its transaction.
 *
 * @see {@link readReply}
 */
export type TradeStatus =
/** `transactionResult.success` is true. */
"landed"
/** The reply does not say. */
 | "unconfirmed"
/** `transactionResult.success` is false: nothing moved but the network fee. */
 | "failed";
/**
 * What may be sent.
 *
 * @see {@link TradeClient.halt}
 */
export type GuardMode =
/** Everything. */
"active"
/** Only sells. */
 | "reducing"
/** Nothing. */
 | "halted";
/**
 * How far an intent is at a gateway. Append-only.
 *
 * @see {@link TradeClient.waitFor}
 */
export type IntentState =
/** It is a plan that has not been sent. */
"planned"
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
 * How an intent ended. Append-only.
 *
 * @see {@link Hooks}
 */
export type IntentOutcome =
/** It landed. */
"landed"
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
"landed"
/** It did not land and never will: its lamports are free, and so is its id. */
 | "did_not_land";
/**
 * How sure an answer is.
 *
 * @see {@link reconcile}
 */
export type Certainty =
/** The balances allow nothing else, if the caller described them correctly. */
"proven"
/** They fit this answer, but would also fit another. */
 | "likely"
/** They do not decide it. */
 | "unknown";
/**
 * What one wallet's balances show of the trade.
 *
 * @see {@link reconcile}
 */
export type Shown =
/** Exactly the trade's move. Only something else that the wallet signed could have made it, too. */
"trade"
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
"zero_amount"
/** The curve has no virtual reserves, so it has no price. */
 | "empty_curve"
/** All tokens of the curve are sold, so trading has ended. */
 | "curve_complete"
/** The curve has fewer tokens left than this buys. */
 | "not_enough_tokens_on_curve"
/** The spend is used up by its own fees. */
 | "spend_does_not_cover_fees"
/** The buy brings fewer tokens than its minimum, or none at all. */
 | "below_minimum_tokens"
/** The buy costs more than its maximum. */
 | "above_maximum_cost"
/** The wallet holds fewer tokens than this sells. */
 | "not_enough_tokens_held"
/** The fees exceed the sale, or the sale exceeds the curve's lamports. */
 | "fees_or_reserves_exceeded"
/** The sell brings fewer lamports than its minimum. */
 | "below_minimum_lamports"
/** This percentage of the holdings is less than one base unit. */
 | "percentage_sells_nothing"
/** A number does not fit into 64 bits. */
 | "overflow"
/** The wallet has too few lamports for this trade. */
 | "insufficient_lamports"
/** The wallet has too few lamports for its token account's rent. */
 | "insufficient_lamports_for_rent"
/** The fee payer has too few lamports for the network fee: the transaction is never processed. */
 | "insufficient_lamports_for_network_fee"
/** The wallet's token account is not open, or the wallet is unknown. */
 | "token_account_not_open"
/** The token account still holds tokens. */
 | "token_account_not_empty"
/** The wallet is not part of this transaction. */
 | "unknown_wallet"
/** The launchpad has no fee tier, so its fees are not known. */
 | "no_fee_tier"
/** No amount reaches the goal. */
 | "out_of_reach"
/** A plan is made for at most 10,000 wallets. */
 | "too_many_wallets"
/** A wallet would be left with less than an empty account's rent (128 × `rentLamportsPerByte`), but not with zero. */
 | "below_rent_minimum"
/** The curve has fewer tokens left than this buys, and the rest would come from the future pool, which cannot be priced yet. */
 | "filled_from_pool"
/** The wallet's token account is frozen: it can neither sell nor buy. */
 | "token_account_frozen"
/** No refusal of the launchpad: the amount is a part of what the wallet holds, and that is not known, because the wallet's id is no address and `walletAddresses` of the market has none for it. There is no price; the trade may land. */
 | "holdings_unknown";
/**
 * What a trader should know before sending a trade. Append-only.
 *
 * @see {@link WarningThresholds}
 */
export type QuoteWarning =
/** The average price of the fill, before fees, is more than 5 % (or `warnAbove`) away from the spot price before it. The spot price itself moves about twice as far: `spotMoveBps`. Rounding to whole lamports and base units does not cause it. */
"high_impact"
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
"buy"
/** From the curve to the wallet. */
 | "sell";
/**
 * What a node has of a transaction.
 *
 * @see {@link Market.confirm}
 */
export type Seen =
/** It is final, and succeeded. */
"finalized"
/** It is final, and failed. */
 | "failed"
/** It was not seen, or may still be taken back. It may still become final. */
 | "not_seen";
/**
 * Why the evidence does not decide how a trade ended. Append-only.
 *
 * @see {@link Market.settleTrade}
 */
export type UnknownReason =
/** The balances before the send were not read, or not those of every wallet. */
"no_before"
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
 * Why a trade did something else than its quote said. Append-only.
 *
 * @see {@link Market.drift}
 */
export type DriftCause =
/** Others traded between the quote's slot and the trade's: the curve stood elsewhere. */
"curve"
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
 | "over_amount";
/**
 * Why the position of a buy is not known. Append-only.
 *
 * @see {@link PositionError}
 */
export type NoPosition =
/** Neither this client nor its journal knows a trade of this id that was sent. */
"not_recorded"
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
 * A part of a whole, in the unit that its name says: a number, a bigint or text of digits.
 *
 * @see {@link TradeClient.buy}
 */
export type Portion = {
	percent: number | bigint | string;
} | {
	bps: number | bigint | string;
};
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
export type TokenInput = number | string | {
	tokens: number | bigint | string;
} | {
	baseUnits: number | bigint | string;
};
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
/**
 * Any trade; `operation` says which.
 *
 * @see {@link readReply}
 */
export type Trade = BuyTrade | SellTrade | BundleTrade;
/**
 * What every trade has in addition to the spec's reply.
 *
 * @see {@link TradeClient.buy}
 */
export interface AnyTrade {
	/** `landed`, or `unconfirmed` where the reply does not say; `failed` on `TradeFailedError.trade`. */
	status: TradeStatus;
	/** Whether a sandbox made it, so no money moved. */
	simulated: boolean;
	/** Warnings about the request. */
	warnings: Warning[];
	/** The reply's whole text, unknown fields included. */
	raw: string;
	/** Launchpad link. */
	launchpad: {
		mint: string | null;
	};
	/** The trade's id; absent if no client sent it. */
	intentId?: string;
}
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
	explorer: {
		mint: string | null; /** The transaction. */
		tx: string | null;
	};
}
/**
 * What `result` says of the transaction.
 *
 * @see {@link TradeClient.buy}
 */
export interface TransactionOf {
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
}
/**
 * What `result` of a single trade has, buy or sell.
 *
 * @see {@link TradeClient.buy}
 */
export interface SingleResult extends TransactionOf {
	/** Id of the wallet that traded. */
	wallet: string | null;
	/** Token balance before the trade, in whole tokens. */
	preTokenBalance: number | null;
	/** Token balance after the trade, in whole tokens. */
	postTokenBalance: number | null;
	/** Token account address. */
	tokenAccount: string | null;
}
/**
 * What JSON can say and a JS value could round.
 *
 * @see {@link TradeClient.buy}
 */
export interface ExactResults {
	/** `transactionResult.results` as JSON text. */
	results: string;
}
/**
 * The balances of a single trade as decimal text, without loss.
 *
 * @see {@link TradeClient.buy}
 */
export interface ExactBalances extends ExactResults {
	/** Token balance before the trade, in whole tokens. */
	preTokenBalance: string | null;
	/** Token balance after the trade, in whole tokens. */
	postTokenBalance: string | null;
}
/**
 * Block explorer links of a single trade.
 *
 * @see {@link TradeClient.buy}
 */
export interface ExplorerLinks {
	/** The token. */
	mint: string | null;
	/** The transaction. */
	tx: string | null;
	/** The wallet. */
	wallet: string | null;
	/** The token account. The spec describes it, but its sample leaves it out. */
	tokenAccount?: string;
}
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
/**
 * One fact.
 *
 * @see {@link view}
 */
export interface Line {
	/** What it is: "Bought", "Signature". */
	label: string;
	/** The fact. */
	value: string;
}
/**
 * Where to look further.
 *
 * @see {@link view}
 */
export interface Link {
	/** What it leads to. */
	label: string;
	/** An http or https URL. */
	href: string;
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
	/** How far the fill's average price is from the spot price before it, before fees, in basis points, rounded up. */
	priceImpactBps: number;
	/** How far the trade moves the spot price, up by a buy and down by a sell, in basis points, rounded up. */
	spotMoveBps: number;
	/** Spot price before, in lamports per whole token, to nine places; `null` past 128 bits, as the two below. */
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
/**
 * What a request does to one wallet; the fee payer's part includes the network fee.
 *
 * @see {@link quote}
 */
export interface WalletQuote {
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
}
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
/**
 * Why a transaction would fail, or has no price.
 *
 * @see {@link quote}
 */
export interface QuoteRefusal {
	/** The launchpad's reason, as a stable code. */
	code: RefusalCode;
	/** The reason as a sentence. */
	message: string;
	/** The element of a bundle that fails: `buys[2]`; empty for a single trade or if the request as a whole fails. */
	field: string;
}
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
 * How a trade ended, and how that is known.
 *
 * @see {@link Market.settleTrade}
 */
export interface Settled {
	/** How it ended: `landed`, `failed` or `did_not_land`, which are proven, or still `unknown`. */
	outcome: IntentOutcome;
	/** Why it is unknown; only if it is. */
	reason: UnknownReason | null;
	/** Why the node was not asked, or not further, if it was not: the limit, the refusal, or the wallet without an address, by name. */
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
}
/**
 * What a trade did to one wallet, and what its quote said.
 *
 * @see {@link Market.drift}
 */
export interface WalletDrift {
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
}
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
/**
 * What the transaction of a trade has moved in one wallet.
 *
 * @see {@link Market.moved}
 */
export interface WalletMoved {
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
}
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
 * Another trade of the same client, as far as it says which transactions may be its own.
 *
 * @see {@link Market.settleTrade}
 */
export interface OtherTrade {
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
}
/**
 * How a trade ended, as far as balances can tell.
 *
 * @see {@link reconcile}
 */
export interface Reconciled {
	/** What was asked for. */
	operation: Operation;
	/** `proven` if what you passed as `Observed` is true; `likely` if something else would fit too; `unknown` if the balances do not show it. */
	certainty: Certainty;
	/** Whether it landed; `null` if that is unknown. */
	landed: boolean | null;
	/** What to `acknowledge`: only what is proven; `null` otherwise. */
	found: Found | null;
	/** What each wallet's balances show: the trade, a change that may have another cause, no change, a different change, not
	 * read, or no change where the trade might have made none. */
	findings: WalletFinding[];
}
/**
 * What the balances of one wallet show, and what moved in it between the two readings, whatever moved it. `receipt` and
 * `attribution` of `launchpad-desk/launchpad` take these, as part of a `Reconciled`.
 *
 * @see {@link reconcile}
 */
export interface WalletFinding {
	/** Id of the wallet. */
	wallet: string;
	/** What its balances show. */
	shows: Shown;
	/** How sure it is that the trade moved this, and nothing else did. */
	certainty: Certainty;
	/** Its base units before; `null`, as the next three, if they were not read twice. */
	tokensBefore: bigint | null;
	/** Its base units now. */
	tokensAfter: bigint | null;
	/** Base units gained; below zero if sold. */
	tokensMoved: bigint | null;
	/** Lamports gained, below zero if spent: the trade, its fees, rent, and the network fee if it is the payer. */
	lamportsMoved: bigint | null;
}
/**
 * What a client calls `fetch` with.
 *
 * @example
 * ```ts
 * import type { FetchInit, FetchReply } from "launchpad-desk";
 *
 * // A service that refuses every trade.
 * const fetch = async (url: string, init: FetchInit): Promise<FetchReply> => {
 *   console.log(init.method, url, init.body);
 *   return new Response('{"message":"closed today"}', { status: 400 });
 * };
 * ```
 */
export interface FetchInit {
	/** `POST` for a trade. */
	method: string;
	/** The headers of a trade, the key among them. */
	headers?: Record<string, string>;
	/** The JSON body of a trade. */
	body?: string;
	/** A redirect is never followed. */
	redirect: "manual";
	/** No reply comes from a cache. Left out where the runtime refuses the field. */
	cache?: "no-store";
	/** Aborted at the deadline, and when the caller aborts. */
	signal: AbortSignal;
}
/**
 * The parts of a response that a client reads. A `Response` has them.
 *
 * @see {@link FetchInit}
 */
export interface FetchReply {
	/** The HTTP status. */
	readonly status: number;
	/** The headers, by name. */
	readonly headers: {
		get(name: string): string | null;
	};
	/** The body as a stream; without one, `arrayBuffer` is called. */
	readonly body?: unknown;
	/** The whole body. */
	arrayBuffer(): Promise<ArrayBuffer>;
}
/**
 * Options of a {@link TradeClient}. Unknown names are refused, and so are options that an object inherits.
 *
 * @example
 * ```ts
 * import { TradeClient, type ClientOptions } from "launchpad-desk";
 *
 * const options: ClientOptions = {
 *   baseURL: "https://service.example",
 *   apiKey: "sk-example-1", // keep the real one out of pages and repositories
 *   maxLamportsPerDay: 5_000_000_000, // 5 SOL
 *   timeoutMs: 10_000,
 * };
 * const client = new TradeClient(options);
 * ```
 */
export interface ClientOptions extends SendOptions, CheckOptions, GuardOptions {
	/** Base URL of the service, without `/v1`: https, or http on loopback. May be left out only with the `fetch` of a sandbox. */
	baseURL?: string;
	/** API key: visible ASCII, at least 8 characters; or a function that returns it for each trade. Without it, no key is sent. */
	apiKey?: string | (() => string | Promise<string>);
	/** Header for the key. Default `x-api-key`. */
	apiKeyHeader?: string;
	/** Sends the key as `authorization: Bearer <key>` instead. */
	authorization?: "bearer";
	/** Allows a key in a page, where anyone who opens the page can read it. With a gateway of your own, a page needs no key. */
	dangerouslyAllowBrowser?: boolean;
	/**
	 * Whether `baseURL` is a gateway that forwards each intent once, such as one built on `launchpad-desk/gateway`. After an unknown
	 * outcome, the client then asks again under the same intent id, until the gateway knows the answer or the deadline passes. To ask
	 * for a trade that stayed unresolved, repeat the call with the same `intentId`. The intent id is sent in `idempotency-key`.
	 * `apiKey` is the token that the gateway gave this caller; it is sent as a bearer, from a page too. Never set this for a service,
	 * which would make the trade a second time. Default false.
	 */
	gateway?: boolean;
	/** Header for each trade's intent id, such as `idempotency-key`. Default: none. */
	intentHeader?: string;
	/**
	 * The function that sends trades; it is called with `this` undefined. With the `fetch` of a `Sandbox` of
	 * `launchpad-desk/launchpad`, the client trades in that sandbox and needs no `baseURL`. With any other it needs one.
	 * Default: on Node a transport over `node:http` that sends once and can prove that nothing was sent, as `nodeFetch` of
	 * `launchpad-desk/node` makes it; elsewhere the runtime's own `fetch`. With `fetch: globalThis.fetch`, or any other that
	 * proves nothing, every failure after the call is `unknown`.
	 */
	fetch?: (url: string, init: FetchInit) => Promise<FetchReply>;
	/** Records each trade before it is sent, and how it ended. If it cannot record a trade, the trade is not sent. */
	journal?: Journal;
	/**
	 * Where prices come from: a `Market` of `launchpad-desk/chain`, or a `Sandbox`. Plans are priced by it, what the wallets hold is recorded
	 * before each trade, and `settle` finds out how unknown trades ended. If it cannot report what the wallets hold, the trade is
	 * sent anyway, with a warning in the log. What the service says of a trade is looked up by its signature, once that is final: the client does
	 * so by itself, and `settle` does it at once. What the chain contradicts is corrected in the journal, the guards and `endedTrade`, is logged
	 * as an error, and the hook `settled` gets it with `contradicts`.
	 */
	market?: ClientMarket;
	/**
	 * How long after a trade was left without a known outcome, or a journal was opened, the market is asked how it ended, without a call of
	 * `settle`, in milliseconds: somewhat more than the life of a blockhash, such as 90000. It is asked again, ever more seldom, while waiting may
	 * settle a trade, until the client is freed. The hook `settled` and the log say what was proven. It keeps no process alive. Default: never.
	 */
	settleAfterMs?: number;
	/**
	 * Whether each landed trade whose plan, or limit on the price, had a quote of the market is compared with it (`drift`), for the hook `drift` and
	 * the log. That happens once the trade is over, and takes four requests at most. Default: true, if the market has `drift`.
	 */
	checkDrift?: boolean;
}
/**
 * What a client asks of its market.
 *
 * @see {@link TradeClient.settle}
 */
export interface ClientMarket {
	/** The price of a plan with this body, whose slippage is in the unit of the client's service. */
	quoteBody(operation: Operation, body: string, slippageUnit: "percent" | "bps"): Promise<object>;
	/**
	 * How many decimals a token has. Before a sell in base units a client asks this instead of a price: they never change, so no trade is waited
	 * for. Without it `quoteBody` is asked.
	 */
	decimalsOf?(mint: string): Promise<number>;
	/** What the wallets of a trade hold, at a finalized slot. */
	before(intent: {
		body: string;
	}): Promise<WalletBalances[]>;
	/**
	 * How a trade ended, beside the other trades of the client; `null` if not all of those are known. Trades that are sent while the node is asked
	 * may have made what is found: once it has answered, `areAll` says whether those are still all. If not, no transaction proves anything, but the
	 * one that the service has named. Of a trade that it has answered (`trade.answered`), it is `unknown` until the chain shows it.
	 */
	settleTrade(trade: UnsettledTrade, others: readonly OtherTrade[] | null, areAll: () => boolean): Promise<SettledTrade>;
	/** Whether a transaction is final. */
	confirm(signature: string): Promise<Seen>;
	/** Called after each trade that was sent and may have a transaction: what was read before it decides nothing after it. */
	traded?(trade: {
		body: string;
	}, signature: string | null): void;
	/** A landed trade against the price of its plan. `client.drift` needs it. */
	drift?(plan: PricedPlan, signature: string): Promise<Drift>;
	/** What the transaction that the service has named for a trade has moved; `null` if it is not shown, or not yet. */
	moved?(trade: NamedTrade): Promise<Moved | null>;
	/** The position that a buy has opened, from what its client knows and what it has `moved`. `client.positionOf` needs it. */
	bought?(trade: BoughtTrade): Promise<BoughtPosition>;
}
/**
 * A trade whose transaction the service has named.
 *
 * @see {@link TradeClient.positionOf}
 */
export interface NamedTrade {
	/** What was asked for. */
	readonly operation: Operation;
	/** The exact body. */
	readonly body: string;
	/** When it was admitted, in milliseconds since 1970. */
	readonly startedAtMs: number;
	/** The finalized slot at which its wallets were read before it was sent, if they were. */
	readonly beforeSlot?: bigint | null;
	/** The signature of its transaction. */
	readonly signature: string;
}
/**
 * What a client and its journal know of the trade that may have opened a position.
 *
 * @see {@link TradeClient.positionOf}
 */
export interface BoughtTrade extends Partial<NamedTrade> {
	/** The trade's id. */
	readonly intentId: string;
	/** How far it is; `null` if only a journal could know. */
	readonly state: IntentState | null;
	/** How it ended, if that is remembered. */
	readonly outcome?: IntentOutcome;
	/** The wallet whose position it is; it may be left out if the trade bought for one wallet. */
	readonly wallet?: string;
}
/**
 * The position that a trade has opened, or what is missing for it.
 *
 * @see {@link TradeClient.positionOf}
 */
export type BoughtPosition = {
	/** The position: its amounts in base units and lamports. */
	readonly position: ExitPosition & {
		tokens: bigint;
		costLamports: bigint;
		rentLockedLamports: bigint;
	};
	readonly missing?: undefined;
} | {
	readonly position?: undefined;
	/** What is missing. */
	readonly missing: NoPosition;
	/** The same in words. */
	readonly message: string;
	/** Whether a moment later it may not be. */
	readonly mayPass: boolean;
};
/**
 * What a plan says of its trade and its price.
 *
 * @see {@link TradeClient.drift}
 */
export type PricedPlan = {
	/** The operation. */
	readonly operation: Operation;
	/** The exact body. */
	readonly body: string;
	/** The quote of a market. */
	readonly price: unknown;
};
/**
 * A trade of unknown outcome, as a journal and `client.pending()` have it.
 *
 * @see {@link TradeClient.pending}
 */
export type UnsettledTrade = Omit<TradeIntent, "before"> & {
	readonly before?: TradeIntent["before"] | null;
	/** What the service has said of it, and the signature that it named, of a trade that it has answered. */
	readonly answered?: {
		readonly outcome: IntentOutcome;
		readonly signature: string;
	};
};
/**
 * How a trade ended, and what moved.
 *
 * @see {@link TradeClient.settle}
 */
export interface SettledTrade extends Omit<Settled, "reconciled"> {
	/** What moved in each wallet, as `reconcile` says it: `receipt` and `attribution` of `launchpad-desk/launchpad` take it. */
	reconciled: Reconciled;
	/** What the service had said of it, if the chain shows the opposite: `landed`, and it failed or never landed, or `failed`, and it landed. */
	contradicts?: IntentOutcome;
}
/**
 * How requests are read and checked. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { validate, type CheckOptions } from "launchpad-desk";
 *
 * const dialect: CheckOptions = { slippageUnit: "bps", identifiers: "base58", maxBundleSize: 16, tokenDecimals: 9 };
 * const { errors } = validate("buy", { mint: "M", fromWallet: "W", amountInLamports: 1 }, dialect);
 * ```
 */
export interface CheckOptions {
	/** The service's unit of slippage. Default `percent`. */
	slippageUnit?: "percent" | "bps";
	/** `base58` checks that mints and wallet ids are 32 bytes in base58. Default `any`. */
	identifiers?: "any" | "base58";
	/** The most elements of a bundle. Default: no limit. */
	maxBundleSize?: number;
	/** The service's names for the two branded fields of its replies. */
	replyNames?: {
		explorer?: string;
		launchpad?: string;
	};
	/**
	 * Whether the service may spend more on a buy than `amountInLamports`: `slippage` if it buys a number of tokens for at most the amount and
	 * its slippage. Limits, plans and approvals then count that. Default `nothing`.
	 */
	buysMayExceed?: "nothing" | "slippage";
	/** What a status other than success means at this service, if it differs from docs/codes.md. */
	statusPolicy?: Record<number, "rejected" | "unknown">;
	/**
	 * Whether the service's word alone proves that a transaction failed. Default `false`: services also report failure when a confirmation
	 * took too long, so that only the chain's own error in the reply proves it, and everything else is `unproven_failure`.
	 */
	trustsFailure?: boolean;
	/**
	 * Fraction digits of a whole token, for amounts that name their unit. Default 6, at most 18. A client with a market compares them with the
	 * token's own before it sends an amount in base units.
	 */
	tokenDecimals?: number;
	/** The most bytes of a reply that are read. Default 1048576, at most 16777216. */
	maxReplyBytes?: number;
}
/**
 * Limits that are checked before money may move. The first that is exceeded refuses the trade.
 *
 * @example
 * ```ts
 * import { TradeClient, type GuardOptions } from "launchpad-desk";
 *
 * const limits: GuardOptions = {
 *   maxLamportsPerTrade: 1_000_000_000, // 1 SOL
 *   maxLamportsPerDay: 5_000_000_000n,
 *   maxSlippage: { percent: 5 },
 *   rateLimit: { perSecond: 2, burst: 4, maxQueueMs: 1_000 },
 * };
 * const client = new TradeClient({ baseURL: "https://service.example", ...limits });
 * ```
 */
export interface GuardOptions {
	/**
	 * The most lamports that one request may take, as `plan.counted` has it: by all its buys, with the rent of the accounts that they may open
	 * and the network's fees; of a sell, what it bids for priority, `ceil(priorityUnitLimit · priorityUnitPrice / 10⁶)`. Default: no limit.
	 */
	maxLamportsPerTrade?: number | bigint | string;
	/**
	 * The most lamports that the trades of one day (UTC) may take, counted so; trades of unknown outcome count, and so do the network's fees of
	 * one that failed. Sells count with their priority fees, and are never refused for it. Default: no limit.
	 */
	maxLamportsPerDay?: number | bigint | string;
	/** The widest slippage that any leg may have. Default: no limit. */
	maxSlippage?: SlippageInput;
	/**
	 * The largest price impact of a buy, in basis points; of a bundle, of all its buys together. Buys then need a price, which the
	 * client asks its market for, or which their plan has; one without a price is refused. Sells, exits among them, are not held up. Default: no limit.
	 */
	maxImpactBps?: number;
	/**
	 * The oldest price of a buy when it is sent, in milliseconds since it was read. Buys then need a price, as above; a plan's that
	 * does not say when it was read is as old as the plan. Default: no limit.
	 */
	maxPriceAgeMs?: number;
	/** The mints that may be traded. Default: all. */
	allowMints?: string[];
	/** The wallets that may trade and pay fees. Default: all. */
	allowWallets?: string[];
	/** How often trades may be sent. With `maxQueueMs` they wait for their turn; without it they are refused. */
	rateLimit?: {
		perSecond: number;
		burst?: number;
		maxQueueMs?: number;
	};
	/** The most trades of one wallet in flight at once. Default 1. */
	inFlightPerWallet?: number;
	/**
	 * How many unknown outcomes in a row stop all trades until `resume()`, or until each is acknowledged (default 3). With `stopsSells: false`
	 * they stop only buys: a position can still be left.
	 */
	breaker?: {
		unknowns?: number;
		stopsSells?: boolean;
	};
}
/**
 * An admitted trade: its entry in the journal, and what its body says.
 *
 * @see {@link TradeClient.pending}
 */
export interface IntentDetails extends TradeIntent {
	/** Mint address of the token. */
	mint: string;
	/** The wallets that trade, in order, then the fee payer; each one appears once. */
	wallets: string[];
	/** The most lamports that it may take, as limits count them. */
	lamports: bigint;
	/** What the service has said of it, and the signature that it named: of a trade that was only accepted. */
	answered?: {
		outcome: IntentOutcome;
		signature: string;
	};
}
/**
 * The state of the guards.
 *
 * @see {@link TradeClient.guards}
 */
export interface GuardState {
	/** Whether all trades, only sells, or no trades are allowed. */
	mode: GuardMode;
	/** Whether too many unknown outcomes in a row have stopped all trades; only buys with `breaker: { stopsSells: false }`. */
	breakerOpen: boolean;
	/** Unknown outcomes in a row. */
	unknownsInARow: number;
	/** Lamports spent or reserved today (UTC). */
	lamportsToday: bigint;
	/** The limit of `lamportsToday`; `null` without one. */
	maxLamportsPerDay: bigint | null;
	/** Trades that may be sent at once; `null` without a rate limit. */
	burstLeft: number | null;
	/** The trades in flight. */
	inFlight: IntentDetails[];
	/** The unresolved trades, the oldest first. */
	unresolved: IntentDetails[];
}
/**
 * Options that `withOptions` can change. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { TradeClient, type SendOptions } from "launchpad-desk";
 *
 * const rehearsal: SendOptions = { dryRun: true, logger: console, logLevel: "debug" };
 * const client = new TradeClient({ baseURL: "https://service.example" }).withOptions(rehearsal);
 * ```
 */
export interface SendOptions {
	/** Deadline over queue, send and body, in milliseconds. Default 30000, at most 2147483647. */
	timeoutMs?: number;
	/** The most bytes of a reply that are read. Default 1048576, at most 16777216. */
	maxReplyBytes?: number;
	/**
	 * How often a trade is tried again if its transport proves that it was not sent. Default 0, at most 10. No other failure is ever
	 * retried, and a runtime's own `fetch` proves nothing.
	 */
	retryNotSent?: number;
	/**
	 * How long a gateway (`gateway: true`) that has not confirmed the trade may be asked again, from the first send on, in
	 * milliseconds. Asking repeats the request: if the first one never arrived, the repeated one makes the trade, at the price of
	 * that moment. After this time the outcome is unknown. Default 5000, at most 2147483647; 0 never asks such a gateway again.
	 */
	askAgainWithinMs?: number;
	/** Checks everything and sends nothing: each trade ends as `not_sent`, with the code `dry_run`. */
	dryRun?: boolean;
	/**
	 * Headers of every request, besides the client's own. A `DeskRecord` of `launchpad-desk/record` keeps their values out of its lines, from 8
	 * characters on.
	 */
	defaultHeaders?: Record<string, string>;
	/** Called around each trade. */
	hooks?: Hooks;
	/** Gets a line for each step of a trade; `console` works. It never gets a key, a header or a body. */
	logger?: Logger;
	/** The lowest level that is logged. Default `info`. */
	logLevel?: "debug" | "info" | "warn" | "error";
}
/**
 * Options of one call. Unknown names are refused.
 *
 * @example
 * ```ts
 * import type { CallOptions } from "launchpad-desk";
 *
 * const options: CallOptions = { intentId: "signal-2041/entry", timeoutMs: 5_000, signal: AbortSignal.timeout(4_000) };
 * ```
 */
export interface CallOptions {
	/** Aborts the call: `not_sent` before it is sent, `unknown` after. */
	signal?: AbortSignal;
	/** Deadline over queue, send and body, in milliseconds. Default: the client's. */
	timeoutMs?: number;
	/** The trade's id: at most 128 visible ASCII characters. Default: a generated one. */
	intentId?: string;
	/** What the trading wallets hold now. It is kept with the trade, in the journal too, so that `reconcile` can use it if the
	 * outcome is unknown. If the hook `beforeSend` returns a `before`, that replaces it. A wallet that is not one of the trade, such
	 * as a misspelled one, is refused. */
	before?: WalletBalances[];
}
/**
 * What one wallet holds at one moment. Leave out what you did not read: never write zero for a failed reading, or for an account
 * that was not found where one was expected. At least one of the two amounts must be there.
 *
 * @example
 * ```ts
 * import { TradeClient, type WalletBalances } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [token, wallet] = [sandbox.tokens[0]!, sandbox.wallets[0]!];
 * const before: WalletBalances[] = [{ wallet: wallet.wallet, tokens: 0n, lamports: wallet.lamports }];
 * await client.buy({ mint: token.mint, fromWallet: wallet.wallet, amountInLamports: 50_000_000n }, { before });
 * ```
 */
export interface WalletBalances {
	/** Its id. */
	wallet: string;
	/** Its tokens of the trade's mint, in base units; 0 says that it has no token account, or an empty one. Missing in `before` or
	 * `now`, they prove nothing. A fee payer that does not trade needs none. */
	tokens?: number | bigint | string;
	/** Its lamports. If they are missing in `before` or `now` of a trading wallet or of the fee payer, a trade that did not land, a
	 * buy that landed and a sell of everything are at most `likely`. */
	lamports?: number | bigint | string;
	/** The finalized slot in which both were read, the same for all wallets: `client.settle` needs it. A market notes it. */
	slot?: number | bigint | string;
}
/**
 * A trade as journals and hooks get it: everything that is sent except the key.
 *
 * @example
 * ```ts
 * import type { TradeIntent } from "launchpad-desk";
 *
 * const intent: TradeIntent = {
 *   intentId: "signal-2041/entry",
 *   operation: "buy",
 *   body: '{"mint":"M","fromWallet":"W","amountInLamports":1000000000}',
 *   startedAtMs: Date.UTC(2026, 0, 1),
 * };
 * ```
 */
export interface TradeIntent {
	/** The trade's id. */
	intentId: string;
	/** What is asked for. */
	operation: Operation;
	/** The exact body. */
	body: string;
	/** When it was admitted or, if it then waited for over five seconds, sent, in milliseconds since 1970. It counts for the day (UTC) of this time. */
	startedAtMs: number;
	/** What its wallets held before it was sent, if the caller said so; amounts as decimal text. */
	before?: {
		wallet: string;
		tokens: string;
		lamports?: string;
		slot?: string;
	}[];
	/** Whether it went to a gateway, which may send it much later: once a person has approved it. Then only that it landed can be proven from outside. */
	throughGateway?: true;
	/** What limits have counted for it: every client says so. */
	counted?: Counted;
	/** The signature that its service named while its outcome stayed unknown: no other trade has it. A journal keeps it from the settlement. */
	namedSignature?: string;
}
/**
 * The most lamports that a trade may take, as limits count it: what its buys spend, the rent of accounts that they may open, and the
 * network's fees. As decimal text, which JSON keeps exactly.
 *
 * @see {@link Plan}
 */
export interface Counted {
	/** All of it. */
	readonly lamports: string;
	/** The part of it that a transaction pays even if it fails: for priority, and for its signatures. */
	readonly fees: string;
}
/**
 * How a trade ended.
 *
 * @see {@link Hooks}
 */
export interface Settlement {
	/** How it ended; for `acknowledge`, what was found. */
	outcome: IntentOutcome;
	/** The error's code; `null` for a trade. */
	code: Code | null;
	/** The HTTP status; `null` without an answer. */
	status: number | null;
	/** The signature of its transaction, if the service or the chain has told it. */
	signature: string | null;
	/** Whether the chain proves it, so that no other transaction was made for it. Otherwise the service or a person said so. */
	proven: boolean;
}
/**
 * A trade that was sent and has ended: it landed, was accepted, failed, or did not land. A journal keeps
 * the latest, so that their transactions are not taken for those of other trades.
 *
 * @see {@link Recalled}
 */
export interface EndedTrade extends TradeIntent {
	/** The finalized slot at which its wallets were read before it was sent, if they were. */
	readonly beforeSlot?: bigint;
	/** How it ended. */
	readonly outcome: IntentOutcome;
	/** The signature of its transaction, if it was reported. */
	readonly signature?: string;
	/** Whether the chain proves it. */
	readonly proven?: boolean;
}
/**
 * What stops trading, or what has changed about it. It survives a restart in a journal that keeps it.
 *
 * @example
 * ```ts
 * import type { Suspension } from "launchpad-desk";
 *
 * const halted: Suspension = { mode: "halted" };
 * const open: Suspension = { breakerOpen: true, unknownsInARow: 3 };
 * ```
 */
export interface Suspension {
	/** Which trades are allowed. */
	mode?: GuardMode;
	/** Whether the breaker is open. If it was closed, a person has checked: earlier trades no longer count as unknown. */
	breakerOpen?: boolean;
	/** How many outcomes in a row were unknown. Trades that end at the same moment may be recorded in any order: a journal keeps the highest
	 * count since the last 0. */
	unknownsInARow?: number;
}
/**
 * What a client restores from a journal before its first trade, all read at the same moment.
 *
 * @example
 * ```ts
 * import type { Recalled } from "launchpad-desk";
 *
 * // From a journal with one unresolved buy of 1 SOL, and another that landed today.
 * const recalled: Recalled = {
 *   pending: [{ intentId: "b", operation: "buy", body: '{"amountInLamports":1000000000}', startedAtMs: Date.now() }],
 *   landed: ["a"],
 *   lamports: 1_000_000_000n,
 * };
 * ```
 */
export interface Recalled {
	/** The unresolved trades: begun and never settled, or of unknown outcome. */
	pending: Iterable<TradeIntent>;
	/** The ids of trades that landed or were accepted: none of them is sent again. */
	landed: Iterable<string>;
	/** The lamports that buys among them have spent since `sinceMs`. They count towards the day's limit. */
	lamports: bigint;
	/** What stopped trading, with each trade that has no end counted as one more unknown outcome. Without a count, each unresolved
	 * trade counts as unknown. */
	suspension?: Suspension;
	/** The latest trades that have ended and may have a transaction, from a day before the oldest unresolved one on; by slots where `before` has them,
	 * because a clock may have been wrong. Without them, a
	 * transaction may be that of a trade of an earlier run: for a day, `settle` calls no trade landed or failed. */
	ended?: Iterable<EndedTrade>;
}
/**
 * Records what is about to be sent, so that nothing that may have moved money is forgotten.
 *
 * Some trades are settled as `not_sent` and begun again before they are sent: one that has waited past midnight (UTC), since it counts
 * for the new day, or for over five seconds, since its time is when it is sent; and one of whose wallets it was read what they hold.
 *
 * @example
 * ```ts
 * import { TradeClient, type Journal, type TradeIntent } from "launchpad-desk";
 *
 * const open = new Map<string, TradeIntent>(); // gone when the process ends: use `launchpad-desk/node`'s fileJournal
 * const journal: Journal = {
 *   begin: (intent) => {
 *     if (open.has(intent.intentId)) throw new Error("it may have been sent");
 *     open.set(intent.intentId, intent);
 *   },
 *   settle: ({ intentId }, { outcome }) => outcome !== "unknown" && open.delete(intentId),
 *   pending: () => open.values(),
 * };
 * const client = new TradeClient({ baseURL: "https://service.example", journal });
 * ```
 */
export interface Journal {
	/** Awaited before a trade is sent. If it throws, the trade is not sent. It must throw for an id that is unresolved or has landed,
	 * because another client of the same journal may have sent it. */
	begin(intent: TradeIntent): unknown;
	/** Awaited after a trade has ended. If it throws, the trade's outcome does not change. `suspension` is what the end has changed about what
	 * stops trading: a journal that keeps it adds it in the same write. */
	settle(intent: TradeIntent, settlement: Settlement, suspension: Suspension): unknown;
	/** Records what `halt`, `reduce` or `resume` has changed, for `recall`. If it throws or is missing, the caller gets an error, and
	 * the change holds only until a restart. */
	keepSuspension?(change: Suspension): unknown;
	/** The unresolved trades: begun and never settled, or of unknown outcome. Called once, before the first trade. */
	pending?(): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
	/** The trades that landed or were accepted and were admitted at `sinceMs` (a day ago) or later. All of them are needed: none is
	 * sent again, and today's count towards the day's limit. */
	landed?(sinceMs: number): Iterable<TradeIntent> | Promise<Iterable<TradeIntent>>;
	/** Replaces `pending` and `landed` in a journal that keeps sums. Called once, before the first trade. */
	recall?(sinceMs: number): Recalled | Promise<Recalled>;
	/** What another program has said of all trading since, such as `launchpad-desk halt`: its `mode`, as the same object until somebody says
	 * something else. Called right before each send, so it must not wait for anything. If it throws, trading is halted. */
	told?(): Suspension | undefined;
}
/**
 * Called around each trade.
 *
 * @example
 * ```ts
 * import type { Hooks } from "launchpad-desk";
 *
 * const hooks: Hooks = {
 *   beforeSend: async ({ intentId, operation }) => {
 *     console.log("sending", operation, intentId);
 *     return { before: [{ wallet: "W", tokens: 0n, lamports: 5_000_000_000n }] }; // as a node of the network says
 *   },
 *   afterSettle: ({ intentId }, { outcome, status }) => console.log(outcome, status, intentId),
 * };
 * ```
 */
export interface Hooks {
	/** Awaited right before a trade is sent, after its market was asked what the wallets hold. If it throws, the trade is not sent. It may
	 * return `{ before }`: what the trading wallets hold now. That is kept with the trade like the option `before`, and the journal has it
	 * before the trade is sent. If it cannot be used, the trade is not sent. */
	beforeSend?(intent: TradeIntent): unknown;
	/** Awaited after a trade has ended. If it throws, nothing changes. */
	afterSettle?(intent: TradeIntent, settlement: Settlement): unknown;
	/** Called with what a landed trade did, against its quote: by `client.drift`, or by itself (`checkDrift`). If it throws, nothing changes. */
	drift?(intentId: string, drift: Drift): unknown;
	/** Called with each trade that the market has settled: by `client.settle`, or by itself (`settleAfterMs`). Also with each answered trade
	 * whose end the chain shows otherwise: `contradicts` is what the service had said. If it throws, nothing changes. */
	settled?(intentId: string, settled: SettledTrade): unknown;
}
/**
 * Where log lines go.
 *
 * @example
 * ```ts
 * import { TradeClient, type Logger } from "launchpad-desk";
 *
 * const logger: Logger = {
 *   warn: (message, details) => console.log("WARN", message, details),
 *   error: (message, details) => console.log("ERROR", message, details),
 * };
 * const client = new TradeClient({ baseURL: "https://service.example", logger, logLevel: "warn" });
 * ```
 */
export interface Logger {
	/** Each step. */
	debug?(message: string, details: object): void;
	/** A trade that landed. */
	info?(message: string, details: object): void;
	/** A trade that was not made. */
	warn?(message: string, details: object): void;
	/** A trade of unknown outcome. */
	error?(message: string, details: object): void;
}
/**
 * What the wallets of an unresolved trade hold now, read at the commitment `finalized`, and what they held before it was sent.
 *
 * @see {@link reconcile}
 */
export interface Observed {
	/** What the wallets hold now: those that trade, and the fee payer. A wallet, or an amount of it, that is missing here or in
	 * `before` was not read. */
	now: WalletBalances[];
	/** What they held before the trade was sent. Default: the intent's own `before`. */
	before?: WalletBalances[];
	/** Fraction digits of a whole token. Default 6. */
	tokenDecimals?: number;
	/** Whether the transaction could still land when the balances were read again: false from about 90 seconds after the
	 * service built it. Default true: then unchanged balances prove nothing. */
	canStillLand?: boolean;
	/** Whether the wallets or the fee payer may have signed anything else between the two readings. Default true: then nothing is
	 * proven. */
	walletsShared?: boolean;
}
/**
 * A trade as it was sent: a result of `readCall` or `build`, or an intent.
 *
 * @see {@link readReply}
 */
export interface SentCall {
	/** What was asked for. */
	operation: Operation;
	/** The exact body. */
	body: string;
}
/**
 * Checks a request, as a form does at each keystroke. Every bad field is reported with its path, a code and a sentence. A bad
 * request does not throw.
 *
 * @throws {TradeNotSentError} for an unknown operation, or options that cannot be used.
 *
 * @example
 * ```js
 * import { validate } from "launchpad-desk";
 *
 * const { errors } = validate("buy", { mint: "M", fromWallet: "W", amountInLamports: 0.5 });
 * console.log(errors[0].message); // amountInLamports must be a whole number
 * ```
 */
export declare function validate(operation: Operation, request: unknown, options?: CheckOptions): CheckResult;
/**
 * Whether a request may be sent: whether `validate` finds no errors.
 *
 * @throws {TradeNotSentError} for an unknown operation, or options that cannot be used.
 *
 * @example
 * ```js
 * import { isValid } from "launchpad-desk";
 *
 * const requests = [{ mint: "M", fromWallet: "W", amountInLamports: 1_000_000_000 }, { mint: "M" }];
 * const sendable = requests.filter((request) => isValid("buy", request)); // the first one
 * ```
 */
export declare function isValid<O extends Operation>(operation: O, request: unknown, options?: CheckOptions): request is RequestOf[O];
/**
 * The operation that is served at a path such as `/v1/trade/buy`; `undefined` for other paths.
 *
 * @example
 * ```js
 * import { operationAt } from "launchpad-desk";
 *
 * operationAt("/v1/trade/bundle/buy"); // "bundleBuy"
 * ```
 */
export declare function operationAt(path: string): Operation | undefined;
/**
 * Reads the JSON body of a request without loss, checks it, and writes it again with exactly the interface's fields. A gateway
 * forwards the result.
 *
 * @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
 *
 * @example
 * ```js
 * import { readCall } from "launchpad-desk";
 *
 * const { path, body } = readCall("buy", '{"mint":"M","fromWallet":"W","amountInLamports":"1000000000"}');
 * console.log(path); // /v1/trade/buy
 * ```
 */
export declare function readCall(operation: Operation, body: string, options?: CheckOptions): BuiltCall;
/**
 * Reads a service's reply, with its body as text or bytes. Returns the trade if it landed, or if the reply does not say whether it
 * did. Pass the call that was sent, not only its operation, to check also that the reply is about the same mint and wallet.
 *
 * @throws {TradeRejectedError} {TradeFailedError} {TradeOutcomeUnknownError} as a client does.
 *
 * @example
 * ```js
 * import { readCall, readReply } from "launchpad-desk";
 *
 * const call = readCall("buy", '{"mint":"M","fromWallet":"W","amountInLamports":1000000000}');
 * const reply = '{"result":{"mint":"M","wallet":"W","buyAmount":"34.5","transactionResult":{"success":true}}}';
 * const trade = readReply(call, 200, reply);
 * console.log(trade.status, trade.operation); // landed buy
 * ```
 */
export declare function readReply(sent: SentCall | Operation, status: number, body: string | Uint8Array, options?: CheckOptions): Trade;
/**
 * Removes a key from a text, however the key is spelled: plain, escaped as in JSON, percent-encoded, as HTML entities, and
 * any mix of these up to three levels deep. A key of 8 characters or more is also found in hexadecimal, and in base64 or base64url
 * wherever it stands in what was encoded, as in `Basic base64(user:key)`; not if white space or other signs divide them. A gateway
 * does this to a reply before anything else reads it. Without a key, or if the text does not contain it, the text is returned
 * unchanged.
 *
 * @throws {TradeNotSentError} `invalid_request`, if the text or the key is not text.
 *
 * @example
 * ```js
 * import { redact } from "launchpad-desk";
 *
 * redact('{"message":"bad key \\u0073ecre%74"}', "secret"); // {"message":"bad key [redacted]"}
 * ```
 */
export declare function redact(text: string, key: string | null | undefined): string;
/**
 * What balances prove about a trade whose outcome is unknown, for `acknowledge`. The intent comes from `pending()` or from a
 * journal. That it did not land is proven only by the tokens and the lamports of every wallet that trades, and the lamports of the
 * fee payer; a trade that might have changed nothing (a percentage that rounds to zero base units) is never disproven.
 *
 * @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`.
 *
 * @example
 * ```js
 * import { readCall, reconcile } from "launchpad-desk";
 *
 * const call = readCall("sell", '{"mint":"M","fromWallet":"W","amountInToken":5}');
 * const { certainty, found } = reconcile(call, {
 *   before: [{ wallet: "W", tokens: 20_000_000n }], // base units
 *   now: [{ wallet: "W", tokens: 15_000_000n }],
 *   walletsShared: false,
 * });
 * console.log(certainty, found); // proven landed
 * ```
 */
export declare function reconcile(intent: Pick<TradeIntent, "operation" | "body" | "before">, observed: Observed): Reconciled;
/** The kind of trade that each operation makes, as {@link TradeClient.send} resolves to it. */
export interface TradeOf {
	buy: BuyTrade;
	sell: SellTrade;
	sellByPercentage: SellTrade;
	bundleBuy: BundleTrade;
	bundleSell: BundleTrade;
	bundleSellByPercentage: BundleTrade;
}
/** The same data with each bigint as decimal text, so that JSON keeps it exactly: the price of a {@link Plan}. */
export type TextFigures<T> = T extends bigint ? string : T extends object ? {
	readonly [K in keyof T]: TextFigures<T[K]>;
} : T;
/** Why the guards would have refused a {@link Plan} when it was made. */
export interface PlanRefusal {
	/** The stable code. */
	readonly code: Code;
	/** A sentence for a person. */
	readonly message: string;
	/** Every field at fault. */
	readonly fields: readonly FieldError[];
	/** For `over_rate_limit`: when it would be this trade's turn, in milliseconds. */
	readonly retryAfterMs: number | null;
}
/**
 * A trade that was checked, priced and judged by the guards, but not sent. It is plain frozen data, which survives
 * `JSON.stringify`, `structuredClone`, a database or a message. `client.send` sends exactly its bytes, once.
 *
 * @example
 * ```ts
 * import { TradeClient, type Plan } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0]!.mint, fromWallet: sandbox.wallets[0]!.wallet, amountInLamports: 50_000_000 };
 * const plan: Plan<"buy"> = await client.plan("buy", request);
 * console.log(plan.price?.legs[0]?.tokenAmount, "whole tokens for", plan.price?.legs[0]?.walletLamports, "lamports");
 * ```
 */
export interface Plan<O extends Operation = Operation, Q = TradeQuote> {
	/** The trade's id. */
	readonly intentId: string;
	/** What is asked for. */
	readonly operation: O;
	/** Whether it is for a sandbox, where no money moves. */
	readonly simulated: boolean;
	/** Where it goes. */
	readonly url: string;
	/** The exact JSON body. */
	readonly body: string;
	/** The unit of the slippage in the body. */
	readonly slippageUnit: "percent" | "bps";
	/** What the trading wallets held when it was made, if the caller said so; amounts as decimal text. */
	readonly before: NonNullable<TradeIntent["before"]> | null;
	/** When it was made, in milliseconds since 1970. */
	readonly createdAtMs: number;
	/** When it expires, in milliseconds since 1970. After that it is not sent. */
	readonly expiresAtMs: number;
	/** Warnings about its request. */
	readonly warnings: readonly Warning[];
	/** Why the guards would have refused it when it was made; `null` if they would have allowed it. `send` asks them again. */
	readonly refused: PlanRefusal | null;
	/** What it would do in the known market, in lamports and base units as decimal text; `null` if no market is known. This is a
	 * forecast: the service makes its own quote. */
	readonly price: TextFigures<Q> | null;
	/** The most lamports that it may take, as limits count them. */
	readonly counted: Counted;
	/** By how many decimals an amount in base units was counted; only of a sell that has one. */
	readonly tokenDecimals?: number;
	/** Detects accidental changes to any other field. It is not a signature: anyone who can write a plan can also write a request. */
	readonly checksum: string;
}
/**
 * Options of a plan. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { TradeClient, type PlanOptions } from "launchpad-desk";
 * import { Curve, type CurveQuote } from "launchpad-desk/launchpad";
 *
 * const client = new TradeClient({ baseURL: "https://service.example" });
 * const curve = new Curve(); // of the token, as it stands
 * const options: PlanOptions<"buy", CurveQuote> = {
 *   validForMs: 30_000,
 *   price: (_operation, { amountInLamports }) => curve.quoteBuyExactIn(amountInLamports),
 * };
 * const plan = await client.plan("buy", { mint: "M", fromWallet: "W", amountInLamports: 50_000_000 }, options);
 * console.log(plan.price?.tokenAmount, "whole tokens");
 * ```
 */
export interface PlanOptions<O extends Operation = Operation, Q = TradeQuote> {
	/** The trade's id: at most 128 visible ASCII characters. Default: a generated one. */
	intentId?: string;
	/** What the trading wallets hold now, as for a call. If the plan may wait, return it from the hook `beforeSend` instead, because
	 * other trades of these wallets would look like this one. */
	before?: WalletBalances[];
	/** How long the plan may be sent, in milliseconds. Default 60000, at most 86400000. */
	validForMs?: number;
	/**
	 * What the request would do in a market that you know: a quote from a `Curve` or a `Sandbox` of `launchpad-desk/launchpad`, or
	 * other plain data. The plan shows it and does not check it. Default: the quote of the sandbox that the client trades in. Other
	 * clients make plans without a price.
	 */
	price?: (operation: O, request: RequestOf[O]) => Q | Promise<Q>;
}
/**
 * The promise of a trade, with access to its response.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const { trade, response } = await client.buy(request).withResponse();
 * console.log(trade.status, response.status); // landed 200
 * ```
 */
export interface TradePromise<T> extends Promise<T> {
	/** Resolves to the trade, and the response as `fetch` returned it, with its body read. */
	withResponse(): Promise<{
		trade: T;
		response: FetchReply;
	}>;
}
/**
 * A form's data, as from `Object.fromEntries(new FormData(form))`: text under names that are known only at run time.
 *
 * @example
 * ```ts
 * import type { FormRecord } from "launchpad-desk";
 *
 * const typed: FormRecord = Object.fromEntries(new FormData());
 * ```
 */
export type FormRecord = {
	readonly [field: string]: string | object;
};
/**
 * A record whose names the compiler does not know. If it knows them, the request is checked against its own type instead.
 *
 * @see {@link FormRecord}
 */
export type FormOnly<F extends FormRecord> = string extends keyof F ? F : never;
/**
 * A method for each operation: a client that lacks one does not compile.
 *
 * @see {@link TradeClient}
 */
export type TradeMethods = {
	[O in Operation]: (request: RequestOf[O], options?: CallOptions) => TradePromise<TradeOf[O]>;
};
/**
 * What carries out exits: `Exits` of `launchpad-desk/launchpad`.
 *
 * @see {@link TradeClient.manage}
 */
export interface ManagesExits<Market, Options, Managed> {
	/** Carries out the exits of a position. */
	manage(client: TradeClient, position: ExitPosition, market: Market, options?: Options): Managed;
}
/**
 * Sends trades, and says for each whether money may have moved.
 *
 * Always say where it trades: at a `baseURL`, or in a sandbox, with no key, no network and no money.
 *
 * A call resolves if the trade landed (`status: "landed"`) or the reply does not say so (`"unconfirmed"`). Otherwise it rejects
 * with `TradeNotSentError`, `TradeRejectedError`, `TradeFailedError` or `TradeOutcomeUnknownError`. The client sends nothing
 * twice. A runtime's own `fetch` may do so; the default on Node, a transport over `node:http`, does not.
 *
 * Methods can be used on their own: `const { buy } = client`.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox(); // in place of the service
 * const client = new TradeClient({ fetch: sandbox.fetch }); // for the service: { baseURL: "https://…", apiKey }
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 }); // 1 SOL
 * console.log(trade.status, trade.exact.buyAmount);
 * ```
 */
export declare class TradeClient implements TradeMethods {
	#private;
	/**
	 * Makes a client.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example", maxLamportsPerTrade: 1_000_000_000 });
	 * ```
	 */
	constructor(options: ClientOptions);
	/**
	 * Buys what a form asks for. Every field may be text.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const form = new FormData(); // a page has `new FormData(element)`
	 * form.set("mint", sandbox.tokens[0].mint);
	 * form.set("fromWallet", sandbox.wallets[0].wallet);
	 * form.set("amountInLamports", "1000000000");
	 * const trade = await client.buy(Object.fromEntries(form));
	 * ```
	 */
	buy<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<BuyTrade>;
	/**
	 * Buys a token with one wallet. Declared last, because compilers report errors for the last overload.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 50_000_000n, slippage: { percent: 1 } });
	 * console.log(trade.exact.buyAmount); // 1763352.433103
	 * ```
	 */
	buy(request: BuyRequest, options?: CallOptions): TradePromise<BuyTrade>;
	/** Sells the amount that a form asks for. Every field may be text. */
	sell<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
	/**
	 * Sells an amount of a token from one wallet.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const token = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet };
	 * const { exact } = await client.buy({ ...token, amountInLamports: 50_000_000 });
	 * if (exact.buyAmount) await client.sell({ ...token, amountInToken: { tokens: exact.buyAmount } }); // whole tokens
	 * ```
	 */
	sell(request: SellRequest, options?: CallOptions): TradePromise<SellTrade>;
	/** Sells the percentage that a form asks for. Every field may be text. */
	sellByPercentage<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
	/**
	 * Sells a percentage of one wallet's holdings of a token.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const token = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet };
	 * await client.buy({ ...token, amountInLamports: 50_000_000 });
	 * const sold = await client.sellByPercentage({ ...token, percentage: 100 });
	 * console.log(sold.result.tokenAccountClosed); // true
	 * ```
	 */
	sellByPercentage(request: SellByPercentageRequest, options?: CallOptions): TradePromise<SellTrade>;
	/**
	 * Buys a token with several wallets in one transaction.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const buys = sandbox.wallets.map(({ wallet }) => ({ fromWallet: wallet, amountInLamports: 50_000_000 }));
	 * const trade = await client.bundleBuy({ mint: sandbox.tokens[0].mint, feePayer: buys[0].fromWallet, buys });
	 * ```
	 */
	bundleBuy(request: BundleBuyRequest, options?: CallOptions): TradePromise<BundleTrade>;
	/**
	 * Sells amounts of a token from several wallets in one transaction.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * await client.buy({ mint, fromWallet: wallet, amountInLamports: 50_000_000 });
	 * await client.bundleSell({ mint, feePayer: wallet, sells: [{ fromWallet: wallet, amountInToken: 1_000 }] });
	 * ```
	 */
	bundleSell(request: BundleSellRequest, options?: CallOptions): TradePromise<BundleTrade>;
	/**
	 * Sells percentages of several wallets' holdings of a token in one transaction.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * await client.buy({ mint, fromWallet: wallet, amountInLamports: 50_000_000 });
	 * await client.bundleSellByPercentage({ mint, feePayer: wallet, sells: [{ fromWallet: wallet, percentage: 50 }] });
	 * ```
	 */
	bundleSellByPercentage(request: BundleSellByPercentageRequest, options?: CallOptions): TradePromise<BundleTrade>;
	/**
	 * Checks a request and turns it into a plan: its exact bytes, the guards' verdict, its price if a market is known, an id and
	 * an expiry. Nothing is sent and nothing is reserved.
	 *
	 * @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`; `journal_failed`. The
	 * guards' verdict does not throw: it is in the plan, as `refused`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, maxLamportsPerDay: 1_000_000_000 });
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * const plan = await client.plan("buy", { mint, fromWallet: wallet, amountInLamports: 2_000_000_000 });
	 * console.log(plan.refused?.code, plan.price?.legs[0]?.tokenAmount); // over_day_limit …
	 * ```
	 */
	plan<O extends Operation, Q = TradeQuote>(operation: O, request: RequestOf[O], options?: PlanOptions<O, Q>): Promise<Plan<O, Q>>;
	/**
	 * Sends exactly the bytes of a plan, once. It resolves and rejects as the operation itself does. If a plan was not sent, it may
	 * be sent again until it expires.
	 *
	 * @throws {TradeNotSentError} `plan_expired`; `plan_used`, if it was sent before or its intent is known, in the journal too (where
	 * it may have landed, the message says so: settle it with `pending`, `reconcile` and `acknowledge` before you make a new plan);
	 * `plan_altered`, if it has changed since it was made; `plan_for_another_service`, if it was made for another base URL, or for a
	 * sandbox while this client has none; or the guards' current verdict.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * const kept = JSON.stringify(await client.plan("buy", { mint, fromWallet: wallet, amountInLamports: 50_000_000 }));
	 * const trade = await client.send(JSON.parse(kept)); // once somebody has approved it
	 * console.log(trade.status); // landed
	 * ```
	 */
	send<O extends Operation>(plan: Plan<O, unknown>, options?: Pick<CallOptions, "signal" | "timeoutMs">): TradePromise<TradeOf[O]>;
	/**
	 * Waits until a gateway (`gateway: true`) has decided about an intent, such as one that ended as `awaiting_approval`. It reads the
	 * gateway's record again and again, as often as `retryAfterMs` says, and never sends a trade. It resolves to the recorded trade or
	 * rejects with the recorded error; then the trade is no longer unresolved here, unless its outcome is unknown.
	 *
	 * @param options - `timeoutMs`: how long to wait, 1200000 (20 minutes) by default, somewhat longer than a gateway waits for an
	 *   approval by default; `signal` ends the wait.
	 * @throws {TradeOutcomeUnknownError} `timeout` or `aborted`, and what the gateway said last; `intent_not_found`; or the recorded one.
	 *
	 * @example
	 * ```js
	 * import { TradeClient, isTradeError } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://gateway.example", gateway: true, apiKey: "token-of-this-caller" });
	 * async function bought() {
	 *   try {
	 *     return await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 5_000_000_000 }, { intentId: "signal-1" });
	 *   } catch (error) {
	 *     if (!isTradeError(error) || error.code !== "awaiting_approval") throw error;
	 *     return await client.waitFor("signal-1");
	 *   }
	 * }
	 * ```
	 */
	waitFor(intentId: string, options?: Pick<CallOptions, "signal" | "timeoutMs">): TradePromise<Trade>;
	/**
	 * Checks a request and writes its exact bytes. Nothing is sent.
	 *
	 * @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * const { url, body } = client.build("buy", { mint: "M", fromWallet: "W", amountInLamports: 1_000_000_000 });
	 * console.log(url); // https://service.example/v1/trade/buy
	 * ```
	 */
	build<O extends Operation>(operation: O, request: RequestOf[O]): BuiltCall;
	/**
	 * The same client with other sending options. Guards and journal are shared: a limit holds for both.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * const patient = client.withOptions({ timeoutMs: 120_000 });
	 * ```
	 */
	withOptions(options: SendOptions): TradeClient;
	/**
	 * Opens a connection ahead of the first trade, so that the trade need not wait for DNS, TCP and TLS. It sends an OPTIONS request
	 * (in a page, a HEAD) for the base URL, without the key. Meanwhile a made-up trade runs from its check to its result within this
	 * process, so that the first real one finds all code loaded and compiled. It is not sent, logged, counted or recorded. Resolves to
	 * whether a connection was opened; never rejects.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.invalid" });
	 * console.log(await client.warm()); // false: nobody is there
	 * ```
	 */
	warm(): Promise<boolean>;
	/**
	 * Stops all trades, including those that are queued: each trade not yet sent ends as `not_sent`, with the code `halted`. It takes
	 * effect at once. The promise resolves when the journal has it: then it survives a restart. `client.guards` shows what a journal
	 * has from before once that was read, which the first trade and `pending()` do.
	 *
	 * @throws {TradeNotSentError} `journal_failed`: it is halted, but a restart would undo that.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * await client.halt();
	 * console.log(client.guards.mode); // halted
	 * ```
	 */
	halt(): Promise<void>;
	/**
	 * Allows only sells: a buy ends as `not_sent`, with the code `reducing`. It takes effect and is recorded like `halt`.
	 *
	 * @throws {TradeNotSentError} `journal_failed`: a restart would undo it.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * await client.reduce();
	 * console.log(client.guards.mode); // reducing
	 * ```
	 */
	reduce(): Promise<void>;
	/**
	 * Allows all trades again, and closes the breaker. Unresolved intents stay unresolved. It takes effect and is recorded like `halt`.
	 *
	 * @throws {TradeNotSentError} `journal_failed`: a restart would undo it.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * await client.halt();
	 * await client.resume();
	 * console.log(client.guards.mode); // active
	 * ```
	 */
	resume(): Promise<void>;
	/**
	 * The current state of the guards: which trades are allowed, what was spent today, what is in flight or unresolved. In JSON the
	 * lamports are text, with all digits.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example", maxLamportsPerDay: 5_000_000_000 });
	 * const { lamportsToday, maxLamportsPerDay } = client.guards;
	 * console.log(lamportsToday, maxLamportsPerDay); // 0n 5000000000n
	 * ```
	 */
	get guards(): GuardState;
	/**
	 * Records how a trade of unknown outcome ended. After `landed` its id is used up. After `did_not_land` its lamports no longer
	 * count towards the limit, and it may be sent again. Resolves to whether it was unresolved. The journal gets it first.
	 *
	 * @throws {TradeNotSentError} `invalid_request` for any other value of `found`, `journal_failed` if the journal threw.
	 *
	 * @example
	 * ```js
	 * import { TradeClient, reconcile } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * const before = [{ wallet: "wallet-1", tokens: 5_000_000n, lamports: 3_000_000_000n }]; // read before the trade
	 * const now = [{ wallet: "wallet-1", tokens: 2_000_000n, lamports: 3_100_000_000n }]; // read two minutes later
	 * for (const intent of await client.pending()) {
	 *   const { found } = reconcile(intent, { before, now, canStillLand: false, walletsShared: false });
	 *   if (found) await client.acknowledge(intent.intentId, found); // only what is proven
	 * }
	 * ```
	 */
	acknowledge(intentId: string, found: Found): Promise<boolean>;
	/**
	 * Lists all unresolved trades, including those that the journal has from an earlier run. None of them is sent again
	 * before it is acknowledged.
	 *
	 * With a market also those that the service only accepted, with a signature (`answered`), until the chain has shown or denied them. They hold
	 * up nothing, their `intentState` is `ended`, and only `settle` ends them otherwise. Of over 1,000 answered trades that wait for the chain the
	 * oldest are not among them, which the log says once.
	 *
	 * @throws {TradeNotSentError} `journal_failed`, if the journal threw.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * console.log(await client.pending()); // []
	 * ```
	 */
	pending(): Promise<IntentDetails[]>;
	/**
	 * How far the intent with this id is: `in_flight`, `in_doubt` if it is unresolved, `ended` if it landed or was accepted, and
	 * `not_recorded` if it may be sent. Without a journal it is `null` for an intent that this client has not seen.
	 *
	 * @throws {TradeNotSentError} `journal_failed`, if the journal threw.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { memoryJournal } from "launchpad-desk/journal";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example", journal: memoryJournal() });
	 * console.log(await client.intentState("signal-1")); // not_recorded
	 * ```
	 */
	intentState(intentId: string): Promise<IntentState | null>;
	/**
	 * How the trade with this id ended, with its signature if one was reported: also one that an earlier run has sent, if the journal has it.
	 * `null` if it has not ended, has no transaction (it was refused, or not sent), or is not remembered: the latest 10,000 are.
	 *
	 * @throws {TradeNotSentError} `journal_failed`, if the journal threw.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const [{ mint }] = sandbox.tokens;
	 * await client.buy({ mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
	 * console.log((await client.endedTrade("signal-1"))?.outcome); // landed
	 * ```
	 */
	endedTrade(intentId: string): Promise<EndedTrade | null>;
	/**
	 * The position that the buy with this id has opened, ready for `manage`, after a restart too: what was bought, by the journal, and what it
	 * brought and cost, by its transaction. The option `market` reads that, at its own commitment: a `Market`, or a `Sandbox`. A buy in doubt
	 * is settled first. `tokens` are base units, `costLamports` counts every fee, and the token account's rent is apart. What was sold since is
	 * still in it: `manage` asks the journal for its own exits. Each wallet of a bundle has a position of its own.
	 *
	 * @param options - `wallet`: of a bundle for several wallets. `withinMs`: how long to wait until the market shows the transaction, 15000
	 *   by default; `signal` ends the wait.
	 * @throws {PositionError} whose `code` names what is missing; {TradeNotSentError} `journal_failed`; and what the market throws.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
	 * const [{ mint }] = sandbox.tokens;
	 * await client.buy({ mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
	 * const { tokens, costLamports, rentLockedLamports } = await client.positionOf("signal-1");
	 * console.log(tokens, costLamports, rentLockedLamports); // 34199203120618n 1000005000n 1488440n
	 * ```
	 */
	positionOf(intentId: string, options?: {
		wallet?: string;
		withinMs?: number;
		signal?: AbortSignal;
	}): Promise<NonNullable<BoughtPosition["position"]>>;
	/**
	 * Leaves a position by an exit plan: looks at the market, sells what the plan orders, each rung once, and finds out what became of it.
	 * Iterate the result, or call its `tick`. Exits are sells, so the limits on what buys spend do not hold them up, nor does `reduce`;
	 * a halt does.
	 *
	 * @param exits - `Exits` of `launchpad-desk/launchpad`.
	 * @param market - where it sees its price: a `Sandbox`, a `Market`, or any object that has `look`.
	 * @throws {TradeNotSentError} `invalid_options`, with every bad field of the position or of the kept state in `fields`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
	 * const [{ mint }] = sandbox.tokens;
	 * const [{ wallet }] = sandbox.wallets;
	 * await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
	 *
	 * const position = await client.positionOf("signal-1");
	 * const exits = new Exits({ takeProfit: [{ at: "2x", sell: "50%" }], stopLoss: "0.99x", slippage: { percent: 5 } });
	 * for await (const { what, order } of client.manage(position, exits, sandbox)) console.log(what, order?.reason); // landed stop_loss
	 * ```
	 */
	manage<Market, Options, Managed>(position: ExitPosition, exits: ManagesExits<Market, Options, Managed>, market: Market, options?: Options): Managed;
	/**
	 * By how many decimals it counts a token: the option `tokenDecimals`. Exits of a token with others are not ordered.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * console.log(new TradeClient({ baseURL: "https://service.example" }).tokenDecimals); // 6
	 * ```
	 */
	get tokenDecimals(): number;
	/**
	 * Whether it has the option `market`, which `settle`, `confirm` and `drift` ask.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * console.log(new TradeClient({ baseURL: "https://service.example" }).hasMarket); // false
	 * ```
	 */
	get hasMarket(): boolean;
	/**
	 * Finds out how the unresolved trades ended, by the option `market`: their wallets' finalized balances and slot before, and
	 * every transaction since. What is proven is recorded as `acknowledge` does, and what moved is in `reconciled`, for receipts
	 * and positions. Without proof a trade stays unresolved: its `outcome` is still `unknown`, and `reason` says why. Of a trade that went to a
	 * gateway only that it landed is proven; the gateway itself proves the rest.
	 *
	 * What the service has said of the other trades is looked up, too, by their signatures. One whose end the chain shows otherwise is corrected
	 * and is in the answer, with what the service had said in `contradicts`. Once `endedTrade` of a trade is `proven`, the chain agrees.
	 *
	 * @param options - `withinMs`: for how long to ask again while waiting can still settle or show a trade; by default it asks once.
	 *   `everyMs`: how often, 2000 by default. `signal` ends the wait.
	 * @throws {TypeError} without a market; {TradeNotSentError} `journal_failed`; and what the market throws.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example", walletsShared: false, serviceHoldsMs: 30_000 });
	 * const client = new TradeClient({ baseURL: "https://service.example", market });
	 * for (const { intentId, outcome, reason } of await client.settle({ withinMs: 120_000 })) console.log(intentId, outcome, reason);
	 * ```
	 */
	settle(options?: {
		withinMs?: number;
		everyMs?: number;
		signal?: AbortSignal;
	}): Promise<(SettledTrade & {
		intentId: string;
	})[]>;
	/**
	 * Checks a service's "success" on the chain, by the option `market`: `finalized`, `failed`, or `not_seen`, which may still change.
	 *
	 * @throws {TypeError} without a market; and what the market throws.
	 *
	 * @example
	 * ```ts
	 * import { type Trade, TradeClient } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example", market: new Market({ rpc: "https://rpc.example" }) });
	 * const isFinal = async (trade: Trade) => (await client.confirm(trade)) === "finalized";
	 * ```
	 */
	confirm(trade: Trade): Promise<Seen>;
	/**
	 * Compares a landed trade with the price of its plan, by the option `market`: what each wallet paid and got, against the quote, and
	 * which rule moved in between (`causes`). What is not `explained` means that the rules in use are no longer the launchpad's. The hook
	 * `drift` and the log get it, too. With one of them, the client does this by itself for each trade that was quoted (`checkDrift`).
	 *
	 * @param signature - of the trade: `trade.result.signature`, or that of what `settle` found.
	 * @throws {TypeError} without a market; {TradeNotSentError} `invalid_options`, if the plan was not priced by it; and what the market
	 * throws.
	 *
	 * @example
	 * ```ts
	 * import { type Plan, TradeClient } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example", market: new Market({ rpc: "https://rpc.example" }) });
	 * async function sent(plan: Plan) {
	 *   const { result } = await client.send(plan);
	 *   return result.signature && client.drift(plan, result.signature);
	 * }
	 * ```
	 */
	drift(plan: Plan<Operation, unknown>, signature: string): Promise<Drift>;
	/**
	 * Frees the client's memory now; calls in flight continue, and it settles no more trades by itself (`settleAfterMs`). Without this, the
	 * runtime frees it at some later time.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 *
	 * const client = new TradeClient({ baseURL: "https://service.example" });
	 * client.free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * Why a trade did not land, or is not known to have landed. `outcome` answers the first question: may my money have moved?
 *
 * @example
 * ```js
 * import { TradeClient, TradeError } from "launchpad-desk";
 *
 * const client = new TradeClient({ baseURL: "https://service.example", maxLamportsPerTrade: 1_000_000_000 });
 * try {
 *   await client.buy({ mint: "M", fromWallet: "W", amountInLamports: 2_000_000_000 });
 * } catch (error) {
 *   if (!(error instanceof TradeError)) throw error;
 *   console.log(error.outcome, error.code); // not_sent over_trade_limit
 * }
 * ```
 */
export declare class TradeError extends Error {
	/** May my money have moved? */
	readonly outcome: Outcome;
	/** The stable code. */
	readonly code: Code;
	/**
	 * `true`: it comes from a sandbox, so no money moved. `false`: it is about a service, so treat it as real; a service that simulates
	 * can say so only in an answer. Absent if no service is known, as in errors of `readCall` and errors about invalid options.
	 */
	readonly simulated?: boolean;
	/** The path of the first bad field, for `invalid_request` and `invalid_options`. */
	readonly field?: string;
	/** Every bad field, for `invalid_request` and `invalid_options`. */
	readonly fields?: FieldError[];
	/** The HTTP status, if there was an answer. */
	readonly status?: number;
	/** What the service said, on one line of at most 300 characters. */
	readonly serviceMessage?: string;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/** The signature of the transaction that a reply of unknown meaning is about, if it names one: look for it before anything else. */
	readonly signature?: string;
	/** The start of a reply that cannot be trusted, for investigation. Not enumerable, and not in `toJSON()`. */
	readonly evidence?: string;
	/** Warnings about the request, if there are any. */
	readonly warnings?: Warning[];
	/** The trade's id; absent if its request or its options could not be used. */
	readonly intentId?: string;
	/** Only the package makes these errors. */
	protected constructor(described: object);
	/**
	 * Always false: whether to send again is for a person or a reconciliation to decide.
	 *
	 * @example
	 * ```js
	 * import { TradeError, readReply } from "launchpad-desk";
	 *
	 * try {
	 *   readReply("buy", 503, "");
	 * } catch (error) {
	 *   if (error instanceof TradeError) console.log(error.retryable); // false
	 * }
	 * ```
	 */
	get retryable(): false;
	/**
	 * The error as plain data that is safe to log: no key, no header, no raw reply. `readError` turns it back into an error.
	 *
	 * @example
	 * ```js
	 * import { isTradeError, readReply } from "launchpad-desk";
	 *
	 * try {
	 *   readReply("buy", 503, "");
	 * } catch (error) {
	 *   if (isTradeError(error)) console.log(JSON.stringify(error)); // {"name":"TradeOutcomeUnknownError" …
	 * }
	 * ```
	 */
	toJSON(): object;
}
/**
 * The position of a buy is not known: `code` says what is missing.
 *
 * @example
 * ```js
 * import { PositionError, TradeClient } from "launchpad-desk";
 *
 * const client = new TradeClient({ baseURL: "https://service.example" });
 * try {
 *   await client.positionOf("signal-1");
 * } catch (error) {
 *   if (error instanceof PositionError) console.log(error.code, error.intentId); // no_market signal-1
 * }
 * ```
 */
export declare class PositionError extends Error {
	/** What is missing. */
	readonly code: NoPosition;
	/** The id of the buy. */
	readonly intentId: string;
	/** Only the package makes these errors. */
	protected constructor(intentId: string, code: NoPosition, why: string);
}
/**
 * Nothing left this machine.
 *
 * @example
 * ```js
 * import { TradeNotSentError, readCall } from "launchpad-desk";
 *
 * try {
 *   readCall("buy", '{"mint":"M"}');
 * } catch (error) {
 *   if (error instanceof TradeNotSentError) console.log(error.fields?.map(({ field }) => field)); // [ "fromWallet", "amountInLamports" ]
 * }
 * ```
 */
export declare class TradeNotSentError extends TradeError {
	readonly outcome: "not_sent";
}
/**
 * The service refused the trade; it was not made.
 *
 * @example
 * ```js
 * import { TradeRejectedError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 400, '{"message":"trading is closed"}');
 * } catch (error) {
 *   if (error instanceof TradeRejectedError) console.log(error.serviceMessage); // trading is closed
 * }
 * ```
 */
export declare class TradeRejectedError extends TradeError {
	readonly outcome: "rejected";
}
/**
 * The transaction ran and failed: nothing moved but the network fee.
 *
 * @example
 * ```js
 * import { TradeFailedError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 200, '{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}');
 * } catch (error) {
 *   if (error instanceof TradeFailedError) console.log(error.trade.status); // failed
 * }
 * ```
 */
export declare class TradeFailedError extends TradeError {
	readonly outcome: "failed";
	/** What the reply says. Not enumerable; in `toJSON()` without `raw`. */
	readonly trade: Trade;
	/**
	 * The same, with the trade; without its raw reply, and without fields that the error itself has.
	 *
	 * @example
	 * ```js
	 * import { TradeFailedError, readReply } from "launchpad-desk";
	 *
	 * try {
	 *   readReply("buy", 200, '{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}');
	 * } catch (error) {
	 *   if (error instanceof TradeFailedError) console.log(error.toJSON().trade.exact.results); // "custom program error: 0x1772"
	 * }
	 * ```
	 */
	toJSON(): object & {
		trade: Omit<Trade, "raw" | "warnings" | "intentId" | "simulated">;
	};
}
/**
 * The trade may have been made. Never send it again: settle it, by `client.settle` or `reconcile`.
 *
 * @example
 * ```js
 * import { TradeOutcomeUnknownError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 503, "");
 * } catch (error) {
 *   if (error instanceof TradeOutcomeUnknownError) console.log(error.code); // service_error
 * }
 * ```
 */
export declare class TradeOutcomeUnknownError extends TradeError {
	readonly outcome: "unknown";
}
/**
 * Any error that a trade may end with.
 *
 * @see {@link isTradeError}
 */
export type AnyTradeError = TradeNotSentError | TradeRejectedError | TradeFailedError | TradeOutcomeUnknownError;
/**
 * Whether a value is one of these errors, from this or another copy of the package, and from any realm.
 *
 * @example
 * ```js
 * import { isTradeError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 503, "");
 * } catch (error) {
 *   if (!isTradeError(error)) throw error;
 *   if (error.outcome === "unknown") console.log(error.code); // service_error
 * }
 * ```
 */
export declare function isTradeError(value: unknown): value is AnyTradeError;
/**
 * Whether a value is a `TradeNotSentError`; works like `isTradeError`.
 *
 * @example
 * ```js
 * import { TradeClient, isTradeNotSentError } from "launchpad-desk";
 *
 * const client = new TradeClient({ baseURL: "https://service.example" });
 * client.halt();
 * const request = { mint: "M", fromWallet: "W", amountInLamports: 1_000_000_000 };
 * await client.buy(request).catch((error) => console.log(isTradeNotSentError(error))); // true
 * ```
 */
export declare function isTradeNotSentError(value: unknown): value is TradeNotSentError;
/**
 * Whether a value is a `TradeRejectedError`; works like `isTradeError`.
 *
 * @example
 * ```js
 * import { isTradeRejectedError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 401, "");
 * } catch (error) {
 *   if (isTradeRejectedError(error)) console.log(error.code); // unauthorized
 * }
 * ```
 */
export declare function isTradeRejectedError(value: unknown): value is TradeRejectedError;
/**
 * Whether a value is a `TradeFailedError`; works like `isTradeError`.
 *
 * @example
 * ```js
 * import { isTradeFailedError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 200, '{"result":{"transactionResult":{"success":false,"results":"custom program error: 0x1772"}}}');
 * } catch (error) {
 *   if (isTradeFailedError(error)) console.log(error.trade.status); // failed
 * }
 * ```
 */
export declare function isTradeFailedError(value: unknown): value is TradeFailedError;
/**
 * Whether a value is a `TradeOutcomeUnknownError`; works like `isTradeError`.
 *
 * @example
 * ```js
 * import { isTradeOutcomeUnknownError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 200, "<html>");
 * } catch (error) {
 *   if (isTradeOutcomeUnknownError(error)) console.log(error.code); // unreadable_reply
 * }
 * ```
 */
export declare function isTradeOutcomeUnknownError(value: unknown): value is TradeOutcomeUnknownError;
/**
 * Reads an error that crossed JSON or `postMessage`, from the result of its `toJSON()`. The error gets back its class, outcome,
 * code, intent id, status and fields; a failed one also its trade, without `raw`.
 *
 * Send `error.toJSON()`, not the error: `postMessage` keeps only the message of an error.
 *
 * @throws {TypeError} for anything that is not such an error, complete and consistent. This is not a `TradeError`, so that it
 * cannot be mistaken for an outcome: the trade's outcome is then unknown.
 *
 * @example
 * ```js
 * import { TradeOutcomeUnknownError, readError, readReply } from "launchpad-desk";
 *
 * try {
 *   readReply("buy", 503, "");
 * } catch (error) {
 *   const again = readError(JSON.parse(JSON.stringify(error)));
 *   console.log(again instanceof TradeOutcomeUnknownError, again.code); // true service_error
 * }
 * ```
 */
export declare function readError(data: unknown): AnyTradeError;
/**
 * What to show a person for a trade, or for anything that was caught: title, status, whether it was simulated, facts, links.
 *
 * An error from elsewhere is shown as an unknown outcome. A trade or an error that crossed JSON or `postMessage` looks the same as
 * before.
 *
 * @example
 * ```js
 * import { TradeClient, view } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const { title, lines } = view(await client.buy(request).catch((error) => error));
 * console.log(title, lines[0]); // Buy landed (simulated) { label: "Bought", value: "1763352.433103" }
 * ```
 */
export declare function view(tradeOrError: unknown): View;
/**
 * A trade or an error as plain text, one fact per line.
 *
 * @example
 * ```js
 * import { renderText } from "launchpad-desk";
 *
 * console.log(renderText(new Error("socket closed"))); // Outcome unknown: the trade may have been made …
 * ```
 */
export declare function renderText(tradeOrError: unknown): string;
/**
 * A trade or an error as an HTML fragment with all foreign text escaped: a `section` with the classes `trade trade-<status>`,
 * and `trade-simulated` for a sandbox's, which has a heading, a list of facts, and only links that are http or https.
 *
 * @example
 * ```js
 * import { renderHtml } from "launchpad-desk";
 *
 * const html = renderHtml(new Error("<b>socket closed</b>"));
 * console.log(html.includes("&lt;b&gt;")); // true
 * ```
 */
export declare function renderHtml(tradeOrError: unknown): string;
/**
 * Converts whole tokens to base units, exactly.
 *
 * A number is read as the decimal that JS prints for it. A bigint is refused: it counts base units already.
 *
 * @param tokens - whole tokens
 * @param decimals - fraction digits of a whole token; default 6
 * @throws {TradeNotSentError} `invalid_options`, for an amount finer than a base unit, below zero, or over 64 bits.
 *
 * @example
 * ```js
 * import { toBaseUnits } from "launchpad-desk";
 *
 * toBaseUnits("16.99"); // 16990000n
 * toBaseUnits("16.99", 2); // 1699n
 * ```
 */
export declare function toBaseUnits(tokens: string | number, decimals?: number): bigint;
/**
 * Converts base units to whole tokens, as exact text.
 *
 * Takes negative amounts as well, such as a quote's `netTokens`; a number must be a safe integer.
 *
 * @param baseUnits - base units of a token
 * @param decimals - fraction digits of a whole token; default 6
 * @throws {TradeNotSentError} `invalid_options`, for anything but a whole number of at most 127 bits.
 *
 * @example
 * ```js
 * import { fromBaseUnits } from "launchpad-desk";
 *
 * fromBaseUnits(16990000n); // "16.99"
 * ```
 */
export declare function fromBaseUnits(baseUnits: bigint | number | string, decimals?: number): string;
/**
 * Converts SOL to lamports, exactly.
 *
 * A number is read as the decimal that JS prints for it. A bigint is refused: it counts lamports already.
 *
 * @throws {TradeNotSentError} `invalid_options`, for an amount finer than a lamport, below zero, or over 64 bits.
 *
 * @example
 * ```js
 * import { solToLamports } from "launchpad-desk";
 *
 * solToLamports("1.5"); // 1500000000n
 * ```
 */
export declare function solToLamports(sol: string | number): bigint;
/**
 * Converts lamports to SOL, as exact text.
 *
 * Takes negative amounts as well, such as a quote's `netLamports`; a number must be a safe integer.
 *
 * @throws {TradeNotSentError} `invalid_options`, for anything but a whole number of at most 127 bits.
 *
 * @example
 * ```js
 * import { lamportsToSol } from "launchpad-desk";
 *
 * lamportsToSol(1500000000n); // "1.5"
 * ```
 */
export declare function lamportsToSol(lamports: bigint | number | string): string;

