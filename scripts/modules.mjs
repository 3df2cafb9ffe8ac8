// The package's WebAssembly modules: the bindings of pkg/wasm, compiled with different features.

/** What every entry has in common in JavaScript, such as the errors: a file without WebAssembly, with its source in pkg/. */
export const SHARED = { source: "src/shared.ts", file: "shared.js", options: { isSmall: true } };

/** A module with its files in dist: as a file and as text, by two loaders of pkg/entry; and its public TypeScript in pkg/src. */
const withFiles = ({ feature, stem = feature, ...rest }) => ({
  ...{ feature, stem, wasm: `${feature}_bg.wasm`, ...rest },
  source: `${stem}.ts`,
  bundles: { [`${stem}.js`]: "inline.js", [`${stem}-edge.js`]: "edge.js" },
});

/**
 * One row for each module: the cargo feature that it is named after, its level of optimization if it is not that of Cargo.toml, and the
 * most bytes that its one-file import may have, gzipped. Each public class, function and error is in one of them.
 */
export const MODULES = [
  {
    feature: "trade",
    stem: "index",
    // Every page and every bot loads it. Includes what people type and paste.
    ceiling: 174 * 1024,
  },
  {
    feature: "market",
    // For what prices, books, reads a chain and carries out exits, without a sandbox.
    ceiling: 257 * 1024,
  },
  {
    feature: "sandbox",
    // Imports the market's file, whose classes it gives out.
    ceiling: 258 * 1024,
  },
  {
    feature: "gateway",
    // It is deployed, not downloaded by every page. The smaller it is, the sooner a Durable Object starts.
    // Includes what reads prices and proof from the chain; the check of its audit log; what an operator sees of callers' limits, and of
    // each trade that has not ended; and which plans give way at a full desk. No sandbox: a gateway without a service loads that one's
    // module beside its own.
    ceiling: 260 * 1024,
  },
  {
    feature: "record",
    // Compiled for speed: a long record is verified in half the time, by a third more bytes. Compiled for size, nothing in it stands out.
    optLevel: 3,
    // A bot that keeps no record does not load it.
    // Includes the sandbox's dry run, for the price of a plan, all that reads requests and replies, and what a sandbox or a tape
    // begins with.
    ceiling: 175 * 1024,
  },
].map(withFiles);

/** The oldest Node. */
const NODE = "node20.19";

/** What Node takes for the main import, around the one-file import. */
export const FOR_NODE = { source: "entry/node.js", file: "index-node.js", options: { isSmall: true, target: NODE } };

/** A part that is a folder of pkg/src: its file in dist, and how esbuild bundles it. */
const ofFolder = (folder, options) => ({
  folder,
  stem: folder,
  options,
  source: `src/${folder}/index.ts`,
  file: `${folder}.js`,
});

/** The entries without WebAssembly. */
export const COMPANIONS = [
  ofFolder("node", {
    target: NODE,
    // As a value it would lose the last digits of its bounds.
    loader: { ".json": "text" },
  }),
  ofFolder("browser", { target: "es2020" }),
];

/** Commander is CommonJS, and requires built-in modules. */
const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' };

/** The command line, which imports the package as any program does. */
export const COMMAND_LINE = ofFolder("cli", { target: NODE, banner });

/** The tools for agents, which the command line loads for them alone: they contain the protocol's own package. */
export const AGENT_TOOLS = ofFolder("mcp", { target: NODE, banner, minify: true });

/**
 * The panel: its folder of pkg/src; its files by their sources: the element, and the desk that it loads once it has shown its places; the
 * file with what both need; the files that those load later: the chart, and what is seldom shown; and the most bytes that its files may
 * have, gzipped. Its imports do not count: a live panel loads the market's file beside it, and only a simulated one the sandbox's.
 */
export const PANEL = {
  folder: "panel",
  parts: { panel: "index.ts", "panel-desk": "opened.ts" },
  shared: "panel-shared",
  apart: { "chart/canvas.ts": "panel-chart.js", "later/file.ts": "panel-later.js" },
  ceilings: {
    "panel.js": 3.5 * 1024,
    "panel-shared.js": 20 * 1024,
    "panel-desk.js": 62 * 1024,
    "panel-chart.js": 58 * 1024,
    "panel-later.js": 13 * 1024,
  },
};

/** The modules that the pages of www/ import: those of a panel with a simulated market, and the one that verifies a record. */
export const PAGE_MODULES = { panel: ["trade", "market", "sandbox"], verifier: ["record"] };
