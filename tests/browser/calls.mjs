// Calls that run within one engine; tests/browser compares the results with Node's.

const request = { mint: "M", fromWallet: "W", amountInLamports: 5 };
const throws = () => {
  throw new Error("no");
};
const never = () => new Promise(() => {});
const told = (promise) => promise.then(String, ({ outcome, code, status }) => [outcome, code, status].join(" ").trim());

const HOSTILE = {
  cyclic: () => [[]].map((list) => (list.push(list, list, list, list), { list })),
  "a getter that throws": () => Object.defineProperty({}, "mint", { enumerable: true, get: throws }),
  "keys that throw": () => new Proxy({}, { ownKeys: throws }),
  "a proxy whose values throw": () =>
    new Proxy(
      {},
      { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: throws },
    ),
  "an array without end": () => new Array(4294967295),
  "a long text": () => ({ mint: "x".repeat(10_000_000) }),
  "what is no data": () => ({ mint: Symbol("s"), fromWallet() {}, amountInLamports: new Date() }),
  "a number of 100,000 digits": () => ({ ...request, amountInLamports: 10n ** 100_000n }),
  bytes: () => new Uint8Array(1e7),
  "a function": () => () => 1,
  ...Object.fromEntries(
    [NaN, Infinity, -0, 2 ** 53, 1e21, 2n ** 64n, -5n].map((value) => [
      `${value}`,
      () => ({ ...request, amountInLamports: value }),
    ]),
  ),
};

const LOST = [
  async () => new Response("{}", { status: 503 }),
  async () => new Response(new ReadableStream({ pull: (body) => body.error(new Error("cut")) }), { status: 401 }),
  never,
];

/** What the package makes of all this. */
export async function calls({ TradeClient, validate }, { Sandbox }) {
  const seen = { hostile: {} };
  for (const [name, make] of Object.entries(HOSTILE))
    seen.hostile[name] = validate("buy", make()).errors.map(({ field, code }) => `${field} ${code}`);

  const service = { baseURL: "https://service.example", timeoutMs: 1_000 };
  const later = new AbortController();
  const aborted = () => (setTimeout(() => later.abort(), 5), never());
  const client = new TradeClient({ ...service, fetch: aborted, timeoutMs: 60_000 });
  seen.lost = await Promise.all([
    ...LOST.map((fetch) => told(new TradeClient({ ...service, fetch }).buy(request))),
    ...[AbortSignal.abort(), later.signal].map((signal) => told(client.buy(request, { signal }))),
  ]);
  const sell = { mint: "M", fromWallet: "W" };
  seen.bodies = [0.1, 1e-7, 123.456, "0.30000000000000004", { baseUnits: 16996189n }, 9007199254740991].map(
    (amountInToken) => client.build("sell", { ...sell, amountInToken }).body,
  );

  const sandbox = new Sandbox();
  sandbox.useClock(() => 1_700_000_000_000);
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  const bought = await new TradeClient({ fetch: sandbox.fetch }).buy({
    mint,
    fromWallet,
    amountInLamports: 1_000_000_000n,
  });
  seen.sandbox = { bought: bought.raw, snapshot: sandbox.snapshot() };
  return seen;
}
