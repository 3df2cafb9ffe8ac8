// The package's TypeScript face, from the declarations wasm-bindgen writes.

/**
 * The public declarations: the generated ones, tidied.
 *
 * @param {string} generated wasm-bindgen's `.d.ts`
 */
export function publicTypes(generated) {
  const body = generated
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

/** A declaration at the top of a file, with its documentation: up to the next one's. */
const DECLARATIONS = /^(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export [^]*?(?=\n(?:\/\*\*|export )|$(?![^]))/gm;
const isType = (declaration) => /^export (?:interface|type) /m.test(declaration);

/**
 * The public declarations without the types that no value leads to: the crate declares the types of all its features,
 * whichever one is compiled.
 */
export function withoutUnreached(types) {
  const all = types.match(DECLARATIONS) ?? [];
  // A class and an interface may share a name, and are one type then.
  const named = new Map();
  for (const declaration of all) {
    const [, name] = /^export (?:declare )?(?:abstract )?\w+ (\w+)/m.exec(declaration);
    named.set(name, [...(named.get(name) ?? []), declaration]);
  }
  const reached = new Set();
  const reach = (declaration) => {
    if (reached.has(declaration)) return;
    reached.add(declaration);
    for (const [word] of withoutComments(declaration).matchAll(/\w+/g)) (named.get(word) ?? []).forEach(reach);
  };
  all.filter((declaration) => !isType(declaration)).forEach(reach);
  const [library = ""] = /^\/\/\/ .*\n\n/.exec(types) ?? [];
  return `${library}${all.filter((declaration) => reached.has(declaration)).map((declaration) => declaration.trim()).join("\n\n")}\n`;
}

/** Declarations without their comments. */
export function withoutComments(declarations) {
  return declarations.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

const namesAfter = (declarations, words) => {
  const exported = new RegExp(`^\\s*export (?:declare )?(?:abstract )?(?:${words}) (\\w+)`, "gm");
  return [...new Set([...withoutComments(declarations).matchAll(exported)].map(([, name]) => name))].sort();
};

/** The names of the values (classes, functions, constants) that declarations export, sorted. */
export const exportedValues = (declarations) => namesAfter(declarations, "class|function|const|enum");

/** The names of the values that are neither classes nor functions. */
export const exportedConstants = (declarations) => namesAfter(declarations, "const|enum");
