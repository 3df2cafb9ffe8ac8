// The operations as commands, and their arguments as requests. The core checks every field; here amounts only get their unit.

import { Argument, type Command } from "commander";
import type { Operation, RequestOf } from "launchpad-desk";
import { UsageError, withExample, withProfile } from "./command.js";
import type { World } from "./desk.js";
import { exactJson } from "./exact-json.js";
import { textIn } from "./text-file.js";

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

/** A trade of one wallet: its command, the options of its amount, an example, and the amount as the request has it. */
interface SingleOperation {
  readonly command: string;
  readonly summary: string;
  readonly amounts: readonly (readonly [flags: string, meaning: string])[];
  readonly example: string;
  amountOf(options: TradeOptions): Promise<object>;
}

/** A bundle: what it is called after `bundle`, its side, and in a table the column of its amounts and what one is in the request. */
interface BundleOperation {
  readonly bundled: string;
  readonly side: "buy" | "sell";
  readonly column: "amount" | "percentage";
  amountAs(typed: string): Promise<object>;
}

/** Every operation on the command line, in the service's order. One that is missing does not compile. */
const OPERATIONS: { readonly [O in Operation]: SingleOperation | BundleOperation } = {
  buy: {
    command: "buy",
    summary: "buy a token for SOL",
    amounts: [
      ["--sol <amount>", "SOL to spend, fees included"],
      ["--lamports <amount>", "the same in lamports"],
    ],
    example: "--sol 0.5",
    amountOf: async (options) => ({
      amountInLamports:
        oneOf(options, ["sol", "lamports"]) === "sol"
          ? await lamportsOf("--sol", options.sol!)
          : await wholeAmount("--lamports", options.lamports!),
    }),
  },
  sell: {
    command: "sell",
    summary: "sell an amount of a token",
    amounts: [
      ["--tokens <amount>", "whole tokens to sell"],
      ["--base-units <amount>", "the same in base units"],
    ],
    example: "--tokens 1000",
    amountOf: async (options) => ({
      amountInToken:
        oneOf(options, ["tokens", "baseUnits"]) === "baseUnits"
          ? { baseUnits: await wholeAmount("--base-units", options.baseUnits!) }
          : (await typedAmount("--tokens", options.tokens!, TOKEN_DECIMALS)).text,
    }),
  },
  sellByPercentage: {
    command: "sell-by-percentage",
    summary: "sell a share of what a wallet holds",
    amounts: [["--percentage <percent>", "the share to sell; 100 sells everything"]],
    example: "--percentage 100",
    amountOf: async ({ percentage = "" }) => {
      const { readTypedPercentage } = await import("launchpad-desk");
      const share = readTypedPercentage(percentage);
      if (share.state === "read") return { percentage: share.text };
      // A finer one is sent as it is.
      if (share.code !== "not_an_integer") throw new UsageError(`--percentage ${share.message}`);
      return { percentage };
    },
  },
  bundleBuy: {
    bundled: "buy",
    side: "buy",
    column: "amount",
    amountAs: async (amount) => ({ amountInLamports: String((await import("launchpad-desk")).solToLamports(amount)) }),
  },
  bundleSell: {
    bundled: "sell",
    side: "sell",
    column: "amount",
    amountAs: async (amountInToken) => ({ amountInToken }),
  },
  bundleSellByPercentage: {
    bundled: "sell-by-percentage",
    side: "sell",
    column: "percentage",
    amountAs: async (percentage) => ({ percentage }),
  },
};

/** Makes the request of a command: of its options, and for a bundle of its file. */
export type Asked = {
  readonly operation: Operation;
  readonly request: (world: World) => Promise<RequestOf[Operation]>;
};

function withShared(command: Command): Command {
  return withProfile(command)
    .option("--mint <mint>", "the token (default in a sandbox: its first token)")
    .option(
      "--fee-payer <wallet>",
      "the wallet that pays the network fee (default: the profile's, else the first wallet)",
    )
    .option(
      "--slippage <percent>",
      "how far the price may move against the trade: 1, 0.5% or 50bps (default: the service's)",
    )
    .option("--priority-unit-limit <units>", "most priority units to pay for")
    .option("--priority-unit-price <price>", "micro-lamports per priority unit");
}

