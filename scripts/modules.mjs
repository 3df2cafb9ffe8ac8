// The package's WebAssembly modules: the bindings of pkg/wasm, compiled with different features.

/**
 * The files that load each module: file in dist, after the module's stem → its entry, its format, and how it embeds the module, if it
 * does.
 */
const loaders = (stem) => ({
  [`${stem.inline}.js`]: { entry: "inline.js", format: "esm", embeds: "module" },
  [`${stem.inline}.cjs`]: { entry: "inline.js", format: "cjs", embeds: "module" },
  [`${stem.rest}node.js`]: { entry: "node.js", format: "esm", embeds: "deflated" },
  [`${stem.rest}node.cjs`]: { entry: "node.js", format: "cjs", embeds: "deflated" },
  [`${stem.rest}workerd.js`]: { entry: "workerd.js", format: "esm" },
  [`${stem.rest}edge-light.js`]: { entry: "edge-light.js", format: "esm" },
});

/**
 * One row for each module: the cargo feature that it is named after, those of the core that it needs, its level of optimization if it is
 * not that of Cargo.toml, its files in dist, its public TypeScript in pkg/src, where its public types are committed, and the most bytes
 * that its one-file import may have, gzipped.
 */
export const MODULES = [
  {
    feature: "desk",
    wasm: "launchpad_desk_bg.wasm",
    bundles: {
      ...loaders({ inline: "index", rest: "" }),
      "node.js": { entry: "desk-node.js", format: "esm", embeds: "deflated" },
      "node.cjs": { entry: "desk-node.js", format: "cjs", embeds: "deflated" },
      "web.js": { entry: "web.js", format: "esm" },
    },
    types: "index",
    source: "index.ts",
    api: "tests/api.d.ts",
    measured: { wasm: "launchpad_desk_bg.wasm", glue: "workerd.js", oneFile: "index.js" },
    // Includes asking a gateway again and waiting for its decision; what balances moved in each wallet; what stops trading; evidence
    // in refusals, and a key in base64 and hexadecimal; how the other trades of a client ended, by which none is mistaken for another;
    // limits of a price's impact and age; a sandbox as the market; and that a reply's fields are read in the table's order.
    // It leaves one percent of room for small changes.
    ceiling: 143 * 1024,
  },
  {
    feature: "launchpad",
    wasm: "launchpad_bg.wasm",
    bundles: loaders({ inline: "launchpad", rest: "launchpad-" }),
    types: "launchpad",
    source: "launchpad.ts",
    api: "tests/launchpad-api.d.ts",
    measured: { wasm: "launchpad_bg.wasm", glue: "launchpad-workerd.js", oneFile: "launchpad.js" },
    // Includes everything a test may do to the sandbox (time, funds, launches, faults, rows, candles, the audit) and its origin,
    // receipts of what balances prove, which pages may ask, a token's own creator rate, end and pool, and exits: their rules, their
    // state, and what carries them out, 10 KB; backtests, with their sweeps, their reports and what really happened beside them; a
    // market in which most launches fail; what anyone may watch of it; that it is a market for a client; and recorded trades from before
    // its start. It leaves one percent of room for small changes.
    ceiling: 282 * 1024,
  },
  {
    feature: "curve",
    // For programs that price and book trades, but simulate none: the same without the sandbox. Includes where each rule comes from.
    wasm: "curve_bg.wasm",
    bundles: loaders({ inline: "curve", rest: "curve-" }),
    types: "curve",
    source: "curve.ts",
    api: "tests/curve-api.d.ts",
    measured: { wasm: "curve_bg.wasm", glue: "curve-workerd.js", oneFile: "curve.js" },
    ceiling: 89 * 1024,
  },
  {
    feature: "typed",
    // Only forms need it, so that a bot does not load it.
    wasm: "typed_bg.wasm",
    bundles: loaders({ inline: "typed", rest: "typed-" }),
    types: "typed",
    source: "typed.ts",
    api: "tests/typed-api.d.ts",
    measured: { wasm: "typed_bg.wasm", glue: "typed-workerd.js", oneFile: "typed.js" },
    ceiling: 28 * 1024,
  },
  {
    feature: "chain",
    ofCore: ["chain"],
    wasm: "chain_bg.wasm",
    bundles: loaders({ inline: "chain", rest: "chain-" }),
    types: "chain",
    source: "chain.ts",
    api: "tests/chain-api.d.ts",
    measured: { wasm: "chain_bg.wasm", glue: "chain-workerd.js", oneFile: "chain.js" },
    // Includes the sandbox's dry run, for quotes, the proof of a trade's outcome, a landed trade against its quote, and looks from a stream.
    // Also the bounds of a reply, the fallback from batches and the refusal of frozen token accounts; and either unit of a plan's slippage.
    ceiling: 169 * 1024,
  },
  {
    feature: "local-chain",
    ofCore: ["chain"],
    // For tests and development: programs that only read a chain do not load it.
    wasm: "local-chain_bg.wasm",
    bundles: loaders({ inline: "local-chain", rest: "local-chain-" }),
    types: "local-chain",
    source: "local-chain.ts",
    api: "tests/local-chain-api.d.ts",
    measured: { wasm: "local-chain_bg.wasm", glue: "local-chain-workerd.js", oneFile: "local-chain.js" },
    ceiling: 62 * 1024,
  },
  {
    feature: "gateway",
    ofCore: ["gateway"],
    // It is deployed, not downloaded by every page. The smaller it is, the sooner a Durable Object starts.
    wasm: "gateway_bg.wasm",
    bundles: loaders({ inline: "gateway", rest: "gateway-" }),
    types: "gateway",
    source: "gateway.ts",
    api: "tests/gateway-api.d.ts",
    measured: { wasm: "gateway_bg.wasm", glue: "gateway-workerd.js", oneFile: "gateway.js" },
    // Includes the sandbox, for a gateway without a service, with its markets; what reads prices and proof from the chain; the check of
    // its audit log; what an operator sees of each trade that waits; and which plans give way at a full desk.
    ceiling: 335 * 1024,
  },
  {
    feature: "record",
    ofCore: ["record"],
    // Compiled for speed: a long record is verified in half the time, by a third more bytes. Compiled for size, nothing in it stands out.
    optLevel: 3,
    // A bot that keeps no record does not load it.
    wasm: "record_bg.wasm",
    bundles: loaders({ inline: "record", rest: "record-" }),
    types: "record",
    source: "record.ts",
    api: "tests/record-api.d.ts",
    measured: { wasm: "record_bg.wasm", glue: "record-workerd.js", oneFile: "record.js" },
    // Includes the sandbox's dry run, for the price of a plan, all that reads requests and replies, and what a sandbox or a tape
    // begins with.
    ceiling: 213 * 1024,
  },
];

/** The features of the core that modules need. */
export const coreFeaturesOf = (modules) => [...new Set(modules.flatMap(({ ofCore = [] }) => ofCore))];

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
