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
 * What a buy past the end of the curve does.
 *
 * @see {@link Curve.complete}
 */
export type Completion =
/** It is refused. */
"reject"
/** It buys the remainder. */
 | "partial"
/** It is filled from the future pool, which cannot be priced yet: it is refused by that name. */
 | "pool";
/**
 * What goes wrong with one request.
 *
 * @see {@link Sandbox.setFaults}
 */
export type FaultKind =
/** Nothing but the delays. */
"none"
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
 * How the rivals around a token behave. Append-only.
 *
 * @see {@link Sandbox.advance}
 */
export type Character =
/** Hardly anyone notices the launch. */
"unnoticed"
/** Insiders buy together with the launch, and leave one by one. */
 | "bundled"
/** Insiders buy together with the launch, and leave at once, mostly within minutes. */
 | "rug"
/** Many buy, and fewer and fewer come: it dies slowly. */
 | "fading"
/** The price multiplies, and falls again. */
 | "runner"
/** Buyers keep coming until the curve is complete. */
 | "breakout";
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
 * What a line of a desk's record says, in its `act`. Append-only. A gateway's audit log has other acts, too, without `data`.
 *
 * @see {@link verifyRecord}
 */
export type RecordAct =
/** A client begins to work with the record: its settings, without a key. */
"start"
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
/**
 * What a record says about the price at which a trade landed. Append-only.
 *
 * @see {@link verifyRecord}
 */
export type RecordPrice =
/** Exactly the one that the rules give in the market of its plan. */
"exact"
/** Another one, within the bound of its plan: the market had moved. */
 | "within"
/** One beyond the bound of its plan. */
 | "past"
/** Neither plan, answer nor evidence says it. */
 | "unknown";
/**
 * What is wrong with a line of a record. Append-only.
 *
 * @see {@link verifyRecord}
 */
export type RecordProblemCode =
/** It is not a line of a record. */
"unreadable"
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
 * A launchpad's rules. Tokens in base units.
 *
 * @see {@link defaultLaunchpad}
 */
export interface LaunchpadConfig {
	/** The date these numbers were read, `YYYY-MM-DD`. */
	asOf?: string;
	/** The fee tiers by market cap, at least one. Default: one, 95 and 30 bps. */
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
	/** Lamports of rent for each byte of an account. Default: 5080. */
	rentLamportsPerByte?: number | bigint | string;
	/** Bytes of a token account's data. Default: 165; an account of a token of the newer token program has 170. */
	tokenAccountBytes?: number | bigint | string;
	/** Bytes of the account in which the launchpad counts what a wallet trades. Default: 137. */
	volumeAccountBytes?: number | bigint | string;
	/** What the network charges for a signature. Default: 5000. */
	lamportsPerSignature?: number | bigint | string;
	/** Priority units paid for each trade if a request sets no limit. Default: 200000. */
	defaultUnitsPerTrade?: number | bigint | string;
	/**
	 * Blocks for which a transaction may use a blockhash, at least 150. Until they are over, a trade of unknown outcome may still
	 * land. Default: 150.
	 */
	blockhashBlocks?: number;
}
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
	/** Whether only a person said how it ended. */
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
	/** The launchpad's rules. */
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
/**
 * What a wallet of a sandbox holds of a token at the start.
 *
 * @see {@link quote}
 */
export interface SandboxHoldingConfig {
	/** The token's mint address. */
	mint: string;
	/** Base units held; 0 for an account that is open and empty. */
	tokens: number | bigint | string;
	/** Lamports the account itself holds. Default: the launchpad's rent. */
	lamports?: number | bigint | string;
	/** Whether the account is frozen: it can neither sell nor buy, so such a trade fails. Default: false. */
	isFrozen?: boolean;
}
/**
 * How many requests are answered in a window of time.
 *
 * @see {@link Sandbox}
 */
export interface RateLimit {
	/** Requests, at least one. */
	requests: number;
	/** The window's length in milliseconds. Default: 1000. */
	perMs?: number;
}
/**
 * The rival traders of a sandbox.
 *
 * @see {@link Sandbox.advance}
 */
