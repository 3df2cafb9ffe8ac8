// Our time as a fraction of a peer's, measured side by side in one run. It is the only figure of a benchmark that another machine
// can confirm. Lower is better.

/** How often each side is timed, as long as its samples have not taken this many milliseconds: one that takes long is timed once. */
const [SAMPLES, SAMPLES_MS] = [15, 600];

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
 * @param {{ warmUpMs?: number }} work how long each is called before it counts, in milliseconds
 * @returns {Promise<{ ratio: number, ours: number, theirs: number }>} times in milliseconds a call
 */
export async function compare(sides, { warmUpMs = WARM_UP_MS }) {
  // At once, on a core each.
  const [ours, theirs] = await Promise.all(["ours", "theirs"].map((side) => callsPerSample(sides[side], warmUpMs)));
  const calls = { ours, theirs };
  const times = { ours: [], theirs: [] };
  for (let sample = 0, spent = 0; sample < SAMPLES && spent < SAMPLES_MS; sample++) {
    for (const side of ["ours", "theirs"]) {
      const took = await sides[side](calls[side]);
      spent += took;
      times[side].push(took / calls[side]);
    }
  }
  const each = { ours: median(times.ours), theirs: median(times.theirs) };
  return { ratio: each.ours / each.theirs, ...each };
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
