// Our time as a fraction of a peer's, measured side by side in one run: the only number of a benchmark that another
// machine can be expected to confirm. Lower is better.

const SAMPLE_MS = 5;
const SAMPLES = 41;

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** So many calls that a sample outlasts the clock's grain, after the just-in-time compiler has seen them. */
async function callsPerSample(time) {
  for (let calls = 1; ; calls *= 2) {
    if ((await time(calls)) >= SAMPLE_MS) return calls;
  }
}

/**
 * Our time over theirs: medians of samples taken in turns.
 *
 * @param {{ ours: (calls: number) => Promise<number>, theirs: (calls: number) => Promise<number> }} sides each makes so
 *   many calls and resolves to the milliseconds these took in all
 * @returns {Promise<{ ratio: number, ours: number, theirs: number }>} times in milliseconds a call
 */
export async function compare(sides) {
  const calls = { ours: await callsPerSample(sides.ours), theirs: await callsPerSample(sides.theirs) };
  const times = { ours: [], theirs: [] };
  for (let sample = 0; sample < SAMPLES; sample++) {
    for (const side of ["ours", "theirs"]) times[side].push((await sides[side](calls[side])) / calls[side]);
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  return { ratio: ours / theirs, ours, theirs };
}
