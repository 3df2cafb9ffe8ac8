// `exits` and `watch` of the command line of the packed tarball: in a sandbox, and at a service with a node.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rmdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileRecord } from "launchpad-desk/node";
import { DeskRecord } from "launchpad-desk/record";
import { installAsStranger } from "../package/stranger.mjs";
import { ADA, BOB, RABBIT, SEND, commandsIn, end, limits, serving, words } from "./command.mjs";
import { TOKEN_ACCOUNT_RENT } from "../rents.mjs";

const { folder: cwd } = await installAsStranger();
const { file, THIS, RUNTIMES, home, served } = commandsIn(cwd);

/** Without what sells have brought: a node shows that sooner or later. */
const events = (documents) =>
  documents
    .filter(({ what }) => what && what !== "received")
    .map(({ position, what, order }) => [position, what, order?.reason ?? null]);
const happened = (documents) => events(documents).map(([, what]) => what);

/** Sets exits on a position of a person's own naming. */
const mine = (stop) =>
  words`exits set mine --stop-loss ${stop} --mint ${RABBIT} --from-wallet ${ADA} --tokens 5000 --cost 0.0005`;

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  test(`${name}: exits of a recorded buy are shown, then carried out, and are in the record`, async () => {
    const { run, json, lines } = await home(runtime);
    assert.equal((await json("buy", "--sol", "0.5", "--intent-id", "signal-1", ...SEND)).outcome, "landed");
    const [ada] = (await json("position")).positions;
    assert.deepEqual([ada.tokens, ada.costLamports, ada.profitLamports], ["17376518132293", "500005000", "-12355683"]);

    const set = await json(...words`exits set signal-1 --take-profit 2x:50% --stop-loss 0.99x --slippage 10`);
    const [{ position, plan, now }] = set.exits;
    assert.deepEqual(
      [position.tokens, position.costLamports, position.rentLockedLamports, plan.stopLoss],
      ["17376518132293", "500005000", String(TOKEN_ACCOUNT_RENT), "0.99x"],
    );
    assert.deepEqual([now.reason, now.expectedLamports], ["stop_loss", "487654317"]);
    const shown = await run("exits", "run");
    assert.deepEqual([shown.code, shown.out.trim().split("\n").at(-1)], [0, "Nothing was sent: add --send."]);
    assert.equal((await json("position")).positions[0].tokens, "17376518132293", "nothing was sent");

    assert.deepEqual(events(await lines("exits", "run", ...SEND)), [
      ["signal-1", "ordered", "stop_loss"],
      ["signal-1", "landed", "stop_loss"],
      ["signal-1", "over", null],
    ]);
    const after = (await json("position")).positions[0];
    assert.deepEqual([after.tokens, after.realisedLamports], [null, "-12355683"]);
    const { out, code } = await run("verify");
    assert.deepEqual(
      [code, out.split("\n").slice(0, 2)],
      [0, ["signal-1: buy landed, at exactly the price of the rules", "signal-1/all: sell landed"]],
    );
  });
}

test("the transaction of another buy is no evidence for a lost one that a person calls landed", async () => {
  const { folder, run, json } = await home();
  const { trade } = await json("buy", "--sol", "0.1", "--intent-id", "made", ...SEND);
  const payer = ["--fee-payer", "sandbox-outcome-not-executed-500"];
  const { outcome, plan } = await json("buy", "--sol", "0.1", "--intent-id", "never", ...payer, ...SEND);
  const findings = plan.price.wallets.map(({ wallet, netLamports }) => ({ wallet, lamportsMoved: netLamports }));
  const log = fileRecord(join(folder, "sandbox/desk.log"));
  const { signature } = trade.result;
  await new DeskRecord(log).evidence("never", { outcome, signature, reconciled: { findings } });
  await log.close();
  assert.equal((await json("settle", "never", "landed")).outcome, "landed");
  const { code, err } = await run("exits", "set", "never", "--stop-loss", "0.5x");
  assert.deepEqual([code, err.split(".")[0]], [64, "what never bought is not known"], err);
  assert.match((await run("verify")).out, /^never: buy landed, said later$/m);
});

test("exits count a token by its own decimals", async () => {
  const { run, json, lines } = await home(
    THIS,
    "[profiles.sandbox]",
    "tokenDecimals = 9",
    "sandbox = { launchpad = { tokenDecimals = 9 } }",
  );
  await json("buy", "--sol", "0.5", "--intent-id", "nine", ...SEND);
  assert.equal(
    (await json("exits", "set", "nine", "--take-profit", "1.0001x:25%", "--stop-loss", "0.99x", "--slippage", "10"))
      .exits[0].position.tokens,
    "17376518132293",
  );
  const { out } = await run("exits", "list");
  assert.match(out, /17376\.518132293 tokens, which cost 0\.500005 SOL/);
  assert.match(out, /Now: sells 17376\.518132293 tokens \(stop_loss\) for about 0\.487654317 SOL\./);
  assert.deepEqual(happened(await lines("exits", "run", ...SEND)), ["ordered", "landed", "over"]);
  assert.equal((await json("position")).positions[0].tokens, null, "all of it is sold");
  const { exits } = await json(...mine("0.7x"));
  assert.equal(exits[0].tokens, "5000000000000");
});

test("a sandbox's time passes while exits are carried out", async () => {
  const { json, lines } = await home();
  await json("buy", "--sol", "0.1", "--intent-id", "timed", ...SEND);
  await json("exits", "set", "timed", "--hold", "60", "--slippage", "10");
  assert.deepEqual((await json("exits", "list")).exits[0].now, null);
  assert.deepEqual(
    events(await lines("exits", "run", ...SEND, "--realtime", "1000")).map(([, what, reason]) => [what, reason]),
    [
      ["ordered", "time"],
      ["landed", "time"],
      ["over", null],
    ],
  );
});

