// The sides of a bench: what they answer and how they end, in this Node and as any program. tests/browser has the pages.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { startProgram } from "../../scripts/engines.mjs";
import {
  BROWSERS,
  ENGINES,
  NODES,
  RUNTIMES,
  USUAL,
  everywhere,
  inBrowsers,
  onNode,
  onRuntimes,
  openSide,
} from "../../scripts/engines/side.mjs";
import { root } from "../../scripts/program.mjs";

/** A program of a line of JS, which reads its own input. */
const program = (line) => startProgram(process.execPath, ["--eval", line]);

test("goals for several engines name each of them", () => {
  assert.deepEqual(
    [NODES, BROWSERS, RUNTIMES, USUAL, ENGINES].map((names) => names.length),
    [2, 2, 2, 4, 6],
  );
  assert.deepEqual(
    { ...onNode(1), ...inBrowsers(2), ...onRuntimes(3) },
    { node20: 1, node24: 1, chromium: 2, firefox: 2, bun: 3, deno: 3 },
  );
  assert.deepEqual(everywhere(3), { node20: 3, node24: 3, chromium: 3, firefox: 3 });
});

test("every work names engines that there are, has two sides, and a name of its own", async () => {
  const benches = (await readdir(join(root, "bench"))).filter((file) => file.endsWith(".mjs"));
  assert.ok(benches.length > 0);
  for (const bench of benches) {
    const { default: works } = await import(pathToFileURL(join(root, "bench", bench)).href);
    assert.equal(new Set(works.map(({ name }) => name)).size, works.length, bench);
    for (const { name, goals, engines = USUAL, ours, theirs } of works) {
      for (const engine of engines) assert.ok(ENGINES.includes(engine), `${name}: ${engine}`);
      for (const [engine, goal] of Object.entries(goals))
        assert.ok(engines.includes(engine) && goal > 0, `${name}: a goal of ${goal} on ${engine}`);
      for (const side of [ours, theirs]) assert.ok(typeof side === "function" || Array.isArray(side.native), name);
    }
  }
});

test("a side makes as many calls as it is told, at once or in turn, by its own clock if it has one", async () => {
  let [calls, under, most] = [0, 0, 0];
  const clock = () => calls;
  const later = async () => {
    most = Math.max(most, ++under);
    await undefined;
    under--;
    calls += 2;
  };
  const works = [
    {
      name: "work",
      ours: async () => ({ run: () => (calls += 1), answer: () => [calls, 2n ** 64n], clock }),
      theirs: () => ({ run: later, answer: async () => "x", clock }),
    },
  ];
  const ours = await openSide(works, "work", "ours");
  assert.equal(ours.answer, '[0,"18446744073709551616"]');
  assert.equal(ours.time(1000), 1000);
  const theirs = await openSide(works, "work", "theirs");
  assert.equal(theirs.answer, '"x"');
  assert.equal(await theirs.time(1000), 2000);
  assert.equal(most, 1, "one call at a time");
});

test("a program answers, reports times, and ends on request", async () => {
  const side = await program(
    'console.log("[1]"); require("readline").createInterface(process.stdin).on("line", (calls) => console.log(calls / 4));',
  );
  assert.equal(side.answer, "[1]");
  assert.deepEqual([await side.time(8), await side.time(2)], [2, 0.5]);
  await side.end();
  await assert.rejects(side.time(1), /ended before it answered/);
});

test("a program that ends early, does not exist or reports no time is an error", async () => {
  await assert.rejects(program(""), /--eval.* ended before it answered/);
  await assert.rejects(startProgram(join(root, "no-such-program"), []), { code: "ENOENT" });
  const side = await program(
    'console.log("[1]"); require("readline").createInterface(process.stdin).on("line", () => console.log("soon"));',
  );
  await assert.rejects(side.time(8), /answered "soon", which is not a time/);
  await side.end();
});

test("a program that does not end is killed", async () => {
  const side = await program("console.log(process.pid); setInterval(() => {}, 1000);");
  await side.end();
  assert.throws(() => process.kill(Number(side.answer), 0), { code: "ESRCH" });
});