export interface MarketConfig {
	/** The seed of their trades: the same seed gives the same trades. Default: 1. */
	seed?: number | bigint | string;
	/** Their trades of a token before each request for it is quoted, at most 10000. Default: 0. */
	tradesBetween?: number;
	/** Their trades between a request's quote and its execution: what slippage is for. At most 10000. Default: 0. */
	tradesInFlight?: number;
	/**
	 * The most lamports one of them spends. Default: 1000000000; if the market is alive 25000000000, and a typical trade then
	 * spends a hundredth of it.
	 */
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
	/** What a buy spends, fees included. A buy without it buys exactly `tokens`. */
	lamports?: number | bigint | string | null;
	/** Base units that a sell sells. */
	tokens?: number | bigint | string | null;
	/** Whose trade it is. A replay does not ask. */
	wallet?: string | null;
}
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
 * Where the lines of a record go: `fileRecord` of `launchpad-desk/node`, or your own.
 *
 * @example
 * ```ts
 * import { DeskRecord, type RecordStore } from "launchpad-desk/record";
 *
 * let [log, last] = ["", ""];
 * const store: RecordStore = {
 *   head: async () => last,
 *   append: async (lines, head) => void ([log, last] = [log + lines, head]),
 * };
 * const record = new DeskRecord(store);
 * ```
 */
export interface RecordStore {
	/** The head that was appended last; empty for a new record. */
	head(): Promise<string>;
	/** Appends lines, with their line ends, and then keeps the new head in place of the old one. Called again once it has resolved. */
	append(lines: string, head: string): Promise<void>;
}
/** The parts of a plan that a {@link DeskRecord} needs. */
export type AnyPlan = {
	readonly intentId: string;
	readonly operation: Operation;
	readonly body: string;
	readonly checksum: string;
};
/** The parts of a sandbox that a {@link DeskRecord} needs. */
export interface AnySandbox {
	readonly fetch: unknown;
	readonly tokens: readonly {
		mint: string;
		symbol: string;
		name: string;
		hasCreator: boolean;
		supply: bigint;
		complete: boolean;
		virtualTokenReserves: bigint;
		virtualSolReserves: bigint;
		realTokenReserves: bigint;
		realSolReserves: bigint;
		creatorBps?: number;
	}[];
	readonly wallets: readonly {
		wallet: string;
		lamports: bigint;
		tokenAccounts: readonly {
			mint: string;
			tokens: bigint;
			lamports: bigint;
		}[];
	}[];
}
/**
 * Writes the record of a desk: one line of JSON for each plan, approval, begin, send, answer, end, receipt and piece of evidence, each with the
 * hash of the line before it. The key is never in it, however a service may echo it; neither is the value of
 * `authorization`, or that of another header in `defaultHeaders`, from 8 characters on. See docs/record.md.
 *
 * A trade is sent only once its `send` line is kept: if that fails, it is `not_sent`. What comes after the send never changes its outcome; if it cannot
 * be kept, nothing more is sent.
 *
 * @example
 * ```ts
 * import { TradeClient } from "launchpad-desk";
 * import { memoryJournal } from "launchpad-desk/journal";
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { DeskRecord, type RecordStore, verifyRecord } from "launchpad-desk/record";
 *
 * let [log, last] = ["", ""]; // on Node, Bun and Deno: fileRecord("desk.log") of launchpad-desk/node
 * const store: RecordStore = { head: async () => last, append: async (lines, head) => void ([log, last] = [log + lines, head]) };
 * const record = new DeskRecord(store);
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 50_000_000 };
 * const plan = await client.plan("buy", request);
 * await record.plan(plan, sandbox);
 * await client.send(plan);
 * await record.written();
 *
 * const { verified, trades } = await verifyRecord(log, { head: last });
 * console.log(verified, trades); // true 1
 * ```
 */
