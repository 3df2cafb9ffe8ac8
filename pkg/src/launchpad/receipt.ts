// What a trade did, from its quote and from the trade that a client resolved to.

import * as core from "build:launchpad";
import { given, result } from "../crossing.js";
import type { CurveBundleQuote, CurveQuote, TradeReceipt, TradeStatus, WalletAttribution } from "../generated.js";

/**
 * A single trade, as a client of the main import resolves to it, or as `error.trade` of a failed one has it.
 *
 * @see {@link receipt}
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
 * @see {@link attribution}
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
 * @example
 * ```ts
 * import type { Seen } from "launchpad-desk/launchpad";
 *
 * const [before, after] = [5_000_000_000n, 3_998_506_560n]; // the wallet's lamports
 * const seen: Seen = { walletLamportsMoved: after - before };
 * ```
 */
export interface Seen {
  /** How the trading wallet's lamports moved in all; below zero where they fell. */
  walletLamportsMoved?: bigint;
}

/**
 * What a single trade did: its quote against what the service replied and the caller saw. What was neither seen nor
 * reported, and does not follow from what was, comes from the quote and is listed in `estimated`; where quote, reply and
 * what was seen disagree, `findings` says so.
 *
 * A reply has no lamports. Pass how the wallet's lamports moved: then `netLamports` is known, and mostly the rest too.
 * Without it, a failed trade's network fee is an estimate, since a wallet that cannot pay it is charged nothing. If the
 * launchpad has several fee tiers, no reply says which one was charged: then `fees` are an estimate.
 *
 * Quote and receipt can be stored as JSON: their bigints become text, which this function and `Position` read as well.
 *
 * What the quote was made with is taken as true of the trade: the rules, the fee payer, the priority, and the lamports in
 * the token account.
 *
 * @throws {TradeNotSentError} `invalid_options`, where quote and trade are not of the same single trade.
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
export function receipt(quote: CurveQuote, trade: SingleTrade, seen?: Seen): TradeReceipt {
  return result(core.receipt(given({ quote, trade, seen })), receipt);
}

/**
 * What a bundle did to each wallet, by its quote. The reply says nothing about single wallets, so all figures are estimates.
 * Of a bundle that failed, one thing is known: nothing moved but the payer's network fee, if that.
 *
 * @throws {TradeNotSentError} `invalid_options`, where quote or trade is not of a bundle.
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
export function attribution(quote: CurveBundleQuote, trade: BundledTrade): WalletAttribution[] {
  return result(core.attribution(given({ quote, trade })), attribution);
}
