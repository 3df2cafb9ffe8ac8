// Reads a file line by line, in pieces, because a journal or a log may be longer than the longest JS string.

import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "./code.js";

const PIECE = 1 << 20;
const LINE_END = 10;

/** The longest line, in bytes: far longer than that of any trade. */
export const MAX_LINE = 1 << 24;

/** Passes each line to `take`, in order, and whether it has a line end, which the last one may lack. A missing file has no lines. */
export async function readLines(file: string, take: (line: string, isEnded: boolean) => void, longest = MAX_LINE): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    const buffer = Buffer.allocUnsafe(PIECE);
    let rest = Buffer.alloc(0);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE, null);
      if (!bytesRead) break;
      const piece = buffer.subarray(0, bytesRead);
      let from = 0;
      for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, from)) {
        const line = piece.subarray(from, end);
        take((rest.length ? Buffer.concat([rest, line]) : line).toString(), true);
        rest = rest.subarray(0, 0);
        from = end + 1;
      }
      // Copied, because the next piece overwrites these bytes.
      rest = Buffer.concat([rest, piece.subarray(from)]);
      if (rest.length > longest) throw new Error(`${file} has a line of over ${longest} bytes: look into it before you trade on`);
    }
    if (rest.length) take(rest.toString(), false);
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
