import * as S from "sury";

const id = S.string.with(S.pattern, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const whole = S.integer.with(S.lte, Number.MAX_SAFE_INTEGER);
const units = S.nullish(whole.with(S.gte, 0));
const slippage = S.nullish(S.number.with(S.gte, 0));
const shared = { feePayer: id, slippage, priorityUnitLimit: units, priorityUnitPrice: units };
const amounts = {
  amountInLamports: whole.with(S.gte, 1),
  amountInToken: S.union([S.number.with(S.gt, 0), S.string.with(S.pattern, /^\d+(\.\d+)?$/)]),
  percentage: S.number.with(S.gt, 0).with(S.lte, 100),
};
const object = (properties) => S.strict(S.schema(properties));
const bundle = (list, amount) =>
  object({
    [list]: S.array(object({ fromWallet: id, [amount]: amounts[amount], slippage })).with(S.minLength, 1),
    mint: id,
    ...shared,
  });

export const bodies = {
  buy: object({ mint: id, fromWallet: id, amountInLamports: amounts.amountInLamports, ...shared }),
  bundleBuy: bundle("buys", "amountInLamports"),
  bundleSell: bundle("sells", "amountInToken"),
  bundleSellByPercentage: bundle("sells", "percentage"),
};
export const parse = (operation, request) => S.parseOrThrow(request, bodies[operation]);
