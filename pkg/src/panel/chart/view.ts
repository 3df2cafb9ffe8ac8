// The chart: how the price has moved, as candles, as the curve or as a table.

import { type TemplateResult, css, html, nothing } from "lit";
import { AsyncDirective, directive } from "lit/async-directive.js";
import { type ElementPart, type PartInfo, PartType } from "lit/directive.js";
import { hasLanded } from "../attempt.js";
import { type Sum, barsOf, sumOf } from "./bars.js";
import type { Bar, ChartCanvas, Drawing, Level, Mark } from "./canvas.js";
import { curveView } from "./curve-view.js";
import type { Desk } from "../desk.js";
import { exitLevels } from "../exits/view.js";
import { LOCALE, SOL_DECIMALS, brief, change, clock, plainPrice, price, span } from "../figures.js";
import type { Candle } from "../../generated.js";
import { messages } from "../messages.js";
import { INTERVALS, SHAPES } from "../shown.js";
import { atRest, painted } from "../turns.js";
import type { TokenView } from "../world.js";

const say = messages.chart;

/** Draws on an element, once the chart's own file is loaded: `${drawn(drawing)}`. */
class Drawn extends AsyncDirective {
  #host: HTMLElement | undefined;
  #canvas: ChartCanvas | undefined;
  #drawing: Drawing | undefined;
  #loading = false;
  #frame = 0;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("a chart is drawn on an element");
  }

  render(_drawing: Drawing): typeof nothing {
    return nothing;
  }

  override update({ element }: ElementPart, [drawing]: [Drawing]): typeof nothing {
    this.#host = element as HTMLElement;
    this.#drawing = drawing;
    if (!this.#canvas) this.#load();
    else this.#draw();
    return nothing;
  }

  /** Draws at most once a frame: what is typed is answered first. */
  #draw(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#drawing) this.#canvas?.show(this.#drawing);
    });
  }

  #load(): void {
    if (this.#loading) return;
    this.#loading = true;
    import("./canvas.js").then(
      async ({ ChartCanvas }) => {
        // The first picture takes long: it is drawn while the page is idle, and empty first, in a frame of its own.
        await atRest();
        const canvas =
          this.isConnected && this.#host ? new ChartCanvas(this.#host, { locale: LOCALE, price }) : undefined;
        await painted();
        this.#loading = false;
        if (!this.isConnected) return canvas?.remove();
        // Meanwhile it was taken out of the page, or put back.
        if (!canvas) return this.#load();
        this.#canvas = canvas;
        this.#draw();
      },
      () => {
        // Without its file there is no picture; the text and the table say the same.
        this.#host?.setAttribute("data-missing", say.missing);
      },
    );
  }

  protected override disconnected(): void {
    this.#canvas?.remove();
    this.#canvas = undefined;
  }

  protected override reconnected(): void {
    this.#load();
  }
}

const drawn = directive(Drawn);

/** The bars last made from candles: they stay the same until the market moves. */
const made = new WeakMap<readonly Candle[], { nowMs: number; bars: Bar[]; sum: Sum | undefined }>();

/** The bars that a desk shows now and their summary, for the chart and the header. */
export function shownBars(desk: Desk): { bars: Bar[]; sum: Sum | undefined } {
  const { intervalMs } = desk.shown;
  const candles = desk.world.candles(desk.entry.mint, intervalMs);
  const nowMs = desk.world.now();
  const known = made.get(candles);
  if (known?.nowMs === nowMs) return known;
  const bars = barsOf(candles, intervalMs, nowMs);
  const now = { nowMs, bars, sum: sumOf(bars, intervalMs) };
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
  const cost = desk.holdings.averageCost(desk.entry.wallet, desk.entry.mint);
  if (cost !== null) levels.push({ price: Number(cost), title: say.cost, tone: "accent" });
  if (leg?.spotPriceAfter)
    levels.push({ price: Number(leg.spotPriceAfter), title: say.after(leg.side), tone: leg.side });
  return [...levels, ...exitLevels(desk)];
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
    table: () => tableOf(bars),
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
  const levels = levelsOf(desk).map((level) => ({ ...level, price: level.price * by }));
  const drawing: Drawing = {
    key: `${desk.entry.mint} ${desk.shown.intervalMs} ${by}`,
    bars,
    trades: marksOf(desk),
    levels,
  };
  const text = sum ? [wordsOf(sum, title), ...onItOf(drawing)].join(" ") : say.none;
  // The text is hidden, not removed: what is drawn stands beside it.
  return html`
    <div class="canvas" role="img" aria-label=${text} ${drawn(drawing)}><p class="quiet" ?hidden=${bars.length > 0}>${say.none}</p></div>
    <p class="small quiet notice"><span class="by">${say.by}</span> <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">TradingView Lightweight Charts™</a></p>
  `;
}

const wordsOf = ({ from, to, low, high, volume, change: by, ms }: Sum, title: string): string =>
  say.words({
    ...{ title, time: span(ms), change: change(by), volume: `${solOf(volume)} SOL` },
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

const solOf = (volume: number): string => brief(BigInt(Math.round(volume * 10 ** SOL_DECIMALS)), SOL_DECIMALS);

const CLOCK = clock();

/** The newest bars as a table, for those who cannot see the picture. */
function tableOf(bars: readonly Bar[]): TemplateResult {
  if (!bars.length) return html`<p class="quiet">${say.none}</p>`;
  return html`
    <div class="table-frame" tabindex="0" role="group" aria-label=${say.table}>
      <table class="rows">
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
                <th scope="row">${CLOCK.format(atMs)}</th>
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
    grid-template-rows: auto 1fr auto;
    height: var(--desk-chart-height, var(--_height));
    overflow: clip;
  }
  .chart-bar {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.5rem;
  }
  .switch {
    display: inline-flex;
    border-radius: calc(var(--_radius) * 0.8);
    background: var(--_well);
  }
  .switch button {
    min-width: var(--_target);
    min-height: var(--_target);
    padding: 0 0.75rem;
    border: 1px solid transparent;
    border-radius: inherit;
    background: transparent;
    color: var(--_quiet);
    font-size: var(--_12);
    font-weight: 500;
    cursor: pointer;
  }
  .switch button[aria-pressed="true"] {
    border-color: var(--_line);
    background: var(--_raised);
    color: var(--_text);
    font-weight: 600;
  }
  .canvas {
    position: relative;
    min-height: 0;
    overflow: hidden;
  }
  .canvas[data-missing]::after {
    content: attr(data-missing);
    color: var(--_quiet);
  }
  .notice {
    margin-block-end: -0.25rem;
  }
  .notice a {
    color: inherit;
  }
  @container desk (max-width: 39.99rem) {
    .chart-bar {
      gap: 0.25rem;
    }
    .chart-bar .switch button {
      padding: 0 0.25rem;
    }
  }
  @container desk (max-width: 23rem) {
    .notice .by {
      display: none;
    }
  }
  .table-frame {
    min-height: 0;
    overflow: auto;
  }
  .rows {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--_12);
    text-align: end;
    white-space: nowrap;
  }
  .rows th,
  .rows td {
    padding: 0.25rem 0.5rem;
    border-bottom: 1px solid var(--_line);
    font-weight: 400;
  }
  .rows thead th {
    position: sticky;
    z-index: 1;
    inset-block-start: 0;
    background: var(--_raised);
    color: var(--_quiet);
    font-weight: 500;
  }
  .rows :is(th, td):first-child {
    padding-inline-start: 0;
    text-align: start;
  }
  .rows :is(th, td):last-child {
    padding-inline-end: 0;
  }
`;
