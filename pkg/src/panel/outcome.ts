// What was sent from here, and what became of it: a row each, the newest first.

import { type TemplateResult, html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Attempt } from "./attempts.js";
import type { Desk } from "./desk.js";
import { sol } from "./figures.js";
import { messages } from "./messages.js";

const say = messages.outcome;
/** How many rows are shown beside the ticket. */
const SHOWN = 5;

export function outcomesView({ attempts }: Desk): TemplateResult {
  const newest = attempts.all.slice(0, SHOWN);
  return html`
    <section class="outcomes" part="outcomes" aria-label=${say.title}>
      ${newest.length ? html`<ol>${repeat(newest, ({ intentId }) => intentId, row)}</ol>` : html`<p>${say.none}</p>`}
    </section>
  `;
}

const row = (attempt: Attempt): TemplateResult => html`<li class="attempt ${attempt.fate}" data-intent=${attempt.intentId}><strong>${say[attempt.fate]}</strong> <span>${sentence(attempt)}</span></li>`;

function sentence({ side, symbol, answer }: Attempt): string {
  if (!answer) return "";
  if (answer.reason) return answer.reason;
  const tokens = answer.tokens && `${side === "buy" ? "+" : "−"}${answer.tokens} ${symbol}`;
  const paid = answer.lamportsMoved === null ? "" : ` for ${sol(answer.lamportsMoved < 0n ? -answer.lamportsMoved : answer.lamportsMoved)}`;
  return tokens ? tokens + paid : "";
}
