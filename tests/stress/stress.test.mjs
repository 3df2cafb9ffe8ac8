// Programs that once made V8 abort, on each major version of Node that the package supports.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { capture, root } from "../../scripts/program.mjs";
import { OWN_NODE } from "../../scripts/steps.mjs";
import { exportsWithReferences } from "../../scripts/wasm.mjs";
import { NODE_20, NODE_22, NODE_24 } from "../faults/pinned.mjs";

const PROGRAM = fileURLToPath(new URL("program.mjs", import.meta.url));
const ENTRIES = ["index-node.js", "sandbox.js"].map((file) => join(root, "pkg/dist", file));
const PINNED = { 20: NODE_20(), 22: NODE_22(), 24: NODE_24() };
/** Those of a major version have one V8: the Node that runs this is tried only if its own is not pinned. */
const NODES = Object.entries({ [OWN_NODE]: process.execPath, ...PINNED });

for (const [major, node] of NODES) {
  for (const kind of ["shapes", "prototypes", "rounds"]) {
    test(`Node ${major} holds: ${kind}`, async () => {
      assert.equal(await capture(node, [PROGRAM, ...ENTRIES, kind]), "held\n");
    });
  }
}

for (const name of ["trade_bg.wasm", "market_bg.wasm", "sandbox_bg.wasm", "gateway_bg.wasm", "record_bg.wasm"]) {
  test(`no export of ${name} takes or gives a reference`, async () => {
    assert.deepEqual(await exportsWithReferences(await readFile(join(root, "pkg/dist", name))), []);
  });
}

test("the build sees an export that gives a reference, takes one, or gives one among others", async () => {
  const { default: binaryen } = await import("binaryen");
  const module = binaryen.parseText(`(module
    (func (export "numbers") (param i32 i64) (result f64) (f64.const 0))
    (func (export "gives") (result externref) (ref.null extern))
    (func (export "takes") (param i32 externref))
    (func (export "gives both") (result i32 externref) (i32.const 0) (ref.null extern))
    (table (export "table") 1 externref))`);
  module.setFeatures(binaryen.Features.All);
  assert.deepEqual(await exportsWithReferences(module.emitBinary()), ["gives", "takes", "gives both"]);
});
