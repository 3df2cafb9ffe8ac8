// A reply of node:http in the shape of fetch's Response: the parts that clients use.

import type { IncomingMessage } from "node:http";
import { type Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { failure } from "./unsent.js";

type Piece = { done: false; value: Uint8Array } | { done: true; value: undefined };

/** A reply in the shape of `Response`: the parts that are read. */
export type NodeReply = {
  readonly status: number;
  /** The reason phrase after the status. */
  readonly statusText: string;
  /** Whether the status is a success. */
  readonly ok: boolean;
  /** Always `false`: a redirect is a reply like any other, and never followed. */
  readonly redirected: boolean;
  /** The URL that was asked. */
  readonly url: string;
  /** The headers, by name in any case. */
  readonly headers: { get(name: string): string | null; has(name: string): boolean };
  /** The body, piece by piece. */
  readonly body: {
    getReader(): {
      read(): Promise<{ done: false; value: Uint8Array } | { done: true; value: undefined }>;
      cancel(): Promise<void>;
      releaseLock(): void;
    };
  };
  readonly bodyUsed: boolean;
  bytes(): Promise<Uint8Array>;
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
  json(): Promise<unknown>;
};

/** How many pieces wait for a reader at most; the rest stays in the connection. */
const MAX_WAITING = 16;

const DECODERS: { [encoding: string]: (() => Transform) | undefined } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

function decoded(message: IncomingMessage): Readable {
  const decoder = DECODERS[message.headers["content-encoding"]?.toLowerCase() ?? ""];
  // An error of either stream comes out of the decoder.
  return decoder ? pipeline(message, decoder(), () => {}) : message;
}

/** Calls `done` once; with an error if the body breaks off. */
function onEnd(stream: Readable, done: (error?: Error) => void): void {
  let isOver = false;
  const over = (error?: Error) => {
    if (!isOver) done(error);
    isOver = true;
  };
  const close = () => isOver || over(failure("ECONNRESET", "the reply broke off"));
  stream.on("end", over).on("error", over).on("close", close);
  if (stream.destroyed) close();
}

function wholeOf(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    onEnd(stream, (error) => {
      const [only, ...more] = pieces;
      if (error) reject(error);
      else resolve(only && !more.length ? only : Buffer.concat(pieces));
    });
  });
}

class BodyReader {
  #waiting: Buffer[] = [];
  #next: (() => void) | undefined;
  #end: { error: Error | undefined } | undefined;
  #stream: Readable;

  constructor(stream: Readable) {
    this.#stream = stream;
    stream.on("data", (piece: Buffer) => {
      this.#waiting.push(piece);
      if (this.#waiting.length > MAX_WAITING) stream.pause();
      this.#next?.();
    });
    onEnd(stream, (error) => {
      this.#end = { error };
      this.#next?.();
    });
  }

  async read(): Promise<Piece> {
    for (;;) {
      if (this.#waiting.length === 1) this.#stream.resume();
      const value = this.#waiting.shift();
      if (value) return { done: false, value };
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return { done: true, value: undefined };
      await new Promise<void>((resolve) => (this.#next = resolve));
    }
  }

  async cancel(): Promise<void> {
    this.#stream.destroy();
  }

  releaseLock(): void {}
}

class Reply implements NodeReply {
  readonly url: string;
  #message: IncomingMessage;
  #isRead = false;

  constructor(message: IncomingMessage, url: string) {
    this.#message = message;
    this.url = url;
    // An error that nobody awaits must not end the program.
    message.on("error", () => {});
  }

  get status(): number {
    return this.#message.statusCode as number;
  }

  get statusText(): string {
    return this.#message.statusMessage as string;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get redirected(): boolean {
    return false;
  }

  get headers(): NodeReply["headers"] {
    const message = this.#message;
    const get = (name: string) => {
      const key = String(name).toLowerCase();
      // If a header comes twice, `headers` may have only the first.
      const value = message.headers[key] && (message.headersDistinct?.[key] ?? message.headers[key]);
      return value === undefined ? null : [value].flat().join(", ");
    };
    return { get, has: (name: string) => get(name) !== null };
  }

  get body(): NodeReply["body"] {
    return { getReader: () => new BodyReader(this.#stream()) };
  }

  get bodyUsed(): boolean {
    return this.#isRead;
  }

  #stream(): Readable {
    if (this.#isRead) throw new TypeError("the body has been read");
    this.#isRead = true;
    return decoded(this.#message);
  }

  async bytes(): Promise<Buffer> {
    return wholeOf(this.#stream());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    // Copied: the bytes are in a buffer that the connection shares.
    return new Uint8Array(await this.bytes()).buffer;
  }

  async text(): Promise<string> {
    const text = (await this.bytes()).toString();
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

export const reply = (message: IncomingMessage, url: string): NodeReply => new Reply(message, url);
