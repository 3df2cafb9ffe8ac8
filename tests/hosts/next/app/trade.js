import { TradeClient } from "launchpad-desk";
import { Curve } from "launchpad-desk/market";
import { Sandbox } from "launchpad-desk/sandbox";

export async function trade() {
  const sandbox = new Sandbox();
  const [{ mint }] = sandbox.tokens;
  const [{ wallet: fromWallet }] = sandbox.wallets;
  const { status } = await new TradeClient({ fetch: sandbox.fetch }).buy({
    mint,
    fromWallet,
    amountInLamports: 1_000_000,
  });
  return { status, tokens: String(new Curve().buyExactIn(1_000_000_000n)) };
}
