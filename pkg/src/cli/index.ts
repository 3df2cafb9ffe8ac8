#!/usr/bin/env node
// The command line: one file for each group of commands. How it exits says whether money may have moved: see EXIT_CODES.

import { Command, CommanderError } from "commander";
import { addAgents } from "./agents.js";
import { addBacktest } from "./backtest.js";
import { EXIT_CODES, UsageError, exampleOf, leave, version } from "./command.js";
import { addDoctor } from "./doctor.js";
import { addExits } from "./exits.js";
import { addInit } from "./init.js";
import { addPosition } from "./position.js";
import { addSandbox } from "./sandbox.js";
import { exitCodeOf } from "./show.js";
import { addTrades } from "./trade.js";
import { addTree } from "./tree.js";
import { addUnresolved } from "./unresolved.js";
import { addVerify } from "./verify.js";
import { addWatch } from "./watch.js";

const USAGE = 64;

/** What to say of the option that many try first. */
const AMOUNTS = "An amount's option names its unit: --sol or --lamports to buy, --tokens or --base-units to sell.";

/** Throws in place of exiting, and names the help, on every level of the tree. */
function throwing(command: Command, path: string): void {
  command.exitOverride().showHelpAfterError(`${exampleOf(command)}${path} --help lists its options`);
  for (const inner of command.commands) throwing(inner, `${path} ${inner.name()}`);
}

const program = new Command("launchpad-desk")
  .description(
    "Looks at, sends and settles trades of a token launchpad; in a sandbox on this machine unless a profile says otherwise.",
  )
  .version(version, "--version", "print the version")
  .helpOption("-h, --help", "show help")
  .configureHelp({ subcommandTerm: (command) => command.name() })
  .addHelpText(
    "after",
    `\nExit codes:\n${Object.entries(EXIT_CODES)
      .map(([code, meaning]) => `  ${code.padEnd(3)} ${meaning}`)
      .join("\n")}`,
  );
for (const add of [
  addTrades,
  addUnresolved,
  addPosition,
  addExits,
  addWatch,
  addBacktest,
  addAgents,
  addSandbox,
  addVerify,
  addInit,
  addDoctor,
  addTree,
])
  add(program);
throwing(program, program.name());

/** An error of a trade, if it is one: those of the package say whether money may have moved. */
const isOfTrade = (error: unknown): error is Error & { outcome: string; code: string } =>
  error instanceof Error && "outcome" in error && "code" in error;

/** Prints why a command did not do its work, and sets how the program exits. */
function printError(error: Error): void {
  // A trade's outcome was printed before: a file that could not be closed afterwards does not change it.
  if (process.exitCode !== undefined) return void process.stderr.write(`${error.message}\n`);
  const isPrinted = error instanceof CommanderError; // Commander has printed its own message already
  const isUsage =
    isPrinted ||
    error instanceof UsageError ||
    (isOfTrade(error) && (error.code === "invalid_request" || error.code === "invalid_options"));
  const ofError = isOfTrade(error) ? exitCodeOf(error) : 1;
  const exitCode = isUsage ? USAGE : ofError;
  process.exitCode = exitCode;
  if (
    error instanceof CommanderError &&
    error.code === "commander.unknownOption" &&
    error.message.includes("'--amount'")
  )
    process.stderr.write(`${AMOUNTS}\n`);
  // The core names what a program gives it.
  const said = error.message.replace(/^argument: /, "").replace(/^plan options: intentId/, "--intent-id");
  if (!isPrinted) process.stderr.write(`${said}\n`);
  // A command that is asked about earlier trades has said nothing of them.
  const unsent = process.argv.slice(2).some((word) => word === "pending" || word === "settle") ? null : "not_sent";
  const outcome = isOfTrade(error) ? error.outcome : unsent;
  if (process.argv.includes("--json"))
    process.stdout.write(
      `${JSON.stringify({ exitCode, outcome, error: isOfTrade(error) ? error : { message: error.message } })}\n`,
    );
}

// The program behind a pipe may end first, and a disk may be full. What was begun goes on, and the exit code says how it ended.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && stream === process.stdout)
      process.stderr.write(`The output cannot be written: ${error.message}\n`);
  });
}

try {
  await program.parseAsync();
} catch (error) {
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (!isHelp) {
    printError(error as Error);
    await leave();
  }
}
