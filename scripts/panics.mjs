// Rust's library puts a message together before a panic traps. On wasm32-unknown-unknown there is no
// standard error to hear it, so every panic becomes the trap alone, and what made messages falls away.

import { readFile, writeFile } from "node:fs/promises";

/** The functions of Rust's library that do nothing but panic, by their names in the module. */
const PANICS =
  /^(core|alloc)(\[\w+\])?::(panicking::|option::(unwrap|expect)_failed|cell::panic_already|cell::lazy::panic_poisoned|str::slice_error_fail|slice::index::slice_index_fail|raw_vec::(handle_error|capacity_overflow)|alloc::handle_alloc_error)/;

/** What formats the parts of such messages. */
const FORMATTERS = /^<(core(\[\w+\])?::fmt::Formatter>::|.* as core(\[\w+\])?::fmt::\w+>::fmt$)/;
/** Where formatting begins that is not a panic's: these modules write their texts without. */
const FORMATTING = /^(core|alloc)(\[\w+\])?::fmt::(write|format)/;

/** Where a panic would say that it was: paths of source files, in the module's data. */
const PLACES = /(?:\/rustc\/[0-9a-f]{40}\/library|\.\/[\w.-]+\/src|src)\/[\w/]+\.rs/g;

/** The module with those paths blank. Their lengths stay, so that nothing moves. */
function withoutPlaces(binary) {
  const bytes = Buffer.from(binary);
  for (const { index, 0: place } of bytes.toString("latin1").matchAll(PLACES)) bytes.fill(0, index, index + place.length);
  return bytes;
}

/**
 * Takes the messages out of a module's panics. It is written in place.
 *
 * @param {string} module path of the WebAssembly module, which still has its names section
 */
export async function silencePanics(module) {
  const { default: binaryen } = await import("binaryen");
  // The names stay for wasm-opt, which sorts by them and then takes them out.
  binaryen.setDebugInfo(true);
  const wasm = binaryen.readBinary(await readFile(module));
  let silenced = 0;
  for (let index = 0; index < wasm.getNumFunctions(); index++) {
    const handle = wasm.getFunctionByIndex(index);
    const { name } = binaryen.getFunctionInfo(handle);
    if (FORMATTING.test(name)) throw new Error(`the module formats by ${name}, which takes what only panics should`);
    if (!PANICS.test(name) && !FORMATTERS.test(name)) continue;
    binaryen.Function(handle).body = wasm.unreachable();
    silenced++;
  }
  if (!silenced) throw new Error("no panic was found in the module: its names are others than scripts/panics.mjs knows");
  await writeFile(module, withoutPlaces(wasm.emitBinary()));
  wasm.dispose();
}
