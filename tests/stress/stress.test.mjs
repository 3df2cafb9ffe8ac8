// Programs that once made V8 abort, on each major version of Node that the package supports.

import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { MODULES } from "../../scripts/modules.mjs";
import { capture, root } from "../../scripts/program.mjs";
import { OWN_NODE } from "../../scripts/steps.mjs";
import { optimize } from "../../scripts/wasm.mjs";
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

for (const { wasm } of MODULES) {
  test(`${wasm} has no references, which abort Node 20 and 22`, async () => {
    await optimize(join(root, "pkg/dist", wasm), devNull, []);
  });
}

test("the build refuses a module whose function gives a reference, takes one, or gives one among others", async () => {
  const { default: binaryen } = await import("binaryen");
  for (const [types, gives] of [
    ["(result externref)", "(ref.null extern)"],
    ["(param i32 externref)", ""],
    ["(result i32 externref)", "(tuple.make 2 (i32.const 0) (ref.null extern))"],
  ]) {
    const module = binaryen.parseText(`(module (func (export "it") ${types} ${gives}))`);
    module.setFeatures(binaryen.Features.All);
    const file = join(await mkdtemp(join(tmpdir(), "references-")), "module.wasm");
    await writeFile(file, module.emitBinary());
    await assert.rejects(optimize(file, devNull, []), /all used types should be allowed/, types);
  }
});
