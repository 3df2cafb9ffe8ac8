// What a single trade did, to the lamport where possible: its quote compared with the reply and with what the wallet holds.

import { toBaseUnits } from "launchpad-desk";
import { Trader, receipt } from "launchpad-desk/launchpad";
import type { CurveQuote, TradeReceipt } from "../generated.js";
import type { Order } from "./slip.js";
import type { World } from "./world.js";

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
  return new Trader({
    wallet: { lamports: known.lamports, tokenAccount: tokens === undefined ? null : { tokens } },
    feePayer: feePayer && feePayer !== fromWallet ? "other" : "trader",
    ...(slippage ? { slippage: slippage as { percent: string } } : {}),
    ...(priorityUnitLimit ? { priorityUnitLimit: priorityUnitLimit as bigint, priorityUnitPrice: priorityUnitPrice as bigint } : {}),
  });
}

/** What a trade did; null if its quote or its reply is not enough to tell. */
export function receiptOf(quoted: CurveQuote | null, trade: unknown, walletLamportsMoved: bigint | null): TradeReceipt | null {
  if (!quoted) return null;
  try {
    return receipt(quoted, trade as Parameters<typeof receipt>[1], walletLamportsMoved === null ? {} : { walletLamportsMoved });
  } catch {
    return null;
  }
}
