// The alerts at a price under the chart: the button that opens them, the form, and their lines.

import { type TemplateResult, css, html, nothing } from "lit";
import type { Level } from "./chart/canvas.js";
import type { Desk } from "./desk.js";
import { plainPrice, price } from "./figures.js";
import { messages } from "./messages.js";

const say = messages.alerts;

/** The lines of the shown token's alerts. */
export const alertLevels = ({ alerts, entry }: Desk): Level[] =>
  alerts.of(entry.mint).map(({ price }) => ({ price, title: say.line, tone: "accent" }));

export function alertsButton(desk: Desk): TemplateResult {
  const { alerts, entry } = desk;
  const toggle = (): void => {
    Object.assign(alerts, { isOpen: !alerts.isOpen, problem: "" });
    desk.changed();
  };
  return html`<button type="button" class="plain alerts-button" aria-expanded=${alerts.isOpen ? "true" : "false"} aria-controls="alerts" @click=${toggle}>${say.title(alerts.of(entry.mint).length)}</button>`;
}

export function alertsView(desk: Desk): TemplateResult | typeof nothing {
  const { alerts, entry } = desk;
  if (!alerts.isOpen) return nothing;
  const set = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("alert") as HTMLInputElement;
    alerts.set(entry.mint, field.value);
    if (!alerts.problem) field.value = "";
  };
  const remove = (one: Parameters<typeof alerts.remove>[0]): void => {
    alerts.remove(one);
    desk.focus("#alerts [type=submit]");
  };
  return html`<form id="alerts" class="alerts" novalidate @submit=${set}>
    <label class="spoken" for="alert">${say.field}</label>
    <input class="control" id="alert" name="alert" autocomplete="off" spellcheck="false" placeholder=${say.hint} />
    <button type="submit" class="button">${say.set}</button>
    ${alerts.of(entry.mint).map((one) => html`<button type="button" class="button" aria-label=${say.remove(plainPrice(one.price))} @click=${() => remove(one)}>${one.isAbove ? "≥" : "≤"} ${price(one.price)} ✕</button>`)}
    <label class="sound"><input type="checkbox" .checked=${alerts.hasSound} @change=${(event: Event) => alerts.setSound((event.target as HTMLInputElement).checked)} /> ${say.sound}</label>
    <p class="small" role="status">${alerts.problem || say.works}</p>
  </form>`;
}

export const alertsStyles = css`
  .alerts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.5rem;
  }
  /* In the line of the notice, which it makes no higher. */
  .notice {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.25rem;
    align-items: center;
    white-space: nowrap;
  }
  @container desk (max-width: 25rem) {
    .notice .by {
      display: none;
    }
  }
  .alerts-button {
    margin-block: -0.8125rem;
    margin-inline: auto -0.5rem;
    padding-inline-start: 0;
    color: var(--_accent);
    font-weight: 600;
  }
  .alerts .control {
    flex: 1;
    min-width: 9rem;
  }
  .alerts .sound {
    display: flex;
    align-items: center;
    gap: 0.375rem;
    min-height: var(--_target);
  }
  .alerts p {
    flex-basis: 100%;
  }
`;
