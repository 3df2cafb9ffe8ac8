// The token's curve: the price by the share that is sold, where it is now, and where the quoted trade would take it.

import { type TemplateResult, css, html, nothing, svg } from "lit";
import type { CurveReserves } from "../../generated.js";
import type { Desk } from "../desk.js";
import { percent, plainPrice, price, shortSol } from "../figures.js";
import { messages } from "../messages.js";

const say = messages.curve;

const WIDTH = 600;
const HEIGHT = 300;
const POINTS = 64;

/** The shape of the curve: the price goes with the square of what is left, so the picture needs only ratios. */
function geometry({ virtualTokenReserves, realTokenReserves }: CurveReserves, soldBps: number) {
  const left = Number(realTokenReserves);
  const all = soldBps < 10_000 && left > 0 ? left / (1 - soldBps / 10_000) : left;
  const now = Number(virtualTokenReserves);
  const start = now + (all - left);
  const end = now - left;
  const steepest = (start / end) ** 2;
  const x = (virtualTokens: number): number => ((start - virtualTokens) / (start - end || 1)) * WIDTH;
  const y = (virtualTokens: number): number => HEIGHT - ((start / virtualTokens) ** 2 / steepest) * (HEIGHT - 16);
  const line = (from: number, to: number): string =>
    Array.from({ length: POINTS + 1 }, (_, index) => from + ((to - from) * index) / POINTS)
      .map((tokens, index) => `${index ? "L" : "M"}${x(tokens).toFixed(1)} ${y(tokens).toFixed(1)}`)
      .join("");
  return { now, start, end, x, y, line };
}

export function curveView(desk: Desk): TemplateResult {
  const { token } = desk;
  const curve = token && desk.world.curve(token.mint);
  if (!curve || !token || token.progressBps === null) return html`<p class="quiet">${say.none}</p>`;
  const { reserves } = curve;
  curve.free();
  const { now, start, end, x, y, line } = geometry(reserves, token.progressBps);
  const { quote, order } = desk.ticket;
  const leg = order?.request.mint === token.mint ? quote?.legs.at(-1) : undefined;
  const after = leg && now + (leg.side === "buy" ? -1 : 1) * Number(leg.tokens);
  const text = say.words(
    token.symbol,
    percent(token.progressBps),
    plainPrice(token.spotPrice),
    shortSol(reserves.realSolReserves),
  );
  const then = leg ? ` ${say.then(leg.side, plainPrice(leg.spotPriceAfter))}` : "";
  return html`
    <figure class="curve">
      <svg viewBox="-8 -8 ${WIDTH + 16} ${HEIGHT + 16}" role="img" aria-label=${text + then} preserveAspectRatio="none">
        <path class="area" d="${line(start, now)}L${x(now).toFixed(1)} ${HEIGHT}L0 ${HEIGHT}Z" />
        <path class="line" d=${line(start, end)} vector-effect="non-scaling-stroke" />
        <path class="done" d=${line(start, now)} vector-effect="non-scaling-stroke" />
        ${after === undefined || after <= end * 0.999 || after > start ? nothing : svg`<path class="step ${leg?.side ?? ""}" d=${line(now, after)} vector-effect="non-scaling-stroke"/>`}
        <path class="here" d="M${x(now).toFixed(1)} ${y(now).toFixed(1)}v0.01" vector-effect="non-scaling-stroke" />
      </svg>
      <figcaption>
        <span><strong>${percent(token.progressBps)}</strong> ${say.sold}</span>
        <span><strong>${shortSol(reserves.realSolReserves)}</strong> ${say.inside}</span>
        <span><strong>${price(token.spotPrice)} SOL</strong> ${leg?.spotPriceAfter ? html`→ <strong class=${leg.side === "buy" ? "up" : "down"}>${price(leg.spotPriceAfter)}</strong> ${say.after[leg.side]}` : say.now}</span>
      </figcaption>
    </figure>
  `;
}

export const curveStyles = css`
  .curve {
    display: grid;
    grid-template-rows: 1fr auto;
    gap: 0.5rem;
    min-height: 0;
  }
  .curve svg {
    width: 100%;
    height: 100%;
    min-height: 0;
    overflow: visible;
  }
  .curve path {
    fill: none;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .curve .area {
    fill: var(--_accent-soft);
  }
  .curve .line {
    stroke: var(--_edge);
    stroke-width: 2;
    stroke-dasharray: 2 6;
  }
  .curve .done {
    stroke: var(--_accent);
    stroke-width: 3;
  }
  .curve .step {
    stroke: var(--_buy);
    stroke-width: 6;
  }
  .curve .step.sell {
    stroke: var(--_sell);
  }
  .curve .here {
    stroke: var(--_text);
    stroke-width: 12;
  }
  .curve figcaption {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    color: var(--_quiet);
    font-size: var(--_12);
  }
  .curve strong {
    font-weight: 600;
  }
  .curve strong:not(.up, .down) {
    color: var(--_text);
  }
`;
