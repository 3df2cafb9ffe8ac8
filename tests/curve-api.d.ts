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

