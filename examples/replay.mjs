// Runs a rule over many seeded histories inside the WebAssembly module: one call for each history of a thousand trades. The
// rivals are random, so a gain here shows that a rule runs, not that it is good.

import { Curve, TRADE_KINDS, Trader, jitteredSpends } from "launchpad-desk/launchpad";

const SOL = 1_000_000_000n;
const TRADES = 1_000;
const { buy, sellShare, rivalBuy, rivalSell } = TRADE_KINDS;

const curve = new Curve();
const trader = new Trader({ wallet: { lamports: 10n * SOL } });

/** Buy after the tenth trade, sell half after two thirds, and the rest at the end. Others mostly buy, and sometimes sell. @param {number} seed */
function history(seed) {
  const kinds = new Uint8Array(TRADES).fill(rivalBuy);
  const amounts = jitteredSpends(60n * SOL, TRADES, { percent: 100 }, seed);
  for (let row = 0; row < TRADES; row += 3) [kinds[row], amounts[row]] = [rivalSell, amounts[row] * 65_000n];
  [kinds[10], amounts[10]] = [buy, SOL];
  [kinds[666], amounts[666]] = [sellShare, 500_000n];
  [kinds[TRADES - 1], amounts[TRADES - 1]] = [sellShare, 1_000_000n];
  return { kinds, amounts, limits: new BigUint64Array(TRADES) };
}

const results = [];
for (let seed = 1; seed <= 50; seed++) {
  const { wallet, ownTrades, equityLamports } = curve.backtest(trader, history(seed));
  const lowest = equityLamports.reduce((low, equity) => (equity < low ? equity : low));
  results.push({ gain: wallet.lamports - 10n * SOL, dip: 10n * SOL - lowest, ownTrades });
}
const gains = results.filter(({ gain }) => gain > 0n).length;
const deepest = results.reduce((most, { dip }) => (dip > most ? dip : most), 0n);
console.log(`${results.length} histories of ${TRADES} trades: ${gains} gains, ${results.length - gains} losses; deepest loss ${deepest} lamports`);
