// Where the bytes of a WebAssembly module go: its functions, by the module of the source that they come from.

/** Reads the parts of a module's binary form. */
class Binary {
  #bytes;
  at;

  constructor(bytes, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get isEnd() {
    return this.at >= this.#bytes.length;
  }

  byte() {
    return this.#bytes[this.at++];
  }

  /** A number in LEB128. */
  number() {
    for (let number = 0, scale = 1; ; scale *= 128) {
      const byte = this.byte();
      number += (byte & 127) * scale;
      if (byte < 128) return number;
    }
  }

  /** The next bytes, as many as the number before them says. */
  sized() {
    const length = this.number();
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  text() {
    return new TextDecoder().decode(this.sized());
  }

  /** What `read` reads, as often as the number before it says. */
  list(read) {
    return Array.from({ length: this.number() }, () => read(this));
  }
}

const [CUSTOM, IMPORTS, CODE, DATA] = [0, 2, 10, 11];
const FUNCTION_NAMES = 1;

/** How many functions an import is, 0 or 1. No module of ours imports anything else that has more than limits. */
function importedFunctions(imports) {
  imports.text();
  imports.text();
  const kind = imports.byte();
  if (kind === 1) imports.byte();
  const hasMost = kind === 1 || kind === 2 ? imports.byte() & 1 : 0;
  imports.number();
  if (hasMost) imports.number();
  if (kind === 3) imports.byte();
  return kind === 0 ? 1 : 0;
}

/** Where a function comes from, by its name: `src/trade`, `crates/api/tape`, `pkg/wasm`, or another crate. */
function sourceOf(name) {
  const [, ours, own] = /\blaunchpad_desk(?:_(api|gateway|record|sandbox))?::(\w+)/.exec(name) ?? [];
  if (own) return ours ? `crates/${ours}/${own}` : `src/${own}`;
  const [, crate] = /(\w+)(?:\[\w+\])?::/.exec(name) ?? [];
  // An export has the name that JS calls it by.
  if (crate === undefined || crate === "launchpad_desk_wasm") return name ? "pkg/wasm" : "functions without a name";
  return /^(core|alloc|std|compiler_builtins|hashbrown)$/.test(crate) ? "Rust's library" : crate;
}

/**
 * The bytes of a module, by where they come from, the most first.
 *
 * @param {Uint8Array} module one with the names of its functions
 * @returns {Map<string, number>}
 */
export function bytesBySource(module) {
  const bodies = [];
  const names = new Map();
  const bytes = new Map();
  const count = (source, length) => bytes.set(source, (bytes.get(source) ?? 0) + length);
  let imported = 0;
  for (const binary = new Binary(module, 8); !binary.isEnd;) {
    const kind = binary.byte();
    const content = binary.sized();
    const section = new Binary(content);
    if (kind === IMPORTS) imported = section.list(importedFunctions).filter(Boolean).length;
    if (kind === CODE) bodies.push(...section.list((code) => code.sized().length));
    else if (kind !== CUSTOM) count(kind === DATA ? "texts and tables" : "types, exports and the rest", content.length);
    else if (section.text() === "name") {
      while (!section.isEnd) {
        const isFunctions = section.byte() === FUNCTION_NAMES;
        const part = new Binary(section.sized());
        if (isFunctions)
          for (const [index, name] of part.list((one) => [one.number(), one.text()])) names.set(index, name);
      }
    }
  }
  for (const [index, length] of bodies.entries()) count(sourceOf(names.get(imported + index) ?? ""), length);
  return new Map([...bytes].sort(([, one], [, other]) => other - one));
}
