// The requests for both sides: plain objects with every field, in the body's order, as a bot makes them. Each has its own texts,
// as if it had just been read, so that an engine has nothing cached about them.

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** How many elements a large bundle has. */
export const MANY = 100;

let state = 1;
const below = (bound) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
};

const decoder = new TextDecoder();
// Decoded from bytes, so that a text is one piece, like one that was read.
const address = () =>
  decoder.decode(Uint8Array.from({ length: 44 }, (_, at) => BASE58.charCodeAt(at ? below(58) : 1 + below(16))));

const amounts = {
  amountInLamports: () => 1_000_000_000 + below(1_000_000),
  amountInToken: () => String(1 + below(1_000_000)) + (below(2) ? `.${1 + below(9)}` : ""),
  percentage: () => (1 + below(1000)) / 10,
};

const shared = () => ({ feePayer: address(), slippage: 5, priorityUnitLimit: 200_000, priorityUnitPrice: 1_000_000 });

const buy = () => ({
  mint: address(),
  fromWallet: address(),
  amountInLamports: amounts.amountInLamports(),
  ...shared(),
});

const bundle = (list, amount) => () => ({
  [list]: Array.from({ length: MANY }, () => ({ fromWallet: address(), [amount]: amounts[amount](), slippage: 5 })),
  mint: address(),
  ...shared(),
});

const several = (count, make) => Array.from({ length: count }, make);

export const OPERATIONS = {
  buy: several(512, buy),
  bundleBuy: several(8, bundle("buys", "amountInLamports")),
  bundleSell: several(8, bundle("sells", "amountInToken")),
  bundleSellByPercentage: several(8, bundle("sells", "percentage")),
};

/** The bad fields of each request in {@link BAD}. */
export const BAD_FIELDS = [
  "mint",
  "fromWallet",
  "amountInLamports",
  "feePayer",
  "slippage",
  "priorityUnitLimit",
  "priorityUnitPrice",
];

/** Buys of which every field is bad. */
export const BAD = OPERATIONS.buy.map((request) => ({
  mint: `${request.mint.slice(0, -1)}0`,
  fromWallet: `${request.fromWallet.slice(0, -1)}0`,
  amountInLamports: 0,
  feePayer: `${request.feePayer.slice(0, -1)}0`,
  slippage: -1,
  priorityUnitLimit: 0.5,
  priorityUnitPrice: "x",
}));

/** Bundles as JSON, each text in one piece, like one from the wire. */
export const BODIES = OPERATIONS.bundleBuy.map((bundle) =>
  decoder.decode(new TextEncoder().encode(JSON.stringify(bundle))),
);
