// A request checked, base58 and all, and written, against writing it alone and against the ways a bot would check it.

import { everywhere, inBrowsers, onNode } from "../scripts/engines/side.mjs";
import { MANY } from "./encode/requests.mjs";
import { ajv, byHand, byHandRefuses, byHandTells, ours, oursRefuses, oursTells, stringify, zod } from "./encode/sides.mjs";

const bundles = ["bundleBuy", "bundleSell", "bundleSellByPercentage"].flatMap((operation) => [
  { name: `${operation} of ${MANY}`, peer: "JSON.stringify alone", goals: { node20: 0.3, node24: 0.4, ...inBrowsers(1) }, ours: ours(operation), theirs: stringify(operation) },
  { name: `${operation} of ${MANY}, beside zod`, peer: "zod 4, JSON.stringify", goals: onNode(0.14), ours: ours(operation), theirs: zod(operation) },
]);

export default [
  { name: "one buy", peer: "JSON.stringify alone", goals: { node20: 0.45, node24: 0.9 }, ours: ours("buy"), theirs: stringify("buy") },
  { name: "one buy, beside code by hand", peer: "by hand, JSON.stringify", goals: { node20: 0.38 }, ours: ours("buy"), theirs: byHand("buy") },
  { name: "one buy, beside ajv", peer: "ajv 8, JSON.stringify", goals: { node20: 0.3 }, ours: ours("buy"), theirs: ajv("buy") },
  { name: "one buy, beside zod", peer: "zod 4, JSON.stringify", goals: { ...onNode(0.2), ...inBrowsers(0.5) }, ours: ours("buy"), theirs: zod("buy") },
  ...bundles,
  { name: "a bad buy refused", peer: "by hand, thrown", goals: everywhere(0.1), ours: oursRefuses, theirs: byHandRefuses },
  { name: "a bad buy, every bad field told", peer: "by hand, the first thrown", goals: {}, ours: oursTells, theirs: byHandTells },
];
