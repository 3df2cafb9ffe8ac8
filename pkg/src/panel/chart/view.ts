// The chart: how the price has moved, as candles, as the curve or as a table.

import { type TemplateResult, css, html, nothing, render as drawInto } from "lit";
import { ref } from "lit/directives/ref.js";
import { hasLanded } from "../attempts/attempt.js";
import { type Sum, barsOf, shownChange, solOf, sumOf } from "./bars.js";
import type { Bar, ChartCanvas, Drawing, Level, Mark } from "./canvas.js";
import { curveView } from "./curve-view.js";
import type { Desk } from "../desk.js";
import { stillView } from "./still.js";
import { clock, day, plainPrice, price, span } from "../figures.js";
import type { Candle } from "../../generated.js";
import { laterOf, laterView } from "../later/load.js";
import { messages } from "../messages.js";
import { INTERVALS, SHAPES, perDesk } from "../shown.js";
import { atRest, painted } from "../turns.js";
import type { TokenView } from "../worlds/world.js";

const say = messages.chart;

/** How long nothing may be typed before the chart's file is loaded. */
const REST_MS = 2_000;

/** Draws on an element, by `${ref(picture.at)}`: a still picture, until it is seen and the ticket rests, or it is pointed at. */
class Picture {
  #host: HTMLElement | undefined;
  #still: HTMLElement | undefined;
  #canvas: ChartCanvas | undefined;
  #drawing: Drawing | undefined;
  #edits = 0;
  #isLoading = false;
  #isSeen = false;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #end = new AbortController();

