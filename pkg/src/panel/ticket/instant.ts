// Instant mode: a press on a preset amount sends, within limits that a person has set for this session. The ticket shows them as long as it
// is on.

import { readTypedAmount } from "launchpad-desk";
import { type TemplateResult, css, html, nothing } from "lit";
import type { Desk } from "../desk.js";
import { SOL_DECIMALS, sol } from "../figures.js";
import { messages } from "../messages.js";
import { valueOf } from "../options.js";
import { perDesk } from "../shown.js";

const say = messages.instant;
const FIELDS = ["perTrade", "session"] as const;

/** What was typed of limits that are not set yet. */
const draftOf = perDesk(() => ({ perTrade: "", session: "", problem: "" }));

/** What one press may send, and what is left. */
export function instantView(desk: Desk): TemplateResult | typeof nothing {
  const { instant } = desk.limit;
  if (!instant) return nothing;
  const { perTrade, session, left } = instant;
  return html`<p class="instant" role="status"><span>${left ? say.on(sol(perTrade), sol(left), sol(session)) : say.over(sol(session))}</span> <button type="button" class="small" @click=${() => end(desk)}>${say.end}</button></p>`;
}

function end(desk: Desk): void {
  desk.ticket.forgetLimit();
  desk.focus('.ticket [name="amount"]');
}

/** Where the limits are set, among what is seldom needed. */
export function instantField(desk: Desk): TemplateResult {
  if (desk.limit.instant) return html`<p class="small quiet">${say.hint}</p>`;
  const draft = draftOf(desk);
  return html`
    <fieldset class="instant-limits">
      <legend>${say.title}</legend>
      ${FIELDS.map(
        (field) => html`<div class="field">
          <label for="instant-${field}">${say[field]}</label>
          <input class="control" id="instant-${field}" name="instant-${field}" inputmode="decimal" autocomplete="off" spellcheck="false" aria-describedby="instant-note" .value=${draft[field]} @input=${(event: Event) => void (draft[field] = valueOf(event))} />
        </div>`,
      )}
      <p class="note problem" id="instant-note" role="status">${draft.problem}</p>
      <button type="button" class="button begin" @click=${() => begin(desk)}>${say.begin}</button>
      <p class="small quiet">${say.hint}</p>
    </fieldset>
  `;
}

function begin(desk: Desk): void {
  const draft = draftOf(desk);
  const [perTrade, session] = [limitIn(draft.perTrade), limitIn(draft.session)];
  draft.problem = "";
  if (typeof perTrade === "string") draft.problem = `${nameOf("perTrade")} ${perTrade}`;
  else if (typeof session === "string") draft.problem = `${nameOf("session")} ${session}`;
  else if (session < perTrade) draft.problem = say.less;
  else {
    desk.limit.begin(perTrade, session);
    desk.ticket.edited();
    desk.focus(".ticket .instant button");
  }
  desk.changed();
}

/** The lamports that were typed, or what is wrong with them. */
function limitIn(text: string): bigint | string {
  if (!text.trim()) return say.missing;
  const read = readTypedAmount(text.trim(), SOL_DECIMALS);
  return read.state === "read" ? read.units : read.message;
}

const nameOf = (field: (typeof FIELDS)[number]): string => say[field].replace(/, SOL$/, "");

export const instantStyles = css`
  .instant {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5rem;
    color: var(--_caution);
    font-size: var(--_12);
    line-height: 1.3;
  }
  .field.amount:has(.instant) .chips button:not([title]) {
    border-color: var(--_caution);
    font-weight: 650;
  }
  .more .field + :is(.field, p),
  .instant-limits ~ .field {
    margin-block-start: 0.5rem;
  }
  .instant-limits {
    display: grid;
    gap: 0.25rem;
    margin: 0.5rem 0;
    padding: 0.5rem 0.75rem 0.75rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) * 0.8);
  }
`;
