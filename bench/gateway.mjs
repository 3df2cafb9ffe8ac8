// The edge gateway: what a trade through it costs compared with a worker that only forwards it, with the key. Its objects are
// kept in memory, where the machine has a file system there: the edge has its own storage, not our disk.

import { NODES } from "../scripts/engines/side.mjs";
import { duration } from "../scripts/measure.mjs";

const through = (name) => async () => (await import("./gateway/through.mjs"))[name]();

const started = (trades) => async () => (await import("./gateway/started.mjs")).started(trades);

/** Requests in a run. */
export const REQUESTS = 400;

const each = (milliseconds) => `${duration(milliseconds / REQUESTS)} a request`;
/** A goal for the one engine that it runs on. */
const atMost = (goal) => ({ [NODES[0]]: goal });

const work = { told: each, engines: NODES.slice(0, 1), warmUpMs: 1_000 };

export default [
  {
    ...work,
    name: "a forwarded trade, processor time",
    peer: "a bare forwarding worker",
    goals: atMost(2),
    ours: through("gateway"),
    theirs: through("bare"),
  },
  {
    ...work,
    name: "an object that decides nothing, processor time",
    peer: "a bare forwarding worker",
    goals: {},
    ours: through("object"),
    theirs: through("bare"),
  },
  {
    ...work,
    name: "a replayed answer, processor time",
    peer: "a bare forwarding worker",
    goals: atMost(2),
    ours: through("replays"),
    theirs: through("bare"),
  },
  {
    ...work,
    name: "a start with 43,000 intents to its first answer, processor time",
    peer: "a start with none",
    goals: atMost(3),
    told: duration,
    warmUpMs: 1,
    ours: started(43_000),
    theirs: started(0),
  },
];
