// Serving on loopback, by esbuild's own server.

import { join } from "node:path";
import { parseArgs } from "node:util";
import { command, root } from "./program.mjs";

/**
 * Serves what esbuild makes of `build`, and the files of `folder` if there is one, on 127.0.0.1; resolves to `{ url, close }`.
 *
 * @param {{ folder?: string, port?: number, build?: import("esbuild").BuildOptions }} what a port of 0, the default, picks a free one
 */
export async function serve({ folder, port = 0, build = {} }) {
  const { context } = await import("esbuild");
  // The package is bundled as it was built: the paths of its own tsconfig.json are for its sources.
  const site = await context({ tsconfigRaw: {}, bundle: true, format: "esm", platform: "browser", absWorkingDir: root, outdir: folder, splitting: true, write: false, logLevel: "warning", ...build });
  try {
    // What cannot be built is told now, and not to the first who asks for it.
    if (build.entryPoints) await site.rebuild();
    const server = await site.serve({ servedir: folder, host: "127.0.0.1", port });
    return { url: `http://127.0.0.1:${server.port}/`, close: () => site.dispose() };
  } catch (error) {
    await site.dispose();
    throw error;
  }
}

/** Serves the demo page: www/, its module bundled. `launchpad-desk` is resolved from node_modules as in any other project. */
export const servePage = (port) =>
  serve({ port, build: { entryPoints: ["www/*"], outdir: join(root, ".cache/www"), target: "es2022", sourcemap: true, loader: { ".html": "copy", ".svg": "copy" } } });

/** Runs `start` with the command line's `--port`, tells the `url` of what it resolves to and, on Ctrl-C, closes that. */
export const serveUntilInterrupted = (name, usualPort, start) =>
  command(name, async () => {
    const { port } = parseArgs({ options: { port: { type: "string", default: String(usualPort) } } }).values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error(`--port takes a number from 0 to 65535, not ${port}`);
    const running = await start(Number(port)).catch((error) => {
      throw /address already in use/i.test(error.message) ? new Error(`port ${port} is taken; --port 0 picks a free one`) : error;
    });
    console.log(running.url);
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => running.close().then(() => process.exit(0)));
  });
