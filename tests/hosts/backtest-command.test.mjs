// `launchpad-desk backtest` from the packed tarball: what it prints, writes and refuses, and how it exits.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { BUN, DENO } from "../faults/pinned.mjs";
import { installAsStranger } from "../package/stranger.mjs";
import { DENO_RUN, commandLine, end } from "./command.mjs";

const { folder: cwd } = await installAsStranger();
const file = commandLine(cwd);
const run = (...args) =>
  end(process.execPath, [file, "backtest", ...args], { cwd, env: { ...process.env, NO_COLOR: "1" } });

const SOL = 1_000_000_000;
const rows = [
  [0, "buy", 2 * SOL],
  [12_000, "buy", SOL],
  [20_000, "buy", 3 * SOL],
  [30_000, "buy", 9 * SOL],
  [40_000, "sell", 60_000_000_000_000],
];
const trades = rows.map(([atMs, side, amount]) => ({
  atMs,
  mint: "M",
  side,
  ...(side === "buy" ? { lamports: amount } : { tokens: amount }),
}));
await writeFile(
  join(cwd, "tape.csv"),
  [
    "atMs,mint,side,lamports,tokens",
    ...trades.map(({ atMs, mint, side, lamports = "", tokens = "" }) => [atMs, mint, side, lamports, tokens].join()),
  ].join("\n"),
);
await writeFile(join(cwd, "tape.json"), JSON.stringify(trades));
await writeFile(join(cwd, "tape.jsonl"), trades.map((trade) => `${JSON.stringify(trade)}\n`).join(""));
// As a sandbox has its trades: a desk's record begins almost alike.
await writeFile(
  join(cwd, "tape.ndjson"),
  trades.map((trade, number) => `${JSON.stringify({ number, ...trade })}\n`).join(""),
);
await writeFile(
  join(cwd, "exits.json"),
  JSON.stringify({ takeProfit: [{ at: "1.3x", sell: "50%" }], stopLoss: "0.7x" }),
);
await writeFile(join(cwd, "grid.json"), JSON.stringify({ stopLoss: ["0.6x", "0.8x"], timeMs: [5_000, 15_000] }));
const FLAGS = ["--take-profit", "1.3x:50%", "--stop-loss", "0.7x"];

test("a tape in each form, and exits as flags or as a file, give one report", async () => {
  const printed = [];
  for (const args of [
    ["tape.csv", ...FLAGS],
    ["tape.json", ...FLAGS],
    ["tape.jsonl", ...FLAGS],
    ["tape.ndjson", ...FLAGS],
    ["tape.csv", "--exits", "exits.json"],
  ]) {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, err], [0, ""]);
    printed.push(out.replace(args[0], "T"));
  }
  assert.equal(new Set(printed).size, 1);
  assert.match(printed[0], /^T: \+[\d.]+ SOL\nWith 1 position, most of this is luck\.\n/);
  assert.match(printed[0], /^Positions, by the reason they ended for\n  end of the tape: 1, 1 gained +\+/m);
});

/** The tape of the others, as a data set has it: of a day with the newest rules, as for a tape with a time of its own. */
const FOREIGN = [
  "block_time;token;is_buy;sol_amount;token_amount",
  ...rows.map(([atMs, side, amount]) =>
    [
      1_800_000_000 + atMs / 1_000,
      "M",
      side === "buy",
      side === "buy" ? amount / SOL : "",
      side === "buy" ? "" : amount,
    ].join(";"),
  ),
].join("\n");

test("a tape of others by a mapping of its columns, and exits as people type them, give the same report", async () => {
  await writeFile(join(cwd, "foreign.csv"), FOREIGN);
  await writeFile(join(cwd, "empty.json"), "[]");
  await writeFile(
    join(cwd, "whole.csv"),
    "atMs,mint,side,lamports,tokens\n0,M,buy,500000000,17000000\n900,M,sell,,17000000",
  );
  const mapping = JSON.stringify({
    atMs: { column: "block_time", unit: "s" },
    mint: "token",
    side: "is_buy",
    lamports: { column: "sol_amount", unit: "sol" },
    tokens: "token_amount",
  });
  await writeFile(join(cwd, "columns.json"), mapping);
  const due = await run("tape.csv", ...FLAGS, "--trailing", "30%:1.2x");
  assert.deepEqual([due.code, due.err], [0, ""]);
  const typed = ["--take-profit", "+30 %:50 %", "--stop-loss", "−30 %", "--trailing", "30 %:1,2x"];
  for (const columns of [mapping, "columns.json"])
    assert.deepEqual(await run("foreign.csv", "--columns", columns, ...typed), {
      ...due,
      out: due.out.replaceAll("tape.csv", "foreign.csv"),
    });
});

