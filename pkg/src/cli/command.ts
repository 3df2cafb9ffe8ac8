// The shape of a command of the command line, and its error for wrong arguments.

import { type ParseArgsConfig, parseArgs } from "node:util";

/** A command: its line in `--help`, and its work. */
export interface Command {
  /** One line. */
  summary: string;
  /** Runs it; resolves once it is running or done. */
  run(args: string[]): Promise<void>;
}

/** The arguments are wrong: nothing was done, and the program exits with 2. */
export class UsageError extends Error {}

/** The arguments of a command: its options, as declared, and what is none; other options are an error. */
export function argumentsOf<const T extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: T): ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>> {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** The options of a command, as declared; others are an error. */
export function optionsOf<const T extends NonNullable<ParseArgsConfig["options"]>>(args: string[], options: T): ReturnType<typeof parseArgs<{ options: T }>>["values"] {
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
