// What a trade did, from its quote and from the trade that a client resolved to.

import * as core from "build:launchpad";
import { given, result } from "../crossing.js";
import type { CurveBundleQuote, CurveQuote, TradeReceipt, TradeStatus, WalletAttribution } from "../generated.js";

/**
 * A single trade, as a client of the main import resolves to it, or as `error.trade` of a failed one has it.
 *
 * ```js
 * const trade = await client.buy(request).catch((error) => error.trade);
 * ```
 */
export interface SingleTrade {
  /** What was asked for. */
  operation: "buy" | "sell" | "sellByPercentage";
  /** What the reply says of the transaction. */
  status: TradeStatus;
  /** The reply's amounts, in whole tokens, as exact text. */
  exact: {
    buyAmount?: string | null;
    sellAmount?: string | null;
    preTokenBalance: string | null;
    postTokenBalance: string | null;
  };
  /** The reply's other fields. */
  result: { wallet?: string | null; tokenAccountClosed?: boolean | null };
}

/**
 * What a receipt needs of a bundle's trade.
 *
 * ```js
 * const trade = await client.bundleBuy(request);
 * ```
 */
export interface BundledTrade {
  /** What was asked for. */
  operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage";
  /** What the reply says of the transaction. */
  status: TradeStatus;
}

/**
 * What the caller saw of a trade by other means than its reply.
 *
 * ```js
 * const seen = { walletLamportsMoved: lamportsAfter - lamportsBefore };
 * ```
 */
export interface Seen {
  /** How the trading wallet's lamports moved in all; below zero where they fell. */
  walletLamportsMoved?: bigint;
}

/**
 * What a single trade did: its quote against what the service replied and the caller saw. What was neither seen nor
 * reported, and does not follow from what was, comes from the quote and stands in `estimated`; where quote, reply and
 * what was seen disagree, `findings` says so.
 *
 * A reply tells no lamports. Hand in how the wallet's moved: then `netLamports` is known, and mostly the rest too. Without
 * that a failed trade's network fee is an estimate, for a wallet that cannot pay it is charged nothing. Where the
 * launchpad has tiers of other rates, no reply tells which one was charged: then `fees` are an estimate.
 *
 * What the quote was told is taken as true of the trade: the rules, the fee payer, the priority, and the lamports in the
 * token account.
 *
 * ```js
 * const quote = curve.quoteBuyExactIn(1_000_000_000n, trader);
 * const trade = await client.buy({ mint, fromWallet, amountInLamports: 1_000_000_000n });
 * const { price, slippageUsedPpm, findings } = receipt(quote, trade);
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options`, where quote and trade are not those of one single trade.
 */
export function receipt(quote: CurveQuote, trade: SingleTrade, seen?: Seen): TradeReceipt {
  return result(core.receipt(...given({ quote, trade, seen })), receipt);
}

/**
 * What a bundle did to each wallet, by its quote. The reply tells nothing of single wallets, so all of it is estimated;
 * but of a bundle that failed it is known that nothing moved except the payer's network fee, if that.
 *
 * ```js
 * for (const { wallet, netLamports } of attribution(quote, trade)) console.log(wallet, netLamports);
 * ```
 *
 * @throws {TradeNotSentError} `invalid_options`, where quote and trade are not those of a bundle.
 */
export function attribution(quote: CurveBundleQuote, trade: BundledTrade): WalletAttribution[] {
  return result(core.attribution(...given({ quote, trade })), attribution);
}
