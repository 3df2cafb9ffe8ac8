// A ratio of two speeds, measured side by side in one run: the only number of a benchmark that
// another machine can be expected to confirm.

const SAMPLE_MS = 5;
const SAMPLES = 41;

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** The time of one call, in milliseconds, over `calls` calls. */
async function timeOf(work, calls, now) {
  const began = now();
  for (let call = 0; call < calls; call++) {
    const result = work();
    if (result instanceof Promise) await result;
  }
  return (now() - began) / calls;
}

/** So many calls that a sample outlasts the clock's grain, after the just-in-time compiler has seen them. */
async function callsPerSample(work, now) {
  for (let calls = 1; ; calls *= 2) {
    if ((await timeOf(work, calls, now)) * calls >= SAMPLE_MS) return calls;
  }
}

/**
 * How many times as fast as `theirs` is `ours`: the median of their times over the median of ours,
 * from samples taken in turns.
 *
 * @param {{ ours: () => unknown, theirs: () => unknown }} pair
 * @param {() => number} [now] the clock, in milliseconds
 * @returns {Promise<{ ratio: number, ours: number, theirs: number }>} times in milliseconds a call
 */
export async function compare({ ours, theirs }, now = () => performance.now()) {
  const calls = { ours: await callsPerSample(ours, now), theirs: await callsPerSample(theirs, now) };
  const times = { ours: [], theirs: [] };
  for (let sample = 0; sample < SAMPLES; sample++) {
    times.ours.push(await timeOf(ours, calls.ours, now));
    times.theirs.push(await timeOf(theirs, calls.theirs, now));
  }
  const [our, their] = [median(times.ours), median(times.theirs)];
  return { ratio: their / our, ours: our, theirs: their };
}
