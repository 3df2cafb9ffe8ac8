// What the commands share: how the program exits, the error for wrong arguments, and the options of every command that trades.

import { readFile } from "node:fs/promises";
import type { Command } from "commander";

export const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** The exit codes, each with its meaning. A script reads from them whether money may have moved. */
export const EXIT_CODES = {
  0: "landed, accepted by the service, or done",
  1: "not sent: nothing has moved",
  2: "rejected: nothing has moved",
  3: "failed: nothing has moved but the network fee",
  4: "unknown: the trade may have been made; never send it again, settle it",
  5: "waiting for a person's approval",
  6: "not verified: the record was changed, or says what its own lines contradict",
  64: "wrong arguments, or a wrong field of the request: nothing was done",
} as const;

export type ExitCode = keyof typeof EXIT_CODES;

/** The arguments are wrong: nothing was done. */
export class UsageError extends Error {}

export interface Common {
  profile?: string;
  json?: boolean;
}

export const withProfile = (command: Command): Command =>
  command
    .option("--profile <name>", "where to trade: a profile of the config file (default: its `profile`, or the sandbox)")
    .option("--json", "print one JSON document");

const examples = new WeakMap<Command, string>();

/** Adds an example below the help of a command, and below what is wrong with its arguments. */
export function withExample(command: Command, example: string): Command {
  examples.set(command, example);
  return command.addHelpText("after", `\nExample:\n  $ launchpad-desk ${example}`);
}

/** The example of a command as a line; empty if it has none. */
export const exampleOf = (command: Command): string =>
  examples.has(command) ? `Example: launchpad-desk ${examples.get(command)}\n` : "";

/** What `make` makes of arguments. What the core refuses of them is wrong usage. */
export function checked<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new UsageError((error as Error).message.replace(": replacePlan replaces", ": --replace-plan replaces"));
  }
}

/** Refuses `--yes` without `--send`, and `--send` that could not ask to do `what`. */
export function checkSending({ send, yes }: { send?: boolean; yes?: boolean }, what: string): void {
  if (yes && !send) throw new UsageError("--yes belongs to --send");
  if (send && !yes && !process.stdin.isTTY)
    throw new UsageError(`this is not a terminal: pass --yes with --send to ${what} without asking`);
}

/** A whole number in an option. */
export function wholeOf(option: string, text: string, most: number, least = 0): string {
  if (!/^\d{1,20}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new UsageError(`--${option} takes a whole number from ${least} to ${most}, not ${text}`);
  return text;
}

/** Ends the program once all is printed. What was asked in the background nobody waits for, and its node may never answer. */
export async function leave(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) await new Promise((done) => stream.write("", done));
  process.exit();
}
