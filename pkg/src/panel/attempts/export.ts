// The history as a file: a row for each wallet of every attempt, all figures exact.

import type { TemplateResult } from "lit";
import type { Attempt } from "./attempt.js";
import type { Desk } from "../desk.js";
import {
  answeredOf,
  download,
  finderOf,
  foundOf,
  fromBaseUnits,
  html,
  inJson,
  lamportsToSol,
  receiptsOf,
} from "../later/kit.js";
import { words } from "../later/words.js";
import type { Maths } from "../worlds/world.js";

const say = words.history;

/** The columns; JSON uses the same names. */
const COLUMNS = [
  "time",
  "intentId",
  "operation",
  "mint",
  "symbol",
  "wallet",
  "simulated",
  "outcome",
  "found",
  "tokens",
  "sol",
  "netSol",
  "feesSol",
  "networkFeeSol",
  "estimated",
  "signature",
  "reason",
] as const;

type Line = Record<(typeof COLUMNS)[number], string>;

/** The result of each wallet in each attempt. What is not known is empty. */
function linesOf(maths: Maths, attempts: readonly Attempt[]): Line[] {
  return attempts.flatMap((attempt) => {
    const { startedAtMs, intentId, operation, mint, symbol, decimals, wallets, simulated, fate, answer } = attempt;
    const found = foundOf(fate);
    const columns = {
      time: new Date(startedAtMs).toISOString(),
      intentId,
      operation,
      mint,
      symbol,
      simulated: String(simulated),
      outcome: answeredOf(fate),
      found: found ? `${found} by ${finderOf(fate)}` : "",
      signature: answer?.signature ?? "",
      reason: answer?.reason ?? "",
    };
    const nothing = { tokens: "", sol: "", netSol: "", feesSol: "", networkFeeSol: "", estimated: "" };
    const receipts = receiptsOf(maths, attempt);
    if (!receipts.length) return wallets.map((wallet) => ({ ...columns, ...nothing, wallet }));
    return receipts.map(([wallet, receipt]) => ({
      ...columns,
      wallet,
      tokens: fromBaseUnits(receipt.side === "buy" ? receipt.tokens : -receipt.tokens, decimals),
      sol: lamportsToSol(receipt.lamports),
      netSol: lamportsToSol(receipt.netLamports),
      feesSol: lamportsToSol(receipt.protocolFeeLamports + receipt.creatorFeeLamports),
      networkFeeSol: lamportsToSol(receipt.networkFeeLamports),
      estimated: receipt.estimated.join(" "),
    }));
  });
}

function csvOf(maths: Maths, attempts: readonly Attempt[]): string {
  const lines = linesOf(maths, attempts).map((line) => COLUMNS.map((name) => cell(line[name])).join(","));
  return [COLUMNS.join(","), ...lines, ""].join("\r\n");
}

/** A cell of CSV. A text that begins like a formula gets a leading `'`, since a spreadsheet would run it; a negative number does not. */
function cell(text: string): string {
  const safe = /^[=+@\t\r-]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The attempts with the bytes that were sent, the reply's figures and the quote; bigints become text, so that no digit is lost. */
const jsonOf = (attempts: readonly Attempt[]): string => JSON.stringify(attempts, inJson, 2);

export const exportView = ({ attempts: { all }, world }: Desk): TemplateResult => html`
  <button type="button" class="button" aria-label=${say.csvOf(all.length)} @click=${() => download(csvOf(world.maths, all), "text/csv", "trades", "csv")}>CSV</button>
  <button type="button" class="button" aria-label=${say.jsonOf(all.length)} @click=${() => download(jsonOf(all), "application/json", "trades", "json")}>JSON</button>
`;

export const droppedView = (count: number): TemplateResult => html`<p class="small quiet">${say.dropped(count)}</p>`;
