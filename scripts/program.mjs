// Other programs: finding them, running them.

import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The path of the first of `names` that stands executable on PATH, or undefined. */
export function findProgram(names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here; the next folder may have it.
      }
    }
  }
  return undefined;
}

/** A program that ended with something else than success. */
export class ProgramFailed extends Error {
  constructor(command, { code, signal }, output = "") {
    super([`${command} ${signal ? `was ended by ${signal}` : `ended with ${code}`}`, output].filter(Boolean).join("\n"));
  }
}

/**
 * Runs a program in the project's root and resolves when it has succeeded; its output goes where ours
 * goes, or to `log(chunk)` if one is given. Rejects with {@link ProgramFailed} otherwise.
 */
export async function run(program, args, { log, env = {}, cwd = root } = {}) {
  const end = await start(program, args, { log, env, cwd });
  if (end.code !== 0) throw new ProgramFailed([program, ...args].join(" "), end);
}

/** Like {@link run}, but resolves to what the program wrote to standard output; a failure tells all it wrote. */
export async function capture(program, args, { env = {}, cwd = root } = {}) {
  let out = "";
  let all = "";
  const end = await start(program, args, {
    env,
    cwd,
    log(chunk, stream) {
      all += chunk;
      if (stream === "stdout") out += chunk;
    },
  });
  if (end.code !== 0) throw new ProgramFailed([program, ...args].join(" "), end, all);
  return out;
}

/** Runs a program to its end, whatever the end, and resolves to `{ code, signal }`. */
export function start(program, args, { log, env = {}, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", log ? "pipe" : "inherit", log ? "pipe" : "inherit"],
    });
    for (const stream of log ? ["stdout", "stderr"] : []) {
      child[stream].setEncoding("utf8").on("data", (chunk) => log(chunk, stream));
    }
    child.once("error", (error) => reject(error.code === "ENOENT" ? new Error(`${program} is not on PATH`, { cause: error }) : error));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}