test("a completed curve is told, with an exit code, and closing it is tried once", async () => {
  const wallets = `wallets = [{ wallet = "${ADA}", lamports = 2000000000 }, { wallet = "${BOB}", lamports = 200000000000 }]`;
  const { run, json, lines } = await home(
    THIS,
    "[profiles.sandbox]",
    `sandbox = { launchpad = { completion = "partial" }, ${wallets} }`,
  );
  await json("buy", "--sol", "0.5", "--from-wallet", ADA, "--intent-id", "a", ...SEND);
  await json("exits", "set", "a", "--stop-loss", "0.5x", "--slippage", "10");
  assert.deepEqual(events(await lines("exits", "run", "--once", ...SEND)), []);
  await json("buy", "--sol", "150", "--from-wallet", BOB, ...SEND);
  for (const args of [["--once"], ["--once"], []]) {
    const told = await lines("exits", "run", ...args, ...SEND);
    assert.deepEqual([events(told), told.at(-1).exitCode], [[["a", "completed", null]], 1], args.join(" "));
    assert.equal(
      told[0].error.message,
      "the curve is complete, so no rule of the plan sells any more; only closing now tries to, once",
    );
  }
  assert.match(
    (await run("exits", "list")).out,
    /The curve is complete, so no rule sells any more: `exits close` tries to, once\./,
  );
  const closed = await lines("exits", "close", "a", ...SEND);
  assert.deepEqual([happened(closed), closed.at(-1).exitCode], [["ordered", "did_not_land", "completed"], 3]);
  for (const args of [["--once"], []])
    assert.deepEqual(events(await lines("exits", "run", ...args, ...SEND)), [["a", "completed", null]]);
});

test("another plan for exits that are set is refused with both named, or replaces them", async () => {
  const { run, json, lines } = await home();
  await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
  await json("exits", "set", "a", "--stop-loss", "0.5x", "--slippage", "10");
  const refused = await run("exits", "set", "a", "--stop-loss", "0.99x", "--slippage", "10");
  assert.deepEqual(
    [refused.code, refused.err.includes('plan.stopLoss of the kept exits is "0.5x", and "0.99x" is given')],
    [64, true],
    refused.err,
  );
  assert.equal((await json("exits", "list")).exits[0].plan.stopLoss, "0.5x");
  const position = await run("exits", "set", "a", "--stop-loss", "0.99x", "--tokens", "5", "--replace-plan");
  assert.deepEqual(
    [position.code, position.err],
    [64, "--replace-plan keeps the position as it is: leave out --tokens\n"],
  );
  const { exits } = await json("exits", "set", "a", "--stop-loss", "0.99x", "--slippage", "10", "--replace-plan");
  assert.deepEqual([exits[0].plan.stopLoss, exits[0].now.reason], ["0.99x", "stop_loss"]);
  assert.deepEqual(happened(await lines("exits", "run", "--once", ...SEND)), ["ordered", "landed", "over"]);
});

test("exits pause, resume, close and are removed, and nothing is sold without --send", async () => {
  const { run, json, lines } = await home();
  for (const id of ["a", "b"]) {
    await json("buy", "--sol", "0.1", "--intent-id", id, ...SEND);
    await json("exits", "set", id, "--stop-loss", "0.999x", "--slippage", "10");
  }
  assert.equal((await run("exits", "set", "a", "--stop-loss", "0.5x")).code, 64, "it has exits");
  for (const id of ["a", "b"]) assert.equal((await json("exits", "pause", id)).exits[0].paused, true);
  assert.deepEqual(events(await lines("exits", "run", "--once", ...SEND)), []);
  for (const { paused, now } of (await json("exits", "list")).exits) assert.deepEqual([paused, now], [true, null]);

  const looked = await json("exits", "close", "a");
  assert.deepEqual([looked.exits[0].now.reason, looked.next], ["close_now", "Nothing was sent: add --send."]);
  assert.deepEqual(
    (await json("exits", "list")).exits.map(({ closing }) => closing),
    [false, false],
  );
  assert.deepEqual(events(await lines("exits", "close", "a", ...SEND)), [
    ["a", "ordered", "close_now"],
    ["a", "landed", "close_now"],
    ["a", "over", null],
  ]);

  await json("exits", "resume", "b");
  await json("exits", "remove", "b");
  assert.deepEqual((await json("exits", "list")).exits, []);
  assert.notEqual((await json("position")).positions[0].tokens, null, "b is still held");
});

test("an exit of unknown outcome is exit code 4, and the next run settles it", async () => {
  const { run, json, lines } = await home();
  await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
  await json(...words`exits set a --stop-loss 0.999x --slippage 10 --fee-payer sandbox-outcome-executed-no-answer`);
  const first = await lines("exits", "run", "--once", ...SEND);
  assert.deepEqual([happened(first), first.at(-1).exitCode], [["ordered", "in_doubt"], 4]);
  assert.match(
    (await run("exits", "list")).out,
    /In doubt: a\/all \(unknown\); nothing else is ordered until it is settled/,
  );
  const second = await lines("exits", "run", "--once", ...SEND);
  assert.deepEqual([happened(second), second.at(-1).exitCode], [["landed", "over"], 0]);
  assert.equal((await run("verify")).code, 0);
});

test("an exit that fails or is not sent says so by its exit code, and can be ordered again", async () => {
  for (const [asked, exitCode] of [
    ["failed-below-minimum-tokens", 3],
    ["rejected-429", 2],
  ]) {
    const { json, lines } = await home();
    await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
    await json("exits", "set", "a", "--stop-loss", "0.999x", "--fee-payer", `sandbox-outcome-${asked}`);
    const documents = await lines("exits", "run", "--once", ...SEND);
    assert.deepEqual([happened(documents).at(-1), documents.at(-1).exitCode], ["did_not_land", exitCode], asked);
  }
  const { run, json, lines } = await home();
  await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
  await json("exits", "set", "a", "--stop-loss", "0.999x");
  await run("halt");
  const halted = await lines("exits", "run", "--once", ...SEND);
  assert.deepEqual([happened(halted), halted.at(-1).exitCode], [["ordered", "not_sent"], 1]);
  await run("resume");
  assert.deepEqual(happened(await lines("exits", "run", "--once", ...SEND)), ["ordered", "landed", "over"]);
});

