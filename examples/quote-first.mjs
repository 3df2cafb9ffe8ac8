// Asks what a trade would do, and sends it only if its price impact is acceptable.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

const MOST_IMPACT_BPS = 500;

const sandbox = new Sandbox();
const client = new TradeClient({ fetch: sandbox.fetch });
const mint = "SimMoonRabbit111111111111111111111111111111"; // a new sandbox has them
const wallet = "SimTraderAda1111111111111111111111111111111";

for (const sol of [50n, 10n, 1n]) {
  const request = { mint, fromWallet: wallet, amountInLamports: sol * 1_000_000_000n, slippage: { percent: 1 } };
  const { refused, legs } = sandbox.quote("buy", request);
  const [leg] = legs;
  if (refused || !leg) {
    console.log(`${sol} SOL: would fail, ${refused?.message}`);
    continue;
  }
  const { tokenAmount, worstTokenAmount, priceImpactBps } = leg;
  console.log(`${sol} SOL: ${tokenAmount} tokens, at worst ${worstTokenAmount}, at an impact of ${priceImpactBps} bps`);
  if (priceImpactBps > MOST_IMPACT_BPS) continue;
  const { exact } = await client.buy(request);
  console.log(`sent: bought ${exact.buyAmount}`);
}
