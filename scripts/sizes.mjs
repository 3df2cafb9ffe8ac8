// What an import of one of the package's modules costs.

import { gzipSync } from "node:zlib";

const measure = (content) => ({ raw: Buffer.byteLength(content), gzip: gzipSync(content, { level: 9 }).length });

/**
 * The sizes of a module in bytes, raw and gzipped: the WebAssembly, the JavaScript around it, and the file that holds
 * both.
 *
 * @param {{ measured: Record<string, string> }} row a row of scripts/modules.mjs
 * @param {Map<string, Buffer | string>} files the package's files by name
 */
export function sizesOf({ measured }, files) {
  return Object.fromEntries(Object.entries(measured).map(([part, file]) => [part, measure(files.get(file))]));
}

/** The sizes of a module as a small table. */
export function sizeTable({ feature, ceiling }, sizes) {
  const rows = { wasm: "wasm module", glue: "glue", oneFile: "one-file import" };
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`.padStart(9);
  const lines = Object.entries(rows).map(([key, title]) => `${title.padEnd(16)} ${kilobytes(sizes[key].raw)} raw ${kilobytes(sizes[key].gzip)} gzip`);
  lines.push(`${"ceiling".padEnd(16)} ${" ".repeat(13)} ${kilobytes(ceiling)} gzip`);
  return [`${feature}:`, ...lines].join("\n");
}
