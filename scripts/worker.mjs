// The edge worker of edge/, bundled as its deployment would be and run in workerd on this machine.

import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { root } from "./program.mjs";

const EDGE = join(root, "edge");

/** esbuild's part: a `.wasm` import stays an import, of a module handed to workerd beside the script. */
const wasmModules = (found) => ({
  name: "wasm modules",
  setup(build) {
    build.onResolve({ filter: /\.wasm(\?module)?$/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === "resolved") return undefined;
      const file = (await build.resolve(path.replace(/\?module$/, ""), { resolveDir, kind, pluginData: "resolved" })).path;
      found.set(basename(file), file);
      return { path: `./${basename(file)}`, external: true };
    });
  },
});

/** The worker's deployment settings, as wrangler reads them. */
const settings = async () => JSON.parse(await readFile(join(EDGE, "wrangler.json"), "utf8"));

/** Bundles a worker, `main` of edge/ or any other, under the conditions of its deployment and resolves to workerd's modules. */
export async function bundleWorker(main) {
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
    logLevel: "warning",
    write: false,
  });
  const modules = [{ type: "ESModule", path: "worker.js", contents: outputFiles[0].text }];
  for (const [path, file] of wasm) modules.push({ type: "CompiledWasm", path, contents: await readFile(file) });
  return modules;
}

/**
 * Starts the worker in workerd on 127.0.0.1 and resolves to `{ url, close, miniflare }`.
 *
 * @param {object} [options]
 * @param {number} [options.port] 0, the default, picks a free one
 * @param {Record<string, unknown>} [options.bindings] variables and secrets, over those of edge/wrangler.json
 * @param {string} [options.persist] a folder to keep Durable Objects in; without it they live as long as the worker
 * @param {object} [options.miniflare] further Miniflare options, such as `outboundService`
 */
export async function startWorker({ port = 0, bindings = {}, persist, miniflare: further = {} } = {}) {
  const { Miniflare } = await import("miniflare");
  const { main, compatibility_date, compatibility_flags = [], vars = {}, durable_objects, migrations = [] } = await settings();
  const stored = new Set(migrations.flatMap((step) => step.new_sqlite_classes ?? []));
  const miniflare = new Miniflare({
    modules: await bundleWorker(main),
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    bindings: { ...vars, ...bindings },
    durableObjects: Object.fromEntries(
      (durable_objects?.bindings ?? []).map(({ name, class_name }) => [name, { className: class_name, useSQLite: stored.has(class_name) }]),
    ),
    durableObjectsPersist: persist ?? false,
    host: "127.0.0.1",
    port,
    // Without this it asks its maker's servers where we are.
    cf: false,
    ...further,
  });
  const url = (await miniflare.ready).href;
  return { url, miniflare, close: () => miniflare.dispose() };
}
