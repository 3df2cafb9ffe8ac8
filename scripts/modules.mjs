// The package's WebAssembly modules: the bindings of pkg/wasm, compiled with different features.

/**
 * A module with its files in dist: as a file and as text, by two loaders of pkg/entry, with what of them is measured; its public TypeScript
 * in pkg/src, and where its public types are committed.
 */
const withFiles = ({ feature, stem = feature, wasm = `${feature}_bg.wasm`, api = `tests/${feature}-api.d.ts`, ...rest }) => ({
  ...{ feature, stem, wasm, api, ...rest },
  source: `${stem}.ts`,
  bundles: { [`${stem}.js`]: "inline.js", [`${stem}-edge.js`]: "edge.js" },
  measured: { wasm, glue: `${stem}-edge.js`, oneFile: `${stem}.js` },
});

/**
 * One row for each module: the cargo feature that it is named after, those of the core that it needs, its level of optimization if it is
 * not that of Cargo.toml, and the most bytes that its one-file import may have, gzipped.
 */
export const MODULES = [
  {
    feature: "desk",
    stem: "index",
    wasm: "launchpad_desk_bg.wasm",
    api: "tests/api.d.ts",
    // Includes asking a gateway again and waiting for its decision; what balances moved in each wallet; what stops trading; evidence
    // in refusals, and a key in base64 and hexadecimal; how the other trades of a client ended, by which none is mistaken for another;
    // limits of a price's impact and age; a sandbox as the market; and that a reply's fields are read in the table's order.
    // It leaves one percent of room for small changes.
    ceiling: 143 * 1024,
  },
  {
    feature: "launchpad",
    // Includes everything a test may do to the sandbox (time, funds, launches, faults, rows, candles, the audit) and its origin,
    // receipts of what balances prove, which pages may ask, a token's own creator rate, end and pool, and exits: their rules, their
    // state, and what carries them out, 10 KB; backtests, with their sweeps, their reports and what really happened beside them; a
    // market in which most launches fail; what anyone may watch of it; that it is a market for a client; and recorded trades from before
    // its start. It leaves one percent of room for small changes.
    ceiling: 271 * 1024,
  },
  {
    feature: "curve",
    // For programs that price and book trades, but simulate none: the same without the sandbox. Includes where each rule comes from.
    ceiling: 89 * 1024,
  },
  {
    feature: "typed",
    // Only forms need it, so that a bot does not load it.
    ceiling: 28 * 1024,
  },
  {
    feature: "chain",
    ofCore: ["chain"],
    // Includes the sandbox's dry run, for quotes, the proof of a trade's outcome, a landed trade against its quote, and looks from a stream.
    // Also the bounds of a reply, the fallback from batches and the refusal of frozen token accounts; and either unit of a plan's slippage.
    ceiling: 160 * 1024,
  },
  {
    feature: "local-chain",
    ofCore: ["chain"],
    // For tests and development: programs that only read a chain do not load it.
    ceiling: 62 * 1024,
  },
  {
    feature: "gateway",
    ofCore: ["gateway"],
    // It is deployed, not downloaded by every page. The smaller it is, the sooner a Durable Object starts.
    // Includes what reads prices and proof from the chain; the check of its audit log; what an operator sees of each trade that waits; and
    // which plans give way at a full desk. No sandbox: a gateway without a service loads that one's module beside its own.
    ceiling: 253 * 1024,
  },
  {
    feature: "record",
    ofCore: ["record"],
    // Compiled for speed: a long record is verified in half the time, by a third more bytes. Compiled for size, nothing in it stands out.
    optLevel: 3,
    // A bot that keeps no record does not load it.
    // Includes the sandbox's dry run, for the price of a plan, all that reads requests and replies, and what a sandbox or a tape
    // begins with.
    ceiling: 170 * 1024,
  },
].map(withFiles);

/** The features of the core that modules need. */
export const coreFeaturesOf = (modules) => [...new Set(modules.flatMap(({ ofCore = [] }) => ofCore))];

/** What Node takes for the main import: its file in dist, its loader in pkg/entry, the one-file import within it, and where it runs. */
export const FOR_NODE = { file: "node.js", entry: "node.js", around: "index.js", target: "node20.19" };

/** The parts without WebAssembly. One row for each folder of pkg/src: the stem of its files in dist, and where it runs. */
export const COMPANIONS = [
  { folder: "node", stem: "for-node", target: "node20.19" },
  { folder: "journal", stem: "journal", target: "es2020" },
];

/** The command line, which imports the package as any program does: a folder of pkg/src, its file in dist, and where it runs. */
export const COMMAND_LINE = { folder: "cli", file: "cli.js", target: "node20.19" };

/** The tools for agents, which the command line loads for them alone: they contain the protocol's own package. */
export const AGENT_TOOLS = { folder: "mcp", file: "mcp.js", target: "node20.19", minify: true };

/**
 * The panel: its folder of pkg/src; the modules that it always imports; its files by their sources:
 * the element, and the desk that it loads once it has shown its places; the file with what both need; the files that those load later:
 * the chart, and the start of the simulated market; the file for a `<script>` tag, with its module, those that
 * it replaces, and the entries beside it; where it runs, and the most bytes that its files may have, gzipped. Its imports do not count,
 * except in the file for the tag: that contains what trading needs, so that a live panel can do without the files beside it, and no page
 * loads a simulator that it does not use.
 */
export const PANEL = {
  folder: "panel",
  modules: ["desk", "typed"],
  parts: { panel: "index.ts", "panel-desk": "opened.ts" },
  shared: "panel-shared",
  apart: { "chart-canvas.ts": "panel-chart.js" },
  beside: ["launchpad", "chain"],
  tag: "panel-tag.js",
  tagModule: { feature: "panel" },
  tagModules: ["desk", "curve", "typed"],
  target: "es2022",
  ceilings: { "panel.js": 3.25 * 1024, "panel-shared.js": 19.25 * 1024, "panel-desk.js": 58 * 1024, "panel-chart.js": 57 * 1024, "panel-tag.js": 301 * 1024 },
};

/** The modules that the pages of www/ import: those of a panel with a simulated market, and the one that verifies a record. */
export const PAGE_MODULES = { panel: [...PANEL.modules, "launchpad"], verifier: ["record"] };