test("as JSON it is the report, with amounts as text, and as a page it is written", async () => {
  const { code, out } = await run(
    "tape.csv",
    ...FLAGS,
    "--grid",
    "grid.json",
    "--latency",
    "100, 900",
    "--slippage",
    "30",
    "--seeds",
    "3",
    "--json",
    "--html",
    "report.html",
  );
  assert.equal(code, 0);
  const { command, mode, exitCode, report } = JSON.parse(out);
  assert.deepEqual([command, mode, exitCode], ["backtest", "simulated", 0]);
  assert.match(report.run.profitLamports, /^-?\d+$/);
  assert.deepEqual([report.sweep.plans.length, report.seeds.profitsLamports.length], [4, 3]);
  assert.ok(
    report.run.orders.every(
      ({ atMs, arrivedAtMs }) => arrivedAtMs === null || [0, 100, 900].includes(arrivedAtMs - atMs),
    ),
  );
  const html = await readFile(join(cwd, "report.html"), "utf8");
  assert.match(html, /<title>tape\.csv: [+-]?[\d.]+ SOL<\/title>/);
  assert.match(
    (await run("tape.csv", ...FLAGS, "--priority-unit-price", "250.000")).err,
    /^--priority-unit-price may be 250\.000 or 250000: type 250\.0 or 250000$/m,
  );
});

/** The lines of a record, each with the hash of the one before it. */
function recordOf(entries) {
  let previous = "";
  return entries
    .map(([atMs, act, intent, data], number) => {
      const line = JSON.stringify({ number, atMs, by: "bot", act, intent, detail: "", data, previous });
      previous = createHash("sha256").update(line).digest("hex");
      return `${line}\n`;
    })
    .join("");
}

test("a record is a tape of its own trades", async () => {
  const body = JSON.stringify({
    mint: "M",
    fromWallet: "W",
    amountInLamports: 100_000_000,
    feePayer: null,
    slippage: 5,
    priorityUnitLimit: null,
    priorityUnitPrice: null,
  });
  const answer = {
    result: {
      mint: "M",
      wallet: "W",
      buyAmount: 2_917_253.297339,
      preTokenBalance: 0,
      postTokenBalance: 2_917_253.297339,
      signature: "S",
      transactionResult: { success: true, signature: "S", results: "" },
      tokenAccount: "A",
    },
    explorer: { mint: "", wallet: "", tx: "" },
    launchpad: { mint: "" },
  };
  const log = recordOf([
    [0, "start", "", {}],
    [113_000, "begin", "signal-1", { intentId: "signal-1", operation: "buy", body, startedAtMs: 113_000 }],
    [113_001, "send", "signal-1", { url: "https://service.example/v1/trade/buy", body }],
    [113_400, "answer", "signal-1", { status: 200, headers: {}, body: JSON.stringify(answer) }],
    [113_401, "settle", "signal-1", { outcome: "landed", code: null, status: 200, signature: "S", proven: false }],
  ]);
  await writeFile(join(cwd, "desk.log"), log);
  const own = await run("desk.log", "--after", "0", "--json");
  assert.deepEqual([own.code, own.err, JSON.parse(own.out).report.run.replayed], [0, "", 1]);
});

test("a slippage alone is that of the buys, and sells at no time before the end", async () => {
  const { code, out, err } = await run("tape.csv", "--slippage", "90 %");
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /end of the tape/);
});

