// Whole tokens and base units, SOL and lamports: exact or refused.

import assert from "node:assert/strict";
import test from "node:test";
import { TradeNotSentError, fromBaseUnits, lamportsToSol, solToLamports, toBaseUnits } from "launchpad-desk";
import { thrown } from "../odd.mjs";

const refusal = (work, ...given) => {
  const error = thrown(work, ...given);
  assert.ok(error instanceof TradeNotSentError, String(error));
  assert.equal(error.code, "invalid_options");
  return error.fields.map(({ field, code }) => `${field} ${code}`).join();
};

test("text and bigints, to the last digit", () => {
  assert.equal(toBaseUnits("16.99", 6), 16_990_000n);
  assert.equal(toBaseUnits("16.99"), 16_990_000n);
  assert.equal(toBaseUnits(16.99), 16_990_000n);
  assert.equal(toBaseUnits(1e-6), 1n);
  assert.equal(toBaseUnits("18446744073709551615", 0), 2n ** 64n - 1n);
  assert.equal(fromBaseUnits(16_990_000n, 6), "16.99");
  assert.equal(fromBaseUnits(16_990_000), "16.99");
  assert.equal(fromBaseUnits("-1"), "-0.000001");
  assert.equal(fromBaseUnits(-(2n ** 127n), 18), "-170141183460469231731.687303715884105728");
  assert.equal(solToLamports("1.5"), 1_500_000_000n);
  assert.equal(solToLamports("0.000000001"), 1n);
  assert.equal(lamportsToSol(1_500_000_000n), "1.5");
  assert.equal(lamportsToSol(-5_000n), "-0.000005");
  assert.equal(lamportsToSol(0), "0");
});

test("what is not exact is refused", () => {
  for (const [tokens, code] of [
    ["16.9900001", "not_an_integer"],
    [0.1 + 0.2, "not_an_integer"],
    ["18446744073709.551616", "out_of_range"],
    ["-1", "out_of_range"],
    ["", "empty"],
    ["1e3", "not_a_number"],
    ["1,5", "not_a_number"],
    [NaN, "not_a_number"],
    [5n, "wrong_type"],
    [{}, "wrong_type"],
    [undefined, "required"],
    [null, "required"],
  ]) {
    assert.equal(refusal(toBaseUnits, tokens, 6), `tokens ${code}`, String(tokens));
  }
  assert.equal(refusal(solToLamports, "0.0000000001"), "sol not_an_integer");
  assert.equal(refusal(solToLamports, 1_500_000_000n), "sol wrong_type");
  for (const [units, code] of [
    [1.5, "not_an_integer"],
    ["1.5", "not_an_integer"],
    ["+5", "not_an_integer"],
    ["", "not_an_integer"],
    [2 ** 53, "not_exact"],
    [-(2 ** 53), "not_exact"],
    [NaN, "not_an_integer"],
    [2n ** 127n, "not_an_integer"],
    [2n ** 200n, "unreadable"],
    [true, "wrong_type"],
    [undefined, "required"],
  ]) {
    assert.equal(refusal(fromBaseUnits, units), `baseUnits ${code}`, String(units));
    assert.equal(refusal(lamportsToSol, units), `lamports ${code}`, String(units));
  }
  for (const decimals of [-1, 19, 1.5, "x"]) {
    assert.match(refusal(toBaseUnits, "1", decimals), /^decimals /);
    assert.match(refusal(fromBaseUnits, 1n, decimals), /^decimals /);
  }
});
