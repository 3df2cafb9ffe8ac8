// `launchpad-desk sandbox` from the packed tarball, on every runtime that has a node:http.

import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { installAsStranger } from "../package/stranger.mjs";
import { BUN, DENO, NODE_20, NODE_22, NODE_24 } from "../faults/pinned.mjs";
import { ADA, DENO_RUN, RABBIT, commandLine, end, startSandbox } from "./command.mjs";

const { folder: cwd, installed } = await installAsStranger();
const file = commandLine(cwd);

const RUNTIMES = {
  "the oldest Node": [NODE_20(), file],
  "Node 22": [NODE_22(), file],
  "Node 24": [NODE_24(), file],
  Bun: [BUN(), file],
  Deno: [DENO(), ...DENO_RUN, "--allow-net=127.0.0.1", "--allow-read=.", file],
  npx: ["npx", "--offline", "launchpad-desk"],
};

async function post(url, path, body, headers = { "content-type": "application/json" }) {
  const reply = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}

/** A buy for a SOL, and a sell of all of it. */
const buyFrom = (url) => post(url, "/v1/trade/buy", { mint: RABBIT, fromWallet: ADA, amountInLamports: "1000000000" });
const sellAllTo = (url) =>
  post(url, "/v1/trade/sell-by-percentage", { mint: RABBIT, fromWallet: ADA, percentage: 100, slippage: null });

for (const [name, [program, ...args]] of Object.entries(RUNTIMES)) {
  test(`${name} serves a sandbox until it is interrupted`, async () => {
    const { url, lines, stop } = await startSandbox(program, args, { cwd });
    try {
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.equal(lines[1], "Simulated: no trade here is real. Ctrl-C stops it.");
      const bought = await buyFrom(url);
      assert.deepEqual([bought.status, bought.body.result.buyAmount], [200, 34199203.120618]);
      const sold = await sellAllTo(url);
      assert.deepEqual([sold.status, sold.body.result.tokenAccountClosed], [200, true]);
      assert.equal((await post(url, "/v1/trade/buy", {}, { "content-type": "text/plain" })).status, 415);
      assert.equal((await fetch(`${url}/_sandbox/state`)).status, 404);
      for (const outcome of ["executed-no-answer", "truncated"]) {
        const lost = post(
          url,
          "/v1/trade/buy",
          { mint: RABBIT, fromWallet: ADA, amountInLamports: 5_000_000 },
          { "content-type": "application/json", "x-sandbox-outcome": outcome },
        );
        await assert.rejects(lost, undefined, outcome);
      }
    } finally {
      const code = await stop();
      // npx ends by the signal itself.
      if (name !== "npx") assert.equal(code, 0);
    }
    await assert.rejects(fetch(url));
  });
}

