// A WebAssembly module as text inside JavaScript: bytes stay whole characters, so that gzip and brotli find in the text what they
// find in the module. Base64 spreads each byte over two characters; compressed, that costs a third more.

/** All printable ASCII except `"` and `\`, which a string would escape, and `<`, which could end a script in HTML. */
const SYMBOLS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  .filter((symbol) => !'"\\<'.includes(symbol))
  .join("");

/** How many of the symbols stand for a byte by themselves. Each of the others begins a pair. */
const ALONE = 90;
/** How many bytes the pairs with the same first symbol stand for: two times 83 and 90 are 256. */
const PER_FIRST = 83;

/**
 * The text of a module, and what its decoder (pkg/entry/inline.js) needs.
 *
 * @param {Uint8Array} module
 * @returns {{ text: string, length: number, symbols: string, order: number[] }} `length` counts the module's bytes; `order` has all bytes, the commonest first: the first ones are written
 * as the symbol at the same place, the rest as pairs
 */
export function embedded(module) {
  const times = new Array(256).fill(0);
  for (const byte of module) times[byte]++;
  const order = times.map((_, byte) => byte).sort((a, b) => times[b] - times[a] || a - b);
  const codes = [];
  for (const [place, byte] of order.entries()) {
    const rest = place - ALONE;
    codes[byte] = rest < 0 ? SYMBOLS[place] : SYMBOLS[ALONE + Math.floor(rest / PER_FIRST)] + SYMBOLS[rest % PER_FIRST];
  }
  return { text: Array.from(module, (byte) => codes[byte]).join(""), length: module.length, symbols: SYMBOLS, order };
}
