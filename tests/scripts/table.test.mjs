// What a bench prints of what it measured.

import assert from "node:assert/strict";
import test from "node:test";
import { duration, ratioTable, verdict, workHead, workLine } from "../../scripts/table.mjs";

const WORK = { name: "one buy", peer: "JSON.stringify", goals: { node20: 0.5, firefox: 0.25 } };
const OTHER = { name: "a reply", peer: "JSON.parse", goals: {} };

test("times are told in the unit that suits them", () => {
  assert.deepEqual([0.000_012_34, 0.000_999_4, 0.001, 0.5, 1, 12.34].map(duration), ["12.3 ns", "999 ns", "1.00 µs", "500 µs", "1.00 ms", "12.3 ms"]);
});

test("a goal is met up to itself, missed beyond, and none has no verdict", () => {
  assert.deepEqual([verdict(0.5, 0.5), verdict(0.501, 0.5), verdict(9, undefined)], ["met", "MISSED", ""]);
});

test("a work's line stands under its head: ratio, goal, verdict and both times", () => {
  const measured = { ratio: 0.75, ours: 0.003, theirs: 0.004 };
  const missed = workLine(WORK, 0.5, measured);
  assert.match(missed, /^one buy +JSON\.stringify +0\.750 +0\.5 MISSED 3\.00 µs against 4\.00 µs$/);
  assert.equal(missed.indexOf("3.00 µs"), workHead().indexOf("our time"));
  assert.match(workLine(WORK, undefined, measured), /^one buy +JSON\.stringify +0\.750 +3\.00 µs against 4\.00 µs$/);
});

test("the table of all engines has a column each, and a dash where a work did not run", () => {
  const ratios = new Map([[WORK, { node20: 0.75, firefox: 0.2 }], [OTHER, { node20: 1.5 }]]);
  const [head, one, other] = ratioTable([WORK, OTHER], ["node20", "firefox"], ratios).split("\n");
  assert.match(head, /^work +peer +node20 +firefox$/);
  assert.match(one, /^one buy +JSON\.stringify +0\.750 MISSED +0\.200 met$/);
  assert.match(other, /^a reply +JSON\.parse +1\.500 +–$/);
  for (const [row, cell] of [[one, "0.200"], [other, "–"]]) assert.equal(row.indexOf(cell), head.indexOf("firefox"));
});
