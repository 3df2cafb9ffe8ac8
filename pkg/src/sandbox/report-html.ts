// The report of a backtest as one page: no script, and nothing from elsewhere.

import type { BacktestRun } from "../generated.js";
import type { BacktestDistribution, BacktestReport } from "./report.js";
import {
  type Facts,
  REASONS,
  costs,
  gained,
  replayed,
  results,
  sol,
  spread,
  time,
  valueLine,
  verdicts,
} from "./report-lines.js";
import type { BacktestSweep } from "./sweep.js";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark);

function sign(lamports: bigint): string {
  if (lamports === 0n) return "";
  return lamports > 0n ? "up" : "down";
}

const sizeOf = (lamports: bigint): bigint => (lamports < 0n ? -lamports : lamports);

/** The size of the largest amount, and at least 1. */
const largest = (amounts: readonly bigint[]): bigint =>
  amounts.map(sizeOf).reduce((most, size) => (size > most ? size : most), 1n);

/** Lamports as a number, only to place a pixel. */
const place = (
  lamports: bigint,
  { low, high }: { low: bigint; high: bigint },
  { from, to }: { from: number; to: number },
): string => (from + (to - from) * (Number(lamports - low) / Math.max(1, Number(high - low)))).toFixed(1);

const rows = (facts: Facts): string =>
  facts.map(([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join("\n");
const table = (facts: Facts): string => `<table>${rows(facts)}</table>`;
const section = (title: string, content: string): string => `<section><h2>${escaped(title)}</h2>\n${content}</section>`;

/** The equity, with the deepest fall marked. */
function equity({ equity: points, startLamports, drawdown }: BacktestRun): string {
  const [first, last] = [points[0], points[points.length - 1]];
  if (!first || !last) return "";
  const all = points.map(({ lamports }) => lamports);
  const low = all.reduce((low, one) => (one < low ? one : low), startLamports);
  const high = all.reduce((high, one) => (one > high ? one : high), startLamports);
  const x = (atMs: number): string => ((640 * (atMs - first.atMs)) / Math.max(1, last.atMs - first.atMs)).toFixed(1);
  const y = (lamports: bigint): string => place(lamports, { low, high }, { from: 190, to: 10 });
  // It stays where it is until it changes.
  const line = points.map(({ atMs, lamports }, index) => `${index ? `H${x(atMs)}V` : `M0 `}${y(lamports)}`).join("");
  const fall = drawdown.lamports
    ? `<rect class="fall" x="${x(drawdown.fromMs)}" y="0" width="${Math.max(1, Number(x(drawdown.toMs)) - Number(x(drawdown.fromMs))).toFixed(1)}" height="200"/>`
    : "";
  const label = `Equity from ${sol(startLamports)} to ${sol(last.lamports)}, at least ${sol(low)}, at most ${sol(high)}.`;
  return `<figure><svg viewBox="0 0 640 200" preserveAspectRatio="none" role="img" aria-label="${label}">${fall}<path class="zero" d="M0 ${y(startLamports)}H640"/><path class="line" d="${line}"/></svg>
<figcaption><span>0 s</span><span>${drawdown.lamports ? '<i class="key"></i> deepest fall' : ""}</span><span>${time(last.atMs - first.atMs)}</span></figcaption>
<p class="note">From ${sol(low)} to ${sol(high)}; the dotted line is the start.</p></figure>`;
}

/** Bars from zero, to the left for losses. */
function bars(entries: readonly { name: string; note: string; lamports: bigint }[]): string {
  const most = largest(entries.map(({ lamports }) => lamports));
  return entries
    .map(({ name, note, lamports }) => {
      const [zero, end] = [50, Number(place(lamports, { low: -most, high: most }, { from: 0, to: 100 }))];
      const bar = `<svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="${sign(lamports)}" x="${Math.min(zero, end)}" width="${Math.max(0.5, Math.abs(end - zero)).toFixed(1)}" height="6"/><path class="zero" d="M50 0V6"/></svg>`;
      return `<div class="bar"><span>${escaped(name)}<small>${escaped(note)}</small></span><b class="${sign(lamports)}">${gained(lamports)}</b>${bar}</div>`;
    })
    .join("\n");
}

/** Each run as a tick on one line, the same line for all of these. */
function strips(all: readonly { name: string; profits: readonly bigint[]; median: bigint }[], own: bigint): string {
  const every = [0n, own, ...all.flatMap(({ profits }) => profits)];
  const low = every.reduce((low, one) => (one < low ? one : low));
  const high = every.reduce((high, one) => (one > high ? one : high));
  const x = (lamports: bigint): string => place(lamports, { low, high }, { from: 6, to: 634 });
  const strip = ({ name, profits, median }: (typeof all)[number]): string =>
    `<p class="note">${escaped(name)}</p><svg viewBox="0 0 640 36" preserveAspectRatio="none" role="img" aria-label="${escaped(name)}: median ${gained(median)}">${profits.map((profit) => `<path class="tick" d="M${x(profit)} 8V28"/>`).join("")}<path class="median" d="M${x(median)} 2V34"/><path class="own" d="M${x(own)} 0V36"/><path class="zero" d="M${x(0n)} 0V36"/></svg>`;
  return `<figure>${all.map(strip).join("\n")}<figcaption><span>${gained(low)}</span><span>${gained(high)}</span></figcaption>
<p class="note"><i class="key own"></i> this run &nbsp; <i class="key median"></i> median &nbsp; dotted: zero</p></figure>`;
}

/** The grid: two fields as a table of cells, more as a list of the best. */
function grid({ fields, plans, best, neighbours }: BacktestSweep): string {
  const most = largest(plans.map(({ profitLamports }) => profitLamports));
  const [down, across] = fields;
  const cell = (plan: (typeof plans)[number]): string => {
    const strength = Number((sizeOf(plan.profitLamports) * 60n) / most);
    const beside = neighbours.includes(plan) ? " beside" : "";
    const kind = plan === best ? " best" : beside;
    return `<td class="cell ${sign(plan.profitLamports)}${kind}" style="--strength:${strength}%">${gained(plan.profitLamports).slice(0, -4)}</td>`;
  };
  const note = `<p class="note">SOL. The best has a frame, its neighbours a dashed one.</p>`;
  if (fields.length === 2 && down && across) {
    const of = (field: number): number[] => [...new Set(plans.map(({ at }) => at[field] ?? 0))];
    const at = (one: number, other: number) => plans.find((plan) => plan.at[0] === one && plan.at[1] === other);
    const head = of(1)
      .map((column) => `<th scope="col">${escaped(valueLine(at(0, column)?.plan[across]))}</th>`)
      .join("");
    const body = of(0).map(
      (row) =>
        `<tr><th scope="row">${escaped(valueLine(at(row, 0)?.plan[down]))}</th>${of(1)
          .map((column) => at(row, column))
          .map((plan) => (plan ? cell(plan) : "<td></td>"))
          .join("")}</tr>`,
    );
    return `<p class="note">${escaped(down)} by row, ${escaped(across)} by column</p><div class="wide"><table class="grid"><tr><td></td>${head}</tr>\n${body.join("\n")}</table></div>${note}`;
  }
  const chosen = [best, ...neighbours].map(
    (plan) =>
      `<tr><th scope="row">${escaped(fields.map((field) => `${field} ${valueLine(plan.plan[field])}`).join(", "))}</th>${cell(plan)}</tr>`,
  );
  return `<table>${chosen.join("\n")}</table>${note}`;
}

/** For a page, and for a shadow root that takes its body: there the colours follow the page around it. */
const STYLE = `
:root { color-scheme: light dark; }
:root, :host { --back: light-dark(#fff, #111318); --card: light-dark(#f6f7f9, #191c22); --ink: light-dark(#1c2024, #edeef0); --faint: light-dark(#60646c, #a4a9b2); --rule: light-dark(#dfe2e6, #2f343c); --up: light-dark(#0b7a5f, #3ecf9e); --down: light-dark(#c62a2f, #ff8080); --own: light-dark(#1d5fd1, #82aaff); --fall: light-dark(#f6ead0, #4d4120); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--back); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
h1 { margin: 0; font-size: 1rem; font-weight: 500; color: var(--faint); overflow-wrap: anywhere; }
h2 { margin: 0 0 .5rem; font-size: 1.05rem; } table + h2, figure + h2 { margin-top: 1rem; }
.headline { margin: 0 0 .5rem; font-size: clamp(1.7rem, 8vw, 2.6rem); font-weight: 650; overflow-wrap: anywhere; }
ul { margin: 0 0 1rem; padding-left: 1.1rem; }
section { margin: 1rem 0; padding: 1rem; background: var(--card); border-radius: .6rem; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 400; color: var(--faint); padding: .2rem .75rem .2rem 0; overflow-wrap: anywhere; }
td { text-align: right; padding: .2rem 0; }
tr + tr > * { border-top: 1px solid var(--rule); }
.costs tr:last-child > * { font-weight: 650; color: var(--ink); border-top: 2px solid var(--faint); }
figure { margin: 0; } svg { display: block; width: 100%; } figure > svg { height: 36px; } .equity svg { height: clamp(140px, 30vw, 220px); }
figcaption { display: flex; justify-content: space-between; gap: .5rem; flex-wrap: wrap; color: var(--faint); font-size: .85rem; }
.note, small { color: var(--faint); font-size: .85rem; margin: .4rem 0 0; } small { display: block; margin: 0; }
path { fill: none; vector-effect: non-scaling-stroke; }
.line { stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; } .zero { stroke: var(--faint); stroke-dasharray: 2 3; } .tick { stroke: var(--faint); opacity: .55; }
.median { stroke: var(--ink); stroke-width: 2; } .own { stroke: var(--own); stroke-width: 3; } .fall { fill: var(--fall); }
rect.up { fill: var(--up); } rect.down { fill: var(--down); } b.up, p.up { color: var(--up); } b.down, p.down { color: var(--down); }
.key { display: inline-block; width: .8rem; height: .8rem; background: var(--fall); vertical-align: -1px; } .key.own { background: var(--own); } .key.median { background: var(--ink); }
.bar { display: grid; grid-template-columns: 1fr auto; gap: 0 .75rem; align-items: baseline; margin: .5rem 0; } .bar svg { grid-column: 1 / -1; height: 6px; margin-top: .2rem; } .bar b { font-weight: 600; }
.wide { overflow-x: auto; } .grid th, .grid td { padding: .3rem .4rem; white-space: nowrap; overflow-wrap: normal; font-size: .85rem; } .grid th[scope="col"] { text-align: right; }
.cell.up { background: color-mix(in srgb, var(--up) var(--strength), transparent); } .cell.down { background: color-mix(in srgb, var(--down) var(--strength), transparent); }
.best { outline: 2px solid var(--ink); outline-offset: -2px; } .beside { outline: 1px dashed var(--ink); outline-offset: -2px; }
`;

/**
 * A report as one HTML page: light or dark as its reader likes it, readable on a phone, without a script and without anything from
 * elsewhere. Every amount is exact.
 *
 * @example
 * ```js
 * import { backtestReport, reportHtml } from "launchpad-desk/sandbox";
 *
 * const tape = "atMs,side,mint,lamports,tokens\n0,buy,M,3000000000,\n9000,buy,M,2000000000,";
 * const html = reportHtml(backtestReport({ tape, entry: { lamports: 100_000_000n }, title: "My first rule" }));
 * console.log(html.startsWith("<!doctype html>")); // true
 * ```
 */
export function reportHtml(report: BacktestReport): string {
  const { title, run, seeds, withoutIdea, sweep } = report;
  const lines = (
    [
      ["Over seeds", seeds],
      ["Bots without an idea", withoutIdea],
    ] as const
  ).flatMap(([name, all]) =>
    all
      ? [{ name: `${name}: ${all.profitsLamports.length}`, profits: all.profitsLamports, median: all.medianLamports }]
      : [],
  );
  const spreads = (name: string, all: BacktestDistribution | null): string =>
    all ? `<h2>${name}</h2>${table(spread(all))}` : "";
  const parts = [
    section("Equity", `<div class="equity">${equity(run)}</div>`),
    section("Results", table(results(run))),
    section("From the prices to the profit", table(costs(run)).replace("<table>", '<table class="costs">')),
    run.reasons.length
      ? section(
          "Positions, by the reason they ended for",
          bars(
            run.reasons.map(({ reason, positions, wins, profitLamports }) => ({
              name: REASONS[reason],
              note: `${positions} position${positions === 1 ? "" : "s"}, ${wins} gained`,
              lamports: profitLamports,
            })),
          ),
        )
      : "",
    lines.length
      ? section(
          "Luck",
          strips(lines, run.profitLamports) +
            spreads(`${seeds?.profitsLamports.length} seeds`, seeds) +
            spreads(`${withoutIdea?.profitsLamports.length} bots without an idea`, withoutIdea),
        )
      : "",
    sweep ? section(`${sweep.plans.length} exit plans`, grid(sweep)) : "",
    section(
      "The tape",
      `${table(replayed(run))}<p class="note">The others' recorded orders were made again, for the same amounts, on the curve that these trades have moved. None of them reacts.</p>`,
    ),
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}: ${gained(run.profitLamports)}</title>
<style>${STYLE}</style>
<body>
<h1>${escaped(title)}</h1>
<p class="headline ${sign(run.profitLamports)}">${gained(run.profitLamports)}</p>
<ul>${verdicts(report)
    .map((line) => `<li>${escaped(line)}</li>`)
    .join("\n")}</ul>
${parts.filter(Boolean).join("\n")}
</body>
</html>
`;
}
