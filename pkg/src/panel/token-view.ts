// A token as a panel lists it.

import type { SandboxToken } from "../generated.js";
import type { TokenView } from "./world.js";

type Token = Pick<
  SandboxToken,
  "mint" | "symbol" | "name" | "decimals" | "spotPrice" | "marketCapLamports" | "complete" | "realTokenReserves"
>;

/** @param toSell how many base units the curve of a new token has to sell */
export function tokenView(
  { mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, realTokenReserves }: Token,
  toSell: bigint,
): TokenView {
  const left = realTokenReserves < toSell ? realTokenReserves : toSell;
  const progressBps = toSell > 0n ? Number(((toSell - left) * 10_000n) / toSell) : null;
  return { mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, progressBps };
}
