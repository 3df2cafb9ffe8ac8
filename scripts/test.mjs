// npm test [-- --only name,name]: the tests of a change. npm run test:ci: what CI runs; that is everything if something else than our code
// has changed since everything passed (scripts/whole.mjs). npm run test:all: every test. The machine needs only Rust, Node and, for the
// browsers, either Debian and root or the browsers themselves.
//
// Steps run five at a time and print when they end: one line if they pass, all of their output if they fail. Why each failed is printed
// once more at the end. The last line is the sum: "N passed, N failed". A step without a single test is a failure. Before it stands what
// this run leaves to the next.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chosen, command, root, start } from "./program.mjs";
import { RUNS, counts, leftBy, reasons, stepsOf } from "./steps.mjs";
import { PASSED, hasPassed, stateOfLoading } from "./whole.mjs";

/** Where the output of each step goes, too. A test of this command has a folder of its own. */
const LOGS = process.env.LOGS ?? join(root, ".cache/logs");

/** How many steps run at the same time: a build uses several cores by itself, a browser and a closing socket are waited for. */
const PARALLEL = 5;

const indented = (text) => `\n${text.replace(/^/gm, "    ").trimEnd()}\n`;

/** Runs a step. Those `before` it, of the ones that it needs, must have succeeded. */
async function runStep({ name, ready, program, args, env }, before) {
  let output = "";
  let result = { passed: 0, failed: 1 };
  const began = performance.now();
  try {
    const failed = before.find(({ failed }) => failed);
    if (failed) throw new Error(`not run, since ${failed.name} failed`);
    console.log(`… ${name}`);
    for (const prepare of ready) await prepare();
    output += `$ ${[program, ...args].join(" ")}\n`;
    const end = await start(program, args, {
      env: Object.assign({}, ...before.map(({ gives }) => gives), env),
      log: (chunk) => (output += chunk),
    });
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
  console.log(
    `${failed ? "✗" : "✓"} ${name.padEnd(14)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${seconds.toFixed(1).padStart(7)} s`,
  );
  return { name, passed, failed, output };
}

/** Runs these steps, {@link PARALLEL} at a time: the first that has what it needs, and the lock that it takes. Resolves to their results. */
async function runSteps(steps) {
  const waiting = [...steps];
  const results = new Map();
  const running = new Map();
  // If it fails, the step that needs it says so.
  for (const { early } of steps) early?.().catch(() => {});
  const isDone = (name) => results.has(name) || !steps.some((step) => step.name === name);
  const isFree = ({ needs = [], lock }) =>
    needs.every(isDone) && !(lock && [...running.keys()].some((step) => step.lock === lock));
  while (waiting.length || running.size) {
    const next = running.size < PARALLEL ? waiting.findIndex(isFree) : -1;
    if (next < 0) {
      await Promise.race(running.values());
      continue;
    }
    const [step] = waiting.splice(next, 1);
    const before = (step.needs ?? []).flatMap((name) => results.get(name) ?? []);
    const ending = runStep(step, before).then((result) => {
      results.set(step.name, { ...result, gives: step.gives });
      running.delete(step);
    });
    running.set(step, ending);
  }
  return steps.map(({ name }) => results.get(name));
}

async function test() {
  const { values } = parseArgs({
    options: { ci: { type: "boolean" }, all: { type: "boolean" }, only: { type: "string", multiple: true } },
  });
  const state = await stateOfLoading();
  const isChanged = values.ci && !values.only && !(await hasPassed(state));
  if (isChanged)
    console.log(
      "How the package is loaded or what it depends on has changed since all tests passed, so this runs them all.",
    );
  const asked = values.ci ? "ci" : "short";
  const kind = values.all || isChanged ? "all" : asked;
  const steps = stepsOf(kind);
  const names = chosen(
    "step",
    steps.map(({ name }) => name),
    values.only,
  );
  mkdirSync(LOGS, { recursive: true });
  const results = await runSteps(steps.filter(({ name }) => names.includes(name)));
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0);
  const [passed, failed] = [total("passed"), total("failed")];
  const failing = results.filter((result) => result.failed);
  for (const { name, output } of failing) console.log(`\nwhy ${name} failed:${indented(reasons(output)).trimEnd()}`);
  if (failed) console.log(`\nfailing: ${failing.map(({ name }) => name).join(", ")}`);
  if (!values.only) console.log(`\nonly in ${RUNS[kind].next}: ${leftBy(kind).join(", ")}`);
  if (kind === "all" && !values.only && !failed) writeFileSync(join(root, PASSED), `${state}\n`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed || !passed ? 1 : 0;
}

await command("test", test, 2);
