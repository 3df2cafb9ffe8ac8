// Finds and runs other programs; and what the commands of scripts/ have in common.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { once as onceEmitted } from "node:events";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The path of the first of `names` that is on PATH, or undefined. */
export function findProgram(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

/** Runs a program to its end, and resolves to its exit code or signal. Its output goes where ours goes, or to `log(chunk, stream)`. */
export async function start(program, args, { log, env = {}, cwd = root } = {}) {
  const output = log ? "pipe" : "inherit";
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", output, output] });
  for (const stream of log ? ["stdout", "stderr"] : [])
    child[stream].setEncoding("utf8").on("data", (chunk) => log(chunk, stream));
  try {
    const [code, signal] = await onceEmitted(child, "close");
    return signal ?? code;
  } catch (error) {
    throw error.code === "ENOENT" ? new Error(`${program} is not on PATH`, { cause: error }) : error;
  }
}

/** Like {@link start}, but rejects unless the program succeeds. */
export async function run(program, args, options) {
  const end = await start(program, args, options);
  if (end !== 0) throw new Error(`${[program, ...args].join(" ")} ended with ${end}`);
}

/** Like {@link run}, but resolves to the program's standard output. A failure includes everything it wrote. */
export async function capture(program, args, options) {
  let out = "";
  let all = "";
  const log = (chunk, stream) => {
    all += chunk;
    if (stream === "stdout") out += chunk;
  };
  await run(program, args, { ...options, log }).catch((error) => {
    throw new Error(`${error.message}\n${all}`, { cause: error });
  });
  return out;
}

/** Runs `work` at the first call, and returns the same result to every caller. */
export const once = (work) => {
  let answer;
  return () => (answer ??= work());
};

/** The names of `known` that are asked for, also several in one text, separated by commas; all if none is given. */
export function chosen(what, known, asked = []) {
  const wanted = asked.flatMap((names) => names.split(","));
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length) throw new Error(`no such ${what}: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  return wanted.length ? known.filter((name) => wanted.includes(name)) : known;
}

/** Runs a command, which resolves to its exit code or to nothing. An error is printed as one line. */
export async function command(name, work, codeOfError = 1) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = codeOfError;
  }
}
