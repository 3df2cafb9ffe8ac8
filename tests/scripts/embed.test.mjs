// A module as text: every byte comes back, and the text may stand in a string and in a script of a page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { embedded } from "../../scripts/embed.mjs";

/** Reads the text by searching for the longest known code, unlike the package's own decoder. */
function decoded({ text, order, symbols }, alone = 90) {
  const codes = new Map(
    order.map((byte, place) => [
      place < alone
        ? symbols[place]
        : symbols[alone + Math.floor((place - alone) / 83)] + symbols[(place - alone) % 83],
      byte,
    ]),
  );
  const bytes = [];
  for (let at = 0; at < text.length;) {
    const code = codes.has(text[at]) ? text[at] : text.slice(at, at + 2);
    bytes.push(codes.get(code));
    at += code.length;
  }
  return bytes;
}

const CASES = {
  "every byte once": Uint8Array.from({ length: 256 }, (_, byte) => byte),
  "every byte, the rare ones most often": Uint8Array.from({ length: 32_896 }, (_, at) => Math.floor(Math.sqrt(2 * at))),
  "one byte": Uint8Array.of(60),
  "no byte": new Uint8Array(),
};

for (const [title, bytes] of Object.entries(CASES)) {
  test(`${title}: is read back, and needs no escape`, () => {
    const module = embedded(bytes);
    assert.equal(module.length, bytes.length);
    assert.deepEqual(decoded(module), [...bytes]);
    assert.match(module.text, /^[ -~]*$/);
    assert.doesNotMatch(module.text, /["\\<]/);
  });
}
