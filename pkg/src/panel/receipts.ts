// What trades did to their wallets: for a single trade to the lamport where possible, from its quote, the reply and what the wallet
// holds; for a bundle from its quote.

import { toBaseUnits } from "launchpad-desk";
import type { Trader } from "launchpad-desk/curve";
import { estimatedReceipts } from "../estimates.js";
import type { CurveQuote, TradeReceipt } from "../generated.js";
import { type Attempt, stateOf } from "./attempt.js";
import type { Order } from "./order.js";
import type { Maths, World } from "./world.js";

/** The quote of a single trade on the curve as it is now; null for a bundle, or if the curve is not known. */
export function curveQuoteOf(world: World, order: Order): CurveQuote | null {
  const { request } = order;
  if (!("fromWallet" in request)) return null;
  const curve = world.curve(request.mint);
  const trader = curve && traderOf(world, request);
  try {
    if (!curve || !trader) return null;
    if (order.operation === "buy") return curve.quoteBuyExactIn(order.request.amountInLamports, trader);
    if (order.operation === "sellByPercentage") return curve.quoteSellPercentage(Number(order.request.percentage), trader);
    const { decimals = 6 } = world.tokens().find(({ mint }) => mint === request.mint) ?? {};
    return order.operation === "sell" ? curve.quoteSellExactIn(toBaseUnits(String(order.request.amountInToken), decimals), trader) : null;
  } catch {
    // The curve refuses it. If it is sent anyway, it gets no exact receipt.
    return null;
  } finally {
    curve?.free();
    trader?.free();
  }
}

/** The trader of a request. The caller frees it. */
export function traderOf(world: World, request: { mint: string; fromWallet: string; feePayer?: string | null; slippage?: unknown; priorityUnitLimit?: unknown; priorityUnitPrice?: unknown }): Trader | undefined {
  const { mint, fromWallet, feePayer, slippage, priorityUnitLimit, priorityUnitPrice } = request;
  const known = world.wallets().find(({ wallet }) => wallet === fromWallet);
  if (!known || known.lamports === null) return undefined;
  const tokens = known.tokens.get(mint);
  return new world.maths.Trader({
    wallet: { lamports: known.lamports, tokenAccount: tokens === undefined ? null : { tokens }, opensVolumeAccount: known.opensVolumeAccount },
    feePayer: feePayer && feePayer !== fromWallet ? "other" : "trader",
    ...(slippage ? { slippage: slippage as { percent: string } } : {}),
    ...(priorityUnitLimit ? { priorityUnitLimit: priorityUnitLimit as bigint, priorityUnitPrice: priorityUnitPrice as bigint } : {}),
  });
}

/** What a trade did; null if its quote or its reply is not enough to tell. */
export function receiptOf(maths: Maths, quoted: CurveQuote | null, trade: unknown, walletLamportsMoved: bigint | null): TradeReceipt | null {
  if (!quoted) return null;
  try {
    return maths.receipt(quoted, trade as Parameters<Maths["receipt"]>[1], walletLamportsMoved === null ? {} : { walletLamportsMoved });
  } catch {
    return null;
  }
}

/** What an attempt did to each wallet, as far as it is known; empty if it did not land, or is not known to have landed. */
export function receiptsOf(maths: Maths, attempt: Attempt): [wallet: string, receipt: TradeReceipt][] {
  const { answer, wallets, quoted } = attempt;
  const status = stateOf(attempt);
  if (status !== "landed" && status !== "unconfirmed" && status !== "failed") return [];
  const [wallet] = wallets;
  if (attempt.operation.startsWith("bundle")) return bundleReceipts(attempt, status);
  if (!wallet) return [];
  if (answer?.receipt) return [[wallet, answer.receipt]];
  // It was found to have landed later, and its figures were not seen: use those of its quote.
  const balances = { preTokenBalance: null, postTokenBalance: null };
  const receipt = receiptOf(maths, quoted, { operation: attempt.operation, status, exact: balances, result: {} }, null);
  return receipt ? [[wallet, receipt]] : [];
}

/** A bundle's reply says nothing about its wallets: all figures are those of its quote. */
function bundleReceipts({ price, body, side }: Attempt, status: TradeReceipt["status"]): [string, TradeReceipt][] {
  const { feePayer } = JSON.parse(body) as { feePayer?: string };
  return price ? estimatedReceipts(price, { feePayer, side }, status) : [];
}
