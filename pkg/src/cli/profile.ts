// A profile: where a command trades, by the one config file. Without a file there is the sandbox.

import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UsageError } from "./command.js";
import { decodeText } from "./text-file.js";

/** What the file says of a profile. Any other setting is an option of `TradeClient`, which checks it. */
export interface Profile {
  readonly name: string;
  /** How a command names it: empty if it needs not. */
  readonly option: string;
  /** Its journal, and the state of its sandbox, are in this folder. */
  readonly folder: string;
  /** The config file, whether it exists or not. */
  readonly file: string;
  /** Settings of its sandbox; undefined if it trades at a service. */
  readonly sandbox: Record<string, unknown> | undefined;
  /** The wallet, and the payer of fees, of a trade that names none. */
  readonly fromWallet: string | undefined;
  readonly feePayer: string | undefined;
  /** Where the key comes from; at most one. */
  readonly apiKeyFile: string | undefined;
  readonly apiKeyEnv: string | undefined;
  readonly apiKeyCommand: readonly string[] | undefined;
  /** The node's JSON-RPC, or the variable that has it. */
  readonly rpc: string | undefined;
  readonly rpcEnv: string | undefined;
  /** A file in a second place, which gets each head of the record. */
  readonly recordHeads: string | undefined;
  readonly market: Record<string, unknown>;
  /** What an agent may do. */
  readonly agent: Record<string, unknown>;
  readonly client: Record<string, unknown>;
}

/** The limits without which a profile does not trade for real. */
export const LIMITS = ["maxLamportsPerTrade", "maxLamportsPerDay", "maxSlippage"] as const;

/** The folder of the config file, of the journals and of the sandbox's state. */
export function homeFolder(): string {
  const { LAUNCHPAD_DESK_HOME, XDG_CONFIG_HOME, APPDATA } = process.env;
  if (LAUNCHPAD_DESK_HOME) return resolve(LAUNCHPAD_DESK_HOME);
  if (process.platform === "win32" && APPDATA) return join(APPDATA, "launchpad-desk");
  return join(XDG_CONFIG_HOME || join(homedir(), ".config"), "launchpad-desk");
}

export const configFile = (): string => join(homeFolder(), "config.toml");

type Table = Record<string, unknown>;

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The config file's tables; none without a file. */
async function readConfig(file: string): Promise<Table> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return Buffer.alloc(0);
    throw new UsageError(`the config file cannot be read: ${error.message}`);
  });
  const text = decodeText(file, bytes);
  const { TomlError, parse } = await import("smol-toml");
  try {
    return parse(text, { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The parser's own text quotes the lines around the mistake, which may have a key.
    throw new UsageError(`${file} is not TOML: see line ${error.line}, column ${error.column}`);
  }
}

/** Takes settings out of a table, by name, and refuses those of another type. */
function taker(table: Table, where: string) {
  const take = <T>(name: string, what: string, fits: (value: unknown) => value is T): T | undefined => {
    const value = table[name];
    delete table[name];
    if (value === undefined || fits(value)) return value;
    throw new UsageError(`${where}.${name} must be ${what}`);
  };
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  const isList = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText);
  return {
    text: (name: string) => take(name, "text", isText),
    list: (name: string) => take(name, "a list of texts", isList),
    table: (name: string) => take(name, "a table", isTable),
  };
}