/** Adds the operations below a command: `verb` is its words, for the examples; `more` adds its own options; `run` carries it out. */
export function addOperations<O extends TradeOptions>(
  parent: Command,
  verb: string,
  more: (command: Command) => Command,
  run: (asked: Asked, options: O) => Promise<void>,
): void {
  const bundles = new Map<string, [Operation, BundleOperation]>();
  for (const [name, of] of Object.entries(OPERATIONS)) {
    const operation = name as Operation;
    if ("bundled" in of) {
      bundles.set(of.bundled, [operation, of]);
      continue;
    }
    const command = withShared(parent.command(of.command).summary(of.summary)).option(
      "--from-wallet <wallet>",
      "the wallet that trades (default: the profile's; in a sandbox its first wallet)",
    );
    for (const [flags, meaning] of of.amounts) command.option(flags, meaning);
    withExample(more(command), `${verb}${of.command} ${of.example} --slippage 1`).action((options: O) =>
      run({ operation, request: (world) => singleRequest(of, options, world) }, options),
    );
  }
  const bundle = withShared(parent.command("bundle").summary("trade with several wallets in one transaction"))
    .addArgument(new Argument("<operation>", "what they all do").choices([...bundles.keys()]))
    .argument(
      "<file>",
      "the trades, as CSV with the columns wallet, amount or percentage, slippage, or as JSON; - reads standard input",
    );
  withExample(more(bundle), `${verb}bundle buy wallets.csv`).action((bundled: string, file: string, options: O) => {
    const [operation, of] = bundles.get(bundled)!;
    return run({ operation, request: (world) => bundleRequest(of, file, options, world) }, options);
  });
}

/** The one of these options that is given, if any; two are an error. */
function oneOf<const N extends keyof TradeOptions>(options: TradeOptions, names: readonly N[]): N | undefined {
  const given = names.filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new UsageError(`name one of ${names.map(flagOf).join(" and ")}`);
  return given[0];
}

export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The most decimals with which a whole supply of a token has 64 bits. What is finer than the token's own, the core refuses. */
const TOKEN_DECIMALS = 9;

/** An amount of SOL that a person typed, in lamports. */
export const lamportsOf = (option: string, typed: string): Promise<string> => unitsOf(option, typed, 9);

/** An amount that a person typed, in units of so many decimals. */
export const unitsOf = async (option: string, typed: string, decimals: number): Promise<string> =>
  String((await typedAmount(option, typed, decimals)).units);

/** An amount in the smallest unit: of these, too, `1.000` may be a thousand. */
export const wholeAmount = async (option: string, typed: string): Promise<string> =>
  /^\d+$/.test(typed) ? typed : await unitsOf(option, typed, 0);

/** The arguments of a shell are text that people type: what is ambiguous is refused, never guessed. */
async function typedAmount(option: string, typed: string, decimals: number): Promise<{ text: string; units: bigint }> {
  const { readTypedAmount } = await import("launchpad-desk");
  const amount = readTypedAmount(typed, decimals);
  if (amount.state !== "read") throw new UsageError(`${option} ${amount.message}`);
  return amount;
}

/** A slippage as a person types it: in percent, or with bps behind it. */
export async function slippageOf(typed: string): Promise<{ percent: string } | { bps: string }> {
  const bps = /^\s*(\d+)\s*bps\s*$/i.exec(typed)?.[1];
  if (bps !== undefined) return { bps };
  const { readTypedSlippage } = await import("launchpad-desk");
  const slippage = readTypedSlippage(typed);
  if (slippage.state !== "read") throw new UsageError(`--slippage ${slippage.message}`);
  return { percent: slippage.text };
}