test("exits that are set again sell what the ones before have left, under a name of their own", async () => {
  const { run, json, lines, inTerminal } = await home();
  const bought = BigInt(
    (await json("buy", "--sol", "0.5", "--intent-id", "a", ...SEND)).trade.exact.buyAmount.replace(".", ""),
  );
  await json("exits", "set", "a", "--take-profit", "1.01x:50%", "--slippage", "10");
  await json("buy", "--sol", "5", "--from-wallet", BOB, ...SEND);
  assert.deepEqual(happened(await lines("exits", "run", "--once", ...SEND)), ["ordered", "landed"]);
  await json("exits", "remove", "a");
  const again = ["exits", "set", "a", "--stop-loss", "0.1x", "--slippage", "10"];
  const [{ position }] = (await json(...again)).exits;
  assert.deepEqual(
    [position.id, position.tokens, position.costLamports],
    ["a/2", String(bought - bought / 2n), "250002501"],
  );
  assert.match((await run(...again)).err, /^a\/2 has exits: /);
  assert.deepEqual(happened(await lines("exits", "close", "a/2", ...SEND)), ["ordered", "landed", "over"]);
  const { code, err } = await run(...again);
  assert.deepEqual([code, err], [64, "the exits of a have sold all of it\n"]);

  // A position of the person's own naming.
  await json("buy", "--sol", "0.1", "--intent-id", "b", ...SEND);
  const odd = await run(...mine("0.1x").slice(0, -4), "--tokens", "5", "--cost", "0.1");
  assert.match(odd.err, /^nothing was set: position.tokens is 5000000, and selling those would bring /);
  await json(...mine("0.1x"));
  // While another program still asks a person, it keeps nobody from closing one.
  const asked = await inTerminal(["exits", "run", "mine", "--send"], async () => {
    assert.equal((await json("exits", "close", "mine", ...SEND)).exitCode, 0);
    return "no\n";
  });
  assert.equal(asked.code, 1, asked.out);
  const refused = await run(...mine("0.1x"));
  assert.deepEqual(
    [refused.code, refused.err],
    [64, "a position named mine had exits before (mine/all): choose another name\n"],
  );
  assert.equal((await run("verify")).code, 0);
});

test("close exits with 0 only if nothing is left, and --once with the worst of its positions", async () => {
  const { folder, run, json, lines } = await home();
  for (const [id, ...payer] of [["a", "--fee-payer", "sandbox-outcome-failed-below-minimum-tokens"], ["b"], ["c"]]) {
    await json("buy", "--sol", "0.1", "--intent-id", id, ...SEND);
    await json("exits", "set", id, "--stop-loss", "0.999x", "--slippage", "10", ...payer);
  }
  const once = await lines("exits", "run", "--once", "a", "b", ...SEND);
  assert.deepEqual(
    [events(once).map(([id, what]) => [id, what]), once.at(-1).exitCode],
    [
      [
        ["a", "ordered"],
        ["a", "did_not_land"],
        ["b", "ordered"],
        ["b", "landed"],
        ["b", "over"],
      ],
      3,
    ],
  );
  // Each order that fails doubles the wait for the next.
  let closed;
  do closed = await lines("exits", "close", "a", ...SEND);
  while (closed.at(-1).exitCode === 3);
  assert.deepEqual([events(closed), closed.at(-1).exitCode], [[], 1]);
  assert.match(
    closed.at(-1).next,
    /^Not sold yet: an order did not land, and the next one may be made (after .*Z|now)\. The next `exits run --send` or `exits close --send` tries again\.$/,
  );
  await run("halt");
  const halted = (await lines("exits", "close", "c", ...SEND)).at(-1);
  assert.deepEqual([halted.exitCode, /^Not sold yet: .*halted/.test(halted.next)], [1, true], halted.next);
  await run("resume");

  // The list of exits is held by this process, which takes nothing.
  await json(...mine("0.7x"));
  await writeFile(
    join(folder, "sandbox/exits/run.lock"),
    JSON.stringify({ pid: process.pid, host: hostname(), token: "t" }),
  );
  const refused = await json("exits", "close", "mine", ...SEND, "--within", "0");
  assert.deepEqual([refused.exitCode, refused.outcome], [1, "not_sent"]);
  assert.match(
    refused.error.message,
    new RegExp(`^nothing was sold: .* is in use by process ${process.pid} on this host: end that program first`),
  );
  assert.deepEqual(
    (await json("exits", "list", "mine")).exits.map(({ closing }) => closing),
    [false],
    "nobody sells it later",
  );
  const paused = await json("exits", "pause", "mine", "--within", "0");
  assert.deepEqual([paused.exitCode, paused.next], [0, null], "it holds from now on");
});

