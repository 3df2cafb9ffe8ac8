import { TradeClient } from "launchpad-desk";
import { Curve, Sandbox } from "launchpad-desk/launchpad";

export async function trade() {
  const sandbox = new Sandbox();
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  const { status } = await new TradeClient({ fetch: sandbox.fetch }).buy({ mint, fromWallet, amountInLamports: 1_000_000 });
  return { status, tokens: String(new Curve().buyExactIn(1_000_000_000n)) };
}
