// Both: a trade in the sandbox, from the call to its result.

import { TradeClient } from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

const sandbox = new Sandbox();
const client = new TradeClient({ fetch: sandbox.fetch });
const [{ mint }] = sandbox.tokens;
const [{ wallet }] = sandbox.wallets;
const { status } = await client.buy({ mint, fromWallet: wallet, amountInLamports: 1_000_000, feePayer: wallet });
if (status !== "landed") throw new Error(`the trade is ${status}`);
