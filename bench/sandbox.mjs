// The sandbox: a trade in it compared with no service at all, with the same Rust without WebAssembly, in a large world compared
// with a small one, and over HTTP compared with the least that a Node server does with JSON.

import { everywhere, onNode } from "../scripts/engines/side.mjs";

const calls = (name) => async () => (await import("./sandbox/calls.mjs"))[name]();
const steps =
  (name, ...world) =>
  async () =>
    (await import("./sandbox/steps.mjs"))[name](...world);
const http = (name) => async () => (await import("./sandbox/http.mjs"))[name]();

/** Wallets and tokens. */
const [SMALL, LARGE] = [
  [1_000, 10],
  [100_000, 1_000],
];

export default [
  {
    name: "a trade in process, through the client",
    peer: "the same, fetch stubbed",
    ...everywhere(3),
    ours: calls("inSandbox"),
    theirs: calls("stubbed"),
  },
  // Each of a million trades costs what one of these does, because a world keeps only its newest thousand.
  {
    name: "2000 trades of 1000 wallets, 10 tokens",
    peer: "native Rust",
    ...everywhere(2),
    ours: steps("replies", ...SMALL),
    theirs: { native: SMALL.map(String) },
  },
  {
    name: "2000 trades among 100000 wallets, 1000 tokens",
    peer: "among 1000 and 10",
    goals: onNode(1.5),
    ours: steps("landed", ...LARGE),
    theirs: steps("landed", ...SMALL),
  },
  // A time ratio of at most 1 / 0.6, because the goal is 0.6 of the peer's requests per second.
  {
    name: "1000 trades over HTTP",
    peer: "bare node:http, JSON echoed",
    goals: onNode(1.67),
    warmUpMs: 2_000,
    ours: http("sandbox"),
    theirs: http("echo"),
  },
];
