// npm run prove [-- name… --seed N --cases N]: runs the randomised tests of npm test, or those of these names, from a
// fresh seed, eighty times as long. It prints the seed first, and again after a failure: the same seed will fail again.

import { randomBytes } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildIfChanged } from "./build.mjs";
import { chosen, command, root, start } from "./program.mjs";
import { ensureProgram } from "./setup.mjs";
import { WITH_ALL } from "./steps.mjs";

/** The randomised tests in JavaScript. */
const IN_JAVASCRIPT = {
  quotes: ["tests/launchpad/same-bytes.test.mjs"],
  kills: ["tests/runtimes/sandbox-kill.test.mjs", "tests/runtimes/file-journal.test.mjs"],
  exits: ["tests/runtimes/exits-kill.test.mjs"],
  gateway: ["tests/edge/kill.test.mjs"],
  openapi: ["tests/openapi/conformance.test.mjs"],
  program: ["tests/program/program.test.mjs"],
  agents: ["tests/hosts/hostile-agent.test.mjs"],
  "record-long": ["tests/runtimes/record-long.test.mjs"],
};

/** What runs tests in Rust, by their names behind it. */
const CARGO_TEST = ["test", "--locked", WITH_ALL, "--profile=prove", "--test=rust", "--"];

/** Long tests in Rust, which are ignored otherwise. */
const LONG_IN_RUST = { market: "market_facts" };

/** What some of them need besides the package. */
const READY = { program: ensureProgram };

/** The randomised test files in Rust. */
async function properties() {
  const files = (await readdir(join(root, "tests/rust"))).filter((file) => file.endsWith(".rs"));
  const texts = await Promise.all(files.map((file) => readFile(join(root, "tests/rust", file), "utf8")));
  return files
    .filter((_, index) => /^ *#!\[proptest_config\(seeded::cases/m.test(texts[index]))
    .map((file) => file.slice(0, -".rs".length));
}

function checked(name, text, max) {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) < 1n || BigInt(text) > max)
    throw new Error(`--${name} takes a whole number from 1 to ${max}`);
  return text;
}

async function prove() {
  const { values, positionals: asked } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: "string" }, cases: { type: "string" } },
  });
  const seed = checked("seed", values.seed ?? String(randomBytes(8).readBigUInt64BE() | 1n), 2n ** 64n - 1n);
  const env = { PROVE_SEED: seed };
  if (values.cases !== undefined) env.PROVE_CASES = checked("cases", values.cases, 2n ** 32n - 1n);
  const inRust = await properties();
  // One of a name may be in both.
  const names = chosen(
    "test",
    [...new Set([...inRust, ...Object.keys(LONG_IN_RUST), ...Object.keys(IN_JAVASCRIPT)])],
    asked,
  );
  const again = `npm run prove -- ${asked.length ? `${names.join(" ")} ` : ""}--seed ${seed}${values.cases ? ` --cases ${values.cases}` : ""}`;
  console.log(`seed ${seed}`);

  const ends = [];
  // Some print figures, such as how many trades stay open.
  const inCargo = async (files, ...more) => {
    const tests = files.map((name) => `${name}::`);
    if (files.length) ends.push(await start("cargo", [...CARGO_TEST, ...tests, ...more, "--nocapture"], { env }));
  };
  await inCargo(names.filter((name) => inRust.includes(name)));
  await inCargo(
    names.flatMap((name) => LONG_IN_RUST[name] ?? []),
    "--ignored",
  );
  const inJavaScript = names.flatMap((name) => IN_JAVASCRIPT[name] ?? []);
  if (inJavaScript.length) {
    await buildIfChanged("release");
    for (const name of names) await READY[name]?.();
    ends.push(await start(process.execPath, ["--test", ...inJavaScript], { env }));
  }
  const failed = ends.some((end) => end !== 0);
  console.log(failed ? `failed; repeat with: ${again}` : `held with seed ${seed}`);
  return failed ? 1 : 0;
}

await command("prove", prove, 2);