/** Fields that every request has. In a sandbox the token is its first, unless one is named. */
async function sharedFields(
  { mint, feePayer, slippage, priorityUnitLimit, priorityUnitPrice }: TradeOptions,
  { sandbox, profile }: World,
) {
  const payer = feePayer ?? profile.feePayer;
  return {
    mint: mint ?? sandbox?.tokens[0]?.mint,
    ...(payer !== undefined && { feePayer: payer }),
    ...(slippage !== undefined && { slippage: await slippageOf(slippage) }),
    ...(priorityUnitLimit !== undefined && {
      priorityUnitLimit: await wholeAmount("--priority-unit-limit", priorityUnitLimit),
    }),
    ...(priorityUnitPrice !== undefined && {
      priorityUnitPrice: await wholeAmount("--priority-unit-price", priorityUnitPrice),
    }),
  };
}

async function singleRequest(of: SingleOperation, options: TradeOptions, world: World): Promise<RequestOf[Operation]> {
  const fields = {
    ...(await sharedFields(options, world)),
    fromWallet: options.fromWallet ?? world.profile.fromWallet ?? world.sandbox?.wallets[0]?.wallet,
  };
  const flags = of.amounts.map(([flag]) => flag.split(" ")[0]!);
  const isGiven = Object.keys(options).some((name) => flags.includes(flagOf(name)));
  if (!isGiven)
    throw new UsageError(`the amount is missing: name it with ${flags.join(" or ")}, such as ${of.example}`);
  // What else is missing, the core names.
  return { ...fields, ...(await of.amountOf(options)) } as RequestOf[Operation];
}

async function bundleRequest(
  of: BundleOperation,
  file: string,
  options: TradeOptions,
  world: World,
): Promise<RequestOf[Operation]> {
  const content = await textIn(file);
  if (/^\s*\{/.test(content)) throw new UsageError(`${file} is one object in JSON: trades are a list, such as [{ … }]`);
  const fields = await sharedFields(options, world);
  const elements = /^\s*\[/.test(content)
    ? listIn(file, content)
    : await rowsIn(of, content, /base/i.test(content) ? await decimalsOf(world, fields.mint) : undefined);
  const [first] = elements as { fromWallet?: string }[];
  return {
    ...fields,
    feePayer: fields.feePayer ?? first?.fromWallet,
    [of.side === "buy" ? "buys" : "sells"]: elements,
  } as RequestOf[Operation];
}

/** Elements in JSON, with the field names of the service. */
function listIn(file: string, content: string): unknown[] {
  try {
    return exactJson(content) as unknown[];
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${(error as Error).message}`);
  }
}

/** The token's own decimals, by which a table may have base units; without a node those of the profile, if it names them. */
const decimalsOf = async ({ sandbox, market, profile }: World, mint = ""): Promise<number | undefined> =>
  sandbox?.tokens.find((token) => token.mint === mint)?.decimals ??
  (await market?.decimalsOf(mint)) ??
  (profile.client["tokenDecimals"] as number | undefined);

/** Elements in a table. A table with a problem is refused as a whole, and every problem named. */
async function rowsIn(
  { side, column, amountAs }: BundleOperation,
  content: string,
  tokenDecimals: number | undefined,
): Promise<unknown[]> {
  const { readTypedTable } = await import("launchpad-desk");
  const { rows, problems } = readTypedTable(content, { side, ...(tokenDecimals !== undefined && { tokenDecimals }) });
  const lacking = rows
    .filter((row) => row[column] === null && !problems.some(({ line }) => line === row.line))
    .map(({ line }) => `line ${line}: ${column} is missing`);
  const found = [...problems.map(({ message }) => message), ...lacking];
  if (found.length) throw new UsageError(`the table cannot be used:\n  ${found.join("\n  ")}`);
  const elements = rows.map(async (row) => ({
    fromWallet: row.wallet,
    ...(await amountAs(row[column]!)),
    ...(row.slippage !== null && { slippage: { percent: row.slippage } }),
  }));
  return Promise.all(elements);
}
