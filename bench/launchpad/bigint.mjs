// The peer: the launchpad's rules with BigInt, in plain JS.

import { BUDGET, IMPACT_BPS, LARGE, SOME, START, WALLETS, checksum, smallSpends, spends } from "./amounts.mjs";

const { protocolBps: P, creatorBps: C } = START;
const fee = (lamports, bps) => (lamports * bps + 9_999n) / 10_000n;

/** The part of a spend that reaches the curve. */
function netOf(spend) {
  let net = (spend * 10_000n) / (10_000n + P + C);
  if (net === 0n) throw new Error("the spend is used up by its own fees");
  const over = net + fee(net, P) + fee(net, C) - spend;
  if (over > 0n) net -= over;
  if (net <= 0n) throw new Error("the spend is used up by its own fees");
  return net;
}

function tokensFor(curve, net) {
  const tokens = ((net - 1n) * curve.virtualTokenReserves) / (curve.virtualSolReserves + net - 1n);
  if (tokens === 0n) throw new Error("fewer tokens than the minimum");
  if (tokens > curve.realTokenReserves) throw new Error("the curve has fewer tokens left than this buys");
  return tokens;
}

const buyExactIn = (curve, spend) => tokensFor(curve, netOf(spend));

export function oneBuy() {
  const amounts = spends(1024);
  const curve = { ...START };
  let at = 0;
  return {
    run: () => buyExactIn(curve, amounts[at++ & 1023]),
    answer: () => amounts.map((amount) => buyExactIn(curve, amount)),
  };
}

export function manyBuys() {
  const amounts = BigUint64Array.from(spends(LARGE));
  const curve = { ...START };
  const run = () => {
    const tokens = new BigUint64Array(amounts.length);
    for (let row = 0; row < amounts.length; row++) tokens[row] = buyExactIn(curve, amounts[row]);
    return tokens;
  };
  return { run, answer: () => checksum(run()) };
}

export function sequence() {
  const amounts = BigUint64Array.from(smallSpends(SOME));
  const run = () => {
    let { virtualTokenReserves, virtualSolReserves, realTokenReserves } = START;
    const bought = new BigUint64Array(amounts.length);
    for (let row = 0; row < amounts.length; row++) {
      const net = netOf(amounts[row]);
      const tokens = ((net - 1n) * virtualTokenReserves) / (virtualSolReserves + net - 1n);
      if (tokens === 0n || tokens > realTokenReserves) throw new Error("refused");
      virtualTokenReserves -= tokens;
      virtualSolReserves += net;
      realTokenReserves -= tokens;
      bought[row] = tokens;
    }
    return bought;
  };
  return { run, answer: () => checksum(run()) };
}

export function largestBuy() {
  const curve = { ...START };
  const most = 10_000n + BigInt(IMPACT_BPS);
  const within = (spend) => {
    const over = (spend * 10_000n) / (10_000n + P + C);
    let net = over;
    const excess = net + fee(net, P) + fee(net, C) - spend;
    if (excess > 0n) net -= excess;
    if (net <= 1n) return true;
    const tokens = ((net - 1n) * curve.virtualTokenReserves) / (curve.virtualSolReserves + net - 1n);
    if (tokens > curve.realTokenReserves) return false;
    return net * curve.virtualTokenReserves * 10_000n <= tokens * curve.virtualSolReserves * most || tokens === 0n;
  };
  const run = () => {
    let [below, above] = [0n, 2n ** 64n];
    while (above - below > 1n) {
      const middle = (below + above) >> 1n;
      if (within(middle)) below = middle;
      else above = middle;
    }
    return below;
  };
  return { run, answer: run };
}

export function equalTokens() {
  /** The cost of this many tokens for each wallet in turn, and in total; undefined past the end of the curve. */
  const cost = (tokens, spent) => {
    let { virtualTokenReserves, virtualSolReserves, realTokenReserves } = START;
    let total = 0n;
    for (let wallet = 0; wallet < WALLETS; wallet++) {
      if (tokens > realTokenReserves) return undefined;
      const left = virtualTokenReserves - tokens;
      const net = (tokens * virtualSolReserves + left - 1n) / left + 1n;
      const spend = net + fee(net, P) + fee(net, C);
      const bought = ((net - 1n) * virtualTokenReserves) / (virtualSolReserves + net - 1n);
      virtualTokenReserves -= bought;
      virtualSolReserves += net;
      realTokenReserves -= bought;
      total += spend;
      if (spent) spent[wallet] = spend;
    }
    return total;
  };
  const run = () => {
    let [below, above] = [0n, START.realTokenReserves / BigInt(WALLETS) + 1n];
    while (above - below > 1n) {
      const middle = (below + above) >> 1n;
      const total = cost(middle);
      if (total !== undefined && total <= BUDGET) below = middle;
      else above = middle;
    }
    const spendsLamports = new BigUint64Array(WALLETS);
    cost(below, spendsLamports);
    return { tokens: below, spendsLamports };
  };
  return { run, answer: () => (({ tokens, spendsLamports }) => [tokens, checksum(spendsLamports)])(run()) };
}
