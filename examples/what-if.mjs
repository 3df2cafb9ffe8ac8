// What-ifs between two trades: what a buy brings for each of many amounts, what is left of it if others buy first, and the exit that
// returns the money. Nothing is sent, and nothing leaves this process.

import { Curve, REFUSED, Trader } from "launchpad-desk/market";

const SOL = 1_000_000_000n;

const curve = new Curve(); // of a new token; pass { curve: … } for an existing one
const trader = new Trader({ wallet: { lamports: 5n * SOL }, slippage: { percent: 1 } });

const spends = BigUint64Array.from({ length: 100_000 }, (_, step) => BigInt(step) * (SOL / 1000n));
const bought = curve.buysExactIn(spends); // one call into the module
const served = bought.filter((tokens) => tokens !== REFUSED).length;
console.log(
  `${served} of ${spends.length} spends go through; the largest within 5 % impact is ${curve.largestBuyWithinImpact(500)} lamports`,
);

const { tokens, worstTokens, netLamports, warnings } = curve.quoteBuyExactIn(SOL, trader);
console.log(
  `1 SOL buys ${tokens} base units and costs ${-netLamports} lamports in all (${warnings.join(", ") || "no warnings"})`,
);

for (const rivals of [0n, SOL / 4n, SOL]) {
  const moved = curve.clone();
  if (rivals) moved.moveByBuy(rivals);
  const verdict = moved.buyExactIn(SOL) >= worstTokens ? "holds" : "fails: the price moved past the slippage";
  console.log(`after ${rivals} lamports of rivals the bound ${verdict}`);
}

curve.moveByBuy(SOL);
const holder = new Trader({ wallet: { lamports: 4n * SOL, tokenAccount: { tokens } } });
const exit = curve.breakEven(-netLamports, holder);
console.log(
  exit.reached
    ? `breaks even now`
    : `breaks even once others have bought for ${exit.inflowLamports} lamports, at ${exit.spotPrice}`,
);