test("a slippage without a unit in a plan is in the unit of the profile that carries it out", async () => {
  await writeFile(join(cwd, "bare.json"), JSON.stringify({ timeMs: 1_000, slippage: 50 }));
  await writeFile(
    join(cwd, "falls.csv"),
    "atMs,mint,side,lamports,tokens\n0,M,buy,20000000000,\n13400,M,sell,,60000000000000\n30000,M,buy,1000000000,",
  );
  await writeFile(
    join(cwd, "config.toml"),
    '[profiles.live]\nbaseURL = "https://service.example"\nslippageUnit = "bps"',
  );
  const env = { ...process.env, NO_COLOR: "1", LAUNCHPAD_DESK_HOME: cwd };
  const first = async (...args) => {
    const { code, out, err } = await end(
      process.execPath,
      [file, "backtest", "falls.csv", "--exits", "bare.json", "--after", "2", "--latency", "5500", "--json", ...args],
      { cwd, env },
    );
    assert.deepEqual([code, err], [0, ""]);
    return JSON.parse(out).report.run.orders.find(({ side }) => side === "sell").outcome;
  };
  assert.deepEqual([await first(), await first("--profile", "live")], ["landed", "failed"]);
});

test("what is wrong is told, and exits with 64", async () => {
  await writeFile(join(cwd, "bad.csv"), "atMs,mint,side\n0,M,sell");
  await writeFile(
    join(cwd, "seconds.csv"),
    "atMs,mint,side,lamports,tokens\n1780000001,M,buy,500000000,17000000000000\n1780000003,M,sell,480000000,17000000000000",
  );
  await writeFile(join(cwd, "foreign.csv"), FOREIGN);
  for (const [args, message] of [
    [["none.csv"], /^the tape: ENOENT/],
    [["bad.csv"], /trades\[0\]\.tokens is missing/],
    [
      ["seconds.csv"],
      /trades\[0\]\.atMs is 1780000001, which is in seconds since 1970: times of a recording are in milliseconds/,
    ],
    [["tape.csv", "--exits", "tape.csv"], /^--exits: tape\.csv is not JSON$/m],
    [["tape.csv", "--exits", "tape.json"], /^--exits: tape\.json has no JSON object$/m],
    [["tape.csv", "--stop-loss", "30"], /^--stop-loss: 30 has no unit: type 30x, \+30 % or −30 %$/m],
    [["tape.csv", "--stop-loss", "100 %"], /^--stop-loss: 100 % may be 1x or \+100 %: type one of them$/m],
    [["tape.csv", "--trailing", "−30%"], /^--trailing: −30% is below zero$/m],
    [["tape.csv", "--take-profit", "2x:50"], /exits\.takeProfit\[0\]\.sell must be a percentage/],
    [["tape.csv", "--sol", "1.000"], /^--sol may be 1\.000 or 1000: type 1\.0 or 1000$/m],
    [["tape.csv", "--columns", "{"], /^--columns: it is not JSON$/m],
    [["tape.csv", "--columns", '{"atMs":"when"}'], /no row has the column when, which columns\.atMs names/],
    [["empty.json"], /^empty\.json has no trades$/m],
    [["whole.csv"], /^tape has buys that spent hundreds of times what their tokens cost: tokens are in base units/m],
    [["foreign.csv"], /columns: \{"atMs":\{"column":"block_time","unit":"s"\},"mint":"token"/],
    [
      ["tape.csv", "--take-profit", "2x"],
      /^--take-profit takes two values with a colon between, not 2x; such as 2x:50%$/m,
    ],
    [["tape.csv", "--latency", "1,x"], /^--latency takes a whole number from 0 to 1000000000, not x$/m],
    [["tape.csv", "--sol", "much"], /^--sol is not a number$/m],
    [["tape.csv", "--stop-los", "0.7x"], /Did you mean --stop-loss\?/],
    [[], /missing required argument 'tape'/],
  ]) {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [64, ""], `${args}`);
    assert.match(err, message);
  }
});

for (const [name, command] of Object.entries({
  Bun: [BUN(), file],
  Deno: [DENO(), ...DENO_RUN, "--allow-read=.", "--allow-env", file],
})) {
  test(`${name} prints the same`, async () => {
    const [program, ...args] = command;
    const { code, out } = await end(program, [...args, "backtest", "tape.csv", ...FLAGS], { cwd });
    assert.deepEqual([code, out], [0, (await run("tape.csv", ...FLAGS)).out]);
  });
}
