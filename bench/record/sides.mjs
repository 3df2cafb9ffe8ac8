// A record as a desk in a sandbox writes it, and both ways to go through it.

import { createHash } from "node:crypto";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { DeskRecord, verifyRecord } from "launchpad-desk/record";
import { Sandbox } from "launchpad-desk/sandbox";
import { TRADES } from "../record.mjs";

/** Buys, and sells of all that was bought. */
async function written() {
  let [text, last] = ["", ""];
  const store = { head: async () => last, append: async (lines, head) => void ([text, last] = [text + lines, head]) };
  const record = new DeskRecord(store);
  const sandbox = new Sandbox();
  const client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
  const from = { mint: sandbox.tokens[0].mint, fromWallet: sandbox.wallets[0].wallet };
  for (let trade = 0; trade < TRADES; trade++) {
    const plan = await (trade % 2
      ? client.plan("sellByPercentage", { ...from, percentage: 100 })
      : client.plan("buy", { ...from, amountInLamports: 50_000_000 + trade }));
    await record.plan(plan, sandbox);
    await client.send(plan);
  }
  await record.written();
  return { text, head: last };
}

export async function verified() {
  const { text, head } = await written();
  const bytes = new TextEncoder().encode(text);
  const run = () => verifyRecord(bytes, { head });
  return { run, answer: async () => (await run()).lines };
}

export async function byHand() {
  const { text, head } = await written();
  const run = () => {
    let [before, lines] = ["", 0];
    for (const line of text.split("\n").slice(0, -1)) {
      if (JSON.parse(line).previous !== before) throw new Error(`line ${lines + 1} does not follow`);
      before = createHash("sha256").update(line).digest("hex");
      lines++;
    }
    if (before !== JSON.parse(head).hash) throw new Error("the end is missing");
    return lines;
  };
  return { run, answer: run };
}
