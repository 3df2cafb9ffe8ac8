// The package's JavaScript: the loaders of pkg/entry around the TypeScript of pkg/src and the bindings, one file each.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { embedded } from "./embed.mjs";
import { SHARED } from "./modules.mjs";
import { once, root } from "./program.mjs";
import { panelStamp } from "./stamp.mjs";

const PACKAGE = join(root, "pkg");
const ENTRIES = join(PACKAGE, "entry");
const SOURCES = join(PACKAGE, "src");
/** The file of the bindings that joins a module to JavaScript. */
const GLUE = "launchpad_desk_bg.js";
/** The oldest browsers and Node that the README names. Older ones of Chrome and Edge compile no large module synchronously. */
export const OLDEST = ["chrome115", "edge115", "firefox90", "safari15", "node20.19"];

/** How every file is bundled. */
const EVERY = {
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: OLDEST,
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/** How every entry is bundled. Exports get their names back: see {@link namedExports}. */
const OPTIONS = {
  ...EVERY,
  minify: true,
  // Node prints the whole source line of an uncaught error, so lines must be short.
  lineLimit: 400,
  // Imports the host's own TextDecoder and TextEncoder.
  inject: [join(ENTRIES, "text.js")],
};

/** The text of the one file that esbuild makes. */
async function bundled(options) {
  const { build } = await import("esbuild");
  return (await build(options)).outputFiles[0].text;
}

/** What a file imports from others beside it: `fileOf` gives the file of an import, if it is one of those. */
const beside = (name, filter, fileOf) => ({
  name,
  setup: ({ onResolve }) =>
    onResolve({ filter }, (found) => {
      const file = fileOf(found);
      return file && { path: `./${file}`, external: true };
    }),
});

/** A placeholder for the module's text during bundling: esbuild would break its one line into a thousand. */
const PLACEHOLDER = "(the module)";

/** Gives everything that a file exports its own name again, because a minified name would show in errors and consoles. */
const namedExports = (file) => `
  import * as exported from ${file};
  for (const [name, value] of Object.entries(exported))
    if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
  export * from ${file};`;

/** What a module imports from its glue, as the object to instantiate it with. */
function importsModule(module) {
  const files = {};
  for (const { module: file, name } of WebAssembly.Module.imports(new WebAssembly.Module(module)))
    (files[file] ??= []).push(name);
  const rows = Object.entries(files).map(
    ([file, names]) => `${JSON.stringify(file)}: { ${names.map((name) => `${name}: glue.${name}`).join(", ")} }`,
  );
  return `export const importsOf = (glue) => ({ ${rows.join(", ")} });`;
}

/**
 * The glue of some bindings, which can be made more than once: if the module fails, a new instance gets glue of its own, and what holds
 * the old one never reaches the new. The package imports what the current one exports.
 */
async function glueModule(bindings) {
  const { build, transform } = await import("esbuild");
  const { metafile, outputFiles } = await build({
    ...EVERY,
    entryPoints: [join(bindings, GLUE)],
    external: ["build:*"],
    metafile: true,
  });
  const names = Object.values(metafile.outputs)[0].exports.filter((name) => !name.startsWith("__"));
  const { code } = await transform(outputFiles[0].text, { format: "cjs", target: OLDEST });
  return `
    import { answer } from "./pkg/src/crossing.js";
    const crossing = { answer: (...all) => answer(...all) };
    const make = () => {
      const module = { exports: {} };
      ((module, require) => {\n${code}\n})(module, () => crossing);
      return module.exports;
    };
    export let current = make();
    export let { ${names.join(", ")} } = current;
    export function renew() {
      current = make();
      ({ ${names.join(", ")} } = current);
    }`;
}

/**
 * The module of some bindings, what puts its text in a bundle, and the imports of pkg/ that only a build can provide: the glue, the
 * module's imports, the names of what `source` exports, the module as text and as the file `wasm`.
 */
async function buildModules(bindings, source, wasm) {
  const module = await readFile(join(bindings, "launchpad_desk_bg.wasm"));
  const whole = once(() => embedded(module));
  // By a function, because a `$` in the text would mean something else.
  const withText = (bundled) => bundled.replace(PLACEHOLDER, () => whole().text);
  const key = () => Object.fromEntries(Object.entries(whole()).filter(([name]) => name !== "text"));
  const contents = {
    imports: () => importsModule(module),
    glue: once(() => glueModule(bindings)),
    names: () => namedExports(JSON.stringify(join(SOURCES, source))),
    module: () => `export const text = "${PLACEHOLDER}", { length, symbols, order } = ${JSON.stringify(key())};`,
  };
  const plugin = {
    name: "build modules",
    setup(build) {
      build.onResolve({ filter: /^build:(glue|core|trade|market|sandbox|gateway|record)$/ }, () => ({
        path: "glue",
        namespace: "build",
      }));
      build.onResolve({ filter: /^build:wasm\?module$/ }, () => ({ path: `./${wasm}?module`, external: true }));
      build.onResolve({ filter: /^build:(imports|names|module)$/ }, ({ path }) => ({
        path: path.slice("build:".length),
        namespace: "build",
      }));
      build.onLoad({ filter: /.*/, namespace: "build" }, async ({ path }) => ({
        contents: await contents[path](),
        resolveDir: root,
      }));
    },
  };
  return { module, withText, plugin };
}

/** The files of pkg/src that entries share. */
const sharedFiles = once(() => {
  const source = readFileSync(join(PACKAGE, SHARED.source), "utf8");
  return new Set(
    [...source.matchAll(/^export \* from "\.\/(.+)\.js";$/gm)].map(([, name]) => join(SOURCES, `${name}.js`)),
  );
});

/** What an entry has from the files beside it: the shared one, and the other entries in the form that it has itself, such as `-edge.js`. */
const filesBeside = (form) =>
  beside("files beside", /^launchpad-desk\/|^\.\.?\/.*\.js$/, ({ path, resolveDir }) => {
    if (!path.startsWith(".")) return path.slice("launchpad-desk/".length) + form;
    return sharedFiles().has(join(resolveDir, path)) ? SHARED.file : undefined;
  });

/**
 * The files of a module's JavaScript, and the module.
 *
 * @param {object} row a row of scripts/modules.mjs, with the `bundles` that are wanted
 * @param {string} bindings the folder of its raw bindings
 * @returns {Promise<Map<string, Buffer | string>>} file in dist → contents
 */
export async function bundleModule({ wasm, stem, bundles, source }, bindings) {
  const { module, withText, plugin } = await buildModules(bindings, source, wasm);
  const files = new Map([[wasm, module]]);
  for (const [file, entry] of Object.entries(bundles)) {
    const plugins = [filesBeside(file.slice(stem.length)), plugin];
    files.set(file, withText(await bundled({ ...OPTIONS, entryPoints: [join(ENTRIES, entry)], plugins })));
  }
  return files;
}

/** Files that others load beside them: the one-file import, which that for Node is around, and the tools for agents. */
const BESIDE = { "build:index": "index.js", "build:mcp": "mcp.js" };

/** A file without WebAssembly, by its row of scripts/modules.mjs: its contents. */
export const bundleFile = ({ source, options: { isSmall, ...options } }) =>
  bundled({
    ...(isSmall ? OPTIONS : EVERY),
    entryPoints: [join(PACKAGE, source)],
    external: ["node:*", "launchpad-desk", "launchpad-desk/*"],
    alias: { "build:openapi": join(root, "docs/openapi.json") },
    plugins: [beside("files beside", /^build:(index|mcp)$/, ({ path }) => BESIDE[path])],
    ...options,
  });

/** How the panel's files are bundled. */
const OF_PANEL = {
  ...OPTIONS,
  inject: [],
  platform: "browser",
  target: "es2022",
  lineLimit: 0,
  external: ["launchpad-desk", "launchpad-desk/*"],
};

/** Files of their own, which the panel loads once it needs them: its source in that folder → its file. */
const filesApart = (apart, folder) =>
  beside("files apart", /^\.\/[\w-]+\.js$/, ({ path, kind, resolveDir }) =>
    kind === "dynamic-import" ? apart[relative(folder, join(resolveDir, path)).replace(/js$/, "ts")] : undefined,
  );

/** What such a file takes from the rest of the panel is given to it by that, and not loaded twice. */
const kitGiven = {
  name: "kit given",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/kit\.js$/ }, () => ({ path: "kit", namespace: "given" }));
    onLoad({ filter: /.*/, namespace: "given" }, () => ({
      contents:
        'const kit = globalThis[Symbol.for(PANEL_BUILD)]; if (!kit) throw new Error("it is of another build"); module.exports = kit;',
    }));
  },
};

