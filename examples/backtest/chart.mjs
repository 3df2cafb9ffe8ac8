// An equity curve as SVG: one file, which follows the reader's light or dark theme and is legible at 320 px.

import { sol } from "./figures.mjs";

const [LEFT, RIGHT, TOP, BOTTOM] = [16, 624, 132, 356];
const SOL = 1e9;

/** The distance of grid lines: 1, 2 or 5 with zeros, and no more than six of them. @param {number} range */
function gridStep(range) {
  const power = 10 ** Math.floor(Math.log10(range / 5));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => range / step <= 5) ?? range;
}

/** @param {import("./bot.mjs").Point[]} points  @param {ReturnType<typeof import("./figures.mjs").figuresOf>} figures */
export function chart(points, { pnl, fall, marketTrades, landed, failed }) {
  // Lamports become floats here, only to draw pixels.
  const gains = points.map(({ equity }) => Number(equity - points[0].equity) / SOL);
  const [low, high] = [Math.min(...gains, 0), Math.max(...gains, 0.001)];
  const x = (/** @type {number} */ at) => (LEFT + ((RIGHT - LEFT) * at) / marketTrades).toFixed(1);
  const y = (/** @type {number} */ gain) => (BOTTOM - ((BOTTOM - TOP) * (gain - low)) / (high - low)).toFixed(1);
  const line = points.map(({ at }, index) => `${x(at)} ${y(gains[index])}`).join(" ");
  const step = gridStep(high - low);
  const [grid, labels] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) {
    const gain = Number((tick * step).toPrecision(6));
    grid.push(`<path class="${tick ? "grid" : "zero"}" d="M${LEFT} ${y(gain)}H${RIGHT}"/>`);
    labels.push(`<text class="label" x="${LEFT}" y="${(Number(y(gain)) - 5).toFixed(1)}">${gain > 0 ? "+" : ""}${gain}${tick ? "" : " SOL"}</text>`);
  }
  const [from, to] = [x(fall.from.at), x(fall.to.at)];
  const headline = `${pnl < 0n ? "" : "+"}${sol(pnl)} SOL`;
  const many = `${marketTrades.toLocaleString("en")} market trades`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" role="img" aria-labelledby="title desc">
<title id="title">Equity of a backtest: ${headline}</title>
<desc id="desc">A line of what the bot would have after selling everything, over ${many}. It ends at ${headline}; ${landed} trades landed and ${failed} failed. At its deepest fall it lost ${sol(fall.lamports)} SOL, ${fall.percent} %.</desc>
<style>
svg { --back: #fff; --ink: #1c2024; --faint: #60646c; --grid: #e3e5e9; --band: #f6ead0; --line: ${pnl < 0n ? "#c62a2f" : "#0b7a5f"}; background: var(--back); font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { svg { --back: #111318; --ink: #edeef0; --faint: #a4a9b2; --grid: #2b2f36; --band: #4d4120; --line: ${pnl < 0n ? "#ff8080" : "#3ecf9e"}; } }
text { fill: var(--faint); font-size: 14px; font-variant-numeric: tabular-nums; }
.headline { fill: var(--ink); font-size: 30px; font-weight: 600; }
.label { stroke: var(--back); stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.back { fill: var(--back); } .band { fill: var(--band); }
.grid, .zero { stroke: var(--grid); } .zero { stroke: var(--faint); }
.area { fill: var(--line); opacity: 0.12; } .line { fill: none; stroke: var(--line); stroke-width: 2.5; stroke-linejoin: round; }
@media (max-width: 480px) { text { font-size: 23px; } .headline { font-size: 40px; } .line { stroke-width: 4; } }
</style>
<rect class="back" width="640" height="400"/>
<text class="headline" x="${LEFT}" y="46">${headline}</text>
<text x="${LEFT}" y="78">${many}, ${landed} own landed, ${failed} failed</text>
<rect class="band" x="${LEFT}" y="91" width="14" height="14"/><text x="${LEFT + 22}" y="106">deepest fall: ${sol(fall.lamports).slice(0, -6)} SOL, ${fall.percent} %</text>
<rect class="band" x="${from}" y="${TOP}" width="${(Number(to) - Number(from)).toFixed(1)}" height="${BOTTOM - TOP}"/>
<polygon class="area" points="${LEFT} ${y(0)} ${line} ${RIGHT} ${y(0)}"/>
${grid.join("\n")}
<polyline class="line" points="${line}"/>
${labels.join("\n")}
<text x="${LEFT}" y="388">0</text><text x="${RIGHT}" y="388" text-anchor="end">${many}</text>
</svg>
`;
}
