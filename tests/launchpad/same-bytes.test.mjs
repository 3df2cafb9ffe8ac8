// Ten thousand random quotes in Node are those of native Rust, to the byte.

import assert from "node:assert/strict";
import test from "node:test";
import * as maths from "launchpad-desk/market";
import { seedOr } from "../seed.mjs";
import { firstDifference, nativeQuotes } from "./native-quotes.mjs";
import { answers } from "./quotes.mjs";

const SEED = BigInt.asUintN(63, seedOr(7));

test("10,000 random quotes are the bytes of native Rust", async () => {
  const { asked, answered } = await nativeQuotes(SEED);
  assert.equal(asked.length, 10_000);
  assert.equal(firstDifference(answers(maths, asked), answered, asked), undefined);
  const refused = answered.match(/^\{"refused":/gm).length;
  assert.ok(refused > 1_000 && refused < 6_000, `${refused} of them refused: both kinds are asked`);
  for (const method of ["quoteBuyExactIn", "quoteBuyExactOut", "quoteSellExactIn", "quoteSellPercentage"]) {
    const quoted = asked.filter((line) => line.includes(method)).length;
    assert.ok(quoted > 2_000, method);
  }
});
