// The examples in the TSDoc of pkg/src run as they stand.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { root } from "../../scripts/program.mjs";

const SOURCES = join(root, "pkg/src");

// Inside the repository, so that the examples find the package as any file here does.
await mkdir(join(root, ".cache"), { recursive: true });
const folder = await mkdtemp(join(root, ".cache/examples-"));
// Not in an `after` hook: that may run before the last tests of a file that awaits between them.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The examples of a file that import what they need: what each stands above, and its code. */
function examplesOf(source) {
  const comments = source.matchAll(/^ *\/\*\*([^]*?)\*\/\n *(.*)/gm);
  return [...comments].flatMap(([, comment, below]) => {
    const text = comment.replace(/^ *\* ?/gm, "");
    return [...text.matchAll(/```(?:js|ts)\n([^]*?)```/g)].filter(([, code]) => /^import /.test(code)).map(([, code]) => ({ below, code }));
  });
}

const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith(".ts")).sort();
let count = 0;
for (const file of files) {
  for (const { below, code } of examplesOf(await readFile(join(SOURCES, file), "utf8"))) {
    const name = join(folder, `${count++}.mjs`);
    test(`${file}: ${below}`, async (context) => {
      context.mock.method(console, "log", () => {});
      const { code: script } = await transform(code, { loader: "ts" });
      await writeFile(name, script);
      await import(pathToFileURL(name).href);
    });
  }
}

test("there are examples", () => assert.ok(count > 20, `${count}`));
