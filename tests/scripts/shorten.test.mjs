// The short names between a module and its glue: both sides change together, and nothing else does.

import assert from "node:assert/strict";
import test from "node:test";
import { shortenNames } from "../../scripts/shorten.mjs";

const text = (name) => [name.length, ...Buffer.from(name)];
const section = (id, ...content) => [id, content.flat().length, ...content.flat()];

/** A module: two imports of the glue's, one of another file's; a function, a memory and both exported. */
const MODULE = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 1, [0x60, 0, 1, 0x7f]),
  ...section(
    2,
    3,
    [...text("./launchpad_desk_bg.js"), ...text("__wbg_one_01"), 0, 0],
    [...text("./snippets/other.js"), ...text("two"), 0, 0],
    [...text("./launchpad_desk_bg.js"), ...text("__wbg_three_02"), 0, 0],
  ),
  ...section(3, 1, 0),
  ...section(5, 1, [1, 1, 2]),
  ...section(7, 2, [...text("sum"), 0, 3], [...text("memory"), 2, 0]),
  ...section(10, 1, [10, 0, 0x10, 0, 0x10, 1, 0x6a, 0x10, 2, 0x6a, 0x0b]),
]);

const GLUE = `export function sum() {
    const ret = wasm.sum();
    return ret;
}
function __wbg_get_imports() {
    const import0 = {
        __wbg_one_01: function() {
            return 1;
        },
        __wbg_three_02: function() { return handleError(function () {
            return wasm.memory.buffer.byteLength;
        }, arguments); },
    };
    return {
        __proto__: null,
        "./launchpad_desk_bg.js": import0,
        "./snippets/other.js": import1,
    };
}
function __wbg_finalize_init(instance) { wasm = instance.exports; wasm.otherwise; }
`;

test("both sides get the same short names", async () => {
  const { module, glue } = shortenNames(MODULE, GLUE);
  assert.match(glue, /^ {8}\$0: function/m);
  assert.match(glue, /^ {8}\$1: function/m);
  assert.match(glue, /wasm\.\$0\(\)/);
  assert.match(glue, /wasm\.\$1\.buffer/);
  assert.match(glue, /^ {8}\$0: import0,\n {8}\$1: import1,$/m, "a module has one name on both sides");
  assert.match(glue, /wasm\.otherwise/, "what is no export stays");
  assert.match(glue, /^export function sum\(/, "the public name stays");
  const compiled = new WebAssembly.Module(module);
  assert.deepEqual(
    WebAssembly.Module.imports(compiled).map(({ module: from, name }) => `${from} ${name}`),
    ["$0 $0", "$1 two", "$0 $1"],
  );
  assert.deepEqual(
    WebAssembly.Module.exports(compiled).map(({ name, kind }) => `${name} ${kind}`),
    ["$0 function", "$1 memory"],
  );
  const { exports } = new WebAssembly.Instance(compiled, { $0: { $0: () => 1, $1: () => 3 }, $1: { two: () => 20 } });
  assert.equal(exports.$0(), 24);
});

test("an import that the glue does not have is an error at the build, not at an import", () => {
  assert.throws(() => shortenNames(MODULE, GLUE.replace(/__wbg_three/, "__wbg_four")), /__wbg_three_02/);
});

test("a way to exports that it does not know is an error", () => {
  assert.throws(() => shortenNames(MODULE, `${GLUE}wasm["sum"]();`), /does not know/);
});

test("a module cut short is an error", () => {
  assert.throws(() => shortenNames(MODULE.subarray(0, MODULE.length - 3), GLUE), /ends in the middle/);
});
