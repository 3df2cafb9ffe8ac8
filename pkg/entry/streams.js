// A WebAssembly module put together from its streams.
//
// In a module, numbers of many kinds stand between one another: an opcode, a local, an opcode, an offset. LZMA finds
// more where like stands beside like. So the packer (scripts/streams.mjs) takes the function bodies apart, each kind
// into a stream of its own, and this puts them together again, byte for byte. The terms are those of the WebAssembly
// specification's chapter on the binary format.
//
// What it reads: the length of what comes before the first body, and that of each stream, in LEB128; and then the
// streams, one after another. Left out is what the rest tells: the size of a body, which ends where its outermost block
// does, and alignments, which are all 0.
//
// As the decoder of LZMA, it runs once and cold: hence one loop, with tables for what hangs on an opcode. It knows what
// this package's modules hold and little more; the packer compares, and refuses a module that does not come out as it
// went in.

import { damaged } from "./lzma.js";

// The streams, in the order that packs best.
export const DECLARED_LOCALS = 0;
const BLOCK_TYPES = 1;
const LABELS = 2;
export const LOCALS = 3;
/** Those locals that the instructions after them take for an address. */
export const POINTERS = 4;
/** All of the module but the bodies. */
export const FRAME = 5;
/** Constants of 32 bits that have one byte, in eight parts by the instruction that uses them. */
const CONSTANTS_1 = 6;
export const LOAD_OFFSETS = 14;
export const STORE_OFFSETS = 15;
/** Functions, by how many bytes their index has. */
const FUNCTIONS = 16;
/** Constants of 32 bits that have two bytes, in eight parts as well. */
const CONSTANTS_2 = 21;
const CONSTANTS_3 = 29;
const CONSTANTS_4 = 30;
const CONSTANTS_5 = 31;
const LONG_CONSTANTS = 32;
export const FLOATS = 33;
/** The opcodes, and the immediates that hardly vary. */
export const CODE = 34;
export const STREAMS = 35;

export const END = 0x0b;
export const BR_TABLE = 0x0e;
const I32_ADD = 0x6a;
/** The first of two opcodes, for what fills and copies, and for conversions. */
export const BULK = 0xfc;
/** The first of two opcodes, for vectors. */
export const VECTOR = 0xfd;
// Where the length of an immediate chooses its stream, the opcode tells it: these are for one byte, and the four after
// each for more. No instruction of a module has them.
export const CALL = 0x15;
export const I32_CONST = 0xc8;
/** Stands for both opcodes of a constant vector, and of the shuffle of two: each has sixteen bytes, which are no numbers. */
export const V128_CONST = 0xc6;

/** Opcode → how many numbers its immediates are; of floats, how many bytes. */
export const COUNT = new Uint8Array(256);
/** Opcode → the stream they are in, or the first of several. */
export const STREAM = new Uint8Array(256);
for (const [first, last, stream, count] of [
  [0x02, 0x04, BLOCK_TYPES, 1],
  [0x0c, BR_TABLE, LABELS, 1],
  [0x11, 0x11, CODE, 2],
  ...[0, 1, 2, 3, 4].map((more) => [CALL + more, CALL + more, FUNCTIONS + more, 1]),
  [0x20, 0x22, LOCALS, 1],
  [0x23, 0x26, CODE, 1],
  [0x28, 0x35, LOAD_OFFSETS, 1],
  [0x36, 0x3e, STORE_OFFSETS, 1],
  [0x3f, 0x40, CODE, 1],
  [0x42, 0x42, LONG_CONSTANTS, 1],
  [0x43, 0x43, FLOATS, 4],
  [0x44, 0x44, FLOATS, 8],
  ...[CONSTANTS_1, CONSTANTS_2, CONSTANTS_3, CONSTANTS_4, CONSTANTS_5].map((stream, more) => [I32_CONST + more, I32_CONST + more, stream, 1]),
  [0xd0, 0xd0, CODE, 1],
  [0xd2, 0xd2, CODE, 1],
  [BULK, BULK, CODE, 1],
  [VECTOR, VECTOR, CODE, 1],
  [V128_CONST, V128_CONST + 1, FLOATS, 16],
]) {
  COUNT.fill(count, first, last + 1);
  STREAM.fill(stream, first, last + 1);
}

