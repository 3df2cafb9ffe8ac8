// The benches as a page loads them: bundled, so that a page needs no resolver, and in pieces, so that it loads no more
// than its side's part.

import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../program.mjs";
import { serve } from "../serve.mjs";

/**
 * No content security policy: schema libraries compile their schemas where they may, and shall be as fast as they can.
 * The other two keep other origins out, for which engines give a page the finer clock.
 */
const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/** Serves these modules, paths below the root, with side.mjs and an empty page; `pathOf` tells where a module is. */
export async function openSite(modules) {
  const { build } = await import("esbuild");
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Ctrl-C ends the browser and this, and closes nothing else.
  process.once("exit", remove);
  try {
    await build({
      entryPoints: [...modules, "scripts/engines/side.mjs"],
      absWorkingDir: root,
      outbase: root,
      outdir: folder,
      bundle: true,
      splitting: true,
      format: "esm",
      target: "esnext",
      platform: "browser",
      // Of works for Node alone; no page loads these pieces.
      external: ["node:*"],
      define: { "process.env.NODE_ENV": '"production"' },
      logLevel: "warning",
    });
    await writeFile(join(folder, "index.html"), '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">');
    const server = await serve(folder, 0, HEADERS);
    return {
      url: server.url,
      pathOf: (module) => `/${module.replace(/mjs$/, "js")}`,
      async close() {
        await server.close();
        process.off("exit", remove);
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}