/** Minifies the style sheets inside TypeScript. */
const smallStyles = {
  name: "small styles",
  setup({ onLoad, esbuild }) {
    onLoad({ filter: /\/panel\/.*\.ts$/ }, async ({ path }) => {
      const parts = (await readFile(path, "utf8")).split(/(?<=\bcss`)([^`]*)/);
      const small = parts.map(async (part, index) =>
        index % 2 && !part.includes("${")
          ? (await esbuild.transform(part, { loader: "css", minify: true })).code.trim()
          : part,
      );
      return { contents: (await Promise.all(small)).join(""), loader: "ts" };
    });
  },
};

/** The panel's files, by its row of scripts/modules.mjs: one that imports the package as any program does, and those that it loads later. */
export async function bundlePanel({ folder, parts, shared, apart }) {
  const [{ build }, stamp] = await Promise.all([import("esbuild"), panelStamp()]);
  const options = { ...OF_PANEL, define: { PANEL_BUILD: JSON.stringify(`launchpad-desk.panel.${stamp}`) } };
  const sourceOf = (file) => join(SOURCES, folder, file);
  const { outputFiles } = await build({
    ...options,
    // `outside` lets servers import the panel, where it is not used.
    inject: [sourceOf("outside.ts")],
    splitting: true,
    outdir: root,
    chunkNames: shared,
    entryPoints: Object.fromEntries(Object.entries(parts).map(([name, file]) => [name, sourceOf(file)])),
    plugins: [filesApart(apart, sourceOf("")), smallStyles],
  });
  const files = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  for (const [file, built] of Object.entries(apart)) {
    const plugins = [kitGiven, smallStyles];
    files.set(built, await bundled({ ...options, entryPoints: [sourceOf(file)], plugins }));
  }
  // Templates are indented, so a line break with its indentation becomes one space. A text with a line break ends with it, and keeps it.
  return [...files].map(([name, text]) => [name, text.replace(/\n +/g, " ")]);
}
