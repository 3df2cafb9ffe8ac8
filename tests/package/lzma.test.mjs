// The package's own decoder against the encoder that packs the module.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { decodeLzma } from "../../pkg/entry/lzma.js";
import { root, run } from "../../scripts/program.mjs";
import { ensureRustTools } from "../../scripts/setup.mjs";
import { splitStreams } from "../../scripts/streams.mjs";

const tools = await ensureRustTools();
const folder = await mkdtemp(join(tmpdir(), "lzma-"));
after(() => rm(folder, { recursive: true }));

let encodings = 0;
async function encode(content) {
  const from = join(folder, String(encodings++));
  const to = `${from}.lzma`;
  await writeFile(from, content);
  await run(join(tools, "lzma"), [from, to]);
  return new Uint8Array(await readFile(to));
}

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

/** Pieces of what came before, of every length and from every distance, with noise in between. */
function quotations(length, seed) {
  const numbers = bytes(8 * length, 256, seed);
  const content = [];
  for (let at = 0; content.length < length; at += 8) {
    const [kind, size, sizeHigh, far, farMiddle, farHigh, noise, more] = numbers.subarray(at, at + 8);
    const count = kind < 128 ? 1 + (size & 15) : 1 + size + (sizeHigh & 1) * 256;
    const distance = 1 + ((far | (farMiddle << 8) | (farHigh << 16)) >>> (more % 24));
    for (let copied = 0; copied < count; copied++) {
      content.push(kind % 3 && distance <= content.length ? content[content.length - distance] : (noise * (copied + 1)) & 0xff);
    }
  }
  return Uint8Array.from(content);
}

const module = await readFile(join(root, "pkg/dist/launchpad_desk_bg.wasm"));
const far = bytes(32_000, 256, 4);
const inputs = {
  nothing: new Uint8Array(0),
  "one byte": Uint8Array.of(7),
  "two bytes": Uint8Array.of(7, 7),
  "one value, over and over": new Uint8Array(100_000).fill(1),
  "every value in turn": Uint8Array.from({ length: 5_000 }, (_, index) => index),
  noise: bytes(200_000, 256, 1),
  "two symbols": bytes(70_000, 2, 2),
  "noise, repeated from afar": Uint8Array.from({ length: 4 * far.length }, (_, index) => far[index % far.length]),
  "near and far quotations": quotations(400_000, 5),
  "records that differ in one byte": Uint8Array.from({ length: 60_000 }, (_, index) => (index % 12 === 5 ? (index / 12) & 0xff : index % 12)),
  text: await readFile(join(root, "Cargo.lock")),
  "the module itself": module,
  "the module's streams": splitStreams(module),
};

for (const [title, input] of Object.entries(inputs)) {
  test(`decodes ${title}`, async () => {
    assert.ok(Buffer.from(decodeLzma(await encode(input), input.length)).equals(Buffer.from(input)));
  });
}

const content = quotations(3_000, 3);
const encoded = await encode(content);

test("a stream cut short, or with something after it, is an error", () => {
  for (let cut = 0; cut < encoded.length; cut++) {
    assert.throws(() => decodeLzma(encoded.subarray(0, cut), content.length), RangeError, `cut at ${cut}`);
  }
  assert.throws(() => decodeLzma(Uint8Array.of(...encoded, 0), content.length), RangeError);
});

test("a damaged stream gives bytes of the length said or an error, and never a hang", () => {
  let errors = 0;
  for (let at = 0; at < encoded.length; at++) {
    const flipped = Uint8Array.from(encoded);
    flipped[at] ^= 1 << (at % 8);
    try {
      assert.equal(decodeLzma(flipped, content.length).length, content.length);
    } catch (error) {
      assert.ok(error instanceof RangeError, `flipped at ${at}: ${error}`);
      errors++;
    }
  }
  assert.ok(errors > encoded.length / 2, "most damage shows");
});

test("content of another length than said is an error", () => {
  assert.throws(() => decodeLzma(encoded, content.length - 1), RangeError);
  assert.throws(() => decodeLzma(encoded, content.length + 1), RangeError);
});
