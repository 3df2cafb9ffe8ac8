// Runs the command line of the package as installed in an outside project.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after } from "node:test";
import { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { BUN, DENO, NODE_20 } from "../faults/pinned.mjs";

/** A token and two wallets of the sandbox. */
export const RABBIT = "SimMoonRabbit111111111111111111111111111111";
export const ADA = "SimTraderAda1111111111111111111111111111111";
export const BOB = "SimTraderBob1111111111111111111111111111111";
export const SEND = ["--send", "--yes"];
/** The key of a service, which no command shows. */
export const KEY = "secret-key-1";

/** The words of a command line, none of which has a space. */
export const words = (texts, ...values) => String.raw({ raw: texts }, ...values).split(" ");

/** How Deno runs a program of a stranger's project, before what the program may do. */
export const DENO_RUN = ["run", "--quiet", "--no-prompt", "--no-remote", "--node-modules-dir=manual"];

/** The command line's file in a stranger's project. */
export const commandLine = (folder) => join(folder, "node_modules/launchpad-desk/dist/cli.js");

/** Runs it to its end: what it printed, and how it ended. */
export async function end(program, args, options) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code, out, err };
}

/** Starts `sandbox` on a free port, and resolves to its address, the lines it printed, and a way to interrupt it, as a terminal does: with all that it has started. */
export async function startSandbox(program, args, options) {
  const child = spawn(program, [...args, "sandbox", "--port", "0", ...(options.args ?? [])], {
    cwd: options.cwd,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const closed = once(child, "close");
  const lines = [];
  for await (const line of createInterface(child.stdout)) if (lines.push(line) === 2) break;
  if (lines.length < 2) throw new Error(`it ended with ${(await closed)[0]} after ${lines}`);
  return {
    url: lines[0],
    lines,
    async stop(signal = "SIGINT") {
      process.kill(-child.pid, signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** Serves what `answer` makes of each request, and of its body, on a free port until the test ends, or its file; resolves to the URL. */
export async function serving(answer, ends = { after }) {
  const server = createServer(async (request, response) => answer(request, response, await text(request)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  ends.after(() => (server.closeAllConnections(), server.close()));
  return { url: `http://127.0.0.1:${server.address().port}`, server };
}

/** A service and its node. It makes each trade and does not answer it: `onTrade` gets the request. `answered` may answer in its place. */
export async function serviceWithNode({ onTrade, answered = () => false, ends }) {
  const sandbox = new Sandbox();
  // The chain is a minute old, so that it has finalized blocks.
  let ahead = -60_000;
  sandbox.useClock(() => Date.now() + ahead);
  const chain = new LocalChain(sandbox);
  ahead = 0;
  const at = await serving(async (request, response, body) => {
    if (answered(request, response)) return;
    const init = { method: request.method, headers: { "content-type": "application/json" }, ...(body && { body }) };
    const reply = await chain.fetch(`https://sandbox.example${request.url}`, init);
    if (request.url.startsWith("/v1/trade/")) onTrade(request);
    else response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
  }, ends);
  return { ...at, finalize: () => void (ahead += 60_000) };
}

/** The lines of a profile that limit what it trades. */
export const limits = (trade, day, slippage = "{ percent = 5 }") => [
  `maxLamportsPerTrade = ${trade}`,
  `maxLamportsPerDay = ${day}`,
  `maxSlippage = ${slippage}`,
];

/** The command line in a stranger's project: how each runtime runs it, and homes for it. */
export function commandsIn(cwd) {
  const file = commandLine(cwd);
  const THIS = [process.execPath, file];
  const RUNTIMES = {
    "the oldest Node": [NODE_20(), file],
    Bun: [BUN(), file],
    Deno: [DENO(), ...DENO_RUN, "--allow-all", file],
  };

  /** Serves a sandbox until the test ends, or its file. */
  async function served(ends, ...args) {
    const service = await startSandbox(process.execPath, [file], { cwd, args });
    ends.after(() => service.stop());
    return service;
  }

  let homes = 0;
  /** A folder for config and state of its own, with these lines of a config file, and functions that run the command line there. */
  async function home(runtime = THIS, ...config) {
    const folder = join(cwd, `home-${++homes}`);
    await mkdir(folder, { recursive: true });
    const configure = (...lines) => writeFile(join(folder, "config.toml"), lines.join("\n"));
    if (config.length) await configure(...config);
    const env = { ...process.env, LAUNCHPAD_DESK_HOME: folder, NO_COLOR: "1", DESK_TEST_KEY: KEY };
    const [program, ...runtimeArgs] = runtime;
    const run = async (...args) => {
      const ended = await end(program, [...runtimeArgs, ...args], { cwd, env });
      assert.ok(!`${ended.out}${ended.err}`.includes(KEY), `${args.join(" ")} shows the key`);
      return ended;
    };
    /** The documents that it prints, one a line; the last has the exit code. */
    const lines = async (...args) => {
      const { code, out, err } = await run(...args, "--json");
      const documents = out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(documents.at(-1).exitCode, code, `${args.join(" ")}: ${out}${err}`);
      return documents;
    };
    /** Its last document: only `exits` prints others before that. */
    const json = async (...args) => {
      const documents = await lines(...args);
      if (args[0] !== "exits") assert.equal(documents.length, 1, `${args.join(" ")}: ${JSON.stringify(documents)}`);
      return documents.at(-1);
    };
    /** Starts it, and passes on its lines until it ends, or the test: of a test that failed it would hold the output open. */
    const start = (...args) => {
      const child = spawn(program, [...runtimeArgs, ...args], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
      after(() => child.kill("SIGKILL"));
      return { child, closed: once(child, "close"), lines: createInterface(child.stdout) };
    };
    /** Runs it in a pseudo-terminal, and types an answer, or what a function makes meanwhile, once `prompt` is there. */
    const inTerminal = async (args, typed, prompt = "Type yes: ") => {
      const quoted = [...runtime, ...args].map((word) => `'${word}'`).join(" ");
      const command = `stty cols 100 rows 30; exec ${quoted}`;
      const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
        cwd,
        env,
        stdio: ["pipe", "pipe", "inherit"],
      });
      let [out, failed] = ["", undefined];
      const type = async (answer) => child.stdin.write(typeof answer === "function" ? await answer() : answer);
      child.stdout.setEncoding("utf8").on("data", (text) => {
        out += text;
        if (!out.includes(prompt) || typed === undefined) return;
        type(typed).catch((error) => ((failed = error), child.kill()));
        typed = undefined;
      });
      const [code] = await once(child, "close");
      if (failed) throw failed;
      return { code, out };
    };
    return { folder, env, configure, run, json, lines, start, inTerminal };
  }
  return { file, THIS, RUNTIMES, home, served };
}
