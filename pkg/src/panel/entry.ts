// What was typed into the ticket, and the order it is.

import { type TypedAmount, type TypedPercentage, readTypedAmount, readTypedPercentage, readTypedSlippage, solToLamports } from "launchpad-desk";
import { SOL_DECIMALS } from "./figures.js";
import { messages } from "./messages.js";
import type { Draft, Order, Problem } from "./slip.js";

export type EntrySide = "buy" | "sell";
export type Priority = "normal" | "fast" | "custom";

const say = messages.ticket;

/** What the network takes for a trade that names no limit. */
export const UNITS_PER_TRADE = 200_000n;
/** Lamports of priority that "fast" pays. */
export const FAST_LAMPORTS = 100_000n;

/** The fields of a request by the field of the ticket that they come from. */
const FIELDS: Record<string, string> = {
  amountInLamports: "amount",
  amountInToken: "amount",
  percentage: "amount",
  slippage: "slippage",
  feePayer: "feePayer",
  fromWallet: "wallet",
  mint: "mint",
  priorityUnitLimit: "priority",
  priorityUnitPrice: "priority",
};

/** The field of the ticket for one of the request. */
export const fieldOf = (field: string): string => FIELDS[field] ?? field;

export class Entry {
  side: EntrySide = "buy";
  mint = "";
  wallet = "";
  /** Each side keeps its own amount: SOL and tokens are not the same. One that ends in % is a part of what is held. */
  readonly amount: Record<EntrySide, string> = { buy: "", sell: "" };
  slippage = "0.5";
  priority: Priority = "normal";
  /** SOL, where the priority is custom. */
  prioritySol = "";
  /** Empty where the trading wallet pays. */
  feePayer = "";

  /** The order, or why there is none. */
  read(tokenDecimals: number): Draft {
    const problems: Problem[] = [];
    const text = (field: string, label: string, read: TypedAmount | TypedPercentage): string => {
      if (read.state === "read") return read.text;
      problems.push({ field, text: read.state === "wrong" ? `${label} ${read.message}` : say.missing(label) });
      return "";
    };
    const { side, mint, wallet, feePayer } = this;
    const typed = this.amount[side].trim();
    const parts = side === "sell" && typed.endsWith("%");
    const label = say.amount;
    const read = parts ? readTypedPercentage(typed) : readTypedAmount(typed, side === "buy" ? SOL_DECIMALS : tokenDecimals);
    const amount = text("amount", label, read);
    const slippage = text("slippage", say.slippage, readTypedSlippage(this.slippage));
    const lamports = this.priorityLamports(() => text("priority", say.priority, readTypedAmount(this.prioritySol, SOL_DECIMALS)));
    if (problems.length) return { problems, empty: read.state === "incomplete" };
    const terms = { mint, fromWallet: wallet, slippage: { percent: slippage }, ...(feePayer && { feePayer }), ...priorityOf(lamports) };
    return { order: orderOf(side, parts, amount, terms) };
  }

  /** What is paid for priority; `custom` reads the field. */
  priorityLamports(custom: () => string = () => readText(this.prioritySol)): bigint {
    if (this.priority === "normal") return 0n;
    return this.priority === "fast" ? FAST_LAMPORTS : solToLamports(custom() || "0");
  }

  /** The fields of a request that pay for the priority. */
  priorityTerms(): { priorityUnitLimit: bigint; priorityUnitPrice: bigint } {
    return priorityOf(this.priorityLamports());
  }
}

const readText = (typed: string): string => {
  const read = readTypedAmount(typed, SOL_DECIMALS);
  return read.state === "read" ? read.text : "0";
};

/**
 * The fields of a request that pay so much for the priority of this many trades. None is said, too: then the service adds nothing
 * of its own, and balances can prove later that a trade landed, since the network's fee has a bound.
 */
export function priorityOf(lamports: bigint, trades = 1n): { priorityUnitLimit: bigint; priorityUnitPrice: bigint } {
  const limit = UNITS_PER_TRADE * trades;
  return { priorityUnitLimit: limit, priorityUnitPrice: (lamports * 1_000_000n) / limit };
}

function orderOf(side: EntrySide, parts: boolean, amount: string, terms: { mint: string; fromWallet: string; slippage: { percent: string } }): Order {
  if (side === "buy") return { operation: "buy", request: { ...terms, amountInLamports: solToLamports(amount) } };
  if (parts) return { operation: "sellByPercentage", request: { ...terms, percentage: Number(amount) } };
  return { operation: "sell", request: { ...terms, amountInToken: amount } };
}
