// Trades by the command line of the packed tarball: what it prints, what it sends, and how it exits.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { NODE_24 } from "../faults/pinned.mjs";
import { installAsStranger } from "../package/stranger.mjs";
import { ADA, BOB, KEY, RABBIT, SEND, commandsIn, end, limits, serviceWithNode, serving, words } from "./command.mjs";

const { folder: cwd } = await installAsStranger();
const { file, THIS, RUNTIMES: ALL, home, served } = commandsIn(cwd);
const RUNTIMES = { ...ALL, "Node 24": [NODE_24(), file] };

/** The head of a record that ends with this line. */
const headOf = (line) =>
  `${JSON.stringify({ number: JSON.parse(line).number, hash: createHash("sha256").update(line).digest("hex") })}\n`;

const outcome = (name) => ["--fee-payer", `sandbox-outcome-${name}`];

test("the books keep what a failed attempt cost where its id is sent again", async () => {
  const { json } = await home();
  const buy = ["buy", "--sol", "0.5", "--intent-id", "again", "--priority-unit-price", "5000000", ...SEND];
  assert.equal((await json(...buy, ...outcome("failed-below-minimum-tokens"))).outcome, "failed");
  const realised = async () => (await json("position")).positions.find(({ wallet }) => wallet === ADA).realisedLamports;
  assert.equal(await realised(), "-1005000");
  assert.equal((await json(...buy)).outcome, "landed");
  assert.equal(await realised(), "-1005000");
});

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  /** A test of what is the same code in each runtime, on the same file system, terminal and network. */
  const inOldest = name === "the oldest Node" ? test : () => {};

  inOldest(`${name}: each exit code says whether money may have moved`, async () => {
    const { run, json } = await home(runtime);
    const looked = await json("buy", "--sol", "0.5");
    assert.deepEqual(
      [looked.exitCode, looked.outcome, looked.mode, looked.plan.price.legs[0].tokenAmount],
      [0, null, "simulated", "17376518.132293"],
    );
    assert.equal((await json("position")).positions[0].tokens, null, "nothing was sent");

    const bought = await json("buy", "--sol", "0.5", ...SEND);
    assert.deepEqual([bought.exitCode, bought.outcome, bought.trade.exact.buyAmount], [0, "landed", "17376518.132293"]);
    assert.deepEqual(
      (await json("position")).positions.map(({ tokens }) => tokens),
      ["17376518132293", null, null],
    );

    const refused = await json("buy", "--lamports", "0", ...SEND);
    assert.deepEqual(
      [refused.exitCode, refused.outcome, refused.error.fields[0].message],
      [64, "not_sent", "amountInLamports must be above zero"],
    );
    for (const [asked, exitCode, is] of [
      ["rejected-429", 2, "rejected"],
      ["failed-below-minimum-tokens", 3, "failed"],
      ["executed-no-answer", 4, "unknown"],
    ]) {
      const {
        exitCode: code,
        outcome: said,
        error,
        next,
      } = await json("buy", "--sol", "0.01", ...SEND, ...outcome(asked));
      assert.deepEqual([code, said, error.outcome, next !== null], [exitCode, is, is, is === "unknown"], asked);
    }
    const [intent, ...others] = (await json("pending")).intents;
    assert.deepEqual([intent.operation, intent.lamports, others.length], ["buy", "10010000", 0]);
    const again = await json("buy", "--sol", "0.01", "--intent-id", intent.intentId);
    assert.deepEqual([again.exitCode, again.plan.refused.code], [1, "intent_unknown"]);
    const [{ intentId, outcome: ended }] = (await json("settle")).settled;
    assert.deepEqual([intentId, ended], [intent.intentId, "landed"]);
    assert.equal((await run("pending")).out, "Nothing is unresolved in profile sandbox (simulated).\n");
    for (const args of [
      ["buy", "--sol", "1", "--yes"],
      ["buy", "--sol", "1", "--send"],
      ["buy", "--soul", "1"],
      ["buy", "--sol", "1,000"],
      ["buy", "--sol", "1", "--lamports", "1"],
      ["settle", "x", "perhaps"],
      ["settle", "x"],
      ["settle", "x", "landed", "--within", "1"],
      ["halt", "sells"],
      ["bundle", "hold", "wallets.csv"],
      ["buy", "--profile", "none"],
    ]) {
      const { code, out } = await run(...args);
      assert.deepEqual([code, out], [64, ""], args.join(" "));
    }
  });

  test(`${name}: a plan is sent once, as it was written`, async () => {
    const { folder, run, json } = await home(runtime);
    const planned = await run("plan", "buy", "--sol", "0.25", "--slippage", "50bps", "--valid-for", "600");
    assert.deepEqual([planned.code, planned.err], [0, ""]);
    const plan = JSON.parse(planned.out);
    assert.deepEqual(JSON.parse(plan.body).slippage, 0.5);
    await writeFile(join(folder, "plan.json"), planned.out);
    await writeFile(
      join(folder, "altered.json"),
      JSON.stringify({ ...plan, body: plan.body.replace("250000000", "950000000") }),
    );
    assert.equal((await json("send", join(folder, "altered.json"), "--yes")).error.code, "plan_altered");
    assert.equal((await run("send", join(folder, "plan.json"))).code, 64, "without a terminal it needs --yes");
    const sent = await json("send", join(folder, "plan.json"), "--yes");
    assert.deepEqual([sent.exitCode, sent.trade.intentId], [0, plan.intentId]);
    const twice = await json("send", join(folder, "plan.json"), "--yes");
    assert.deepEqual([twice.exitCode, twice.error.code], [1, "plan_used"]);
  });
}

