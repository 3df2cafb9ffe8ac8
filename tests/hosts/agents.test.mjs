// The tools for agents, from the packed tarball: over standard input and output, over HTTP, and the person who approves.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { NODE_24 } from "../faults/pinned.mjs";
import { installAsStranger } from "../package/stranger.mjs";
import { agentOver, overStdio } from "./agent.mjs";
import { ADA, RABBIT, commandsIn, end, limits } from "./command.mjs";

const { folder: cwd } = await installAsStranger();
const { file, THIS, RUNTIMES, home, served } = commandsIn(cwd);
const liveAt = (url) => ["[profiles.live]", `baseURL = "${url}"`, 'apiKeyEnv = "DESK_TEST_KEY"'];
const LIMITS = limits("60_000_000", "100_000_000");
const APPROVES = ["sandbox = {}", "agent = { approveOverLamports = 40_000_000 }"];
const BUY = { operation: "buy", request: { mint: RABBIT, fromWallet: ADA, amountInLamports: 50_000_000 } };
const sellOf = (percentage) => ({
  operation: "sellByPercentage",
  request: { mint: RABBIT, fromWallet: ADA, percentage },
});

/** The version of the protocol that a client agrees on with a server, by how it negotiates. */
const VERSIONS = { auto: "2026-07-28", legacy: "2025-11-25" };

/** A client that is connected, speaks the version that it asks for, and gets the three fields of every result; and a function that calls a tool. */
async function connected(t, transport, mode) {
  const { client } = await agentOver(transport, t, { versionNegotiation: { mode } });
  assert.equal(client.getNegotiatedProtocolVersion(), VERSIONS[mode]);
  const call = async (name, fields = {}) => {
    const { structuredContent, content } = await client.callTool({ name, arguments: fields });
    const { mode, outcome, next } = structuredContent;
    assert.match(
      `${mode} ${outcome}`,
      /^(simulated|live) (landed|unconfirmed|not_sent|rejected|failed|unknown|did_not_land)$/,
      name,
    );
    assert.match(next, /^[A-Z].*\.$/, name);
    assert.deepEqual(JSON.parse(content[0].text), structuredContent);
    return structuredContent;
  };
  return { client, call };
}

/** The same for the server that this starts, over standard input and output. */
const agent = (t, env, runtime = THIS, more = [], mode = "legacy") =>
  connected(t, overStdio([...runtime, "mcp", ...more], { env, cwd }), mode);

