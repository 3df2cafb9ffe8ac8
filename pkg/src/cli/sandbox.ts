// `launchpad-desk sandbox`: a sandbox behind a port, for clients in any language.

import { mkdir } from "node:fs/promises";
import type { Command } from "commander";
import type { KeptState, Served } from "launchpad-desk/node";
import type { LocalChain, Sandbox } from "launchpad-desk/sandbox";
import { UsageError, checked, wholeOf, withExample } from "./command.js";
import { checkMode, settingsOf, stateOf } from "./desk.js";
import { type Profile, readProfile } from "./profile.js";
import { jsonOf } from "./text-file.js";

type SandboxConfig = NonNullable<ConstructorParameters<typeof Sandbox>[0]>;
type ChainFaults = NonNullable<ConstructorParameters<typeof LocalChain>[1]>;

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

/** Refuses `--realtime` where time passes by itself. */
export function checkTime({ sandbox }: Profile, realtime: string | true | undefined): void {
  if (realtime !== undefined && !sandbox)
    throw new UsageError("--realtime is for a sandbox: other time passes by itself");
}

/** The time between two looks that `--every` names in seconds, and at least a tenth of one, in milliseconds. */
export const everyMsOf = (every: string): number => Math.max(100, 1_000 * Number(wholeOf("every", every, 3_600)));

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
  host: string[];
  alive?: string | true;
  realtime?: string | true;
  rpc?: string | true;
  state?: string;
  config?: string;
  profile?: string;
}

/** The profile whose sandbox is served, if one is named: what other commands have traded in it is there, and goes on there. */
async function profileOf({ profile: named, state }: Options): Promise<Profile | undefined> {
  if (named === undefined) return undefined;
  const profile = await readProfile(named);
  if (!profile.sandbox)
    throw new UsageError(`--profile ${named} trades for real: a profile with a sandbox can be served`);
  if (state !== undefined) throw new UsageError(`--profile ${named} has a state of its own: leave out --state`);
  await mkdir(profile.folder, { recursive: true, mode: 0o700 });
  await checkMode(profile);
  return profile;
}

async function run(given: Options): Promise<void> {
  if (given.state === "") throw new UsageError("--state takes the path of a file");
  const port = Number(wholeOf("port", given.port, 65_535));
  const profile = await profileOf(given);
  // The sandbox checks the settings, its chain the faults.
  const config: SandboxConfig = given.config === undefined ? {} : await jsonOf("config", given.config);
  const faults: ChainFaults = typeof given.rpc === "string" ? await jsonOf("rpc", given.rpc) : {};
  const seed = typeof given.alive === "string" ? wholeOf("alive", given.alive, Number.MAX_SAFE_INTEGER) : undefined;
  const factor = given.realtime === undefined ? undefined : factorOf(given.realtime);
  const isAlive = given.alive !== undefined || (factor !== undefined && !profile && !config?.market?.replay);
  const settings: SandboxConfig = {
    ...(profile && settingsOf(profile)),
    ...config,
    ...(isAlive && { market: { ...config?.market, alive: true, ...(seed !== undefined && { seed }) } }),
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
    given.rpc !== undefined
      ? await chainOf(sandbox, faults).catch(async (error) => (await kept?.close(), Promise.reject(error)))
      : sandbox;
  const [host = "127.0.0.1", ...names] = given.host;
  const options = { port, host, allowedHosts: names.map((name) => name.toLowerCase()) };
  const served = await serve(door, options).catch(async (error: NodeJS.ErrnoException) => {
    await kept?.close();
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error.code === "EADDRINUSE" ? new Error(`port ${port} is taken; --port 0 picks a free one`) : error;
  });
  untilInterrupted(served, kept, factor === undefined ? () => {} : passTime(sandbox, factor));
  process.stdout.write(`${served.url}\nSimulated: no trade here is real. Ctrl-C stops it.\n`);
}

export function addSandbox(program: Command): void {
  const command = program
    .command("sandbox")
    .summary("serve a simulated launchpad")
    .description(
      "Serves a simulated launchpad: the six endpoints of /v1/trade. Its state is in memory, and gone when it stops, unless --state names a file, or --profile a profile.\nIt prints its address on the first line. Ctrl-C stops it.",
    )
    .option("--port <number>", "the port; 0 picks a free one", "8787")
    .option(
      "--host <name>",
      "where to listen; given again: a further host name for this server (default: 127.0.0.1, which only this machine can reach)",
      (name: string, names: string[]) => [...names, name],
      [],
    )
    .option(
      "--alive [seed]",
      "a market with rival traders, whose time passes with each request; the same seed and the same requests give the same trades",
    )
    .option(
      "--realtime [factor]",
      "let the market's time pass by itself, this many times as fast as a clock (default: 1); implies --alive",
    )
    .option(
      "--rpc [faults]",
      "also answer JSON-RPC at /rpc, as a node of a chain on which the sandbox's trades are transactions; what goes wrong with it, such as '{\"lagSlots\":40}': the fields of ChainFaults",
    )
    .option(
      "--state <file>",
      "keep the state in this file; started again with it and the same settings, it continues where it stopped",
    )
    .option("--profile <name>", "serve the sandbox of this profile, with what other commands traded in it")
    .option(
      "--config <json>",
      "further settings: those of SandboxConfig, such as '{\"control\":true}', or a file that has them; the options above win",
    );
  withExample(command, "sandbox --port 8787 --alive").action(run);
}
