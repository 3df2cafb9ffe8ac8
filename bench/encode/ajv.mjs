import Ajv from "ajv";

const id = { type: "string", pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" };
const units = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER, nullable: true };
const slippage = { type: "number", minimum: 0, nullable: true };
const shared = { feePayer: id, slippage, priorityUnitLimit: units, priorityUnitPrice: units };
const amounts = {
  amountInLamports: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  amountInToken: {
    anyOf: [
      { type: "number", exclusiveMinimum: 0 },
      { type: "string", pattern: "^\\d+(\\.\\d+)?$" },
    ],
  },
  percentage: { type: "number", exclusiveMinimum: 0, maximum: 100 },
};
const object = (properties, required) => ({ type: "object", properties, required, additionalProperties: false });
const bundle = (list, amount) =>
  object(
    {
      [list]: {
        type: "array",
        minItems: 1,
        items: object({ fromWallet: id, [amount]: amounts[amount], slippage }, ["fromWallet", amount]),
      },
      mint: id,
      ...shared,
    },
    [list, "mint", "feePayer"],
  );

const ajv = new Ajv();
export const bodies = {
  buy: ajv.compile(
    object({ mint: id, fromWallet: id, amountInLamports: amounts.amountInLamports, ...shared }, [
      "mint",
      "fromWallet",
      "amountInLamports",
    ]),
  ),
  bundleBuy: ajv.compile(bundle("buys", "amountInLamports")),
  bundleSell: ajv.compile(bundle("sells", "amountInToken")),
  bundleSellByPercentage: ajv.compile(bundle("sells", "percentage")),
};
