// Node of a major version, each side in a process of its own. bench/package.json pins the programs, so that a table is the
// same whatever Node runs this; where npm has none for the machine, the running one serves for its own version.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { capture, root } from "../program.mjs";
import { startProgram } from "./program.mjs";

const SIDE = join(root, "scripts/engines/node-side.mjs");

function programOf(major) {
  const pinned = join(root, `bench/node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(pinned)) return pinned;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  throw new Error(`npm has no Node ${major} for ${process.platform} ${process.arch}: run this with a Node ${major}, or pick other engines`);
}

/** @param {number} major */
export async function openNode(major) {
  const program = programOf(major);
  return {
    title: `Node ${(await capture(program, ["--version"])).trim().slice(1)}`,
    start: (module, work, which) => startProgram(program, [SIDE, join(root, module), work, which]),
    close: async () => {},
  };
}
