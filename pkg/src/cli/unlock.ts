// `launchpad-desk unlock`: removes the lock of a journal, or of a sandbox's state, whose program has ended.

import { createInterface } from "node:readline/promises";
import { type Holder, type Running, holderAt, isRunning, lockOf, removeLock } from "../node/lock.js";
import { fileAt } from "../node/place.js";
import { type Command, UsageError, argumentsOf } from "./command.js";

const HELP = `Usage: launchpad-desk unlock FILE [--yes]

Removes the lock of FILE, a journal or the state of a sandbox, if the program that holds it has ended without
releasing it. It shows who holds the lock, and asks. If that program still runs, two programs would write the
file, and a trade could be made twice.

  --yes   does not ask: you know that the program has ended
  --help  shows this
`;

const holds = ({ pid, host }: Holder, running: Running): string => {
  const where = running === "on another host" ? `the host ${host}` : "this host";
  const what = { no: "it has ended", perhaps: "a process with this number runs, perhaps another program", yes: "it runs", "on another host": "whether it runs cannot be checked from here" };
  return `process ${pid} on ${where} (${what[running]})`;
};

/** Asks on a terminal. Without one there is nobody to answer. */
async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError("this is not a terminal: pass --yes to confirm that the program has ended");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes)$/i.test((await terminal.question("If that program has ended, type yes: ")).trim());
  } finally {
    terminal.close();
  }
}

async function run(args: string[]): Promise<void> {
  const { values: given, positionals: files } = argumentsOf(args, { yes: { type: "boolean" }, help: { type: "boolean", short: "h" } });
  if (given.help) return void process.stdout.write(HELP);
  const [named, ...more] = files;
  if (named === undefined || more.length) throw new UsageError("unlock takes one file");
  const file = await fileAt(named);
  const found = await holderAt(file);
  if (!found) return void process.stdout.write(`${file} is not locked\n`);
  const { text, holder } = found;
  const running = holder && (await isRunning(holder));
  if (holder && (running === "yes" || running === "perhaps")) throw new Error(`${file} is in use by ${holds(holder, running)}: end it first`);
  process.stdout.write(`${file} is locked by ${holder ? holds(holder, running as Running) : `a file that says nothing of a process: ${lockOf(file)}`}\n`);
  if (!given.yes && !(await isConfirmed())) throw new Error("nothing was changed");
  if (!(await removeLock(file, text))) throw new Error("the lock has changed in the meantime: nothing was changed");
  process.stdout.write("The lock was removed.\n");
}

export const unlock: Command = { summary: "removes the lock of a file whose program has ended", run };
