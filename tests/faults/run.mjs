// node tests/faults/run.mjs [--runtime name]… [--row part of a name] [--differing] [--tell]
//
// Runs the rows on the runtimes: all of them, or those whose name begins so ("node", "deno, no pool", "firefox"). With --differing, all rows
// on one runtime for each way that our code sends, and on the others those in which some runtime is known to differ.
// Prints a line for each runtime, under it every difference from the row, and with --tell all that was seen. The last
// lines count rows × runtimes.

import { parseArgs, inspect } from "node:util";
import { runMatrix } from "./matrix.mjs";
import { makeProject } from "./project.mjs";
import { ROWS, differs } from "./rows.mjs";
import { RUNTIMES } from "./runtimes.mjs";

/** How many runtimes at once. */
const PARALLEL = 2;

const { values: chosen } = parseArgs({
  options: {
    runtime: { type: "string", multiple: true, default: [""] },
    row: { type: "string", default: "" },
    differing: { type: "boolean", default: false },
    tell: { type: "boolean", default: false },
  },
});
const runtimes = RUNTIMES.filter(({ name }) => chosen.runtime.some((start) => name.startsWith(start)));
const rows = ROWS.filter(({ name }) => name.includes(chosen.row));
if (!runtimes.length || !rows.length) throw new Error(`there is no such ${runtimes.length ? "row" : "runtime"}`);

let [passed, failed] = [0, 0];

function print(runtime, { results, complaints }, seconds) {
  const bad = results.filter((result) => result.complaints.length);
  passed += results.length - bad.length;
  failed += bad.length + complaints.length;
  console.log(
    `${bad.length || complaints.length ? "✗" : "✓"} ${runtime.name.padEnd(28)} ${String(results.length).padStart(4)} rows ${String(bad.length).padStart(4)} not as they say ${seconds.toFixed(1).padStart(6)} s`,
  );
  for (const complaint of complaints) console.log(`    ${complaint}`);
  for (const { row, complaints } of bad) {
    const more = complaints.length > 12 ? `\n… and ${complaints.length - 12} more` : "";
    console.log(
      `  ✗ ${runtime.name}: ${row.name}\n${(complaints.slice(0, 12).join("\n") + more).replace(/^/gm, "      ")}`,
    );
  }
  if (!chosen.tell) return;
  for (const { row, report, posts } of results) {
    const seen = report?.results?.map(({ traces, json, ...rest }) => rest);
    console.log(`  ${row.name}: ${inspect({ posts, seen }, { depth: 6, breakLength: 140 })}`);
  }
}

async function run(runtime, project) {
  const began = performance.now();
  const tried = chosen.differing && !runtime.isFirst ? rows.filter(differs) : rows;
  const outcome = await runMatrix(runtime, tried, project).catch((error) => ({
    results: [],
    complaints: [`it could not be run: ${error.message}`],
  }));
  print(runtime, outcome, (performance.now() - began) / 1000);
}

const project = await makeProject();
try {
  const waiting = [...runtimes];
  const work = async () => {
    for (let runtime; (runtime = waiting.shift());) await run(runtime, project);
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
} finally {
  await project.remove();
}
console.log(`\n${runtimes.length} runtimes, ${rows.length} rows\nℹ pass ${passed}\nℹ fail ${failed}`);
process.exitCode = failed ? 1 : 0;
