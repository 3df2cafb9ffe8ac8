// Kills a bot fifty times while a trade is in flight. What it had sent is unresolved at each new start: none of it is
// lost, and none of it is sent again.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TradeClient } from "launchpad-desk";
import { fileJournal } from "launchpad-desk/node";

const [, script, path, baseURL, trade] = process.argv;
const idsOf = (/** @type {{ intentId: string }[]} */ intents) => intents.map(({ intentId }) => intentId);

if (trade) {
  // The bot: lists what is unresolved, tries it again anyway, then trades.
  const client = new TradeClient({ baseURL, journal: fileJournal(path), intentHeader: "idempotency-key" });
  const buy = (/** @type {string} */ intentId) => client.buy({ mint: "MoonRabbit", fromWallet: "Ada", amountInLamports: 1_000_000 }, { intentId });
  const doubtful = idsOf(await client.pending());
  const codes = await Promise.all(doubtful.map((intentId) => buy(intentId).catch((error) => error.code)));
  console.log(`${trade}: unresolved ${doubtful.join(" ") || "nothing"}; refused ${codes.filter((code) => code === "intent_unknown").length}`);
  await buy(trade);
} else {
  /** @type {string[]} */ const posts = [];
  /** @type {import("node:child_process").ChildProcess} */ let bot;
  const service = createServer((post, response) => {
    posts.push(String(post.headers["idempotency-key"]));
    response.writeHead(200, { "content-length": 999 }).write("{", () => bot.kill("SIGKILL"));
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  const folder = await mkdtemp(join(tmpdir(), "kill9-"));
  const { port } = /** @type {import("node:net").AddressInfo} */ (service.address());
  const args = [script, join(folder, "trades.journal"), `http://127.0.0.1:${port}`];
  for (let kill = 1; kill <= 50; kill++) await once((bot = spawn(process.execPath, [...args, `trade-${kill}`], { stdio: "inherit" })), "exit");
  const doubtful = idsOf(await fileJournal(args[1]).pending());
  console.log(`sent ${posts.length}, again ${posts.length - new Set(posts).size}; unresolved ${doubtful.length}, lost ${posts.filter((id) => !doubtful.includes(id)).length}`);
  service.close(() => rm(folder, { recursive: true }));
}
