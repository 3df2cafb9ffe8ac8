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

/** The same two trades, as they are recorded in these tests: the lamports of the sell are those that the file has. */
const two = ({ lamports = [500_000_000n, 480_000_000n], wallet = "W1", gapMs = 2_000 } = {}) => [
  { atMs: START, mint: MINT, side: "buy", lamports: lamports[0], tokens: BOUGHT, wallet },
  { atMs: START + gapMs, mint: MINT, side: "sell", lamports: lamports[1], tokens: BOUGHT, wallet },
];

const OWN = { mint: MINT, traderPublicKey: "W1" };
const MOVED = [{ mint: MINT, raw: { amount: "17000000250000" } }];
const parsed = (timestamp, swap) => ({ timestamp, feePayer: "W1", swap });

const SHAPES = {
  "messages of a stream, with the time of their receipt": {
    rows: [
      { receivedAt: START, ...OWN, txType: "create", initialBuy: 17000000.25, solAmount: 0.5 },
      { receivedAt: START + 2_000, ...OWN, txType: "sell", tokenAmount: 17000000.25, solAmount: 0.48 },
      { receivedAt: START + 9_000, mint: MINT, txType: "migrate", pool: "P" },
    ],
    columns: {
      atMs: "receivedAt",
      mint: "mint",
      side: { buy: { txType: ["buy", "create"] }, sell: { txType: "sell" }, skip: { txType: "migrate" } },
      lamports: { column: "solAmount", unit: "sol" },
      tokens: { column: ["tokenAmount", "initialBuy"], unit: "tokens" },
      wallet: "traderPublicKey",
    },
  },
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
      parsed(1772366401, {
        nativeInput: { amount: "500000000" },
        nativeOutput: null,
        tokenOutputs: MOVED,
        tokenInputs: [],
      }),
      parsed(1772366403, {
        nativeInput: null,
        nativeOutput: { amount: "480000000" },
        tokenOutputs: [],
        tokenInputs: MOVED,
      }),
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
  "a data set with a word for the side, and numbers as a float prints them": {
    csv: `timestamp,token,is_buy,sol,amount,user\n1772366401.0,${MINT},True,5e-1,17000000.250000004,W1\n1772366403.0,${MINT},False,0.48,1.700000025e7,W1`,
    columns: {
      atMs: { column: "timestamp", unit: "s" },
      mint: "token",
      side: "is_buy",
      lamports: { column: "sol", unit: "sol" },
      tokens: { column: "amount", unit: "tokens" },
      wallet: "user",
    },
  },
  "changes with their sign, of one token": {
    csv: "slot_us\ttoken_change\tsol_change\twho\n1772366401000000\t17000000250000\t-500000000\tW1\n1772366403000000\t-17000000250000\t480000000\tW1",
    columns: {
      atMs: { column: "slot_us", unit: "us" },
      mint: { value: MINT },
      side: { buy: { token_change: "+" }, sell: { token_change: "-" } },
      lamports: "sol_change",
      tokens: "token_change",
      wallet: "who",
    },
  },
};

