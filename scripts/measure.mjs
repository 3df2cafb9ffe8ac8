// Our time as a fraction of a peer's, measured side by side in one run. It is the only figure of a benchmark that another machine
// can confirm. Lower is better.

/** How often each side is timed, or what its work asks for. */
const SAMPLES = 15;

/** The shortest sample: fifty steps of the coarsest clock, that of a page in Chromium. */
const SAMPLE_MS = 5;

/** The time that an engine's compilers need to optimize hot code. Each side gets this much, or what its work asks for. */
const WARM_UP_MS = 250;

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** How many calls a sample needs to outlast the clock's resolution, counted after warm-up. */
async function callsPerSample(time, warmUpMs) {
  for (let calls = 1, spent = 0; ;) {
    const took = await time(calls);
    spent += took;
    if (took < SAMPLE_MS) calls *= 2;
    else if (spent >= warmUpMs) return calls;
  }
}

/**
 * Our time over theirs: medians of samples taken in turns.
 *
 * @param {{ ours: (calls: number) => Promise<number>, theirs: (calls: number) => Promise<number> }} sides each makes this
 *   many calls and resolves to the milliseconds that they took together
 * @param {{ warmUpMs?: number, samples?: number }} work how long each is called before it counts, in milliseconds, and how often
 *   it is timed
 * @returns {Promise<{ ratio: number, ours: number, theirs: number }>} times in milliseconds a call
 */
export async function compare(sides, { warmUpMs = WARM_UP_MS, samples = SAMPLES }) {
  const calls = {
    ours: await callsPerSample(sides.ours, warmUpMs),
    theirs: await callsPerSample(sides.theirs, warmUpMs),
  };
  const times = { ours: [], theirs: [] };
  for (let sample = 0; sample < samples; sample++) {
    for (const side of ["ours", "theirs"]) times[side].push((await sides[side](calls[side])) / calls[side]);
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  return { ratio: ours / theirs, ours, theirs };
}

/** Of an odd number of results of {@link compare}, the one with the median ratio. */
export const middle = (comparisons) => [...comparisons].sort((a, b) => a.ratio - b.ratio)[comparisons.length >> 1];

/** Milliseconds in a readable unit. */
export function duration(milliseconds) {
  if (milliseconds < 1e-3) return `${(milliseconds * 1e6).toPrecision(3)} ns`;
  if (milliseconds < 1) return `${(milliseconds * 1e3).toPrecision(3)} µs`;
  return `${milliseconds.toPrecision(3)} ms`;
}

/** A ratio, and whether it reaches the goal, if there is one. */
export const verdict = (ratio, goal) =>
  ratio.toFixed(3) + (goal === undefined ? "" : `, ${ratio <= goal ? "met" : "MISSED"} ${goal}`);
