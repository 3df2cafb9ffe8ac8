// Kills a bot while its trade is in flight, whatever the service has done with the trade. Each restart settles what the
// balances prove, reports what they cannot prove, and sends nothing a second time.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TradeClient, reconcile } from "launchpad-desk";
import { fileJournal } from "launchpad-desk/node";

const [, script, path, baseURL, number, expiresMs = 120_000] = process.argv;

/** What wallets hold: ask a node of the network, at the commitment `finalized`, in place of the service. @param {string[]} wallets */
async function balancesOf(...wallets) {
  const reply = await fetch(`${baseURL}/balances`);
  /** @type {import("launchpad-desk").WalletBalances[]} */ const all = await reply.json();
  return all.filter(({ wallet }) => wallets.includes(wallet));
}

if (number) {
  // The bot. Right before each trade it reads what the wallet holds, and the journal keeps that.
  const hooks = {
    beforeSend: async (/** @type {{ body: string }} */ { body }) => ({
      before: await balancesOf(JSON.parse(body).fromWallet),
    }),
  };
  const journal = fileJournal(path);
  const client = new TradeClient({ baseURL, journal, hooks, breaker: { unknowns: 12 } }); // by default three in a row stop it
  for (const intent of await client.pending()) {
    const canStillLand = Date.now() < intent.startedAtMs + Number(expiresMs);
    const { certainty, found } = reconcile(intent, {
      now: await balancesOf(...intent.wallets),
      canStillLand,
      walletsShared: false,
    });
    if (found) await client.acknowledge(intent.intentId, found);
    console.log(`${intent.intentId}: ${found ?? `${certainty}, so a person must settle it`}`);
  }
  // A wallet without an unresolved trade, so that its balances show only this trade; and a network fee with an upper bound.
  const buy = {
    mint: "MoonRabbit",
    fromWallet: `wallet-${number}`,
    amountInLamports: 1_000_000,
    priorityUnitLimit: 200_000,
    priorityUnitPrice: 1_000,
  };
  await client
    .buy(buy, { intentId: `trade-${number}` })
    .catch((error) => console.log(`trade-${number}: ${error.message}`));
  await journal.close();
} else {
  // The service: every other trade lands. One answer in four is broken. Before any other answer, the bot is killed.
  const wallets = Array.from({ length: 12 }, (_, number) => ({
    wallet: `wallet-${number}`,
    tokens: 0,
    lamports: 5_000_000,
  }));
  let [sent, bot] = [0, /** @type {import("node:child_process").ChildProcess | undefined} */ (undefined)];
  const service = createServer((request, response) => {
    if (request.method === "GET") return response.end(JSON.stringify(wallets));
    const wallet = wallets[sent++];
    if (sent % 2) Object.assign(wallet, { tokens: 34_000_000, lamports: 3_995_000 });
    else if (sent % 4 === 0) wallet.tokens = 5; // a transfer from elsewhere: now the balances prove nothing
    return sent % 4 === 3 ? response.end("{") : bot?.kill("SIGKILL");
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  const folder = await mkdtemp(join(tmpdir(), "settle-"));
  const { port } = /** @type {import("node:net").AddressInfo} */ (service.address());
  const args = [script, join(folder, "trades.journal"), `http://127.0.0.1:${port}`];
  for (const number of wallets.keys())
    await once((bot = spawn(process.execPath, [...args, `${number}`, "1"], { stdio: "inherit" })), "exit");
  const journal = fileJournal(args[1]);
  console.log(`sent ${sent}; unresolved ${(await journal.pending()).map(({ intentId }) => intentId).join(" ")}`);
  await journal.close();
  service.close(() => rm(folder, { recursive: true }));
}
