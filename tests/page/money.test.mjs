// The page's own arithmetic is moving digits; here it is held against BigInt's.

import assert from "node:assert/strict";
import test from "node:test";
import { decimal, grouped, percent, shiftPoint, sol, solChange, tokens } from "../../www/desk/money.js";
import { readRequest } from "../../www/desk/request.js";
import { seedOr } from "../seed.mjs";

/** Numbers that follow from a seed: digits of every length up to 64 bits. */
function* numbers(count) {
  let state = seedOr(88172645463325252n);
  for (let made = 0; made < count; made++) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    yield state >> BigInt(made % 64);
  }
}

test("units and plain decimals are the same number, both ways", () => {
  for (const units of [0n, 1n, 10n, 999_999_999n, 1_000_000_000n, 2n ** 64n - 1n, ...numbers(2_000)]) {
    for (const decimals of [0, 1, 6, 9, 18]) {
      const text = decimal(units, decimals);
      const [whole, fraction = ""] = text.split(".");
      assert.equal(BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, "0") || "0"), units);
      assert.doesNotMatch(text, /\.\d*0$|\.$|^0\d/);
      assert.equal(shiftPoint(text, decimals), String(units));
      assert.equal(decimal(-units, decimals), units === 0n ? "0" : `-${text}`);
    }
  }
});

test("what is typed in SOL is lamports, or is left for the core to refuse", () => {
  const typed = {
    1: "1000000000",
    "0.1": "100000000",
    ".5": "500000000",
    "5.": "5000000000",
    "007": "7000000000",
    "0.000000001": "1",
    "0.0000000001": "0.1",
    "1.0000000000": "1000000000",
    "18446744073.709551615": "18446744073709551615",
    "": "",
    ".": ".",
    "1,5": "1,5",
    "-1": "-1",
    "1e3": "1e3",
    "0x10": "0x10",
    "1 000": "1 000",
    "1.2.3": "1.2.3",
  };
  for (const [text, lamports] of Object.entries(typed)) assert.equal(shiftPoint(text, 9), lamports, `of ${text}`);
});

test("amounts are read with thousands apart and every digit", () => {
  assert.equal(grouped("1234567.891234"), "1,234,567.891234");
  assert.equal(grouped("999"), "999");
  assert.equal(grouped("-1000"), "−1,000");
  assert.equal(sol(18_446_744_073_709_551_615n), "18,446,744,073.709551615 SOL");
  assert.equal(sol(0n), "0 SOL");
  assert.equal(solChange(5_000n), "+0.000005 SOL");
  assert.equal(solChange(-1_500_000_000n), "−1.5 SOL");
  assert.equal(solChange(0n), "0 SOL");
  assert.equal(tokens(1_500_000n, { decimals: 6, symbol: "T" }), "1.5 T");
  assert.equal(percent(494), "4.94 %");
});

/** A form with these controls: name → [what it reads, its text]. */
const form = (controls) => ({
  elements: Object.entries(controls).map(([name, [reads, value]]) => ({ name, value, dataset: { reads } })),
});

test("a control's name is its place in the request", () => {
  const request = readRequest(
    form({
      mint: ["text", " M "],
      "buys[0].fromWallet": ["text", "A"],
      "buys[0].amountInLamports": ["lamports", "0.5"],
      "buys[1].fromWallet": ["text", "B"],
      "buys[1].amountInLamports": ["lamports", ""],
      "buys[1].slippage": ["slippage", "2.5"],
      priorityUnitLimit: ["units", "18446744073709551615"],
      slippage: ["slippage", ""],
    }),
  );
  assert.deepEqual(request, {
    mint: "M",
    buys: [
      { fromWallet: "A", amountInLamports: "500000000" },
      { fromWallet: "B", amountInLamports: null, slippage: { percent: 2.5 } },
    ],
    priorityUnitLimit: 18446744073709551615n,
    slippage: null,
  });
});

test("a percentage is the number that was typed, or none", () => {
  const percentage = (text) => readRequest(form({ percentage: ["percentage", text] })).percentage;
  assert.equal(percentage("100"), 100);
  assert.equal(percentage("0.1"), 0.1);
  assert.equal(percentage("-5"), -5);
  // As a double this is 100, and the whole holdings would go.
  assert.equal(percentage("99.99999999999999999"), NaN);
  for (const text of ["0x10", "1e2", "50%", "1,5", ".", "Infinity", "1.2.3"]) assert.equal(percentage(text), NaN, text);
});