/** The profile of this name; without a name, the one that the file names, or the sandbox. */
export async function readProfile(named: string | undefined): Promise<Profile> {
  const file = configFile();
  const config = await readConfig(file);
  const { profile: chosen, profiles = {}, ...unknown } = config;
  const [stray] = Object.keys(unknown);
  if (stray !== undefined)
    throw new UsageError(`${file}: ${stray} is unknown; settings belong to a profile, such as [profiles.live]`);
  if (!isTable(profiles) || !Object.values(profiles).every(isTable))
    throw new UsageError(`${file}: profiles must be tables, such as [profiles.live]`);
  if (chosen !== undefined && typeof chosen !== "string") throw new UsageError(`${file}: profile must be a name`);
  const name = named ?? chosen ?? "sandbox";
  const known = new Set(["sandbox", ...Object.keys(profiles)]);
  if (!known.has(name) && !existsSync(file))
    throw new UsageError(
      `there is no profile ${name}: there is only sandbox before \`launchpad-desk init\` has written a config file`,
    );
  if (!known.has(name) || !/^[\w-]{1,64}$/.test(name))
    throw new UsageError(`there is no profile ${name} in ${file}; it has ${[...known].join(", ")}`);
  const table = { ...((Object.hasOwn(profiles, name) ? profiles[name] : { sandbox: {} }) as Table) };
  const where = `${file}: profiles.${name}`;
  if (Object.hasOwn(table, "apiKey"))
    throw new UsageError(
      `${where}.apiKey: a key does not belong in this file; use apiKeyFile, apiKeyEnv or apiKeyCommand`,
    );
  const { text, list, table: inner } = taker(table, where);
  const sandbox = inner("sandbox");
  const market = inner("market") ?? {};
  const agent = inner("agent") ?? {};
  const profile = {
    ...{ name, option: name === (chosen ?? "sandbox") ? "" : ` --profile ${name}`, file },
    ...{ folder: join(homeFolder(), name), sandbox, market, agent },
    ...{ fromWallet: text("fromWallet"), feePayer: text("feePayer"), recordHeads: text("recordHeads") },
    ...{
      apiKeyFile: text("apiKeyFile"),
      apiKeyEnv: text("apiKeyEnv"),
      apiKeyCommand: list("apiKeyCommand"),
      rpc: text("rpc"),
      rpcEnv: text("rpcEnv"),
    },
    client: table,
  };
  if (sandbox && Object.hasOwn(table, "baseURL"))
    throw new UsageError(`${where}: it has a sandbox or a baseURL, not both`);
  if (!sandbox && !Object.hasOwn(table, "baseURL"))
    throw new UsageError(`${where}: it needs a baseURL, or sandbox = {}`);
  if (
    [profile.apiKeyFile, profile.apiKeyEnv, profile.apiKeyCommand].filter((source) => source !== undefined).length > 1
  )
    throw new UsageError(`${where}: name one source of the key`);
  return profile;
}

/** What a profile lacks before it may trade for real; empty if nothing. */
export function missing({ sandbox, client, apiKeyFile, apiKeyEnv, apiKeyCommand }: Profile): string[] {
  if (sandbox) return [];
  const key = apiKeyFile ?? apiKeyEnv ?? apiKeyCommand;
  return [
    ...(key === undefined ? ["apiKeyFile, apiKeyEnv or apiKeyCommand"] : []),
    ...LIMITS.filter((limit) => !Object.hasOwn(client, limit)),
  ];
}

/** The variable of the environment with this name, without the line break that a secret's file often ends with. */
function variable(setting: string, name: string): string {
  const value = process.env[name]?.trim();
  if (value) return value;
  // It may be the key itself, in the wrong setting.
  const why = /^[A-Z_][A-Z0-9_]*$/.test(name)
    ? `the variable ${name} is not set`
    : "there is no such variable: it takes a variable's name, such as DESK_API_KEY";
  throw new UsageError(`${setting}: ${why}`);
}

/** The key, from a file that only its owner can read. */
async function keyInFile(path: string): Promise<string> {
  const file = resolve(homeFolder(), path);
  const { mode } = await stat(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`apiKeyFile: ${code}: it names no file that can be read`);
  });
  if (process.platform !== "win32" && mode & 0o077) {
    const instead = `if it is mounted, mount it with mode 0400, or use apiKeyEnv or apiKeyCommand = ["cat", ${JSON.stringify(file)}]`;
    throw new UsageError(
      `apiKeyFile: others can read ${file} (mode 0${(mode & 0o777).toString(8)}): chmod 600 it; ${instead}`,
    );
  }
  const key = decodeText(file, await readFile(file)).trim();
  if (!key) throw new UsageError(`apiKeyFile: ${file} is empty`);
  return key;
}

/** The key, as a program prints it, such as one that asks the system's keyring. */
async function keyFrom([program = "", ...args]: readonly string[]): Promise<string> {
  // Its output may be the key, so it is in no message.
  const { stdout } = await promisify(execFile)(program, args, { timeout: 60_000, windowsHide: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(`apiKeyCommand: its program ${error.code === "ENOENT" ? "is not installed" : "failed"}`);
    },
  );
  return stdout.trim();
}

/** The key of a profile. It never comes from an argument, which other users of the machine can read. */
export async function keyOf({ apiKeyFile, apiKeyEnv, apiKeyCommand }: Profile): Promise<string | undefined> {
  if (apiKeyFile !== undefined) return keyInFile(apiKeyFile);
  if (apiKeyEnv !== undefined) return variable("apiKeyEnv", apiKeyEnv);
  return apiKeyCommand && keyFrom(apiKeyCommand);
}

export const nodeOf = ({ rpc, rpcEnv }: Profile): string | undefined =>
  rpc ?? (rpcEnv === undefined ? undefined : variable("rpcEnv", rpcEnv));
