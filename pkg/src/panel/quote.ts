// The quote, in a place whose height never changes.

import { type TemplateResult, html } from "lit";
import { shortTokens, sol, tokens } from "./figures.js";
import { messages } from "./messages.js";
import type { Slip } from "./slip.js";
import type { TokenView } from "./world.js";

const say = messages.quote;

export function quoteView(slip: Slip, token: TokenView | undefined): TemplateResult {
  return html`<div class="quote">${body(slip, token)}</div>`;
}

function body({ quote, problems, empty }: Slip, token: TokenView | undefined): TemplateResult {
  if (!quote || !token) return html`<span>${problems.length && !empty ? say.problem : say.none}</span>`;
  if (quote.refused) return html`<span>${say.fails}</span><strong>${quote.refused.message}</strong>`;
  const buys = quote.legs.every(({ side }) => side === "buy");
  const sum = (of: "tokens" | "walletLamports" | "worstTokens" | "worstWalletLamports") => quote.legs.reduce((all, leg) => all + leg[of], 0n);
  return buys
    ? html`<strong title=${tokens(sum("tokens"), token)}>${say.about(shortTokens(sum("tokens"), token))}</strong><span>${say.minimum(tokens(sum("worstTokens"), token))}</span>`
    : html`<strong>${say.about(sol(sum("walletLamports")))}</strong><span>${say.minimum(sol(sum("worstWalletLamports")))}</span>`;
}
