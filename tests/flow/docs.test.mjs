// The examples of the pages below docs/ run unchanged. Those that are marked with a name are run by readme.test.mjs.

import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/program.mjs";
import { folderInside } from "./inside.mjs";

const PAGES = join(root, "docs");

const folder = await folderInside("pages");
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
