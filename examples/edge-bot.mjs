// A bot that trades through the edge gateway. It has its own token, and never sees the service's key. Start a gateway first with
// `npm run edge`, or name yours: node examples/edge-bot.mjs https://my-gateway.example (with its token in TOKEN).

import { TradeClient } from "launchpad-desk";

const { TOKEN = "local-trader" } = process.env;
const [baseURL = "http://127.0.0.1:8787"] = process.argv.slice(2);
const [mint, fromWallet] = [
  "SimMoonRabbit111111111111111111111111111111",
  "SimTraderAda1111111111111111111111111111111",
];

/** A connection that breaks once: after the first trade was sent, before its answer arrives. */
let [broken, asked] = [false, 0];
/** @param {string} url  @param {RequestInit} init */
async function shaky(url, init) {
  asked++;
  const answer = await fetch(url, init);
  if (broken) return answer;
  broken = true;
  throw new TypeError("the connection broke");
}

// Behind a gateway it is safe to ask again after an unknown outcome: an intent is forwarded once, and has one answer.
const client = new TradeClient({ baseURL, apiKey: TOKEN, gateway: true, fetch: shaky });

const bought = await client.buy({ mint, fromWallet, amountInLamports: 1_000_000_000 }, { intentId: "signal-1" });
console.log(
  `signal-1: bought ${bought.exact.buyAmount} (the connection broke, ${asked > 1 ? "and the client asked again" : "and nobody asked again"})`,
);

// A trade over the desk's limits is not forwarded.
await client
  .buy({ mint, fromWallet, amountInLamports: 200_000_000_000 }, { intentId: "signal-2" })
  .catch(({ outcome, serviceMessage }) => console.log(`signal-2: ${outcome}: ${serviceMessage}`));

// A trade over the bot's own limit waits for a person to approve it at /desk.
await client
  .buy({ mint, fromWallet, amountInLamports: 20_000_000_000 }, { intentId: "signal-3" })
  .catch(({ code }) => console.log(code === "awaiting_approval" ? "signal-3: waiting for approval" : code));

const sold = await client.sellByPercentage({ mint, fromWallet, percentage: 100 }, { intentId: "signal-4" });
console.log(`sold all: ${sold.exact.sellAmount}`);
