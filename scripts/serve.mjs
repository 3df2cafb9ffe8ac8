// Serving on loopback: a folder by esbuild's own server, what is bundled from memory, the demo page minified and compressed.

import { once } from "node:events";
import { createServer } from "node:http";
import { basename, extname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { command, root } from "./program.mjs";

/** Serves the files of a folder on 127.0.0.1; resolves to `{ url, close }`. */
export async function serveFolder(folder) {
  const { context } = await import("esbuild");
  const site = await context({});
  try {
    const server = await site.serve({ servedir: folder, host: "127.0.0.1", port: 0 });
    return { url: `http://127.0.0.1:${server.port}/`, close: () => site.dispose() };
  } catch (error) {
    await site.dispose();
    throw error;
  }
}

/** Serves the output of a build on 127.0.0.1. It is built once: esbuild's own server would build it again for each page. */
export async function serveBuilt(build) {
  const files = await bundled(build);
  return serveFiles(0, (path) => files.get(path));
}

/** The files that esbuild bundles: their paths on a server → type and content. The page's head gets links to what it loads `early`. */
async function bundled(build, early) {
  const esbuild = await import("esbuild");
  // The package is bundled as it was built: the paths of its own tsconfig.json are for its sources.
  const options = {
    tsconfigRaw: {},
    bundle: true,
    format: "esm",
    platform: "browser",
    absWorkingDir: root,
    splitting: true,
    write: false,
    logLevel: "warning",
  };
  const { outputFiles, metafile } = await esbuild.build({ ...options, ...build, metafile: early !== undefined });
  const pathOf = (file) => `/${relative(resolve(root, build.outdir), file).replace(/^index\.html$/, "")}`;
  const files = new Map(
    outputFiles.map(({ path, contents }) => [pathOf(path), { type: TYPES[extname(path)], whole: contents }]),
  );
  if (early)
    files.get("/").whole = Buffer.from(
      Buffer.from(files.get("/").whole)
        .toString()
        .replace("<!-- early -->", () => linksOf(metafile, early)),
    );
  return files;
}

/** Links that load files at once for which the page's scripts ask only later, with what they import. */
function linksOf({ outputs }, { first, next }) {
  const known = new Set();
  const load = (path, how) => {
    if (known.has(path)) return [];
    known.add(path);
    const file = basename(path);
    const link = file.endsWith(".wasm")
      ? `<link rel="preload" href="${file}" as="fetch" type="application/wasm" crossorigin${how}>`
      : `<link rel="modulepreload" href="${file}"${how}>`;
    return [
      link,
      ...outputs[path].imports.filter(({ kind }) => kind !== "dynamic-import").flatMap((one) => load(one.path, how)),
    ];
  };
  const all = (names, how) =>
    names
      .flatMap((name) => Object.keys(outputs).filter((path) => basename(outputs[path].entryPoint ?? "") === name))
      .flatMap((path) => load(path, how));
  return [...all(first, ""), ...all(next, ' fetchpriority="low"')].join("\n    ");
}

/** An import of WebAssembly becomes a file beside the page, compiled while it downloads. */
const wasmAsFiles = {
  name: "wasm as files",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?module$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.replace("?module", "")),
      namespace: "streamed",
    }));
    onLoad({ filter: /.*/, namespace: "streamed" }, ({ path }) => ({
      contents: `import file from ${JSON.stringify(path)}; export default await WebAssembly.compileStreaming(fetch(new URL(file, import.meta.url)));`,
      resolveDir: root,
    }));
  },
};

/**
 * How the demo page is built. `launchpad-desk` is resolved from node_modules as in any other project, and the bundler takes the
 * entries that import their `.wasm`: smaller than as text, and compiled in parallel with the page's own work.
 */
const PAGE = {
  entryPoints: ["www/index.html", "www/main.js", "www/style.css", "www/icon.svg"],
  outdir: join(root, ".cache/www"),
  target: "es2022",
  loader: { ".html": "copy", ".svg": "copy", ".wasm": "file" },
  assetNames: "[name]",
  conditions: ["workerd"],
  plugins: [wasmAsFiles],
};

/** What the panel's page loads at once, by the files that it was built from: what shows the ticket, and after that the simulator. */
const PANEL_PAGE = {
  build: PAGE,
  early: { first: ["main.js", "panel-desk.js"], next: ["market-edge.js", "sandbox-edge.js"] },
};

const VERIFIER = { build: { ...PAGE, entryPoints: ["www/verify.*"] } };

