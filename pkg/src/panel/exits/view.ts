// The exits' editor, in a row below a position: a plan to start; and the lines of all exits on the chart.

import type { TemplateResult } from "lit";
import type { Level } from "../chart/canvas.js";
import type { Desk } from "../desk.js";
import type { Holding } from "../positions/holdings.js";
import {
  DOUBLE_MS,
  Since,
  css,
  download,
  html,
  ignoreHeldEnter,
  keyOf,
  messages,
  nothing,
  painted,
  planWords,
  price,
  shown,
  sol,
  valueOf,
  wordsOf,
} from "../later/kit.js";
import { words } from "../later/words.js";
import type { World } from "../worlds/world.js";
import { FIELDS, PRESETS, type TypedExits, movedTo, planFor, slippageOf, withScale } from "./plan.js";
import { rehearse } from "./rehearsal.js";
import { reported } from "./report-view.js";
import { Scale } from "./scale.js";

const say = words.exits;
const { fields: names } = messages.exits;

/** What was typed for the position whose exits are edited, and what is wrong with it. */
interface Draft {
  readonly key: string;
  typed: TypedExits;
  problem: string;
  /** What the plan would sell at once, if the trader has been told that. */
  warning: string;
  /** Since when it stands there: the second half of a double press on *Start* was not made for it. */
  warned?: Since;
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

export const exitsView = (desk: Desk, holding: Holding): TemplateResult =>
  editView(desk, holding, draftOf(desk, keyOf(holding.wallet, holding.token.mint)));

function enter(desk: Desk, draft: Draft, typed: TypedExits): void {
  Object.assign(draft, { typed, problem: "", warning: "", report: undefined });
  desk.changed();
}

function editView(desk: Desk, holding: Holding, draft: Draft): TemplateResult {
  const priority = desk.entry.priorityLamports();
  return html`
    <div class="chips" role="group" aria-label=${say.presetsTitle}>
      ${(Object.keys(PRESETS) as (keyof typeof PRESETS)[]).map((name) => html`<button type="button" aria-pressed=${draft.typed === PRESETS[name]} @click=${() => enter(desk, draft, PRESETS[name])}>${say.presets[name]}</button>`)}
    </div>
    <div class="plan">
      ${FIELDS.map(
        (field) => html`<div class="field">
          <label for="exits-${field}">${names[field]}</label>
          <input class="control" id="exits-${field}" name="exits-${field}" autocomplete="off" spellcheck="false" placeholder=${say.hints[field]} .value=${draft.typed[field]} @change=${(event: Event) => enter(desk, draft, { ...draft.typed, [field]: valueOf(event) })} />
        </div>`,
      )}
    </div>
    ${readView(desk, holding, draft)}
    <p class="small quiet">${say.prices} ${say.what(slippageOf(desk.entry))} ${priority ? `${messages.ticket.priorityCosts(sol(priority))}.` : nothing} ${messages.exits.hidden[desk.world.kind]}</p>
    <p class="small problem" role="status">${draft.problem || draft.warning}</p>
    <div class="row-of-buttons">
      <button type="button" class="button start" @click=${() => start(desk, holding, draft)} @keydown=${ignoreHeldEnter}>${draft.warning ? say.startAnyway : say.start}</button>
      ${desk.world.past ? html`<button type="button" class="button try" aria-disabled=${draft.isTrying} @click=${() => tryOut(desk, holding, draft)}>${draft.isTrying ? say.trying : say.tryOut}</button>` : nothing}
      <button type="button" class="button" @click=${() => desk.shown.set({ exits: "" })}>${say.cancel}</button>
    </div>
    ${draft.report ? reportView(desk.world.kind, draft.report, holding) : nothing}
  `;
}

/** How the plan was read: each multiple with the price at which it acts. */
function readView(desk: Desk, holding: Holding, { typed }: Draft): TemplateResult | typeof nothing {
  try {
    const plan = planFor(desk, typed, holding);
    const at = (multiple: string): string => withScale(desk, holding, (scale) => priceWords(scale, multiple)) ?? "";
    return html`<p class="small read">${say.read(planWords(plan, 0, at))}</p>`;
  } catch {
    // Why it cannot be read is said once it is to start.
    return nothing;
  }
}

/** About the price at which a multiple is reached. */
function priceWords(scale: Scale, multiple: string): string {
  const at = scale.priceAt(Number.parseFloat(multiple));
  return ` (${at === undefined ? say.never : `≈ ${price(at)} SOL`})`;
}

function reportView(
  kind: World["kind"],
  { page, trades }: NonNullable<Draft["report"]>,
  { token, cost }: Holding,
): TemplateResult {
  return html`
    <section class="report" aria-label=${say.report}>
      <p class="small" role="status">${say.reportOf(say.seen[kind](trades, token.symbol), sol(cost))}</p>
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
    const plan = planFor(desk, typed, holding);
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
  const isWarned = draft.warning !== "";
  if (isWarned && (draft.warned?.ageMs ?? 0) < DOUBLE_MS) return;
  draft.problem = "";
  try {
    draft.warning = desk.exits.start(holding, planFor(desk, draft.typed, holding), isWarned);
    draft.warned = new Since();
  } catch (error) {
    Object.assign(draft, { problem: wordsOf(error), warning: "" });
  }
  desk.changed();
}

/** Where the exits of the chosen position are on the chart: the price at which selling all brings the multiple, as its rule counts it. */
export function exitLevels(desk: Desk): Level[] {
  const { exits, entry, world, holdings } = desk;
  const watched = exits.of(entry.wallet, entry.mint);
  const holding = holdings.of(entry.wallet, entry.mint);
  if (!watched)
    return holding && desk.shown.exits === keyOf(entry.wallet, entry.mint) ? draftLevels(desk, holding) : [];
  const { plan, rungsSold, best, position, tokens, costLamports } = watched.managed.exits.state;
  const { takeProfit, stopLoss, trailing, breakEvenAfter } = plan;
  const [most, of] = [Number.parseFloat(best), Number.parseFloat];
  const lines: (readonly [multiple: number, title: string])[] = (takeProfit ?? [])
    .slice(rungsSold)
    .map((rung) => [of(rung.at), say.line.rung(rung.at)]);
  if (stopLoss) lines.push([of(stopLoss), say.line.stop(stopLoss)]);
  // These two stand nowhere before the position was so good.
  if (trailing && most >= of(trailing.from ?? "0"))
    lines.push([most * (1 - of(trailing.by) / 100), say.line.trailing(trailing.by)]);
  if (breakEvenAfter && most >= of(breakEvenAfter)) lines.push([1, say.line.breakEven]);
  const left = { ...position, tokens, costLamports };
  const levels = Scale.with(world, plan, left, holding?.tokens ?? BigInt(tokens), (scale) =>
    lines.flatMap(([multiple, title]): Level[] => levelAt(scale, multiple, { title, tone: "sell" })),
  );
  return levels ?? [];
}

const levelAt = (scale: Scale, multiple: number, rest: Omit<Level, "price">): Level[] => {
  const price = scale.priceAt(multiple);
  return price === undefined ? [] : [{ price, ...rest }];
};

/** The lines of a plan that has not started. Dragging one types into the plan; nothing of it acts before it is started. */
function draftLevels(desk: Desk, holding: Holding): Level[] {
  const draft = draftOf(desk, keyOf(holding.wallet, holding.token.mint));
  try {
    const { takeProfit = [], stopLoss } = planFor(desk, draft.typed, holding);
    const at = (price: number): string => {
      const multiple = withScale(desk, holding, (scale) => scale.multipleAt(price));
      return multiple === undefined ? "" : `${Number(Number.parseFloat(multiple).toFixed(3))}x`;
    };
    const line = (scale: Scale, multiple: string, rung: number | null, named: (at: string) => string): Level[] =>
      levelAt(scale, Number.parseFloat(multiple), {
        title: say.line.draft(named(shown(multiple))),
        tone: "accent",
        drag: {
          title: (price) => say.line.draft(named(at(price))),
          drop: (price) => at(price) && enter(desk, draft, movedTo(draft.typed, rung, at(price))),
        },
      });
    const levels = withScale(desk, holding, (scale) => [
      ...takeProfit.flatMap((rung, index) => line(scale, rung.at, index, say.line.rung)),
      ...(stopLoss ? line(scale, stopLoss, null, say.line.stop) : []),
    ]);
    return levels ?? [];
  } catch {
    // A plan that cannot be read has no lines.
    return [];
  }
}

export const exitsStyles = css`
  .exits .plan {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(max(7rem, 22%), 1fr));
    align-items: end;
    gap: 0.5rem;
  }
  .exits .plan > :first-child {
    grid-column: span 2;
  }
  @container below (max-width: 23rem) {
    .exits .chips button {
      padding-inline: 0.375rem;
    }
  }
  .exits .report {
    display: grid;
    justify-items: start;
    gap: 0.5rem;
    min-width: 0;
  }
  /* The report's own names of its colours. */
  .exits .report .page {
    --back: var(--_raised);
    --card: var(--_well);
    --ink: var(--_text);
    --faint: var(--_quiet);
    --rule: var(--_line);
    --up: var(--_buy);
    --down: var(--_sell);
    --own: var(--_accent);
    --fall: var(--_caution-soft);
    width: 100%;
    max-height: 40rem;
    overflow: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .exits .start {
    border-color: var(--_accent);
    color: var(--_accent);
    font-weight: 600;
  }
`;
