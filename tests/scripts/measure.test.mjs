// The benchmark's ratio, for works with known times, by a clock that only they advance.

import assert from "node:assert/strict";
import test from "node:test";
import { compare, duration, middle, verdict } from "../../scripts/measure.mjs";

/** A side whose calls take this many milliseconds each. */
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

/** A side that takes a hundred times as long at first, as one does that is not compiled yet. */
const compiled = (ms, after) => {
  let calls = 0;
  const side = async (more) => ((calls += more), (side.last = more), more * (calls <= after ? 100 * ms : ms));
  return side;
};

test("a slow start makes for no short samples: both sides are warm before calls are counted", async () => {
  const [ours, theirs] = [compiled(2 ** -6, 64), compiled(2 ** -5, 32)];
  assert.equal((await compare({ ours, theirs })).ratio, 0.5);
  for (const [side, ms] of [
    [ours, 2 ** -6],
    [theirs, 2 ** -5],
  ])
    assert.ok(side.last * ms >= 5, `a sample of ${side.last * ms} ms`);
});

test("the odd disturbed sample does not move the ratio", async () => {
  assert.equal((await compare({ ours: disturbed(8), theirs: taking(16) })).ratio, 0.5);
});

test("the two sides are measured in turns", async () => {
  const order = [];
  const side = (name) => async (calls) => (order.push(name), calls * 8);
  await compare({ ours: side("ours"), theirs: side("theirs") });
  const samples = order.slice(-30);
  assert.ok(samples.length === 30 && samples.every((name, at) => name === ["ours", "theirs"][at % 2]));
});

test("of several comparisons the middle one counts, whole", () => {
  const [low, mid, high] = [0.5, 2, 3].map((ratio) => ({ ratio, ours: ratio, theirs: 1 }));
  for (const order of [
    [low, mid, high],
    [high, low, mid],
    [mid, high, low],
  ])
    assert.equal(middle(order), mid);
});

test("times are shown in a suitable unit", () => {
  assert.deepEqual([0.000_012_34, 0.000_999_4, 0.001, 0.5, 1, 12.34].map(duration), [
    "12.3 ns",
    "999 ns",
    "1.00 µs",
    "500 µs",
    "1.00 ms",
    "12.3 ms",
  ]);
});

test("a goal is met up to itself, missed beyond, and none has no verdict", () => {
  assert.deepEqual(
    [verdict(0.5, 0.5), verdict(0.501, 0.5), verdict(9, undefined)],
    ["0.500, met 0.5", "0.501, MISSED 0.5", "9.000"],
  );
});
