// Recordings of others: which column is what, in every form in which a tape is given.

import assert from "node:assert/strict";
import test from "node:test";
import { backtest, backtestReport, recording, sweep } from "launchpad-desk/sandbox";
import { thrown } from "../odd.mjs";

const MINT = "MintOne1111111111111111111111111111111111111";
const SOL = "So11111111111111111111111111111111111111112";
const BOUGHT = 17_000_000_250_000n;
const START = 1_772_366_401_000;

/** What is said of what cannot be read. */
const told = (work) => thrown(work).message;
const says = (why, work) => assert.match(told(work), why);

/** The two trades that are recorded in these tests: the lamports of the sell are those that the file has. */
const TWO = [
  { atMs: START, mint: MINT, side: "buy", lamports: 500_000_000n, tokens: BOUGHT, wallet: "W1" },
  { atMs: START + 2_000, mint: MINT, side: "sell", lamports: 480_000_000n, tokens: BOUGHT, wallet: "W1" },
];

const MOVED = [{ mint: MINT, raw: { amount: "17000000250000" } }];
const BUY = { nativeInput: { amount: "500000000" }, nativeOutput: null, tokenOutputs: MOVED, tokenInputs: [] };
const SELL = { nativeInput: null, nativeOutput: { amount: "480000000" }, tokenOutputs: [], tokenInputs: MOVED };

const SHAPES = {
  "a query's pairs": {
    csv: [
      "block_time;trader_id;token_bought_mint_address;token_bought_amount;token_sold_mint_address;token_sold_amount",
      `2026-03-01 12:00:01.000 UTC;W1;${MINT};17000000.25;${SOL};0.5`,
      `2026-03-01 12:00:03.000 UTC;W1;${SOL};0.48;${MINT};17000000.25`,
    ].join("\n"),
    columns: {
      atMs: "block_time",
      mint: { buy: "token_bought_mint_address", sell: "token_sold_mint_address" },
      side: { buy: { token_sold_mint_address: SOL }, sell: { token_bought_mint_address: SOL } },
      lamports: { buy: "token_sold_amount", sell: "token_bought_amount", unit: "sol" },
      tokens: { buy: "token_bought_amount", sell: "token_sold_amount", unit: "tokens" },
      wallet: "trader_id",
    },
  },
  "parsed transactions": {
    rows: [
      { timestamp: 1772366401, feePayer: "W1", swap: BUY },
      { timestamp: 1772366403, feePayer: "W1", swap: SELL },
    ],
    columns: {
      atMs: { column: "timestamp", unit: "s" },
      mint: { buy: "swap.tokenOutputs.0.mint", sell: "swap.tokenInputs.0.mint" },
      side: { buy: { "swap.nativeInput.amount": "+" }, sell: { "swap.nativeOutput.amount": "+" } },
      lamports: { buy: "swap.nativeInput.amount", sell: "swap.nativeOutput.amount" },
      tokens: { buy: "swap.tokenOutputs.0.raw.amount", sell: "swap.tokenInputs.0.raw.amount" },
      wallet: "feePayer",
    },
  },
};

for (const [name, { rows, csv, columns }] of Object.entries(SHAPES))
  test(`${name} are trades by their columns, in each form`, () => {
    const tapes = csv
      ? [csv, csv.replaceAll(";", ",")]
      : [JSON.stringify(rows), rows.map((row) => JSON.stringify(row)).join("\n"), rows];
    const options = { entry: { lamports: 10_000_000n, afterMs: 1_000 } };
    const due = backtest({ tape: TWO, ...options });
    assert.equal(due.replayed, 2);
    for (const tape of tapes) {
      assert.deepEqual(recording(tape, { columns }), TWO);
      assert.deepEqual(backtest({ tape, columns, ...options }), due);
    }
    assert.deepEqual(backtestReport({ tape: tapes[0], columns, ...options }).run, due);
    assert.equal(sweep({ tape: tapes[0], columns, ...options, grid: { timeMs: [500, 1_500] } }).plans.length, 2);
  });

test("lamports without fees are no amount that a buy has spent", () => {
  const csv = `atMs,mint,side,lamports,tokens\n0,M,buy,500000000,17000000250000\n5,M,sell,480000000,17000000250000`;
  const net = { columns: { lamports: { column: "lamports", fees: "excluded" } } };
  const [bought, sold] = recording(csv, net);
  assert.deepEqual([bought.lamports, bought.tokens, sold.tokens], [null, BOUGHT, BOUGHT]);
  says(/trades\[0\]\.tokens or lamports with fees must be given/, () =>
    recording(csv.replace(`500000000,${BOUGHT}`, "500000000,"), net),
  );
});

test("a foreign recording is refused once, with its columns and the mapping to write", () => {
  const flat = SHAPES["parsed transactions"].rows.map(({ timestamp, feePayer }, at) => ({
    timestamp,
    mint: MINT,
    user: feePayer,
    is_buy: at === 0,
    sol_amount: at ? 480_000_000 : 500_000_000,
    token_amount: 17_000_000_250_000,
  }));
  for (const given of [flat, JSON.stringify(flat), flat.map((row) => JSON.stringify(row)).join("\n")]) {
    const said = told(() => recording(given));
    assert.match(said, /has the fields timestamp, mint, user, is_buy, sol_amount, token_amount/);
    assert.equal(
      told(() => backtest({ tape: given, entry: { lamports: 1n } })).replace(/^\w+: /, ""),
      said.replace(/^\w+: /, ""),
    );
    // What it says can be pasted.
    const columns = JSON.parse(/columns: (\{.*\})/.exec(said)[1]);
    assert.deepEqual(recording(given, { columns }), TWO);
  }
  says(/the recording has at data\.trades the fields timestamp, mint, user/, () =>
    backtest({ tape: { data: { trades: flat } }, entry: { lamports: 1n } }),
  );
});

test("what a mapping has wrong is named", () => {
  const row = { t: START, mint: "M", side: "buy", lamports: 5n };
  says(/columns\.price is unknown/, () => recording([row], { columns: { atMs: "t", price: "sol" } }));
  says(/columns must be an object/, () => recording([row], { columns: "t" }));
  says(/column is unknown; did you mean columns\?/, () => recording([row], { column: {} }));
  const list = [5, 9, 7].map((t) => ({ ...row, t }));
  says(/earlier than the trade before it/, () =>
    backtest({ tape: list, columns: { atMs: "t" }, entry: { lamports: 1n } }),
  );
});
