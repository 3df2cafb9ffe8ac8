// Reading the chain: many curves from bytes beside the launchpad's SDK, a look beside its request alone, and how long a lost trade
// stays in doubt. On loopback, only this process's CPU time counts: the node has its own.

import { onNode } from "../scripts/engines/side.mjs";
import { ACCOUNTS } from "./chain/curves.mjs";

const curves = (name) => async () => (await import("./chain/curves.mjs"))[name]();
const looks = (name) => async () => (await import("./chain/looks.mjs"))[name]();

export default [
  {
    name: `${ACCOUNTS} curves from bytes, in one call`,
    peer: "@pump-fun/pump-sdk 2.0.0",
    goals: onNode(0.1),
    ours: curves("ours"),
    theirs: curves("sdk"),
  },
  {
    name: "a look with three wallets",
    peer: "its request and JSON.parse",
    goals: onNode(1.2),
    warmUpMs: 2_000,
    ours: looks("ours"),
    theirs: looks("request"),
  },
];

/** How long a trade whose answer is lost stays in doubt, in real time: one that landed, and one that never reached the chain. */
export async function meanwhile() {
  const { settling } = await import("./chain/settling.mjs");
  await settling();
}
