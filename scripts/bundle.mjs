// The package's JavaScript: the hand-written entries of pkg/entry around the bindings, one file each.

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./program.mjs";

const ENTRIES = join(root, "pkg/entry");
const MODULE = "launchpad_desk_bg.wasm";

/** file in dist → its entry and format */
const BUNDLES = {
  "index.js": { entry: "inline.js", format: "esm" },
  "index.cjs": { entry: "inline.js", format: "cjs" },
  "workerd.js": { entry: "workerd.js", format: "esm" },
  "edge-light.js": { entry: "edge-light.js", format: "esm" },
  "web.js": { entry: "web.js", format: "esm" },
};

/** How every entry is bundled. What is exported gets its name back: see {@link namesModule}. */
const OPTIONS = {
  bundle: true,
  platform: "neutral",
  target: "es2020",
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  // Node shows the whole line that an uncaught error was thrown on.
  lineLimit: 400,
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/**
 * Where each of `names` is exported from: the glue, or one of the snippets it brought along (classes
 * that are written in JavaScript).
 *
 * @returns {Promise<Map<string, string[]>>} file → names
 */
async function locate(esbuild, bindings, names) {
  const glue = join(bindings, "launchpad_desk.js");
  const snippets = join(bindings, "snippets");
  const files = await readdir(snippets, { recursive: true }).catch(() => []);
  const sources = [glue, ...files.filter((file) => file.endsWith(".js")).map((file) => join(snippets, file))];
  const located = new Map();
  const missing = new Set(names);
  for (const source of sources) {
    const { metafile } = await esbuild.build({ ...OPTIONS, entryPoints: [source], format: "esm", metafile: true, outdir: bindings });
    const exported = Object.values(metafile.outputs).flatMap((output) => output.exports);
    const found = exported.filter((name) => missing.delete(name));
    if (found.length) located.set(source, found.sort());
  }
  if (missing.size) throw new Error(`declared in the types, exported by no JavaScript: ${[...missing].join(", ")}`);
  return located;
}

/** What stands for the module's text while esbuild works, which would break its one line into a thousand. */
const PLACEHOLDER = "(the packed module)";

/** Everything that is exported, each under the `name` that a trader reads in an error or a console. */
function namesModule(located) {
  const names = [...located.values()].flat().join(", ");
  return [
    ...[...located].map(([file, names]) => `import { ${names.join(", ")} } from ${JSON.stringify(file)};`),
    `for (const [name, value] of Object.entries({ ${names} })) Object.defineProperty(value, "name", { value: name, configurable: true });`,
    `export { ${names} };`,
  ].join("\n");
}

/** The three modules that pkg/entry imports and only a build can write. */
function buildModules(bindings, located, { length }) {
  const contents = {
    names: namesModule(located),
    module: `export const packed = "${PLACEHOLDER}", length = ${length};`,
  };
  return {
    name: "build modules",
    setup(build) {
      build.onResolve({ filter: /^build:glue$/ }, () => ({ path: join(bindings, "launchpad_desk.js") }));
      build.onResolve({ filter: /^build:(names|module)$/ }, ({ path }) => ({ path: path.slice("build:".length), namespace: "build" }));
      build.onLoad({ filter: /.*/, namespace: "build" }, ({ path }) => ({ contents: contents[path], resolveDir: root }));
    },
  };
}

/** Node's ESM entry: the CJS file under static names, so that `import` and `require` share their classes. */
function nodeEntry(names) {
  return `import core from "./index.cjs";\nexport const { ${names.join(", ")} } = core;\n`;
}

/**
 * Every file of the package's JavaScript, and the module.
 *
 * @param {string} bindings the folder of the raw bindings
 * @param {string[]} names the values the package exports
 * @returns {Promise<Map<string, Buffer | string>>} file in dist → contents
 */
export async function bundlePackage(bindings, names) {
  const esbuild = await import("esbuild");
  const module = await readFile(join(bindings, MODULE));
  const packed = await readFile(join(bindings, `${MODULE}.lzma`), "base64");
  const plugin = buildModules(bindings, await locate(esbuild, bindings, names), module);
  const files = new Map([[MODULE, module]]);
  for (const [file, { entry, format }] of Object.entries(BUNDLES)) {
    const { outputFiles } = await esbuild.build({
      ...OPTIONS,
      entryPoints: [join(ENTRIES, entry)],
      external: [`./${MODULE}`, `./${MODULE}?module`],
      format,
      plugins: [plugin],
    });
    files.set(file, outputFiles[0].text.replace(PLACEHOLDER, packed));
  }
  files.set("node.js", nodeEntry(names));
  return files;
}
