// `launchpad-desk init`: writes a config file that explains itself.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Command } from "commander";
import { withExample } from "./command.js";
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

async function run(): Promise<void> {
  const file = configFile();
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, CONFIG, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Error(`${file} exists: nothing was changed`) : error;
  });
  process.stdout.write(`${file}\n`);
}

/** Adds the command. */
export function addInit(program: Command): void {
  withExample(program.command("init").summary("write a config file to fill in").description("Writes a commented config file, if there is none, and prints its path."), "init").action(run);
}
