// A side whose call is the whole life of a process of this runtime, minus that of an empty process.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const pathOf = (name) => fileURLToPath(new URL(`${name}.mjs`, import.meta.url));
const programOf = (name) =>
  process.versions.deno ? ["run", "--no-prompt", "--node-modules-dir=manual", pathOf(name)] : [pathOf(name)];

/** The milliseconds from a program's start to its end. */
async function life(name) {
  const began = performance.now();
  const [code] = await once(
    spawn(process.execPath, programOf(name), { stdio: ["ignore", "ignore", "inherit"] }),
    "close",
  );
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return performance.now() - began;
}

export function started(name) {
  let spent = 0;
  const run = async () => {
    const empty = await life("empty");
    spent += (await life(name)) - empty;
  };
  return { run, clock: () => spent, answer: async () => (await run(), "it ended well") };
}