for (const [name, runtime] of Object.entries(RUNTIMES)) {
  test(`${name}: an agent plans, executes once, and settles what is unknown`, async (t) => {
    const { env } = await home();
    const { client, call } = await agent(t, env, runtime, [], "auto");
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["policy", "state", "quote", "plan", "execute", "status", "halt", "sandbox_fault"],
    );
    for (const { description } of tools) assert.match(description, /^Simulated/);
    const hinted = (hint) => tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
    assert.deepEqual(hinted("readOnlyHint"), ["policy", "state", "quote"]);
    assert.deepEqual(hinted("destructiveHint"), ["execute", "halt", "sandbox_fault"]);
    for (const name of ["policy", "state"]) assert.equal((await call(name)).outcome, "not_sent");
    const quoted = await call("quote", BUY);
    assert.deepEqual([quoted.outcome, quoted.quote.legs[0].tokenAmount], ["not_sent", "1763352.433103"]);
    const { planId, needsApproval } = await call("plan", BUY);
    assert.equal(needsApproval, false);
    const waiting = await call("status", { planId });
    assert.deepEqual(
      [waiting.outcome, waiting.plan.state, waiting.next],
      ["not_sent", "planned", "Call execute with planId to send it."],
    );
    const landed = await call("execute", { planId });
    assert.deepEqual(
      [landed.mode, landed.outcome, landed.trade.exact.buyAmount],
      ["simulated", "landed", "1763352.433103"],
    );
    const again = await call("execute", { planId });
    assert.deepEqual([again.outcome, again.error.message], ["not_sent", "this plan was executed before: see status"]);
    assert.equal((await call("status", { planId })).outcome, "landed");
    assert.equal((await call("sandbox_fault", { kind: "noAnswer" })).outcome, "not_sent");
    const sale = await call("plan", sellOf(50));
    const lost = await call("execute", { planId: sale.planId });
    assert.equal(lost.outcome, "unknown");
    assert.match(lost.next, /^Never send it again/);
    assert.match((await call("state")).next, /^Never send/);
    const { outcome, plan, unresolved } = await call("status", { planId: sale.planId });
    assert.deepEqual([outcome, plan.result.outcome, unresolved], ["landed", "landed", []]);
    await call("sandbox_fault", { kind: "dropped" });
    const dropped = await call("plan", sellOf(50));
    assert.equal((await call("execute", { planId: dropped.planId })).outcome, "unknown");
    assert.equal((await call("status", { planId: dropped.planId })).outcome, "did_not_land");
    assert.equal((await call("status")).outcome, "not_sent", "nothing is unresolved");
    const wrong = await call("plan", {
      operation: "buy",
      request: { mint: RABBIT, fromWalet: ADA, amountInLamports: 1 },
    });
    assert.match(wrong.error.message, /buy has no field fromWalet; did you mean fromWallet\?/);
    const halted = await call("halt");
    assert.deepEqual([halted.outcome, halted.guards.mode], ["not_sent", "halted"]);
    const refused = await call("plan", BUY);
    assert.deepEqual([refused.outcome, refused.refused.code], ["not_sent", "halted"]);
    const says = "The limits refuse it: see refused. Nothing can be executed.";
    assert.deepEqual([refused.next, (await call("quote", BUY)).next], [says, says]);
    assert.equal((await call("execute", { planId: refused.planId })).error.message, says);
    for (const tool of ["resume", "acknowledge", "approve"])
      await assert.rejects(client.callTool({ name: tool, arguments: {} }), tool);
    await client.close();

    // The person resumes, in a shell; a new server knows nothing of the old plans.
    const [program, ...args] = runtime;
    assert.equal(
      (await end(program, [...args, "resume"], { cwd, env })).out,
      "Trading is active in profile sandbox (simulated).\n",
    );
    const next = await agent(t, env, runtime);
    assert.match((await next.call("execute", { planId })).error.message, /there is no such plan/);
    const forgotten = await next.call("status", { planId });
    assert.deepEqual([forgotten.outcome, forgotten.plan, /earlier run/.test(forgotten.next)], ["unknown", null, true]);
    assert.equal((await next.call("plan", BUY)).refused, null);
    await next.client.close();
  });
}

