// One side of one work, in a process of its own, so that the engine has seen nothing else: says its answer in a line,
// then for each line with a number of calls how many milliseconds these took, by the clock that the side brings along or
// by the time of day.
//
//   node bench-side.mjs bench/launchpad.mjs "one buy quote" ours

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , file, name, side] = process.argv;
const { default: works } = await import(pathToFileURL(file).href);
const { run, answer, clock = () => performance.now() } = await works.find((work) => work.name === name)[side]();

/** What the last call gave. Nobody reads it; unused, the engine could leave the call out. */
export let last;

function timed(calls) {
  const began = clock();
  for (let call = 0; call < calls; call++) last = run();
  return clock() - began;
}

async function timedInTurn(calls) {
  const began = clock();
  for (let call = 0; call < calls; call++) last = await run();
  return clock() - began;
}

const bigints = (_, value) => (typeof value === "bigint" ? String(value) : value);
console.log(JSON.stringify(await answer(), bigints));
const first = run();
const time = typeof first?.then === "function" ? timedInTurn : timed;
await first;
for await (const line of createInterface({ input: process.stdin })) console.log(await time(Number(line)));
