// Shared by the tests of this folder: a good request for each operation, and services with given answers.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";
import { trade } from "../faults/replies.mjs";
import { bundle } from "../hosts/clients/cases.mjs";

export const MINT = "SimMoonRabbit111111111111111111111111111111";
export const ADA = "SimTraderAda1111111111111111111111111111111";
export const BOB = "SimTraderBob1111111111111111111111111111111";

/** A request of each operation that the sandbox's first world can serve, in this order. */
export const requests = () => ({
  buy: { mint: MINT, fromWallet: ADA, amountInLamports: 1_000_000_000 },
  sell: { mint: MINT, fromWallet: ADA, amountInToken: 1000.5 },
  sellByPercentage: { mint: MINT, fromWallet: ADA, percentage: 100 },
  bundleBuy: bundle("buys", { amountInLamports: 50_000_000 }, { amountInLamports: 60_000_000 }),
  bundleSell: bundle("sells", { amountInToken: "10.25" }, { amountInToken: 3 }),
  bundleSellByPercentage: bundle("sells", { percentage: 12.5 }, { percentage: 100 }),
});

/** What a wallet's first buy of a token may take beside its amount, in lamports: the rent of two accounts, and a signature. */
export const OPENS = 2_865_040;

/** The same of its later ones. */
export const SIGNS = 5_000;

export const OPERATIONS = Object.keys(requests());

/** The service of a client whose `fetch` is not a sandbox's. */
export const service = { baseURL: "https://service.example" };

export const clientBy = (fetch, options) => new TradeClient({ ...service, fetch, ...options });

export const simulated = (options) => new TradeClient({ fetch: new Sandbox().fetch, ...options });

/** The reply to a buy that landed, as text. */
export const LANDED = trade(({ result }) => Object.assign(result, { mint: MINT, wallet: ADA }));

/** The reply to a buy that the chain refused, as text. */
export const FAILED = LANDED.replace('"success":true', '"success":false').replace(
  '"ok"',
  '"custom program error: 0x1772"',
);

/** A reply with a signature of its own in place of that of {@link LANDED}, as a service gives each trade. */
async function withSignature(reply, number) {
  if (!(reply instanceof Response)) return reply;
  const { status, headers } = reply;
  const body = await reply.clone().text();
  return body.includes("5igna7ure")
    ? new Response(body.replaceAll("5igna7ure", `5igna7ure${number}`), { status, headers })
    : reply;
}

/** A `fetch` that answers as `answer(url, init)` does, each trade with a signature of its own, and counts in `calls` how often it was asked. */
export function fetchBy(answer) {
  const fetch = async (url, init) => {
    const number = fetch.calls.push({ url, init });
    const reply = await answer(url, init);
    return number === 1 ? reply : withSignature(reply, number);
  };
  fetch.calls = [];
  return fetch;
}

/** A `fetch` that gives this body and status. */
export const fetchOf = (body, init) => fetchBy(() => new Response(body, init));

/** Where a record is kept in memory: its lines, and its last head. */
export function recordStore() {
  const store = {
    log: "",
    last: "",
    head: async () => store.last,
    append: async (lines, head) => void ((store.log += lines), (store.last = head)),
  };
  return store;
}

/** How a trade ends: its status, or the code of its error. */
export const endOf = (trade) =>
  trade.then(
    ({ status }) => status,
    ({ code }) => code,
  );

/** The reason of a promise's rejection; rejects if it resolves. */
export const rejection = (promise) =>
  promise.then(
    (value) => {
      throw new Error(`it resolved to ${JSON.stringify(value)}`);
    },
    (error) => error,
  );