for (const [name, { rows, csv, columns }] of Object.entries(SHAPES))
  test(`${name} are trades by their columns, in each form`, () => {
    const texts = csv
      ? [csv, csv.replaceAll(csv.includes(";") ? ";" : "\t", ",")]
      : [JSON.stringify(rows), JSON.stringify(rows, null, 2)];
    if (Array.isArray(rows)) texts.push(rows.map((row) => JSON.stringify(row)).join("\n"));
    for (const text of texts) assert.deepEqual(recording(text, { columns }), two(), text);
    if (rows) assert.deepEqual(recording(rows, { columns }), two());
    const options = { entry: { lamports: 10_000_000n, afterMs: 1_000 } };
    const due = backtest({ tape: two(), ...options });
    assert.equal(due.replayed, 2);
    for (const tape of [...texts, ...(rows ? [rows] : [])])
      assert.deepEqual(backtest({ tape, columns, ...options }), due);
    assert.deepEqual(backtestReport({ tape: texts[0], columns, ...options }).run, due);
    assert.equal(sweep({ tape: texts[0], columns, ...options, grid: { timeMs: [500, 1_500] } }).plans.length, 2);
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

test("a foreign recording is refused once, with its columns, those that are needed, and the mapping to write", () => {
  const csv = SHAPES["a query's pairs"].csv;
  const message = told(() => recording(csv));
  assert.match(message, /has the columns block_time, trader_id, token_bought_mint_address/);
  assert.match(
    message,
    /it needs atMs \(milliseconds\), mint, side \(buy or sell\), and tokens \(base units\) or, of buys, lamports \(fees included\)/,
  );
  const mapping = (said) => JSON.parse(/columns: (\{.*\})/.exec(said)[1]);
  assert.deepEqual(mapping(message), SHAPES["a query's pairs"].columns);
  // What it says can be pasted, once it says how to.
  assert.deepEqual(recording(csv, { columns: mapping(message) }), two());
  const { rows } = SHAPES["parsed transactions"];
  const flat = rows.map(({ timestamp, feePayer }, at) => ({
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
    assert.deepEqual(mapping(said), {
      atMs: { column: "timestamp", unit: "s" },
      mint: "mint",
      side: "is_buy",
      lamports: "sol_amount",
      tokens: "token_amount",
      wallet: "user",
    });
    assert.deepEqual(recording(given, { columns: mapping(said) }), two());
  }
  says(/the recording has at data\.trades the fields timestamp, mint, user/, () =>
    backtest({ tape: { data: { trades: flat } }, entry: { lamports: 1n } }),
  );
  const nothing = told(() => recording("x,y\n1,2"));
  assert.doesNotMatch(nothing, /columns: \{/);
});

test("times in seconds name the mapping as the way out", () => {
  const csv = `atMs,mint,side,lamports,tokens\n1772366401,${MINT},buy,500000000,${BOUGHT}\n1772366403,${MINT},sell,480000000,${BOUGHT}`;
  const way =
    /is in seconds since 1970: times of a recording are in milliseconds, or name their unit: columns: \{"atMs":\{"column":"atMs","unit":"s"\}\}/;
  for (const read of [() => recording(csv), () => backtest({ tape: csv, entry: { lamports: 1n } })])
    assert.match(told(read), way);
  // What is not named keeps its name.
  const columns = { atMs: { column: "atMs", unit: "s" } };
  assert.deepEqual(recording(csv, { columns }), two({ wallet: null }));
});

test("what a mapping has wrong is named, and no row is left out or guessed", () => {
  const row = { t: START, mint: "M", side: "buy", sol: "0.5", tokens: "5" };
  const of = (changes, columns = {}) =>
    told(() =>
      recording([{ ...row, ...changes }], {
        columns: {
          atMs: "t",
          mint: "mint",
          side: "side",
          lamports: { column: "sol", unit: "sol" },
          tokens: "tokens",
          ...columns,
        },
      }),
    );
  for (const [wrong, says] of [
    [
      of({}, { atMs: "time" }),
      /no row has the column time, which columns\.atMs names; the recording has t, mint, side, sol, tokens/,
    ],
    [of({}, { atMs: { column: "t", unit: "minutes" } }), /columns\.atMs\.unit must be one of ms, s, us, ns/],
    [of({}, { tokens: { column: "tokens", unit: "sol" } }), /columns\.tokens\.unit must be one of baseUnits, tokens/],
    [of({}, { price: "sol" }), /columns\.price is unknown/],
    [of({ side: "swap" }), /trades\[0\]\.side is swap: say in columns\.side which words are buy, sell and skip/],
    [of({ t: "yesterday" }), /trades\[0\]\.t is no time/],
    [of({ t: "2026-13-01T00:00:00Z" }), /trades\[0\]\.t is no time/],
    [of({ sol: "0.0000000004" }), /trades\[0\]\.sol is finer than a lamport/],
    [of({ sol: "1,000" }), /trades\[0\]\.sol is not a number/],
    [of({ tokens: "5.5" }), /trades\[0\]\.tokens is finer than a base unit/],
    [told(() => recording([row], { columns: "t" })), /columns must be an object/],
    [told(() => recording([row], { column: {} })), /column is unknown; did you mean columns\?/],
  ])
    assert.match(wrong, says);
  const list = [5, 9, 7].map((t) => ({ ...row, t }));
  says(/earlier than the trade before it/, () =>
    backtest({ tape: list, columns: { atMs: "t" }, entry: { lamports: 1n } }),
  );
});
