// A record, as what reads one takes it.

import { read } from "../runtime.js";

const PIECE = 1 << 16;

/** A record for {@link verifyRecord}: its text or bytes, or pieces of them in order, such as a stream. */
export type RecordSource =
  | string
  | Uint8Array
  | Blob
  | Iterable<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | ReadableStream<Uint8Array>;

/** The bytes of a record, in pieces. */
export async function* bytesOf(record: RecordSource): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of piecesOf(record)) {
    const bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
    for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
  }
}

function piecesOf(record: RecordSource): Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array> {
  if (typeof record === "string" || record instanceof Uint8Array) return [record];
  const stream = typeof Blob === "function" && record instanceof Blob ? record.stream() : record;
  return typeof read(stream, "getReader") === "function"
    ? streamed(stream as ReadableStream<Uint8Array>)
    : (stream as Iterable<string | Uint8Array>);
}

/** The pieces of a stream: not every browser can iterate one. */
async function* streamed(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
