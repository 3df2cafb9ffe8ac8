// npm test [-- --only name,name]: the tests of a change. npm run test:all [-- --only name,name]: every test. The machine needs only Rust,
// Node and, for the browsers, either Debian and root or the browsers themselves.
//
// Steps run three at a time and print when they end: one line if they pass, all of their output if they fail. Why each failed is printed
// once more at the end. The last line is the sum: "N passed, N failed". A step without a single test is a failure. `npm test` says before
// it what it leaves to the other.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chosen, command, root, start } from "./program.mjs";
import { ONLY_IN_ALL, SHORT_STEPS, STEPS, counts, reasons } from "./steps.mjs";

const LOGS = join(root, ".cache/logs");

/** How many steps run at the same time: a build uses several cores by itself, a browser and a closing socket are waited for. */
const PARALLEL = 3;

const indented = (text) => `\n${text.replace(/^/gm, "    ").trimEnd()}\n`;

/** Runs a step. If the step that it needs is `running`, that one must succeed first. */
async function runStep({ name, needs, ready, program, args, env }, running) {
  let output = "";
  let result = { passed: 0, failed: 1 };
  let began = performance.now();
  try {
    if ((await running.get(needs))?.failed) throw new Error(`not run, since ${needs} failed`);
    began = performance.now();
    console.log(`… ${name}`);
    for (const prepare of ready) await prepare();
    output += `$ ${[program, ...args].join(" ")}\n`;
    const end = await start(program, args, { env, log: (chunk) => (output += chunk) });
    const counted = counts(output, end === 0);
    if (counted.passed + counted.failed === 0) throw new Error("no test ran");
    result = counted;
  } catch (error) {
    // The step could not begin because something is missing. That fails this step, not the others.
    output += `${error.message}\n`;
  }
  const { passed, failed } = result;
  const seconds = (performance.now() - began) / 1000;
  writeFileSync(join(LOGS, `${name}.log`), output);
  if (failed) console.log(indented(output));
  console.log(`${failed ? "✗" : "✓"} ${name.padEnd(14)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${seconds.toFixed(1).padStart(7)} s`);
  return { name, passed, failed, output };
}

async function test() {
  const { values } = parseArgs({ options: { all: { type: "boolean" }, only: { type: "string", multiple: true } } });
  const steps = values.all ? STEPS : SHORT_STEPS;
  const names = chosen("step", steps.map(({ name }) => name), values.only);
  const waiting = steps.filter(({ name }) => names.includes(name));
  mkdirSync(LOGS, { recursive: true });
  const running = new Map();
  const work = async () => {
    for (let step; (step = waiting.shift()); await running.get(step.name)) running.set(step.name, runStep(step, running));
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));

  const results = await Promise.all(running.values());
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const [passed, failed] = [total("passed"), total("failed")];
  const failing = results.filter((result) => result.failed);
  for (const { name, output } of failing) console.log(`\nwhy ${name} failed:${indented(reasons(output)).trimEnd()}`);
  if (failed) console.log(`\nfailing: ${failing.map(({ name }) => name).join(", ")}`);
  if (!values.all && !values.only) console.log(`\nonly in npm run test:all: ${ONLY_IN_ALL.join(", ")}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed || !passed ? 1 : 0;
}

await command("test", test, 2);
