// Every attempt of this panel and its outcome, refused ones too: in pages, and as a file.

import { type TemplateResult, css, html, nothing } from "lit";
import { type Attempt, stateOf } from "./attempt.js";
import type { Desk } from "../desk.js";
import { clock, day } from "../figures.js";
import { laterView } from "../later/load.js";
import { messages } from "../messages.js";
import { kindView } from "./outcome.js";
import { sentenceOf, whatOf } from "./sentences.js";

const say = messages.history;
const PER_PAGE = 10;

export function historyView(desk: Desk): TemplateResult {
  const { all, past } = desk.attempts;
  if (!all.length) return html`<p class="nothing">${say.none}</p>`;
  const pages = Math.ceil(all.length / PER_PAGE);
  const page = Math.min(desk.shown.page, pages - 1);
  const turn = (page: number) => desk.shown.set({ page });
  return html`
    <table class="sheet history">
      <thead>
        <tr>
          ${say.columns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${all.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map((attempt) => row(desk, attempt))}
      </tbody>
    </table>
    <div class="row-of-buttons history-foot">
      ${pages > 1 ? html`<button type="button" class="button" ?disabled=${page === 0} @click=${() => turn(page - 1)}>${say.newer}</button>` : nothing}
      <span class="small quiet">${pages > 1 ? say.page(page + 1, pages, all.length) : say.count(all.length)}</span>
      ${pages > 1 ? html`<button type="button" class="button" ?disabled=${page === pages - 1} @click=${() => turn(page + 1)}>${say.older}</button>` : nothing}
      ${laterView(desk, ({ exportView }) => exportView(desk))}
    </div>
    ${past.dropped ? laterView(desk, ({ droppedView }) => droppedView(past.dropped)) : nothing}
  `;
}

function row(desk: Desk, attempt: Attempt): TemplateResult {
  const { startedAtMs, side, wallets } = attempt;
  const labels = [...new Set(wallets)].map(desk.nameOf);
  const state = stateOf(attempt);
  return html`
    <tr class="past ${state}">
      <td class="small">${day(startedAtMs)}, ${clock(startedAtMs)}</td>
      <td>
        <span class=${side === "buy" ? "up" : "down"} aria-hidden="true">${side === "buy" ? "▲" : "▼"}</span> ${whatOf(attempt)}
        <span class="second">${labels.length > 3 ? say.wallets(labels.length) : labels.join(", ")}</span>
      </td>
      <td class="wide">
        <strong>${messages.outcome.states[state]}</strong> ${kindView(desk, attempt)}
        <span class="second">${sentenceOf(attempt, desk.nameOf)}</span>
        ${state === "unknown" ? html`<button type="button" class="button" @click=${() => desk.visit(attempt.intentId)}>${messages.notice.look}</button>` : nothing}
      </td>
    </tr>
  `;
}

export const historyStyles = css`
  .history td {
    vertical-align: baseline;
  }
  .history td .button {
    display: flex;
    margin-block: 0.375rem;
  }
  .history .badge {
    margin-inline-start: 0.25rem;
  }
  .history-foot {
    padding-block-start: 0.5rem;
  }
  .history-foot .button:nth-last-child(2) {
    margin-inline-start: auto;
  }
`;
