// What crates.io would get: the crate's sources, its examples and its front matter, and nothing that cargo warns of.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import test from "node:test";
import { root, run } from "../../scripts/program.mjs";

async function cargoPackage(...options) {
  const said = { stdout: "", stderr: "" };
  const log = (chunk, stream) => (said[stream] += chunk);
  await run("cargo", ["package", "--locked", "--allow-dirty", "--package=launchpad-desk", ...options], { log }).catch(
    (error) => assert.fail(`${error.message}\n${said.stderr}`),
  );
  return said;
}

const files = (await cargoPackage("--list")).stdout.trim().split("\n");

test("the published crate has its sources, its examples and its front matter", () => {
  assert.ok(
    ["src/lib.rs", "examples/position.rs", "CRATE.md", "LICENSE-MIT"].every((file) => files.includes(file)),
    files.join("\n"),
  );
  const others = files.filter(
    (file) =>
      !/^(src\/.+\.rs|examples\/[\w-]+\.rs|examples\/exits\/tape\.csv|CRATE\.md|CHANGELOG\.md|LICENSE(-\w+)?|Cargo\.(lock|toml(\.orig)?)|\.cargo_vcs_info\.json)$/.test(
        file,
      ),
  );
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

// Its code is compiled by tests/stranger, from the same package.
test("cargo packages it without a warning", async () => {
  const { stderr } = await cargoPackage("--no-verify");
  assert.match(stderr, /Packaged \d+ files/);
  assert.doesNotMatch(stderr, /warning/);
});

test("the guide's example in Rust is the crate's, which is compiled as a doctest", async () => {
  const [own, whole] = await Promise.all(
    ["CRATE.md", "docs/rust.md"].map((file) => readFile(join(root, file), "utf8")),
  );
  const examples = (text) => text.match(/^```rust[^]*?^```$/gm);
  assert.equal(examples(own).length, 1);
  assert.deepEqual(examples(whole), examples(own));
});
