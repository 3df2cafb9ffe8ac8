// What an import of the package costs, and the ceiling it must stay under.

import { gzipSync } from "node:zlib";

/** The one-file import, gzipped, in bytes. */
export const CEILING = 70 * 1024;

const measure = (content) => ({ raw: Buffer.byteLength(content), gzip: gzipSync(content, { level: 9 }).length });

/**
 * The sizes in bytes, raw and gzipped: the module, the JavaScript around it, and the file that holds both.
 *
 * @param {Map<string, Buffer | string>} files the package's files by name
 */
export function sizesOf(files) {
  return {
    wasm: measure(files.get("launchpad_desk_bg.wasm")),
    glue: measure(files.get("workerd.js")),
    oneFile: measure(files.get("index.js")),
  };
}

/** The sizes as a small table. */
export function sizeTable(sizes) {
  const rows = { wasm: "wasm module", glue: "glue", oneFile: "one-file import" };
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(9);
  const lines = Object.entries(rows).map(([key, title]) => `${title.padEnd(16)} ${kilobytes(sizes[key].raw)} raw ${kilobytes(sizes[key].gzip)} gzip`);
  lines.push(`${"ceiling".padEnd(16)} ${" ".repeat(13)} ${kilobytes(CEILING)} gzip`);
  return lines.join("\n");
}
