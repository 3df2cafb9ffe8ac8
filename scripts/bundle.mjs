// The package's JavaScript: the hand-written entries of pkg/entry around the bindings, one file each.

import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { declarationsOf } from "./declarations.mjs";
import { root } from "./program.mjs";

const ENTRIES = join(root, "pkg/entry");
const SOURCES = join(root, "pkg/src");
/** The file of the bindings that joins a module to JavaScript. */
const GLUE = "launchpad_desk_bg.js";
/** What the README names as the oldest that run the package; at once, Chrome and Edge load it from 115 on. */
export const OLDEST = ["chrome96", "edge96", "firefox90", "safari15", "node20.19"];

/** How every entry is bundled. What is exported gets its name back: see {@link namesModule}. */
const OPTIONS = {
  bundle: true,
  platform: "neutral",
  target: OLDEST,
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  // Node shows the whole line that an uncaught error was thrown on.
  lineLimit: 400,
  legalComments: "none",
  logLevel: "warning",
  write: false,
  // Stands for the host's own TextDecoder and TextEncoder.
  inject: [join(ENTRIES, "text.js")],
};

/**
 * Where each of `names` is exported from: the hand-written face, the glue, or one of the snippets it brought along
 * (classes that are written in JavaScript).
 *
 * @returns {Promise<Map<string, string[]>>} file → names
 */
async function locate(esbuild, bindings, names, face) {
  const glue = join(bindings, GLUE);
  const snippets = join(bindings, "snippets");
  const files = await readdir(snippets, { recursive: true }).catch(() => []);
  const faces = face ? [join(ENTRIES, face)] : [];
  const sources = [...faces, glue, ...files.filter((file) => file.endsWith(".js")).map((file) => join(snippets, file))];
  const located = new Map();
  const missing = new Set(names);
  for (const source of sources) {
    const { metafile } = await esbuild.build({ ...OPTIONS, entryPoints: [source], external: ["build:*"], format: "esm", metafile: true, outdir: bindings });
    const exported = Object.values(metafile.outputs).flatMap((output) => output.exports);
    const found = exported.filter((name) => missing.delete(name));
    if (found.length) located.set(source, found.sort());
  }
  if (missing.size) throw new Error(`declared in the types, exported by no JavaScript: ${[...missing].join(", ")}`);
  return located;
}

/** What stands for the module's text while esbuild works, which would break its one line into a thousand. */
const PLACEHOLDER = "(the module)";

/**
 * Everything that is exported, made presentable.
 *
 * @param {Map<string, string[]>} located file → names
 * @param {Set<string>} constants names of values that are no functions
 */
function namesModule(located, constants) {
  const names = [...located.values()].flat();
  const functions = names.filter((name) => !constants.has(name)).join(", ");
  return [
    ...[...located].map(([file, names]) => `import { ${names.join(", ")} } from ${JSON.stringify(file)};`),
    `import { present } from ${JSON.stringify(join(ENTRIES, "exports.js"))};`,
    `present({ ${functions} });`,
    `export { ${names.join(", ")} };`,
  ].join("\n");
}

/** Everything that a file exports, under its own name: a minified one would show in errors and consoles. */
const namedExports = (file) => `
  import * as exported from ${JSON.stringify(file)};
  for (const [name, value] of Object.entries(exported)) if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
  export * from ${JSON.stringify(file)};`;

/** What a module imports from the files of its bindings, as the object to instantiate it with. */
function importsModule(module, bindings) {
  const files = {};
  for (const { module: file, name } of WebAssembly.Module.imports(new WebAssembly.Module(module))) (files[file] ??= []).push(name);
  const rows = Object.entries(files);
  return [
    ...rows.map(([file, names], index) => `import { ${names.map((name) => `${name} as _${index}_${name}`).join(", ")} } from ${JSON.stringify(join(bindings, file))};`),
    `export const imports = { ${rows.map(([file, names], index) => `${JSON.stringify(file)}: { ${names.map((name) => `${name}: _${index}_${name}`).join(", ")} }`).join(", ")} };`,
  ].join("\n");
}

/** What pkg/ imports and only a build can write: the glue, what the module imports, the names, the module's text, its file. */
function buildModules({ bindings, imports, names, wasm }) {
  const text = `export const base64 = "${PLACEHOLDER}";`;
  const contents = { imports, names, module: text, deflated: text };
  return {
    name: "build modules",
    setup(build) {
      build.onResolve({ filter: /^build:crossing$/ }, () => ({ path: join(SOURCES, "crossing.ts") }));
      build.onResolve({ filter: /^build:(glue|core|desk|launchpad)$/ }, () => ({ path: join(bindings, GLUE) }));
      build.onResolve({ filter: /^build:wasm(\?module)?$/ }, ({ path }) => ({ path: path.replace("build:wasm", `./${wasm}`), external: true }));
      build.onResolve({ filter: /^build:(imports|names|module|deflated)$/ }, ({ path }) => ({ path: path.slice("build:".length), namespace: "build" }));
      build.onLoad({ filter: /.*/, namespace: "build" }, ({ path }) => ({ contents: contents[path], resolveDir: root }));
    },
  };
}

/**
 * Every file of a module's JavaScript, and the module.
 *
 * @param {object} row a row of scripts/modules.mjs
 * @param {string} bindings the folder of its raw bindings
 * @param {{ values: string[], constants: string[] }} exported the names it exports, and which of them are no functions
 * @returns {Promise<Map<string, Buffer | string>>} file in dist → contents
 */
export async function bundleModule({ wasm, bundles, face, source }, bindings, { values, constants } = {}) {
  const esbuild = await import("esbuild");
  const module = await readFile(join(bindings, "launchpad_desk_bg.wasm"));
  const texts = { module: module.toString("base64"), deflated: deflateRawSync(module, { level: 9 }).toString("base64") };
  const names = source ? namedExports(join(SOURCES, source)) : namesModule(await locate(esbuild, bindings, values, face), new Set(constants));
  const plugin = buildModules({ bindings, imports: importsModule(module, bindings), names, wasm });
  const files = new Map([[wasm, module]]);
  for (const [file, { entry, format, embeds }] of Object.entries(bundles)) {
    const { outputFiles } = await esbuild.build({ ...OPTIONS, entryPoints: [join(ENTRIES, entry)], format, external: ["node:*"], plugins: [plugin] });
    files.set(file, outputFiles[0].text.replace(PLACEHOLDER, texts[embeds]));
  }
  return files;
}

/**
 * The files of what comes beside the modules: in one file for `import` and one for `require`.
 *
 * @param {{ folder: string, stem: string, target: string }} row a row of COMPANIONS in scripts/modules.mjs
 * @returns {Promise<Map<string, Buffer | string>>} file in dist → contents
 */
export async function bundleCompanion({ folder, stem, target }) {
  const esbuild = await import("esbuild");
  const types = declarationsOf(`${folder}/index.ts`, false);
  const files = new Map([
    [`${stem}.d.ts`, types],
    [`${stem}.d.cts`, types],
  ]);
  const { bundle, platform, legalComments, logLevel, write } = OPTIONS;
  for (const [extension, format] of [
    ["js", "esm"],
    ["cjs", "cjs"],
  ]) {
    const { outputFiles } = await esbuild.build({
      ...{ bundle, platform, legalComments, logLevel, write, format, target },
      entryPoints: [join(SOURCES, folder, "index.ts")],
      external: ["node:*"],
    });
    files.set(`${stem}.${extension}`, outputFiles[0].text);
  }
  return files;
}
