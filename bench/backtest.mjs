// Backtests: exit plans over a tape, compared with the same loop by hand, over the launchpad's own SDK, and in native Rust.

import { onNode } from "../scripts/engines/side.mjs";
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
const whole = {
  name: `${TRADES} trades, ${PLANS} exit plans`,
  warmUpMs: 1,
  told: (ms) => `${(ms / 1_000).toFixed(2)} s`,
  ours: ours("some", TRADES, PLANS),
};

export default [
  // The goal for our own time is 2 s.
  { ...whole, peer: "BigInt by hand", goals: onNode(0.3), theirs: peer("byBigInt", TRADES, PLANS) },
  {
    ...whole,
    name: `${whole.name}, beside Rust`,
    peer: "native Rust",
    goals: onNode(1.6),
    theirs: { native: [`${TRADES}`, `${PLANS}`] },
  },
  {
    name: `${SOME_TRADES} trades, ${SOME_PLANS} exit plans, beside the SDK`,
    peer: "@pump-fun/pump-sdk 2.0.0",
    goals: onNode(0.05),
    ours: ours("someRoughly", ...SOME),
    theirs: peer("bySdk", ...SOME),
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
