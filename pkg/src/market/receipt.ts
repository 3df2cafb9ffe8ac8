// What a trade did, from its quote and from the trade that a client resolved to.

import * as core from "build:market";
import { callArgs, result } from "../crossing.js";
import type { CurveBundleQuote, TradeReceipt, TradeStatus } from "../generated.js";
import type { CurveQuote } from "./quote.js";
import type { Reconciled } from "../trade/reconciled.js";

/** A single trade: what a client of the main import resolves to, or the `error.trade` of a failed one. */
export type SingleTrade = {
  operation: "buy" | "sell" | "sellByPercentage";
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
};

/** The parts of a bundle's trade that `attribution` needs. */
export type BundledTrade = { operation: "bundleBuy" | "bundleSell" | "bundleSellByPercentage"; status: TradeStatus };

/** What the caller observed of a trade, other than its reply. */
export type WalletSeen = {
  /** The whole change of the trading wallet's lamports; below zero if it has fewer. */
  walletLamportsMoved?: bigint;
};

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
 * import { Trader, receipt } from "launchpad-desk/market";
 * import { Sandbox } from "launchpad-desk/sandbox";
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
export function receipt(
  quote: CurveQuote,
  trade: SingleTrade | Omit<Reconciled, "found">,
  seen?: WalletSeen,
): TradeReceipt {
  return result(core.receipt(callArgs({ quote, trade, seen })), receipt);
}

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
 * import { attribution, toBundleRequest } from "launchpad-desk/market";
 * import { Sandbox } from "launchpad-desk/sandbox";
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
export function attribution(quote: CurveBundleQuote, trade: BundledTrade | Omit<Reconciled, "found">): TradeReceipt[] {
  return result(core.attribution(callArgs({ quote, trade })), attribution);
}
