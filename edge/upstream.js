// What is behind a desk: the service and your node, or a sandbox in the desk's own object.

import { forward } from "./forward.js";
import { ask } from "./post.js";

/** Whether the settings name no service. */
export const isSimulated = (settings) => (settings?.upstream ?? undefined) === undefined;

/**
 * Resolves to what a desk sends by:
 *
 * - `forward(step, maySend)` sends a trade, once
 * - `ask(call)` asks the node, which is at the URL `rpc` if there is one
 * - `market(path, headers)` reads the market of a sandbox
 */
export async function openUpstream(storage, { SETTINGS, RPC_URL }) {
  if (!isSimulated(SETTINGS)) return { rpc: RPC_URL, forward, ask };
  // Loaded only here: a gateway in front of a service runs no sandbox.
  const { openSandbox } = await import("./sandbox.js");
  return openSandbox(storage, SETTINGS);
}
