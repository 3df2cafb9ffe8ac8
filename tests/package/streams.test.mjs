// The package's own joiner of streams against the splitter that packs the modules.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import binaryen from "binaryen";
import { joinStreams } from "../../pkg/entry/streams.js";
import { MODULES } from "../../scripts/modules.mjs";
import { root } from "../../scripts/program.mjs";
import { splitStreams } from "../../scripts/streams.mjs";

/** The binary of a module in text. */
function assemble(text) {
  binaryen.setDebugInfo(false);
  const wasm = binaryen.parseText(text);
  wasm.setFeatures(binaryen.Features.All);
  try {
    return Buffer.from(wasm.emitBinary());
  } finally {
    wasm.dispose();
  }
}

const times = (count, part) => Array.from({ length: count }, (_, index) => part(index)).join(" ");

const everyImmediate = assemble(`(module
  (type $i (func (param i32) (result i32)))
  (import "a" "b" (func $imported (param i32) (result i32)))
  (memory 1)
  (table $t 3 funcref)
  (elem $e func $few $many)
  (elem declare func $few)
  (data $d "some bytes")
  (global $g (mut i32) (i32.const 5))
  (func $few (type $i)
    (local $x f32) (local $y f64) (local $z i64)
    (local.set $x (f32.const -123.456))
    (local.set $y (f64.const -1e300))
    (local.set $z (i64.const -9223372036854775808))
    (global.set $g (i32.add (global.get $g) (i32.const 64)))
    (i32.store align=1 (local.get 0) (i32.const -2147483648))
    (i64.store offset=70000 align=1 (i32.const 1048576) (local.get $z))
    (f64.store offset=200 align=1 (i32.const 8192) (local.get $y))
    (f32.store align=1 (i32.load offset=4294967295 align=1 (local.tee 0 (i32.const 1))) (local.get $x))
    (memory.copy (i32.const 0) (i32.const 1) (i32.const 2))
    (memory.fill (i32.const 0) (i32.const 1) (i32.const 2))
    (memory.init $d (i32.const 0) (i32.const 1) (i32.const 2))
    (data.drop $d)
    (table.init $t $e (i32.const 0) (i32.const 0) (i32.const 1))
    (elem.drop $e)
    (table.copy $t $t (i32.const 0) (i32.const 1) (i32.const 1))
    (table.fill $t (i32.const 0) (ref.null func) (i32.const 1))
    (table.set $t (table.size $t) (table.get $t (i32.const 0)))
    (drop (table.grow $t (ref.func $few) (i32.const 1)))
    (drop (i64.trunc_sat_f64_u (local.get $y)))
    (drop (memory.grow (memory.size)))
    (v128.store offset=200 align=1 (i32.const 0) (i8x16.shuffle 31 30 29 28 27 26 25 24 7 6 5 4 3 2 1 0
      (v128.const i64x2 0xfedcba9876543210 0x0b0b0b0b0b0b0b0b)
      (v128.load16_lane offset=300 align=1 5 (i32.const 1) (i8x16.replace_lane 15 (v128.load8_splat (i32.const 2)) (i32.const 3)))))
    (drop (i64x2.eq (i16x8.abs (v128.load64_zero align=1 (i32.const 4))) (i8x16.swizzle (v128.load offset=129 align=1 (i32.const 5)) (f64x2.splat (local.get $y)))))
    (drop (v128.any_true (i8x16.splat (i16x8.extract_lane_s 7 (v128.load32_zero align=1 (i32.const 6))))))
    (call_indirect $t (type $i) (call $imported (call $few (local.get 0))) (i32.const 0)))
  (func $many (type $i)
    ${times(300, (index) => `(local $l${index} ${["i32", "i64", "f64"][index % 3]})`)}
    ${times(300, (index) => `(drop (local.get $l${index}))`)}
    (block $out
      (loop $again
        (br_if $again (if (result i32) (i32.load8_u offset=128 align=1 (local.get $l297)) (then (i32.const 1)) (else (return (i32.const 2)))))
        (br $out)))
    (block $a (block $b (block $c (br_table $a $b $c (local.get 0)))))
    (block $a (block $b (br_table ${times(127, (index) => (index % 3 ? "$a" : "$b"))} $a (local.get 0))))
    (block $a (block $b (br_table ${times(1000, (index) => (index % 2 ? "$a" : "$b"))} $a (local.get 0))))
    (call $f150 (i32.const 1)))
  ${times(200, (index) => `(func $f${index} (type $i) (if (result i32) (local.get 0) (then (call $f${199 - index} (i32.const ${8 ** (index % 10)}))) (else (unreachable))))`)}
)`);

test("every kind of immediate goes through the streams", () => {
  const content = splitStreams(everyImmediate);
  assert.ok(everyImmediate.equals(joinStreams(content, everyImmediate.length)));
  assert.ok(content.includes("some bytes"), "what is no code stays as it is");
});

for (const { wasm } of MODULES) {
  test(`${wasm} goes through the streams`, async () => {
    const module = await readFile(join(root, "pkg/dist", wasm));
    assert.ok(module.equals(joinStreams(splitStreams(module), module.length)));
  });
}

/** A module of one function without parameters. */
function moduleOf(...body) {
  const code = [1, body.length + 1, 0, ...body];
  return Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 10, code.length, ...code]);
}

test("a module that the streams cannot hold is refused", () => {
  const fits = moduleOf(0x41, 0x00, 0x1a, 0x0b);
  assert.ok(fits.equals(joinStreams(splitStreams(fits), fits.length)));

  const aligned = moduleOf(0x41, 0x00, 0x28, 0x02, 0x00, 0x1a, 0x0b);
  const unknownOpcode = moduleOf(0x16, 0x00, 0x0b);
  const afterTheEnd = moduleOf(0x0b, 0x0b);
  const withoutEnd = moduleOf(0x01);
  const longSize = Buffer.from(moduleOf(0x01, 0x01, 0x0b));
  // The size of 4 in two bytes, which takes the place of an instruction.
  longSize.set([0x83, 0x00, 0x00, 0x0b], longSize.length - 5);
  for (const [title, module] of Object.entries({ aligned, unknownOpcode, afterTheEnd, withoutEnd, longSize, codeless: fits.subarray(0, 8) })) {
    assert.throws(() => splitStreams(module), Error, title);
  }
});

const content = splitStreams(everyImmediate);

test("content cut short, or with something after it, is an error", () => {
  for (let cut = 0; cut < content.length; cut++) {
    assert.throws(() => joinStreams(content.subarray(0, cut), everyImmediate.length), RangeError, `cut at ${cut}`);
  }
  assert.throws(() => joinStreams(Uint8Array.of(...content, 0), everyImmediate.length), RangeError);
});

test("damaged content gives bytes of the length said or an error, and never a hang", () => {
  let errors = 0;
  for (let at = 0; at < content.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Uint8Array.from(content);
      flipped[at] ^= 1 << bit;
      try {
        assert.equal(joinStreams(flipped, everyImmediate.length).length, everyImmediate.length);
      } catch (error) {
        assert.ok(error instanceof RangeError, `flipped at ${at}: ${error}`);
        errors++;
      }
    }
  }
  assert.ok(errors > content.length, "much damage shows");
});

test("a module of another length than said is an error", () => {
  assert.throws(() => joinStreams(content, everyImmediate.length - 1), RangeError);
  assert.throws(() => joinStreams(content, everyImmediate.length + 1), RangeError);
});
