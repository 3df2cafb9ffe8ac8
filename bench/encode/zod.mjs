import { z } from "zod";

const id = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const units = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER).nullable().optional();
const slippage = z.number().nonnegative().nullable().optional();
const shared = { feePayer: id, slippage, priorityUnitLimit: units, priorityUnitPrice: units };
const amounts = {
  amountInLamports: z.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  amountInToken: z.union([z.number().positive(), z.string().regex(/^\d+(\.\d+)?$/)]),
  percentage: z.number().positive().max(100),
};
const bundle = (list, amount) =>
  z.strictObject({
    [list]: z.array(z.strictObject({ fromWallet: id, [amount]: amounts[amount], slippage })).min(1),
    mint: id,
    ...shared,
  });

export const bodies = {
  buy: z.strictObject({ mint: id, fromWallet: id, amountInLamports: amounts.amountInLamports, ...shared }),
  bundleBuy: bundle("buys", "amountInLamports"),
  bundleSell: bundle("sells", "amountInToken"),
  bundleSellByPercentage: bundle("sells", "percentage"),
};
