// The tabs below the chart: what is held, what was sent, and bundles.

import { type TemplateResult, css, html, nothing } from "lit";
import { isOpen } from "./attempts/attempt.js";
import { bundleView } from "./bundle/view.js";
import type { Desk } from "./desk.js";
import { historyView } from "./attempts/history.js";
import { laterView } from "./later/load.js";
import { messages } from "./messages.js";
import { positionsView } from "./positions/positions.js";
import { TABS, type Tab } from "./shown.js";

const say = messages.tabs;

const VIEWS: Record<Tab, (desk: Desk) => TemplateResult> = {
  positions: positionsView,
  trades: historyView,
  bundle: bundleView,
  tokens: (desk) => laterView(desk, ({ tokensView }) => tokensView(desk)),
  wallets: (desk) => laterView(desk, ({ walletsView }) => walletsView(desk)),
};

/** A bundle has its own amounts, and a list leads to another token: a page that fixes these has no such tab. */
const tabsOf = ({ fixed }: Desk): readonly Tab[] =>
  TABS.filter((tab) => !(tab === "bundle" && fixed.amount) && !(tab === "tokens" && fixed.mint));

export function tabsView(desk: Desk): TemplateResult {
  const { tab } = desk.shown;
  const open = desk.attempts.all.filter(isOpen).length;
  return html`
    <section class="card tabs" part="tabs">
      <div class="tablist" role="tablist" aria-label=${say.title} @keydown=${(event: KeyboardEvent) => keys(event, desk)}>
        ${tabsOf(desk).map(
          (name) =>
            html`<button type="button" role="tab" id="tab-${name}" aria-controls="tabpanel" aria-selected=${name === tab} tabindex=${name === tab ? 0 : -1} @click=${() => show(desk, name)}>${say[name]}${name === "trades" && open ? html` <span class="count">${say.open(open)}</span>` : nothing}</button>`,
        )}
      </div>
      <div role="tabpanel" id="tabpanel" aria-labelledby="tab-${tab}">${VIEWS[tab](desk)}</div>
    </section>
  `;
}

function show(desk: Desk, tab: Tab): void {
  // A bundle is not priced while its tab is hidden.
  if (tab === "bundle") desk.bundle.form.marketMoved();
  desk.shown.set({ tab, switchesFrom: undefined });
}

/** The arrow keys go from tab to tab, and from the last to the first. */
function keys(event: KeyboardEvent, desk: Desk): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const tabs = tabsOf(desk);
  const tab = tabs[(tabs.indexOf(desk.shown.tab) + step + tabs.length) % tabs.length] as Tab;
  show(desk, tab);
  desk.focus(`#tab-${tab}`);
}

export const tabsStyles = css`
  .tabs {
    padding-block-start: 0.25rem;
  }
  /* A table that is wider than its place scrolls in it. */
  .tabs > *,
  .tabs > [role="tabpanel"] > * {
    min-width: 0;
  }
  .tablist {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.25rem;
    margin-inline: -0.375rem;
    border-block-end: 1px solid var(--_line);
  }
  .tablist button {
    padding: 0 0.75rem;
    border-width: 0 0 2px;
    border-radius: 0;
    color: var(--_quiet);
    font-weight: 600;
    white-space: nowrap;
  }
  @container below (max-width: 23rem) {
    .tablist {
      flex-wrap: nowrap;
      gap: 0;
      overflow: auto;
      scrollbar-width: none;
    }
    .tablist button {
      position: relative;
      flex: 1 0 auto;
      padding-inline: 0.25rem;
      outline-offset: -2px;
    }
    /* Below its tab's name: beside it, it would push the last tab out of sight. */
    .tablist .count {
      position: absolute;
      inset: auto 0 0.1875rem;
      line-height: 1;
    }
  }
  @container below (max-width: 22rem) {
    .tablist {
      margin-inline: -0.75rem;
    }
    .tablist button {
      font-size: var(--_12);
    }
  }
  .tablist button[aria-selected="true"] {
    border-block-end-color: var(--_accent);
    color: var(--_text);
  }
  @media (forced-colors: active) {
    .tablist button {
      border-color: Canvas;
    }
  }
  .tablist .count {
    color: var(--_caution);
    font-size: var(--_12);
  }
  .tabs .nothing {
    padding: 1.25rem 0.5rem;
    color: var(--_quiet);
    text-align: center;
  }
  .scroll {
    overflow: auto;
    max-height: 24rem;
  }
  .tabs .totals {
    padding: 0.625rem 0.5rem 0;
  }
  .sheet {
    width: 100%;
    border-collapse: collapse;
  }
  .sheet th,
  .sheet td {
    padding: 0.375rem 0.5rem;
    border-block-end: 1px solid var(--_line);
    text-align: start;
    vertical-align: middle;
  }
  .sheet thead th {
    position: sticky;
    z-index: 1;
    inset-block-start: 0;
    background: var(--_raised);
    color: var(--_quiet);
    font-size: var(--_12);
    font-weight: 500;
  }
  .sheet .number {
    text-align: end;
    white-space: nowrap;
  }
  .sheet tfoot td,
  .sheet tfoot th {
    position: sticky;
    z-index: 1;
    inset-block-end: 0;
    border-block-start: 1px solid var(--_edge);
    background: var(--_raised);
    font-weight: 600;
  }
  .second {
    display: block;
    color: var(--_quiet);
    font-size: var(--_12);
    font-weight: 400;
  }
  .sheet .sells .button {
    padding-inline: 0.25rem;
  }
  @container below (min-width: 54rem) {
    .sheet .sells .button {
      padding-inline: 0.5rem;
    }
  }
  .positions td.wide > .button {
    margin-block: 0.125rem;
  }

  @container below (min-width: 35.01rem) and (max-width: 50rem) {
    .positions :is(th, td, .sells .button) {
      padding-inline: 0.25rem;
      font-size: var(--_12);
    }
    .positions thead .number {
      white-space: normal;
    }
  }
  /* Narrow: a row is a small card, and each figure says what it is. */
  @container below (max-width: 35rem) {
    .sheet thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .sheet,
    .sheet tbody,
    .sheet tfoot,
    .sheet tr {
      display: grid;
    }
    .sheet tr {
      grid-template-columns: repeat(2, minmax(0, 1fr));
      padding-block: 0.375rem;
      border-block-end: 1px solid var(--_line);
    }
    .sheet th,
    .sheet td,
    .sheet .number {
      display: block;
      padding: 0.25rem;
      border: 0;
      text-align: start;
      white-space: normal;
      overflow-wrap: anywhere;
    }
    .sheet td[data-name]::before {
      content: attr(data-name);
      display: block;
      color: var(--_quiet);
      font-size: var(--_12);
      font-weight: 400;
    }
    .sheet .wide {
      grid-column: 1 / -1;
    }
    .sheet .sells {
      display: flex;
      flex-wrap: wrap;
      gap: 0.375rem;
    }
    .sells::before {
      flex-basis: 100%;
    }
    .sheet .sells .button {
      flex: 1 0 var(--_target);
      min-width: max-content;
      padding-inline: 0.25rem;
      white-space: nowrap;
    }
    .scroll:has(.positions) {
      max-height: none;
    }
  }
  /* It takes the table's width, and asks for none: the columns above stay as wide as they are without it. */
  .exits .plan-of {
    display: grid;
    gap: 0.5rem;
    width: 0;
    min-width: 100%;
  }
  /* What starts or stops a plan is in sight with its fields. */
  .tabs .scroll:has(.exits) {
    max-height: none;
  }
  .positions tr:has(+ .exits) > * {
    border-block-end: 0;
  }
`;
