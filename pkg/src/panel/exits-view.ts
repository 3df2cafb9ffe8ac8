// The exits of a position, in a row below it: a plan to start, or how far one is.

import { type TemplateResult, css, html, nothing } from "lit";
import type { ExitPlan } from "../generated.js";
import type { Level } from "./chart-canvas.js";
import type { Desk } from "./desk.js";
import { PRESETS, type TypedExits, type Watched, slippageOf } from "./exits.js";
import type { Holding } from "./holdings.js";
import { messages } from "./messages.js";
import { keyOf } from "./past.js";

const say = messages.exits;
const FIELDS = Object.keys(say.fields) as (keyof TypedExits)[];

/** What was typed for the position whose exits are edited, and what is wrong with it. */
interface Draft {
  readonly key: string;
  typed: TypedExits;
  problem: string;
}
const drafts = new WeakMap<Desk, Draft>();

function draftOf(desk: Desk, key: string): Draft {
  const known = drafts.get(desk);
  if (known?.key === key) return known;
  const draft: Draft = { key, typed: PRESETS.half, problem: "" };
  drafts.set(desk, draft);
  return draft;
}

/** Opens or closes the row. Only what was bought here has a cost, so only that has exits. */
export function exitsButton(desk: Desk, { wallet, label, token, averageCost }: Holding): TemplateResult | typeof nothing {
  const key = keyOf(wallet, token.mint);
  if (averageCost === null && !desk.exits.of(wallet, token.mint)) return nothing;
  const isOpen = desk.shown.exits === key;
  return html`<button type="button" class="button exits-button" aria-expanded=${isOpen ? "true" : "false"} aria-label=${say.of(token.symbol, label)} @click=${() => desk.shown.set({ exits: isOpen ? "" : key })}>${say.title}</button>`;
}

export function exitsRow(desk: Desk, holding: Holding): TemplateResult | typeof nothing {
  const { wallet, token } = holding;
  const key = keyOf(wallet, token.mint);
  const watched = desk.exits.of(wallet, token.mint);
  if (!watched && desk.shown.exits !== key) return nothing;
  return html`<tr class="exits">
    <td colspan="7" class="wide"><div class="plan-of">${watched ? runningView(desk, watched) : desk.exits.isMine ? editView(desk, holding, draftOf(desk, key)) : html`<p>${say.elsewhere}</p>`}</div></td>
  </tr>`;
}

/** The plan in words: "50% at 2x; all at 0.7x or below". */
function wordsOf({ takeProfit = [], stopLoss, trailing }: ExitPlan): string {
  return [...takeProfit.map(({ at, sell }) => say.rung(at, sell)), ...(stopLoss ? [say.stop(stopLoss)] : []), ...(trailing ? [say.trailing(trailing.by, trailing.from ?? null)] : [])].join("; ");
}

function runningView({ exits, world }: Desk, watched: Watched): TemplateResult {
  const { managed, multiple, trouble } = watched;
  const { order, state } = managed.exits;
  const now = multiple === null ? say.unknown : multiple.replace(/(\.\d{3})\d+/, "$1");
  const stands = order ? say.waits : state.paused ? say.paused(now) : say.running(now);
  return html`
    <p><strong>${stands}</strong> ${wordsOf(state.plan)}</p>
    ${exits.isLost(watched) ? html`<p class="problem small">${order ? say.lostOrder : say.lost}</p>` : nothing}
    ${trouble ? html`<p class="problem small">${trouble}</p>` : nothing}
    <div class="row-of-buttons">
      <button type="button" class="button" @click=${() => exits.set(watched, state.paused ? "resume" : "pause")}>${state.paused ? say.resume : say.pause}</button>
      <button type="button" class="button" ?disabled=${state.closing} @click=${() => exits.set(watched, "closeNow")}>${say.closeNow}</button>
      <button type="button" class="button" @click=${() => exits.remove(watched)}>${say.remove}</button>
      <span class="small quiet">${say.onlyOpen} ${say.hidden[world.kind]}</span>
    </div>
  `;
}

function editView(desk: Desk, holding: Holding, draft: Draft): TemplateResult {
  const enter = (typed: TypedExits): void => {
    Object.assign(draft, { typed, problem: "" });
    desk.changed();
  };
  return html`
    <div class="chips" role="group" aria-label=${say.presetsTitle}>
      ${(Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((name) => html`<button type="button" aria-pressed=${draft.typed === PRESETS[name] ? "true" : "false"} @click=${() => enter(PRESETS[name])}>${say.presets[name]}</button>`)}
    </div>
    <div class="plan">
      ${FIELDS.map(
        (field) => html`<div class="field">
          <label for="exits-${field}">${say.fields[field]}</label>
          <input class="control" id="exits-${field}" name="exits-${field}" autocomplete="off" spellcheck="false" placeholder=${say.hints[field]} .value=${draft.typed[field]} @change=${(event: Event) => enter({ ...draft.typed, [field]: (event.target as HTMLInputElement).value })} />
        </div>`,
      )}
    </div>
    <p class="small quiet">${say.what(slippageOf(desk.entry))} ${say.hidden[desk.world.kind]}</p>
    <p class="small problem" role="status">${draft.problem}</p>
    <div class="row-of-buttons">
      <button type="button" class="button start" @click=${() => start(desk, holding, draft)}>${say.start}</button>
      <button type="button" class="button" @click=${() => desk.shown.set({ exits: "" })}>${say.cancel}</button>
    </div>
  `;
}

async function start(desk: Desk, holding: Holding, draft: Draft): Promise<void> {
  draft.problem = await desk.exits.start(holding, draft.typed);
  desk.changed();
}

/** Where the exits of the chosen position are on the chart, about: the price at which selling all would bring the multiple. */
export function exitLevels({ exits, entry, token }: Desk): Level[] {
  const watched = exits.of(entry.wallet, entry.mint);
  const [now, price] = [Number.parseFloat(watched?.multiple ?? ""), Number(token?.spotPrice ?? 0)];
  if (!watched || !(now > 0) || !(price > 0)) return [];
  const { plan, rungsSold } = watched.managed.exits.state;
  const at = (multiple: string): number => (price * Number.parseFloat(multiple)) / now;
  const rungs = (plan.takeProfit ?? []).slice(rungsSold).map((rung): Level => ({ price: at(rung.at), title: say.line.rung(rung.at), tone: "sell" }));
  return plan.stopLoss ? [...rungs, { price: at(plan.stopLoss), title: say.line.stop(plan.stopLoss), tone: "sell" }] : rungs;
}

export const exitsStyles = css`
  .exits .plan-of {
    display: grid;
    gap: 0.5rem;
  }
  .exits .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .exits .chips button[aria-pressed="true"] {
    border-color: var(--_accent);
    background: var(--_accent-soft);
    color: var(--_accent);
  }
  .exits .chips button[aria-pressed="false"] {
    border-color: var(--_line);
    background: var(--_well);
  }
  .exits .chips button {
    flex: none;
    min-height: var(--_target);
    padding-inline: 0.75rem;
    border: 1px solid;
    border-radius: calc(var(--_radius) * 0.8);
    font-size: var(--_12);
    cursor: pointer;
  }
  .exits .plan {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(10rem, 100%), 1fr));
    gap: 0.5rem;
  }
  .exits .problem:empty {
    display: none;
  }
  .exits .start {
    border-color: var(--_accent);
    color: var(--_accent);
    font-weight: 600;
  }
  /* Where both buttons have no room side by side, they stand one below the other. */
  .sheet.positions td.wide {
    white-space: normal;
  }
  .positions tr:has(+ .exits) > * {
    border-block-end: 0;
  }
`;