/** Whether a local is an address, by the two opcodes after it: it is loaded from, stored to, or added to. */
export const isPointer = (next, second) =>
  STREAM[next] === LOAD_OFFSETS || STREAM[second] === STORE_OFFSETS || (second === I32_ADD && next >= I32_CONST && next < I32_CONST + 5);

/** Which of eight parts a constant belongs to, by the opcode after it. */
export const partOf = (next) => (next >>> 4) & 7;

/** How many numbers follow {@link BR_TABLE} at a place: how many labels there are, those, and the one for the rest. */
export const labelsAt = (content, at) => 2 + (content[at] & 0x7f) + (content[at] > 0x7f ? content[at + 1] << 7 : 0);

/** How many numbers follow {@link BULK} and a second opcode, it among them. */
export const bulkOf = (second) => (second < 8 ? 1 : second > 14 ? 2 : 3 - (second & 1));

/** How many numbers follow {@link VECTOR} and a second opcode, it among them: of a place in memory two, of a lane one. */
export const vectorOf = (second) => (second < 12 || (second | 1) === 93 ? 3 : second > 20 && second < 35 ? 2 : second > 83 && second < 92 ? 4 : 1);

/**
 * Puts a module of `length` bytes together.
 *
 * @param {Uint8Array} content what scripts/streams.mjs made of the module
 * @param {number} length
 * @returns {Uint8Array}
 * @throws {RangeError} when the content is damaged, or of a module of another length
 */
export function joinStreams(content, length) {
  let read = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = content[read++];
      value |= (byte & 0x7f) << shift;
      if (!(byte > 0x7f)) return value >>> 0;
    }
  };
  let written = number();
  const lengths = Array.from({ length: STREAMS }, number);
  const at = lengths.map((length) => (read += length) - length);
  const frame = content.subarray(at[FRAME], at[FRAME] + lengths[FRAME]);
  const trailer = frame.subarray(written);
  const end = content.length;
  if (read !== end || written + trailer.length !== frame.length) throw damaged();

  const module = new Uint8Array(length);
  module.set(frame.subarray(0, written));
  // The body at hand.
  const body = new Uint8Array(length);
  let size = 0;
  let depth = 0;

  while (at[CODE] < end) {
    let stream = DECLARED_LOCALS;
    let left = 0;
    if (depth === 0) {
      // A body begins with the number of its groups of locals, and has of each how many of which type.
      left = 1 + 2 * content[at[DECLARED_LOCALS]];
      depth = 1;
    } else {
      const opcode = content[at[CODE]++];
      const next = content[at[CODE]];
      stream = STREAM[opcode];
      left = COUNT[opcode];
      body[size++] = opcode;
      if (stream === LOCALS) {
        if (isPointer(next, content[at[CODE] + 1])) stream = POINTERS;
      } else if (left === 0) {
        if (opcode === END) depth--;
      } else if (opcode >= I32_CONST && opcode < I32_CONST + 5) {
        body[size - 1] = 0x41;
        if (opcode < I32_CONST + 2) stream += partOf(next);
      } else if (stream === LOAD_OFFSETS || stream === STORE_OFFSETS) body[size++] = 0;
      else if (opcode >= CALL && opcode < CALL + 5) body[size - 1] = 0x10;
      else if (stream === BLOCK_TYPES) depth++;
      else if (opcode === BR_TABLE) left = labelsAt(content, at[LABELS]);
      else if (opcode === BULK) left = bulkOf(next);
      else if (opcode === VECTOR) left = vectorOf(next);
      else if ((opcode | 1) === V128_CONST + 1) {
        body[size - 1] = VECTOR;
        body[size++] = opcode - V128_CONST + 12;
      }
    }

    while (left > 0) {
      const byte = content[at[stream]++];
      body[size++] = byte;
      if (!(byte > 0x7f) || stream === FLOATS) left--;
    }

    if (depth === 0) {
      let rest = size;
      for (; rest > 0x7f; rest >>>= 7) module[written++] = rest | 0x80;
      module[written++] = rest;
      module.set(body.subarray(0, size), written);
      written += size;
      size = 0;
    }
  }
  if (depth !== 0 || written + trailer.length !== length) throw damaged();
  module.set(trailer, written);
  return module;
}
