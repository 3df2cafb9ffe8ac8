// Raw LZMA, decoded at once: what stands between the text this package travels as and its WebAssembly
// module. LZMA makes the module a sixth smaller than deflate does, and its decoder is the shorter one.
// Hosts have decoders of their own, but asynchronous ones, and an import that must be awaited would
// spread to every importer.
//
// The coder's parameters are those of tools/src/bin/lzma.rs: lc = 3, lp = 0, pb = 0, the length known, no
// end marker. The format is described in the LZMA SDK's lzma-specification.txt, whose terms stand here.

// Where each kind of decision has its chances, in one table: a chance for each state, or a tree of them.
const MATCH = 0;
const REPEAT = 12;
const REPEAT_OTHER = 24;
const REPEAT_OLDER = 36;
const REPEAT_OLDEST = 48;
const REPEAT_LONG = 60;
const MATCH_LENGTH = 72;
const REPEAT_LENGTH = MATCH_LENGTH + 2 + 8 + 8 + 256;
const SLOT = REPEAT_LENGTH + 2 + 8 + 8 + 256;
const DISTANCE = SLOT + 4 * 64;
const ALIGN = DISTANCE + 128;
const LITERAL = ALIGN + 16;
const CHANCES = LITERAL + 8 * 0x300;

const EVEN = 1024;

/**
 * Decodes `input`, a raw LZMA stream of exactly `length` bytes of content.
 *
 * @param {Uint8Array} input
 * @param {number} length
 * @returns {Uint8Array}
 * @throws {RangeError} when the stream is damaged or of another length
 */
export function decodeLzma(input, length) {
  const output = new Uint8Array(length);
  const chances = new Uint16Array(CHANCES).fill(EVEN);
  let written = 0;
  let read = 0;
  let range = 0xffffffff;
  let code = 0;

  const shift = () => {
    code = ((code << 8) | input[read++]) >>> 0;
  };
  for (let first = 0; first < 5; first++) shift();

  const refill = () => {
    if (range < 0x1000000) {
      range = (range << 8) >>> 0;
      shift();
    }
  };

  /** A decision whose chances are learnt at `at`. */
  const bit = (at) => {
    const chance = chances[at];
    const bound = (range >>> 11) * chance;
    const value = code < bound ? 0 : 1;
    if (value) {
      code -= bound;
      range -= bound;
      chances[at] = chance - (chance >>> 5);
    } else {
      range = bound;
      chances[at] = chance + ((2048 - chance) >>> 5);
    }
    refill();
    return value;
  };

  /** So many even decisions. */
  const direct = (bits) => {
    let value = 0;
    while (bits--) {
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      if (one) code -= range;
      value = (value << 1) | one;
      refill();
    }
    return value;
  };

  /** A number of so many bits, the highest first. */
  const tree = (at, bits) => {
    let node = 1;
    for (let level = 0; level < bits; level++) node = (node << 1) | bit(at + node);
    return node - (1 << bits);
  };

  /** The same, the lowest first. */
  const reverseTree = (at, bits) => {
    let node = 1;
    let value = 0;
    for (let level = 0; level < bits; level++) {
      const one = bit(at + node);
      node = (node << 1) | one;
      value |= one << level;
    }
    return value;
  };

  const lengthAt = (at) => {
    if (!bit(at)) return 2 + tree(at + 2, 3);
    if (!bit(at + 1)) return 10 + tree(at + 10, 3);
    return 18 + tree(at + 18, 8);
  };

  const distanceAfter = (size) => {
    const slot = tree(SLOT + 64 * Math.min(size - 2, 3), 6);
    if (slot < 4) return slot;
    const bits = (slot >>> 1) - 1;
    const start = (2 | (slot & 1)) << bits;
    if (slot < 14) return start + reverseTree(DISTANCE + start - slot, bits);
    return start + (direct(bits - 4) << 4) + reverseTree(ALIGN, 4);
  };

  let state = 0;
  /** The last four distances, less one; the newest first. */
  let distances = [0, 0, 0, 0];

  const literal = () => {
    const at = LITERAL + 0x300 * (written ? output[written - 1] >>> 5 : 0);
    let symbol = 1;
    // After a match, the byte it would have gone on with is a hint, as long as it proves right.
    let hint = state < 7 ? undefined : output[written - distances[0] - 1];
    while (symbol < 0x100) {
      if (hint === undefined) {
        symbol = (symbol << 1) | bit(at + symbol);
        continue;
      }
      const expected = hint >>> 7;
      hint = (hint << 1) & 0xff;
      symbol = (symbol << 1) | bit(at + 0x100 * (1 + expected) + symbol);
      if ((symbol & 1) !== expected) hint = undefined;
    }
    output[written++] = symbol;
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
  };

  /** The length of a copy from one of the last four distances. */
  const repeat = () => {
    const inLiterals = state < 7;
    if (bit(REPEAT_OTHER + state)) {
      const age = !bit(REPEAT_OLDER + state) ? 1 : 2 + bit(REPEAT_OLDEST + state);
      distances.unshift(...distances.splice(age, 1));
    } else if (!bit(REPEAT_LONG + state)) {
      state = inLiterals ? 9 : 11;
      return 1;
    }
    state = inLiterals ? 8 : 11;
    return lengthAt(REPEAT_LENGTH);
  };

  /** The length of a copy from a new distance. */
  const match = () => {
    const size = lengthAt(MATCH_LENGTH);
    distances = [distanceAfter(size), ...distances.slice(0, 3)];
    state = state < 7 ? 7 : 10;
    return size;
  };

  const damaged = () => new RangeError("launchpad-desk: the embedded module is damaged");

  while (written < length) {
    if (!bit(MATCH + state)) {
      literal();
      continue;
    }
    const size = bit(REPEAT + state) ? repeat() : match();
    const from = written - distances[0] - 1;
    if (from < 0 || from >= written || written + size > length) throw damaged();
    for (let copied = 0; copied < size; copied++) output[written++] = output[from + copied];
  }
  if (code !== 0 || read !== input.length) throw damaged();
  return output;
}
