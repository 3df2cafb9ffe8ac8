// The work of the backtest benchmark: a tape of one token whose price goes up and down, and exit plans to try on it.

/** Trades and plans: of the comparisons, which a peer must finish too, and of the goal. */
export const [SOME_TRADES, SOME_PLANS] = [5_000, 4];
export const [TRADES, PLANS] = [100_000, 64];

export const SPEND = 100_000_000n;
export const LAMPORTS = 1_000_000_000_000n;
export const RENT = 1_488_440n;
export const FEE = 5_000n;

/** The columns of a tape of this many trades. bench/backtest.rs makes the same. */
export function columns(trades) {
  const [atMs, orders, amounts] = [new BigUint64Array(trades), new Uint8Array(trades), new BigUint64Array(trades)];
  for (let row = 0; row < trades; row++) {
    const lamports = 10_000_000 + ((row * 7_919) % 1_024) * 100_000;
    const isSell = ((row * 2_654_435_761) >>> 0) % 100 < (Math.floor(row / 500) % 2 ? 56 : 44);
    atMs[row] = BigInt(row * 100);
    orders[row] = isSell ? 1 : 0;
    amounts[row] = BigInt(isSell ? lamports * 20_000 : lamports);
  }
  return { atMs, orders, amounts };
}

/** Stops and targets in thousandths: a square of this many plans. */
export function grid(count) {
  const side = Math.sqrt(count);
  return {
    stops: Array.from({ length: side }, (_, at) => 800 + at * 20),
    targets: Array.from({ length: side }, (_, at) => 1_050 + at * 50),
  };
}

/** What the sides must agree on. */
export const answerOf = (profits) => profits.map((profit) => `${profit}`).join();
/** The same where rounding differs by a few lamports: to a thousandth of what a buy spends. */
export const roughly = (profits) => profits.map((profit) => `${profit / 10_000_000n}`).join();
