// Every command as a person runs it who trades for real: a profile with a baseURL, a key, limits and a node, against a served sandbox and
// its chain on this machine. And the errors that people make with it.

import assert from "node:assert/strict";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import test, { after } from "node:test";
import { NODE_24 } from "../faults/pinned.mjs";
import { installAsStranger } from "../package/stranger.mjs";
import { ADA, BOB, KEY, RABBIT, SEND, commandsIn, end, limits, serving } from "./command.mjs";

const { folder: cwd } = await installAsStranger();
const { file, home, served } = commandsIn(cwd);
const CYD = "SimTraderCyd1111111111111111111111111111111";

const service = await served({ after }, "--rpc", "--config", JSON.stringify({ apiKey: KEY }));

let losesAnswers = false;
/** A way to the service that rewrites bodies. While `losesAnswers`, a trade arrives, and its answer does not come back. */
const wayTo = (inside, outside) =>
  serving(async ({ url, method, headers: all }, response, asked) => {
    const { host, connection, "content-length": _, "transfer-encoding": __, ...headers } = all;
    const body = method === "POST" ? inside(asked) : undefined;
    const reply = await fetch(`${service.url}${url}`, { method, headers, body });
    const content = outside(await reply.text());
    if (losesAnswers && url.startsWith("/v1/trade/")) return response.socket.destroy();
    const kept = ["content-type", "date"]
      .filter((name) => reply.headers.has(name))
      .map((name) => [name, reply.headers.get(name)]);
    response.writeHead(reply.status, Object.fromEntries(kept)).end(content);
  });
const asItIs = (text) => text;
const { url: WAY } = await wayTo(asItIs, asItIs);

const LIMITS = limits("1_000_000_000", "5_000_000_000");
const NODE = (url = service.url) => [`rpc = "${url}/rpc"`, "market = { walletsShared = false, serviceHoldsMs = 3000 }"];

/** A live profile in a home of its own. `lines` are its settings beside the limits. */
async function live(
  lines = ['apiKeyFile = "key"', ...NODE()],
  { baseURL = service.url, env: more = {}, program = process.execPath, fromWallet = ADA } = {},
) {
  const config = [
    ...['profile = "live"', "[profiles.live]", `baseURL = "${baseURL}"`],
    ...[...lines, ...LIMITS, `fromWallet = "${fromWallet}"`],
  ];
  const at = await home([program, file], ...config);
  const { folder, env, run } = at;
  Object.assign(env, more);
  await writeFile(join(folder, "key"), `${KEY}\n`, { mode: 0o600 });
  const doctor = async () => {
    const { code, out } = await run("doctor");
    return { code, out, line: (what) => out.split("\n").find((line) => line.slice(4).startsWith(`${what}:`)) };
  };
  return { ...at, config: config.join("\n"), doctor };
}

