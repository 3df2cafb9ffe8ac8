// A reply of 1 KB read into a trade, checked and without loss, against parsing it alone, with loss or without.

import { jsonBigint, ours, oursOfBytes, parse, parseBytes, zod } from "./decode/sides.mjs";

export default [
  { name: "a reply", peer: "JSON.parse alone", goal: 0.5, ours, theirs: parse },
  { name: "a reply, beside zod", peer: "JSON.parse, zod 4", goal: 0.4, ours, theirs: zod },
  { name: "a reply, beside json-bigint", peer: "json-bigint", goal: 0.125, ours, theirs: jsonBigint },
  { name: "a reply's bytes", peer: "TextDecoder, JSON.parse", goal: 0.9, ours: oursOfBytes, theirs: parseBytes },
];
