// Reads a reply's bytes, up to a limit. A response may come from any `fetch`, so errors of each read are caught.

import { MOST_EMPTY } from "./generated.js";
import { type FetchReply, codeOf, read } from "./runtime.js";
import type { Watch } from "./trade/watch.js";

/** Why no complete reply came: the core's event for it. */
export type Lost = ["broken" | "tooLarge", detail: string];

const broken = (thrown?: unknown): Lost => ["broken", codeOf(thrown)];

/** The bytes of an array buffer or of a view of one, from any realm. */
function bytesOf(value: unknown, left: number, most: number): Uint8Array {
  const length = read(value, "byteLength");
  if (typeof length !== "number") throw broken();
  if (length > left) throw ["tooLarge", `${most}`] satisfies Lost;
  try {
    return ArrayBuffer.isView(value)
      ? new Uint8Array(value.buffer, value.byteOffset, length)
      : new Uint8Array(value as ArrayBuffer);
  } catch {
    throw broken(); // detached
  }
}

/** Reads the body of a response, at most `most` bytes. Stops when the watch stops. */
export async function bodyOf(
  response: FetchReply,
  most: number,
  watch: Pick<Watch, "stop">,
): Promise<["body", Uint8Array] | Lost> {
  let reader: ReadableStreamDefaultReader | undefined;
  try {
    const body = response.body as Partial<ReadableStream> | null | undefined;
    // What was read already is no empty body.
    if (read(response, "bodyUsed") === true) return broken();
    // An injected fetch may answer with something simpler than a stream.
    if (typeof body?.getReader !== "function") return ["body", bytesOf(await response.arrayBuffer(), most, most)];
    reader = body.getReader();
    const pieces: Uint8Array[] = [];
    for (let length = 0, empty = 0; ;) {
      const { done, value } = await reader.read();
      if (watch.stop) return broken();
      if (done) return ["body", pieces.length === 1 ? pieces[0]! : joined(pieces)];
      const piece = bytesOf(value, most - length, most);
      empty = piece.length ? 0 : empty + 1;
      if (empty > MOST_EMPTY) throw broken();
      // A copy, because a stream may fill the same buffer again.
      pieces.push(piece.slice());
      length += piece.length;
    }
  } catch (thrown) {
    if (reader) end(reader);
    return Array.isArray(thrown) ? (thrown as Lost) : broken(thrown);
  }
}

/** Ends a stream of which no more is read. An abort may not do it: on Node 20 a request may lose its signal to garbage collection. */
function end(reader: ReadableStreamDefaultReader): void {
  try {
    void Promise.resolve(reader.cancel()).catch(() => {});
  } catch {
    // A stream of an injected fetch may not have it.
  }
}

/** All pieces in one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
