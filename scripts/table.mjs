// What a bench prints: a line for each work as it is measured, and at the end the ratios of all engines side by side.

const NAME = 42;
const PEER = 24;
const CELL = 15;

/** Milliseconds as a reader would say them. */
export function duration(milliseconds) {
  if (milliseconds < 1e-3) return `${(milliseconds * 1e6).toPrecision(3)} ns`;
  if (milliseconds < 1) return `${(milliseconds * 1e3).toPrecision(3)} µs`;
  return `${milliseconds.toPrecision(3)} ms`;
}

/** Whether a ratio is what was aimed at; nothing where nothing was. */
export const verdict = (ratio, goal) => (goal === undefined ? "" : ratio <= goal ? "met" : "MISSED");

const line = (...cells) => cells.join(" ").trimEnd();

/** The head of one engine's lines. */
export const workHead = () => line("work".padEnd(NAME), "peer".padEnd(PEER), "measured".padStart(8), "goal".padStart(6), "".padEnd(6), "our time against the peer's");

/** One work on one engine. */
export function workLine({ name, peer }, goal, { ratio, ours, theirs }) {
  return line(name.padEnd(NAME), peer.padEnd(PEER), ratio.toFixed(3).padStart(8), String(goal ?? "").padStart(6), verdict(ratio, goal).padEnd(6), `${duration(ours)} against ${duration(theirs)}`);
}

/**
 * The ratios of all engines, a row a work.
 *
 * @param {{ name: string, peer: string, goals: Record<string, number> }[]} works
 * @param {string[]} engines
 * @param {Map<object, Record<string, number>>} ratios work → engine → ratio
 */
export function ratioTable(works, engines, ratios) {
  const cell = (work, engine) => {
    const ratio = ratios.get(work)?.[engine];
    return (ratio === undefined ? "–" : line(ratio.toFixed(3), verdict(ratio, work.goals[engine]).padEnd(6))).padEnd(CELL);
  };
  const head = line("work".padEnd(NAME), "peer".padEnd(PEER), ...engines.map((engine) => engine.padEnd(CELL)));
  return [head, ...works.map((work) => line(work.name.padEnd(NAME), work.peer.padEnd(PEER), ...engines.map((engine) => cell(work, engine))))].join("\n");
}
