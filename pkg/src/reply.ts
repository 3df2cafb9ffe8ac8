// A reply's bytes, up to a limit. A response may come from anywhere, so each read of it is caught.

import type { Code } from "./generated.js";
import type { FetchReply } from "./options.js";
import { codeOf, read } from "./runtime.js";

/** How many empty chunks of a body may come in a row. An endless stream of them would starve the deadline. */
const MOST_EMPTY = 1_000;

/** Why no complete reply came: a code of the package, and the detail for its sentence. */
export class SendFailure {
  readonly code: Code;
  readonly detail: string;

  constructor(code: Code, detail = "") {
    this.code = code;
    this.detail = detail;
  }
}

const broken = (thrown?: unknown) => new SendFailure("network_error", codeOf(thrown));

/** The bytes of an array buffer or a view of one, of whatever realm. */
function bytesOf(value: unknown, room: number, most: number): Uint8Array {
  const length = read(value, "byteLength");
  if (typeof length !== "number") throw broken();
  if (length > room) throw new SendFailure("reply_too_large", `${most}`);
  try {
    return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, length) : new Uint8Array(value as ArrayBuffer);
  } catch {
    throw broken(); // detached
  }
}

/**
 * The body of a response, at most `most` bytes. `check` throws once nobody waits for it any more.
 *
 * @throws {SendFailure}
 */
export async function bodyOf(response: FetchReply, most: number, check: () => void): Promise<Uint8Array> {
  try {
    const body = response.body as Partial<ReadableStream> | null | undefined;
    if (typeof body?.getReader !== "function") {
      // An injected fetch may answer with something simpler than a stream.
      return typeof response.arrayBuffer === "function" ? bytesOf(await response.arrayBuffer(), most, most) : new Uint8Array();
    }
    const reader = body.getReader();
    const pieces: Uint8Array[] = [];
    for (let length = 0, empty = 0; ; ) {
      const { done, value } = await reader.read();
      check();
      if (done) return pieces.length === 1 ? pieces[0]! : joined(pieces, length);
      const piece = bytesOf(value, most - length, most);
      empty = piece.length ? 0 : empty + 1;
      if (empty > MOST_EMPTY) throw broken();
      // A copy, since a stream may fill the same buffer again.
      pieces.push(piece.slice());
      length += piece.length;
    }
  } catch (thrown) {
    check();
    throw thrown instanceof SendFailure ? thrown : broken(thrown);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