test("a request is read from its JSON text, and what is wrong with arguments has the shape of every result", async (t) => {
  const { env } = await home();
  const { client, call } = await agent(t, env);
  const { tools } = await client.listTools();
  const nameless = (schema, path) =>
    schema.type === "array"
      ? nameless(schema.items, `${path}[]`)
      : schema.type !== "object"
        ? []
        : schema.properties
          ? Object.entries(schema.properties).flatMap(([name, inner]) => nameless(inner, `${path}.${name}`))
          : [path];
  for (const { name, inputSchema } of tools)
    assert.deepEqual(nameless(inputSchema, name), [], "every object names its properties");

  const asText = (request) => ({
    operation: "buy",
    request: typeof request === "string" ? request : JSON.stringify(request),
  });
  const { planId, request } = await call("plan", asText(BUY.request));
  assert.equal(request.amountInLamports, 50_000_000);
  assert.equal((await call("execute", { planId })).outcome, "landed");
  // As exact as an object: no digit is rounded, and no second field of a name wins.
  const exact = await call(
    "plan",
    asText(`{"mint":"${RABBIT}","fromWallet":"${ADA}","amountInLamports":9007199254740993}`),
  );
  assert.equal(exact.request.amountInLamports, "9007199254740993");
  for (const [tool, fields, says] of [
    ["plan", asText("{"), /^request is text, and not the JSON of an object: /],
    ["plan", asText('{"mint":"M","mint":"N"}'), /^request is text, and not the JSON of an object: /],
    ["plan", asText("[]"), /^request must be an object$/],
    ["quote", asText("buy M"), /^request is text, and not the JSON of an object: /],
    ["plan", { operation: "swap", request: {} }, /^operation must be one of buy, sell, /],
    ["plan", { operation: "buy" }, /^request is missing$/],
    ["plan", { operation: "buy", request: null }, /^request must be an object$/],
    ["plan", { operation: "buy", request: { ...BUY.request, slippage: { percent: "five" } } }, /slippage/],
    ["execute", {}, /^planId is missing$/],
    ["execute", { planId: 7 }, /^planId must be a string$/],
    ["execute", { planId, approved: true }, /^execute has no argument approved; it has planId$/],
    ["halt", { now: true }, /^halt has no argument now; it has none$/],
    ["state", { wallets: ADA }, /^wallets must be a list$/],
    ["state", { wallets: [7] }, /^wallets\[0\] must be a string$/],
    ["state", { wallets: Array(51).fill(ADA) }, /^wallets must have at most 50 elements$/],
    ["sandbox_fault", { kind: "fire" }, /^kind must be one of none, /],
  ]) {
    const { outcome, error } = await call(tool, fields);
    assert.equal(outcome, "not_sent", tool);
    assert.match(error.message, says);
  }
  assert.equal((await call("plan", BUY)).refused, null, "halt has not halted");
});

test("a second server answers while the first holds the profile's files, says so, and goes on once the first has ended", async (t) => {
  const service = await served(t);
  const live = await home(THIS, ...liveAt(service.url), ...LIMITS);
  for (const [{ env }, args, mode] of [
    [await home(), [], "simulated"],
    [live, ["--profile", "live", "--live"], "live"],
  ]) {
    const first = await agent(t, env, undefined, args);
    assert.equal((await first.call("plan", BUY)).refused, null);
    const second = await agent(t, env, undefined, args);
    assert.match(
      second.client.getInstructions(),
      /^This desk is not open: .* is in use by process \d+ .*Each call tries to open it\. A value \{ untrustedText \} was written by others .*\.$/,
    );
    assert.deepEqual(
      (await second.client.listTools()).tools.map(({ name }) => name),
      (await first.client.listTools()).tools.map(({ name }) => name),
    );
    for (const [tool, fields] of [
      ["policy", {}],
      ["plan", BUY],
      ["execute", { planId: "x" }],
    ]) {
      const refused = await second.call(tool, fields);
      assert.deepEqual(
        [refused.mode, refused.outcome, /is in use by process \d+/.test(refused.error.message)],
        [mode, "not_sent", true],
        refused.error.message,
      );
    }
    await first.client.close();
    // Its files are free once it has ended.
    let planned;
    do planned = await second.call("plan", BUY);
    while (planned.error && /is in use by process/.test(planned.error.message));
    assert.equal(planned.refused, null);
    await second.client.close();
  }
});

test("a plan is approved by its id alone, whichever profile the agent has, and a list says where others wait", async (t) => {
  const { env, inTerminal } = await home(THIS, "[profiles.agent]", ...APPROVES);
  const { call } = await agent(t, env, undefined, ["--profile", "agent"]);
  const { planId } = await call("plan", BUY);
  const { next } = await call("execute", { planId });
  assert.equal(
    next,
    `A person must approve this plan: in a terminal, npx launchpad-desk approve ${planId} --profile agent. Then call execute again.`,
  );
  const [none, elsewhere] = (await end(process.execPath, [file, "approve"], { cwd, env })).out.split("\n");
  assert.equal(none, "No plan waits for approval.");
  assert.equal(elsewhere, "Plans also wait in other profiles: launchpad-desk approve --profile agent.");
  const wrong = await end(process.execPath, [file, "approve", "plan.json"], { cwd, env });
  assert.deepEqual(
    [wrong.code, wrong.err],
    [
      64,
      "no plan plan.json waits for approval in profile sandbox; launchpad-desk approve lists those that wait, each with its id (intent)\n",
    ],
  );
  assert.equal((await inTerminal(["approve", planId], "yes\n")).code, 0);
  assert.equal((await call("execute", { planId })).outcome, "landed");
});

