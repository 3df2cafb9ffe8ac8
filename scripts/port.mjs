// The `--port N` that the commands which serve something share.

import { parseArgs } from "node:util";

/** The port asked for on the command line; `usual` when none was. 0 means any free one. */
export function portFromArguments(usual) {
  const { values } = parseArgs({ options: { port: { type: "string", default: String(usual) } } });
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) throw new Error(`--port takes a number from 0 to 65535, not ${values.port}`);
  return Number(values.port);
}

/** Runs `main` and, until Ctrl-C, what it resolves to: something with a `close()`. */
export async function runUntilInterrupted(name, main) {
  try {
    const running = await main();
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, async () => {
        await running.close();
        process.exit(0);
      });
    }
  } catch (error) {
    const reason = error.code === "EADDRINUSE" ? `port ${error.port} is taken; --port 0 picks a free one` : error.message;
    console.error(`${name}: ${reason}`);
    process.exitCode = 1;
  }
}
