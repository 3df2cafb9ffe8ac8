// Reads a file line by line, in pieces, because a journal or a log may be longer than the longest JS string. A line of a journal begins with
// a checksum, which tells damage from content.
//
//   {"crc32":"89abcdef","settle":"…","outcome":"landed"}

import { open } from "node:fs/promises";
import { MAX_LINE } from "../generated.js";
import { ifMissing } from "./code.js";

const PIECE = 1 << 20;
const LINE_END = 10;

/** The longest line of a log or a record, in bytes: half of the longest JS string. */
export const LONGEST = 1 << 28;

const HEAD = /^\{"crc32":"([0-9a-f]{8})",/;

/** For each byte, its part of a CRC-32. */
const PARTS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let part = byte;
  for (let bit = 0; bit < 8; bit++) part = part & 1 ? (part >>> 1) ^ 0xedb88320 : part >>> 1;
  return part;
});

/** The CRC-32 of a text's UTF-8, as in zip and PNG: 8 hex digits. */
export function crc32(text: string): string {
  let crc = -1;
  for (const byte of Buffer.from(text)) crc = (crc >>> 8) ^ (PARTS[(crc ^ byte) & 255] as number);
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

/** A line with a checksum, and its line end. It covers all that follows it. */
export function checkedLine(record: object): string {
  const rest = JSON.stringify(record).slice(1);
  return `{"crc32":"${crc32(rest)}",${rest}\n`;
}

/** The content of a line with a checksum. Throws if that is missing or not of this line, or if the content is not JSON. */
export function readChecked(line: string): unknown {
  const [head, crc] = HEAD.exec(line) ?? [];
  if (head === undefined) throw new Error("it has no checksum");
  const rest = line.slice(head.length);
  if (crc32(rest) !== crc) throw new Error("its checksum is wrong");
  return JSON.parse(`{${rest}`);
}

/**
 * Passes each line to `take`, in order, and whether it has a line end, which the last one may lack. A missing file has no lines. Of one that is
 * longer than `lastBytes`, those of that many at its end.
 */
export async function readLines(
  file: string,
  take: (line: string, isEnded: boolean) => void,
  longest = MAX_LINE,
  lastBytes = Infinity,
): Promise<void> {
  const handle = await open(file, "r").catch(ifMissing);
  if (!handle) return;
  try {
    const buffer = Buffer.allocUnsafe(PIECE);
    let rest = Buffer.alloc(0);
    let at = lastBytes < Infinity ? Math.max(0, (await handle.stat()).size - lastBytes) : 0;
    // The first of them may begin before.
    let isWhole = at === 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE, at);
      if (!bytesRead) break;
      at += bytesRead;
      const piece = buffer.subarray(0, bytesRead);
      let from = 0;
      for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, from)) {
        const line = piece.subarray(from, end);
        if (isWhole) take((rest.length ? Buffer.concat([rest, line]) : line).toString(), true);
        isWhole = true;
        rest = rest.subarray(0, 0);
        from = end + 1;
      }
      // Copied, because the next piece overwrites these bytes.
      rest = Buffer.concat([rest, piece.subarray(from)]);
      if (rest.length > longest)
        throw new Error(`${file} has a line of over ${longest} bytes: check it before you trade again`);
    }
    if (rest.length && isWhole) take(rest.toString(), false);
  } finally {
    await handle.close();
  }
}

/** Writes lines to a new file, replacing any file of that name, and syncs it. Resolves to its size in bytes. */
export async function writeLines(file: string, lines: Iterable<string>): Promise<number> {
  const handle = await open(file, "w", 0o600);
  let bytes = 0;
  let piece = "";
  const write = async () => {
    await handle.appendFile(piece);
    bytes += Buffer.byteLength(piece);
    piece = "";
  };
  try {
    for (const line of lines) {
      piece += line;
      if (piece.length > PIECE) await write();
    }
    await write();
    await handle.sync();
  } finally {
    // Some disks cannot rename an open file.
    await handle.close();
  }
  return bytes;
}
