// Runs the command line of the package as installed in an outside project.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** The command line's file in a stranger's project. */
export const commandLine = (folder) => join(folder, "node_modules/launchpad-desk/dist/cli.js");

/** Runs it to its end: what it printed, and how it ended. */
export async function end(program, args, options) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code, out, err };
}

/** Starts `sandbox` on a free port, and resolves to its address, the lines it printed, and a way to interrupt it, as a terminal does: with all that it has started. */
export async function startSandbox(program, args, options) {
  const child = spawn(program, [...args, "sandbox", "--port", "0", ...(options.args ?? [])], {
    cwd: options.cwd,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const closed = once(child, "close");
  const lines = [];
  for await (const line of createInterface(child.stdout)) if (lines.push(line) === 2) break;
  if (lines.length < 2) throw new Error(`it ended with ${(await closed)[0]} after ${lines}`);
  return {
    url: lines[0],
    lines,
    async stop(signal = "SIGINT") {
      process.kill(-child.pid, signal);
      const [code] = await closed;
      return code;
    },
  };
}
