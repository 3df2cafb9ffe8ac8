// Our time as a fraction of a peer's, measured side by side in one run: the only number of a benchmark that another
// machine can be expected to confirm. Lower is better.

const SAMPLES = 15;

/** The least that a sample takes: fifty steps of the coarsest clock, which is that of a page in Chromium. */
const SAMPLE_MS = 5;

/** Time in which an engine's compilers get to what is hot; each side has as much of it, or as much as its work asks for. */
const WARM_UP_MS = 250;

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** So many calls that a sample outlasts the clock's grain, told once the compilers are done with them. */
async function callsPerSample(time, warmUpMs) {
  for (let calls = 1, spent = 0; ; ) {
    const took = await time(calls);
    spent += took;
    if (took < SAMPLE_MS) calls *= 2;
    else if (spent >= warmUpMs) return calls;
  }
}

/**
 * Our time over theirs: medians of samples taken in turns.
 *
 * @param {{ ours: (calls: number) => Promise<number>, theirs: (calls: number) => Promise<number> }} sides each makes so
 *   many calls and resolves to the milliseconds these took in all
 * @param {number} [warmUpMs] the time that each is called for before it counts, in milliseconds
 * @returns {Promise<{ ratio: number, ours: number, theirs: number }>} times in milliseconds a call
 */
export async function compare(sides, warmUpMs = WARM_UP_MS) {
  const calls = { ours: await callsPerSample(sides.ours, warmUpMs), theirs: await callsPerSample(sides.theirs, warmUpMs) };
  const times = { ours: [], theirs: [] };
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (const side of ["ours", "theirs"]) times[side].push((await sides[side](calls[side])) / calls[side]);
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  return { ratio: ours / theirs, ours, theirs };
}

/** Of several of {@link compare}, an odd number of them, the one whose ratio is the median. */
export const middle = (comparisons) => [...comparisons].sort((a, b) => a.ratio - b.ratio)[comparisons.length >> 1];

/** Milliseconds as a reader would say them. */
export function duration(milliseconds) {
  if (milliseconds < 1e-3) return `${(milliseconds * 1e6).toPrecision(3)} ns`;
  if (milliseconds < 1) return `${(milliseconds * 1e3).toPrecision(3)} µs`;
  return `${milliseconds.toPrecision(3)} ms`;
}

/** A ratio, and whether it is what was aimed at, where anything was. */
export const verdict = (ratio, goal) => ratio.toFixed(3) + (goal === undefined ? "" : ratio <= goal ? `, met ${goal}` : `, MISSED ${goal}`);
