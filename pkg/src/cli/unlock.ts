// `launchpad-desk doctor FILE`: removes the lock of a journal, or of a sandbox's state, whose program has ended.

import { existsSync } from "node:fs";
import { type Holder, type Running, holderAt, isRunning, lockOf, removeLock } from "../node/lock.js";
import { fileAt } from "../node/place.js";
import { isConfirmed } from "./ask.js";
import { UsageError } from "./command.js";

const holds = ({ pid, host }: Holder, running: Running): string => {
  const where = running === "on another host" ? `the host ${host}` : "this host";
  const what = {
    no: "it has ended",
    perhaps: "a process with this number runs, perhaps another program",
    yes: "it runs",
    "on another host": "whether it runs cannot be checked from here",
  };
  return `process ${pid} on ${where} (${what[running]})`;
};

/** Says who holds the lock of a file, and removes it once a person says that this program has ended: two programs could make a trade twice. */
export async function unlock(named: string, yes: boolean): Promise<void> {
  const file = await fileAt(named);
  const found = await holderAt(file);
  if (!found && !existsSync(file)) throw new UsageError(`there is no file ${named}`);
  if (!found) return void process.stdout.write(`${file} is not locked\n`);
  const { text, holder } = found;
  const running = holder && (await isRunning(holder));
  if (holder && (running === "yes" || running === "perhaps"))
    throw new Error(`${file} is in use by ${holds(holder, running)}: end it first`);
  process.stdout.write(
    `${file} is locked by ${holder ? holds(holder, running as Running) : `a file that says nothing of a process: ${lockOf(file)}`}\n`,
  );
  if (!yes && !(await isConfirmed("Has that program ended?", "pass --yes to confirm that the program has ended")))
    throw new Error("nothing was changed");
  if (!(await removeLock(file, text))) throw new Error("the lock has changed in the meantime: nothing was changed");
  process.stdout.write("The lock was removed.\n");
}
