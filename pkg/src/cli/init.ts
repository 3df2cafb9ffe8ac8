// `launchpad-desk init`: writes a config file that explains itself, or the worker of a gateway.

import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { UsageError, withExample } from "./command.js";
import { configFile } from "./profile.js";

const CONFIG = `# Where launchpad-desk trades. \`launchpad-desk doctor\` checks it.

# The profile of a command without --profile.
profile = "sandbox"

# A simulated launchpad on this machine: no key, no network, no money. Any setting of SandboxConfig may stand in \`sandbox\`.
[profiles.sandbox]
sandbox = {}

# Real money. Any other setting is an option of TradeClient.
#
# [profiles.live]
# baseURL = "https://service.example"
#
# The key, from one of: a file beside this one that only you can read (chmod 600), a variable of the environment, or a program that
# prints it, such as one that asks the system's keyring.
# apiKeyFile = "key"
# apiKeyEnv = "LAUNCHPAD_API_KEY"
# apiKeyCommand = ["secret-tool", "lookup", "service", "launchpad"]
#
# Your node, read-only: prices, and outcomes of trades.
# rpc = "https://rpc.example"
# rpcEnv = "RPC_URL"
# market = { walletsShared = false, serviceHoldsMs = 30000 }
#
# The wallet of a trade that names none.
# fromWallet = "…"
#
# Limits. Without these three nothing is sent.
# maxLamportsPerTrade = 1_000_000_000
# maxLamportsPerDay = 5_000_000_000
# maxSlippage = { percent = 5 }
#
# A file on another disk or machine, which gets each head of the record: then nobody who holds the record here can change it unseen.
# recordHeads = "/mnt/other/desk.heads"
#
# From which amount on a person approves an agent's plan. Without it, each.
# agent = { approveOverLamports = 100_000_000 }
`;

/** The gateway's worker in the package, beside the folder of this file. */
const GATEWAY = fileURLToPath(new URL("../edge/", import.meta.url));

/** What no repository may have of it: secrets, what wrangler keeps, and packages. npm packs no file of this name. */
const UNTRACKED = ".dev.vars\n.wrangler/\nnode_modules/\n";

const unlessThere = (path: string) => (error: NodeJS.ErrnoException) => {
  throw error.code === "EEXIST" ? new Error(`${path} exists: nothing was changed`) : error;
};

async function writeConfig(): Promise<string> {
  const file = configFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, CONFIG, { flag: "wx", mode: 0o600 }).catch(unlessThere(file));
  return file;
}

async function writeGateway(named = "gateway"): Promise<string> {
  const folder = resolve(named);
  await mkdir(folder).catch(unlessThere(folder));
  await cp(GATEWAY, folder, { recursive: true });
  await writeFile(join(folder, ".gitignore"), UNTRACKED);
  return folder;
}

async function run(what: string | undefined, folder: string | undefined): Promise<void> {
  if (what !== undefined && what !== "gateway")
    throw new UsageError(`init writes a gateway, or without a word a config file, not ${what}`);
  process.stdout.write(`${await (what ? writeGateway(folder) : writeConfig())}\n`);
}

export function addInit(program: Command): void {
  const command = program
    .command("init")
    .summary("write a config file to fill in, or a gateway to deploy")
    .description(
      "Writes a commented config file, if there is none, and prints its path. `init gateway` writes the worker of a gateway into a new folder: its README.md has the five steps from there to a deployed one.",
    )
    .argument("[what]", "gateway: the worker of a gateway (default: the config file)")
    .argument("[folder]", "the gateway's new folder (default: gateway)");
  withExample(command, "init gateway my-gateway").action(run);
}
