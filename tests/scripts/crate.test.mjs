// What crates.io would get: the crate's sources, its examples and its front matter, and nothing that cargo warns of.

import assert from "node:assert/strict";
import test from "node:test";
import { run } from "../../scripts/program.mjs";

async function cargoPackage(...options) {
  const said = { stdout: "", stderr: "" };
  const log = (chunk, stream) => (said[stream] += chunk);
  await run("cargo", ["package", "--locked", "--offline", "--allow-dirty", "--package=launchpad-desk", ...options], { log }).catch((error) => assert.fail(`${error.message}\n${said.stderr}`));
  return said;
}

test("the published crate has its sources, its examples and its front matter", async () => {
  const files = (await cargoPackage("--list")).stdout.trim().split("\n");
  assert.ok(files.includes("src/lib.rs") && files.includes("examples/position.rs") && files.includes("README.md"), files.join("\n"));
  const others = files.filter((file) => !/^(src\/.+\.rs|examples\/[\w-]+\.rs|examples\/exits\/tape\.csv|(README|CHANGELOG)\.md|LICENSE(-\w+)?|Cargo\.(lock|toml(\.orig)?)|\.cargo_vcs_info\.json)$/.test(file));
  assert.deepEqual(others, []);
});

test("cargo packages it without a warning", async () => {
  const { stderr } = await cargoPackage("--no-verify");
  assert.match(stderr, /Packaged \d+ files/);
  assert.doesNotMatch(stderr, /warning/);
});
