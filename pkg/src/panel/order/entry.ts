// What was typed into the ticket, and the order that it makes.

import {
  type TypedAmount,
  type TypedPercentage,
  readTypedAmount,
  readTypedPercentage,
  readTypedSlippage,
  solToLamports,
  typedText,
} from "launchpad-desk";
import { DEFAULT_UNITS, type Operation, type Side } from "../../generated.js";
import { priceOfUnits } from "../../browser/state.js";
import { SOL_DECIMALS } from "../figures.js";
import { messages } from "../messages.js";
import type { Draft, Order, Problem } from "./order.js";

export type Priority = "normal" | "fast" | "custom";

const say = messages.ticket;

/** The compute units of a trade that sets no limit. */
const UNITS_PER_TRADE = BigInt(DEFAULT_UNITS);
/** The most compute units that the network allows a transaction. */
const MOST_UNITS = 1_400_000n;
/** Lamports of priority that "fast" pays. */
export const FAST_LAMPORTS = 100_000n;

/** The field of the ticket for each field of a request. */
const FIELDS: Record<string, string> = {
  amountInLamports: "amount",
  amountInToken: "amount",
  percentage: "amount",
  slippage: "slippage",
  feePayer: "feePayer",
  fromWallet: "wallet",
  mint: "mint",
  priorityUnitLimit: "prioritySol",
  priorityUnitPrice: "prioritySol",
};

export const fieldOf = (field: string): string => FIELDS[field] ?? field;

/** The name that a field has in the form, or one in a row of a bundle. */
export function labelOf(field: string): string {
  const { amount, slippage, priority, wallet, token, feePayer } = messages.ticket;
  const labels: Record<string, string> = { amount, slippage, prioritySol: priority, wallet, mint: token, feePayer };
  const last = field.replace(/^.*\./, "");
  return labels[fieldOf(last)] ?? field;
}

export class Entry {
  side: Side = "buy";
  mint = "";
  wallet = "";
  /** Each side keeps its own amount: SOL and tokens are different units. One that ends in % is a percentage of what is held. */
  readonly amount: Record<Side, string> = { buy: "", sell: "" };
  slippage = "0.5";
  priority: Priority = "normal";
  /** The priority in SOL, if it is custom. */
  prioritySol = "";
  /** Empty: the trading wallet pays. */
  feePayer = "";

  /** Enters SOL to spend, as a page has it: as a decimal, not as somebody typed it. */
  fill(sol: string): void {
    this.amount.buy = typedText(sol);
  }

  get operation(): Operation {
    if (this.side === "buy") return "buy";
    return this.isPart ? "sellByPercentage" : "sell";
  }

  /** Whether a percentage of what is held is sold. */
  get isPart(): boolean {
    return this.side === "sell" && this.amount.sell.trim().endsWith("%");
  }

  /** The order, or why there is none. */
  read(tokenDecimals: number): Draft {
    const problems: Problem[] = [];
    const text = (field: string, label: string, read: TypedAmount | TypedPercentage): string => {
      if (read.state === "read") return read.text;
      problems.push({ field, text: `${label} ${read.message}` });
      return "";
    };
    const { side, mint, wallet, feePayer } = this;
    const typed = this.amount[side].trim();
    const parts = this.isPart;
    const label = say.amount;
    const read = parts
      ? readTypedPercentage(typed)
      : readTypedAmount(typed, side === "buy" ? SOL_DECIMALS : tokenDecimals);
    const amount = text("amount", label, read);
    const slippage = text("slippage", say.slippage, readTypedSlippage(this.slippage));
    const priority = this.priorityProblem;
    if (priority) problems.push({ field: "prioritySol", text: priority });
    if (problems.length) return { problems, empty: read.state === "incomplete" };
    const terms = {
      mint,
      fromWallet: wallet,
      slippage: { percent: slippage },
      ...(feePayer && { feePayer }),
      ...this.priorityTerms(),
    };
    return { order: orderOf(side, parts, amount, terms) };
  }

  /** The error of the priority field; empty if there is none. */
  get priorityProblem(): string {
    const read = this.priority === "custom" ? readTypedAmount(this.prioritySol, SOL_DECIMALS) : undefined;
    return !read || read.state === "read" ? "" : `${say.priority} ${read.message}`;
  }

  /** The priority fee of a single trade in lamports; zero if the field has an error. */
  priorityLamports(): bigint {
    if (this.priority === "normal") return 0n;
    if (this.priority === "fast") return FAST_LAMPORTS;
    const read = readTypedAmount(this.prioritySol, SOL_DECIMALS);
    return read.state === "read" ? solToLamports(read.text) : 0n;
  }

  priorityTerms(): { priorityUnitLimit: bigint; priorityUnitPrice: bigint } {
    return priorityOf(this.priorityLamports());
  }
}

/**
 * The fields of a request that give this many trades the same priority as a single one that pays `lamports`. The price of a unit
 * counts, so two trades pay twice as much. A priority of zero is sent too: then the service adds none of its own, the network fee
 * has a bound, and balances can prove later that a trade landed.
 */
export function priorityOf(lamports: bigint, trades = 1): { priorityUnitLimit: bigint; priorityUnitPrice: bigint } {
  const all = UNITS_PER_TRADE * BigInt(trades);
  return {
    priorityUnitLimit: all < MOST_UNITS ? all : MOST_UNITS,
    priorityUnitPrice: (lamports * 1_000_000n) / UNITS_PER_TRADE,
  };
}

export function costOfPriority(lamports: bigint, trades: number): bigint {
  const { priorityUnitLimit, priorityUnitPrice } = priorityOf(lamports, trades);
  return priceOfUnits(priorityUnitLimit, priorityUnitPrice);
}

function orderOf(
  side: Side,
  parts: boolean,
  amount: string,
  terms: { mint: string; fromWallet: string; slippage: { percent: string } },
): Order {
  if (side === "buy") return { operation: "buy", request: { ...terms, amountInLamports: solToLamports(amount) } };
  if (parts) return { operation: "sellByPercentage", request: { ...terms, percentage: amount } };
  return { operation: "sell", request: { ...terms, amountInToken: amount } };
}
