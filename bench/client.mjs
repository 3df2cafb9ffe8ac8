// A whole call: what the client costs compared with a fetch and JSON both ways, and with axios. On loopback, only this process's
// CPU time counts, because the service has its own. Only Node has such a clock.

import { onNode } from "../scripts/engines/side.mjs";

const stubbed = (name) => async () => (await import("./client/stubbed.mjs"))[name]();
const onLoopback = (name) => async () => (await import("./client/loopback.mjs"))[name]();

/** Node compiles its own fetch after some thousands of calls, which take a second or two. */
const warmUpMs = 2_000;

export default [
  {
    name: "a call, fetch stubbed",
    peer: "fetch, JSON both ways",
    goals: onNode(2.1),
    ours: stubbed("ours"),
    theirs: stubbed("fetched"),
  },
  {
    name: "a call on loopback",
    peer: "fetch, JSON both ways",
    goals: onNode(1.25),
    warmUpMs,
    ours: onLoopback("ours"),
    theirs: onLoopback("fetched"),
  },
  {
    name: "a call on loopback, beside axios",
    peer: "axios",
    goals: {},
    warmUpMs,
    ours: onLoopback("ours"),
    theirs: onLoopback("axios"),
  },
  {
    name: "a call through the Node transport, its connection kept",
    peer: "fetch, JSON both ways",
    goals: onNode(0.45),
    warmUpMs,
    ours: onLoopback("oursByNodeKept"),
    theirs: onLoopback("fetched"),
  },
];
