// A stop always works: from another shell, while an agent or `exits run` holds the journal and is busy, at once.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { Sandbox } from "launchpad-desk/sandbox";
import { installAsStranger } from "../package/stranger.mjs";
import { agentOver, overStdio } from "./agent.mjs";
import { ADA, RABBIT, commandsIn, limits, serving } from "./command.mjs";

const { folder: cwd } = await installAsStranger();
const { THIS, home } = commandsIn(cwd);

/** A service on loopback that counts the trades that reach it. */
async function service(t) {
  const sandbox = new Sandbox();
  const seen = { trades: 0 };
  const headers = { "content-type": "application/json" };
  const { url } = await serving(async (request, response, body) => {
    seen.trades++;
    const reply = await sandbox.fetch(`http://sandbox${request.url}`, { method: "POST", headers, body });
    response.writeHead(reply.status, headers).end(await reply.text());
  }, t);
  return { seen, url };
}

/** A program that does nothing but keep a core busy. */
function busy(t) {
  const loops = [1, 2].map(() => spawn(process.execPath, ["-e", "for (;;);"]));
  t.after(() => loops.forEach((loop) => loop.kill("SIGKILL")));
}

test("halt, reduce and resume reach an agent that trades without a pause, beside busy loops", async (t) => {
  const { seen, url } = await service(t);
  const { folder, env, run } = await home(
    THIS,
    'profile = "live"',
    "[profiles.live]",
    `baseURL = "${url}"`,
    'apiKeyEnv = "DESK_TEST_KEY"',
    ...limits("1_000_000_000", "90_000_000_000"),
    "agent = { approveOverLamports = 1_000_000_000 }",
  );
  busy(t);
  const transport = overStdio([...THIS, "mcp", "--profile", "live", "--live"], { env, cwd });
  const { client, call } = await agentOver(transport, t);
  const trade = async () => {
    const { planId } = await call("plan", {
      operation: "buy",
      request: { mint: RABBIT, fromWallet: ADA, amountInLamports: 1_000_000, slippage: { percent: 1 } },
    });
    if (planId === undefined) return "no plan";
    return (await call("execute", { planId })).outcome;
  };
  let [isOn, ends] = [true, []];
  const loop = (async () => {
    while (isOn) ends.push(await trade());
  })();
  const until = async (landed) => {
    for (ends = []; ends.filter((outcome) => outcome === "landed").length < landed;) await new Promise(setImmediate);
  };
  await until(5);
  // A halt that reaches another profile says which, and what goes on.
  const other = await run("halt", "--profile", "sandbox");
  assert.match(
    other.out,
    /^Trading is halted in profile sandbox \(simulated\)\.\nProcess \d+ trades with profile live: `launchpad-desk halt --profile live` stops that, too\.\n$/,
  );
  const halted = await run("halt");
  const before = seen.trades;
  assert.equal(halted.code, 0, halted.err);
  assert.match(
    halted.out,
    /^Trading is halted in profile live \(live\)\.\nProcess \d+ trades with this profile, and hears it before its next trade\.\n$/,
  );
  // One that was already written when the command ended may still arrive.
  for (ends = []; ends.length < 12;) await new Promise(setImmediate);
  assert.ok(seen.trades <= before + 1, `${seen.trades - before} trades after the halt`);
  assert.deepEqual([...new Set(ends.slice(1))], ["not_sent"]);
  assert.equal((await call("policy")).guards.mode, "halted");
  assert.equal((await run("resume")).code, 0);
  await until(2);
  isOn = false;
  await loop;
  assert.equal((await run("halt", "buys")).code, 0);
  assert.deepEqual([await trade(), (await call("policy")).guards.mode], ["not_sent", "reducing"]);
  // Nothing of the config file is needed to stop what was started with it.
  await writeFile(join(folder, "config.toml"), "profile = [\n");
  const blind = await run("halt", "--profile", "live");
  assert.deepEqual([blind.code, blind.out.split("\n")[0]], [0, "Trading is halted in profile live (live)."]);
  assert.deepEqual([await trade(), (await call("policy")).guards.mode], ["not_sent", "halted"]);
  await client.close();
  const modes = (await readFile(join(folder, "live/desk.log"), "utf8"))
    .split("\n")
    .filter((line) => line.includes('"act":"suspend"'))
    .map((line) => JSON.parse(line).detail);
  assert.deepEqual(modes, ["halted", "active", "reducing", "halted"]);
  const verified = await run("verify", join(folder, "live/desk.log"));
  assert.equal(verified.code, 0, verified.out);
});

test("halt and pause reach a program that carries exits out, and survive it", async (t) => {
  const { folder, run, start } = await home();
  assert.equal((await run("buy", "--sol", "0.1", "--intent-id", "a", "--send", "--yes")).code, 0);
  assert.equal((await run("exits", "set", "a", "--stop-loss", "0.999x")).code, 0);
  assert.equal((await run("halt")).code, 0);
  const { child, closed, lines } = start("exits", "run", "--send", "--yes", "--every", "0");
  t.after(() => child.kill("SIGKILL"));
  const said = [];
  lines.on("line", (line) => said.push(line));
  const hear = async (what, count) => {
    while (said.filter((line) => line.includes(what)).length < count) await once(lines, "line");
  };
  await hear("halted", 3);
  // Wherever it is, it does nothing while both are said.
  child.kill("SIGSTOP");
  assert.equal((await run("exits", "pause", "a")).code, 0);
  assert.equal((await run("resume")).code, 0);
  child.kill("SIGCONT");
  while ((await readdir(join(folder, "sandbox/exits"))).some((name) => /\.(asked|taken)$/.test(name)))
    await new Promise(setImmediate);
  assert.ok(!said.some((line) => line.includes("sold")), said.join("\n"));
  assert.equal((await run("exits", "resume", "a")).code, 0);
  // It may have sold before that command has ended.
  await hear("sold", 1);
  await closed;
  const verified = await run("verify", join(folder, "sandbox/desk.log"));
  assert.equal(verified.code, 0, verified.out);
});
