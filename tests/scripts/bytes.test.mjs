// `npm run build -- --sizes`, for a module that is made by hand.

import assert from "node:assert/strict";
import test from "node:test";
import { bytesBySource } from "../../scripts/bytes.mjs";

const text = (word) => [word.length, ...Buffer.from(word)];
const section = (kind, ...content) => [kind, content.length, ...content];
const body = (length) => [length, ...new Array(length).fill(0)];

test("the bytes of functions are counted by the module of the source that their names tell", () => {
  const names = [
    "env::imported",
    "launchpad_desk::trade::encode::h0",
    "core::ptr::drop_in_place<launchpad_desk_api::tape::Tape>::h1",
    "alloc[c5930c85a12de822]::vec::grow",
    "client_begin",
    "rlsf::alloc::h2",
  ];
  const module = Uint8Array.of(
    ...[0, 97, 115, 109, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(2, 2, ...text("env"), ...text("f"), 0, 0, ...text("env"), ...text("m"), 2, 1, 1, 2),
    ...section(10, 6, ...body(10), ...body(20), ...body(30), ...body(4), ...body(5), ...body(6)),
    ...section(11, 1, 2, 3),
    // In two bytes, since it has more than 127.
    ...((part) => [0, (part.length & 127) | 128, part.length >> 7, ...part])([
      ...text("name"),
      1,
      ...((part) => [(part.length & 127) | 128, part.length >> 7, ...part])([
        names.length,
        ...names.flatMap((name, index) => [index, ...text(name)]),
      ]),
    ]),
  );
  assert.deepEqual(
    [...bytesBySource(module)],
    [
      ["Rust's library", 30],
      ["types, exports and the rest", 23],
      ["crates/api/tape", 20],
      ["src/trade", 10],
      ["functions without a name", 6],
      ["rlsf", 5],
      ["pkg/wasm", 4],
      ["texts and tables", 3],
    ],
  );
});
