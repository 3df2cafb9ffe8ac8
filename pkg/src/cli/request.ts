// The operations as commands, and their arguments as requests. The core checks every field; here amounts only get their unit.

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import type { Operation, RequestOf } from "launchpad-desk";
import { UsageError, withExample, withProfile } from "./command.js";
import type { World } from "./desk.js";
import { exactJson } from "./exact-json.js";

/** What the options of an operation say. */
export interface TradeOptions {
  mint?: string;
  fromWallet?: string;
  feePayer?: string;
  sol?: string;
  lamports?: string;
  tokens?: string;
  baseUnits?: string;
  percentage?: string;
  slippage?: string;
  priorityUnitLimit?: string;
  priorityUnitPrice?: string;
}

/** What an operation is called as a command, and what it takes besides what all take. */
const SINGLE = {
  buy: { operation: "buy", summary: "buy a token for SOL", amounts: [["--sol <amount>", "SOL to spend, fees included"], ["--lamports <amount>", "the same in lamports"]], example: "--sol 0.5" },
  sell: { operation: "sell", summary: "sell an amount of a token", amounts: [["--tokens <amount>", "whole tokens to sell"], ["--base-units <amount>", "the same in base units"]], example: "--tokens 1000" },
  "sell-by-percentage": { operation: "sellByPercentage", summary: "sell a share of what a wallet holds", amounts: [["--percentage <percent>", "the share to sell; 100 sells everything"]], example: "--percentage 100" },
} as const;

const BUNDLE = {
  buy: { operation: "bundleBuy", summary: "buy with several wallets in one transaction", side: "buy" },
  sell: { operation: "bundleSell", summary: "sell from several wallets in one transaction", side: "sell" },
  "sell-by-percentage": { operation: "bundleSellByPercentage", summary: "sell shares of several wallets in one transaction", side: "sell" },
} as const;

/** Makes the request of a command: of its options, and for a bundle of its file. */
export type Asked = { readonly operation: Operation; readonly request: (world: World) => Promise<RequestOf[Operation]> };

/** The options that all operations take. */
function withShared(command: Command): Command {
  return withProfile(command)
    .option("--mint <mint>", "the token (default in a sandbox: its first token)")
    .option("--fee-payer <wallet>", "the wallet that pays the network fee (default: the profile's, else the first wallet)")
    .option("--slippage <percent>", "how far the price may move against the trade: 1, 0.5% or 50bps (default: the service's)")
    .option("--priority-unit-limit <units>", "most priority units to pay for")
    .option("--priority-unit-price <price>", "micro-lamports per priority unit");
}

/**
 * Adds the six operations below a command: `verb` is its words, for the examples; `more` adds its own options; `run` carries it out.
 */
export function addOperations<O extends TradeOptions>(parent: Command, verb: string, more: (command: Command) => Command, run: (asked: Asked, options: O) => Promise<void>): void {
  for (const [name, { operation, summary, amounts, example }] of Object.entries(SINGLE)) {
    const command = withShared(parent.command(name).summary(summary)).option("--from-wallet <wallet>", "the wallet that trades (default: the profile's; in a sandbox its first wallet)");
    for (const [flags, meaning] of amounts) command.option(flags, meaning);
    withExample(more(command), `${verb}${name} ${example} --slippage 1`).action((options: O) => run({ operation, request: (world) => singleRequest(operation, options, world) }, options));
  }
  const bundle = parent.command("bundle").summary("trade with several wallets in one transaction");
  for (const [name, { operation, summary, side }] of Object.entries(BUNDLE)) {
    const command = withShared(bundle.command(name).summary(summary)).argument("<file>", "the trades, as CSV with the columns wallet, amount or percentage, slippage, or as JSON; - reads standard input");
    withExample(more(command), `${verb}bundle ${name} wallets.csv`).action((file: string, options: O) => run({ operation, request: (world) => bundleRequest(operation, side, file, options, world) }, options));
  }
}

/** The one of these options that is given, if any; two are an error. */
function oneOf<const N extends keyof TradeOptions>(options: TradeOptions, names: readonly N[]): N | undefined {
  const given = names.filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new UsageError(`name one of ${names.map(flagOf).join(" and ")}`);
  return given[0];
}

