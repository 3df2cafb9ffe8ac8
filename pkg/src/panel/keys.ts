// Keys for what is done most, while the focus is in the panel and in no field; where the trader has turned that on, also while it is
// elsewhere in the page. None of them sends: Enter on the button does, or Ctrl with Enter in the ticket.

import { type TemplateResult, css, html, nothing } from "lit";
import type { Desk } from "./desk.js";
import { messages } from "./messages.js";
import { enterMost } from "./ticket/ticket.js";

const say = messages.keys;

/** A preset amount of the chosen side. */
const preset =
  (at: number) =>
  (desk: Desk): void => {
    const amount = desk.choices.presets(desk.entry.side)[at];
    if (amount !== undefined) lead(desk, () => desk.enter({ amount }));
  };

/** Enters something, and moves the focus to the button, where the plan stands. */
function lead(desk: Desk, enter: () => void): void {
  enter();
  desk.focus(".ticket .send");
}

function nextWallet(desk: Desk): void {
  const wallets = desk.world.wallets();
  const at = wallets.findIndex(({ wallet }) => wallet === desk.entry.wallet);
  const next = wallets[(at + 1) % wallets.length];
  if (next) lead(desk, () => desk.enter({ wallet: next.wallet }));
}

/** What each key does, in the order of the list. */
const KEYS: Record<keyof typeof say.list, (desk: Desk) => void> = {
  b: (desk) => lead(desk, () => desk.enter({ side: "buy" })),
  s: (desk) => lead(desk, () => desk.enter({ side: "sell" })),
  1: preset(0),
  2: preset(1),
  3: preset(2),
  4: preset(3),
  m: (desk) => desk.entry.side === "buy" && (desk.whyNoMost ? enterMost(desk) : lead(desk, () => enterMost(desk))),
  a: (desk) => desk.focus('.ticket [name="amount"]'),
  r: (desk) => desk.focus(".ticket .send"),
  w: nextWallet,
  "?": ({ shown }) => shown.set({ keys: !shown.keys }),
};

const isField = (target: EventTarget | undefined): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));

export function pressKey(event: KeyboardEvent, desk: Desk): void {
  if (
    event.defaultPrevented ||
    event.repeat ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isField(event.composedPath()[0])
  )
    return;
  const key = event.key.toLowerCase();
  if (!Object.hasOwn(KEYS, key)) return;
  event.preventDefault();
  KEYS[key as keyof typeof KEYS](desk);
}

/** Does so for a key that was pressed elsewhere in the page. A closed shadow root shows only its host, which may hold a field. */
export function pressKeyOutside(event: KeyboardEvent, desk: Desk): void {
  const [target] = event.composedPath();
  if (target instanceof HTMLElement && target.matches(":is(html, body, a, button):not([role])")) pressKey(event, desk);
}

/** Opens the list of the keys. */
export const keysButton = ({ shown }: Desk): TemplateResult =>
  html`<button type="button" class="plain keys-button" aria-expanded=${shown.keys} aria-controls="keys" @click=${() => shown.set({ keys: !shown.keys })}>${say.title} <kbd>?</kbd></button>`;

export function keysView(desk: Desk): TemplateResult {
  const { shown, choices } = desk;
  const everywhere = (event: Event): void => {
    choices.keepKeysEverywhere((event.target as HTMLInputElement).checked);
    desk.changed();
  };
  return html`<section id="keys" class="card keys" ?hidden=${!shown.keys} aria-labelledby="keys-title">
    ${
      shown.keys
        ? html`<h2 id="keys-title">${say.heading}</h2>
          <dl>${Object.keys(KEYS).map((key) => html`<div><dt><kbd>${key.toUpperCase()}</kbd></dt><dd>${say.list[key as keyof typeof say.list]}</dd></div>`)}</dl>
          <label class="check"><input type="checkbox" name="keys-everywhere" .checked=${choices.keysEverywhere} @change=${everywhere} /> ${say.everywhere}</label>`
        : nothing
    }
  </section>`;
}

export const keysStyles = css`
  .desk:focus {
    outline: none;
  }
  .keys-button {
    margin-inline-start: auto;
  }
  kbd {
    padding: 0 0.375rem;
    border: 1px solid var(--_edge);
    border-radius: 0.25rem;
    font: inherit;
    font-size: var(--_12);
  }
  .keys dl {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr));
    gap: 0.375rem 1rem;
  }
  .keys dl > div {
    display: flex;
    gap: 0.5rem;
  }
  /* Where nobody has a keyboard, or little room. */
  @container desk (max-width: 39.99rem) {
    .keys-button {
      display: none;
    }
  }
`;
