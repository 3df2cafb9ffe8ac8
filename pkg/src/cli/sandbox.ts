// `launchpad-desk sandbox`: a sandbox behind a port, for clients in any language.

import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { Command } from "commander";
import type { KeptState, Served } from "launchpad-desk/node";
import type { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { UsageError, wholeOf, withExample } from "./command.js";
import { checkMode, inWorld, settingsOf, stateOf } from "./desk.js";
import { type Profile, readProfile } from "./profile.js";
import { textIn } from "./text-file.js";

type SandboxConfig = NonNullable<ConstructorParameters<typeof Sandbox>[0]>;
type ChainFaults = NonNullable<ConstructorParameters<typeof LocalChain>[1]>;

/** The value of a text, which must be JSON. The parser's reason is left out: it quotes the text, which may be a key. */
function jsonOf<T>(option: string, name: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new UsageError(`--${option}: ${name} is not JSON`);
  }
}

async function keyIn(file: string): Promise<string> {
  const key = (await textIn(file, "--api-key-file")).trim();
  if (!key) throw new UsageError(`--api-key-file: ${file} is empty`);
  return key;
}

/** What `make` makes of options, which it checks. */
function checked<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The chain around a sandbox, loaded only if asked for. */
async function chainOf(sandbox: Sandbox, faults: ChainFaults): Promise<LocalChain> {
  const { LocalChain } = await import("launchpad-desk/sandbox");
  return checked(() => new LocalChain(sandbox, faults));
}

/** Closes everything on the first signal. A second one ends the program immediately. */
function untilInterrupted({ close }: Served, kept: KeptState | undefined, stopTime: () => void): void {
  const end = async (): Promise<void> => {
    stopTime();
    await close();
    await kept?.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
}

/** How many times as fast as a clock the market's time passes. */
export function factorOf(text: string | true): number {
  const factor = text === true ? 1 : Number(text);
  if (!(factor > 0 && factor <= 1_000))
    throw new UsageError(`--realtime takes a number above 0 and up to 1000, not ${text}`);
  return factor;
}

/** How often the market's time is brought up to date, in milliseconds. */
const TICK_MS = 200;

/** The most of the market's time that passes at once, in milliseconds: after a pause of the machine, it goes on from there. */
const MOST_AT_ONCE_MS = 600_000;

/** The most of it that passes in one call, in milliseconds: a market takes at most 100,000 steps in one, and none is shorter than one. */
const MOST_IN_CALL_MS = 100_000;

/** Lets the market's time pass by itself, until the returned function is called. While it cannot, as on a full disk, it stands still. */
export function passTime(
  sandbox: Pick<Sandbox, "advance">,
  factor: number,
  tell = (why: string): void => void process.stderr.write(why),
): () => void {
  let stands = false;
  let last = performance.now();
  let owed = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    owed = Math.min(owed + (now - last) * factor, MOST_AT_ONCE_MS);
    last = now;
    try {
      for (let whole = Math.floor(owed); whole > 0; whole = Math.floor(owed)) {
        const part = Math.min(whole, MOST_IN_CALL_MS);
        sandbox.advance(part);
        owed -= part;
      }
      stands = false;
    } catch (error) {
      if (!stands) tell(`The market's time stands still: ${(error as Error).message}\n`);
      stands = true;
    }
  }, TICK_MS);
  return () => clearInterval(timer);
}

interface Options {
  port: string;
  host: string;
  allowedHost: string[];
  alive?: boolean;
  seed?: string;
  realtime?: string | true;
  rpc?: boolean;
  rpcFaults?: string;
  control?: boolean;
  state?: string;
  apiKeyFile?: string;
  corsOrigin?: string;
  config?: string;
  fork?: string;
  from?: string;
  at?: string;
  profile?: string;
}

/** The settings of a sandbox that begins where a token of a profile's chain stands, with the holdings of the profile's wallet. */
async function forkOf(mint: string, named: string | undefined): Promise<SandboxConfig> {
  const profile = await readProfile(named);
  return inWorld(profile, async ({ market }) => {
    if (!market) throw new UsageError(`--fork: profile ${profile.name} has no node (rpc) to read the token from`);
    const { sandbox } = await market.look(mint, profile.fromWallet === undefined ? [] : [profile.fromWallet]);
    const { wallets = [], ...settings } = sandbox;
    return wallets.length ? { ...settings, wallets } : settings;
  });
}

/** The settings of a sandbox that begins where a record's plans were made. */
async function recordedIn(file: string, at: string | undefined): Promise<SandboxConfig> {
  const { recordSandbox } = await import("launchpad-desk/record");
  try {
    return await recordSandbox(createReadStream(file), { ...(at !== undefined && { at }) });
  } catch (error) {
    throw new UsageError(`--from: ${(error as Error).message}`);
  }
}

/** The profile whose sandbox is served, if one is named: what other commands have traded in it is there, and goes on there. */
async function profileOf({ profile: named, fork, state, from }: Options): Promise<Profile | undefined> {
  if (named === undefined || fork !== undefined) return undefined;
  const profile = await readProfile(named);
  if (!profile.sandbox)
    throw new UsageError(
      `--profile ${named} trades for real: a profile with a sandbox can be served; with --fork MINT one begins where a token of this profile's chain stands`,
    );
  if (state !== undefined || from !== undefined)
    throw new UsageError(
      `--profile ${named} has a state of its own: leave out ${state === undefined ? "--from" : "--state"}`,
    );
  await mkdir(profile.folder, { recursive: true, mode: 0o700 });
  await checkMode(profile);
  return profile;
}

