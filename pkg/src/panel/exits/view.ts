// The exits of a position, in a row below it: a plan to start, or how far one is.

import { type TemplateResult, css, html, nothing } from "lit";
import type { ExitPlan } from "../../generated.js";
import type { Level } from "../chart/canvas.js";
import type { Desk } from "../desk.js";
import { PRESETS, type TypedExits, type Watched, planOf, shown, slippageOf, wordsOf } from "./exits.js";
import { download } from "../export.js";
import { shortTokens, sol, span } from "../figures.js";
import type { Holding } from "../holdings.js";
import { messages } from "../messages.js";
import { keyOf } from "../past.js";
import { rehearse } from "./rehearsal.js";
import { reported } from "./report-view.js";
import { painted } from "../turns.js";
import type { World } from "../world.js";

const say = messages.exits;
const FIELDS = Object.keys(say.fields) as (keyof TypedExits)[];

/** What was typed for the position whose exits are edited, and what is wrong with it. */
interface Draft {
  readonly key: string;
  typed: TypedExits;
  problem: string;
  /** What the plan would sell at once, if the trader has been told that. */
  warning: string;
  /** What the typed plan would have done with the trades of the past. */
  report: Awaited<ReturnType<typeof rehearse>>;
  isTrying: boolean;
}
const drafts = new WeakMap<Desk, Draft>();

function draftOf(desk: Desk, key: string): Draft {
  const known = drafts.get(desk);
  if (known?.key === key) return known;
  const draft: Draft = { key, typed: PRESETS.half, problem: "", warning: "", report: undefined, isTrying: false };
  drafts.set(desk, draft);
  return draft;
}

