// What people type and paste, as JS reads it.

import assert from "node:assert/strict";
import test from "node:test";
import {
  TradeNotSentError,
  lamportsToSol,
  readTypedAmount,
  readTypedMultiple,
  readTypedPercentage,
  readTypedSlippage,
  readTypedTable,
  shownText,
  typedText,
} from "launchpad-desk";
import { Sandbox } from "launchpad-desk/sandbox";

test("an amount is read exactly, with its units", () => {
  assert.deepEqual(readTypedAmount("0,05", 9), { state: "read", text: "0.05", units: 50_000_000n });
  assert.deepEqual(readTypedAmount("18446744073709551615", 0), {
    state: "read",
    text: "18446744073709551615",
    units: 2n ** 64n - 1n,
  });
  assert.deepEqual(readTypedPercentage("12,5 %"), { state: "read", text: "12.5" });
  assert.deepEqual(readTypedSlippage("0"), { state: "read", text: "0" });
  assert.equal(readTypedAmount(typedText(lamportsToSol(1_234_000_000n)), 9).units, 1_234_000_000n);
});

// What each text means is tested where it is decided: src/typed, and tests/rust/typed.rs.
test("what is not finished is no error, what is ambiguous is one", () => {
  const message = "ends with a decimal mark";
  assert.deepEqual(readTypedAmount("0.", 9), { state: "incomplete", code: "not_a_number", message });
  assert.deepEqual(readTypedAmount("1,000", 9), {
    state: "wrong",
    code: "ambiguous",
    message: "may be 1.000 or 1000: type 1.0 or 1000",
  });
  assert.deepEqual(readTypedSlippage("150"), { state: "wrong", code: "out_of_range", message: "is over 100 %" });
  assert.equal(readTypedPercentage("+100 %").message, "has a sign in it: type 100 without +");
  const { rows, problems } = readTypedTable("wallet;amount\nada;33.333\nbob;33.3330", { side: "buy" });
  assert.deepEqual([rows[0].amount, rows[1].amount], ["33.333", "33.333"]);
  assert.deepEqual(
    problems.map(({ message }) => message),
    ["line 2: amount may be 33.333 or 33333: type 33.3330 or 33333"],
  );
  // A first line with such an amount is no header, though its wallet has the name of a column.
  assert.equal(readTypedTable("from,1.000\nada,2", { side: "buy" }).rows.length, 2);
});

test("a multiple is read with its x, or as a change in percent with its sign", () => {
  const read = (text) => {
    const typed = readTypedMultiple(text);
    return typed.state === "read" ? typed.text : `${typed.state} ${typed.code}: ${typed.message}`;
  };
  assert.deepEqual(
    ["2x", "2,5x", " 2.5 X ", "1.25×", "+100 %", "+12,5%", "−30 %", "-30%", "–30 %", "+0.0000001 %"].map(read),
    ["2x", "2.5x", "2.5x", "1.25x", "2x", "1.125x", "0.7x", "0.7x", "0.7x", "1.000000001x"],
  );
  assert.deepEqual(
    ["2", "+100", "", "0x", "100 %", "30%", "−100 %", "−130 %", "1.125x", "+1,000 %", "2000000x", "x", "2y", "٢x"].map(
      read,
    ),
    [
      "incomplete not_a_number: has no unit: type 2x, +2 % or −2 %",
      "incomplete not_a_number: has no unit: type +100 %",
      "incomplete required: is missing",
      "incomplete not_positive: must be above zero",
      "wrong ambiguous: may be 1x or +100 %: type one of them",
      "wrong ambiguous: may be 0.3x or +30 %: type one of them",
      "wrong out_of_range: must be above −100 %",
      "wrong out_of_range: must be above −100 %",
      "wrong ambiguous: may be 1.125 or 1125: type 1.1250 or 1125",
      "wrong ambiguous: may be 1.000 or 1000: type 1.0 or 1000",
      "wrong out_of_range: is over 1000000x",
      "incomplete required: is missing",
      "wrong not_a_number: has a unit in it: type 2 if this field is in y",
      "wrong not_a_number: has characters in it that are not 0-9: type 0-9 and a dot",
    ],
  );
});

test("a text of others shows where something is that nobody sees, and leaves emoji whole", () => {
  const names = [
    "Sim\u202eTrader",
    "US\u200bDC",
    "two\nlines\u001b[2K",
    "❤\ufe0f 👨\u200d👩\u200d👧 狗",
    "a\ufe0f",
    "❤\ufe0f\ufe0f\u200d\u200d",
    "🏴\u{e0067}\u{e007f}",
    "\u2028\u3164",
  ];
  assert.deepEqual(
    names.map((name) => shownText(name)),
    [
      "Sim\ufffdTrader",
      "US\ufffdDC",
      "two\ufffdlines\ufffd[2K",
      "❤\ufe0f 👨\u200d👩\u200d👧 狗",
      "a\ufffd",
      "❤\ufe0f\ufffd\ufffd\ufffd",
      "🏴\ufffd\ufffd",
      "\ufffd\ufffd",
    ],
  );
  assert.equal(shownText("x".repeat(200)), `${"x".repeat(64)}…`);
  assert.equal(shownText("abc", 2), "ab…");
});

test("a sandbox shows names of tokens and wallets by that rule", () => {
  const sandbox = new Sandbox({
    tokens: [{ mint: "M", symbol: "US\u200bDC", name: "Sim\u202eTrader" }],
    wallets: [{ wallet: "W", label: "A\u2066da", lamports: 1 }],
  });
  const [{ symbol, name }] = sandbox.tokens;
  assert.deepEqual([symbol, name, sandbox.wallets[0].label], ["US\ufffdDC", "Sim\ufffdTrader", "A\ufffdda"]);
  sandbox.free();
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
        error instanceof TradeNotSentError &&
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
