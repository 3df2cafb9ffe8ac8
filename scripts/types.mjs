// The package's TypeScript face, from the declarations wasm-bindgen writes.

/** wasm-bindgen appends the declarations of its loader, which the package hides, from here on. */
const LOADER = "\nexport type InitInput =";

/**
 * The public declarations: the generated ones without the loader's.
 *
 * @param {string} generated wasm-bindgen's `.d.ts` of a `--target web` build
 */
export function publicTypes(generated) {
  const loader = generated.indexOf(LOADER);
  if (loader < 0) throw new Error("wasm-bindgen's .d.ts no longer has its loader where it was: see scripts/types.mjs");
  const body = generated
    .slice(0, loader)
    .replace(/^\/\* (?:ts|es)lint[:-]disable \*\/\n/gm, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    // wasm-bindgen has no word for a type parameter; without one, a sell would pass for a buy.
    .replace(/\b(build|quote)\(operation: Operation, request: RequestOf\[Operation\]/g, "$1<O extends Operation>(operation: O, request: RequestOf[O]")
    .trim();
  // `[Symbol.dispose]` is named by every class and is younger than the library most projects compile with.
  const library = body.includes("[Symbol.dispose]") ? '/// <reference lib="esnext.disposable" />\n\n' : "";
  return `${library}${body}\n`;
}

/** Declarations without their comments. */
export function withoutComments(declarations) {
  return declarations.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** The names of the values (classes, functions, constants) that declarations export, sorted. */
export function exportedValues(declarations) {
  const exported = /^\s*export (?:declare )?(?:abstract )?(?:class|function|const|enum) (\w+)/gm;
  return [...new Set([...withoutComments(declarations).matchAll(exported)].map(([, name]) => name))].sort();
}
