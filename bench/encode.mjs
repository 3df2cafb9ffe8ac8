// A request checked, base58 and all, and written, against writing it alone and against the ways a bot would check it.

import { MANY } from "./encode/requests.mjs";
import { ajv, byHand, byHandRefuses, ours, oursRefuses, stringify, zod } from "./encode/sides.mjs";

const bundles = ["bundleBuy", "bundleSell", "bundleSellByPercentage"].flatMap((operation) => [
  { name: `${operation} of ${MANY}`, peer: "JSON.stringify alone", goal: 0.3, ours: ours(operation), theirs: stringify(operation) },
  { name: `${operation} of ${MANY}, beside zod`, peer: "zod 4, JSON.stringify", goal: 0.14, ours: ours(operation), theirs: zod(operation) },
]);

export default [
  { name: "one buy", peer: "JSON.stringify alone", goal: 0.45, ours: ours("buy"), theirs: stringify("buy") },
  { name: "one buy, beside code by hand", peer: "by hand, JSON.stringify", goal: 0.38, ours: ours("buy"), theirs: byHand("buy") },
  { name: "one buy, beside ajv", peer: "ajv 8, JSON.stringify", goal: 0.3, ours: ours("buy"), theirs: ajv("buy") },
  { name: "one buy, beside zod", peer: "zod 4, JSON.stringify", goal: 0.2, ours: ours("buy"), theirs: zod("buy") },
  ...bundles,
  { name: "a bad buy refused", peer: "by hand, thrown", goal: 0.1, ours: oursRefuses, theirs: byHandRefuses },
];
