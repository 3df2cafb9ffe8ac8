// `launchpad-desk doctor FILE`: who holds a lock, and what is removed.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { fileURLToPath } from "node:url";
import { fileJournal } from "launchpad-desk/node";
import { end } from "../hosts/command.mjs";

const folder = await realpath(await mkdtemp(join(tmpdir(), "unlock-")));
after(() => rm(folder, { recursive: true }));
const file = join(folder, "trades.journal");
const program = fileURLToPath(new URL("../../pkg/dist/cli.js", import.meta.url));

const unlock = (...args) => end(process.execPath, [program, "doctor", ...args], { cwd: folder });
const lockedBy = (holder) => writeFile(`${file}.lock`, typeof holder === "string" ? holder : JSON.stringify(holder));

test("the lock of another host is shown, and removed only when somebody says so", async () => {
  await lockedBy({ pid: 7, host: "another-machine", token: "x" });
  const asked = await unlock("trades.journal");
  assert.equal(asked.code, 64);
  assert.equal(
    asked.out,
    `${file} is locked by process 7 on the host another-machine (whether it runs cannot be checked from here)\n`,
  );
  assert.match(asked.err, /^this is not a terminal: pass --yes to confirm that the program has ended\n/);
  assert.ok(existsSync(`${file}.lock`));
  const told = await unlock("--yes", "trades.journal");
  assert.deepEqual([told.code, told.out.split("\n")[1], told.err], [0, "The lock was removed.", ""]);
  assert.ok(!existsSync(`${file}.lock`));
  assert.deepEqual(await unlock(file), { code: 64, out: "", err: `there is no file ${file}\n` });
  await writeFile(file, "");
  assert.deepEqual(await unlock(file), { code: 0, out: `${file} is not locked\n`, err: "" });
});

test("a lock whose process runs here is not removed", async () => {
  const journal = fileJournal(file);
  await journal.pending();
  const { code, err } = await unlock(file, "--yes");
  assert.equal(code, 1);
  assert.match(err, new RegExp(`^${file} is in use by process ${process.pid} on this host \\(.*\\): end it first\n$`));
  assert.ok(existsSync(`${file}.lock`));
  await journal.close();
});

test("the lock of a program that has ended, and a file that is not a lock, are removed, too", async () => {
  for (const [holder, said] of [
    [{ pid: 2 ** 22 + 1, host: hostname(), token: "x" }, `process ${2 ** 22 + 1} on this host (it has ended)`],
    ["half a lo", `a file that says nothing of a process: ${file}.lock`],
  ]) {
    await lockedBy(holder);
    const { code, out } = await unlock(file, "--yes");
    assert.deepEqual([code, out], [0, `${file} is locked by ${said}\nThe lock was removed.\n`]);
  }
});

test("it says what it takes", async () => {
  assert.match((await unlock("--help")).out, /^Usage: launchpad-desk doctor \[options\] \[file\]\n/);
  for (const args of [["a", "b"], ["a", "--force"], ["--yes"], ["a", "--profile", "sandbox"], ["a", "--json"]])
    assert.equal((await unlock(...args)).code, 64, args.join(" "));
});
