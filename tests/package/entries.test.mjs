// The entries side by side, from the tarball, in an outside project: each public name is in one of them, and what one makes or throws is
// known to the others.

import assert from "node:assert/strict";
import { cp, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { MODULES, SHARED } from "../../scripts/modules.mjs";
import { root } from "../../scripts/program.mjs";
import { exportedValues, exportsOf, withoutComments } from "../types.mjs";
import { known } from "../together.mjs";
import { bundleIn, installAsStranger, readJson, runScript } from "./stranger.mjs";

const { folder, installed } = await installAsStranger();
await cp(join(root, "tests/together.mjs"), join(folder, "together.mjs"));
const dist = join(installed, "dist");
const { exports } = await readJson(join(installed, "package.json"));

/** The file of an entry in dist → what programs import. */
const ENTRIES = new Map(
  Object.keys(exports)
    .filter((entry) => !/\.js(on)?$/.test(entry))
    .map((entry) => [entry.slice(2) || "index", `launchpad-desk${entry.slice(1)}`]),
);
const wasmNames = MODULES.map(({ stem }) => stem);

test("each public name is in one entry, and is declared once", async () => {
  const places = new Map();
  for (const entry of ENTRIES.keys())
    for (const name of (await exportsOf(dist, `${entry}.d.ts`)).keys())
      places.set(name, [...(places.get(name) ?? []), entry]);
  assert.ok(places.size > 200 && places.size <= 300, `${places.size}`);
  assert.deepEqual(
    [...places].filter(([, entries]) => entries.length > 1),
    [],
  );

  const declared = new Map();
  for (const file of (await readdir(dist)).filter((name) => name.endsWith(".d.ts"))) {
    const text = withoutComments(await readFile(join(dist, file), "utf8"));
    const names = new Set(
      [
        ...text.matchAll(
          /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|function|const|enum) (\w+)/gm,
        ),
      ].map(([, name]) => name),
    );
    for (const name of names) declared.set(name, [...(declared.get(name) ?? []), file]);
  }
  assert.deepEqual(
    [...places.keys()].filter((name) => declared.get(name)?.length !== 1),
    [],
  );
});

for (const [entry, specifier] of ENTRIES) {
  test(`${specifier}: import and require have every declared name at once, by its name, and share them`, async () => {
    const source = `
      import { createRequire } from "node:module";
      import * as imported from "${specifier}";
      const required = createRequire(import.meta.url)("${specifier}");
      // An element is known by its tag.
      const named = (name) => typeof imported[name] !== "function" || name === "LaunchpadDesk" || imported[name].name === name;
      console.log(JSON.stringify(Object.keys(imported).filter((name) => imported[name] === required[name] && named(name)).sort()));`;
    assert.deepEqual(JSON.parse(await runScript(folder, "mjs", source)), await exportedValues(dist, `${entry}.d.ts`));
  });
}

/** Prints what the entries know of each other, imported in this order. */
const asked = (files) => `${files.map((file, at) => `import * as entry${at} from "${ENTRIES.get(file)}";`).join("\n")}
  import { knownToEachOther } from "./together.mjs";
  console.log(JSON.stringify(await knownToEachOther({ ${files.map((file, at) => `${file}: entry${at}`)} })));`;

const names = [...ENTRIES.keys()];
const PAIRS = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));

test("every pair of entries works in one program, whichever is first", { concurrency: true }, async (context) => {
  const all = PAIRS.flatMap((pair) => [pair, [...pair].reverse()]);
  assert.equal(all.length, 8 * 7, "of eight entries");
  for (const pair of all)
    await context.test(pair.join(" and "), async () =>
      assert.deepEqual(JSON.parse(await runScript(folder, "mjs", asked(pair))), known(...pair)),
    );
});

test("all of them work together, by import, by require, and in a bundle for Node and for browsers", async () => {
  const all = known(...names);
  assert.ok(Object.keys(all).length > 8);
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", asked(names))), all);
  const required = `(async () => { const { knownToEachOther } = await import("./together.mjs");
    console.log(JSON.stringify(await knownToEachOther({ ${names.map((file) => `${file}: require("${ENTRIES.get(file)}")`)} }))); })();`;
  assert.deepEqual(JSON.parse(await runScript(folder, "cjs", required)), all);
  const { text } = await bundleIn(folder, asked(names), ["node"]);
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", text)), all);
  const inPages = names.filter((name) => name !== "node");
  const page = await bundleIn(folder, asked(inPages), ["browser"]);
  assert.doesNotMatch(page.text, /import\.meta|\bfrom\s*"node:|\brequire\(/);
  assert.deepEqual(JSON.parse(await runScript(folder, "mjs", page.text)), known(...inPages));
});

for (const [conditions, end] of [
  [["workerd", "worker", "browser"], "-edge.js"],
  [["edge-light", "node"], "-edge.js"],
  [["browser"], ".js"],
  [["deno", "node"], ".js"],
  [["bun", "node"], ".js"],
  [[], ".js"],
]) {
  test(`conditions [${conditions}] find files in ${end}, and each entry takes no other than it needs`, async () => {
    for (const [entry, beside] of Object.entries({ market: [], sandbox: ["market"], record: [], gateway: [] })) {
      const { inputs } = await bundleIn(
        folder,
        `import * as entry from "launchpad-desk/${entry}"; console.log(entry);`,
        conditions,
      );
      assert.deepEqual(inputs, [SHARED.file, ...[entry, ...beside].map((name) => `${name}${end}`)].sort());
    }
  });
}

test("a file for hosts that compile nothing at run time imports its module as a file", async () => {
  for (const { stem, wasm } of MODULES) {
    const text = await readFile(join(dist, `${stem}-edge.js`), "utf8");
    assert.ok(text.includes(`from"./${wasm}?module"`), stem);
    assert.doesNotMatch(text, /new WebAssembly\.Module\(|atob\(/, "no module inside");
  }
});

test("each module exports its own classes alone, and only the sandbox's and the gateway's have a sandbox", async () => {
  const classes = new Map();
  for (const stem of wasmNames) {
    const { wasm } = MODULES.find((module) => module.stem === stem);
    const exported = WebAssembly.Module.exports(new WebAssembly.Module(await readFile(join(dist, wasm)))).map(
      ({ name }) => name,
    );
    for (const [, name] of exported.map((name) => /^__wbg_(\w+)_free$/.exec(name)).filter(Boolean))
      classes.set(name, [...(classes.get(name) ?? []), stem]);
  }
  assert.ok(classes.has("sandbox") && classes.has("curve"), "this is how one is found");
  // What a call takes is handed to each.
  assert.deepEqual(
    [...classes].filter(([name, stems]) => name !== "callargs" && stems.length > 1),
    [],
  );
  assert.deepEqual(
    [classes.get("sandbox"), classes.get("curve"), classes.get("trader")],
    [["sandbox"], ["market"], ["market"]],
  );
});

test("each module is in the package twice: as a file, and as text in one", async () => {
  const texts = [];
  for (const file of await readdir(dist)) {
    if (file.endsWith(".js") && (await readFile(join(dist, file), "utf8")).includes("new WebAssembly.Module("))
      texts.push(file);
  }
  assert.deepEqual(texts.sort(), MODULES.map(({ stem }) => `${stem}.js`).sort());
});
