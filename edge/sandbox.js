// The sandbox behind a desk without a service. It takes what a service would get, and a chain around it answers as a node, so the gateway
// reads prices as it does live. Its state is in the object's store.

import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { ask, post } from "./post.js";

/** By this address the gateway's core names the sandbox. It never resolves. */
const ADDRESS = "https://sandbox.invalid";

const TABLE = "CREATE TABLE IF NOT EXISTS sandbox (number INTEGER PRIMARY KEY, rows TEXT NOT NULL)";

/** The most rows of a sandbox in one row of the store, which has at most 2 MB. */
const PIECE = 1_000;

/** So many rows more than twice the state are kept before the state replaces them. */
const GROWTH = 10_000;

/** Reads requests by the rules by which the gateway checks and writes them. */
const configOf = ({ sandbox, slippageUnit, identifiers, maxBundleSize }) => ({
  ...sandbox,
  slippageUnit,
  identifiers,
  maxBundleSize,
});

/** What is wrong with the sandbox's settings; `undefined` if nothing is. */
export function problemOf(settings) {
  try {
    new Sandbox(configOf(settings)).free();
    return undefined;
  } catch (error) {
    return `sandbox: ${error.message}`;
  }
}

/** Continues a sandbox from the store, and keeps there what each call changes. */
function keep(sandbox, { sql }) {
  sql.exec(TABLE);
  const kept = [...sql.exec("SELECT rows FROM sandbox ORDER BY number")].flatMap(({ rows }) => JSON.parse(rows));
  if (kept.length) sandbox.apply(kept);
  let count = 0;
  let most = 0;
  const add = (rows) => {
    for (let at = 0; at < rows.length; at += PIECE)
      sql.exec("INSERT INTO sandbox (rows) VALUES (?)", JSON.stringify(rows.slice(at, at + PIECE)));
    count += rows.length;
  };
  const shorten = () => {
    sql.exec("DELETE FROM sandbox");
    count = 0;
    add(sandbox.rows());
    most = 2 * count + GROWTH;
  };
  shorten();
  sandbox.onChanges((changes) => {
    // The state is still that of before the call.
    if (count > most) shorten();
    add(changes.map(({ row }) => row));
  });
}

/** Opens the sandbox of a desk, as `openUpstream` says. */
export function openSandbox(storage, settings) {
  const sandbox = new Sandbox(configOf(settings));
  storage.transactionSync(() => keep(sandbox, storage));
  const { fetch } = new LocalChain(sandbox);
  return {
    rpc: `${ADDRESS}/rpc`,
    ask: (call) => ask(call, fetch),
    market: (path, headers) => fetch(ADDRESS + path, { headers }),
    async forward(step, maySend) {
      if (!maySend()) return { failure: "unsent" };
      let isRefused = false;
      const result = await post(step, (...sent) =>
        fetch(...sent).catch((error) => {
          isRefused = error.cause?.code === "ECONNREFUSED";
          throw error;
        }),
      );
      return isRefused ? { failure: "unsent" } : result;
    },
  };
}
