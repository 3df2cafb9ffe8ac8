import * as v from "valibot";

const id = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/));
const units = v.nullish(v.pipe(v.number(), v.safeInteger(), v.minValue(0)));
const slippage = v.nullish(v.pipe(v.number(), v.finite(), v.minValue(0)));
const shared = { feePayer: id, slippage, priorityUnitLimit: units, priorityUnitPrice: units };
const amounts = {
  amountInLamports: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  amountInToken: v.union([v.pipe(v.number(), v.finite(), v.gtValue(0)), v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/))]),
  percentage: v.pipe(v.number(), v.gtValue(0), v.maxValue(100)),
};
const bundle = (list, amount) =>
  v.strictObject({
    [list]: v.pipe(v.array(v.strictObject({ fromWallet: id, [amount]: amounts[amount], slippage })), v.minLength(1)),
    mint: id,
    ...shared,
  });

export const bodies = {
  buy: v.strictObject({ mint: id, fromWallet: id, amountInLamports: amounts.amountInLamports, ...shared }),
  bundleBuy: bundle("buys", "amountInLamports"),
  bundleSell: bundle("sells", "amountInToken"),
  bundleSellByPercentage: bundle("sells", "percentage"),
};
export const parse = (operation, request) => v.parse(bodies[operation], request);