test("a plan over the limit waits for a person in a terminal, who approves exactly that plan; Ctrl-C approves nothing", async (t) => {
  const { env, inTerminal } = await home(THIS, "[profiles.sandbox]", ...APPROVES);
  const { client, call } = await agent(t, env);
  const [first, second] = [await call("plan", BUY), await call("plan", BUY)];
  assert.equal(first.needsApproval, true);
  for (const { planId } of [first, second]) {
    const waits = await call("execute", { planId });
    assert.deepEqual([waits.outcome, waits.awaitingApproval], ["not_sent", true]);
    assert.ok(waits.next.includes(`launchpad-desk approve ${planId} --profile sandbox`));
  }
  // A plan that was being written when its program was killed keeps nobody from the others.
  await writeFile(join(env.LAUNCHPAD_DESK_HOME, "sandbox/approvals/dG9ybg.plan"), '{"intentId":"to');
  assert.match(
    (await end(process.execPath, [file, "approve"], { cwd, env })).out,
    new RegExp(`intent (${first.planId}|${second.planId})`),
  );
  assert.equal(
    (await end(process.execPath, [file, "approve", first.planId], { cwd, env })).code,
    64,
    "there is no terminal",
  );
  for (const answer of ["no\n", "\u0003"]) {
    const stopped = await inTerminal(["approve", first.planId], answer);
    assert.deepEqual([stopped.code, /Not approved/.test(stopped.out)], [1, true], stopped.out);
    assert.equal((await call("execute", { planId: first.planId })).awaitingApproval, true, "it still waits");
  }
  const approved = await inTerminal(["approve", first.planId], "yes\n");
  assert.equal(approved.code, 0, approved.out);
  assert.match(approved.out, /Buy of SimMoonRabbit1+ \(simulated\)[^]*Made \d+ s ago; slippage counts/);
  assert.equal((await call("execute", { planId: first.planId })).outcome, "landed");
  assert.equal(
    (await call("execute", { planId: second.planId })).awaitingApproval,
    true,
    "an approval is for one plan",
  );
  // A sale that no price bounds waits, too; a small one does not.
  const sale = (percentage) => call("plan", sellOf(percentage));
  assert.deepEqual([(await sale(100)).needsApproval, (await sale(1)).needsApproval], [true, false]);
  await client.close();
});