test("settle says of each unknown trade what the sandbox made of it, and records what a person found", async () => {
  const { run, json } = await home();
  for (const [id, asked] of [
    ["a", "executed-no-answer"],
    ["b", "not-executed-502"],
  ])
    assert.equal((await json("buy", "--sol", "0.01", "--intent-id", id, ...SEND, ...outcome(asked))).exitCode, 4);
  const told = await json("settle", "a", "did_not_land");
  assert.deepEqual(
    [told.exitCode, told.outcome, told.settled],
    [0, "did_not_land", [{ intentId: "a", outcome: "did_not_land" }]],
  );
  assert.equal((await run("settle", "a", "did_not_land")).code, 64, "it is not unresolved any more");
  const { settled, exitCode } = await json("settle");
  assert.deepEqual(
    [exitCode, settled.map(({ intentId, outcome }) => [intentId, outcome])],
    [0, [["b", "did_not_land"]]],
  );
  assert.deepEqual((await json("settle")).settled, []);
  // What the sandbox's log proves is no person's word.
  const { out } = await run("verify");
  assert.match(out, /^a: buy did_not_land, said later\nb: buy did_not_land, proven\nVerified: /);
});

test("a buy that asks for its outcome costs what the same buy costs without", async () => {
  const costs = [];
  for (const [asked, exitCode] of [
    [[], 0],
    [outcome("landed"), 0],
    [outcome("executed-no-answer"), 4],
  ]) {
    const { json } = await home();
    const buy = (sol, ...args) => json("buy", "--intent-id", "a", "--sol", sol, ...SEND, ...args);
    assert.equal((await buy("0.05", ...asked)).exitCode, exitCode);
    if (exitCode) {
      assert.equal((await buy("0.01")).plan.refused.code, "intent_unknown", "its plan is not the one that was sent");
      assert.equal((await json("settle")).settled[0].outcome, "landed");
    }
    costs.push((await json("position", "--from-wallet", ADA)).positions[0].costLamports);
  }
  assert.deepEqual(costs, Array(3).fill(costs[0]));
  assert.match(costs[0], /^\d+$/);
});