test("exits that trading is halted for are recorded once, and go on when nobody reads what they print", async () => {
  const { folder, env, run, json } = await home();
  await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
  await json("exits", "set", "a", "--stop-loss", "0.999x");
  await run("halt");
  const listed = await run("exits", "list");
  assert.match(listed.out, /Now: would sell \S+ tokens \(stop_loss\), but it is not sent: trading is halted/);
  const child = spawn(process.execPath, [file, "exits", "run", ...SEND, "--every", "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  let refused = 0;
  for await (const line of createInterface(child.stdout)) if (line.includes("not sent") && ++refused === 4) break;
  child.stdout.destroy();
  while (!said.includes("Nobody reads")) await once(child.stderr, "data");
  assert.equal((await json("exits", "pause", "a", "--within", "300")).exitCode, 0);
  child.kill("SIGINT");
  assert.deepEqual(
    [(await closed)[0], said],
    [0, "Nobody reads the output any more. The exits are carried out as before: Ctrl-C ends that.\n"],
  );
  const acts = (await readFile(join(folder, "sandbox/desk.log"), "utf8"))
    .split("\n")
    .filter((line) => line.includes('"intent":"a/all"'))
    .map((line) => JSON.parse(line).act);
  assert.deepEqual(acts, ["exit", "plan"]);
});

test("exits that the limits would always refuse are named at the first look, and end nobody else's", async () => {
  const profile = (most) => ["[profiles.sandbox]", "sandbox = {}", `maxSlippage = { percent = ${most} }`];
  const { configure, json, lines, run } = await home(THIS, ...profile(50));
  for (const [id, wallet, stop, slippage] of [
    ["a", ADA, "0.1x", "50"],
    ["b", BOB, "0.99x", "10"],
  ]) {
    await json("buy", "--sol", "0.1", "--from-wallet", wallet, "--intent-id", id, ...SEND);
    await json("exits", "set", id, "--stop-loss", stop, "--slippage", slippage);
  }
  await configure(...profile(20));
  const limit = "slippage is 50 %, over maxSlippage (20 %)";
  const set = await run("exits", "set", "a", "--replace-plan", "--stop-loss", "0.2x", "--slippage", "50");
  const none = `nothing was set: every sell of these exits would be refused: ${limit}\n`;
  assert.deepEqual([set.code, set.err], [64, none]);
  const documents = await lines("exits", "run", "--once", ...SEND);
  const of = (id) =>
    events(documents)
      .filter(([position]) => position === id)
      .map(([, what]) => what);
  assert.deepEqual([of("a"), of("b"), documents.at(-1).exitCode], [["not_sent"], ["ordered", "landed", "over"], 1]);
  const all = "the client would refuse every order of these exits: ";
  const { error } = documents.find(({ position, what }) => position === "a" && what === "not_sent");
  assert.equal(error.message, `${all}not sent: ${limit}`);
  const closed = await run("exits", "close", "a", ...SEND);
  assert.deepEqual([closed.code, closed.out.includes(`Not sold yet: ${all}${limit}.`)], [1, true], closed.out);
});

test(
  "exits end once the record cannot be kept, because nothing more can be sent then",
  { timeout: 120_000 },
  async () => {
    const { folder, run, json, lines } = await home(
      THIS,
      "[profiles.sandbox]",
      "sandbox = {}",
      'recordHeads = "elsewhere/desk.heads"',
    );
    await mkdir(join(folder, "elsewhere"));
    await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
    await json("exits", "set", "a", "--stop-loss", "0.999x", "--slippage", "10");
    await rename(join(folder, "elsewhere"), join(folder, "unplugged"));
    const { code, err } = await run("exits", "run", ...SEND);
    assert.deepEqual([code, /the second place of the record's head: ENOENT/.test(err)], [1, true], err);
    await rename(join(folder, "unplugged"), join(folder, "elsewhere"));
    assert.deepEqual(happened(await lines("exits", "run", ...SEND)), ["ordered", "landed", "over"]);
  },
);

test("`exits run` ends once all is said, also by a failure, though its node never answers a call that nobody waits for", async (t) => {
  const proxy = await proxyOf((await served(t, "--rpc")).url);
  const patient = (line) => line.replace('commitment = "processed"', "$&, timeoutMs = 2_000_000_000");
  const { folder, json, run } = await home(THIS, ...liveConfig(proxy.url).map(patient));
  await json("buy", "--mint", RABBIT, "--sol", "0.1", "--intent-id", "a", ...SEND);
  await json("exits", "set", "a", "--stop-loss", "0.5x", "--slippage", "10");
  const hold = (then) => void (proxy.down = () => ((proxy.down = undefined), then()));
  hold(() => {});
  const looked = await run("exits", "run", "--once", ...SEND);
  assert.equal(looked.code, 0, looked.err);
  hold(() => writeFile(join(folder, `live/exits/${Buffer.from("a").toString("base64url")}.asked`), "{"));
  const failed = await run("exits", "run", ...SEND);
  assert.deepEqual([failed.code, /JSON/.test(failed.err)], [1, true], failed.err);
});

test("what was asked of exits that are over does not count for those that are set again", async () => {
  const { folder, json } = await home();
  const set = mine("0.7x");
  const [over] = (await json(...set)).exits;
  // The wallet has lost its tokens otherwise.
  const [name] = await readdir(join(folder, "sandbox/exits"));
  const kept = join(folder, "sandbox/exits", name);
  await writeFile(
    kept,
    JSON.stringify({ ...JSON.parse(await readFile(kept, "utf8")), tokens: "0", costLamports: "0" }),
  );
  await json("exits", "pause", "mine");
  assert.equal((await json(...set)).exits[0].position.id, over.position.id);
  assert.deepEqual(
    (await json("exits", "list")).exits.map(({ position, paused }) => [position.id, paused]),
    [["mine", false]],
  );
});

test("wrong arguments of exits do nothing", async () => {
  const { run, json } = await home();
  for (const args of [
    ["set", "none", "--stop-loss", "0.7x"],
    mine("0.7").slice(1),
    ["set", "mine", "--take-profit", "2x", "--mint", RABBIT, "--from-wallet", ADA, "--tokens", "5", "--cost", "0.1"],
    ["run", ...SEND],
    ["run", "none"],
    ["run", "--yes"],
    ["close", "none", ...SEND],
    ["pause", "none"],
  ])
    assert.deepEqual([(await run("exits", ...args)).code, args], [64, args]);
  const { exits } = await json(...mine("0.7x"));
  assert.deepEqual([exits[0].tokens, exits[0].costLamports], ["5000000000", "500000"]);
  assert.equal((await run("exits", "run", "--send")).code, 64, "without a terminal it needs --yes");
});

const liveConfig = (url) => [
  ...[
    'profile = "live"',
    "[profiles.live]",
    `baseURL = "${url}"`,
    `rpc = "${url}/rpc"`,
    'apiKeyEnv = "DESK_TEST_KEY"',
    `fromWallet = "${ADA}"`,
  ],
  ...limits("1_000_000_000", "3_000_000_000", "{ percent = 20 }"),
  'market = { commitment = "processed" }',
];

/** Passes everything on to a service, and calls `beforeSell` before each sell. While it is `frozen`, its node stands still, and takes its time.
 * So many times as `hides` says, its node does not have a transaction yet. While it is `down`, that ends each call, or lets it wait. */
async function proxyOf(url, beforeSell) {
  const said = new Map();
  const proxy = await serving(async ({ url: path, method, headers: all }, response, call) => {
    if (path === "/v1/trade/sell") await beforeSell();
    await proxy.beforeLook?.(call);
    if (proxy.down && path === "/rpc") return proxy.down(response);
    if (proxy.hides && call.includes('"getTransaction"')) {
      proxy.hides -= 1;
      return response.end('{"jsonrpc":"2.0","id":1,"result":null}');
    }
    const { host, connection, "content-length": _, ...headers } = all;
    const asked = async () => {
      const reply = await fetch(url + path, { method, headers, ...(call && { body: call }) });
      return [reply.status, reply.headers.get("content-type"), Buffer.from(await reply.arrayBuffer())];
    };
    if (proxy.frozen) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (!said.has(call)) said.set(call, asked());
    }
    const [status, type, body] = await (proxy.frozen ? said.get(call) : asked());
    response.writeHead(status, { "content-type": type }).end(body);
  });
  return proxy;
}

test(
  "at a service with a node, one program carries exits out, and another asks it to pause and to close",
  { timeout: 600_000 },
  async (t) => {
    const service = await served(t, "--rpc");
    let beforeSell = () => {};
    const proxy = await proxyOf(service.url, () => beforeSell());
    const config = liveConfig(proxy.url);
    const { folder, configure, run, json, lines, start } = await home(THIS, ...config);
    const bought = await json("buy", "--mint", RABBIT, "--sol", "0.5", "--intent-id", "signal-1", ...SEND);
    assert.deepEqual(
      [bought.mode, bought.outcome, bought.drift.causes, bought.drift.explained],
      ["live", "landed", [], true],
    );
    const set = await json("exits", "set", "signal-1", "--take-profit", "5x:50%", "--slippage", "10");
    assert.deepEqual([set.mode, set.exits[0].now, set.exits[0].position.costLamports], ["live", null, "500005000"]);
    for (const args of [["run"], ["close", "signal-1"]])
      assert.equal((await run("exits", ...args, ...SEND, "--realtime")).code, 64, "its time passes by itself");
    await json("buy", "--mint", RABBIT, "--sol", "0.1", "--intent-id", "signal-2", ...SEND);
    await json("exits", "set", "signal-2", "--take-profit", "5x:50%", "--slippage", "10");
    // Its node stands still: the second of two looks shows no price, because nobody knows how old it is.
    await configure(...config.map((line) => line.replace('commitment = "processed"', "$&, maxAgeMs = 50")));
    proxy.frozen = true;
    const still = (await json("exits", "list")).exits;
    assert.deepEqual(
      still.map(({ multiple, now, problem }) => [multiple !== null, now, problem]),
      [
        [true, null, null],
        [false, null, "the market stands still: it has had no new slot for too long"],
      ],
    );
    assert.match(
      (await run("exits", "list")).out,
      /No price: the market stands still: it has had no new slot for too long\. Now: sells nothing\./,
    );
    proxy.frozen = false;
    await configure(...config);
    // What is asked for does not wait for the next look, and is done for positions that it was not started for.
    const runner = start("exits", "run", "signal-1", ...SEND, "--json", "--every", "3600");
    const told = [];
    runner.lines.on("line", (line) => told.push(JSON.parse(line)));
    const held = join(folder, "live/exits/run.lock");
    while (!existsSync(held)) await new Promise((resolve) => setTimeout(resolve, 20));
    // As on a system that does not say when a process was started.
    const { start: _, ...holder } = JSON.parse(await readFile(held, "utf8"));
    await writeFile(held, JSON.stringify(holder));
    const patient = ["--within", "300"];
    for (const id of ["signal-1", "signal-2"]) assert.equal((await json("exits", "pause", id, ...patient)).exitCode, 0);
    assert.deepEqual(
      (await json("exits", "list")).exits.map(({ paused }) => paused),
      [true, true],
    );
    const sold = ["Nothing is left to sell.\n", 0];
    // The program ends once all is sold, also if that took longer than it waits for a look, and its node shows what it brought later.
    beforeSell = () => new Promise((resolve) => setTimeout(resolve, 2_500));
    for (const id of ["signal-2", "signal-1"]) {
      const { out, code } = await run("exits", "close", id, ...SEND, ...patient);
      assert.deepEqual([out, code], sold, id);
      if (id === "signal-2")
        while (!told.some(({ position, what }) => position === id && what === "over")) await once(runner.lines, "line");
      proxy.hides = 2;
    }
    assert.equal((await runner.closed)[0], 0);
    beforeSell = () => {};
    for (const id of ["signal-2", "signal-1"])
      assert.deepEqual(
        events(told).filter(([own]) => own === id),
        [
          [id, "ordered", "close_now"],
          [id, "landed", "close_now"],
          [id, "over", null],
        ],
      );
    assert.equal((await json("position", "--mint", RABBIT)).positions[0].tokens, null);

    // The stop of one wallet does not wait for that of another, whose answer takes its time.
    const buyFrom = (wallet, id) =>
      json("buy", "--mint", RABBIT, "--sol", "0.1", "--from-wallet", wallet, "--intent-id", id, ...SEND);
    const stop = ["--stop-loss", "0.999x", "--slippage", "10"];
    for (const [wallet, id] of [
      [ADA, "slow"],
      [BOB, "quick"],
    ])
      await buyFrom(wallet, id);
    await json("exits", "set", "slow", ...stop);
    const sells = [];
    beforeSell = () => new Promise((resolve) => sells.push(resolve) > 1 && sells.forEach((answer) => answer()));
    const two = start("exits", "run", ...SEND, "--json", "--every", "1");
    const both = [];
    two.lines.on("line", (line) => both.push(JSON.parse(line)));
    while (!sells.length) await new Promise((resolve) => setTimeout(resolve, 20));
    await json("exits", "set", "quick", ...stop, ...SEND);
    assert.equal((await two.closed)[0], 0);
    assert.deepEqual(
      events(both)
        .map(([id, what]) => `${id} ${what}`)
        .sort(),
      ["quick landed", "quick ordered", "quick over", "slow landed", "slow ordered", "slow over"],
    );

    // Its state cannot be kept once the order is on its way.
    await json("buy", "--mint", RABBIT, "--sol", "0.1", "--intent-id", "signal-3", ...SEND);
    await json("exits", "set", "signal-3", "--stop-loss", "0.999x", "--slippage", "10");
    const state = join(folder, `live/exits/${Buffer.from("signal-3").toString("base64url")}.json`);
    beforeSell = async () => (await rename(state, `${state}.away`), await mkdir(state));
    const unkept = await json("exits", "run", "--once", ...SEND);
    assert.deepEqual(
      [unkept.exitCode, unkept.outcome, /EISDIR/.test(unkept.error.message)],
      [4, "unknown", true],
      unkept.error.message,
    );
    await rmdir(state);
    await rename(`${state}.away`, state);
    // Not one look only: that all is over is told once the node shows what the sell has brought.
    const kept = await lines("exits", "run", "signal-3", ...SEND);
    assert.deepEqual(
      [events(kept), kept.at(-1).exitCode],
      [
        [
          ["signal-3", "landed", "stop_loss"],
          ["signal-3", "over", null],
        ],
        0,
      ],
      "it was sold once",
    );
    assert.equal((await run("verify")).code, 0);
  },
);

test("a look that its node holds up for longer than --every is followed by the next one at once", async (t) => {
  const service = await served(t, "--rpc");
  const proxy = await proxyOf(service.url, () => {});
  const { json, start } = await home(THIS, ...liveConfig(proxy.url));
  await json("buy", "--mint", RABBIT, "--sol", "0.5", "--intent-id", "signal-1", ...SEND);
  await json("exits", "set", "signal-1", "--take-profit", "5x:50%", "--slippage", "10");
  const begun = [];
  proxy.beforeLook = async (call) => {
    if (!call.startsWith("{") || !call.includes('"getMultipleAccounts"')) return;
    begun.push(performance.now());
    // The first one is of a plan: whether the limits would let the exits through.
    if (begun.length === 2) await new Promise((resolve) => setTimeout(resolve, 7_000));
  };
  const { child, closed } = start("exits", "run", "signal-1", ...SEND, "--json", "--every", "6");
  while (begun.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(begun[2] - begun[1] < 11_000, `${begun[2] - begun[1]} ms`);
  child.kill("SIGINT");
  assert.equal((await closed)[0], 0);
});

test("exits that a program carries out at once are set only by --send", async (t) => {
  const service = await served(t, "--rpc");
  const { folder, run, json, start, inTerminal } = await home(THIS, ...liveConfig(service.url));
  for (const id of ["kept", "sold"]) await json("buy", "--mint", RABBIT, "--sol", "0.1", "--intent-id", id, ...SEND);
  await json("exits", "set", "kept", "--take-profit", "5x:50%", "--slippage", "10");
  const runner = start("exits", "run", ...SEND, "--json");
  const told = [];
  runner.lines.on("line", (line) => told.push(JSON.parse(line)));
  while (!existsSync(join(folder, "live/exits/run.lock"))) await new Promise((resolve) => setTimeout(resolve, 20));
  const stop = ["exits", "set", "sold", "--stop-loss", "5x", "--slippage", "10"];
  const refused = await run(...stop);
  assert.deepEqual(
    [refused.code, refused.err],
    [64, `process ${runner.child.pid} carries exits out, and would carry these out from now on: add --send\n`],
  );
  const { code, out } = await run("doctor");
  assert.ok(code === 0 && out.includes(`\nok  journal: process ${runner.child.pid} uses it now`), out);
  assert.doesNotMatch((await run("pending")).err, /not sent/, "nothing was to be sent");
  // A person who does not agree has set none.
  const asked = await inTerminal([...stop, "--send"], "no\n");
  assert.match(asked.out, new RegExp(`Let process ${runner.child.pid} carry these out\\? Type yes: `));
  const ids = (await json("exits", "list")).exits.map(({ position }) => position.id);
  assert.deepEqual([asked.code, ids], [1, ["kept"]], asked.out);
  const { next } = await json(...stop, ...SEND);
  assert.match(next, new RegExp(`^Process ${runner.child.pid} carries exits out: these too from now on, unless `));
  while (!told.some(({ what }) => what === "over")) await once(runner.lines, "line");
  // It takes another plan, and the end of one: nothing else is left without protection for that.
  const tighter = ["exits", "set", "kept", "--replace-plan", "--take-profit", "9x:50%", "--slippage", "10"];
  assert.equal((await run(...tighter)).code, 64, "not without --send");
  assert.equal((await json(...tighter, ...SEND)).exits[0].plan.takeProfit[0].at, "9x");
  assert.deepEqual((await json("exits", "remove", "kept")).exits, []);
  assert.equal((await runner.closed)[0], 0, "nothing is left to protect");
  assert.deepEqual([(await json("exits", "list")).exits, happened(told)], [[], ["ordered", "landed", "over"]]);
});

test("while its node fails, a person sells, and exits that were decided are sent", async (t) => {
  const service = await served(t, "--rpc");
  const proxy = await proxyOf(service.url, () => {});
  const config = liveConfig(proxy.url).map((line) => line.replace('"processed"', "$&, timeoutMs = 1500"));
  const { json, lines } = await home(THIS, ...config);
  const buy = (...args) => json("buy", "--mint", RABBIT, "--sol", "0.1", ...args, ...SEND);
  await buy();
  await buy("--intent-id", "early");
  for (const id of ["stopped", "closed", "late"]) {
    await buy("--intent-id", id);
    await json("exits", "set", id, "--stop-loss", "0.999x", "--slippage", "10");
  }
  // Of a token that a profile has not traded, its exits know the decimals.
  const other = await home(THIS, ...config);
  assert.equal((await other.json(...mine("0.5x"))).exitCode, 0);
  const ends = (response) => response.destroy();
  // From ever later a look on, until the one that decides is answered.
  let stopped = ["no_look"];
  for (let most = 1; stopped[0] === "no_look"; most++) {
    let looks = 0;
    proxy.beforeLook = (call) => {
      if (call.includes('"getMultipleAccounts"') && (looks += 1) > most) proxy.down = ends;
    };
    proxy.down = undefined;
    stopped = happened(await lines("exits", "run", "stopped", "--once", ...SEND));
  }
  // What a sell has brought, a node shows later.
  assert.deepEqual([stopped, proxy.down], [["ordered", "landed"], ends]);
  proxy.beforeLook = undefined;
  // Set while its node fails, exits know the decimals after their first look.
  await json("exits", "set", "early", "--stop-loss", "0.1x", "--slippage", "10");
  proxy.down = undefined;
  assert.deepEqual(happened(await lines("exits", "run", "early", "--once", ...SEND)), []);
  for (const [id, down] of [
    ["early", ends],
    ["closed", ends],
    ["late", () => {}],
  ]) {
    proxy.down = down;
    const sold = await json("sell", "--mint", RABBIT, "--tokens", "10", ...SEND);
    assert.deepEqual([sold.outcome, sold.plan.price], ["landed", null], id);
    const closed = await lines("exits", "close", id, ...SEND);
    assert.deepEqual([happened(closed), closed.at(-1).exitCode], [["no_look", "ordered", "landed"], 0], id);
    assert.equal((await buy()).exitCode, 1, "nobody buys without a price");
  }
  assert.equal((await other.json("exits", "close", "mine", ...SEND)).exitCode, 0);
  assert.equal((await json("verify")).verified, true);
});

test("Ctrl-C ends the program that carries exits out, and they stay", async () => {
  const { folder, env, json, start } = await home();
  await json("buy", "--sol", "0.1", "--intent-id", "a", ...SEND);
  await json("exits", "set", "a", "--take-profit", "5x:50%");
  await json("exits", "pause", "a");
  // Of each wait that it makes it keeps something for ever.
  env.NODE_OPTIONS = "--import=data:text/javascript,delete%20AbortSignal.any";
  const { child, closed, lines } = start("exits", "run", ...SEND, "--json");
  const told = [];
  lines.on("line", (line) => told.push(JSON.parse(line)));
  // It has begun once it has taken what was asked for.
  while ((await readdir(join(folder, "sandbox/exits"))).some((name) => name.endsWith(".asked")))
    await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGINT");
  assert.equal((await closed)[0], 0);
  const [{ exits }, ...others] = told;
  assert.deepEqual(
    [others, exits[0].tokens, exits[0].order, exits[0].paused],
    [[], exits[0].position.tokens, null, true],
  );
});

/** Lines until `isEnough`; then Ctrl-C, which ends it with 0. */
async function watched({ child, closed, lines }, isEnough) {
  const seen = [];
  for await (const line of lines) {
    seen.push(line);
    if (isEnough(seen)) break;
  }
  child.kill("SIGINT");
  assert.equal((await closed)[0], 0);
  return seen;
}

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  test(`${name}: watch prints a line for each change that other commands make, until Ctrl-C`, async () => {
    const { json, start } = await home(runtime);
    await json("buy", "--sol", "0.5", "--intent-id", "first", ...SEND);
    const watch = start("watch", "--json");
    const trade = once(watch.lines, "line").then(() =>
      json("sell-by-percentage", "--percentage", "50", "--intent-id", "second", ...SEND),
    );
    const seen = (
      await watched(watch, (lines) =>
        ['"type":"trade"', '"state":"landed"'].every((said) => lines.some((line) => line.includes(said))),
      )
    ).map((line) => JSON.parse(line));
    await trade;
    assert.deepEqual(
      new Set(seen.map(({ command, mode, mint }) => `${command} ${mode} ${mint}`)),
      new Set([`watch simulated ${RABBIT}`]),
    );
    assert.deepEqual(
      [seen[0].type, seen[0].price, seen[1].type, seen[1].held.costLamports],
      ["price", "28.887029971", "position", "500005000"],
    );
    const { trade: made } = seen.find(({ type }) => type === "trade");
    assert.deepEqual([made.side, made.tokens, made.wallet], ["sell", "8688259066146", ADA]);
    assert.deepEqual(
      seen
        .filter(({ type }) => type === "sent")
        .map(({ sent }) => [sent.intentId, sent.state])
        .at(-1),
      ["second", "landed"],
    );
  });
}

test("what a command looks at after an own trade shows it, though the node lags and the trade was another command's", async (t) => {
  const service = await served(t, "--rpc", '{"lagSlots":8}');
  const { json, lines } = await home(THIS, ...liveConfig(service.url));
  const tokensOf = async () => BigInt((await json("position", "--mint", RABBIT)).positions[0].tokens ?? 0);
  assert.equal(
    (await json("buy", "--mint", RABBIT, "--sol", "0.5", "--intent-id", "first", ...SEND)).outcome,
    "landed",
  );
  const first = await tokensOf();
  assert.equal(first, 17_376_518_132_293n);
  const rejected = ["--fee-payer", "sandbox-outcome-rejected-400", ...SEND];
  assert.equal((await json("buy", "--mint", RABBIT, "--sol", "0.5", ...rejected)).outcome, "rejected");
  assert.equal((await json("quote", "buy", "--mint", RABBIT, "--sol", "0.5")).exitCode, 0, "it is not waited for");
  const { outcome, trade } = await json("buy", "--mint", RABBIT, "--sol", "0.5", "--intent-id", "second", ...SEND);
  assert.equal(outcome, "landed");
  const all = first + BigInt(Math.round(trade.result.buyAmount * 1e6));
  assert.equal(await tokensOf(), all);
  // An exit sells its own position only, and what is looked at after it shows that it is gone.
  await json("exits", "set", "second", "--stop-loss", "5x", "--slippage", "10");
  const told = await lines("exits", "run", ...SEND);
  assert.deepEqual(events(told), [
    ["second", "ordered", "stop_loss"],
    ["second", "landed", "stop_loss"],
    ["second", "over", null],
  ]);
  const { soldTokens, receivedLamports } = told.find(({ what }) => what === "over");
  assert.equal(soldTokens, String(all - first));
  assert.ok(Number(receivedLamports) > 480_000_000, receivedLamports);
  assert.equal(await tokensOf(), first);
});

test("watch says that a wallet has sold all of it, and that looks work again at the price from before", async (t) => {
  const { json, start } = await home();
  await json("buy", "--sol", "0.5", ...SEND);
  const watch = start("watch", "--json");
  const sold = once(watch.lines, "line").then(() => json("sell-by-percentage", "--percentage", "100", ...SEND));
  // The state may be read before the books of the same sale: a second line says what it brought then.
  const isSold = ({ held }) => held?.tokens === null && held.realisedLamports < 0;
  const position = JSON.parse((await watched(watch, (lines) => isSold(JSON.parse(lines.at(-1))))).at(-1));
  await sold;
  assert.equal(position.held.wallet, ADA);

  const proxy = await proxyOf((await served(t, "--rpc")).url);
  const live = await home(THIS, ...liveConfig(proxy.url));
  const atNode = live.start("watch", "--mint", RABBIT, "--json", "--every", "0");
  atNode.lines.on("line", (line) => {
    if (line.includes('"type":"price"')) proxy.down = (response) => response.writeHead(500).end();
    if (line.includes('"type":"error"')) proxy.down = undefined;
  });
  const seen = await watched(atNode, (lines) => lines.filter((line) => line.includes('"price":')).length === 2);
  const types = seen.map((line) => JSON.parse(line)).filter(({ type }) => type !== "position");
  assert.deepEqual(
    types.map(({ type, price }) => [type, price]),
    [
      ["price", types[0].price],
      ["error", undefined],
      ["price", types[0].price],
    ],
  );
});

test("watch lets the time of a living market pass", async () => {
  const { start, run } = await home(THIS, "[profiles.sandbox]", "sandbox = { market = { alive = true, seed = 7 } }");
  const lines = await watched(start("watch", "--realtime", "1000"), (seen) => seen.length >= 5);
  assert.match(lines[0], /^\d\d:\d\d:\d\d RABBIT: [\d.]+ lamports a token$/);
  assert.ok(
    lines.slice(1).some((line) => /RABBIT: (Buy|Sell) [\d.]+ RABBIT, [\d.]+ SOL, by /.test(line)),
    lines.join("\n"),
  );
  assert.equal((await run("watch", "--profile", "none")).code, 64);
});

test("watch ends when its pipe does, also while nothing changes", async () => {
  const { start, env, folder, run } = await home();
  // As its program is killed in the middle of a trade.
  await run("buy", "--sol", "0.1", "--intent-id", "killed", ...SEND);
  const record = join(folder, "sandbox/desk.log");
  await writeFile(record, /^[^]*?"act":"send".*\n/.exec(await readFile(record, "utf8"))[0]);
  const open = await watched(start("watch"), (seen) => seen.some((line) => line.includes("killed")));
  assert.match(open.at(-1), /killed: Unknown/);
  const { child, closed, lines } = start("watch", "--every", "3600");
  await once(lines, "line");
  lines.close();
  child.stdout.destroy();
  assert.equal((await closed)[0], 0);
  // A pipe of a shell, whose reader has ended.
  const piped = await end("sh", ["-c", `'${process.execPath}' '${file}' watch --json --every 3600 | head -n 1`], {
    cwd,
    env,
  });
  assert.equal(JSON.parse(piped.out).type, "price");
});

test("watch sees the price and the wallet at a node", async (t) => {
  const service = await served(t, "--rpc");
  const { json, run, start } = await home(THIS, ...liveConfig(service.url));
  await json("buy", "--mint", RABBIT, "--sol", "0.5", "--intent-id", "first", ...SEND);
  const seen = (await watched(start("watch", "--mint", RABBIT, "--json"), (lines) => lines.length === 2)).map((line) =>
    JSON.parse(line),
  );
  assert.deepEqual(
    seen.map(({ mode, type }) => [mode, type]),
    [
      ["live", "price"],
      ["live", "position"],
    ],
  );
  assert.deepEqual([seen[1].held.tokens, seen[1].held.costLamports], ["17376518132293", "500005000"]);
  assert.equal((await run("watch")).code, 64, "it needs --mint");
});

test("in a terminal watch draws one screen, and gives the terminal back", async () => {
  const { inTerminal, json } = await home();
  await json("buy", "--sol", "0.5", "--intent-id", "first", ...SEND);
  const { code, out } = await inTerminal(["watch"], "\u0003", "Trades ordered from here");
  assert.equal(code, 0, out);
  for (const said of [
    "RABBIT (SimMoonRabbit)",
    "Simulated: no real money",
    "Latest trades",
    "Positions",
    "17376518.132293",
    "-0.012355683",
    "buy first",
    "Landed",
  ])
    assert.ok(out.includes(said), `${said} in ${out}`);
  assert.ok(out.startsWith("\u001b[?1049h") && out.trimEnd().endsWith("\u001b[?1049l"), "the other page is left again");
});