export declare class DeskRecord {
	#private;
	/**
	 * A record that goes on where its store ends.
	 *
	 * @param options - `by`: who writes, in each line, by default `desk`. `onError` gets why a line after a send could not be kept.
	 *
	 * @example
	 * ```js
	 * import { fileRecord } from "launchpad-desk/node";
	 * import { DeskRecord } from "launchpad-desk/record";
	 *
	 * const record = new DeskRecord(fileRecord("desk.log"), { by: "bot-1" });
	 * ```
	 */
	constructor(store: RecordStore, { by, onError }?: {
		by?: string;
		onError?: (error: unknown) => void;
	});
	/**
	 * The options of a client whose trades are recorded: the same, with its `fetch`, `journal` and `market` watched. On Node, name the `fetch`:
	 * `nodeFetch()` of `launchpad-desk/node` is what a client uses there by itself.
	 *
	 * @throws {TypeError} without a journal, or on Node without a `fetch`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { fileJournal, fileRecord, nodeFetch } from "launchpad-desk/node";
	 * import { DeskRecord } from "launchpad-desk/record";
	 *
	 * const record = new DeskRecord(fileRecord("desk.log"));
	 * const options = { baseURL: "https://service.example", fetch: nodeFetch(), journal: fileJournal("trades.journal") };
	 * const client = new TradeClient(record.around(options));
	 * ```
	 */
	around<T extends ClientOptions>(options: T): T;
	/**
	 * Records a plan: where it was made, and before it is sent by another program. With the market that its price is of, `verifyRecord` can
	 * prove that price.
	 *
	 * @param market - the sandbox, or `look.sandbox` of a look of `launchpad-desk/chain`. It is kept only if it gives exactly the plan's price.
	 *
	 * @example
	 * ```ts
	 * import type { Plan } from "launchpad-desk";
	 * import type { DeskRecord } from "launchpad-desk/record";
	 *
	 * const noted = (record: DeskRecord, plan: Plan) => record.plan(plan);
	 * ```
	 */
	plan(plan: AnyPlan, market?: AnySandbox | object): Promise<void>;
	/**
	 * Records that a plan waits for a person: from now on `verifyRecord` expects an approval before it is sent.
	 *
	 * @example
	 * ```ts
	 * import type { Plan } from "launchpad-desk";
	 * import type { DeskRecord } from "launchpad-desk/record";
	 *
	 * const asked = (record: DeskRecord, plan: Plan) => record.ask(plan);
	 * ```
	 */
	ask({ intentId, checksum }: AnyPlan): Promise<void>;
	/**
	 * Records that a person approved exactly this plan.
	 *
	 * @example
	 * ```ts
	 * import type { Plan } from "launchpad-desk";
	 * import type { DeskRecord } from "launchpad-desk/record";
	 *
	 * const approved = (record: DeskRecord, plan: Plan) => record.approve(plan, "ann");
	 * ```
	 */
	approve({ intentId, checksum }: AnyPlan, by: string): Promise<void>;
	/**
	 * Records what was found about a trade of unknown outcome. If it is acknowledged so after that, its end counts as proven.
	 * A client whose market is watched does so by itself.
	 *
	 * @example
	 * ```ts
	 * import type { DeskRecord } from "launchpad-desk/record";
	 *
	 * const found = (record: DeskRecord) => record.evidence("signal-1", { outcome: "did_not_land" });
	 * ```
	 */
	evidence(intentId: string, found: {
		readonly outcome: IntentOutcome;
		readonly signature?: string | null;
		readonly reconciled?: object;
	}): Promise<void>;
	/**
	 * Records the order of an exit, such as an `ExitOrder` of `launchpad-desk/launchpad`.
	 *
	 * @example
	 * ```ts
	 * import type { ExitOrder } from "launchpad-desk/launchpad";
	 * import type { DeskRecord } from "launchpad-desk/record";
	 *
	 * const left = (record: DeskRecord, order: ExitOrder) => record.exit(order.intentId, order.reason, order);
	 * ```
	 */
	exit(intentId: string, reason: string, order: object): Promise<void>;
	/**
	 * Resolves once everything so far is kept.
	 *
	 * @throws why a line could not be kept.
	 *
	 * @example
	 * ```ts
	 * import type { DeskRecord } from "launchpad-desk/record";
	 *
	 * const flushed = (record: DeskRecord) => record.written();
	 * ```
	 */
	written(): Promise<void>;
}
/**
 * What {@link verifyRecord} found.
 *
 * @see {@link verifyRecord}
 */
export interface RecordVerdict {
	/** Whether every line is as it was written, and every trade as it says. */
	verified: boolean;
	/** How many lines were read. */
	lines: number;
	/** How many trades were begun. */
	trades: number;
	/** How many problems there are. */
	problemCount: number;
	/** The first 1,000 of them. */
	problems: RecordProblem[];
	/** The number and the hash of the last line; `null` without any. Keep them in another place, to pass them as `head` later. */
	head: {
		number: number;
		hash: string;
	} | null;
}
/**
 * How a record is verified.
 *
 * @example
 * ```ts
 * import type { VerifyOptions } from "launchpad-desk/record";
 *
 * const options: VerifyOptions = { onTrade: ({ intentId, outcome, price }) => console.log(intentId, outcome, price) };
 * ```
 */