test("a profile keeps the heads of its record in a second place, and sends nothing without that", async () => {
  const lines = ["[profiles.sandbox]", "sandbox = {}", 'recordHeads = "elsewhere/desk.heads"'];
  const { folder, run, json } = await home(THIS, ...lines);
  const heads = join(folder, "elsewhere/desk.heads");
  const record = join(folder, "sandbox/desk.log");
  const stopped = await run("buy", "--sol", "0.1", ...SEND);
  assert.equal(stopped.code, 1, stopped.out);
  assert.match(stopped.err, /the second place of the record's head: ENOENT/);
  assert.match(
    (await run("doctor")).out,
    /^BAD second place: ENOENT.*; make .*elsewhere, or correct recordHeads in \S+config\.toml$/m,
  );
  assert.equal((await json("position")).positions[0].tokens, null, "nothing was sent");

  await mkdir(join(folder, "elsewhere"));
  assert.match((await run("doctor")).out, /^ok {2}second place: \S+desk\.heads$/m);
  assert.deepEqual(await readdir(join(folder, "elsewhere")), [], "an empty file is no head");
  for (const id of ["a", "b"]) assert.equal((await run("buy", "--sol", "0.1", "--intent-id", id, ...SEND)).code, 0);
  assert.match((await run("doctor")).out, /^ok {2}second place: \S+desk\.heads$/m);
  await writeFile(`${heads}.empty`, "");
  assert.match((await run("verify", "--head", `${heads}.empty`)).err, /there is no head/);
  const kept = (await readFile(heads, "utf8")).trim().split("\n");
  assert.equal(kept.at(-1), (await readFile(`${record}.head`, "utf8")).trim());
  assert.equal((await run("verify")).code, 0);
  // Of a head that a crash has torn, the next one stands in the same line.
  await writeFile(heads, [...kept.slice(0, -1), `{"numb${kept.at(-1)}`, ""].join("\n"));
  assert.equal((await run("verify")).code, 0);
  await writeFile(heads, `{"numb${kept.at(-1).replace(/"hash":"./, '"hash":"x')}\n`);
  assert.equal((await run("verify")).code, 6, "it counts");
  await writeFile(heads, `${kept.join("\n")}\n`);

  // Whoever holds the record and its head writes both anew, without the last trade: only the second place shows it.
  const all = (await readFile(record, "utf8")).trim().split("\n");
  const left = all.slice(0, all.findIndex((line) => line.includes('"act":"receipt"')) + 1);
  await writeFile(record, `${left.join("\n")}\n`);
  await writeFile(`${record}.head`, headOf(left.at(-1)));
  assert.equal((await run("verify", record)).code, 0, "the head beside it says what it says");
  assert.equal((await run("verify")).code, 6);
  assert.equal((await run("verify", record, "--head", heads)).code, 6);
  // Nor does a later command hide it: the heads before that are not of this record.
  assert.equal((await run("buy", "--sol", "0.1", "--intent-id", "c", ...SEND)).code, 0);
  const hidden = await run("verify");
  assert.equal(hidden.code, 6, hidden.out);
  assert.match(hidden.out, /^PROBLEM: line \d+ is not the one that \S+desk\.heads names$/m);
  // A head that was cut off in the middle does not count.
  await writeFile(heads, `${kept.join("\n")}\n{"numb`);
  assert.equal((await run("verify", record, "--head", heads)).code, 6);
});

test("a bundle is read from a table or from JSON, and every bad row is named", async () => {
  const { folder, run, json } = await home();
  const table = join(folder, "buys.csv");
  await writeFile(table, `wallet;amount;slippage\n${ADA};0,5;1\n${BOB};0,25;\n`);
  const bought = await json("bundle", "buy", table, ...SEND);
  assert.deepEqual([bought.exitCode, bought.trade.kind ?? bought.plan.operation], [0, "bundleBuy"]);
  assert.deepEqual(
    JSON.parse(bought.plan.body).buys.map(({ amountInLamports, slippage }) => [amountInLamports, slippage]),
    [
      [500_000_000, 1],
      [250_000_000, null],
    ],
  );
  const list = join(folder, "sells.json");
  await writeFile(
    list,
    JSON.stringify([
      { fromWallet: ADA, percentage: 50 },
      { fromWallet: BOB, percentage: "100" },
    ]),
  );
  assert.equal((await json("bundle", "sell-by-percentage", list, ...SEND)).outcome, "landed");
  // No number of a list is rounded: it is sent as it stands there, or refused.
  const written = async (name, elements) => {
    await writeFile(list, elements);
    const { plan, error } = await json("bundle", name, list, "--mint", RABBIT);
    return plan?.body ?? error;
  };
  assert.match(
    await written("buy", `[{"fromWallet":"${ADA}","amountInLamports":9007199254740993,"slippage":{"percent":0.5}}]`),
    /"amountInLamports":9007199254740993,"slippage":0\.5\b/,
  );
  assert.match(
    await written(
      "sell",
      `[{"fromWallet":"${ADA}","amountInToken":12345678901.123456},{"fromWallet":"${BOB}","amountInToken":2.50}]`,
    ),
    /"amountInToken":"?12345678901\.123456"?,.*"amountInToken":2\.5,/,
  );
  assert.match(
    await written("sell-by-percentage", `[{"fromWallet":"${ADA}","percentage":33.333333333333333333}]`),
    /"percentage":33\.333333333333333333\b/,
  );
  assert.equal(
    (await written("sell", `[{"fromWallet":"${ADA}","amountInToken":12345678901.1234567}]`)).fields[0].message,
    "sells[0].amountInToken is finer than the token's 6 decimals",
  );
  for (const bad of [`[{"fromWallet":"${ADA}","percentage":5,"percentage":50}]`, `[{"fromWallet":"${ADA}"`]) {
    await writeFile(list, bad);
    const { code, err } = await run("bundle", "sell-by-percentage", list, "--mint", RABBIT);
    assert.deepEqual([code, /sells\.json is not JSON: /.test(err)], [64, true], err);
  }
  await writeFile(table, `wallet,amount\n${ADA},1.5\n${BOB},\n,2\n${ADA},"1,000"\n`);
  const { code, out, err } = await run("bundle", "buy", table, ...SEND);
  assert.deepEqual([code, out], [64, ""]);
  for (const line of [3, 4, 5]) assert.match(err, new RegExp(`^ {2}line ${line}:`, "m"));
  assert.doesNotMatch(err, /line 2/);
});

test("base units in a table are of the token's own decimals", async (t) => {
  const sandbox = '{"launchpad":{"tokenDecimals":9}}';
  const service = await served(t, "--rpc", "--config", sandbox);
  const at = ['apiKeyEnv = "DESK_TEST_KEY"', ...limits("1_000", "1_000"), `baseURL = "${service.url}"`];
  const { folder, json } = await home(
    THIS,
    ...["[profiles.sandbox]", "sandbox = { launchpad = { tokenDecimals = 9 } }"],
    ...["[profiles.live]", ...at, `rpc = "${service.url}/rpc"`],
    ...["[profiles.blind]", ...at, "tokenDecimals = 9"],
  );
  const table = join(folder, "sells.csv");
  await writeFile(table, `wallet,baseUnits\n${ADA},1000000000\n`);
  for (const profile of ["sandbox", "live", "blind"]) {
    const { plan } = await json("bundle", "sell", table, "--mint", RABBIT, "--profile", profile);
    assert.equal(Number(JSON.parse(plan.body).sells[0].amountInToken), 1, profile);
  }
});

test("a plan shows what is in its bytes before anybody agrees to it, whether its price is known or not", async () => {
  const most = "20_000_000_000_000_000";
  const at = ['apiKeyEnv = "DESK_TEST_KEY"', ...limits(most, most, "50")];
  const { folder, run } = await home(
    THIS,
    ...['profile = "live"', "[profiles.live]", 'baseURL = "https://service.example/desk"', ...at],
    ...["[profiles.bps]", 'baseURL = "https://service.example"', 'slippageUnit = "bps"', ...at],
  );
  const unpriced = "Price: not known: no node (rpc in the profile) has said one in time.";
  const shown = async (lines, ...args) => {
    const { out } = await run(...args, "--mint", "M", "--intent-id", "a");
    assert.deepEqual(out.trim().split("\n"), [...lines, "Nothing was sent: add --send."], args.join(" "));
  };
  const mayTake = (sol) => `It may take up to ${sol} SOL, with the accounts that it may open and the network's fees.`;
  const bought = [
    "Buy of M (LIVE: real money), intent a",
    "W spends 0.25 SOL, fees included; slippage 1.5 %.",
    "Fee payer: P. Priority: at most 0.000002001 SOL (2000 units at 1000001 micro-lamports).",
    mayTake("0.252872041"),
    "It goes to https://service.example/desk/v1/trade/buy.",
    unpriced,
  ];
  const buy = words`buy --from-wallet W --fee-payer P --sol 0.25 --slippage 1.5 --priority-unit-limit 2000 --priority-unit-price 1000001`;
  await shown(bought, ...buy);
  await shown(
    [
      "Sell of M (LIVE: real money), intent a",
      "W sells 12345678901.123456 tokens; slippage: as the service sets it.",
      "Fee payer: as the service sets it. Priority: 7 micro-lamports for each unit, for as many units as the service sets.",
      "It goes to https://service.example/desk/v1/trade/sell.",
      unpriced,
    ],
    ...["sell", "--from-wallet", "W", "--tokens", "12345678901.123456", "--priority-unit-price", "7"],
  );
  await shown(
    [
      "Sell by percentage of M (LIVE: real money), intent a",
      "W sells 33.333333333333333333 % of what it holds; slippage 50 bps.",
      "Fee payer: W. Priority: at most 9 units, at the price that the service sets.",
      "It goes to https://service.example/v1/trade/sell-by-percentage.",
      unpriced,
    ],
    ...words`sell-by-percentage --profile bps --from-wallet W --fee-payer W --percentage 33.333333333333333333 --slippage 0.5 --priority-unit-limit 9`,
  );
  const table = join(folder, "buys.csv");
  await writeFile(table, "wallet,lamports,slippage\nV,9007199254740993,0.5\nW,1,\n");
  await shown(
    [
      "Bundle of buys of M (LIVE: real money), intent a",
      "V spends 9007199.254740993 SOL, fees included; slippage 0.5 %.",
      "W spends 0.000000001 SOL, fees included; slippage 2 %.",
      "In all 9007199.254740994 SOL.",
      "Fee payer: V. Priority: as the service sets it.",
      mayTake("9007199.260471074"),
      "It goes to https://service.example/desk/v1/trade/bundle/buy.",
      unpriced,
    ],
    ...["bundle", "buy", table, "--slippage", "2"],
  );

  // The same lines stand before each question.
  const { out: plan } = await run("plan", ...buy, "--mint", "M", "--intent-id", "a", "--valid-for", "600");
  await writeFile(join(folder, "plan.json"), plan);
  const asked = await run("send", join(folder, "plan.json"));
  assert.deepEqual([asked.code, asked.err.trim().split("\n").slice(0, -1)], [64, bought]);
  const other = await run("send", join(folder, "plan.json"), "--profile", "bps", "--yes");
  const elsewhere = "this plan is of profile live, and was perhaps sent there: send it with --profile live\n";
  assert.deepEqual([other.code, other.err], [64, elsewhere], "each profile knows only what it has sent itself");
  // A plan of somebody else cannot draw over these lines, or turn them around.
  const forged = plan.replace('\\"mint\\":\\"M\\"', '\\"mint\\":\\"M\\\\u001b[2A\\\\u202e\\\\n\\"');
  assert.notEqual(forged, plan);
  await writeFile(join(folder, "forged.json"), forged);
  assert.equal(
    (await run("send", join(folder, "forged.json"))).err.split("\n")[0],
    "Buy of M\ufffd[2A\ufffd\ufffd (LIVE: real money), intent a",
  );
  await mkdir(join(folder, "live/approvals"), { recursive: true });
  await writeFile(join(folder, "live/approvals", `${Buffer.from("a").toString("base64url")}.plan`), plan.trim());
  // When it was made follows.
  assert.deepEqual((await run("approve")).out.trim().split("\n").slice(0, -1), bought);
  assert.deepEqual((await run("approve", "a")).err.trim().split("\n").slice(0, -2), bought);
});

test("the doctor says of the node, the record and the journal what each lacks, and what to do", async () => {
  const { folder, configure, run } = await home();
  let answers = { getSlot: 1_000, getBlockTime: Math.floor(Date.now() / 1_000) - 3_600 };
  const { url } = await serving((request, response, body) => {
    const { method } = request.method === "POST" ? JSON.parse(body) : {};
    if (answers.status) return response.writeHead(answers.status).end();
    if (answers.date) response.setHeader("date", answers.date);
    const said =
      answers[method] === undefined ? { error: { code: -32601, message: "no" } } : { result: answers[method] };
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...said }));
  });
  await mkdir(join(folder, "live"), { recursive: true });
  const live = ['profile = "live"', "[profiles.live]", `baseURL = "${url}"`, 'apiKeyEnv = "DESK_TEST_KEY"'];
  const config = (rpc) => configure(...live, rpc, ...limits(1, 1, 1));
  const found = async (...whats) => {
    const { out } = await run("doctor");
    return out.split("\n").filter((line) => whats.includes(line.slice(4).split(":")[0]));
  };
  await config(`rpc = "${url}/secret-path"`);
  const [hour] = await found("slot");
  assert.match(hour, /^BAD slot: 1000, 36\d\d s old; its prices are old: use another node$/);
  answers.date = new Date(answers.getBlockTime * 1_000).toUTCString();
  assert.match((await found("slot"))[0], / s old; its prices are old, or this machine's clock is wrong$/);
  answers = { ...answers, date: undefined, getBlockTime: Math.floor(Date.now() / 1_000) };
  assert.match((await found("node", "slot")).join("\n"), /^ok {2}node: it answers\nok {2}slot: 1000, \d+ s old$/);
  answers = { getSlot: 1_000 };
  assert.deepEqual(await found("slot"), [
    "BAD slot: it refuses getBlockTime (-32601); use a node that answers it: without it no trade can be settled",
  ]);
  answers = { status: 401 };
  assert.deepEqual(await found("node", "slot"), [
    "BAD node: it answers with status 401; look at rpc in the config file, and at the network",
  ]);
  await config('rpc = "http://127.0.0.1:9/secret-path"');
  const [unreachable, ...more] = await found("node", "slot");
  assert.match(
    unreachable,
    /^BAD node: it cannot be reached \(\w+\); look at rpc in the config file, and at the network$/,
  );
  assert.deepEqual(more, []);
  assert.doesNotMatch((await run("doctor")).out, /secret-path/);
  await config("maxSlipage = 1");
  assert.match((await found("settings"))[0], /^BAD settings: .*maxSlipage.*; correct it in \S+config\.toml$/);
  await config("");
  assert.deepEqual(await found("node", "slot"), [
    "ok  node: none (rpc): prices are not known, and no outcome can be proven",
  ]);

  assert.deepEqual(await found("record", "journal", "trades"), [
    "ok  record: it goes on where it ends",
    "ok  journal: it can be read",
    "ok  trades: none is unresolved",
  ]);
  const [record, journal] = ["desk.log", "trades.journal"].map((name) => join(folder, "live", name));
  await writeFile(`${record}.head`, '{"number":9,"hash":"0"}\n');
  await writeFile(journal, "no journal\nno more\n");
  const [ofRecord, ofJournal, ...others] = await found("record", "journal", "trades");
  assert.match(
    ofRecord,
    /^BAD record: the record \S+desk\.log (lacks|does not end) .*; launchpad-desk verify --profile live says where it breaks$/,
  );
  assert.match(
    ofJournal,
    /^BAD journal: line 1 of the journal \S+ cannot be read .*; it says which trades are unresolved: put a copy of it back, or look at the wallets before you begin a new one$/,
  );
  assert.deepEqual(others, []);
});

