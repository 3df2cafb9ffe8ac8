// What a fresh machine gets, on simulated machines: programs that record how they are called.

import assert from "node:assert/strict";
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { capture, root } from "../../scripts/program.mjs";

async function inFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), "fresh-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a line with the parts of scripts/setup.mjs of a project, as a program of its own. */
const setUp = (line, { project = root, env }) =>
  capture(
    process.execPath,
    [
      "--input-type=module",
      "--eval",
      `import * as setup from ${JSON.stringify(join(project, "scripts/setup.mjs"))}; await ${line};`,
    ],
    { env, cwd: project },
  );

/** A machine with only these shell scripts on its PATH; `calls` lists their calls. */
async function machine(t, programs) {
  const folder = await inFolder(t);
  const log = join(folder, "log");
  await writeFile(log, "");
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\ncd "${folder}"\necho "${name} $*" >> log\n${script}\n`);
    await chmod(join(folder, name), 0o755);
  }
  return { env: { PATH: folder }, calls: async () => (await readFile(log, "utf8")).trimEnd().split("\n") };
}

const [, BINDGEN] = /^name = "wasm-bindgen"\nversion = "(.+)"$/m.exec(await readFile(join(root, "Cargo.lock"), "utf8"));
const RUNNER = { "wasm-bindgen-test-runner": "" };
const WITH_RUNNER = "{ withTestRunner: true }";
const BUILD =
  "cargo build --quiet --config=future-incompat-report.frequency='never' --locked --profile=tools --package=launchpad-desk-tools --bins";
for (const [title, version, others, wanted, built] of [
  ["a wasm-bindgen of the crate's version is taken from PATH", BINDGEN, {}, "", []],
  ["one of another version is not: one is built", "0.2.1", RUNNER, "", [BUILD]],
  ["with its test runner it is taken for a browser's tests, too", BINDGEN, RUNNER, WITH_RUNNER, []],
  ["without that it is not: both are built", BINDGEN, {}, WITH_RUNNER, [`${BUILD} --features=test-runner`]],
]) {
  test(title, async (t) => {
    const { env, calls } = await machine(t, {
      ...others,
      "wasm-bindgen": `echo "wasm-bindgen ${version}"`,
      cargo: `echo '{"target_directory":"/built"}'`,
    });
    const line = `setup.ensureRustTools(${wanted}).then((folder) => console.log(\`tools in \${folder}\`))`;
    const told = await setUp(line, { env });
    assert.match(told, built.length ? /^tools in \/built\/tools$/m : new RegExp(`^tools in ${env.PATH}$`, "m"));
    assert.deepEqual(
      (await calls()).filter((call) => call.startsWith("cargo build")),
      built,
    );
  });
}

test("a page needs fewer packages than the rest, and what is there is not installed again, whatever the machine's settings", async (t) => {
  const project = await inFolder(t);
  for (const file of ["setup.mjs", "program.mjs"])
    await cp(join(root, "scripts", file), join(project, "scripts", file));
  const needs = { dependencies: { page: "file:page" }, devDependencies: { tool: "file:tool" } };
  const packages = { "": needs };
  for (const [name, isTool] of Object.entries({ page: false, tool: true })) {
    await mkdir(join(project, name));
    await writeFile(join(project, name, "package.json"), JSON.stringify({ name, version: "1.0.0" }));
    packages[name] = { version: "1.0.0", dev: isTool };
    packages[`node_modules/${name}`] = { resolved: name, link: true };
  }
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, ...needs }));
  const lock = { lockfileVersion: 3, requires: true, packages };
  await writeFile(join(project, "package-lock.json"), JSON.stringify(lock));
  const env = { NODE_ENV: "production", npm_config_offline: "true", npm_config_omit: "dev" };
  const installed = async () =>
    (await readdir(join(project, "node_modules"))).filter((name) => !name.startsWith(".")).sort();

  await setUp("setup.ensurePagePackages()", { project, env });
  assert.deepEqual(await installed(), ["page"]);
  await setUp("setup.ensurePackages()", { project, env });
  assert.deepEqual(await installed(), ["page", "tool"]);
  await setUp("setup.ensurePagePackages()", { project, env });
  assert.deepEqual(await installed(), ["page", "tool"]);
});
