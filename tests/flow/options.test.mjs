// docs/options.md has every option, as the types of the package explain it. UPDATE=1 writes it.

import assert from "node:assert/strict";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { TYPES, optionsPage } from "../../scripts/options-page.mjs";
import { root } from "../../scripts/program.mjs";

const read = (path) => readFile(join(root, path), "utf8");
const PAGE = join(root, "docs/options.md");

const types = (await readdir(join(root, "pkg/src"), { recursive: true })).filter((name) => name.endsWith(".ts"));
const made = optionsPage((await Promise.all(types.map((name) => read(`pkg/src/${name}`)))).join("\n"));

test("the page of options is what the types say", async () => {
  if (process.env.UPDATE) await writeFile(PAGE, made);
  assert.equal(await readFile(PAGE, "utf8"), made, "UPDATE=1 node --test tests/flow/options.test.mjs writes it");
});

test("it has each option that the package's types have, and says something about it", async () => {
  const api = await read("tests/api.d.ts");
  const names = TYPES.flatMap((type) => {
    const [, body] =
      new RegExp(`^interface ${type}\\b[^{]*{\\s([^]*?;)(?:\\n| )}$`, "m").exec(api) ?? assert.fail(type);
    const isOneLine = !body.includes("\n");
    return [...body.matchAll(isOneLine ? /(?:^|; )(\w+)\??[:(]/g : /^ {4}(\w+)\??[:(]/gm)].map(([, name]) => name);
  });
  assert.ok(names.length > 100, `${names.length}`);
  const missing = names.filter((name) => !new RegExp(`^\\| \`${name}\` \\| \`[^|].+ \\| .*\\S`, "m").test(made));
  assert.deepEqual(missing, []);
});