test("real money takes a flag, a key and limits, and each plan a person; HTTP is for sandboxes alone", async (t) => {
  const service = await served(t);
  const live = liveAt(service.url);
  const bare = await home(THIS, ...live);
  const mcp = (env, ...args) => end(process.execPath, [file, "mcp", "--profile", "live", ...args], { cwd, env });
  assert.match((await mcp(bare.env)).err, /trades for real: pass --live/);
  assert.match((await mcp(bare.env, "--live")).err, /lacks maxLamportsPerTrade, maxLamportsPerDay, maxSlippage/);
  const { env, inTerminal } = await home(THIS, ...live, ...LIMITS);
  assert.match(
    (await mcp(env, "--live", "--http", "0")).err,
    /over HTTP any program of this machine could trade for real/,
  );
  const { client, call } = await agent(t, env, undefined, ["--profile", "live", "--live"]);
  const { tools } = await client.listTools();
  assert.ok(!tools.some(({ name }) => name === "sandbox_fault"));
  for (const { description } of tools) assert.match(description, /^REAL MONEY/);
  const { planId, needsApproval } = await call("plan", BUY);
  assert.deepEqual([needsApproval, (await call("execute", { planId })).awaitingApproval], [true, true]);
  assert.equal(
    (await call("plan", { ...BUY, request: { ...BUY.request, amountInLamports: 70_000_000 } })).refused.code,
    "over_trade_limit",
  );
  assert.equal((await inTerminal(["approve", planId, "--profile", "live"], "yes\n")).code, 0);
  const done = await call("execute", { planId });
  assert.deepEqual([done.mode, done.outcome], ["live", "landed"]);
  assert.ok(!JSON.stringify([done, await call("policy"), await call("state")]).includes("secret-key-1"));
  // Without a node nothing can be found out about it: it stays unknown, and is never called not sent.
  const lost = await call("plan", {
    ...BUY,
    request: { ...BUY.request, amountInLamports: 10_000_000, feePayer: "sandbox-outcome-executed-no-answer" },
  });
  assert.equal((await call("execute", { planId: lost.planId })).outcome, "not_sent");
  assert.equal((await inTerminal(["approve", lost.planId, "--profile", "live"], "yes\n")).code, 0);
  assert.equal((await call("execute", { planId: lost.planId })).outcome, "unknown");
  for (const fields of [{}, { planId: lost.planId }]) {
    const { outcome, settled, unresolved, next } = await call("status", fields);
    assert.deepEqual(
      [outcome, unresolved.map(({ intentId }) => intentId), /^Never send/.test(next)],
      ["unknown", [lost.planId], true],
    );
    assert.match(settled[0].reason.untrustedText, /has no node \(rpc\), so nothing can be proven/);
  }
  await client.close();
});

test("a bare slippage is in the unit of the profile, in a quote as in a plan", async (t) => {
  const service = await served(t, "--rpc");
  const more = [`rpc = "${service.url}/rpc"`, 'slippageUnit = "bps"'];
  const { env } = await home(THIS, ...liveAt(service.url), ...more, ...LIMITS);
  const { client, call } = await agent(t, env, undefined, ["--profile", "live", "--live"]);
  const asked = { ...BUY, request: { ...BUY.request, slippage: 50 } };
  const [{ quote }, { price }] = [await call("quote", asked), await call("plan", asked)];
  assert.deepEqual(
    [quote, price].map(({ legs: [{ slippagePercent, worstTokenAmount }] }) => [slippagePercent, worstTokenAmount]),
    Array(2).fill(["0.5", price.legs[0].worstTokenAmount]),
  );
  await client.close();
});

/** Starts the server over HTTP, with a sandbox. */
async function overHttp(t) {
  const { env } = await home();
  const child = spawn(process.execPath, [file, "mcp", "--http", "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  const closed = once(child, "close");
  for await (const url of createInterface(child.stdout)) return { url, child, closed };
}

test("over HTTP it speaks both protocols to programs of this machine, and refuses pages and foreign hosts", async (t) => {
  const { url, child, closed } = await overHttp(t);
  for (const mode of Object.keys(VERSIONS)) {
    const { client, call } = await connected(t, new StreamableHTTPClientTransport(new URL(url)), mode);
    const { planId } = await call("plan", BUY);
    assert.equal((await call("execute", { planId })).outcome, "landed", "a plan outlives the request that made it");
    await client.close();
  }
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "old", version: "0" } },
  });
  const old = await fetch(url, { method: "POST", headers, body });
  assert.match(await old.text(), /"protocolVersion":"2025-11-25"/);
  assert.equal(
    (await fetch(url, { method: "POST", headers: { ...headers, origin: "https://page.example" }, body })).status,
    403,
  );
  child.kill("SIGINT");
  assert.equal((await closed)[0], 0);
});

