// Shared by the tests of this folder: the node of a chain around a sandbox, and the service that trades there.

/** Posts a body, which a node takes for JSON-RPC, and resolves to the response. */
export const post = (chain, body, { url = "https://sandbox.example/rpc", headers } = {}) =>
  chain.fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });

/** The node of a chain, for a market; `before` is called at each request, with its body. */
export const rpcOf = (chain, before) => async (body) => {
  await before?.(body);
  return (await post(chain, body)).text();
};

/** The service at https://service.example, which trades in a sandbox. */
export const serviceOf = (sandbox) => (url, init) =>
  sandbox.fetch(url.replace("https://service.example", "https://sandbox.example"), { ...init, signal: undefined });

/** A signature that no transaction has. */
export const NEVER = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

/** The reply to a buy that landed, by this signature. */
export const boughtBy = (mint, wallet, signature) => ({
  result: {
    ...{ mint, wallet, buyAmount: 5_000, preTokenBalance: 0, postTokenBalance: 5_000 },
    transactionResult: { success: true, signature, results: "ok" },
  },
});

/** Lets what is due happen, while no time passes. */
export async function turns(count = 200) {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

/** What the events of exits say that happened. */
export const whats = (events) => events.map(({ what }) => what);
