// Sentences for a trade's outcome, and for what one would do.

import { fromBaseUnits, toBaseUnits } from "launchpad-desk";
import { SIDES, type TradeQuote } from "../../generated.js";
import { type Attempt, stateOf } from "./attempt.js";
import { lamportsOf, priorityLamportsOf } from "../../browser/state.js";
import { SOL_DECIMALS, abs, grouped, partsPerMillion, price, rounded, shortTokens, sol } from "../figures.js";
import { finderOf, meaningOf } from "./machine.js";
import { messages } from "../messages.js";

const say = messages.sentences;
const asked = messages.asked;

/** Its state, where all that is said of it stands beside it. */
export const stateLineOf = ({ fate }: Attempt): string => `${meaningOf(fate).sign} ${messages.outcome.states[fate.is]}`;

/** The name of a wallet. */
type NameOf = (wallet: string) => string;

/** An attempt in one line, for places without a badge. */
export const lineOf = (attempt: Attempt, nameOf: NameOf): string =>
  `${messages.outcome.states[stateOf(attempt)]}. ${sentenceOf(attempt, nameOf)}`;

/** The same for those who hear it: it says if it was simulated. */
export const spokenLineOf = (attempt: Attempt, nameOf: NameOf): string =>
  attempt.simulated
    ? say.simulated(messages.outcome.states[stateOf(attempt)], sentenceOf(attempt, nameOf))
    : lineOf(attempt, nameOf);

/** What was ordered: "Buy RABBIT for 0.5 SOL". */
export function whatOf(attempt: Attempt): string {
  const { side, symbol, wallets } = attempt;
  const what = asked[side](symbol, askedOf(attempt));
  return wallets.length > 1 ? asked.with(what, countOf(wallets)) : what;
}

/** The amount in a request; empty if its wallets sell different percentages. */
function askedOf({ operation, body, symbol, decimals }: Attempt): string {
  const request = JSON.parse(body) as Asked & { buys?: Asked[]; sells?: Asked[] };
  const legs = request.buys ?? request.sells ?? [request];
  if (SIDES[operation] === "buy")
    return sol(legs.reduce((sum, { amountInLamports = 0 }) => sum + BigInt(amountInLamports), 0n));
  const percentage = legs[0]?.percentage;
  if (percentage !== undefined)
    return legs.every((leg) => leg.percentage === percentage) ? asked.part(percentage, symbol) : "";
  const units = legs.reduce((sum, leg) => sum + toBaseUnits(String(leg.amountInToken), decimals), 0n);
  return `${grouped(fromBaseUnits(units, decimals))} ${symbol}`;
}

interface Asked {
  readonly amountInLamports?: number;
  readonly amountInToken?: string | number;
  readonly percentage?: number;
}

export function sentenceOf(attempt: Attempt, nameOf: NameOf): string {
  const { fate, answer } = attempt;
  const by = finderOf(fate);
  const state = stateOf(attempt);
  switch (state) {
    case "in_flight":
      return say.sending;
    case "awaiting_approval":
      return say.waits;
    case "landed":
      return by ? say.landed(say.proofs[by], answer?.receipt ? tradedOf(attempt) : "") : tradedOf(attempt);
    case "unconfirmed":
      return say.unconfirmed(tradedOf(attempt));
    case "failed":
      return say.failed(causeOf(attempt, nameOf), answer?.lamportsMoved ? sol(-answer.lamportsMoved) : null);
    case "rejected":
      return (answer?.code === "refused_by_gateway" ? say.refusedByGateway : say.rejected)(answer?.reason ?? "");
    case "not_sent":
      return say.notSent(refusalOf(answer?.code));
    case "did_not_land":
      return say.didNotLand(by === "journal" ? say.notInJournal : say.proofs[by ?? "hand"]);
    case "unknown":
      return say.unknown;
    default:
      return state satisfies never;
  }
}

/** "+34.2M RABBIT for 1 SOL, 0.3 % worse than quoted". */
function tradedOf(attempt: Attempt): string {
  const { side, symbol, decimals, answer, wallets } = attempt;
  const receipt = answer?.receipt;
  const sign = side === "buy" ? "+" : "−";
  if (!receipt) {
    if (attempt.price && !answer?.tokens) return bundleOf(attempt, attempt.price, sign);
    if (answer?.tokens && attempt.operation === "buy") return orderedOf(attempt, answer.tokens);
    const tokens = answer?.tokens ? `${sign}${grouped(answer.tokens)} ${symbol}` : say.several(countOf(wallets));
    return answer?.lamportsMoved ? say.forInAll(tokens, sol(abs(answer.lamportsMoved))) : tokens;
  }
  const about = receipt.estimated.includes("tokens") ? "≈ " : "";
  const tokens = `${about}${sign}${shortTokens(receipt.tokens, { symbol, decimals })}`;
  const traded = say.traded(tokens, sol(receipt.lamports), receipt.estimated.includes("lamports"));
  const off = partsPerMillion(receipt.slippageUsedPpm);
  if (receipt.estimated.includes("slippageUsedPpm") || off.startsWith("0.0 ")) return traded;
  return say[receipt.slippageUsedPpm > 0n ? "worse" : "better"](traded, off);
}

