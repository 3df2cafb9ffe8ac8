// Requests of all six operations, each with its optional fields present, absent and null, and each number as text too.

const MINT = "SimMoonRabbit111111111111111111111111111111";
const [ADA, BOB] = ["SimTraderAda1111111111111111111111111111111", "SimTraderBob1111111111111111111111111111111"];
const PRIORITY = { priorityUnitLimit: 200_000, priorityUnitPrice: 5_000 };

/** A bundle of two wallets: the list of its legs, and what each leg says beside its wallet. */
export const bundle = (list, one, other) => ({
  mint: MINT,
  feePayer: ADA,
  [list]: [
    { fromWallet: ADA, ...one },
    { fromWallet: BOB, ...other },
  ],
});

/** An operation's path, a request with all that is required, and its optional fields. */
const OPERATIONS = [
  [
    "buy",
    { mint: MINT, fromWallet: ADA, amountInLamports: 1_000_000_000 },
    { feePayer: BOB, slippage: 1, ...PRIORITY },
  ],
  ["bundle/buy", bundle("buys", { amountInLamports: 50_000_000 }, { amountInLamports: 60_000_000 }), PRIORITY],
  ["sell", { mint: MINT, fromWallet: ADA, amountInToken: 1000.5 }, { feePayer: BOB, slippage: 2.5, ...PRIORITY }],
  ["bundle/sell", bundle("sells", { amountInToken: "10.25" }, { amountInToken: 3 }), PRIORITY],
  ["bundle/sell/by-percentage", bundle("sells", { percentage: 12.5 }, { percentage: 50 }), PRIORITY],
  ["sell-by-percentage", { mint: MINT, fromWallet: ADA, percentage: 50 }, { feePayer: BOB, slippage: 1, ...PRIORITY }],
];

const asText = (value) =>
  typeof value === "number"
    ? `${value}`
    : Array.isArray(value)
      ? value.map((item) => Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, asText(inner)])))
      : value;

/** Each request: its path and its body. */
export const CASES = OPERATIONS.flatMap(([path, required, optional]) => {
  const nulls = Object.fromEntries(Object.keys(optional).map((name) => [name, null]));
  const texts = Object.fromEntries(
    Object.entries({ ...required, ...optional }).map(([name, value]) => [name, asText(value)]),
  );
  return [
    { ...required, ...optional },
    required,
    { ...required, ...nulls },
    texts,
    { ...required, mint: null },
    {},
  ].map((body) => ({ path: `/v1/trade/${path}`, body }));
});