  readonly at = (host: Element | undefined): void => {
    if (host) return this.#begin(host as HTMLElement);
    clearTimeout(this.#timer);
    this.#end.abort();
    this.#still?.remove();
    this.#canvas?.remove();
    this.#host = this.#canvas = undefined;
  };

  show(drawing: Drawing, edits: number): void {
    this.#drawing = drawing;
    if (edits !== this.#edits) this.#rest();
    this.#edits = edits;
    this.#draw();
  }

  /** Draws at most once a frame: what is typed is answered first. */
  #draw(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.#drawing || !this.#host) return;
      if (this.#canvas) this.#canvas.show(this.#drawing);
      else if (this.#still)
        drawInto(stillView(this.#drawing, this.#host.clientWidth, this.#host.clientHeight), this.#still);
    });
  }

  #begin(host: HTMLElement): void {
    this.#host = host;
    this.#end = new AbortController();
    this.#still = host.appendChild(document.createElement("div"));
    const sizes = new ResizeObserver(() => this.#canvas || this.#draw());
    sizes.observe(host);
    const sight = new IntersectionObserver((seen) => {
      this.#isSeen = seen.at(-1)?.isIntersecting ?? false;
      this.#rest();
    });
    sight.observe(host);
    const { signal } = this.#end;
    signal.addEventListener("abort", () => [sizes, sight].forEach((each) => each.disconnect()));
    for (const kind of ["pointerenter", "pointerdown"]) host.addEventListener(kind, () => this.#load(), { signal });
    this.#draw();
  }

  /** Begins to wait for the ticket's rest, from now. */
  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#isSeen && !this.#canvas) this.#timer = setTimeout(() => this.#load(), REST_MS);
  }

  #load(): void {
    if (this.#isLoading || this.#canvas) return;
    this.#isLoading = true;
    clearTimeout(this.#timer);
    import("./canvas.js").then(
      async ({ ChartCanvas }) => {
        // The first picture takes long: it is drawn while the page is idle, and empty first, in a frame of its own.
        await atRest();
        const host = this.#host;
        const canvas = host && new ChartCanvas(host);
        await painted();
        this.#isLoading = false;
        if (!canvas || host !== this.#host) {
          canvas?.remove();
          // Meanwhile it was taken out of the page, or put back.
          return this.#host && this.#load();
        }
        this.#canvas = canvas;
        if (this.#drawing) canvas.show(this.#drawing);
        this.#still?.remove();
      },
      () => {
        // Without its file the still picture stays; the text and the table say the same.
        this.#host?.setAttribute("data-missing", say.missing);
      },
    );
  }
}

const pictureOf = perDesk(() => new Picture());

/** The bars last made from candles: they stay the same until the market moves. */
const made = new WeakMap<readonly Candle[], { nowMs: number; intervalMs: number; bars: Bar[]; sum: Sum | undefined }>();

/** The bars that a desk shows now and their summary, for the chart and the header. */
export function shownBars(desk: Desk): { bars: Bar[]; sum: Sum | undefined } {
  const { intervalMs } = desk.shown;
  const candles = desk.world.candles(desk.entry.mint, intervalMs);
  const nowMs = desk.world.now();
  const known = made.get(candles);
  if (known?.nowMs === nowMs && known.intervalMs === intervalMs) return known;
  const bars = barsOf(candles, intervalMs, nowMs);
  const now = { nowMs, intervalMs, bars, sum: sumOf(bars, intervalMs) };
  made.set(candles, now);
  return now;
}

/** What a price is multiplied by to be a market cap: how many whole tokens there are; undefined if that is not known. */
function supplyOf(token: TokenView | undefined): number | undefined {
  if (!token?.spotPrice || token.marketCapLamports === null) return undefined;
  // The market cap is in whole lamports: more digits would differ from one look to the next.
  return Number((Number(token.marketCapLamports) / Number(token.spotPrice)).toPrecision(7));
}

const scaled = (bars: readonly Bar[], by: number): Bar[] =>
  bars.map(({ open, high, low, close, ...rest }) => ({
    ...rest,
    open: open * by,
    high: high * by,
    low: low * by,
    close: close * by,
  }));

/** A line where its price is multiplied by something. Where it is dragged to is told as a price again. */
const onAxis = ({ drag, ...level }: Level, by: number): Level => ({
  ...level,
  price: level.price * by,
  ...(drag && { drag: { title: (at) => drag.title(at / by), drop: (at) => drag.drop(at / by) } }),
});

/** The user's own trades of a token that are known to have landed; never those that only a simulator could know of. */
function marksOf(desk: Desk): Mark[] {
  const landed = desk.attempts.all.filter((attempt) => hasLanded(attempt) && attempt.mint === desk.entry.mint);
  return landed.map(({ side, marketMs }) => ({ side, atMs: marketMs }));
}

/** The price after the quoted trade, and the average cost of the user's own tokens. */
function levelsOf(desk: Desk): Level[] {
  const { quote, order, attemptId } = desk.ticket;
  const leg = !attemptId && order?.request.mint === desk.entry.mint ? quote?.legs.at(-1) : undefined;
  const levels: Level[] = [];
  const cost = desk.holdings.of(desk.entry.wallet, desk.entry.mint)?.averageCost ?? null;
  if (cost !== null) levels.push({ price: Number(cost), title: say.cost, tone: "accent" });
  if (leg?.spotPriceAfter)
    levels.push({ price: Number(leg.spotPriceAfter), title: say.after[leg.side], tone: leg.side });
  for (const { price } of desk.alerts.of(desk.entry.mint))
    levels.push({ price, title: messages.alerts.line, tone: "accent" });
  // Before that there are none.
  const { shown, exits, entry } = desk;
  const hasExits = shown.exits || exits.of(entry.wallet, entry.mint);
  return [...levels, ...((hasExits && laterOf(desk)?.exitLevels(desk)) || [])];
}

export function chartView(desk: Desk): TemplateResult {
  const { shown, token, choices } = desk;
  const supply = supplyOf(token);
  const isCap = supply !== undefined && choices.axis === "marketCap";
  const [by, title] = isCap ? [supply, say.capTitle(token?.symbol ?? "")] : [1, say.title(token?.symbol ?? "")];
  const inPrices = shownBars(desk);
  const bars = isCap ? scaled(inPrices.bars, by) : inPrices.bars;
  const sum = isCap ? sumOf(bars, shown.intervalMs) : inPrices.sum;
  const setAxis = (): void => {
    choices.keepAxis(isCap ? "price" : "marketCap");
    desk.changed();
  };
  const inShape = {
    candles: () => picture(desk, bars, { sum, by, title }),
    table: () => tableOf(bars, shown.intervalMs >= 3_600_000),
    curve: () => curveView(desk),
  } satisfies Record<(typeof SHAPES)[number], () => TemplateResult>;
  return html`
    <section class="card chart" part="chart" aria-labelledby="chart-title">
      <div class="chart-bar">
        <h2 id="chart-title" class="spoken">${title}</h2>
        <div class="switch" role="group" aria-label=${say.shape}>
          ${SHAPES.map((shape) => html`<button type="button" aria-pressed=${shape === shown.shape} @click=${() => shown.set({ shape })}>${say.shapes[shape]}</button>`)}
        </div>
        ${
          shown.shape === "curve"
            ? nothing
            : html`${supply === undefined ? nothing : html`<div class="switch"><button type="button" class="axis" aria-pressed=${isCap} @click=${setAxis}>${say.cap}</button></div>`}
            <div class="switch" role="group" aria-label=${say.interval}>
              ${INTERVALS.map(
                (intervalMs) =>
                  html`<button type="button" aria-pressed=${intervalMs === shown.intervalMs} aria-label=${say.every(span(intervalMs))} @click=${() => shown.set({ intervalMs })}>${span(intervalMs)}</button>`,
              )}
            </div>`
        }
      </div>
      ${inShape[shown.shape]()}
    </section>
  `;
}

/** @param about `by` is what the prices of the bars were multiplied by */
function picture(
  desk: Desk,
  bars: readonly Bar[],
  { sum, by, title }: { sum: Sum | undefined; by: number; title: string },
): TemplateResult {
  const { alerts } = desk;
  const levels = levelsOf(desk).map((level) => onAxis(level, by));
  const drawing: Drawing = {
    key: `${desk.entry.mint} ${desk.shown.intervalMs} ${by}`,
    bars,
    trades: marksOf(desk),
    levels,
  };
  const shown = pictureOf(desk);
  shown.show(drawing, desk.ticket.edits);
  const text = sum ? [wordsOf(sum, title), ...onItOf(drawing)].join(" ") : say.none;
  // The text is hidden, not removed: what is drawn stands beside it.
  return html`
    <div class="canvas" role="img" aria-label=${text} ${ref(shown.at)}><p class="quiet" ?hidden=${bars.length > 0}>${say.none}</p></div>
    <p class="small quiet notice">${sinceView(desk)}<span class="by">${say.by}</span> <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">TradingView Lightweight Charts™</a>${alertsButton(desk)}</p>
    ${alerts.isOpen ? laterView(desk, ({ alertsView }) => alertsView(desk), alerts.problem) : nothing}
  `;
}

const alertsButton = ({ alerts, entry }: Desk): TemplateResult =>
  html`<button type="button" class="plain alerts-button" aria-expanded=${alerts.isOpen} aria-controls="alerts" @click=${() => alerts.toggle()}>${messages.alerts.title(alerts.of(entry.mint).length)}</button>`;

/** Since when prices are known, where that is not the token's whole past. A long candle starts before its first price. */
function sinceView({ world, entry }: Desk): TemplateResult | typeof nothing {
  const [first] = world.kind === "gateway" ? world.candles(entry.mint, INTERVALS[0]) : [];
  return first ? html`<span class="since">${say.since(clock(first.startMs))}</span> ` : nothing;
}

const wordsOf = ({ from, to, low, high, volume, change: by, ms }: Sum, title: string): string =>
  say.words({
    ...{ title, time: span(ms), change: shownChange(by), volume: `${solOf(volume)} SOL` },
    ...{ from: plainPrice(from), to: plainPrice(to), low: plainPrice(low), high: plainPrice(high) },
  });

/** What is drawn on the candles. */
function onItOf({ trades: marks, levels }: Drawing): string[] {
  const of = (wanted: Mark["side"]): number => marks.filter(({ side }) => side === wanted).length;
  return [
    ...levels.map((level) => say.at(level.title, plainPrice(level.price))),
    ...(marks.length ? [say.own(of("buy"), of("sell"))] : []),
  ];
}

/** The newest bars as a table, for those who cannot see the picture. */
function tableOf(bars: readonly Bar[], isLong: boolean): TemplateResult {
  if (!bars.length) return html`<p class="quiet">${say.none}</p>`;
  return html`
    <div class="table-frame" tabindex="0" role="group" aria-label=${say.table}>
      <table class="sheet rows">
        <thead>
          <tr>
            ${say.columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${bars
            .slice(-40)
            .reverse()
            .map(
              ({ atMs, open, high, low, close, volume }) => html`<tr>
                <th scope="row">${isLong ? `${day(atMs)}, ${clock(atMs)}` : clock(atMs)}</th>
                ${[open, high, low, close].map((value) => html`<td>${price(value)}</td>`)}
                <td>${solOf(volume)}</td>
              </tr>`,
            )}
        </tbody>
      </table>
    </div>
  `;
}

export const chartStyles = css`
  .chart {
    gap: 0.5rem;
    grid-template: auto 1fr auto / minmax(0, 1fr);
    height: var(--desk-chart-height, var(--_height));
    overflow: clip;
  }
  .chart:has(.alerts) {
    grid-template-rows: auto minmax(13rem, 1fr) auto auto;
    height: auto;
    min-height: var(--desk-chart-height, var(--_height));
  }
  .chart-bar {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .switch {
    display: inline-grid;
    grid: auto / auto-flow minmax(min-content, auto);
    max-width: 100%;
    overflow: auto;
    scrollbar-width: none;
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_well);
  }
  .switch button {
    min-width: var(--_target);
    padding: 0 0.75rem;
    outline-offset: -2px;
    color: var(--_quiet);
    font-size: var(--_12);
    font-weight: 500;
  }
  .switch button[aria-pressed="true"] {
    border-color: var(--_line);
    background: var(--_raised);
    color: var(--_text);
    font-weight: 600;
  }
  /* What was drawn in it before makes its row no higher. */
  .canvas {
    position: relative;
    overflow: hidden;
    contain: size;
  }
  .still {
    position: absolute;
    inset: 0;
    overflow: hidden;
    font-size: 0.6875rem;
  }
  .still text {
    fill: var(--_quiet);
  }
  .still path {
    fill: none;
    stroke: var(--_quiet);
  }
  .still .grid {
    stroke: var(--_line);
    opacity: 0.45;
  }
  .still :is(.last, .level) {
    stroke-dasharray: 2 3;
  }
  .still .buy :is(path, text),
  .still text.buy {
    --_tone: var(--_buy);
  }
  .still .sell :is(path, text),
  .still text.sell {
    --_tone: var(--_sell);
  }
  .still .accent :is(path, text) {
    --_tone: var(--_accent);
  }
  .still g path {
    stroke: var(--_tone);
  }
  .still :is(g, .buy, .sell) text,
  .still text:is(.buy, .sell) {
    fill: var(--_tone, var(--_quiet));
  }
  .still .buy .body {
    fill: var(--_raised);
  }
  .still :is(.sell .body, g .volume) {
    fill: var(--_tone);
  }
  .still g .volume {
    stroke: none;
    opacity: 0.35;
  }
  .under-pointer {
    position: absolute;
    z-index: 3;
    inset-block-start: 0;
    inset-inline-start: 0;
    padding-inline: 0.25rem;
    border-radius: 0.25rem;
    background: color-mix(in srgb, var(--_raised) 85%, transparent);
    font-size: var(--_12);
    pointer-events: none;
  }
  .canvas[data-missing]::after {
    content: attr(data-missing);
    color: var(--_quiet);
  }
  /* Its line is no higher for the button in it. */
  .chart .notice {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.25rem;
    align-items: center;
    margin-block-end: -0.25rem;
    white-space: nowrap;
  }
  @container desk (max-width: 25rem) {
    .chart .notice .by {
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
  .chart .notice a {
    color: inherit;
  }
  @container desk (max-width: 39.99rem) {
    .chart-bar {
      gap: 0.25rem;
    }
    .chart-bar .switch button {
      padding: 0 0.25rem;
    }
    .chart-bar .switch:last-child {
      flex: 1 auto;
    }
  }
  /* Six intervals of the size of a finger take some of the margin; its notice stays on one line. */
  @container desk (max-width: 20rem) {
    .chart-bar .switch:last-child {
      max-width: none;
      margin-inline: -0.4375rem;
    }
    .chart .notice {
      font-size: 0.6875rem;
    }
  }
  /* Beside the tape: all three stand in one line. */
  @container desk (min-width: 68rem) and (max-width: 84rem) {
    .chart-bar .switch button {
      padding: 0 0.375rem;
    }
  }
  .table-frame {
    min-height: 0;
    overflow: auto;
  }
  .rows {
    font-size: var(--_12);
    white-space: nowrap;
  }
  .sheet.rows :is(th, td) {
    padding: 0.25rem 0.5rem;
    font-weight: 400;
  }
  .rows :is(th, td):not(:first-child) {
    text-align: end;
  }
  .rows :is(th, td):first-child {
    padding-inline-start: 0;
  }
  .rows :is(th, td):last-child {
    padding-inline-end: 0;
  }
`;
