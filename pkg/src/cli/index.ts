#!/usr/bin/env node
// The command line. It exits with 0, with 1 after an error, and with 2 if its arguments are wrong.

import { readFile } from "node:fs/promises";
import { type Command, UsageError } from "./command.js";
import { sandbox } from "./sandbox.js";
import { unlock } from "./unlock.js";

const COMMANDS: Record<string, Command> = { sandbox, unlock };

const HELP = `Usage: launchpad-desk <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(7)}  ${summary}`)
  .join("\n")}

launchpad-desk <command> --help lists the options of a command; --version prints the version.
`;

async function version(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return version;
}

async function run([name = "", ...args]: string[]): Promise<void> {
  if (["--help", "-h", "help"].includes(name)) return void process.stdout.write(HELP);
  if (name === "--version") return void process.stdout.write(`${await version()}\n`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(name ? `there is no command ${name}\n\n${HELP.trimEnd()}` : HELP.trimEnd());
  await command.run(args).catch((error: unknown) => {
    throw error instanceof UsageError ? new UsageError(`${error.message}\nlaunchpad-desk ${name} --help lists its options`) : error;
  });
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
