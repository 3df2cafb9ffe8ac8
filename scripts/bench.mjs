// npm run bench [-- name]: measures the works of bench/*.mjs against their peers, side by side.
//
// A bench module's default export is a list of works:
//
//   { name: "encode a buy", peer: "JSON.stringify", goal: 1.5, run: async () => ({ ours() {…}, theirs() {…} }) }
//
// `run` sets up and hands back the two to compare; `goal` is how many times as fast as the peer ours
// should be. Goals are aims to compare with, not tests: nothing fails here by being slow. Peers from npm
// stand in bench/package.json and are installed here.

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildIfChanged } from "./build.mjs";
import { compare } from "./measure.mjs";
import { root, run } from "./program.mjs";

const BENCH = join(root, "bench");

async function worksOf(file) {
  const { default: works } = await import(pathToFileURL(join(BENCH, file)).href);
  return works;
}

const microseconds = (milliseconds) => `${(milliseconds * 1000).toPrecision(3)} µs`;

try {
  const wanted = process.argv[2] ?? "";
  const files = (await readdir(BENCH).catch(() => [])).filter((file) => file.endsWith(".mjs")).sort();
  await buildIfChanged();
  if (existsSync(join(BENCH, "package.json"))) await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: BENCH });
  let measured = 0;
  for (const file of files) {
    for (const work of await worksOf(file)) {
      if (!work.name.includes(wanted)) continue;
      const { ratio, ours, theirs } = await compare(await work.run());
      const verdict = ratio >= work.goal ? "met" : "missed";
      console.log(
        `${work.name.padEnd(32)} ${ratio.toFixed(2).padStart(7)}× ${work.peer} (goal ${work.goal}×: ${verdict}; ${microseconds(ours)} against ${microseconds(theirs)})`,
      );
      measured++;
    }
  }
  if (!measured) console.log(wanted ? `no work is named like "${wanted}"` : "bench/ holds no works yet");
} catch (error) {
  console.error(`bench: ${error.message}`);
  process.exitCode = 1;
}
