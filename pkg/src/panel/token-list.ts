// The list of the tokens to switch to; if there are many, with a field that searches them.

import { type TemplateResult, css, html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import type { Desk } from "./desk.js";
import { percent, plainPrice, price } from "./figures.js";
import { messages } from "./messages.js";
import { tokenIcon } from "./token-icon.js";
import type { TokenView } from "./world.js";

const say = messages.header;

/** How many tokens a look finds without a search. */
const FEW = 6;

const rootOf = (event: Event): ShadowRoot => (event.currentTarget as Element).getRootNode() as ShadowRoot;

/** Opens the list with the focus on the shown token, or closes it. */
export function openList(desk: Desk): void {
  const { shown } = desk;
  shown.set({ list: !shown.list, search: "" });
  if (shown.list) desk.focus(".tokens [aria-current=true]");
}

/** Closes the list; the focus goes to where it was opened. */
function closeList({ shown }: Desk, root: ShadowRoot): void {
  shown.set({ list: false, search: "" });
  root.querySelector<HTMLElement>(".others")?.focus();
}

function choose(desk: Desk, mint: string, event: Event): void {
  const root = rootOf(event);
  closeList(desk, root);
  desk.enter({ mint });
}

/** Whether a token's symbol, name or mint contains the text, in capital or small letters. */
const isFound = ({ title, mint }: TokenView, text: string): boolean =>
  [title, mint].some((part) => part.toLowerCase().includes(text));

/** The list of tokens to switch to, each with its price and its progress. */
export function listView(desk: Desk): TemplateResult {
  const { shown } = desk;
  const all = shown.list ? desk.world.tokens() : [];
  const text = all.length > FEW ? shown.search.trim().toLowerCase() : "";
  const found = text ? all.filter((token) => isFound(token, text)) : all;
  return html`<div id="tokens" class="tokens" ?hidden=${!shown.list} @keydown=${(event: KeyboardEvent) => pressKey(desk, found, event)}>
    ${all.length > FEW ? searchView(desk, text && say.found(found.length, all.length, shown.search.trim())) : nothing}
    ${
      found.length
        ? html`<ul aria-label=${say.list}>${repeat(
            found,
            ({ mint }) => mint,
            (token) => tokenRow(desk, token),
          )}</ul>`
        : nothing
    }
  </div>`;
}

const searchView = ({ shown }: Desk, found: string): TemplateResult => html`
  <input class="control" type="search" name="search" aria-label=${say.search} placeholder=${say.search} autocomplete="off" autocapitalize="off" spellcheck="false" .value=${live(shown.search)} @input=${(event: Event) => shown.set({ search: (event.target as HTMLInputElement).value })} />
  <p class="small quiet" role="status">${found}</p>
`;

const tokenRow = (desk: Desk, token: TokenView): TemplateResult => html`<li>
  <button type="button" title=${token.title} aria-current=${token.mint === desk.entry.mint} @click=${(event: Event) => choose(desk, token.mint, event)}>
    ${tokenIcon(token)}
    <span class="names"><strong>${token.symbol}</strong> <span class="quiet small">${token.name}</span></span>
    ${token.spotPrice === null ? nothing : html`<span class="cost"><span aria-hidden="true">${price(token.spotPrice)} SOL</span><span class="spoken">${plainPrice(token.spotPrice)} SOL</span></span>`}
    ${token.progressBps === null ? nothing : html`<span class="small quiet share">${token.complete ? say.complete : percent(Math.floor(token.progressBps / 10) * 10)}</span><progress max="10000" .value=${token.progressBps} aria-hidden="true"></progress>`}
  </button>
</li>`;

/**
 * Escape closes the list, the arrow keys go through it, and Enter in the field chooses the first token that was found. What is typed
 * among the tokens goes into the field.
 */
function pressKey(desk: Desk, found: readonly TokenView[], event: KeyboardEvent): void {
  const root = rootOf(event);
  const field = root.querySelector<HTMLInputElement>(".tokens input");
  const isInField = event.composedPath()[0] === field;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") closeList(desk, root);
  else if (step) {
    const stops = [...root.querySelectorAll<HTMLElement>(".tokens :is(input, button)")];
    stops[stops.indexOf(root.activeElement as HTMLElement) + step]?.focus();
  } else if (event.key === "Enter" && isInField) {
    if (desk.shown.search.trim() && found[0]) choose(desk, found[0].mint, event);
  } else {
    const isText = /^\S$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!field || isInField || !isText) return;
    // The browser types the character into the field that has the focus then; to the panel it is no key of its own.
    field.focus();
    return event.stopPropagation();
  }
  event.preventDefault();
}

export const listStyles = css`
  .tokens {
    position: absolute;
    z-index: 20;
    inset-block-start: calc(100% - 0.5rem);
    inset-inline-start: 0.5rem;
    width: min(26rem, calc(100% - 1rem));
    max-height: 24rem;
    padding: 0.375rem;
    overflow: auto;
    border: 1px solid var(--_edge);
    border-radius: var(--_radius);
    background: var(--_raised);
    box-shadow: 0 1rem 2.5rem rgb(0 0 0 / 0.35);
  }
  .tokens input {
    position: sticky;
    z-index: 1;
    inset-block-start: 0;
  }
  .tokens p:not(:empty) {
    padding: 0.375rem 0.5rem;
    overflow-wrap: anywhere;
  }
  .tokens button {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    align-items: center;
    gap: 0 0.75rem;
    width: 100%;
    min-height: var(--_target);
    padding: 0.375rem 0.5rem;
    border: 0;
    border-radius: calc(var(--_radius) * 0.8);
    background: transparent;
    text-align: start;
    cursor: pointer;
  }
  .tokens button:hover {
    background: var(--_well);
  }
  .tokens button[aria-current="true"] {
    background: var(--_accent-soft);
  }
  .tokens .token-icon {
    grid-row: span 2;
    width: 2rem;
    height: 2rem;
  }
  .tokens .names {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .tokens .cost,
  .tokens .share {
    text-align: end;
  }
  .tokens progress {
    grid-row: 2;
    grid-column: 2;
    margin: 0;
  }
  .tokens .share {
    grid-row: 2;
    grid-column: 3;
  }
`;
