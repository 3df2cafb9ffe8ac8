// Shared by the tests of this folder: a call to the node of a chain around a sandbox.

/** Posts a body of JSON-RPC, and resolves to the response. */
export const post = (chain, body) =>
  chain.fetch("https://sandbox.example/rpc", { method: "POST", headers: { "content-type": "application/json" }, body });
