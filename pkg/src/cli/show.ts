// What a command prints: for a person one fact a line, with --json one document.

import type { Operation, Plan } from "launchpad-desk";
import { parse } from "lossless-json";
import { priceOfUnits } from "../browser/state.js";
import { messages } from "../panel/messages.js";
import { approvalIn, unknownIn } from "./advice.js";
import type { ExitCode } from "./command.js";
import type { Profile } from "./profile.js";
import { SIDES } from "../generated.js";
import { inJson } from "../json.js";

/** Every field of the document that `--json` prints, with its meaning. */
export const OUTPUT = {
  command: "what was asked for",
  profile: "the profile",
  mode: "simulated or live",
  exitCode: "how the program exits",
  outcome: "the outcome of a trade: landed, unconfirmed, not_sent, rejected, failed or unknown; null for anything else",
  next: "what to do next, as a sentence; null if nothing",
  quote: "what a request would do, in lamports and base units as decimal text; null if it is not known",
  plan: "the plan that was made, sent or approved",
  plans: "the plans that wait for approval",
  trade: "the trade, as the client resolved it",
  drift:
    "the landed trade against its quote, of a profile with a node; null if the node does not say. `settle` has one in each trade that landed",
  error: "why not, as the client rejected it",
  guards: "which trades are allowed: active, reducing or halted",
  intents: "the unresolved trades",
  settled: "how each unresolved trade ended",
  positions: "what wallets hold, what it cost, and what selling it would bring",
  unknownWallets:
    "of `position`: wallets of which nothing is known, because their ids are no addresses and `market.walletAddresses` has none for them",
  exits:
    "the exits of positions: the plan, how far each is, in `now` the order that it would give, and in `refused` why none of its sells would be sent; null if they would",
  position: "in a line of `exits run`: the position's name",
  what: "in a line of `exits run`: what happened to an exit",
  order: "in a line of `exits run`: the order",
  soldTokens: "in a line of `exits run`: the base units that were sold; null if that is not known",
  receivedLamports:
    "in a line of `exits run`: the lamports that the sell has brought, after its fees; of `over`, all sells; null if that is not known",
  checks: "what the doctor looked at; of `verify`, what the record says about each trade, at most 1,000 of them",
  report: "what a backtest brought: the run, its seeds, bots without an idea, and the grid",
  record: "of `verify`: the file of the record",
  hasHead: "of `verify`: whether its head was there; without it, missing lines at the end are not found",
  verified: "of `verify`: whether there is no problem",
  lines: "of `verify`: how many lines the record has",
  trades: "of `verify`: how many trades",
  problemCount: "of `verify`: how many problems there are",
  problems: "of `verify`: the first problems, each with its line, code and message",
  head: "of `verify`: the number and hash of the last line; null if the record is empty",
} as const;

type Field = keyof typeof OUTPUT;

/** The document that `--json` prints; a command leaves out what it does not know. */
export type Output = { [F in Field]?: unknown };

/** Every field of the plan that `plan` prints, with or without `--json`. */
export const PLAN_OUTPUT = {
  intentId: "the trade's id",
  operation: "what is asked for",
  simulated: "whether it is for a sandbox, where no money moves",
  url: "where it goes",
  body: "the exact bytes that `send` sends",
  slippageUnit: "the unit of the slippage in the body: percent or bps",
  before: "what the trading wallets held when it was made, if that is known",
  createdAtMs: "when it was made, in milliseconds since 1970",
  expiresAtMs: "until when it may be sent, in milliseconds since 1970",
  warnings: "warnings about its request",
  refused: "why the guards would refuse it; null if they allow it",
  price: "what it would do, in lamports and base units as decimal text; null if it is not known",
  counted: "the most lamports that it may take: by its buys, accounts that they may open, and fees",
  tokenDecimals: "by how many decimals an amount in base units was counted, if it has one",
  checksum: "detects accidental changes to any other field",
  profile: "the profile that made it: `send` refuses it in any other, which would not know whether it was sent",
} as const satisfies Record<keyof Plan | "profile", string>;

/** Every field of a line that `watch --json` prints, with its meaning. */
export const WATCH_OUTPUT = {
  type: "price, trade, position, sent or error",
  atMs: "when, in the market's time, in milliseconds since 1970",
  mint: "the token",
  price: "lamports for a whole token, as decimal text",
  marketCapLamports: "what the whole supply is worth at that price",
  complete: "whether every token of the curve is sold",
  trade: "a trade of anybody",
  held: "what a wallet holds, what it cost, and what selling it would bring",
  sent: "a trade of this profile: its id, operation and state",
  message: "what went wrong with a look",
} as const;

/** Fields that the document of any command may have. */
const COMMON = [
  "command",
  "profile",
  "mode",
  "exitCode",
  "outcome",
  "next",
  "error",
] as const satisfies readonly Field[];

