// The benchmark's ratio, against works whose ratio is known.

import assert from "node:assert/strict";
import test from "node:test";
import { compare } from "../../scripts/measure.mjs";

const busy = (turns) => () => {
  let sum = 0;
  for (let turn = 0; turn < turns; turn++) sum += Math.sqrt(turn);
  return sum;
};

test("half the work is about twice as fast, three times the work a third as fast", async () => {
  const faster = await compare({ ours: busy(20_000), theirs: busy(40_000) });
  assert.ok(faster.ratio > 1.4 && faster.ratio < 2.8, `${faster.ratio}`);
  const slower = await compare({ ours: busy(60_000), theirs: busy(20_000) });
  assert.ok(slower.ratio > 0.2 && slower.ratio < 0.5, `${slower.ratio}`);
});

test("promises are awaited", async () => {
  const wait = (ms) => () => new Promise((resolve) => setTimeout(resolve, ms));
  const { ratio, ours } = await compare({ ours: wait(6), theirs: wait(18) });
  assert.ok(ours >= 5, `${ours} ms`);
  assert.ok(ratio > 1.5, `${ratio}`);
});
