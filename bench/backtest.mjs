// Backtests: exit plans over a tape, compared with the same loop by hand, over the launchpad's own SDK, and in native Rust.

import { everywhere, onNode } from "../scripts/engines/side.mjs";
import { PLANS, SOME_PLANS, SOME_TRADES, TRADES } from "./backtest/work.mjs";

const ours =
  (name, ...size) =>
  async () =>
    (await import("./backtest/ours.mjs"))[name](...size);
const peer =
  (name, ...size) =>
  async () =>
    (await import("./backtest/by-hand.mjs"))[name](...size);

const SOME = [SOME_TRADES, SOME_PLANS];
const told = (ms) => `${(ms / 1_000).toFixed(2)} s`;

export default [
  {
    name: `${SOME_TRADES} trades, ${SOME_PLANS} exit plans`,
    peer: "BigInt by hand",
    ...everywhere(0.3),
    ours: ours("some", ...SOME),
    theirs: peer("byBigInt", ...SOME),
  },
  {
    name: `${SOME_TRADES} trades, ${SOME_PLANS} exit plans, beside the SDK`,
    peer: "@pump-fun/pump-sdk 2.0.0",
    goals: onNode(0.05),
    ours: ours("someRoughly", ...SOME),
    theirs: peer("bySdk", ...SOME),
  },
  // The goal for our own time is 2 s.
  {
    name: `${TRADES} trades, ${PLANS} exit plans`,
    peer: "native Rust",
    goals: onNode(1.6),
    warmUpMs: 1,
    told,
    ours: ours("some", TRADES, PLANS),
    theirs: { native: [`${TRADES}`, `${PLANS}`] },
  },
  // The peer is only there to be timed with: what counts is our own time, whose goal is 20 µs.
  {
    name: "a look of `manage`, goal 20 µs",
    peer: "another one",
    goals: {},
    ours: ours("ticking"),
    theirs: ours("ticking"),
  },
];
