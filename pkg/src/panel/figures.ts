// Figures as people read them. What is exact is said exactly elsewhere: these are for the eye.

import { fromBaseUnits, lamportsToSol } from "launchpad-desk";

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 3 });

/** Exact decimal text, with its digits grouped. */
export const grouped = (text: string): string => text.replace(/^(-?)(\d+)/, (_, sign: string, digits: string) => sign + whole.format(BigInt(digits)));

/** "1.5 SOL", exact. */
export const sol = (lamports: bigint): string => `${grouped(lamportsToSol(lamports))} SOL`;

/** "34,246,575.34 RABBIT", exact. */
export const tokens = (baseUnits: bigint, { symbol, decimals }: { symbol: string; decimals: number }): string => `${grouped(fromBaseUnits(baseUnits, decimals))} ${symbol}`;

/** "34.2M RABBIT". */
export const shortTokens = (baseUnits: bigint, { symbol, decimals }: { symbol: string; decimals: number }): string =>
  `${short.format(Number(fromBaseUnits(baseUnits, decimals)))} ${symbol}`;

/** Basis points as a percentage: "3.23 %". */
export const percent = (bps: number): string => `${(bps / 100).toLocaleString(undefined, { maximumFractionDigits: 2 })} %`;
