// Tries a rule on many markets: buy, then sell at a gain, at a loss or at the end. Each market is a sandbox
// whose rivals follow from a seed, so every run gives the same result. The rivals trade at random, and no
// curve falls below its start, which favours a buyer: a gain here shows that a rule runs, not that it is good.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/launchpad";

const STEPS = 50;

/** What the rule made of one market, in lamports, every fee counted. @param {number} seed */
async function run(seed) {
  const sandbox = new Sandbox({ market: { seed, maxLamports: 2_000_000_000 } });
  const client = new TradeClient({ fetch: sandbox.fetch });
  const [{ mint }] = sandbox.tokens;
  const [{ wallet, lamports: start }] = sandbox.wallets;
  const trade = { mint, fromWallet: wallet, slippage: { percent: 5 } };
  const price = () => Number(sandbox.tokens[0].spotPrice);

  sandbox.rivals(200);
  await client.buy({ ...trade, amountInLamports: 1_000_000_000 });
  const entry = price();
  for (let step = 0; step < STEPS && Math.abs(price() / entry - 1) < 0.1; step++) sandbox.rivals(5);
  await client.sellByPercentage({ ...trade, percentage: 100 });
  return sandbox.wallets[0].lamports - start;
}

const results = [];
for (let seed = 1; seed <= 40; seed++) results.push(await run(seed));
const total = results.reduce((sum, result) => sum + result, 0n);
const gains = results.filter((result) => result > 0n).length;
console.log(`${results.length} markets: ${gains} gains, ${results.length - gains} losses, ${total} lamports in all`);
