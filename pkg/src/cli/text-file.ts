// Files as people have them: PowerShell writes UTF-16, and editors put a mark before UTF-8.

import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { UsageError } from "./command.js";
import { exactJson } from "./exact-json.js";

/** The text of a file, from its bytes. `name` is what a message calls it; the message never quotes it, because it may be a key. */
export function decodeText(name: string, bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString("hex");
  const isUtf16 = mark === "fffe" || mark === "feff";
  if (isUtf16 && bytes.length % 2) throw new UsageError(`${name} ends in the middle of a character`);
  // Not every runtime decodes the big-endian form.
  const content = mark === "feff" ? Buffer.from(bytes).swap16() : bytes;
  try {
    const text = new TextDecoder(isUtf16 ? "utf-16le" : "utf-8", { fatal: true }).decode(content);
    if (!text.includes("\0")) return text;
  } catch {
    // The same message as for a text with zeros: UTF-16 without its mark has them.
  }
  throw new UsageError(`${name} is not text in UTF-8 or UTF-16: save it as UTF-8`);
}

/** The text of a file that the command line names, or of standard input if that is `-`. `what` stands before the reason in a message. */
export async function textIn(file: string, what?: string): Promise<string> {
  const bytes = await (file === "-" ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw new UsageError(what === undefined ? error.message : `${what}: ${error.message}`);
  });
  return decodeText(file === "-" ? "standard input" : file, bytes);
}

/** The JSON object that an option gives, or names as a file of it. The parser's reason is left out: it quotes the text, which may have a key. */
export async function jsonOf<T extends object>(option: string, given: string): Promise<T> {
  const isInline = /^\s*\{/.test(given);
  const text = isInline ? given : await textIn(given, `--${option}`);
  const what = isInline ? "it" : given;
  let value: unknown;
  try {
    value = exactJson(text);
  } catch {
    throw new UsageError(`--${option}: ${what} is not JSON`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`--${option}: ${what} has no JSON object`);
  return value as T;
}
