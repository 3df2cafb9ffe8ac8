// The questions for all sides of the launchpad's bench: the default curve, and amounts that differ from call to call.

export const LARGE = 100_000;
export const SOME = 1_000;
export const WALLETS = 100;
export const BUDGET = 20_000_000_000n;
export const IMPACT_BPS = 500;

/** Where the default curve starts. */
export const START = {
  virtualTokenReserves: 1_073_000_000_000_000n,
  virtualSolReserves: 30_000_000_000n,
  realTokenReserves: 793_100_000_000_000n,
  realSolReserves: 0n,
  supply: 1_000_000_000_000_000n,
  protocolBps: 95n,
  creatorBps: 30n,
  decimals: 6,
};

/** Spends of a twelfth of a SOL to about one. */
export const spends = (count) =>
  Array.from({ length: count }, (_, row) => 81_000_000n + BigInt((row * 7919) % 1024) * 1_003_003n);

/** Spends that are multiples of 2025, because the SDK's estimate is exact only for those. */
export const evenSpends = (count) =>
  Array.from({ length: count }, (_, row) => 81_000_000n + BigInt((row * 7919) % 1024) * 1_004_400n);

/** Small spends, so that a thousand in sequence fit the curve. */
export const smallSpends = (count) =>
  Array.from({ length: count }, (_, row) => 20_000_000n + BigInt((row * 7919) % 1024) * 1_003n);

/** A checksum, to compare two columns. */
export const checksum = (column) =>
  column.reduce((sum, row, at) => BigInt.asUintN(64, sum * 31n + row + BigInt(at)), 0n);
