// Stand-ins for what a program runs on: other functions of Node's file system, and what it warns of, not printed.

import { syncBuiltinESMExports } from "node:module";

/** Replaces functions of a file system by `stands`, each made of the real one, while `work` runs. */
export async function standsIn(fs, stands, work) {
  const real = Object.fromEntries(Object.keys(stands).map((name) => [name, fs[name]]));
  for (const name in stands) fs[name] = stands[name](real[name]);
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}

/** The process warnings of this type while `work` runs. */
export async function warningsOf(type, work) {
  const found = [];
  const others = process.listeners("warning");
  process.removeAllListeners("warning").on("warning", ({ name, message }) => name === type && found.push(message));
  try {
    await work();
    // They are given a turn later.
    await new Promise(setImmediate);
    return found;
  } finally {
    process.removeAllListeners("warning");
    for (const other of others) process.on("warning", other);
  }
}
