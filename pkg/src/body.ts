// What the body of a trade says of its wallets, and its result of its transaction.

import type { Trade } from "./generated.js";

/** The fields of any of the six bodies that name a token or a wallet. */
export interface Body {
  mint: string;
  fromWallet?: string;
  feePayer?: string | null;
  buys?: { fromWallet: string }[];
  sells?: { fromWallet: string }[];
}

/** The wallets of a trade, its fee payer among them, each once. */
export function walletsOf({ fromWallet, feePayer, buys, sells }: Body): string[] {
  const named = [fromWallet, ...(buys ?? sells ?? []).map((leg) => leg.fromWallet), feePayer];
  return [...new Set(named.filter((wallet): wallet is string => typeof wallet === "string" && wallet !== ""))];
}

/** The signature of a trade's transaction: the spec lets the outer one be null. */
export const signatureOf = (result: Trade["result"] | undefined): string | null =>
  result?.signature || result?.transactionResult?.signature || null;
