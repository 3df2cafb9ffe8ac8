// The package's JavaScript: the loaders of pkg/entry around the TypeScript of pkg/src and the bindings, one file each.

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { embedded } from "./embed.mjs";
import { SHARED } from "./modules.mjs";
import { once, root } from "./program.mjs";
import { panelStamp } from "./stamp.mjs";

const ENTRIES = join(root, "pkg/entry");
const SOURCES = join(root, "pkg/src");
/** The file of the bindings that joins a module to JavaScript. */
const GLUE = "launchpad_desk_bg.js";
/** The oldest browsers and Node that the README names. Older ones of Chrome and Edge compile no large module synchronously. */
export const OLDEST = ["chrome115", "edge115", "firefox90", "safari15", "node20.19"];

/** How every entry is bundled. Exports get their names back: see {@link namedExports}. */
const OPTIONS = {
  bundle: true,
  platform: "neutral",
  target: OLDEST,
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  // Node prints the whole source line of an uncaught error, so lines must be short.
  lineLimit: 400,
  legalComments: "none",
  logLevel: "warning",
  write: false,
  // Imports the host's own TextDecoder and TextEncoder.
  inject: [join(ENTRIES, "text.js")],
};

/** A placeholder for the module's text during bundling: esbuild would break its one line into a thousand. */
const PLACEHOLDER = "(the module)";

