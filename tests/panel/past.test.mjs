// What is kept of old trades, and what is kept in a browser without locks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inEachBrowser } from "./each-browser.mjs";
import { BOB } from "./panel.mjs";

await inEachBrowser((at) => {
  const { inChromium } = at;

  inChromium("old settled trades are dropped, their cost still counts, and open ones are kept forever", async () => {
    const panel = await at.open({ faults: { script: [{ kind: "noAnswer" }] } });
    await panel.trade("0.3", "Unknown");
    await panel.pick("wallet", BOB);
    await panel.trade("0.4", "Landed");
    await panel.click("#tab-positions");
    // A thousand later ones, all refused, within a millisecond, so that the next one sent is newer.
    await panel.withKept((rows, put) => {
      const { settled, ...first } = rows.find(({ fate }) => fate.is === "landed");
      for (let at = 1; at <= 1000; at++) {
        const atMs = settled + at / 1_000;
        put({ ...first, intentId: `later-${at}`, startedAtMs: atMs, settled: atMs, fate: { is: "rejected" } });
      }
    });
    await panel.reload();
    await panel.click("#tab-trades");
    await panel.untilText(".history-foot", "1002 trades");
    await panel.pick("wallet", BOB);
    await panel.trade("0.1");
    await panel.untilText(".attempt", /^. Landed/);
    await panel.untilText(".tabs", "2 older trades are no longer kept here");
    await panel.untilText(".history-foot", "1001 trades");
    await panel.untilText(".outcomes", "Unknown");
    await panel.reload();
    await panel.click("#tab-trades");
    await panel.untilText(
      ".tabs",
      "2 older trades are no longer kept here, nor in these files; what they have cost is still counted.",
    );
    await panel.click("#tab-positions");
    const costs = await panel.inside((root) =>
      [...root.querySelectorAll(".positions tbody tr")].map((row) =>
        [row.cells[1].innerText, row.cells[4].innerText.trim()].join(": "),
      ),
    );
    assert.match(costs.join("; "), /Bob: (≈ )?0\.0₇\d+(;|$)/, "all that Bob holds is counted");
  });

  test("before a browser without locks and without a secure page, it simulates as ever, for as long as the page lasts", async () => {
    const { panel } = at;
    await panel.page.evaluateOnNewDocument(() => {
      Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
      delete Crypto.prototype.randomUUID;
    });
    await at.open({ faults: { script: [{ kind: "noAnswer" }] } });
    await panel.trade("0.4", "Unknown");
    await panel.write("amount", "0.1");
    await panel.untilText(".send", "Locked: settle the earlier trade");
    await panel.click(".settle button");
    await panel.untilText(".attempt", "It landed: the wallet's balances prove it.");
  });
});
