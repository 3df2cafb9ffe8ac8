// A request checked, base58 and all, and written, against writing or parsing it alone and against zod 4. `ajv`, `sury` and `valibot` are
// peers, too, and so is code by hand, which has no goal. typia is not among them: it checks only what a transformed TypeScript compiler
// has compiled, which would be a build of its own.

import { IN_BROWSERS_TOO, onNode } from "../scripts/engines/side.mjs";
import { MANY } from "./encode/requests.mjs";
import {
  ajv,
  ajvReads,
  byHand,
  jsonIsValid,
  jsonRefused,
  ours,
  oursIsValid,
  oursReads,
  oursRefuses,
  oursTells,
  parse,
  stringify,
  sury,
  valibot,
  valibotTells,
  zod,
  zodIsValid,
  zodReads,
  zodTells,
} from "./encode/sides.mjs";

const peers = { zod: ["zod 4", zod], ajv: ["ajv 8", ajv], sury: ["sury 11", sury], valibot: ["valibot 1", valibot] };

/** A work beside each peer, with the goals beside those that have one. */
const beside = (name, operation, goals) =>
  Object.entries(peers).map(([peer, [title, side]]) => ({
    name: `${name}, beside ${peer}`,
    peer: `${title}, JSON.stringify`,
    goals: peer in goals ? onNode(goals[peer]) : {},
    ours: ours(operation),
    theirs: side(operation),
  }));

const bundles = ["bundleBuy", "bundleSell", "bundleSellByPercentage"].map((operation) => ({
  name: `${operation} of ${MANY}`,
  peer: "JSON.stringify alone",
  goals: { node20: 1.6, node24: 2.9 },
  ours: ours(operation),
  theirs: stringify(operation),
}));

const bad = "a bad buy, every error reported";
const reads = `readCall of a bundle of ${MANY}`;

export default [
  {
    name: "one buy",
    peer: "JSON.stringify alone",
    engines: IN_BROWSERS_TOO,
    goals: { node20: 2.5, node24: 4.5 },
    ours: ours("buy"),
    theirs: stringify("buy"),
  },
  ...beside("one buy", "buy", { zod: 1 }),
  {
    name: "one buy, beside code by hand",
    peer: "by hand, JSON.stringify",
    goals: {},
    ours: ours("buy"),
    theirs: byHand("buy"),
  },
  { name: "one buy, isValid", peer: "JSON.stringify", goals: { node20: 1.7 }, ours: oursIsValid, theirs: jsonIsValid },
  { name: "one buy, isValid, beside zod", peer: "zod 4", goals: {}, ours: oursIsValid, theirs: zodIsValid },
  ...bundles,
  ...beside(`bundleBuy of ${MANY}`, "bundleBuy", { zod: 1.3, ajv: 1.3, sury: 1.3, valibot: 1.3 }),
  { name: bad, peer: "JSON.stringify", goals: { node20: 6, node24: 10 }, ours: oursRefuses, theirs: jsonRefused },
  { name: `${bad}, beside zod`, peer: "zod 4", goals: {}, ours: oursTells, theirs: zodTells },
  { name: `${bad}, beside valibot`, peer: "valibot 1", goals: {}, ours: oursTells, theirs: valibotTells },
  { name: reads, peer: "JSON.parse", goals: { node20: 2.2 }, ours: oursReads, theirs: parse },
  { name: `${reads}, beside zod`, peer: "JSON.parse, zod 4", goals: onNode(0.8), ours: oursReads, theirs: zodReads },
  { name: `${reads}, beside ajv`, peer: "JSON.parse, ajv 8", goals: onNode(1), ours: oursReads, theirs: ajvReads },
];