/** Gives everything that files export its own name again, because a minified name would show in errors and consoles. */
const namedExports = (files) => `
  ${files.map((file, index) => `import * as exported${index} from ${JSON.stringify(file)};`).join("\n")}
  for (const exported of [${files.map((_, index) => `exported${index}`)}])
    for (const [name, value] of Object.entries(exported)) if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
  ${files.map((file) => `export * from ${JSON.stringify(file)};`).join("\n")}`;

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
async function glueModule(esbuild, bindings) {
  const { target } = OPTIONS;
  const bundled = await esbuild.build({
    entryPoints: [join(bindings, GLUE)],
    bundle: true,
    format: "esm",
    platform: "neutral",
    target,
    external: ["build:*"],
    metafile: true,
    write: false,
  });
  const names = Object.values(bundled.metafile.outputs)[0].exports.filter((name) => !name.startsWith("__"));
  const { code } = await esbuild.transform(bundled.outputFiles[0].text, { format: "cjs", target });
  return `
    import { answer } from "build:crossing";
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
 * module's imports, the names of what `sources` export, the module as text and as the file `wasm`.
 */
async function buildModules(bindings, sources, wasm) {
  const esbuild = await import("esbuild");
  const module = await readFile(join(bindings, "launchpad_desk_bg.wasm"));
  const whole = once(() => embedded(module));
  // By a function, because a `$` in the text would mean something else.
  const withText = (bundled) => bundled.replace(PLACEHOLDER, () => whole().text);
  const key = () => Object.fromEntries(Object.entries(whole()).filter(([name]) => name !== "text"));
  const contents = {
    imports: () => importsModule(module),
    glue: once(() => glueModule(esbuild, bindings)),
    names: () => namedExports(sources.map((source) => join(SOURCES, source))),
    module: () => `export const text = "${PLACEHOLDER}", { length, symbols, order } = ${JSON.stringify(key())};`,
  };
  const plugin = {
    name: "build modules",
    setup(build) {
      build.onResolve({ filter: /^build:crossing$/ }, () => ({ path: join(SOURCES, "crossing.ts") }));
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
  const source = readFileSync(join(SOURCES, SHARED.source), "utf8");
  return new Set(
    [...source.matchAll(/^export \* from "\.\/(.+)\.js";$/gm)].map(([, name]) => join(SOURCES, `${name}.js`)),
  );
});

/** What an entry has from the files beside it: the shared one, and the other entries in the form that it has itself, such as `-edge.js`. */
const filesBeside = (form) => ({
  name: "files beside",
  setup({ onResolve }) {
    onResolve({ filter: /^launchpad-desk\// }, ({ path }) => ({
      path: `.${path.slice("launchpad-desk".length)}${form}`,
      external: true,
    }));
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, resolveDir }) =>
      sharedFiles().has(join(resolveDir, path)) ? { path: `./${SHARED.file}`, external: true } : undefined,
    );
  },
});

/** The file that entries share: its contents. */
export async function bundleShared() {
  const esbuild = await import("esbuild");
  const { outputFiles } = await esbuild.build({
    ...OPTIONS,
    entryPoints: [join(SOURCES, SHARED.source)],
    format: "esm",
  });
  return outputFiles[0].text;
}

/**
 * The files of a module's JavaScript, and the module.
 *
 * @param {object} row a row of scripts/modules.mjs, with the `bundles` that are wanted
 * @param {string} bindings the folder of its raw bindings
 * @returns {Promise<Map<string, Buffer | string>>} file in dist → contents
 */
export async function bundleModule({ wasm, stem, bundles, source }, bindings) {
  const esbuild = await import("esbuild");
  const { module, withText, plugin } = await buildModules(bindings, [source], wasm);
  const files = new Map([[wasm, module]]);
  for (const [file, entry] of Object.entries(bundles)) {
    const { outputFiles } = await esbuild.build({
      ...OPTIONS,
      entryPoints: [join(ENTRIES, entry)],
      format: "esm",
      plugins: [filesBeside(file.slice(stem.length)), plugin],
    });
    files.set(file, withText(outputFiles[0].text));
  }
  return files;
}

/** The main entry's file for Node, around the one-file import: its contents. */
export async function bundleForNode({ entry, around, target }) {
  const esbuild = await import("esbuild");
  const index = {
    name: "index",
    setup: (build) => build.onResolve({ filter: /^build:index$/ }, () => ({ path: `./${around}`, external: true })),
  };
  const { outputFiles } = await esbuild.build({
    ...OPTIONS,
    target,
    entryPoints: [join(ENTRIES, entry)],
    format: "esm",
    external: ["node:*"],
    plugins: [index],
  });
  return outputFiles[0].text;
}

/** The command line, or the tools for agents, in one file: its contents. */
export async function bundleProgram({ folder, target, minify = false }) {
  const esbuild = await import("esbuild");
  const { bundle, platform, legalComments, logLevel, write } = OPTIONS;
  const { outputFiles } = await esbuild.build({
    ...{ bundle, platform, legalComments, logLevel, write, target, minify, format: "esm" },
    entryPoints: [join(SOURCES, folder, "index.ts")],
    external: ["node:*", "launchpad-desk", "launchpad-desk/*"],
    // The tools for agents are a file beside the command line, which loads it only for them.
    plugins: [
      {
        name: "agent tools",
        setup: (build) => build.onResolve({ filter: /^build:mcp$/ }, () => ({ path: "./mcp.js", external: true })),
      },
    ],
    // Commander is CommonJS, and requires built-in modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  return outputFiles[0].text;
}

/**
 * The file of a part without WebAssembly: its contents.
 *
 * @param {{ folder: string, target: string }} row a row of COMPANIONS in scripts/modules.mjs
 */
export async function bundleCompanion({ folder, target }) {
  const esbuild = await import("esbuild");
  const { bundle, platform, legalComments, logLevel, write } = OPTIONS;
  const { outputFiles } = await esbuild.build({
    ...{ bundle, platform, legalComments, logLevel, write, target, format: "esm" },
    entryPoints: [join(SOURCES, folder, "index.ts")],
    alias: { "build:openapi": join(root, "docs/openapi.json") },
    // As a value it would lose the last digits of its bounds.
    loader: { ".json": "text" },
    external: ["node:*"],
  });
  return outputFiles[0].text;
}

/** How the panel's files are bundled. */
const OF_PANEL = {
  ...OPTIONS,
  inject: [],
  platform: "browser",
  lineLimit: 0,
  external: ["launchpad-desk", "launchpad-desk/*"],
};

/** Files of their own, which the panel loads once it needs them: its source in that folder → its file. */
const filesApart = (apart, folder) => ({
  name: "files apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind, resolveDir }) => {
      const file = apart[relative(folder, join(resolveDir, path)).replace(/js$/, "ts")];
      return file && kind === "dynamic-import" ? { path: `./${file}`, external: true } : undefined;
    }),
});

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

/** Entries of the package that lie beside the file for the tag: the market, and for a simulated panel the sandbox. */
const entriesApart = (names) => ({
  name: "entries apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^launchpad-desk/(${names.join("|")})$`) }, ({ path }) => ({
      path: `.${path.slice("launchpad-desk".length)}.js`,
      external: true,
    })),
});

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

