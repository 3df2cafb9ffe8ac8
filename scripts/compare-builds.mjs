// node scripts/compare-builds.mjs OLD [NEW] [--seed N] [--cases N]: gives the same random requests and replies to two builds of the
// package, and fails at the first one that they answer differently: other bytes, another error, another outcome, fields in another order.
// OLD and NEW are folders such as pkg/dist, which is the default for NEW. A change for speed must leave all of it as it is.

import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { command, root } from "./program.mjs";

/** A generator of numbers below a bound: the same seed, the same numbers. */
function drawsOf(seed) {
  let state = BigInt.asUintN(64, seed);
  return (bound) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number((state >> 33n) % BigInt(bound));
  };
}

const OPERATIONS = ["buy", "sell", "sellByPercentage", "bundleBuy", "bundleSell", "bundleSellByPercentage"];
const NUMBERS = [0, 1, -1, 5, 0.5, 100, 100.1, 1e21, 1e-7, 2 ** 53, 2 ** 53 - 1, NaN, Infinity];
const AMOUNTS = { buy: "amountInLamports", sell: "amountInToken", sellByPercentage: "percentage" };
const RARE_STATUSES = [201, 202, 204, 301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503, 0, 200.5];
/** A field as an assignment makes it, whatever its name is. */
const ORDINARY = { enumerable: true, configurable: true, writable: true };
const STATUSES = [...Array(25).fill(200), ...RARE_STATUSES];

