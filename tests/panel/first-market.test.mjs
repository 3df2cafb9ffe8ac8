// The market that a panel begins with when the page gives it none.

import assert from "node:assert/strict";
import { Sandbox } from "launchpad-desk/sandbox";
import { importedFromPanel, withoutBrowser } from "./each-browser.mjs";

const { MARKET, PAST_MS, TOKENS } = (await importedFromPanel('export * from "./worlds/first-market.js";')).exported;

withoutBrowser("it begins with a past of each token, and trades for hours", () => {
  const sandbox = new Sandbox({ tokens: TOKENS, market: MARKET });
  sandbox.advance(PAST_MS);
  for (const { mint, symbol } of TOKENS) assert.ok(sandbox.newestTrades(mint, 100).length > 20, symbol);
  const [{ mint: shown }] = sandbox.tokens;
  assert.ok(
    sandbox.newestTrades(shown, 6_000).filter(({ atMs }) => atMs > PAST_MS - 10_000).length > 10,
    "the token that is shown first moves from the first second",
  );
  let last = sandbox.marketTrades.at(-1).number;
  for (let hours = 0.5; hours <= 8; hours += 0.5) {
    const mints = new Set();
    let trades = 0;
    for (let minute = 0; minute < 30; minute++) {
      sandbox.advance(60_000);
      const fresh = sandbox.marketTrades.filter(({ number }) => number > last);
      for (const { mint } of fresh) mints.add(mint);
      trades += fresh.length;
      last = fresh.at(-1)?.number ?? last;
    }
    assert.ok(trades > 300 && mints.size > 10, `until ${hours} h: ${trades} trades of ${mints.size} tokens`);
  }
  assert.ok(
    sandbox.tokens.length > 400 && sandbox.tokens.length <= MARKET.maxTokens,
    `${sandbox.tokens.length} tokens`,
  );
});
