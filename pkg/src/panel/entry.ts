// What was typed into the ticket, and the order it is.

import { solToLamports } from "launchpad-desk";
import type { Draft } from "./slip.js";

export type EntrySide = "buy" | "sell";

export class Entry {
  side: EntrySide = "buy";
  mint = "";
  wallet = "";
  /** Each side keeps its own amount: SOL and tokens are not the same. One that ends in % is a part of what is held. */
  readonly amount: Record<EntrySide, string> = { buy: "", sell: "" };
  slippage = "0.5";

  /** The order, or why there is none. */
  read(): Draft {
    const { side, mint, wallet } = this;
    const text = this.amount[side].trim();
    if (!text) return { problems: [{ field: "amount", text: "" }], empty: true };
    const terms = { mint, fromWallet: wallet, slippage: { percent: this.slippage.trim() } };
    if (side === "buy") {
      try {
        return { order: { operation: "buy", request: { ...terms, amountInLamports: solToLamports(text) } } };
      } catch (error) {
        return { problems: [{ field: "amount", text: (error as Error).message }], empty: false };
      }
    }
    if (!text.endsWith("%")) return { order: { operation: "sell", request: { ...terms, amountInToken: text } } };
    return { order: { operation: "sellByPercentage", request: { ...terms, percentage: Number(text.slice(0, -1)) } } };
  }
}
