// The package's own decoder against zlib's encoder, at every level and strategy.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { constants, deflateRawSync } from "node:zlib";
import { inflate } from "../../pkg/entry/inflate.js";
import { root } from "../../scripts/program.mjs";

/** Repeatable bytes (xorshift32) of `symbols` different values. */
function bytes(length, symbols, seed) {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % symbols;
  });
}

const far = bytes(32_000, 256, 4);
const inputs = {
  "nothing": new Uint8Array(0),
  "one byte": Uint8Array.of(7),
  "one value, over and over": new Uint8Array(100_000).fill(1),
  "noise": bytes(200_000, 256, 1),
  "two symbols": bytes(70_000, 2, 2),
  "noise, repeated from afar": Uint8Array.from({ length: 4 * 32_000 }, (_, index) => far[index % 32_000]),
  "the module itself": await readFile(join(root, "pkg/dist/launchpad_desk_bg.wasm")),
};

const strategies = ["Z_DEFAULT_STRATEGY", "Z_FILTERED", "Z_HUFFMAN_ONLY", "Z_RLE", "Z_FIXED"];

for (const [title, input] of Object.entries(inputs)) {
  test(`decodes ${title}`, () => {
    for (const strategy of strategies) {
      for (let level = 0; level <= 9; level++) {
        const encoded = deflateRawSync(input, { level, strategy: constants[strategy] });
        assert.ok(Buffer.from(inflate(encoded, input.length)).equals(Buffer.from(input)), `${strategy}, level ${level}`);
      }
    }
  });
}

test("a damaged stream is an error and never a hang", () => {
  const content = bytes(3_000, 40, 3);
  const encoded = deflateRawSync(content, { level: 9 });
  for (let cut = 0; cut < encoded.length; cut++) {
    assert.throws(() => inflate(encoded.subarray(0, cut), content.length), RangeError, `cut at ${cut}`);
  }
  for (let at = 0; at < encoded.length; at++) {
    const flipped = Uint8Array.from(encoded);
    flipped[at] ^= 1 << at % 8;
    try {
      assert.equal(inflate(flipped, content.length).length, content.length);
    } catch (error) {
      assert.ok(error instanceof RangeError, `flipped at ${at}: ${error}`);
    }
  }
});

test("content of another length than said is an error", () => {
  const encoded = deflateRawSync(Buffer.from("a module"));
  assert.throws(() => inflate(encoded, 7), RangeError);
  assert.throws(() => inflate(encoded, 9), RangeError);
});