test("a live profile needs a key and limits, sends the key, and shows it nowhere", async (t) => {
  const service = await served(t, "--config", JSON.stringify({ apiKey: KEY }));
  const { folder, configure, run, json, env } = await home();
  const config = (...lines) => configure('profile = "live"', "[profiles.live]", `baseURL = "${service.url}"`, ...lines);
  await config();
  const lacking = await run("buy", "--mint", RABBIT, "--from-wallet", ADA, "--sol", "0.1", ...SEND);
  assert.equal(lacking.code, 64);
  assert.match(
    lacking.err,
    /trades for real, and lacks apiKeyFile, apiKeyEnv or apiKeyCommand, maxLamportsPerTrade, maxLamportsPerDay, maxSlippage: add them to /,
  );
  const settings = [...limits("200_000_000", "310_000_000"), `fromWallet = "${ADA}"`];
  const buy = (...more) => json("buy", "--mint", RABBIT, "--sol", "0.1", ...more);

  await config(`apiKey = "${KEY}"`, ...settings);
  assert.match((await run("pending")).err, /apiKey: a key does not belong in this file/);
  await writeFile(join(folder, "key"), KEY);
  await chmod(join(folder, "key"), 0o644);
  await config('apiKeyFile = "key"', ...settings);
  assert.match(
    (await run("pending")).err,
    /others can read .*\(mode 0644\): chmod 600 it; if it is mounted, mount it with mode 0400, or use apiKeyEnv or apiKeyCommand = \["cat", ".*key"\]\n$/,
  );
  await chmod(join(folder, "key"), 0o600);
  const landed = await buy(...SEND);
  assert.deepEqual([landed.mode, landed.outcome, landed.plan.price], ["live", "landed", null]);
  await config(`apiKeyCommand = ["${process.execPath}", "-e", "console.log('${KEY}')"]`, ...settings);
  assert.equal((await buy(...SEND)).outcome, "landed");
  await config('apiKeyEnv = "DESK_TEST_KEY"', ...settings);
  delete env.DESK_TEST_KEY;
  assert.match((await run("pending")).err, /the variable DESK_TEST_KEY is not set/);
  env.DESK_TEST_KEY = "another-key";
  const unauthorized = await buy(...SEND);
  assert.deepEqual([unauthorized.exitCode, unauthorized.error.code], [2, "unauthorized"]);
  env.DESK_TEST_KEY = KEY;
  const overTrade = await buy("--sol", "0.25");
  assert.deepEqual([overTrade.exitCode, overTrade.plan.refused.code], [1, "over_trade_limit"]);
  assert.equal((await buy("--sol", "0.15", ...SEND)).plan.refused.code, "over_day_limit");
  const doctor = await run("doctor");
  assert.match(doctor.out, /^ok {2}service and clock: it agrees with the service's$/m);
  const found = "Look at the balances, and record what you found: `launchpad-desk settle INTENT landed --profile live`";
  await configure("[profiles.live]", `baseURL = "${service.url}"`, 'apiKeyEnv = "DESK_TEST_KEY"', ...settings);
  const inLive = ["--profile", "live"];
  const lost = await buy("--sol", "0.05", ...inLive, ...SEND, ...outcome("executed-no-answer"));
  assert.ok(lost.next.startsWith(`Never send it again. ${found}`), "nothing can prove it, and the profile is named");
  const unproven = await json("settle", ...inLive);
  assert.deepEqual([unproven.exitCode, unproven.settled.length], [4, 1]);
  assert.match(unproven.settled[0].reason, /has no node \(rpc\), so nothing can be proven/);
  // What is printed has no key in it: `run` looks.
  assert.ok(!(await readFile(join(folder, "live/trades.journal"), "utf8")).includes(KEY));
});

test("settle compares what landed with its quote, believes a gateway about what waits there, and never calls a trade not sent that it cannot ask about", async () => {
  let state = "awaiting_approval";
  // At the gateway nothing is sent.
  const atGateway = ({ url, method }, response) =>
    url.startsWith("/gateway/") &&
    response
      .writeHead(method === "GET" ? 200 : 202, { "content-type": "application/json", "intent-state": state })
      .end('{"detail":"a person decides"}');
  const service = await serviceWithNode({ onTrade: ({ socket }) => socket.destroy(), answered: atGateway });
  const { url } = service;
  const settings = [
    `baseURL = "${url}"`,
    `rpc = "${url}/rpc"`,
    'apiKeyEnv = "DESK_TEST_KEY"',
    `fromWallet = "${ADA}"`,
    'market = { commitment = "processed", walletsShared = false, serviceHoldsMs = 1000 }',
  ];
  const own = limits("1_000_000_000", "1_000_000_000", 5);
  const { json, run } = await home(
    THIS,
    ...['profile = "live"', "[profiles.live]", ...settings, ...own],
    ...["[profiles.gateway]", ...settings.with(0, `baseURL = "${url}/gateway"`), ...own, "gateway = true"],
  );
  const lost = await json("buy", "--mint", RABBIT, "--sol", "0.5", "--intent-id", "lost", ...SEND);
  assert.deepEqual([lost.exitCode, lost.outcome, lost.drift], [4, "unknown", undefined]);
  const at = ["--profile", "gateway"];
  assert.equal(
    (await json("buy", ...at, "--mint", RABBIT, "--from-wallet", BOB, "--sol", "0.4", "--intent-id", "waits", ...SEND))
      .exitCode,
    5,
  );
  service.finalize();
  const { exitCode, settled } = await json("settle");
  assert.deepEqual(
    [exitCode, settled.map(({ intentId, outcome, drift }) => [intentId, outcome, drift?.causes])],
    [0, [["lost", "landed", []]]],
  );
  // A node sees that nothing was sent, and cannot know that a person may still approve it.
  const gatewaySays = async () => {
    const { exitCode, settled } = await json("settle", ...at);
    return [exitCode, settled.map(({ intentId, outcome, reason }) => `${intentId}: ${outcome}, ${reason}`).join()];
  };
  assert.deepEqual(await gatewaySays(), [4, "waits: unknown, awaiting_approval"]);
  state = "in_doubt";
  assert.deepEqual(await gatewaySays(), [4, "waits: unknown, in_doubt"]);
  assert.equal((await json("buy", "--mint", RABBIT, "--sol", "0.3", "--intent-id", "lost-too", ...SEND)).exitCode, 4);
  // Evidence that decides nothing ends no trade: no other command takes it for one that did not land.
  const undecided = await json("settle");
  assert.deepEqual(
    [undecided.exitCode, undecided.settled.map(({ intentId, outcome }) => [intentId, outcome])],
    [4, [["lost-too", "unknown"]]],
  );
  assert.match(
    (await run("exits", "set", "lost-too", "--stop-loss", "0.9x", "--slippage", "5")).err,
    /does not say what lost-too bought \(its outcome: unknown\)/,
  );
  service.server.closeAllConnections();
  service.server.close();
  const [code, said] = await gatewaySays();
  assert.deepEqual([code, /^waits: unknown, the gateway cannot be asked: /.test(said)], [4, true], said);
  const down = await json("settle");
  assert.deepEqual(
    [down.exitCode, down.settled.map(({ intentId, outcome }) => [intentId, outcome])],
    [4, [["lost-too", "unknown"]]],
  );
});

/** A gateway that does not know of its first answer, and has it later: accepted, without saying whether it landed. */
async function forgetfulGateway() {
  const answer = JSON.stringify({
    result: { mint: RABBIT, wallet: ADA, buyAmount: "5.0", transactionResult: { signature: "S" } },
  });
  const gateway = { state: "in_doubt" };
  const { url } = await serving((request, response) => {
    const head = { "content-type": "application/json", "intent-state": gateway.state };
    if (request.method === "GET") response.writeHead(200, head).end("{}");
    else if (gateway.state === "ended") response.writeHead(200, head).end(answer);
    else response.writeHead(409, head).end('{"detail":"in doubt"}');
  });
  const own = ['apiKeyEnv = "DESK_TEST_KEY"', "gateway = true", ...limits("3_000_000", "3_000_000", 5)];
  return { gateway, settings: [`baseURL = "${url}"`, ...own] };
}

const buyAtGateway = (id) => words`buy --mint ${RABBIT} --from-wallet ${ADA} --lamports 5 --intent-id ${id}`;

test("settle says of what a gateway has answered no more than the answer does", async () => {
  const { gateway, settings } = await forgetfulGateway();
  const { json, run } = await home(THIS, 'profile = "live"', "[profiles.live]", ...settings);
  assert.equal((await json(...buyAtGateway("taken"), ...SEND)).exitCode, 4);
  assert.match(
    (await run("settle")).out,
    /^taken: unknown\. It was forwarded, and its outcome is unknown\. An operator /,
  );
  const wrong = await json("settle", "taken");
  assert.deepEqual([wrong.exitCode, wrong.outcome], [64, null], "a wrong argument does not say that it was not sent");
  gateway.state = "ended";
  const { exitCode, settled } = await json("settle");
  assert.deepEqual(
    [exitCode, settled.map(({ intentId, outcome, signature }) => [intentId, outcome, signature])],
    [0, [["taken", "unconfirmed", "S"]]],
  );
});

test("a profile is not switched between a sandbox and real money", async () => {
  const { settings } = await forgetfulGateway();
  const { folder, configure, run, json } = await home();
  const switched = (name, lines) => configure(`[profiles.${name}]`, ...lines);
  await switched("bot", settings);
  const at = ["--profile", "bot"];
  assert.equal((await json(...buyAtGateway("real"), ...at, ...SEND)).exitCode, 4);
  // A sandbox would say that it was never made, and it could be sent again.
  await switched("bot", ["sandbox = {}"]);
  const why =
    /^profile bot has traded for real so far, and its journal, record and exits in \S+bot are of that: use a profile of another name$/m;
  for (const args of [["settle"], ["exits", "list"], ["buy", "--sol", "0.1"]]) {
    const { code, err } = await run(...args, ...at);
    assert.deepEqual([code, why.test(err)], [64, true], err);
  }
  assert.match(
    (await run("doctor", ...at)).out,
    /^BAD mode: profile bot has traded for real so far, .*; use a profile of another name$/m,
  );
  await switched("bot", settings);
  const [{ intentId }, ...others] = (await json("pending", ...at)).intents;
  assert.deepEqual([intentId, others], ["real", []]);

  await switched("sim", ["sandbox = {}"]);
  const sim = ["--profile", "sim"];
  assert.equal((await json("buy", ...sim, "--sol", "0.1", "--intent-id", "play", ...SEND)).exitCode, 0);
  await json("exits", "set", ...sim, "play", "--stop-loss", "0.99x", "--slippage", "5");
  // As an earlier version has left it, which kept no such file.
  await rm(join(folder, "sim/mode"));
  await switched("sim", settings);
  const real = await run("exits", "run", ...sim, ...SEND);
  assert.deepEqual([real.code, /^profile sim has traded in a sandbox so far, /m.test(real.err)], [64, true], real.err);
});

test("a record is verified as a kill leaves it, or while a program writes it", async () => {
  const { folder, run } = await home();
  for (const id of ["a", "b"]) assert.equal((await run("buy", "--sol", "0.1", "--intent-id", id, ...SEND)).code, 0);
  const record = join(folder, "sandbox/desk.log");
  const text = await readFile(record, "utf8");
  const lines = text.trim().split("\n");
  const head = await readFile(`${record}.head`, "utf8");
  assert.equal(headOf(lines.at(-1)), head);

  await writeFile(`${record}.head`, headOf(lines.at(-3)));
  await writeFile(record, `${text}{"number":${lines.length},"atMs":17`);
  for (const args of [[], [record]]) {
    const { code, out } = await run("verify", ...args);
    assert.equal(code, 0, out);
    assert.match(out, /^Its head names an earlier line, as after a kill or while a program writes\. /m);
    assert.match(out, /^Its last line is torn, as after a kill or while a program writes, and does not count\.$/m);
    assert.match(out, new RegExp(`^Verified: ${lines.length} lines, 2 trades\\.$`, "m"));
  }
  // A head that somebody has kept elsewhere shows each line that is not in it.
  await writeFile(record, text);
  await writeFile(join(folder, "kept.head"), headOf(lines.at(-3)));
  const named = await run("verify", record, "--head", join(folder, "kept.head"));
  assert.deepEqual([named.code, /the log goes on after its head/.test(named.out)], [6, true], named.out);
  // Lines that do not follow, or a cut, are what they were.
  const changed = lines.with(-2, lines.at(-2).replace('"atMs":1', '"atMs":2'));
  await writeFile(record, `${changed.join("\n")}\n`);
  assert.equal((await run("verify")).code, 6);
  await writeFile(record, `${lines.slice(0, -4).join("\n")}\n`);
  assert.equal((await run("verify")).code, 6);
});

test("the help of every command has an example", async () => {
  const { run } = await home();
  const schema = JSON.parse((await run("completion", "json")).out);
  const walk = async ({ commands }, path) => {
    for (const command of commands) {
      const words = [...path, command.name];
      if (command.commands.length) await walk(command, words);
      else if (command.name !== "help")
        assert.match((await run(...words, "--help")).out, /\nExample:\n {2}\$ launchpad-desk /, words.join(" "));
    }
  };
  await walk(schema, []);
});

test("each command prints the fields that the tree lists for it, and every field has a meaning", async () => {
  const { folder, run, start } = await home();
  const schema = JSON.parse((await run("completion", "json")).out);
  const listed = new Map();
  const walk = ({ commands }, path) => {
    for (const command of commands) {
      if (command.commands.length) walk(command, [...path, command.name]);
      else if (command.output) listed.set([...path, command.name].join(" "), command.output);
      else
        assert.ok(
          command.options.every(({ flags }) => flags !== "--json"),
          command.name,
        );
    }
  };
  walk(schema, []);
  const meanings = { ...schema.output, ...schema.plan, ...schema.watch };
  for (const [command, fields] of listed)
    for (const field of fields) assert.ok(meanings[field], `${field} of ${command}`);
  const seen = new Map();
  const look = (command, line) => {
    const fields = Object.keys(JSON.parse(line));
    const common = ["command", "profile", "mode", "exitCode", "outcome", "next", "error"];
    assert.deepEqual(
      fields.filter(
        (field) => !(command.startsWith("plan ") ? [] : common).includes(field) && !listed.get(command).includes(field),
      ),
      [],
      `${command}: ${line}`,
    );
    for (const field of fields) seen.set(field, command);
  };
  const record = join(folder, "sandbox/desk.log");
  const [plan, damaged] = ["plan.json", "damaged.log"].map((name) => join(folder, name));
  const found = new Set();
  for (const [command, ...args] of [
    ["quote buy", "--sol", "1"],
    ["buy", "--sol", "0.2", "--intent-id", "a", ...SEND],
    ["buy", "--soul", "1"],
    ["sell-by-percentage", "--percentage", "10"],
    ["plan buy", "--sol", "0.1", "--valid-for", "600"],
    ["send", plan, "--yes"],
    ["buy", "--sol", "0.1", "--intent-id", "b", ...SEND, ...outcome("executed-no-answer")],
    ["pending"],
    ["settle", "b", "landed"],
    ["buy", "--sol", "0.1", ...SEND, ...outcome("executed-no-answer")],
    ["settle"],
    ["position"],
    ["approve"],
    ["exits set", "a", "--take-profit", "2x:50%"],
    ["exits list"],
    ["exits pause", "a"],
    ["exits resume", "a"],
    ["exits run", "--once", ...SEND],
    ["exits close", "a", ...SEND],
    ["exits remove", "a"],
    ["halt"],
    ["halt", "buys"],
    ["resume"],
    ["doctor"],
    ["verify"],
    ["verify", damaged],
    ["backtest", record],
  ]) {
    const { code, out, err } = await run(...command.split(" "), ...args, "--json");
    assert.ok(out, `${command} ended with ${code}: ${err}`);
    for (const line of out.trim().split("\n")) look(command, line);
    if (command === "plan buy") await writeFile(plan, out);
    if (command === "doctor") await writeFile(damaged, "{}\n");
    found.add(command);
  }
  const { child, closed, lines } = start("watch", "--json");
  let bought;
  for await (const line of lines) {
    look("watch", line);
    bought ??= run("buy", "--sol", "0.1", ...SEND);
    if (JSON.parse(line).type === "sent") break;
  }
  child.kill("SIGINT");
  await Promise.all([closed, bought]);
  // Every command was looked at, or another that prints the same.
  const ofGroup = (words) =>
    /^(quote|plan) /.exec(words)?.[1] ?? (/^(bundle|buy|sell|sell-by-percentage)$/.test(words) ? "buy" : words);
  assert.deepEqual(
    [...new Set([...listed.keys()].map(ofGroup))].sort(),
    [...new Set([...found, "watch"].map(ofGroup))].sort(),
  );
  assert.deepEqual(
    Object.keys(meanings).filter((field) => !seen.has(field)),
    ["drift", "tokenDecimals", "message"],
    "a sandbox has no node that says the decimals, and its looks do not fail",
  );
});

test("completion offers commands, then options", async () => {
  const { run, env } = await home();
  const offered = async (...words) => (await run("complete", "--", ...words)).out.trim().split("\n");
  assert.deepEqual(await offered("se"), ["send", "sell", "sell-by-percentage", "settle"]);
  assert.deepEqual(await offered("bundle", "s"), ["sell", "sell-by-percentage"]);
  assert.deepEqual(await offered("buy", "--so"), ["--sol"]);
  const { out } = await run("completion", "bash");
  await writeFile(
    join(cwd, "complete.bash"),
    `launchpad-desk() { '${process.execPath}' '${file}' "$@"; }\n${out}COMP_WORDS=(launchpad-desk bundle s); COMP_CWORD=2; _launchpad_desk; echo "\${COMPREPLY[@]}"\n`,
  );
  assert.equal((await end("bash", ["complete.bash"], { cwd, env })).out, "sell sell-by-percentage\n");
  for (const shell of ["zsh", "fish"]) assert.equal((await run("completion", shell)).code, 0);
  assert.equal((await run("completion", "tcsh")).code, 64);
});

for (const [page, name] of [
  ["docs/cli.md", "session"],
  ["docs/cli.md", "exits"],
  ["docs/bundles.md", "bundle"],
  ["README.md", "shell"],
]) {
  test(`the session ${name} in ${page} is what a shell shows`, async () => {
    const { folder, env } = await home();
    const [, session] = new RegExp(`<!-- run: ${name} -->\\n\`\`\`console\\n([^]*?)\`\`\``).exec(
      await readFile(new URL(`../../${page}`, import.meta.url), "utf8"),
    );
    const launchpadDesk = `'${process.execPath}' '${file}' "$@"`;
    await writeFile(
      join(folder, "desk.sh"),
      `launchpad-desk() { ${launchpadDesk}; }\nnpx() { shift; ${launchpadDesk}; }\n`,
    );
    for (const [, command, expected] of session.matchAll(/^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm)) {
      const { out, err } = await end("bash", ["-c", `. ./desk.sh; ${command}`], { cwd: folder, env });
      assert.equal(out, expected, `${command}: ${err}`);
    }
  });
}

test("init writes a config that is read as it stands, and never over another", async () => {
  const { folder, configure, run, json } = await home();
  const first = await run("init");
  assert.deepEqual([first.code, first.out], [0, `${join(folder, "config.toml")}\n`]);
  assert.equal((await json("doctor")).exitCode, 0);
  assert.match((await run("init")).err, /exists: nothing was changed\n$/);
  const other = await run("init", "gatway");
  assert.deepEqual(
    [other.code, other.err.split("\n")[0]],
    [64, "init writes a gateway, or without a word a config file, not gatway"],
  );
  const text = await readFile(join(folder, "config.toml"), "utf8");
  // Every setting that it explains is one that exists: without its comments only what is missing is refused.
  await configure(
    text
      .replace(/^# ?(?=\[profiles\.live\]|[a-zA-Z]+ = )/gm, "")
      .replace(/^(apiKeyEnv|apiKeyCommand|rpc|rpcEnv) = .*\n/gm, ""),
  );
  assert.match((await run("pending", "--profile", "live")).err, /apiKeyFile: ENOENT/);
  await configure("[profiles.live]", "key = secret-key-1");
  const broken = await run("pending");
  assert.match(broken.err, /is not TOML: see line 2, column \d+\n$/);
  assert.ok(!broken.err.includes("secret"));
  for (const [act, mode] of [
    ["halt", "halted"],
    ["resume", "active"],
  ]) {
    assert.equal((await run(act, "--profile", "live")).out, `Trading is ${mode} in profile live (live).\n`);
    const said = JSON.parse(await readFile(join(folder, "live/trades.journal.stop"), "utf8"));
    assert.equal(said.mode, mode, "as it was said, without the config too");
  }
});
