// A whole call: what the client costs beside a fetch and JSON both ways, and beside axios. On loopback it is the
// processor's time in this process that counts: the service has one of its own.

import { axios, fetchStubbed, fetched, ours, oursByNode, oursStubbed } from "./client/sides.mjs";

export default [
  { name: "a call, fetch stubbed", peer: "fetch, JSON both ways", goal: 2, ours: oursStubbed, theirs: fetchStubbed },
  { name: "a call on loopback", peer: "fetch, JSON both ways", goal: 1.1, ours, theirs: fetched },
  { name: "a call on loopback, beside axios", peer: "axios", goal: 1.1, ours, theirs: axios },
  { name: "a call through the Node transport", peer: "fetch, JSON both ways", goal: 0.4, ours: oursByNode, theirs: fetched },
];
