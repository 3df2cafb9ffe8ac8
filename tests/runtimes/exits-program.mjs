// A bot that manages one position after another, for exits-kill.test.mjs to kill.

import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TradeClient } from "launchpad-desk";
import { Exits, Market } from "launchpad-desk/market";
import { fileJournal } from "launchpad-desk/node";

const [, , url, folder, settledBy] = process.argv;
const asked = async (path) => (await fetch(url + path)).json();

// The chain's time passes faster than ours, and this program lives by it.
let nowMs;
const realNow = Date.now;
Date.now = () => nowMs ?? realNow();

const chain =
  settledBy === "chain" ? new Market({ rpc: `${url}/rpc`, walletsShared: false, serviceHoldsMs: 10_000 }) : undefined;
if (chain) nowMs = (await asked("/task")).nowMs;
const journal = fileJournal(join(folder, "trades.journal"));
const client = new TradeClient({
  baseURL: url,
  journal,
  intentHeader: "idempotency-key",
  breaker: { unknowns: 1_000_000 },
  ...(chain && { market: chain }),
});
const service = {
  look: () => asked("/look"),
  foundOf: async ({ intentId }) => (await asked(`/settle?${intentId}`)).found,
};
// Prices, and what became of an exit, by the node alone.
const node = {
  look: async (mint, wallets) => {
    const { atMs, nowMs: now } = await asked("/look");
    nowMs = now;
    return { ...(await chain.look(mint, wallets)), atMs };
  },
  confirm: (signature) => chain.confirm(signature),
};

for (;;) {
  const { position, plan } = await asked("/task");
  const file = join(folder, `${position.id}.json`);
  const kept = await readFile(file, "utf8").then(JSON.parse, () => null);
  const save = async (state) => {
    await writeFile(`${file}.new`, JSON.stringify(state));
    await rename(`${file}.new`, file);
  };
  // Every other position has no state: then the journal alone says what was sold.
  const options = position.id.endsWith("0") ? {} : { kept, save };
  for await (const { what } of client.manage(position, new Exits(plan), chain ? node : service, {
    ...options,
    everyMs: 1,
  }))
    if (what === "over") break;
  await asked(`/over?${position.id}`);
}
