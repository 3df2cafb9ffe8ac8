// npm run bench [-- name …] [--on engine,engine]: runs the benchmarks of bench/<name>.mjs, or all of them, against their peers, on
// these engines or on all: Node 20 and Node 24; Chromium and Firefox for what a page does; Bun and Deno for starts.
//
// A bench module's default export is a list of benchmarks ("works"):
//
//   { name: "encode a buy", peer: "JSON.stringify", goals: { node20: 0.5 }, ours: async () => ({ run, answer }), theirs: … }
//
// Each side sets itself up in its own process, and returns the function to time and its answer. The two answers must be the same
// before anything is timed. The median of several such pairs is printed. A side that is `{ native: [argument, …] }` is the cargo
// example bench/<name>.rs. Works named "…, beside a peer" do the same as that peer; the peer closest to ours, or ahead of it, is
// named again as the best. A goal is the fraction of the peer's time that ours should take on that engine. Goals are not tests:
// nothing fails here by being slow. `engines` are those of a work, if not the Nodes; `warmUpMs` changes its warm-up time; `told` prints a
// time in other words. A module may also export `report(engines)`, which measures what has no peer and prints a table, and
// `meanwhile()`, whose figures are those of waiting: it runs beside the reports. Peers and Nodes from npm are listed in
// bench/package.json. They are installed here, and so are the browsers.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensureBrowsers } from "./browsers.mjs";
import { buildIfChanged } from "./build.mjs";
import { openEngine, startProgram } from "./engines.mjs";
import { BROWSERS, ENGINES, NODES, RUNTIMES } from "./engines/side.mjs";
import { compare, duration, middle, verdict } from "./measure.mjs";
import { chosen, command, root, run } from "./program.mjs";
import { cargoTargetFolder, ensurePackages } from "./setup.mjs";

const BENCH = join(root, "bench");
const moduleOf = (bench) => `bench/${bench}.mjs`;

/** How often each work is measured, with fresh processes: an engine may compile a side to half its speed for all of a process. */
const ROUNDS = 3;

/** Builds the native side of a bench, fully optimized. */
async function buildNative(bench) {
  await run("cargo", ["build", "--quiet", "--locked", "--profile=maths", `--example=bench-${bench}`]);
  return join(await cargoTargetFolder(), `maths/examples/bench-${bench}`);
}

async function measureOnce(bench, work, engine) {
  const sides = {};
  try {
    const open = async (which) => {
      const { native } = work[which];
      sides[which] = native
        ? await startProgram(await buildNative(bench), native)
        : await engine.start(moduleOf(bench), work.name, which);
    };
    await Promise.all(["ours", "theirs"].map(open));
    const { ours, theirs } = sides;
    if (ours.answer !== theirs.answer)
      throw new Error(
        `${work.name}: ${work.peer} gives another answer:\n${theirs.answer.slice(0, 2000)}\ninstead of\n${ours.answer.slice(0, 2000)}`,
      );
    return await compare({ ours: ours.time, theirs: theirs.time }, work);
  } finally {
    for (const side of Object.values(sides)) await side.end();
  }
}

/** Measures these benches on one engine, prints a line for each work, and adds the results to the tables. */
async function measureOn(name, benches, tables) {
  const isHere = ({ engines = NODES }) => engines.includes(name);
  const found = [...benches].map(([bench, works]) => [bench, works.filter(isHere)]).filter(([, here]) => here.length);
  const engine = await openEngine(
    name,
    found.map(([bench]) => moduleOf(bench)),
  );
  try {
    for (const [bench, here] of found) {
      console.log(`\n${bench}, on ${engine.title}: our time as a fraction of the peer's; lower is better\n`);
      const best = new Map();
      for (const work of here) {
        const title = `${work.name} / ${work.peer}`;
        const rounds = [];
        while (rounds.length < ROUNDS) rounds.push(await measureOnce(bench, work, engine));
        const { ratio, ours, theirs } = middle(rounds);
        const { told = duration } = work;
        const said = verdict(ratio, work.goals[name]);
        console.log(`${title.padEnd(68)} ${said.padEnd(20)} ${told(ours)} against ${told(theirs)}`);
        ((tables[bench] ??= {})[title] ??= {})[name] = said;
        const [same, beside] = work.name.split(", beside ");
        if (beside && !(ratio <= best.get(same)?.ratio)) best.set(same, { ratio, peer: work.peer });
      }
      for (const [same, { ratio, peer }] of best) {
        const title = `${same} / the best peer`;
        console.log(`${title.padEnd(68)} ${ratio.toFixed(3).padEnd(20)} ${peer}`);
        (tables[bench][title] ??= {})[name] = `${ratio.toFixed(3)}, ${peer}`;
      }
    }
  } finally {
    await engine.close();
  }
}

await command("bench", async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { on: { type: "string", multiple: true } },
  });
  const known = (await readdir(BENCH))
    .filter((file) => file.endsWith(".mjs"))
    .map((file) => file.slice(0, -".mjs".length))
    .sort();
  const names = chosen("bench", known, positionals);
  const engines = chosen("engine", ENGINES, values.on);
  await buildIfChanged("release");
  await ensurePackages(BENCH);
  const benches = new Map();
  const [reports, waits] = [[], []];
  for (const name of names) {
    const { default: works, report, meanwhile } = await import(pathToFileURL(join(root, moduleOf(name))).href);
    benches.set(name, works);
    if (report) reports.push(report);
    if (meanwhile) waits.push(meanwhile);
  }
  const needed = engines.filter((name) =>
    [...benches.values()].flat().some(({ engines: own = NODES }) => own.includes(name)),
  );
  if (needed.some((name) => BROWSERS.includes(name))) await ensureBrowsers();
  if (needed.some((name) => RUNTIMES.includes(name))) await ensurePackages(join(root, "tests/faults"));
  const tables = {};
  for (const engine of needed) await measureOn(engine, benches, tables);
  for (const [bench, table] of needed.length > 1 ? Object.entries(tables) : []) {
    console.log(`\n${bench}, on all engines`);
    console.table(table);
  }
  if (reports.length) await ensureBrowsers();
  const waiting = Promise.all(waits.map((wait) => wait()));
  for (const report of reports) await report(engines);
  await waiting;
});
