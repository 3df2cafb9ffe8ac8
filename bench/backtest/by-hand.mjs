// The peers: the same loop as a bot's author writes it, over BigInt and over the launchpad's own SDK.

import { FEE, LAMPORTS, RENT, SPEND, answerOf, columns, grid, roughly } from "./work.mjs";

const START = {
  virtualTokenReserves: 1_073_000_000_000_000n,
  virtualSolReserves: 30_000_000_000n,
  realTokenReserves: 793_100_000_000_000n,
  realSolReserves: 0n,
};
const [P, C] = [95n, 30n];
const fee = (lamports, bps) => (lamports * bps + 9_999n) / 10_000n;
const BILLION = 1_000_000_000n;

/** Prices by BigInt. */
const bigint = {
  buy({ virtualTokenReserves: vt, virtualSolReserves: vs }, spend) {
    let net = (spend * 10_000n) / (10_000n + P + C);
    const over = net + fee(net, P) + fee(net, C) - spend;
    if (over > 0n) net -= over;
    return { tokens: ((net - 1n) * vt) / (vs + net - 1n), net, paid: net + fee(net, P) + fee(net, C) };
  },
  sell({ virtualTokenReserves: vt, virtualSolReserves: vs }, tokens) {
    const sol = (tokens * vs) / (vt + tokens);
    return { sol, out: sol - fee(sol, P) - fee(sol, C) };
  },
};

/** Prices by the SDK; what moves the curve is worked out beside it, since it only quotes. */
async function sdk() {
  const { createRequire } = await import("node:module");
  const require = createRequire(import.meta.url);
  console.warn = () => {};
  const { getBuyTokenAmountFromSolAmount, getSellSolAmountFromTokenAmount } = require("@pump-fun/pump-sdk");
  const { PublicKey } = require("@solana/web3.js");
  const BN = require("bn.js");
  const bn = (amount) => new BN(amount.toString());
  const terms = {
    global: { feeBasisPoints: bn(P), creatorFeeBasisPoints: bn(C) },
    feeConfig: null,
    mintSupply: bn(10n ** 15n),
    quoteMint: PublicKey.default,
  };
  const creator = new PublicKey(new Uint8Array(32).fill(7));
  const curveOf = (curve) => ({
    virtualTokenReserves: bn(curve.virtualTokenReserves),
    virtualQuoteReserves: bn(curve.virtualSolReserves),
    realTokenReserves: bn(curve.realTokenReserves),
    realQuoteReserves: bn(curve.realSolReserves),
    creator,
    quoteMint: PublicKey.default,
  });
  return {
    buy(curve, spend) {
      const tokens = BigInt(
        getBuyTokenAmountFromSolAmount({ ...terms, bondingCurve: curveOf(curve), amount: bn(spend) }).toString(),
      );
      return { ...bigint.buy(curve, spend), tokens };
    },
    sell(curve, tokens) {
      const out = BigInt(
        getSellSolAmountFromTokenAmount({ ...terms, bondingCurve: curveOf(curve), amount: bn(tokens) }).toString(),
      );
      return { sol: bigint.sell(curve, tokens).sol, out };
    },
  };
}

/** Each plan on a curve of its own, which all trades move: those of the tape, and ours. */
function run({ buy, sell }, { orders, amounts }, { stops, targets }) {
  const tried = targets.flatMap((target) => stops.map((stop) => ({ stop, target })));
  return tried.map(({ stop, target }) => {
    const curve = { ...START };
    let [lamports, held, cost] = [LAMPORTS, 0n, 0n];
    const bought = (spend) => {
      const { tokens, net, paid } = buy(curve, spend);
      curve.virtualTokenReserves -= tokens;
      curve.realTokenReserves -= tokens;
      curve.virtualSolReserves += net;
      curve.realSolReserves += net;
      return { tokens, paid };
    };
    const sold = (tokens) => {
      const { sol, out } = sell(curve, tokens);
      if (sol > curve.realSolReserves) return undefined;
      curve.virtualTokenReserves += tokens;
      curve.realTokenReserves += tokens;
      curve.virtualSolReserves -= sol;
      curve.realSolReserves -= sol;
      return out;
    };
    const enter = () => {
      const { tokens, paid } = bought(SPEND);
      [held, cost] = [tokens, paid + FEE];
      lamports -= cost + RENT;
    };
    const leave = () => (lamports += sold(held) - FEE + RENT);
    for (let row = 0; row < orders.length; row++) {
      if (orders[row]) sold(amounts[row]);
      else bought(amounts[row]);
      if (row === 0) {
        enter();
        continue;
      }
      const { out } = sell(curve, held);
      const multiple = ((out + RENT - FEE) * BILLION) / (cost + RENT);
      if (multiple <= BigInt(stop) * 1_000_000n || multiple >= BigInt(target) * 1_000_000n) {
        leave();
        // At the last trade there is no time left to buy again.
        if (row < orders.length - 1) enter();
        else held = 0n;
      }
    }
    if (held) leave();
    return lamports - LAMPORTS;
  });
}

const side = (prices, answer) => (trades, count) => {
  const [tape, tried] = [columns(trades), grid(count)];
  const all = () => run(prices, tape, tried);
  return { run: all, answer: () => answer(all()) };
};

export const byBigInt = side(bigint, answerOf);
export const bySdk = async (trades, count) => side(await sdk(), roughly)(trades, count);