test("the time of a market passes by itself, and its trades are told as they are made", async () => {
  const [program, ...args] = RUNTIMES["Node 24"];
  const { url, stop } = await startSandbox(program, args, { cwd, args: ["--realtime", "100", "--alive", "7"] });
  try {
    const tradesOf = async (after) =>
      (await fetch(`${url}/_market/trades${after ? `?after=${encodeURIComponent(after)}` : ""}`)).json();
    // However long it takes: the runner has a limit of its own.
    const more = async (after) => {
      for (;;) {
        const page = await tradesOf(after);
        if (page.trades.length) return page;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const first = await more();
    const second = await more(first.next);
    assert.ok(second.nowMs > first.nowMs, "its time goes on");
    assert.ok(
      second.trades[0].number > first.trades.at(-1).number && second.trades[0].atMs >= first.trades.at(-1).atMs,
    );
  } finally {
    assert.equal(await stop(), 0);
  }
  const { code, err } = await end(program, [...args, "sandbox", "--port", "0", "--realtime", "0"], { cwd });
  assert.deepEqual([code, err.includes("--realtime takes a number above 0 and up to 1000, not 0")], [64, true], err);
});

test("its market's time passes in as many calls as its steps need", async () => {
  await writeFile(
    join(cwd, "short-steps.json"),
    JSON.stringify({ market: { stepMs: 1, launchEveryMs: 0 }, tokens: [{ mint: RABBIT, complete: true }] }),
  );
  // A fifth of a second is 200,000 steps.
  const { url, stop } = await startSandbox(process.execPath, [file], {
    cwd,
    args: ["--realtime", "1000", "--config", "short-steps.json"],
  });
  try {
    for (let nowMs = 0; nowMs < 400_000;) {
      ({ nowMs } = await (await fetch(`${url}/_market/trades?after=0`)).json());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    assert.equal(await stop(), 0);
  }
});

test("the chain around a kept state begins with it finalized", async () => {
  const finalized = async (url) => {
    const reply = await post(url, "/rpc", {
      jsonrpc: "2.0",
      id: 1,
      method: "getMultipleAccounts",
      params: [[ADA], { encoding: "base64", commitment: "finalized" }],
    });
    return reply.body.result.value[0]?.lamports;
  };
  for (const start of [1, 2]) {
    const { url, stop } = await startSandbox(process.execPath, [file], {
      cwd,
      args: ["--rpc", "--state", "chain.log"],
    });
    assert.equal(await finalized(url), 100_000_000_000, `start ${start}`);
    assert.equal(await stop(), 0);
  }
});

for (const name of ["the oldest Node", "Bun", "Deno"]) {
  test(`${name} keeps the state of a sandbox in a file, over a kill`, async () => {
    // Deno limits what a program may do: here it also writes, and reads its identity for the lock.
    const [program, ...args] = name === "Deno" ? [DENO(), ...DENO_RUN, "--allow-all", file] : RUNTIMES[name];
    const state = `${name.replaceAll(" ", "-")}.log`;
    const start = (...more) => startSandbox(program, args, { cwd, args: ["--state", state, ...more] });
    const first = await start();
    assert.equal((await buyFrom(first.url)).status, 200);
    const other = await end(program, [...args, "sandbox", "--port", "0", "--state", state], { cwd });
    assert.deepEqual([other.code, other.out], [1, ""]);
    assert.match(other.err, /the log \S+ is in use by process \d+ on this host/);
    await first.stop("SIGKILL");
    const second = await start();
    const sold = await sellAllTo(second.url);
    assert.deepEqual([sold.status, sold.body.result.tokenAccountClosed], [200, true]);
    assert.equal(await second.stop(), 0);
    assert.deepEqual(
      (await readdir(cwd)).filter((file) => file.startsWith(state)),
      [state],
    );
    const differing = await end(program, [...args, "sandbox", "--port", "0", "--state", state, "--alive"], { cwd });
    assert.equal(differing.code, 1);
    assert.match(differing.err, /is of a sandbox with other settings \(wallets, tokens, market\.alive\)/);
  });
}

const run = (...args) => end(process.execPath, [file, ...args], { cwd });

test("its options make the sandbox that they say", async () => {
  const config = JSON.stringify({
    ...{ market: { launchEveryMs: 0 }, slowMs: 5, wallets: [{ wallet: "eve", lamports: 5_000_000_000 }] },
    ...{ control: true, apiKey: "secret-key", corsOrigin: "*" },
  });
  await writeFile(join(cwd, "config.json"), config);
  const started = await Promise.all(
    ["config.json", config].map((given) =>
      startSandbox(process.execPath, [file], { cwd, args: ["--alive", "7", "--config", given] }),
    ),
  );
  const headers = { "content-type": "application/json", "x-api-key": "secret-key" };
  const states = await Promise.all(
    started.map(async ({ url }) => {
      assert.equal((await fetch(`${url}/_sandbox/state`)).status, 401);
      await post(url, "/_sandbox/time", { advanceMs: 60_000 }, headers);
      const reply = await fetch(`${url}/_sandbox/state`, { headers });
      assert.equal(reply.headers.get("access-control-allow-origin"), null);
      assert.equal((await fetch(`${url}/v1/trade/buy`, { headers })).headers.get("access-control-allow-origin"), "*");
      return reply.text();
    }),
  );
  assert.equal(states[0], states[1], "the same seed, the same market");
  assert.ok(states[0].includes('"marketTrade') && states[0].includes('"eve"'));
  assert.deepEqual(await Promise.all(started.map(({ stop }) => stop("SIGTERM"))), [0, 0]);
});

test("with --rpc it is also a node, which lags and refuses as it is told", async () => {
  const { url, stop } = await startSandbox(process.execPath, [file], {
    cwd,
    args: ["--rpc", '{"refuseMethods":["getHealth"],"rateLimit":{"requests":2,"perMs":600000}}'],
  });
  const ask = (method) => post(url, "/rpc", { jsonrpc: "2.0", id: 1, method });
  assert.equal((await ask("getHealth")).body.error.code, -32601);
  assert.ok((await ask("getSlot")).body.result > 0);
  assert.equal((await fetch(`${url}/rpc`, { method: "POST", body: "{}" })).status, 429);
  assert.equal(await stop(), 0);
});

test("with --profile it serves the sandbox that other commands trade in", async () => {
  const home = join(cwd, "joined");
  await mkdir(home, { recursive: true });
  const env = { ...process.env, LAUNCHPAD_DESK_HOME: home, NO_COLOR: "1" };
  const command = (...args) => end(process.execPath, [file, ...args], { cwd, env });
  const held = async () =>
    JSON.parse((await command("position", "--from-wallet", ADA, "--json")).out).positions[0].tokens;
  assert.equal((await command("buy", "--sol", "0.5", "--send", "--yes")).code, 0);
  assert.equal(await held(), "17376518132293");
  const { url, stop } = await startSandbox("env", [`LAUNCHPAD_DESK_HOME=${home}`, process.execPath, file], {
    cwd,
    args: ["--profile", "sandbox", "--realtime"],
  });
  const sold = (await post(url, "/v1/trade/sell-by-percentage", { mint: RABBIT, fromWallet: ADA, percentage: 50 })).body
    .result;
  const meanwhile = await command("buy", "--sol", "0.1");
  assert.deepEqual(
    [meanwhile.code, /sandbox\.log is in use by process \d+/.test(meanwhile.err)],
    [1, true],
    meanwhile.err,
  );
  assert.equal(await stop(), 0);
  assert.ok(sold.sellAmount > 0);
  assert.equal(await held(), "8688259066147");
  await writeFile(join(home, "config.toml"), '[profiles.live]\nbaseURL = "https://service.example"\n');
  for (const [args, says] of [
    [["--profile", "live"], /--profile live trades for real: a profile with a sandbox can be served/],
    [["--profile", "sandbox", "--state", "other.log"], /--profile sandbox has a state of its own: leave out --state/],
  ]) {
    const { code, err } = await command("sandbox", "--port", "0", ...args);
    assert.deepEqual([code, says.test(err)], [64, true], err);
  }
});

test("wrong arguments are named, and it ends with 64", async () => {
  await writeFile(join(cwd, "empty"), "\n");
  await writeFile(join(cwd, "broken.json"), "secret-key");
  await writeFile(join(cwd, "wrong.json"), '{"wallts":[]}');
  for (const [args, message] of [
    [[], /^Usage: launchpad-desk \[options\] \[command\]/],
    [["sandbax"], /^error: unknown command 'sandbax'\n\(Did you mean sandbox\?\)\n/],
    [["__proto__"], /^error: unknown command '__proto__'\n/],
    [["sandbox", "--prot", "1"], /^error: unknown option '--prot'\n\(Did you mean --port\?\)\n/],
    [["sandbox", "--state"], /--state/],
    [["sandbox", "--state="], /^--state takes the path of a file\n/],
    [["sandbox", "8787"], /^error: too many arguments for .sandbox./],
    [["sandbox", "--port"], /--port/],
    [["sandbox", "--port", "65536"], /^--port takes a whole number from 0 to 65535, not 65536\n/],
    [["sandbox", "--alive=-1"], /^--alive takes a whole number/],
    [["sandbox", "--config", "none"], /^--config: ENOENT/],
    [["sandbox", "--config", "empty"], /^--config: empty is not JSON\n/],
    [["sandbox", "--config", "{secret-key"], /^--config: it is not JSON\n/],
    [["sandbox", "--config", "broken.json"], /^--config: broken\.json is not JSON\n/],
    [["sandbox", "--config", "wrong.json"], /wallts is unknown; did you mean wallets\?/],
    [["sandbox", "--rpc", "{lag"], /^--rpc: it is not JSON\n/],
    [["sandbox", "--rpc", '{"lagSlot":1}'], /^faults\.lagSlot is unknown; did you mean lagSlots\?\n/],
    [["sandbox", "--config", '{"corsOrigin":"page"}'], /corsOrigin must be \* or an origin/],
    [
      ["sandbox", "--host", "127.0.0.1", "--host", "a:1"],
      /^serve: allowedHosts must be a list of host names in lower case, without ports\n/,
    ],
  ]) {
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [64, ""], args.join(" "));
    assert.match(err, message);
    if (/^error:/.test(err) && args[0] === "sandbox")
      assert.match(err, /launchpad-desk sandbox --help lists its options\n$/);
  }
});

test("help and version are no mistakes", async () => {
  const help = await run("sandbox", "--help");
  assert.deepEqual([help.code, help.err], [0, ""]);
  for (const option of ["--port", "--host", "--alive", "--realtime", "--rpc", "--state", "--profile", "--config"])
    assert.ok(help.out.includes(`  ${option} `), option);
  assert.match((await run("--help")).out, /\n {2}sandbox +serve a simulated launchpad\n/);
  const { version } = (await import(join(installed, "package.json"), { with: { type: "json" } })).default;
  assert.equal((await run("--version")).out, `${version}\n`);
});

test("a taken port is reported, and it exits with 1", async () => {
  const { url, stop } = await startSandbox(process.execPath, [file], { cwd });
  const { port } = new URL(url);
  assert.deepEqual(await run("sandbox", "--port", port), {
    code: 1,
    out: "",
    err: `port ${port} is taken; --port 0 picks a free one\n`,
  });
  assert.equal(await stop(), 0);
});
