// How long a trade whose answer is lost stays in doubt, against the local chain, in real time.

import { TradeClient } from "launchpad-desk";
import { Market } from "launchpad-desk/market";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { verdict } from "../../scripts/measure.mjs";

/** How long the service may hold a request. */
const HELD_MS = 1_000;
/** A look at the evidence apart from the client's own: when it suffices, to this many milliseconds. */
const LOOKED_EVERY_MS = 250;
const GOAL_S = 10;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

/** The first time at which the evidence decides a trade. */
async function decided(market, client, intentId) {
  for (;;) {
    const trade = (await client.pending()).find((one) => one.intentId === intentId);
    if (!trade) return Date.now();
    if ((await market.settleTrade(trade, [])).outcome !== "unknown") return Date.now();
    await pause(LOOKED_EVERY_MS);
  }
}

export async function settling() {
  const sandbox = new Sandbox();
  // The chain is a minute old, so that it has finalized blocks.
  let behindMs = 60_000;
  sandbox.useClock(() => Date.now() - behindMs);
  const chain = new LocalChain(sandbox);
  behindMs = 0;
  const rpc = async (body) =>
    (
      await chain.fetch("https://sandbox.example/rpc", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      })
    ).text();
  const [{ mint }] = sandbox.tokens;
  console.log("\nchain: how long a trade whose answer is lost stays in doubt\n");
  for (const [outcome, isSent] of [
    ["landed", true],
    ["did_not_land", false],
  ]) {
    const fetch = async (url, init) => {
      if (isSent)
        await sandbox.fetch(url.replace("https://service.example", "https://sandbox.example"), {
          ...init,
          signal: undefined,
        });
      throw new Error("the connection was lost");
    };
    const market = () => new Market({ rpc, walletsShared: false, serviceHoldsMs: HELD_MS });
    const client = new TradeClient({ baseURL: "https://service.example", fetch, market: market() });
    await client
      .buy(
        { mint, fromWallet: sandbox.wallets[Number(isSent)].wallet, amountInLamports: 1_000_000 },
        { intentId: outcome },
      )
      .catch(() => {});
    const sentMs = Date.now();
    const byClient = client.settle({ withinMs: 300_000 }).then(([settled]) => [settled, Date.now()]);
    const [[settled, settledMs], decidedMs] = await Promise.all([byClient, decided(market(), client, outcome)]);
    if (settled.outcome !== outcome) throw new Error(`it is ${settled.outcome}, ${settled.reason}`);
    const polled = (settledMs - decidedMs) / 1_000;
    console.log(
      `${outcome.padEnd(12)} in doubt for ${seconds(settledMs - sentMs)}; the evidence sufficed after ${seconds(decidedMs - sentMs)}; polled for ${polled.toFixed(1)} s more: ${verdict(polled / GOAL_S, 1)} of ${GOAL_S} s`,
    );
  }
}
