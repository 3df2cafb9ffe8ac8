// Three wallets buy in one transaction, for which one of them pays the network fee. Then each sells half of what it holds.
// A bundle lands as a whole or not at all.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

const sandbox = new Sandbox();
const client = new TradeClient({ fetch: sandbox.fetch });
const mint = "SimMoonRabbit111111111111111111111111111111"; // a new sandbox has it
const wallets = sandbox.wallets.map(({ wallet }) => wallet);
const feePayer = "SimTraderAda1111111111111111111111111111111"; // one of them

const buys = wallets.map((fromWallet, index) => ({ fromWallet, amountInLamports: 100_000_000 * (index + 1) }));
const bought = await client.bundleBuy({ mint, feePayer, buys, slippage: { percent: 2 } });
console.log(`bought in ${bought.result.signature}`);

const sells = wallets.map((fromWallet) => ({ fromWallet, percentage: 50 }));
const sold = await client.bundleSellByPercentage({ mint, feePayer, sells });
console.log(`sold half in ${sold.result.signature}`);

for (const { label, tokenAccounts } of sandbox.wallets)
  console.log(`${label} holds ${tokenAccounts[0]?.tokens} base units`);
