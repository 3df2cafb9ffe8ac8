// What was sent, and its outcome: one row for each attempt, newest first. A row changes in place.

import { isTradeError } from "launchpad-desk";
import { type TemplateResult, html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { type Attempt, isOpen, stateOf } from "./attempt.js";
import type { Found } from "../../generated.js";
import type { Desk } from "../desk.js";
import { messages } from "../messages.js";
import { stopView } from "../order/send-button.js";
import { sentenceOf, stateLineOf, whatOf } from "./sentences.js";

const say = messages.outcome;
const words = messages.settle;
/** How many rows stand beside the ticket: the newest, and also all that are open. */
const SHOWN = 3;

export function outcomesView(desk: Desk): TemplateResult {
  const shown = desk.attempts.all.filter((attempt, at) => at < SHOWN || isOpen(attempt));
  return html`
    <section class="outcomes" part="outcomes" aria-label=${say.title}>
      ${
        shown.length
          ? html`<ol>
            ${repeat(
              shown,
              ({ intentId }) => intentId,
              (attempt) => html`<li>${outcomeView(desk, attempt)}</li>`,
            )}
          </ol>`
          : html`<p class="empty small quiet">${say.none}</p>`
      }
    </section>
  `;
}

/** Whether it was simulated, if it is not as the badge of the desk says of all that it sends. */
export const kindView = ({ world }: Desk, { simulated }: Attempt): TemplateResult | typeof nothing =>
  simulated === world.simulated
    ? nothing
    : html`<span class="badge">${simulated ? say.simulated : messages.panel.live}</span>`;

/** One attempt: its state, its message, how to settle it, and its technical details. */
export function outcomeView(desk: Desk, attempt: Attempt): TemplateResult {
  const [state, trouble] = [stateOf(attempt), desk.troubles.get(attempt.intentId)];
  return html`
    <article class="card attempt ${state}" tabindex="-1" data-intent=${attempt.intentId} aria-label=${whatOf(attempt)}>
      <p class="state">
        <strong>${stateLineOf(attempt)}</strong> <span class="what small quiet">${whatOf(attempt)}</span>
        ${kindView(desk, attempt)}
      </p>
      <p class="sentence">${sentenceOf(attempt, desk.nameOf)} ${desk.canStop(attempt.intentId) ? stopView(() => desk.stop(attempt.intentId)) : nothing}${state === "awaiting_approval" ? withdrawView(desk, attempt) : nothing}</p>
      ${trouble ? html`<p class="problem">${trouble}</p>` : nothing} ${state === "unknown" ? settleView(desk, attempt) : nothing} ${detailsView(desk, attempt)}
    </article>
  `;
}

/** A trade that nobody has approved can be taken back. */
const withdrawView = (desk: Desk, attempt: Attempt): TemplateResult =>
  html`${desk.whyUnresolved.get(attempt.intentId) === "silent" ? words.states.silent : nothing} <button type="button" class="small withdraw" @click=${() => withdraw(desk, attempt)}>${words.withdraw}</button>`;

/** Does something about an attempt. What goes wrong is said in its row. */
async function act(desk: Desk, { intentId }: Attempt, work: () => Promise<void>): Promise<void> {
  desk.troubles.delete(intentId);
  try {
    await work();
  } catch (error) {
    // The journal's error is of a trade that is to be sent, and this one was.
    let why = error instanceof Error ? error.message : String(error);
    if (isTradeError(error) && error.code === "journal_failed") why = words.notStored;
    const now = desk.attempts.get(intentId);
    // Who reads that it did not work may send it again.
    const trouble = now && !isOpen(now) ? why : words.failed(why);
    desk.troubles.set(intentId, trouble);
    desk.changed();
    desk.speech.alert(trouble);
  }
}

/** The button goes with what it did: its row has the focus then. */
async function withdraw(desk: Desk, attempt: Attempt): Promise<void> {
  const { intentId } = attempt;
  const focus = desk.focusLater();
  await act(desk, attempt, () => desk.withdraw(attempt));
  const now = desk.attempts.get(intentId);
  if (now && !isOpen(now)) focus(`[data-intent="${CSS.escape(intentId)}"]`);
}

/** The form to settle an unknown outcome by hand, where nothing finds it out automatically. */
function settleView(desk: Desk, attempt: Attempt): TemplateResult {
  const looked = desk.whyUnresolved.get(attempt.intentId);
  const look = html`<button type="button" class="small" @click=${() => act(desk, attempt, () => desk.look(attempt))}>${desk.world.intent ? words.ask : words.look}</button>`;
  if (!looked) return html`<div class="settle small">${look}</div>`;
  let why: string = looked === "unseen" || looked === "likely" ? words[looked] : words.open;
  if (looked in words.states) why = words.states[looked as keyof typeof words.states];
  // While the gateway is working on it, there is nothing to settle by hand.
  if (looked === "in_flight" || looked === "awaiting_approval" || looked === "ended")
    return html`<div class="settle small"><p>${why}</p></div>`;
  const canStillLand = desk.world.canStillLand(attempt.settledAtMs ?? attempt.startedAtMs);
  const answers: readonly Found[] = canStillLand ? ["landed"] : ["landed", "did_not_land"];
  const asked = answers.find((what) => desk.shown.asks === `${what} ${attempt.intentId}`);
  return html`
    <div class="settle small">
      <p>${why} ${canStillLand ? words.canStillLand : ""} ${words.byHand}</p>
      ${answers.map((what) => html`<button type="button" class="small ${what}" aria-pressed=${what === asked} @click=${() => ask(desk, attempt, what)}>${words[what]}</button>`)}
      ${asked ? sureView(desk, attempt, asked) : nothing}
    </div>
  `;
}

/** Asks once more, below what was pressed: a second press of the same, or of Enter, answers nothing. */
function sureView(desk: Desk, attempt: Attempt, what: Found): TemplateResult {
  return html`
    <div class="ask" role="group" aria-labelledby="sure">
      <p id="sure" tabindex="-1">${words.sure[what]}</p>
      <button type="button" class="small" @click=${() => settle(desk, attempt, what)}>${words.yes[what]}</button>
      <button type="button" class="small" @click=${() => cancel(desk, attempt, what)}>${words.cancel}</button>
    </div>
  `;
}

function ask(desk: Desk, { intentId }: Attempt, what: Found): void {
  desk.shown.set({ asks: `${what} ${intentId}` });
  desk.focus("#sure");
}

function cancel(desk: Desk, { intentId }: Attempt, what: Found): void {
  desk.shown.set({ asks: "" });
  desk.focus(`[data-intent="${CSS.escape(intentId)}"] .${what}`);
}

async function settle(desk: Desk, attempt: Attempt, what: Found): Promise<void> {
  desk.shown.set({ asks: "" });
  await act(desk, attempt, () => desk.settle(attempt, what, "hand"));
  desk.visit(attempt.intentId);
}

function detailsView(desk: Desk, { answer, intentId, body, simulated }: Attempt): TemplateResult {
  const facts: [string, string][] = [
    ...(answer?.signature ? [[say.signature, answer.signature] as [string, string]] : []),
    [say.intent, intentId],
    ...(answer?.lines ?? [])
      .filter(({ label }) => label !== say.signature)
      .map(({ label, value }): [string, string] => [label, value]),
    [say.body, body],
  ];
  // A simulated signature is on no chain: its links would show an error page.
  const links = simulated ? [] : (answer?.links ?? []);
  return html`
    <details>
      <summary>${say.details}</summary>
      <dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
      ${links.map(({ label, href }) => html`<a href=${href} target="_blank" rel="noopener noreferrer">${label}</a> `)}
      <button type="button" class="small" @click=${() => desk.copy(facts.map(([name, value]) => `${name}: ${value}`).join("; "), say.copied)}>${say.copy}</button>
    </details>
  `;
}
