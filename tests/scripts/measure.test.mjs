// The benchmark's ratio, of works whose times are known, by a clock that only they move.

import assert from "node:assert/strict";
import test from "node:test";
import { compare } from "../../scripts/measure.mjs";

/** A side whose calls take so many milliseconds each. */
const taking = (ms) => async (calls) => calls * ms;

/** A side of which every tenth sample is held up by something else on the machine. */
const disturbed = (ms) => {
  let samples = 0;
  return async (calls) => calls * (samples++ % 10 === 9 ? 100 * ms : ms);
};

test("a third of the time is a third, and the other way round", async () => {
  assert.deepEqual(await compare({ ours: taking(8), theirs: taking(24) }), { ratio: 1 / 3, ours: 8, theirs: 24 });
  assert.deepEqual(await compare({ ours: taking(24), theirs: taking(8) }), { ratio: 3, ours: 24, theirs: 8 });
});

test("works below the clock's grain are measured many calls at a time", async () => {
  const counts = [];
  const ours = async (calls) => (counts.push(calls), calls * 2 ** -10);
  assert.deepEqual(await compare({ ours, theirs: taking(2 ** -9) }), { ratio: 0.5, ours: 2 ** -10, theirs: 2 ** -9 });
  assert.ok(counts.at(-1) * 2 ** -10 >= 5, "a sample outlasts the grain");
});

test("the odd disturbed sample does not move the ratio", async () => {
  assert.equal((await compare({ ours: disturbed(8), theirs: taking(16) })).ratio, 0.5);
});

test("the two sides are measured in turns", async () => {
  const order = [];
  const side = (name) => async (calls) => (order.push(name), calls * 8);
  await compare({ ours: side("ours"), theirs: side("theirs") });
  const samples = order.slice(2);
  assert.ok(samples.length > 50 && samples.every((name, at) => name === ["ours", "theirs"][at % 2]));
});
