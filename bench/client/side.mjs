// One buy, from a request to a trade, by the client and by what a bot would otherwise use.

import { REQUEST } from "./reply.mjs";

export const HEADERS = { "content-type": "application/json", accept: "application/json" };

/** A side that makes a call and returns its result. */
export const side = (run, more) => ({ run, answer: async () => (await run()).result, ...more });

/** fetch, and JSON both ways. */
export const byFetch = (fetch, baseURL) => async () => {
  const response = await fetch(`${baseURL}/v1/trade/buy`, {
    method: "POST",
    headers: HEADERS,
    body: JSON.stringify(REQUEST),
    redirect: "manual",
  });
  return JSON.parse(await response.text());
};
