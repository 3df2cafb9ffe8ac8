// The edge worker of edge/, bundled as for deployment and run in workerd on this machine.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "./program.mjs";

const EDGE = join(root, "edge");

/** esbuild's part: a `.wasm` import stays an import, of a module handed to workerd beside the script. */
const wasmModules = (found) => ({
  name: "wasm modules",
  setup(build) {
    build.onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === "resolved") return undefined;
      const file = (await build.resolve(path.replace(/\?module$/, ""), { resolveDir, kind, pluginData: "resolved" }))
        .path;
      found.set(basename(file), file);
      return { path: `./${basename(file)}`, external: true };
    });
  },
});

/** The worker's deployment settings, as wrangler reads them: JSON, with comments on lines of their own. */
export const settings = async () =>
  JSON.parse((await readFile(join(EDGE, "wrangler.jsonc"), "utf8")).replace(/^\s*\/\/.*$/gm, ""));

const bundles = new Map();

/** Bundles a worker, `main` of edge/ or any other, under the conditions of its deployment and resolves to workerd's modules. */
export function bundleWorker(main) {
  if (!bundles.has(main)) bundles.set(main, bundle(main));
  return bundles.get(main);
}

async function bundle(main) {
  const esbuild = await import("esbuild");
  const wasm = new Map();
  const { outputFiles } = await esbuild.build({
    entryPoints: [resolve(EDGE, main)],
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    conditions: ["workerd", "worker"],
    mainFields: ["module", "main"],
    external: ["cloudflare:*", "node:*"],
    plugins: [wasmModules(wasm)],
    // As wrangler does by itself.
    loader: { ".html": "text" },
    logLevel: "warning",
    write: false,
  });
  const modules = [{ type: "ESModule", path: "worker.js", contents: outputFiles[0].text }];
  for (const [path, file] of wasm) modules.push({ type: "CompiledWasm", path, contents: await readFile(file) });
  return modules;
}

/** Miniflare's options for a worker, that of edge/ or another. These bindings override those of its settings. */
async function deployed(main, bindings) {
  const { main: usual, compatibility_date, vars = {}, durable_objects } = await settings();
  return {
    modules: await bundleWorker(main ?? usual),
    compatibilityDate: compatibility_date,
    bindings: { ...vars, ...bindings },
    durableObjects: Object.fromEntries(
      durable_objects.bindings.map(({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
    ),
  };
}

/** Miniflare's options for this machine. Without `cf` it would ask its vendor's servers for our location. */
const surroundings = (note) => ({
  host: "127.0.0.1",
  cf: false,
  handleRuntimeStdio: (...streams) => streams.forEach((stream) => stream.setEncoding("utf8").on("data", note)),
});

/** Makes Miniflare start workerd through a script that reports its process id. */
function tellOfProcesses() {
  const { resolve } = createRequire(import.meta.url);
  process.env.WORKERD = createRequire(resolve("miniflare"))("workerd").default;
  process.env.MINIFLARE_WORKERD_PATH = join(root, "scripts/workerd.sh");
}

/**
 * Starts the worker of edge/, or `main`, in workerd on 127.0.0.1. Resolves to its `url`, its `pid`, what it has logged, and what ends it: `kill` at
 * once. Without a `port` it has a free one; `bindings` override those of edge/wrangler.jsonc; without a folder to `persist` in, objects live as
 * long as the worker; `onLog` gets what it logs, too.
 */
export async function startWorker({ main, port = 0, bindings = {}, persist, onLog = () => {} } = {}) {
  tellOfProcesses();
  const { Miniflare } = await import("miniflare");
  let log = "";
  const note = (text) => {
    log += text;
    onLog(text);
  };
  const miniflare = new Miniflare({
    ...(await deployed(main, bindings)),
    durableObjectsPersist: persist ?? false,
    port,
    ...surroundings(note),
  });
  const url = (await miniflare.ready).href;
  let found;
  while (!(found = /^workerd is process (\d+)$/m.exec(log))) await sleep(1);
  const pid = Number(found[1]);
  const close = () => miniflare.dispose();
  const kill = () => {
    process.kill(pid, "SIGKILL");
    return close();
  };
  return { url, pid, log: () => log, kill, close };
}

/** Starts the worker once for each of these bindings, in one workerd, and resolves to `urls`, `log()` and `close()`. */
export async function startWorkers(bindings) {
  const { Miniflare } = await import("miniflare");
  let log = "";
  const named = async (own, at) => ({
    name: `worker-${at}`,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    ...(await deployed(undefined, own)),
  });
  const miniflare = new Miniflare({
    workers: await Promise.all(bindings.map(named)),
    port: 0,
    ...surroundings((text) => (log += text)),
  });
  await miniflare.ready;
  const urls = await Promise.all(
    bindings.map(async (_, at) => (await miniflare.unsafeGetDirectURL(`worker-${at}`)).href),
  );
  return { urls, log: () => log, close: () => miniflare.dispose() };
}