/** The further fields of each document, by the words of its command. The operations have those of `send`. */
const DOCUMENTS = {
  quote: ["quote"],
  send: ["plan", "trade", "drift"],
  pending: ["intents"],
  settle: ["settled"],
  halt: ["guards"],
  resume: ["guards"],
  approve: ["plan", "plans"],
  position: ["positions", "unknownWallets"],
  "exits set": ["exits"],
  "exits list": ["exits"],
  "exits run": ["exits", "position", "what", "order", "soldTokens", "receivedLamports"],
  "exits pause": ["exits"],
  "exits resume": ["exits"],
  "exits close": ["exits", "position", "what", "order", "soldTokens", "receivedLamports"],
  "exits remove": ["exits"],
  backtest: ["report"],
  verify: ["record", "hasHead", "verified", "lines", "trades", "problemCount", "problems", "head", "checks"],
  doctor: ["checks"],
} as const satisfies Record<string, readonly Field[]>;

/** The fields that a command prints with `--json`; undefined for one that prints no document. */
export function outputOf(words: readonly string[]): readonly string[] | undefined {
  const [first = ""] = words;
  if (first === "plan") return Object.keys(PLAN_OUTPUT);
  if (first === "watch") return ["command", "profile", "mode", ...Object.keys(WATCH_OUTPUT)];
  const isOperation = ["buy", "sell", "sell-by-percentage", "bundle"].includes(first);
  const own = first === "quote" ? "quote" : words.join(" ");
  const document = isOperation ? "send" : own;
  return Object.hasOwn(DOCUMENTS, document) ? [...COMMON, ...DOCUMENTS[document as keyof typeof DOCUMENTS]] : undefined;
}

/** What a request would do, in lamports and base units as decimal text. */
export type Price = NonNullable<Plan["price"]>;

export const modeOf = ({ sandbox }: Pick<Profile, "sandbox">): "simulated" | "live" => (sandbox ? "simulated" : "live");

/** A command that has ended: whether it prints JSON, its words, where it worked, and how the program exits. */
interface Ended {
  json: boolean | undefined;
  command: string;
  profile: Pick<Profile, "name" | "sandbox"> | undefined;
  exitCode: ExitCode;
}

/** Prints the result of a command, and sets how the program exits. A command without a profile says by itself what it knows of a mode. */
export function print({ json, command, profile, exitCode }: Ended, fields: Output, lines: readonly string[]): void {
  process.exitCode = exitCode;
  const output = { command, ...(profile && { profile: profile.name, mode: modeOf(profile) }), exitCode, ...fields };
  process.stdout.write(json ? `${JSON.stringify(output, inJson)}\n` : lines.map((line) => `${line}\n`).join(""));
}

/** Paints a text on a terminal that has colours; `NO_COLOR` turns them off. */
export function coloured(text: string, exitCode: ExitCode): string {
  const { stdout } = process;
  if (!stdout.isTTY || process.env["NO_COLOR"] || !stdout.hasColors?.()) return text;
  // Green, yellow or red.
  let colour = exitCode === 0 ? 32 : 31;
  if (exitCode === 4 || exitCode === 5) colour = 33;
  return `\u001b[${colour}m${text}\u001b[39m`;
}

export function progress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}

export function exitCodeOf({ outcome, code }: { outcome: string; code: string }): ExitCode {
  if (code === "awaiting_approval") return 5;
  if (outcome === "not_sent") return 1;
  if (outcome === "rejected") return 2;
  return outcome === "failed" ? 3 : 4;
}

/** What to do after that exit code. */
export function nextAfter(exitCode: ExitCode, profile: Profile): string | null {
  if (exitCode === 4) return unknownIn(profile);
  return exitCode === 5 ? approvalIn(profile) : null;
}

/** A warning as the panel says it. What a wallet that is not known may pay for an account is in no figure. */
const warningOf = (code: string): string =>
  `${(messages.warnings as Record<string, string>)[code] ?? code}${code === "wallet_unknown" ? " Rent is in none of these figures." : ""}`;

const percent = (bps: number): string => `${bps / 100} %`;

