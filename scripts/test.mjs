// npm test [-- --only name,name]: every test there is, on a machine that need have nothing but Rust,
// Node and, for the browsers, either Debian and root or the browsers themselves.
//
// Steps run two or three at a time and print when they end: one line when they pass, all they said when
// they fail. The last line sums up: "N passed, N failed". A step without a single test is a failure.

import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, start } from "./program.mjs";
import { LANES } from "./steps.mjs";

const LOGS = join(root, ".cache/logs");

/** At most so many steps at once: a build uses several cores by itself. */
const slots = Math.min(LANES.length, Math.max(2, availableParallelism()));

/** A gate that lets `free` through at a time, in the order of their coming. */
function gate(free) {
  const waiting = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

async function runStep(step, earlier) {
  const began = performance.now();
  let output = "";
  let counts;
  try {
    if (earlier.some(({ name, failed }) => name === step.needs && failed)) throw new Error(`not run, since ${step.needs} failed`);
    const { program, args, env } = await step.program();
    output += `$ ${[program, ...args].join(" ")}\n`;
    const { code } = await start(program, args, { env, log: (chunk) => (output += chunk) });
    counts = step.counts(output, code === 0);
    if (counts.passed + counts.failed === 0) {
      output += "\nno test ran\n";
      counts.failed = 1;
    }
  } catch (error) {
    // The step could not even begin, for lack of something: that is its failure, not the other steps'.
    output += `${error.message}\n`;
    counts = { passed: 0, failed: 1 };
  }
  return { ...counts, name: step.name, output, seconds: (performance.now() - began) / 1000 };
}

function report({ name, passed, failed, output, seconds }) {
  writeFileSync(join(LOGS, `${name}.log`), output);
  if (failed) console.log(`\n${output.replace(/^/gm, "    ").trimEnd()}\n`);
  console.log(`${failed ? "✗" : "✓"} ${name.padEnd(14)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${seconds.toFixed(1).padStart(7)} s`);
}

function chosenLanes() {
  const { values } = parseArgs({ options: { only: { type: "string", multiple: true } } });
  if (!values.only) return LANES;
  const wanted = new Set(values.only.flatMap((names) => names.split(",")));
  const lanes = LANES.map((lane) => lane.filter((step) => wanted.delete(step.name)));
  if (wanted.size) {
    const known = LANES.flat().map((step) => step.name);
    throw new Error(`no such step: ${[...wanted].join(", ")}; there are ${known.join(", ")}`);
  }
  return lanes;
}

try {
  const lanes = chosenLanes();
  mkdirSync(LOGS, { recursive: true });
  const enter = gate(slots);
  const results = [];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const step of lane) {
        await enter(async () => {
          console.log(`… ${step.name}`);
          const result = await runStep(step, results);
          report(result);
          results.push(result);
        });
      }
    }),
  );
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const [passed, failed] = [total("passed"), total("failed")];
  const failing = results.filter((result) => result.failed).map((result) => result.name);
  if (failing.length) console.log(`\nfailing: ${failing.join(", ")}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed || !passed ? 1 : 0;
} catch (error) {
  console.error(`test: ${error.message}`);
  process.exitCode = 2;
}
