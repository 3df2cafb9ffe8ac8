// Buys a token with one SOL and sells all of it again, in a sandbox: no key, no network, no money.

import { TradeClient, renderText } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

const sandbox = new Sandbox();
const client = new TradeClient({ fetch: sandbox.fetch });
const [token] = sandbox.tokens;
const [wallet] = sandbox.wallets;
const trade = { mint: token.mint, fromWallet: wallet.wallet };

const bought = await client.buy({ ...trade, amountInLamports: 1_000_000_000, slippage: { percent: 1 } });
console.log(renderText(bought), "\n");

const sold = await client.sellByPercentage({ ...trade, percentage: 100 });
console.log(renderText(sold), "\n");

const [after] = sandbox.wallets;
console.log(
  `${wallet.label} is at level ${after.level} and paid ${wallet.lamports - after.lamports} lamports for the round trip`,
);
