// A call to a service on loopback, by the CPU time of this process: the service has its own process.

import { fork } from "node:child_process";
import { REQUEST } from "./reply.mjs";
import { HEADERS, byFetch, side } from "./side.mjs";

/** A service in its own process, and the clock. */
async function onLoopback() {
  const server = fork(new URL("server.mjs", import.meta.url));
  const port = await new Promise((resolve) => server.once("message", resolve));
  server.unref();
  server.channel.unref();
  const clock = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  return { baseURL: `http://127.0.0.1:${port}`, clock };
}

export async function ours() {
  const { TradeClient } = await import("launchpad-desk");
  const { baseURL, clock } = await onLoopback();
  const client = new TradeClient({ baseURL, fetch });
  return side(() => client.buy(REQUEST), { clock });
}

/** Keeps its connection, as a fetch does. */
export async function oursByNodeKept() {
  const { TradeClient } = await import("launchpad-desk");
  const { nodeFetch } = await import("launchpad-desk/node");
  const { baseURL, clock } = await onLoopback();
  const client = new TradeClient({ baseURL, fetch: nodeFetch({ connectionPerTrade: false }) });
  return side(() => client.buy(REQUEST), { clock });
}

export async function fetched() {
  const { baseURL, clock } = await onLoopback();
  return side(byFetch(fetch, baseURL), { clock });
}

export async function axios() {
  const { default: axios } = await import("axios");
  const { baseURL, clock } = await onLoopback();
  return side(
    async () => (await axios.post(`${baseURL}/v1/trade/buy`, REQUEST, { headers: HEADERS, maxRedirects: 0 })).data,
    { clock },
  );
}
