// The examples are short, run to their end, and print what they should show.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { capture, root } from "../../scripts/program.mjs";

const FOLDER = join(root, "examples");

/** example → what its output must show */
const SHOWS = {
  "backtest.mjs": [
    /^Buy each launch after ten seconds: [+-]?[\d.]+ SOL$/m,
    /^It beats \d+ of 100 bots without an idea/m,
    /^\d+ of 20 seeds gain\.$/m,
    /^  positions +[1-9]\d*$/m,
    /^  profit +[+-]?[\d.]+ SOL$/m,
    /^The best of 16 plans$/m,
  ],
  "bundle.mjs": [/^bought in SIM\w+$/m, /^sold half in SIM\w+$/m, /^(Ada|Bob|Cyd) holds [1-9]\d* base units$/m],
  "buy-and-sell.mjs": [
    /^Buy landed \(simulated\)$/m,
    /^Sell by percentage landed \(simulated\)$/m,
    /^Balance after: 0$/m,
    /^Token account closed: yes$/m,
    /^Ada is at level 1 and paid [1-9]\d* lamports/m,
  ],
  // What tests/rust/client expects of the same example in Rust, to the lamport.
  "exits.mjs": [
    /^4000 ms: take_profit at 1\.573455354x sells 13679681248247 for 645339655 lamports \(tape\/tp1\)\n7000 ms: take_profit at 2\.731908441x sells 10259760936185 for 834227610 lamports \(tape\/tp2\)\n10000 ms: trailing at 2\.148749062x sells 10259760936186 for 646342788 lamports \(tape\/all\)\nreceived 2\.125910053 SOL; nothing left\n$/,
  ],
  "honest-errors.mjs": [
    /^not sent: \[amountInLamports\] /m,
    /^rejected \(rate_limited\): try again in 1000 ms$/m,
    /^failed: below_minimum_tokens: .+$/m,
    /^unknown \(network_error\): \w+ now holds [1-9]\d* base units$/m,
    /^landed: bought [\d.]+$/m,
  ],
  "quote-first.mjs": [/^50 SOL: .* bps$/m, /^1 SOL: ([\d.]+) tokens.*\nsent: bought \1$/m],
  "settle.mjs": [
    /^trade-0: landed\ntrade-1: did_not_land\ntrade-2: outcome unknown: .*\ntrade-2: landed\ntrade-3: unknown, so a person must settle it$/m,
    /^trade-10: landed$/m,
    /^sent 12; unresolved trade-3 trade-7 trade-11$/m,
  ],
  "what-if.mjs": [
    /^[1-9]\d{4} of 100000 spends go through; the largest within 5 % impact is 1518749979 lamports$/m,
    /^1 SOL buys 34199203120618 base units and costs 1001493440 lamports in all \(no warnings\)$/m,
    /^after 0 lamports of rivals the bound holds$/m,
    /^after 1000000000 lamports of rivals the bound fails: /m,
    /^breaks even once others have bought for [1-9]\d* lamports, at [\d.]+$/m,
  ],
};

test("every example is held to what it shows", async () => {
  // Those in Rust are held by tests/rust/client, the page by tests/hosts, the bot behind a gateway by tests/edge.
  assert.deepEqual(
    (await readdir(FOLDER)).filter((name) => name.endsWith(".mjs")).sort(),
    [...Object.keys(SHOWS), "edge-bot.mjs"].sort(),
  );
});

for (const [name, shows] of Object.entries(SHOWS)) {
  test(`${name} shows it, the same each time, in under 80 lines`, async () => {
    assert.ok((await readFile(join(FOLDER, name), "utf8")).trimEnd().split("\n").length < 80);
    const program = [join(FOLDER, name)];
    const printed = await capture(process.execPath, program);
    for (const pattern of shows) assert.match(printed, pattern);
    assert.equal(await capture(process.execPath, program), printed);
  });
}
