// What people type and paste, as JS reads it.

import assert from "node:assert/strict";
import test from "node:test";
import {
  isTradeNotSentError,
  readTypedAmount,
  readTypedPercentage,
  readTypedSlippage,
  readTypedTable,
} from "launchpad-desk";

test("an amount is read exactly, with its units", () => {
  assert.deepEqual(readTypedAmount("0,05", 9), { state: "read", text: "0.05", units: 50_000_000n });
  assert.deepEqual(readTypedAmount("18446744073709551615", 0), {
    state: "read",
    text: "18446744073709551615",
    units: 2n ** 64n - 1n,
  });
  assert.deepEqual(readTypedPercentage("12,5 %"), { state: "read", text: "12.5" });
  assert.deepEqual(readTypedSlippage("0"), { state: "read", text: "0" });
});

test("a table comes back whole, each problem with its line", () => {
  assert.deepEqual(readTypedTable("Wallet\tPercentage\nada\t50%\nbob\t1.000,5", { side: "sell", tokenDecimals: 6 }), {
    rows: [
      { line: 2, wallet: "ada", amount: null, percentage: "50", slippage: null, weight: null },
      { line: 3, wallet: "bob", amount: null, percentage: "1.000,5", slippage: null, weight: null },
    ],
    problems: [
      {
        line: 3,
        field: "percentage",
        code: "ambiguous",
        message: "line 3: percentage has group marks: write it with one dot or comma, before the decimals",
      },
    ],
  });
});

test("other arguments than text are refused, and so are options that are not known", () => {
  const refused = (work, message) =>
    assert.throws(
      work,
      (error) =>
        isTradeNotSentError(error) &&
        error.code === "invalid_options" &&
        (assert.equal(error.message, `argument: ${message}`), true),
    );
  refused(() => readTypedAmount(5, 9), "text must be a string, not a number");
  refused(() => readTypedAmount("5"), "decimals is missing");
  refused(() => readTypedAmount("5", 19), "decimals must be from 0 to 18");
  refused(() => readTypedPercentage(), "text is missing");
  refused(() => readTypedTable("ada", {}), "options.side is missing");
  refused(() => readTypedTable("ada"), "options is missing");
  refused(() => readTypedTable("ada", { side: "both" }), "options.side must be one of buy, sell");
  refused(
    () => readTypedTable("ada", { side: "buy", tokenDecimal: 6 }),
    "options.tokenDecimal is unknown; did you mean tokenDecimals?",
  );
  refused(
    () => readTypedTable("a".repeat(2 ** 20 + 1), { side: "buy" }),
    "text must be a string, not a string of over 1048576 characters",
  );
});
