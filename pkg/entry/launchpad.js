// Hand-written wrappers for the functions of the launchpad's maths whose generated bindings are too slow or too trusting.
// Those would silently take a bigint modulo 2^64; and to check for an error, every call makes an array of its two results,
// which costs more than the quote.

import { Amounts, Curve, Position, Trader } from "build:glue";

/** What stands for a refused trade in a column: no amount is that large. */
export const REFUSED = 2n ** 64n - 1n;

/** What a row of a backtest does, as its number in the column of kinds. */
export const TRADE_KINDS = Object.freeze({ buy: 0, sell: 1, sellShare: 2, rivalBuy: 3, rivalSell: 4 });

const { prototype } = Curve;
const { buyExactIn, buyExactInOf, buyExactOut, buyExactOutOf, sellExactIn, sellExactInOf } = prototype;

// The module answers with a signed 64-bit number, which saves a step in JS. A negative one was refused, or is at least 2^63,
// and is asked for again.
prototype.buyExactIn = function (lamports) {
  if (typeof lamports === "bigint" && BigInt.asUintN(64, lamports) === lamports) {
    const tokens = buyExactIn.call(this, lamports);
    if (tokens >= 0n) return tokens;
  }
  return buyExactInOf.call(this, lamports);
};

prototype.buyExactOut = function (tokens) {
  if (typeof tokens === "bigint" && BigInt.asUintN(64, tokens) === tokens) {
    const lamports = buyExactOut.call(this, tokens);
    if (lamports >= 0n) return lamports;
  }
  return buyExactOutOf.call(this, tokens);
};

prototype.sellExactIn = function (tokens) {
  if (typeof tokens === "bigint" && BigInt.asUintN(64, tokens) === tokens) {
    const lamports = sellExactIn.call(this, tokens);
    if (lamports >= 0n) return lamports;
  }
  return sellExactInOf.call(this, tokens);
};

for (const name of ["buyExactInOf", "buyExactOutOf", "sellExactInOf"]) delete prototype[name];

/** The default trader; made when first needed, since there is no module yet. */
let anyone;

for (const name of ["quoteBuyExactIn", "quoteBuyExactOut", "quoteSellExactIn", "quoteSellPercentage"]) {
  const quote = prototype[name];
  prototype[name] = function (amount, trader = (anyone ??= new Trader())) {
    return quote.call(this, amount, trader);
  };
}

const { get: valuesOf } = Object.getOwnPropertyDescriptor(Amounts.prototype, "values");

/** View → its column, which keeps the column alive: freeing it would take the rows from under the view. */
const columns = new WeakMap();

Object.defineProperty(Amounts.prototype, "values", {
  configurable: true,
  get() {
    const values = valuesOf.call(this);
    columns.set(values, this);
    return values;
  },
});

export { Amounts, Curve, Position, Trader };
