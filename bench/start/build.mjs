// The client alone: a trade checked and written.

import { TradeClient } from "launchpad-desk";

const client = new TradeClient({ baseURL: "https://service.example" });
const { body } = client.build("buy", {
  mint: "So11111111111111111111111111111111111111112",
  fromWallet: "main",
  amountInLamports: 1_000_000,
  feePayer: "main",
});
if (!body.includes('"amountInLamports":1000000')) throw new Error(`another trade was written: ${body}`);
