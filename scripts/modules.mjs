// The package's WebAssembly modules: the one crate, compiled for other features and to other ends.

/** What both modules are loaded by: file in dist, after the module's own stem → its entry and format. */
const loaders = (stem) => ({
  [`${stem.inline}.js`]: { entry: "inline.js", format: "esm" },
  [`${stem.inline}.cjs`]: { entry: "inline.js", format: "cjs" },
  [`${stem.rest}workerd.js`]: { entry: "workerd.js", format: "esm" },
  [`${stem.rest}edge-light.js`]: { entry: "edge-light.js", format: "esm" },
});

/**
 * One row a module: the cargo feature it is named after, the profile it is compiled in, what wasm-opt is told, the files
 * it becomes in dist, whether the crate's types that its values do not lead to are left out, the hand-written JavaScript
 * over its bindings, where its public types are committed, and what its one-file import may weigh, gzipped, in bytes.
 */
export const MODULES = [
  {
    feature: "desk",
    profile: "release",
    // Control flow built anew from flat code takes a hundredth off; the later -Oz clear up after it. The lowest kilobyte,
    // which is said to be unused, is the end of a stack of one megabyte.
    optimize: ["--merge-similar-functions", "--low-memory-unused", "--flatten", "--rereloop", "-Oz", "-Oz", "-Oz"],
    wasm: "launchpad_desk_bg.wasm",
    bundles: { ...loaders({ inline: "index", rest: "" }), "web.js": { entry: "web.js", format: "esm" } },
    node: { file: "node.js", requires: "./index.cjs" },
    types: "index",
    api: "tests/api.d.ts",
    measured: { wasm: "launchpad_desk_bg.wasm", glue: "workerd.js", oneFile: "index.js" },
    ceiling: 80 * 1024,
  },
  {
    feature: "launchpad",
    profile: "maths",
    optimize: ["-O4", "-O4"],
    wasm: "launchpad_bg.wasm",
    bundles: loaders({ inline: "launchpad", rest: "launchpad-" }),
    node: { file: "launchpad-node.js", requires: "./launchpad.cjs" },
    types: "launchpad",
    ownTypesOnly: true,
    face: "launchpad.js",
    api: "tests/launchpad-api.d.ts",
    measured: { wasm: "launchpad_bg.wasm", glue: "launchpad-workerd.js", oneFile: "launchpad.js" },
    ceiling: 72 * 1024,
  },
];

/** What comes beside the modules, in JavaScript alone. One row a folder of pkg: the stem of its files in dist, and where it runs. */
export const COMPANIONS = [
  { folder: "node", stem: "for-node", target: "node18" },
  { folder: "journal", stem: "journal", target: "es2020" },
];
