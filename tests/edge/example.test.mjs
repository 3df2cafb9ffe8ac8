// The example bot, through a gateway as `npm run edge` starts it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { LOCAL } from "../../scripts/edge.mjs";
import { capture, root } from "../../scripts/program.mjs";
import { openGateway } from "./gateway.mjs";

const EXAMPLE = join(root, "examples/edge-bot.mjs");
const SHOWS = [
  /^signal-1: bought [\d.]+ \(the connection broke, and the client asked again\)$/m,
  /^signal-2: rejected: amountInLamports spends up to 200000005000 lamports; maxLamportsPerDay \(100000000000\) leaves \d+$/m,
  /^signal-3: waiting for approval$/m,
  /^sold all: [\d.]+$/m,
];

test("edge-bot.mjs shows it, the same each time, in under 60 lines", async () => {
  assert.ok((await readFile(EXAMPLE, "utf8")).trimEnd().split("\n").length < 60);
  const printed = [];
  for (let time = 0; time < 2; time++) {
    const gateway = await openGateway({ settings: LOCAL.settings });
    try {
      printed.push(await capture(process.execPath, [EXAMPLE, gateway.url]));
    } finally {
      await gateway.close();
    }
  }
  for (const pattern of SHOWS) assert.match(printed[0], pattern);
  assert.equal(printed[1], printed[0]);
});