function generator(below) {
  const one = (list) => list[below(list.length)];
  const often = (percent) => below(100) < percent;
  const digits = () => String(BigInt(below(2 ** 31)) * BigInt(below(2 ** 31)) * BigInt(10 ** below(4)));
  const text = () =>
    one([
      "M",
      "So11111111111111111111111111111111111111112",
      "w".repeat(below(140)),
      "a b",
      "",
      "Ünï 🚀",
      "\ud800",
      "\u0000",
      "ladekasse",
      "SIM1",
      "x\u2028y",
      // What the chain's errors, and doubts about them, look like.
      "failed: Custom Program error: 0x1772",
      "it was NOT confirmed in 30 seconds",
      '{"InstructionError":[3,{"Custom":6003}]}',
      "TransactionError: InsufficientFundsForFee",
    ]);
  const number = () => one([...NUMBERS, below(2 ** 31), below(2 ** 31) / 1e6]);
  const numeric = () =>
    one([
      number,
      number,
      () => BigInt(digits()),
      digits,
      () => `${number()}`,
      () => `${below(1e6)}.${below(1e6)}`,
      () => "1e3",
      () => " 1",
    ])();
  const foreign = () =>
    one([
      null,
      undefined,
      true,
      [],
      {},
      [1],
      () => 1,
      Symbol("s"),
      new Date(0),
      new Uint8Array(3),
      { percent: 5 },
      { bps: 500n },
      { baseUnits: 5n },
      { tokens: "1.5" },
      { tokens: 1, baseUnits: 2 },
      {
        get bps() {
          throw new Error("no");
        },
      },
    ]);
  const any = () => one([text, numeric, foreign])();
  const good = {
    mint: () => "So11111111111111111111111111111111111111112",
    fromWallet: () => "main",
    feePayer: () => one(["main", "payer"]),
    slippage: () => one([1, "0.5", 500, { percent: 2.5 }, { bps: 250 }]),
    priorityUnitLimit: () => below(1e6),
    priorityUnitPrice: () => `${below(1e6)}`,
    amountInLamports: () => one([below(2 ** 31) + 1, BigInt(digits()) + 1n, `${digits()}1`]),
    amountInToken: () =>
      one([below(1e6) + 0.5, `${below(1e6)}.5`, { baseUnits: BigInt(digits()) + 1n }, { tokens: "16.99" }]),
    percentage: () => one([100, 50, "12.5", 0.001]),
  };
  const field = (name) => (often(97) ? (good[name] ?? any) : any)();
  const misspelt = (name) => one([name.slice(1), `${name}s`, name.toLowerCase(), "extra", "__proto__x"]);
  const object = (names) => {
    const made = often(97)
      ? {}
      : Object.create(
          one([
            null,
            { inherited: 1 },
            {
              get slippage() {
                return 5;
              },
            },
          ]),
        );
    for (const name of often(10) ? [...names].sort(() => below(3) - 1) : names) {
      if (often(99))
        Object.defineProperty(made, often(99) ? name : misspelt(name), { value: field(name), ...ORDINARY });
    }
    return made;
  };
  const request = (operation) => {
    if (often(1)) return any();
    const rest = ["feePayer", "slippage", "priorityUnitLimit", "priorityUnitPrice"].filter(() => often(60));
    if (!operation.startsWith("bundle"))
      return object([
        "mint",
        "fromWallet",
        AMOUNTS[operation],
        ...rest,
        ...(often(3) ? [one([...Object.keys(good), "buys", "sells"])] : []),
      ]);
    const kind = operation[6].toLowerCase() + operation.slice(7);
    const legs = Array.from({ length: often(5) ? 0 : 1 + below(6) }, () =>
      often(97) ? object(["fromWallet", AMOUNTS[kind], ...(often(40) ? ["slippage"] : [])]) : any(),
    );
    return {
      ...object(["mint", ...rest]),
      ...(often(80) ? { feePayer: "main" } : {}),
      [kind === "buy" ? "buys" : "sells"]: legs,
    };
  };
  const value = (depth) =>
    one([
      () => null,
      () => often(50),
      () => below(1e6),
      digits,
      text,
      () => (depth ? { [text()]: value(depth - 1), deep: [value(depth - 1)] } : []),
    ])();
  const amount = () =>
    one([
      () => below(2 ** 31) / 1e6,
      () => digits(),
      () => `${below(1e6)}.${below(1e6)}`,
      () => one([null, 0, 1, "lots", -1]),
    ])();
  const reply = (operation) => {
    if (often(4))
      return one([
        "",
        "null",
        "[]",
        "{}",
        "{",
        '{"result":5}',
        "<html>busy</html>",
        '{"message":"no"}',
        '{"error":{"detail":"bad key sk-0123456789abcdef"}}',
        '{"a":1,"a":2}',
        "\ufeff{}",
        text(),
      ]);
    const signature = one(["S1", "SIM1", null, text()]);
    const result = {
      mint: "So11111111111111111111111111111111111111112",
      wallet: often(95) ? "main" : text(),
      preTokenBalance: amount(),
      postTokenBalance: amount(),
      [operation.endsWith("uy") ? "buyAmount" : "sellAmount"]: amount(),
      signature,
      transactionResult: {
        success: one([...Array(8).fill(true), false, null, "true"]),
        signature: often(95) ? signature : "S2",
        results: value(3),
      },
      tokenAccount: one(["T", "T", "T", null, often(10) ? 5 : "T"]),
      tokenAccountClosed: one([true, false, null, undefined]),
    };
    const whole = {
      result,
      explorer: {
        mint: "https://e/M",
        wallet: "https://e/W",
        tx: "https://e/tx",
        tokenAccount: often(50) ? "https://e/T" : undefined,
      },
      launchpad: { mint: "https://l/M" },
      extra: often(10) ? value(2) : undefined,
    };
    for (const part of [whole, result, result.transactionResult, whole.explorer]) {
      for (const name of Object.keys(part)) if (often(1)) part[name] = often(50) ? undefined : value(2);
    }
    let written = JSON.stringify(whole, undefined, often(10) ? 1 : 0);
    // As JSON with more than a JS number can hold, cut, or with other bytes.
    if (often(10))
      written = written.replace(/:(\d+)/, (_, number) => `:${number}${digits()}.${below(100)}e${below(30)}`);
    if (often(2)) written = written.slice(0, below(written.length));
    if (often(2)) written = written.replace("a", "\\u0061").replace("}", one(["]", ",}", "}}"]));
    return written;
  };
  const options = () =>
    one([
      ...Array(16).fill(undefined),
      {},
      { identifiers: "base58" },
      { slippageUnit: "bps" },
      { tokenDecimals: below(20) },
      { maxBundleSize: 1 + below(5) },
      { maxBundleSize: 0 },
      { identifier: "any" },
      { maxReplyBytes: below(2000) + 1 },
      null,
      5,
    ]);
  const bytes = (written) =>
    often(30) ? Buffer.concat([Buffer.from(written), often(10) ? Buffer.from([0xff]) : Buffer.alloc(0)]) : written;
  return { one, request, reply, options, bytes };
}

