// What a bot does about each failure. The question is always the same: may my money have moved?
// The sandbox simulates a different fault at each request.

import { TradeClient, isTradeError } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

/** @type {import("launchpad-desk/sandbox").Fault[]} */
const script = [{ kind: "rateLimited" }, { kind: "transactionFails" }, { kind: "none" }, { kind: "noAnswer" }];
const sandbox = new Sandbox({ faults: { script } });
const client = new TradeClient({ fetch: sandbox.fetch });
const mint = "SimMoonRabbit111111111111111111111111111111"; // a new sandbox has them
const wallet = "SimTraderAda1111111111111111111111111111111";

/** @param {import("launchpad-desk").BuyRequest} request */
async function attempt(request) {
  try {
    const trade = await client.buy(request);
    return `${trade.status}: bought ${trade.exact.buyAmount}`;
  } catch (error) {
    if (!isTradeError(error)) throw error;
    switch (error.outcome) {
      case "not_sent": // nothing has moved: fix the request
        return `not sent: ${error.fields?.map(({ field, message }) => `[${field}] ${message}`).join("; ")}`;
      case "rejected": // nothing has moved: wait, or fix what the service names
        return `rejected (${error.code}): ${error.retryAfterMs ? `try again in ${error.retryAfterMs} ms` : error.serviceMessage}`;
      case "failed": // only the network fee was paid: find out why
        return `failed: ${error.serviceMessage}`;
      case "unknown": // it may have moved: look at the balance; never just send again
        return `unknown (${error.code}): ${wallet} now holds ${sandbox.wallets[0]?.tokenAccounts[0]?.tokens ?? 0} base units`;
    }
  }
}

const request = { mint, fromWallet: wallet, amountInLamports: 100_000_000 };
console.log(await attempt({ ...request, amountInLamports: "0.1" }));
// Four signals. After the unknown outcome of the last one a bot stops, until it is settled.
for (const _ of script) console.log(await attempt(request));