/** Every path below a folder that a text names. */
const pathsIn = (text, folder) =>
  [...text.matchAll(/\/[^\s,:;"'`()]+/g)].map(([path]) => path).filter((path) => path.startsWith(folder));

const MINT = ["--mint", RABBIT];

test("the doctor finds nothing wrong with a profile that trades for real", async () => {
  const { doctor } = await live();
  const { code, out, line } = await doctor();
  assert.equal(code, 0, out);
  assert.doesNotMatch(out, /^BAD/m);
  assert.equal(line("settings"), "ok  settings: it names a source of the key, and the limits");
  assert.equal(line("key"), "ok  key: the service accepts it");
  assert.equal(line("batches"), "ok  batches: it answers them");
  assert.equal(line("accounts"), "ok  accounts: 100 in one call");
});

test("every command of a trade, from its quote to the proof of how it ended", async () => {
  const { run, json, folder } = await live(undefined, { baseURL: WAY });
  const quoted = await json("quote", "buy", ...MINT, "--sol", "0.5");
  assert.deepEqual([quoted.exitCode, quoted.mode], [0, "live"]);
  const plan = join(folder, "plan.json");
  await writeFile(plan, (await run("plan", "buy", ...MINT, "--sol", "0.5")).out);
  const sent = await json("send", plan, "--yes");
  assert.deepEqual([sent.exitCode, sent.outcome], [0, "landed"]);
  assert.equal(sent.plan.price.legs[0].tokens, quoted.quote.legs[0].tokens, "what was quoted is what was planned");
  assert.equal(sent.drift?.findings?.length ?? 0, 0, "the chain shows what the quote said");

  const [held] = (await json("position", ...MINT)).positions;
  assert.equal(held.tokens, quoted.quote.legs[0].tokens);
  const half = await json("sell-by-percentage", ...MINT, "--percentage", "50", ...SEND);
  assert.equal(half.outcome, "landed");
  const table = join(folder, "buys.csv");
  await writeFile(table, `wallet;amount;slippage\n${ADA};0,2;1\n${BOB};0,1;\n`);
  assert.equal((await json("bundle", "buy", table, ...MINT, ...SEND)).outcome, "landed");

  losesAnswers = true;
  const lost = await json("buy", ...MINT, "--sol", "0.1", "--intent-id", "lost", ...SEND);
  losesAnswers = false;
  assert.deepEqual([lost.exitCode, lost.outcome], [4, "unknown"]);
  assert.deepEqual(
    (await json("pending")).intents.map(({ intentId }) => intentId),
    ["lost"],
  );
  const again = await json("buy", ...MINT, "--sol", "0.1", "--intent-id", "lost", ...SEND);
  assert.equal(again.outcome, "not_sent", "an id whose outcome is unknown is not sent again");
  const settled = await json("settle", "--within", "60");
  assert.deepEqual(
    settled.settled.map(({ intentId, outcome }) => [intentId, outcome]),
    [["lost", "landed"]],
  );

  for (const [command, state] of [
    [["halt"], "halted"],
    [["halt", "buys"], "reducing"],
    [["resume"], "active"],
  ]) {
    assert.equal((await json(...command)).guards, state);
    const bought = await json("buy", ...MINT, "--sol", "0.01", ...SEND);
    assert.equal(bought.outcome, state === "active" ? "landed" : "not_sent");
  }
  const everything = await json("sell-by-percentage", ...MINT, "--percentage", "100", ...SEND);
  assert.equal(everything.trade.result.tokenAccountClosed, true);
  const verified = await json("verify");
  assert.deepEqual([verified.exitCode, verified.verified], [0, true], JSON.stringify(verified.problems));
});

test("exits are set on what a buy has brought by the chain, not on what its plan said", async () => {
  // A wallet that no other profile trades with: what the node shows as final is some seconds old.
  const { run, json, folder } = await live(undefined, { baseURL: WAY, fromWallet: CYD });
  const held = async () => BigInt((await json("position", ...MINT)).positions[0].tokens ?? 0n);
  const [plan, table] = ["plan.json", "buys.csv"].map((name) => join(folder, name));
  await writeFile(table, `wallet,amount,slippage\n${CYD},0.2,5\n`);
  for (const [id, asked, isLost, feePayer, cost] of [
    // Who has paid for the buy pays for its exits.
    ["b1", ["bundle", "buy", table, "--fee-payer", BOB], false, BOB, "200000000"],
    ["lost-1", ["buy", "--sol", "0.2", "--slippage", "5"], true, null, "200005000"],
  ]) {
    const before = await held();
    await writeFile(plan, (await run("plan", ...asked, ...MINT, "--intent-id", id)).out);
    assert.equal((await json("buy", ...MINT, "--sol", "0.3", "--from-wallet", BOB, ...SEND)).outcome, "landed");
    losesAnswers = isLost;
    const { outcome } = await json("send", plan, "--yes");
    losesAnswers = false;
    assert.equal(outcome, isLost ? "unknown" : "landed");
    if (isLost) {
      const { settled } = await json("settle", "--within", "60");
      assert.equal(settled[0].outcome, "landed", JSON.stringify(settled));
    }
    const set = await json("exits", "set", id, "--stop-loss", "0.5x", "--slippage", "5");
    assert.equal(set.exitCode, 0, JSON.stringify(set));
    const [{ position }] = set.exits;
    assert.equal(position.tokens, String((await held()) - before), id);
    assert.deepEqual([position.costLamports, position.feePayer], [cost, feePayer], id);
    assert.ok(BigInt(position.tokens) < BigInt(JSON.parse(await readFile(plan, "utf8")).price.legs[0].tokens), id);
  }
});

test("the page of the first live trade is what a shell shows, and its profile is enough", async (t) => {
  const page = await readFile(new URL("../../docs/first-trade.md", import.meta.url), "utf8");
  const [, options] = /npx launchpad-desk sandbox --port 8787 (--rpc --config '(.+)')/.exec(page) ?? [];
  const args = options.replaceAll("'", "").split(" ");
  const practice = await served(t, ...args);
  const here = (text) => text.replaceAll("http://127.0.0.1:8787", practice.url);
  const { folder, env } = await home([process.execPath, file], here(/```toml\n([^]*?)```/.exec(page)[1]));
  await writeFile(join(folder, "key"), "practice-key\n", { mode: 0o600 });
  await writeFile(join(folder, "desk.sh"), `npx() { shift; '${process.execPath}' '${file}' "$@"; }\n`);
  const sessions = [...page.matchAll(/<!-- run: first-trade -->\n```console\n([^]*?)```/g)];
  assert.equal(sessions.length, 5);
  for (const [, command, expected] of here(sessions.map(([, session]) => session).join("")).matchAll(
    /^\$ (.+)\n((?:(?!\$ ).*\n)*)/gm,
  )) {
    const { out } = await end("bash", ["-c", `exec 2>&1; . ./desk.sh; ${command}`], { cwd: folder, env });
    assert.equal(out, expected, command);
  }
});

test("a sell of what the record has not bought has no known profit", async () => {
  const [bought, { run, json }] = [await live(), await live()];
  await bought.json("buy", ...MINT, "--sol", "0.05", ...SEND);
  assert.equal((await json("sell-by-percentage", ...MINT, "--percentage", "10", ...SEND)).outcome, "landed");
  assert.equal((await json("position", ...MINT)).positions[0].realisedLamports, null);
  assert.doesNotMatch((await run("position", ...MINT)).out, /profit so far/);
});

test("what people type wrong exits with 64, sends nothing, and is told what to type", async () => {
  const { run } = await live();
  const cases = [
    [["sell-by-percentage", ...MINT, "--percentage", "150", ...SEND], /--percentage is over 100 %/],
    [["sell", ...MINT, "--tokens", "1e6", ...SEND], /--tokens is not a number/],
    [["buy", ...MINT, "--lamports", "500.000", ...SEND], /--lamports may be 500\.000 or 500000: type 500\.0 or 500000/],
    [["sell", ...MINT, "--base-units", "1.000", ...SEND], /--base-units may be 1\.000 or 1000: type 1\.0 or 1000/],
    ...["price", "limit"].map((of) => [
      ["buy", ...MINT, "--sol", "0.1", `--priority-unit-${of}`, "250.000", ...SEND],
      new RegExp(`--priority-unit-${of} may be 250\\.000 or 250000: type 250\\.0 or 250000`),
    ]),
    [
      ["buy", ...MINT, "--amount", "0.1", ...SEND],
      /An amount's option names its unit: --sol or --lamports to buy, --tokens or --base-units to sell\./,
    ],
    [
      ["exits", "set", "signal", "--take-profit", "1.5x"],
      /--take-profit takes two values with a colon between, not 1\.5x; such as 1\.5x:50%/,
    ],
    [
      ["exits", "set", "signal", "--take-profit"],
      /argument missing\nExample: launchpad-desk exits set signal-1 --take-profit 2x:50% /,
    ],
    [["buy", ...MINT, "--sol"], /argument missing\nExample: launchpad-desk buy --sol 0\.5 --slippage 1\n/],
    [["buy", ...MINT], /the amount is missing: name it with --sol or --lamports, such as --sol 0\.5/],
    [
      ["quote", "sell-by-percentage", ...MINT],
      /the amount is missing: name it with --percentage, such as --percentage 100/,
    ],
    [["exits", "set", "own", ...MINT, "--tokens", "1e6", "--cost", "0.1", "--stop-loss", "0.5x"], /^--tokens /m],
    [["buy", ...MINT, "--sol", "0.1", "--intent-id", ""], /^--intent-id is empty/],
    [["exits", "set", "signal", "--hold", "0"], /--hold takes a whole number from 1 /],
    [["watch", "--mint", "Nope"], /^mint must be an address/],
    [["doctor", "nothing.journal"], /there is no file nothing\.journal/],
    [["position"], /name the token with --mint/],
  ];
  for (const [args, says] of cases) {
    const { code, err } = await run(...args);
    assert.equal(code, 64, `${args.join(" ")}: ${err}`);
    assert.match(err, says);
  }
});

test("before there is a config file, no message names it", async () => {
  const folder = join(cwd, "nothing-yet");
  const env = { ...process.env, LAUNCHPAD_DESK_HOME: folder, NO_COLOR: "1" };
  for (const [args, code] of [
    [["doctor"], 0],
    [["buy", "--sol", "0.1", "--profile", "live"], 64],
    [["doctor", "--profile", "live"], 64],
    [["mcp", "--profile", "live", "--live"], 64],
    [["halt", "--profile", "live"], 64],
    [["approve", "none"], 64],
    [["position"], 0],
    [["exits", "list"], 0],
  ]) {
    const ended = await end(process.execPath, [file, ...args], { cwd, env });
    assert.equal(ended.code, code, `${args.join(" ")}: ${ended.out}${ended.err}`);
    for (const path of pathsIn(`${ended.out}${ended.err}`, folder))
      assert.ok(existsSync(path), `${args.join(" ")} names ${path}`);
    if (args.includes("live"))
      assert.match(
        ended.err,
        /there is no profile live: there is only sandbox before `launchpad-desk init` has written a config file/,
      );
  }
});

test("a key is read from the files and variables that people have", async () => {
  const { folder, run, doctor } = await live();
  const accepted = "ok  key: the service accepts it";
  for (const [form, content] of [
    ["UTF-16 with a mark", Buffer.from(`\ufeff${KEY}\r\n`, "utf16le")],
    ["UTF-16, the other order", Buffer.from(`\ufeff${KEY}\r\n`, "utf16le").swap16()],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${KEY}\n`)],
  ]) {
    await writeFile(join(folder, "key"), content);
    assert.equal((await doctor()).line("key"), accepted, form);
  }
  await writeFile(join(folder, "key"), Buffer.from(KEY, "utf16le"));
  assert.match((await run("buy", ...MINT, "--sol", "0.1")).err, /key is not text in UTF-8 or UTF-16: save it as UTF-8/);
  await writeFile(join(folder, "key"), "short-1\n");
  assert.match((await doctor()).line("key"), /^BAD key: .*apiKey must have at least 8 characters/);
  await writeFile(join(folder, "key"), " \n");
  assert.match((await run("buy", ...MINT, "--sol", "0.1")).err, /apiKeyFile: .*key is empty/);
  await chmod(join(folder, "key"), 0o440);
  assert.match(
    (await run("buy", ...MINT, "--sol", "0.1")).err,
    /\(mode 0440\): chmod 600 it; if it is mounted, mount it with mode 0400, or use apiKeyEnv or apiKeyCommand/,
  );

  const byVariable = await live(['apiKeyEnv = "DESK_TEST_KEY"', ...NODE()], { env: { DESK_TEST_KEY: `${KEY}\n` } });
  assert.equal((await byVariable.doctor()).line("key"), accepted);
  const wrong = await live(['apiKeyEnv = "DESK_TEST_KEY"', ...NODE()], { env: { DESK_TEST_KEY: "another-key" } });
  assert.match(
    (await wrong.doctor()).line("key"),
    /^BAD key: the service does not accept it \(401\); look at its source in the config file/,
  );
});

test("a signature that its service made up reaches a terminal as text", async () => {
  // Its node shows nothing of the trade, so it stays as it was answered.
  let isDown = false;
  const node = await serving(async (_request, response, body) => {
    if (isDown) return response.destroy();
    const headers = { "content-type": "application/json" };
    const reply = await fetch(`${service.url}/rpc`, { method: "POST", headers, body });
    response.writeHead(reply.status, headers).end(await reply.text());
  });
  const evil = await wayTo(asItIs, (text) => {
    isDown ||= text.includes("signature");
    return text.replace(/"signature":"[^"]+"/g, '"signature":"\\u001b[31mEvil\\u0007"').replace('"success":true,', "");
  });
  const { run } = await live(['apiKeyFile = "key"', ...NODE(node.url)], { baseURL: evil.url });
  await run("buy", ...MINT, "--sol", "0.1", ...SEND);
  const { out } = await run("pending");
  assert.match(out, /accepted as .*Evil/);
  // eslint-disable-next-line no-control-regex
  assert.doesNotMatch(out, /[\u0000-\u0009\u000b-\u001f]/);
});

test("a key in the wrong setting is in no message", async () => {
  for (const [source, says] of [
    [`apiKeyEnv = "${KEY}"`, /apiKeyEnv: there is no such variable: it takes a variable's name, such as DESK_API_KEY/],
    [`apiKeyFile = "${KEY}"`, /apiKeyFile: ENOENT: it names no file that can be read/],
    [`apiKeyCommand = ["${KEY}", "--key"]`, /apiKeyCommand: its program is not installed/],
    [
      `rpcEnv = "https://node.example/?api-key=${KEY}"`,
      /rpcEnv: there is no such variable: it takes a variable's name/,
    ],
  ]) {
    const { run } = await live([source, ...(source.startsWith("rpc") ? ['apiKeyFile = "key"'] : NODE())]);
    for (const args of [["buy", ...MINT, "--sol", "0.1"], ["doctor"], ["buy", ...MINT, "--sol", "0.1", "--json"]]) {
      // `run` refuses output with the key in it.
      const { out, err, code } = await run(...args);
      assert.notEqual(code, 0, source);
      assert.match(`${out}${err}`, says);
    }
  }
  const { run } = await live(['apiKeyEnv = "NOT_SET_HERE"', ...NODE()]);
  assert.match((await run("buy", ...MINT, "--sol", "0.1")).err, /the variable NOT_SET_HERE is not set/);
});

test("a config, a plan, a table of a bundle and a plan of exits are read as PowerShell writes them", async () => {
  const { folder, config, run, json } = await live();
  const utf16 = (text) => Buffer.from(`\ufeff${text}`, "utf16le");
  await writeFile(join(folder, "config.toml"), utf16(config.replaceAll("\n", "\r\n")));
  const [plan, table, exits] = ["plan.json", "buys.csv", "exits.json"].map((name) => join(folder, name));
  await writeFile(
    plan,
    utf16((await run("plan", "buy", ...MINT, "--sol", "0.1", "--intent-id", "from-powershell")).out),
  );
  assert.equal((await json("send", plan, "--yes")).outcome, "landed");
  await writeFile(table, utf16(`wallet;amount\r\n${ADA};0,1\r\n`));
  assert.equal((await json("bundle", "buy", table, ...MINT)).exitCode, 0);
  await writeFile(exits, Buffer.from(`\ufeff${JSON.stringify({ stopLoss: "0.5x" })}`));
  assert.equal((await json("exits", "set", "from-powershell", "--exits", exits)).exitCode, 0);
  assert.match(await readFile(join(folder, "live/mode"), "utf8"), /live/);
});

test("the doctor sends the key as a client does, and nowhere while that refuses the settings", async () => {
  const posts = [];
  const { url: baseURL } = await serving((request, response) => {
    if (request.method === "POST") posts.push(request.url);
    response.writeHead(404).end();
  });
  const { doctor } = await live(['apiKeyFile = "key"', 'apiKeyHeader = "content-type"'], { baseURL });
  const { code, out, line } = await doctor();
  assert.notEqual(code, 0, out);
  assert.match(line("key"), /it can be read; it is sent nowhere before the settings are right/, out);
  assert.deepEqual(posts, []);
  const keys = [];
  const { url } = await serving(({ method, headers }, response) => {
    if (method === "POST") keys.push([headers["x-desk"], headers.authorization]);
    response.writeHead(400).end();
  });
  const own = await live(['apiKeyFile = "key"', "gateway = true", 'apiKeyHeader = "x-desk"'], { baseURL: url });
  await own.doctor();
  await own.run("buy", ...MINT, "--sol", "0.1", ...SEND);
  assert.deepEqual(keys, Array(2).fill([KEY, undefined]), "both show a gateway the key in the header of the settings");

  const elsewhere = [];
  const nothing = await serving(({ headers }, response) => (elsewhere.push(headers["x-token"]), response.end("null")));
  const away = await serving((_request, response) => response.writeHead(307, { location: nothing.url }).end());
  const ill = await serving((_request, response) => response.writeHead(500).end());
  for (const [baseURL, rpc, ...says] of [
    [nothing.url, away.url, "ok  service and clock: ", "BAD node: it answers with status 307;"],
    [ill.url, nothing.url, "BAD service and clock: the service answers with status 500;", "BAD node: it does not "],
  ]) {
    const market = 'market = { walletsShared = false, headers = { x-token = "t" } }';
    const { out } = await (await live(['apiKeyFile = "key"', `rpc = "${rpc}"`, market], { baseURL })).doctor();
    for (const line of ["BAD key: the service answers an empty", ...says]) assert.ok(out.includes(`\n${line}`), out);
    if (rpc === away.url) assert.ok(!elsewhere.includes("t"), "who a node redirects to gets none of its headers");
  }
});

test("the doctor reaches a node as the market does, and calls a page a page", async () => {
  const seen = new Set();
  const { url: baseURL } = await serving((request, response) => {
    seen.add(`${request.headers.authorization} ${request.headers["x-token"]}`);
    response
      .writeHead(403, { "content-type": "text/html" })
      .end("<html><head><title>Attention Required! | Cloudflare</title></head>");
  });
  const rpc = `rpc = "${baseURL.replace("//", "//me:you@")}"`;
  const market = 'market = { walletsShared = false, headers = { x-token = "t" } }';
  const { doctor, run } = await live(['apiKeyFile = "key"', rpc, market], { baseURL });
  const { line } = await doctor();
  const title = 'a web page came in place of its answer: "Attention Required! | Cloudflare"';
  assert.ok(line("key").startsWith(`BAD key: ${title} (403): it is not of the service; `), line("key"));
  assert.ok(line("node").startsWith(`BAD node: it answers with status 403: ${title}; `), line("node"));
  assert.ok(seen.has(`Basic ${btoa("me:you")} t`), [...seen].join(" | "));
  assert.ok((await run("quote", "buy", ...MINT, "--sol", "0.1")).err.includes("Attention Required! | Cloudflare"));
});

test("the doctor says what a node does not allow, and whether a proxy is used", async () => {
  const node = await serving((_request, response, text) => {
    const body = JSON.parse(text || "null");
    const answer = (result) => response.end(JSON.stringify({ jsonrpc: "2.0", id: body.id, result }));
    if (Array.isArray(body)) return response.writeHead(403).end("Batch requests are not supported");
    if (body?.method === "getSlot") return answer(1_000);
    if (body?.method === "getBlockTime") return answer(Math.floor(Date.now() / 1_000));
    if (body?.method !== "getMultipleAccounts") return response.writeHead(404).end();
    return body.params[0].length > 5
      ? response.writeHead(413).end()
      : answer({ context: { slot: 1_000 }, value: body.params[0].map(() => null) });
  });
  const HTTPS_PROXY = "http://127.0.0.1:9";
  const { doctor } = await live(['apiKeyFile = "key"', ...NODE(node.url)], { env: { HTTPS_PROXY } });
  const { line } = await doctor();
  assert.equal(
    line("batches"),
    "ok  batches: it refuses them (status 403): calls go one by one, and settling takes longer",
  );
  assert.equal(line("accounts"), "ok  accounts: 5 in one call, not 100: a look at many wallets takes several");
  assert.equal(
    line("proxy"),
    "ok  proxy: HTTPS_PROXY is set: neither trades nor looks go through it. With NODE_USE_ENV_PROXY=1 both do, on Node 22.21, 24.5 or newer",
  );
  const told = await live(['apiKeyFile = "key"', ...NODE()], {
    env: { HTTPS_PROXY, NODE_USE_ENV_PROXY: "1" },
    program: NODE_24(),
  });
  assert.equal((await told.doctor()).line("proxy"), "ok  proxy: HTTPS_PROXY is set: trades and looks go through it");
});

/** The way to the service of a custodian, who names Ada, Bob and Cyd by ids of its own. Answers are lost as on `way`. */
const [SEVEN, EIGHT, NINE] = ["wallet-7", "6f1c0e9a-3b57-4c1e-9a55-0d2f4b8f7a10", "wallet-9"];
const WALLETS = [
  [SEVEN, ADA],
  [EIGHT, BOB],
  [NINE, CYD],
];
const custodian = await wayTo(
  (text) => WALLETS.reduce((said, [id, address]) => said.replaceAll(id, address), text),
  (text) => WALLETS.reduce((said, [id, address]) => said.replaceAll(address, id), text),
);
const CUSTODIAN = { baseURL: custodian.url, fromWallet: SEVEN };

test("a wallet that is no address is traded by every command, and each says in a sentence what is not known of it", async () => {
  const { run, json, folder, doctor } = await live(undefined, CUSTODIAN);
  const { code, out, line } = await doctor();
  assert.equal(code, 0, out);
  const until = "Until then what it holds is not known, and no outcome of its trades can be proven";
  assert.equal(
    line("wallets"),
    `ok  wallets: the wallet ${SEVEN} is no address: the market's walletAddresses can give it one. ${until}`,
  );
  const known = [
    'apiKeyFile = "key"',
    `rpc = "${service.url}/rpc"`,
    `market.walletAddresses = { "${SEVEN}" = "${ADA}" }`,
  ];
  const bare = await live(known, { ...CUSTODIAN, fromWallet: ADA });
  assert.equal(
    (await bare.doctor()).line("wallets"),
    `ok  wallets: the wallet ${ADA} is ${SEVEN} in the market's walletAddresses: name it so. ${until}`,
  );
  const quoted = await json("quote", "buy", ...MINT, "--sol", "0.1");
  assert.deepEqual(
    [
      quoted.exitCode,
      quoted.quote.refused,
      quoted.quote.legs[0].wallet,
      quoted.quote.legs[0].warnings.includes("wallet_unknown"),
    ],
    [0, null, SEVEN, true],
  );
  const warning = /^Warning for wallet-7: The wallet is not known here: .* Rent is in none of these figures\.$/m;
  assert.match((await run("quote", "buy", ...MINT, "--sol", "0.1")).out, warning);
  const plan = join(folder, "plan.json");
  await writeFile(plan, (await run("plan", "buy", ...MINT, "--sol", "0.1")).out);
  assert.equal((await json("send", plan, "--yes")).outcome, "landed");
  const bought = await json("buy", ...MINT, "--sol", "0.1", "--intent-id", "signal", ...SEND);
  assert.deepEqual([bought.outcome, bought.trade.result.wallet], ["landed", SEVEN]);
  assert.equal((await json("sell", ...MINT, "--tokens", "100", ...SEND)).outcome, "landed");
  const table = join(folder, "buys.csv");
  await writeFile(table, `wallet;amount;slippage\n${SEVEN};0,1;1\n${BOB};0,1;\n`);
  assert.equal((await json("bundle", "buy", table, ...MINT, ...SEND)).outcome, "landed");

  const half = await run("sell-by-percentage", ...MINT, "--percentage", "50");
  assert.match(
    half.out,
    /^Price: not known: how much this sells is not known, because the wallet's id is no address: the market's walletAddresses can give it one\.$/m,
  );
  assert.equal((await json("sell-by-percentage", ...MINT, "--percentage", "50", ...SEND)).outcome, "landed");
  const position = await json("position", ...MINT);
  assert.deepEqual([position.exitCode, position.positions, position.unknownWallets], [0, [], [SEVEN]]);
  const sentence = `${SEVEN}: what it holds is not known, because its id is no address: market.walletAddresses of the profile can give it one`;
  assert.ok((await run("position", ...MINT)).out.includes(sentence));

  const set = await json("exits", "set", "signal", "--stop-loss", "0.5x", "--slippage", "5");
  assert.equal(set.exitCode, 0, JSON.stringify(set));
  losesAnswers = true;
  assert.equal((await json("buy", ...MINT, "--sol", "0.1", "--intent-id", "lost", ...SEND)).outcome, "unknown");
  losesAnswers = false;
  const settled = await run("settle");
  assert.ok(
    settled.out.startsWith(
      `lost: unknown (the wallet ${SEVEN} is no address: the market's walletAddresses can give it one)`,
    ),
    settled.out,
  );
  assert.equal(settled.code, 4);
});

test("with walletAddresses in the profile, a wallet of a custodian is held, settled and exited by its own id", async () => {
  const lines = [
    'apiKeyFile = "key"',
    `rpc = "${service.url}/rpc"`,
    "[profiles.live.market]",
    "walletsShared = false",
    "serviceHoldsMs = 3000",
    "[profiles.live.market.walletAddresses]",
    `"${NINE}" = "${CYD}"`,
  ];
  // A wallet of its own: what another run has traded and is not final yet could be its lost trade. A table ends the profile's own
  // settings, which come first.
  const { run, json, doctor, folder } = await live([], { ...CUSTODIAN, fromWallet: NINE });
  const file = join(folder, "config.toml");
  await writeFile(file, `${await readFile(file, "utf8")}\n${lines.join("\n")}`);
  const { code, out, line } = await doctor();
  assert.equal(code, 0, out);
  assert.equal(line("wallets"), "ok  wallets: each has an address");
  const held = async () => (await json("position", ...MINT)).positions[0];
  await json("buy", ...MINT, "--sol", "0.1", ...SEND);
  const before = await held();
  const bought = await json("buy", ...MINT, "--sol", "0.2", "--intent-id", "signal", ...SEND);
  assert.deepEqual(
    [bought.outcome, JSON.parse(bought.plan.body).fromWallet, bought.drift.causes],
    ["landed", NINE, []],
  );
  const after = await held();
  assert.equal(after.wallet, NINE);
  assert.ok(BigInt(after.tokens) > BigInt(before.tokens));
  assert.equal((await json("exits", "set", "signal", "--stop-loss", "0.5x", "--slippage", "5")).exitCode, 0);
  for (const command of ["pause", "resume"]) assert.equal((await json("exits", command, "signal")).exitCode, 0);
  const closed = await json("exits", "close", "signal", "--send", "--yes");
  assert.equal(closed.exitCode, 0, JSON.stringify(closed));
  assert.equal((await held()).tokens, before.tokens, "what the exits sold is what their buy brought");
  losesAnswers = true;
  assert.equal((await json("buy", ...MINT, "--sol", "0.1", "--intent-id", "lost", ...SEND)).outcome, "unknown");
  losesAnswers = false;
  assert.deepEqual(
    (await json("settle", "--within", "60")).settled.map(({ intentId, outcome }) => [intentId, outcome]),
    [["lost", "landed"]],
  );
  const verified = await json("verify");
  assert.deepEqual([verified.exitCode, verified.verified], [0, true], JSON.stringify(verified.problems));
  await writeFile(file, (await readFile(file, "utf8")).replace(`"${NINE}" = "${CYD}"`, `"${NINE}" = "${CYD}x"`));
  const wrong = await doctor();
  assert.equal(wrong.code, 1);
  assert.match(
    wrong.line("settings"),
    /^BAD settings: .*walletAddresses\.wallet-9 must be an address: base58 of 32 bytes/,
  );
  assert.match(
    (await run("quote", "buy", ...MINT, "--sol", "0.1")).err,
    /walletAddresses\.wallet-9 must be an address/,
  );
});

test("a trade of unknown outcome is shown with the signature that the service has named for it", async () => {
  const { url: baseURL } = await wayTo(asItIs, (text) => text.replace('"success":true', '"success":false'));
  const { run } = await live(undefined, { baseURL });
  const { code, out } = await run("buy", ...MINT, "--sol", "0.01", ...SEND);
  const [, signature] = /^Signature: (\w+)$/m.exec(out) ?? [];
  assert.deepEqual([code, typeof signature], [4, "string"], out);
  assert.match((await run("pending")).out, new RegExp(`, signature ${signature}$`, "m"));
});
