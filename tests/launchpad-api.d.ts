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
 * A disagreement between what was quoted and what was reported, or within the report itself. Append-only.
 *
 * @see {@link receipt}
 */
export type ReceiptFinding =
/** A buy brought fewer tokens than its bound, or a sell sold a different number of tokens than ordered. */
"tokens_past_bound"
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
/**
 * A figure of a receipt that may be an estimate.
 *
 * @see {@link receipt}
 */
export type ReceiptFigure =
/** The tokens bought or sold. */
"tokens"
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
/**
 * A leg of a bundle, by what it adds to the transaction.
 *
 * @see {@link capacities}
 */
export type LegKind =
/** A buy into an open token account. */
"buy"
/** A buy that opens its token account first. */
 | "open_and_buy"
/** A sell. */
 | "sell"
/** A sell that closes its token account. */
 | "sell_and_close";
/**
 * Whether legs fit one transaction.
 *
 * @see {@link splitBundle}
 */
export type TransactionFit =
/** With every address written out. */
"plain"
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
 * The outcomes that a request to the sandbox may ask for. Append-only.
 *
 * @see {@link sandboxOutcomes}
 */
export type SandboxOutcome =
/** The launchpad decides: there is no other fault, and no rival moves the price in flight. */
"landed"
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
 * Who made a trade of the market. Append-only.
 *
 * @see {@link Sandbox.marketTrades}
 */
export type TraderKind =
/** A wallet of the sandbox. */
"own"
/** A trader of a recording. */
 | "recorded"
/** Buys in the first moments of a token, and sells at twice the price. */
 | "sniper"
/** Buys what rises, and sells what falls. */
 | "momentum"
/** Buys and sells for no reason. */
 | "noise"
/** Bought early, and waits. */
 | "holder"
/** Bought together with the launch, and leaves once others have bought. */
 | "insider"
/** Sells into strength: as soon as others, or you, have raised the price a little. */
 | "scalper";
/**
 * What really happened to a call, as only the sandbox can know it. What a client or a gateway recorded is an `IntentOutcome`. Append-only.
 *
 * @see {@link Sandbox.calls}
 */
export type ActualOutcome =
/** Nothing was executed: the service refused it, or never saw it whole. */
"not_executed"
/** The transaction landed. */
 | "landed"
/** The transaction failed: nothing moved but the network fee. */
 | "failed"
/** No such call reached the service. */
 | "never_arrived"
/** Nobody can say: the log has no such call, and no longer has its oldest ones. */
 | "not_logged";
/**
 * How a bot's books are wrong about a trade. Append-only.
 *
 * @see {@link audit}
 */
export type Mismatch =
/** The books say that nothing was traded, but the transaction landed. */
"landed_unknown"
/** The books say that it landed, but it did not. */
 | "did_not_land"
/** The books say that nothing was executed, but a transaction failed, and its network fee was charged. */
 | "fee_unknown"
/** The books say that a transaction failed, but none was executed, and no fee was charged. */
 | "not_executed"
/** A transaction was executed for which the books have no entry. */
 | "no_entry";
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
 * Why a position is sold. If several rules fire at one tick, the first in this order gives the order.
 *
 * @see {@link OpenExits}
 */
export type ExitReason =
/** A person asked for it. */
"close_now"
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
/**
 * What happened to an exit.
 *
 * @see {@link Managed}
 */
export type ExitHappening =
/** It is about to be sent. */
"ordered"
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
/**
 * Why an order of a backtest was made.
 *
 * @see {@link backtest}
 */
export type BacktestReason =
/** The entry of the backtest: its time was reached, or a signal came. */
"entry"
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
/**
 * What became of an order of a backtest.
 *
 * @see {@link backtest}
 */
export type BacktestOutcome =
/** It was filled. */
"landed"
/** It was refused when it arrived. It cost its network fee. */
 | "failed"
/** It was not sent, because it had no price, something else of the token was in flight, or the tape was over. It cost nothing. */
 | "not_sent";
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
 * A rule of the launchpad or of the network that changes: where its default comes from.
 *
 * @see {@link launchpadRules}
 */
