// The token at the top of the panel: its name, its price, its curve's progress.

import { type TemplateResult, css, html, nothing } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { addressView } from "./address.js";
import { shownBars } from "../chart/view.js";
import type { Desk } from "../desk.js";
import {
  brief,
  change,
  figure,
  gauge,
  grouped,
  percent,
  plainPrice,
  price,
  shortSol,
  sol,
  solChange,
  span,
} from "../figures.js";
import { loadLater } from "../later/load.js";
import { messages } from "../messages.js";
import { tokenIcon } from "./token-icon.js";
import type { TokenView } from "../worlds/world.js";

const say = messages.header;

/** Every digit of a price; if it is not known, a text that says so. */
const wholePrice = ({ spotPrice }: TokenView): string =>
  spotPrice === null ? say.unknown : `${plainPrice(spotPrice)} SOL`;

export function headerView(desk: Desk): TemplateResult {
  const { token } = desk;
  if (!token) return html`<section class="card header" part="header"><p class="quiet">${say.none}</p></section>`;
  return html`
    <section class="card header" part="header" aria-labelledby="token-name">
      ${tokenIcon(token)}
      <h2 id="token-name" title=${token.title}><span class="symbol">${token.symbol}</span> <span class="name">${token.name}</span></h2>
      <div class="under">
        ${addressView(desk, token.mint, say.copy, say.copied)}
        ${desk.fixed.mint ? nothing : html`<button type="button" class="plain others" aria-controls="tabpanel" @click=${() => switchToken(desk)}>${say.others}</button>`}
      </div>
      ${token.spotPrice === null ? html`<p class="no-market quiet">${noPrice(desk)}</p>` : marketView(desk, token)}
    </section>
  `;
}

/** Leads to the list of tokens. Who picks one there comes back. */
async function switchToken(desk: Desk): Promise<void> {
  desk.shown.set({ tab: "tokens", switchesFrom: desk.shown.switchesFrom ?? desk.shown.tab });
  const focus = desk.focusLater();
  // Without its file the tab says so.
  await loadLater().catch(() => {});
  focus('[name="token-search"]');
}

function noPrice({ world, entry }: Desk): string {
  const trouble = world.priceTrouble?.(entry.mint);
  return world.hasMarket || trouble ? say.noPrice(trouble) : say.noMarket;
}

/** The slot and the age of a price that was read from a chain. */
function asOfView({ world, entry }: Desk): TemplateResult | typeof nothing {
  const asOf = world.asOf?.(entry.mint);
  return asOf
    ? html`<p class="as-of small quiet"><span class="slot">${say.slot(grouped(String(asOf.slot)))}</span> ${say.ago(span(asOf.ageMs))}</p>`
    : nothing;
}

/** That such a price is too old, once it is. */
function oldView({ world, entry }: Desk): TemplateResult | typeof nothing {
  if (!world.asOf?.(entry.mint)) return nothing;
  const curve = world.curve(entry.mint);
  curve?.free();
  return curve ? nothing : html`<p class="old small" role="status">${say.old(world.priceTrouble?.(entry.mint))}</p>`;
}

/** What the token costs, and how far its curve is sold. */
function marketView(desk: Desk, token: TokenView): TemplateResult {
  const { sum } = shownBars(desk);
  // Up to the price beside it: what an own trade has moved is not in a candle before a look shows it.
  const moved = sum?.from && token.spotPrice ? Number(token.spotPrice) / sum.from - 1 : 0;
  let [way, arrow] = ["", ""];
  if (moved > 0) [way, arrow] = ["up", "▲"];
  if (moved < 0) [way, arrow] = ["down", "▼"];
  return html`
    <div class="price">
      <p class="large ${way}">
        ${keyed(token.spotPrice, html`<span class="tick">${figure(price(token.spotPrice), wholePrice(token), wholePrice(token))}</span>`)}<span class="unit" aria-hidden="true">SOL</span>
      </p>
      ${sum && Math.abs(moved) >= 0.0005 ? html`<p class="change ${way}"><span aria-hidden="true">${arrow}</span> ${change(moved)} <span class="quiet">${say.over(span(sum.ms))}</span></p>` : nothing}
      ${asOfView(desk)}
    </div>
    ${oldView(desk)}
    <dl class="facts">
      <div>
        <dt>${say.marketCap}</dt>
        <dd>${token.marketCapLamports === null ? say.unknown : html`${figure(shortSol(token.marketCapLamports), sol(token.marketCapLamports))} <span class="usd second">${desk.dollars.of(token.marketCapLamports)}</span>`}</dd>
      </div>
      <div class="progress">
        <dt>${say.progress}</dt>
        <dd>
          ${
            token.progressBps === null
              ? say.unknown
              : html`${token.complete ? say.complete : percent(token.progressBps)}${gauge(token.progressBps / 10_000, say.progress)}`
          }
        </dd>
      </div>
      ${ownView(desk, token)}
    </dl>
  `;
}

/** What the chosen wallet holds of it, and what selling that would gain. */
function ownView({ entry, holdings }: Desk, { mint, decimals }: TokenView): TemplateResult | typeof nothing {
  const own = holdings.of(entry.wallet, mint);
  if (!own || own.tokens === 0n || own.profit === null) return nothing;
  const { profit, tokens } = own;
  return html`<div class="own"><dt>${say.own(brief(tokens, decimals))}</dt><dd class=${profit < 0n ? "down" : "up"}>${figure(solChange(profit), sol(profit))}</dd></div>`;
}

