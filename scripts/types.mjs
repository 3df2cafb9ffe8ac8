// Reads what the package's declarations export.

/** Declarations without their comments. */
export function withoutComments(declarations) {
  return declarations.replace(/\/\*[^]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "$1");
}

/** The names of the values (classes, functions, constants) that declarations export, sorted. */
export function exportedValues(declarations) {
  const exported = /^\s*export (?:declare )?(?:abstract )?(?:class|function|const|enum) (\w+)/gm;
  return [...new Set([...withoutComments(declarations).matchAll(exported)].map(([, name]) => name))].sort();
}
