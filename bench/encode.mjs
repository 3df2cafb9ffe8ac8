// A request checked, base58 and all, and written, against writing or parsing it alone and against zod 4. The peers `ajv`, `sury` and
// `by hand` are for comparison: there is no goal for them. typia is not among them: it checks only what a transformed TypeScript
// compiler has compiled, which would be a build of its own.

import { goals } from "../scripts/engines/side.mjs";
import { MANY } from "./encode/requests.mjs";
import { ajv, byHand, jsonIsValid, jsonRefused, ours, oursIsValid, oursReads, oursRefuses, oursTells, parse, stringify, sury, zod, zodIsValid, zodReads, zodTells } from "./encode/sides.mjs";

const bundles = ["bundleBuy", "bundleSell", "bundleSellByPercentage"].flatMap((operation) => [
  { name: `${operation} of ${MANY}`, peer: "JSON.stringify alone", goals: goals(0.7, 1.2, 2), ours: ours(operation), theirs: stringify(operation) },
  { name: `${operation} of ${MANY}, beside zod`, peer: "zod 4, JSON.stringify", goals: goals(0.33, 0.35, 0.6), ours: ours(operation), theirs: zod(operation) },
  { name: `${operation} of ${MANY}, beside ajv`, peer: "ajv 8, JSON.stringify", goals: {}, ours: ours(operation), theirs: ajv(operation) },
  { name: `${operation} of ${MANY}, beside sury`, peer: "sury 11, JSON.stringify", goals: {}, ours: ours(operation), theirs: sury(operation) },
]);

export default [
  { name: "one buy", peer: "JSON.stringify alone", goals: goals(1.1, 1.9, 4.4), ours: ours("buy"), theirs: stringify("buy") },
  { name: "one buy, beside zod", peer: "zod 4, JSON.stringify", goals: goals(0.55, 0.65, 1.2), ours: ours("buy"), theirs: zod("buy") },
  { name: "one buy, beside ajv", peer: "ajv 8, JSON.stringify", goals: {}, ours: ours("buy"), theirs: ajv("buy") },
  { name: "one buy, beside sury", peer: "sury 11, JSON.stringify", goals: {}, ours: ours("buy"), theirs: sury("buy") },
  { name: "one buy, beside code by hand", peer: "by hand, JSON.stringify", goals: {}, ours: ours("buy"), theirs: byHand("buy") },
  { name: "one buy, validate alone", peer: "JSON.stringify", goals: goals(0.7, 1, 2), ours: oursIsValid, theirs: jsonIsValid },
  { name: "one buy, validate alone, beside zod", peer: "zod 4", goals: goals(0.5, 0.5, 0.6), ours: oursIsValid, theirs: zodIsValid },
  ...bundles,
  { name: "a bad buy, every error reported", peer: "JSON.stringify", goals: goals(2.5, 4.4, 3.2), ours: oursRefuses, theirs: jsonRefused },
  { name: "a bad buy, every error reported, beside zod", peer: "zod 4", goals: goals(0.55, 0.5, 0.4), ours: oursTells, theirs: zodTells },
  { name: `readCall of a bundle of ${MANY}`, peer: "JSON.parse", goals: goals(0.9, 0.95, 2), ours: oursReads, theirs: parse },
  { name: `readCall of a bundle of ${MANY}, beside zod`, peer: "JSON.parse, zod 4", goals: goals(0.25, 0.3, 0.55), ours: oursReads, theirs: zodReads },
];
