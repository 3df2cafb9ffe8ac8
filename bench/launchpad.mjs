// The launchpad's maths against what a bot would otherwise use: BigInt in plain JS, bn.js, the launchpad's own SDK, and
// the same Rust without a crossing. Every peer is as good as its language lets it be: same rules, same answer.

import { IN_BROWSERS_TOO } from "../scripts/engines/side.mjs";
import { LARGE, SOME, WALLETS } from "./launchpad/amounts.mjs";

const ours = (name) => async () => (await import("./launchpad/ours.mjs"))[name]();
const bigint = (name) => async () => (await import("./launchpad/bigint.mjs"))[name]();
const bn = (name) => async () => (await import("./launchpad/bn.mjs"))[name]();
const sdk = (name) => async () => (await import("./launchpad/sdk.mjs"))[name]();

export default [
  {
    name: "one buy, amounts as bigint",
    peer: "BigInt",
    goals: { node20: 0.33 },
    ours: ours("oneBuy"),
    theirs: bigint("oneBuy"),
  },
  { name: "one buy, beside bn.js", peer: "bn.js", goals: { node20: 0.05 }, ours: ours("oneBuy"), theirs: bn("oneBuy") },
  {
    name: "one buy, beside the SDK",
    peer: "@pump-fun/pump-sdk 2.0.0",
    goals: { node20: 0.04 },
    ours: ours("oneEvenBuy"),
    theirs: sdk("oneBuy"),
  },
  {
    name: `${LARGE} buys on one curve, copies counted`,
    peer: "BigInt",
    goals: { node20: 0.5 },
    ours: ours("manyBuys"),
    theirs: bigint("manyBuys"),
  },
  {
    name: `${LARGE} buys on one curve`,
    peer: "native Rust",
    goals: {},
    ours: ours("manyBuys"),
    theirs: { native: ["many-buys", String(LARGE)] },
  },
  {
    name: `${SOME} buys in sequence`,
    peer: "BigInt",
    goals: { node20: 0.5 },
    ours: ours("sequence"),
    theirs: bigint("sequence"),
  },
  {
    name: `${SOME} buys in sequence, beside bn.js`,
    peer: "bn.js",
    goals: { node20: 0.05 },
    ours: ours("sequence"),
    theirs: bn("sequence"),
  },
  {
    name: "largest buy under 5 % impact",
    peer: "BigInt bisection",
    goals: { node20: 0.015 },
    ours: ours("largestBuy"),
    theirs: bigint("largestBuy"),
  },
  {
    name: `equal tokens over ${WALLETS} wallets`,
    peer: "BigInt bisection",
    goals: { node20: 0.25 },
    ours: ours("equalTokens"),
    theirs: bigint("equalTokens"),
  },
  {
    name: "a whole quote against one price",
    peer: "BigInt",
    goals: { node20: 5 },
    ours: ours("quotedBuy"),
    theirs: bigint("oneBuy"),
  },
  {
    name: "the numbers of a quote in a loop",
    peer: "a price in BigInt",
    goals: { node20: 2, node24: 2 },
    ours: ours("quotedNumbers"),
    theirs: bigint("oneBuy"),
  },
  {
    name: "a panel's whole quote",
    peer: "bn.js",
    engines: IN_BROWSERS_TOO,
    goals: { node20: 0.5 },
    ours: ours("wholeQuote"),
    theirs: bn("wholeQuote"),
  },
];