/** The package's entries, by the names that programs import: the sources of those around a module, the others as they are built, with the files beside them. */
const entries = (sources, files, beside) => ({
  name: "entries",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^launchpad-desk(\/|$)/ }, ({ path }) => {
      const entry = path.split("/")[1] ?? "index";
      return sources.includes(`${entry}.ts`)
        ? { path: join(SOURCES, `${entry}.ts`) }
        : { path: `${entry}.js`, namespace: "built" };
    });
    onResolve({ filter: /^\.\//, namespace: "built" }, ({ path }) =>
      beside.includes(path.slice(2)) ? { path: path.slice(2), namespace: "built" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "built" }, ({ path }) => ({ contents: files.get(path), resolveDir: root }));
  },
});

/**
 * The panel's files: one that imports the package as any program does, those that it loads later, and one that contains what trading
 * needs, for a `<script>` tag.
 *
 * @param {object} panel PANEL of scripts/modules.mjs
 * @param {Map<string, Buffer | string>} files the package's other files
 * @param {{ bindings: string, sources: string[] }} [ofTag] the bindings of the module in the file for the tag, and the file of pkg/src
 *   around it; without them there is no such file
 */
export async function bundlePanel({ folder, parts, shared, apart, beside, tag, target }, files, ofTag) {
  const [esbuild, stamp] = await Promise.all([import("esbuild"), panelStamp()]);
  const define = { PANEL_BUILD: JSON.stringify(`launchpad-desk.panel.${stamp}`) };
  const bundled = async (entry, plugins = [], options = {}) => {
    const { outputFiles } = await esbuild.build({
      ...{ ...OF_PANEL, format: "esm", target, define, ...entry, plugins, ...options },
    });
    return outputFiles[0].text;
  };
  // Templates are indented, so a line break with its indentation becomes one space. A text with a line break ends with it, and keeps it.
  // `outside` lets servers import the panel, where it is not used.
  const outside = { inject: [join(SOURCES, folder, "outside.ts")] };
  const entryPoints = Object.fromEntries(
    Object.entries(parts).map(([name, file]) => [name, join(SOURCES, folder, file)]),
  );
  const split = { splitting: true, outdir: root, chunkNames: shared };
  const { outputFiles } = await esbuild.build({
    ...OF_PANEL,
    ...outside,
    ...split,
    format: "esm",
    target,
    define,
    entryPoints,
    plugins: [filesApart(apart, join(SOURCES, folder)), smallStyles],
  });
  // What indents a template is written for readers of the source.
  const flat = (text) => text.replace(/\n +/g, " ");
  const ownFiles = new Map(outputFiles.map(({ path, text }) => [basename(path), flat(text)]));
  const partsOfPanel = [...ownFiles.keys()];
  for (const [file, built] of Object.entries(apart))
    ownFiles.set(built, flat(await bundled({ entryPoints: [join(SOURCES, folder, file)] }, [kitGiven, smallStyles])));
  if (ofTag) {
    const { withText, plugin } = await buildModules(ofTag.bindings, ofTag.sources);
    // The element waits for the module, and says why if that cannot start.
    const all = {
      stdin: {
        contents: `import { LaunchpadDesk } from "launchpad-desk/${folder}"; LaunchpadDesk.started = import(${JSON.stringify(join(ENTRIES, "inline.js"))});`,
        resolveDir: root,
      },
    };
    const plugins = [
      filesApart(apart, join(SOURCES, folder)),
      entriesApart(beside),
      entries(ofTag.sources, new Map([...files, ...ownFiles]), partsOfPanel),
      plugin,
    ];
    ownFiles.set(
      tag,
      withText(
        await bundled(all, plugins, {
          format: "iife",
          external: [...Object.values(apart), ...beside.map((name) => `${name}.js`)].map((file) => `./${file}`),
        }),
      ),
    );
  }
  return ownFiles;
}