/** "+8,753,096.9 RABBIT for 0.25 SOL, 0.0₇2856 SOL each": a buy without a quote, by its order and its reply. All fees are in its price. */
function orderedOf({ symbol, body }: Attempt, tokens: string): string {
  const lamports = lamportsOf({ body }) - priorityLamportsOf({ body });
  const each = Number(tokens) > 0 ? price(Number(lamports) / Number(tokens)) : null;
  return say.ordered(`+${grouped(tokens)} ${symbol}`, sol(lamports), each);
}

/** "2 wallets have traded: ≈ +4.25M RABBIT, estimated, for 0.303 SOL in all". The tokens are those of the quote: a bundle's reply has none. */
function bundleOf(
  { symbol, decimals, wallets, answer }: Attempt,
  { legs }: NonNullable<Attempt["price"]>,
  sign: string,
): string {
  const tokens = legs.reduce((sum, leg) => sum + BigInt(leg.tokens), 0n);
  const rent = legs.reduce(
    (sum, { tokenAccount, rentLamports, volumeRentLamports }) =>
      sum +
      (tokenAccount === "opens" ? BigInt(rentLamports) : 0n) -
      (tokenAccount === "closes" ? BigInt(rentLamports) : 0n) +
      BigInt(volumeRentLamports ?? 0),
    0n,
  );
  const moved = answer?.lamportsMoved ?? 0n;
  const rentSaid = rent > 0n ? say.rentPaid : say.rentBack;
  const rentText = moved && rent ? rentSaid(sol(abs(rent))) : "";
  return say.bundle(
    say.several(countOf(wallets)),
    `${sign}${shortTokens(tokens, { symbol, decimals })}`,
    moved ? sol(abs(moved)) : null,
    rentText,
  );
}

/** A wallet may trade in several rows. */
const countOf = (wallets: readonly string[]): number => new Set(wallets).size;

/** An error of the program, in the network's own forms. */
const PROGRAM_ERROR = /"Custom":\s*(\d+)|custom program error: (0x[\da-f]+)/i;

/** The program's errors of a bound that was not kept: `TooMuchSolRequired`, `TooLittleSolReceived`, `BuySlippageBelowMinTokensOut`. */
const PAST_SLIPPAGE = ["6002", "6003", "6042"];

/** A refusal by the launchpad in the trader's words, with the wallet of a bundle whose trade it was; any other text unchanged. */
function causeOf({ answer, wallets }: Attempt, nameOf: NameOf): string {
  const reason = answer?.reason ?? "";
  const cause = (messages.causes as Record<string, string>)[/^(\w+):/.exec(reason)?.[1] ?? ""];
  const wallet = wallets[Number(/ \((?:buys|sells)\[(\d+)\]\)$/.exec(reason)?.[1])];
  if (cause) return wallet === undefined ? cause : `${nameOf(wallet)}: ${cause}`;
  const [, decimal, hex] = PROGRAM_ERROR.exec(reason) ?? [];
  const number = String(Number(decimal ?? hex));
  if (decimal ?? hex) return (PAST_SLIPPAGE.includes(number) ? say.pastSlippage : say.programError)(number);
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}

/** Why a trade was not sent, in the trader's words: the error's own text names options of the client. */
export const refusalOf = (code: string | null | undefined): string =>
  (messages.refusals as Record<string, string>)[code ?? ""] ?? messages.refused;

export function spokenQuote(quote: TradeQuote | undefined): string {
  if (!quote) return "";
  if (quote.refused) return `${messages.quote.fails}: ${quote.refused.message}`;
  const buys = quote.legs.every(({ side }) => side === "buy");
  const sum = (of: "tokenAmount" | "walletLamports") => quote.legs.reduce((all, leg) => all + Number(leg[of]), 0);
  return buys
    ? messages.quote.spokenTokens(rounded(sum("tokenAmount")))
    : messages.quote.spokenSol(rounded(sum("walletLamports") / 10 ** SOL_DECIMALS));
}
