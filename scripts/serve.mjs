// A static file server on loopback.

import { open, realpath } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";

const CONTENT_TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // What a careful site sends. WebAssembly needs 'wasm-unsafe-eval', and no more than that.
  "content-security-policy":
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self' https: http://127.0.0.1:* http://localhost:*; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};

/** The file a request's path names inside `folder`, or undefined: nothing outside is ever named. */
async function locate(folder, target) {
  let path;
  try {
    path = decodeURIComponent(new URL(target, "http://127.0.0.1").pathname);
  } catch {
    return undefined;
  }
  if (path.includes("\0")) return undefined;
  const named = join(folder, path.endsWith("/") ? `${path}index.html` : path);
  // Symbolic links are followed first, so that none leads out.
  const file = await realpath(named).catch(() => undefined);
  return file?.startsWith(folder + sep) ? file : undefined;
}

async function answer(folder, headers, request, response) {
  const end = (status, more = {}) => {
    response.writeHead(status, { ...headers, ...more, "content-type": "text/plain; charset=utf-8" });
    response.end(`${status}\n`);
  };
  if (request.method !== "GET" && request.method !== "HEAD") return end(405, { allow: "GET, HEAD" });
  const file = await locate(folder, request.url);
  const handle = file && (await open(file).catch(() => undefined));
  if (!handle) return end(404);
  try {
    const found = await handle.stat();
    if (!found.isFile()) return end(404);
    response.writeHead(200, {
      ...headers,
      "content-type": CONTENT_TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": found.size,
    });
    if (request.method === "HEAD") response.end();
    else await pipeline(handle.createReadStream({ autoClose: false }), response);
  } finally {
    await handle.close();
  }
}

/**
 * Serves `folder` on 127.0.0.1 and resolves to `{ url, close }`.
 *
 * @param {string} folder
 * @param {number} port 0 picks a free one
 * @param {Record<string, string>} [headers] of every answer; those of a careful site if left out
 */
export async function serve(folder, port, headers = HEADERS) {
  const real = await realpath(folder);
  const server = createServer((request, response) => {
    answer(real, headers, request, response).catch((error) => {
      // A browser that walks away in the middle of a file is no event.
      if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") console.error(`${request.method} ${request.url}: ${error.message}`);
      response.destroy();
    });
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
