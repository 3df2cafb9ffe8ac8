// Buy and Sell, within reach where the ticket is out of the window: they lead to it, and send nothing.

import { type TemplateResult, css, html, nothing } from "lit";
import { AsyncDirective, directive } from "lit/async-directive.js";
import type { ElementPart } from "lit/directive.js";
import type { Desk } from "../desk.js";
import type { Side } from "../../generated.js";
import { messages } from "../messages.js";

const say = messages.ticketBar;

/** How much of it must be seen, for what has parts of a pixel. */
const WHOLE = 0.95;

/** Tells whether an element is out of the window, or in part: `${leaves(isOut => …)}`. */
class Leaves extends AsyncDirective {
  #watch: IntersectionObserver | undefined;
  #element: Element | undefined;
  #tell: (isOut: boolean) => void = () => {};

  render(_tell: (isOut: boolean) => void): typeof nothing {
    return nothing;
  }

  override update({ element }: ElementPart, [tell]: [(isOut: boolean) => void]): typeof nothing {
    this.#element = element;
    this.#tell = tell;
    this.#begin();
    return nothing;
  }

  #begin(): void {
    if (this.#watch || !this.#element) return;
    this.#watch = new IntersectionObserver((seen) => this.#tell((seen.at(-1)?.intersectionRatio ?? 1) < WHOLE), {
      threshold: [0, WHOLE],
    });
    this.#watch.observe(this.#element);
  }

  protected override disconnected(): void {
    this.#watch?.disconnect();
    this.#watch = undefined;
  }

  protected override reconnected(): void {
    this.#begin();
  }
}

export const leaves = directive(Leaves);

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