export const headerStyles = css`
  .header {
    position: relative;
    grid-template: "icon name price facts" 1fr "icon under price facts" auto "old old old old" auto / auto minmax(0, auto) auto minmax(14rem, 1fr);
    gap: 0 0.75rem;
  }
  .header > .token-icon {
    grid-area: icon;
    align-self: center;
  }
  .header > .no-market {
    grid-area: price-start / price-start / price-end / facts-end;
    align-self: center;
    margin-inline-start: 1.25rem;
  }
  .header > h2 {
    grid-area: name;
    align-self: end;
  }
  .header > .under {
    grid-area: under;
  }
  .header > .price {
    grid-area: price;
    align-self: center;
    margin-inline: 1.25rem;
  }
  .header > .facts {
    grid-area: facts;
    align-self: center;
  }
  .token-icon {
    width: 3rem;
    height: 3rem;
    border-radius: 28%;
  }
  .header h2 {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.5rem;
    line-height: 1.2;
  }
  .symbol,
  .name {
    max-width: 100%;
  }
  .symbol {
    font-size: var(--_20);
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .name {
    color: var(--_quiet);
    font-weight: 400;
  }
  .under {
    display: flex;
    gap: 0 0.25rem;
    margin-inline-start: -0.5rem;
    margin-block: -0.25rem -0.75rem;
  }
  .plain {
    min-width: var(--_target);
    padding: 0 0.5rem;
    border: 0;
    color: var(--_quiet);
    font-size: var(--_12);
    white-space: nowrap;
  }
  .plain:hover {
    color: var(--_text);
    background: var(--_well);
  }
  .glyph {
    width: 0.875rem;
    height: 0.875rem;
    vertical-align: -0.125rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.5;
  }
  .plain.others {
    color: var(--_accent);
    font-weight: 600;
  }
  .price .large {
    font-size: var(--_32);
    font-weight: 600;
    line-height: 1.15;
    letter-spacing: -0.02em;
    color: var(--_text);
    white-space: nowrap;
  }
  .price .unit {
    margin-inline-start: 0.375rem;
    color: var(--_quiet);
    font-size: var(--_14);
    font-weight: 500;
    letter-spacing: 0;
  }
  .change {
    font-weight: 600;
  }
  .header > .old {
    grid-area: old;
    margin-block-start: 0.25rem;
    color: var(--_sell);
  }
  .change .quiet {
    font-weight: 400;
  }
  .tick {
    position: relative;
    display: inline-block;
    isolation: isolate;
  }
  /* A flash fades by its opacity alone: that costs the page no style and no paint. */
  .tick::before {
    content: "";
    position: absolute;
    z-index: -1;
    inset: -0.125rem -0.25rem;
    border-radius: 0.375rem;
    opacity: 0;
  }
  .price .large.up .tick::before {
    background: var(--_buy);
  }
  .price .large.down .tick::before {
    background: var(--_sell);
  }
  @media (prefers-reduced-motion: no-preference) {
    .price .large:is(.up, .down) .tick::before {
      animation: desk-tick 600ms ease-out;
    }
  }
  @keyframes desk-tick {
    from {
      opacity: 0.35;
    }
  }
  .header .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1.25rem;
  }
  .header .facts dt {
    color: var(--_quiet);
    font-size: var(--_12);
  }
  .header .facts dd {
    font-size: var(--_16);
    font-weight: 600;
    white-space: nowrap;
  }
  .header .usd:empty {
    display: none;
  }
  .header .facts .progress {
    flex: 1;
    min-width: 4.75rem;
    max-width: 16rem;
  }
  .header .gauge {
    margin-block-start: 0.25rem;
    color: var(--_accent);
  }
  /* By the room that it has itself: beside the ticket a wide window has less of it than a narrow one. */
  @container head (max-width: 48rem) {
    .header {
      grid-template: "icon name price" auto "old old old" auto "under under under" auto "facts facts facts" auto / auto minmax(0, 1fr) auto;
    }
    .header > .price {
      margin: 0;
    }
    .header > .no-market {
      grid-area: facts;
      margin: 0;
    }
    .header > h2 {
      flex-direction: column;
      align-items: stretch;
      align-self: center;
    }
    .header > .under {
      margin-block-end: 0;
    }
    .header .facts > div {
      display: flex;
      flex-wrap: wrap;
      align-items: baseline;
      gap: 0 0.375rem;
    }
    .header .facts dd {
      font-size: var(--_14);
    }
    .header .facts .progress {
      min-width: max-content;
      max-width: none;
    }
    .header .gauge {
      position: absolute;
      inset-inline: 0;
      inset-block-end: 0;
      height: 3px;
      border-radius: 0 0 var(--_radius) var(--_radius);
    }
    .token-icon {
      width: 2.5rem;
      height: 2.5rem;
    }
    .header .price {
      text-align: end;
    }
    .header .price .large {
      font-size: var(--_20);
    }
  }
  @container head (min-width: 21.51rem) and (max-width: 48rem) {
    .header .usd {
      display: inline;
    }
  }
  @container head (max-width: 21.5rem) {
    .header {
      column-gap: 0;
    }
    .header > .token-icon {
      display: none;
    }
    .header > .price {
      margin-inline-start: 0.5rem;
    }
    .header .facts {
      justify-content: space-between;
      gap: 0 0.625rem;
    }
    .header .facts > div {
      display: block;
    }
    /* How old the price is stands in the line of its change. */
    .header :is(.change, .as-of) {
      display: inline;
      font-size: var(--_12);
    }
    .header .change + .as-of::before {
      content: "| ";
    }
    .header .facts dt {
      white-space: nowrap;
    }
    .header .facts dd {
      font-size: var(--_12);
    }
    .header .slot {
      display: none;
    }
    .header .facts .progress {
      flex: none;
      min-width: auto;
    }
  }
  @container head (min-width: 48.01rem) {
    .header .facts {
      justify-content: flex-end;
    }
    /* There the table of positions is in the window, too. */
    .header .own {
      display: none;
    }
  }
`;
