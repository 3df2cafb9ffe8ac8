// Raw deflate (RFC 1951), decoded at once: what stands between the text this package travels as and
// its WebAssembly module. Hosts have a decoder of their own, but an asynchronous one, and an import
// that must be awaited would spread to every importer.
//
// Canonical Huffman codes are decoded by counting, a bit at a time. The input is our own build's
// output; a stream that is not deflate, or not of the length said, is an error all the same.

const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST_CODE = 15;

/** How many codes there are of each length, and the symbols in the codes' order. */
function huffman(lengths) {
  const counts = new Uint16Array(LONGEST_CODE + 1);
  for (const length of lengths) counts[length]++;
  const starts = new Uint16Array(LONGEST_CODE + 2);
  for (let length = 1; length <= LONGEST_CODE; length++) starts[length + 1] = starts[length] + counts[length];
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length) symbols[starts[length]++] = symbol;
  });
  return { counts, symbols };
}

/**
 * Decodes `input`, a whole raw deflate stream of exactly `length` bytes of content.
 *
 * @param {Uint8Array} input
 * @param {number} length
 * @returns {Uint8Array}
 * @throws {RangeError} when the stream is damaged or of another length
 */
export function inflate(input, length) {
  const output = new Uint8Array(length);
  let read = 0;
  let written = 0;
  let held = 0;
  let heldBits = 0;

  const damaged = () => new RangeError("launchpad-desk: the embedded module is damaged");

  const bits = (count) => {
    while (heldBits < count) {
      if (read === input.length) throw damaged();
      held |= input[read++] << heldBits;
      heldBits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    heldBits -= count;
    return value;
  };

  const symbol = ({ counts, symbols }) => {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST_CODE; length++) {
      code |= bits(1);
      const count = counts[length];
      if (code - first < count) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw damaged();
  };

  const stored = () => {
    held = heldBits = 0;
    const size = input[read] | (input[read + 1] << 8);
    const end = read + 4 + size;
    if (end > input.length || written + size > length) throw damaged();
    output.set(input.subarray(read + 4, end), written);
    read = end;
    written += size;
  };

  const compressed = (literals, distances) => {
    for (;;) {
      const literal = symbol(literals);
      if (literal === 256) return;
      if (literal < 256) {
        if (written === length) throw damaged();
        output[written++] = literal;
        continue;
      }
      const size = LENGTH_BASE[literal - 257] + bits(LENGTH_BITS[literal - 257]);
      const code = symbol(distances);
      const from = written - DISTANCE_BASE[code] - bits(DISTANCE_BITS[code]);
      if (!(from >= 0 && written + size <= length)) throw damaged();
      for (let copied = 0; copied < size; copied++) output[written++] = output[from + copied];
    }
  };

  const fixed = () => {
    const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
    compressed(huffman(lengths), huffman(new Uint8Array(30).fill(5)));
  };

  const dynamic = () => {
    const literals = bits(5) + 257;
    const all = literals + bits(5) + 1;
    const given = bits(4) + 4;
    const codeLengths = new Uint8Array(19);
    for (let index = 0; index < given; index++) codeLengths[CODE_LENGTH_ORDER[index]] = bits(3);
    const code = huffman(codeLengths);
    const lengths = new Uint8Array(all);
    for (let index = 0; index < all; ) {
      const value = symbol(code);
      if (value < 16) {
        lengths[index++] = value;
        continue;
      }
      const repeated = value === 16 ? lengths[index - 1] : 0;
      const times = value === 16 ? 3 + bits(2) : value === 17 ? 3 + bits(3) : 11 + bits(7);
      if (repeated === undefined || index + times > all) throw damaged();
      lengths.fill(repeated, index, index + times);
      index += times;
    }
    compressed(huffman(lengths.subarray(0, literals)), huffman(lengths.subarray(literals)));
  };

  for (let last = 0; !last; ) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) stored();
    else if (kind === 1) fixed();
    else if (kind === 2) dynamic();
    else throw damaged();
  }
  if (written !== length) throw damaged();
  return output;
}
