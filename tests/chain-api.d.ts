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
 * The accounts that are read.
 *
 * @see {@link AccountError}
 */
export type AccountKind =
/** A token's bonding curve. */
"curve"
/** The launchpad's settings. */
 | "global"
/** The launchpad's fee rates. */
 | "fee_config"
/** A token. */
 | "mint"
/** What a wallet holds of a token. */
 | "token_account";
/**
 * Why an account is not read. Append-only.
 *
 * @see {@link AccountError}
 */
export type AccountRefusalCode =
/** It does not exist, or it has no lamports and so is closed. */
"missing"
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
 | "encoding";
/**
 * Why a market gives no answer. Append-only.
 *
 * @see {@link MarketError}
 */
export type MarketErrorCode =
/** The source gave no reply. */
"unreachable"
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
/**
 * How sure a node is of what it says.
 *
 * @see {@link MarketOptions}
 */
export type Commitment =
/** Its newest block, which a fork may take back. */
"processed"
/** A block that most of the network has voted for. */
 | "confirmed"
/** A block that no fork can take back. */
 | "finalized";
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
interface Global$1 {
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
	/** Lamports that the account holds. The wallet gets all of them when it closes. */
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
/**
 * What a look found of a wallet.
 *
 * @see {@link Market.look}
 */
export interface WalletLook {
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
 * An account as a node returns it, and the address that it was asked for. A node returns `null` for one that does not exist.
 *
 * @example
 * ```ts
 * import { curveAddress, readCurve } from "launchpad-desk/chain";
 *
 * async function curveOf(mint: string, rpc: string) {
 *   const address = curveAddress(mint);
 *   const params = [address, { encoding: "base64", commitment: "confirmed" }];
 *   const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params });
 *   const reply = await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body });
 *   const { value } = (await reply.json()).result;
 *   return readCurve(mint, value && { address, ...value });
 * }
 * ```
 */
export interface ChainAccount {
	/** Where it is: the address that the node was asked for. */
	address: string;
	/** The program that owns it, in base58. */
	owner: string;
	/** The lamports that it holds. */
	lamports: number | bigint | string;
	/** Its bytes; or their base64, alone or as nodes return it. */
	data: Uint8Array | string | readonly [
		data: string,
		encoding: string
	];
}
/**
 * Reads the bonding curve of a token.
 *
 * @param account - the account at `curveAddress(mint)`.
 * @throws {AccountError} if it is not the curve of this token, or one that is not traded for SOL.
 *
 * @example
 * ```js
 * import { AccountError, readCurve } from "launchpad-desk/chain";
 *
 * try {
 *   readCurve("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null);
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // curve missing
 * }
 * ```
 */
export declare function readCurve(mint: string, account: ChainAccount | null): ChainCurve;
/**
 * Reads the fee tiers of tokens that are traded for SOL. There may be none: then the launchpad refuses every trade.
 *
 * @param account - the account at `FEE_CONFIG`.
 * @throws {AccountError} if it is not the fee configuration.
 *
 * @example
 * ```js
 * import { FEE_CONFIG, FEE_PROGRAM, readFeeTiers } from "launchpad-desk/chain";
 *
 * const data = new Uint8Array(2512); // of one tier, from a market cap of 0 on
 * data.set([0x8f, 0x34, 0x92, 0xbb, 0xdb, 0x7b, 0x4c, 0x9b]);
 * data.set([1], 65);
 * data.set([95], 93);
 * data.set([30], 101);
 * const [tier] = readFeeTiers({ address: FEE_CONFIG, owner: FEE_PROGRAM, lamports: 1, data });
 * console.log(tier.protocolBps, tier.creatorBps); // 95 30
 * ```
 */
export declare function readFeeTiers(account: ChainAccount | null): FeeTierConfig[];
/**
 * Reads the launchpad's settings.
 *
 * @param account - the account at `GLOBAL`.
 * @throws {AccountError} if it is not that account.
 *
 * @example
 * ```js
 * import { AccountError, readGlobal } from "launchpad-desk/chain";
 *
 * try {
 *   readGlobal(null);
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.code); // missing
 * }
 * ```
 */
export declare function readGlobal(account: ChainAccount | null): Global$1;
/**
 * Reads a token: its supply, and the program that it belongs to.
 *
 * @param account - the account at `mint`.
 * @throws {AccountError} if it is not a mint.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM, readMint } from "launchpad-desk/chain";
 *
 * const address = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
 * const data = new Uint8Array(82);
 * data.set([6, 1], 44); // six decimals, and set up
 * console.log(readMint(address, { address, owner: TOKEN_PROGRAM, lamports: 1, data }).decimals); // 6
 * ```
 */
export declare function readMint(mint: string, account: ChainAccount | null): Mint;
/**
 * Reads what a wallet holds in a token account; `null` if there is none: then it holds nothing in it.
 *
 * @param address - where the token account is: see `tokenAccountAddress`.
 * @throws {AccountError} if it is not a token account.
 *
 * @example
 * ```js
 * import { readHolding } from "launchpad-desk/chain";
 *
 * console.log(readHolding("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null)); // null
 * ```
 */
export declare function readHolding(address: string, account: ChainAccount | null): Holding | null;
/**
 * The launchpad's program, which owns curves and the global settings.
 *
 * @example
 * ```js
 * import { LAUNCHPAD_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(LAUNCHPAD_PROGRAM); // 6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P
 * ```
 */
export declare const LAUNCHPAD_PROGRAM = "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P";
/**
 * The program that owns the fee configuration.
 *
 * @example
 * ```js
 * import { FEE_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(FEE_PROGRAM); // pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ
 * ```
 */
export declare const FEE_PROGRAM = "pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ";
/**
 * The first token program.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(TOKEN_PROGRAM); // TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
 * ```
 */
export declare const TOKEN_PROGRAM = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
/**
 * The newer token program, whose accounts may have extensions.
 *
 * @example
 * ```js
 * import { TOKEN_2022_PROGRAM } from "launchpad-desk/chain";
 *
 * console.log(TOKEN_2022_PROGRAM); // TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb
 * ```
 */
export declare const TOKEN_2022_PROGRAM = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
/**
 * Where the launchpad's settings are.
 *
 * @example
 * ```js
 * import { GLOBAL } from "launchpad-desk/chain";
 *
 * console.log(GLOBAL); // 4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf
 * ```
 */
export declare const GLOBAL = "4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf";
/**
 * Where the fee rates are.
 *
 * @example
 * ```js
 * import { FEE_CONFIG } from "launchpad-desk/chain";
 *
 * console.log(FEE_CONFIG); // 8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt
 * ```
 */
export declare const FEE_CONFIG = "8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt";
/**
 * Where the bonding curve of a token is. It takes some microseconds: keep it.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the mint is not an address.
 *
 * @example
 * ```js
 * import { curveAddress } from "launchpad-desk/chain";
 *
 * console.log(curveAddress("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs")); // EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM
 * ```
 */
export declare function curveAddress(mint: string): string;
/**
 * Where a wallet usually holds a token. It may have other accounts of it.
 *
 * @param tokenProgram - the program that owns the mint: `readMint` says which.
 * @throws {TradeNotSentError} `invalid_options`, if one of them is not an address.
 *
 * @example
 * ```js
 * import { TOKEN_PROGRAM, tokenAccountAddress } from "launchpad-desk/chain";
 *
 * const mint = "5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs";
 * const wallet = "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM";
 * console.log(tokenAccountAddress(wallet, TOKEN_PROGRAM, mint).length > 30); // true
 * ```
 */
export declare function tokenAccountAddress(wallet: string, tokenProgram: string, mint: string): string;
/**
 * Where the launchpad counts what a wallet trades. The wallet's first buy opens this account, at its own cost.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the wallet is not an address.
 *
 * @example
 * ```js
 * import { volumeAccountAddress } from "launchpad-desk/chain";
 *
 * console.log(volumeAccountAddress("EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM").length > 30); // true
 * ```
 */
export declare function volumeAccountAddress(wallet: string): string;
/**
 * Many curves, by columns: row by row as the accounts were given.
 *
 * @see {@link readCurves}
 */
export interface CurveColumns {
	/** Why an account is refused; `null` where it was read. The other columns then have zeros. */
	refusals: (AccountRefusalCode | null)[];
	/** Virtual tokens, which set the price, in base units. */
	virtualTokenReserves: BigUint64Array;
	/** Virtual lamports, which set the price. */
	virtualSolReserves: BigUint64Array;
	/** Tokens left to buy, in base units. */
	realTokenReserves: BigUint64Array;
	/** Lamports available to pay sellers. */
	realSolReserves: BigUint64Array;
	/** Supply as the curve was created, in base units. */
	tokenTotalSupply: BigUint64Array;
	/** A creator rate of the token's own, in basis points. Zero is none. */
	creatorFeeBps: BigUint64Array;
	/** 1 where trading on the curve has ended. */
	complete: Uint8Array;
	/** 1 where somebody earns the creator's fee. */
	hasCreator: Uint8Array;
	/** 1 where the market cap counts the supply as created. */
	isMayhem: Uint8Array;
}
/**
 * Reads many curves at once: the numbers come in columns. It checks whose the accounts are and what they hold, but not their
 * addresses: ask for those of `curveAddress`, and keep their order.
 *
 * @example
 * ```js
 * import { LAUNCHPAD_PROGRAM, readCurves } from "launchpad-desk/chain";
 *
 * const { refusals, complete } = readCurves([null, { owner: LAUNCHPAD_PROGRAM, lamports: 1, data: new Uint8Array(49) }]);
 * console.log(refusals); // [ "missing", "discriminator" ]
 * ```
 */
export declare function readCurves(accounts: readonly (Pick<ChainAccount, "owner" | "lamports" | "data"> | null)[]): CurveColumns;
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
 * How a market is watched.
 *
 * @example
 * ```js
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const [{ mint }] = sandbox.tokens;
 * const stop = new AbortController();
 * for await (const look of sandbox.watch(mint, { wallets: [sandbox.wallets[0].wallet], signal: stop.signal })) {
 *   console.log(look instanceof Error); // false
 *   stop.abort();
 * }
 * ```
 */
export interface WatchOptions {
	/** How long to wait between two looks, at least, in milliseconds. Default: 2000 where each look is a request to a node, and otherwise 0. */
	everyMs?: number;
	/** The wallets whose holdings each look has. Default: none. */
	wallets?: readonly string[];
	/** Ends it. */
	signal?: AbortSignal;
}
/**
 * A market that gives no answer: its source did not reply, refused, lags, or cannot be read.
 *
 * @example
 * ```js
 * import { Market, MarketError } from "launchpad-desk/chain";
 *
 * const market = new Market({ accounts: () => Promise.reject(new Error("offline")) });
 * try {
 *   await market.look("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs");
 * } catch (error) {
 *   if (error instanceof MarketError) console.log(error.code); // unreachable
 * }
 * ```
 */
export declare class MarketError extends Error {
	/** Why it says nothing. */
	readonly code: MarketErrorCode;
	/** The HTTP status of the node's reply, if it was none of success. */
	readonly status?: number;
	/** Only the package makes these errors. */
	protected constructor(code: MarketErrorCode, message: string, status?: number);
}
/**
 * What a node returns for `getMultipleAccounts`: one value for each address, all of one slot.
 *
 * @see {@link MarketOptions}
 */
export interface AccountsOfSlot {
	/** The slot in which all of them were read. */
	context: {
		slot: number;
	};
	/** The accounts in the order of the addresses, as a node returns them with the encoding `base64`; `null` where there is none. */
	value: readonly (object | null)[];
}
/**
 * Where a market gets its accounts, and how it is used. Give `rpc` or `accounts`.
 *
 * @example
 * ```js
 * import { Market } from "launchpad-desk/chain";
 *
 * const market = new Market({ rpc: "https://rpc.example", commitment: "confirmed", walletsShared: false });
 * ```
 */
export interface MarketOptions {
	/** Your node's JSON-RPC: its URL, or a function that posts a body to it and resolves to the reply's text. */
	rpc?: string | ((body: string) => Promise<string>);
	/** Headers of each call to the URL `rpc`, such as a token. A URL with a user and a password sends those as the header `authorization`. */
	headers?: Readonly<Record<string, string>>;
	/** Instead of `rpc`, a function that returns the accounts at these addresses. Such a market has prices, but cannot settle trades. */
	accounts?: (addresses: string[]) => Promise<AccountsOfSlot>;
	/** How final the data for prices must be. Balances recorded before a trade are always `finalized`. Default: `confirmed`. */
	commitment?: Commitment;
	/** The launchpad's rules that are not in accounts, such as the rent. Default: those of `defaultLaunchpad()`. */
	rules?: LaunchpadConfig;
	/** How long a look may be used for quotes, and how long the newest slot may stand still before looks are `stale`, in milliseconds.
	 * Default: 10000. */
	maxAgeMs?: number;
	/** How long a reply of the node, or of your function, may take, in milliseconds. Default: 10000. */
	timeoutMs?: number;
	/** The most bytes of a reply that are read: a longer one is `unreadable_reply`. Default: 67108864. */
	maxReplyBytes?: number;
	/** Whether anybody but the client signs for its wallets, another client or another run without its journal among them. Then no trade is
	 * proven to be `landed` or `failed`. Default: true. */
	walletsShared?: boolean;
	/** The longest time from a request until the service takes its blockhash, in milliseconds: its queue and its deadline. Without it,
	 * or if the service signs with durable nonces, no trade is ever called `failed` or `never`. */
	serviceHoldsMs?: number;
	/** The addresses of wallets that the service names by ids of its own: `{ "wallet-7": "EFKx…" }`. Requests, looks and answers keep the ids.
	 * An address has one id, and there are at most 1024. Default: none, each id is its address. Of a wallet whose id is no address nothing is
	 * known without one. */
	walletAddresses?: Readonly<Record<string, string>>;
}
/**
 * When and how surely something was read: on each look, and on each quote that is made from one.
 *
 * @see {@link Market.look}
 */
export interface AsOf {
	/** The slot. */
	slot: number;
	/** The caller's clock when the reply had come, in milliseconds since 1970. */
	atMs: number;
	/** How sure the node was. */
	commitment: Commitment;
}
/**
 * The curve of a look: what `new Curve(…)` of `launchpad-desk/launchpad` takes.
 *
 * @see {@link Market.look}
 */
export interface LookCurve {
	/** The rules. */
	launchpad: LaunchpadConfig;
	/** Where the curve stands. */
	curve: CurveConfig;
	/** The supply that the market cap counts, in base units. */
	supply: bigint;
	/** Whether somebody earns the creator's fee. */
	hasCreator: boolean;
	/** A creator rate of the token's own, in basis points, if it counts. */
	creatorBps: number | null;
	/** Whether trading has ended. */
	complete: boolean;
}
/**
 * A token, its rules and some wallets, all of one slot.
 *
 * @see {@link Market.look}
 */
export interface Look extends AsOf {
	/** Whether the newest slot that the market has read had not risen for longer than `maxAgeMs` when the reply came: the node stands still. A
	 * first look is never stale, because nothing is known before it. */
	stale: boolean;
	/** The token. */
	mint: string;
	/** The curve and its rules: `new Curve(look.curve)`. */
	curve: LookCurve;
	/** The curve's account. */
	chain: ChainCurve;
	/** The program that the token belongs to. */
	tokenProgram: string;
	/** The supply that the mint says, in base units. */
	mintSupply: bigint;
	/** The wallets, in the order in which they were asked for. */
	wallets: WalletLook[];
	/** Ids of wallets that were asked for, too, but are no addresses and have none in `walletAddresses`: nothing is known of them. */
	unknownWallets: string[];
	/** The same as a sandbox's config: `new Sandbox(look.sandbox)` tries a trade before it is made. */
	sandbox: SandboxConfig;
}
/**
 * A quote, and the slot that it was made from.
 *
 * @see {@link Market.quote}
 */
export type MarketQuote = TradeQuote & AsOf & {
	/** The curve and the rules that it was made from: `market.drift` compares a landed trade with them. */
	curve: LookCurve;
};
/**
 * What a stream of accounts says: an account as of a slot, or only that a slot has begun.
 *
 * @see {@link MarketWatchOptions}
 */
export interface AccountUpdate {
	/** The slot. */
	slot: number;
	/** Which account it is. Without it, the update says that this slot has begun, and nothing more. */
	address?: string;
	/** The account as a node tells of it, with the encoding `base64`; `null` if it is gone. */
	account?: Omit<ChainAccount, "address"> | null;
}
/**
 * How a market of the chain is watched: by a request for each look, or by your own stream of accounts.
 *
 * @example
 * ```ts
 * import { type AccountUpdate, Market } from "launchpad-desk/chain";
 *
 * const market = new Market({ rpc: "https://rpc.example" });
 *
 * // Subscribes to these accounts, and to slots, until the signal: by your node's WebSocket, or a stream of your provider.
 * declare function subscribed(addresses: string[], signal: AbortSignal): AsyncIterable<AccountUpdate>;
 *
 * async function watched(mint: string, signal: AbortSignal) {
 *   for await (const look of market.watch(mint, { follow: subscribed, signal })) {
 *     if (!(look instanceof Error)) console.log(look.slot);
 *   }
 * }
 * ```
 */
export interface MarketWatchOptions extends WatchOptions {
	/**
	 * Your stream of these accounts, in place of a request for each look. It is called once, and the stream must begin at that call: the accounts
	 * are then read once by a request, and each look comes when its slot is over, at the first update of a later one. So pass the slots,
	 * too. The signal ends with the watch.
	 */
	follow?: (addresses: string[], signal: AbortSignal) => AsyncIterable<AccountUpdate>;
}
/**
 * What a request would do at a look, at once, and however old the look is. {@link Market.quote} looks first, and refuses an old look.
 *
 * @param look - it must have the request's wallets.
 * @throws {TradeNotSentError} `invalid_request`.
 *
 * @example
 * ```ts
 * import { type Look, quoteAt } from "launchpad-desk/chain";
 *
 * function tokensFor(look: Look, fromWallet: string) {
 *   const { legs } = quoteAt(look, "buy", { mint: look.mint, fromWallet, amountInLamports: 50_000_000 });
 *   return legs[0]?.tokenAmount;
 * }
 * ```
 */
export declare function quoteAt<O extends Operation>(look: Look, operation: O, request: RequestOf[O]): MarketQuote;
/**
 * Prices, holdings and proof, read from the chain through your own node. It signs nothing and holds no key.
 *
 * A client with `market` prices its plans by it, records what its wallets hold before each trade, and settles unknown trades with
 * `client.settle()`.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Market } from "launchpad-desk/chain";
 *
 * const market = new Market({ rpc: "https://rpc.example", walletsShared: false });
 * const client = new TradeClient({ baseURL: "https://service.example", market });
 * ```
 */
export declare class Market {
	#private;
	/**
	 * Makes a market. Nothing is read yet.
	 *
	 * @throws {TypeError} without `rpc` and `accounts`, with both, or with `headers` and no URL; {TradeNotSentError} `invalid_options`, if a value
	 * of `walletAddresses` is no address, or that of another id.
	 *
	 * @example
	 * ```js
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * ```
	 */
	constructor(options: MarketOptions);
	/**
	 * Reads a token's curve and rules, and what these wallets hold: one request, one slot.
	 *
	 * @param wallets - at most 24: addresses, or ids of `walletAddresses`. Those that are neither are in `unknownWallets`.
	 * @throws {AccountError} if an account is missing or not as expected, {MarketError} if the source does not answer, is behind
	 * an earlier reply, or does not show the client's last trade within some seconds (`not_shown`).
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * async function priceOf(mint: string) {
	 *   const look = await market.look(mint);
	 *   return { slot: look.slot, price: new Curve(look.curve).spotPrice };
	 * }
	 * ```
	 */
	look(mint: string, wallets?: readonly string[]): Promise<Look>;
	/**
	 * Takes note of an own trade: a look from before it decides nothing any more. For some seconds, looks and quotes of its token and its wallets
	 * wait until the node shows it, and otherwise are `not_shown`. A client with this market calls this after each of its trades. A market with
	 * only accounts cannot tell.
	 *
	 * @param signature - of its transaction, if its service named one.
	 *
	 * @example
	 * ```ts
	 * import type { Trade } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * const made = (body: string, { result }: Trade) => market.traded({ body }, result.signature); // by another client
	 * ```
	 */
	traded({ body }: {
		body: string;
	}, signature?: string | null): void;
	/**
	 * What a request would do now, with the slot that it was made from. It is a forecast: the service makes its own quote, later.
	 *
	 * @param look - a look to use instead of a new one; it must have the request's wallets.
	 * @throws {TradeNotSentError} `invalid_request`; {MarketError} `stale`, for a look older than `maxAgeMs`, a copy of one that is as far
	 * ahead of the clock, or one of a node that stands still; and as `look`.
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * async function quoted(mint: string, fromWallet: string) {
	 *   const { legs, slot, refused } = await market.quote("buy", { mint, fromWallet, amountInLamports: 50_000_000 });
	 *   return refused ? refused.code : `${legs[0]?.tokenAmount} at slot ${slot}`;
	 * }
	 * ```
	 */
	quote<O extends Operation>(operation: O, request: RequestOf[O], look?: Look): Promise<MarketQuote>;
	/**
	 * The same for the exact body of a request: the price of a client's plan.
	 *
	 * @param slippageUnit - the unit in which the body has the slippage. Default: `percent`.
	 *
	 * @example
	 * ```ts
	 * import type { Plan } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * const priceOf = (plan: Plan) => market.quoteBody(plan.operation, plan.body, plan.slippageUnit);
	 * ```
	 */
	quoteBody(operation: Operation, body: string, slippageUnit?: "percent" | "bps"): Promise<MarketQuote>;
	/**
	 * How many decimals a token has. They never change, so no trade is waited for, and a node that lags may say it: a client asks this before a
	 * sell in base units.
	 *
	 * @throws {AccountError} if there is no such token; {MarketError} if the source does not answer.
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 * import { toBaseUnits } from "launchpad-desk";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * const unitsOf = async (mint: string, tokens: string) => toBaseUnits(tokens, await market.decimalsOf(mint));
	 * ```
	 */
	decimalsOf(mint: string): Promise<number>;
	/**
	 * What the wallets of a trade hold, at a finalized slot: a client records it before it sends. A wallet that the chain does not have
	 * holds nothing. Of a token that is not finalized yet, they hold none. A wallet whose address is not known is left out.
	 *
	 * @throws {MarketError} `no_address`, if that of no wallet is known; and as `look`.
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * const hooks = { beforeSend: async (intent: { body: string }) => ({ before: await market.before(intent) }) };
	 * ```
	 */
	before({ body }: {
		body: string;
	}): Promise<{
		wallet: string;
		tokens: bigint;
		lamports?: bigint;
		slot: number;
	}[]>;
	/**
	 * Looks again and again, or follows your own stream of accounts. A failed look does not end it: its error is passed instead. A node or a
	 * stream whose slots have not risen for `maxAgeMs` is `stale`, once; a stream that ends is `unreachable`, and so ends the watch. Slots only rise. With a function in second place,
	 * each look is passed to it, until the returned function is called. A `Sandbox` and a `SandboxMarket` of `launchpad-desk/launchpad`
	 * have the same.
	 *
	 * @param options - `everyMs`: how often, 2000 by default; `wallets`; `follow`: your stream; `signal` ends it.
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * async function watched(mint: string, signal: AbortSignal) {
	 *   for await (const look of market.watch(mint, { everyMs: 1_000, signal })) {
	 *     if (look instanceof Error) console.log(look.message);
	 *     else console.log(look.slot);
	 *   }
	 * }
	 * ```
	 */
	watch(mint: string, options?: MarketWatchOptions): AsyncGenerator<Look | Error, void, undefined>;
	watch(mint: string, on: (look: Look | Error) => void, options?: MarketWatchOptions): () => void;
	/**
	 * Finds out how a trade of unknown outcome ended, from what its wallets held before, every transaction of theirs since, and what
	 * they hold now, all finalized. Without proof it is `unknown`, with the reason.
	 *
	 * `client.settle()` asks this for each unresolved trade, and records the answer.
	 *
	 * @param others - the other trades of the client that share a wallet with it, so that no transaction of theirs is taken for this
	 * trade's. If they are not given, the wallets count as shared.
	 * @param areAll - whether those are still all, once the node has answered. If not, no transaction proves anything. Default: they are.
	 * @throws {MarketError} `no_history`, if the market has only accounts.
	 *
	 * @example
	 * ```ts
	 * import type { TradeClient } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example", walletsShared: false, serviceHoldsMs: 30_000 });
	 * async function become(client: TradeClient) {
	 *   const pending = await client.pending();
	 *   return Promise.all(pending.map((trade) => market.settleTrade(trade))); // records nothing
	 * }
	 * ```
	 */
	settleTrade(trade: UnsettledTrade, others?: readonly OtherTrade[] | null, areAll?: () => boolean): Promise<SettledTrade>;
	/**
	 * Checks a service's answer: whether the transaction of this signature is final, failed, or was not seen. A transaction that was not
	 * seen may still land.
	 *
	 * @throws {MarketError} if the source says nothing.
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * const isFinal = async (signature: string) => (await market.confirm(signature)) === "finalized";
	 * ```
	 */
	confirm(signature: string): Promise<Seen>;
	/**
	 * Compares a landed trade with the price of its plan: what each wallet paid and got, against the quote, and which rule moved in
	 * between. What is not `explained` means that the rules in use are no longer the launchpad's.
	 *
	 * `client.drift(plan, signature)` asks this, and tells the hooks and the log.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if the price is not a market's; {MarketError} `no_transaction`; `no_address`, if that of a wallet is not known; and as `confirm`.
	 *
	 * @example
	 * ```ts
	 * import type { Plan } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * const isAsQuoted = async (plan: Plan, signature: string) => (await market.drift(plan, signature)).causes.length === 0;
	 * ```
	 */
	drift({ operation, body, price }: PricedPlan, signature: string): Promise<Drift>;
	/**
	 * What the transaction that the service has named for a trade has moved in the trade's wallets: base units, lamports, rent; `null` if
	 * the node does not show it, at this market's commitment.
	 *
	 * @throws {MarketError} `no_address`, if that of a wallet is not known; and as `confirm`.
	 *
	 * @example
	 * ```ts
	 * import type { TradeClient } from "launchpad-desk";
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * async function paid(client: TradeClient, intentId: string) {
	 *   const trade = await client.endedTrade(intentId);
	 *   const moved = trade?.signature && (await market.moved({ ...trade, signature: trade.signature }));
	 *   return moved && moved.wallets[0]?.lamports;
	 * }
	 * ```
	 */
	moved({ operation, body, startedAtMs, beforeSlot, signature }: NamedTrade): Promise<Moved | null>;
	/**
	 * The position that a buy has opened, or what is missing for it: what `client.positionOf` asks.
	 *
	 * @throws {MarketError} as `moved`.
	 *
	 * @example
	 * ```ts
	 * import { Market } from "launchpad-desk/chain";
	 *
	 * const market = new Market({ rpc: "https://rpc.example" });
	 * console.log((await market.bought({ intentId: "signal-1", state: "in_flight" })).missing); // in_flight
	 * ```
	 */
	bought(trade: BoughtTrade): Promise<BoughtPosition>;
}
/**
 * An account that is not the expected one, so nothing is read from it.
 *
 * @example
 * ```js
 * import { AccountError, readFeeTiers } from "launchpad-desk/chain";
 *
 * try {
 *   readFeeTiers(null); // what a node returns for an account that does not exist
 * } catch (error) {
 *   if (error instanceof AccountError) console.log(error.account, error.code); // fee_config missing
 * }
 * ```
 */
export declare class AccountError extends Error {
	/** Why it is not read. */
	readonly code: AccountRefusalCode;
	/** What it was to be. */
	readonly account: AccountKind;
	/** Only the package makes these errors. */
	protected constructor({ message, code, account }: {
		message: string;
		code: AccountRefusalCode;
		account: AccountKind;
	});
	/**
	 * The error as plain data.
	 *
	 * @example
	 * ```js
	 * import { readMint } from "launchpad-desk/chain";
	 *
	 * try {
	 *   readMint("5gPoYaU3R9LTTLCSH1FkXvJ7mJiXkryo8JNeycYrU4gs", null);
	 * } catch (error) {
	 *   console.log(JSON.stringify(error)); // {"name":"AccountError","message":"the mint does not exist" …
	 * }
	 * ```
	 */
	toJSON(): object;
}

