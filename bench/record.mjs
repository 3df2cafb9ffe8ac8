// The record of a desk: verifying one, compared with what any check of a chain of lines must do.

import { onNode } from "../scripts/engines/side.mjs";

/** Trades in the record, each planned in a sandbox: six lines. */
export const TRADES = 1_000;
const LINES = 6 * TRADES + 1;

const side = (name) => async () => (await import("./record/sides.mjs"))[name]();

export default [
  {
    name: `a record of ${TRADES} trades, verified`,
    peer: "JSON.parse and node:crypto",
    goals: onNode(1.8),
    told: (milliseconds) => `${Math.round((LINES * 1_000) / milliseconds)} lines/s`,
    ours: side("verified"),
    theirs: side("byHand"),
  },
];
