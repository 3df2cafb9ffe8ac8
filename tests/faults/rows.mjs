// The table. A row says what the server does with a call, what the caller must be told, and how many POSTs of it the
// server must have seen. To add one: a line in a file of rows/, with
//
//   name      what happens, in words; no two rows have the same
//   script    what the server does with each POST: see Exchange in server.mjs
//   expect    what comes of each call (outcomes.mjs); where calls differ, a list, or a function of the call's number
//   posts     how often each call reaches the server, likewise; 1 where it is not said
//   on        { family: { expect, posts } } where runtimes differ (runtimes.mjs has the families); the last that fits counts
//   only, not families of runtimes on which alone, or on which not, it makes sense
//   options   further options of the client        call      further options of each call; a list where calls differ
//   calls     how many calls, 1                    parallel  how many of them at once, 1
//   warm      whether the client opens a connection ahead
//   ownOrigin whether to try it, in a browser, with the page's own origin too
//   wire      through the edge gateway: what happens between the page and the gateway
//   http2     whether the script speaks HTTP/2: see http2.mjs
//   tls, host, refuses, onConnection, preflightConnection: see openServer in server.mjs

import { rows as again } from "./rows/again.mjs";
import { rows as caller } from "./rows/caller.mjs";
import { rows as connection } from "./rows/connection.mjs";
import { rows as edge } from "./rows/edge.mjs";
import { rows as http2 } from "./rows/http2.mjs";
import { rows as reply } from "./rows/reply.mjs";
import { rows as status } from "./rows/status.mjs";
import { rows as tls } from "./rows/tls.mjs";

const DEFAULTS = { task: "calls", calls: 1, parallel: 1, posts: 1, options: {}, call: {}, on: {}, not: [] };

export const ROWS = [...connection, ...reply, ...status, ...tls, ...caller, ...edge, ...http2, ...again].map((row) => ({
  ...DEFAULTS,
  ...row,
}));

const names = ROWS.map(({ name }) => name);
const twice = names.find((name, index) => names.indexOf(name) !== index);
if (twice) throw new Error(`two rows are called "${twice}"`);

/**
 * Whether some runtime is known to differ in a row: for a runtime whose network another one has as well, which takes all rows. Between such
 * two the other rows have no difference to find: what they try is the same code of ours, on the same answer.
 */
export const differs = ({ on, only, not, ownOrigin }) =>
  Object.keys(on).length > 0 || only !== undefined || not.length > 0 || ownOrigin === true;

/** A row as it is on a runtime of these families: what it expects there, and `undefined` where it makes no sense. */
export function rowOn(row, families) {
  const isOf = (family) => families.includes(family);
  if (row.not.some(isOf) || (row.only && !row.only.some(isOf))) return undefined;
  const { expect, posts } = Object.assign(
    { expect: row.expect, posts: row.posts },
    ...families.map((family) => row.on[family]),
  );
  const forCall = (value, call) =>
    typeof value === "function" ? value(call) : Array.isArray(value) ? value[call] : value;
  return { ...row, expected: (call) => forCall(expect, call), expectedPosts: (call) => forCall(posts, call) };
}
