// Buy and Sell, within reach where the ticket is out of the window: they lead to it, and send nothing.

import { type TemplateResult, css, html, nothing } from "lit";
import type { Desk } from "../desk.js";
import type { Side } from "../../generated.js";
import { messages } from "../messages.js";
import { perDesk } from "../shown.js";

const say = messages.ticketBar;

/** How much of it must be seen, for what has parts of a pixel. */
const WHOLE = 0.95;

/** Sees whether the ticket's button is out of the window, or in part: `${ref(sight(desk))}`. */
export const sight = perDesk(({ shown }) => {
  let watch: IntersectionObserver | undefined;
  const tell = (seen: IntersectionObserverEntry[]): void => {
    const isFar = (seen.at(-1)?.intersectionRatio ?? 1) < WHOLE;
    if (shown.isFar !== isFar) shown.set({ isFar });
  };
  return (button?: Element): void => {
    watch?.disconnect();
    if (!button) return;
    watch = new IntersectionObserver(tell, { threshold: [0, WHOLE] });
    watch.observe(button);
  };
});

export function ticketBarView(desk: Desk): TemplateResult | typeof nothing {
  const { shown, token, fixed } = desk;
  if (!shown.isFar || !token) return nothing;
  const sides: readonly Side[] = fixed.amount ? [desk.entry.side] : ["buy", "sell"];
  return html`<div class="reach" part="reach" role="group" aria-label=${say.title}>
    ${sides.map((side) => html`<button type="button" class="button ${side}" @click=${() => lead(desk, side)}>${say[side](token.symbol)}</button>`)}
  </div>`;
}

function lead(desk: Desk, side: Side): void {
  desk.enter({ side });
  desk.focus('.ticket [name="amount"]');
}

export const ticketBarStyles = css`
  .reach {
    display: none;
  }
  @container desk (max-width: 50.99rem) {
    .reach {
      position: sticky;
      z-index: 4;
      inset-block-end: var(--_keyboard, 0px);
      display: grid;
      grid-auto-columns: minmax(0, 1fr);
      grid-auto-flow: column;
      grid-area: reach;
      gap: 0.5rem;
      margin: 0 calc(-1 * var(--_gap)) calc(-1 * var(--_gap));
      padding: 0.5rem var(--_gap) max(0.5rem, env(safe-area-inset-bottom));
      border-block-start: 1px solid var(--_line);
      background: var(--_raised);
    }
    /* What gets the focus, or is scrolled to, is not below it. */
    .desk :where(button, input, select, textarea, summary, a, [tabindex]) {
      scroll-margin-block-end: calc(5rem + var(--_keyboard, 0px));
    }
  }
  .reach .button {
    font-weight: 600;
  }
  .reach .buy {
    border-color: var(--_buy);
    color: var(--_buy);
  }
  .reach .sell {
    border-color: var(--_sell);
    color: var(--_sell);
  }
`;
