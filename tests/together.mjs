// What one entry makes or throws is known to the others, which Node, a page and a bundle are to show.

const thrown = (work) => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};
const BUY = { amountInLamports: 1_000_000_000 };
const exitsOf = (Exits) => new Exits({ stopLoss: "0.7x" });

/** What is to hold → the entries that it needs, by the names of their files, and whether it does. */
const CHECKS = {
  "an error of the maths": [
    ["index", "market"],
    ({ TradeNotSentError }, { Curve }) => thrown(() => new Curve({ suply: 1n })) instanceof TradeNotSentError,
  ],
  "an error of the sandbox": [
    ["index", "sandbox"],
    ({ TradeNotSentError }, { Sandbox }) => thrown(() => new Sandbox({ suply: 1n })) instanceof TradeNotSentError,
  ],
  "an error of the record": [
    ["index", "record"],
    async ({ TradeNotSentError }, { verifyRecord }) =>
      (await verifyRecord("", { head: "?" }).catch((error) => error)) instanceof TradeNotSentError,
  ],
  "a refusal of a sandbox's curve": [
    ["market", "sandbox"],
    ({ RefusalError }, { Sandbox }) => {
      const sandbox = new Sandbox();
      return thrown(() => sandbox.curve(sandbox.tokens[0].mint).sellExactIn(10n ** 15n)) instanceof RefusalError;
    },
  ],
  "a sandbox's curve and a trader": [
    ["market", "sandbox"],
    ({ Curve, Trader }, { Sandbox }) => {
      const sandbox = new Sandbox();
      const curve = sandbox.curve(sandbox.tokens[0].mint);
      return (
        curve instanceof Curve &&
        new Curve().quoteBuyExactIn(10n ** 9n, new Trader()).tokens ===
          curve.quoteBuyExactIn(10n ** 9n, new Trader()).tokens
      );
    },
  ],
  "a position at a sandbox's curve": [
    ["market", "sandbox"],
    ({ Position, Trader, receipt }, { Sandbox }) => {
      const sandbox = new Sandbox();
      const curve = sandbox.curve(sandbox.tokens[0].mint);
      const quote = curve.quoteBuyExactIn(10n ** 9n, new Trader());
      const position = new Position();
      position.add(
        receipt(quote, { operation: "buy", status: "landed", result: {}, exact: { buyAmount: quote.tokenAmount } }),
      );
      return position.state.tokens === quote.tokens;
    },
  ],
  "a curve and exits in a backtest": [
    ["market", "sandbox"],
    ({ Curve, Exits }, { Sandbox, backtest, sweep }) => {
      const sandbox = new Sandbox({ market: { alive: true, seed: 7 } });
      sandbox.advance(60_000);
      const tape = sandbox.marketTrades;
      const [{ mint }] = tape;
      const options = { tape, start: { [mint]: new Curve() }, entry: { lamports: 10n ** 8n }, exits: exitsOf(Exits) };
      let seen;
      backtest({ ...options, strategy: ({ curve }) => void (seen ??= curve) });
      const alike = [
        Object.fromEntries([...new Set(tape.map((trade) => trade.mint))].map((mint) => [mint, new Curve()])),
        new Curve(),
        undefined,
      ].map((start) => backtest({ ...options, start }).profitLamports);
      return (
        seen instanceof Curve &&
        new Set(alike).size === 1 &&
        sweep({ ...options, grid: { stopLoss: ["0.6x"] } }).plans.length === 1
      );
    },
  ],
  "a local chain's account": [
    ["market", "sandbox"],
    async ({ Curve, curveAddress, readCurve }, { LocalChain, Sandbox }) => {
      const sandbox = new Sandbox();
      const [{ mint }] = sandbox.tokens;
      const { fetch } = new LocalChain(sandbox);
      const address = curveAddress(mint);
      const body = JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "getAccountInfo",
        params: [address, { encoding: "base64", commitment: "processed" }],
      });
      const response = await fetch("https://sandbox.example/rpc", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const { reserves: curve } = readCurve(mint, { address, ...(await response.json()).result.value });
      return new Curve({ curve }).spotPrice === sandbox.curve(mint).spotPrice;
    },
  ],
  "a sandbox as a client's service and market": [
    ["index", "sandbox"],
    async ({ TradeClient }, { Sandbox }) => {
      const sandbox = new Sandbox();
      const client = new TradeClient({ fetch: sandbox.fetch, market: sandbox });
      return (
        (await client.buy({ mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet, ...BUY })).status ===
        "landed"
      );
    },
  ],
  "exits that a client carries out": [
    ["index", "market"],
    ({ TradeClient }, { Curve, Exits, Managed }) => {
      const client = new TradeClient({ baseURL: "https://service.example" });
      const position = { id: "a", mint: "M", wallet: "W", tokens: 5n, costLamports: 1n, openedAtMs: 0 };
      return (
        client.manage(position, exitsOf(Exits), { look: () => ({ curve: new Curve(), wallets: [] }) }) instanceof
        Managed
      );
    },
  ],
  "a journal of a browser in a record around a client": [
    ["index", "browser", "record"],
    ({ TradeClient }, { memoryJournal }, { DeskRecord }) => {
      const record = new DeskRecord({ head: async () => "", append: async () => {} });
      return (
        new TradeClient(
          record.around({
            fetch: async () => new Response(),
            baseURL: "https://service.example",
            journal: memoryJournal(),
          }),
        ) instanceof TradeClient
      );
    },
  ],
};

/** What the given entries know of each other: name of a check → whether it holds. */
export async function knownToEachOther(entries) {
  const asked = Object.entries(CHECKS).filter(([, [needs]]) => needs.every((name) => entries[name]));
  return Object.fromEntries(
    await Promise.all(
      asked.map(async ([what, [needs, holds]]) => [what, await holds(...needs.map((name) => entries[name]))]),
    ),
  );
}

/** What they know if all is well. */
export const known = (...names) =>
  Object.fromEntries(
    Object.entries(CHECKS)
      .filter(([, [needs]]) => needs.every((name) => names.includes(name)))
      .map(([what]) => [what, true]),
  );
