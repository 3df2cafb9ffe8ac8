// The tape: the token's latest trades, by anybody.

import { type TemplateResult, css, html } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Desk } from "../desk.js";
import { SOL_DECIMALS, brief, price, short, span } from "../figures.js";
import { messages } from "../messages.js";

const say = messages.trades;

/** How many trades are listed. */
const MOST = 30;

export function tradesView(desk: Desk): TemplateResult {
  const { token, world } = desk;
  const trades = token ? [...world.trades(token.mint, MOST)].reverse() : [];
  const now = world.now();
  return html`
    <section class="card trades" part="trades" aria-labelledby="trades-title">
      <h2 id="trades-title">${say.title}</h2>
      ${
        trades.length
          ? html`<div class="table-frame" tabindex="0" role="group" aria-labelledby="trades-title">
            <table class="sheet rows">
              <thead>
                <tr>
                  ${say.columns.map((column) => html`<th scope="col">${column}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${repeat(
                  trades,
                  ({ number }) => number,
                  ({ atMs, side, lamports, tokens, price: at, wallet }) => html`<tr class=${side}>
                    <td><span class="way" aria-hidden="true">${side === "buy" ? "▲" : "▼"}</span> ${say[side]}</td>
                    <td>${brief(lamports, SOL_DECIMALS)}</td>
                    <td>${brief(tokens, token?.decimals ?? 0)}</td>
                    <td class="at">${price(at)}</td>
                    <td class="who mono">${short(wallet)}</td>
                    <td>${span(Math.max(0, now - atMs))}</td>
                  </tr>`,
                )}
              </tbody>
            </table>
          </div>`
          : html`<p class="quiet">${say.none}</p>`
      }
    </section>
  `;
}

export const tradesStyles = css`
  .trades {
    container: trades / inline-size;
    grid-template-rows: auto 1fr;
    height: var(--_height);
    gap: 0.25rem;
    overflow: clip;
  }
  .trades .who,
  .trades .rows th:nth-child(5) {
    display: none;
    color: var(--_quiet);
  }
  @container trades (max-width: 18rem) {
    .trades .rows :is(th, td) {
      padding-inline: 0.125rem;
    }
  }
  @container trades (min-width: 26rem) {
    .trades .who,
    .trades .rows th:nth-child(5) {
      display: table-cell;
    }
  }
  .trades tbody td:first-child {
    position: relative;
    color: var(--_sell);
    font-weight: 600;
  }
  .trades tr.buy td:first-child {
    color: var(--_buy);
  }
  .trades .rows :is(th, td):first-child {
    padding-inline-start: 0.5rem;
  }
  .trades .way {
    font-size: 0.625rem;
  }
  .trades tbody td:first-child::before {
    content: "";
    position: absolute;
    inset-block: 0;
    inset-inline-start: 0;
    width: 0.1875rem;
    background: currentColor;
    opacity: 0;
  }
  @media (prefers-reduced-motion: no-preference) {
    .trades tbody td:first-child::before {
      animation: desk-traded 900ms ease-out;
    }
  }
  @keyframes desk-traded {
    from {
      opacity: 1;
    }
  }
`;