export interface VerifyOptions {
	/** The head: its text, or what an earlier verdict had. Without it, missing lines at the end are not found. */
	head?: string | {
		number: number;
		hash: string;
	} | null;
	/** Gets each trade once the record ends it, or at the end. */
	onTrade?: (trade: RecordCheck) => void;
	/** Gets each problem, however many there are. */
	onProblem?: (problem: RecordProblem) => void;
}
/** A record for {@link verifyRecord}: its text or bytes, or pieces of them in order, such as a stream. */
export type RecordSource = string | Uint8Array | Blob | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> | ReadableStream<Uint8Array>;
/**
 * Verifies a record, offline and in flat memory: that no line was changed, moved or removed, and of each trade that it was sent as planned and
 * approved, sent once, answered as the record says, and that it landed at the price that the rules give, or within its bound. The exact
 * core runs over it again.
 *
 * Who holds both record and head can write both anew. A head in a second place shows that.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the head is none.
 *
 * @example
 * ```js
 * import { verifyRecord } from "launchpad-desk/record";
 *
 * const line = '{"number":0,"atMs":1,"by":"desk","act":"start","intent":"","detail":"","data":{},"previous":""}\n';
 * const { verified, problems } = await verifyRecord(line.replace("desk", "disk"), { head: { number: 0, hash: "ab" } });
 * console.log(verified, problems[0].message); // false line 1 was changed
 * ```
 */
export declare function verifyRecord(record: RecordSource, { head, onTrade, onProblem }?: VerifyOptions): Promise<RecordVerdict>;
/**
 * What a record says about a trade, in a line for a person.
 *
 * @example
 * ```js
 * import { checkText } from "launchpad-desk/record";
 *
 * const said = { line: 1, planned: true, approved: false, sent: true, proven: false, acknowledged: false, signature: null, problems: 0 };
 * console.log(checkText({ ...said, intentId: "a", operation: "buy", outcome: "landed", price: "exact" })); // a: buy landed, at exactly the price of the rules
 * ```
 */
export declare function checkText({ intentId, operation, sent, outcome, proven, acknowledged, approved, price, problems }: RecordCheck): string;
/**
 * A tape of a record's trades.
 *
 * @see {@link recordTape}
 */
export interface TapeOfRecord {
	/** The trades that landed, by the time of their answers in milliseconds since 1970: one for each wallet. */
	tape: RecordedTrade[];
	/** How many landed, but are not on it: of a sold percentage only a plan with a price says how much it was. */
	leftOut: number;
}
/**
 * The trades of a record that landed, as a tape: for `backtest` of `launchpad-desk/launchpad`, or for a sandbox's market to replay. There is
 * nobody else's trade on it. It does not verify them; {@link verifyRecord} does.
 *
 * @example
 * ```js
 * import { recordTape } from "launchpad-desk/record";
 *
 * const line = '{"number":0,"atMs":1,"by":"desk","act":"start","intent":"","detail":"","data":{},"previous":""}\n';
 * console.log(await recordTape(line)); // { tape: [], leftOut: 0 }
 * ```
 */
export declare function recordTape(record: RecordSource): Promise<TapeOfRecord>;
/**
 * The settings of a sandbox that begins where a record's plans were made: each token and each wallet that they name, as it was when the last of
 * those plans was made. Only plans in a sandbox, or with a look at the chain, say so. It verifies nothing.
 *
 * @param options - `at`: the intent id of a trade, to begin where that was planned.
 *
 * @throws {TypeError} if no plan in the record says anything about its market.
 *
 * @example
 * ```ts
 * import { Sandbox } from "launchpad-desk/launchpad";
 * import { type RecordSource, recordSandbox } from "launchpad-desk/record";
 *
 * const again = async (record: RecordSource) => new Sandbox(await recordSandbox(record, { at: "signal-1" }));
 * ```
 */
export declare function recordSandbox(record: RecordSource, { at }?: {
	at?: string;
}): Promise<SandboxConfig>;

