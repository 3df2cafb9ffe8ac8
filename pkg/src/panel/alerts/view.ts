// The form for alerts at a price, under the chart.

import type { TemplateResult } from "lit";
import type { Desk } from "../desk.js";
import { readPrice } from "../exits/plan.js";
import { css, html, plainPrice, price } from "../later/kit.js";
import { words } from "../later/words.js";

const say = words.alerts;

/** Sets an alert at what was typed, a price or a market cap. */
function set({ alerts, entry, world, token }: Desk, text: string): void {
  const curve = world.curve(entry.mint);
  try {
    const supply = curve && Number(curve.supply) / 10 ** (token?.decimals ?? 0);
    const at = readPrice(say.field, text, supply ? (lamports) => lamports / supply : undefined);
    if (at === undefined) throw new Error(say.notRead);
    alerts.set(entry.mint, at);
  } catch (error) {
    alerts.refuse(error instanceof Error ? error.message : String(error));
  } finally {
    curve?.free();
  }
}

export function alertsView(desk: Desk): TemplateResult {
  const { alerts, entry } = desk;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem("alert") as HTMLInputElement;
    set(desk, field.value);
    if (!alerts.problem) field.value = "";
  };
  const remove = (one: Parameters<typeof alerts.remove>[0]): void => {
    alerts.remove(one);
    desk.focus("#alerts [type=submit]");
  };
  return html`<form id="alerts" class="alerts" novalidate @submit=${submit}>
    <label class="spoken" for="alert">${say.field}</label>
    <input class="control" id="alert" name="alert" autocomplete="off" spellcheck="false" placeholder=${say.hint} />
    <button type="submit" class="button">${say.set}</button>
    ${alerts.of(entry.mint).map((one) => html`<button type="button" class="button" aria-label=${say.remove(plainPrice(one.price))} @click=${() => remove(one)}>${one.isAbove ? "≥" : "≤"} ${price(one.price)} ✕</button>`)}
    <label class="check sound"><input type="checkbox" .checked=${alerts.hasSound} @change=${(event: Event) => alerts.setSound((event.target as HTMLInputElement).checked)} /> ${say.sound}</label>
    <p class="small" role="status">${alerts.problem || say.works}</p>
  </form>`;
}

export const alertsStyles = css`
  .alerts .control {
    flex: 1;
    min-width: 9rem;
  }
  .alerts p {
    flex-basis: 100%;
  }
`;