const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** An amount that a person typed, in lamports. Ambiguous text is refused, never guessed. */
export async function lamportsOf(option: string, typed: string): Promise<string> {
  const { readTypedAmount } = await import("launchpad-desk/typed");
  const amount = readTypedAmount(typed, 9);
  if (amount.state !== "read") throw new UsageError(`${option} ${amount.message}`);
  return String(amount.units);
}

/** A slippage as a person types it: in percent, or with bps behind it. */
async function slippageOf(typed: string): Promise<{ percent: string } | { bps: string }> {
  const bps = /^\s*(\d+)\s*bps\s*$/i.exec(typed)?.[1];
  if (bps !== undefined) return { bps };
  const { readTypedSlippage } = await import("launchpad-desk/typed");
  const slippage = readTypedSlippage(typed);
  if (slippage.state !== "read") throw new UsageError(`--slippage ${slippage.message}`);
  return { percent: slippage.text };
}

/** Fields that every request has. In a sandbox the token is its first, unless one is named. */
async function sharedFields({ mint, feePayer, slippage, priorityUnitLimit, priorityUnitPrice }: TradeOptions, { sandbox, profile }: World) {
  const payer = feePayer ?? profile.feePayer;
  return {
    mint: mint ?? sandbox?.tokens[0]?.mint,
    ...(payer !== undefined && { feePayer: payer }),
    ...(slippage !== undefined && { slippage: await slippageOf(slippage) }),
    ...(priorityUnitLimit !== undefined && { priorityUnitLimit }),
    ...(priorityUnitPrice !== undefined && { priorityUnitPrice }),
  };
}

async function singleRequest(operation: Operation, options: TradeOptions, world: World): Promise<RequestOf[Operation]> {
  const fields = { ...(await sharedFields(options, world)), fromWallet: options.fromWallet ?? world.profile.fromWallet ?? world.sandbox?.wallets[0]?.wallet };
  // What is missing, the core names.
  return { ...fields, ...(await amountOf(operation, options)) } as RequestOf[Operation];
}

async function amountOf(operation: Operation, options: TradeOptions): Promise<object> {
  if (operation === "buy") {
    const unit = oneOf(options, ["sol", "lamports"]);
    return { amountInLamports: unit === "sol" ? await lamportsOf("--sol", options.sol!) : options.lamports };
  }
  if (operation === "sell") {
    const unit = oneOf(options, ["tokens", "baseUnits"]);
    return { amountInToken: unit === "baseUnits" ? { baseUnits: options.baseUnits } : options.tokens };
  }
  return { percentage: options.percentage };
}

async function bundleRequest(operation: Operation, side: "buy" | "sell", file: string, options: TradeOptions, world: World): Promise<RequestOf[Operation]> {
  const read = file === "-" ? text(process.stdin) : readFile(file, "utf8");
  const content = await read.catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const elements = /^\s*\[/.test(content) ? listIn(file, content) : await rowsIn(operation, side, content);
  const fields = await sharedFields(options, world);
  const [first] = elements as { fromWallet?: string }[];
  return { ...fields, feePayer: fields.feePayer ?? first?.fromWallet, [side === "buy" ? "buys" : "sells"]: elements } as RequestOf[Operation];
}

/** Elements in JSON, with the field names of the service. */
function listIn(file: string, content: string): unknown[] {
  try {
    return exactJson(content) as unknown[];
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

/** Elements in a table. A table with a problem is refused as a whole, and every problem named. */
async function rowsIn(operation: Operation, side: "buy" | "sell", content: string): Promise<unknown[]> {
  const [{ readTypedTable }, { solToLamports }] = await Promise.all([import("launchpad-desk/typed"), import("launchpad-desk")]);
  const { rows, problems } = readTypedTable(content, { side });
  const column = operation === "bundleSellByPercentage" ? "percentage" : "amount";
  const lacking = rows.filter((row) => row[column] === null && !problems.some(({ line }) => line === row.line)).map(({ line }) => `line ${line}: ${column} is missing`);
  const found = [...problems.map(({ message }) => message), ...lacking];
  if (found.length) throw new UsageError(`the table cannot be used:\n  ${found.join("\n  ")}`);
  return rows.map(({ wallet, amount, percentage, slippage }) => ({
    fromWallet: wallet,
    ...(operation === "bundleBuy" ? { amountInLamports: String(solToLamports(amount!)) } : operation === "bundleSell" ? { amountInToken: amount } : { percentage }),
    ...(slippage !== null && { slippage: { percent: slippage } }),
  }));
}
