// A token as a panel lists it, and the names that others have given to tokens and wallets.

import { shownText } from "launchpad-desk";
import type { SandboxToken } from "../../generated.js";
import type { TokenView } from "./world.js";

type Token = Pick<
  SandboxToken,
  "mint" | "symbol" | "name" | "decimals" | "spotPrice" | "marketCapLamports" | "complete" | "realTokenReserves"
>;

/** The most characters that are shown of a symbol, and of another name. */
const MOST_OF_SYMBOL = 20;
const MOST_OF_NAME = 32;
const MOST_OF_TITLE = 4_096;
/** Letters that are read from right to left. */
const FROM_THE_RIGHT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** A name that can stand beside amounts: cut if it is long, low enough for its line, and isolated if it is read from right to left. */
export function shownName(name: string, most = MOST_OF_NAME): string {
  const text = shownText(name.replace(/(\p{M}{2})\p{M}+/gu, "$1"), most);
  return FROM_THE_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}

/** A token's names as they are shown, and whole for a title. */
export const shownNames = (symbol: string, name: string): Pick<TokenView, "symbol" | "name" | "title"> => ({
  symbol: shownName(symbol, MOST_OF_SYMBOL),
  name: shownName(name),
  title: shownText(`${symbol} ${name}`, MOST_OF_TITLE),
});

/** @param toSell how many base units the curve of a new token has to sell */
export function tokenView(
  { mint, symbol, name, decimals, spotPrice, marketCapLamports, complete, realTokenReserves }: Token,
  toSell: bigint,
): TokenView {
  const left = realTokenReserves < toSell ? realTokenReserves : toSell;
  const progressBps = toSell > 0n ? Number(((toSell - left) * 10_000n) / toSell) : null;
  return { mint, ...shownNames(symbol, name), decimals, spotPrice, marketCapLamports, complete, progressBps };
}
