// The commands as they are typed: what they print, and how they exit.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { root } from "../../scripts/program.mjs";

/** Starts a script of `scripts/`; an object before its arguments is added to the environment. */
function command(script, ...given) {
  const [env, ...args] = typeof given[0] === "object" ? given : [{}, ...given];
  const child = spawn(process.execPath, [join(root, "scripts", script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (chunk) => (told += chunk));
  return { child, told: () => told, ended: once(child, "close") };
}

/** Starts a serving command and resolves to it and the address it prints. */
async function serving(script) {
  const { child, told, ended } = command(script, "--port", "0");
  for await (const line of createInterface(child.stdout)) {
    if (/^http:\/\/127\.0\.0\.1:\d+\/$/.test(line)) return { child, ended, url: line };
  }
  assert.fail(told());
}

for (const [script, path, type] of [
  ["start.mjs", "", /^text\/html/],
  ["edge.mjs", "health", /^application\/json/],
]) {
  test(`${script} prints its address, serves there, and ends on Ctrl-C`, async () => {
    const { child, ended, url } = await serving(script);
    const response = await fetch(url + path);
    child.kill("SIGINT");
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type"), type);
    const [code] = await ended;
    assert.ok(code === 0 || code === 130, `ended with ${code}`);
    await assert.rejects(fetch(url), "nothing answers any more");
  });
}

test("a taken or invalid port is reported in one line", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { told, ended } = command("start.mjs", "--port", String(taken.address().port));
  assert.deepEqual(await ended, [1, null]);
  assert.match(told(), /^start: port \d+ is taken; --port 0 picks a free one\n$/);
  taken.close();
  for (const port of ["x", "70000", "-1", ""]) {
    const { told, ended } = command("start.mjs", `--port=${port}`);
    assert.deepEqual(await ended, [1, null]);
    assert.match(told(), /^start: --port takes a number from 0 to 65535/);
  }
});

test("the test command knows its steps, and refuses others", async () => {
  const { told, ended } = command("test.mjs", "--only", "format,fromat");
  assert.deepEqual(await ended, [2, null]);
  assert.match(told(), /^test: no such step: fromat; there are build, format, format-js, lint-js, programs, rust, /);
});

test("the test command sums up in its last line", async () => {
  const { told, ended } = command("test.mjs", "--only", "format");
  const [code] = await ended;
  const sums = told().match(/^\d+ passed, \d+ failed$/gm);
  assert.equal(sums?.length, 1);
  assert.ok(told().endsWith(`\n${sums[0]}\n`));
  assert.equal(code, sums[0].endsWith(" 0 failed") ? 0 : 1);
});

test("a step does not run when one that it needs has failed, and others do", async () => {
  const folder = await mkdtemp(join(tmpdir(), "test-"));
  await writeFile(join(folder, "cargo"), '#!/bin/sh\n[ "$1" = fmt ]\n', { mode: 0o755 });
  try {
    const { told, ended } = command(
      "test.mjs",
      { PATH: `${folder}${delimiter}${process.env.PATH}`, LOGS: join(folder, "logs") },
      "--only",
      "format,programs,node",
    );
    assert.deepEqual(await ended, [1, null]);
    assert.match(told(), /^✓ format /m);
    assert.match(told(), /^why node failed:\n {4}not run, since programs failed$/m);
    assert.match(told(), /^failing: programs, node$/m);
    assert.doesNotMatch(told(), /^… node$/m);
    assert.match(told(), /\n1 passed, 2 failed\n$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the lock files name no host, and every package is locked by its content", async () => {
  const { packages } = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8"));
  const linked = ["", "pkg", "node_modules/launchpad-desk"];
  for (const [path, { resolved, integrity }] of Object.entries(packages)) {
    if (linked.includes(path)) continue;
    assert.equal(resolved, undefined, path);
    assert.match(integrity, /^sha512-/, path);
  }
  const sources = new Set((await readFile(join(root, "Cargo.lock"), "utf8")).match(/^source = .*/gm));
  assert.deepEqual([...sources], ['source = "registry+https://github.com/rust-lang/crates.io-index"']);
});
