// Raw LZMA, decoded at once: what stands between the text this package travels as and the streams of its WebAssembly
// module. LZMA makes the module a sixth smaller than deflate does, by a decoder of the same length. Hosts
// have decoders of their own, but asynchronous ones, and an import that must be awaited would spread to
// every importer.
//
// The coder's parameters are those of tools/src/bin/lzma.rs: lc = 1, lp = 0, pb = 0, the length known, no
// end marker. The format, and the terms used here, are those of the LZMA SDK's lzma-specification.txt.
//
// It runs once, at the import, before the engine has warmed up: hence one loop around one place that
// decodes bits, with everything in local variables. Every question to the stream is the walk down a binary
// tree whose every node has learnt its chances; a yes-or-no question is a tree of one node.

/** The questions. What the answer to one means decides the next. */
const IS_MATCH = 0;
const LITERAL = 1;
const IS_REPEAT = 2;
const IS_OLDER = 3;
const IS_LONG = 4;
const IS_THIRD = 5;
const IS_FOURTH = 6;
const IS_OVER_9 = 7;
const IS_OVER_17 = 8;
const SIZE = 9;
const SLOT = 10;
const DISTANCE = 11;
/** Not a question: all is known of a copy. */
const COPY = 12;

// Where the chances of each question's tree are. A tree's root has the index 1 in it; a question whose
// chances depend on the state has a tree of one node for each of the 12 states.
const AT_IS_MATCH = -1;
const AT_IS_REPEAT = 11;
const AT_IS_OLDER = 23;
const AT_IS_THIRD = 35;
const AT_IS_FOURTH = 47;
const AT_IS_LONG = 59;
const AT_SIZE = 71;
const AT_REPEATED_SIZE = AT_SIZE + 1 + 1 + 8 + 8 + 256;
const AT_SLOT = AT_REPEATED_SIZE + 1 + 1 + 8 + 8 + 256;
const AT_DISTANCE = AT_SLOT + 4 * 64;
const AT_ALIGN = AT_DISTANCE + 128;
const AT_LITERAL = AT_ALIGN + 16;
const CHANCES = AT_LITERAL + 2 * 0x300;

const EVEN = 1024;

export const damaged = () => new RangeError("launchpad-desk: the embedded module is damaged");

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

  // The range coder.
  let read = 5;
  let range = 0xffffffff;
  let code = ((input[1] << 24) | (input[2] << 16) | (input[3] << 8) | input[4]) >>> 0;

  // What the last few steps were, and the last four distances, less one; the newest first.
  let state = 0;
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;

  // The copy that is being read.
  let size = 0;
  let sizes = AT_SIZE;
  let bits = 0;

  // After a match, the byte it would have gone on with is a hint to the literal, as long as it proves right.
  let hinted = false;
  let hint = 0;

  let question = IS_MATCH;
  let at = AT_IS_MATCH;
  let leaves = 2;

  while (written < length) {
    let node = 1;
    do {
      let index = at + node;
      let expected = 0;
      if (hinted) {
        hint <<= 1;
        expected = hint & 0x100;
        index += 0x100 + expected;
      }
      const chance = chances[index];
      const bound = (range >>> 11) * chance;
      node <<= 1;
      if (code < bound) {
        range = bound;
        chances[index] = chance + ((2048 - chance) >>> 5);
        if (expected) hinted = false;
      } else {
        code -= bound;
        range -= bound;
        chances[index] = chance - (chance >>> 5);
        node |= 1;
        if (!expected) hinted = false;
      }
      if (range < 0x1000000) {
        range = (range << 8) >>> 0;
        code = ((code << 8) | input[read++]) >>> 0;
      }
    } while (node < leaves);
    const answer = node - leaves;
    leaves = 2;

    if (question === LITERAL) {
      hinted = false;
      output[written++] = answer;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      question = IS_MATCH;
    } else if (question === IS_MATCH) {
      if (answer) {
        question = IS_REPEAT;
        at = AT_IS_REPEAT + state;
      } else {
        question = LITERAL;
        at = AT_LITERAL + 0x300 * (written ? output[written - 1] >>> 7 : 0);
        leaves = 0x100;
        hinted = state >= 7;
        hint = output[written - first - 1];
      }
      continue;
    } else if (question === IS_REPEAT) {
      if (answer) {
        question = IS_OLDER;
        at = AT_IS_OLDER + state;
      } else {
        fourth = third;
        third = second;
        second = first;
        question = IS_OVER_9;
        at = sizes = AT_SIZE;
      }
      continue;
    } else if (question === IS_OLDER) {
      question = answer ? IS_THIRD : IS_LONG;
      at = (answer ? AT_IS_THIRD : AT_IS_LONG) + state;
      continue;
    } else if (question === IS_THIRD && answer) {
      question = IS_FOURTH;
      at = AT_IS_FOURTH + state;
      continue;
    } else if (question === IS_LONG && !answer) {
      size = 1;
      state = state < 7 ? 9 : 11;
      question = COPY;
    } else if (question === IS_THIRD || question === IS_FOURTH || question === IS_LONG) {
      if (question !== IS_LONG) {
        // The distance that is used again becomes the newest.
        const again = question === IS_THIRD ? second : answer ? fourth : third;
        if (question === IS_FOURTH) {
          if (answer) fourth = third;
          third = second;
        }
        second = first;
        first = again;
      }
      state = state < 7 ? 8 : 11;
      question = IS_OVER_9;
      at = sizes = AT_REPEATED_SIZE;
      continue;
    } else if (question === IS_OVER_9 && answer) {
      question = IS_OVER_17;
      at = sizes + 1;
      continue;
    } else if (question === IS_OVER_9 || question === IS_OVER_17) {
      size = question === IS_OVER_9 ? 2 : answer ? 18 : 10;
      at = sizes + size;
      leaves = size === 18 ? 256 : 8;
      question = SIZE;
      continue;
    } else if (question === SIZE) {
      size += answer;
      question = COPY;
      if (sizes === AT_SIZE) {
        state = state < 7 ? 7 : 10;
        question = SLOT;
        at = AT_SLOT + 64 * Math.min(size - 2, 3);
        leaves = 64;
        continue;
      }
    } else if (question === SLOT) {
      first = answer;
      question = COPY;
      if (answer >= 4) {
        // A slot gives the two highest bits of the distance, and how many there are below.
        bits = (answer >>> 1) - 1;
        first = (2 | (answer & 1)) << bits;
        at = AT_DISTANCE + first - answer;
        if (answer >= 14) {
          // Those in the middle have even chances.
          for (; bits > 4; bits--) {
            range >>>= 1;
            if (code >= range) {
              code -= range;
              first += 1 << (bits - 1);
            }
            if (range < 0x1000000) {
              range = (range << 8) >>> 0;
              code = ((code << 8) | input[read++]) >>> 0;
            }
          }
          at = AT_ALIGN;
        }
        question = DISTANCE;
        leaves = 1 << bits;
        continue;
      }
    } else {
      // The lowest bits, of which the lowest came first.
      for (let bit = 0; bit < bits; bit++) first += ((answer >>> bit) & 1) << (bits - 1 - bit);
      question = COPY;
    }

    if (question === COPY) {
      const from = written - first - 1;
      if (from < 0 || from >= written || written + size > length) throw damaged();
      for (let copied = 0; copied < size; copied++) output[written++] = output[from + copied];
    }
    question = IS_MATCH;
    at = AT_IS_MATCH + state;
  }

  // A whole stream is read to its last byte, and leaves nothing over.
  if (code !== 0 || read !== input.length) throw damaged();
  return output;
}