export async function quoteLines(quote: Price | null | undefined): Promise<string[]> {
  if (!quote) return ["Price: not known: no node (rpc in the profile) has said one in time."];
  // The trade may land all the same.
  if (quote.refused?.code === "holdings_unknown")
    return [`Price: not known: ${quote.refused.message}${quote.refused.field ? ` (${quote.refused.field})` : ""}.`];
  if (quote.refused)
    return [`It would fail: ${quote.refused.message}${quote.refused.field ? ` (${quote.refused.field})` : ""}.`];
  const { lamportsToSol } = await import("launchpad-desk");
  const sol = (lamports: string): string => `${lamportsToSol(lamports)} SOL`;
  const legs = quote.legs.map((leg) => {
    const isBuy = leg.side === "buy";
    const least = isBuy ? leg.worstTokenAmount : sol(leg.worstWalletLamports);
    return `${leg.wallet} ${isBuy ? "buys" : "sells"} ${leg.tokenAmount} tokens for ${sol(leg.walletLamports)}; with ${leg.slippagePercent} % slippage at least ${least}. Price impact ${percent(leg.priceImpactBps)}.`;
  });
  const wallets = quote.wallets.map(
    ({ wallet, netLamports, worstNetLamports }) =>
      `${wallet} in all: ${sol(netLamports)}, at worst ${sol(worstNetLamports)}.`,
  );
  const warnings = [...quote.legs, ...quote.wallets].flatMap(({ wallet, warnings }) =>
    warnings.map((code) => `Warning for ${wallet}: ${warningOf(code)}`),
  );
  return [...legs, ...wallets, `Network fee: ${sol(quote.networkFeeLamports)}.`, ...warnings];
}

const TITLES: Record<Operation, string> = {
  buy: "Buy",
  sell: "Sell",
  sellByPercentage: "Sell by percentage",
  bundleBuy: "Bundle of buys",
  bundleSell: "Bundle of sells",
  bundleSellByPercentage: "Bundle of sells by percentage",
};

/** The body of a plan. Each of its numbers is text, so that none is rounded. */
interface Body extends Leg {
  mint: string;
  feePayer: string | null;
  priorityUnitLimit: string | null;
  priorityUnitPrice: string | null;
  buys?: Leg[];
  sells?: Leg[];
}

/** A trade in a body: that of one wallet. */
interface Leg {
  fromWallet: string;
  amountInLamports?: string;
  amountInToken?: string;
  percentage?: string;
  slippage: string | null;
}

const BY_SERVICE = "as the service sets it";

/** What the priority costs at most, as far as the plan says it. */
function priorityText(
  { priorityUnitLimit: limit, priorityUnitPrice: price }: Body,
  sol: (lamports: bigint) => string,
): string {
  if (limit !== null && price !== null)
    return `at most ${sol(priceOfUnits(BigInt(limit), BigInt(price)))} (${limit} units at ${price} micro-lamports)`;
  if (price !== null) return `${price} micro-lamports for each unit, for as many units as the service sets`;
  return limit === null ? BY_SERVICE : `at most ${limit} units, at the price that the service sets`;
}

const MOST_OF_LINE = 4_096;

/** Lines with text of others in them: none of it can end its line, move the cursor or turn the line around. */
export async function plain(lines: readonly string[]): Promise<string[]> {
  const { shownText } = await import("launchpad-desk");
  return lines.map((line) => shownText(line, MOST_OF_LINE));
}

/** A plan, a line for each fact: first what its bytes say and where they go, then what that would do now. */
export async function planLines({
  operation,
  simulated,
  body: text,
  slippageUnit,
  url,
  price,
  refused,
  warnings,
  intentId,
  counted,
}: Plan): Promise<string[]> {
  const { lamportsToSol } = await import("launchpad-desk");
  const body = parse(text, null, (number) => number) as Body;
  const sol = (lamports: bigint): string => `${lamportsToSol(lamports)} SOL`;
  const legs = (body.buys ?? body.sells ?? [body]).map(
    ({ fromWallet, amountInLamports, amountInToken, percentage, slippage: own }) => {
      const sells = amountInToken !== undefined ? `${amountInToken} tokens` : `${percentage} % of what it holds`;
      const does =
        amountInLamports !== undefined ? `spends ${sol(BigInt(amountInLamports))}, fees included` : `sells ${sells}`;
      const slippage = own ?? body.slippage;
      return `${fromWallet} ${does}; slippage${slippage === null ? `: ${BY_SERVICE}` : ` ${slippage} ${slippageUnit === "bps" ? "bps" : "%"}`}.`;
    },
  );
  const inAll =
    body.buys && body.buys.length > 1
      ? [`In all ${sol(body.buys.reduce((sum, { amountInLamports = "0" }) => sum + BigInt(amountInLamports), 0n))}.`]
      : [];
  // Somebody else may have made the plan.
  return plain([
    `${TITLES[operation]} of ${body.mint} (${simulated ? "simulated" : "LIVE: real money"}), intent ${intentId}`,
    ...legs,
    ...inAll,
    `Fee payer: ${body.feePayer ?? BY_SERVICE}. Priority: ${priorityText(body, sol)}.`,
    ...(SIDES[operation] === "sell"
      ? []
      : [
          `It may take up to ${sol(BigInt(counted.lamports))}, with the accounts that it may open and the network's fees.`,
        ]),
    `It goes to ${url}.`,
    ...(await quoteLines(price)),
    ...warnings.map(({ message }) => `Warning: ${message}.`),
    ...(refused ? [`Refused: ${refused.message}.`] : []),
  ]);
}
