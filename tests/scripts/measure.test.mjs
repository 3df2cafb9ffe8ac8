// The benchmark's ratio, of works whose times are known, by a clock that only they move.

import assert from "node:assert/strict";
import test from "node:test";
import { compare } from "../../scripts/measure.mjs";

/** A clock, and works that take so many milliseconds by it. */
function simulation() {
  let time = 0;
  return {
    now: () => time,
    taking: (ms) => () => {
      time += ms;
    },
    /** Takes `ms`, but for every tenth call, which something else on the machine holds up. */
    disturbed(ms) {
      let calls = 0;
      return () => {
        time += calls++ % 10 === 9 ? 100 * ms : ms;
      };
    },
    later: (ms) => async () => {
      await undefined;
      time += ms;
    },
  };
}

test("a third of the time is three times as fast, and the other way round", async () => {
  const { now, taking } = simulation();
  assert.deepEqual(await compare({ ours: taking(8), theirs: taking(24) }, now), { ratio: 3, ours: 8, theirs: 24 });
  assert.deepEqual(await compare({ ours: taking(24), theirs: taking(8) }, now), { ratio: 1 / 3, ours: 24, theirs: 8 });
});

test("works below the clock's grain are measured many calls at a time", async () => {
  const { now, taking } = simulation();
  const { ratio, ours } = await compare({ ours: taking(2 ** -10), theirs: taking(2 ** -9) }, now);
  assert.deepEqual([ratio, ours], [2, 2 ** -10]);
});

test("the odd disturbed sample does not move the ratio", async () => {
  const { now, taking, disturbed } = simulation();
  assert.equal((await compare({ ours: disturbed(8), theirs: taking(16) }, now)).ratio, 2);
});

test("promises are awaited", async () => {
  const { now, taking, later } = simulation();
  assert.equal((await compare({ ours: later(8), theirs: taking(16) }, now)).ratio, 2);
});
