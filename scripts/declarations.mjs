// The package's declarations: tsc writes them for each file of pkg/src, and rollup puts them into one, so that every type is declared
// once. The file of an entry says which of them it has. Only the panel's own are apart, because they need a page's types.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { COMPANIONS, MODULES, PANEL, SHARED } from "./modules.mjs";
import { root, run } from "./program.mjs";

const CONFIG = join(root, "pkg/tsconfig.json");
const TYPES = join(root, ".cache/types");

/** Each entry's name in the package → its declarations by tsc. */
const ENTRIES = Object.fromEntries([
  ...MODULES.map(({ stem, source }) => [stem, join(TYPES, source.replace(/ts$/, "d.ts"))]),
  ...[...COMPANIONS, PANEL].map(({ folder }) => [folder, join(TYPES, folder, "index.d.ts")]),
]);

/** The entries by the names that programs import; the bindings are of no interest, for what is public does not show them. */
const entries = {
  name: "entries",
  resolveId(name) {
    if (name.startsWith("build:")) return { id: name, external: true };
    const [, entry = "index"] = /^launchpad-desk(?:\/([\w-]+))?$/.exec(name) ?? [undefined, null];
    return entry && ENTRIES[entry];
  },
};

/** Checks the package's TypeScript, strictly, and resolves to its declarations: file in dist → contents. It needs the bindings of all modules. */
export async function declarations() {
  await rm(TYPES, { recursive: true, force: true });
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", CONFIG]);
  const [{ rollup }, { dts }] = await Promise.all([import("rollup"), import("rollup-plugin-dts")]);
  const bundle = await rollup({ input: ENTRIES, plugins: [entries, dts()], external: /^node:/ });
  const shared = SHARED.file.replace(/\.js$/, "");
  const { output } = await bundle.generate({
    entryFileNames: "[name].d.ts",
    chunkFileNames: "[name].d.ts",
    minifyInternalExports: false,
    manualChunks: (id) =>
      id.startsWith(join(TYPES, PANEL.folder)) || Object.values(ENTRIES).includes(id) ? undefined : shared,
  });
  // Newer than the standard library that most projects compile with.
  const withLibrary = (code) =>
    /\bDisposable\b|Symbol\.(dispose|asyncDispose)/.test(code)
      ? `/// <reference lib="esnext.disposable" />\n\n${code}`
      : code;
  return new Map(output.map(({ fileName, code }) => [fileName, withLibrary(code)]));
}