/** The page of a panel behind a gateway, and what it loads at once. Whether it reads the chain, only the gateway says. */
const LIVE_PAGE = {
  build: {
    ...PAGE,
    entryPoints: ["www/live/*", "www/icon.svg", "www/style.css"],
    entryNames: "[name]",
    outdir: join(root, ".cache/www-live"),
  },
  early: { first: ["live.js", "panel-desk.js"], next: ["market-edge.js"] },
};

/** What a page may do: run its own files, and ask these other origins. */
const policy = (...origins) =>
  `default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src ${["'self'", ...origins].join(" ")}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** The highest quality of brotli takes 20 times as long as the half of it. */
const SMALLEST = constants.BROTLI_MAX_QUALITY;

/** The files of a page as they are served: minified, and compressed for clients that accept it. */
export async function packedPage({ build, early } = PANEL_PAGE, quality = SMALLEST) {
  const files = await bundled({ minify: true, legalComments: "none", ...build }, early);
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } };
  return new Map(
    [...files].map(([path, file]) => [
      path,
      { ...file, br: brotliCompressSync(file.whole, brotli), gzip: gzipSync(file.whole, { level: 9 }) },
    ]),
  );
}

/**
 * Serves the pages of www/, with the package bundled into them, on 127.0.0.1: the panel, and beside it the page that verifies a record. Once
 * the panel is served, `buildVerifier` builds what that page imports; requests for it wait. The `quality` is that of brotli.
 */
export async function servePage(port, { buildVerifier = async () => {}, quality } = {}) {
  const files = await packedPage(PANEL_PAGE, quality);
  let verifier;
  const fileAt = async (path) => {
    if (path.startsWith("/verify.")) await verifier;
    return files.get(path);
  };
  const server = await serveFiles(port, fileAt, policy);
  const add = async () => {
    await buildVerifier();
    for (const [path, file] of await packedPage(VERIFIER, quality)) files.set(path, file);
  };
  verifier = add().catch((error) => console.error(`verify.html: ${error.message}`));
  return server;
}

/** Serves the page of a panel behind a gateway, on 127.0.0.1. `gateway` gives the properties of the element, once it is running. */
export async function serveLivePage(port, gateway) {
  const files = await packedPage(LIVE_PAGE);
  const described = () => gateway() && { type: TYPES[".json"], whole: Buffer.from(JSON.stringify(gateway())) };
  const origins = () => (gateway() ? [new URL(gateway().baseUrl).origin] : []);
  return serveFiles(
    port,
    (path) => (path === "/gateway.json" ? described() : files.get(path)),
    () => policy(...origins()),
  );
}

/** Serves the files that `fileAt` a path are, or will be, with a policy if there is one. */
async function serveFiles(port, fileAt, contentPolicy) {
  const server = createServer(async (request, response) => {
    const file = await fileAt(new URL(request.url, "http://page").pathname);
    if (!file || !["GET", "HEAD"].includes(request.method)) return void response.writeHead(file ? 405 : 404).end();
    const taken = String(request.headers["accept-encoding"] ?? "");
    const coding = ["br", "gzip"].find((coding) => file[coding] && new RegExp(`\\b${coding}\\b`).test(taken));
    const body = coding ? file[coding] : file.whole;
    const headers = {
      "content-type": file.type,
      "content-length": body.length,
      vary: "accept-encoding",
      "cache-control": "no-cache",
      ...(contentPolicy && { "content-security-policy": contentPolicy() }),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    };
    response
      .writeHead(200, coding ? { ...headers, "content-encoding": coding } : headers)
      .end(request.method === "HEAD" ? undefined : body);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return { url: `http://127.0.0.1:${server.address().port}/`, close };
}

/** Runs `start` with the command line's `--port`, prints the `url` that it resolves to, and closes it on Ctrl-C. */
export const serveUntilInterrupted = (name, usualPort, start) =>
  command(name, async () => {
    const { port } = parseArgs({ options: { port: { type: "string", default: String(usualPort) } } }).values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
      throw new Error(`--port takes a number from 0 to 65535, not ${port}`);
    const running = await start(Number(port)).catch((error) => {
      throw /address already in use/i.test(error.message)
        ? new Error(`port ${port} is taken; --port 0 picks a free one`)
        : error;
    });
    console.log(running.url);
    if (running.told) console.log(running.told);
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => running.close().then(() => process.exit(0)));
  });
