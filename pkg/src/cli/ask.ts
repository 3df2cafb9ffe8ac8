// Asks a person on a terminal.

import { createInterface } from "node:readline/promises";
import { UsageError } from "./command.js";

/** Whether the person types yes. Without a terminal there is nobody to answer, and `withoutTerminal` says what to do. */
export async function isConfirmed(question: string, withoutTerminal: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError(`this is not a terminal: ${withoutTerminal}`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  try {
    return /^(y|yes)$/i.test((await Promise.race([terminal.question(`${question} Type yes: `), closed])).trim());
  } finally {
    terminal.close();
  }
}
