// Ours: launchpad-desk/market.

import { Curve, Trader } from "launchpad-desk/market";
import {
  BUDGET,
  IMPACT_BPS,
  LARGE,
  SOME,
  START,
  WALLETS,
  checksum,
  evenSpends,
  smallSpends,
  spends,
} from "./amounts.mjs";

const { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves, supply } = START;
const curve = new Curve({
  curve: { virtualTokenReserves, virtualSolReserves, realTokenReserves, realSolReserves },
  supply,
});

const buysOf = (amounts) => {
  let at = 0;
  return {
    run: () => curve.buyExactIn(amounts[at++ & 1023]),
    answer: () => amounts.map((amount) => curve.buyExactIn(amount)),
  };
};

export const oneBuy = () => buysOf(spends(1024));
export const oneEvenBuy = () => buysOf(evenSpends(1024));

export function manyBuys() {
  const amounts = BigUint64Array.from(spends(LARGE));
  const run = () => curve.buysExactIn(amounts);
  return { run, answer: () => checksum(run()) };
}

export function sequence() {
  const amounts = BigUint64Array.from(smallSpends(SOME));
  const run = () => curve.buysInSequence(amounts);
  return { run, answer: () => checksum(run()) };
}

export function largestBuy() {
  const run = () => curve.largestBuyWithinImpact(IMPACT_BPS);
  return { run, answer: run };
}

export function equalTokens() {
  const run = () => curve.equalTokens(BUDGET, WALLETS);
  return { run, answer: () => (({ tokens, spendsLamports }) => [tokens, checksum(spendsLamports)])(run()) };
}

/** Whole quotes, where a peer computes only the price. */
export function quotedBuy() {
  const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
  const amounts = spends(1024);
  let at = 0;
  return {
    run: () => curve.quoteBuyExactIn(amounts[at++ & 1023], trader),
    answer: () => amounts.map((amount) => curve.quoteBuyExactIn(amount, trader).tokens),
  };
}

/** What a bot needs on every tick. */
export function quotedNumbers() {
  const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
  const amounts = spends(1024);
  const numbers = ["tokens", "walletLamports", "protocolFeeLamports", "minTokens"];
  let at = 0;
  return {
    run: () => curve.quoteBuyExactIn(amounts[at++ & 1023], trader, numbers),
    answer: () => amounts.map((amount) => curve.quoteBuyExactIn(amount, trader, numbers).tokens),
  };
}

export function wholeQuote() {
  const trader = new Trader({ wallet: { lamports: 5_000_000_000n }, slippage: { percent: 1 } });
  const amounts = spends(1024);
  let at = 0;
  return {
    run: () => curve.quoteBuyExactIn(amounts[at++ & 1023], trader),
    answer: () => amounts.map((amount) => curve.quoteBuyExactIn(amount, trader)),
  };
}
