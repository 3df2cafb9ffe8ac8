// `launchpad-desk sandbox`: a sandbox behind a port, for clients in any language.

import { readFile } from "node:fs/promises";
import { Sandbox } from "launchpad-desk/launchpad";
import type { LocalChain } from "launchpad-desk/local-chain";
import { type KeptState, type Served, keepState, serve } from "launchpad-desk/node";
import { type Command, UsageError, optionsOf } from "./command.js";

const HELP = `Usage: launchpad-desk sandbox [options]

Serves a simulated launchpad: the six endpoints of /v1/trade. Its state is in memory, and gone when it stops,
unless --state names a file.

  --port N             the port; 0 picks a free one (default: 8787)
  --host NAME          where to listen (default: 127.0.0.1, which only this machine can reach)
  --allowed-host NAME  a further host name for this server; may be given several times
  --alive              a market with rival traders, whose time passes with each request
  --seed N             the seed of that market: the same seed and the same requests give the same trades; implies --alive
  --rpc                also answers JSON-RPC at /rpc, as a node of a chain on which the sandbox's trades are transactions
  --rpc-faults JSON    what goes wrong with that node, such as '{"lagSlots":40}': the fields of ChainFaults; implies --rpc
  --control            lets requests look into the sandbox and change it, under /_sandbox/
  --state FILE         keeps the state in this file; started again with it and the same settings, it continues where it stopped
  --api-key-file FILE  requires the key in this file, in the header x-api-key
  --cors-origin ORIGIN lets pages of this origin trade; * for all
  --config FILE        further settings, as JSON: those of SandboxConfig; the options above win
  --help               shows this

It prints its address on the first line. Ctrl-C stops it.
`;

type SandboxConfig = NonNullable<ConstructorParameters<typeof Sandbox>[0]>;
type ChainFaults = NonNullable<ConstructorParameters<typeof LocalChain>[1]>;

/** The text of a file that the command line names. */
async function textOf(option: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new UsageError(`--${option}: ${(error as Error).message}`);
  }
}

/** The value of a text, which must be JSON. The parser's reason is left out: it quotes the text, which may be a key. */
function jsonOf<T>(option: string, name: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UsageError(`--${option}: ${name} is not JSON`);
  }
}

async function keyIn(file: string): Promise<string> {
  const key = (await textOf("api-key-file", file)).trim();
  if (!key) throw new UsageError(`--api-key-file: ${file} is empty`);
  return key;
}

/** A whole number from the command line. */
function wholeOf(option: string, text: string, most: number): string {
  if (!/^\d{1,20}$/.test(text) || Number(text) > most) throw new UsageError(`--${option} takes a whole number from 0 to ${most}, not ${text}`);
  return text;
}

/** What `make` makes of options, which it checks. */
function checked<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The chain around a sandbox. Only who asks for one loads it. */
async function chainOf(sandbox: Sandbox, faults: ChainFaults): Promise<LocalChain> {
  const { LocalChain } = await import("launchpad-desk/local-chain");
  return checked(() => new LocalChain(sandbox, faults));
}

/** Closes everything on the first signal. A second one ends the program immediately. */
function untilInterrupted({ close }: Served, kept: KeptState | undefined): void {
  const end = async (): Promise<void> => {
    await close();
    await kept?.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
}

async function run(args: string[]): Promise<void> {
  const given = optionsOf(args, {
    port: { type: "string", default: "8787" },
    host: { type: "string", default: "127.0.0.1" },
    "allowed-host": { type: "string", multiple: true, default: [] },
    alive: { type: "boolean" },
    seed: { type: "string" },
    rpc: { type: "boolean" },
    "rpc-faults": { type: "string" },
    control: { type: "boolean" },
    state: { type: "string" },
    "api-key-file": { type: "string" },
    "cors-origin": { type: "string" },
    config: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (given.help) return void process.stdout.write(HELP);
  if (given.state === "") throw new UsageError("--state takes the path of a file");
  const port = Number(wholeOf("port", given.port, 65_535));
  // The sandbox checks the settings, its chain the faults.
  const config: SandboxConfig = given.config === undefined ? {} : jsonOf("config", given.config, await textOf("config", given.config));
  const faults: ChainFaults = given["rpc-faults"] === undefined ? {} : jsonOf("rpc-faults", "it", given["rpc-faults"]);
  const seed = given.seed === undefined ? {} : { alive: true, seed: wholeOf("seed", given.seed, Number.MAX_SAFE_INTEGER) };
  const settings: SandboxConfig = {
    ...config,
    ...((given.alive || given.seed !== undefined) && { market: { ...config?.market, alive: true, ...seed } }),
    ...(given.control && { control: true }),
    ...(given["api-key-file"] !== undefined && { apiKey: await keyIn(given["api-key-file"]) }),
    ...(given["cors-origin"] !== undefined && { corsOrigin: given["cors-origin"] }),
  };
  const sandbox = checked(() => new Sandbox(settings));
  const door = given.rpc || given["rpc-faults"] !== undefined ? await chainOf(sandbox, faults) : sandbox;
  const kept = given.state === undefined ? undefined : await keepState(sandbox, given.state);
  const options = { port, host: given.host, allowedHosts: given["allowed-host"].map((name) => name.toLowerCase()) };
  const served = await serve(door, options).catch(async (error: NodeJS.ErrnoException) => {
    await kept?.close();
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error.code === "EADDRINUSE" ? new Error(`port ${port} is taken; --port 0 picks a free one`) : error;
  });
  untilInterrupted(served, kept);
  process.stdout.write(`${served.url}\nSimulated: no trade here is real. Ctrl-C stops it.\n`);
}

export const sandbox: Command = { summary: "serves a simulated launchpad", run };
