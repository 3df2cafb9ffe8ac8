// Buys a token with one SOL and sells all of it again, in a sandbox: no key, no network, no money.

import { TradeClient, renderText } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

const sandbox = new Sandbox();
const client = new TradeClient({ fetch: sandbox.fetch });
const mint = "SimMoonRabbit111111111111111111111111111111"; // a new sandbox has them
const fromWallet = "SimTraderAda1111111111111111111111111111111";
const ada = () => sandbox.wallets.find(({ wallet }) => wallet === fromWallet);
const before = ada();

const bought = await client.buy({ mint, fromWallet, amountInLamports: 1_000_000_000, slippage: { percent: 1 } });
console.log(renderText(bought), "\n");

const sold = await client.sellByPercentage({ mint, fromWallet, percentage: 100 });
console.log(renderText(sold), "\n");

const after = ada();
if (before && after)
  console.log(
    `${after.label} is at level ${after.level} and paid ${before.lamports - after.lamports} lamports for the round trip`,
  );
