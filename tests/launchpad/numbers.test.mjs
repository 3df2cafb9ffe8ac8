// The numbers of a quote alone, as a bot asks for them on every tick: the same as those of the whole quote, and plain data.

import assert from "node:assert/strict";
import test from "node:test";
import { Curve, Trader } from "launchpad-desk/market";

/** In the order in which the package names them. */
const NAMES =
  "tokens, walletLamports, curveLamports, protocolFeeLamports, creatorFeeLamports, worstTokens, worstWalletLamports, " +
  "rentLamports, networkFeeLamports, ownNetworkFeeLamports, volumeRentLamports, minTokens, maxLamports, minLamports, " +
  "netLamports, worstNetLamports";

const curve = new Curve();
curve.moveByBuy(5_000_000_000n);

const tokenAccount = { tokens: 2_000_000_000_000n, lamports: 2_039_280n };
const TRADERS = [
  {},
  { slippage: { percent: 1 }, priorityUnitPrice: 50_000n },
  { wallet: { lamports: 7_000_000_000n, opensVolumeAccount: true }, feePayer: "other" },
  { wallet: { lamports: 7_000_000_000n, tokenAccount }, slippage: { percent: 100 } },
].map((options) => new Trader(options));

const ASKED = {
  quoteBuyExactIn: 1_000_000_001n,
  quoteBuyExactOut: 34_199_203_120_618n,
  quoteSellExactIn: 1_000_000_000_001n,
  quoteSellPercentage: "100",
};

const said = (ask) => {
  try {
    return ask();
  } catch ({ name, code, message }) {
    return { name, code, message };
  }
};

test("the numbers of a quote are those of the whole one, and are refused alike", () => {
  let [quoted, refused] = [0, 0];
  for (const [name, amount] of Object.entries(ASKED)) {
    for (const trader of TRADERS) {
      const whole = said(() => curve[name](amount, trader));
      const numbers = said(() => curve[name](amount, trader, NAMES.split(", ")));
      if ("code" in whole) {
        assert.deepEqual(numbers, whole);
        refused++;
      } else {
        assert.deepEqual({ ...numbers }, Object.fromEntries(NAMES.split(", ").map((name) => [name, whole[name]])));
        quoted++;
      }
    }
  }
  assert.deepEqual([quoted, refused], [12, 4]);
  assert.deepEqual(
    { ...curve.quoteBuyExactIn(5n * 10n ** 8n, undefined, ["minTokens"]) },
    { minTokens: curve.quoteBuyExactIn(5n * 10n ** 8n).minTokens },
  );
});

test("numbers are in the order in which they were asked for, for JSON, a copy and a console", () => {
  const numbers = curve.quoteBuyExactIn(1_000_000_001n, TRADERS[0], ["minTokens", "tokens", "minLamports"]);
  const { tokens, minTokens } = curve.quoteBuyExactIn(1_000_000_001n, TRADERS[0]);
  const plain = { minTokens, tokens, minLamports: null };
  assert.deepEqual({ ...numbers }, plain);
  assert.deepEqual(structuredClone(numbers), plain);
  assert.equal(JSON.stringify(numbers), `{"minTokens":"${minTokens}","tokens":"${tokens}","minLamports":null}`);
  assert.equal(String(numbers), "[object Object]");
  assert.deepEqual(Object.keys(numbers), Object.keys(plain));
});

test("a name that is no number of a quote is refused", () => {
  for (const name of ["token", "spotPriceBefore", "toString", "__proto__", "constructor"])
    assert.throws(() => curve.quoteBuyExactIn(1_000_000_001n, undefined, ["tokens", name]), {
      name: "TypeError",
      message: `a quote has no number "${name}": its numbers are ${NAMES}`,
    });
});