/** Opens or closes the row. Only what was bought here has a cost, so only that has exits. */
export function exitsButton(
  desk: Desk,
  { wallet, label, token, averageCost }: Holding,
): TemplateResult | typeof nothing {
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
    <td colspan="7" class="wide"><div class="plan-of">${watched ? runningView(desk, watched, holding) : desk.exits.isMine ? editView(desk, holding, draftOf(desk, key)) : html`<p>${desk.exits.notice || say.elsewhere}</p>`}</div></td>
  </tr>`;
}

/** Why exits that were started are not carried out. */
export const exitsNotice = ({ exits }: Desk): TemplateResult | typeof nothing =>
  exits.notice ? html`<p class="small problem" role="status">${exits.notice}</p>` : nothing;

/** The plan in words: "50% at 2x; all at 0.7x or below". */
function planWords(
  { takeProfit = [], stopLoss, trailing, breakEvenAfter, timeMs, onGraduation }: ExitPlan,
  rungsSold = 0,
): string {
  return [
    ...takeProfit.slice(rungsSold).map(({ at, sell }) => say.rung(at, sell)),
    ...(stopLoss ? [say.stop(stopLoss)] : []),
    ...(trailing ? [say.trailing(trailing.by, trailing.from ?? null)] : []),
    ...(breakEvenAfter ? [say.breakEven(breakEvenAfter)] : []),
    ...(timeMs ? [say.time(span(timeMs))] : []),
    ...(onGraduation ? [say.graduation(onGraduation.from)] : []),
  ].join("; ");
}

function runningView({ exits, world }: Desk, watched: Watched, { token, tokens }: Holding): TemplateResult {
  const { managed, multiple, trouble } = watched;
  const { order, state } = managed.exits;
  const now = multiple === null ? say.unknown : shown(multiple);
  // What was bought after they were started, or elsewhere.
  const others = tokens - BigInt(state.tokens);
  const stands = order
    ? say.waits
    : state.completed
      ? say.completed
      : state.paused
        ? say.paused(now)
        : say.running(now);
  return html`
    <p><strong>${stands}</strong> ${planWords(state.plan, state.rungsSold)}</p>
    ${others > 0n ? html`<p class="small">${say.covers(shortTokens(BigInt(state.tokens), token), shortTokens(others, token))}</p>` : nothing}
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
  const priority = desk.entry.priorityLamports();
  const enter = (typed: TypedExits): void => {
    Object.assign(draft, { typed, problem: "", warning: "", report: undefined });
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
    <p class="small quiet">${say.what(slippageOf(desk.entry))} ${priority ? `${messages.ticket.priorityCosts(sol(priority))}.` : nothing} ${say.hidden[desk.world.kind]}</p>
    <p class="small problem" role="status">${draft.problem || draft.warning}</p>
    <div class="row-of-buttons">
      <button type="button" class="button start" @click=${() => start(desk, holding, draft)}>${draft.warning ? say.startAnyway : say.start}</button>
      ${desk.world.past ? html`<button type="button" class="button try" aria-disabled=${draft.isTrying ? "true" : "false"} @click=${() => tryOut(desk, holding, draft)}>${draft.isTrying ? say.trying : say.tryOut}</button>` : nothing}
      <button type="button" class="button" @click=${() => desk.shown.set({ exits: "" })}>${say.cancel}</button>
    </div>
    ${draft.report ? reportView(desk.world.kind, draft.report, holding) : nothing}
  `;
}

function reportView(
  kind: World["kind"],
  { page, trades }: NonNullable<Draft["report"]>,
  { token, cost }: Holding,
): TemplateResult {
  return html`
    <section class="report" aria-label=${say.report}>
      <p class="small quiet" role="status">${say.reportOf(say.seen[kind](trades, token.symbol), sol(cost))}</p>
      <div class="page" tabindex="0" role="group" aria-label=${say.report} ${reported(page)}></div>
      <button type="button" class="button" @click=${() => download(page, "text/html", "exits", "html")}>${say.saveReport}</button>
    </section>
  `;
}

/** Runs the typed plan over the past, once the page has painted that it does. */
async function tryOut(desk: Desk, holding: Holding, draft: Draft): Promise<void> {
  if (draft.isTrying) return;
  Object.assign(draft, { isTrying: true, problem: "", report: undefined });
  desk.changed();
  await painted();
  const { typed } = draft;
  try {
    const plan = planOf(typed, desk.entry);
    const report = await rehearse(desk.world, holding, plan, `${holding.token.symbol}: ${planWords(plan)}`);
    if (draft.typed === typed) Object.assign(draft, { report, problem: report ? "" : say.noPast[desk.world.kind] });
  } catch (error) {
    if (draft.typed === typed) draft.problem = wordsOf(error);
  } finally {
    draft.isTrying = false;
    desk.changed();
  }
}

function start(desk: Desk, holding: Holding, draft: Draft): void {
  Object.assign(draft, desk.exits.start(holding, draft.typed, draft.warning !== ""));
  desk.changed();
}

/** Where the exits of the chosen position are on the chart, about: the price at which selling all would bring the multiple. */
export function exitLevels({ exits, entry, token }: Desk): Level[] {
  const watched = exits.of(entry.wallet, entry.mint);
  const [now, price] = [Number.parseFloat(watched?.multiple ?? ""), Number(token?.spotPrice ?? 0)];
  if (!watched || !(now > 0) || !(price > 0)) return [];
  const {
    plan: { takeProfit, stopLoss, trailing, breakEvenAfter },
    rungsSold,
    best,
  } = watched.managed.exits.state;
  const [most, of] = [Number.parseFloat(best), Number.parseFloat];
  const lines: (readonly [multiple: number, title: string])[] = (takeProfit ?? [])
    .slice(rungsSold)
    .map((rung) => [of(rung.at), say.line.rung(rung.at)]);
  if (stopLoss) lines.push([of(stopLoss), say.line.stop(stopLoss)]);
  // These two stand nowhere before the position was so good.
  if (trailing && most >= of(trailing.from ?? "0"))
    lines.push([most * (1 - of(trailing.by) / 100), say.line.trailing(trailing.by)]);
  if (breakEvenAfter && most >= of(breakEvenAfter)) lines.push([1, say.line.breakEven]);
  return lines.map(([multiple, title]) => ({ price: (price * multiple) / now, title, tone: "sell" }));
}

export const exitsStyles = css`
  /* It takes the table's width, and asks for none: the columns above stay as wide as they are without it. */
  .exits .plan-of {
    display: grid;
    gap: 0.5rem;
    width: 0;
    min-width: 100%;
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
    grid-template-columns: repeat(auto-fit, minmax(max(7rem, 30%), 1fr));
    gap: 0.5rem;
  }
  @container below (max-width: 35rem) {
    .exits .plan > :first-child {
      grid-column: 1 / -1;
    }
  }
  .exits .report {
    display: grid;
    justify-items: start;
    gap: 0.5rem;
    min-width: 0;
  }
  .tabs .scroll:has(.report) {
    max-height: none;
  }
  .exits .report .page {
    width: 100%;
    max-height: 40rem;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
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
  .positions td.wide > .button {
    margin-block: 0.125rem;
  }
  .positions tr:has(+ .exits) > * {
    border-block-end: 0;
  }
`;
