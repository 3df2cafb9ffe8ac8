// How far running exits are, and what stops them: never in a file that may not come.

import { type TemplateResult, html, nothing } from "lit";
import type { ExitPlan } from "../../generated.js";
import type { Desk } from "../desk.js";
import { shortTokens } from "../figures.js";
import { messages } from "../messages.js";
import type { Holding } from "../positions/holdings.js";
import { type Watched, shown } from "./exits.js";

const say = messages.exits;

/** The plan in words: "50% at 2x; all at 0.7x or below". */
export function planWords(
  { takeProfit = [], stopLoss, trailing, breakEvenAfter, timeMs, onGraduation }: ExitPlan,
  rungsSold = 0,
  at: (multiple: string) => string = () => "",
): string {
  return [
    ...takeProfit.slice(rungsSold).map((rung) => say.rung(rung.at, rung.sell) + at(rung.at)),
    ...(stopLoss ? [say.stop(stopLoss) + at(stopLoss)] : []),
    ...(trailing ? [say.trailing(trailing.by, trailing.from ?? null)] : []),
    ...(breakEvenAfter ? [say.breakEven(breakEvenAfter)] : []),
    ...(timeMs ? [say.time(wholeTime(timeMs))] : []),
    ...(onGraduation ? [say.graduation(onGraduation.from)] : []),
  ].join("; ");
}

/** A time as it may be typed, without a rest: `90m`. */
function wholeTime(ms: number): string {
  const [count, unit] = ms % 3_600_000 === 0 ? [3_600_000, "h"] : ms % 60_000 === 0 ? [60_000, "m"] : [1_000, "s"];
  return `${ms / Number(count)}${unit}`;
}

export function runningView(
  { exits, world }: Desk,
  watched: Watched,
  { token, tokens }: Pick<Holding, "tokens"> & { readonly token: Pick<Holding["token"], "symbol" | "decimals"> },
): TemplateResult {
  const { managed, multiple, trouble } = watched;
  const { order, state } = managed.exits;
  const now = multiple === null ? say.unknown : shown(multiple);
  // What was bought after they were started, or elsewhere.
  const others = tokens - BigInt(state.tokens);
  let stands = state.paused ? say.paused(now) : say.running(now);
  if (state.closing) stands = say.closing;
  if (state.completed) stands = say.completed;
  if (order) stands = say.waits;
  return html`
    <p><strong>${stands}</strong> ${state.closing ? nothing : planWords(state.plan, state.rungsSold)}</p>
    ${others > 0n ? html`<p class="small">${say.covers(shortTokens(BigInt(state.tokens), token), shortTokens(others, token))}</p>` : nothing}
    ${exits.isLost(watched) ? html`<p class="problem small">${order ? say.lostOrder : say.lost}</p>` : nothing}
    ${trouble ? html`<p class="problem small">${trouble}</p>` : nothing}
    <div class="row-of-buttons">
      <button type="button" class="button" ?disabled=${state.closing} @click=${() => exits.set(watched, state.paused ? "resume" : "pause")}>${state.paused ? say.resume : say.pause}</button>
      <button type="button" class="button" ?disabled=${state.closing} @click=${() => exits.set(watched, "closeNow")}>${say.closeNow}</button>
      <button type="button" class="button" @click=${() => exits.remove(watched)}>${say.remove}</button>
      <span class="small quiet">${say.onlyOpen} ${say.hidden[world.kind]}</span>
    </div>
  `;
}
