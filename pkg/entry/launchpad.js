// The hand-written face of the launchpad's maths: amounts are checked here, since the glue takes a bigint modulo 2^64
// without a word, and refusals are looked for here, since returning a second value costs more than a quote does.

import { Curve } from "build:glue";

/** What stands for a refused trade in an array: no amount is that large. */
export const REFUSED = 2n ** 64n - 1n;

const { buyExactIn, whyBuyExactIn } = Curve.prototype;

Curve.prototype.buyExactIn = function (lamports) {
  if (typeof lamports === "bigint" && BigInt.asUintN(64, lamports) === lamports) {
    const tokens = buyExactIn.call(this, lamports);
    if (tokens !== REFUSED) return tokens;
  }
  return whyBuyExactIn.call(this, lamports);
};

export { Curve };
