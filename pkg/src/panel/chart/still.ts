// A still picture of the candles, in the place and the size of the chart that comes once the ticket rests: its range, its lines, its marks.

import { type TemplateResult, nothing, svg } from "lit";
import type { Bar, Drawing, Level } from "./canvas.js";
import { price } from "../figures.js";
import { messages } from "../messages.js";

/** Pixels: of a candle with its gap, of the axes, and how many candles have room right of the newest. As the chart has them. */
export const PITCH = 9;
export const ROOM = 9;
const [RIGHT, BELOW] = [72, 26];
/** The parts of the height above and below the candles, and that of the volumes. */
export const MARGINS = { top: 0.12, bottom: 0.24 };
const VOLUMES = 0.18;
/** How much of a price the axis shows at least. */
const LEAST_RANGE = 0.04;
/** How much more the lines may add to it on each side, of that or of the price, as for usual stops: a far one would flatten the candles. */
const MORE = { ofRange: 2, ofPrice: 0.35 };

/** How many candles are shown at once in this width. */
export const shownAtOnce = (bars: number, width: number): number =>
  Math.max(30, Math.min(bars, Math.floor(width / PITCH)));

/** The prices that the axis shows: those of the candles, and the lines that are near. A market that stands still has a range, too. */
export function rangeOf(low: number, high: number, levels: readonly Level[]): readonly [low: number, high: number] {
  const lacking = Math.max(0, LEAST_RANGE * high - (high - low)) / 2;
  const [least, most] = [low - lacking, high + lacking];
  const room = Math.max((most - least) * MORE.ofRange, most * MORE.ofPrice);
  const near = levels.map(({ price }) => price).filter((at) => at >= least - room && at <= most + room);
  return [Math.min(least, ...near), Math.max(most, ...near)];
}

export function stillView(
  { bars: all, trades, levels }: Drawing,
  width: number,
  height: number,
): TemplateResult | typeof nothing {
  const bars = all.slice(-shownAtOnce(all.length, width));
  const [right, below] = [width - RIGHT, height - BELOW];
  if (!bars.length || right <= 0 || below <= 0) return nothing;
  const [least, most] = rangeOf(
    Math.min(...bars.map(({ low }) => low)),
    Math.max(...bars.map(({ high }) => high)),
    levels,
  );
  const inside = below * (1 - MARGINS.top - MARGINS.bottom);
  const y = (at: number): number => Math.round(below * MARGINS.top + ((most - at) / (most - least)) * inside);
  const step = right / (shownAtOnce(bars.length, width) + ROOM - 1);
  const x = (at: number): number => right - (bars.length - at + ROOM - 1.5) * step;
  const half = Math.max(1, step * 0.36);
  const mostVolume = Math.max(...bars.map(({ volume }) => volume)) || 1;
  const of = (isFall: boolean, draw: (bar: Bar, at: number) => string): string =>
    bars.map((bar, at) => (bar.close < bar.open === isFall ? draw(bar, at) : "")).join("");
  const body = ({ open, close }: Bar, at: number): string =>
    `M${x(at) - half} ${y(Math.max(open, close))}h${half * 2}V${Math.max(y(Math.min(open, close)), y(Math.max(open, close)) + 1)}h${-half * 2}z`;
  const wick = ({ high, low }: Bar, at: number): string => `M${x(at)} ${y(high)}V${y(low)}`;
  const column = ({ volume }: Bar, at: number): string =>
    `M${x(at) - half} ${below}v${(-volume / mostVolume) * VOLUMES * below}h${half * 2}V${below}z`;
  const last = bars.at(-1) as Bar;
  const marks = trades.flatMap(({ atMs, side }) => {
    const at = bars.filter((bar) => bar.atMs <= atMs).length - 1;
    const bar = bars[at];
    return bar ? [{ at: x(at), side, y: side === "buy" ? y(bar.low) + 16 : y(bar.high) - 8 }] : [];
  });
  return svg`<svg class="still" width=${width} height=${height} aria-hidden="true">
    ${[0, 0.25, 0.5, 0.75, 1].map((part) => most - part * (most - least)).map((at) => svg`<path class="grid" d="M0 ${y(at)}.5H${right}"/><text x=${right + 6} y=${y(at) + 4}>${price(Math.max(0, at))}</text>`)}
    ${[false, true].map((isFall) => svg`<g class=${isFall ? "sell" : "buy"}><path class="volume" d=${of(isFall, column)}/><path d=${of(isFall, wick)}/><path class="body" d=${of(isFall, body)}/></g>`)}
    <path class="last" d="M0 ${y(last.close)}.5H${right}"/>
    ${levels
      .filter(({ price }) => price >= least && price <= most)
      .map(
        ({ price, title, tone }) =>
          svg`<g class=${tone}><path class="level" d="M0 ${y(price)}.5H${right}"/><text x=${right - 4} y=${y(price) - 4} text-anchor="end">${title}</text></g>`,
      )}
    ${marks.map(({ at, side, y }) => svg`<text class=${side} x=${at} y=${y} text-anchor="middle">${messages.chart.marks[side]}</text>`)}
  </svg>` as unknown as TemplateResult;
}
