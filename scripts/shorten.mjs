// wasm-bindgen names what passes between the module and its glue at length, with hashes that no
// compression shortens: `__wbg_new_5f28518387ad0e34`. Nobody else sees those names, so both sides get
// short ones here.

import { Reader, number } from "./binary.mjs";

const IMPORTS = 2;
const EXPORTS = 7;
const GLUE_MODULE = "./launchpad_desk_bg.js";

const shortName = (index) => `$${index.toString(36)}`;

const withLength = (bytes) => Buffer.concat([number(bytes.length), bytes]);
const name = (text) => withLength(Buffer.from(text, "utf8"));

/** Passes over the description of an import; see the specification of the binary format, 5.5.5. */
function skipImportType(reader) {
  const limits = () => {
    const flags = reader.byte();
    reader.number();
    if (flags & 1) reader.number();
  };
  const kind = reader.byte();
  if (kind === 0) reader.number();
  else if (kind === 1) (reader.byte(), limits());
  else if (kind === 2) limits();
  else if (kind === 3) reader.take(2);
  else throw new Error(`an import of unknown kind ${kind}`);
}

function shortenImports(content, names, modules) {
  const reader = new Reader(content);
  const count = reader.number();
  const parts = [number(count)];
  for (let index = 0; index < count; index++) {
    const module = reader.name();
    const field = reader.name();
    modules.set(module, modules.get(module) ?? shortName(modules.size));
    // Other modules are JavaScript files: what they export keeps its name.
    if (module === GLUE_MODULE) names.set(field, names.get(field) ?? shortName(names.size));
    parts.push(name(modules.get(module)), name(module === GLUE_MODULE ? names.get(field) : field), reader.span(() => skipImportType(reader)));
  }
  return Buffer.concat(parts);
}

function shortenExports(content, names) {
  const reader = new Reader(content);
  const count = reader.number();
  const parts = [number(count)];
  for (let index = 0; index < count; index++) {
    const field = reader.name();
    names.set(field, shortName(names.size));
    parts.push(name(names.get(field)), reader.span(() => (reader.byte(), reader.number())));
  }
  return Buffer.concat(parts);
}

function shortenModule(module, imports, exports, modules) {
  const reader = new Reader(module);
  const parts = [reader.take(8)];
  while (reader.at < module.length) {
    const id = reader.byte();
    let content = reader.take(reader.number());
    if (id === IMPORTS) content = shortenImports(content, imports, modules);
    if (id === EXPORTS) content = shortenExports(content, exports);
    parts.push(Buffer.from([id]), withLength(content));
  }
  return Buffer.concat(parts);
}

function shortenGlue(glue, imports, exports, modules) {
  if (/\bwasm\[/.test(glue)) throw new Error("the glue reaches exports in a way that scripts/shorten.mjs does not know");
  const renamed = new Set();
  const text = glue
    .replace(/^ {8}(\w+): function/gm, (line, field) => {
      if (!imports.has(field)) return line;
      renamed.add(field);
      return `        ${imports.get(field)}: function`;
    })
    .replace(/\bwasm\.(\w+)/g, (access, field) => (exports.has(field) ? `wasm.${exports.get(field)}` : access))
    .replace(/^ {8}"(\.\/[^"]+)": .*\n/gm, (line, module) => {
      if (!modules.has(module)) return line;
      // A file that several functions are taken from stands there once for each of them.
      if (renamed.has(module)) return "";
      renamed.add(module);
      return line.replace(`"${module}"`, modules.get(module));
    });
  const left = [...imports.keys(), ...modules.keys()].filter((field) => !renamed.has(field));
  if (left.length) throw new Error(`imports not found in the glue: ${left.join(", ")}`);
  return text;
}

/**
 * Gives everything that passes between a module and its glue a short name on both sides.
 *
 * @param {Uint8Array} module
 * @param {string} glue wasm-bindgen's JavaScript of a `--target web` build
 * @returns {{ module: Buffer, glue: string }}
 */
export function shortenNames(module, glue) {
  const imports = new Map();
  const exports = new Map();
  const modules = new Map();
  const shorter = shortenModule(module, imports, exports, modules);
  return { module: shorter, glue: shortenGlue(glue, imports, exports, modules) };
}
