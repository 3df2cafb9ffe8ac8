// A reply of 1 KB read into a trade, checked and without loss, against parsing it alone, with loss or without.

import { onNode } from "../scripts/engines/side.mjs";
import { jsonBigint, ours, oursOfBytes, parse, parseBytes, zod } from "./decode/sides.mjs";

export default [
  { name: "a reply", peer: "JSON.parse alone", goals: { node20: 1.6 }, ours, theirs: parse },
  { name: "a reply, beside zod", peer: "JSON.parse, zod 4", goals: onNode(2), ours, theirs: zod },
  { name: "a reply, beside json-bigint", peer: "json-bigint", goals: {}, ours, theirs: jsonBigint },
  { name: "a reply's bytes", peer: "TextDecoder, JSON.parse", goals: {}, ours: oursOfBytes, theirs: parseBytes },
];
