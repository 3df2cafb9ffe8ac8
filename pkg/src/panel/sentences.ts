// What became of a trade, and what one would do, as sentences.

import type { TradeQuote } from "../generated.js";
import type { Attempt } from "./attempts.js";
import { grouped, partsPerMillion, shortTokens, sol } from "./figures.js";
import { messages } from "./messages.js";

const say = messages.sentences;

/** An attempt in one line, for where no badge stands beside it. */
export const lineOf = (attempt: Attempt): string => say.short(messages.outcome[attempt.fate], attempt.simulated, sentenceOf(attempt));

/** The message of an attempt. */
export function sentenceOf(attempt: Attempt): string {
  const { fate, answer, found } = attempt;
  if (found) return found.what === "landed" ? say.foundLanded(found.by, answer?.receipt ? tradedOf(attempt) : "") : say.foundNot(found.by);
  switch (fate) {
    case "sending":
      return say.sending;
    case "waiting":
      return say.waits;
    case "landed":
      return tradedOf(attempt);
    case "unconfirmed":
      return say.unconfirmed(tradedOf(attempt));
    case "failed":
      return say.failed(causeOf(answer?.reason ?? ""), answer?.lamportsMoved ? sol(-answer.lamportsMoved) : null);
    case "rejected":
      return (answer?.code === "refused_by_gateway" ? say.refusedByGateway : say.rejected)(answer?.reason ?? "");
    case "not_sent":
      return say.notSent(answer?.reason ?? "");
    default:
      return say.unknown;
  }
}

/** "+34.2M RABBIT for 1 SOL, 0.0 % off the quote". */
function tradedOf({ side, symbol, decimals, answer, wallets }: Attempt): string {
  const receipt = answer?.receipt;
  const sign = side === "buy" ? "+" : "−";
  if (!receipt) {
    const tokens = answer?.tokens ? `${sign}${grouped(answer.tokens)} ${symbol}` : say.several(wallets.length);
    return answer?.lamportsMoved ? say.forInAll(tokens, sol(abs(answer.lamportsMoved))) : tokens;
  }
  const tokens = `${sign}${shortTokens(receipt.tokens, { symbol, decimals })}`;
  const estimated = receipt.estimated.includes("lamports");
  return say.traded(tokens, sol(receipt.lamports), estimated, receipt.estimated.includes("slippageUsedPpm") ? null : partsPerMillion(receipt.slippageUsedPpm));
}

const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** A refusal of the launchpad in the trader's words; anything else as it came. */
function causeOf(reason: string): string {
  const code = /^(?:buys|sells)?(?:\[\d+\])?:? ?(\w+):/.exec(reason)?.[1] ?? "";
  return (messages.causes as Record<string, string>)[code] ?? (/[.!?]$/.test(reason) ? reason : `${reason}.`);
}

/** A quote as it is read out. */
export function spokenQuote(quote: TradeQuote | undefined): string {
  if (!quote) return "";
  if (quote.refused) return `${messages.quote.fails}: ${quote.refused.message}`;
  const buys = quote.legs.every(({ side }) => side === "buy");
  const sum = (of: "tokenAmount" | "walletLamports") => quote.legs.reduce((all, leg) => all + Number(leg[of]), 0);
  return buys ? messages.quote.spokenTokens(sum("tokenAmount")) : messages.quote.spokenSol(sum("walletLamports") / 1e9);
}
