// The six operations as the ticket offers them, in the spec's order. Names are the spec's.

const lamports = {
  name: "amountInLamports",
  reads: "lamports",
  label: "Amount to spend",
  unit: () => "SOL",
  presets: ["0.1", "0.5", "1"],
};
const tokens = {
  name: "amountInToken",
  reads: "tokens",
  label: "Amount to sell",
  unit: (token) => token.symbol,
  presets: [],
};
const percentage = {
  name: "percentage",
  reads: "percentage",
  label: "Share of holdings",
  unit: () => "%",
  presets: ["25", "50", "100"],
};

/** `list` names a bundle's array of elements; a single operation has none. */
export const OPERATIONS = [
  { name: "buy", label: "Buy", side: "buy", amount: lamports },
  { name: "sell", label: "Sell", side: "sell", amount: tokens },
  { name: "sellByPercentage", label: "Sell %", side: "sell", amount: percentage },
  { name: "bundleBuy", label: "Bundle buy", side: "buy", amount: lamports, list: "buys" },
  { name: "bundleSell", label: "Bundle sell", side: "sell", amount: tokens, list: "sells" },
  { name: "bundleSellByPercentage", label: "Bundle sell %", side: "sell", amount: percentage, list: "sells" },
];