async function run(given: Options): Promise<void> {
  if (given.at !== undefined && given.from === undefined) throw new UsageError("--at needs --from");
  if (given.state === "") throw new UsageError("--state takes the path of a file");
  const port = Number(wholeOf("port", given.port, 65_535));
  const profile = await profileOf(given);
  // The sandbox checks the settings, its chain the faults.
  const config: SandboxConfig =
    given.config === undefined ? {} : jsonOf("config", given.config, await textIn(given.config, "--config"));
  const faults: ChainFaults = given.rpcFaults === undefined ? {} : jsonOf("rpc-faults", "it", given.rpcFaults);
  const seed =
    given.seed === undefined ? {} : { alive: true, seed: wholeOf("seed", given.seed, Number.MAX_SAFE_INTEGER) };
  const factor = given.realtime === undefined ? undefined : factorOf(given.realtime);
  const isAlive =
    given.alive || given.seed !== undefined || (factor !== undefined && !profile && !config?.market?.replay);
  const settings: SandboxConfig = {
    ...(profile && settingsOf(profile)),
    ...(given.fork !== undefined && (await forkOf(given.fork, given.profile))),
    ...(given.from !== undefined && (await recordedIn(given.from, given.at))),
    ...config,
    ...(isAlive && { market: { ...config?.market, alive: true, ...seed } }),
    ...(given.control && { control: true }),
    ...(given.apiKeyFile !== undefined && { apiKey: await keyIn(given.apiKeyFile) }),
    ...(given.corsOrigin !== undefined && { corsOrigin: given.corsOrigin }),
  };
  const [{ Sandbox }, { keepState, serve }] = await Promise.all([
    import("launchpad-desk/sandbox"),
    import("launchpad-desk/node"),
  ]);
  const sandbox = checked(() => new Sandbox(settings));
  const state = profile ? stateOf(profile) : given.state;
  const kept = state === undefined ? undefined : await keepState(sandbox, state);
  // Once the state is there: what a chain finds when it is made is finalized.
  const door =
    given.rpc || given.rpcFaults !== undefined
      ? await chainOf(sandbox, faults).catch(async (error) => (await kept?.close(), Promise.reject(error)))
      : sandbox;
  const options = { port, host: given.host, allowedHosts: given.allowedHost.map((name) => name.toLowerCase()) };
  const served = await serve(door, options).catch(async (error: NodeJS.ErrnoException) => {
    await kept?.close();
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error.code === "EADDRINUSE" ? new Error(`port ${port} is taken; --port 0 picks a free one`) : error;
  });
  untilInterrupted(served, kept, factor === undefined ? () => {} : passTime(sandbox, factor));
  process.stdout.write(`${served.url}\nSimulated: no trade here is real. Ctrl-C stops it.\n`);
}

/** Adds the command. */
export function addSandbox(program: Command): void {
  const command = program
    .command("sandbox")
    .summary("serve a simulated launchpad")
    .description(
      "Serves a simulated launchpad: the six endpoints of /v1/trade. Its state is in memory, and gone when it stops, unless --state names a file, or --profile a profile.\nIt prints its address on the first line. Ctrl-C stops it.",
    )
    .option("--port <number>", "the port; 0 picks a free one", "8787")
    .option("--host <name>", "where to listen; by default only this machine can reach it", "127.0.0.1")
    .option(
      "--allowed-host <name>",
      "a further host name for this server; may be given several times",
      (name: string, names: string[]) => [...names, name],
      [],
    )
    .option("--alive", "a market with rival traders, whose time passes with each request")
    .option(
      "--seed <number>",
      "the seed of that market: the same seed and the same requests give the same trades; implies --alive",
    )
    .option(
      "--realtime [factor]",
      "let the market's time pass by itself, this many times as fast as a clock (default: 1); implies --alive",
    )
    .option(
      "--rpc",
      "also answer JSON-RPC at /rpc, as a node of a chain on which the sandbox's trades are transactions",
    )
    .option(
      "--rpc-faults <json>",
      "what goes wrong with that node, such as '{\"lagSlots\":40}': the fields of ChainFaults; implies --rpc",
    )
    .option("--control", "let requests look into the sandbox and change it, under /_sandbox/")
    .option(
      "--state <file>",
      "keep the state in this file; started again with it and the same settings, it continues where it stopped",
    )
    .option("--api-key-file <file>", "require the key in this file, in the header x-api-key")
    .option("--cors-origin <origin>", "let pages of this origin trade; * for all")
    .option(
      "--fork <mint>",
      "begin where this token stands on the chain of a profile, with what the profile's wallet holds",
    )
    .option(
      "--profile <name>",
      "serve the sandbox of this profile, with what other commands traded in it; with --fork: the profile whose node is read",
    )
    .option(
      "--from <record>",
      "begin where the plans of this record were made: its tokens and wallets as the last plan of each found them",
    )
    .option("--at <intent>", "with --from: as they were when this trade was planned")
    .option("--config <file>", "further settings, as JSON: those of SandboxConfig; the options above win");
  withExample(command, "sandbox --port 8787 --alive").action(run);
}
