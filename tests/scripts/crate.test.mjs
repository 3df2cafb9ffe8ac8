// What crates.io would get: the sources of each crate, examples and front matter, and nothing that cargo warns of.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import test from "node:test";
import { root, run } from "../../scripts/program.mjs";
import { CRATES } from "../../scripts/steps.mjs";

async function cargo(...options) {
  const said = { stdout: "", stderr: "" };
  const log = (chunk, stream) => (said[stream] += chunk);
  await run("cargo", options, { log }).catch((error) => assert.fail(`${error.message}\n${said.stderr}`));
  return said;
}

const list = ["package", "--locked", "--allow-dirty", "--list"];
const filesOf = async (name) => (await cargo(...list, `--package=${name}`)).stdout.trim().split("\n");
const files = await filesOf("launchpad-desk");

const SOURCES = /^(src\/.+\.rs|examples\/[\w-]+\.rs|examples\/exits\/tape\.csv)$/;
const FRONT_MATTER =
  /^((CRATE|README|CHANGELOG)\.md|LICENSE(-\w+)?|Cargo\.(lock|toml(\.orig)?)|\.cargo_vcs_info\.json)$/;

test("the published crate has its sources, its examples and its front matter", () => {
  assert.ok(
    ["src/lib.rs", "examples/exits.rs", "CRATE.md", "LICENSE-MIT"].every((file) => files.includes(file)),
    files.join("\n"),
  );
  const others = files.filter((file) => !SOURCES.test(file) && !FRONT_MATTER.test(file));
  assert.deepEqual(others, []);
});

test("its pages link to nothing that it does not have", async () => {
  const links = [];
  for (const page of files.filter((file) => file.endsWith(".md"))) {
    const text = await readFile(join(root, page), "utf8");
    for (const [, target] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) links.push([page, target]);
  }
  assert.ok(links.length > 3, "links are found");
  const isThere = ([page, target]) =>
    /^https:\/\//.test(target)
      ? !target.includes("launchpad-desk") || target.startsWith("https://docs.rs/launchpad-desk")
      : files.includes(posix.join(posix.dirname(page), target));
  assert.deepEqual(
    links.filter((link) => !isThere(link)),
    [],
  );
});

test("every other crate has its sources and its front matter", async () => {
  for (const name of Object.keys(CRATES).slice(1)) {
    const own = await filesOf(name);
    for (const needed of ["src/lib.rs", "README.md", "LICENSE-MIT", "LICENSE-APACHE"])
      assert.ok(own.includes(needed), `${name} lacks ${needed}`);
    const others = own.filter((file) => !SOURCES.test(file) && !FRONT_MATTER.test(file));
    assert.deepEqual(others, [], name);
  }
});

// Their code is compiled by tests/stranger, from the same packages.
test("cargo would publish them together, without a warning", async () => {
  const { stderr } = await cargo("publish", "--workspace", "--dry-run", "--locked", "--allow-dirty", "--no-verify");
  for (const name of Object.keys(CRATES)) assert.match(stderr, new RegExp(`Uploading ${name} v`));
  assert.doesNotMatch(stderr.replaceAll("warning: aborting upload due to dry run", ""), /warning/);
});

test("the guide's example in Rust is the client's, which is compiled as a doctest", async () => {
  const [compiled, ...others] = await Promise.all(
    ["crates/client/README.md", "CRATE.md", "docs/rust.md"].map((file) => readFile(join(root, file), "utf8")),
  );
  const examples = (text) => text.match(/^```rust[^]*?^```$/gm);
  assert.equal(examples(compiled).length, 1);
  for (const text of others) assert.deepEqual(examples(text), examples(compiled));
});