// The suite calls tools, resources and prompts of a server that was made for it. Whatever else it checks must be so.
const NOT_OFFERED = [
  /\bTool '?\w+'? not found/,
  /Method not found/,
  /^Not testable: server (?:exposes no tool|does not list the diagnostic tool)/,
];
/** Whole parts of the protocol that this server does without: long tasks, and questions to the client. */
const isOffered = (scenario) => !/^server-(?:tasks|input-required-result)-/.test(scenario);
const PASSED = { "2025-11-25": 35, "2026-07-28": 70 };

for (const [version, passed] of Object.entries(PASSED)) {
  test(`the protocol's conformance suite finds nothing wrong by the specification of ${version}`, async (t) => {
    const { url } = await overHttp(t);
    const results = join(cwd, `conformance-${version}`);
    const suite = fileURLToPath(
      new URL("node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url),
    );
    await end(NODE_24(), [suite, "server", "--url", url, "--requirements", version, "--output-dir", results], {
      cwd,
      env: process.env,
    });
    const checks = (
      await Promise.all(
        (await readdir(results))
          .filter(isOffered)
          .map(async (scenario) => JSON.parse(await readFile(join(results, scenario, "checks.json"), "utf8"))),
      )
    ).flat();
    const wrong = checks.filter(
      ({ status, errorMessage = "" }) =>
        status === "FAILURE" && !NOT_OFFERED.some((reason) => reason.test(errorMessage)),
    );
    assert.deepEqual(
      wrong.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
      [],
    );
    assert.equal(checks.filter(({ status }) => status === "SUCCESS").length, passed);
  });
}

test("the page about agents is what the package does", async (t) => {
  const page = await readFile(new URL("../../docs/agents.md", import.meta.url), "utf8");
  const blocks = (kind) =>
    [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([^]*?)^\`\`\``, "gm"))].map(([, text]) => text);
  const { env } = await home();
  const [config, onWindows] = blocks("json").map((text) => JSON.parse(text));
  const { command, args } = config.mcpServers["launchpad-desk"];
  // Without -y, npx asks a person before it fetches the package, and a client of the protocol waits for that.
  assert.equal(args[0], "-y");
  // There npx is a script of the shell's.
  assert.deepEqual(onWindows.mcpServers["launchpad-desk"], { command: "cmd", args: ["/c", command, ...args] });
  const { client } = await connected(t, overStdio([command, ...args], { env, cwd }), "legacy");
  const { tools } = await client.listTools();
  assert.deepEqual(
    [...page.matchAll(/^\| `(\w+)` \| .* \|$/gm)]
      .map(([, name]) => name)
      .filter((name) => !["mode", "outcome", "next"].includes(name)),
    tools.map(({ name }) => name),
  );
  await client.close();

  const [toml] = blocks("toml");
  const live = await home(THIS, toml.replaceAll("…", ADA));
  await writeFile(join(live.folder, "key"), "secret-key-1", { mode: 0o600 });
  const shell = (line, env) => end("npx", line.replace(/ *#.*/, "").split(" ").slice(1), { cwd, env });
  const lines = blocks("sh").flatMap((text) => text.trim().split("\n"));
  const [list, approve, start] = lines;
  assert.equal(lines.length, 3);
  assert.equal((await shell(list, env)).out, "No plan waits for approval.\n");
  assert.match((await shell(approve, env)).err, /no plan PLAN waits for approval/);
  assert.match((await shell(start.replace(" --live", ""), live.env)).err, /pass --live/);
  const { call } = await connected(t, overStdio(start.split(" "), { env: live.env, cwd }), "legacy");
  const { mode, limits, approveOverLamports } = await call("policy");
  assert.deepEqual(
    [mode, limits, approveOverLamports],
    [
      "live",
      {
        maxLamportsPerTrade: 100_000_000,
        maxLamportsPerDay: 500_000_000,
        maxSlippage: { percent: 3 },
        allowWallets: [ADA],
      },
      "50000000",
    ],
  );
});
