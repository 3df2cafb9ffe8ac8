// A long record is verified while it is written: no line of it is kept, only what the verdict needs. `npm run prove -- record-long` writes
// a million lines.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeClient } from "launchpad-desk";
import { memoryJournal } from "launchpad-desk/browser";
import { DeskRecord, verifyRecord } from "launchpad-desk/record";
import { Sandbox } from "launchpad-desk/sandbox";

const LINES = Number(process.env.PROVE_CASES ?? (process.env.PROVE_SEED ? 1_000_000 : 3_000));
/**
 * What memory may grow by. Of a million lines (962 MB) it was 249 MB, with what writes them in the same process: sandboxes, clients, and on
 * both sides the id of each trade, by which a second one is found.
 */
const GROWTH = 384 * 1024 * 1024;

let sent = 0;

/** The lines of a desk that trades, in pieces, until it has so many. */
async function* written(count) {
  let [lines, number, head] = [[], 0, ""];
  const record = new DeskRecord({
    head: async () => head,
    append: async (text, next) => void (lines.push(text), (number += text.split("\n").length - 1), (head = next)),
  });
  for (let sandbox, client, trade = 0; number < count; trade++) {
    // A sandbox takes so many calls.
    if (trade % 1_000 === 0) {
      sandbox = new Sandbox({ maxCalls: 1_000 });
      client = new TradeClient(record.around({ fetch: sandbox.fetch, journal: memoryJournal() }));
    }
    const request = {
      mint: sandbox.tokens[0].mint,
      fromWallet: sandbox.wallets[0].wallet,
      amountInLamports: 1_000_000,
    };
    const plan = await client.plan("buy", request, { intentId: `trade-${trade}` });
    await record.plan(plan, sandbox);
    await client.send(plan);
    sent++;
    if (lines.length > 100) yield new TextEncoder().encode(lines.splice(0).join(""));
  }
  await record.written();
  yield new TextEncoder().encode(lines.join(""));
}

test(`a record of ${LINES} lines is verified without being kept`, async (t) => {
  let [lines, landed, before, atMost, bytes] = [0, 0, undefined, 0, 0];
  async function* watched() {
    for await (const piece of written(LINES)) {
      lines += piece.reduce((sum, byte) => sum + (byte === 10), 0);
      bytes += piece.length;
      const { rss } = process.memoryUsage();
      // The first tenth is what both sides need at all.
      if (before === undefined || lines < LINES / 10) before = rss;
      atMost = Math.max(atMost, rss);
      yield piece;
    }
  }
  const { verified, problems } = await verifyRecord(ReadableStream.from(watched()), {
    onTrade: ({ outcome }) => (landed += outcome === "landed"),
  });
  assert.deepEqual(problems, []);
  assert.ok(verified);
  assert.equal(landed, sent);
  t.diagnostic(
    `${lines} lines, ${bytes} bytes, ${landed} trades; memory grew by ${Math.round((atMost - before) / 1024 / 1024)} MB`,
  );
  // Of few lines it is what any work takes.
  if (LINES >= 100_000) assert.ok(atMost - before < GROWTH);
});
