// What trades did to their wallets: for a single trade to the lamport where possible, from its quote, the reply and what the wallet
// holds; for a bundle from its quote.

import { toBaseUnits } from "launchpad-desk";
import type { CurveQuote, Trader } from "launchpad-desk/market";
import { estimatedReceipts } from "../../estimates.js";
import type { BuyRequest, SellRequest, TradeReceipt } from "../../generated.js";
import { lamportsOf, priorityLamportsOf } from "../../browser/state.js";
import { type Attempt, hasLanded, stateOf } from "./attempt.js";
import type { Order } from "../order/order.js";
import type { Maths, World } from "../worlds/world.js";

/** The quote of a single trade on the curve as it is now; null for a bundle, or if the curve is not known. */
export function curveQuoteOf(world: World, order: Order): CurveQuote | null {
  const { request } = order;
  if (!("fromWallet" in request)) return null;
  const curve = world.curve(request.mint);
  const trader = curve && traderOf(world, request, true);
  try {
    if (!curve || !trader) return null;
    if (order.operation === "buy") return curve.quoteBuyExactIn(order.request.amountInLamports, trader);
    if (order.operation === "sellByPercentage")
      return curve.quoteSellPercentage(Number(order.request.percentage), trader);
    const { decimals = 6 } = world.tokens().find(({ mint }) => mint === request.mint) ?? {};
    return order.operation === "sell"
      ? curve.quoteSellExactIn(unitsOf(order.request.amountInToken, decimals), trader)
      : null;
  } catch {
    // The curve refuses it. If it is sent anyway, it gets no exact receipt.
    return null;
  } finally {
    curve?.free();
    trader?.free();
  }
}

/** The base units of an amount to sell: an exit names its own. */
function unitsOf(amount: SellRequest["amountInToken"], decimals: number): bigint {
  if (typeof amount !== "object") return toBaseUnits(String(amount), decimals);
  return "baseUnits" in amount ? BigInt(amount.baseUnits) : toBaseUnits(String(amount.tokens), decimals);
}

/** Lamports of a wallet of which only the tokens are known: enough for any trade. */
export const ENOUGH = 10n ** 18n;

/**
 * The trader of a request. The caller frees it.
 *
 * @param anyway whether there is one for a wallet whose lamports are not known, as right after a trade: its quote says what a trade does to
 * it, not whether it can afford that
 */
export function traderOf(
  world: World,
  request: Omit<BuyRequest, "amountInLamports">,
  anyway = false,
): Trader | undefined {
  const { mint, fromWallet, feePayer, slippage, priorityUnitLimit, priorityUnitPrice } = request;
  const known = world.wallets().find(({ wallet }) => wallet === fromWallet);
  if (!known || (known.lamports === null && !anyway)) return undefined;
  const tokens = known.tokens.get(mint);
  const { lamports, opensVolumeAccount, accounts } = known;
  return new world.maths.Trader({
    ...((lamports !== null || tokens !== undefined) && {
      wallet: {
        lamports: lamports ?? ENOUGH,
        tokenAccount: tokens === undefined ? null : { ...accounts.get(mint), tokens },
        opensVolumeAccount,
      },
    }),
    feePayer: feePayer && feePayer !== fromWallet ? "other" : "trader",
    ...(slippage && { slippage }),
    ...(priorityUnitLimit && { priorityUnitLimit, priorityUnitPrice: priorityUnitPrice ?? 0n }),
  });
}

/** What a trade did; null if its quote or its reply is not enough to tell. */
export function receiptOf(
  maths: Maths,
  quoted: CurveQuote | null,
  trade: unknown,
  walletLamportsMoved: bigint | null,
): TradeReceipt | null {
  if (!quoted) return null;
  try {
    return maths.receipt(
      quoted,
      trade as Parameters<Maths["receipt"]>[1],
      walletLamportsMoved === null ? {} : { walletLamportsMoved },
    );
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
  return receipt ? [[wallet, receipt]] : orderedReceipts(attempt, wallet, status);
}

/** Whether it landed, and what it did to its wallets is not known: then neither is what they have gained. */
export const isUncounted = (attempt: Attempt, receipts: readonly unknown[]): boolean =>
  hasLanded(attempt) && !receipts.length;

/** What each signature costs its fee payer, in lamports. */
const SIGNATURE = 5_000n;

/** What a single trade without a quote did: a buy by its order and its reply, a failed one by the network fee. Of a sell it is not known. */
function orderedReceipts(
  { side, body, answer, decimals }: Attempt,
  wallet: string,
  status: TradeReceipt["status"],
): [string, TradeReceipt][] {
  const bought = side === "buy" ? (answer?.tokens ?? null) : null;
  if (status !== "failed" && bought === null) return [];
  const { feePayer } = JSON.parse(body) as { feePayer: string | null };
  const payer = feePayer ?? wallet;
  const priority = priorityLamportsOf({ body });
  const networkFeeLamports = SIGNATURE * (payer === wallet ? 1n : 2n) + priority;
  const tokens = bought === null ? 0n : toldUnits(bought, decimals);
  if (tokens === null) return [];
  const leg = {
    wallet,
    side,
    tokens,
    walletLamports: lamportsOf({ body }) - priority,
    protocolFeeLamports: 0n,
    creatorFeeLamports: 0n,
    tokenAccount: "unknown",
    rentLamports: 0n,
  } as const;
  return estimatedReceipts({ networkFeeLamports, legs: [leg] }, { feePayer: payer, side }, status);
}

/** Whole tokens of a reply in base units; null if they are finer than that, for then the decimals that the page gave are wrong. */
export function toldUnits(tokens: string, decimals: number): bigint | null {
  try {
    return toBaseUnits(tokens, decimals);
  } catch {
    return null;
  }
}

/** A bundle's reply says nothing about its wallets: all figures are those of its quote. */
function bundleReceipts({ price, body, side }: Attempt, status: TradeReceipt["status"]): [string, TradeReceipt][] {
  const { feePayer } = JSON.parse(body) as { feePayer?: string };
  return price ? estimatedReceipts(price, { feePayer, side }, status) : [];
}
