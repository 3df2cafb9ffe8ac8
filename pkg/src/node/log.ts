// A log whose lines prove that they are complete and that none is missing.
//
//   {"bytes":412,"sum":"0123456789abcdef","log":{…},"rows":[…]}
//   {"bytes":187,"sum":"89abcdef01234567","rows":[…]}
//
// `bytes` is the length of what follows the sum, and each sum continues from the sum of the line before. The first line is written
// with a new file that is renamed into place, so it is never torn. A kill or a power cut leaves at most a torn last line, which has
// fewer bytes than it says. Any other mismatch is damage.

import { createHash } from "node:crypto";
import { LONGEST, readLines } from "./lines.js";

const HEAD = /^\{"bytes":(\d+),"sum":"([0-9a-f]{16})",/;

/** The checksum of `text`, continued from the one before. */
const sumOf = (before: string, text: string): string =>
  createHash("sha256").update(before).update(text).digest("hex").slice(0, 16);

/** A line, and its sum, from which the next one continues. */
export interface Line {
  text: string;
  sum: string;
}

/** A line with `members`, the text of a JSON object without its first brace. */
export function lineOf(before: string, members: string): Line {
  const bytes = Buffer.byteLength(members);
  if (bytes > LONGEST) throw new RangeError(`${bytes} bytes are too long for a line of a log`);
  const sum = sumOf(before, members);
  return { text: `{"bytes":${bytes},"sum":"${sum}",${members}\n`, sum };
}

/** Passes the content of each line to `take`, in order. Resolves to the number of a torn last line, which is skipped; 0 if there is none. */
export async function readLog(file: string, take: (says: unknown) => void): Promise<number> {
  let [sum, count, torn] = ["", 0, 0];
  await readLines(
    file,
    (line, isEnded) => {
      count++;
      // After a power cut, a file may have its length before its content, and zeros in their place.
      const text = isEnded ? line : line.replace(/\0+$/, "");
      const [head, bytes, said = ""] = HEAD.exec(text) ?? [];
      const members = text.slice(head?.length ?? 0);
      const missing = head === undefined ? 1 : Number(bytes) - Buffer.byteLength(members);
      if (head !== undefined && missing === 0 && said === sumOf(sum, members)) {
        sum = said;
        return take(JSON.parse(`{${members}`));
      }
      if (count === 1) throw new Error(`${file} is not the log of a sandbox, or its first line is damaged`);
      if (isEnded || missing <= 0)
        throw new Error(
          `line ${count} of the log ${file} is damaged, or one before it is missing: use an earlier copy, or another file`,
        );
      torn = count;
    },
    LONGEST + 64,
  );
  return torn;
}