/** Any value as text, with the order of fields, and what JSON leaves out. */
const told = (value) =>
  JSON.stringify(value, (_, inner) => {
    if (typeof inner === "bigint") return `${inner}n`;
    return inner === undefined || typeof inner === "function" || typeof inner === "symbol" ? String(inner) : inner;
  });

/** What a build answers to a case: kind, and the arguments that the kind takes. */
const answers = {
  validate: ({ desk }, { operation, request, options }) => desk.validate(operation, request, options),
  isValid: ({ desk }, { operation, request, options }) => desk.isValid(operation, request, options),
  build: ({ client }, { operation, request }) => client.build(operation, request),
  readCall: ({ desk }, { operation, body, options }) => desk.readCall(operation, body, options),
  readReply: ({ desk }, { sent, status, reply, options }) => desk.readReply(sent, status, reply, options),
  trade: async ({ clientOf }, { operation, request, status, reply }) => {
    const { trade, response } = await clientOf(status, reply)[operation](request, { intentId: "i" }).withResponse();
    return { trade, status: response.status };
  },
};

/** What is asked most often is most likely to differ. */
const KINDS = [...Object.keys(answers), "build", "readReply", "readReply"];

async function answered(build, { kind, ...given }) {
  try {
    return told(await answers[kind](build, given));
  } catch (error) {
    return told([error, error.trade, error.evidence]);
  }
}

async function opened(folder) {
  const desk = await import(pathToFileURL(join(resolve(folder), "index.js")).href);
  const client = new desk.TradeClient({ baseURL: "https://service.example" });
  const clientOf = (status, reply) =>
    new desk.TradeClient({
      baseURL: "https://service.example",
      apiKey: "sk-0123456789abcdef",
      fetch: async () => ({ status, headers: { get: () => null }, arrayBuffer: async () => Buffer.from(reply) }),
    });
  return { desk, client, clientOf };
}

await command("compare-builds", async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string" }, cases: { type: "string", default: "1000000" } },
  });
  const [old, fresh = join(root, "pkg/dist")] = positionals;
  if (!old) throw new Error("which build is the old one? pass its folder");
  const seed = BigInt(values.seed ?? randomBytes(8).readBigUInt64BE());
  console.log(`seed ${seed}`);
  const builds = [await opened(old), await opened(fresh)];
  const { one, request, reply, options, bytes } = generator(drawsOf(seed));
  const counts = {};
  let failed = 0;
  for (let at = 0; at < Number(values.cases); at++) {
    const kind = one(KINDS);
    const operation = one(OPERATIONS);
    const given = {
      kind,
      operation,
      request: request(operation),
      status: one(STATUSES),
      reply: bytes(reply(operation)),
      options: options(),
    };
    try {
      given.body = JSON.stringify(given.request, (_, inner) => (typeof inner === "bigint" ? `${inner}` : inner));
    } catch {
      given.body = "{";
    }
    given.sent = one([operation, { operation, body: given.body }]);
    const [before, now] = [await answered(builds[0], given), await answered(builds[1], given)];
    const outcome = /^\[\{"name":"(\w+)"/.exec(now)?.[1] ?? "an answer";
    const count = (counts[kind] ??= { "an answer": 0 });
    count[outcome] = (count[outcome] ?? 0) + 1;
    if (before === now) continue;
    console.error(`case ${at}, ${told(given)}\nbefore: ${before}\nnow:    ${now}`);
    if (++failed === 5) break;
  }
  console.table(counts);
  if (failed) throw new Error(`the builds differ; repeat with --seed ${seed}`);
  console.log(`${values.cases} cases, the same answers`);
});