export interface LaunchpadRule {
	/** The setting of a launchpad that has it. */
	setting: keyof LaunchpadConfig;
	/** The date as of which its default holds, `YYYY-MM-DD`. */
	asOf: string;
	/** Where the default comes from. */
	source: string;
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
 * What one trade on a curve would do. Plain data: you can keep it, and make a receipt from it later.
 *
 * @see {@link Curve.quoteBuyExactIn}
 */
export interface CurveQuote {
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
	/** Rate of the fee to the protocol, in basis points of the lamports that reach or leave the curve. */
	protocolFeeBps: number;
	/** Rate of the fee to the token's creator, in basis points of the same lamports. */
	creatorFeeBps: number;
	/**
	 * Whether the launchpad charges these rates at every market cap. If not, a trade that executes later may be charged
	 * different rates.
	 */
	ratesFixed: boolean;
	/** Whether the launchpad refuses a buy past the end of the curve or fills a part of it. */
	completion: Completion;
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
	/** Spot price before, in lamports per whole token, to nine places; `null` past 128 bits, as the three below. */
	spotPriceBefore: string | null;
	/** Spot price after. */
	spotPriceAfter: string | null;
	/** Average price of this fill before fees. */
	averagePrice: string | null;
	/** Average price of this fill, trading fees included. */
	averagePriceWithFees: string | null;
	/** Market cap before, in lamports. */
	marketCapLamports: bigint;
	/** Market cap after, in lamports. */
	marketCapAfterLamports: bigint;
	/**
	 * Slippage that the bounds below were made with, in percent. They are forecasts: the service makes its own bound
	 * from its own, later quote.
	 */
	slippagePercent: string;
	/** The bound of a buy that spends this many lamports, as forecast: the fewest tokens to accept. */
	minTokens: bigint | null;
	/** The bound of a buy of this many tokens, as forecast: the most lamports to pay, trading fees included. */
	maxLamports: bigint | null;
	/** The bound of a sell, as forecast: the fewest lamports to accept, after trading fees. */
	minLamports: bigint | null;
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
	/** What the wallet held before, in base units; `null` if the wallet is unknown. */
	heldTokens: bigint | null;
	/** The network's fee, no matter who pays it; charged even if the transaction fails. */
	networkFeeLamports: bigint;
	/** The part that the trading wallet pays: all or nothing. */
	ownNetworkFeeLamports: bigint;
	/** Lamports the trading wallet gains (negative: spends): trade, fees, rent or refund. */
	netLamports: bigint;
	/** The same at the bound, as forecast. */
	worstNetLamports: bigint;
	/** Fraction digits of a whole token. */
	tokenDecimals: number;
	/** What to know before sending, as stable codes. */
	warnings: QuoteWarning[];
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
/**
 * How what a wallet holds differs from its position.
 *
 * @see {@link Position.check}
 */
export type Holds =
/** The wallet holds more than the position: tokens came in that were not added. */
"more"
/** It holds fewer: tokens went out that were not added. */
 | "fewer";
/**
 * By how much a wallet differs from its position.
 *
 * @see {@link Position.check}
 */
export interface PositionDifference {
	/** Whether the wallet holds more or fewer tokens than the position. */
	walletHolds: Holds;
	/** How many, in base units. */
	tokens: bigint;
}
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
/**
 * A rung of an exit plan.
 *
 * @see {@link Exits}
 */
export interface TakeProfit {
	/** The multiple from which it is sold: `"2x"`. */
	at: string;
	/** How much of the position as it was opened: `"50%"`. All of them are at most `"100%"`. */
	sell: string;
}
/**
 * A stop that follows the position up.
 *
 * @see {@link Exits}
 */
export interface Trailing {
	/** How far below its best multiple: `"20%"`. */
	by: string;
	/** The multiple that its best must have had: `"1.5x"`. Default: any. */
	from?: string | null;
}
/**
 * When a curve is about to complete.
 *
 * @see {@link Exits}
 */
export interface OnGraduation {
	/** How much of the curve's tokens must be sold: `"95%"`. */
	from: string;
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
/**
 * Looks in a row at which the wallet held fewer tokens than the position has left.
 *
 * @see {@link Exits.open}
 */
export interface ExitMissing {
	/** The time over which they were, in milliseconds. Of a gap between two of them, 15 seconds count at most. */
	forMs: number;
	/** When the last of them was, in milliseconds since 1970. */
	lastMs: number;
	/** The most base units that the wallet held at one of them. */
	most: number | bigint | string;
}
/**
 * Tokens of the position that the wallet does not hold any more. They are of the position again once the wallet holds as much as before.
 *
 * @see {@link Exits.open}
 */
export interface ExitGone {
	/** How many, in base units. */
	tokens: number | bigint | string;
	/** What those cost, in lamports. */
	costLamports: number | bigint | string;
	/** What the wallet held together with them, in base units; `null` if no look has shown them. */
	walletTokens: number | bigint | string | null;
}
/**
 * A sell that landed and that no look has shown yet.
 *
 * @see {@link Exits.open}
 */
export interface ExitSold {
	/** What the wallet held before it, in base units. A look that shows this is older than the sell, and decides nothing. */
	walletTokens: number | bigint | string;
	/** Until when it may be, in milliseconds since 1970. */
	untilMs: number;
}
/**
 * A sell whose end its service has said, and what of the position that counts: the chain may say the opposite.
 *
 * @see {@link Exits.open}
 */
export interface ExitAnswered {
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
}
/**
 * How often a rung's order was proven not to have landed.
 *
 * @see {@link Exits.open}
 */
export interface ExitTries {
	/** How often. The next attempt has an intent id of its own. */
	failed: number;
	/** The earliest time of the next attempt, in milliseconds since 1970. */
	notBeforeMs: number;
}
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
	/** Why it was refused; null if it landed, or if it was not sent because of another order. */
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
/**
 * What the wallet paid besides the price, in lamports.
 *
 * @see {@link backtest}
 */
export interface BacktestCosts {
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
}
/**
 * The positions that ended for one reason.
 *
 * @see {@link backtest}
 */
export interface BacktestReasonRow {
	/** The reason. */
	reason: BacktestReason;
	/** How many there are. */
	positions: number;
	/** How many of them gained. */
	wins: number;
	/** What they gained together, in lamports. */
	profitLamports: bigint;
}
/**
 * The deepest fall of the equity from a high to a low after it.
 *
 * @see {@link backtest}
 */
export interface BacktestDrawdown {
	/** How deep, in lamports. */
	lamports: bigint;
	/** The part of the high that was lost. */
	part: string;
	/** When the high was. */
	fromMs: number;
	/** When the low was. */
	toMs: number;
}
/**
 * Recorded trades that could not be made again, for one reason.
 *
 * @see {@link backtest}
 */
export interface BacktestSkipped {
	/** Why the launchpad refused them on the curve as it was then. */
	reason: RefusalCode;
	/** How many. */
	trades: number;
}
/**
 * What the wallet was worth at a time.
 *
 * @see {@link backtest}
 */
export interface BacktestPoint {
	/** When, in milliseconds of the tape. */
	atMs: number;
	/** Its lamports, and what selling everything would bring, with the rent. */
	lamports: bigint;
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
/**
 * Recorded trades that were not made, for one reason.
 *
 * @see {@link Sandbox.replay}
 */
export interface SkippedTrades {
	/**
	 * Why not: the sandbox had no token of that mint, the token would have more than its supply, or the launchpad refused
	 * it on the curve as it was then.
	 */
	reason: "no_such_token" | "above_supply" | RefusalCode;
	/** How many trades. */
	trades: number;
}
/**
 * Recorded trades of a mint that the sandbox has no token of.
 *
 * @see {@link Sandbox.replay}
 */
export interface TradesWithoutToken {
	/** The mint address. */
	mint: string;
	/** How many there are. */
	trades: number;
}
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
/**
 * A page of the tokens of a market.
 *
 * @see {@link SandboxMarket.tokens}
 */
export interface MarketTokens {
	/** The market's time, in milliseconds. */
	nowMs: number;
	/** The tokens, in the order in which they were launched. */
	tokens: SandboxToken[];
	/** What `after` must be for the next page; null on the last one. */
	next: string | null;
}
/**
 * A page of the wallets of a market.
 *
 * @see {@link SandboxMarket.wallets}
 */
export interface MarketWallets {
	/** The market's time, in milliseconds. */
	nowMs: number;
	/** The wallets, in the order in which they were made. */
	wallets: SandboxWallet[];
	/** What `after` must be for the next page; null on the last one. */
	next: string | null;
}
/**
 * A page of the trades of a market.
 *
 * @see {@link SandboxMarket.trades}
 */
export interface MarketTrades {
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
}
/**
 * Where a stream of events begins.
 *
 * @see {@link SandboxMarket.events}
 */
export interface MarketStart {
	/** The market's time, in milliseconds. */
	nowMs: number;
	/** The cursor of the newest trade. */
	last: string;
	/** How many trades after `last-event-id`, of all tokens, are no longer kept: they are lost to this reader. */
	missed: number;
	/** Whether the market has begun anew since `last-event-id`. */
	restarted: boolean;
}
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
/**
 * A trade that a bot's books are wrong about.
 *
 * @see {@link audit}
 */
export interface AuditFinding {
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
}
/**
 * What really happened to a trade that a bot's books leave open.
 *
 * @see {@link audit}
 */
export interface OpenTrade {
	/** The entry's intent id. */
	intentId: string;
	/** What really happened to it. */
	actual: ActualOutcome;
	/** The transaction's signature; null if none was executed. */
	signature: string | null;
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
 * One row of the table of outcomes.
 *
 * @see {@link sandboxOutcomes}
 */
export interface OutcomeRow {
	/** Its name, as the header takes it. */
	outcome: SandboxOutcome;
	/** The id that asks for it in `feePayer`. */
	feePayer: string;
	/** What happens to the request. */
	meaning: string;
}
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
	/** Lamports the account itself holds; refunded when it closes. */
	lamports: bigint;
	/** Whether its tokens are frozen: it can neither sell nor buy. */
	isFrozen: boolean;
}
/**
 * The caller's account.
 *
 * @see {@link Sandbox.account}
 */
export interface AccountRow {
	/** Rises by one for each successful buy, including each buy of a bundle. */
	level: number;
	/** Transactions so far, failed ones included. */
	transactions: number;
	/** All lamports paid to the network. */
	networkFeesLamports: bigint;
	/** All rent paid for the volume accounts of wallets. */
	volumeRentsLamports: bigint;
}
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
	/** `ok`, or why it failed, as in the reply's `transactionResult.results.message`. */
	results: string;
	/** What the fee payer was charged. */
	networkFeeLamports: bigint;
	/** Its trades, in order. All amounts are zero if it failed. */
	legs: TradeLeg[];
}
/**
 * One wallet's part of a transaction.
 *
 * @see {@link Sandbox.trades}
 */
export interface TradeLeg {
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
}
/**
 * The launchpad would refuse this trade, or no trade reaches what is asked for.
 *
 * @example
 * ```js
 * import { Curve, RefusalError } from "launchpad-desk/launchpad";
 *
 * try {
 *   new Curve().sellExactIn(1_000_000_000_000n); // nobody has bought yet
 * } catch (error) {
 *   if (error instanceof RefusalError) console.log(error.code); // fees_or_reserves_exceeded
 * }
 * ```
 */
export declare class RefusalError extends Error {
	/** The stable code: `not_enough_tokens_on_curve`, `out_of_reach`, … */
	readonly code: RefusalCode;
	/** Which leg of a bundle is refused, from 0; absent if the trade or the bundle as a whole is refused. */
	readonly leg?: number;
	/** Only the package makes these errors. */
	protected constructor(described: object);
	/**
	 * The error as plain data.
	 *
	 * @example
	 * ```js
	 * import { Curve, RefusalError } from "launchpad-desk/launchpad";
	 *
	 * try {
	 *   new Curve().sellExactIn(1_000_000_000_000n);
	 * } catch (error) {
	 *   if (error instanceof RefusalError) console.log(JSON.stringify(error)); // {"name":"RefusalError" …
	 * }
	 * ```
	 */
	toJSON(): object;
}
/**
 * Lamports or base units: a bigint, a safe integer, or digits in a string.
 *
 * @example
 * ```js
 * import { Curve } from "launchpad-desk/launchpad";
 *
 * const curve = new Curve();
 * const same = [1_000_000_000n, 1e9, "1000000000"].map((lamports) => curve.buyExactIn(lamports));
 * console.log(new Set(same).size); // 1
 * ```
 */
export type Amount = bigint | number | string;
/**
 * Marks a refused trade in a column: 2^64 - 1, which is never an amount.
 *
 * @example
 * ```js
 * import { Curve, REFUSED } from "launchpad-desk/launchpad";
 *
 * const spends = BigUint64Array.of(1n, 1_000_000_000n); // the fees use up the first
 * const landed = new Curve().buysExactIn(spends).filter((tokens) => tokens !== REFUSED);
 * console.log(landed.length); // 1
 * ```
 */
export declare const REFUSED: bigint;
/**
 * A column of amounts in the module's memory, so that a batch over it copies nothing.
 *
 * @example
 * ```js
 * import { Amounts, Curve } from "launchpad-desk/launchpad";
 *
 * const [lamports, tokens] = [new Amounts(100_000), new Amounts(100_000)];
 * lamports.values.fill(1_000_000_000n);
 * new Curve().fillBuysExactIn(lamports, tokens);
 * console.log(tokens.values[0]); // 34199203120618n
 * ```
 */
export declare class Amounts {
	#private;
	/**
	 * Makes a column of this many rows, all zero.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, for more than 2^24 rows.
	 *
	 * @example
	 * ```js
	 * import { Amounts } from "launchpad-desk/launchpad";
	 *
	 * const spends = new Amounts(1_000);
	 * ```
	 */
	constructor(length: number);
	/**
	 * How many rows there are.
	 *
	 * @example
	 * ```js
	 * import { Amounts } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Amounts(1_000).length); // 1000
	 * ```
	 */
	get length(): number;
	/**
	 * The rows themselves, to be read and written in place. Get them again after any other call: when the module's memory grows,
	 * earlier views become empty. A view keeps its column alive, but something made from the view, such as a `subarray`, does not.
	 * After `free()`, or once the column is no longer referenced, a view reads and overwrites whatever the module stores there next.
	 *
	 * @example
	 * ```js
	 * import { Amounts } from "launchpad-desk/launchpad";
	 *
	 * const spends = new Amounts(2);
	 * spends.values.set([1_000_000_000n, 2_000_000_000n]);
	 * ```
	 */
	get values(): BigUint64Array;
	/**
	 * Frees its memory now. Using it afterwards throws; freeing it again does nothing.
	 *
	 * @example
	 * ```js
	 * import { Amounts } from "launchpad-desk/launchpad";
	 *
	 * const spends = new Amounts(1_000_000); // 8 MB
	 * spends.free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * A wallet's state before a trade.
 *
 * @example
 * ```ts
 * import { Trader, type WalletState } from "launchpad-desk/launchpad";
 *
 * const wallet: WalletState = { lamports: 5_000_000_000n, tokenAccount: { tokens: 34_199_203_120_618n } };
 * const trader = new Trader({ wallet });
 * ```
 */
export interface WalletState {
	/** Its lamports, without those in its token account. */
	lamports: Amount;
	/** Its token account; absent or null if it has no open one. */
	tokenAccount?: {
		/** Base units held. */
		tokens: Amount;
		/** Lamports the account itself holds, refunded when it closes. Default: the launchpad's rent. */
		lamports?: Amount;
		/** Whether its tokens are frozen: it can neither sell nor buy; `look.wallets` says so. Default: false. */
		isFrozen?: boolean;
	} | null;
	/**
	 * Whether its next buy also opens the account in which the launchpad counts what it trades, as a wallet's first buy does; `look.wallets`
	 * says so. Default: false.
	 */
	opensVolumeAccount?: boolean;
}
/**
 * When a quote warns.
 *
 * @example
 * ```js
 * import { Curve, Trader } from "launchpad-desk/launchpad";
 *
 * const trader = new Trader({ warnAbove: { impactBps: 200, slippage: { percent: 5 } } });
 * console.log(new Curve().quoteBuyExactIn(1_000_000_000n, trader).warnings); // [ "high_impact", "wallet_unknown" ]
 * ```
 */
export interface WarningThresholds {
	/** Warn of a price impact over this, in basis points. Default: 500. */
	impactBps?: number;
	/** Warn of a slippage over this. Default: 10 %. */
	slippage?: SlippageInput;
}
/**
 * Who trades, and how the transaction is paid for. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { Trader, type TraderOptions } from "launchpad-desk/launchpad";
 *
 * const options: TraderOptions = { wallet: { lamports: 5_000_000_000n }, slippage: { bps: 100 }, priorityUnitPrice: 50_000n };
 * const trader = new Trader(options);
 * ```
 */
export interface TraderOptions {
	/** The trading wallet. Without one, holdings are not checked and rent is not counted. */
	wallet?: WalletState;
	/** How far the price may move. Default: 0.5 %. Digits finer than a hundredth of a basis point are dropped. */
	slippage?: SlippageInput;
	/** Unit of a slippage that does not name one, as for clients. Default: `percent`. */
	slippageUnit?: "percent" | "bps";
	/** Whether the trading wallet or another one pays the network fee. Default: `trader`. */
	feePayer?: "trader" | "other";
	/** Priority units to pay for. Default: the launchpad's. */
	priorityUnitLimit?: Amount;
	/** Micro-lamports for each of them. Default: no priority fee. */
	priorityUnitPrice?: Amount;
	/** When to warn. */
	warnAbove?: WarningThresholds;
}
/**
 * Who trades, and how the transaction is paid for. A trader never changes: make a new one for another wallet.
 *
 * @example
 * ```js
 * import { Curve, Trader } from "launchpad-desk/launchpad";
 *
 * const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
 * const { netLamports, warnings } = new Curve().quoteBuyExactIn(1_000_000_000n, trader);
 * console.log(netLamports, warnings); // -1001493440n []
 * ```
 */
export declare class Trader {
	#private;
	/**
	 * Makes a trader; without options, an unknown wallet that pays its own network fee.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Trader } from "launchpad-desk/launchpad";
	 *
	 * const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, feePayer: "other" });
	 * ```
	 */
	constructor(options?: TraderOptions);
	/**
	 * Frees its memory now. Using it afterwards throws; freeing it again does nothing.
	 *
	 * @example
	 * ```js
	 * import { Trader } from "launchpad-desk/launchpad";
	 *
	 * const trader = new Trader();
	 * trader.free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * A bundle as it is asked for. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { Curve, type BundleOrder } from "launchpad-desk/launchpad";
 *
 * const bundle: BundleOrder = {
 *   wallets: [
 *     { wallet: "ada", lamports: 5_000_000_000n },
 *     { wallet: "bob", lamports: 2_000_000_000n },
 *   ],
 *   legs: [
 *     { fromWallet: "ada", buyExactIn: 1_000_000_000n },
 *     { fromWallet: "bob", buyExactIn: 1_000_000_000n },
 *   ],
 *   feePayer: "ada",
 * };
 * const { wallets, fits } = new Curve().quoteBundle(bundle);
 * console.log(wallets[1]?.netTokens, fits); // 32086511038933n plain
 * ```
 */
export interface BundleOrder {
	/** The wallets that take part. */
	wallets: (WalletState & {
		/** Its id, as the legs name it. */
		wallet: string;
	})[];
	/** The trades, in order. */
	legs: BundleLeg[];
	/** Id of the wallet that pays the network fee. */
	feePayer: string;
	/** Slippage of legs without their own. Default: 0.5 %. Digits finer than a hundredth of a basis point are dropped. */
	slippage?: SlippageInput;
	/** Unit of slippages that do not name theirs, as for clients. Default: `percent`. */
	slippageUnit?: "percent" | "bps";
	/** Priority units to pay for. Default: the launchpad's, for each leg. */
	priorityUnitLimit?: Amount;
	/** Micro-lamports for each of them. Default: no priority fee. */
	priorityUnitPrice?: Amount;
	/** When to warn. */
	warnAbove?: WarningThresholds;
}
/**
 * One wallet's trade in a bundle: exactly one order.
 *
 * @example
 * ```ts
 * import type { BundleLeg } from "launchpad-desk/launchpad";
 *
 * const half: BundleLeg = { fromWallet: "ada", sellPercentage: 50, slippage: { percent: 1 } };
 * ```
 */
export type BundleLeg = {
	/** Id of the wallet that trades. */
	fromWallet: string;
	/** Its own slippage. Default: the bundle's. */
	slippage?: SlippageInput;
} & ({
	buyExactIn: Amount;
} | {
	buyExactOut: Amount;
} | {
	sellExactIn: Amount;
} | {
	sellPercentage: number | string;
});
/**
 * How to get back what a position cost.
 *
 * @example
 * ```js
 * import { Curve, Trader, toBaseUnits } from "launchpad-desk/launchpad";
 *
 * const curve = new Curve();
 * curve.moveByBuy(5_000_000_000n);
 * const trader = new Trader({ wallet: { lamports: 10_000_000n, tokenAccount: { tokens: toBaseUnits(1_000_000) } } });
 * const exit = curve.breakEven(10_000_000n, trader);
 * if (exit.reached) console.log(curve.quoteSellExactIn(exit.tokens, trader).tokenAmount); // 267253.935114
 * else console.log("wait for", exit.spotPrice, "lamports a token");
 * ```
 */
export type BreakEven = {
	/** Selling now is enough. */
	reached: true;
	/** The fewest base units to sell. */
	tokens: bigint;
} | {
	/** Possible only after others have bought, by selling everything. */
	reached: false;
	/** The fewest lamports that others must bring to the curve, before their fees. */
	inflowLamports: bigint;
	/** The price to wait for, in lamports per whole token; `null` if it is over 128 bits. */
	spotPrice: string | null;
	/** The curve's reserves at that point. */
	reserves: CurveReserves;
};
/**
 * How much fits into one transaction, if each leg has its own wallet. Use it for warnings: the service may know better.
 *
 * @see {@link capacities}
 */
export interface Capacities {
	/** Where the numbers come from. */
	origin: string;
	/** How many legs of one kind fit into one transaction. */
	legs: {
		/** The kind of leg. */
		kind: LegKind;
		/** With every address written out, if one of the wallets pays the network fee. */
		legs: number;
		/** The same with an address lookup table. */
		legsWithLookupTable: number;
		/** With every address written out, if the fee payer does not trade: it signs as well. */
		legsBesidePayer: number;
		/** The same with an address lookup table. */
		legsBesidePayerWithLookupTable: number;
	}[];
}
/**
 * The parts of a bundle's quote that a split needs. `quoteBundle` returns them.
 *
 * @example
 * ```ts
 * import { splitBundle, type SplittableBundle } from "launchpad-desk/launchpad";
 *
 * const quote: SplittableBundle = { feePayer: "ada", legs: [{ wallet: "ada", side: "buy", tokenAccount: "opens" }] };
 * console.log(splitBundle(quote).length); // 1
 * ```
 */
export interface SplittableBundle {
	/** Id of the wallet that pays the network fee: it signs each transaction. */
	feePayer: string;
	/** The trades, in order. */
	legs: readonly {
		/** Id of the wallet that trades. */
		wallet: string;
		/** Which way it trades. */
		side: Side;
		/** What happens to its token account; `unknown` is assumed to open or close. */
		tokenAccount: "opens" | "closes" | "stays" | "unknown";
	}[];
}
/**
 * One transaction of a bundle that was split.
 *
 * @see {@link splitBundle}
 */
export interface BundlePart {
	/** The indexes of its legs in the bundle, from 0, in order. */
	legs: number[];
	/** How many sign it. */
	signatures: number;
}
/**
 * Spends that bring each wallet the same tokens. In JSON, lamports and base units are text.
 *
 * @see {@link Curve.equalTokens}
 */
export interface EqualTokens {
	/** What every wallet gets at the least, in base units. */
	tokens: bigint;
	/** What each wallet spends, in order, in lamports. */
	spendsLamports: BigUint64Array;
}
/**
 * Splits a budget of lamports into equal spends that add up to it exactly. If it does not divide evenly, the first ones are one
 * lamport larger.
 *
 * @throws {TradeNotSentError} `invalid_options`, for no wallets and for more than 10,000.
 *
 * @example
 * ```js
 * import { equalSpends } from "launchpad-desk/launchpad";
 *
 * console.log(...equalSpends(11n, 3)); // 4n 4n 3n
 * ```
 */
export declare function equalSpends(budgetLamports: Amount, wallets: number): BigUint64Array;
/**
 * Splits a budget of lamports by weight into spends that add up to it exactly. Each share is rounded down; the lamports left over
 * go, one each, to the largest remainders.
 *
 * @throws {TradeNotSentError} `invalid_options`, if the sum of the weights is zero or over 64 bits, and for more than 10,000 weights.
 *
 * @example
 * ```js
 * import { weightedSpends } from "launchpad-desk/launchpad";
 *
 * console.log(...weightedSpends(100n, BigUint64Array.of(1n, 2n, 3n))); // 17n 33n 50n
 * ```
 */
export declare function weightedSpends(budgetLamports: Amount, weights: BigUint64Array): BigUint64Array;
/**
 * Splits a budget of lamports into spends that differ at random and add up to it exactly: the weight of each is between
 * `1 − jitter` and `1 + jitter`. The same seed gives the same spends.
 *
 * @throws {TradeNotSentError} `invalid_options`, for no wallets, for more than 10,000, and for a jitter over 100 %.
 *
 * @example
 * ```js
 * import { jitteredSpends } from "launchpad-desk/launchpad";
 *
 * console.log(...jitteredSpends(1_000n, 3, { percent: 20 }, 7n)); // 327n 276n 397n
 * ```
 */
export declare function jitteredSpends(budgetLamports: Amount, wallets: number, jitter: Portion, seed: Amount): BigUint64Array;
/**
 * How much fits into one transaction, and where the numbers come from.
 *
 * @example
 * ```js
 * import { capacities } from "launchpad-desk/launchpad";
 *
 * const [{ kind, legs, legsWithLookupTable }] = capacities().legs;
 * console.log(kind, legs, legsWithLookupTable); // buy 3 5
 * ```
 */
export declare function capacities(): Capacities;
/**
 * Splits a bundle, in its order, into as few transactions as it fits into. The fee payer signs each of them.
 *
 * Legs of several kinds count as those that need the most room, and a wallet that trades twice as two. Only size counts here, not
 * compute units or price moves between the transactions. A part can land without the others: the bundle is no longer all or nothing.
 *
 * @param addresses - `plain` (the default) writes out every address; `with_lookup_table` is for a service that has the shared
 * addresses in a lookup table.
 * @throws {TradeNotSentError} `invalid_options`, if it is not such a quote.
 *
 * @example
 * ```js
 * import { Curve, splitBundle } from "launchpad-desk/launchpad";
 *
 * const names = ["ada", "bob", "cyd", "dan"];
 * const bundle = {
 *   wallets: names.map((wallet) => ({ wallet, lamports: 5_000_000_000n })),
 *   legs: names.map((fromWallet) => ({ fromWallet, buyExactIn: 1_000_000_000n })),
 *   feePayer: "ada",
 * };
 * const parts = splitBundle(new Curve().quoteBundle(bundle));
 * const bundles = parts.map(({ legs }) => ({ ...bundle, legs: legs.map((leg) => bundle.legs[leg]) }));
 * console.log(bundles.length); // 2
 * ```
 */
export declare function splitBundle(quote: SplittableBundle, addresses?: Exclude<TransactionFit, "no">): BundlePart[];
/**
 * A token's curve, and the launchpad it is on. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { Curve, type CurveOptions } from "launchpad-desk/launchpad";
 *
 * const options: CurveOptions = {
 *   curve: {
 *     virtualTokenReserves: 1_006_714_285_840_449n, // base units
 *     virtualSolReserves: 31_975_308_640n, // lamports
 *     realTokenReserves: 726_814_285_840_449n,
 *     realSolReserves: 1_975_308_640n,
 *   },
 *   hasCreator: false,
 * };
 * const curve = new Curve(options);
 * ```
 */
export interface CurveOptions {
	/** The launchpad's rules. Default: those of `defaultLaunchpad()`. */
	launchpad?: LaunchpadConfig;
	/** Where the curve stands. Default: the launchpad's start. */
	curve?: CurveConfig;
	/** The total supply of the token, in base units. Default: the launchpad's. */
	supply?: Amount;
	/** Whether the token has a creator who earns a fee. Default: true. */
	hasCreator?: boolean;
	/** A creator rate of the token's own in basis points, at most 10000, in place of the tier's. Default: none. */
	creatorBps?: number | null;
	/** Whether trading has ended, even if tokens are left. Default: false. */
	complete?: boolean;
}
/**
 * A token as a sandbox shows it (`sandbox.tokens`), and the launchpad it is on. If the sandbox was made with its own
 * `launchpad`, pass that too.
 *
 * @example
 * ```js
 * import { Curve, Sandbox } from "launchpad-desk/launchpad";
 *
 * const launchpad = { tokenSupply: 10n ** 15n, rentLamportsPerByte: 6960 };
 * const sandbox = new Sandbox({ launchpad });
 * const curve = new Curve({ ...sandbox.tokens[0], launchpad });
 * ```
 */
export interface CurveToken extends SandboxToken {
	/** The launchpad's rules. Default: those of `defaultLaunchpad()`, with the token's decimals. */
	launchpad?: LaunchpadConfig;
}
/**
 * One token's bonding curve. It lives in the module's memory, so only the amount crosses for each price.
 *
 * Lamports and base units are returned as bigints. Arguments may be bigints (the fastest), safe integers, or strings of digits.
 * Anything but a whole number of at most 64 bits throws a `TradeNotSentError` with the code `invalid_options`. The main import has
 * a separate class of that name, so use its `isTradeError`, not `instanceof`.
 *
 * @example
 * ```js
 * import { Curve, Sandbox } from "launchpad-desk/launchpad";
 *
 * const curve = new Curve(); // of a new token
 * console.log(curve.buyExactIn(1_000_000_000n)); // 34199203120618n
 *
 * const sandbox = new Sandbox();
 * const simulated = sandbox.curve(sandbox.tokens[0].mint);
 * ```
 */
export declare class Curve {
	#private;
	/**
	 * Makes a curve from a sandbox's token or from options. Without arguments, it is the curve of a new token.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve({ hasCreator: false });
	 * ```
	 */
	constructor(options?: CurveOptions | CurveToken);
	/**
	 * The tokens that a spend in lamports buys, in base units. The spend includes the fees.
	 *
	 * @throws {RefusalError} where the launchpad refuses the buy.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * console.log(curve.buyExactIn(1_000_000_000n)); // 34199203120618n
	 * ```
	 */
	buyExactIn(lamports: Amount): bigint;
	/**
	 * The cost of buying exactly this many base units, in lamports, fees included.
	 *
	 * @throws {RefusalError} where the launchpad refuses the buy.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * console.log(curve.buyExactOut(toBaseUnits(1_000_000))); // 28334890n
	 * ```
	 */
	buyExactOut(tokens: Amount): bigint;
	/**
	 * The lamports that selling exactly this many base units brings, after fees.
	 *
	 * @throws {RefusalError} where the launchpad refuses the sell.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * console.log(curve.sellExactIn(toBaseUnits(1_000_000))); // 37406565n
	 * ```
	 */
	sellExactIn(tokens: Amount): bigint;
	/**
	 * Everything about a buy that spends this many lamports, fees included.
	 *
	 * @param trader - who buys; by default an unknown wallet with a slippage of 0.5 %.
	 * @throws {RefusalError} where the launchpad refuses it. Too few lamports are only a warning, because no price depends on them.
	 *
	 * @example
	 * ```js
	 * import { Curve, Trader } from "launchpad-desk/launchpad";
	 *
	 * const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
	 * const { tokenAmount, minTokens, netLamports, warnings } = new Curve().quoteBuyExactIn(1_000_000_000n, trader);
	 * console.log(tokenAmount, netLamports); // 34199203.120618 -1001493440n
	 * ```
	 */
	quoteBuyExactIn(lamports: Amount, trader?: Trader): CurveQuote;
	/**
	 * Everything about a buy of exactly this many base units.
	 *
	 * @throws {RefusalError} as `quoteBuyExactIn`.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const { walletLamports, maxLamports } = new Curve().quoteBuyExactOut(toBaseUnits(1_000_000));
	 * console.log(walletLamports, maxLamports); // 28334890n
	 * ```
	 */
	quoteBuyExactOut(tokens: Amount, trader?: Trader): CurveQuote;
	/**
	 * Everything about a sell of exactly this many base units.
	 *
	 * @throws {RefusalError} as `quoteBuyExactIn`, and if a known wallet holds too few.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * const { walletLamports, minLamports } = curve.quoteSellExactIn(toBaseUnits(1_000_000));
	 * console.log(walletLamports, minLamports); // 37406565n
	 * ```
	 */
	quoteSellExactIn(tokens: Amount, trader?: Trader): CurveQuote;
	/**
	 * Everything about a sell of a percentage of what the trader's wallet holds; 100 sells exactly all of it.
	 *
	 * @throws {RefusalError} as `quoteSellExactIn`; `token_account_not_open` if the wallet is unknown.
	 *
	 * @example
	 * ```js
	 * import { Curve, Trader, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * const trader = new Trader({ wallet: { lamports: 10_000_000n, tokenAccount: { tokens: toBaseUnits(1_000_000) } } });
	 * const { tokenAmount, tokenAccount } = curve.quoteSellPercentage(100, trader);
	 * console.log(tokenAmount, tokenAccount); // 1000000 closes
	 * ```
	 */
	quoteSellPercentage(percent: number | string, trader: Trader): CurveQuote;
	/**
	 * What a bundle would do, in one transaction: each leg trades on the curve as the legs before it leave it. This curve does not
	 * move.
	 *
	 * @throws {RefusalError} where the launchpad refuses a leg; `leg` is its index. Too few lamports are only a warning.
	 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const { signatures, fits } = new Curve().quoteBundle({
	 *   wallets: [{ wallet: "ada", lamports: 5_000_000_000n }],
	 *   legs: [{ fromWallet: "ada", buyExactIn: 1_000_000_000n }],
	 *   feePayer: "ada",
	 * });
	 * console.log(signatures, fits); // 1 plain
	 * ```
	 */
	quoteBundle(bundle: BundleOrder): CurveBundleQuote;
	/**
	 * The most lamports to spend, fees included, so that the average price before fees is at most this many basis points over
	 * the spot price.
	 *
	 * @throws {RefusalError} `out_of_reach` where even the smallest buy moves the price further.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().largestBuyWithinImpact(100)); // 303749899n
	 * ```
	 */
	largestBuyWithinImpact(impactBps: number): bigint;
	/**
	 * The most base units to buy so that the average price before fees is at most this many basis points over the spot price.
	 *
	 * @throws {RefusalError} as `largestBuyWithinImpact`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().mostTokensWithinImpact(100)); // 10623762341175n
	 * ```
	 */
	mostTokensWithinImpact(impactBps: number): bigint;
	/**
	 * The most base units to sell so that the average price before fees is at most this many basis points under the spot
	 * price, and the sale covers its fees.
	 *
	 * @throws {RefusalError} as `largestBuyWithinImpact`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * console.log(curve.largestSellWithinImpact(100)); // 9306456793540n
	 * ```
	 */
	largestSellWithinImpact(impactBps: number): bigint;
	/**
	 * The fewest lamports to spend, fees included, to get at least this many base units. The launchpad's `completion` decides about
	 * a buy past the end of the curve.
	 *
	 * @throws {RefusalError} if the curve has fewer.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().smallestBuyFor(toBaseUnits(1_000_000))); // 28334891n
	 * ```
	 */
	smallestBuyFor(tokens: Amount): bigint;
	/**
	 * The fewest base units to sell that bring at least this many lamports, after fees.
	 *
	 * @throws {RefusalError} `out_of_reach` if no sell does.
	 *
	 * @example
	 * ```js
	 * import { Curve, solToLamports } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * console.log(curve.smallestSellFor(solToLamports("0.01"))); // 267120343891n
	 * ```
	 */
	smallestSellFor(lamports: Amount): bigint;
	/**
	 * The most lamports to spend so that the trader's wallet can pay for trade, rent and network fee, and is left with
	 * zero or with at least its own rent minimum. A transaction that leaves less than the minimum fails.
	 *
	 * @param options - `keepExitFee` leaves the wallet with its rent minimum and, if it pays its own network fees, with the fee of
	 * selling again. By default the wallet is left with zero if possible.
	 * @throws {RefusalError} `insufficient_lamports` if it has too few even for rent and network fee; `below_rent_minimum` if it
	 * has enough for those, but not for the rent minimum; `out_of_reach` if the rest buys nothing.
	 *
	 * @example
	 * ```js
	 * import { Curve, Trader } from "launchpad-desk/launchpad";
	 *
	 * const [curve, trader] = [new Curve(), new Trader({ wallet: { lamports: 1_000_000_000n } })];
	 * console.log(curve.largestBuyWithinBalance(trader)); // 998506560n
	 * console.log(curve.largestBuyWithinBalance(trader, { keepExitFee: true })); // 997851320n
	 * ```
	 */
	largestBuyWithinBalance(trader: Trader, options?: {
		keepExitFee?: boolean;
	}): bigint;
	/**
	 * The fewest base units to sell so that the wallet gains at least this many lamports: after every fee, and with the
	 * account's refund if it has to sell everything.
	 *
	 * @throws {RefusalError} `out_of_reach` if selling everything brings less.
	 *
	 * @example
	 * ```js
	 * import { Curve, Trader, solToLamports, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * const trader = new Trader({ wallet: { lamports: 10_000_000n, tokenAccount: { tokens: toBaseUnits(1_000_000) } } });
	 * console.log(curve.smallestSellBringing(solToLamports("0.01"), trader)); // 267253935114n
	 * ```
	 */
	smallestSellBringing(lamports: Amount, trader: Trader): bigint;
	/**
	 * How to get back `costLamports`: all that was paid for what the trader's wallet holds, including fees, rent and network
	 * fees. The `costLamports` of a position has no rent in it: use `position.breakEven`.
	 *
	 * @throws {RefusalError} `out_of_reach` if even a completed curve would bring less.
	 *
	 * @example
	 * ```js
	 * import { Curve, Trader, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * const trader = new Trader({ wallet: { lamports: 10_000_000n, tokenAccount: { tokens: toBaseUnits(1_000_000) } } });
	 * const exit = curve.breakEven(100_000_000n, trader);
	 * if (!exit.reached) console.log(exit.spotPrice); // 99.939390267
	 * ```
	 */
	breakEven(costLamports: Amount, trader: Trader): BreakEven;
	/**
	 * The spends that bring each wallet the same tokens when they are made in order on this curve: as many tokens as the budget pays
	 * for. One base unit more for each wallet would exceed it.
	 *
	 * @throws {RefusalError} `out_of_reach` if the budget does not buy one base unit for each; `too_many_wallets`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const { tokens, spendsLamports } = new Curve().equalTokens(3_000_000_000n, 3);
	 * console.log(tokens); // 32149812669599n
	 * console.log(...spendsLamports); // 938223938n 998031042n 1063745020n
	 * ```
	 */
	equalTokens(budgetLamports: Amount, wallets: number): EqualTokens;
	/**
	 * The base units that each of these spends, in lamports, would buy on the curve as it is now; `REFUSED` for a spend that would
	 * buy none.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, for anything but a `BigUint64Array` of at most 2^24 rows.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const spends = BigUint64Array.of(1_000_000_000n, 2_000_000_000n);
	 * console.log(...new Curve().buysExactIn(spends)); // 34199203120618n 66285714223523n
	 * ```
	 */
	buysExactIn(lamports: BigUint64Array): BigUint64Array;
	/**
	 * What each of these amounts of base units would cost, in lamports, fees included; `REFUSED` for an amount that the launchpad
	 * refuses.
	 *
	 * @throws {TradeNotSentError} as `buysExactIn`.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const amounts = BigUint64Array.of(toBaseUnits(1_000_000), toBaseUnits(2_000_000));
	 * console.log(...new Curve().buysExactOut(amounts)); // 28334890n
	 * ```
	 */
	buysExactOut(tokens: BigUint64Array): BigUint64Array;
	/**
	 * The lamports that each of these amounts of base units would bring, after fees; `REFUSED` for an amount that the launchpad
	 * refuses.
	 *
	 * @throws {TradeNotSentError} as `buysExactIn`.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * const amounts = BigUint64Array.of(toBaseUnits(1_000_000), toBaseUnits(2_000_000));
	 * console.log(...curve.sellsExactIn(amounts)); // 37406565n
	 * ```
	 */
	sellsExactIn(tokens: BigUint64Array): BigUint64Array;
	/**
	 * The base units that these spends would buy in order, each on the curve as those before it leave it. A spend that would buy none
	 * is `REFUSED`, and changes nothing for the next. This curve does not move.
	 *
	 * @throws {TradeNotSentError} as `buysExactIn`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const spends = BigUint64Array.of(1_000_000_000n, 1_000_000_000n);
	 * console.log(...new Curve().buysInSequence(spends)); // 34199203120618n 32086511038933n
	 * ```
	 */
	buysInSequence(lamports: BigUint64Array): BigUint64Array;
	/**
	 * `buysExactIn` from and into columns in the module's memory: two different columns of the same length.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if they are not.
	 *
	 * @example
	 * ```js
	 * import { Amounts, Curve } from "launchpad-desk/launchpad";
	 *
	 * const [lamports, tokens] = [new Amounts(1), new Amounts(1)];
	 * lamports.values[0] = 1_000_000_000n;
	 * new Curve().fillBuysExactIn(lamports, tokens);
	 * console.log(tokens.values[0]); // 34199203120618n
	 * ```
	 */
	fillBuysExactIn(lamports: Amounts, tokens: Amounts): void;
	/**
	 * `buysExactOut` from and into columns in the module's memory: two different columns of the same length.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if they are not.
	 *
	 * @example
	 * ```js
	 * import { Amounts, Curve } from "launchpad-desk/launchpad";
	 *
	 * const [tokens, lamports] = [new Amounts(1), new Amounts(1)];
	 * tokens.values[0] = 1_000_000_000_000n;
	 * new Curve().fillBuysExactOut(tokens, lamports);
	 * console.log(lamports.values[0]); // 28334890n
	 * ```
	 */
	fillBuysExactOut(tokens: Amounts, lamports: Amounts): void;
	/**
	 * `sellsExactIn` from and into columns in the module's memory: two different columns of the same length.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if they are not.
	 *
	 * @example
	 * ```js
	 * import { Amounts, Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * const [tokens, lamports] = [new Amounts(1), new Amounts(1)];
	 * tokens.values[0] = 1_000_000_000_000n;
	 * curve.fillSellsExactIn(tokens, lamports);
	 * console.log(lamports.values[0]); // 37406565n
	 * ```
	 */
	fillSellsExactIn(tokens: Amounts, lamports: Amounts): void;
	/**
	 * Moves the curve by a buy of this many lamports, fees included, and returns the base units bought.
	 *
	 * @throws {RefusalError} where the launchpad refuses the buy; then nothing has moved.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * console.log(curve.moveByBuy(5_000_000_000n)); // 151660777334045n
	 * console.log(curve.spotPrice); // 37.921181194
	 * ```
	 */
	moveByBuy(lamports: Amount): bigint;
	/**
	 * Moves the curve by a sell of this many base units, and returns the lamports it brought, after fees.
	 *
	 * @throws {RefusalError} where the launchpad refuses the sell; then nothing has moved.
	 *
	 * @example
	 * ```js
	 * import { Curve, toBaseUnits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveByBuy(5_000_000_000n);
	 * console.log(curve.moveBySell(toBaseUnits(1_000_000))); // 37406565n
	 * ```
	 */
	moveBySell(tokens: Amount): bigint;
	/**
	 * Sets the curve's reserves, such as those just read from the chain.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.moveTo({
	 *   virtualTokenReserves: 1_006_714_285_840_449n, // base units
	 *   virtualSolReserves: 31_975_308_640n, // lamports
	 *   realTokenReserves: 726_814_285_840_449n,
	 *   realSolReserves: 1_975_308_640n,
	 * });
	 * console.log(curve.spotPrice); // 31.762049163
	 * ```
	 */
	moveTo(reserves: CurveConfig): void;
	/**
	 * A copy of this curve that moves independently.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * const later = curve.clone();
	 * later.moveByBuy(5_000_000_000n);
	 * console.log(curve.spotPrice, later.spotPrice); // 27.958993476 37.921181194
	 * ```
	 */
	clone(): Curve;
	/**
	 * The curve's reserves.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const { realTokenReserves, realSolReserves } = new Curve().reserves;
	 * console.log(realTokenReserves, realSolReserves); // 793100000000000n 0n
	 * ```
	 */
	get reserves(): CurveReserves;
	/**
	 * The total supply of the token, in base units.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().supply); // 1000000000000000n
	 * ```
	 */
	get supply(): bigint;
	/**
	 * Whether the token has a creator who earns a fee.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve({ hasCreator: false }).hasCreator); // false
	 * ```
	 */
	get hasCreator(): boolean;
	/**
	 * Whether trading has ended: every token is sold, or the curve says so by itself. A complete curve trades no more.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve({ launchpad: { completion: "partial" } });
	 * curve.moveByBuy(100_000_000_000n); // more than there is: it buys what is left
	 * console.log(curve.complete); // true
	 * ```
	 */
	get complete(): boolean;
	/**
	 * The spot price in lamports per whole token, as exact text to nine places; `null` if there is none.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().spotPrice); // 27.958993476
	 * ```
	 */
	get spotPrice(): string | null;
	/**
	 * The value of the whole supply at the spot price, in lamports; `null` if there is no price.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().marketCapLamports); // 27958993476n
	 * ```
	 */
	get marketCapLamports(): bigint | null;
	/**
	 * The fee rates of the next trade, in basis points, at the current market cap.
	 *
	 * @throws {RefusalError} if the curve has no price.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const { protocolBps, creatorBps } = new Curve().feeRates;
	 * console.log(protocolBps, creatorBps); // 95 30
	 * ```
	 */
	get feeRates(): {
		protocolBps: number;
		creatorBps: number;
	};
	/**
	 * The rent of a token account, in lamports: what opening one costs.
	 *
	 * @throws {RefusalError} if it is over 64 bits.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Curve().tokenAccountRentLamports); // 1488440n
	 * ```
	 */
	get tokenAccountRentLamports(): bigint;
	/**
	 * The launchpad's rules as data, with the date on which they were read.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const { asOf, tokenDecimals } = new Curve().launchpad;
	 * console.log(tokenDecimals); // 6
	 * ```
	 */
	get launchpad(): Required<LaunchpadConfig>;
	/**
	 * Frees its memory now. Using it afterwards throws; freeing it again does nothing.
	 *
	 * @example
	 * ```js
	 * import { Curve } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * curve.free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * Where each default rule of {@link defaultLaunchpad} comes from, and the date as of which it holds. Each is a setting of a launchpad.
 *
 * @example
 * ```js
 * import { defaultLaunchpad, launchpadRules } from "launchpad-desk/launchpad";
 *
 * const values = defaultLaunchpad();
 * for (const { setting, asOf, source } of launchpadRules()) console.log(setting, values[setting], asOf, source);
 * ```
 */
export declare function launchpadRules(): LaunchpadRule[];
/**
 * The launchpad's default rules as data, with the date of the oldest of them. Rules change, so check `asOf` before you rely on
 * them; {@link launchpadRules} has the date and the source of each.
 *
 * @example
 * ```js
 * import { defaultLaunchpad } from "launchpad-desk/launchpad";
 *
 * const { asOf, feeTiers } = defaultLaunchpad();
 * console.log(feeTiers[0].protocolBps); // 95
 * ```
 */
export declare function defaultLaunchpad(): Required<LaunchpadConfig>;
/**
 * An order of an exit, and the request that sells it.
 *
 * @see {@link OpenExits.next}
 */
export interface OrderedExit {
	/** The order. */
	order: ExitOrder;
	/** What `client.sell` takes. Its intent id is the order's. */
	request: SellRequest;
}
/**
 * When a look was taken, and what the wallet holds.
 *
 * @see {@link OpenExits.next}
 */
export interface TickOptions {
	/** The time, in milliseconds since 1970. Default: now. */
	atMs?: number;
	/** Base units of the token that the wallet holds, those of other positions too. Default: unknown. No more than this is ordered. */
	walletTokens?: Amount | null;
}
/**
 * The exits of one position. `next` says what to sell at a look at the market, `settled` takes what became of it.
 *
 * `client.manage` carries them out. Use them yourself in a simulation, or where you send in your own way: keep `state` before you send,
 * send each order under its intent id, and report every end of it.
 *
 * @example
 * ```js
 * import { Curve, Exits } from "launchpad-desk/launchpad";
 *
 * const curve = new Curve();
 * const tokens = curve.moveByBuy(1_000_000_000n);
 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens, costLamports: 1_000_005_000n };
 * const open = new Exits({ takeProfit: [{ at: "2x", sell: "50%" }] }).open(position);
 *
 * console.log(open.next(curve)); // undefined
 * curve.moveByBuy(20_000_000_000n); // others buy
 * const { order, request } = open.next(curve) ?? {};
 * console.log(order?.intentId, order?.multiple, request?.amountInToken); // signal-1/tp1 2.56…
 * open.settled("signal-1/tp1", "landed");
 * console.log(open.state.rungsSold); // 1
 * ```
 */
export declare class OpenExits {
	#private;
	/** Only `Exits.open` makes these. */
	private constructor();
	/**
	 * The order that this look at the market asks for, if any. Nothing else is ordered until it is `settled`.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if the plan has `timeMs` and the position's `openedAtMs` cannot be of the clock of the looks.
	 *
	 * @example
	 * ```js
	 * import { Curve, Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n, openedAtMs: 0 };
	 * const open = new Exits({ timeMs: 60_000 }).open(position);
	 * const curve = new Curve();
	 * curve.moveByBuy(1_000_000_000n);
	 * console.log(open.next(curve, { atMs: 59_999 }), open.next(curve, { atMs: 60_000 })?.order.reason); // undefined time
	 * ```
	 */
	next(curve: Curve, { atMs, walletTokens }?: TickOptions): OrderedExit | undefined;
	/**
	 * What selling everything that is left would bring now, compared with what was paid for it: `"1.25x"`; `null` without a price.
	 *
	 * @example
	 * ```js
	 * import { Curve, Exits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * const tokens = curve.moveByBuy(1_000_000_000n);
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens, costLamports: 1_000_005_000n };
	 * console.log(new Exits({ stopLoss: "0.7x" }).open(position).multiple(curve)); // 0.975298762x
	 * ```
	 */
	multiple(curve: Curve, { atMs, walletTokens }?: TickOptions): string | null;
	/**
	 * Takes what became of an order. `unknown` and `unconfirmed` wait; after `not_sent` it may be ordered again under its id; after
	 * `rejected`, `failed` and `did_not_land` under a new one.
	 *
	 * @param options - `atMs`: when, default now; `soldTokens`: base units that it sold, or would have, default those ordered.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * const open = new Exits({ stopLoss: "0.7x" }).open(position);
	 * open.settled("signal-1/all", "landed");
	 * console.log(open.isOver); // true
	 * ```
	 */
	settled(intentId: string, outcome: IntentOutcome, { atMs, soldTokens }?: {
		atMs?: number;
		soldTokens?: Amount;
	}): void;
	/**
	 * Orders nothing until `resume`. Prices are still followed, and `closeNow` works.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * const open = new Exits({ stopLoss: "0.7x" }).open(position);
	 * open.pause();
	 * console.log(open.state.paused); // true
	 * ```
	 */
	pause(): void;
	/**
	 * Orders again.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * const open = new Exits({ stopLoss: "0.7x" }).open(position);
	 * open.pause();
	 * open.resume();
	 * console.log(open.state.paused); // false
	 * ```
	 */
	resume(): void;
	/**
	 * Sells everything at the next look, paused or not.
	 *
	 * @example
	 * ```js
	 * import { Curve, Exits } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * const tokens = curve.moveByBuy(1_000_000_000n);
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens, costLamports: 1_000_005_000n };
	 * const open = new Exits({ stopLoss: "0.7x" }).open(position);
	 * open.closeNow();
	 * console.log(open.next(curve)?.order.reason); // close_now
	 * ```
	 */
	closeNow(): void;
	/**
	 * How far the exits are, to be kept. In JSON its bigints are text, which `Exits.open` accepts as well.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * console.log(new Exits({ stopLoss: "0.7x" }).open(position).state.best); // 0x
	 * ```
	 */
	get state(): ExitState;
	/**
	 * The best multiple that was seen, in billionths. It costs less than `state`.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * console.log(new Exits({ stopLoss: "0.7x" }).open(position).bestBillionths); // 0n
	 * ```
	 */
	get bestBillionths(): bigint;
	/**
	 * Whether nothing is left to sell.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * console.log(new Exits({ stopLoss: "0.7x" }).open(position).isOver); // false
	 * ```
	 */
	get isOver(): boolean;
	/**
	 * The order that is not settled, with its request; `null` for none.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * console.log(new Exits({ stopLoss: "0.7x" }).open(position).order); // null
	 * ```
	 */
	get order(): OrderedExit | null;
	/**
	 * The intent ids that its exits may have been sent under: the first 256 attempts of each rung, which take four hours with the waits
	 * between them. Who has lost the state asks the journal for them, and tells `settled` which of them landed.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * console.log(new Exits({ stopLoss: "0.7x" }).open(position).intentIds[0]); // signal-1/all
	 * ```
	 */
	get intentIds(): string[];
	/**
	 * Frees its memory now. Using it afterwards throws; freeing it again does nothing.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000n };
	 * new Exits({ stopLoss: "0.7x" }).open(position).free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * Where the exits of a position see their price: a `Sandbox`, a `Market` of `launchpad-desk/chain`, or any object with these methods.
 *
 * @example
 * ```js
 * import { Curve } from "launchpad-desk/launchpad";
 *
 * const mine = { look: async () => ({ curve: new Curve(), atMs: Date.now() }) };
 * console.log((await mine.look()).curve.complete); // false
 * ```
 */
export interface ExitMarket {
	/** The token's curve now, and what the wallet holds, if that is known. */
	look(mint: string, wallets: readonly string[]): ExitLook | Promise<ExitLook>;
	/** What is proven of an exit of unknown outcome; `null` if nothing is. Without it, the client's own market is asked (`client.settle`), and
	 * without that such an exit waits for `client.acknowledge`. */
	foundOf?(intent: ManagedIntent): Promise<Found | null>;
	/** Whether the transaction of an exit that the service did not confirm is final. Without it, or without a signature, such an exit has
	 * landed once the wallet holds so many tokens less. */
	confirm?(signature: string): Promise<"finalized" | "failed" | "not_seen">;
	/** What the transaction of a sell that has ended has moved; `null` if it is not shown yet. Without it, events do not say what was received. */
	moved?(trade: EndedSell & {
		readonly signature: string;
	}): Promise<Moved | null>;
}
/**
 * A trade that has ended, as a client has it.
 *
 * @see {@link Managed}
 */
export interface EndedSell {
	/** What was asked for. */
	readonly operation: Operation;
	/** The exact body. */
	readonly body: string;
	/** When it was admitted, in milliseconds since 1970. */
	readonly startedAtMs: number;
	/** The finalized slot at which its wallets were read before it was sent, if they were. */
	readonly beforeSlot?: bigint | null;
}
/**
 * A look at a token.
 *
 * @see {@link ExitMarket}
 */
export interface ExitLook {
	/** Its curve, or what `new Curve(…)` takes. */
	curve: Curve | CurveOptions;
	/** What the wallet holds: `holding` is `null` if it has no account of the token. */
	wallets?: readonly {
		wallet: string;
		holding: {
			tokens: bigint;
		} | null;
	}[];
	/** When it was taken, in milliseconds since 1970. Default: now. */
	atMs?: number;
	/** Whether its source stands still, so that the price may be an old one. Then nothing is decided (`no_look`); what the wallet holds still
	 * counts for an exit in doubt. Default: false. */
	stale?: boolean;
}
/**
 * An intent, as clients and journals have it.
 *
 * @see {@link ExitMarket}
 */
export interface ManagedIntent {
	/** The trade's id. */
	readonly intentId: string;
	/** What is asked for. */
	readonly operation: Operation;
	/** The exact body. */
	readonly body: string;
	/** When it was admitted, in milliseconds since 1970. */
	readonly startedAtMs: number;
}
/**
 * What exits need of their client.
 *
 * @see {@link Managed}
 */
export interface ExitClient {
	sell(request: SellRequest, options: {
		intentId: string;
	}): Promise<{
		status: string;
	}>;
	pending(): Promise<readonly unknown[]>;
	acknowledge(intentId: string, found: Found): Promise<boolean>;
	intentState(intentId: string): Promise<IntentState | null>;
	/** Whether `settle` has a market to ask. Default: true. */
	readonly hasMarket?: boolean;
	/** By how many decimals it counts a token. Exits of a token with others are not ordered. Default: those of the token. */
	readonly tokenDecimals?: number;
	/** Finds out what became of the client's trades in doubt, and records it. It is called while an exit is in doubt, every two seconds at
	 * most, if the market of the exits has no `foundOf`. */
	settle?(): Promise<unknown>;
	/** What the client's limits say of an exit, before the first look. Without it, a plan that they never let through is noticed at its
	 * first order. */
	plan?(operation: "sell", request: SellRequest): Promise<{
		readonly refused: {
			readonly code: string;
			readonly message: string;
		} | null;
		readonly warnings?: readonly {
			readonly code: string;
			readonly message: string;
		}[];
	}>;
	/** How an exit ended, and its body. Without it, one that was accepted counts as landed after a restart. What is `proven` counts instead of
	 * what the service had said: also of the trade with the position's id, which bought it. */
	endedTrade?(intentId: string): Promise<({
		readonly outcome: IntentOutcome;
		readonly signature?: string;
		readonly proven?: boolean;
	} & Partial<EndedSell>) | null>;
}
/**
 * How exits are carried out.
 *
 * @see {@link Managed}
 */
export interface ManageOptions {
	/** Keeps the state: it is called, and waited for, before each order is sent and whenever the state has changed otherwise. If it throws
	 * before an order is sent, the order is not sent. It is not called again before it has ended. */
	save?: (state: ExitState) => void | Promise<void>;
	/** The state of this position that was kept, if there is one; it must have this plan. Default: what the journal says of this position's exits. */
	kept?: ExitState | null;
	/** Replaces the plan of the kept state by this one; what has acted, or is in doubt, stays as it was. Default: another plan is refused. */
	replacePlan?: boolean;
	/** How long the iterator waits between two looks, in milliseconds. Default: 1000. */
	everyMs?: number;
	/** How long a look may take, in milliseconds: then nothing is decided (`no_look`), and the next tick looks again. Default: 10000. */
	timeoutMs?: number;
}
/**
 * What happened to an exit, which {@link ExitHappening} says.
 *
 * @see {@link Managed}
 */
export interface ExitEvent {
	/** What happened. */
	what: ExitHappening;
	/** The order; `null` if it is about none. */
	order: ExitOrder | null;
	/** What the client or the market threw, or why the exits protect the position no longer; `null` if it is neither. */
	error: unknown;
	/** Base units that the order has sold, by its transaction or, until that is shown, by the reply; of `over`, all that were sold. `null` where
	 * it is not known. */
	soldTokens: bigint | null;
	/** Lamports that the order has brought, by its transaction: after every fee that the wallet paid, without rent; below zero for one that failed
	 * and paid its network fee. A reply has none, so it is `null` until the market shows it: then `received` says it. Of `over`, all that was
	 * received: less the position's `costLamports`, it is the profit. `null` if it is not known of all. */
	receivedLamports: bigint | null;
}
/**
 * The exits of a position, carried out by a client. Iterate it, or call `tick` in your own loop.
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
 * const managed = client.manage(position, new Exits({ stopLoss: "0.99x", slippage: { percent: 5 } }), sandbox);
 * for await (const { what, order, receivedLamports } of managed) {
 *   console.log(what, order?.reason); // landed stop_loss
 *   if (what === "over" && receivedLamports !== null) console.log(receivedLamports - position.costLamports); // -24701361n
 * }
 * console.log(sandbox.wallets[0].tokenAccounts.length); // 0
 * ```
 */
export declare class Managed implements AsyncIterable<ExitEvent> {
	#private;
	/** The exits, to be read. */
	readonly exits: OpenExits;
	/** Only `Exits.manage` makes these. */
	private constructor();
	/**
	 * Takes one look at the market, sends what it asks for, and resolves to what happened, once all of that has ended. Calls while one is
	 * running get its result.
	 *
	 * @throws what `save` throws, and `journal_failed`; `invalid_options`, if the position's `openedAtMs` cannot be of the clock of the looks;
	 * `TypeError` at the first look, if the client's limits would refuse every order, by
	 * slippage, priority fee, mint or wallet, if a bare slippage is over 100 %, or if it counts the token by other decimals than it has;
	 * `invalid_options`, if what the position holds or cost cannot be in base units and lamports by the price of the first look.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
	 * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
	 * console.log((await managed.tick()).length); // 0
	 * ```
	 */
	tick(): Promise<ExitEvent[]>;
	/**
	 * Whether nothing is left to do: nothing to sell, and no sell of which the market may still show what it brought. That is waited for at most
	 * a minute.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
	 * console.log(client.manage(position, new Exits({ timeMs: 60_000 }), sandbox).isOver); // false
	 * ```
	 */
	get isOver(): boolean;
	/**
	 * Says how the order that is in doubt ended, where nothing else can prove it. An order that did not land may then be sent again, under a
	 * new id. Resolves to whether an order was in doubt.
	 *
	 * @throws what `save` throws, and `journal_failed`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
	 * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
	 * console.log(await managed.acknowledge("landed")); // false
	 * ```
	 */
	acknowledge(found: Found): Promise<boolean>;
	/**
	 * Orders nothing until `resume`. Prices are still followed, what is in flight is still settled, and `closeNow` works.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
	 * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
	 * await managed.pause();
	 * console.log(managed.exits.state.paused); // true
	 * ```
	 */
	pause(): Promise<void>;
	/**
	 * Orders again.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
	 * const managed = client.manage(position, new Exits({ timeMs: 60_000 }), sandbox);
	 * await managed.pause();
	 * await managed.resume();
	 * console.log(managed.exits.state.paused); // false
	 * ```
	 */
	resume(): Promise<void>;
	/**
	 * Sells everything that is left at the next look, paused or not. An iterator takes that look at once.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
	 * const [token, owner] = [sandbox.tokens[0], sandbox.wallets[0]];
	 * await client.buy({ mint: token.mint, fromWallet: owner.wallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
	 * const managed = client.manage(await client.positionOf("signal-1"), new Exits({ timeMs: 60_000 }), sandbox);
	 * await managed.closeNow();
	 * console.log((await managed.tick()).map(({ what }) => what).join(" ")); // ordered landed over
	 * ```
	 */
	closeNow(): Promise<void>;
	/** Looks at the market again and again, until nothing is left to sell. To stop, leave the loop. */
	[Symbol.asyncIterator](): AsyncIterator<ExitEvent>;
}
/**
 * An exit plan that was checked: when a position is sold, and how much of it. It is for any number of positions.
 *
 * @example
 * ```js
 * import { Exits } from "launchpad-desk/launchpad";
 *
 * const exits = new Exits({
 *   takeProfit: [{ at: "2x", sell: "50%" }, { at: "4x", sell: "25%" }],
 *   stopLoss: "0.7x",
 *   trailing: { by: "30%", from: "1.5x" },
 *   timeMs: 3_600_000,
 *   slippage: { percent: 10 },
 * });
 * console.log(exits.plan.stopLoss); // 0.7x
 * ```
 */
export declare class Exits {
	/** The plan as it was given. */
	readonly plan: ExitPlan;
	/**
	 * Checks a plan.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
	 *
	 * @example
	 * ```js
	 * import { isTradeError } from "launchpad-desk";
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * try {
	 *   new Exits({ stopLoss: "30%" });
	 * } catch (error) {
	 *   if (isTradeError(error)) console.log(error.fields?.[0]?.field); // stopLoss
	 * }
	 * ```
	 */
	constructor(plan: ExitPlan);
	/**
	 * The exits of a position, from its start or from a state that was kept, which must be of this position and have this plan. With
	 * `replacePlan: true` this plan replaces that of the state: what has acted, or is in doubt, stays as it was.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Exits } from "launchpad-desk/launchpad";
	 *
	 * const exits = new Exits({ stopLoss: "0.7x" });
	 * const position = { id: "signal-1", mint: "M", wallet: "W", tokens: 5_000_000n, costLamports: 1_000_005_000n };
	 * const kept = JSON.stringify(exits.open(position).state);
	 * console.log(exits.open(position, JSON.parse(kept)).state.tokens); // 5000000n
	 *
	 * const tighter = new Exits({ stopLoss: "0.9x" });
	 * console.log(tighter.open(position, JSON.parse(kept), { replacePlan: true }).state.plan.stopLoss); // 0.9x
	 * ```
	 */
	open(position: ExitPosition, kept?: ExitState | null, { replacePlan }?: {
		replacePlan?: boolean;
	}): OpenExits;
	/**
	 * Carries the exits of a position out with a client: what `client.manage` calls.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad field of the position or of the kept state in `fields`.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Exits, Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * const position = { id: "signal-1", mint: sandbox.tokens[0].mint, wallet: sandbox.wallets[0].wallet, tokens: 5n, costLamports: 1n };
	 * const managed = new Exits({ timeMs: 60_000 }).manage(client, position, sandbox);
	 * console.log((await managed.tick()).length); // 0
	 * ```
	 */
	manage(client: ExitClient, position: ExitPosition, market: ExitMarket, options?: ManageOptions): Managed;
}
/**
 * Trades of one token in columns of the same length, which cross fastest. Its mint is `token`.
 *
 * @example
 * ```js
 * import { backtest } from "launchpad-desk/launchpad";
 *
 * const tape = { atMs: BigUint64Array.of(0n, 500n, 900n), orders: Uint8Array.of(0, 0, 1), amounts: BigUint64Array.of(1_000_000_000n, 2_000_000_000n, 5_000_000n) };
 * console.log(backtest({ tape, entry: { lamports: 100_000_000n } }).replayed); // 3
 * ```
 */
export interface TapeColumns {
	/** When each was made, in milliseconds, never before the one before it. */
	atMs: BigUint64Array;
	/** 0 buys for lamports, 1 sells tokens, 2 buys tokens. */
	orders: Uint8Array;
	/** Lamports with fees, or base units. */
	amounts: BigUint64Array;
}
/**
 * When to buy each token of the tape.
 *
 * @see {@link BacktestOptions}
 */
export interface BacktestEntry {
	/** What to spend, fees included, in lamports. */
	lamports: Amount;
	/** How long after the token's first trade on the tape, in milliseconds. Default: 0. */
	afterMs?: number;
	/** Buys again this many milliseconds after the position was left, or after a buy that came to nothing, then at least a second later. Default:
	 * never. */
	everyMs?: number;
}
/**
 * A buy at a time that was known beforehand, such as a signal that was recorded live.
 *
 * @see {@link BacktestOptions}
 */
export interface BacktestSignal {
	/** Mint address of the token. */
	mint: string;
	/** When, in milliseconds of the tape. */
	atMs: number;
	/** What to spend, fees included, in lamports. */
	lamports: Amount;
}
/**
 * What a strategy asks for: a buy, or a sell of base units or of a percentage of what is held.
 *
 * @see {@link BacktestOptions}
 */
export type BacktestAction = {
	/** Lamports to spend, fees included. */
	buy: Amount;
	/** Mint address. Default: that of the trade which was seen. */
	mint?: string;
	/** How far the price may move until it arrives. Default: that of the backtest. */
	slippage?: SlippageInput;
	/** When to leave what it buys. Default: when the strategy sells. */
	exits?: ExitPlan | Exits;
} | {
	/** Base units, or a percentage such as `"100%"`. A position that has exits is sold as a whole. */
	sell: Amount | `${number}%`;
	/** Mint address. Default: that of the trade which was seen. */
	mint?: string;
	/** How far the price may move until it arrives. Default: that of the backtest. */
	slippage?: SlippageInput;
};
/**
 * What is known at a time of a backtest: a trade of the tape, and what is ours. Nothing later can be reached from it.
 *
 * @see {@link BacktestOptions}
 */
export interface BacktestNow {
	/** The time, in milliseconds of the tape. */
	atMs: number;
	/** Mint address of the token that was traded. */
	mint: string;
	/** The trade that was seen, as it went on the curve that our own trades have moved; zero if the launchpad refused it there. */
	trade: {
		side: Side;
		lamports: bigint;
		tokens: bigint;
	};
	/** A copy of the token's curve now. */
	readonly curve: Curve;
	/** What the wallet has, in lamports. */
	lamports: bigint;
	/** Our position in this token: base units, what was paid and received so far, and since when. Null without one. */
	position: {
		tokens: bigint;
		paidLamports: bigint;
		receivedLamports: bigint;
		openedAtMs: number;
	} | null;
	/** Whether an order of this token is on its way. Until it arrives, further orders of the token are not sent. */
	isInFlight: boolean;
	/** An object for the strategy's own notes, new for each run. */
	notes: Record<string, unknown>;
}
/**
 * What a backtest runs, and over what.
 *
 * @example
 * ```ts
 * import { type BacktestOptions, backtest } from "launchpad-desk/launchpad";
 *
 * // Buys after a large buy of somebody else, and sells by rules.
 * const options: BacktestOptions = {
 *   tape: "atMs,side,mint,lamports,tokens\n0,buy,M,3000000000,\n900,buy,M,500000000,\n5000,sell,M,,9000000000000",
 *   latencyMs: [350, 420, 900],
 *   seed: 7,
 *   strategy: ({ trade, position, isInFlight }) =>
 *     trade.lamports > 2_000_000_000n && !position && !isInFlight ? { buy: 100_000_000n, exits: { stopLoss: "0.8x" } } : undefined,
 * };
 * console.log(backtest(options).orders[0]?.arrivedAtMs); // 420
 * ```
 */
export interface BacktestOptions {
	/** Recorded trades: a list, their text in JSON or CSV, or columns. */
	tape: readonly RecordedTrade[] | string | TapeColumns;
	/** Each token before its first trade on the tape: one curve for all, or a curve for each mint that stood elsewhere than a new token. The
	 * launchpad's rules are those of the first curve. Default: tokens that have just been created. */
	start?: Curve | Readonly<Record<string, Curve>>;
	/** What the wallet has at the start, in lamports. Default: 10 SOL. */
	lamports?: Amount;
	/** Buys each token at a time. */
	entry?: BacktestEntry;
	/** Buys at the times of signals, in their order. */
	signals?: readonly BacktestSignal[];
	/** When the positions of `entry` and `signals` are left. Default: at the end. */
	exits?: ExitPlan | Exits;
	/** Decides after each trade of the tape. It is called once for each, and must not return a promise. */
	strategy?: (now: BacktestNow) => BacktestAction | readonly BacktestAction[] | null | undefined | void;
	/** Milliseconds from a decision until its order arrives: one time, or a list of measured ones to draw from. Default: 0. */
	latencyMs?: number | readonly number[];
	/**
	 * How often the exits look, in milliseconds since their position was opened: what `everyMs` of `client.manage` is, 1000 by default there.
	 * What the price does between two looks is not seen. Default: 0, after each trade of their token.
	 */
	lookEveryMs?: number;
	/** The priority that each of our orders pays for. An exit plan may have its own. Default: none. */
	fees?: {
		priorityUnitLimit?: Amount;
		priorityUnitPrice?: Amount;
	};
	/** How far the price may move until an order arrives. An exit plan may have its own. Default: 0.5 %. */
	slippage?: SlippageInput;
	/** The unit of a bare slippage, also of an exit plan: that of the client which is to carry the plan out. Default: `percent`. */
	slippageUnit?: "percent" | "bps";
	/** What the latency is drawn from. Default: 0. */
	seed?: Amount;
}
/**
 * Runs a strategy over recorded trades: what it would have done, and what would have become of it, to the lamport. Our own trades
 * move the curve, and the recorded orders of the others are made again on the moved curve: for the same lamports, or of the same base
 * units, at any price. `docs/backtest.md` says what that assumes.
 *
 * A strategy is `exits` after an `entry` or `signals`, or a function that is called after each trade of the tape, or both.
 *
 * @throws {TradeNotSentError} `invalid_options`, with every bad option, or the first 100 bad trades, in `fields`. What the strategy
 * throws is thrown.
 *
 * @example
 * ```js
 * import { Sandbox, backtest } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox({ market: { alive: true, seed: 7 } });
 * sandbox.advance(600_000);
 * const run = backtest({
 *   tape: sandbox.marketTrades,
 *   entry: { lamports: 100_000_000n, afterMs: 10_000 },
 *   exits: { takeProfit: [{ at: "2x", sell: "50%" }], stopLoss: "0.7x", timeMs: 300_000, slippage: { percent: 20 } },
 *   latencyMs: 400,
 * });
 * console.log(run.positions.length, run.winRate, run.profitLamports);
 * ```
 */
export declare function backtest(options: BacktestOptions): BacktestRun;
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
 * A look at a token of a sandbox.
 *
 * @see {@link Sandbox.look}
 */
export interface SandboxLook {
	/** The token's curve, a copy. */
	curve: Curve;
	/** The wallets that were asked for and are known; `holding` is `null` without an account of the token. A wallet's next buy may also open
	 * its volume account, at its own cost. */
	wallets: {
		wallet: string;
		lamports: bigint;
		holding: SandboxTokenAccount | null;
		opensVolumeAccount: boolean;
	}[];
	/** The market's time, in milliseconds. */
	atMs: number;
}
/**
 * A value as JSON has it: lamports and base units are text, with all digits.
 *
 * @see {@link SandboxMarket.trades}
 */
export type InJson<T> = T extends bigint ? string : T extends readonly (infer Element)[] ? InJson<Element>[] : T extends object ? {
	[Field in keyof T]: InJson<T[Field]>;
} : T;
/**
 * An event of a market.
 *
 * | `type` | |
 * |---|---|
 * | `start` | a stream begins: how many trades this reader has missed, and whether the market has begun anew |
 * | `token` | a token as it is now: each one at the start, then each that was launched or has moved |
 * | `trade` | a trade that was made |
 * | `time` | the market's time has passed |
 *
 * @see {@link SandboxMarket.events}
 */
export type MarketEvent = {
	id: string;
} & ({
	type: "start";
	data: InJson<MarketStart>;
} | {
	type: "token";
	data: InJson<SandboxToken>;
} | {
	type: "trade";
	data: InJson<MarketTrade>;
} | {
	type: "time";
	data: {
		nowMs: number;
	};
});
/**
 * Where a sandbox is served.
 *
 * @see {@link SandboxMarket}
 */
export interface SandboxMarketOptions {
	/** Its address, as `serve` and `launchpad-desk sandbox` print it. */
	baseURL: string;
	/** What carries the requests. Default: the runtime's `fetch`. */
	fetch?: (url: string, init: {
		headers: Record<string, string>;
		signal?: AbortSignal;
	}) => Promise<Response>;
	/** How long an answer may take, in milliseconds. Default: 10000. */
	timeoutMs?: number;
}
/**
 * The market of a sandbox that is served elsewhere, read over HTTP: prices for `client.manage`, looks, trades and events. It sends
 * no key and changes nothing.
 *
 * @example
 * ```js
 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
 * import { serve } from "launchpad-desk/node";
 *
 * const sandbox = new Sandbox();
 * const served = await serve(sandbox);
 * const market = new SandboxMarket({ baseURL: served.url });
 * const { curve } = await market.look(sandbox.tokens[0].mint);
 * console.log(curve.buyExactIn(1_000_000_000n)); // 34199203120618n
 * await served.close();
 * ```
 */
export declare class SandboxMarket {
	#private;
	/**
	 * Makes a market. Nothing is read yet.
	 *
	 * @throws {TypeError} if `baseURL` is not a URL.
	 *
	 * @example
	 * ```js
	 * import { SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const market = new SandboxMarket({ baseURL: "http://127.0.0.1:8787" });
	 * ```
	 */
	constructor({ baseURL, fetch, timeoutMs }: SandboxMarketOptions);
	/**
	 * A token's curve and what these wallets hold, at one moment.
	 *
	 * @param wallets - at most 32.
	 * @throws {Error} with the service's reason, if there is no such token or no answer.
	 *
	 * @example
	 * ```js
	 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: sandbox.fetch });
	 * const look = await market.look(sandbox.tokens[0].mint, [sandbox.wallets[0].wallet]);
	 * console.log(look.wallets[0].lamports, look.wallets[0].holding); // 100000000000n null
	 * ```
	 */
	look(mint: string, wallets?: readonly string[]): Promise<SandboxLook>;
	/**
	 * A page of its trades, oldest first.
	 *
	 * @param options - `after`: `next` of the page before, or a trade's number, without which the newest trades come; `mint`: one token's
	 * trades; `limit`: how many, at most 1000, 100 by default.
	 * @throws {Error} with the service's reason.
	 *
	 * @example
	 * ```js
	 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true } });
	 * sandbox.advance(60_000);
	 * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: sandbox.fetch });
	 * const page = await market.trades({ after: 0, limit: 5 });
	 * console.log(page.trades.length, page.missed, page.more); // 5 0 true
	 * ```
	 */
	trades({ after, mint, limit }?: {
		after?: string | number;
		mint?: string;
		limit?: number;
	}): Promise<InJson<MarketTrades>>;
	/**
	 * A page of its tokens, in the order in which they were launched.
	 *
	 * @param options - `after`: `next` of the page before; `limit`: how many, at most 1000, 100 by default.
	 * @throws {Error} with the service's reason.
	 *
	 * @example
	 * ```js
	 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: new Sandbox().fetch });
	 * const { tokens } = await market.tokens();
	 * console.log(tokens[0].symbol, tokens[0].spotPrice); // RABBIT 27.958993476
	 * ```
	 */
	tokens({ after, limit }?: {
		after?: string;
		limit?: number;
	}): Promise<InJson<MarketTokens>>;
	/**
	 * A page of its wallets and what they hold.
	 *
	 * @param options - `after`: `next` of the page before; `limit`: how many, at most 1000, 100 by default.
	 * @throws {Error} with the service's reason.
	 *
	 * @example
	 * ```js
	 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: new Sandbox().fetch });
	 * const { wallets } = await market.wallets();
	 * console.log(wallets[0].label, wallets[0].lamports); // Ada 100000000000
	 * ```
	 */
	wallets({ after, limit }?: {
		after?: string;
		limit?: number;
	}): Promise<InJson<MarketWallets>>;
	/**
	 * Its events as they happen. A stream that breaks is opened again where it stopped; its `start` says what was missed, if anything was.
	 * What went wrong is passed as an error, and does not end it.
	 *
	 * @param options - `mint`: one token's events; `after`: the `id` of the last event that you have; `signal` ends it.
	 *
	 * @example
	 * ```js
	 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true } });
	 * sandbox.advance(60_000);
	 * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: sandbox.fetch });
	 * for await (const event of market.events({ after: "0" })) {
	 *   if (event instanceof Error || event.type !== "trade") continue;
	 *   console.log(event.id.split("-")[0]); // 1
	 *   break;
	 * }
	 * ```
	 */
	events({ mint, after, signal }?: {
		mint?: string;
		after?: string;
		signal?: AbortSignal;
	}): AsyncGenerator<MarketEvent | Error, void, undefined>;
	/**
	 * Looks at a token now, and again whenever it has moved. What went wrong is passed as an error, and does not end it. With a function
	 * in second place, each look is passed to it, until the returned function is called.
	 *
	 * @example
	 * ```js
	 * import { Sandbox, SandboxMarket } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const market = new SandboxMarket({ baseURL: "http://sandbox.localhost", fetch: sandbox.fetch });
	 * const stop = market.watch(sandbox.tokens[0].mint, (look) => {
	 *   console.log(look instanceof Error ? look.message : look.curve.spotPrice);
	 *   stop();
	 * });
	 * ```
	 */
	watch(mint: string, options?: WatchOptions): AsyncGenerator<SandboxLook | Error, void, undefined>;
	watch(mint: string, on: (look: SandboxLook | Error) => void, options?: WatchOptions): () => void;
}
/**
 * Values to try of each field of an exit plan, in their order.
 *
 * @example
 * ```ts
 * import type { ExitGrid } from "launchpad-desk/launchpad";
 *
 * const grid: ExitGrid = { stopLoss: ["0.6x", "0.7x", "0.8x"], timeMs: [60_000, 300_000, null] };
 * ```
 */
export type ExitGrid = {
	[Field in keyof ExitPlan]?: readonly ExitPlan[Field][];
};
/**
 * What one plan of a sweep came to.
 *
 * @see {@link sweep}
 */
export interface SweptPlan {
	/** The plan. */
	plan: ExitPlan;
	/** The number of its value in each list of the grid. */
	at: number[];
	/** What the wallet has more at the end, in lamports. */
	profitLamports: bigint;
	/** How many positions there were. */
	positions: number;
	/** How many of them gained. */
	wins: number;
	/** Orders that landed. */
	landed: number;
	/** Orders that failed. */
	failed: number;
	/** The deepest fall of the equity, in lamports. */
	drawdownLamports: bigint;
}
/**
 * A grid of exit plans over one tape.
 *
 * @see {@link sweep}
 */
export interface BacktestSweep {
	/** The fields of the grid. */
	fields: (keyof ExitPlan)[];
	/** Every plan, the last field changing first. */
	plans: SweptPlan[];
	/** The plan with the largest profit. */
	best: SweptPlan;
	/** The plans one step beside the best in one field. */
	neighbours: SweptPlan[];
	/** Whether the best gains while fewer than half of its neighbours do: then it may be the luckiest, not the best. */
	isLonely: boolean;
}
/**
 * Runs every plan of a grid over the same tape with the same seed, in one crossing. What the grid does not name comes from
 * `options.exits`. A strategy function is not called.
 *
 * @param options - as of `backtest`, with `grid`, and with `onProgress`, which is called with how many plans are done and how many
 * there are: then it crosses once for every 16 plans.
 *
 * @throws {TradeNotSentError} `invalid_options`, as of `backtest`.
 *
 * @example
 * ```js
 * import { Sandbox, sweep } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox({ market: { alive: true, seed: 7 } });
 * sandbox.advance(300_000);
 * const { best, neighbours, isLonely } = sweep({
 *   tape: sandbox.marketTrades,
 *   entry: { lamports: 100_000_000n, afterMs: 10_000 },
 *   exits: { slippage: { percent: 20 } },
 *   grid: { stopLoss: ["0.6x", "0.7x", "0.8x"], timeMs: [30_000, 60_000, 120_000] },
 * });
 * console.log(best.plan.stopLoss, neighbours.length, isLonely);
 * ```
 */
export declare function sweep(options: BacktestOptions & {
	grid: ExitGrid;
	onProgress?: (done: number, all: number) => void;
}): BacktestSweep;
/**
 * Profits of many runs.
 *
 * @see {@link backtestReport}
 */
export interface BacktestDistribution {
	/** Every profit, the smallest first, in lamports. */
	profitsLamports: bigint[];
	/** The smallest, in lamports. */
	leastLamports: bigint;
	/** A quarter of the runs are at this or below, in lamports. */
	quarterLamports: bigint;
	/** Half of them are. */
	medianLamports: bigint;
	/** Three quarters are. */
	threeQuartersLamports: bigint;
	/** The largest. */
	mostLamports: bigint;
	/** How many runs gained. */
	gained: number;
}
/**
 * What a person should see of a backtest. `reportText` and `reportHtml` show it.
 *
 * @see {@link backtestReport}
 */
export interface BacktestReport {
	/** What it is of. */
	title: string;
	/** The run with the seed that was given. */
	run: BacktestRun;
	/** Profits over several seeds, this one first among them; null for a single one. */
	seeds: BacktestDistribution | null;
	/** Profits of bots without an idea: as many buys for the same amounts, held as long, each at a random trade of the tape. Null if the run had no position. */
	withoutIdea: BacktestDistribution | null;
	/** How many of those the run beats. */
	beaten: number;
	/** The grid of exit plans, if there was one. */
	sweep: BacktestSweep | null;
}
/**
 * What `backtestReport` takes besides the options of a backtest.
 *
 * @see {@link backtestReport}
 */
export interface BacktestReportOptions extends Omit<BacktestOptions, "tape" | "seed"> {
	/** The tape, or a function of the seed that gives one: then every seed is another market. */
	tape: BacktestOptions["tape"] | ((seed: number) => BacktestOptions["tape"]);
	/** The first seed. Default: 0. */
	seed?: number;
	/** How many seeds to run, one after the other. Default: 1. */
	seeds?: number;
	/** How many bots without an idea to compare with. Default: 100. */
	withoutIdea?: number;
	/** Exit plans to try, as for `sweep`, on the first tape. */
	grid?: ExitGrid;
	/** Default: Backtest. */
	title?: string;
	/** Told how many steps are done, and how many there are: each seed, the bots without an idea, and each plan of the grid. */
	onProgress?: (done: number, all: number) => void;
}
/**
 * Runs a backtest with everything that helps to judge it: many seeds, bots without an idea beside it, and a grid of exit plans.
 *
 * @throws {TradeNotSentError} as `backtest` does; a RangeError for counts that are not whole numbers.
 *
 * @example
 * ```js
 * import { Sandbox, backtestReport, reportText } from "launchpad-desk/launchpad";
 *
 * const report = backtestReport({
 *   tape: (seed) => {
 *     const sandbox = new Sandbox({ market: { alive: true, seed } });
 *     sandbox.advance(120_000);
 *     return sandbox.marketTrades;
 *   },
 *   seeds: 5,
 *   entry: { lamports: 100_000_000n, afterMs: 5_000 },
 *   exits: { stopLoss: "0.7x", timeMs: 30_000, slippage: { percent: 20 } },
 *   latencyMs: [350, 420, 900],
 * });
 * console.log(report.seeds?.gained, report.beaten);
 * console.log(reportText(report));
 * ```
 */
export declare function backtestReport(options: BacktestReportOptions): BacktestReport;
/**
 * A report as one HTML page: light or dark as its reader likes it, readable on a phone, without a script and without anything from
 * elsewhere. Every amount is exact.
 *
 * @example
 * ```js
 * import { backtestReport, reportHtml } from "launchpad-desk/launchpad";
 *
 * const tape = "atMs,side,mint,lamports,tokens\n0,buy,M,3000000000,\n9000,buy,M,2000000000,";
 * const html = reportHtml(backtestReport({ tape, entry: { lamports: 100_000_000n }, title: "My first rule" }));
 * console.log(html.startsWith("<!doctype html>")); // true
 * ```
 */
export declare function reportHtml(report: BacktestReport): string;
/**
 * A report as text for a terminal, every amount exact.
 *
 * @example
 * ```js
 * import { backtestReport, reportText } from "launchpad-desk/launchpad";
 *
 * const tape = "atMs,side,mint,lamports,tokens\n0,buy,M,3000000000,\n9000,buy,M,2000000000,";
 * console.log(reportText(backtestReport({ tape, entry: { lamports: 100_000_000n } })).split("\n")[0]); // Backtest: +0.009602183 SOL
 * ```
 */
export declare function reportText(report: BacktestReport): string;
/**
 * One wallet's position in one token: receipts added up, at average cost.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Position, Sandbox, Trader, receipt } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet, lamports }] = sandbox.wallets;
 * const quote = sandbox.curve(mint).quoteBuyExactIn(1_000_000_000n, new Trader({ wallet: { lamports } }));
 * const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000n });
 *
 * const position = new Position();
 * position.add(receipt(quote, trade));
 * console.log(position.state.costLamports); // 1000005000n
 * console.log(position.unrealisedLamports(sandbox.curve(mint))); // -24696361n
 * ```
 */
export declare class Position {
	#private;
	/**
	 * Makes an empty position, or one that continues from the `state` of another.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad field in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Position } from "launchpad-desk/launchpad";
	 *
	 * const saved = JSON.stringify(new Position().state);
	 * const position = new Position(JSON.parse(saved));
	 * ```
	 */
	constructor(state?: PositionState);
	/**
	 * Adds a receipt; an unconfirmed one counts as an estimate. What counts is the whole change of the wallet's lamports, without
	 * rent.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if it is not a receipt.
	 *
	 * @example
	 * ```js
	 * import { Curve, Position, receipt } from "launchpad-desk/launchpad";
	 *
	 * const quote = new Curve().quoteBuyExactIn(1_000_000_000n);
	 * const exact = { buyAmount: quote.tokenAmount, preTokenBalance: "0", postTokenBalance: quote.tokenAmount };
	 * const position = new Position();
	 * position.add(receipt(quote, { operation: "buy", status: "landed", exact, result: { wallet: "ada" } })); // a client's trade
	 * console.log(position.state.tokens); // 34199203120618n
	 * ```
	 */
	add(receipt: TradeReceipt): void;
	/**
	 * Compares the position with the base units that the wallet holds: `null` if they agree. A difference means that something
	 * moved tokens that was not added: a trade whose outcome is unknown, a transfer, another program.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if it is not a whole number of base units.
	 *
	 * @example
	 * ```js
	 * import { Position } from "launchpad-desk/launchpad";
	 *
	 * const position = new Position({ ...new Position().state, tokens: 5_000_000n });
	 * console.log(position.check(5_000_000n)); // null
	 * const difference = position.check(4_000_000n);
	 * console.log(difference?.walletHolds, difference?.tokens); // fewer 1000000n
	 * ```
	 */
	check(walletTokens: Amount): PositionDifference | null;
	/**
	 * The position's state, to be saved. In JSON its bigints are text, which the constructor accepts as well.
	 *
	 * @example
	 * ```js
	 * import { Position } from "launchpad-desk/launchpad";
	 *
	 * const position = new Position();
	 * console.log(JSON.stringify(position.state)); // {"tokens":"0","costLamports":"0" …
	 * ```
	 */
	get state(): PositionState;
	/**
	 * The average cost of a whole token that is held, in lamports, as exact text to nine places; `null` if nothing is held.
	 *
	 * @example
	 * ```js
	 * import { Curve, Position } from "launchpad-desk/launchpad";
	 *
	 * const position = new Position({ ...new Position().state, tokens: 2_000_000n, costLamports: 60n });
	 * console.log(position.averageCost(new Curve())); // 30
	 * ```
	 */
	averageCost(curve: Curve): string | null;
	/**
	 * What selling everything on this curve would gain compared with its cost; below zero for a loss. Trading fees are counted, the
	 * network fee of the sell and rent are not. `null` if the launchpad refuses the sell.
	 *
	 * @example
	 * ```js
	 * import { Curve, Position } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * const tokens = curve.moveByBuy(1_000_000_000n);
	 * const position = new Position({ ...new Position().state, tokens, costLamports: 1_000_005_000n });
	 * console.log(position.unrealisedLamports(curve)); // -24696361n
	 * ```
	 */
	unrealisedLamports(curve: Curve): bigint | null;
	/**
	 * How to get back what this position cost, by selling it on this curve: after the trading fees of the sell, and its network fee
	 * if the trader pays it. Rent does not count: it was not a cost, and comes back at closing. (`curve.breakEven` takes a cost
	 * that contains the rent.) The position is sold, so the trader's wallet may be unknown.
	 *
	 * @throws {RefusalError} `out_of_reach` if even a completed curve would bring less.
	 *
	 * @example
	 * ```js
	 * import { Curve, Position, Trader } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * const tokens = curve.moveByBuy(1_000_000_000n); // base units
	 * const position = new Position({ ...new Position().state, tokens, costLamports: 1_000_005_000n });
	 * const exit = position.breakEven(curve, new Trader());
	 * if (!exit.reached) console.log(exit.inflowLamports, exit.spotPrice); // 396349238n 30.598188234
	 * ```
	 */
	breakEven(curve: Curve, trader: Trader): BreakEven;
	/**
	 * The profit that a receipt would realise in this position, in lamports, and whether that is an estimate.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if it is not a receipt.
	 *
	 * @example
	 * ```js
	 * import { Curve, Position, receipt } from "launchpad-desk/launchpad";
	 *
	 * const curve = new Curve();
	 * const tokens = curve.moveByBuy(1_000_000_000n);
	 * const position = new Position({ ...new Position().state, tokens, costLamports: 1_000_005_000n });
	 * const quote = curve.quoteSellExactIn(tokens);
	 * const exact = { sellAmount: quote.tokenAmount, preTokenBalance: quote.tokenAmount, postTokenBalance: "0" };
	 * const sold = receipt(quote, { operation: "sell", status: "landed", exact, result: { tokenAccountClosed: true } });
	 * console.log(position.profitOf(sold).lamports); // -24701361n
	 * ```
	 */
	profitOf(receipt: TradeReceipt): {
		lamports: bigint;
		estimated: boolean;
	};
	/**
	 * Frees its memory now. Using it afterwards throws; freeing it again does nothing.
	 *
	 * @example
	 * ```js
	 * import { Position } from "launchpad-desk/launchpad";
	 *
	 * const position = new Position();
	 * position.free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * A single trade: what a client of the main import resolves to, or the `error.trade` of a failed one.
 *
 * @see {@link receipt}
 */
export interface SingleTrade {
	/** What was asked for. */
	operation: "buy" | "sell" | "sellByPercentage";
	/** What the reply says about the transaction. */
	status: TradeStatus;
	/** The reply's amounts, in whole tokens, as exact text. */
	exact: {
		buyAmount?: string | null;
		sellAmount?: string | null;
		preTokenBalance: string | null;
		postTokenBalance: string | null;
	};
	/** The reply's other fields. */
	result: {
		wallet?: string | null;
		tokenAccountClosed?: boolean | null;
	};
}
/**
 * What balances prove about a trade whose reply was lost: a result of `reconcile`.
 *
 * @see {@link receipt}
 */
export interface ReconciledTrade {
	/** What was asked for. */
	operation: Operation;
	/** How sure it is whether it landed. Figures of a `likely` one are estimates. */
	certainty: Certainty;
	/** Whether it landed. */
	landed: boolean | null;
	/** What each trading wallet shows. */
	findings: {
		wallet: string;
		shows: Shown;
		certainty: Certainty;
		tokensBefore: bigint | null;
		tokensAfter: bigint | null;
		tokensMoved: bigint | null;
		lamportsMoved: bigint | null;
	}[];
}
/**
 * The parts of a bundle's trade that `attribution` needs.
 *
 * @see {@link attribution}
 */
export interface BundledTrade {
	/** What was asked for. */
	operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage";
	/** What the reply says of the transaction. */
	status: TradeStatus;
}
/**
 * What the caller observed of a trade, other than its reply.
 *
 * @example
 * ```ts
 * import type { Seen } from "launchpad-desk/launchpad";
 *
 * const [before, after] = [5_000_000_000n, 3_998_506_560n]; // the wallet's lamports
 * const seen: Seen = { walletLamportsMoved: after - before };
 * ```
 */
export interface Seen {
	/** The whole change of the trading wallet's lamports; below zero if it has fewer. */
	walletLamportsMoved?: bigint;
}
/**
 * What a single trade did: compares its quote with the service's reply and what the caller saw. A figure that was not observed or
 * reported, and does not follow from those that were, comes from the quote and is listed in `estimated`. If quote, reply and
 * observation disagree, `findings` says so.
 *
 * If the reply was lost, pass what `reconcile` found in its place: then tokens and lamports are those that moved. Where the
 * trade may not have landed, there is nothing to write into the books, and it throws.
 *
 * A reply has no lamports. Pass the change of the wallet's lamports: then `netLamports` is known, and usually the rest too. Without
 * it, the network fee of a failed trade is an estimate, because a wallet that cannot pay it is charged nothing. If the launchpad has
 * several fee tiers, no reply says which one was charged, so `fees` are an estimate.
 *
 * Quote and receipt can be stored as JSON: their bigints become text, which this function and `Position` accept as well.
 *
 * The settings of the quote are assumed to hold for the trade: the rules, the fee payer, the priority, and the lamports in the token
 * account.
 *
 * @throws {TradeNotSentError} `invalid_options`, if quote and trade do not belong to the same single trade, or if the balances do
 * not tell whether it landed.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox, Trader, receipt } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet, lamports }] = sandbox.wallets;
 * const quote = sandbox.curve(mint).quoteBuyExactIn(1_000_000_000n, new Trader({ wallet: { lamports } }));
 * const trade = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000_000n });
 * const walletLamportsMoved = sandbox.wallets[0].lamports - lamports;
 * const { price, netLamports, estimated, findings } = receipt(quote, trade, { walletLamportsMoved });
 * console.log(price, netLamports); // 29.2404474 -1001493440n
 * console.log(estimated, findings); // [] []
 * ```
 */
export declare function receipt(quote: CurveQuote, trade: SingleTrade | ReconciledTrade, seen?: Seen): TradeReceipt;
/**
 * What a bundle did to each wallet, as a receipt for its position. The reply says nothing about single wallets, so all figures are
 * estimates from the quote. About a failed bundle only this is known: nothing moved, except perhaps the payer's network fee. What
 * `reconcile` found in the wallets' balances says more: pass it in place of the trade.
 *
 * @throws {TradeNotSentError} `invalid_options`, if quote or trade is not a bundle's, or if the balances do not tell whether it
 * landed.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox, attribution, toBundleRequest } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [{ mint }] = sandbox.tokens;
 * const wallets = sandbox.wallets.map(({ wallet, lamports }) => ({ wallet, lamports }));
 * const legs = wallets.map(({ wallet }) => ({ fromWallet: wallet, buyExactIn: 50_000_000n }));
 * const bundle = { wallets, legs, feePayer: wallets[0].wallet };
 * const quote = sandbox.curve(mint).quoteBundle(bundle);
 * const trade = await client.bundleBuy(toBundleRequest(mint, bundle).request);
 * console.log(attribution(quote, trade)[0].netLamports); // -51503440n
 * ```
 */
export declare function attribution(quote: CurveBundleQuote, trade: BundledTrade | ReconciledTrade): TradeReceipt[];
/**
 * One wallet's trade, and how its transaction is paid for. Unknown names are refused.
 *
 * @example
 * ```ts
 * import { toRequest, type TradeOrder } from "launchpad-desk/launchpad";
 *
 * const order: TradeOrder = { fromWallet: "ada", buyExactIn: 1_000_000_000n, slippage: { percent: 1 }, feePayer: "bob" };
 * const { operation, request } = toRequest("M", order);
 * ```
 */
export type TradeOrder = BundleLeg & {
	/** Unit of a slippage that does not name one, as for clients. Default: `percent`. */
	slippageUnit?: "percent" | "bps";
	/** Id of the wallet that pays the network fee. Default: the wallet that trades. */
	feePayer?: string;
	/** Priority units to pay for. */
	priorityUnitLimit?: Amount;
	/** Micro-lamports for each of them. */
	priorityUnitPrice?: Amount;
};
/**
 * A bundle to place: the one passed to `quoteBundle`, or one without the state of its wallets.
 *
 * @example
 * ```ts
 * import { toBundleRequest, type PlacedBundle } from "launchpad-desk/launchpad";
 *
 * const bundle: PlacedBundle = { legs: [{ fromWallet: "ada", buyExactIn: 1_000_000_000n }], feePayer: "ada" };
 * const { operation, request } = toBundleRequest("M", bundle);
 * ```
 */
export type PlacedBundle = Omit<BundleOrder, "wallets"> & Partial<Pick<BundleOrder, "wallets">>;
/**
 * A request, and the name of the client's method that takes it.
 *
 * @see {@link toRequest}
 */
export type PlacedRequest<O extends Operation> = O extends Operation ? {
	operation: O;
	request: RequestOf[O];
} : never;
/**
 * The operation that does what an order asks for. No operation buys an exact amount of tokens.
 *
 * @example
 * ```ts
 * import type { OperationOf } from "launchpad-desk/launchpad";
 *
 * type Buy = OperationOf<{ fromWallet: string; buyExactIn: bigint }>; // "buy"
 * ```
 */
export type OperationOf<L> = L extends {
	buyExactIn: Amount;
} ? "buy" : L extends {
	sellExactIn: Amount;
} ? "sell" : L extends {
	sellPercentage: number | string;
} ? "sellByPercentage" : never;
/**
 * The same for the legs of a bundle.
 *
 * @example
 * ```ts
 * import type { BundleOperationOf } from "launchpad-desk/launchpad";
 *
 * type Buy = BundleOperationOf<{ fromWallet: string; buyExactIn: bigint }>; // "bundleBuy"
 * ```
 */
export type BundleOperationOf<L> = L extends {
	buyExactIn: Amount;
} ? "bundleBuy" : L extends {
	sellExactIn: Amount;
} ? "bundleSell" : L extends {
	sellPercentage: number | string;
} ? "bundleSellByPercentage" : never;
/**
 * Turns an order into a request for a client. Amounts keep their unit: base units to sell become `{ baseUnits }`. What the order
 * leaves out is left to the service.
 *
 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`; for `buyExactOut` too, because the service has
 * no such operation: spend what `smallestBuyFor` returns instead.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox, toRequest } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * const buyExactIn = sandbox.curve(mint).smallestBuyFor(1_000_000_000_000n); // a million tokens
 * const { operation, request } = toRequest(mint, { fromWallet: wallet, buyExactIn, slippage: { percent: 1 } });
 * const trade = await client[operation](request);
 * console.log(operation, trade.exact.buyAmount); // buy 1000000
 * ```
 */
export declare function toRequest<L extends TradeOrder>(mint: string, order: L): PlacedRequest<OperationOf<L>>;
/**
 * Turns a bundle into a request for a client: all buys, all sells, or all sells by percentage, in their order.
 *
 * @throws {TradeNotSentError} `invalid_options`, as `toRequest` does; for a mixed bundle too, which the service does not accept.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox, equalSpends, toBundleRequest } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const wallets = sandbox.wallets.map(({ wallet }) => wallet);
 * const legs = Array.from(equalSpends(300_000_000n, 3), (buyExactIn, index) => ({ fromWallet: wallets[index], buyExactIn }));
 * const { operation, request } = toBundleRequest(sandbox.tokens[0].mint, { legs, feePayer: wallets[0] });
 * const trade = await client[operation](request);
 * console.log(operation, trade.status); // bundleBuy landed
 * ```
 */
export declare function toBundleRequest<L extends BundleLeg>(mint: string, bundle: PlacedBundle & {
	legs: L[];
}): PlacedRequest<BundleOperationOf<L>>;
/**
 * Reads a recording: a JSON array of trades, or CSV whose first line names the columns `atMs`, `mint`, `side`, `lamports` and
 * `tokens`, in any order. Other columns are ignored in both, so `marketTrades` as JSON is a recording, too. No trade is left out: text
 * with one that cannot be read is refused. Lamports and base units are returned as bigints, or null if they are missing.
 *
 * @example
 * ```js
 * import { Sandbox, recording } from "launchpad-desk/launchpad";
 *
 * const trades = recording("atMs,side,mint,lamports,tokens\n0,buy,M,1000000000,\n400,sell,M,,5000");
 * const sandbox = new Sandbox({ tokens: [{ mint: "M" }], market: { replay: trades } });
 * sandbox.advance(1_000);
 * console.log(sandbox.marketTrades.length); // 2
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options`, with the first 100 bad fields in `fields` and how many more there are;
 * `invalid_request` for anything but text of at most 16777216 characters.
 */
export declare function recording(text: string): RecordedTrade[];
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
 * A simulated launchpad that serves the six endpoints in-process.
 *
 * The same state, calls and time give the same bytes. `fetch` has the shape of the Fetch API, so a worker can use it as
 * `export default { fetch: sandbox.fetch }`, and so can the servers of Bun and Deno.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const client = new TradeClient({ fetch: sandbox.fetch });
 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 };
 * const trade = await client.buy(request);
 * console.log(trade.status, sandbox.account.level); // landed 1
 * ```
 */
export declare class Sandbox {
	#private;
	/**
	 * Makes a sandbox. Without a config, it has two tokens and three funded wallets.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, with every bad setting in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({
	 *   tokens: [{ mint: "M", symbol: "MINE" }],
	 *   wallets: [{ wallet: "ada", lamports: 5_000_000_000 }],
	 *   rateLimit: { requests: 10, perMs: 1_000 },
	 *   faults: { script: [{ kind: "noAnswer", latencyMs: 200 }] }, // for the first request
	 * });
	 * ```
	 */
	constructor(config?: SandboxConfig);
	/**
	 * Makes a sandbox from a snapshot. The snapshot does not contain the config: pass it again.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if the snapshot or the config cannot be used.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const restored = Sandbox.restore(sandbox.snapshot());
	 * ```
	 */
	static restore(snapshot: string, config?: SandboxConfig): Sandbox;
	/**
	 * Answers a request as the service would. It is bound to its sandbox, so it can be passed on by itself.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const { fetch } = new Sandbox();
	 * const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"mint":"M"}' };
	 * const response = await fetch("https://sandbox.example/v1/trade/buy", init);
	 * console.log(response.status); // 400
	 * ```
	 */
	get fetch(): (input: Request | URL | string, init?: unknown, context?: unknown) => Promise<Response>;
	/**
	 * What a request would do if it were sent now. Nothing changes.
	 *
	 * @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const request = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 };
	 * const { legs, refused } = sandbox.quote("buy", request);
	 * console.log(legs[0].tokenAmount, refused); // 34199203.120618 null
	 * ```
	 */
	quote<O extends Operation>(operation: O, request: RequestOf[O]): TradeQuote;
	/**
	 * The curve of one of its tokens as it is now, with the launchpad's rules. It is a copy: later trades in the sandbox do not move
	 * it, and it does not move the sandbox.
	 *
	 * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const curve = sandbox.curve(sandbox.tokens[0].mint);
	 * console.log(curve.buyExactIn(1_000_000_000n)); // 34199203120618n
	 * ```
	 */
	curve(mint: string): Curve;
	/**
	 * A token's curve, what these wallets hold, and the market's time, as a `Market` of `launchpad-desk/chain` has them: what
	 * `client.manage` sees its prices by.
	 *
	 * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const look = sandbox.look(sandbox.tokens[0].mint, [sandbox.wallets[0].wallet]);
	 * console.log(look.wallets[0].lamports, look.wallets[0].holding); // 100000000000n null
	 * ```
	 */
	look(mint: string, wallets?: readonly string[]): SandboxLook;
	/**
	 * What a request with this body would do now. With this, `before` and `confirm`, a sandbox can be the option `market` of a client.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
	 * const plan = await client.plan("buy", { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
	 * const { legs } = await sandbox.quoteBody("buy", plan.body);
	 * console.log(legs[0].tokenAmount); // 34199203.120618
	 * ```
	 */
	quoteBody(operation: Operation, body: string): Promise<TradeQuote>;
	/**
	 * What the wallets of a trade hold now, as a `Market` says it. The slot is the number of transactions so far.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const body = JSON.stringify({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
	 * const [{ tokens, lamports, slot }] = await sandbox.before({ body });
	 * console.log(tokens, lamports, slot); // 0n 100000000000n 0
	 * ```
	 */
	before({ body }: {
		body: string;
	}): Promise<{
		wallet: string;
		tokens: bigint;
		lamports: bigint;
		slot: number;
	}[]>;
	/**
	 * A sandbox keeps no evidence: a `LocalChain` around it does, and settles by that.
	 *
	 * @throws {Error} always, with the code `no_history`.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * await new Sandbox().settleTrade().catch((error) => console.log(error.message)); // a sandbox keeps no evidence: …
	 * ```
	 */
	settleTrade(): Promise<never>;
	/**
	 * Whether the transaction of this signature has landed or failed; `not_seen` if it has neither.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
	 * const trade = await client.buy({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
	 * console.log(await client.confirm(trade)); // finalized
	 * ```
	 */
	confirm(signature: string): Promise<"finalized" | "failed" | "not_seen">;
	/**
	 * What the transaction of this signature has moved in the wallets of its trade; `null` if the sandbox does not have it.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
	 * const { result } = await client.buy({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
	 * const moved = await sandbox.moved({ signature: result.signature ?? "" });
	 * console.log(moved?.wallets[0]?.lamports); // -1000005000n
	 * ```
	 */
	moved({ signature }: {
		signature: string;
	}): Promise<Moved | null>;
	/**
	 * The position that a buy has opened, or what is missing for it: what `client.positionOf` asks. It has no time: the sandbox's market has one
	 * of its own.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const { missing } = await new Sandbox().bought({ intentId: "signal-1", state: "in_flight" });
	 * console.log(missing); // in_flight
	 * ```
	 */
	bought(trade: BoughtTrade): Promise<BoughtPosition>;
	/**
	 * Looks at a token now, and again whenever it or one of the wallets has moved. What goes wrong is passed as an error, and does not end
	 * it. With a function in second place, each look is passed to it, until the returned function is called. A `Market` of
	 * `launchpad-desk/chain` and a `SandboxMarket` have the same.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * for await (const look of sandbox.watch(sandbox.tokens[0].mint)) {
	 *   if (look instanceof Error) throw look;
	 *   console.log(look.curve.spotPrice);
	 *   if (look.curve.spotPrice !== "27.958993476") break;
	 *   sandbox.rivals(1);
	 * }
	 * ```
	 */
	watch(mint: string, options?: WatchOptions): AsyncGenerator<SandboxLook | Error, void, undefined>;
	watch(mint: string, on: (look: SandboxLook | Error) => void, options?: WatchOptions): () => void;
	/**
	 * Lets seeded rivals try this many trades of each token, at most 10000.
	 *
	 * @throws {TradeNotSentError} `invalid_request`, if that is not a number of trades; or what the store of `onChanges` throws.
	 * Then nothing has changed.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { seed: 7 } });
	 * sandbox.rivals(100);
	 * console.log(sandbox.tokens[0].spotPrice); // 28.54649773
	 * ```
	 */
	rivals(trades: number): void;
	/**
	 * Lets this many milliseconds of the market's time pass: in a market that lives, rivals trade and tokens are launched; in one
	 * that replays, recorded trades are made. At most 100,000 steps of `stepMs` at once.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true, seed: 7 } });
	 * sandbox.advance(60_000); // a minute
	 * console.log(sandbox.nowMs, sandbox.marketTrades.length);
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, for anything but a whole number of milliseconds, or for more than may pass at
	 * once; or what the store of `onChanges` throws. Then nothing has moved.
	 */
	advance(ms: number): void;
	/**
	 * Gives lamports to a wallet, and creates the wallet if there is none with that id.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * sandbox.fund("eve", 2_000_000_000n, "Eve");
	 * console.log(sandbox.wallets.find(({ wallet }) => wallet === "eve")?.lamports); // 2000000000n
	 * ```
	 *
	 * @param label - the name that a page shows for it from now on.
	 * @throws {TradeNotSentError} `invalid_request`, for an id that no request can name, or if all lamports together are over 64 bits;
	 * or what the store of `onChanges` throws. Then nothing has changed.
	 */
	fund(wallet: string, lamports: Amount, label?: string): void;
	/**
	 * Launches a token, with the same settings as `tokens` in a config.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * sandbox.launch({ mint: "NEW", soldBps: 2_500 }); // a quarter of its curve is sold already
	 * console.log(sandbox.curve("NEW").complete); // false
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, with every bad setting in `fields`, or for a mint that already exists; or
	 * what the store of `onChanges` throws. Then nothing has changed.
	 */
	launch(token: SandboxTokenConfig): void;
	/**
	 * Replaces the faults; the script begins with the next request. `{}` removes them.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * sandbox.setFaults({ script: [{ kind: "noAnswer" }] });
	 * const request = { mint: "SimMoonRabbit111111111111111111111111111111", fromWallet: "SimTraderAda1111111111111111111111111111111", amountInLamports: 5_000_000 };
	 * const error = await new TradeClient({ fetch: sandbox.fetch }).buy(request).catch((error) => error);
	 * console.log(error.outcome, sandbox.trades.length); // unknown 1
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, with every bad setting in `fields`; or what the store of `onChanges` throws.
	 * Then nothing has changed.
	 */
	setFaults(faults: FaultConfig): void;
	/**
	 * Resets everything to the start: trades, funds, launches, the market's time, faults. The clock of `useClock` and the store of
	 * `onChanges` stay.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const start = sandbox.snapshot();
	 * sandbox.rivals(5);
	 * sandbox.reset();
	 * console.log(sandbox.snapshot() === start); // true
	 * ```
	 *
	 * @throws what the store of `onChanges` throws. Then nothing has changed.
	 */
	reset(): void;
	/**
	 * Applies rows that `onChanges` received from a sandbox with the same config: in their order, and all rows of each call. They are
	 * not passed to `onChanges` again.
	 *
	 * @example
	 * ```ts
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const log: string[] = [];
	 * const sandbox = new Sandbox();
	 * sandbox.onChanges((changes) => log.push(...changes.map(({ row }) => row)));
	 * sandbox.rivals(5);
	 *
	 * const again = new Sandbox(); // after a restart
	 * again.apply(log);
	 * console.log(again.snapshot() === sandbox.snapshot()); // true
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if a row cannot be read, contradicts another, or is missing. Then nothing is
	 * applied.
	 */
	apply(rows: readonly string[]): void;
	/**
	 * The whole state as rows for `apply`, to replace a long log.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const [first] = sandbox.rows();
	 * console.log(first); // {"kind":"reset"}
	 * ```
	 */
	rows(): string[];
	/**
	 * The settings that decide the results of its calls, each as JSON text under its path, with a checksum of the wallets and tokens
	 * that it begins with. Rows may be applied to a sandbox with the same origin. It contains no key.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const { origin } = new Sandbox({ market: { seed: 7 } });
	 * console.log(origin["market.seed"]); // 7
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, for a restored sandbox whose settings contradict each other.
	 */
	get origin(): Record<string, string>;
	/**
	 * Takes the time from `now`, in milliseconds, instead of the system's clock, so that trades have the same time in every run.
	 * `null` restores the system's clock. If `now` throws or does not return a time, the request fails, and nothing changes.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if it is not a function.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * sandbox.useClock(() => 1_767_225_600_000); // milliseconds since 1970
	 * ```
	 */
	useClock(now: (() => number) | null): void;
	/**
	 * Calls `store` with what each request changes, before the change is made and before the reply is given. If `store` throws, nothing
	 * has changed and the request fails with the thrown error, so store and sandbox never differ. Each change is a row as JSON text,
	 * with its own key.
	 *
	 * A store that writes the rows of several calls together may pass a promise to `later`, which it gets if the call is a request. The
	 * answers wait for the promise. If it rejects, they all fail with its reason; the sandbox has changed already, so the store must then
	 * throw for every further call.
	 *
	 * Otherwise the store must be synchronous. It must neither change nor free its sandbox, which is still in the state before. `null` removes
	 * the store. `keepState` of `launchpad-desk/node` is such a store, in a file; `keepStateInIndexedDB` of `launchpad-desk/journal`
	 * is one for pages.
	 *
	 * @throws {TradeNotSentError} `invalid_options`, if it is not a function.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const rows = new Map();
	 * const sandbox = new Sandbox();
	 * sandbox.onChanges((changes) => changes.forEach(({ key, row }) => rows.set(key, row)));
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * await client.buy({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
	 * console.log(rows.size); // 7
	 * ```
	 */
	onChanges(store: ((changes: {
		key: string;
		row: string;
	}[], later?: (stored: Promise<void>) => void) => void) | null): void;
	/**
	 * The whole state as JSON text, for `Sandbox.restore`.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const saved = new Sandbox().snapshot();
	 * console.log(Sandbox.restore(saved).snapshot() === saved); // true
	 * ```
	 */
	snapshot(): string;
	/**
	 * The caller's account: its level, its transactions and the network fees it paid, in lamports.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * console.log(new Sandbox().account); // { level: 0, transactions: 0, networkFeesLamports: 0n, volumeRentsLamports: 0n }
	 * ```
	 */
	get account(): AccountRow;
	/**
	 * The wallets and what they hold. In JSON, lamports and base units are text, with all digits.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const [ada] = new Sandbox().wallets;
	 * console.log(ada.label, ada.lamports); // Ada 100000000000n
	 * ```
	 */
	get wallets(): SandboxWallet[];
	/**
	 * The tokens and their curves. In JSON, lamports and base units are text.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const [token] = new Sandbox().tokens;
	 * console.log(token.symbol, token.spotPrice); // RABBIT 27.958993476
	 * ```
	 */
	get tokens(): SandboxToken[];
	/**
	 * The market's time, in milliseconds: it passes with `advance`, and by `inFlightMs` with each request.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true } });
	 * sandbox.advance(5_000);
	 * console.log(sandbox.nowMs); // 5000
	 * ```
	 */
	get nowMs(): number;
	/**
	 * The newest trades of the market, your own and others', oldest first. In JSON, lamports and base units are text.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true, seed: 7 } });
	 * sandbox.advance(60_000);
	 * for (const { atMs, trader, side, price } of sandbox.marketTrades) console.log(atMs, trader, side, price);
	 * ```
	 */
	get marketTrades(): MarketTrade[];
	/**
	 * How far the replay of the recording is: how many of its trades were made, how many were skipped and why, how many are left, and
	 * which of those are of mints that the sandbox has no token of now.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const replay = "atMs,side,mint,lamports,tokens\n0,buy,M,1000000000,\n5,buy,OTHER,1000000000,";
	 * const sandbox = new Sandbox({ tokens: [{ mint: "M" }], market: { replay } });
	 * console.log(sandbox.replay.withoutToken); // [ { mint: 'OTHER', trades: 1 } ]
	 * sandbox.advance(1_000);
	 * console.log(sandbox.replay.made, sandbox.replay.skipped); // 1 [ { reason: 'no_such_token', trades: 1 } ]
	 * ```
	 */
	get replay(): Replay;
	/**
	 * At most `most` of the newest trades of one token, your own and others', oldest first. In JSON,
	 * lamports and base units are text.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true } });
	 * sandbox.advance(60_000);
	 * const [{ mint }] = sandbox.tokens;
	 * for (const { side, lamports } of sandbox.newestTrades(mint, 5)) console.log(side, lamports);
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token, or `most` is not a whole number above zero.
	 */
	newestTrades(mint: string, most: number): MarketTrade[];
	/**
	 * The candles of a token, each of `intervalMs` milliseconds, oldest first, from the trades that the tape keeps. An interval
	 * without trades has no candle. In JSON, lamports and base units are text.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ market: { alive: true } });
	 * sandbox.advance(60_000);
	 * const [{ mint }] = sandbox.tokens;
	 * for (const { startMs, open, close } of sandbox.candles(mint, 10_000)) console.log(startMs, open, close);
	 * ```
	 *
	 * @throws {TradeNotSentError} `invalid_request`, if the sandbox has no such token, or the interval is not a whole number above
	 * zero.
	 */
	candles(mint: string, intervalMs: number): Candle[];
	/**
	 * The newest calls and how each really ended, oldest first. `maxCalls` sets how many are kept.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ maxCalls: 100 });
	 * const [mint, fromWallet] = [sandbox.tokens[0].mint, sandbox.wallets[0].wallet];
	 * await new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: 5_000_000 });
	 * console.log(sandbox.calls[0].actual); // landed
	 * ```
	 */
	get calls(): CallRow[];
	/**
	 * The same calls as text, one line of JSON for each.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox({ maxCalls: 100 });
	 * const [mint, fromWallet] = [sandbox.tokens[0].mint, sandbox.wallets[0].wallet];
	 * await new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: 5_000_000 });
	 * console.log(JSON.parse(sandbox.callsNdjson()).status); // 200
	 * ```
	 */
	callsNdjson(): string;
	/**
	 * The newest transactions, landed and failed, oldest first.
	 *
	 * @example
	 * ```js
	 * import { TradeClient } from "launchpad-desk";
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * const client = new TradeClient({ fetch: sandbox.fetch });
	 * await client.buy({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, amountInLamports: 1_000_000_000 });
	 * const [{ success, networkFeeLamports }] = sandbox.trades;
	 * console.log(success, networkFeeLamports); // true 5000n
	 * ```
	 */
	get trades(): TradeRow[];
	/**
	 * Frees its memory: now, or if its `fetch` was taken, once that is no longer referenced, since it works on. Using the sandbox
	 * afterwards throws; freeing it again does nothing.
	 *
	 * @example
	 * ```js
	 * import { Sandbox } from "launchpad-desk/launchpad";
	 *
	 * const sandbox = new Sandbox();
	 * sandbox.free();
	 * ```
	 */
	free(): void;
	[Symbol.dispose]: () => void;
}
/**
 * What a request would do in a given market: its curves, its wallets and what they hold, in the form of a sandbox's config.
 *
 * @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`.
 *
 * @example
 * ```js
 * import { quote } from "launchpad-desk/launchpad";
 *
 * const market = {
 *   tokens: [{ mint: "M", soldBps: 1_000 }], // a tenth of the curve's tokens is sold already
 *   wallets: [{ wallet: "ada", lamports: 5_000_000_000n, holdings: [{ mint: "M", tokens: 1_000_000_000_000n }] }],
 * };
 * const { legs, refused } = quote("sellByPercentage", { mint: "M", fromWallet: "ada", percentage: 50 }, market);
 * console.log(legs[0].tokenAmount, legs[0].walletLamports, refused); // 500000 16088211n null
 * ```
 */
export declare function quote<O extends Operation>(operation: O, request: RequestOf[O], market: SandboxConfig): TradeQuote;
/**
 * The header in which a request to a sandbox asks for an outcome.
 *
 * @example
 * ```js
 * import { OUTCOME_HEADER, Sandbox } from "launchpad-desk/launchpad";
 *
 * const headers = { "content-type": "application/json", [OUTCOME_HEADER]: "rejected-429" };
 * const reply = await new Sandbox().fetch("http://sandbox/v1/trade/buy", { method: "POST", headers, body: "{}" });
 * console.log(reply.status, reply.headers.get("retry-after")); // 429 1
 * ```
 */
export declare const OUTCOME_HEADER = "x-sandbox-outcome";
/**
 * The prefix of an outcome's name in `feePayer`, for clients that can only set fields.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { OUTCOME_PREFIX, Sandbox } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox();
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * const request = { mint, fromWallet: wallet, amountInLamports: 5_000_000, feePayer: `${OUTCOME_PREFIX}executed-no-answer` };
 * const { outcome } = await new TradeClient({ fetch: sandbox.fetch }).buy(request).catch((error) => error);
 * console.log(outcome); // unknown
 * ```
 */
export declare const OUTCOME_PREFIX = "sandbox-outcome-";
/**
 * Every outcome that a request to a sandbox can ask for, and the `feePayer` that asks for it.
 *
 * @example
 * ```js
 * import { sandboxOutcomes } from "launchpad-desk/launchpad";
 *
 * for (const { outcome, feePayer, meaning } of sandboxOutcomes()) console.log(outcome, feePayer, meaning);
 * ```
 */
export declare function sandboxOutcomes(): OutcomeRow[];
/**
 * Reports every trade that a bot's books are wrong about.
 *
 * @param entries - the books: every intent that was begun, with the outcome it was settled with, or null if it never was. Other fields of an
 * entry are ignored.
 * @param calls - `calls` of the sandbox, or the text of `callsNdjson()` or of `/_sandbox/calls`.
 *
 * @example
 * ```js
 * import { TradeClient } from "launchpad-desk";
 * import { Sandbox, audit } from "launchpad-desk/launchpad";
 *
 * const sandbox = new Sandbox({ maxCalls: 1_000 });
 * const books = new Map();
 * const client = new TradeClient({
 *   fetch: sandbox.fetch,
 *   journal: {
 *     begin: async (intent) => void books.set(intent.intentId, { ...intent, outcome: null }),
 *     settle: async ({ intentId }, { outcome }) => void (books.get(intentId).outcome = outcome),
 *   },
 * });
 * const [{ mint }] = sandbox.tokens;
 * const [{ wallet }] = sandbox.wallets;
 * await client.buy({ mint, fromWallet: wallet, amountInLamports: 5_000_000 });
 * const { findings, right } = audit([...books.values()], sandbox.calls);
 * console.log(findings.length, right); // 0 1
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options` or `invalid_request`, if an entry or a call cannot be read.
 */
export declare function audit(entries: readonly BookEntry[], calls: readonly CallRow[] | string): Audit;
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

