// The examples of the pages below docs/ run unchanged. Those that are marked with a name are run by readme.test.mjs.

import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/program.mjs";

const PAGES = join(root, "docs");

// Inside the repository, so that the examples find the package as any file here does.
await mkdir(join(root, ".cache"), { recursive: true });
const folder = await mkdtemp(join(root, ".cache/pages-"));
// Not in an `after` hook: that may run before the last tests of a file that awaits between them.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
// Some write files.
process.chdir(folder);

let count = 0;
for (const page of await readdir(PAGES)) {
  for (const [, code] of (await readFile(join(PAGES, page), "utf8")).matchAll(
    /(?<!^<!-- run: .+ -->\n)^```js\n([^]*?)^```/gm,
  )) {
    const name = join(folder, `${count++}.mjs`);
    test(`docs/${page}: ${code.split("\n").at(-2)}`, async (context) => {
      const { mock } = context.mock.method(console, "log", () => {});
      await writeFile(name, code);
      await import(pathToFileURL(name).href);
      const logged = mock.calls.map(({ arguments: said }) => said.join(" "));
      for (const [, said] of code.matchAll(/console\.log\(.*\); +\/\/ (.*)/g))
        assert.ok(logged.includes(said), `${said}, not ${logged}`);
    });
  }
}

test("there are examples", () => assert.ok(count >= 3, `${count}`));
