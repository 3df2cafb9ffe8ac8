// npm run bench [-- name …]: measures the works of bench/<name>.mjs, or of all of them, against their peers.
//
// A bench module's default export is a list of works:
//
//   { name: "encode a buy", peer: "JSON.stringify", goal: 0.5, ours: async () => ({ run, answer }), theirs: … }
//
// Each side sets itself up in a process of its own and hands back what is timed and the answer it comes to; the two
// answers must be the same before anything is timed. A side that is `{ native: [argument, …] }` is the cargo example
// bench/<name>.rs. `goal` is the fraction of the peer's time that ours should take. Goals are aims to compare with, not
// tests: nothing fails here by being slow. Peers from npm stand in bench/package.json and are installed here.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { buildIfChanged } from "./build.mjs";
import { compare } from "./measure.mjs";
import { root, run } from "./program.mjs";
import { cargoTargetFolder } from "./setup.mjs";

const BENCH = join(root, "bench");

/** One side in a process of its own: its answer, and `time(calls)`, which resolves to milliseconds. */
async function startSide(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${[program, ...args].join(" ")} ended before it answered`);
    return value;
  };
  return {
    answer: await line(),
    async time(calls) {
      child.stdin.write(`${calls}\n`);
      return Number(await line());
    },
    end() {
      child.stdin.end();
    },
  };
}

/** Builds the native side of a bench, as its own module of the package is built. */
async function buildNative(name) {
  await run("cargo", ["build", "--quiet", "--locked", "--profile=maths", `--example=bench-${name}`]);
  return join(await cargoTargetFolder(), `maths/examples/bench-${name}`);
}

async function measureWork(name, work, native) {
  const side = async (which) => {
    const given = work[which].native;
    return given ? startSide(await native(), given) : startSide(process.execPath, [join(root, "scripts/bench-side.mjs"), join(BENCH, `${name}.mjs`), work.name, which]);
  };
  const [ours, theirs] = [await side("ours"), await side("theirs")];
  try {
    if (ours.answer !== theirs.answer) throw new Error(`${work.name}: ${work.peer} comes to another answer:\n${theirs.answer.slice(0, 2000)}\ninstead of\n${ours.answer.slice(0, 2000)}`);
    return await compare({ ours: ours.time, theirs: theirs.time });
  } finally {
    ours.end();
    theirs.end();
  }
}

const duration = (milliseconds) => (milliseconds < 1e-3 ? `${(milliseconds * 1e6).toPrecision(3)} ns` : milliseconds < 1 ? `${(milliseconds * 1e3).toPrecision(3)} µs` : `${milliseconds.toPrecision(3)} ms`);

try {
  const known = (await readdir(BENCH)).filter((file) => file.endsWith(".mjs")).map((file) => file.slice(0, -".mjs".length)).sort();
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : known;
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length) throw new Error(`no such bench: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  await buildIfChanged();
  if (existsSync(join(BENCH, "package.json"))) await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"], { cwd: BENCH });
  for (const name of wanted) {
    const { default: works } = await import(pathToFileURL(join(BENCH, `${name}.mjs`)).href);
    let built;
    const native = () => (built ??= buildNative(name));
    console.log(`\n${name}, on Node ${process.versions.node}: our time as a fraction of the peer's; lower is better\n`);
    console.log(`${"work".padEnd(48)} ${"peer".padEnd(24)} ${"measured".padStart(8)} ${"goal".padStart(6)}`);
    for (const work of works) {
      const { ratio, ours, theirs } = await measureWork(name, work, native);
      const verdict = ratio <= work.goal ? "met" : "MISSED";
      console.log(`${work.name.padEnd(48)} ${work.peer.padEnd(24)} ${ratio.toFixed(4).padStart(8)} ${String(work.goal).padStart(6)} ${verdict.padEnd(6)} ${duration(ours)} against ${duration(theirs)}`);
    }
  }
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
