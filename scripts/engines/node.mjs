// A side in a Node process: prints its answer on one line, then for each line with a number of calls how many milliseconds they took.
//
//   node scripts/engines/node.mjs bench/launchpad.mjs "one buy quote" ours

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { openSide } from "./side.mjs";

const [, , file, name, which] = process.argv;
const { default: works } = await import(pathToFileURL(file).href);
const { answer, time } = await openSide(works, name, which);
console.log(answer);
for await (const line of createInterface({ input: process.stdin })) console.log(await time(Number(line)));
process.exit();
