// The reading of a field's value, shown beside it.

import { grouped, sol, tokens } from "./money.js";
import { read } from "./request.js";
import { held } from "./world.js";

/** What a wallet has available for the trade. */
function holdings({ value }, { world, token, operation }) {
  const wallet = world.wallet(value);
  return `Holds ${operation.side === "buy" ? sol(wallet.lamports) : tokens(held(wallet, token.mint), token)}`;
}

const payer = ({ value }, { world }) => (value ? `Holds ${sol(world.wallet(value).lamports)}` : "");

function price(_control, { token }) {
  if (token.spotPrice === null || token.marketCapLamports === null) return "";
  return `${grouped(token.spotPrice)} lamports each; market cap ${sol(token.marketCapLamports)}`;
}

function lamports(control) {
  const text = read(control) ?? "";
  return /^\d+(\.\d+)?$/.test(text) ? `${grouped(text)} lamports` : "";
}

const READINGS = { mint: price, fromWallet: holdings, feePayer: payer, amountInLamports: lamports };

/** The reading of a control on the ticket, by the last name in its path; empty for most. */
export const reading = (control, ticket) => READINGS[control.name.replace(/^.*\./, "")]?.(control, ticket) ?? "";
