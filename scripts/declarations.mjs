// The package's declarations: tsc checks pkg/src, and each public entry becomes one file.

import { createRequire } from "node:module";
import { join } from "node:path";
import { root, run } from "./program.mjs";

const CONFIG = join(root, "pkg/tsconfig.json");

/** Checks the package's TypeScript, strictly. It needs the bindings of all modules. */
export async function checkTypes() {
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", CONFIG]);
}

/**
 * The declarations of a public entry, in one file.
 *
 * @param {string} entry a file below pkg/src
 * @param {boolean} exportReferencedTypes whether it also exports the types that its exports refer to
 */
export function declarationsOf(entry, exportReferencedTypes = true) {
  const { generateDtsBundle } = createRequire(import.meta.url)("dts-bundle-generator");
  const output = { noBanner: true, exportReferencedTypes, inlineDeclareGlobals: true };
  const [declarations] = generateDtsBundle([{ filePath: join(root, "pkg/src", entry), output, failOnClass: false }], { preferredConfigPath: CONFIG });
  // Without this line a file exports everything that it declares.
  const exported = exportReferencedTypes ? declarations.replace(/^export \{\};\n/m, "") : declarations;
  const body = exported.replace(/[ \t]+$/gm, "");
  // Newer than the standard library that most projects compile with.
  return /\bDisposable\b|Symbol\.(dispose|asyncDispose)/.test(body) ? `/// <reference lib="esnext.disposable" />\n\n${body}` : body;
}
