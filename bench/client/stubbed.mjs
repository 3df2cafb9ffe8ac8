// A call whose fetch answers at once, on any engine.

import { REQUEST, reply } from "./reply.mjs";
import { byFetch, side } from "./side.mjs";

const stub = async () => new Response(reply());

export async function ours() {
  const { TradeClient } = await import("launchpad-desk");
  const client = new TradeClient({ baseURL: "https://service.example", fetch: stub });
  return side(() => client.buy(REQUEST));
}

export const fetched = () => side(byFetch(stub, "https://sandbox.invalid"));
